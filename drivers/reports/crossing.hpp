#pragma once
// The value of a random parameter at which a rate has a given value: `jostle report --by ratio --where-rate edge=1/3`.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "drivers/reports/samples.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

struct WhereRate {
  std::string outcome;
  double rate = 0.5;
  std::string text;  ///< of the rate, as written
};

/// "edge=1/3". Throws UsageError.
WhereRate parse_where_rate(const std::string& text);

/// Where a rate has a given value.
struct Crossing {
  std::optional<double> value;       ///< by logistic regression; none if the rate does not change with the factor
  std::optional<Interval> interval;  ///< 95 %; none if it has no end
  std::optional<double> isotonic;    ///< by isotonic regression, which only asks that the rate rises or falls
  bool is_outside = false;           ///< `value` is beyond the samples
  bool is_separated = false;         ///< one value of the factor divides the samples: `interval` is the gap there
  std::int64_t valid = 0;
};

/// Logistic regression p(x) = 1/(1 + exp(-a - b x)) by maximum likelihood, and the set of x with
/// |a + b x - log(p/(1-p))| <= 1.96 (V_aa + 2 x V_ab + x^2 V_bb)^(1/2) (Fieller 1954), V being the inverse of the
/// information. Isotonic regression by pooling adjacent violators.
Crossing find_crossing(const Factor& factor, const Response& response, double rate);

/// A line. Throws UsageError if there is no such factor, or no such outcome with a rate.
std::string crossing_text(const Samples& samples, const std::string& name, const WhereRate& request);
nlohmann::ordered_json crossing_json(const Samples& samples, const std::string& name, const WhereRate& request);

}  // namespace jostle

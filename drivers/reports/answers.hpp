#pragma once
// What `jostle report --by` and `--sensitivity` print.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "drivers/reports/samples.hpp"

namespace jostle {

/// Outcomes by one or two factors.
struct ByRequest {
  std::vector<std::string> factors;  ///< names, one or two
  int bins = 0;                      ///< of each; 0: 10 of one, 5 of each of two
};

/// "mu" or "mu,slot". Throws UsageError.
ByRequest parse_by(const std::string& text, int bins);

/// A table for each outcome. Throws UsageError if there is no such factor.
std::string by_text(const Samples& samples, const ByRequest& request);
/// {factors: [names], outcomes: {name: [{low: [..], high: [..], valid, invalid, rate or mean, lower, upper,
///  worst_lower, worst_upper}]}}: a bin of one factor after the other, `low` and `high` as long as `factors`.
nlohmann::ordered_json by_json(const Samples& samples, const ByRequest& request);

/// A table for each outcome that varies. `independent`: variables are; else a note says so.
std::string sensitivity_text(const Samples& samples, bool independent);
/// {name: [{variable, rank_correlation: {value, lower, upper}, first_order: {..}}]}; for a rate with invalid samples
/// also `invalid_as_false` and `invalid_as_true` in both.
nlohmann::ordered_json sensitivity_json(const Samples& samples);

/// "Of the first 1,000,000 of 20,000,000 samples."; empty if all are there.
std::string part_text(const Samples& samples);

}  // namespace jostle

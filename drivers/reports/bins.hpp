#pragma once
// Outcomes by the values of one or two factors.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drivers/reports/samples.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// Parts of the values of a factor: each of its values if there are few, else intervals with as many samples each.
struct Bins {
  std::vector<double> low, high;  ///< [bin] the least and the largest value that may fall into it; equal: one value
  std::vector<int> of_sample;     ///< [sample] its bin
  int count() const { return static_cast<int>(low.size()); }
};

/// At most `most` bins; but if there are at most `most_values` values, a bin for each.
Bins make_bins(std::span<const double> values, int most);
inline constexpr int most_values = 16;

/// "0.3 .. 0.36", or "4" for one value.
std::string label_of(const Bins& bins, int bin);

/// What came of some samples.
struct Tally {
  std::int64_t valid = 0, invalid = 0;
  double sum = 0, mean = 0, scatter = 0;  ///< scatter: sum of (value - mean)^2 (Welford 1962)

  void add(double value);
  void add(const Response& response, std::size_t sample);
  /// Rate or mean of the valid samples.
  std::optional<double> estimate(bool is_rate) const;
  /// 95 %: Wilson's of a rate, mean -+ t s / sqrt(n), t of student95().
  std::optional<Interval> interval(bool is_rate) const;
  /// Of a rate: the lower bound with all invalid samples counted as 0, and the upper one with them as 1.
  Interval worst() const;
};

/// [bin of x][bin of y], or [bin of x] without y.
std::vector<Tally> tally_by(const Response& response, const Bins& x, const Bins* y = nullptr);

}  // namespace jostle

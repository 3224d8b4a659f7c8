#pragma once
// Rates, means and intervals of the columns of a summary; tally.hpp finds them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/status.hpp"
#include "drivers/datasets/description.hpp"

namespace jostle {

/// The 0.975 quantile of the standard normal distribution: all intervals are 95 %. For means see student95().
inline constexpr double z95 = 1.959963984540054;

struct Interval {
  double lower = 0, upper = 1;
};

/// Wilson score interval (Wilson 1927) of a rate estimated by `hits` of `count` independent samples:
///   (p + z^2/2n -+ z sqrt(p (1-p)/n + z^2/4n^2)) / (1 + z^2/n),   p = hits/count
/// [0, 1] if count is 0; the ends are exactly 0 or 1 if no or all samples hit. `z`: the quantile.
Interval wilson_interval(std::int64_t hits, std::int64_t count, double z = z95);

/// The 0.975 quantile of Student's t distribution with n - 1 degrees of freedom: a 95 % interval of the mean of n
/// numbers is mean -+ student95(n) s / sqrt(n). n >= 2. Right to 1e-12; Abramowitz and Stegun (1964), 26.7.
double student95(std::int64_t n);

/// Adds `PREFIXlower` and `PREFIXupper`, null where there is no interval.
void add_interval(nlohmann::ordered_json& json, const std::string& prefix, const std::optional<Interval>& interval);

/// For parts of the samples that have nothing to do with what was drawn for them: 0 to below 1, a hash of the number of
/// a sample: samples below a part p of all are for training. A sample stays where it is when a dataset grows. It is the
/// upper 53 bits of splitmix64 [Steele, Lea & Flood 2014, OOPSLA], over 2^53.
inline double split_of(std::int64_t sample) {
  std::uint64_t x = static_cast<std::uint64_t>(sample) + 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) / 9007199254740992.0;
}

/// What the value of an outcome is: invalid (the sample or the number is), a number, or that a first_time was
/// never reached.
enum class Validity { invalid, number, never_reached };
inline Validity validity_of(OutcomeInfo::Kind kind, double value, std::uint8_t status) {
  if (status != static_cast<std::uint8_t>(Status::ok)) return Validity::invalid;
  if (std::isfinite(value)) return Validity::number;
  return kind == OutcomeInfo::Kind::first_time && std::isnan(value) ? Validity::never_reached : Validity::invalid;
}

inline constexpr std::array<double, 5> reported_quantiles = {0.05, 0.25, 0.5, 0.75, 0.95};
inline constexpr std::size_t median_index = 2;
inline constexpr std::array<const char*, 5> quantile_names = {"0.05", "0.25", "0.5", "0.75", "0.95"};

/// The places of the two of n sorted numbers between which a quantile lies. It is linear between them: h = (n-1) p,
/// x[floor h] + (h - floor h) (next - x[floor h]).
struct QuantilePlace {
  QuantilePlace(std::int64_t n, double probability)
      : at(static_cast<double>(n - 1) * probability),
        below(static_cast<std::int64_t>(at)),
        above(std::min(below + 1, n - 1)) {}
  double between(double low, double high) const {
    const double part = at - static_cast<double>(below);
    return std::isfinite(high - low) ? low + part * (high - low) : (1 - part) * low + part * high;
  }

  double at;
  std::int64_t below, above;
};

/// Counts of numbers in bins that are equally wide, or whose logarithms are.
struct Histogram {
  std::vector<double> edges;         ///< from the least to the largest number: one more than bins
  std::vector<std::int64_t> counts;  ///< empty if there are no numbers
  bool is_logarithmic = false;       ///< positive numbers over two decades, the middle one nearer to that of logarithms
};

struct OutcomeStatistics {
  std::string name;
  OutcomeInfo::Kind kind = OutcomeInfo::Kind::number;
  std::string category = {};         ///< as in OutcomeInfo
  std::optional<double> share = {};  ///< likewise
  std::int64_t count = 0;            ///< valid samples
  std::int64_t invalid = 0;          ///< samples with a status other than ok, or with an undefined outcome
  std::int64_t hits = 0;             ///< truth: where it holds; first_time: where it was reached; else 0

  /// Rate (truth, first_time) or mean (number) of the valid samples. Empty if there are none.
  std::optional<double> estimate;
  /// Wilson interval of the rate; for a mean, mean -+ t s/sqrt(n) (empty below two samples).
  std::optional<Interval> interval;
  /// With all invalid samples counted as false, then as true: the lower and the upper Wilson bound.
  /// Empty for numbers, which have no worst case.
  std::optional<Interval> worst;

  /// For numbers, and for the times at which first_time was reached; empty for truth or without values.
  std::optional<double> minimum, maximum;
  std::optional<std::array<double, reported_quantiles.size()>> quantiles;
  Histogram histogram;
};

/// Samples that share a status.
struct StatusCount {
  std::int64_t samples = 0;
  std::int64_t first_sample = -1;  ///< the lowest number among them
  std::string reason;              ///< what is wrong with that one, and where in the file; empty if only its run tells
};

/// The largest number above 0 of a column, and the first sample that has it.
struct Worst {
  double value = 0;
  std::int64_t sample = -1;  ///< -1: none is above 0
};

/// How many valid samples have none, or several, of the outcomes of a category.
struct CategoryCount {
  std::string name;
  std::int64_t none = 0, several = 0;
};

struct RunStatistics {
  std::int64_t samples = 0;
  std::int64_t invalid = 0;                                          ///< with a status other than ok
  std::int64_t steps = 0;                                            ///< sum over the samples
  std::array<StatusCount, 256> status;                               ///< by the number of the status
  Worst residual, penetration;                                       ///< 1, m
  std::int64_t rest = 0;                                             ///< steps that repeat the one before
  std::int64_t guessed = 0, corrected = 0, pivoted = 0, vertex = 0;  ///< LCPs, see the columns of a summary
  std::int64_t held_samples = 0, held_steps = 0;                     ///< with jams that were held
  Worst held;                                                        ///< steps
  Worst energy_gained, energy_gain;                                  ///< J, of all steps and of one
  std::vector<OutcomeStatistics> outcomes;
  std::vector<CategoryCount> categories;  ///< in the order of the outcomes
};

}  // namespace jostle

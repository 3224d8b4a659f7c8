#pragma once
// Which factor explains an outcome, from the samples at hand.
#include <array>
#include <optional>
#include <vector>

#include "drivers/reports/samples.hpp"
#include "drivers/statistics/statistics.hpp"

namespace jostle {

/// A number with its 95 % interval.
struct Measured {
  double value = 0;
  Interval interval;
};

struct Explanation {
  const Factor* factor = nullptr;
  /// Spearman's rank correlation of factor and outcome, with ties at their mean rank. Interval: Fisher's z with the
  /// variance (1 + rho^2 / 2) / (n - 3) (Bonett & Wright 2000).
  Measured rank;
  /// First-order index (Sobol 1993), Var(E(outcome | factor)) / Var(outcome): the share of the variance that the factor
  /// explains alone. From bins of the factor: 1 - (n - 1) / (n - bins) * (variance within bins) / (whole variance),
  /// which has no bias where the factor explains nothing and may be below 0 by chance. Interval: jackknife over 20
  /// groups of samples. Factors must be independent.
  Measured first_order;
  /// Of rates with invalid samples: both values if these count as 0, then as 1.
  std::optional<std::array<double, 2>> rank_worst, first_order_worst;
};

/// Fewer samples say too little.
inline constexpr std::int64_t least_explained_samples = 40;

/// One for each listed factor, by falling first-order index. Empty if the outcome does not vary, or has fewer than
/// least_explained_samples valid values.
std::vector<Explanation> explain(const Response& response, const std::vector<Factor>& factors);

/// Spearman's rank correlation; 0 if one of them does not vary.
double rank_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace jostle

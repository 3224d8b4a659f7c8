#pragma once
// Exclusive outcomes, such as the faces of a die: shares with simultaneous intervals, and a test against expected ones.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "drivers/statistics/statistics.hpp"

namespace jostle {

struct CategoryShare {
  std::string name;
  std::int64_t hits = 0;
  double share = 0, expected = 0;
  Interval
      interval;  ///< all of them hold together with 95 % (Goodman 1965): Wilson's, with the quantile 1 - 0.05/(2 K)
};

struct CategoryStatistics {
  std::string name;
  std::vector<CategoryShare> shares;
  std::int64_t count = 0;                   ///< valid samples
  std::int64_t unmatched = 0, several = 0;  ///< of them, where none holds, or more than one
  bool has_expected = false;                ///< shares were given; else they are tested against equal ones
  /// Pearson's, sum (hits - expected)^2 / expected over those whose expected share is not 0; infinite if one of the
  /// others has a hit.
  double chi_square = 0;
  int degrees = 0;  ///< of freedom: shares that are expected not to be 0, less one
  double p = 1;     ///< probability of as much or more, if the expected shares are right
};

/// In the order of the outcomes.
std::vector<CategoryStatistics> categories_of(const RunStatistics& statistics);

/// The probability that a chi-square with so many degrees of freedom is x or more.
double chi_square_tail(double x, int degrees);

std::string categories_text(const RunStatistics& statistics);
nlohmann::ordered_json categories_json(const RunStatistics& statistics);

}  // namespace jostle

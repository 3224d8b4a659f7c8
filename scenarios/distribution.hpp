#pragma once
// Distributions a number of a scenario may be drawn from, by inverse CDF: one uniform number u in
// (0, 1) gives one draw, with our own functions only, so that every machine draws the same bits.
#include <limits>
#include <vector>

namespace jostle {

struct Distribution {
  enum class Kind { uniform, log_uniform, normal, integer, choice };
  Kind kind = Kind::uniform;
  double first = 0;   ///< lower bound; mean of normal
  double second = 1;  ///< upper bound (inclusive for integer); deviation of normal
  double minimum = -std::numeric_limits<double>::infinity();  ///< truncation, normal only
  double maximum = std::numeric_limits<double>::infinity();
  std::vector<double> values;   ///< choice
  std::vector<double> weights;  ///< choice; empty: all equal
};

/// Whether min and max leave so much of a normal distribution that inverting its CDF gives draws that differ.
bool has_mass(const Distribution& distribution);

/// The draw at u in (0, 1). The distribution must be valid (the reader checks it).
double quantile(const Distribution& distribution, double u);

}  // namespace jostle

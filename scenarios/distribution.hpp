#pragma once
// Distributions a number of a scenario may be drawn from, by inverse CDF: one uniform number u in
// (0, 1) gives one draw, with our own functions only, so that every machine draws the same bits.
#include <limits>
#include <vector>

namespace jostle {

/// The two numbers of a distribution.
struct Bounds {
  double first = 0;   ///< lower bound; mean of normal
  double second = 1;  ///< upper bound (inclusive for integer); deviation of normal
};

struct Choice {
  std::vector<double> values;
  std::vector<double> weights;  ///< empty: all equal
};

struct Distribution {
  enum class Kind { uniform, log_uniform, normal, integer, choice };
  Kind kind = Kind::uniform;
  Bounds bounds;                                              ///< all but choice
  double minimum = -std::numeric_limits<double>::infinity();  ///< truncation, normal only
  double maximum = std::numeric_limits<double>::infinity();
  Choice choice;
};

/// Whether min and max leave so much of a normal distribution that inverting its CDF gives draws that differ.
bool has_mass(const Distribution& distribution);

/// The draw at u in (0, 1). The distribution must be valid (the reader checks it).
double quantile(const Distribution& distribution, double u);

}  // namespace jostle

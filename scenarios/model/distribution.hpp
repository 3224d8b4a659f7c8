#pragma once
// Distributions of random numbers in a scenario, sampled by inverse CDF: one uniform number u in (0, 1) gives
// one value. Only our own functions are used, so values are bit-identical on every machine.
#include <limits>
#include <string>
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
  std::string label, unit;  ///< for pages; empty: the name of the variable, and none
};

/// Whether min and max leave enough of a normal distribution for its inverse CDF to give different values.
bool has_mass(const Distribution& distribution);

/// The value at u in (0, 1). The distribution must be valid (the reader checks it).
double quantile(const Distribution& distribution, double u);

}  // namespace jostle

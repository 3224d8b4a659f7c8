#pragma once
#include <limits>
#include <vector>

#include "scenarios/model/number.hpp"

namespace jostle {

/// The values that a number can take. For an expression of several variables, (-inf, inf).
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
};
Range range_of(const Number& number, const std::vector<Variable>& variables);
Range range_of(const Distribution& distribution);

}  // namespace jostle

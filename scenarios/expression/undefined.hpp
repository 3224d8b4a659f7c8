#pragma once
#include <vector>

#include "core/expression/program.hpp"

namespace jostle {

/// Code with the value of a truth value, but NaN where that depends on comparisons with something undefined, such as
/// sqrt(-1): `x > 0 and sqrt(x) < 2` is false at x = -1, `sqrt(x) < 2` and its opposite are neither true nor false.
/// Conditions of if(), which choose numbers, stay as they are. The same code if nothing in it can be undefined.
std::vector<Instruction> with_undefined(const std::vector<Instruction>& code);

}  // namespace jostle

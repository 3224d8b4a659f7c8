#pragma once
// An expression of a scenario, compiled on the host to postfix code of bounded depth.
#include <cstdint>

namespace jostle {

enum class Op : std::uint8_t {
  constant,  ///< push value
  variable,  ///< push variables[index]
  time,      ///< push t, s
  quantity,  ///< push the caller's value for `index`: quantities of the system, in outcomes
  // clang-format off
  // arithmetic
  add, subtract, multiply, divide, power, negate,
  // functions
  sin, cos, tan, sqrt, exp, log, abs, min, max, atan2,
  // comparisons and logic: truth values are 1 and 0
  less, less_equal, greater, greater_equal, equal, not_equal,
  logical_and, logical_or, logical_not,
  // not in the language: generated where parameters depend on variables
  sinc,   ///< sin(a) / a, 1 at 0
  where,  ///< b where a holds, else 0
  // clang-format on
};

struct Instruction {
  Op op;
  std::int32_t index = 0;  ///< of a variable or quantity
  double value = 0;        ///< of a constant
};

/// The parser refuses an expression that needs more.
inline constexpr int max_stack_depth = 32;

struct ProgramView {
  const Instruction* code;
  int length;
};

}  // namespace jostle

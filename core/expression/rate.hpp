#pragma once
// The value of an expression and its exact rate in time: every instruction of the postfix program works on both. Where
// a function has a kink the rate is that of what follows.
#include "core/expression/evaluate.hpp"

namespace jostle {

struct ValueAndRate {
  double value = 0;
  double rate = 0;  ///< 1/s
};

namespace detail {

/// factor * rate, and 0 where nothing changes: sqrt(x) at 0 has no derivative, but a constant 0 has none to ask for.
JOSTLE_HD inline double times_rate(double factor, double rate) { return rate != 0 ? factor * rate : 0.0; }

/// d/da of operators and functions of one argument, times its rate.
JOSTLE_HD inline double rate_of(Op op, double a, double rate) {
  switch (op) {
    case Op::negate: return -rate;
    case Op::sin: return times_rate(cosine(a), rate);
    case Op::cos: return times_rate(-sine(a), rate);
    case Op::tan: return times_rate(1 + tangent(a) * tangent(a), rate);
    case Op::sqrt: return times_rate(0.5 / std::sqrt(a), rate);
    case Op::exp: return times_rate(exponential(a), rate);
    case Op::log: return times_rate(1 / a, rate);
    case Op::abs: return a > 0 ? rate : a < 0 ? -rate : std::fabs(rate);
    case Op::sinc: return a != 0 ? times_rate((cosine(a) - sinc(a)) / a, rate) : 0.0;
    default: return 0;  // truth values
  }
}

/// The same of two arguments.
JOSTLE_HD inline double rate_of(Op op, const ValueAndRate& a, const ValueAndRate& b) {
  switch (op) {
    case Op::add: return a.rate + b.rate;
    case Op::subtract: return a.rate - b.rate;
    case Op::multiply: return times_rate(b.value, a.rate) + times_rate(a.value, b.rate);
    case Op::divide: return times_rate(1 / b.value, a.rate) - times_rate(a.value / b.value / b.value, b.rate);
    case Op::power: {
      const double by_base = b.value != 0 ? times_rate(b.value * power(a.value, b.value - 1), a.rate) : 0.0;
      return by_base + times_rate(power(a.value, b.value) * natural_logarithm(a.value), b.rate);
    }
    case Op::min: return a.value < b.value || (a.value == b.value && a.rate < b.rate) ? a.rate : b.rate;
    case Op::max: return a.value > b.value || (a.value == b.value && a.rate > b.rate) ? a.rate : b.rate;
    case Op::atan2: {
      const double square = a.value * a.value + b.value * b.value;
      return times_rate(b.value / square, a.rate) - times_rate(a.value / square, b.rate);
    }
    case Op::where: return a.value != 0 ? b.rate : 0.0;
    default: return 0;  // truth values
  }
}

}  // namespace detail

/// The value of a program and how fast it changes with the time. `operands` is memory for 2 operands_of(program)
/// numbers. What is not defined is the canonical NaN.
JOSTLE_HD JOSTLE_OUTLINE inline ValueAndRate evaluate_with_rate(ProgramView program, const double* variables,
                                                                double time, auto operands) {
  ValueAndRate top;
  int waiting = -1;  // below the top
  for (int i = 0; i < program.length; ++i) {
    const Instruction instruction = program.code[i];
    const int taken = operand_count(instruction.op);
    if (taken == 0 && waiting >= 0) operands[2 * waiting] = top.value, operands[2 * waiting + 1] = top.rate;
    waiting += 1 - taken;
    if (taken == 2) {
      const ValueAndRate below{operands[2 * waiting], operands[2 * waiting + 1]};
      top = {detail::apply(instruction.op, below.value, top.value), detail::rate_of(instruction.op, below, top)};
    } else if (taken == 1) {
      top = {detail::apply(instruction.op, top.value), detail::rate_of(instruction.op, top.value, top.rate)};
    } else if (instruction.op == Op::variable) {
      top = {variables[instruction.index], 0};  // NOLINT: null only where the program names none
    } else {
      top = instruction.op == Op::time ? ValueAndRate{time, 1} : ValueAndRate{instruction.value, 0};
    }
  }
  return {canonical(top.value), canonical(top.rate)};
}

}  // namespace jostle

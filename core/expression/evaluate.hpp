#pragma once
// Runs the postfix program of an expression; the same code on the host and on every device.
#include "core/expression/program.hpp"
#include "core/math/arc_tangent.hpp"
#include "core/math/exponential.hpp"
#include "core/math/trigonometry.hpp"

namespace jostle {

namespace detail {

/// The smaller of two numbers; NaN if either is.
JOSTLE_HD inline double smaller(double a, double b) { return is_nan(a) || a < b ? a : b; }
JOSTLE_HD inline double larger(double a, double b) { return is_nan(a) || a > b ? a : b; }

/// Operators and functions of one argument.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline double apply(Op op, double a) {
  switch (op) {
    case Op::negate: return -a;
    case Op::sin: return sine(a);
    case Op::cos: return cosine(a);
    case Op::tan: return tangent(a);
    case Op::sqrt: return std::sqrt(a);
    case Op::exp: return exponential(a);
    case Op::log: return natural_logarithm(a);
    case Op::abs: return std::fabs(a);
    case Op::logical_not: return a == 0;
    case Op::sinc: return sinc(a);
    default: return canonical_nan();
  }
}

/// Operators and functions of two arguments. Every comparison with NaN is false, != too.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline double apply(Op op, double a, double b) {
  switch (op) {
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a / b;
    case Op::power: return power(a, b);
    case Op::min: return smaller(a, b);
    case Op::max: return larger(a, b);
    case Op::atan2: return arc_tangent(a, b);
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    case Op::equal: return a == b;
    case Op::not_equal: return a < b || a > b;
    case Op::logical_and: return a != 0 && b != 0;
    case Op::logical_or: return a != 0 || b != 0;
    case Op::where: return a != 0 ? b : 0.0;
    default: return canonical_nan();
  }
}

}  // namespace detail

/// How many values an instruction takes from the stack; it leaves one.
JOSTLE_HD constexpr int operand_count(Op op) {
  switch (op) {
    case Op::constant:
    case Op::variable:
    case Op::time:
    case Op::quantity: return 0;
    case Op::negate:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::sqrt:
    case Op::exp:
    case Op::log:
    case Op::abs:
    case Op::sinc:
    case Op::logical_not: return 1;
    default: return 2;
  }
}

/// The most values that wait on the stack while a program runs, without the top one.
JOSTLE_HD constexpr int operands_of(ProgramView program) {
  int waiting = -1, most = 0;
  for (int i = 0; i < program.length; ++i) {
    waiting += 1 - operand_count(program.code[i].op);
    if (waiting > most) most = waiting;
  }
  return most;
}

/// The value of a program: a number, or 1 or 0 for a truth value. A NaN is the canonical one.
/// `variables` holds the sampled values, `time` is in s, `load_quantity(index)` returns what Op::quantity means here.
/// `operands` is memory for operands_of(program) numbers.
template <class Load>
JOSTLE_HD inline double evaluate(ProgramView program, const double* variables, double time, Load load_quantity,
                                 auto operands) {
  double top = 0;
  int waiting = -1;  // below the top
  for (int i = 0; i < program.length; ++i) {
    const Instruction instruction = program.code[i];
    const int taken = operand_count(instruction.op);
    if (taken == 0 && waiting >= 0) operands[waiting] = top;
    waiting += 1 - taken;
    if (taken == 2) {
      top = detail::apply(instruction.op, operands[waiting], top);  // NOLINT: the parser sees that two are there
    } else if (taken == 1) {
      top = detail::apply(instruction.op, top);
    } else if (instruction.op == Op::constant) {
      top = instruction.value;
    } else if (instruction.op == Op::variable) {
      top = variables[instruction.index];  // NOLINT: null only where the program names none
    } else if (instruction.op == Op::time) {
      top = time;
    } else {
      top = load_quantity(instruction.index);
    }
  }
  return canonical(top);
}

/// The same with its own memory, which is enough for programs from the parser.
template <class Load>
JOSTLE_HD inline double evaluate(ProgramView program, const double* variables, double time, Load load_quantity) {
  double operands[max_stack_depth];
  return evaluate(program, variables, time, load_quantity, static_cast<double*>(operands));
}

}  // namespace jostle

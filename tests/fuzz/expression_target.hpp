#pragma once
// What must hold for any bytes taken as an expression: shared by the fuzzer and by the replay of its corpus.
#include <string>

#include "tests/expression/parse.hpp"

namespace jostle::test {

/// What a well-formed program can do wrong; empty if nothing.
inline std::string fault_of(const Expression& expression) {
  int depth = 0;
  for (const Instruction& instruction : expression.code) {
    if (depth < operand_count(instruction.op)) return "takes from an empty stack";
    depth += 1 - operand_count(instruction.op);
    if (depth > max_stack_depth) return "overflows the stack";
    if (instruction.op == Op::variable && (instruction.index < 0 || instruction.index > 1)) return "unknown variable";
    if (instruction.op == Op::quantity && (instruction.index < 0 || instruction.index > 3)) return "unknown quantity";
  }
  if (depth != 1) return "leaves not one value";
  const double value = value_of(expression);
  if (is_nan(value) && bits_of(value) != canonical_nan_bits) return "makes another NaN";
  if (expression.kind == ValueKind::truth && value != 0 && value != 1) return "a truth value is neither 0 nor 1";
  return {};
}

/// What is wrong with the way the bytes were read; empty if nothing.
inline std::string fault_of_reading(std::string_view bytes, const Symbols& symbols) {
  try {
    return fault_of(parse_expression(bytes, symbols));
  } catch (const ExpressionError& error) {
    if (error.offset > bytes.size()) return "the error lies behind the text";
    for (const char* c = error.what(); *c != '\0'; ++c) {
      if (*c < 0x20 || *c > 0x7E) return "the message cannot be printed";
    }
    return {};
  }
}

inline std::string fault_of_bytes(std::string_view bytes) {
  const std::string in_outcome = fault_of_reading(bytes, outcome_symbols());
  return in_outcome.empty() ? fault_of_reading(bytes, force_symbols()) : in_outcome;
}

}  // namespace jostle::test

// Truth values that depend on something undefined.
#include <cmath>
#include <utility>

#include "core/expression/evaluate.hpp"
#include "scenarios/expression/expression.hpp"

namespace jostle {
namespace {

using Instructions = std::vector<Instruction>;

/// What holds if a comparison of numbers does not, and is false of undefined ones, as all are; a constant if `op` is no
/// comparison.
Op contrary(Op op) {
  switch (op) {
    case Op::less: return Op::greater_equal;
    case Op::less_equal: return Op::greater;
    case Op::greater: return Op::less_equal;
    case Op::greater_equal: return Op::less;
    case Op::equal: return Op::not_equal;
    case Op::not_equal: return Op::equal;
    default: return Op::constant;
  }
}

/// Whether an operation on numbers that are finite may have no value, or an infinite one, which leads to one without
/// value. Sums, products and whole powers that overflow are left out, as nearly every expression has some.
bool may_be_undefined(const Instructions& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Op op = code[i].op;
    const bool is_by_constant = i > 0 && code[i - 1].op == Op::constant;
    const double by = is_by_constant ? code[i - 1].value : 0;
    if (op == Op::sqrt || op == Op::log || op == Op::exp) return true;
    if (op == Op::divide && by == 0) return true;
    if (op == Op::power && !(is_by_constant && by > 0 && by == std::floor(by))) return true;
  }
  return false;
}

/// A part of the code: as it is, and of a truth value what holds only if it certainly does, and if it possibly does.
struct TruthPart {
  Instructions code, certain, possible;
};

void append_code(Instructions& code, const Instructions& more) { code.insert(code.end(), more.begin(), more.end()); }

}  // namespace

std::vector<Instruction> with_undefined(const std::vector<Instruction>& code) {
  if (!may_be_undefined(code)) return code;
  std::vector<TruthPart> parts;
  for (const Instruction& instruction : code) {
    const Op op = instruction.op;
    const int taken = operand_count(op);
    TruthPart part;
    if (taken > 0) {
      part = std::move(parts[parts.size() - static_cast<std::size_t>(taken)]);
      if (taken == 2)
        append_code(part.code, parts.back().code), append_code(part.certain, parts.back().certain),
            append_code(part.possible, parts.back().possible);
      parts.resize(parts.size() - static_cast<std::size_t>(taken));
    }
    const bool is_logical = op == Op::logical_and || op == Op::logical_or || op == Op::logical_not;
    if (op == Op::logical_not) std::swap(part.certain, part.possible);
    if (is_logical) part.certain.push_back(instruction), part.possible.push_back(instruction);
    if (contrary(op) != Op::constant) {
      part.certain = part.possible = part.code;
      part.certain.push_back(instruction);
      part.possible.push_back({contrary(op)}), part.possible.push_back({Op::logical_not});
    }
    part.code.push_back(instruction);
    parts.push_back(std::move(part));
  }
  // sqrt(certain - possible) + possible: the root of 0, or of -1 where only one of them holds. No more values wait than
  // in the code.
  Instructions whole = parts.back().certain;
  append_code(whole, parts.back().possible);
  append_code(whole, {{Op::subtract}, {Op::sqrt}});
  append_code(whole, parts.back().possible);
  whole.push_back({Op::add});
  return whole;
}

}  // namespace jostle

#include "drivers/statistics/gates.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/expression/evaluate.hpp"
#include "drivers/errors.hpp"
#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

/// Values of an outcome that a condition may use; quantity number 3 i + k is value k of outcome i.
constexpr std::array<std::string_view, 3> values = {"", "lower", "upper"};

double value_of(int quantity, const RunStatistics& statistics) {
  const OutcomeStatistics& outcome = statistics.outcomes[static_cast<std::size_t>(quantity) / values.size()];
  const std::size_t value = static_cast<std::size_t>(quantity) % values.size();
  if (value == 0) return outcome.estimate.value_or(undefined_value);
  if (!outcome.interval) return undefined_value;
  return value == 1 ? outcome.interval->lower : outcome.interval->upper;
}

int quantity_of(const QuantityName& name, const std::vector<OutcomeInfo>& outcomes) {
  if (name.call) throw ExpressionError(name.offset, "a condition is about outcomes, not about gaps");
  std::vector<std::string> known;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    known.push_back(outcomes[i].name);
    if (outcomes[i].name != name.parts[0]) continue;
    const auto* value = std::find(values.begin(), values.end(), name.parts.size() > 1 ? name.parts[1] : "");
    if (name.parts.size() > 2 || value == values.end())
      throw ExpressionError(name.offset, "an outcome has .lower and .upper only");
    return static_cast<int>(i * values.size() + static_cast<std::size_t>(value - values.begin()));
  }
  throw ExpressionError(name.offset,
                        "no outcome '" + name.parts[0] + "'" + did_you_mean_or_known(name.parts[0], known));
}

bool is_comparison(Op op) { return Op::less <= op && op <= Op::not_equal; }

/// A part of the program on the stack: where it begins, and what is known about its truth value, or of a number,
/// whether it is known.
struct Part {
  int begin = 0;
  bool may_hold = false, may_fail = false, is_unknown = false;
};

Part combined(Op op, const Part& left, const Part& right) {
  if (op == Op::logical_not) return {left.begin, right.may_fail, right.may_hold};
  if (op == Op::logical_and) return {left.begin, left.may_hold && right.may_hold, left.may_fail || right.may_fail};
  if (op == Op::logical_or) return {left.begin, left.may_hold || right.may_hold, left.may_fail && right.may_fail};
  const bool is_unknown =
      op == Op::where ? left.may_hold && (left.may_fail || right.is_unknown) : left.is_unknown || right.is_unknown;
  return {left.begin, false, false, is_unknown};
}

}  // namespace

MaxInvalid parse_max_invalid(const std::string& text) {
  MaxInvalid limit;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, limit.amount);
  limit.percent = rest + 1 == end && *rest == '%';
  const bool is_read = error == std::errc() && (rest == end || limit.percent) && limit.amount >= 0;
  const bool is_possible = limit.percent ? limit.amount <= 100 : std::floor(limit.amount) == limit.amount;
  if (!is_read || !is_possible || !std::isfinite(limit.amount))
    throw UsageError("--max-invalid wants a number of samples or a percentage like 0.5%, not '" + text + "'");
  return limit;
}

bool exceeds(const MaxInvalid& limit, std::int64_t invalid, std::int64_t samples) {
  constexpr double rounding = 1e-15;  // of the product: 29 % of 100 are 29
  if (!limit.percent) return static_cast<double>(invalid) > limit.amount;
  return 100 * static_cast<double>(invalid) > limit.amount * static_cast<double>(samples) * (1 + rounding);
}

FailCondition::FailCondition(const std::string& text, const std::vector<OutcomeInfo>& outcomes) {
  Symbols symbols;
  symbols.quantity = [&](const QuantityName& name) { return quantity_of(name, outcomes); };
  symbols.names_quantity = [&](std::string_view name) {
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const OutcomeInfo& info) { return info.name == name; });
  };
  try {
    Expression expression = parse_expression(text, symbols);
    if (expression.kind != ValueKind::truth)
      throw ExpressionError(text.size(), "expected a comparison: < <= > >= == !=");
    code_ = std::move(expression.code);
  } catch (const ExpressionError& error) {
    throw UsageError("--fail-if '" + text + "', column " + std::to_string(error.offset + 1) + ": " + error.what());
  }
}

bool FailCondition::holds(const RunStatistics& statistics) const {
  std::array<double, max_stack_depth> memory = {};
  const auto value = [&](int begin, int end) {
    return evaluate(
        {code_.data() + begin, end - begin}, nullptr, 0, [&](int i) { return value_of(i, statistics); }, memory.data());
  };
  std::vector<Part> parts;
  for (int i = 0; i < static_cast<int>(code_.size()); ++i) {
    const Op op = code_[static_cast<std::size_t>(i)].op;
    const std::size_t taken = static_cast<std::size_t>(operand_count(op));
    Part part = {i};
    part.is_unknown = op == Op::quantity && std::isnan(value(i, i + 1));
    if (taken > 0) {
      const Part left = parts[parts.size() - taken], right = parts.back();
      part = combined(op, left, right);
      if (is_comparison(op)) {
        const bool unknown = left.is_unknown || right.is_unknown || std::isnan(value(left.begin, right.begin)) ||
                             std::isnan(value(right.begin, i));
        const bool holds = value(left.begin, i + 1) != 0;
        part = {left.begin, unknown || holds, unknown || !holds};
      }
    }
    parts.resize(parts.size() - taken);
    parts.push_back(part);
  }
  return parts.back().may_hold;
}

}  // namespace jostle

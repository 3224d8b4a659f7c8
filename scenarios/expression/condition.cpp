#include "scenarios/expression/condition.hpp"

#include <algorithm>

#include "scenarios/text/suggest.hpp"

namespace jostle {
namespace {

class Names {
 public:
  explicit Names(const std::vector<ConditionName>& names) : names_(names) {
    for (const ConditionName& one : names) list_.push_back(one.name);
  }

  /// -1: there is none.
  int find(std::string_view name) const {
    const auto found = std::find(list_.begin(), list_.end(), name);
    return found == list_.end() ? -1 : static_cast<int>(found - list_.begin());
  }
  int at(const QuantityName& quantity) const {
    if (quantity.call)
      throw ExpressionError(quantity.offset, "a condition on samples is about outcomes, not about gaps");
    std::string name = quantity.parts[0];
    for (std::size_t i = 1; i < quantity.parts.size(); ++i) name += "." + quantity.parts[i];
    const int index = find(name);
    if (index < 0)
      throw ExpressionError(quantity.offset,
                            "there is no outcome or variable '" + name + "'" + did_you_mean_or_known(name, list_));
    return index;
  }
  /// Without truth values, all names are numbers.
  Symbols symbols(bool has_truths) const {
    const int count = static_cast<int>(list_.size());
    Symbols table;
    table.variable = [this](std::string_view name) { return find(name); };
    table.variable_names = list_;
    table.has_paths = true;
    table.quantity = [this, has_truths, count](const QuantityName& name) {
      const int index = at(name);
      const bool is_truth = has_truths && names_[static_cast<std::size_t>(index)].kind == ValueKind::truth;
      return is_truth ? count + index : index;
    };
    table.names_quantity = [this](std::string_view name) { return find(name) >= 0; };
    table.hint_for_truths = " (write 'a and not b', or compare each of them with 1 or 0)";
    table.kind_of_quantity = [count](int index) { return index < count ? ValueKind::number : ValueKind::truth; };
    return table;
  }

 private:
  const std::vector<ConditionName>& names_;
  std::vector<std::string> list_;
};

}  // namespace

Expression parse_condition(std::string_view text, const std::vector<ConditionName>& names) {
  const Names known(names);
  const auto parse = [&](bool has_truths) {
    Expression condition = parse_expression(text, known.symbols(has_truths));
    if (condition.kind != ValueKind::truth)
      throw ExpressionError(0, "a condition needs a truth value such as 'x < 1', not a number");
    for (Instruction& instruction : condition.code)
      if (instruction.op == Op::variable) instruction.op = Op::quantity;
    condition.text = text;
    return condition;
  };
  try {
    return parse(true);
  } catch (const ExpressionError&) {
    try {
      return parse(false);              // truth values are 1 and 0 in the columns
    } catch (const ExpressionError&) {  // the first error tells more
    }
    throw;
  }
}

}  // namespace jostle

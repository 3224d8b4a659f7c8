#pragma once
// Outcomes: what is asked of a sample.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/quantity.hpp"
#include "scenarios/expression/expression.hpp"
#include "scenarios/model/number.hpp"

namespace jostle {

/// A value at the first state in which something holds.
struct AtFirstSpec {
  Expression when, value;
};

/// Conditions of which exactly one holds, and the shares that are expected of them.
struct CategorySpec {
  std::vector<std::pair<std::string, Expression>> conditions;
  Location where;
};
struct SharesSpec {
  std::vector<std::pair<std::string, double>> shares;
};

struct OutcomeSpec {
  using Reducer = jostle::Reducer;
  std::string name;
  Reducer reducer = Reducer::at_end;
  Expression expression;  ///< over variables and quantities; not of at_first
  AtFirstSpec at_first;
  Expression during;  ///< `while`: only the states in which it holds count; without code: all
  /// What the file says of a categorical outcome, before it becomes one truth value for each of its categories.
  CategorySpec category;
  SharesSpec shares;
  std::string category_name;    ///< of the outcome that it is a category of; empty: of none
  std::optional<double> share;  ///< the share that is expected of it
  std::string label, unit;      ///< for pages; empty: the name, and none
  Location where;

  const Expression& value() const { return reducer == Reducer::at_first ? at_first.value : expression; }
  /// The states that count; without code: all.
  const Expression& condition() const { return reducer == Reducer::at_first ? at_first.when : during; }
  ValueKind kind() const {
    return reducer == Reducer::first_time || reducer == Reducer::mean ? ValueKind::number : value().kind;
  }
};

}  // namespace jostle

#pragma once
// Conditions on samples: expressions over the columns of a summary, for `record` and for what looks into a dataset.
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/expression/expression.hpp"

namespace jostle {

/// A name that a condition may use.
struct ConditionName {
  std::string name;
  ValueKind kind = ValueKind::number;
};

/// A truth value over the names, which may be written with '$' as well. Op::quantity has the index of a name, whose
/// value is NaN if it is undefined; or the index plus the number of names, whose value is 1 if it is true, else 0. All
/// truth values stand alone, as in `jam and mu < 0.4`, or all are compared with 1 or 0. Throws ExpressionError.
Expression parse_condition(std::string_view text, const std::vector<ConditionName>& names);

}  // namespace jostle

#pragma once
// --fail-if 'lies < 0.99 or rest_x.upper > 0.3': a gate for continuous integration.
//
//   condition  = term { "or" term }
//   term       = comparison { "and" comparison }
//   comparison = operand ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) operand
//   operand    = number | outcome | outcome ".lower" | outcome ".upper"
//
// An outcome is its rate or mean, .lower and .upper are the bounds of its interval.
#include <string>
#include <vector>

#include "drivers/dataset.hpp"
#include "drivers/statistics.hpp"

namespace jostle {

class FailCondition {
 public:
  /// Throws UsageError, with the place in the text, on what is not a condition over these outcomes.
  FailCondition(const std::string& text, const std::vector<OutcomeInfo>& outcomes);

  /// Whether the condition holds. A comparison with what is undefined (no valid samples) holds: a gate
  /// that nothing is known about is not passed.
  bool holds(const RunStatistics& statistics) const;

 private:
  enum class Value { constant, estimate, lower, upper };
  struct Operand {
    Value value = Value::constant;
    double constant = 0;
    std::size_t outcome = 0;
  };
  enum class Relation { less, less_equal, greater, greater_equal, equal, not_equal };
  struct Comparison {
    Operand left, right;
    Relation relation = Relation::less;
  };
  class Parser;

  static double value_of(const Operand& operand, const RunStatistics& statistics);
  static bool holds(const Comparison& comparison, const RunStatistics& statistics);

  std::vector<std::vector<Comparison>> terms_;  ///< one of which must hold, that is, all its comparisons
};

}  // namespace jostle

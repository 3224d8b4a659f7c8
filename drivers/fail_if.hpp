#pragma once
// --fail-if 'lies < 0.99 or rest_x.upper > 0.3': a gate for continuous integration, in the language of expressions.
// An outcome is its rate or mean, .lower and .upper are the bounds of its interval.
#include <string>
#include <vector>

#include "drivers/dataset.hpp"
#include "drivers/statistics.hpp"
#include "scenarios/expression.hpp"

namespace jostle {

class FailCondition {
 public:
  /// Throws UsageError, with the place in the text, on what is not a condition over these outcomes.
  FailCondition(const std::string& text, const std::vector<OutcomeInfo>& outcomes);

  /// Whether the condition holds, or may hold: a comparison with what is undefined (no valid samples) may hold and may
  /// fail. A gate that nothing is known about is not passed.
  bool holds(const RunStatistics& statistics) const;

 private:
  std::vector<Instruction> code_;
};

}  // namespace jostle

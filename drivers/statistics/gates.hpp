#pragma once
// Conditions that decide the exit status of a sweep.
#include <cstdint>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"
#include "drivers/statistics/statistics.hpp"
#include "scenarios/expression/expression.hpp"

namespace jostle {

/// --max-invalid N or P%: how many samples may have a status other than ok.
struct MaxInvalid {
  double amount = 0;
  bool percent = false;
};

/// "3", "0.5%". Throws UsageError on anything else, including more than 100%.
MaxInvalid parse_max_invalid(const std::string& text);

/// Whether `invalid` of `samples` are more than allowed.
bool exceeds(const MaxInvalid& limit, std::int64_t invalid, std::int64_t samples);

/// --fail-if 'lies < 0.99 or rest_x.upper > 0.3': a gate for continuous integration, in the language of expressions.
/// An outcome is its rate or mean, .lower and .upper are the bounds of its interval.
class FailCondition {
 public:
  /// Throws UsageError, with the place in the text, if it is not a condition over these outcomes.
  FailCondition(const std::string& text, const std::vector<OutcomeInfo>& outcomes);

  /// Whether the condition holds, or may hold: a comparison with an undefined value (no valid samples) may hold and
  /// may fail. If nothing is known about a gate, it is not passed.
  bool holds(const RunStatistics& statistics) const;

 private:
  std::vector<Instruction> code_;
};

}  // namespace jostle

#pragma once
// The only list of the columns of a summary; writer, reader, view, CSV and digest use it.
#include <cstddef>
#include <string>
#include <vector>

#include "drivers/datasets/dataset.hpp"

namespace jostle {

struct SummaryColumn {
  std::string name;
  std::string units;  ///< empty: none is stored
  std::string description;
  const OutcomeInfo* outcome = nullptr;  ///< of an outcome's column
};

/// Calls visit(column, values) for every column in the order of the files. `Shard` is ShardData, const
/// or not; `values` is its vector of double, std::int32_t or std::uint8_t. The column `sample`, which
/// is implied by the first number and the count, is not visited.
template <class Shard, class Visit>
void for_each_column(const DatasetDescription& description, Shard& shard, Visit&& visit) {
  for (std::size_t i = 0; i < description.variables.size(); ++i)
    visit(SummaryColumn{description.variables[i], "", "drawn variable"}, shard.variables[i]);
  for (std::size_t i = 0; i < description.outcomes.size(); ++i) {
    const OutcomeInfo& outcome = description.outcomes[i];
    visit(SummaryColumn{outcome.name, outcome.units, outcome.reducer + ": " + outcome.expression, &outcome},
          shard.outcomes[i]);
  }
  visit(SummaryColumn{"status", "", "what became of the sample"}, shard.status);
  visit(SummaryColumn{"steps", "1", "steps taken"}, shard.steps);
  visit(SummaryColumn{"end_time", "s", "time of the last good step"}, shard.end_time);
  visit(SummaryColumn{"pivots_max", "1", "most pivots in a step"}, shard.pivots_max);
  visit(SummaryColumn{"rest", "1", "steps that repeat the one before, at rest"}, shard.rest);
  visit(SummaryColumn{"guessed", "1", "LCPs answered by the modes of the step before"}, shard.guessed);
  visit(SummaryColumn{"corrected", "1", "LCPs answered by corrected modes"}, shard.corrected);
  visit(SummaryColumn{"pivoted", "1", "LCPs answered by Lemke's method"}, shard.pivoted);
  visit(SummaryColumn{"vertex", "1", "LCPs whose answer is not that of least norm"}, shard.vertex);
  visit(SummaryColumn{"residual_max", "1", "largest natural residual of a step"}, shard.residual_max);
  visit(SummaryColumn{"penetration_max", "m", "deepest penetration"}, shard.penetration_max);
  visit(SummaryColumn{"energy_gained", "J", "energy that steps added beyond the work of forces"}, shard.energy_gained);
  visit(SummaryColumn{"energy_gain_max", "J", "the most of a step"}, shard.energy_gain_max);
  visit(SummaryColumn{"held", "1", "steps in which a jam was held"}, shard.held);
  visit(SummaryColumn{"substeps", "1", "sub-steps of the steps that were divided"}, shard.substeps);
  visit(SummaryColumn{"events", "1", "impacts and transitions"}, shard.events);
  visit(SummaryColumn{"poisson", "1", "impacts without a solution by Newton's law, made by Poisson's"}, shard.poisson);
  visit(SummaryColumn{"first_order", "1", "steps with a gyroscopic torque of first order"}, shard.first_order);
  visit(SummaryColumn{"energy_drift", "J", "drift of the total energy"}, shard.energy_drift);
}

}  // namespace jostle

#pragma once
// The columns of a summary: variables, outcomes, and those of core/records/summary.hpp. Writer, reader, view, CSV and
// digest use this list.
#include <cstddef>
#include <string>

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
#define JOSTLE_VISIT(type, name, unit, description, value) visit(SummaryColumn{#name, unit, description}, shard.name);
  JOSTLE_SUMMARY_COLUMNS(JOSTLE_VISIT)
#undef JOSTLE_VISIT
}

}  // namespace jostle

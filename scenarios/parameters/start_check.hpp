#pragma once
// Bodies that overlap at the start in every sample.
#include <optional>

#include "scenarios/model/scenario.hpp"

namespace jostle {

/// Throws ScenarioError at the second of two bodies that may touch, have the same positions in all samples, and overlap
/// at the start by more than start_overlap. `variables`: those of one sample. If bodies overlap only in some samples,
/// those get a status.
void check_start(const Scenario& scenario, const double* variables);

/// The deepest overlap at the start of a sample, in the same words; none if there is none.
std::optional<Fault> overlap_of(const Scenario& scenario, const double* variables);

}  // namespace jostle

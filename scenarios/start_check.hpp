#pragma once
// Bodies that overlap at the start in every sample.
#include "scenarios/scenario.hpp"

namespace jostle {

/// Throws ScenarioError at the second of two bodies that may touch, stand where no draw moves them, and overlap at the
/// start by more than start_overlap. `variables`: one draw. What some draws alone make overlap is a status of those.
void check_start(const Scenario& scenario, const double* variables);

}  // namespace jostle

#pragma once
// What EmulatedDevice has instead of kernels. Called by every lane of a team; each function is compiled in a source of
// its own.
#include "cuda/simulate_task.hpp"
#include "cuda/team_kinds.hpp"
#include "emulation/emulated_team.hpp"

namespace jostle {

void simulate_all_systems(const EmulatedTeam& team, const SimulateTask& task, std::byte* shared);
void simulate_plain_systems(const EmulatedTeam& team, const SimulateTask& task, std::byte* shared);
/// Of teams whose elements alternate in memory.
void simulate_alternating_systems(const EmulatedTeam& team, const SimulateTask& task, std::byte* shared);

}  // namespace jostle

#pragma once
// The loops of kernels, for emulated teams. Which sources instantiate what stands in lanes.hpp and emulated_device.cpp.
#include "cuda/advance.hpp"

namespace jostle {

/// Simulates the systems of a task one after the other, with the memory of one team after the other. `Step`: that of
/// layout.alternating.
template <class Systems, int Step, class Team>
void simulate_systems(const Team& team, const SimulateTask& task, std::byte* shared) {
  for (int index = 0; index < task.size(); ++index) {
    const auto work = task.workspace<Step, Systems>(index % task.teams, shared);
    while (advance(team, task, task.number(index), work, MeetNobody{})) {
    }
    team.sync();
  }
}

}  // namespace jostle

#include "emulation/emulated_kernels.hpp"
#include "emulation/simulate_systems.hpp"

namespace jostle {

void simulate_alternating_systems(const EmulatedTeam& team, const SimulateTask& task, std::byte* shared) {
  if (task.placement.place.for_all_systems)
    simulate_systems<AllSystems, many_alternating>(team, task, shared);
  else
    simulate_systems<PlainSystems, many_alternating>(team, task, shared);
}

}  // namespace jostle

#include "emulation/emulated_kernels.hpp"
#include "emulation/simulate_systems.hpp"

namespace jostle {

void simulate_in_tiles(const BlockTileTeam& team, const SimulateTask& task, std::byte* shared) {
  if (task.placement.place.for_all_systems)
    simulate_systems<AllSystems, 1>(team, task, shared);
  else
    simulate_systems<PlainSystems, 1>(team, task, shared);
}

}  // namespace jostle

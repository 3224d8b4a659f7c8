#include "emulation/lanes.hpp"

#include "emulation/emulated_kernels.hpp"
#include "emulation/observed_lanes.hpp"
#include "emulation/simulate_systems.hpp"

namespace jostle {

Pause simulate_by_lanes(int lanes, const System& system, const Workspace& work, int last_step,
                        const StepObserver& observe) {
  return simulate_observed<AllSystems>(lanes, system, work, last_step, observe);
}

void simulate_all_systems(const EmulatedTeam& team, const SimulateTask& task, std::byte* shared) {
  simulate_systems<AllSystems, 1>(team, task, shared);
}

}  // namespace jostle

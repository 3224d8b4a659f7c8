#include "emulation/plain_lanes.hpp"

#include "emulation/emulated_kernels.hpp"
#include "emulation/observed_lanes.hpp"
#include "emulation/simulate_systems.hpp"

namespace jostle {

Pause simulate_plain_by_lanes(int lanes, const System& system, const Workspace& work, int last_step,
                              const StepObserver& observe) {
  return simulate_observed<PlainSystems>(lanes, system, work, last_step, observe);
}

void simulate_plain_systems(const EmulatedTeam& team, const SimulateTask& task, std::byte* shared) {
  simulate_systems<PlainSystems, 1>(team, task, shared);
}

}  // namespace jostle

#pragma once
// What a kernel does with the systems of a task. Persistent teams take one system after the other. Only kernels and
// emulation include this: it brings the whole step with it.
#include <type_traits>

#include "core/step.hpp"
#include "cuda/simulate_task.hpp"

namespace jostle {

/// What the kernels for `Systems` have code for: those for all systems also for records of steps.
template <class Systems>
using KernelSystems = std::conditional_t<std::is_same_v<Systems, AllSystems>, Recorded<AllSystems>, Systems>;

/// Advances a system by one step. False once it is done: at the last step, failed, too large for this placement, or
/// with a record that is full. `Systems`: of KernelSystems.
/// The teams of a block wait for each other at `meet` (make_step); a team without a system takes part with `number`
/// -1.
template <class Systems, class Team, class Meet>
JOSTLE_HD JOSTLE_OUTLINE bool advance(const Team& team, const SimulateTask& task, int number,
                                      const AnyWorkspace auto& work, Meet meet) {
  const System system = task.system(number < 0 ? 0 : number);
  const bool is_wanted = number >= 0 && has_step<Systems>(team, system, work, task.last_step);
  const int repeated = is_wanted ? task.most_repeated(system) : 0;
  const StepResult result = make_step<Systems>(team, system, work, is_wanted, repeated, NoClock{}, meet);
  if (!is_wanted) return false;
  return task.note(team, number, system, result);
}

}  // namespace jostle

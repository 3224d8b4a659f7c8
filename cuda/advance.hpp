#pragma once
// What a kernel does with the systems of a task. Persistent teams take one system after the other. Only kernels and
// emulation include this: it brings the whole step with it.
#include "core/step.hpp"
#include "cuda/simulate_task.hpp"

namespace jostle {

/// Advances a system by one step. False once it is done: at the last step, failed, too large for this placement, or
/// with a record that is full. The teams of a block wait for each other at `meet` (make_step); a team without a system
/// takes part with `number` -1.
template <class Team, class Meet>
JOSTLE_HD JOSTLE_OUTLINE bool advance(const Team& team, const SimulateTask& task, int number, AnyWorkspace auto work,
                                      Meet meet) {
  const System system = task.system(number < 0 ? 0 : number);
  const bool is_wanted = number >= 0 && has_step(team, system, work, task.last_step_of(number));
  const int repeated = is_wanted ? task.most_repeated(number, system) : 0;
  const StepResult result = make_step(team, system, work, is_wanted, repeated, NoClock{}, meet);
  if (!is_wanted) return false;
  return task.note(team, number, system, result);
}

}  // namespace jostle

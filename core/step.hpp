#pragma once
// The only driver of a step, for every method, team and machine:
//
//     begin -> [ next problem -> solve -> take the answer ] ... -> end
//
// Only the driver reports to the clock which stage has ended (`solve` reports its own parts), lets teams that share a
// warp meet, and commits and records the result of the method.
#include "core/methods/methods.hpp"
#include "core/stages/initialise.hpp"
#include "core/stages/integrate.hpp"
#include "core/stages/load.hpp"
#include "core/stages/solve.hpp"

namespace jostle {

/// Whether the system has a step left up to `last_step`. Loads and initialises a system that has not run.
template <class Team>
JOSTLE_HD bool has_step(const Team& team, const System& system, const AnyWorkspace auto& work, int last_step) {
  if (system.state().status[0] == static_cast<int>(Status::not_loaded)) {
    team.sync();
    load(team, system, work.shared_number(), work.operands());
  }
  if (system.state().status[0] == static_cast<int>(Status::not_run)) {
    team.sync();
    initialise(team, system, work);
  }
  return system.state().status[0] == static_cast<int>(Status::ok) && system.state().steps[0] < last_step;
}

template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void begin_step(const Team& team, const System& system, const AnyWorkspace auto& work,
                                         const StepProgress& progress, const Clock& clock) {
  with_method(system.model.method, [&]<class Method>() { Method::begin(team, system, work, progress); });
  clock(Stage::collide);
}

/// Solves all problems of the step, up to the first that fails.
template <bool IsCoupled, class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve_step(const Team& team, const System& system, const AnyWorkspace auto& work,
                                         StepProgress& progress, const Clock& clock) {
  with_method(system.model.method, [&]<class Method>() {
    MixedLcp problem;
    while (progress.result.status == Status::ok && Method::next(team, system, work, progress, problem)) {
      solve<IsCoupled>(team, problem, system.model, work, clock, progress.result);
      if (progress.result.status != Status::ok) return;
      Method::take(team, system, work, progress);
      clock(Stage::integrate);
    }
  });
}

/// Accepts the new state, or stores the status of the failure.
template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void end_step(const Team& team, const System& system, const AnyWorkspace auto& work,
                                       StepResult& result, const Clock& clock) {
  if (result.status == Status::ok && !next_is_finite(team, system, work)) result.status = Status::not_finite;
  if (result.status == Status::ok && energy_grows(team, system, work)) result.status = Status::energy_growth;
  team.sync();
  if (result.status == Status::ok) {
    result.energy_gain = step_energy(system, work).gain();
    accept_step(team, system, work, result.contacts);
    clock(Stage::integrate);
    record_step(team, system, work, result);
    clock(Stage::record);
  } else {
    team.once([&] { system.state().status[0] = static_cast<int>(result.status); });
    team.sync();
  }
}

/// Makes one step if `is_wanted`. The status `capacity` means that the step was not made: it needs a workspace for more
/// contacts. Teams that share a warp wait for each other at `meet()` between the parts; a team without a step only
/// waits. `IsCoupled`: whether the model is (Dimensions::is_coupled); else no code for coupling is generated.
template <bool IsCoupled, class Team, class Clock, class Meet>
JOSTLE_HD StepResult make_step(const Team& team, const System& system, const AnyWorkspace auto& work, bool is_wanted,
                               const Clock& clock, Meet meet) {
  StepProgress progress;
  progress.step = {system.state().steps[0] * system.model.step, system.model.step};
  if (is_wanted) begin_step(team, system, work, progress, clock);
  meet();
  if (is_wanted) solve_step<IsCoupled>(team, system, work, progress, clock);
  meet();
  if (is_wanted && progress.result.status != Status::capacity) end_step(team, system, work, progress.result, clock);
  return progress.result;
}

/// Why a call of `simulate` ended.
enum class Pause { finished, overflow };

/// Simulates the system up to step `last_step`, or to the step that fails. `overflow`: the next step needs a workspace
/// for more contacts than `work.contacts()`; a call with a larger one continues with bit-identical results. Every lane
/// calls `observe(StepResult)` after every step, and `clock(Stage)` when a stage has ended.
template <bool IsCoupled, class Team, class Observe, class Clock = NoClock>
JOSTLE_HD Pause simulate(const Team& team, const System& system, const AnyWorkspace auto& work, int last_step,
                         Observe observe, const Clock& clock = {}) {
  while (has_step(team, system, work, last_step)) {
    const StepResult result = make_step<IsCoupled>(team, system, work, true, clock, [] {});
    if (result.status == Status::capacity) return Pause::overflow;
    observe(result);
  }
  return Pause::finished;
}

}  // namespace jostle

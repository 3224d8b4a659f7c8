#pragma once
// The loop over steps of an emulated team that is observed.
#include "core/batch/batch.hpp"
#include "core/step.hpp"
#include "emulation/emulated_team.hpp"

namespace jostle {

template <class Systems>
Pause simulate_observed(int lanes, const System& system, const Workspace& work, int last_step,
                        const StepObserver& observe) {
  const auto simulate_on = [&](const EmulatedTeam& team) {
    const auto watch = [&](const StepResult& result) {
      if (!observe) return;
      team.sync();
      team.once([&] { observe(system, work, result); });
      team.sync();
    };
    return simulate(team, system, work.as<Systems>(), last_step, watch);
  };
  return run_on_emulated_team(lanes, static_cast<unsigned>(lanes), simulate_on).front();
}

}  // namespace jostle

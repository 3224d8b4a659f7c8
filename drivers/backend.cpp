#include "drivers/backend.hpp"

#include <fmt/format.h>
#include <omp.h>

#include "core/simulate.hpp"
#include "drivers/emulated_team.hpp"

namespace jostle {
namespace {

void run_observed(Batch& batch, int last_step, const StepObserver& observe) {
  WorkspaceMemory memory(batch.model(), 0);
  run_system(batch, 0, last_step, memory, observe);
}

/// One lane tells the observer while the others wait.
Pause simulate_by_lanes(int lanes, const System& system, const Workspace& work, int last_step,
                        const StepObserver& observe) {
  const auto simulate_on = [&](const EmulatedTeam& team) {
    return simulate(team, system, work, last_step, [&](const StepResult& result) {
      if (!observe) return;
      team.sync();
      team.once([&] { observe(system, work, result); });
      team.sync();
    });
  };
  return run_on_emulated_team(lanes, static_cast<unsigned>(lanes), simulate_on).front();
}

}  // namespace

Backend threads_backend(int threads, int batch_size) {
  if (threads <= 0) threads = omp_get_max_threads();
  const std::string batches = batch_size > 0 ? fmt::format("batches of {}", batch_size) : "one batch";
  return {fmt::format("{} thread{}, {}", threads, threads == 1 ? "" : "s", batches), batch_size,
          [threads](Batch& batch, int last_step, const StepObserver& observe) {
            if (observe) return run_observed(batch, last_step, observe);
            RunOptions options;
            options.threads = threads;
            run_batch(batch, last_step, options);
          }};
}

Backend lanes_backend(int lanes) {
  return {fmt::format("emulated team of {} lanes", lanes), 1,
          [lanes](Batch& batch, int last_step, const StepObserver& observe) {
            WorkspaceMemory memory(batch.model(), 0);
            for (int i = 0; i < batch.size();) {
              const System system = batch.system(memory.view(), i);
              const Pause pause = simulate_by_lanes(lanes, system, memory.workspace(), last_step, observe);
              if (pause == Pause::outgrown && memory.grow()) continue;
              if (pause == Pause::outgrown) system.state.status[0] = static_cast<int>(Status::capacity);
              ++i;
            }
          }};
}

}  // namespace jostle

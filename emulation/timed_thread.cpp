#include "emulation/timed_thread.hpp"

#include <chrono>

#include "core/step.hpp"

namespace jostle {
namespace {

/// Adds the time since the last call to the stage that has just ended.
class StageClock {
 public:
  explicit StageClock(StageSeconds& seconds) : seconds_(&seconds) {}

  void operator()(Stage stage) const {
    const Clock::time_point now = Clock::now();
    (*seconds_)[static_cast<std::size_t>(stage)] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  StageSeconds* seconds_;
  mutable Clock::time_point last_ = Clock::now();
};

}  // namespace

void run_system_timed(Batch& batch, int index, int last_step, WorkspaceMemory& memory, StageSeconds& seconds) {
  const auto simulate_timed = [&](const System& system, const Workspace& work, int last, const StepObserver&) {
    const StageClock clock(seconds);
    return with_traits(system.model.dimensions, work, [&](AnyWorkspace auto own) {
      constexpr SerialTeam team;
      return take_steps(
          system, last, 1, [&] { return has_step(team, system, own, last); },
          [&](int repeated) { return make_step(team, system, own, true, repeated, clock, MeetNobody{}); },
          [](const StepResult&) {});
    });
  };
  run_system_by(simulate_timed, batch, index, last_step, memory);
}

}  // namespace jostle

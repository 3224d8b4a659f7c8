#include "emulation/emulated_device.hpp"

#include "cuda/solve_problem.hpp"
#include "emulation/emulated_kernels.hpp"

namespace jostle {
namespace {

void simulate_as_placed(const EmulatedTeam& team, const SimulateTask& task, std::byte* shared) {
  if (task.layout.alternating != 1)
    simulate_alternating_systems(team, task, shared);
  else if (task.placement.place.for_all_systems)
    simulate_all_systems(team, task, shared);
  else
    simulate_plain_systems(team, task, shared);
}

}  // namespace

/// f(team) for every lane of the team that the place asks for.
template <class F>
void EmulatedDevice::run_team(const TeamPlace& place, F f) const {
  const int count = lanes_ > 0 ? lanes_ : place.lanes;
  run_on_emulated_team(count, static_cast<unsigned>(count), f);
}

void EmulatedDevice::simulate_now(const SimulateTask& task, std::byte* shared) {
  run_team(task.placement.place, [&](const EmulatedTeam& team) { simulate_as_placed(team, task, shared); });
}

void EmulatedDevice::solve_now(const LcpTask& task, std::byte* shared) {
  run_team(task.place, [&](const EmulatedTeam& team) { solve_problems(team, task, shared); });
}

}  // namespace jostle

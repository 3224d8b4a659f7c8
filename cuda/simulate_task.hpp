#pragma once
// What a kernel does with systems in the memory of a device. Persistent teams: each takes one system after the other.
#include "core/step.hpp"
#include "cuda/placement.hpp"

namespace jostle {

/// Every pointer is to memory of the device.
struct SimulateTask {
  ModelView model;  ///< for the placement's capacity
  Placement placement;
  int teams = 0;                 ///< that have memory
  int count = 0;                 ///< systems to be taken
  const int* systems = nullptr;  ///< count: their numbers; null: 0 .. count-1
  int last_step = 0;
  std::uint8_t number_of_placement = 0;          ///< this one
  bool last_placement = false;                   ///< what overflows this one gets the status `capacity`
  const std::byte* parameters = nullptr;         ///< [system] parameter_bytes
  std::byte* states = nullptr;                   ///< [system] state_bytes
  const TrajectoryView* trajectories = nullptr;  ///< [system], or null: none is recorded
  std::uint8_t* placements = nullptr;            ///< [system] the number of the one that it is in; raised on overflow
  StepResult* results = nullptr;                 ///< [system] of the last step, or null: nobody asks
  unsigned* taken = nullptr;                     ///< 1: how many of the systems have been taken by teams
  unsigned* any_overflow = nullptr;              ///< 1: set to 1 where an entry of `placements` is raised
  std::byte* memory = nullptr;                   ///< [team] bytes_per_team()

  JOSTLE_HD int number(int index) const { return systems ? systems[index] : index; }

  JOSTLE_HD System system(int number) const {
    const Dimensions& d = model.dimensions;
    const auto at = static_cast<std::size_t>(number);
    return {model, parameter_view(d, parameters + at * parameter_bytes(d)), state_view(d, states + at * state_bytes(d)),
            trajectories ? trajectories[number] : TrajectoryView{}};
  }

  /// What does not lie in shared memory, and what does.
  JOSTLE_HD std::size_t bytes_per_team() const {
    const auto [near, cells, far] = Workspace::bytes(model.dimensions);
    const TeamPlace& place = placement.place;
    return far + (place.shared ? 0 : near) + (place.shared && !place.in_registers ? 0 : cells);
  }
  JOSTLE_HD std::size_t shared_bytes_per_team() const {
    const auto [near, cells, far] = Workspace::bytes(model.dimensions);
    const TeamPlace& place = placement.place;
    return place.shared ? spread_over_banks(near + (place.in_registers ? 0 : cells), place.lanes) : 0;
  }

  /// The memory of team number `slot`; `shared` is the team's own shared memory, null if it has none.
  JOSTLE_HD Workspace workspace(int slot, std::byte* shared) const {
    const auto [near, cells, far] = Workspace::bytes(model.dimensions);
    std::byte* const own = memory + static_cast<std::size_t>(slot) * bytes_per_team();
    if (!shared) return Workspace::carve(model.dimensions, own + far, own + far + near, own);
    return Workspace::carve(model.dimensions, shared, placement.place.in_registers ? own + far : shared + near, own);
  }
};

/// Takes a system one step further. False once it is through: at the last step, failed, or too large for this
/// placement. Teams that share a warp wait for each other at `meet()` between the parts of a step; one without a system
/// comes along with `number` -1.
template <class Team, class Meet>
JOSTLE_HD bool advance(const Team& team, const SimulateTask& task, int number, const Workspace& work, Meet meet) {
  const System system = task.system(number < 0 ? 0 : number);
  const bool is_wanted = number >= 0 && has_step(team, system, work, task.last_step);
  const StepResult result = make_step(team, system, work, is_wanted, NoClock{}, meet);
  if (!is_wanted) return false;
  if (result.status == Status::capacity) {
    team.once([&] {
      if (task.last_placement)
        system.state.status[0] = static_cast<int>(Status::capacity);
      else
        task.placements[number] = task.number_of_placement + 1, *task.any_overflow = 1;
    });
    return false;
  }
  if (task.results) team.once([&] { task.results[number] = result; });
  return system.state.status[0] == static_cast<int>(Status::ok) && system.state.steps[0] < task.last_step;
}

/// Sorts systems by placement. Within the first one they keep their order, which is that of their memory; those of
/// later ones are few and dear, so the costliest comes first, as far as the most pivots in a step so far can tell.
struct PlacementKey {
  const std::uint8_t* placements;
  Dimensions dimensions;
  std::byte* states;

  JOSTLE_HD std::uint64_t operator()(int number) const {
    const std::uint64_t placement = placements[number];
    if (placement == 0) return 0;
    std::byte* const memory = states + static_cast<std::size_t>(number) * state_bytes(dimensions);
    const auto pivots = static_cast<std::uint32_t>(state_view(dimensions, memory).pivots_max[0]);
    return placement << 32 | (0xFFFFFFFFu - pivots);
  }
};

}  // namespace jostle

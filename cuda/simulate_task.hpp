#pragma once
// What a kernel does with systems in the memory of a device. Persistent teams take one system after the other.
#include <type_traits>

#include "core/step.hpp"
#include "cuda/placement.hpp"
#include "cuda/system_order.hpp"

namespace jostle {

/// Every pointer is to memory of the device.
struct SimulateTask {
  ModelView model;  ///< for the placement's capacity
  Placement placement;
  WorkspaceLayout layout;        ///< of its workspaces
  int teams = 0;                 ///< that have memory
  int count = 0;                 ///< systems to simulate
  const int* systems = nullptr;  ///< count: their numbers; null: 0 .. count-1
  int last_step = 0;
  int final_step = 0;  ///< of the run, not before last_step: a system that stays at rest goes there at once
  std::uint8_t number_of_placement = 0;          ///< this one
  bool last_placement = false;                   ///< systems that overflow this one get the status `capacity`
  std::byte* parameters = nullptr;               ///< [system] ParameterLayout::bytes
  std::byte* states = nullptr;                   ///< [system] StateLayout::bytes
  const TrajectoryView* trajectories = nullptr;  ///< [system], or null: none is recorded
  const RecordView* records = nullptr;           ///< [system], without progress: not recorded; or null: none is
  std::uint8_t* placements = nullptr;            ///< [system] the number of its placement; raised on overflow
  std::uint32_t* costs = nullptr;                ///< [system] cost_of its last step that was computed
  StepResult* results = nullptr;                 ///< [system] of the last step, or null: not wanted
  unsigned* taken = nullptr;                     ///< 1: how many of the systems teams have taken
  unsigned* any_overflow = nullptr;              ///< 1: set to 1 where an entry of `placements` is raised
  unsigned* any_full = nullptr;                  ///< 1: set to 1 where a record has no room for a step
  std::byte* memory = nullptr;                   ///< memory_bytes()

  JOSTLE_HD int number(int index) const { return systems ? systems[index] : index; }

  JOSTLE_HD System system(int number) const {
    const auto at = static_cast<std::size_t>(number);
    return {model, parameters + at * model.parameter_layout.bytes, states + at * model.state_layout.bytes,
            trajectories ? trajectories[number] : TrajectoryView{},
            records && records[number].progress ? records + number : nullptr};
  }

  /// What is not in shared memory, and what is.
  JOSTLE_HD std::size_t bytes_per_team() const {
    const TeamPlace& place = placement.place;
    return round_up_to_line(layout.far) + (place.shared ? 0 : layout.near) +
           (place.shared && !place.in_registers ? 0 : layout.cells);
  }
  /// Of all teams. Teams whose elements alternate come in whole groups: the far memory of a group, then the other
  /// memory of each of its teams.
  JOSTLE_HD std::size_t memory_bytes() const {
    const auto all = static_cast<std::size_t>(teams), step = static_cast<std::size_t>(layout.alternating);
    const std::size_t far_bytes = round_up_to_line(layout.far);
    return round_up(all, step) * far_bytes + all * (bytes_per_team() - far_bytes);
  }
  JOSTLE_HD std::size_t shared_bytes_per_team() const {
    const TeamPlace& place = placement.place;
    return place.shared ? spread_over_banks(layout.near + (place.in_registers ? 0 : layout.cells), place.lanes) : 0;
  }

  /// The memory of team number `slot`; `shared` is the team's own shared memory, null if it has none.
  /// `Step` is that of layout.alternating.
  template <int Step>
  JOSTLE_HD WorkspaceView<Step> workspace(int slot, std::byte* shared) const {
    const std::size_t far_bytes = round_up_to_line(layout.far);
    const int number = slot % Step;
    std::byte* const far = memory + static_cast<std::size_t>(slot - number) * bytes_per_team();  // of the group
    std::byte* const own = far + static_cast<std::size_t>(Step) * far_bytes +
                           static_cast<std::size_t>(number) * (bytes_per_team() - far_bytes);
    if (!shared) return {layout, own, own + layout.near, far, number};
    return {layout, shared, placement.place.in_registers ? own : shared + layout.near, far, number};
  }
};

/// What the kernels for `Systems` have code for: those for all systems also for records of steps.
template <class Systems>
using KernelSystems = std::conditional_t<std::is_same_v<Systems, AllSystems>, Recorded<AllSystems>, Systems>;

/// Advances a system by one step. False once it is done: at the last step, failed, too large for this placement, or
/// with a record that is full. `Systems`: of KernelSystems.
/// Teams that share a warp wait for each other at `meet` (make_step); a team without a system takes part with `number`
/// -1.
template <class Systems, class Team, class Meet>
JOSTLE_HD JOSTLE_OUTLINE bool advance(const Team& team, const SimulateTask& task, int number,
                                      const AnyWorkspace auto& work, Meet meet) {
  const System system = task.system(number < 0 ? 0 : number);
  const bool is_wanted = number >= 0 && has_step<Systems>(team, system, work, task.last_step);
  const int left = is_wanted ? task.final_step - system.state().steps[0] : 0;
  const StepResult result = make_step<Systems>(team, system, work, is_wanted, task.results ? 1 : left, NoClock{}, meet);
  if (!is_wanted) return false;
  if (result.status == Status::capacity) {
    team.once([&] {
      if (result.no_rows)
        *task.any_full = 1;
      else if (task.last_placement)
        system.state().status[0] = static_cast<int>(Status::capacity);
      else
        task.placements[number] = task.number_of_placement + 1, *task.any_overflow = 1;
    });
    return false;
  }
  team.once([&] {
    if (!result.rests) task.costs[number] = cost_of(result);
    if (task.results) task.results[number] = result;
  });
  return has_step_left(system, task.last_step);
}

}  // namespace jostle

#pragma once
// The systems that a launch simulates, in the memory of a device.
#include <algorithm>

#include "core/model/system.hpp"
#include "core/step_result.hpp"
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
  const int* range = nullptr;    ///< 2: where in `systems` they begin and end, in place of `count`; or null
  int last_step = 0;
  int final_step = 0;  ///< of the run, not before last_step: a system that stays at rest goes there at once
  const int* last_steps = nullptr;  ///< [system] in place of both, or null: those of systems that are stepped apart
  std::uint8_t number_of_placement = 0;          ///< this one
  bool last_placement = false;                   ///< systems that overflow this one get the status `capacity`
  bool records_may_grow = true;                  ///< else systems whose record is full get the status `capacity`
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

  JOSTLE_HD int size() const { return range ? range[1] - range[0] : count; }
  JOSTLE_HD int number(int index) const { return systems ? systems[range ? range[0] + index : index] : index; }

  JOSTLE_HD System system(int number) const {
    const auto at = static_cast<std::size_t>(number);
    return {model, parameters + at * model.parameter_layout.bytes, states + at * model.state_layout.bytes,
            trajectories ? trajectories[number] : TrajectoryView{},
            records && records[number].progress ? records + number : nullptr};
  }

  /// What is not in shared memory, and what is.
  JOSTLE_HD std::size_t bytes_per_team() const {
    return round_up_to_line(layout.far) + (placement.place.shared ? 0 : layout.near + layout.cells);
  }
  /// Of all teams. Teams whose elements alternate come in whole groups: the far memory of a group, then the other
  /// memory of each of its teams.
  JOSTLE_HD std::size_t memory_bytes() const {
    const auto all = static_cast<std::size_t>(teams), step = static_cast<std::size_t>(layout.alternating);
    const std::size_t far_bytes = round_up_to_line(layout.far);
    return round_up(all, step) * far_bytes + all * (bytes_per_team() - far_bytes);
  }
  /// As many of the teams as have room in so many bytes, at least one.
  int teams_within(std::size_t room) const {
    if (memory_bytes() <= room) return teams;
    const int step = layout.alternating;  // if elements alternate, whole groups of teams use it best
    const std::size_t groups = room / (static_cast<std::size_t>(step) * bytes_per_team());
    return std::max(std::min(teams, static_cast<int>(groups) * step), 1);
  }
  JOSTLE_HD std::size_t shared_bytes_per_team() const {
    const TeamPlace& place = placement.place;
    return place.shared ? spread_over_banks(layout.near + layout.cells, place.lanes) : 0;
  }

  /// The memory of team number `slot`; `shared` is the team's own shared memory, null if it has none.
  /// `Step` is that of layout.alternating.
  template <int Step, class Systems = AllSystems>
  JOSTLE_HD WorkspaceView<Systems, Step> workspace(int slot, std::byte* shared) const {
    const std::size_t far_bytes = round_up_to_line(layout.far);
    const int number = slot % Step;
    std::byte* const far = memory + static_cast<std::size_t>(slot - number) * bytes_per_team();  // of the group
    std::byte* const own = far + static_cast<std::size_t>(Step) * far_bytes +
                           static_cast<std::size_t>(number) * (bytes_per_team() - far_bytes);
    std::byte* const near = shared ? shared : own;
    return {layout, near, near + layout.near, far, number};
  }

  JOSTLE_HD int last_step_of(int number) const { return last_steps ? last_steps[number] : last_step; }

  /// Up to how many steps that repeat each other a system takes at once.
  JOSTLE_HD int most_repeated(int number, const System& system) const {
    return results ? 1 : (last_steps ? last_steps[number] : final_step) - system.state().steps();
  }

  /// Notes the result of a step. False once the system is done: at the last step, failed, too large for this placement,
  /// or with a record that is full.
  template <class Team>
  JOSTLE_HD bool note(const Team& team, int system_number, const System& system, const StepResult& result) const {
    if (result.status == Status::capacity) {
      team.once([&] {
        if (result.no_rows && records_may_grow)
          *any_full = 1;
        else if (result.no_rows || last_placement)
          system.state().status() = static_cast<int>(Status::capacity);
        else
          placements[system_number] = number_of_placement + 1, *any_overflow = 1;
      });
      return false;
    }
    team.once([&] {
      if (!result.rests) costs[system_number] = cost_of(result);
      if (results) results[system_number] = result;
    });
    return has_step_left(system, last_step_of(system_number));
  }
};

}  // namespace jostle

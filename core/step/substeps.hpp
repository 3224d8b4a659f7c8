#pragma once
// How a step goes on: from piece to piece, from sub-step to sub-step, and again with more of them.
#include "core/joints/geometric_stiffness.hpp"
#include "core/stages/divide.hpp"

namespace jostle {

/// The time and length of the current sub-step.
JOSTLE_HD inline TimeStep substep_of(const System& system, const StepProgress& progress) {
  const double h = system.model.step / power_of_two(progress.halvings);
  return {system.state().steps() * system.model.step + progress.part * h, h};
}

/// Begins the sub-step number `part`, of 2^halvings.
JOSTLE_HD inline void start_substep(const System& system, int part, StepProgress& progress) {
  progress.part = part;
  progress.piece = progress.next_piece = Piece::motion;
  progress.idle_pair = no_pair;
  progress.phase = progress.round = 0;
  progress.left = 0, progress.projections = 0, progress.stays = false;
  progress.step = substep_of(system, progress);
  progress.passed = part * progress.step.h;
}

/// Begins what follows the current piece: another one, or the next sub-step.
JOSTLE_HD inline void start_next(const System& system, StepProgress& progress) {
  if (progress.piece != Piece::blow && progress.piece != Piece::joint_impact) progress.jumped = false;
  if (!progress.has_more_pieces()) return start_substep(system, progress.part + 1, progress);
  progress.passed += progress.step.h;
  progress.step = {progress.step.time + progress.step.h, progress.left};
  progress.left = 0;
  if (progress.piece != Piece::impact) progress.idle_pair = no_pair;
  progress.piece = progress.next_piece;
  progress.next_piece = Piece::motion;
  progress.phase = progress.round = 0;
}

/// Divides a step with stages where joints are too stiff across. Begins and ends synced.
template <class Team>
JOSTLE_HD void divide_by_stiffness(const Team& team, const System& system, StepProgress& progress) {
  if (!system.model.dimensions.has_stages) return;
  const double stiffness =
      largest_stiffness(team, system, StatePoses{system}, system.model.step, carried_by_stages) / carried_by_stages;
  while (progress.halvings <= most_halvings && stiffness > power_of_two(2 * progress.halvings)) ++progress.halvings;
  if (progress.halvings > most_halvings) progress.result.status = Status::too_fast;
}

/// The first step of a system knows nothing of the forces of its joints. Where these make them stiff, it is made again
/// with those that its first motion has given, which may follow impacts; whether it is. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool makes_first_step_again(const Team& team, const System& system, AnyWorkspace auto work,
                                                     StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const bool is_first_motion = system.state().steps() == 0 && progress.part == 0 && has_contacts(progress.piece) &&
                               progress.step.h > 0 && !progress.knows_forces;
  if (!d.has_geometric_stiffness || !is_first_motion) return false;
  const double h = progress.step.h;
  const auto is_stiff = [&](int j) {
    return detail::may_be_stiff(system, j, point_impulse(system, work, j) / h, system.model.step,
                                d.has_stages ? carried_by_stages : carried_stiffness);
  };
  progress.knows_forces = true;
  if (!any_of(team, d.joints, is_stiff)) return false;
  if (progress.kept != 0) restore_state(team, system, work);
  team.sync();
  keep_forces(team, system, work, h, true);
  const int halvings = progress.halvings;
  progress = {};
  progress.halvings = halvings, progress.knows_forces = true;
  divide_by_stiffness(team, system, progress);
  start_substep(system, 0, progress);
  return true;
}

/// Starts the step again with twice as many sub-steps.
JOSTLE_HD inline void divide_again(const System& system, StepProgress& progress) {
  const int halvings = progress.halvings + 1;
  const bool knows_forces = progress.knows_forces;
  progress = {};
  progress.halvings = halvings, progress.knows_forces = knows_forces;
  if (halvings > most_halvings) progress.result.status = Status::too_fast;
  start_substep(system, 0, progress);
}

}  // namespace jostle

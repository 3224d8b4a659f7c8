#pragma once
// The motion of the trapezoidal methods between q_l and q_{l+1}, on which velocities are linear in time.
#include "core/events/impact.hpp"

namespace jostle::trapezoidal {

/// next_pose and next_placed s after the start of the piece, and the velocities there of bodies that move as told.
/// Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void move_on_path(const Team& team, const System& system, AnyWorkspace auto work,
                                           const StepProgress& progress, double s) {
  const double h = progress.step.h, time = time_in_step(system.model, progress, s);
  team.for_each(system.model.dimensions.movers,
                [&](int m) { work.predicted_velocity(m) = mean_velocity(work, m, s / h); });
  team.sync();
  move_poses(team, system, work, s, work.predicted_velocity(), work.next_pose());
  place_told(team, system, work, time, work.next_pose());
  place_shapes(team, system, work.next_pose(), work.next_placed());
  tell(team, system, work, time / system.model.step, work.next_pose(), work.prescribed_velocity());
}

/// Ends the piece at the collision: velocities and impulses are linear in time. Ends synced.
template <class Team>
JOSTLE_HD void end_at_collision(const Team& team, const System& system, AnyWorkspace auto work,
                                StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const double h = progress.step.h, s = progress.collision.time, part = s / h;
  move_on_path(team, system, work, progress, s);
  team.for_each(d.velocities(), [&](int i) {
    const double before = work.velocity(i / 6)[i % 6];
    double& after = work.next_velocity(i / 6)[i % 6];
    after = before + part * (after - before);
    work.applied(i / 6)[i % 6] *= part;
  });
  team.for_each(d.movers, [&](int m) { work.gyroscopic(m) = part * work.gyroscopic(m); });
  team.for_each(progress.rows, [&](int r) { work.row_impulse(r) *= part; });
  if (d.has_adhesion) team.for_each(progress.rows, [&](int r) { work.row_pull(r) *= part; });
  if constexpr (decltype(work)::is_coupled) {
    const int equations = d.joint_rows > 0 ? work.used_joint_rows() : 0;
    team.for_each(equations, [&](int j) { work.joint_impulse(j) *= part; });
  }
  team.sync();
  progress.step.h = s, progress.left += h - s, progress.next_piece = Piece::impact;
}

}  // namespace jostle::trapezoidal

#pragma once
// What the trapezoidal methods ask of the velocity v_{l+1} alone, in the problem that is one of v_l + v_{l+1} or has
// its rows in the middle of the piece.
#include "core/dynamics/implicit_mass.hpp"
#include "core/prescribed/told_line.hpp"

namespace jostle::trapezoidal {

/// Whether a row is of an island that stands.
JOSTLE_HD inline bool stands(AnyWorkspace auto work, const ConstraintRow& row) {
  return row.body[0] != no_body && work.stands(row.body[0]) != 0;
}

/// What the problem asks of v_l + v_{l+1} in some rows, of islands that stand or of the others, it asks of v_{l+1},
/// relative to bodies that move as told. Ends synced.
template <class Team>
JOSTLE_HD void ask_of_end(const Team& team, const System& system, AnyWorkspace auto work, const StepProgress& progress,
                          int first, int count, bool of_standing = false) {
  const Dimensions& d = system.model.dimensions;
  const int bounds = d.contact_rows_end(progress.result.contacts);  // the first of joint_speeds()
  const double end = told_parts(system.model, progress).end;
  team.for_each(count, [&](int i) {
    const int r = first + i;
    if (stands(work, work.row(r)) != of_standing) return;
    const bool is_bound = decltype(work)::is_coupled && r >= bounds && r < bounds + d.joint_speeds();
    work.row_bias(r) -= add_product(0, work.row(r), work.velocity());
    if (d.prescribed == 0 || work.prescribed_half(r).number < 0) return;
    const PrescribedHalf& half = work.prescribed_half(r);
    work.row_bias(r) += told_speed(system, work, half, end) - (is_bound ? 1 : 2) * half.speed;
  });
  team.sync();
}

/// N'v_{l+1} = -N_w'w, without the errors of joints: what a jump of velocities asks of joints. Ends synced.
template <class Team>
JOSTLE_HD void ask_joints_of_end(const Team& team, const System& system, AnyWorkspace auto work,
                                 const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const double end = told_parts(system.model, progress).end;
  team.for_each(d.joint_rows, [&](int j) {
    work.joint_bias(j) = add_product(0, work.joint_row(j), work.velocity());
    if (d.prescribed == 0 || work.prescribed_half(work.rows() + j).number < 0) return;
    work.joint_bias(j) -= told_speed(system, work, work.prescribed_half(work.rows() + j), end);
  });
  team.sync();
}

/// A joint that may not run back, either, stands at its limit: v_l + v_{l+1}, with a v_l of rounding errors, would
/// ask of the end what that limit of its speed forbids.
template <class Team>
JOSTLE_HD void ask_limit_of_end(const Team& team, const System& system, AnyWorkspace auto work,
                                const StepProgress& progress, const JointBlockRows& rows) {
  if (rows.slowest < 0 && rows.fastest < 0) return;
  for (const int limit : {rows.lower, rows.upper})
    if (limit >= 0) ask_of_end(team, system, work, progress, limit, 1);
}

/// What the second scheme asks of v_{l+1}: friction, motors and limits of speeds of joints, and moments of contacts.
/// Ends synced.
template <class Team>
JOSTLE_HD void ask_bounds_of_end(const Team& team, const System& system, AnyWorkspace auto work,
                                 const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  ask_of_end(team, system, work, progress, d.contact_rows_end(progress.result.contacts), d.joint_speeds());
  for (int j = 0; j < d.joints; ++j) ask_limit_of_end(team, system, work, progress, work.joint_block(j));
  for (int j = 0; d.ball_frictions > 0 && j < d.joints; ++j)
    ask_of_end(team, system, work, progress, work.joint_block(j).ball, work.joint_block(j).ball_rows);
  for (int c = 0; d.has_moments() && c < progress.result.contacts; ++c) {
    // What holds a ball from rolling would turn the slip that is left of its sliding round in every step.
    const RowsOfContact rows = d.contact_rows(c);
    const int of_end = d.has_rolling_friction ? rows.tangent : rows.spin;
    ask_of_end(team, system, work, progress, of_end, d.contact_rows_end(c + 1) - of_end);
  }
}

/// What is asked of the speed of a slide at the end is written with its axis in the middle: adds what that turns
/// until then, h/2 g'dot v; with the limits of positions unless these are asked of the mean. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void add_turning_to_end(const Team& team, const System& system, AnyWorkspace auto work,
                                                 double h, bool with_limits) {
  team.for_each(system.model.dimensions.joints, [&](int j) {
    const JointBlockRows& rows = work.joint_block(j);
    bool has_rows = false;
    for (const int row : {rows.friction, rows.motor, rows.slowest, rows.fastest, rows.lower, rows.upper})
      has_rows = has_rows || row >= 0;
    if (!has_rows) return;
    const double turning = turning_of_coordinate(system, work, j, work.predicted_pose(), work.velocity());
    if (turning == 0) return;
    const auto add = [&](int row, double sign) {
      if (row >= 0) work.row_bias(row) += sign * (0.5 * h) * turning;
    };
    add(rows.friction, 1), add(rows.motor, 1), add(rows.slowest, 1), add(rows.fastest, -1);
    if (with_limits) add(rows.lower, 1), add(rows.upper, -1);
  });
  team.sync();
}

}  // namespace jostle::trapezoidal

#pragma once
// What the state and the tallies know of joints.
#include "core/dynamics/motion.hpp"
#include "core/joints/geometric_stiffness.hpp"
#include "core/joints/joint_rows.hpp"
#include "core/joints/stiff_impulses.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// At the start no equation of a joint may be off by more than this, m or 1.
inline constexpr double start_opening = 1e-9;

/// rad/s or m/s, of the current state at these poses; f: the coordinate of joint j.
JOSTLE_HD inline double joint_speed(const System& system, int j, const JointFunction& f, const auto& poses) {
  const JointModel& joint = system.model.joints[j];
  const auto along = [&](int body, const Vec3& moment) {
    if (body == world_body || system.model.bodies[body].fixed) return 0.0;
    const Vec3 v = vector_at(system.state().velocity, body), w = vector_at(system.state().spin, body);
    return dot(f.direction, v) + dot(moment, rotate(poses[body].axes, w));
  };
  return along(joint.body_b, f.moment_b) - along(joint.body_a, f.moment_a);
}

/// visit(number, row) for the friction and the motor of a joint.
JOSTLE_HD void for_each_bound(const JointModel& joint, const JointBlockRows& rows, auto visit) {
  if (joint.has_friction) visit(joint.first_bound, rows.friction);
  if (joint.has_motor) visit(joint.first_bound + (joint.has_friction ? 1 : 0), rows.motor);
}

/// The mode of bound number b, whose row is `row`, in the last problem; that of the state without a bound,
/// as in impacts, where it says nothing.
JOSTLE_HD inline Mode bound_mode(const System& system, AnyWorkspace auto work, int b, int row) {
  const int block = system.model.dimensions.bound_block(b, row);
  return work.block(block).bound > 0 ? work.mode(block) : system.state().bound_modes[b];
}

/// The initial state of the joints, at work.next_pose(); returns whether they are closed. Ends synced.
template <class Team>
JOSTLE_HD bool start_joints(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  if (model.dimensions.joints == 0) return true;
  const StateView state = system.state();
  team.for_each(model.dimensions.joints, [&](int j) {
    state.joint_position[j] = state.joint_speed[j] = 0;
    state.active_limits[j] = 0;
    for_each_bound(model.joints[j], {}, [&](int b, int) { state.bound_modes[b] = {}; });
    if (model.joints[j].has_coordinate())
      state.joint_speed[j] = joint_speed(system, j, joint_coordinate_at(system, j, work.next_pose()), work.next_pose());
    state.joint_impulse[j] = 0;
    if (model.dimensions.has_geometric_stiffness) set_vector(state.joint_force, j, Vec3::Zero());
    for (int k = 0; model.dimensions.has_joint_wrenches && k < 6; ++k) state.joint_wrench[6 * j + k] = 0;
    if (model.dimensions.has_impact_shares) state.joint_impact[j] = 0;
    if (model.dimensions.has_impact_shares && model.dimensions.has_joint_wrenches)
      set_vector(state.reaction_impact, j, Vec3::Zero());
  });
  const auto is_open = [&](int j) {
    bool open = exceeded_limits(system, j, work.next_pose(), start_opening) != 0;
    for_each_opening(system, j, work.next_pose(),
                     [&](double gap) { open = open || !(std::fabs(gap) <= start_opening); });
    return open;
  };
  const bool any = any_of(team, model.dimensions.joints, is_open);
  team.sync();
  return !any;
}

/// The limits of joint j that carry an impulse.
JOSTLE_HD inline int loaded_limits(AnyWorkspace auto work, int j) {
  const JointBlockRows rows = work.joint_block(j);
  const auto loaded = [&](int row, int limit) { return row >= 0 && work.row_impulse(row) > 0 ? limit : 0; };
  return loaded(rows.lower, lower_limit) | loaded(rows.upper, upper_limit) |
         loaded(rows.slowest, speed_limit * lower_limit) | loaded(rows.fastest, speed_limit * upper_limit);
}

/// Whether the limits of all joints, their frictions and motors act as in the step before.
template <class Team>
JOSTLE_HD bool keeps_joint_modes(const Team& team, const System& system, AnyWorkspace auto work) {
  const auto changes = [&](int j) {
    bool any = loaded_limits(work, j) != system.state().active_limits[j];
    for_each_bound(system.model.joints[j], work.joint_block(j), [&](int b, int row) {
      any = any || !bound_mode(system, work, b, row).is_same(system.state().bound_modes[b]);
    });
    return any;
  };
  const int joints = system.model.dimensions.joints;
  return joints == 0 || !any_of(team, joints, changes);
}

/// Adds to `wrench` what the equations of joint j give its second body with these impulses(number of a row of N'), at
/// the positions of the rows: the impulse, and its moment about the joint's point there, world.
JOSTLE_HD void add_joint_impulses(const System& system, int j, const PlacedJoint& placed, auto impulses, auto wrench) {
  const JointModel& joint = system.model.joints[j];
  const bool along_world = joint.type != JointType::distance && joint.type != JointType::prismatic;
  const int points = along_world ? equations_of_points(system.model, joint) : 0;
  for (int i = 0; i < points; ++i) wrench[axis_of_point(system.model, i)] += impulses(joint.first_row + i);
  for (int i = points; i < joint.rows; ++i) {
    const double impulse = impulses(joint.first_row + i);
    const JointFunction f = joint_equation(system.model, joint, placed, system.parameters().joint_length[j], i);
    const Vec3 moment = f.moment_b - cross(Vec3(placed.point_b - placed.centre_b), f.direction);
    for (int k = 0; k < 3; ++k) wrench[k] += impulse * f.direction[k], wrench[3 + k] += impulse * moment[k];
  }
}

/// Adds what the equations of joint j, and the directions in which it is stiff, have given its second body in a piece.
/// `has_stages`: work.stage_joint_wrench() has it.
JOSTLE_HD JOSTLE_OUTLINE inline void add_joint_wrench(const System& system, AnyWorkspace auto work, int j, bool first,
                                                      bool has_stages) {
  double* const wrench = system.state().joint_wrench + 6 * j;
  for (int k = 0; first && k < 6; ++k) wrench[k] = 0;
  if (has_stages) {
    for (int k = 0; k < 6; ++k) wrench[k] += work.stage_joint_wrench(6 * j + k);
    return;
  }
  const PlacedJoint placed = place_joint(system, j, work.predicted_pose());
  add_joint_impulses(
      system, j, placed, [&](int row) { return work.joint_impulse(row); }, wrench);
  if (system.model.dimensions.stiff_rows > 0)
    add_stiff_wrench(system, work, j, placed, turned_poses(system.model, work), wrench);
}

/// Adds what a piece has given by the equations of joint j to the state.
JOSTLE_HD inline void add_reaction(const System& system, AnyWorkspace auto work, int j, const PieceFacts& piece) {
  const StateView state = system.state();
  const Dimensions& d = system.model.dimensions;
  if (!system.model.joints[j].has_wrench) return;
  const bool first = piece.first_of_joints;
  const Vec3 before = first ? Vec3::Zero() : vector_at(state.joint_wrench, 2 * j);
  add_joint_wrench(system, work, j, first, piece.has_stages);
  for (int k = 0; d.has_impact_shares && k < 3; ++k)
    add_share(first, piece, state.joint_wrench[6 * j + k] - before[k], state.reaction_impact[3 * j + k]);
}

/// Adds an impulse of a piece along the free axis of joint j, N m s or N s, to the state.
JOSTLE_HD inline void add_axis_impulse(const System& system, int j, const PieceFacts& piece, double impulse) {
  const StateView state = system.state();
  state.joint_impulse[j] = (piece.first_of_joints ? 0.0 : state.joint_impulse[j]) + impulse;
  if (system.model.dimensions.has_impact_shares)
    add_share(piece.first_of_joints, piece, impulse, state.joint_impact[j]);
}

/// N m s or N s along the free axis of joint j.
JOSTLE_HD inline double axis_impulse(AnyWorkspace auto work, int j) {
  const JointBlockRows rows = work.joint_block(j);
  const auto impulse = [&](int row) { return row >= 0 ? work.row_impulse(row) : 0.0; };
  return impulse(rows.friction) + impulse(rows.motor) + impulse(rows.lower) - impulse(rows.upper) +
         impulse(rows.slowest) - impulse(rows.fastest);
}

/// Position and speed of the coordinates of joints after a motion of length h (s), once the bodies' state is written.
/// The turns of an angle are those of its mean speed. Ends synced.
template <class Team>
JOSTLE_HD void keep_coordinates(const Team& team, const System& system, AnyWorkspace auto work, double h) {
  const StateView state = system.state();
  team.for_each(system.model.dimensions.joints, [&](int j) {
    if (!system.model.joints[j].has_coordinate()) return;
    const JointFunction f = joint_coordinate_at(system, j, work.next_pose());
    const double speed = joint_speed(system, j, f, work.next_pose());
    const double expected = state.joint_position[j] + h * (0.5 * (state.joint_speed[j] + speed));
    const bool turns = system.model.joints[j].type == JointType::revolute;
    state.joint_position[j] = turns ? unwrapped(f.value, expected) : f.value;
    state.joint_speed[j] = speed;
  });
  team.sync();
}

/// Writes what a piece of length h (s) has done to the joints, once the bodies' state is written; impulses of later
/// ones are added. `rests`: nothing moves. Ends synced.
template <class Team>
JOSTLE_HD void accept_joints(const Team& team, const System& system, AnyWorkspace auto work, const PieceFacts& piece,
                             bool rests, double h) {
  const StateView state = system.state();
  keep_coordinates(team, system, work, h);
  if (system.model.dimensions.has_geometric_stiffness && h > 0) keep_forces(team, system, work, h, rests);
  team.for_each(system.model.dimensions.joints, [&](int j) {
    state.active_limits[j] = loaded_limits(work, j);
    for_each_bound(system.model.joints[j], work.joint_block(j),
                   [&](int b, int row) { state.bound_modes[b] = bound_mode(system, work, b, row); });
    add_axis_impulse(system, j, piece, axis_impulse(work, j));
    add_reaction(system, work, j, piece);
  });
  team.sync();
}

/// The same of a piece without motion, in which only the equations of joints give impulses. Ends synced.
template <class Team>
JOSTLE_HD void accept_struck_joints(const Team& team, const System& system, AnyWorkspace auto work,
                                    const PieceFacts& piece) {
  keep_coordinates(team, system, work, 0);
  team.for_each(system.model.dimensions.joints, [&](int j) {
    if (piece.first_of_joints) add_axis_impulse(system, j, piece, 0);
    add_reaction(system, work, j, piece);
  });
  team.sync();
}

/// J: the work of the motors in a step, at the mean velocity, and what it would be more at v_{l+1}; and that of limits
/// of speeds, which act at those speeds.
struct MotorWork {
  double by_mean = 0, more_by_end = 0;
};
JOSTLE_HD inline MotorWork motor_work(const System& system, AnyWorkspace auto work) {
  MotorWork done;
  for (int j = 0; j < system.model.dimensions.joints; ++j) {
    const JointBlockRows rows = work.joint_block(j);
    const int row = rows.motor;
    if (rows.slowest >= 0) done.by_mean += work.row_impulse(rows.slowest) * speed_at_limit(system, j, lower_limit);
    if (rows.fastest >= 0) done.by_mean -= work.row_impulse(rows.fastest) * speed_at_limit(system, j, upper_limit);
    if (row < 0) continue;
    const double before = add_product(0, work.row(row), work.velocity());
    const double after = add_product(0, work.row(row), work.next_velocity());
    done.by_mean += work.row_impulse(row) * 0.5 * (before + after);
    done.more_by_end += work.row_impulse(row) * 0.5 * (after - before);
  }
  return done;
}

}  // namespace jostle

#pragma once
// The rows of joints in the mixed LCP: equations N'v = s, and blocks for friction, motors and limits,
// docs/theory.md (39) to (41).
#include <type_traits>

#include "core/assembly/rows.hpp"
#include "core/dynamics/joint_geometry.hpp"
#include "core/prescribed/prescribed_motion.hpp"

namespace jostle {

/// The movers of a joint, the lower first, in a row; returns which half is a's.
JOSTLE_HD inline int write_movers(const System& system, const JointModel& joint, ConstraintRow& row) {
  return write_bodies(mover_of(system.model, joint.body_a), mover_of(system.model, joint.body_b), row);
}

/// sign (f's derivative) as a row, with spins in the axes of the poses `turned`; it has number r in
/// work.prescribed_half(). Returns prescribed_speed().
JOSTLE_HD JOSTLE_OUTLINE inline double write_row(const System& system, AnyWorkspace auto work, const auto& turned,
                                                 const JointModel& joint, const JointFunction& f, double sign,
                                                 ConstraintRow& row, int r) {
  const int at_a = write_movers(system, joint, row);
  if (joint.body_a != world_body)
    write_half_row(system, turned, joint.body_a, -sign, f.direction, f.moment_a, row.entry[at_a]);
  if (joint.body_b != world_body)
    write_half_row(system, turned, joint.body_b, sign, f.direction, f.moment_b, row.entry[1 - at_a]);
  if (system.model.dimensions.prescribed == 0) return 0;
  const RowEnds ends{joint.body_a, joint.body_b, f.direction, f.moment_a, f.moment_b};
  return write_prescribed_half(system, work, turned, ends, sign, r);
}

/// The equations of the points of a joint that has_point_equations, and their values: as rows of joint_equation(), but
/// with R' (r x e_i) = (R e_k x r)_i for all i at once.
JOSTLE_HD inline void write_whole_points(const System& system, AnyWorkspace auto work, const auto& turned,
                                         const JointModel& joint, const PlacedJoint& placed) {
  const auto rows = work.joint_row().from(joint.first_row);
  int at_a = 0;
  for (int i = 0; i < 3; ++i) {
    at_a = write_movers(system, joint, rows[i]);
    work.joint_bias(joint.first_row + i) = 0.0 + placed.gap()[i];
  }
  const auto write = [&](int body, int side, double sign, const Vec3& arm) {
    if (body == world_body || system.model.bodies[body].fixed) return;
    for (int k = 0; k < 3; ++k) {
      const Vec3 moment = cross(turned[body].axes.col(k), arm);
      for (int i = 0; i < 3; ++i) {
        Vec6& half = rows[i].entry[side];
        half[k] = i == k ? sign : 0.0;
        half[3 + k] = 0.0 + sign * moment[i];
      }
    }
  };
  write(joint.body_a, at_a, -1, placed.point_a - placed.centre_a);
  write(joint.body_b, 1 - at_a, 1, placed.point_b - placed.centre_b);
}

/// The same two equations in a planar scene, where bodies turn about its normal alone.
JOSTLE_HD inline void write_planar_points(const System& system, AnyWorkspace auto work, const auto& turned,
                                          const JointModel& joint, const PlacedJoint& placed) {
  const ModelView& model = system.model;
  const auto rows = work.joint_row().from(joint.first_row);
  const int axes[2] = {axis_of_point(model, 0), axis_of_point(model, 1)}, normal = 3 - axes[0] - axes[1];
  int at_a = 0;
  for (int i = 0; i < 2; ++i) {
    at_a = write_movers(system, joint, rows[i]);
    work.joint_bias(joint.first_row + i) = 0.0 + placed.gap()[axes[i]];
  }
  const auto write = [&](int body, int side, double sign, const Vec3& arm) {
    if (body == world_body || model.bodies[body].fixed) return;
    const Vec3 moment = cross(turned[body].axes.col(normal), arm);
    for (int i = 0; i < 2; ++i) {
      Vec6& half = rows[i].entry[side];
      store(Six{}, half);
      if (model.bodies[body].is_free(axes[i])) half[axes[i]] = sign;
      if (model.bodies[body].is_free(3 + normal)) half[3 + normal] = 0.0 + sign * moment[axes[i]];
    }
  };
  write(joint.body_a, at_a, -1, placed.point_a - placed.centre_a);
  write(joint.body_b, 1 - at_a, 1, placed.point_b - placed.centre_b);
}

/// For write_joint_rows: s = 0.
struct NoJointBias {
  JOSTLE_HD auto operator()(int, const PlacedJoint&) const {
    return [](const auto&...) { return 0.0; };
  }
};

/// The rows of N' at the predicted positions and s = bias(j, placed)(Theta, row, prescribed_speed, rounding, i) of
/// equation i of joint j, which is of the velocity relative to bodies with prescribed motion; `placed`: the joint at
/// these positions, rounding: rounding errors of Theta, which count `rate` times in s. Does not sync.
template <class Team, class Bias>
JOSTLE_HD void write_joint_rows(const Team& team, const System& system, AnyWorkspace auto work, MixedLcp& problem,
                                const auto& turned, Bias bias, double rate = 0) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.joints, [&](int j) {
    const JointModel& joint = model.joints[j];
    const PlacedJoint placed = place_joint(system, j, work.predicted_pose());
    const int points = equations_of_points(model, joint);
    if (joint.has_point_equations) {
      if (model.planar)
        write_planar_points(system, work, turned, joint, placed);
      else
        write_whole_points(system, work, turned, joint, placed);
      for (int i = 0; i < points; ++i)
        write_no_prescribed_half(model.dimensions, work, work.rows() + joint.first_row + i);
    }
    for (int i = joint.has_point_equations ? points : 0; i < joint.rows; ++i) {
      const JointFunction f = joint_equation(model, joint, placed, system.parameters().joint_length[j], i);
      const int number = joint.first_row + i;
      write_row(system, work, turned, joint, f, 1, work.joint_row(number), work.rows() + number);
      work.joint_bias(number) = f.value;
    }
    // In a second pass: reading six numbers of a row would wait for the one that was just written.
    const auto bias_of = bias(j, placed);
    const double of_points = rounding_of_points(placed);
    for (int i = 0; i < joint.rows; ++i) {
      const int number = joint.first_row + i;
      const double told = prescribed_speed(model.dimensions, work, work.rows() + number);
      double& s = work.joint_bias(number);
      const double rounding = i < points ? of_points : relative_joint_rounding;
      work.joint_opening(number) = joint.in_loop ? s : 0.0;
      work.joint_rounding(number) = joint.in_loop ? rate * rounding : 0.0;
      s = with_told(bias_of(s, work.joint_row(number), told, rounding, i), -told);
    }
    const ConstraintRow& first = work.joint_row(joint.first_row);
    work.rows_of_joint(joint.group) = {joint.first_row, joint.rows, {first.body[0], first.body[1]}};
  });
  problem.joints = model.dimensions.joint_rows;
}

/// The limits of a joint: bit 0 the lower, bit 1 the upper, and the same of its speed.
inline constexpr int lower_limit = 1, upper_limit = 2, speed_limit = 4;
inline constexpr int limits_of_position = lower_limit | upper_limit;

/// Those of its speed that a joint has.
JOSTLE_HD inline int speed_limits_of(const JointModel& joint) { return speed_limit * joint.speed_limits; }

/// rad/s or m/s.
JOSTLE_HD inline double speed_at_limit(const System& system, int joint, int limit) {
  return system.parameters().joint_speed_limits[2 * joint + (limit == upper_limit ? 1 : 0)];
}

/// How far a joint at `position` is from a limit; negative beyond it.
JOSTLE_HD inline double limit_gap(const System& system, int joint, int limit, double position) {
  const double at = system.parameters().joint_limits[2 * joint + (limit == upper_limit ? 1 : 0)];
  return limit == upper_limit ? at - position : position - at;
}

/// The limits of joint j that are exceeded by more than `tolerance` at some poses.
JOSTLE_HD JOSTLE_OUTLINE inline int exceeded_limits(const System& system, int j, const auto& poses, double tolerance) {
  if (!system.model.joints[j].has_limits) return 0;
  const double position = joint_position_at(system, j, poses);
  const auto exceeded = [&](int limit) { return limit_gap(system, j, limit, position) <= -tolerance ? limit : 0; };
  return exceeded(lower_limit) | exceeded(upper_limit);
}

/// Lists the limits that may act in this step, as contacts are listed: those that did in the last one, and those that
/// are nearer than `margin` at the predicted positions; and all limits of speeds, `with_speeds`. Ends synced.
template <class Team>
JOSTLE_HD void list_limits(const Team& team, const System& system, AnyWorkspace auto work, double margin,
                           bool with_speeds = true) {
  team.for_each(system.model.dimensions.joints, [&](int j) {
    work.listed_limits(j) = (system.state().active_limits[j] & limits_of_position) |
                            exceeded_limits(system, j, work.predicted_pose(), -margin) |
                            (with_speeds ? speed_limits_of(system.model.joints[j]) : 0);
  });
  team.sync();
}

/// A limit that was left out is added if it would be exceeded by more than this, rad or m.
inline constexpr double missed_limit = 1e-10;

/// Adds the limits that are exceeded at the next positions; returns whether there were any. Ends synced.
template <class Team>
JOSTLE_HD bool add_missed_limits(const Team& team, const System& system, AnyWorkspace auto work) {
  const int joints = system.model.dimensions.joints;
  const auto missed = [&](int j) {
    return (exceeded_limits(system, j, work.next_pose(), missed_limit) & ~work.listed_limits(j)) != 0;
  };
  if (system.model.dimensions.joint_limits == 0 || !any_of(team, joints, missed)) return false;
  team.sync();
  team.for_each(joints,
                [&](int j) { work.listed_limits(j) |= exceeded_limits(system, j, work.next_pose(), missed_limit); });
  team.sync();
  return true;
}

/// How many limits of the joints before j are listed: `lower` ones and the upper ones beside them.
JOSTLE_HD JOSTLE_OUTLINE inline int listed_before(AnyWorkspace auto work, int j, int lower) {
  int sum = 0;
  for (int other = 0; other < j; ++other) {
    const int listed = work.listed_limits(other);
    sum += ((listed & lower) != 0 ? 1 : 0) + ((listed & 2 * lower) != 0 ? 1 : 0);
  }
  return sum;
}

/// The rows of the friction of a ball joint.
JOSTLE_HD inline int rows_of_ball(const ModelView& model) { return model.planar ? 1 : ball_directions; }

/// The block and rows of the friction of ball joint j, behind `others` blocks and rows of other joints.
JOSTLE_HD JOSTLE_OUTLINE inline void write_ball_friction(const System& system, AnyWorkspace auto work,
                                                         const MixedLcp& before, const auto& turned, int j, int others,
                                                         double h) {
  const ModelView& model = system.model;
  const JointModel& joint = model.joints[j];
  JointBlockRows& rows = work.joint_block(j);
  int balls = 0;
  for (int other = 0; other < j; ++other) balls += model.joints[other].has_ball_friction;
  const PlacedJoint placed = place_joint(system, j, work.predicted_pose());
  const int block = before.blocks + others + balls;
  rows.ball_rows = rows_of_ball(model), rows.ball = before.rows + others + rows.ball_rows * balls;
  for (int i = 0; i < rows.ball_rows; ++i) {
    const int row = rows.ball + i;
    const double told = write_row(system, work, turned, joint, ball_turn(model, placed, i), 1, work.row(row), row);
    work.row_bias(row) = with_told(0, told);
  }
  work.block(block) = {-1, rows.ball, rows.ball_rows, true, 0, h * system.parameters().joint_friction[j]};
  work.mode(block) = {Mode::Kind::stick, 0};
}

/// Writes blocks of joint j that have one row each, `number` of which stand before the next one among those of all
/// joints.
template <AnyWorkspace Work, class Poses>
struct JointBlockWriter {
  const System& system;
  Work work;
  const MixedLcp& before;
  const Poses& turned;
  int j;
  JointFunction f;
  int number;
  double told = 0;  ///< of the last row

  JOSTLE_HD int add(double sign, int& row) {
    row = before.rows + number;
    told = write_row(system, work, turned, system.model.joints[j], f, sign, work.row(row), row);
    return before.blocks + number++;
  }
  /// Of friction or a motor, with the mode of the step before.
  JOSTLE_HD void add_bound(double speed, double most, int& row) {
    const int block = add(1, row);
    work.block(block) = {-1, row, 1, true, 0, most};
    work.mode(block) = system.state().bound_modes[block - before.blocks];
    if (work.mode(block).kind == Mode::Kind::unknown) work.mode(block) = {Mode::Kind::stick, 0};
    work.row_bias(row) = with_told(-speed, told);
  }
  /// b_n = bias_of(row).
  JOSTLE_HD void add_limit(double sign, auto bias_of, int& row) {
    const int block = add(sign, row);
    work.block(block) = {row, 0, 0, true, 0, 0};
    work.mode(block) = {Mode::Kind::stick, 0};
    work.row_bias(row) = with_told(bias_of(work.row(row)), told);
  }
};

/// Blocks and rows of friction, motors and listed limits, after those of the problem: first those of speeds, with b_n =
/// -q' at the lower one, q' at the upper one, then the others with b_n = limit_bias(gap, row, prescribed_speed,
/// rounding), as write_joint_rows() says. `time`: when the motors have their speeds, s. Their modes are those of the
/// step before, and limits hold. Those of ball joints, whose friction no mode describes, come last. Ends synced.
template <class Team, class LimitBias>
JOSTLE_HD void write_joint_blocks(const Team& team, const System& system, AnyWorkspace auto work, MixedLcp& problem,
                                  const auto& turned, double time, double h, LimitBias limit_bias) {
  const ModelView& model = system.model;
  const int first_limit = model.dimensions.joint_bounds + listed_before(work, model.dimensions.joints, speed_limit);
  const int others = first_limit + listed_before(work, model.dimensions.joints, lower_limit);
  const MixedLcp before = problem;
  team.for_each(model.dimensions.joints, [&](int j) {
    const JointModel& joint = model.joints[j];
    const int listed = work.listed_limits(j);
    JointBlockRows& rows = work.joint_block(j) = {};
    if (!joint.has_friction && !joint.has_motor && !joint.has_ball_friction && listed == 0) return;
    if (joint.has_ball_friction) return write_ball_friction(system, work, before, turned, j, others, h);
    const PlacedJoint placed = place_joint(system, j, work.predicted_pose());
    const JointFunction f =
        (listed & limits_of_position) == 0 ? joint_axis(joint, placed) : joint_coordinate(joint, placed);
    JointBlockWriter<decltype(work), std::remove_cvref_t<decltype(turned)>> writer{
        system, work, before, turned, j, f, joint.first_bound};
    if (joint.has_friction) writer.add_bound(0, h * system.parameters().joint_friction[j], rows.friction);
    if (joint.has_motor) {
      const double speed = evaluate_at(system, joint.speed, time, work.operands().from(j * model.dimensions.operands));
      writer.add_bound(speed, h * system.parameters().motor_limit[j], rows.motor);
    }
    writer.number = model.dimensions.joint_bounds + listed_before(work, j, speed_limit);
    const auto add_speed_limit = [&](int limit, double sign, int& row) {
      const auto bias = [&](const ConstraintRow&) { return -sign * speed_at_limit(system, j, limit); };
      if ((listed & speed_limit * limit) != 0) writer.add_limit(sign, bias, row);
    };
    add_speed_limit(lower_limit, 1, rows.slowest), add_speed_limit(upper_limit, -1, rows.fastest);
    writer.number = first_limit + listed_before(work, j, lower_limit);
    const auto add_position_limit = [&](int limit, double sign, int& row) {
      const auto bias = [&](const ConstraintRow& n) {
        const double position = joint_position(system, j, f.value);
        return limit_bias(limit_gap(system, j, limit, position), n, writer.told,
                          rounding_of_position(joint, placed, position));
      };
      if ((listed & limit) != 0) writer.add_limit(sign, bias, row);
    };
    add_position_limit(lower_limit, 1, rows.lower), add_position_limit(upper_limit, -1, rows.upper);
  });
  problem.rows += others + rows_of_ball(model) * model.dimensions.ball_frictions;
  problem.blocks += others + model.dimensions.ball_frictions;
  team.sync();
}

}  // namespace jostle

#pragma once
// Joints in a stage of accelerations, and their friction and motors, whose force has a constant bound, docs/theory.md,
// "Accelerations": those that slide when a piece of a step begins have their bound against their speed.
#include "core/accelerations/joint_acceleration.hpp"
#include "core/accelerations/runge_kutta.hpp"
#include "core/dynamics/forces.hpp"
#include "core/events/impact.hpp"

namespace jostle {

/// The speed of the motor of joint j, rad/s or m/s.
JOSTLE_HD inline double motor_speed(const System& system, AnyWorkspace auto work, int j, double time) {
  return evaluate_at(system, system.model.joints[j].speed, time,
                     work.operands().from(j * system.model.dimensions.operands));
}

/// work.sliding_force() of frictions and motors: the bound against the direction in which they slide; 0: they do not.
/// Does not sync.
template <class Team>
JOSTLE_HD void write_sliding_forces(const Team& team, const System& system, AnyWorkspace auto work, double time) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.joints, [&](int j) {
    const JointModel& joint = model.joints[j];
    int number = joint.first_bound;
    const auto add = [&](double slip, double bound) {
      work.sliding_speed(number) = slip;
      work.sliding_force(number++) = slip > rounding_speed ? -bound : slip < -rounding_speed ? bound : 0.0;
    };
    if (joint.has_friction) add(coordinate_speed(system, work, j), system.parameters().joint_friction[j]);
    if (joint.has_motor)
      add(coordinate_speed(system, work, j) - motor_speed(system, work, j, time), system.parameters().motor_limit[j]);
  });
}

/// A motion that is cut where something stops sliding is longer than this part of the step: what stops earlier has
/// nothing but rounding errors left to slide.
inline constexpr double shortest_motion = 1e-12;
/// What slides for less than this part of a motion must not be moved by its bound through all of it.
inline constexpr double long_slide = 0.0625;

/// When the first friction or motor would stop sliding with the accelerations of the first stage, if it slides for a
/// small part of the motion only; infinity if none does.
JOSTLE_HD inline double short_slide(const System& system, AnyWorkspace auto work, const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  double first = infinity();
  for (int b = 0; b < d.joint_bounds; ++b) {
    const int r = d.contact_rows_end(progress.result.contacts) + b;
    const double slip = work.sliding_speed(b), force = work.sliding_force(b);
    const double rate = add_product(work.row_bias(r), work.row(r), work.next_velocity());
    if (force == 0 || !(rate * slip < 0)) continue;
    const double stop = -slip / rate;
    if (stop < first && stop < long_slide * progress.step.h) first = stop;
  }
  return first;
}

/// When the first friction or motor stops sliding, as if its speed were linear in time; the length of the motion if
/// none does.
JOSTLE_HD inline double time_of_stop(const System& system, AnyWorkspace auto work, const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const double h = progress.step.h;
  double first = h;
  for (int b = 0; b < d.joint_bounds; ++b) {
    const int r = d.contact_rows_end(progress.result.contacts) + b;
    const double before = work.sliding_speed(b), force = work.sliding_force(b);
    const double change = add_product(0, work.row(r), work.velocity_change());
    const double after = add_product(work.row_bias(r) + change, work.row(r), work.velocity());
    if (force == 0 || !(after * force > 0)) continue;
    const double stop = h * (before / (before - after));
    if (stop < first && stop > shortest_motion * system.model.step) first = stop;
  }
  return first;
}

/// Takes the limits of speeds off the list that are not reached. Ends synced.
template <class Team>
JOSTLE_HD void drop_free_speeds(const Team& team, const System& system, AnyWorkspace auto work) {
  if (system.model.dimensions.speed_limits == 0) return;
  team.for_each(system.model.dimensions.joints, [&](int j) {
    for (const int limit : {lower_limit, upper_limit}) {
      if ((work.listed_limits(j) & speed_limit * limit) == 0) continue;
      if (speed_margin(system, j, limit, coordinate_speed(system, work, j)) > rounding_speed)
        work.listed_limits(j) &= ~(speed_limit * limit);
    }
  });
  team.sync();
}

/// When the first joint reaches a limit of its speed in a motion of length h that is made, as if speeds were linear in
/// time; h if none does.
JOSTLE_HD inline double time_of_speed_limit(const System& system, AnyWorkspace auto work, double h) {
  double first = h;
  if (system.model.dimensions.speed_limits == 0) return first;
  for (int j = 0; j < system.model.dimensions.joints; ++j) {
    for (const int limit : {lower_limit, upper_limit}) {
      const int bit = speed_limit * limit;
      if ((speed_limits_of(system.model.joints[j]) & ~work.listed_limits(j) & bit) == 0) continue;
      const CoordinateRow start = coordinate_row(system, j, work.pose(), work.pose(), work.prescribed_start());
      const CoordinateRow end =
          coordinate_row(system, j, work.predicted_pose(), work.predicted_pose(), work.prescribed_velocity());
      const double before = speed_margin(system, j, limit, add_product(start.told, start.g, work.velocity()));
      const double after = speed_margin(system, j, limit, add_product(end.told, end.g, velocities_at_end(work)));
      if (!(after < -rounding_speed) || !(before > 0)) continue;
      const double reached = h * (before / (before - after));
      if (reached < first && reached > shortest_motion * system.model.step) first = reached;
    }
  }
  return first;
}

/// Equations, friction, motors and limits of the joints in a stage. What slides has its force in r and no bound left.
/// Ends synced.
template <class Team>
JOSTLE_HD void add_joint_accelerations(const Team& team, const System& system, AnyWorkspace auto work, double time,
                                       MixedLcp& problem) {
  const ModelView& model = system.model;
  write_joint_rows(team, system, work, problem, work.predicted_pose(), [&](int j, const PlacedJoint& placed) {
    return [turning = EquationTurning(system, work, j, placed)](double, const ConstraintRow&, double, double, int i) {
      return -turning(i);
    };
  });
  const int first_bound = problem.rows;
  write_joint_blocks(team, system, work, problem, work.predicted_pose(), time, 1,
                     [](double, const ConstraintRow&, double, double) { return 0.0; });
  const int blocks_before_rows = problem.rows - problem.blocks;
  team.for_each(model.dimensions.joints, [&](int j) {
    const JointModel& joint = model.joints[j];
    if (!joint.has_coordinate()) return;
    const JointBlockRows rows = work.joint_block(j);
    const double turning = turning_of_coordinate(system, work, j, work.predicted_pose(), work.velocity());
    const auto bias = [&](int row, double own) {
      work.row_bias(row) = with_told(own, prescribed_speed(model.dimensions, work, row));
    };
    const auto set = [&](int row, double own) {
      bias(row, own);
      if (work.sliding_force(row - first_bound) != 0) work.block(row - blocks_before_rows).bound = 0;
    };
    if (rows.friction >= 0) set(rows.friction, turning);
    if (rows.motor >= 0) {
      const auto operands = work.operands().from(j * model.dimensions.operands);
      set(rows.motor, turning - evaluate_with_rate_at(system, joint.speed, time, operands).rate);
    }
    if (rows.lower >= 0) bias(rows.lower, turning);
    if (rows.upper >= 0) bias(rows.upper, -turning);
    if (rows.slowest >= 0) bias(rows.slowest, turning);
    if (rows.fastest >= 0) bias(rows.fastest, -turning);
  });
  team.sync();
  team.for_each(model.dimensions.movers, [&](int m) {
    for (int b = 0; b < model.dimensions.joint_bounds; ++b) {
      const ConstraintRow& row = work.row(first_bound + b);
      if (const int side = side_of(row, m); side >= 0)
        store(six(work.momentum(m)) + work.sliding_force(b) * six(row.entry[side]), work.momentum(m));
    }
  });
  team.sync();
}

}  // namespace jostle

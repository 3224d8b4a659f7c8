#pragma once
// Friction of joints and motors whose force has a constant bound, docs/theory.md, "Accelerations": those that slide
// when a piece of a step begins have their bound against their speed.
#include "core/accelerations/joint_acceleration.hpp"
#include "core/dynamics/forces.hpp"
#include "core/events/impact.hpp"

namespace jostle {

/// The speed of the motor of joint j, rad/s or m/s.
JOSTLE_HD inline double motor_speed(const System& system, const AnyWorkspace auto& work, int j, double time) {
  return evaluate_at(system, system.model.joints[j].speed, time,
                     work.operands().from(j * system.model.dimensions.operands));
}

/// work.sliding_force() of frictions and motors: the bound against the direction in which they slide; 0: they do not.
/// Does not sync.
template <class Team>
JOSTLE_HD void write_sliding_forces(const Team& team, const System& system, const AnyWorkspace auto& work,
                                    double time) {
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

/// Motions that are shorter than this part of the step are not cut where something stops sliding.
inline constexpr double shortest_motion = 1e-3;

/// When the first friction or motor stops sliding, as if its speed were linear in time; the length of the motion if
/// none does. Very short motions are not cut.
JOSTLE_HD inline double time_of_stop(const System& system, const AnyWorkspace auto& work,
                                     const StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const double h = progress.step.h;
  double first = h;
  for (int b = 0; b < d.joint_bounds; ++b) {
    const int r = progress.result.contacts * d.rows_per_contact() + b;
    const double before = work.sliding_speed(b), force = work.sliding_force(b);
    const double change = add_product(0, work.row(r), work.velocity_change());
    const double after = add_product(work.row_bias(r) + change, work.row(r), work.velocity());
    if (force == 0 || !(after * force > 0)) continue;
    const double stop = h * (before / (before - after));
    if (stop < first && stop > shortest_motion * system.model.step) first = stop;
  }
  return first;
}

}  // namespace jostle

#pragma once
// The energy that a step adds beyond the work of forces, springs and motors, docs/theory.md (22a): that of contacts and
// of the gyroscopic impulses. And how much of a body's rotation the gyroscopic impulses have made.
#include "core/dynamics/coordinate_mass.hpp"
#include "core/joints/joint_state.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// m/s, rad/s: slower motion than this is not looked at where energy grows, as what closes a joint or a contact.
inline constexpr double slowest_growth = 1e-6;

/// Of mover m: (v_l + v_{l+1})/2 . (M (v_{l+1} - v_l) - h k), the same less h k . (v_{l+1} - v_l)/2, and the kinetic
/// energies of v_l, v_{l+1} and M^-1 r.
JOSTLE_HD inline StepEnergy step_energy_of(const System& system, AnyWorkspace auto work, int m) {
  StepEnergy energy;
  const int body = system.model.movers[m];
  const double mass = system.parameters().mass[body];
  const double* const inertia = system.parameters().inertia + 3 * body;
  const Vec6 inertias{mass, mass, mass, inertia[0], inertia[1], inertia[2]};
  const Six M = six(inertias), before = six(work.velocity(m)), after = six(work.next_velocity(m)),
            r = six(work.momentum(m)), applied = six(work.applied(m)), change = after - before;
  const Six done = 0.5 * (before + after) * (M * change - applied);
  Vec6 by_mean, by_end, in_play;  // of each freedom
  store(done, by_mean), store(done - 0.5 * applied * change, by_end);
  store(0.5 * (M * (before * before + after * after) + r * r / M), in_play);
  for (int k = 0; k < 6; ++k) {
    if (!system.model.bodies[body].is_free(k)) continue;
    energy.by_mean += by_mean[k], energy.by_end += by_end[k], energy.in_play += in_play[k];
  }
  return energy;
}

/// Adds what armatures gain, and have; without the work of bodies that move as told unless the piece `has_stages`.
JOSTLE_HD inline void add_armatures(const System& system, AnyWorkspace auto work, bool has_stages, StepEnergy& energy) {
  if (!system.model.dimensions.has_armature) return;
  const ArmatureEnergy of_armatures = armature_energy(system, work);
  const double gained = of_armatures.after - of_armatures.before - (has_stages ? 0.0 : of_armatures.told);
  energy.by_mean += gained, energy.by_end += gained;
  energy.in_play += of_armatures.before + of_armatures.after;
}

/// Of the whole system, without the work of motors; the same on all lanes.
JOSTLE_HD inline StepEnergy step_energy(const System& system, AnyWorkspace auto work) {
  StepEnergy energy;
  for (int m = 0; m < system.model.dimensions.movers; ++m) energy.add(step_energy_of(system, work, m));
  if constexpr (decltype(work)::is_coupled) {
    const MotorWork motors = motor_work(system, work);
    energy.by_mean -= motors.by_mean;
    energy.by_end -= motors.by_mean + motors.more_by_end;
    energy.by_drives = motors.by_mean;
    add_armatures(system, work, false, energy);
  }
  return energy;
}

/// J: what contacts and limits that open in a piece with stages have not done, though their impulses have at the mean
/// velocity: they act only in stages in which they touch.
JOSTLE_HD JOSTLE_OUTLINE inline double work_of_opening(const System& system, AnyWorkspace auto work, int contacts) {
  const Dimensions& d = system.model.dimensions;
  double sum = 0;
  const auto add = [&](int r) {
    if (r < 0 || !(work.row_impulse(r) > 0)) return;
    double before = add_product(0, work.row(r), work.velocity()),
           after = add_product(0, work.row(r), work.next_velocity());
    if (d.prescribed > 0 && work.prescribed_half(r).number >= 0) {
      const PrescribedHalf& half = work.prescribed_half(r);
      before += dot(six(half.entry), six(work.prescribed_start(half.number)));
      after += dot(six(half.entry), six(work.prescribed_velocity(half.number)));
    }
    if (after > slowest_growth) sum += work.row_impulse(r) * (0.5 * (before + after));
  };
  for (int c = 0; c < contacts; ++c) add(d.contact_rows(c).normal);
  for (int j = 0; j < d.joints; ++j) add(work.joint_block(j).lower), add(work.joint_block(j).upper);
  return sum;
}

/// Of a piece with stages, in which forces and motors have done the work `done`, J, `by_drives` of it motors and
/// friction of joints.
JOSTLE_HD inline StepEnergy energy_of_stages(const System& system, AnyWorkspace auto work, int contacts, double done,
                                             double by_drives) {
  StepEnergy energy{-done - work_of_opening(system, work, contacts), 0, 0, by_drives};
  for_each_freedom(system, [&](int m, int k, double M) {
    const double before = work.velocity(m)[k], after = work.next_velocity(m)[k], r = work.momentum(m)[k];
    energy.by_mean += 0.5 * M * (after * after - before * before);
    energy.in_play += 0.5 * (M * (before * before + after * after) + r * r / M);
  });
  energy.by_end = energy.by_mean;
  add_armatures(system, work, true, energy);
  return energy;
}

/// J.
JOSTLE_HD inline double rotational_energy(const Vec3& J, const Vec3& w) { return 0.5 * dot(angular_momentum(J, w), w); }

/// J: the part of mover m's rotational energy that gyroscopic impulses have made, and that energy, after the step.
struct GyroscopicWork {
  double made, energy;
};
/// What other impulses take away is taken from both in proportion.
JOSTLE_HD inline GyroscopicWork gyroscopic_work(const System& system, AnyWorkspace auto work, int m) {
  const int body = system.model.movers[m];
  const Vec3 J = vector_at(system.parameters().inertia, body);
  const Vec3 before = work.velocity(m).angular(), after = work.next_velocity(m).angular();
  const double added = 0.5 * dot(before + after, work.gyroscopic(m));
  const double made = system.state().gyroscopic_work[body] + added;
  const double without_others = rotational_energy(J, before) + added, energy = rotational_energy(J, after);
  return {energy < without_others ? made * (energy / without_others) : made, energy};
}

/// A body with no more than this part of its kinetic energy in its spin has only rounding errors of a spin.
inline constexpr double least_rotation = 1e-24;

/// Have gyroscopic impulses made more than half of a body's rotational energy?
template <class Team>
JOSTLE_HD bool energy_grows(const Team& team, const System& system, AnyWorkspace auto work) {
  if (system.model.dimensions.movers == 0) return false;
  return any_of(team, system.model.dimensions.movers, [&](int m) {
    const int body = system.model.movers[m];
    if (system.model.bodies[body].rotation != RotationKind::free) return false;
    const GyroscopicWork of_body = gyroscopic_work(system, work, m);
    if (!(of_body.made > 0.5 * of_body.energy)) return false;
    const Vec3 v = work.next_velocity(m).linear(), w = work.next_velocity(m).angular();
    if (!(dot(w, w) > slowest_growth * slowest_growth)) return false;  // as of a body that is welded
    return of_body.energy > least_rotation * 0.5 * system.parameters().mass[body] * dot(v, v);
  });
}

}  // namespace jostle

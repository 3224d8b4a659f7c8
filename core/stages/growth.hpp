#pragma once
// Whether a piece of a step has made most of the energy that it ends with, docs/theory.md (22b): then what follows is
// no motion but an explosion of the scheme.
#include "core/stages/energy.hpp"

namespace jostle {

/// A piece explodes if it gains more than this part of the energy in play.
inline constexpr double most_gain = 0.5;
/// Where the kinetic energy does not grow by this factor, the work of forces is not looked at.
inline constexpr double most_growth = 2;

/// Of the kinetic energy a step before, this part is in play: joints close the error (h w)^2 r / 2 that a body has
/// left, which turned with w in a step of h, at the speed h w^2 r / 2, (h w / 2)^2 of its energy, and h w is 1/2 at
/// most where anything is accurate.
inline constexpr double part_of_errors = 0x1p-4;

/// A body that is pushed out of an overlap moves others at most this many times as fast.
inline constexpr double most_lever = 32;

/// m/s, rad/s: at most that with which a step of length h closes what joints and contacts are open by rounding errors.
JOSTLE_HD inline double speed_of_closing(double h) { return slowest_growth + 10 * start_overlap / h; }

namespace detail {

/// J: the kinetic energies at both ends of the piece, at the speed of closing, and those that its applied impulses
/// alone would give.
JOSTLE_HD inline double energy_of_piece(const System& system, AnyWorkspace auto work) {
  const double slowest = speed_of_closing(system.model.step);
  double sum = 0;
  for_each_freedom(system, [&](int m, int k, double M) {
    const double before = work.velocity(m)[k], after = work.next_velocity(m)[k], applied = work.applied(m)[k];
    sum += 0.5 * (M * (before * before + after * after + slowest * slowest) + applied * applied / M);
  });
  return sum;
}

/// J: of all movers with these squares of speeds, m^2/s^2 and rad^2/s^2.
JOSTLE_HD inline double energy_at(const System& system, double linear, double angular) {
  double sum = 0;
  for_each_freedom(system, [&](int, int k, double M) { sum += 0.5 * M * (k < 3 ? linear : angular); });
  return sum;
}

/// J: what contacts and limits at most give where they push an overlap out: c_n times the speed that they ask for, and
/// no more than moves all bodies most_lever times as fast. Near a jam, c_n is whatever makes a body move that friction
/// and joints hold.
JOSTLE_HD double energy_of_pushing_out(const System& system, AnyWorkspace auto work, int contacts) {
  const Dimensions& d = system.model.dimensions;
  double sum = 0, fastest = 0;
  const auto add = [&](int r) {
    const double speed = r < 0 ? 0.0 : prescribed_speed(d, work, r) - work.row_bias(r);
    if (!(speed > 0)) return;
    sum += work.row_impulse(r) * speed;
    if (speed > fastest) fastest = speed;
  };
  for (int c = 0; c < contacts; ++c) add(d.contact_rows(c).normal);
  if constexpr (decltype(work)::is_coupled) {
    for (int j = 0; j < d.joints; ++j) add(work.joint_block(j).lower), add(work.joint_block(j).upper);
  }
  const double square = (most_lever * fastest) * (most_lever * fastest), most = energy_at(system, square, square);
  return sum < most ? sum : most;
}

/// J, in springs with their ends at `poses`.
JOSTLE_HD double energy_of_springs_at(const System& system, const auto& poses) {
  double sum = 0;
  for (int i = 0; i < system.model.dimensions.springs; ++i) {
    const double stretch = spring_stretch(system, i, poses);
    sum += 0.5 * system.parameters().spring_stiffness[i] * (stretch * stretch);
  }
  return sum;
}

/// Exchanges the velocities at both ends of the piece. Begins and ends synced.
template <class Team>
JOSTLE_HD void exchange_velocities(const Team& team, const System& system, AnyWorkspace auto work) {
  team.for_each(system.model.dimensions.movers, [&](int m) {
    const Vec6 before = work.velocity(m);
    work.velocity(m) = work.next_velocity(m), work.next_velocity(m) = before;
  });
  team.sync();
}

/// J: work of forces, and its size.
struct WorkOfForces {
  double done, size;
};

/// Of forces that are first and last at the ends of a piece of length h. The scheme moves bodies by h times the
/// velocity v_l + part (v_{l+1} - v_l), but a drag does the work of the mean velocity. Where a force turns round, the
/// least of these counts; where it does not, the most, with those of both ends, and no more of its size.
JOSTLE_HD inline WorkOfForces work_between(const Six& first, const Six& last, const Six& before, const Six& after,
                                           double part, double h) {
  const Six mean = 0.5 * (before + after);
  const auto over = [&](const Six& velocity) { return 0.5 * h * (dot(first, velocity) + dot(last, velocity)); };
  const auto size = [&](const Six& velocity) {
    return 0.5 * h * (std::fabs(dot(first, velocity)) + std::fabs(dot(last, velocity)));
  };
  WorkOfForces work{over(before + part * (after - before)), size(mean)};
  if (!(dot(first, last) > 0)) {
    if (over(mean) < work.done) work.done = over(mean);
    return work;
  }
  for (const Six& velocity : {before, mean, after}) {
    if (!(over(velocity) > work.done)) continue;
    work.done = over(velocity);
    if (size(velocity) < work.size) work.size = size(velocity);
  }
  return work;
}

/// Of all forces on movers, as they are at `time`, in the piece from q_l to q_{l+1}: the trapezoidal rule, which is
/// exact for a linear spring. Uses work.predicted_velocity(), which nothing needs at the end of a piece. Begins and
/// ends synced.
template <class Team>
JOSTLE_HD WorkOfForces work_of_forces_at(const Team& team, const System& system, AnyWorkspace auto work, double time,
                                         double h) {
  const int movers = system.model.dimensions.movers;
  const double part = facts_of(system.model.method).end_weight;
  const auto force = [&](int m, const auto& poses) {
    const BodyModel& body = system.model.bodies[system.model.movers[m]];
    const Wrench acting = external_force_on(system, work, poses, poses, m, time, work.velocity());
    Vec6 all;
    for (int k = 0; k < 6; ++k) all[k] = body.is_free(k) ? acting[k] : 0.0;
    return all;
  };
  team.for_each(movers, [&](int m) { work.predicted_velocity(m) = force(m, work.pose()); });
  team.sync();
  exchange_velocities(team, system, work);
  team.for_each(movers, [&](int m) {
    const WorkOfForces own = work_between(six(work.predicted_velocity(m)), six(force(m, work.next_pose())),
                                          six(work.next_velocity(m)), six(work.velocity(m)), part, h);
    work.predicted_velocity(m) = {own.done, own.size, 0, 0, 0, 0};
  });
  team.sync();
  exchange_velocities(team, system, work);
  WorkOfForces sum{};
  for (int m = 0; m < movers; ++m) sum.done += work.predicted_velocity(m)[0], sum.size += work.predicted_velocity(m)[1];
  team.sync();
  return sum;
}

/// J: kinetic energies at both ends of a piece, those of armatures too, and what its applied impulses give at the mean
/// velocity.
struct KineticEnergies {
  double before = 0, after = 0, applied = 0;
  double moved = 0;  ///< the same without signs, freedom by freedom
};
JOSTLE_HD inline KineticEnergies kinetic_energies(const System& system, AnyWorkspace auto work) {
  KineticEnergies sum;
  for_each_freedom(system, [&](int m, int k, double M) {
    const double before = work.velocity(m)[k], after = work.next_velocity(m)[k];
    sum.before += 0.5 * (M * (before * before)), sum.after += 0.5 * (M * (after * after));
    const double given = 0.5 * (work.applied(m)[k] * (before + after));
    sum.applied += given, sum.moved += std::fabs(given);
  });
  if constexpr (decltype(work)::is_coupled) {
    if (!system.model.dimensions.has_armature) return sum;
    const ArmatureEnergy of_armatures = armature_energy(system, work);
    sum.before += of_armatures.before, sum.after += of_armatures.after;
  }
  return sum;
}

/// J: at the speed with which rounding errors of the start are closed, and at those of bodies that move as told.
JOSTLE_HD inline double least_energy(const System& system, AnyWorkspace auto work, double h) {
  const double slowest = speed_of_closing(h);
  double linear = slowest * slowest, angular = linear;  // squares
  for (int p = 0; p < system.model.dimensions.prescribed; ++p) {
    const Vec6 w = work.prescribed_velocity(p);
    const double v = dot(w.linear(), w.linear()), spin = dot(w.angular(), w.angular());
    if (v > linear) linear = v;
    if (spin > angular) angular = spin;
  }
  return energy_at(system, linear, angular);
}

/// Whether the energy of motion and springs grows by more than half of itself beyond the work of forces that depend on
/// the motion, as that of a spring does that is too stiff for the step. What rows give is not theirs; in stages the two
/// are not told apart. `pushed`: J, what pushing out has given.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool forces_explode(const Team& team, const System& system, AnyWorkspace auto work,
                                             const StepProgress& progress, const StepEnergy& account, double pushed) {
  const TimeStep step = progress.step;
  const bool only_springs = system.model.forces_count == 0;
  const KineticEnergies kinetic = kinetic_energies(system, work);
  if (!(kinetic.after > most_growth * kinetic.before)) return false;
  const double stored = energy_of_springs_at(system, work.pose()) + energy_of_springs_at(system, work.next_pose());
  WorkOfForces forces{-infinity(), 0};  // they may depend on time: the most of start, middle and end
  for (int i = 0; i < 3; ++i) {
    const auto [done, size] = work_of_forces_at(team, system, work, step.time + 0.5 * i * step.h, step.h);
    if (done > forces.done) forces.done = done;
    if (size > forces.size) forces.size = size;
  }
  const double by_rows = account.by_mean - pushed;
  const double gained =
      (by_rows > 0 && !system.model.dimensions.has_stages ? 0.0 : by_rows) + kinetic.applied - forces.done;
  const double slowest = speed_of_closing(system.model.step),
               least = energy_at(system, slowest * slowest, slowest * slowest);
  return gained > most_gain * (progress.energy_at_start + kinetic.before + kinetic.after + least +
                               (only_springs ? stored : forces.size));
}

}  // namespace detail

/// Whether a piece with this account has gained more than half of the energy in play, beyond what motors take. Where
/// friction has stopped a drive that goes on pressing, joints close what its motion has left open, and push it back by
/// that: the work of their large forces is more than all energy of a motion so slow. In a later piece the kinetic
/// energy at the start of the step counts, too: an impact may have taken it, but how far joints are open is left from
/// that motion; and of `energy_before`, J, kinetic, a step before, that part counts which errors may have. The same on
/// all lanes; begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool explodes(const Team& team, const System& system, AnyWorkspace auto work,
                                       const StepProgress& progress, const StepEnergy& account, double energy_before) {
  const double gained = account.gain(), taken = account.by_drives < 0 ? -account.by_drives : 0.0;
  // energy_of_piece is at least this part of that in play; in r of schemes that solve for v_l + v_{l+1} M v_l is twice.
  const double least_part = facts_of(system.model.method).solves_for_sum ? 1.0 / 9 : 1.0 / 3;
  const bool by_rows = gained > least_part * most_gain * account.in_play;
  const bool by_forces = system.model.has_state_forces;
  if (!by_rows && !by_forces) return false;
  const double pushed = detail::energy_of_pushing_out(system, work, progress.result.contacts);
  const auto in_play = [&] {
    return detail::energy_of_piece(system, work) + detail::least_energy(system, work, system.model.step) +
           progress.energy_at_start + part_of_errors * energy_before;
  };
  if (by_rows && gained - pushed - taken > most_gain * in_play()) return true;
  return by_forces && detail::forces_explode(team, system, work, progress, account, pushed);
}

}  // namespace jostle

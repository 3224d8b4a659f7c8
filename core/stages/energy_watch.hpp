#pragma once
// Whether the steps so far have made most of the kinetic energy that there is, docs/theory.md (22c): explosions that
// take many steps, as that of a spring which gains a little in each.
#include "core/stages/growth.hpp"

namespace jostle {

/// A system explodes if it has so many times the kinetic energy that anything has ever put in.
inline constexpr double most_unexplained = 100;

/// StateView::energy_watch, J.
struct EnergyWatch {
  double put_in;  ///< at the start and since then, less what forces have taken
  double most;    ///< that it ever was; 0: nothing is known
  double before;  ///< kinetic, at the start of the last step, or the last piece of a step
};
JOSTLE_HD inline EnergyWatch energy_watch(const StateView& state) {
  return {state.energy_watch[0], state.energy_watch[1], state.energy_watch[2]};
}
JOSTLE_HD inline void keep_energy(const StateView& state, const EnergyWatch& watch) {
  state.energy_watch[0] = watch.put_in, state.energy_watch[1] = watch.most, state.energy_watch[2] = watch.before;
}

namespace detail {

/// J: work of gravity and applied forces on mover m in a piece, as they are at `time`. Those that follow the motion act
/// at both ends, over the way; others at the mean velocity, as the scheme lets them, or over the way if that is more:
/// where they nearly cancel those that follow the motion, the difference of two rules would be all that is left.
JOSTLE_HD double work_on_mover(const System& system, AnyWorkspace auto work, int m, double time, double h) {
  const double part = facts_of(system.model.method).end_weight;
  const int body = system.model.movers[m];
  const Vec6 v = work.velocity(m), next = work.next_velocity(m);
  const auto first = work.pose(), last = work.next_pose();
  const Wrench before = external_force_on(system, work, first, first, m, time, work.velocity(), ForceKind::following);
  const Wrench after = external_force_on(system, work, last, last, m, time, work.next_velocity(), ForceKind::following);
  const Wrench given = external_force_on(system, work, first, first, m, time, work.velocity(), ForceKind::given);
  const Vec3 way = last[body].position - first[body].position;
  const double by_mean = 0.5 * h * dot(given.force, v.linear() + next.linear()), by_way = dot(given.force, way);
  double sum = 0.5 * dot(before.force + after.force, way) + (by_way > by_mean ? by_way : by_mean);
  for (int k = 0; k < 3; ++k) {
    if (!system.model.bodies[body].is_free(3 + k)) continue;
    const double w = v[3 + k], change = next[3 + k] - w;
    const double turn_by_mean = given.torque[k] * (w + 0.5 * change),
                 turn_by_way = given.torque[k] * (w + part * change);
    sum += h * (0.5 * (before.torque[k] + after.torque[k]) * (w + part * change) +
                (turn_by_way > turn_by_mean ? turn_by_way : turn_by_mean));
  }
  return sum;
}

/// J: the same as work_of_spring, of a spring along the coordinate of a joint.
JOSTLE_HD JOSTLE_OUTLINE inline double work_of_joint_spring(const System& system, AnyWorkspace auto work, int spring,
                                                            double h) {
  const int joint = system.model.springs[spring].joint;
  const auto last = work.next_pose();
  const double first_stretch = spring_stretch(system, spring, work.pose()),
               last_stretch = spring_stretch(system, spring, last), change = last_stretch - first_stretch;
  const double way = change - h * coordinate_row(system, joint, last, last, work.prescribed_velocity()).told;
  const double damped = -system.parameters().spring_damping[spring] * (change / h) * way;
  return -0.5 * (system.parameters().spring_stiffness[spring] * (first_stretch + last_stretch)) * way +
         (damped > 0 ? damped : 0.0);
}

/// J: what a spring gives the movers at its ends in a piece of length h, exact along a line that does not turn, and its
/// damper where it gives any: between movers it only takes.
JOSTLE_HD double work_of_spring(const System& system, AnyWorkspace auto work, int spring, double h) {
  const ModelView& model = system.model;
  if constexpr (decltype(work)::is_coupled) {
    if (model.springs[spring].joint >= 0) return work_of_joint_spring(system, work, spring, h);
  }
  const double rest = system.parameters().spring_rest[spring];
  const SpringLine first = spring_line(system, spring, work.pose()),
                   last = spring_line(system, spring, work.next_pose());
  const Vec3 pull = (first.length - rest) * first.direction + (last.length - rest) * last.direction;
  const auto over_way = [&](const Vec3& force) {  // of b towards a
    const auto way = [&](int body, const Vec3& before, const Vec3& after) {
      if (mover_of(model, body) == no_body) return 0.0;
      return dot(force, Vec3(work.next_pose(body).position + after - work.pose(body).position - before));
    };
    return 0.5 * (way(model.springs[spring].body_a, first.arm_a, last.arm_a) -
                  way(model.springs[spring].body_b, first.arm_b, last.arm_b));
  };
  const double rate = (last.length - first.length) / h;
  const double damped =
      system.parameters().spring_damping[spring] * rate * over_way(Vec3(first.direction + last.direction));
  return system.parameters().spring_stiffness[spring] * over_way(pull) + (damped > 0 ? damped : 0.0);
}

/// J: work of gravity, springs and applied forces in a piece. Of forces that change with time the most of its start,
/// middle and end. Uses work.predicted_velocity(), which nothing needs at the end of a piece. The same on all lanes;
/// begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE double work_of_state_forces(const Team& team, const System& system, AnyWorkspace auto work,
                                                     const TimeStep& step) {
  const ModelView& model = system.model;
  const int movers = model.dimensions.movers, times = model.changes_with_time && model.forces_count > 0 ? 3 : 1;
  team.for_each(movers, [&](int m) {
    double most = -infinity();
    for (int i = 0; i < times; ++i) {
      const double done = work_on_mover(system, work, m, step.time + 0.5 * i * step.h, step.h);
      if (done > most) most = done;
    }
    work.predicted_velocity(m)[0] = most;
  });
  team.sync();
  double sum = 0;
  for (int m = 0; m < movers; ++m) sum += work.predicted_velocity(m)[0];
  for (int s = 0; s < model.dimensions.springs; ++s) sum += work_of_spring(system, work, s, step.h);
  team.sync();
  return sum;
}

}  // namespace detail

/// Contacts alone, under the method of Stewart & Trinkle and given forces, put in nothing but what pushes overlaps out.
JOSTLE_HD inline bool may_outgrow(const ModelView& model) {
  return model.has_state_forces || !model.dimensions.is_plain();
}

/// Adds what a piece with this account puts in to `watch`, and returns whether it began with more than a hundred times
/// as much kinetic energy as was ever put in, by the piece too: where a force takes hold of a body at rest, Anitescu
/// and Potra's method moves it a step later. Impacts may restore more than there was. The same on all lanes; begins and
/// ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool outgrows(const Team& team, const System& system, AnyWorkspace auto work,
                                       const StepProgress& progress, const StepEnergy& account, EnergyWatch& watch) {
  const TimeStep step = progress.step;
  const detail::KineticEnergies kinetic = detail::kinetic_energies(system, work);
  if (!(watch.most > 0)) watch.put_in = watch.most = kinetic.before;
  watch.before = kinetic.before;
  double given = kinetic.after - kinetic.before - account.by_mean;  // by forces, motors and bodies that move as told
  const bool is_impact = !(step.h > 0);
  if (is_impact && account.by_mean > 0) given += account.by_mean;
  if (!is_impact && system.model.has_state_forces) {
    const double by_forces = detail::work_of_state_forces(team, system, work, step),
                 by_drives = given - kinetic.applied;
    given = by_drives + by_forces;
    // Where a drive works against a spring, what is left of the two may be less than a scheme's error of either.
    const double smaller = std::fabs(by_drives) < std::fabs(by_forces) ? by_drives : by_forces;
    if (by_drives * by_forces < 0) watch.most += std::fabs(smaller) / most_unexplained;
  }
  const auto put_in = [&](double more) {
    watch.put_in += more;
    if (watch.put_in > watch.most) watch.most = watch.put_in;
  };
  put_in(given);
  // Forces that nearly cancel, as gravity and a torque that tips a body, leave less than a scheme's error.
  if (!is_impact && !system.model.has_state_forces) watch.most += kinetic.moved / most_unexplained;
  const auto is_explained = [&] {
    return !(kinetic.before > most_unexplained * (watch.most + detail::least_energy(system, work, step.h)));
  };
  if (is_impact || !(kinetic.before > most_unexplained * watch.most) || is_explained()) return false;
  put_in(detail::energy_of_pushing_out(system, work, progress.result.contacts));
  return !is_explained();
}

}  // namespace jostle

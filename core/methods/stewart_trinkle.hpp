#pragma once
// One step of Stewart & Trinkle, "An implicit time-stepping scheme for rigid body dynamics with inelastic
// collisions and Coulomb friction", IJNME 39 (1996) 2673-2691; docs/theory.md (18) ff.:
//
//     M (v_{l+1} - v_l) = n c_n + D beta + h k                 k at (t_l + h/2, q_l (+) (h/2) v_l, v_l)
//     0 <= n'(v_{l+1} - u) + Phi(q^)/h  _|_ c_n >= 0            q^ = q_l (+) h u
//     0 <= D' v_{l+1} + e lambda        _|_ beta >= 0
//     0 <= mu c_n - e' beta             _|_ lambda >= 0
//     q_{l+1} = q_l (+) h v_{l+1}
//
// predicted:   u = v_l, one LCP.
// fixed_point: u is the last solution until h |v - u| <= 1e-13 max(1, |x|), at most 50 LCPs.
#include "core/stages/pivot.hpp"

namespace jostle {

inline constexpr int max_fixed_point_solves = 50;
inline constexpr Real fixed_point_tolerance = 1e-13;

/// h |v - u|inf <= 1e-13 max(1, |x|inf).
template <class Team>
JOSTLE_HD bool has_converged(const Team& team, const System& system, const Workspace& work) {
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const Dimensions& d = system.model.dimensions;
  const Real change = from_magnitude_bits(team.select(
      d.freedoms, [&](int k) { return magnitude_bits(work.next_velocity[k] - work.predicted_velocity[k]); }, larger));
  const Real extent = from_magnitude_bits(team.select(
      3 * d.bodies, [&](int i) { return magnitude_bits(system.state.position[i]); }, larger));
  return system.model.step * change <= fixed_point_tolerance * (extent > 1 ? extent : Real(1));
}

template <class Team>
JOSTLE_HD void predict(const Team& team, const System& system, const Workspace& work, const Real* velocity) {
  team.for_each(system.model.dimensions.freedoms, [&](int k) { work.predicted_velocity[k] = velocity[k]; });
  team.sync();
  move_bodies(team, system, work, work.predicted_velocity, work.predicted_pose, work.placed);
}

/// Solves with the present list, once or to convergence.
template <class Team, class Clock>
JOSTLE_HD void solve_listed(const Team& team, const System& system, const Workspace& work, const Clock& clock,
                            StepResult& result) {
  if (result.contacts == 0) return free_flight(team, system, work);
  for (int solve = 0; solve < max_fixed_point_solves; ++solve) {
    solve_contacts(team, system, work, clock, result);
    if (result.status != Status::ok || system.model.linearisation == Linearisation::predicted) return;
    if (has_converged(team, system, work)) return;
    predict(team, system, work, work.next_velocity);
  }
  result.status = Status::not_converged;
}

/// The first part of a step: what acts on the bodies, and the list of contacts.
template <class Team, class Clock = NoClock>
JOSTLE_HD void stewart_trinkle_collide(const Team& team, const System& system, const Workspace& work, Real time,
                                       const Clock& clock = {}) {
  load_masses(team, system, work);
  team.for_each(system.model.dimensions.bodies, [&](int b) { work.pose[b] = pose_of(system, b); });
  team.sync();
  load_momentum(team, system, work, time);
  predict(team, system, work, work.velocity);
  list_contacts(team, system, work);
  clock(Stage::collide);
}

/// The second part: from the list to work.next_velocity and work.next_pose; the state stays as it is. `capacity` with
/// result.contacts above work.contacts: go on with the first part in a larger workspace.
template <class Team, class Clock = NoClock>
JOSTLE_HD StepResult stewart_trinkle_solve(const Team& team, const System& system, const Workspace& work,
                                           const Clock& clock = {}) {
  StepResult result;
  for (bool missed = true; missed;) {
    result.contacts = number_contacts(team, system, work);
    if (result.contacts > work.contacts) {
      result.status = Status::capacity;
      return result;
    }
    if (result.solves > 0) predict(team, system, work, work.velocity);
    solve_listed(team, system, work, clock, result);
    if (result.status != Status::ok) return result;
    move_bodies(team, system, work, work.next_velocity, work.next_pose, work.next_placed);
    clock(Stage::integrate);
    missed = add_missed_contacts(team, system, work);
    clock(Stage::collide);
  }
  return result;
}

}  // namespace jostle

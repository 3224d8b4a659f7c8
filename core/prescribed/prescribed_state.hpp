#pragma once
// What the state and the tallies know of bodies with prescribed motion, and the work that these do.
#include "core/math/bits.hpp"
#include "core/prescribed/prescribed_motion.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// Velocity and spin of body number p in the state.
JOSTLE_HD inline void set_prescribed_velocity(const System& system, int p, const Vec6& velocity) {
  const int body = system.model.prescribed[p].body;
  set_vector(system.state().velocity, body, velocity.linear());
  set_vector(system.state().spin, body, velocity.angular());
}

/// The velocities at t = 0, at work.next_pose(); returns whether they are finite. Ends synced.
template <class Team>
JOSTLE_HD bool start_prescribed(const Team& team, const System& system, const AnyWorkspace auto& work) {
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    const Vec6 velocity = work.prescribed_velocity(p) =
        prescribed_velocity_at(system, work, p, 0, work.next_pose(system.model.prescribed[p].body));
    set_prescribed_velocity(system, p, velocity);
    set_vector(system.state().given_impulse, p, Vec3::Zero());
  });
  return !any_prescribed_infinite(team, system, work);
}

namespace detail {

/// visit(prescribed half, impulse, is_motor) for every row of contacts and joints that a body with prescribed motion
/// has.
template <bool IsCoupled>
JOSTLE_HD void for_each_prescribed_half(const System& system, const AnyWorkspace auto& work, int contacts, auto visit) {
  const ModelView& model = system.model;
  const auto visit_row = [&](int r, bool is_motor) {
    if (r >= 0 && work.prescribed_half(r).number >= 0) visit(work.prescribed_half(r), work.row_impulse(r), is_motor);
  };
  for (int r = 0; r < contacts * model.dimensions.rows_per_contact(); ++r) visit_row(r, false);
  if constexpr (IsCoupled) {
    for (int j = 0; j < model.dimensions.joints; ++j) {
      const JointBlockRows rows = work.joint_block(j);
      visit_row(rows.friction, false), visit_row(rows.motor, true);
      visit_row(rows.lower, false), visit_row(rows.upper, false);
    }
    for (int i = 0; i < model.dimensions.joint_rows; ++i) {
      const PrescribedHalf& half = work.prescribed_half(work.rows() + i);
      if (half.number >= 0) visit(half, work.joint_impulse(i), false);
    }
  }
}

}  // namespace detail

/// Writes what the step has done: velocities, and the impulses given to other bodies; those of later sub-steps are
/// added. Ends synced.
template <bool IsCoupled, class Team>
JOSTLE_HD void accept_prescribed(const Team& team, const System& system, const AnyWorkspace auto& work, int contacts,
                                 bool first) {
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    set_prescribed_velocity(system, p, work.prescribed_velocity(p));
    Vec3 given = first ? Vec3::Zero() : vector_at(system.state().given_impulse, p);
    detail::for_each_prescribed_half<IsCoupled>(system, work, contacts,
                                                [&](const PrescribedHalf& half, double impulse, bool) {
                                                  if (half.number == p) given -= impulse * half.entry.linear();
                                                });
    set_vector(system.state().given_impulse, p, given);
  });
  team.sync();
}

/// The negative of the work that bodies with prescribed motion do in a sub-step, which is no gain, and what of it is in
/// play. That of a motor between such a body and another is in motor_work() already. The same on all lanes.
template <bool IsCoupled>
JOSTLE_HD StepEnergy prescribed_energy(const System& system, const AnyWorkspace auto& work, int contacts) {
  StepEnergy energy;
  detail::for_each_prescribed_half<IsCoupled>(system, work, contacts,
                                              [&](const PrescribedHalf& half, double impulse, bool is_motor) {
                                                if (is_motor) return;
                                                energy.by_mean += impulse * half.speed;
                                                energy.in_play += std::fabs(impulse * half.speed);
                                              });
  energy.by_end = energy.by_mean;
  return energy;
}

}  // namespace jostle

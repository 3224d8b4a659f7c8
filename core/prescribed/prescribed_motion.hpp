#pragma once
// Bodies whose velocity and spin are given as functions of time: they move as told and take no impulse. What they do to
// other bodies enters the mixed LCP through b_n, b_t and s alone, docs/theory.md (43) to (45). The functions of teams
// are for models that have such a body.
#include "core/dynamics/body_rows.hpp"
#include "core/dynamics/forces.hpp"
#include "core/lcp/selection.hpp"
#include "core/math/six.hpp"

namespace jostle {

/// The velocity of prescribed body number p at time t, with the spin in the axes of `pose`.
JOSTLE_HD inline Vec6 prescribed_velocity_at(const System& system, AnyWorkspace auto work, int p, double time,
                                             const Pose& pose) {
  const PrescribedModel& motion = system.model.prescribed[p];
  const auto operands = work.operands().from(p * system.model.dimensions.operands);
  Vec3 v, w;
  for (int k = 0; k < 3; ++k) {
    v[k] = evaluate_at(system, motion.velocity[k], time, operands);
    w[k] = evaluate_at(system, motion.spin[k], time, operands);
  }
  const Vec3 spin = rotate_back(pose.axes, w);
  return {v[0], v[1], v[2], spin[0], spin[1], spin[2]};
}

/// Whether any of work.prescribed_velocity() or work.prescribed_rate() is not finite. Ends synced.
template <class Team>
JOSTLE_HD bool any_prescribed_infinite(const Team& team, const System& system, AnyWorkspace auto work) {
  const bool any = any_of(team, 6 * system.model.dimensions.prescribed, [&](int i) {
    return !is_finite(work.prescribed_velocity(i / 6)[i % 6]) || !is_finite(work.prescribed_rate(i / 6)[i % 6]);
  });
  team.sync();
  return any;
}

/// work.prescribed_velocity(): those at `time`, in the axes of `poses`; they are what rows have of them. False if one
/// is not finite. Ends synced.
template <class Team>
JOSTLE_HD bool load_prescribed(const Team& team, const System& system, AnyWorkspace auto work, double time,
                               const auto& poses) {
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    work.prescribed_rate(p) = work.prescribed_velocity(p) =
        prescribed_velocity_at(system, work, p, time, poses[system.model.prescribed[p].body]);
  });
  return !any_prescribed_infinite(team, system, work);
}

/// work.prescribed_rate() where the rows are those of accelerations: in the axes of `poses`, as R w is the spin in the
/// world and R w' its derivative. False if one, or a velocity, is not finite. Ends synced.
template <class Team>
JOSTLE_HD bool load_prescribed_accelerations(const Team& team, const System& system, AnyWorkspace auto work,
                                             double time, const auto& poses) {
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    const PrescribedModel& motion = system.model.prescribed[p];
    const auto operands = work.operands().from(p * system.model.dimensions.operands);
    Vec3 v, w;
    for (int k = 0; k < 3; ++k) {
      v[k] = evaluate_with_rate_at(system, motion.velocity[k], time, operands).rate;
      w[k] = evaluate_with_rate_at(system, motion.spin[k], time, operands).rate;
    }
    const Vec3 turned = rotate_back(poses[motion.body].axes, w);
    work.prescribed_rate(p) = {v[0], v[1], v[2], turned[0], turned[1], turned[2]};
  });
  return !any_prescribed_infinite(team, system, work);
}

/// Whether any body with prescribed motion moves in this step.
template <class Team>
JOSTLE_HD bool moves_prescribed(const Team& team, const System& system, AnyWorkspace auto work) {
  const int count = system.model.dimensions.prescribed;
  const auto moves = [&](int i) { return work.prescribed_velocity(i / 6)[i % 6] != 0; };
  return any_of(team, 6 * count, moves);
}

/// What prescribed motion adds to the speed of row r of J, m/s or rad/s, or in a stage of accelerations to its
/// acceleration; those of N' follow after work.rows().
JOSTLE_HD inline double prescribed_speed(const Dimensions& d, AnyWorkspace auto work, int r) {
  return d.prescribed > 0 ? work.prescribed_half(r).speed : 0.0;
}

/// A bias and prescribed_speed(); all bits of the bias stay where nothing moves as told.
JOSTLE_HD inline double with_told(double bias, double told) { return told != 0 ? bias + told : bias; }

/// The two bodies of a row, and the derivative of its function: d . v_b + moment_b . w_b - d . v_a - moment_a . w_a.
struct RowEnds {
  int body_a, body_b;  ///< one of them may be world_body
  Vec3 d, moment_a, moment_b;
};

namespace detail {

JOSTLE_HD JOSTLE_OUTLINE inline double write_own_half(const System& system, AnyWorkspace auto work, const auto& turned,
                                                      const RowEnds& ends, double sign, int r) {
  const auto number = [&](int body) { return body == world_body ? -1 : system.model.bodies[body].prescribed; };
  const int of_a = number(ends.body_a), of_b = number(ends.body_b);
  PrescribedHalf& half = work.prescribed_half(r);
  half.number = of_a >= 0 ? of_a : of_b;
  half.speed = 0;
  if (half.number < 0) return 0;
  if (of_a >= 0)
    write_half_row(system, turned, ends.body_a, -sign, ends.d, ends.moment_a, half.entry);
  else
    write_half_row(system, turned, ends.body_b, sign, ends.d, ends.moment_b, half.entry);
  half.speed = dot(six(half.entry), six(work.prescribed_rate(half.number)));
  return half.speed;
}

}  // namespace detail

/// Row r is of no body with prescribed motion.
JOSTLE_HD inline void write_no_prescribed_half(const Dimensions& d, AnyWorkspace auto work, int r) {
  if (d.prescribed > 0) work.prescribed_half(r) = {-1, {}, 0};
}

/// Writes the half of row r that belongs to a body with prescribed motion; no row has two. `sign`: of the row. Returns
/// prescribed_speed().
JOSTLE_HD inline double write_prescribed_half(const System& system, AnyWorkspace auto work, const auto& turned,
                                              const RowEnds& ends, double sign, int r) {
  return system.model.dimensions.prescribed > 0 ? detail::write_own_half(system, work, turned, ends, sign, r) : 0.0;
}

}  // namespace jostle

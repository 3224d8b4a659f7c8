#pragma once
// The mixed LCP of a step at the level of velocities, which several methods share.
#include "core/events/impact.hpp"
#include "core/joints/geometric_stiffness.hpp"

namespace jostle {

/// Whether a contact of the list is held by its adhesion. One that is open where the step begins is listed because it,
/// or what it follows, was held in the step before (keeps_contact). One that touched there is held if it still touches
/// at the predicted positions, or separates no faster than its normal turns in a step: what an impact has thrown off,
/// or a step torn off, is not.
JOSTLE_HD JOSTLE_OUTLINE inline bool adheres(const System& system, AnyWorkspace auto work, const Contact& contact) {
  if (contact.gap <= active_gap_of(system.model)) return true;
  const PairModel& pair = system.model.pairs[contact.pair];
  const ContactGeometry at = geometry_at(system, pair, contact.feature, work.pose());
  if (is_open_but_held(system, contact.pair, at.gap)) return true;
  const double opening = closing_speed(system, work, pair, at, work.pose(), work.velocity());
  const double turning = detail::turning_in_step(system, work, pair, contact.feature);
  return opening <= rounding_speed + (turning > 0 ? turning : 0);
}

/// The problem of a motion: rows and gaps at the predicted positions, in whose axes the new spins are, b_n = bias(gap)
/// or bias(contact) of contacts, bias(gap) of limits, and N'v = -gamma Theta(q) / h with q = `closed_at` and the length
/// h of the whole step, so that short pieces do not pull harder. `share`: of how many velocities v is the sum; the
/// speeds of motors and of prescribed motion count so many times. False, with status `capacity`, if the workspace is
/// too small.
template <class Team>
JOSTLE_HD bool velocity_problem(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                                MixedLcp& problem, auto bias, const auto& closed_at, double share = 1) {
  if (!number_and_load(team, system, work, progress.result)) return false;
  problem = write_contact_rows(team, system, work, progress.result.contacts, work.predicted_pose(),
                               [&](const Contact& contact, const ConstraintRow&, double) {
                                 if constexpr (requires { bias(contact); })
                                   return bias(contact);
                                 else
                                   return bias(contact.gap);
                               });
  if constexpr (decltype(work)::is_coupled) {
    const auto [time, h] = progress.step;
    const double rate = system.parameters().stabilisation() / (share * system.model.step);
    const auto speed = [&, rate](int j, const PlacedJoint&) {
      const PlacedJoint placed = place_joint(system, j, closed_at);
      return [&system, rate, j, placed](double, const ConstraintRow&, double, double rounding, int i) {
        const double length = system.parameters().joint_length[j];
        const double value = joint_equation(system.model, system.model.joints[j], placed, length, i).value;
        return -rate * without_rounding(value, rounding);
      };
    };
    write_joint_rows(team, system, work, problem, work.predicted_pose(), speed, rate);
    write_joint_blocks(team, system, work, problem, work.predicted_pose(), time + h, h,
                       [&](double gap, const ConstraintRow&, double, double rounding) {
                         return bias(without_rounding(gap, rounding));
                       });
    add_geometric_stiffness(team, system, work, work.predicted_pose(), h, work.velocity(), problem);
  }
  if (share != 1) {
    team.for_each(problem.rows, [&](int r) { work.row_bias(r) *= share; });
    team.for_each(problem.joints, [&](int j) { work.joint_bias(j) *= share; });
    team.sync();
  }
  if constexpr (decltype(work)::is_coupled)
    add_adhesion(team, system, work, progress.result.contacts, problem.rows, progress.step.h,
                 [&](const Contact& contact) { return adheres(system, work, contact); });
  problem.relative_to_speeds = problem.may_hold_joints = problem.may_yield = true;
  progress.rows = problem.rows, progress.blocks = problem.blocks;
  return true;
}

}  // namespace jostle

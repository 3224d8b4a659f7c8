#pragma once
// Velocities that joints contradict where a step begins: an impact of the joints alone, without forces, takes the
// difference away at once, docs/theory.md (53c):
//
//     M (v+ - v) = N c_nu,      N'v+ = 0                                             N at q_l
//
// So begin, under the methods with impacts, a sample whose joints contradict its velocities, and a step at which a told
// velocity has jumped: else bodies would first go along with what the joints forbid. The second trapezoidal scheme
// asks the sum v_l + v_{l+1} of everything, so what N'v_l is off would come back with the other sign. In closed loops,
// and with motors, such errors grow from step to step; there every step begins so.
#include "core/events/joints_alone.hpp"

namespace jostle {

/// The piece before the others of a sub-step. The driver of a step calls it as it calls a method.
struct JointImpact : JointsAlone {
  /// What N'v may be off: of the speeds in play, or of 1 m/s or rad/s if these are lower.
  static constexpr double rounding = 1e-9;

  /// Makes it the current piece, if the sub-step begins with velocities that the joints contradict, and is the first
  /// one, or a told velocity has jumped, or the method solves for sums and there is friction or a motor of a joint, or
  /// a closed loop.
  template <class Team>
  JOSTLE_HD static void begin_if_needed(const Team& team, const System& system, AnyWorkspace auto work,
                                        StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    // Redundant equations of a loop contradict each other at Anitescu & Potra's rows, which are ahead of the step.
    const bool is_ahead = facts_of(system.model.method).end_weight == 0;
    const bool is_start = system.state().steps() == 0 && progress.part == 0 && !(is_ahead && d.has_joint_loops);
    if (progress.closed == progress.part + 1 || d.joint_rows == 0) return;
    const bool is_certain = is_start || (facts_of(system.model.method).solves_for_sum &&
                                         (d.joint_bounds + d.ball_frictions > 0 || d.has_joint_loops));
    if (!is_certain && d.prescribed == 0) return;
    progress.closed = progress.part + 1;
    load_masses(team, system, work);
    load_poses(team, system, work);
    if (!load_told(team, system, work, progress)) return;
    const bool jumps = d.prescribed > 0 && any_told_jumps(team, system, work);
    progress.jumped = progress.jumped || jumps;
    if (!is_certain && !jumps) return;
    predict(team, system, work, 0, work.velocity());
    MixedLcp problem;
    write_rows(team, system, work, problem);
    const auto is_off = [&](int j) {
      const double told = prescribed_speed(d, work, work.rows() + j);
      const ConstraintRow& row = work.joint_row(j);
      double speed = told, size = std::fabs(told) + 1;
      for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
        for (int k = 0; k < 6; ++k) {
          const double part = row.entry[side][k] * work.velocity(row.body[side])[k];
          speed += part, size += std::fabs(part);
        }
      return std::fabs(speed) > rounding * size;
    };
    if (!any_of(team, d.joint_rows, is_off)) return;
    team.sync();
    progress.jumped = progress.jumped || is_start;
    progress.piece = Piece::joint_impact, progress.left += progress.step.h, progress.step.h = 0;
  }

  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    progress.result.contacts = 0;
    write_without_forces(team, system, work);
    team.sync();
  }

  /// Without an answer the velocities stay: the step has rows of its own for them.
  template <class Team>
  JOSTLE_HD static bool recover(const Team& team, const System& system, AnyWorkspace auto work,
                                StepProgress& progress) {
    if (!is_unsolved(progress.result.status)) return false;
    progress.result.status = Status::ok, progress.result.residual = progress.residual_before;
    team.for_each(system.model.dimensions.movers, [&](int m) { work.next_velocity(m) = work.velocity(m); });
    team.for_each(system.model.dimensions.joint_rows, [&](int j) { work.joint_impulse(j) = 0; });
    team.sync();
    take(team, system, work, progress);
    return true;
  }

  /// The new velocities are part of the state, and what joints give. Ends synced.
  template <class Team>
  JOSTLE_HD static void accept(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const PieceFacts piece = facts_of(progress, false);
    accept_velocities(team, system, work);
    team.sync();
    if (system.model.dimensions.prescribed > 0) accept_given(team, system, work, 0, piece);
    accept_struck_joints(team, system, work, piece);
    progress.joints_struck = true;
  }

 private:
  /// Whether a told velocity is another one than at the end of the step before.
  template <class Team>
  JOSTLE_HD static bool any_told_jumps(const Team& team, const System& system, AnyWorkspace auto work) {
    const auto jumps = [&](int i) {
      const double now = work.prescribed_velocity(i / 6)[i % 6], before = StatePrescribed{system}[i / 6][i % 6];
      return std::fabs(now - before) > rounding * (std::fabs(now) + std::fabs(before) + 1);
    };
    const bool any = any_of(team, 6 * system.model.dimensions.prescribed, jumps);
    team.sync();
    return any;
  }
};

}  // namespace jostle

#pragma once
// What an external impulse (blow.hpp) and an impact of the joints (joint_impact.hpp) share: velocities jump with the
// joints held, without contacts and without motion.
#include "core/events/impact.hpp"
#include "core/joints/joint_state.hpp"
#include "core/stages/integrate.hpp"

namespace jostle {

struct JointsAlone {
  enum Phase { start, finished };

  /// Keeps how many equations of joints depend on others at q_l, where the joints are closed. Begins and ends synced.
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static void find_redundant(const Team& team, const System& system, AnyWorkspace auto work,
                                                      StepProgress& progress) {
    if (!load_start(team, system, work, progress)) return;
    write_without_forces(team, system, work);
    MixedLcp problem;
    write_rows(team, system, work, problem);
    problem.most_dependence = 0;
    if (!factorise_coupled(team, system.model.dimensions, problem, work, [](int, double) {})) return;
    team.once([&] { system.state().redundant() = redundant_equations(work); });
    team.sync();
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    if (progress.phase == finished) return false;
    progress.residual_before = progress.result.residual;
    write_rows(team, system, work, problem);
    problem.relative_to_speeds = true;
    progress.rows = progress.blocks = 0;
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    move_bodies(team, system, work, 0, work.velocity(), work.next_pose(), work.next_placed());
    progress.phase = finished;
  }

 protected:
  /// A = M and r = M v at work.predicted_pose, and no blocks of joints. Does not sync.
  template <class Team>
  JOSTLE_HD static void write_without_forces(const Team& team, const System& system, AnyWorkspace auto work) {
    write_implicit_mass(team, system, work, 0);
    Impact::write_momentum(team, system, work, work.velocity());
    team.for_each(system.model.dimensions.joints, [&](int j) { work.joint_block(j) = {}; });
  }

  /// The equations of joints, N'v = s. Ends synced.
  template <class Team>
  JOSTLE_HD static void write_rows(const Team& team, const System& system, AnyWorkspace auto work, MixedLcp& problem) {
    problem = {};
    write_joint_rows(team, system, work, problem, work.predicted_pose(), NoJointBias{});
    team.sync();
  }
};

}  // namespace jostle

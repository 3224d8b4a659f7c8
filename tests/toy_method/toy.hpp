#pragma once
// A method for the test of the recipe in CONTRIBUTING.md: bodies fall, and move by a quarter of the velocity at the
// start of a step and three quarters of that at its end. It sees no contacts.
#include "core/contacts/candidate_contacts.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/dynamics/forces.hpp"
#include "core/dynamics/masses.hpp"
#include "core/step_result.hpp"

namespace jostle {

struct Toy {
  /// StepProgress::phase.
  enum Phase { start, finished };

  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const auto [time, h] = progress.step;
    load_masses(team, system, work);
    load_poses(team, system, work);
    load_momentum(team, system, work, work.pose(), work.pose(), time, h);
    predict(team, system, work, 0, work.velocity());
    list_contacts(team, system, work, h, 0);
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    if (progress.phase == finished) return false;
    if (!number_and_load(team, system, work, progress.result)) return false;
    problem = {};
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const auto moves_by = [work](int m) {
      Vec6 velocity;
      for (int k = 0; k < 6; ++k) velocity[k] = 0.25 * work.velocity(m)[k] + 0.75 * work.next_velocity(m)[k];
      return velocity;
    };
    move_bodies(team, system, work, progress.step.h, Computed{moves_by}, work.next_pose(), work.next_placed());
    progress.phase = finished;
  }
};

}  // namespace jostle

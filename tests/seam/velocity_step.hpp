#pragma once
// A method for tests alone, which shows what a method has to bring: a step at the level of velocities [Anitescu & Potra
// 1997, (2.13), without joints and impacts]. Positions go ahead with the old velocity, and contacts that are closed
// there may not approach:
//
//     q_{l+1} = q_l (+) h v_l
//     M (v_{l+1} - v_l) = n c_n + D beta + h k        k at (t_l, q_l, v_l); n, D at q_{l+1}
//     0 <= n'v_{l+1}  _|_  c_n >= 0
//     friction as in Stewart & Trinkle's method
#include "core/contacts/contact_rows.hpp"
#include "core/dynamics/forces.hpp"
#include "core/dynamics/masses.hpp"
#include "core/step_result.hpp"

namespace jostle {

struct VelocityStep {
  enum Phase { at_start, finished };

  template <bool IsCoupled, class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, const AnyWorkspace auto& work,
                              const StepProgress& progress) {
    const auto [time, h] = progress.step;
    load_masses(team, system, work);
    load_poses(team, system, work);
    load_momentum(team, system, work, time, h);
    move_bodies(team, system, work, h, work.velocity(), work.predicted_pose(), work.placed());
    list_contacts(team, system, work, h);
  }

  template <bool IsCoupled, class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, const AnyWorkspace auto& work,
                             StepProgress& progress, MixedLcp& problem) {
    if (progress.phase == finished) return false;
    StepResult& result = progress.result;
    result.contacts = number_contacts(team, system, work);
    if (result.contacts <= work.contacts()) load_modes(team, system, work, result.contacts);
    if (result.contacts > work.contacts()) {
      result.status = Status::capacity;
      return false;
    }
    problem = write_contact_rows(team, system, work, result.contacts,
                                 [](const Contact&, const ConstraintRow&, double) { return 0.0; });
    return true;
  }

  template <class Team>
  JOSTLE_HD static bool hold(const Team&, const System&, const AnyWorkspace auto&, const Island&) {
    return false;
  }

  template <bool IsCoupled, class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, const AnyWorkspace auto& work,
                             StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    team.for_each(d.bodies, [&](int b) { work.next_pose(b) = work.predicted_pose(b); });
    team.for_each(d.shapes, [&](int s) { work.next_placed(s) = work.placed(s); });
    team.sync();
    progress.phase = finished;
  }
};

}  // namespace jostle

#pragma once
// One step of Potra, Anitescu, Gavrea & Trinkle, "A linearly implicit trapezoidal method for integrating stiff
// multibody dynamics with contact, joints, and friction", IJNME 66 (2006) 1079-1124; docs/theory.md (56) to (59):
//
//     M~ (v_{l+1} - v_l) = N c_nu + n c_n + D beta + k~        n, D, N at q_l (+) (h/2) v_l; M~, k~ (implicit_mass.hpp)
//     q_{l+1} = q_l (+) h (v_l + v_{l+1}) / 2
//
// with the constraints of Anitescu & Potra's method on v = v_{l+1} (trapezoidal, (6.12)) or on v = v_l + v_{l+1}
// (trapezoidal_midpoint, (6.10)), for the contacts that touch at q_l. Between q_l and q_{l+1} the velocities are linear
// in time. A contact that is not in the step and closes on this path ends a piece of the step where it closes; then
// there is an impact (core/events/impact.hpp).
#include "core/dynamics/implicit_mass.hpp"
#include "core/methods/velocity_problem.hpp"

namespace jostle {

enum class Scheme { end, mean };

template <Scheme Unknown>
struct Trapezoidal {
  /// StepProgress::piece and ::phase of a motion.
  enum Piece { motion, impact };
  enum Phase { start, finished };

  template <bool IsCoupled, class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, const AnyWorkspace auto& work,
                              StepProgress& progress) {
    if (progress.piece == impact) return Impact::begin<IsCoupled>(team, system, work, progress, false);
    const auto [time, h] = progress.step;
    load_masses(team, system, work);
    load_poses(team, system, work);
    if (!load_told(team, system, work, progress, time + h)) return;
    predict(team, system, work, 0, work.velocity());
    list_contacts(team, system, work, h, active_gap_of(system.model), false);
    // Held contacts would stop a hop of the first scheme above the surface; the second one does not move them.
    if (Unknown == Scheme::end && system.model.finds_collisions) drop_separating(team, system, work, rounding_speed);
    if constexpr (IsCoupled) list_limits(team, system, work, active_gap_of(system.model));
    if (system.model.finds_collisions) {
      progress.collision = first_approach(team, system, work, speed_of_impacts(system));
      if (progress.collision.time == 0) {
        progress.piece = impact;
        return Impact::begin<IsCoupled>(team, system, work, progress, false);
      }
    }
    predict(team, system, work, h / 2, work.velocity());
    write_implicit_mass(team, system, work, work.predicted_pose(), h);
    load_implicit_momentum(team, system, work, work.predicted_pose(), time, h, Unknown == Scheme::mean ? 2.0 : 1.0);
  }

  template <bool IsCoupled, class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, const AnyWorkspace auto& work,
                             StepProgress& progress, MixedLcp& problem) {
    if (progress.piece == impact) return Impact::next<IsCoupled>(team, system, work, progress, problem);
    if (progress.phase == finished) return false;
    const auto no_bias = [](double) { return 0.0; };
    // At the midpoint, scheme II would overshoot: openings grow by 1.6 a step where gamma = 1.
    if constexpr (Unknown == Scheme::mean)
      return velocity_problem<IsCoupled>(team, system, work, progress, problem, no_bias, work.pose(), 2);
    else
      return velocity_problem<IsCoupled>(team, system, work, progress, problem, no_bias, work.predicted_pose());
  }

  template <class Team>
  JOSTLE_HD static bool recover(const Team& team, const System& system, const AnyWorkspace auto& work,
                                StepProgress& progress) {
    return progress.piece == impact && Impact::recover(team, system, work, progress);
  }

  template <bool IsCoupled, class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, const AnyWorkspace auto& work,
                             StepProgress& progress) {
    if (progress.piece == impact) return Impact::take<IsCoupled>(team, system, work, progress);
    const double h = progress.step.h;
    if constexpr (Unknown == Scheme::mean) {
      team.for_each(system.model.dimensions.velocities(),
                    [&](int i) { work.next_velocity(i / 6)[i % 6] -= work.velocity(i / 6)[i % 6]; });
      team.sync();
    }
    add_implicit_impulse(team, system, work, work.predicted_pose(), h);
    move_on_path(team, system, work, h, h);
    progress.phase = finished;
    if (!system.model.finds_collisions) return;
    const auto path = [&](int body, double s) {
      const BodyModel& own = system.model.bodies[body];
      if (own.fixed) return work.pose(body);
      const Vec6 mean =
          own.mover == no_body ? work.prescribed_velocity(own.prescribed) : mean_velocity(work, own.mover, s / h);
      return moved(system.model, body, work.pose(body), s, mean);
    };
    progress.collision = first_collision<IsCoupled>(team, system, work, path, h);
    if (progress.collision.time < h) end_at_collision<IsCoupled>(team, system, work, progress);
  }

 private:
  /// The mean of the velocities from the start of a piece to `part` of it.
  JOSTLE_HD static Vec6 mean_velocity(const AnyWorkspace auto& work, int mover, double part) {
    Vec6 mean;
    for (int k = 0; k < 6; ++k) {
      const double before = work.velocity(mover)[k];
      mean[k] = before + 0.5 * part * (work.next_velocity(mover)[k] - before);
    }
    return mean;
  }

  /// next_pose and next_placed s after the start of a piece of length h. Ends synced.
  template <class Team>
  JOSTLE_HD static void move_on_path(const Team& team, const System& system, const AnyWorkspace auto& work, double s,
                                     double h) {
    team.for_each(system.model.dimensions.movers,
                  [&](int m) { work.predicted_velocity(m) = mean_velocity(work, m, s / h); });
    team.sync();
    move_bodies(team, system, work, s, work.predicted_velocity(), work.next_pose(), work.next_placed());
  }

  /// Ends the piece at the collision: velocities and impulses are linear in time. Ends synced.
  template <bool IsCoupled, class Team>
  JOSTLE_HD static void end_at_collision(const Team& team, const System& system, const AnyWorkspace auto& work,
                                         StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    const double h = progress.step.h, s = progress.collision.time, part = s / h;
    move_on_path(team, system, work, s, h);
    team.for_each(d.velocities(), [&](int i) {
      const double before = work.velocity(i / 6)[i % 6];
      double& after = work.next_velocity(i / 6)[i % 6];
      after = before + part * (after - before);
      work.applied(i / 6)[i % 6] *= part;
    });
    team.for_each(d.movers, [&](int m) { work.gyroscopic(m) = part * work.gyroscopic(m); });
    team.for_each(progress.rows, [&](int r) { work.row_impulse(r) *= part; });
    if constexpr (IsCoupled) team.for_each(d.joint_rows, [&](int j) { work.joint_impulse(j) *= part; });
    team.sync();
    progress.step.h = s, progress.left = h - s, progress.next_piece = impact;
  }
};

}  // namespace jostle

#pragma once
// One step of Loetstedt, "Mechanical systems of rigid bodies subject to unilateral constraints", SIAM J. Appl. Math. 42
// (1982) 281-296; docs/theory.md (62) to (69): contacts without friction, and constant bounds of forces.
//
//     M a = N f_nu + n f_n + D beta + f         f: forces and the gyroscopic torque; n, D, N at the stage
//     N'a = -N'dot v                            joints
//     0 <= n'a + n'dot v  _|_  f_n >= 0         contacts that touch and do not separate                          (2.5)
//
// in each of the four stages of the classical Runge-Kutta method. Its velocities violate the constraints by O(h^5), so
// the impulses p of contacts that still press at the end are solved for once more, there:
//
//     M (v_{l+1} - v) = N (c_nu - p_nu) + J'(c - p)      N'v_{l+1} = -gamma Theta / h,  0 <= n'v_{l+1} _|_ c_n >= 0
//     (2.11)
//
// A contact that is not in the step and closes ends a piece of the step, which is made again up to that time; then
// there is an impact (core/events/impact.hpp). Friction of a joint and a motor act with their full force if they slide
// when a piece begins; else they hold their speed if they can. A piece also ends where they stop sliding. In rows a
// body with prescribed motion has its acceleration, and its velocity in the projection.
#include "core/accelerations/joint_bounds.hpp"
#include "core/accelerations/running_points.hpp"
#include "core/accelerations/stage_impulses.hpp"
#include "core/methods/velocity_problem.hpp"

namespace jostle {

struct Loetstedt {
  /// StepProgress::phase: a stage, and what follows the last one. ::round: how often the motion has been cut at a
  /// collision.
  enum Phase { projection = Stages::count, finished };

  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    if (!load_start(team, system, work, progress)) return;
    list_contacts(team, system, work, progress.step.h, active_gap_of(system.model));
    drop_separating(team, system, work, separating_speed(system), progress.step.h);
    filter_contacts(team, system, work, NormalBounds::alike);
    if constexpr (decltype(work)::is_coupled) list_limits(team, system, work, active_gap_of(system.model));
    if (system.model.events.collisions) {
      progress.collision = first_approach(team, system, work, rounding_speed, progress.jumped);
      if (progress.collision.time == 0) {
        progress.piece = Piece::impact;
        return;
      }
    }
    drop_passing(team, system, work, progress);
    begin_stages(team, system, work, progress);
    if constexpr (decltype(work)::is_coupled) {
      drop_separating_limits(team, system, work, separating_speed(system), progress.step.h);
      drop_free_speeds(team, system, work);
      write_sliding_forces(team, system, work, progress.step.time);
    }
    team.sync();
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    if (progress.phase == finished) return false;
    const bool is_stage = progress.phase < projection;
    const double time = progress.step.time + (is_stage ? Stages::node(progress.phase) : 1.0) * progress.step.h;
    if (!load_prescribed_of(team, system, work, progress, time, is_stage)) return false;
    problem.stage = 0;
    if (!is_stage) {
      velocity_problem(
          team, system, work, progress, problem, [](double) { return 0.0; }, work.predicted_pose());
      if constexpr (decltype(work)::is_coupled)  // as in the stages, whose sums have the pulls of all contacts
        add_adhesion(team, system, work, progress.result.contacts, problem.rows, progress.step.h, AllPull{});
      write_free_momentum(team, system, work, progress.rows, problem.joints);
      if constexpr (decltype(work)::is_coupled) write_coordinate_mass(team, system, work, stage_rule(work));
      return true;
    }
    if (progress.phase == 0 && !number_and_load(team, system, work, progress.result)) return false;
    problem = write_contact_rows(team, system, work, progress.result.contacts, work.predicted_pose(),
                                 [&](const Contact& contact, const ConstraintRow&, double) {
                                   return turning_without_run(system, work, contact, progress.step.h);
                                 });
    load_stage_forces(team, system, work, time, progress.step.h * Stages::weight(progress.phase));
    if constexpr (decltype(work)::is_coupled) {
      write_coordinate_mass(team, system, work, stage_rule(work));
      subtract_turning(team, system, work, work.velocity(), work.prescribed_rate(), 1);
      add_joint_accelerations(team, system, work, time, problem);
      add_adhesion(team, system, work, progress.result.contacts, problem.rows, 1, AllPull{});
    }
    problem.relative_to_speeds = true, problem.stage = progress.phase + 1;
    progress.rows = problem.rows, progress.blocks = problem.blocks;
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const double h = progress.step.h;
    if constexpr (decltype(work)::is_coupled) {
      if (progress.phase == 0) {
        const double stop = short_slide(system, work, progress);
        if (2 * stop < h) return start_again(team, system, work, progress, 2 * stop);
      }
    }
    if (progress.phase < projection) {
      add_stage_impulses(team, system, work, progress);
      add_stage(team, system, work, progress.phase, h);
      ++progress.phase;
      return;
    }
    end_motion(team, system, work, progress);
    progress.phase = finished;
    if (progress.round > 0) return;
    double until = h;
    if constexpr (decltype(work)::is_coupled) {
      until = time_of_stop(system, work, progress);
      const double limited = time_of_speed_limit(system, work, h);
      if (limited < until) until = limited;
    }
    if (system.model.events.collisions) {
      const Way way{system, work, progress, WayKind::stages};
      progress.collision = first_collision(team, system, work, way, h);
      if (progress.collision.time < until) until = progress.collision.time, progress.next_piece = Piece::impact;
    }
    if (!(until < h)) return;
    ++progress.round;
    start_again(team, system, work, progress, until);
  }

 private:
  /// Armatures at the stage, whose forces have springs and dampers of joints.
  JOSTLE_HD static auto stage_rule(AnyWorkspace auto work) {
    return CoordinateRule{work.predicted_pose(), work.predicted_pose(), work.predicted_pose(), 0, 0, 0};
  }

  /// Makes the motion anew, of the length h. Begins and ends with a sync().
  template <class Team>
  JOSTLE_HD static void start_again(const Team& team, const System& system, AnyWorkspace auto work,
                                    StepProgress& progress, double h) {
    team.sync();
    progress.left += progress.step.h - h, progress.step.h = h, progress.phase = 0;
    if (!load_told(team, system, work, progress)) return;
    predict(team, system, work, 0, work.velocity());
    begin_stages(team, system, work, progress);
    team.sync();
  }

  /// Of a step: a contact that lasts for less is not in the piece.
  static constexpr double shortest_hold = 0x1p-18;
  /// Of the time for which contacts last, as the velocities at the start say.
  static constexpr double sure_hold = 0.9375;

  /// Ends the piece before the first contact that carries an impulse leaves what it crosses, as a rim does at the end
  /// of an edge: it holds until then, and what it carries must not fall and be struck in the meantime; nor must a stage
  /// have a contact whose point has run out of the shapes. From the predicted positions at the end of the piece to
  /// those at its new end. Ends synced.
  template <class Team>
  JOSTLE_HD JOSTLE_OUTLINE static void end_with_contacts(const Team& team, const System& system, AnyWorkspace auto work,
                                                         StepProgress& progress) {
    const double h = progress.step.h, least = shortest_hold * system.model.step;
    double holds = 0, ends = h;
    while (ends - holds > 0.0625 * least) {
      const double middle = 0.5 * (holds + ends);
      predict(team, system, work, middle, work.velocity());
      (any_active_ends(team, system, work) ? ends : holds) = middle;
    }
    if (holds > least) progress.step.h = sure_hold * holds, progress.left += h - progress.step.h;
    predict(team, system, work, progress.step.h, work.velocity());
  }

  /// Also takes contacts off the list that do not last for the piece, which may become shorter. Ends synced.
  template <class Team>
  JOSTLE_HD static void drop_passing(const Team& team, const System& system, AnyWorkspace auto work,
                                     StepProgress& progress) {
    predict(team, system, work, progress.step.h, work.velocity());
    if (any_active_ends(team, system, work)) end_with_contacts(team, system, work, progress);
    drop_ended(team, system, work, active_gap_of(system.model));
    predict(team, system, work, 0, work.velocity());
    filter_contacts(team, system, work, NormalBounds::alike);
  }

  /// What the rows of a stage, or of the projection, have of bodies with prescribed motion. False, with status
  /// `not_finite`, if it is not finite. Ends synced.
  template <class Team>
  JOSTLE_HD static bool load_prescribed_of(const Team& team, const System& system, AnyWorkspace auto work,
                                           StepProgress& progress, double time, bool is_stage) {
    if (system.model.dimensions.prescribed == 0) return true;
    const auto poses = work.predicted_pose();
    const double h = progress.step.h;
    if (!is_stage &&
        time_in_step(system.model, progress, h) == system.model.step) {  // a jump there is of the next step
      tell(team, system, work, 1, poses, work.prescribed_velocity());
      tell(team, system, work, 1, poses, work.prescribed_rate());
      return true;
    }
    if (is_stage ? load_prescribed_accelerations(team, system, work, time, poses)
                 : load_prescribed(team, system, work, time, poses))
      return true;
    progress.result.status = Status::not_finite;
    return false;
  }

  /// Contacts and limits that separate more slowly are in the step, m/s or rad/s: their hops would take less than a
  /// microsecond, and be many. Restored speeds are above it unless the restitution is below 0.01.
  JOSTLE_HD static double separating_speed(const System& system) {
    constexpr double most = 1e-6, part = 0.01;
    const double speed = part * system.parameters().impact_threshold();
    return speed < rounding_speed ? rounding_speed : speed < most ? speed : most;
  }

  /// The state at the end of a motion, and its impulses. Ends synced.
  template <class Team>
  JOSTLE_HD static void end_motion(const Team& team, const System& system, AnyWorkspace auto work,
                                   StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    add_impulses_of_projection(team, system, work, progress);
    team.for_each(d.bodies, [&](int b) { work.next_pose(b) = work.predicted_pose(b); });
    team.for_each(d.shapes, [&](int s) { work.next_placed(s) = work.placed(s); });
    team.sync();
  }
};

}  // namespace jostle

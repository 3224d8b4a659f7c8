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
// when a piece begins; else they hold their speed if they can. A piece also ends where they stop sliding.
#include "core/accelerations/joint_bounds.hpp"
#include "core/accelerations/runge_kutta.hpp"
#include "core/joints/joint_rows.hpp"
#include "core/methods/velocity_problem.hpp"

namespace jostle {

struct Loetstedt {
  /// StepProgress::piece and, of a motion, ::phase: a stage, and what follows the last one. ::round: how often the
  /// motion has been cut at a collision.
  enum Piece { motion, impact };
  enum Phase { projection = Stages::count, finished };

  template <bool IsCoupled, class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, const AnyWorkspace auto& work,
                              StepProgress& progress) {
    if (progress.piece == impact) return Impact::begin<IsCoupled>(team, system, work, progress, true);
    load_masses(team, system, work);
    load_poses(team, system, work);
    predict(team, system, work, 0, work.velocity());
    list_contacts(team, system, work, progress.step.h, active_gap_of(system.model));
    drop_separating(team, system, work, separating_speed(system));
    if constexpr (IsCoupled) list_limits(team, system, work, active_gap_of(system.model));
    if (system.model.finds_collisions) {
      progress.collision = first_approach(team, system, work, rounding_speed);
      if constexpr (IsCoupled) {
        const Collision at_limit = first_approach_to_limit(team, system, work);
        if (at_limit.time < progress.collision.time) progress.collision = at_limit;
      }
      if (progress.collision.time == 0) {
        progress.piece = impact;
        return Impact::begin<IsCoupled>(team, system, work, progress, true);
      }
    }
    begin_stages(team, system, work, progress);
    if constexpr (IsCoupled) {
      drop_separating_limits(team, system, work);
      write_sliding_forces(team, system, work, progress.step.time);
    }
    team.sync();
  }

  template <bool IsCoupled, class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, const AnyWorkspace auto& work,
                             StepProgress& progress, MixedLcp& problem) {
    if (progress.piece == impact) return Impact::next<IsCoupled>(team, system, work, progress, problem);
    if (progress.phase == finished) return false;
    if (progress.phase == projection) {
      velocity_problem<IsCoupled>(
          team, system, work, progress, problem, [](double) { return 0.0; }, work.predicted_pose());
      write_free_momentum(team, system, work, progress.rows, problem.joints);
      return true;
    }
    if (progress.phase == 0 && !number_and_load(team, system, work, progress.result)) return false;
    const double time = progress.step.time + Stages::node(progress.phase) * progress.step.h;
    problem = write_contact_rows(
        team, system, work, progress.result.contacts, work.predicted_pose(),
        [&](const Contact& contact, const ConstraintRow&, double) { return normal_turning(system, work, contact); });
    load_stage_forces(team, system, work, time, progress.step.h * Stages::weight(progress.phase));
    if constexpr (IsCoupled) add_joints(team, system, work, progress.step, time, problem);
    problem.relative_to_speeds = true;
    progress.rows = problem.rows, progress.blocks = problem.blocks;
    return true;
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
    if (progress.phase < projection) {
      add_impulses<IsCoupled>(team, system, work, progress);
      add_stage(team, system, work, progress.phase, h);
      ++progress.phase;
      return;
    }
    end_motion(team, system, work, progress.rows);
    progress.phase = finished;
    if (progress.round > 0) return;
    double until = h;
    if constexpr (IsCoupled) until = time_of_stop(system, work, progress);
    if (system.model.finds_collisions) {
      progress.collision = first_collision<IsCoupled>(team, system, work, path_of(system, work, h), h, true);
      if (progress.collision.time < until) until = progress.collision.time, progress.next_piece = impact;
    }
    if (!(until < h)) return;
    team.sync();
    progress.step.h = until, progress.left = h - until;
    progress.phase = 0, ++progress.round;
    predict(team, system, work, 0, work.velocity());
    begin_stages(team, system, work, progress);
    team.sync();
  }

 private:
  /// The way of the bodies in a motion that is made.
  JOSTLE_HD static auto path_of(const System& system, const AnyWorkspace auto& work, double h) {
    return [&system, &work, h](int body, double s) {
      const BodyModel& own = system.model.bodies[body];
      if (own.fixed) return work.pose(body);
      return moved(system.model, body, work.pose(body), 1, way_at(work, own.mover, s / h, h));
    };
  }

  /// Contacts and limits that separate more slowly are in the step, m/s or rad/s: their hops would take less than a
  /// microsecond, and be many. Restored speeds are above it unless the restitution is below 0.01.
  JOSTLE_HD static double separating_speed(const System& system) {
    constexpr double most = 1e-6, part = 0.01;
    const double speed = part * system.parameters().impact_threshold[0];
    return speed < rounding_speed ? rounding_speed : speed < most ? speed : most;
  }

  /// The signs of the coordinate in the gaps of its limits.
  JOSTLE_HD static double sign_of(int limit) { return limit == upper_limit ? -1 : 1; }

  /// A limit of a joint that is reached, carried no impulse and is approached.
  template <class Team>
  JOSTLE_HD static Collision first_approach_to_limit(const Team& team, const System& system,
                                                     const AnyWorkspace auto& work) {
    if (system.model.dimensions.joint_limits == 0) return {};
    return team.select(
        system.model.dimensions.joints,
        [&](int j) {
          Collision found;
          const int reached = work.listed_limits(j) & ~system.state().active_limits[j];
          for (const int limit : {lower_limit, upper_limit}) {
            if ((reached & limit) != 0 && sign_of(limit) * coordinate_speed(system, work, j) < -rounding_speed)
              found = {0, -1, 2 * j + (limit == upper_limit ? 1 : 0)};
          }
          return found;
        },
        detail::IsEarlier{});
  }

  /// Takes limits that are left off the list. Does not sync.
  template <class Team>
  JOSTLE_HD static void drop_separating_limits(const Team& team, const System& system, const AnyWorkspace auto& work) {
    team.for_each(system.model.dimensions.joints, [&](int j) {
      for (const int limit : {lower_limit, upper_limit}) {
        if ((work.listed_limits(j) & limit) != 0 &&
            sign_of(limit) * coordinate_speed(system, work, j) > separating_speed(system))
          work.listed_limits(j) &= ~limit;
      }
    });
  }

  /// Equations, friction, motors and limits of the joints in a stage. What slides has its force in r and no bound left.
  /// Ends synced.
  template <class Team>
  JOSTLE_HD static void add_joints(const Team& team, const System& system, const AnyWorkspace auto& work,
                                   const TimeStep& step, double time, MixedLcp& problem) {
    const ModelView& model = system.model;
    write_joint_rows(
        team, system, work, problem, work.predicted_pose(),
        [&](double, const ConstraintRow&, double, int j, int i) { return -equation_turning(system, work, j, i); });
    const int first_bound = problem.rows;
    write_joint_blocks(team, system, work, problem, work.predicted_pose(), time, 1,
                       [](double, const ConstraintRow&, double) { return 0.0; });
    const int blocks_before_rows = problem.rows - problem.blocks;
    team.for_each(model.dimensions.joints, [&](int j) {
      const JointModel& joint = model.joints[j];
      if (!joint.has_coordinate()) return;
      const JointBlockRows rows = work.joint_block(j);
      const double turning = coordinate_turning(system, work, j);
      const auto set = [&](int row, double bias) {
        work.row_bias(row) = bias;
        if (work.sliding_force(row - first_bound) != 0) work.block(row - blocks_before_rows).bound = 0;
      };
      if (rows.friction >= 0) set(rows.friction, turning);
      if (rows.motor >= 0) {
        constexpr double steps = 8;
        const double faster =
            derivative_at_zero(1 / (steps * step.h), [&](double s) { return motor_speed(system, work, j, time + s); });
        set(rows.motor, turning - faster);
      }
      if (rows.lower >= 0) work.row_bias(rows.lower) = turning;
      if (rows.upper >= 0) work.row_bias(rows.upper) = -turning;
    });
    team.sync();
    team.for_each(model.dimensions.velocities(), [&](int i) {
      for (int b = 0; b < model.dimensions.joint_bounds; ++b) {
        const ConstraintRow& row = work.row(first_bound + b);
        if (const int side = side_of(row, i / 6); side >= 0)
          work.momentum(i / 6)[i % 6] += row.entry[side][i % 6] * work.sliding_force(b);
      }
    });
    team.sync();
  }

  /// Adds the impulses and the work of forces of a stage that is solved. Begins and ends synced.
  template <bool IsCoupled, class Team>
  JOSTLE_HD static void add_impulses(const Team& team, const System& system, const AnyWorkspace auto& work,
                                     StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    const double weight = progress.step.h * Stages::weight(progress.phase);
    const bool is_first = progress.phase == 0, is_last = progress.phase + 1 == Stages::count;
    const int first_bound = progress.result.contacts * d.rows_per_contact(), bounds = IsCoupled ? d.joint_bounds : 0;
    double power = 0;
    for (int i = 0; i < d.velocities(); ++i) power += work.momentum(i / 6)[i % 6] * work.velocity(i / 6)[i % 6];
    for (int b = 0; b < bounds; ++b)
      power += work.row_impulse(first_bound + b) * add_product(0, work.row(first_bound + b), work.velocity());
    progress.work += weight * power;
    team.for_each(progress.rows, [&](int r) {
      const bool is_bound = r >= first_bound && r < first_bound + bounds;
      const double force = work.row_impulse(r) + (is_bound ? work.sliding_force(r - first_bound) : 0.0);
      work.stage_impulse(r) = (is_first ? 0.0 : work.stage_impulse(r)) + weight * force;
      if (is_last) work.held_impulse(r) = is_bound || force > 0 ? work.stage_impulse(r) : 0.0;
    });
    if constexpr (IsCoupled)
      team.for_each(d.joint_rows, [&](int j) {
        work.stage_reaction(j) = (is_first ? 0.0 : work.stage_reaction(j)) + weight * work.joint_impulse(j);
      });
    team.sync();
  }

  /// r = M v - J'p - N c of the rows that still hold at the end of the last stage and of joints, p and c being their
  /// impulses. Ends synced.
  template <class Team>
  JOSTLE_HD static void write_free_momentum(const Team& team, const System& system, const AnyWorkspace auto& work,
                                            int rows, int joints) {
    const ModelView& model = system.model;
    team.for_each(model.dimensions.velocities(), [&](int i) {
      const int m = i / 6, body = model.movers[m], k = i % 6;
      if (!model.bodies[body].is_free(k)) {
        work.momentum(m)[k] = 0;
        return;
      }
      double sum = inertia_of(system, body, k) * (work.velocity(m)[k] + work.velocity_change(m)[k]);
      for (int r = 0; r < rows; ++r) {
        if (work.held_impulse(r) == 0) continue;
        if (const int side = side_of(work.row(r), m); side >= 0)
          sum -= work.row(r).entry[side][k] * work.held_impulse(r);
      }
      for (int j = 0; j < joints; ++j) {
        if (const int side = side_of(work.joint_row(j), m); side >= 0)
          sum -= work.joint_row(j).entry[side][k] * work.stage_reaction(j);
      }
      work.momentum(m)[k] = sum;
    });
    team.sync();
  }

  /// The state at the end of a motion, and its impulses. Ends synced.
  template <class Team>
  JOSTLE_HD static void end_motion(const Team& team, const System& system, const AnyWorkspace auto& work, int rows) {
    const Dimensions& d = system.model.dimensions;
    team.for_each(d.bodies, [&](int b) { work.next_pose(b) = work.predicted_pose(b); });
    team.for_each(d.shapes, [&](int s) { work.next_placed(s) = work.placed(s); });
    team.for_each(rows, [&](int r) { work.row_impulse(r) += work.stage_impulse(r) - work.held_impulse(r); });
    team.sync();
  }
};

}  // namespace jostle

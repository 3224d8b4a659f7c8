#pragma once
// Impacts: at positions q and velocities v- that approach, two LCPs give the velocities v+ after it, without forces and
// without motion [Anitescu & Potra 1997, section 3; Anitescu, Potra & Stewart 1998]; docs/theory.md (51) to (53):
//
//     compression    M (v^c - v-) = N c_nu + J' p^c                  N'v^c = 0,  0 <= n'v^c _|_ c_n >= 0, friction
//     decompression  M (v+ - v^c) = N c_nu + J' (e p^c + p^d)        N'v+ = 0,  the same for v+ and p^d
//
// e of a normal is the restitution, of a tangent the tangential restitution. If nothing approaches faster than the
// threshold, v+ = v^c.
//
//     simplified     v+ = v^c + e (v^c - v-), e of the contacts that collide, where others have no greater one and none
//                    then approaches [Anitescu & Potra 1997, (3.1 b)]; else the two above
//     newton         one LCP with 0 <= n'v+ + e n'v- _|_ c_n >= 0 where n'v- < 0 [Loetstedt 1982, (3.9)]; where it has
//                    no solution, the two above
#include "core/contacts/adhesion.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/dynamics/implicit_mass.hpp"
#include "core/events/collision.hpp"
#include "core/events/start_of_piece.hpp"
#include "core/events/transition.hpp"

namespace jostle {

/// n'v of a row of J, relative to a body with prescribed motion.
JOSTLE_HD inline double relative_speed(const System& system, AnyWorkspace auto work, int row, const auto& velocity) {
  return add_product(prescribed_speed(system.model.dimensions, work, row), work.row(row), velocity);
}

/// After so many impacts in a step, contacts that separate more slowly than impacts restore stay in touch, under
/// Anitescu and Potra's method and the first trapezoidal one.
inline constexpr int most_hops = 64;

/// After so many, shapes that meet within this part of the step of the impact before, by features that do not approach,
/// would do so for ever.
inline constexpr double shortest_hop = 1e-9;

/// The piece of a step that is an impact, for every method with collisions; the driver calls it as a method is called.
struct Impact {
  enum Phase { compression, compression_again, decompression, finished };

  /// The contacts of the impact: those that touch, the colliding one, those that are no further open than this one, and
  /// those that have carried an impulse, which may be open by what their normals turn in a piece; and the limits of
  /// joints that are reached.
  template <class Team>
  JOSTLE_HD static void begin(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const double h = progress.step.h;
    progress.left += h, progress.step.h = 0;
    count_event(system.model, progress.result);
    if (!load_start(team, system, work, progress)) return;
    const Collision& closing = progress.collision;
    list_contacts(team, system, work, h, active_gap_of(system.model) + gap_left(system, work, closing));
    drop_ended(team, system, work, active_gap_of(system.model));
    if constexpr (decltype(work)::is_coupled) {
      list_limits(team, system, work, active_gap_of(system.model));
      const double left = time_left(system, work, closing);
      if (left > 0) list_limits_within(team, system, work, left);
    }
    team.once([&] {
      const int page = closing.pair >= 0 ? claim_page(system, work, closing.pair, closing.feature) : -1;
      if (page >= 0) work.listed(page).insert(closing.feature % page_features);
      if constexpr (decltype(work)::is_coupled) {
        if (closing.pair == -1)
          work.listed_limits(closing.feature / 2) |= closing.feature % 2 != 0 ? upper_limit : lower_limit;
      }
    });
    team.sync();
    filter_contacts(team, system, work, NormalBounds::alike);
    write_implicit_mass(team, system, work, 0);
    write_momentum(team, system, work, work.velocity());
    // Rims on their way to lie flat hop for ever, as their lowest points run from blow to blow, or where joints, which
    // impacts do not close, press them down again.
    if (progress.result.events > most_hops) progress.unseen_hop = speed_of_impacts(system);
    const double speed = speed_of_hop(system, work, closing);
    // An impact where nothing approaches gives no impulse, and without time between them there is no end of them.
    const bool at_once = closing.time < shortest_hop * system.model.step && progress.result.events > most_hops;
    if (closing.pair >= 0 && speed >= -rounding_speed && at_once) progress.idle_pair = closing.pair;
    if (!facts_of(system.model.method).is_implicit) return;
    // Such a contact would collide here again and again: from now on it is in the step, and so are slower ones.
    const double hop = 2 * speed;
    if (hop > progress.unseen_hop) progress.unseen_hop = hop;
  }

  template <class Team>
  JOSTLE_HD static bool next(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                             MixedLcp& problem) {
    if (progress.phase == finished) return false;
    progress.residual_before = progress.result.residual;
    if (progress.phase == decompression) return true;  // the same problem with another momentum
    if (progress.phase == compression && !number_and_load(team, system, work, progress.result)) return false;
    const auto no_bias = [](const auto&, const ConstraintRow&, double, auto...) { return 0.0; };
    problem = write_contact_rows(team, system, work, progress.result.contacts, work.predicted_pose(), no_bias);
    if constexpr (decltype(work)::is_coupled) {
      write_joint_rows(team, system, work, problem, work.predicted_pose(), NoJointBias{});
      write_joint_blocks(team, system, work, problem, work.predicted_pose(), progress.step.time, 0, no_bias);
      add_adhesion(team, system, work, progress.result.contacts, problem.rows, 0, AllPull{});
    }
    problem.relative_to_speeds = true;
    progress.rows = problem.rows, progress.blocks = problem.blocks;
    write_restitution(team, system, work, progress);
    problem.may_yield = !is_newtons(system, progress);
    if (!problem.may_yield) reverse_approaches(team, system, work, problem);
    return true;
  }

  /// A problem of the impact has failed: whether another one takes its place.
  template <class Team>
  JOSTLE_HD static bool recover(const Team& team, const System& system, AnyWorkspace auto, StepProgress& progress) {
    StepResult& result = progress.result;
    if (!is_without_answer(result.status)) return false;
    if (!is_newtons(system, progress)) return false;
    team.sync();
    result.status = Status::ok, result.residual = progress.residual_before;
    ++result.poisson;
    progress.phase = compression_again;
    return true;
  }

  template <class Team>
  JOSTLE_HD static void take(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress) {
    const ImpactLaw law = system.model.impact_law;
    if (progress.phase == decompression) {
      add_compression(team, system, work, progress);
    } else if (restores(system, progress) && !(law == ImpactLaw::newton && progress.phase == compression) &&
               restores_any(team, work, progress) &&
               !(law == ImpactLaw::simplified && extrapolate(team, system, work, progress))) {
      begin_decompression(team, system, work, progress);
      progress.phase = decompression;
      return;
    }
    move_bodies(team, system, work, 0, work.velocity(), work.next_pose(), work.next_placed());
    progress.phase = finished;
    if (system.model.dimensions.has_transitions)
      write_modes_of_velocities(team, system.model, work, progress.result.contacts);
  }

  /// r = M v, and no forces. Ends synced.
  template <class Team>
  JOSTLE_HD static void write_momentum(const Team& team, const System& system, AnyWorkspace auto work,
                                       const auto& velocity) {
    const ModelView& model = system.model;
    team.for_each(model.dimensions.movers, [&](int m) {
      const int body = model.movers[m];
      work.gyroscopic(m) = Vec3::Zero();
      work.applied(m) = {};
      for (int k = 0; k < 6; ++k)
        work.momentum(m)[k] = model.bodies[body].is_free(k) ? inertia_of(system, body, k) * velocity[m][k] : 0.0;
    });
    team.sync();
    add_armature_momentum(team, system, work, velocity);
  }

 private:
  /// m: how far open the colliding contact still is, where the motion up to the collision is not the path on which it
  /// was found, as with stages. The other corners of an edge that lands are as far open, and are struck with it.
  JOSTLE_HD static double gap_left(const System& system, AnyWorkspace auto work, const Collision& closing) {
    if (!system.model.dimensions.has_stages || closing.pair < 0) return 0;
    const PairModel& pair = system.model.pairs[closing.pair];
    const double gap = contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), closing.feature).gap;
    return gap > 0 ? gap : 0;
  }

  /// s: how long the colliding contact or limit still takes to close there. Limits that are reached in that time, which
  /// may be angles or ways, are struck with it.
  JOSTLE_HD static double time_left(const System& system, AnyWorkspace auto work, const Collision& closing) {
    if (!system.model.dimensions.has_stages || closing.pair == no_pair) return 0;
    const double gap = closing.pair >= 0 ? gap_left(system, work, closing)
                                         : gap_of_limit(system, work, closing.feature / 2,
                                                        closing.feature % 2 != 0 ? upper_limit : lower_limit);
    const double speed = -speed_of_hop(system, work, closing);
    if (!(gap > 0 && speed > rounding_speed)) return 0;
    return gap < speed * system.model.step ? gap / speed : system.model.step;
  }

  /// The restitution of every row, and the fastest approach. Ends synced.
  template <class Team>
  JOSTLE_HD static void write_restitution(const Team& team, const System& system, AnyWorkspace auto work,
                                          StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    const ParameterView parameters = system.parameters();
    team.for_each(progress.rows, [&](int r) { work.row_restitution(r) = 0; });
    team.sync();
    team.for_each(progress.result.contacts, [&](int c) {
      const int pair = work.contact(c).pair, end = d.contact_rows_end(c + 1);
      int r = d.contact_rows(c).normal;
      work.row_restitution(r) = parameters.restitution[pair];
      while (++r < end) work.row_restitution(r) = parameters.tangential_restitution[pair];
    });
    team.sync();
    if constexpr (decltype(work)::is_coupled) {
      team.for_each(d.joints, [&](int j) {
        const JointBlockRows rows = work.joint_block(j);
        for (const int row : {rows.lower, rows.upper})
          if (row >= 0) work.row_restitution(row) = parameters.joint_restitution[j];
      });
    }
    progress.approach = progress.blocks == 0
                            ? 0.0
                            : team.select(
                                  progress.blocks,
                                  [&](int c) {
                                    const int normal = is_speed_limit(d, progress, c) ? -1 : work.block(c).normal;
                                    const double speed =
                                        normal < 0 ? 0.0 : relative_speed(system, work, normal, work.velocity());
                                    return is_nan(speed) ? -infinity() : speed;
                                  },
                                  [](double a, double b) { return a < b; });
    team.sync();
  }

  /// Whether block c is that of a limit of a speed, all of which are in an impact, after friction and motors.
  JOSTLE_HD static bool is_speed_limit(const Dimensions& d, const StepProgress& progress, int c) {
    const int of_joints = c - d.contact_blocks_end(progress.result.contacts);
    return of_joints >= d.joint_bounds && of_joints < d.joint_speeds();
  }

  /// Whether anything approaches fast enough to be restored.
  JOSTLE_HD static bool restores(const System& system, const StepProgress& progress) {
    return progress.approach < -system.parameters().impact_threshold();
  }

  /// Whether its problem is the first one of Newton's law, which asks for speeds.
  JOSTLE_HD static bool is_newtons(const System& system, const StepProgress& progress) {
    return system.model.impact_law == ImpactLaw::newton && progress.phase == compression && restores(system, progress);
  }

  /// Whether e p^c is not 0 in some row; else v^c answers the problem of the decompression, too. Begins and ends
  /// synced.
  template <class Team>
  JOSTLE_HD static bool restores_any(const Team& team, AnyWorkspace auto work, const StepProgress& progress) {
    const bool any =
        any_of(team, progress.rows, [&](int r) { return work.row_restitution(r) * work.row_impulse(r) != 0; });
    team.sync();
    return any;
  }

  /// b_n = e n'v- where n'v- < 0. Ends synced.
  template <class Team>
  JOSTLE_HD static void reverse_approaches(const Team& team, const System& system, AnyWorkspace auto work,
                                           const MixedLcp& problem) {
    team.for_each(problem.blocks, [&](int c) {
      const int normal = work.block(c).normal;
      if (normal < 0) return;
      const double speed = relative_speed(system, work, normal, work.velocity());
      if (speed < 0) work.row_bias(normal) += work.row_restitution(normal) * speed;
    });
    team.sync();
  }

  /// v+ = v^c + e (v^c - v-), if all contacts that approach have this restitution, others none above it, and none of
  /// them then approaches. Ends synced.
  template <class Team>
  JOSTLE_HD static bool extrapolate(const Team& team, const System& system, AnyWorkspace auto work,
                                    const StepProgress& progress) {
    const auto approaches_fastest = [&](int c) {
      const int normal = work.block(c).normal;
      return normal >= 0 && !is_speed_limit(system.model.dimensions, progress, c) &&
             relative_speed(system, work, normal, work.velocity()) == progress.approach;
    };
    int first = 0;
    while (first + 1 < progress.blocks && !approaches_fastest(first)) ++first;
    const int row_of_e = approaches_fastest(first) ? work.block(first).normal : -1;
    const double e = row_of_e < 0 ? 0.0 : work.row_restitution(row_of_e);
    const auto fails = [&](int c) {
      const int normal = work.block(c).normal;
      if (normal < 0) return false;
      const double before = relative_speed(system, work, normal, work.velocity());
      const double after = relative_speed(system, work, normal, work.next_velocity());
      if (is_speed_limit(system.model.dimensions, progress, c)) {
        const double speed = add_product(work.row_bias(normal), work.row(normal), work.next_velocity());
        return !(speed + e * (after - before) >= -rounding_speed);
      }
      const double own = work.row_restitution(normal);
      return (before < -rounding_speed ? own != e : own > e) || !(after + e * (after - before) >= -rounding_speed);
    };
    if (any_of(team, progress.blocks, fails)) return false;
    team.sync();
    team.for_each(system.model.dimensions.velocities(), [&](int i) {
      double& after = work.next_velocity(i / 6)[i % 6];
      after = after + e * (after - work.velocity(i / 6)[i % 6]);
    });
    team.for_each(progress.rows, [&](int r) { work.row_impulse(r) *= 1 + e; });
    if constexpr (decltype(work)::is_coupled)
      team.for_each(system.model.dimensions.joint_rows, [&](int j) { work.joint_impulse(j) *= 1 + e; });
    team.sync();
    return true;
  }

  /// r = M v^c + J' (e p^c). Keeps the impulses of the compression. Ends synced.
  template <class Team>
  JOSTLE_HD static void begin_decompression(const Team& team, const System& system, AnyWorkspace auto work,
                                            const StepProgress& progress) {
    const Dimensions& d = system.model.dimensions;
    team.for_each(progress.rows, [&](int r) { work.compression_impulse(r) = work.row_impulse(r); });
    if constexpr (decltype(work)::is_coupled)
      team.for_each(d.joint_rows, [&](int j) { work.compression_reaction(j) = work.joint_impulse(j); });
    write_momentum(team, system, work, work.next_velocity());
    team.for_each(d.velocities(), [&](int i) {
      double& sum = work.momentum(i / 6)[i % 6];
      for (int r = 0; r < progress.rows; ++r) {
        const double restored = work.row_restitution(r) * work.compression_impulse(r);
        if (restored == 0) continue;
        const int side = side_of(work.row(r), i / 6);
        if (side >= 0) sum += work.row(r).entry[side][i % 6] * restored;
      }
    });
    team.sync();
  }

  /// The impulses of the whole impact. Ends synced.
  template <class Team>
  JOSTLE_HD static void add_compression(const Team& team, const System& system, AnyWorkspace auto work,
                                        const StepProgress& progress) {
    team.for_each(progress.rows,
                  [&](int r) { work.row_impulse(r) += (1 + work.row_restitution(r)) * work.compression_impulse(r); });
    if constexpr (decltype(work)::is_coupled)
      team.for_each(system.model.dimensions.joint_rows,
                    [&](int j) { work.joint_impulse(j) += work.compression_reaction(j); });
    team.sync();
  }
};

}  // namespace jostle

#pragma once
// Solves the mixed LCP of a step, certifies the answer and computes velocities from it. It depends on no method.
#include "core/assembly/schur.hpp"
#include "core/cone/newton.hpp"
#include "core/stages/held_joints.hpp"
#include "core/stages/island_answers.hpp"
#include "core/stages/overlaps.hpp"
#include "core/stages/stage.hpp"
#include "core/stages/yielding.hpp"

namespace jostle {

namespace detail {

/// |q'|inf of an island whose answer is not certified: where joints take motion away, q is rounding errors of it.
template <class Team, AnyWorkspace Work>
JOSTLE_HD double size_with_motion(const IslandProblem<Team, Work>& of, double q_size) {
  if (of.whole.relative_to_speeds) q_size = larger_magnitude(q_size, size_of_momentum(of.team, of.island, of.work));
  return larger_magnitude(q_size, least_part_of_speeds * size_of_motion(of.team, of.island, of.work));
}

/// Whether joints may keep their errors, docs/theory.md (17b): the last resort where the method has no other problem.
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool may_hold_joints(const IslandProblem<Team, Work>& of) {
  return Work::is_coupled && of.whole.may_hold_joints && !of.whole.may_recover && of.whole.joints > 0;
}

/// write_joint_stress() where joints may be held.
template <class Team, AnyWorkspace Work>
JOSTLE_HD void write_stress(const IslandProblem<Team, Work>& of) {
  if constexpr (Work::is_coupled)
    if (may_hold_joints(of)) write_joint_stress(of.team, of.model.dimensions, of.whole, of.island, of.work);
}

/// Lemke's method. Where coupled bodies have no answer, q is looked at again for rounding errors.
template <class Team, AnyWorkspace Work>
JOSTLE_HD LcpResult pivot_to_answer(Certify<Team, Work>& certify, StepResult& result) {
  const IslandProblem<Team, Work>& of = certify.of;
  const LcpResult solved = pivot(certify, of.model.lemke, result);
  if constexpr (Work::is_coupled) {
    const Status status = status_of(solved.status);
    const bool to_speeds = of.whole.relative_to_speeds;
    if (!(to_speeds ? is_without_answer(status) : status == Status::uncertified)) return solved;
    const double before = certify.scale.q_size;
    double& q_size = certify.scale.q_size;
    if (status == Status::uncertified) q_size = size_with_motion(of, q_size);
    if (!to_speeds && !(q_size > before)) return solved;
    const bool any = snap_vector(of, of.model.lemke.exact_tolerance * q_size);
    if (any || q_size > before) return pivot(certify, of.model.lemke, result);
  }
  return solved;
}

/// The same once more, without the rounding errors of rows that cannot move: the residual, infinity if there are none
/// or there is no answer either.
template <class Team, AnyWorkspace Work>
JOSTLE_HD double answer_without_immobile_rows(Certify<Team, Work>& certify, StepResult& result) {
  const IslandProblem<Team, Work>& of = certify.of;
  const double size = size_with_motion(of, certify.scale.q_size);
  number_lcp(of.team, of.island, of.work);
  if (!snap_immobile_rows(of.team, of.island, of.model.lemke.certificate_tolerance * size, of.work)) return infinity();
  certify.scale.q_size = size;
  return pivot(certify, of.model.lemke, result).residual;
}

/// Solves the LCP of an island, with polygons as friction cones.
template <class Team, AnyWorkspace Work, class Clock>
JOSTLE_HD JOSTLE_HOST_OUTLINE void solve_island(const IslandProblem<Team, Work>& of, const Clock& clock,
                                                StepResult& result) {
  const Team& team = of.team;
  const Island& island = of.island;
  const ModelView& model = of.model;
  const Work& work = of.work;
  const double ratio = mass_ratio(team, island, work);
  Certify<Team, Work> certify{of, size_of_lcp(team, island, work, of.whole.relative_to_speeds),
                              allowance_of(model.lemke, ratio)};
  const Guess<Team, Work> guess(team, island, model, work, certify.scale.q_size, weight_for(model, ratio),
                                certify.allowance);
  const bool takes_least_norm =
      model.dimensions.has_modes() && model.multipliers == Multipliers::least_norm && guess.is_possible();
  const bool guesses = takes_least_norm && model.solver == Solver::guess_first;
  guess.begin(guesses);
  if constexpr (Work::is_coupled) {
    if (guesses && is_without_impulses(of) && answer_without_impulses(certify, result)) return clock(Stage::pivot);
    if (takes_least_norm) write_mode_row_responses(team, model.dimensions, island, work);
  }
  if (guesses && answer_by_modes(certify, guess, result)) return clock(Stage::pivot);
  if constexpr (!Work::is_coupled) {
    if (island.variables > model.dimensions.island_lcp_size()) {
      result.status = Status::capacity;
      return;
    }
  }
  form_delassus(team, model.dimensions, island, work);
  number_lcp(team, island, work);
  clock(Stage::assemble);
  certify.keeps_ray = may_hold_joints(of);
  const LcpResult solved = pivot_to_answer(certify, result);
  result.pivoted += 1;
  result.status = status_of(solved.status);
  if (is_without_answer(result.status)) write_stress(of);
  certify.keeps_ray = false;
  double residual = solved.residual;
  if (takes_least_norm && result.status == Status::ok) residual = least_norm_answer(certify, guess, result);
  if constexpr (Work::is_coupled) {
    if (takes_least_norm && is_without_answer(result.status)) {
      const double found = proximal_answer(certify, guess, result);
      if (found <= certify.tolerance()) result.status = Status::ok, residual = found;
    }
    if (is_without_answer(result.status) && !of.whole.may_recover) {
      const double found = answer_without_immobile_rows(certify, result);
      if (found <= model.lemke.certificate_tolerance) {
        result.status = Status::ok, residual = found;
        if (takes_least_norm) {
          result.vertex += 1;
          guess.write_modes_of_answer();
          take_rest(certify, residual);
        }
      }
    }
  }
  if (!takes_least_norm && result.status == Status::ok) take_rest(certify, residual);
  clock(Stage::pivot);
  if (residual > result.residual) result.residual = residual;
}

/// Whether the polygon differs from the circular cone: a block with one tangent has the same impulses with both.
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool has_discs(const IslandProblem<Team, Work>& of) {
  for (int i = 0; i < of.island.blocks; ++i)
    if (of.work.block(of.work.island_block(of.island.first_block + i)).tangents > 1) return true;
  return false;
}

/// Takes the answer with polygons, of an island, to that with the circular cone.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE void answer_circular_cone(const IslandProblem<Team, Work>& of, StepResult& result) {
  const LcpScale size = size_of_lcp(of.team, of.island, of.work, of.whole.relative_to_speeds);
  of.team.sync();
  const ConeProblem<Team, Work> cones(of.team, of.island, of.model, of.work, size.q_size);
  const ConeAnswer found = ConeNewton(cones, size.q_size).answer();
  of.team.once([&] { of.work.cone_steps() = found.steps; });
  double residual = found.residual;
  if constexpr (Work::is_coupled) {
    if (!(residual <= of.model.lemke.certificate_tolerance))
      residual *= size.q_size / size_with_motion(of, size.q_size);
  }
  if (!(residual <= of.model.lemke.certificate_tolerance))
    result.status = is_nan(residual) ? Status::not_finite : Status::uncertified;
  else if constexpr (!Work::is_coupled)
    take_rest(
        Certify<Team, Work>{of, size, 1}, [&] { return cones.residual(); }, residual);
  if (!(residual <= result.residual)) result.residual = residual;
}

/// Solves the problem of an island: with polygons, then, if the model asks for it, with the circular cone.
template <class Team, AnyWorkspace Work, class Clock>
JOSTLE_HD void answer_island(const IslandProblem<Team, Work>& of, const Clock& clock, StepResult& result) {
  [[maybe_unused]] const double residual = result.residual;
  solve_island(of, clock, result);
  if constexpr (Work::has_cones) {
    if (!of.model.dimensions.has_circular_cone || result.status != Status::ok || !has_discs(of)) return;
    result.residual = residual;  // that of the polygons does not count
    answer_circular_cone(of, result);
    clock(Stage::pivot);
  }
}

/// Writes what the answer of a problem starts from: v0, impulses 0, scales and factors. False, if A is singular.
template <class Team>
JOSTLE_HD bool start_answer(const Team& team, const Dimensions& d, const MixedLcp& problem, AnyWorkspace auto work) {
  if constexpr (decltype(work)::is_coupled) {
    if (!assemble_coupled(team, d, problem, work)) return false;
  } else {
    write_free_motion(team, d, problem, work);
  }
  team.for_each(d.movers, [&](int m) { work.next_velocity(m) = work.free_velocity(m); });
  team.sync();
  return true;
}

/// Holds what bears of the errors of joints in the problem of an island, which is that of all coupled bodies, or all of
/// the errors of those that bear; whether it is another one now.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE bool hold_joints(const IslandProblem<Team, Work>& of, bool all) {
  if constexpr (Work::is_coupled) {
    if (!may_hold_joints(of)) return false;
    const HeldJoints joints(of.team, of.model, of.whole, of.work);
    return ((!all && joints.keep_what_bears()) || joints.keep_all()) &&
           start_answer(of.team, of.model.dimensions, of.whole, of.work);
  }
  return false;
}

/// Solves the problem of an island; one without an answer once more with its overlaps held, then with the errors of its
/// joints, and then with contacts that yield by these. A jam of the step before goes on as long as none of its overlaps
/// opens, so that problem is the first one then.
template <class Team, AnyWorkspace Work, class Clock>
JOSTLE_HD void answer_or_hold(const IslandProblem<Team, Work>& of, const Clock& clock, StepResult& result) {
  const Overlaps<Team, Work> overlaps(of.team, of.model.dimensions, of.island, of.work);
  const bool may_hold = of.whole.may_hold;
  bool continues_jam = may_hold && overlaps.were_held() && overlaps.hold(), keeps_errors = false;
  const int path = result.path;
  Status first = Status::ok;  // where motion had no answer, and overlaps are held
  for (bool is_held = continues_jam;;) {
    result.status = Status::ok, result.residual = 0, result.path = path;
    answer_island(of, clock, result);
    if (result.status == Status::ok && is_nearly_jammed(of)) {
      result.status = Status::ray;
      write_stress(of);
    }
    if (is_held) of.team.sync();
    if (continues_jam && !(result.status == Status::ok && overlaps.stay_closed())) {
      overlaps.release();
      continues_jam = is_held = false;
      continue;
    }
    const bool is_without = is_without_answer(result.status);
    if (is_without && first == Status::ok) {
      first = result.status;
      is_held = may_hold && overlaps.hold();
      if (is_held) continue;
    }
    if (is_without && !of.whole.may_recover) {
      of.team.sync();
      if (hold_joints(of, keeps_errors || may_yield(of))) {
        keeps_errors = true;
        continue;
      }
      if (may_yield(of)) {
        keeps_errors = true;
        answer_yielding(of, result);
      }
    }
    if (!is_held && !keeps_errors) return;
    if (result.status != Status::ok && !continues_jam) result.status = first;
    result.held = true;
    if (is_held) overlaps.mark();
    return;
  }
}

}  // namespace detail

/// Solves the problem island by island, up to the first that fails, or for which Lemke's method is needed and has no
/// room (status `capacity`). Writes work.next_velocity(), work.row_impulse(), work.z() and, if they are answered by
/// modes, work.mode(), and adds to the counts in `result`. With the circular cone work.z and work.mode() are those of
/// the polygons, all else is of the circular cone. Begins and ends synced.
template <class Team, AnyWorkspace Work, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve(const Team& team, const MixedLcp& problem, const ModelView& model, const Work& work,
                                    const Clock& clock, StepResult& result) {
  const Dimensions& d = model.dimensions;
  result.path = result.lcp_size = result.largest_island = 0;
  if (!Work::is_coupled && problem.blocks == 0) {
    detail::write_free_velocity(team, d, work, work.next_velocity());
    return team.sync();
  }
  const int islands = find_islands(team, d, problem, Work::is_coupled, work);
  if (!detail::start_answer(team, d, problem, work)) {
    result.status = Status::not_finite;
    return;
  }
  clock(Stage::assemble);
  if (problem.blocks == 0) return;
  const Island last = work.island(islands - 1);
  result.lcp_size = last.first_variable + last.variables;
  for (int i = 0; i < islands; ++i)
    if (work.island(i).blocks > result.largest_island) result.largest_island = work.island(i).blocks;
  for (int i = 0; i < islands && result.status == Status::ok; ++i) {
    const Island island = work.island(i);
    result.solves += 1;
    const double residual = result.residual;
    detail::answer_or_hold(detail::IslandProblem<Team, Work>{team, problem, island, model, work}, clock, result);
    team.once([&] { work.island(i).residual = result.residual; });
    if (residual > result.residual) result.residual = residual;
  }
  team.sync();
}

}  // namespace jostle

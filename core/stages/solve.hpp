#pragma once
// Solves the mixed LCP of a step, certifies the answer and computes velocities from it. It depends on no method.
#include "core/assembly/assembled_lcp.hpp"
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
#include "core/cone/newton.hpp"
#include "core/guess/guess.hpp"
#include "core/lcp/lemke.hpp"
#include "core/model/system.hpp"
#include "core/stages/stage.hpp"
#include "core/step_result.hpp"

namespace jostle {

JOSTLE_HD inline Status status_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved: return Status::ok;
    case LcpStatus::ray: return Status::ray;
    case LcpStatus::pivot_limit: return Status::pivot_limit;
    case LcpStatus::uncertified: return Status::uncertified;
    case LcpStatus::not_finite: return Status::not_finite;
  }
  return Status::uncertified;
}

namespace detail {

/// Of answers certified alike the one at rest is taken: if no velocity is above exact_tolerance |q'|inf and v = 0
/// passes the exact certificate, v = 0. `certify`: the residual with the velocities in work.row_speed.
template <class Team, class Certify>
JOSTLE_HD JOSTLE_OUTLINE void take_rest(const Team& team, const Island& island, const ModelView& model,
                                        const AnyWorkspace auto& work, double q_size, const Certify& certify,
                                        double& residual) {
  const double tolerance = model.lemke.exact_tolerance;
  const auto speed_of = [&](int i) {
    const int m = work.island_mover(island.first_mover + i);
    double largest = 0;
    for (int k = 0; k < 6; ++k) {
      const double root = work.root_inv_mass(m)[k], speed = work.next_velocity(m)[k];
      if (root != 0 && speed != 0) largest = larger_magnitude(largest, speed / root);
    }
    return magnitude_bits(largest);
  };
  const double speed =
      from_magnitude_bits(team.select(island.movers, speed_of, [](std::int64_t a, std::int64_t b) { return a > b; }));
  if (speed == 0 || !(speed <= tolerance * q_size)) return;
  for_each_block(team, island, work,
                 [&](int c) { for_each_row(work.block(c), [&](int r) { work.row_speed(r) = work.row_bias(r); }); });
  team.sync();
  const double at_rest = certify();
  if (at_rest <= tolerance) {
    residual = at_rest;
    team.for_each(island.movers, [&](int i) { work.next_velocity(work.island_mover(island.first_mover + i)) = {}; });
    return team.sync();
  }
  write_row_speeds(team, island, work);
}

/// Tries the modes in work.mode(). False if they and their corrections gave no answer. `as_they_are`: modes that are
/// certified stay; fixed points are found where an answer is not given up for another one of its family.
template <class Team>
JOSTLE_HD bool answer_by_modes(const Team& team, const Island& island, const ModelView& model,
                               const AnyWorkspace auto& work, double q_size, bool as_they_are, StepResult& result) {
  const Guess guess(team, island, model, work, q_size);
  const GuessResult found = guess.answer(max_corrections, model.lemke.exact_tolerance, as_they_are);
  if (!found.certified) return false;
  (found.corrections == 0 ? result.guessed : result.corrected) += 1;
  double residual = found.residual;
  take_rest(
      team, island, model, work, q_size, [&] { return certify_speeds(team, island, work, q_size); }, residual);
  if (residual > result.residual) result.residual = residual;
  return true;
}

/// The last solve: from the modes of Lemke's answer to the answer of least norm. If there is none, Lemke's stands.
/// Returns the residual.
template <class Team, class Certify>
JOSTLE_HD double least_norm_answer(const Team& team, const Island& island, const ModelView& model,
                                   const AnyWorkspace auto& work, double q_size, const Certify& certify,
                                   StepResult& result) {
  const int first = island.first_variable;
  team.for_each(island.variables, [&](int i) { work.kept_z(first + i) = work.z(first + i); });
  const Guess guess(team, island, model, work, q_size);
  guess.write_modes_of_answer();
  GuessResult found;
  double residual = infinity();
  for (const bool at_end : {false, true}) {
    found = guess.answer(max_corrections_after_lemke, model.lemke.exact_tolerance, at_end);
    residual = found.residual;
    if (found.certified) break;
    team.sync();
    team.for_each(island.variables, [&](int i) { work.z(first + i) = work.kept_z(first + i); });
    team.sync();
    residual = certify();
    team.sync();
    guess.write_modes_of_answer();
  }
  if (!found.certified) result.vertex += 1;
  take_rest(
      team, island, model, work, q_size, [&] { return certify_speeds(team, island, work, q_size); }, residual);
  return residual;
}

/// Lemke's method for the LCP of an island, whose Delassus matrix is formed.
template <class Team, class Certify>
JOSTLE_HD LcpResult pivot(const Team& team, const Island& island, const ModelView& model, const AnyWorkspace auto& work,
                          const Certify& certify, StepResult& result) {
  const int n = island.variables, first = island.first_variable;
  LemkeWorkspace lemke = LemkeWorkspace::carve(n, work.lemke_cells(), work.lemke_vectors(), work.lemke_ints());
  lemke.path = work.pivot_path().from(result.path).data;
  lemke.path_size = pivot_path_size(result.lcp_size) - result.path, lemke.path_step = work.step;
  const LcpResult solved =
      solve_lcp(team, AssembledLcp(work, island), work.scale() + first, lemke, model.lemke, work.z() + first, certify);
  team.sync();
  result.pivots += solved.pivots;
  result.pivoted += 1;
  result.path += solved.pivots < lemke.path_size ? solved.pivots : lemke.path_size;
  return solved;
}

/// Solves the LCP of an island.
template <bool IsCoupled, class Team, class Clock>
JOSTLE_HD void solve_island(const Team& team, const MixedLcp& problem, const Island& island, const ModelView& model,
                            const AnyWorkspace auto& work, const Clock& clock, StepResult& result) {
  const Dimensions& d = model.dimensions;
  const double q_size = constants_size(team, island, work);
  bool takes_least_norm = false;
  if constexpr (!IsCoupled) {
    takes_least_norm = d.has_modes() && model.multipliers == Multipliers::least_norm &&
                       Guess(team, island, model, work, q_size).is_possible();
    if (takes_least_norm && model.solver == Solver::guess_first &&
        answer_by_modes(team, island, model, work, q_size, problem.follows, result))
      return clock(Stage::pivot);
    form_delassus(team, island, work);
  }
  number_lcp(team, island, work);
  clock(Stage::assemble);
  const auto certify = [&] {
    velocity_from_impulses<IsCoupled>(team, d, problem.rows, island, work);
    write_row_speeds(team, island, work);
    return certify_speeds(team, island, work, q_size);
  };
  const LcpResult solved = pivot(team, island, model, work, certify, result);
  result.status = status_of(solved.status);
  double residual = solved.residual;
  if constexpr (!IsCoupled) {
    if (takes_least_norm && result.status == Status::ok)
      residual = least_norm_answer(team, island, model, work, q_size, certify, result);
  }
  clock(Stage::pivot);
  if (residual > result.residual) result.residual = residual;
}

/// Takes the answer with polygons, of an island, to that with the circular cone.
template <bool IsCoupled, class Team>
JOSTLE_HD JOSTLE_OUTLINE void answer_circular_cone(const Team& team, const MixedLcp& problem, const Island& island,
                                                   const ModelView& model, const AnyWorkspace auto& work,
                                                   StepResult& result) {
  const double q_size = constants_size(team, island, work);
  team.sync();
  const ConeProblem<IsCoupled, Team, std::remove_cvref_t<decltype(work)>> cones(team, island, model, work, problem.rows,
                                                                                q_size);
  const ConeAnswer found = ConeNewton(cones, q_size).answer();
  team.once([&] { work.cone_steps(0) = found.steps; });
  double residual = found.residual;
  if (!(residual <= model.lemke.certificate_tolerance))
    result.status = is_nan(residual) ? Status::not_finite : Status::uncertified;
  else if constexpr (!IsCoupled)
    take_rest(
        team, island, model, work, q_size, [&] { return cones.residual(); }, residual);
  if (!(residual <= result.residual)) result.residual = residual;
}

/// Solves the problem of an island: with polygons, then, if the model asks for it, with the circular cone.
template <bool IsCoupled, bool HasCones, class Team, class Clock>
JOSTLE_HD void answer_island(const Team& team, const MixedLcp& problem, const Island& island, const ModelView& model,
                             const AnyWorkspace auto& work, const Clock& clock, StepResult& result) {
  [[maybe_unused]] const double residual = result.residual;
  solve_island<IsCoupled>(team, problem, island, model, work, clock, result);
  if constexpr (HasCones) {
    if (!model.dimensions.has_circular_cone || result.status != Status::ok) return;
    result.residual = residual;  // that of the polygons does not count
    answer_circular_cone<IsCoupled>(team, problem, island, model, work, result);
    clock(Stage::pivot);
  }
}

/// Whether the method may try another problem in place of one with this result.
JOSTLE_HD inline bool is_without_answer(Status status) {
  return status == Status::ray || status == Status::uncertified;
}

}  // namespace detail

/// Solves the problem island by island, up to the first that fails. Writes work.next_velocity(), work.row_impulse(),
/// work.z() and, if they are answered by modes, work.mode(), and adds to the counts in `result`. All lanes call
/// hold(island), which may change an island without an answer to one that has some, and says whether it did.
/// `IsCoupled`: whether the model is (Dimensions::is_coupled); `HasCones`: whether it has_cones. With the circular cone
/// work.z and work.mode() are those of the polygons, all else is of the circular cone. Begins and ends synced.
template <bool IsCoupled, bool HasCones = false, class Team, class Clock, class Hold>
JOSTLE_HD JOSTLE_OUTLINE void solve(const Team& team, const MixedLcp& problem, const ModelView& model,
                                    const AnyWorkspace auto& work, const Clock& clock, const Hold& hold,
                                    StepResult& result) {
  const Dimensions& d = model.dimensions;
  result.path = result.lcp_size = 0;
  if (!IsCoupled && problem.blocks == 0) {
    detail::write_free_velocity(team, d, work, work.next_velocity());
    return team.sync();
  }
  const int islands = find_islands(team, d, problem, IsCoupled, work);
  if constexpr (IsCoupled) {
    if (!assemble_coupled(team, d, problem, work)) {
      result.status = Status::not_finite;
      return;
    }
  } else {
    write_free_motion(team, d, problem, work);
  }
  team.for_each(d.movers, [&](int m) { work.next_velocity(m) = work.free_velocity(m); });
  team.sync();
  clock(Stage::assemble);
  if (problem.blocks == 0) return;
  const Island last = work.island(islands - 1);
  result.lcp_size = last.first_variable + last.variables;
  for (int i = 0; i < islands && result.status == Status::ok; ++i) {
    const Island island = work.island(i);
    result.solves += 1;
    const double residual = result.residual;
    const int path = result.path;
    detail::answer_island<IsCoupled, HasCones>(team, problem, island, model, work, clock, result);
    if (!detail::is_without_answer(result.status) || !hold(island)) continue;
    const Status first = result.status;
    result.status = Status::ok, result.residual = residual, result.path = path, result.held = true;
    detail::answer_island<IsCoupled, HasCones>(team, problem, island, model, work, clock, result);
    if (result.status != Status::ok) result.status = first;
  }
}

}  // namespace jostle

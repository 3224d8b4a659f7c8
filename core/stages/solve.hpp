#pragma once
// Solves the mixed LCP of a step, certifies the answer and computes velocities from it. It depends on no method.
#include "core/assembly/assembled_lcp.hpp"
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
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
/// passes the exact certificate, v = 0.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void take_rest(const Team& team, const MixedLcp& problem, const ModelView& model,
                                        const AnyWorkspace auto& work, const LcpScale& lcp, double& residual) {
  const int nv = model.dimensions.velocities();
  const double tolerance = model.lemke.exact_tolerance;
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const double speed = from_magnitude_bits(team.select(
      nv, [&](int i) { return magnitude_bits(work.next_velocity(i / 6)[i % 6]); }, larger));
  if (speed == 0) return;
  const double scaled = from_magnitude_bits(team.select(
      nv,
      [&](int i) {
        const double root = work.root_inv_mass(i / 6)[i % 6];
        return root == 0 ? 0 : magnitude_bits(work.next_velocity(i / 6)[i % 6] / root);
      },
      larger));
  if (!(scaled <= tolerance * lcp.q_size)) return;
  team.sync();
  team.for_each(model.dimensions.movers, [&](int m) { work.next_velocity(m) = {}; });
  team.sync();
  write_row_speeds(team, problem, work);
  const double at_rest = certify_speeds(team, work, lcp.n, lcp.q_size);
  if (at_rest <= tolerance) {
    residual = at_rest;
    return;
  }
  velocity_from_impulses<false>(team, model.dimensions, problem, work);
  write_row_speeds(team, problem, work);
}

/// Tries the modes in work.mode(). False if they and their corrections gave no answer.
template <class Team>
JOSTLE_HD bool answer_by_modes(const Team& team, const MixedLcp& problem, const ModelView& model,
                               const AnyWorkspace auto& work, const LcpScale& lcp, StepResult& result) {
  const Guess guess(team, problem, model, work, lcp);
  const GuessResult found = guess.answer(max_corrections, model.lemke.exact_tolerance);
  if (!found.certified) return false;
  (found.corrections == 0 ? result.guessed : result.corrected) += 1;
  double residual = found.residual;
  take_rest(team, problem, model, work, lcp, residual);
  if (residual > result.residual) result.residual = residual;
  return true;
}

/// The last solve: from the modes of Lemke's answer to the answer of least norm. If there is none, Lemke's stands.
/// Returns the residual.
template <class Team, class Certify>
JOSTLE_HD double least_norm_answer(const Team& team, const MixedLcp& problem, const ModelView& model,
                                   const AnyWorkspace auto& work, const LcpScale& lcp, const Certify& certify,
                                   StepResult& result) {
  team.for_each(lcp.n, [&](int i) { work.kept_z(i) = work.z(i); });
  const Guess guess(team, problem, model, work, lcp);
  guess.write_modes_of_answer();
  const GuessResult found = guess.answer(max_corrections_after_lemke, model.lemke.exact_tolerance);
  double residual = found.residual;
  if (!found.certified) {
    result.vertex += 1;
    team.sync();
    team.for_each(lcp.n, [&](int i) { work.z(i) = work.kept_z(i); });
    team.sync();
    residual = certify();
    team.sync();
    guess.write_modes_of_answer();
  }
  take_rest(team, problem, model, work, lcp, residual);
  return residual;
}

}  // namespace detail

/// Writes work.next_velocity(), work.row_impulse(), work.z() and, if they are answered by modes, work.mode(), and adds
/// to the counts in `result`. `IsCoupled`: whether the model is (Dimensions::is_coupled). Ends synced.
template <bool IsCoupled, class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve(const Team& team, const MixedLcp& problem, const ModelView& model,
                                    const AnyWorkspace auto& work, const Clock& clock, StepResult& result) {
  const Dimensions& d = model.dimensions;
  result.path = 0;
  if (!IsCoupled && problem.rows == 0) {
    detail::write_free_velocity(team, d, work, work.next_velocity());
    return team.sync();
  }
  LcpScale lcp;
  if constexpr (IsCoupled)
    lcp.n = assemble_lcp<true>(team, d, problem, work);
  else
    lcp.n = number_lcp(team, d, problem, work);
  clock(Stage::assemble);
  if (lcp.n < 0) {
    result.status = Status::not_finite;
    return;
  }
  if (lcp.n == 0) return velocity_from_impulses<IsCoupled>(team, d, problem, work);
  result.solves += 1;
  result.lcp_size = lcp.n;
  lcp.q_size = constants_size(team, work, lcp.n);
  bool takes_least_norm = false;
  if constexpr (!IsCoupled) {
    takes_least_norm = d.has_modes() && model.multipliers == Multipliers::least_norm &&
                       Guess(team, problem, model, work, lcp).is_possible();
    if (takes_least_norm && model.solver == Solver::guess_first &&
        detail::answer_by_modes(team, problem, model, work, lcp, result))
      return clock(Stage::pivot);
    form_delassus(team, problem, work);
    clock(Stage::assemble);
  }
  const auto certify = [&] {
    velocity_from_impulses<IsCoupled>(team, d, problem, work);
    write_row_speeds(team, problem, work);
    return certify_speeds(team, work, lcp.n, lcp.q_size);
  };
  LemkeWorkspace lemke = LemkeWorkspace::carve(lcp.n, work.lemke_cells(), work.lemke_vectors(), work.lemke_ints());
  lemke.path = work.pivot_path().data;
  lemke.path_size = pivot_path_size(lcp.n), lemke.path_step = work.step;
  const LcpResult solved =
      solve_lcp(team, AssembledLcp(work, lcp.n), work.scale(), lemke, model.lemke, work.z(), certify);
  team.sync();
  result.status = status_of(solved.status);
  result.pivots += solved.pivots;
  result.pivoted += 1;
  result.path = solved.pivots < lemke.path_size ? solved.pivots : lemke.path_size;
  double residual = solved.residual;
  if constexpr (!IsCoupled) {
    if (takes_least_norm && result.status == Status::ok)
      residual = detail::least_norm_answer(team, problem, model, work, lcp, certify, result);
  }
  clock(Stage::pivot);
  if (residual > result.residual) result.residual = residual;
}

}  // namespace jostle

#pragma once
// Lemke's method for an island, and the answer of least norm that it finds where modes do not.
#include "core/assembly/assembled_lcp.hpp"
#include "core/assembly/contact_certificate.hpp"
#include "core/guess/guess.hpp"
#include "core/guess/proximal_lcp.hpp"
#include "core/lcp/lemke.hpp"
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

/// The problem of an island.
template <class Team, AnyWorkspace Work>
struct IslandProblem {
  const Team& team;
  const MixedLcp& whole;  ///< the problem of the system
  const Island& island;
  const ModelView& model;
  const Work& work;
};

/// The certificate of work.z for the LCP of an island or, with the same type, so that Lemke's method exists once, for
/// its proximal LCP.
template <class Team, AnyWorkspace Work>
struct Certify {
  const IslandProblem<Team, Work>& of;
  LcpScale scale;
  double allowance;        ///< of the tolerances of exact answers
  double eps = 0;          ///< eps of the proximal LCP; 0: it is none
  bool keeps_ray = false;  ///< whether a ray on which Lemke's method ends is left in work.z

  /// Of exact answers.
  JOSTLE_HD double tolerance() const { return allowance * of.model.lemke.exact_tolerance; }
  JOSTLE_HD double most_constant() const { return scale.most_constant; }

  JOSTLE_HD double operator()() const {
    velocity_from_impulses(of.team, of.model.dimensions, of.island, of.work);
    write_row_speeds(of.team, of.island, of.work);
    if (eps > 0) add_compliance(of.team, of.island, of.model, eps, of.work);
    return certify_speeds(of.team, of.island, of.work, scale.q_size);
  }
};

/// Lemke's method for the LCP of an island, whose Delassus matrix is formed.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE LcpResult pivot(const Certify<Team, Work>& certify, const LemkeOptions& options,
                                         StepResult& result) {
  const Island& island = certify.of.island;
  const Work& work = certify.of.work;
  const int n = island.variables, first = island.first_variable;
  LemkeWorkspace lemke = LemkeWorkspace::carve(n, work.lemke_cells(), work.lemke_vectors(), work.lemke_ints());
  lemke.path = work.pivot_path().from(result.path).data;
  lemke.path_size = pivot_path_size(result.lcp_size) - result.path, lemke.path_step = work.step;
  const auto keep_ray = [&](const auto& method, const LcpResult& end) {
    if constexpr (Work::is_coupled)
      if (end.status == LcpStatus::ray && certify.keeps_ray) method.write_ray(work.z() + first);
  };
  const LcpResult solved = solve_lcp(certify.of.team, AssembledLcp(work, island), work.scale() + first, lemke, options,
                                     work.z() + first, certify, nullptr, nullptr, keep_ray);
  certify.of.team.sync();
  result.pivots += solved.pivots;
  result.path += solved.pivots < lemke.path_size ? solved.pivots : lemke.path_size;
  return solved;
}

/// The answer of least norm by proximal LCPs, each from scratch, or by the modes that they show; work.mode() becomes
/// its modes. Returns its residual, or infinity if there is none. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE double proximal_answer(Certify<Team, Work> certify, const Guess<Team, Work>& guess,
                                                StepResult& result) {
  const Team& team = certify.of.team;
  const Island& island = certify.of.island;
  const ModelView& model = certify.of.model;
  const Work& work = certify.of.work;
  LemkeOptions options = model.lemke;
  const auto form_matrix = [&] { form_delassus(team, model.dimensions, island, work); };
  const auto modes_of_impulses = [&](bool at_end) {
    guess.write_modes_of_impulses();
    return guess.answer(max_corrections, at_end,
                        at_end ? max_later_near_corrections : 0);  // the centre is still needed
  };
  const auto end = [&](double residual) {
    if constexpr (Work::is_coupled) form_matrix();  // others do not look at it any more
    return residual;
  };
  for (double eps = proximal_weight; eps >= least_proximal_weight; eps *= proximal_ratio) {
    form_matrix();
    add_proximal_matrix(team, island, model, eps, work);
    options.slope_tolerance = proximal_slope_tolerance * (eps / proximal_weight);
    keep_impulses(team, island, model, true, work);
    bool is_first = true, is_solved = false;
    for (double before = infinity();; is_first = false) {
      write_proximal_vector(team, island, model, eps, work);
      certify.eps = eps;
      is_solved = pivot(certify, options, result).status == LcpStatus::solved;
      if (!is_solved) break;
      certify.eps = 0;
      const double residual = certify();
      if (residual <= certify.tolerance()) {
        guess.write_modes_of_impulses();
        return end(residual);
      }
      if (!(residual <= before / 2)) break;
      before = residual;
      team.sync();
      keep_impulses(team, island, model, false, work);
      if (!is_first) continue;
      const GuessResult found = modes_of_impulses(false);
      if (found.certified) return end(found.residual);
    }
    if (!is_solved) continue;
    const GuessResult found = modes_of_impulses(true);
    if (found.certified) return end(found.residual);
  }
  return end(infinity());
}

}  // namespace detail

}  // namespace jostle

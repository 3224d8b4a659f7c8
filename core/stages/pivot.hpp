#pragma once
// Lemke's method for an island, and the answer of least norm that it finds where modes do not.
#include "core/assembly/assembled_lcp.hpp"
#include "core/assembly/contact_certificate.hpp"
#include "core/guess/proximal_lcp.hpp"
#include "core/lcp/lemke.hpp"
#include "core/step_result.hpp"

namespace jostle {

namespace detail {

/// The certificate of work.z for the LCP of an island or, with the same type, so that Lemke's method exists once, for
/// its proximal LCP.
template <bool IsCoupled, class Team, AnyWorkspace Work>
struct Certify {
  const Team& team;
  const MixedLcp& problem;
  const Island& island;
  const ModelView& model;
  const Work& work;
  double q_size;  ///< |q'|inf
  bool is_proximal = false;

  JOSTLE_HD double operator()() const {
    velocity_from_impulses<IsCoupled>(team, model.dimensions, problem.rows, island, work);
    write_row_speeds(team, island, work);
    if constexpr (!IsCoupled) {
      if (is_proximal) add_yielding(team, island, model, work);
    }
    return certify_speeds(team, island, work, q_size);
  }
};

/// Lemke's method for the LCP of an island, whose Delassus matrix is formed.
template <class Team, class Certify>
JOSTLE_HD JOSTLE_OUTLINE LcpResult pivot(const Team& team, const Island& island, const AnyWorkspace auto& work,
                                         const LemkeOptions& options, const Certify& certify, StepResult& result) {
  const int n = island.variables, first = island.first_variable;
  LemkeWorkspace lemke = LemkeWorkspace::carve(n, work.lemke_cells(), work.lemke_vectors(), work.lemke_ints());
  lemke.path = work.pivot_path().from(result.path).data;
  lemke.path_size = pivot_path_size(result.lcp_size) - result.path, lemke.path_step = work.step;
  const LcpResult solved =
      solve_lcp(team, AssembledLcp(work, island), work.scale() + first, lemke, options, work.z() + first, certify);
  team.sync();
  result.pivots += solved.pivots;
  result.path += solved.pivots < lemke.path_size ? solved.pivots : lemke.path_size;
  return solved;
}

/// The answer of least norm by proximal LCPs, each from scratch. Returns its residual, or infinity if there is none.
/// Begins and ends synced.
template <class Team, class Certify>
JOSTLE_HD JOSTLE_OUTLINE double proximal_answer(const Team& team, const Island& island, const ModelView& model,
                                                const AnyWorkspace auto& work, Certify certify, StepResult& result) {
  LemkeOptions options = model.lemke;
  options.slope_tolerance = proximal_slope_tolerance;
  add_proximal_matrix(team, island, model, work);
  double further = 0, before = infinity();
  for (int lcp = 0; lcp < max_proximal_lcps; ++lcp) {
    write_proximal_vector(team, island, model, lcp == 0, further, work);
    certify.is_proximal = true;
    if (pivot(team, island, work, options, certify, result).status != LcpStatus::solved) break;
    certify.is_proximal = false;
    const double residual = certify();
    if (residual <= model.lemke.exact_tolerance) return residual;
    further = 0;
    if (residual <= before / 2) {
      before = residual;
      continue;
    }
    before = infinity();
    further = team.select(
        island.blocks, [&](int i) { return steps_in_cone(model, work, work.island_block(island.first_block + i)); },
        [](double a, double b) { return a < b; });
    if (further == infinity()) break;
  }
  team.sync();
  return infinity();
}

}  // namespace detail

}  // namespace jostle

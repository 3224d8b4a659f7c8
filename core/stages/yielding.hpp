#pragma once
// Jams that are jams but for errors of joints, docs/theory.md (17c): contacts yield by so much.
#include "core/stages/pivot.hpp"

namespace jostle::detail {

/// Bounds of (42f) for contacts: rounding errors, and what a light body may carry of heavy ones without a jam.
inline constexpr double least_errors = 0x1p-50, most_errors = 0x1p-16;

/// The largest eps.
inline constexpr double most_yielding = 0x1p-10;

/// G p relative to |q'|inf: answers with lower impulses are no jams, and contacts that yield with larger ones would be
/// pressed into each other.
inline constexpr double most_yield = 256;

/// eps: by how much errors of joints turn rows, without the factor of caution in (42f).
JOSTLE_HD double yielding_of(AnyWorkspace auto work) {
  const double turn = std::sqrt(work.joint_dependence()) / errors_in_a_row;
  return turn < most_yielding ? turn : most_yielding;
}

/// Whether contacts may yield in an island: equations of joints are left out that follow from others but for errors of
/// joints, which every other row has as well.
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool may_yield(const IslandProblem<Team, Work>& of) {
  if constexpr (Work::is_coupled) {
    const Work& work = of.work;
    const Dimensions& d = of.model.dimensions;
    return of.whole.may_yield && d.has_joint_loops && !d.has_circular_cone && redundant_equations(work) > 0 &&
           work.joint_dependence() > 0;
  }
  return false;
}

/// Whether a contact or limit has an impulse with G p above most_yield |q'|inf. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD bool any_bears_much(const IslandProblem<Team, Work>& of, const LcpScale& size) {
  const Work& work = of.work;
  const bool any = any_of(of.team, of.island.blocks, [&](int i) {
    const int c = work.island_block(of.island.first_block + i);
    if (work.block(c).normal < 0) return false;  // its impulses are bounded
    double largest = 0;
    for_each_row(work.block(c), [&](int r) { largest = larger_magnitude(largest, work.row_impulse(r)); });
    return work.block_response(c) * largest > most_yield * size.q_size;
  });
  of.team.sync();
  return any;
}

/// Whether an answer has large impulses of contacts and limits that nothing but errors of joints tells from those of a
/// jam: what they move, p'J P J'p, is less of what they would move without joints than (42f).
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE bool is_nearly_jammed(const IslandProblem<Team, Work>& of) {
  if (!may_yield(of)) return false;
  const Work& work = of.work;
  of.team.sync();
  const LcpScale scale = size_of_lcp(of.team, of.island, work, of.whole.relative_to_speeds);
  of.team.sync();
  if (!any_bears_much(of, scale)) return false;
  double moved = 0, size = 0;
  for (int i = 0; i < of.island.blocks; ++i) {
    const int c = work.island_block(of.island.first_block + i);
    if (work.block(c).normal < 0) continue;
    for_each_row(work.block(c), [&](int r) {
      const double p = work.row_impulse(r), free = add_product(0, work.row(r), work.free_velocity());
      if (p == 0) return;
      moved += p * add_product(-free, work.row(r), work.next_velocity());
      size += work.block_response(c) * (p * p);
    });
  }
  of.team.sync();
  const double errors = larger_magnitude(work.joint_dependence(), least_errors);
  return moved <= (errors < most_errors ? errors : most_errors) * size;
}

/// The answer with contacts that yield: b + eps G p in place of b. Begins and ends synced.
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE void answer_yielding(const IslandProblem<Team, Work>& of, StepResult& result) {
  const ModelView& model = of.model;
  const Work& work = of.work;
  const LcpScale size = size_of_lcp(of.team, of.island, work, of.whole.relative_to_speeds);
  of.team.sync();
  const Certify<Team, Work> certify{of, size, 1, yielding_of(work)};
  form_delassus(of.team, model.dimensions, of.island, work);
  number_lcp(of.team, of.island, work);
  add_proximal_matrix(of.team, of.island, model, certify.eps, work);
  keep_impulses(of.team, of.island, model, true, work);
  const LcpResult solved = pivot(certify, model.lemke, result);
  result.pivoted += 1;
  result.status = status_of(solved.status), result.residual = solved.residual;
  if (any_bears_much(of, size)) result.status = Status::ray;
  for_each_block(of.team, of.island, work, [&](int c) { work.mode(c) = mode_of_impulses(work, c); });
  of.team.sync();
}

}  // namespace jostle::detail

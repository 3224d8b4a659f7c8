#pragma once
// Solves the mixed LCP of a step, certifies the answer and computes velocities from it. It depends on no method.
#include "core/assembly/assembled_lcp.hpp"
#include "core/assembly/contact_certificate.hpp"
#include "core/assembly/schur.hpp"
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

/// Writes work.next_velocity(), work.row_impulse() and work.z(), and adds to the counts in `result`. `IsCoupled`:
/// whether the model is (Dimensions::is_coupled). Ends synced.
template <bool IsCoupled, class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve(const Team& team, const MixedLcp& problem, const ModelView& model,
                                    const AnyWorkspace auto& work, const Clock& clock, StepResult& result) {
  const Dimensions& d = model.dimensions;
  if (!IsCoupled && problem.rows == 0) {
    detail::write_free_velocity(team, d, work, work.next_velocity());
    return team.sync();
  }
  const int n = assemble_lcp<IsCoupled>(team, d, problem, work);
  clock(Stage::assemble);
  if (n < 0) {
    result.status = Status::not_finite;
    return;
  }
  const auto certify = [&] {
    velocity_from_impulses<IsCoupled>(team, d, problem, work);
    return certify_contacts(team, work, n);
  };
  if (n == 0) return velocity_from_impulses<IsCoupled>(team, d, problem, work);
  LemkeWorkspace lemke = LemkeWorkspace::carve(n, work.lemke_cells(), work.lemke_vectors(), work.lemke_ints());
  lemke.path = work.pivot_path().data;
  lemke.path_size = pivot_path_size(n), lemke.path_step = work.step;
  const LcpResult solved = solve_lcp(team, AssembledLcp(work, n), work.scale(), lemke, model.lemke, work.z(), certify);
  team.sync();
  clock(Stage::pivot);
  result.status = status_of(solved.status);
  result.pivots += solved.pivots;
  result.solves += 1;
  result.lcp_size = n;
  result.path = solved.pivots < lemke.path_size ? solved.pivots : lemke.path_size;
  if (solved.residual > result.residual) result.residual = solved.residual;
}

}  // namespace jostle

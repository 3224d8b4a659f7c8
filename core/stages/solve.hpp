#pragma once
// Solves the mixed LCP of a step with its certificate and turns the answer into velocities. It knows no method.
#include "core/assembly/contact_certificate.hpp"
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

JOSTLE_HD inline SchurComplement schur_complement(const Workspace& work) {
  SchurComplement schur;
  schur.free_velocity = work.free_velocity;
  schur.response = work.response;
  schur.delassus = work.delassus;
  schur.variables = work.variables;
  schur.lcp_matrix = work.lcp_matrix;
  schur.lcp_vector = work.lcp_vector;
  schur.scale = work.scale;
  schur.block_scale = work.block_scale;
  schur.lane_memory = work.lane_memory;
  schur.orders = work.orders;
  return schur;
}

/// Without rows there is no LCP: v = A^-1 r, for a diagonal A and no joints, as in all problems of today.
template <class Team>
JOSTLE_HD void solve_free(const Team& team, const MixedLcp& problem, double* velocity) {
  team.for_each(problem.velocities, [&](int k) { velocity[k] = problem.inv_mass[k] * problem.momentum[k]; });
  team.sync();
}

/// Writes work.next_velocity, work.row_impulse and work.z, and counts into `result`. Ends synced.
template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve(const Team& team, const MixedLcp& problem, const LemkeOptions& options,
                                    const Workspace& work, const Clock& clock, StepResult& result) {
  if (problem.rows == 0) return solve_free(team, problem, work.next_velocity);
  SchurComplement schur = schur_complement(work);
  if (!assemble_lcp(team, problem, schur)) {
    result.status = Status::not_finite;
    return;
  }
  clock(Stage::assemble);
  const auto certify = [&] {
    velocity_from_impulses(team, problem, schur, work.z, work.row_impulse, work.next_velocity);
    return certify_contacts(team, problem, schur, work.next_velocity, work.z);
  };
  const LcpView lcp{schur.size, schur.size, work.lcp_matrix, work.lcp_vector};
  LemkeWorkspace lemke = LemkeWorkspace::carve(schur.size, work.lemke_cells, work.lemke_vectors, work.lemke_ints);
  lemke.path = work.pivot_path;
  lemke.path_size = pivot_path_size(schur.size);
  const LcpResult solved = solve_lcp(team, lcp, work.scale, lemke, options, work.z, certify);
  team.sync();
  clock(Stage::pivot);
  result.status = status_of(solved.status);
  result.pivots += solved.pivots;
  result.solves += 1;
  result.lcp_size = schur.size;
  result.path = solved.pivots < lemke.path_size ? solved.pivots : lemke.path_size;
  if (solved.residual > result.residual) result.residual = solved.residual;
}

}  // namespace jostle

#pragma once
// Solves the LCP of a step with its certificate and turns the answer into velocities.
#include "core/assembly/contact_certificate.hpp"
#include "core/lcp/lemke.hpp"
#include "core/stages/assemble.hpp"
#include "core/stages/stage.hpp"

namespace jostle {

/// What the solves of one step came to.
struct StepResult {
  Status status = Status::ok;
  int contacts = 0;   ///< in the LCP
  int pivots = 0;     ///< of all LCPs of the step
  Real residual = 0;  ///< the largest certificate
  int solves = 0;     ///< number of LCPs
  int lcp_size = 0;   ///< n of the last one
  int path = 0;       ///< pivots of the last one that stand in work.pivot_path
};

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

/// Velocities without contact: v = A^-1 r.
template <class Team>
JOSTLE_HD void free_flight(const Team& team, const System& system, const Workspace& work) {
  team.for_each(system.model.dimensions.freedoms,
                [&](int k) { work.next_velocity[k] = work.inv_mass[k] * work.momentum[k]; });
  team.sync();
}

/// Assembles and solves with the listed contacts; writes work.next_velocity, work.row_impulse and work.z. Counts into
/// `result`.
template <class Team, class Clock>
JOSTLE_HD JOSTLE_OUTLINE void solve_contacts(const Team& team, const System& system, const Workspace& work,
                                             const Clock& clock, StepResult& result) {
  write_contact_rows(team, system, work, result.contacts);
  const MixedLcp mixed = mixed_lcp(system, work, result.contacts);
  SchurComplement schur = schur_complement(work);
  if (!assemble_lcp(team, mixed, schur)) {
    result.status = Status::not_finite;
    return;
  }
  clock(Stage::assemble);
  const auto certify = [&] {
    velocity_from_impulses(team, mixed, schur, work.z, work.row_impulse, work.next_velocity);
    return certify_contacts(team, mixed, schur, work.next_velocity, work.z);
  };
  const LcpView lcp{schur.size, schur.size, work.lcp_matrix, work.lcp_vector};
  LemkeWorkspace lemke = LemkeWorkspace::carve(schur.size, work.lemke_cells, work.lemke_vectors, work.lemke_ints);
  lemke.path = work.pivot_path;
  lemke.path_size = pivot_path_size(schur.size);
  const LcpResult solved = solve_lcp(team, lcp, work.scale, lemke, system.model.lemke, work.z, certify);
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

#pragma once
// Your own LCP, solved by any team: equilibrated from M alone, and certified in both units.
#include "core/lcp/certificate.hpp"
#include "core/lcp/equilibration.hpp"
#include "core/lcp/lemke.hpp"

namespace jostle {

/// What else is known at the end, each null if it is not wanted.
struct LcpDetails {
  std::uint8_t* basis = nullptr;  ///< n: 1 where z_i is basic, all 0 unless the status is solved
  double* ray = nullptr;          ///< n: core/lcp/ray.hpp, all 0 unless the status is ray and the data confirm it
};

/// For a callback at_end of solve_dense.
template <class Team, class Method>
JOSTLE_HD void write_details(const Team& team, int n, const Method& lemke, const LcpResult& result,
                             const LcpDetails& details) {
  const bool solved = result.status == LcpStatus::solved;
  write_basis(team, n, details.basis, [&](int k) { return solved && lemke.is_basic(k); });
  if (!details.ray) return;
  if (result.status == LcpStatus::ray)
    lemke.write_ray(details.ray);
  else
    team.for_each(n, [&](int k) { details.ray[k] = 0; });
}

/// Solves w = M z + q, z, w >= 0, z'w = 0. `solved` means a residual within options.certificate_tolerance both in the
/// units of the caller and in equilibrated ones. The residual returned is max|min(z, w)| / max(1, |q|inf) in the
/// caller's units, infinity if there is no answer. Every lane gets the result; ends synced.
///
///   scale  n, working memory        workspace  of LemkeWorkspace::sizes(n)
///   z      n, output                w          n, output: M z + q if solved
///   at_end   at_end(lemke, result) for what else Lemke's method knows, unless n is 0 or start_basis is the answer
///   start_basis   n, or null: solve_lcp says what it does
template <class Team, class AtEnd = IgnoreEnd>
JOSTLE_HD LcpResult solve_dense(const Team& team, const LcpView& lcp, const LemkeOptions& options, double* scale,
                                const LemkeWorkspace& workspace, double* z, double* w, AtEnd at_end = {},
                                const std::uint8_t* start_basis = nullptr) {
  if (lcp.n == 0) return {LcpStatus::solved, 0, 0};
  equilibrate(team, lcp, scale);
  const auto certify = [&] {
    write_slacks(team, lcp, z, w);
    const double plain = plain_residual(team, lcp, z, w);
    const double scaled = equilibrated_residual(team, lcp, scale, z, w);
    return scaled <= plain ? plain : scaled;  // keeps NaN
  };
  LcpResult result = solve_lcp(team, lcp, scale, workspace, options, z, certify, start_basis, nullptr, at_end);
  result.residual = result.status == LcpStatus::solved ? plain_residual(team, lcp, z, w) : infinity();
  team.sync();
  return result;
}

}  // namespace jostle

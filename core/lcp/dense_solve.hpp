#pragma once
// Your own LCP, solved by any team: equilibrated from M alone, and certified in both units.
#include "core/lcp/certificate.hpp"
#include "core/lcp/equilibration.hpp"
#include "core/lcp/lemke.hpp"

namespace jostle {

/// Solves w = M z + q, z, w >= 0, z'w = 0. `solved` means a residual within options.certificate_tolerance both in the
/// units of the caller and in equilibrated ones. The residual returned is max|min(z, w)| / max(1, |q|inf) in the
/// caller's units, infinity if there is no answer. Every lane gets the result; ends synced.
///
///   scale  n, working memory        workspace  of LemkeWorkspace::sizes(n)
///   z      n, output                w          n, output: M z + q if solved
template <class Team>
JOSTLE_HD LcpResult solve_dense(const Team& team, const LcpView& lcp, const LemkeOptions& options, double* scale,
                                const LemkeWorkspace& workspace, double* z, double* w) {
  if (lcp.n == 0) return {LcpStatus::solved, 0, 0};
  equilibrate(team, lcp, scale);
  const auto certify = [&] {
    const double plain = certify_plain(team, lcp, z, w);
    const double scaled = certify_equilibrated(team, lcp, scale, z, w);
    return scaled <= plain ? plain : scaled;  // keeps NaN
  };
  LcpResult result = solve_lcp(team, lcp, scale, workspace, options, z, certify);
  team.sync();
  result.residual = result.status == LcpStatus::solved ? certify_plain(team, lcp, z, w) : infinity();
  team.sync();
  return result;
}

}  // namespace jostle

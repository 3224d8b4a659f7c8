#include "core/lcp/dense.hpp"

#include <limits>
#include <stdexcept>

#include "core/lcp/certificate.hpp"
#include "core/lcp/equilibration.hpp"
#include "core/lcp/lemke.hpp"

namespace jostle {

DenseLcpSolution solve_dense_lcp(const std::vector<Real>& M, const std::vector<Real>& q, const LemkeOptions& options) {
  if (M.size() != q.size() * q.size()) throw std::invalid_argument("an LCP needs a square M with as many rows as q");
  const SerialTeam team;
  const int n = static_cast<int>(q.size());
  const LcpView lcp{n, n, M.data(), q.data()};
  const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
  std::vector<Real> reals(sizes.reals);
  std::vector<int> ints(sizes.ints);
  std::vector<Real> scale(q.size());
  equilibrate(team, lcp, scale.data());

  DenseLcpSolution solution;
  solution.z.resize(q.size());
  solution.w.resize(q.size());
  const auto certify = [&] {
    const Real plain = certify_plain(team, lcp, solution.z.data(), solution.w.data());
    const Real scaled = certify_equilibrated(team, lcp, scale.data(), solution.z.data(), solution.w.data());
    return scaled <= plain ? plain : scaled;  // NaN stays
  };
  const LcpResult result = solve_lcp(team, lcp, scale.data(), LemkeWorkspace::carve(n, reals.data(), ints.data()),
                                     options, solution.z.data(), certify);
  solution.status = result.status;
  solution.pivots = result.pivots;
  if (result.status == LcpStatus::solved) {
    solution.residual = n > 0 ? certify_plain(team, lcp, solution.z.data(), solution.w.data()) : 0;
  } else {
    solution.w.clear();
    solution.residual = std::numeric_limits<Real>::infinity();
  }
  return solution;
}

}  // namespace jostle

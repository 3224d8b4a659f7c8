#include "core/lcp/dense.hpp"

#include <stdexcept>

#include "core/lcp/dense_solve.hpp"

namespace jostle {

DenseLcpSolution solve_dense_lcp(const std::vector<double>& M, const std::vector<double>& q,
                                 const LemkeOptions& options) {
  if (M.size() != q.size() * q.size()) throw std::invalid_argument("an LCP needs a square M with as many rows as q");
  const int n = static_cast<int>(q.size());
  const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
  std::vector<double> cells(sizes.cells), vectors(sizes.vectors), scale(q.size());
  std::vector<int> ints(sizes.ints);

  DenseLcpSolution solution;
  solution.z.resize(q.size());
  solution.w.resize(q.size());
  const LcpResult result = solve_dense(SerialTeam{}, {n, n, M.data(), q.data()}, options, scale.data(),
                                       LemkeWorkspace::carve(n, cells.data(), vectors.data(), ints.data()),
                                       solution.z.data(), solution.w.data());
  solution.status = result.status;
  solution.pivots = result.pivots;
  solution.residual = result.residual;
  if (result.status != LcpStatus::solved) solution.w.clear();
  return solution;
}

}  // namespace jostle

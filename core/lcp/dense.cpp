#include "core/lcp/dense.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/lcp/dense_solve.hpp"
#include "core/lcp/lemke_memory.hpp"

namespace jostle {

void DenseLcpSolution::resize(std::size_t n) { z.resize(n), w.resize(n), basis.resize(n), ray.resize(n); }

void DenseLcpSolution::clear_unknown() {
  if (status != LcpStatus::solved) w.clear();
  if (std::all_of(ray.begin(), ray.end(), [](double entry) { return entry == 0; })) ray.clear();
}

DenseLcpSolution solve_dense_lcp(const std::vector<double>& M, const std::vector<double>& q,
                                 const LemkeOptions& options, const std::uint8_t* start_basis) {
  if (M.size() != q.size() * q.size()) throw std::invalid_argument("an LCP needs a square M with as many rows as q");
  const int n = static_cast<int>(q.size());
  LemkeMemory memory;
  DenseLcpSolution solution;
  solve_dense_lcp({n, n, M.data(), q.data()}, options, memory.scale(n), memory.workspace(n), solution, start_basis);
  return solution;
}

void solve_dense_lcp(const LcpView& lcp, const LemkeOptions& options, double* scale, const LemkeWorkspace& workspace,
                     DenseLcpSolution& solution, const std::uint8_t* start_basis) {
  solution.resize(static_cast<std::size_t>(lcp.n));
  solution.attempts = 0;
  solution.verdict = LcpVerdict::none, solution.proof.clear();
  if (start_basis) {  // is the answer if it has an exact one
    std::copy(start_basis, start_basis + lcp.n, solution.basis.begin());
    std::fill(solution.ray.begin(), solution.ray.end(), 0.0);
  }
  const auto at_end = [&](const auto& lemke, const LcpResult& result) {
    solution.attempts = lemke.attempts();
    write_details(SerialTeam{}, lcp.n, lemke, result, {solution.basis.data(), solution.ray.data()});
  };
  const LcpResult result = solve_dense(SerialTeam{}, lcp, options, scale, workspace, solution.z.data(),
                                       solution.w.data(), at_end, start_basis);
  solution.status = result.status, solution.pivots = result.pivots, solution.residual = result.residual;
  solution.clear_unknown();
}

}  // namespace jostle

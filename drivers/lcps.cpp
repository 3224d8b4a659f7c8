#include "drivers/lcps.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "core/lcp/dense_solve.hpp"
#include "drivers/parallel.hpp"

namespace jostle {
namespace {

/// Memory of Lemke's method for problems of any size.
class Memory {
 public:
  LemkeWorkspace workspace(int n) {
    const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
    cells_.resize(std::max(cells_.size(), sizes.cells));
    vectors_.resize(std::max(vectors_.size(), sizes.vectors));
    ints_.resize(std::max(ints_.size(), sizes.ints));
    scale_.resize(std::max(scale_.size(), static_cast<std::size_t>(n)));
    return LemkeWorkspace::carve(n, cells_.data(), vectors_.data(), ints_.data());
  }
  double* scale() { return scale_.data(); }

 private:
  std::vector<double> cells_, vectors_, scale_;
  std::vector<int> ints_;
};

/// Where Lemke's method has ended.
struct End {
  const LcpView& lcp;
  const LemkeWorkspace& workspace;
  const double* scale;
  LemkePlaces<0> places;

  End(const LcpView& problem, const LemkeWorkspace& work, const double* scales)
      : lcp(problem), workspace(work), scale(scales), places(LcpExtent<0>(problem.n), work) {}

  int place_of_w(int k) const { return places.place[places.traded[k] ? places.n() + k : k]; }

  /// The pair that has neither of its variables in the basis, one of which entered last; -1 if there is none.
  int open_pair() const {
    for (int k = 0; k < lcp.n; ++k)
      if (places.place_of_z(k) < 0 && place_of_w(k) < 0) return k;
    return -1;
  }

  /// z along the ray, in the units of the LCP, if z_pair or w_pair enters.
  std::vector<double> direction(int pair, bool z_enters) const {
    std::vector<double> u(static_cast<std::size_t>(lcp.n));
    double largest = 0;
    for (int k = 0; k < lcp.n; ++k) {
      const int row = places.place_of_z(k);
      const double rate = row >= 0 ? workspace.column[row] : k == pair && z_enters ? 1.0 : 0.0;
      u[static_cast<std::size_t>(k)] = scale[k] * std::max(rate, 0.0);
      largest = std::max(largest, u[static_cast<std::size_t>(k)]);
    }
    if (!(largest > 0)) return {};
    for (double& entry : u) entry /= largest;
    return u;
  }

  bool confirms(const std::vector<double>& u) const {
    constexpr double rounding = 1e-9;
    if (u.empty()) return false;
    for (int i = 0; i < lcp.n; ++i) {
      if (u[static_cast<std::size_t>(i)] <= rounding) continue;
      double sum = 0, size = 0;
      for (int j = 0; j < lcp.n; ++j) {
        const double term = lcp.entry(i, j) * u[static_cast<std::size_t>(j)];
        sum += term, size += term < 0 ? -term : term;
      }
      if (!(sum <= rounding * size)) return false;
    }
    return true;
  }

  std::vector<double> ray() const {
    const int pair = open_pair();
    for (const bool z_enters : {true, false}) {
      if (pair < 0) break;
      std::vector<double> u = direction(pair, z_enters);
      if (confirms(u)) return u;
    }
    return {};
  }
};

LcpAnswer solve_by(int attempts, const LcpView& lcp, Memory& memory, LemkeOptions options) {
  options.attempts = attempts;
  const auto n = static_cast<std::size_t>(lcp.n);
  LcpAnswer answer;
  answer.attempts = attempts;
  DenseLcpSolution& solution = answer.solution;
  solution.z.resize(n), solution.w.resize(n), answer.basis.resize(n);
  const LemkeWorkspace workspace = memory.workspace(lcp.n);
  const LcpResult result =
      solve_dense(SerialTeam{}, lcp, options, memory.scale(), workspace, solution.z.data(), solution.w.data());
  solution.status = result.status, solution.pivots = result.pivots, solution.residual = result.residual;
  const End end(lcp, workspace, memory.scale());
  if (result.status == LcpStatus::solved) {
    for (std::size_t k = 0; k < n; ++k) answer.basis[k] = end.places.is_basic(static_cast<int>(k)) ? 1 : 0;
  } else {
    solution.w.clear();
  }
  if (result.status == LcpStatus::ray) answer.ray = end.ray();
  return answer;
}

/// Attempts do not depend on how many may follow, so fewer of them begin with the same bits. Most problems need one.
LcpAnswer solve(const LcpView& lcp, Memory& memory, const LemkeOptions& options) {
  const auto is_left = [](const LcpAnswer& answer) {
    return answer.solution.status == LcpStatus::ray || answer.solution.status == LcpStatus::uncertified;
  };
  LcpAnswer answer = solve_by(1, lcp, memory, options);
  if (options.attempts <= 1 || !is_left(answer)) return answer;
  answer = solve_by(options.attempts, lcp, memory, options);
  if (is_left(answer)) return answer;
  for (int attempts = 2; attempts < options.attempts; ++attempts)
    if (LcpAnswer earlier = solve_by(attempts, lcp, memory, options); !is_left(earlier)) return earlier;
  return answer;
}

}  // namespace

std::vector<LcpAnswer> solve_lcps(std::span<const LcpView> problems, int threads,
                                  const std::function<bool()>& is_stopped, const LemkeOptions& options) {
  std::vector<LcpAnswer> answers(problems.size());
  const ThreadCount count(threads > 0 ? threads : omp_get_max_threads());
  std::vector<Memory> memories(static_cast<std::size_t>(omp_get_max_threads()));
  std::atomic<bool> stopped{false};
  parallel_for(static_cast<int>(problems.size()), [&](int i) {
    if (stopped.load(std::memory_order_relaxed)) return;
    const auto at = static_cast<std::size_t>(i);
    const int thread = omp_get_thread_num();
    answers[at] = solve(problems[at], memories[static_cast<std::size_t>(thread)], options);
    if (thread == 0 && is_stopped && is_stopped()) stopped = true;
  });
  return answers;
}

}  // namespace jostle

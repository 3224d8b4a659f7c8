#include "drivers/lcps.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "drivers/parallel.hpp"

namespace jostle {
namespace {

/// Memory of Lemke's method for problems of any size, and of an answer.
class Memory {
 public:
  DenseLcpSolution answer;

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

}  // namespace

void solve_lcps(std::span<const LcpView> problems, int threads, const std::function<bool()>& is_stopped,
                const TakeLcp& take, const LemkeOptions& options) {
  const ThreadCount count(threads > 0 ? threads : omp_get_max_threads());
  std::vector<Memory> memories(static_cast<std::size_t>(omp_get_max_threads()));
  std::atomic<bool> stopped{false};
  parallel_for(static_cast<int>(problems.size()), [&](int i) {
    if (stopped.load(std::memory_order_relaxed)) return;
    const auto at = static_cast<std::size_t>(i);
    const int thread = omp_get_thread_num();
    Memory& memory = memories[static_cast<std::size_t>(thread)];
    const LemkeWorkspace workspace = memory.workspace(problems[at].n);
    solve_dense_lcp(problems[at], options, memory.scale(), workspace, memory.answer);
    take(i, std::move(memory.answer));
    if (thread == 0 && is_stopped && is_stopped()) stopped = true;
  });
}

std::vector<DenseLcpSolution> solve_lcps(std::span<const LcpView> problems, int threads,
                                         const std::function<bool()>& is_stopped, const LemkeOptions& options) {
  std::vector<DenseLcpSolution> answers(problems.size());
  const auto keep = [&](int i, DenseLcpSolution&& answer) { answers[static_cast<std::size_t>(i)] = std::move(answer); };
  solve_lcps(problems, threads, is_stopped, keep, options);
  return answers;
}

}  // namespace jostle

#include "drivers/lcps.hpp"

#include <omp.h>

#include <atomic>
#include <limits>
#include <utility>

#include "core/lcp/lemke_memory.hpp"
#include "drivers/parallel.hpp"

namespace jostle {
namespace {

/// Of one thread.
struct Memory {
  LemkeMemory lemke;
  DenseLcpSolution answer;
};

/// Fetches a problem from memory while another is being solved.
void fetch(const LcpView& problem) {
  constexpr std::ptrdiff_t line = 64 / sizeof(double);
  const std::ptrdiff_t rows = problem.n - 1, numbers = problem.n > 0 ? rows * problem.stride + problem.n : 0;
  for (std::ptrdiff_t k = 0; k < numbers; k += line) __builtin_prefetch(problem.M + k);
}

/// As solve_dense_lcp leaves an answer that it has not found.
void leave_out(DenseLcpSolution& answer, int n) {
  answer.z.assign(static_cast<std::size_t>(n), 0);
  answer.basis.assign(static_cast<std::size_t>(n), 0);
  answer.residual = std::numeric_limits<double>::infinity();
}

}  // namespace

void solve_lcps(std::span<const LcpView> problems, const LcpsOptions& options, const TakeLcp& take) {
  check_threads(options.threads);
  const ThreadCount count(options.threads > 0 ? options.threads : omp_get_max_threads());
  std::vector<Memory> memories(static_cast<std::size_t>(omp_get_max_threads()));
  std::atomic<bool> stopped{false};
  parallel_for(static_cast<int>(problems.size()), [&](int i) {
    if (stopped.load(std::memory_order_relaxed)) return;
    const auto at = static_cast<std::size_t>(i);
    const int thread = omp_get_thread_num();
    Memory& memory = memories[static_cast<std::size_t>(thread)];
    const LcpView& problem = problems[at];
    if (at + 1 < problems.size()) fetch(problems[at + 1]);
    solve_dense_lcp(problem, options.lemke, memory.lemke.scale(problem.n), memory.lemke.workspace(problem.n),
                    memory.answer, options.start_bases.empty() ? nullptr : options.start_bases[at]);
    search_further(problem, options.lemke, options.search, memory.answer);
    take(i, std::move(memory.answer));
    if (thread == 0 && options.is_stopped && options.is_stopped()) stopped = true;
  });
}

std::vector<DenseLcpSolution> solve_lcps(std::span<const LcpView> problems, const LcpsOptions& options) {
  std::vector<DenseLcpSolution> answers(problems.size());
  solve_lcps(problems, options,
             [&](int i, DenseLcpSolution&& answer) { answers[static_cast<std::size_t>(i)] = std::move(answer); });
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i].status == LcpStatus::not_finite && answers[i].z.empty()) leave_out(answers[i], problems[i].n);
  return answers;
}

}  // namespace jostle

// Many different LCPs of one size, solved together. When one problem is solved again and again, the processor learns to
// foretell its pivots, and its matrix stays in the nearest cache. Here it cannot, and the matrices come from memory.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "benchmarks/lcp_problems.hpp"
#include "benchmarks/tables.hpp"
#include "benchmarks/timing.hpp"
#include "drivers/lcps.hpp"

namespace jostle {
namespace {

void print_row(LcpSize size, int problems, int threads) {
  const std::size_t count = static_cast<std::size_t>(problems), n = static_cast<std::size_t>(size.n());
  ContactLcpGenerator generator(1);
  std::vector<double> M(count * n * n), q(count * n);  // one after the other, as arrays have them
  std::vector<LcpView> views;
  for (std::size_t i = 0; i < count; ++i) {
    const ContactLcp lcp = generator.make(size, contact_scenes[i % std::size(contact_scenes)]);
    double *const matrix = M.data() + i * n * n, *const vector = q.data() + i * n;
    std::ranges::copy(lcp.M, matrix);
    std::ranges::copy(lcp.q, vector);
    views.push_back({size.n(), size.n(), matrix, vector});
  }
  std::vector<int> pivots(views.size());
  std::vector<char> solved(views.size());
  std::vector<double> times(15);
  for (double& time : times) {
    time = microseconds_of([&] {
      solve_lcps(views, {.threads = threads}, [&](int i, const DenseLcpSolution& answer) {
        pivots[static_cast<std::size_t>(i)] = answer.pivots;
        solved[static_cast<std::size_t>(i)] = answer.status == LcpStatus::solved ? 1 : 0;
      });
    });
  }
  double all_pivots = 0, all_solved = 0;
  for (std::size_t i = 0; i < views.size(); ++i) all_pivots += pivots[i], all_solved += solved[i];
  std::printf("%2d x %d %5d %7.1f %9.2f %8.2f\n", size.contacts, size.directions, size.n(), all_pivots / problems,
              median(times) * threads / problems, 100 * all_solved / problems);
  std::fflush(stdout);
}

}  // namespace

void print_stack_table(int problems, int threads) {
  if (threads == 0) threads = omp_get_max_threads();
  std::printf("stacks of %d different contact LCPs, %d threads: microseconds of one, times threads\n", problems,
              threads);
  std::printf("%6s %5s %7s %9s %8s\n", "p x k", "n", "pivots", "time", "solved %");
  for (const LcpSize& size : contact_lcp_sizes) print_row(size, problems, threads);
}

}  // namespace jostle

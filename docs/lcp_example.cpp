// Three problems on all cores of this machine: one call, no files, no scenario.
#include <cstdio>
#include <vector>

#include "drivers/lcps.hpp"

int main() {
  const std::vector<double> M = {2, 1, 1, 2}, q = {-5, -6};  // row by row; q of the first problem
  const std::vector<double> none = {-1, 0, 0, -1}, one = {4}, b = {-2};
  const std::vector<jostle::LcpView> problems = {
      {2, 2, M.data(), q.data()}, {2, 2, none.data(), q.data()}, {1, 1, one.data(), b.data()}};  // n, stride, M, q
  for (const jostle::DenseLcpSolution& answer : jostle::solve_lcps(problems)) {
    if (answer.status != jostle::LcpStatus::solved) {
      std::printf("no solution after %d attempts\n", answer.attempts);
      continue;
    }
    std::printf("z:");
    for (const double z : answer.z) std::printf(" %.6g", z);
    std::printf("   residual %.1e\n", answer.residual);
  }
}

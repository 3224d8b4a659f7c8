// What is done for an LCP that Lemke's method does not solve.
#include "core/lcp/further_search.hpp"

#include <gtest/gtest.h>

#include <random>

namespace jostle {
namespace {

using Numbers = std::vector<double>;

DenseLcpSolution search(const Numbers& M, const Numbers& q, const LcpSearch& how = {}) {
  const int n = static_cast<int>(q.size());
  DenseLcpSolution solution = solve_dense_lcp(M, q);
  search_further({n, n, M.data(), q.data()}, LemkeOptions{}, how, solution);
  return solution;
}

/// z >= 0, w = M z + q >= 0 and z'w = 0, computed here.
void expect_solution(const Numbers& M, const Numbers& q, const DenseLcpSolution& solution) {
  ASSERT_EQ(solution.status, LcpStatus::solved);
  const std::size_t n = q.size();
  for (std::size_t i = 0; i < n; ++i) {
    double w = q[i], size = std::abs(q[i]);
    for (std::size_t j = 0; j < n; ++j)
      w += M[i * n + j] * solution.z[j], size += std::abs(M[i * n + j] * solution.z[j]);
    EXPECT_GE(solution.z[i], 0);
    EXPECT_GE(w, -1e-9 * size);
    EXPECT_LE(std::min(solution.z[i], w), 1e-8 * (1 + size));
    EXPECT_EQ(solution.basis[i] == 0 && solution.z[i] != 0, false);
  }
}

// M = [[0, 1], [1, 0]], q = (-1, -1): z = (1, 1) is a solution, but with any covering vector d > 0 the first z to enter
// meets nothing that blocks.
TEST(FurtherSearch, SolvesTheSmallestGame) {
  const Numbers M = {0, 1, 1, 0}, q = {-1, -1};
  EXPECT_EQ(solve_dense_lcp(M, q).status, LcpStatus::ray);
  const DenseLcpSolution solution = search(M, q);
  expect_solution(M, q, solution);
  EXPECT_EQ(solution.z, (Numbers{1, 1}));
}

// Every bimatrix game has an equilibrium (Nash), and each path of Lemke and Howson ends in one.
TEST(FurtherSearch, SolvesEveryBimatrixGame) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> cost(0.1, 1);
  for (int game = 0; game < 200; ++game) {
    const std::size_t first = 1 + random() % 10, n = first + 1 + random() % 10;
    Numbers M(n * n, 0.0), q(n);
    for (double& entry : q) entry = -cost(random);
    std::vector<std::size_t> row(n);  // the rows of the two players stand in any order
    for (std::size_t i = 0; i < n; ++i) row[i] = i;
    std::shuffle(row.begin(), row.end(), random);
    for (std::size_t i = 0; i < first; ++i)
      for (std::size_t j = first; j < n; ++j)
        M[row[i] * n + row[j]] = cost(random), M[row[j] * n + row[i]] = cost(random);
    expect_solution(M, q, search(M, q, {.restarts = 0}));
  }
}

// -z - 1 >= 0 has no solution z >= 0; u = 1 proves it. 1e-12 z - 1 >= 0 has one.
TEST(FurtherSearch, ProvesThatNothingIsFeasible) {
  const DenseLcpSolution solution = search({-1}, {-1});
  EXPECT_EQ(solution.status, LcpStatus::ray);
  EXPECT_EQ(solution.verdict, LcpVerdict::infeasible);
  EXPECT_EQ(solution.proof, Numbers{1});
  expect_solution({1e-12}, {-1}, search({1e-12}, {-1}));
}

/// Of random problems of n = 8: every proof is one, what is said to have no solution among the regular bases has none,
/// and the other ways find what trying all bases finds, but for one in twenty.
TEST(FurtherSearch, OfRandomProblemsIsRightAndFindsNearlyAll) {
  constexpr std::size_t n = 8;
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  int rays = 0, proven = 0, found = 0, only_by_all = 0;
  for (int problem = 0; problem < 200; ++problem) {
    Numbers M(n * n), q(n);
    for (double& entry : M) entry = normal(random);
    for (double& entry : q) entry = normal(random);
    if (solve_dense_lcp(M, q).status == LcpStatus::solved) continue;
    ++rays;
    const DenseLcpSolution solution = search(M, q), all = search(M, q, {.exhaustive = true, .restarts = 0});
    EXPECT_EQ(solution.verdict == LcpVerdict::infeasible, all.verdict == LcpVerdict::infeasible);
    if (solution.verdict == LcpVerdict::infeasible) {
      ++proven;
      double constants = 0;
      for (std::size_t i = 0; i < n; ++i) constants += q[i] * solution.proof[i];
      EXPECT_LT(constants, 0);
      for (std::size_t j = 0; j < n; ++j) {
        double column = 0;
        for (std::size_t i = 0; i < n; ++i) column += M[i * n + j] * solution.proof[i];
        EXPECT_LE(column, 1e-8);
        EXPECT_GE(solution.proof[j], 0);
      }
      continue;
    }
    if (solution.status == LcpStatus::solved) {
      ++found;
      expect_solution(M, q, solution);
      expect_solution(M, q, all);
    } else if (all.status == LcpStatus::solved) {
      ++only_by_all;
    } else {
      EXPECT_EQ(all.verdict, LcpVerdict::exhausted);
    }
  }
  EXPECT_GT(rays, 150);
  EXPECT_GT(proven, 70);
  EXPECT_GT(found, 25);
  EXPECT_LE(20 * only_by_all, found);
}

TEST(FurtherSearch, LeavesWhatIsSolvedOrNotFinite) {
  const DenseLcpSolution solved = search({2}, {-4}, {.exhaustive = true});
  EXPECT_EQ(solved.attempts, 1);
  EXPECT_EQ(solved.z, Numbers{2});
  const DenseLcpSolution not_finite = search({NAN}, {-1}, {.exhaustive = true});
  EXPECT_EQ(not_finite.status, LcpStatus::not_finite);
  EXPECT_EQ(not_finite.verdict, LcpVerdict::none);
}

// A start basis that is right is the answer without a pivot; one that is wrong changes no bit.
TEST(StartBasis, IsTheAnswerOrChangesNothing) {
  const Numbers M = {2, 1, 1, 2}, q = {-5, -6};
  const std::vector<std::uint8_t> right = {1, 1}, wrong = {1, 0};
  const DenseLcpSolution cold = solve_dense_lcp(M, q), warm = solve_dense_lcp(M, q, {}, right.data()),
                         misled = solve_dense_lcp(M, q, {}, wrong.data());
  EXPECT_EQ(warm.status, LcpStatus::solved);
  EXPECT_EQ(warm.pivots, 0);
  EXPECT_EQ(warm.attempts, 0);
  EXPECT_EQ(warm.basis, right);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(warm.z[i], cold.z[i], 1e-15 * cold.z[i]) << "another way of rounding";
  EXPECT_EQ(misled.z, cold.z);
  EXPECT_EQ(misled.basis, cold.basis);
  EXPECT_EQ(misled.pivots, cold.pivots);
}

// M is positive definite, and z = (0, 1.04814512, 1.91956809e8) solves it, but with a residual just above the bound.
TEST(FurtherSearch, IsNotExhaustedWhereABasisSolvesItButForRounding) {
  const Numbers M = {138, 185000, -0.00101, 185000, 315000000, -1.72, -0.00101, -1.72, 1.8300000000000002e-08};
  const Numbers q = {-0.49, -1.48, -1.71};
  const DenseLcpSolution solution = search(M, q, {.exhaustive = true});
  EXPECT_EQ(solution.status, LcpStatus::uncertified);
  EXPECT_EQ(solution.verdict, LcpVerdict::none);
}

}  // namespace
}  // namespace jostle

// Problems made to hurt: on which pivoting cycles, takes exponentially many steps, or is degenerate throughout.
#include <gtest/gtest.h>

#include "tests/support/lcp_solve.hpp"

namespace jostle {
namespace {

void expect_solution(const LcpAnswer& answer, const std::vector<double>& z) {
  ASSERT_EQ(answer.result.status, LcpStatus::solved);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(answer.z[i], z[i], 1e-13) << "z_" << i;
}

// The min-ratio problem of linear programming min c'x, A x <= b, x >= 0 with multipliers y:
// M = [0 A'; -A 0], q = (c, b), z = (x, y). M is skew, so every solvable one must be solved.
LcpProblem linear_program(const std::vector<double>& c, const std::vector<std::vector<double>>& A,
                          const std::vector<double>& b) {
  const int columns = int(c.size()), rows = int(b.size()), n = columns + rows;
  LcpProblem problem{n, std::vector<double>(n * n, 0), c};
  problem.q.insert(problem.q.end(), b.begin(), b.end());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      problem.M[j * n + columns + i] = A[i][j];
      problem.M[(columns + i) * n + j] = -A[i][j];
    }
  }
  return problem;
}

// Kostreva (1979): principal pivoting by least index cycles.
TEST(Cycling, Kostreva) {
  expect_solution(solve_serially({3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}}), {1. / 3, 1. / 3, 1. / 3});
}

// Beale (1955): the simplex method cycles through six bases at the origin. Minimum -5/4 at x = (1, 0, 1, 0).
TEST(Cycling, Beale) {
  const std::vector<double> c{-0.75, 20, -0.5, 6};
  const LcpAnswer answer =
      solve_serially(linear_program(c, {{0.25, -8, -1, 9}, {0.5, -12, -0.5, 3}, {0, 0, 1, 0}}, {0, 0, 1}));
  ASSERT_EQ(answer.result.status, LcpStatus::solved);
  double minimum = 0;
  for (int i = 0; i < 4; ++i) minimum += c[i] * answer.z[i];
  EXPECT_NEAR(minimum, -1.25, 1e-13);
}

// Chvatal (1983), page 31: cycles with the largest-coefficient rule. Maximum 1 at x = (1, 0, 1, 0).
TEST(Cycling, Chvatal) {
  const std::vector<double> c{-10, 57, 9, 24};
  const LcpAnswer answer =
      solve_serially(linear_program(c, {{0.5, -5.5, -2.5, 9}, {0.5, -1.5, -0.5, 1}, {1, 0, 0, 0}}, {0, 0, 1}));
  ASSERT_EQ(answer.result.status, LcpStatus::solved);
  double minimum = 0;
  for (int i = 0; i < 4; ++i) minimum += c[i] * answer.z[i];
  EXPECT_NEAR(minimum, -1, 1e-13);
}

// Cottle, Pang, Stone (1992), example 4.4.7 type: every basic variable but one is zero at every step.
TEST(Cycling, EqualRowsEverywhere) {
  for (int n = 2; n <= 40; ++n) {
    const LcpProblem problem{n, std::vector<double>(n * n, 1), std::vector<double>(n, -1)};
    const LcpAnswer answer = solve_serially(problem);
    ASSERT_EQ(answer.result.status, LcpStatus::solved) << n;
    EXPECT_LE(answer.result.pivots, n + 1);
    double sum = 0;
    for (const double z : answer.z) sum += z;
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

// The artificial variable ties with others in its last row: it must leave, or the path goes on past the solution.
TEST(Cycling, ArtificialVariableWinsTies) {
  const LcpAnswer answer = solve_serially({3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, -1, -1}});
  expect_solution(answer, {1, 1, 1});
  EXPECT_EQ(answer.result.pivots, 4);
}

// Murty (1978): M_ii = 1, M_ij = 2 below the diagonal, q_i = -(2^n + ... + 2^(n+1-i)): Lemke takes 2^n - 1 pivots
// and one for z0.
LcpProblem murty(int n) {
  LcpProblem problem{n, std::vector<double>(n * n, 0), std::vector<double>(n, 0)};
  double q = 0;
  for (int i = 0; i < n; ++i) {
    q -= std::ldexp(1, n - i);
    problem.q[i] = q;
    problem.M[i * n + i] = 1;
    for (int j = 0; j < i; ++j) problem.M[i * n + j] = 2;
  }
  return problem;
}

TEST(ExponentialFamily, IsSolvedWhileThePivotLimitAllows) {
  for (const int n : {1, 2, 3, 5, 8, 12, 16}) {
    LemkeOptions options;
    options.max_pivots = 1 << 17;
    const LcpAnswer answer = solve_serially(murty(n), options, nullptr, std::vector<double>(n, 1));
    ASSERT_EQ(answer.result.status, LcpStatus::solved) << n;
    EXPECT_EQ(answer.result.pivots, 1 << n) << n;
    EXPECT_EQ(answer.z[0], std::ldexp(1, n));
    for (int i = 1; i < n; ++i) EXPECT_EQ(answer.z[i], 0);
  }
}

TEST(ExponentialFamily, EndsAtThePivotLimit) {
  for (const int n : {10, 30, 60}) {
    const LcpAnswer answer = solve_serially(murty(n), {}, nullptr, std::vector<double>(n, 1));
    EXPECT_EQ(answer.result.status, LcpStatus::pivot_limit);
    EXPECT_EQ(answer.result.pivots, 50 * n);
  }
}

}  // namespace
}  // namespace jostle

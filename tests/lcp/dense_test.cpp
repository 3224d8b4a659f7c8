#include "core/lcp/dense.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

#include "benchmarks/lcp_problems.hpp"
#include "core/lcp/lemke_memory.hpp"

namespace jostle {
namespace {

TEST(DenseLcp, SolvesAndReportsSlacks) {
  const DenseLcpSolution solution = solve_dense_lcp({2, 1, 1, 2}, {-5, 1});
  ASSERT_EQ(solution.status, LcpStatus::solved);
  EXPECT_NEAR(solution.z[0], 2.5, 1e-15);
  EXPECT_EQ(solution.z[1], 0);
  EXPECT_NEAR(solution.w[0], 0, 1e-15);
  EXPECT_NEAR(solution.w[1], 3.5, 1e-15);
  EXPECT_LE(solution.residual, 1e-15);
  EXPECT_GT(solution.pivots, 0);
  EXPECT_EQ(solution.basis, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(solution.attempts, 1);
  EXPECT_TRUE(solution.ray.empty());
}

TEST(DenseLcp, TheEmptyProblemIsSolved) {
  const DenseLcpSolution solution = solve_dense_lcp({}, {});
  EXPECT_EQ(solution.status, LcpStatus::solved);
  EXPECT_EQ(solution.residual, 0);
  EXPECT_TRUE(solution.z.empty());
}

TEST(DenseLcp, FailuresHaveNoAnswer) {
  const DenseLcpSolution ray = solve_dense_lcp({0}, {-1});
  EXPECT_EQ(ray.status, LcpStatus::ray);
  EXPECT_EQ(ray.z, std::vector<double>{0});
  EXPECT_TRUE(ray.w.empty());
  EXPECT_EQ(ray.basis, std::vector<std::uint8_t>{0});
  EXPECT_EQ(ray.ray, std::vector<double>{1});
  EXPECT_EQ(ray.residual, infinity());
  EXPECT_EQ(solve_dense_lcp({infinity()}, {-1}).status, LcpStatus::not_finite);
  EXPECT_EQ(solve_dense_lcp({canonical_nan()}, {1}).status, LcpStatus::not_finite);
}

// The last w is negative for every z >= 0. Rays come after any number of pivots, odd and even.
TEST(DenseLcp, RaysHaveADirectionThatTheDataConfirm) {
  for (std::size_t n = 2; n <= 9; ++n) {
    SCOPED_TRACE(n);
    std::vector<double> M(n * n), q(n, -1);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      M[i * n + i] = 2, M[i * n + n - 1] = 1, M[(n - 1) * n + i] = -1;
      q[i] = -2.0 - static_cast<double>(i);
    }
    const DenseLcpSolution solution = solve_dense_lcp(M, q);
    EXPECT_EQ(solution.status, LcpStatus::ray);
    EXPECT_EQ(solution.attempts, LemkeOptions().attempts);
    ASSERT_EQ(solution.ray.size(), n);
    EXPECT_EQ(*std::max_element(solution.ray.begin(), solution.ray.end()), 1);
    EXPECT_GE(*std::min_element(solution.ray.begin(), solution.ray.end()), 0);
    double along = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += M[i * n + j] * solution.ray[j];
      EXPECT_LE(solution.ray[i] > 0 ? sum : 0, 1e-12);
      along += q[i] * solution.ray[i];
    }
    EXPECT_LT(along, 0);
  }
}

TEST(DenseLcp, ShapesMustAgree) {
  EXPECT_THROW(solve_dense_lcp({1, 2, 3}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(solve_dense_lcp({}, {1}), std::invalid_argument);
}

// Whatever an answer holds before: a ray, vectors of another size.
TEST(DenseLcp, AnAnswerIsReplacedAsAWhole) {
  const DenseLcp problems[] = {{{0}, {-1}}, {{2, 1, 1, 2}, {-5, 1}}, {{}, {}}, {{infinity()}, {-1}}, {{2}, {-1}}};
  LemkeMemory memory;
  DenseLcpSolution answer;
  for (const DenseLcp& lcp : problems) {
    const int n = static_cast<int>(lcp.q.size());
    solve_dense_lcp({n, n, lcp.M.data(), lcp.q.data()}, {}, memory.scale(n), memory.workspace(n), answer);
    const DenseLcpSolution expected = solve_dense_lcp(lcp.M, lcp.q);
    EXPECT_EQ(answer.status, expected.status);
    EXPECT_EQ(answer.z, expected.z);
    EXPECT_EQ(answer.w, expected.w);
    EXPECT_EQ(answer.basis, expected.basis);
    EXPECT_EQ(answer.ray, expected.ray);
    EXPECT_EQ(answer.residual, expected.residual);
    EXPECT_EQ(answer.pivots, expected.pivots);
    EXPECT_EQ(answer.attempts, expected.attempts);
  }
}

// Also after a larger problem, whose memory stays.
TEST(LemkeMemory, DoublesBeginCacheLines) {
  const auto begins_line = [](const double* x) { return reinterpret_cast<std::uintptr_t>(x) % 64 == 0; };
  LemkeMemory memory;
  for (const int n : {1, 24, 7, 70, 24}) {
    const LemkeWorkspace work = memory.workspace(n);
    EXPECT_TRUE(begins_line(work.cells) && begins_line(work.pivot_row) && begins_line(memory.scale(n))) << n;
    const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
    std::fill_n(work.cells, sizes.cells, 1.0);  // an address sanitizer sees what is too small
    std::fill_n(work.pivot_row, sizes.vectors, 1.0);
    std::fill_n(work.basic, sizes.ints, 1);
    EXPECT_EQ(work.cells[sizes.cells - 1] + work.pivot_row[sizes.vectors - 1] + work.basic[sizes.ints - 1], 3) << n;
  }
}

// M = A A' + I with random signs, known solution: w and z alternate between zero and positive.
TEST(DenseLcp, RecoversKnownSolutionsUpTo500) {
  std::mt19937 random(17);
  for (const int n : {1, 2, 7, 33, 100, 257, 500}) {
    std::vector<double> A(n * n), M(n * n, 0), z(n), q(n);
    for (double& a : A) a = (int(random() % 2001) - 1000) / 1024.0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) M[i * n + j] += A[i * n + k] * A[j * n + k];
      }
      M[i * n + i] += 1;
      z[i] = random() % 2 ? 1 + double(random() % 1000) / 100 : 0;
    }
    for (int i = 0; i < n; ++i) {
      q[i] = z[i] > 0 ? 0 : double(random() % 1000) / 100;
      for (int j = 0; j < n; ++j) q[i] -= M[i * n + j] * z[j];
    }
    const DenseLcpSolution solution = solve_dense_lcp(M, q);
    ASSERT_EQ(solution.status, LcpStatus::solved) << n;
    EXPECT_LE(solution.residual, 1e-11) << n;
    for (int i = 0; i < n; ++i) ASSERT_NEAR(solution.z[i], z[i], 1e-8) << n;
  }
}

// Units of mass, length and time that no table of tolerances foresaw: z scales, the pivots stay.
TEST(DenseLcp, SolvesContactsInAnyUnits) {
  ContactLcpGenerator generator(8);
  for (const LcpSize size : contact_lcp_sizes) {
    const ContactLcp lcp = generator.make(size, ContactScene::perturbed);
    const int n = lcp.n(), impulses = size.contacts * (size.directions + 1);
    const DenseLcpSolution plain = solve_dense_lcp(lcp.M, lcp.q);
    ASSERT_EQ(plain.status, LcpStatus::solved);
    for (const double mass : {1e-9, 1e-3, 1e6}) {
      std::vector<double> M = lcp.M;
      for (int i = 0; i < impulses; ++i) {
        for (int j = 0; j < impulses; ++j) M[i * n + j] /= mass;
      }
      const DenseLcpSolution other = solve_dense_lcp(M, lcp.q);
      ASSERT_EQ(other.status, LcpStatus::solved) << mass;
      for (int i = 0; i < n; ++i) EXPECT_LE(std::fabs(std::fmin(other.z[i], other.w[i])), 1e-9);
    }
  }
}

}  // namespace
}  // namespace jostle

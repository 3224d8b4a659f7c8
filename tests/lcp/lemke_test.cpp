// What every solve promises, on problems small enough to check by hand.
#include "core/lcp/lemke.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/lcp_solve.hpp"

namespace jostle {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Lemke, EmptyProblemIsSolvedWithoutPivots) {
  const LcpAnswer answer = solve_serially({0, {}, {}});
  EXPECT_EQ(answer.result.status, LcpStatus::solved);
  EXPECT_EQ(answer.result.pivots, 0);
  EXPECT_EQ(answer.result.residual, 0);
}

TEST(Lemke, OneByOne) {
  const LcpAnswer pushed = solve_serially({1, {2}, {-6}});
  EXPECT_EQ(pushed.result.status, LcpStatus::solved);
  EXPECT_EQ(pushed.z[0], 3);
  EXPECT_EQ(pushed.result.pivots, 2);
  EXPECT_EQ(pushed.basis[0], 1);

  const LcpAnswer apart = solve_serially({1, {2}, {6}});
  EXPECT_EQ(apart.result.status, LcpStatus::solved);
  EXPECT_EQ(apart.z[0], 0);
  EXPECT_EQ(apart.result.pivots, 0);
  EXPECT_EQ(apart.basis[0], 0);

  for (const double slope : {0.0, -2.0}) {
    const LcpAnswer hopeless = solve_serially({1, {slope}, {-6}});
    EXPECT_EQ(hopeless.result.status, LcpStatus::ray) << slope;
    EXPECT_EQ(hopeless.z[0], 0);
    EXPECT_EQ(hopeless.basis[0], 0);
    EXPECT_EQ(hopeless.result.residual, inf);
  }
}

TEST(Lemke, NonnegativeVectorNeedsNoPivot) {
  const LcpAnswer answer = solve_serially({3, {-1, 5, 2, 0, 0, 7, -3, 1, -2}, {0, 3, 1}});
  EXPECT_EQ(answer.result.status, LcpStatus::solved);
  EXPECT_EQ(answer.result.pivots, 0);
  EXPECT_EQ(answer.z, std::vector<double>(3, 0));
}

TEST(Lemke, NotFiniteDataAreRefusedWherever) {
  const LcpProblem sound{3, {4, 1, 0, 1, 5, 2, 0, 2, 6}, {-1, 2, -3}};
  ASSERT_EQ(solve_serially(sound).result.status, LcpStatus::solved);
  for (const double bad : {nan, -nan, inf, -inf}) {
    for (int k = 0; k < 12; ++k) {
      LcpProblem problem = sound;
      (k < 9 ? problem.M[k] : problem.q[k - 9]) = bad;
      const LcpAnswer answer = solve_serially(problem, {}, nullptr, {1, 1, 1});
      EXPECT_EQ(answer.result.status, LcpStatus::not_finite) << "number " << k << " is " << bad;
      EXPECT_EQ(answer.result.pivots, 0);
      EXPECT_EQ(answer.z, std::vector<double>(3, 0));
    }
    LcpProblem nonnegative = sound;
    nonnegative.q = {1, 2, 3};
    nonnegative.M[7] = bad;
    EXPECT_EQ(solve_serially(nonnegative).result.status, LcpStatus::not_finite) << "although z = 0 would do";
  }
}

TEST(Lemke, NotFiniteDataAreRefusedWithAStartBasis) {
  LcpProblem problem{2, {4, 1, 1, 5}, {-1, -3}};
  const std::uint8_t start[] = {1, 1};
  problem.M[2] = nan;
  EXPECT_EQ(solve_serially(problem, {}, start, {1, 1}).result.status, LcpStatus::not_finite);
}

TEST(Lemke, ContradictionsEndOnARay) {
  // w_1 = z_2 - 1, w_2 = -z_2 - 1 < 0: no z satisfies both, with M skew and so copositive-plus.
  EXPECT_EQ(solve_serially({2, {0, 1, -1, 0}, {-1, -1}}).result.status, LcpStatus::ray);
  // A block between two walls that are closer than it is wide.
  EXPECT_EQ(solve_serially({2, {1, -1, -1, 1}, {-1, -1}}).result.status, LcpStatus::ray);
}

TEST(Lemke, AnotherCoveringVectorMayReachWhatTheFirstMisses) {
  // Not copositive: z = (1, 2) gives w = (0, 0), but with d = (1, 1) the first entering z_1 lowers nothing.
  const LcpProblem problem{2, {-2, 2, -2, 1}, {-2, 0}};
  LemkeOptions once;
  once.attempts = 1;
  const LcpAnswer first = solve_serially(problem, once, nullptr, {1, 1});
  const LcpAnswer all = solve_serially(problem, {}, nullptr, {1, 1});
  EXPECT_EQ(first.result.status, LcpStatus::ray);
  ASSERT_EQ(all.result.status, LcpStatus::solved);
  EXPECT_NEAR(all.z[0], 1, 1e-14);
  EXPECT_NEAR(all.z[1], 2, 1e-14);
  EXPECT_GT(all.result.pivots, first.result.pivots);
}

TEST(Lemke, NothingUncertifiedIsCalledSolved) {
  const LcpProblem problem{2, {2, 1, 1, 2}, {-1, -1}};
  for (const double residual : {1.1e-8, 1.0, inf, nan}) {
    LcpMemory memory(2);
    int calls = 0;
    const auto certify = [&] { return ++calls, residual; };
    memory.scale = {1, 1};
    const LcpResult result = solve_lcp(SerialTeam{}, problem.view(), memory.scale.data(), memory.workspace(), {},
                                       memory.answer.z.data(), certify);
    EXPECT_EQ(result.status, LcpStatus::uncertified);
    // Per attempt: the dictionary's answer, that of the basis and, unless it was none, the first again.
    EXPECT_EQ(calls, (is_nan(residual) ? 2 : 3) * LemkeOptions{}.attempts);
    EXPECT_EQ(memory.answer.z, std::vector<double>(2, 0));
  }
}

// A light ball below a heavy one: once the light one rests, the slope of the heavy one is the ratio of their masses.
// The impulses differ by that ratio only, so their last bit is worth 1e-16 / ratio in the velocities.
TEST(Lemke, HeavyBodiesRestOnLightOnes) {
  LemkeOptions coarse;  // the first two attempts overlook slopes of 1e-6
  coarse.slope_tolerance = 1e-4;
  const auto expect_rest = [](double ratio, const LemkeOptions& options) {
    const double light = 1 / ratio;  // inverse masses; weight times h is 0.0981 N s for the heavy one
    const LcpAnswer answer = solve_serially({2, {light, -light, -light, light + 1}, {-0.0981, 0}}, options);
    ASSERT_EQ(answer.result.status, LcpStatus::solved) << ratio;
    EXPECT_LE(answer.result.residual, 1e-15 / ratio);
    EXPECT_NEAR(answer.z[1], 0.0981, 1e-15 / ratio);
    EXPECT_NEAR(answer.z[0] - answer.z[1], 0.0981 * ratio, 1e-15);
  };
  for (const double ratio : {1e-3, 1e-5, 1e-6, 1e-7}) expect_rest(ratio, {});
  expect_rest(1e-6, coarse);
}

// Four grains of 1e-9 kg under their weight: c_n = m g h = 1e-10 N s. In SI units any impulse below 1e-8 N s passes
// the certificate; in equilibrated units garbage stays garbage.
TEST(Lemke, LightBodiesGetNoGarbage) {
  LcpProblem grains{4, std::vector<double>(16), std::vector<double>(4, -0.0981)};
  for (int i = 0; i < 4; ++i) grains.M[5 * i] = 1e9;
  const LcpAnswer answer = solve_serially(grains);
  ASSERT_EQ(answer.result.status, LcpStatus::solved);
  for (const double impulse : answer.z) EXPECT_NEAR(impulse, 0.0981e-9, 1e-24);

  const std::vector<double> scale(4, nearest_power_of_two(1 / std::sqrt(1e9))), garbage(4, 50 * answer.z[0]);
  std::vector<double> w(4);
  EXPECT_LE(certify_plain(SerialTeam{}, grains.view(), garbage.data(), w.data()), 1e-8);
  EXPECT_GT(certify_equilibrated(SerialTeam{}, grains.view(), scale.data(), garbage.data(), w.data()), 1);
}

TEST(Lemke, PowersOfTwoInTheUnitsChangeNoBit) {
  const LcpProblem problem{3, {4, 1, 0.3, 1, 5, 2, 0.3, 2, 6}, {-1, 2, -3}};
  const LcpAnswer plain = solve_serially(problem);
  const double units[] = {0x1p-30, 0x1p7, 0x1p-3};
  LcpProblem other = problem;
  for (int i = 0; i < 3; ++i) {
    other.q[i] *= units[i];
    for (int j = 0; j < 3; ++j) other.M[3 * i + j] *= units[i] * units[j];
  }
  const LcpAnswer scaled = solve_serially(other);
  EXPECT_EQ(scaled.result.pivots, plain.result.pivots);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(scaled.z[i] * units[i], plain.z[i]);
}

TEST(Lemke, PivotLimitIsAStatus) {
  const LcpProblem problem{3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}};
  const int needed = solve_serially(problem).result.pivots;
  LemkeOptions options;
  options.max_pivots = needed;
  EXPECT_EQ(solve_serially(problem, options).result.status, LcpStatus::solved);
  options.max_pivots = needed - 1;
  const LcpAnswer cut = solve_serially(problem, options);
  EXPECT_EQ(cut.result.status, LcpStatus::pivot_limit);
  EXPECT_EQ(cut.result.pivots, needed - 1);
  EXPECT_EQ(cut.z, std::vector<double>(3, 0));
}

TEST(StartBasis, OfTheSolutionNeedsNoPivot) {
  const LcpProblem problem{3, {4, 1, 0, 1, 5, 2, 0, 2, 6}, {-1, 2, -3}};
  const LcpAnswer cold = solve_serially(problem);
  const LcpAnswer warm = solve_serially(problem, {}, cold.basis.data());
  ASSERT_EQ(warm.result.status, LcpStatus::solved);
  EXPECT_GT(cold.result.pivots, 0);
  EXPECT_EQ(warm.result.pivots, 0);
  EXPECT_EQ(warm.basis, cold.basis);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(warm.z[i], cold.z[i], 1e-15);
}

TEST(StartBasis, ThatIsWrongChangesNoBit) {
  const LcpProblem problem{3, {4, 1, 0, 1, 5, 2, 0, 2, 6}, {-1, 2, -3}};
  const LcpAnswer cold = solve_serially(problem);
  for (int guess = 0; guess < 8; ++guess) {
    const std::uint8_t start[] = {std::uint8_t(guess & 1), std::uint8_t(guess >> 1 & 1), std::uint8_t(guess >> 2)};
    const bool right = start[0] == cold.basis[0] && start[1] == cold.basis[1] && start[2] == cold.basis[2];
    const LcpAnswer answer = solve_serially(problem, {}, start);
    EXPECT_TRUE(right || same_answer(answer, cold)) << guess;
  }
}

TEST(StartBasis, ThatIsSingularIsPassedOver) {
  const LcpProblem problem{2, {1, 1, 1, 1}, {-1, -1}};
  const std::uint8_t both[] = {1, 1};
  EXPECT_TRUE(same_answer(solve_serially(problem, {}, both), solve_serially(problem)));
}

}  // namespace
}  // namespace jostle

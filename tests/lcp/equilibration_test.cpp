#include "core/lcp/equilibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "benchmarks/lcp_problems.hpp"
#include "core/team.hpp"

namespace jostle {
namespace {

TEST(NearestPowerOfTwo, RoundsTheLogarithm) {
  for (const double x : {1.0, 0.7, 0.70711, 0.7072, 1.41421, 1.41422, 3.0, 5.6, 5.7, 1e-9, 6.02e23, 1e300}) {
    EXPECT_EQ(nearest_power_of_two(x), std::exp2(std::round(std::log2(x)))) << x;
  }
}

TEST(NearestPowerOfTwo, IsOneForWhatHasNone) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, -3.0, inf, -inf, std::nan(""), 1e-310}) EXPECT_EQ(nearest_power_of_two(x), 1) << x;
  EXPECT_EQ(nearest_power_of_two(std::numeric_limits<double>::max()), 0x1p1023);
}

TEST(InverseRootPowerOfTwo, MakesADiagonalAboutOne) {
  for (const double x : {1.0, 0.5, 0.4999, 2.0, 1.9999, 3.0, 8.0, 1e-9, 6.02e23, 1e300, 0x1p-1022}) {
    const double s = inverse_root_power_of_two(x);
    EXPECT_EQ(s, std::exp2(std::round(std::log2(s)))) << x;
    EXPECT_GE(x * s * s, 0.5) << x;
    EXPECT_LT(x * s * s, 2.0) << x;
  }
}

TEST(InverseRootPowerOfTwo, IsOneForWhatHasNone) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, -3.0, inf, -inf, std::nan(""), 1e-310})
    EXPECT_EQ(inverse_root_power_of_two(x), 1) << x;
}

TEST(InversePowerOfTwo, IsTheQuotientOverTheWholeRange) {
  for (int exponent = -1023; exponent <= 1023; ++exponent) {
    const double x = std::ldexp(1.0, exponent);
    EXPECT_EQ(inverse_power_of_two(x), 1 / x) << exponent;
  }
}

std::vector<double> scale_of(int n, const std::vector<double>& M) {
  const std::vector<double> q(n, 0);
  std::vector<double> scale(n);
  equilibrate(SerialTeam{}, LcpView{n, n, M.data(), q.data()}, scale.data());
  return scale;
}

TEST(Equilibrate, MakesTheDiagonalOne) {
  EXPECT_EQ(scale_of(2, {0x1p40, 3, 5, 0x1p-20}), (std::vector<double>{0x1p-20, 0x1p10}));
}

TEST(Equilibrate, RowsWithoutDiagonalFollowTheColumnsThatHaveOne) {
  // The cone row of a contact: -E' beta with beta scaled by 2^-5.
  EXPECT_EQ(scale_of(2, {0x1p10, 1, -1, 0}), (std::vector<double>{0x1p-5, 0x1p5}));
}

TEST(Equilibrate, MatricesWithoutDiagonal) {
  EXPECT_EQ(scale_of(2, {0, 0x1p8, -0x1p8, 0}), (std::vector<double>{0x1p-4, 0x1p-4}));
  EXPECT_EQ(scale_of(2, {0, 0, 0, 4}), (std::vector<double>{1, 0.5}));
}

// Computed from a contact LCP alone, S is what the stepper derives from the masses: E stays a matrix of ones.
TEST(Equilibrate, LeavesConesAsTheyAre) {
  ContactLcpGenerator generator(3);
  for (const LcpSize size : contact_lcp_sizes) {
    const ContactLcp lcp = generator.make(size, ContactScene::rest);
    const std::vector<double> scale = scale_of(lcp.n(), lcp.M);
    const int first_cone = size.contacts * (size.directions + 1);
    for (int c = 0; c < size.contacts; ++c) {
      double largest = 0;
      for (int d = 0; d < size.directions; ++d) {
        const double scaled = scale[first_cone + c] * scale[c * size.directions + d];
        largest = scaled > largest ? scaled : largest;
      }
      EXPECT_EQ(largest, 1);
    }
  }
}

}  // namespace
}  // namespace jostle

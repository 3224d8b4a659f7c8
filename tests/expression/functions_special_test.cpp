// Zeros, infinities, NaNs: the C library is the reference, but for the bits of NaN.
#include <gtest/gtest.h>

#include <cmath>

#include "core/math/arc_tangent.hpp"
#include "core/math/exponential.hpp"
#include "core/math/normal_distribution.hpp"
#include "core/math/trigonometry.hpp"
#include "tests/expression/ulp.hpp"

namespace jostle {
namespace {

using test::odd_arguments;

/// The same NaN-ness, sign and size up to an ulp; a NaN must be the canonical one.
void expect_alike(double got, double expected, const char* function, double x, double y = 0) {
  SCOPED_TRACE(testing::Message() << function << "(" << std::hexfloat << x << ", " << y << ")");
  if (std::isnan(expected)) {
    EXPECT_EQ(bits_of(got), canonical_nan_bits);
    return;
  }
  EXPECT_EQ(sign_bit(got), sign_bit(expected)) << got << " for " << expected;
  EXPECT_LT(test::ulps(got, expected), 4) << got << " for " << expected;
}

TEST(SpecialValues, OfFunctionsOfOneArgumentAreThoseOfC) {
  for (const double x : odd_arguments()) {
    expect_alike(sine(x), std::sin(x), "sine", x);
    expect_alike(cosine(x), std::cos(x), "cosine", x);
    expect_alike(tangent(x), std::tan(x), "tangent", x);
    expect_alike(exponential(x), std::exp(x), "exponential", x);
    expect_alike(natural_logarithm(x), std::log(x), "natural_logarithm", x);
  }
}

TEST(SpecialValues, OfFunctionsOfTwoArgumentsAreThoseOfC) {
  for (const double x : odd_arguments()) {
    for (const double y : odd_arguments()) {
      expect_alike(power(x, y), std::pow(x, y), "power", x, y);
      expect_alike(arc_tangent(x, y), std::atan2(x, y), "arc_tangent", x, y);
    }
  }
}

TEST(SpecialValues, OfSineAndCosineTogetherAreThoseOfEachAlone) {
  for (const double x : odd_arguments()) {
    double s, c;
    sine_cosine(x, s, c);
    EXPECT_EQ(bits_of(s), bits_of(sine(x))) << x;
    EXPECT_EQ(bits_of(c), bits_of(cosine(x))) << x;
  }
}

TEST(SpecialValues, OfSincAreItsLimits) {
  EXPECT_EQ(sinc(0), 1);
  EXPECT_EQ(sinc(0x1p-1074), 1);
  EXPECT_EQ(bits_of(sinc(infinity())), canonical_nan_bits);
  EXPECT_EQ(bits_of(sinc(-canonical_nan())), canonical_nan_bits);
}

TEST(SpecialValues, OfTheNormalDistribution) {
  EXPECT_EQ(normal_cumulative(0), 0.5);
  EXPECT_EQ(normal_cumulative(infinity()), 1);
  EXPECT_EQ(normal_cumulative(-infinity()), 0);
  EXPECT_EQ(normal_cumulative(-39), 0);
  EXPECT_EQ(normal_cumulative(9), 1);
  EXPECT_EQ(normal_quantile(0), -infinity());
  EXPECT_EQ(normal_quantile(1), infinity());
  EXPECT_EQ(normal_quantile(0.5), 0);
  for (const double outside : {-0x1p-1074, -1.0, std::nextafter(1.0, 2.0), infinity(), -canonical_nan()}) {
    EXPECT_EQ(bits_of(normal_quantile(outside)), canonical_nan_bits) << outside;
  }
  EXPECT_EQ(bits_of(normal_cumulative(-canonical_nan())), canonical_nan_bits);
}

}  // namespace
}  // namespace jostle

// Our elementary functions against the long double ones of the C library, in ulps.
#include <gtest/gtest.h>

#include "core/math/arc_tangent.hpp"
#include "core/math/exponential.hpp"
#include "core/math/normal_distribution.hpp"
#include "core/math/trigonometry.hpp"
#include "tests/expression/ulp.hpp"

namespace jostle {
namespace {

using test::Arguments;
using test::Worst;

constexpr int draws = 100000;
constexpr double limit = 4;  // ulp, what the project promises

#define EXPECT_BELOW(worst, bound) \
  EXPECT_LT((worst).error, bound) << std::hexfloat << "at " << (worst).x << ", " << (worst).y

void check_trigonometry(Worst (&worst)[4], double x) {
  double s, c;
  sine_cosine(x, s, c);
  EXPECT_EQ(bits_of(s), bits_of(sine(x)));
  EXPECT_EQ(bits_of(c), bits_of(cosine(x)));
  const long double true_sine = sinl(x), true_cosine = cosl(x);
  worst[0].see(s, true_sine, x);
  worst[1].see(c, true_cosine, x);
  worst[2].see(tangent(x), true_sine / true_cosine, x);
  worst[3].see(sinc(x), x == 0 ? 1 : true_sine / static_cast<long double>(x), x);
}

void expect_accurate_trigonometry(const Worst (&worst)[4]) {
  EXPECT_BELOW(worst[0], 1) << "sine";
  EXPECT_BELOW(worst[1], 1) << "cosine";
  EXPECT_BELOW(worst[2], limit) << "tangent";
  EXPECT_BELOW(worst[3], 2) << "sinc";
}

TEST(Trigonometry, IsAccurateAtEveryScale) {
  for (const double range : {1e-3, 0.7853981, 10.0, 1e5, 1e9, 1e10, 1e22, 1e300}) {
    SCOPED_TRACE(range);
    Arguments arguments;
    Worst worst[4];
    for (int i = 0; i < draws; ++i) check_trigonometry(worst, arguments.uniform(-range, range));
    expect_accurate_trigonometry(worst);
  }
}

TEST(Trigonometry, IsAccurateForEveryExponent) {
  Arguments arguments;
  Worst worst[4];
  for (int i = 0; i < draws; ++i) {
    const double x = arguments.any_finite();
    if (std::fabs(x) > 0x1p-1000) check_trigonometry(worst, x);  // sinc's truth would be a quotient of subnormals
  }
  expect_accurate_trigonometry(worst);
}

// Where the sine or cosine is nearly zero, every digit of the result comes from the tail of pi.
TEST(Trigonometry, IsAccurateBesideMultiplesOfHalfPi) {
  Arguments arguments;
  Worst worst[4];
  for (int i = 0; i < draws; ++i) {
    const double multiple = static_cast<double>(1 + arguments.bits() % 600000000) * 0x1.921fb54442d18p+0;
    check_trigonometry(worst, std::bit_cast<double>(bits_of(multiple) + arguments.bits() % 5 - 2));
  }
  expect_accurate_trigonometry(worst);
}

// The double nearest of all to a multiple of pi/2 (Muller et al., Handbook of Floating-Point Arithmetic).
TEST(Trigonometry, SurvivesTheWorstArgument) {
  const double x = 0x1.6ac5b262ca1ffp+849;
  EXPECT_EQ(cosine(x), -0x1.14ae72e6ba22fp-61);
  EXPECT_EQ(sine(x), 1);
}

TEST(Trigonometry, IsOddAndEven) {
  Arguments arguments;
  for (int i = 0; i < draws; ++i) {
    const double x = i % 2 == 0 ? arguments.uniform(0, 100) : arguments.any_positive();
    ASSERT_EQ(bits_of(sine(-x)), bits_of(-sine(x))) << x;
    ASSERT_EQ(bits_of(cosine(-x)), bits_of(cosine(x))) << x;
    ASSERT_EQ(bits_of(tangent(-x)), bits_of(-tangent(x))) << x;
    ASSERT_EQ(bits_of(sinc(-x)), bits_of(sinc(x))) << x;
  }
  EXPECT_TRUE(sign_bit(sine(-0.0)));
  EXPECT_TRUE(sign_bit(tangent(-0.0)));
  EXPECT_EQ(sinc(-0.0), 1);
}

TEST(Exponential, IsAccurateFromUnderflowToOverflow) {
  Arguments arguments;
  Worst worst;
  for (const double range : {1e-8, 1.0, 20.0, 746.0}) {
    for (int i = 0; i < draws; ++i) {
      const double x = arguments.uniform(-range, range);
      worst.see(exponential(x), expl(x), x);
    }
  }
  for (const double x : {-745.13321910194122, -745.13321910194133, 709.78271289338397, 709.78271289338409, -708.4}) {
    worst.see(exponential(x), expl(x), x);
  }
  EXPECT_BELOW(worst, 1);
}

TEST(NaturalLogarithm, IsAccurateForEveryPositiveDouble) {
  Arguments arguments;
  Worst worst;
  for (int i = 0; i < draws; ++i) {
    for (const double x : {arguments.any_positive(), 1 + arguments.uniform(-0.4, 0.5),
                           1 + arguments.uniform(-1e-7, 1e-7), arguments.uniform(0, 1e-310)}) {
      if (x > 0) worst.see(natural_logarithm(x), logl(x), x);
    }
  }
  EXPECT_BELOW(worst, 1);
}

TEST(Power, IsAccurateUpToOverflow) {
  Arguments arguments;
  Worst worst;
  for (int i = 0; i < draws; ++i) {
    const double base = arguments.any_positive(), near_one = 1 + arguments.uniform(-1e-7, 1e-7);
    const double largest = arguments.uniform(-745, 745);  // y log x
    const double pairs[][2] = {{arguments.uniform(0, 100), arguments.uniform(-50, 50)},
                               {base, largest / static_cast<double>(logl(base))},
                               {near_one, largest / static_cast<double>(logl(near_one))}};
    for (const auto& [x, y] : pairs) {
      if (x > 0) worst.see(power(x, y), powl(x, y), x, y);
    }
  }
  EXPECT_BELOW(worst, 1);
}

TEST(Power, IsExactForSmallIntegers) {
  for (int base = 2; base <= 100; ++base) {
    double exact = 1;
    for (int exponent = 0; exact < 0x1p53; ++exponent, exact *= base) {
      ASSERT_EQ(power(base, exponent), exact) << base << "^" << exponent;
      ASSERT_EQ(power(-base, exponent), exponent % 2 == 0 ? exact : -exact) << -base << "^" << exponent;
    }
  }
}

TEST(ArcTangent, IsAccurateInEveryDirection) {
  Arguments arguments;
  Worst worst;
  for (int i = 0; i < draws; ++i) {
    const double size = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e-310 : 1.7e308;
    const double pairs[][2] = {{arguments.uniform(-size, size), arguments.uniform(-size, size)},
                               {arguments.any_finite(), arguments.any_finite()},
                               {arguments.any_finite(), 1.0},
                               {1.0, arguments.any_finite()}};
    for (const auto& [y, x] : pairs) worst.see(arc_tangent(y, x), atan2l(y, x), y, x);
  }
  EXPECT_BELOW(worst, 1);
}

long double true_normal_cumulative(long double x) { return erfcl(-x / sqrtl(2.0L)) / 2; }

TEST(NormalCumulative, IsAccurateInBothTails) {
  Arguments arguments;
  Worst worst;
  for (int i = 0; i < draws; ++i) {
    for (const double x : {arguments.uniform(-3, 8.5), arguments.uniform(-38.5, 0)}) {
      worst.see(normal_cumulative(x), true_normal_cumulative(x), x);
    }
  }
  EXPECT_BELOW(worst, limit);
}

/// Newton's method on log Phi, or on Phi - 1/2 near the median, from our own value.
long double true_normal_quantile(double u) {
  const bool upper = u > 0.5;
  const long double p = upper ? 1 - static_cast<long double>(u) : u;
  const long double sqrt_two_pi = sqrtl(2 * M_PIl);
  long double x = upper ? -normal_quantile(u) : normal_quantile(u);
  for (int i = 0; i < 3; ++i) {
    const long double slope = expl(-x * x / 2) / sqrt_two_pi;
    const long double cumulative = true_normal_cumulative(x);
    x -= p > 0.2L ? (erfl(x / sqrtl(2.0L)) / 2 - (p - 0.5L)) / slope : logl(cumulative / p) * cumulative / slope;
  }
  return upper ? -x : x;
}

TEST(NormalQuantile, IsAccurateFromTheSmallestDouble) {
  Arguments arguments;
  Worst worst;
  for (int i = 0; i < draws; ++i) {
    for (const double u : {arguments.uniform(0, 1), arguments.uniform(0.19, 0.21), arguments.uniform(0.79, 0.81),
                           arguments.uniform(0.499, 0.501), std::fmod(arguments.any_positive(), 0.2)}) {
      if (u > 0) worst.see(normal_quantile(u), true_normal_quantile(u), u);
    }
  }
  EXPECT_BELOW(worst, limit);
  EXPECT_NEAR(normal_quantile(0x1p-1074), -38.46740561714434, 1e-13);
}

TEST(NormalQuantile, IsSymmetric) {
  Arguments arguments;
  for (int i = 0; i < draws; ++i) {
    const double u = static_cast<double>(arguments.bits() >> 12 << 1 | 1) * 0x1p-53;  // 1 - u is exact
    if (std::fabs(u - 0.5) > 0.3) {
      ASSERT_EQ(normal_quantile(1 - u), -normal_quantile(u)) << u;
    } else {
      ASSERT_NEAR(normal_quantile(1 - u), -normal_quantile(u), 1e-16) << u;
    }
  }
}

}  // namespace
}  // namespace jostle

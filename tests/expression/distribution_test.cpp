// Draws by inverse distribution functions: edges, means, truncation.
#include "scenarios/model/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/math/normal_distribution.hpp"

namespace jostle {
namespace {

using Kind = Distribution::Kind;

constexpr double least = 0x1p-53, greatest = 1 - 0x1p-53;  // of the numbers a sampler makes

Distribution make(Kind kind, double first, double second) {
  Distribution d;
  d.kind = kind;
  d.bounds = {first, second};
  return d;
}

/// Midpoints of 2^k equal cells of (0, 1): their mean is an integral to high order.
template <class F>
double mean_of(const Distribution& d, F f) {
  constexpr int cells = 1 << 16;
  double sum = 0;
  for (int i = 0; i < cells; ++i) sum += f(quantile(d, (i + 0.5) / cells));
  return sum / cells;
}
double identity(double x) { return x; }

TEST(Uniform, StaysInsideItsBounds) {
  const double bounds[][2] = {{0.3, 0.9}, {-1, 1}, {0, 0.1}, {1e15, 1e15 + 1}, {-1.7e308, 1.7e308}, {5, 5}};
  for (const auto& [a, b] : bounds) {
    const Distribution d = make(Kind::uniform, a, b);
    for (const double u : {least, 0.1, 0.3, 0.5, 0.7, greatest}) {
      EXPECT_GE(quantile(d, u), a);
      EXPECT_LE(quantile(d, u), b);
    }
  }
  EXPECT_EQ(quantile(make(Kind::uniform, 5, 5), 0.3), 5);
  EXPECT_DOUBLE_EQ(quantile(make(Kind::uniform, -1.7e308, 1.7e308), 0.75), 0.85e308);
}

TEST(Uniform, HasTheMeanOfItsBounds) { EXPECT_NEAR(mean_of(make(Kind::uniform, 2, 6), identity), 4, 1e-12); }

TEST(LogUniform, HasEqualMassPerDecade) {
  const Distribution d = make(Kind::log_uniform, 1e-3, 1e3);
  EXPECT_NEAR(quantile(d, 0.5), 1, 1e-14);
  EXPECT_NEAR(quantile(d, 1.0 / 6), 1e-2, 1e-15);
  EXPECT_GE(quantile(d, least), 1e-3);
  EXPECT_LE(quantile(d, greatest), 1e3);
  EXPECT_NEAR(mean_of(d, natural_logarithm), 0, 1e-12);
}

TEST(Normal, HasItsMeanAndDeviation) {
  const Distribution d = make(Kind::normal, 4, 0.2);
  EXPECT_EQ(quantile(d, 0.5), 4);
  EXPECT_NEAR(mean_of(d, identity), 4, 1e-12);
  EXPECT_NEAR(mean_of(d, [](double x) { return (x - 4) * (x - 4); }), 0.04, 1e-5);
  EXPECT_EQ(quantile(make(Kind::normal, 4, 0), 0.1), 4);
}

// Mean of a normal truncated to [a, b]: m + s (phi(a') - phi(b')) / (Phi(b') - Phi(a')), with a' = (a - m) / s.
TEST(Normal, TruncatesByTheInverseDistributionFunction) {
  const auto phi = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); };
  const auto cumulative = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const double cases[][2] = {{-1, 2}, {0, 3}, {1, 2}, {-3, -2.5}, {5, 6}, {-9, -8}, {30, 31}};
  for (const auto& [a, b] : cases) {
    Distribution d = make(Kind::normal, 10, 2);
    d.minimum = 10 + 2 * a;
    d.maximum = 10 + 2 * b;
    const double mass = a > 0 ? cumulative(-a) - cumulative(-b) : cumulative(b) - cumulative(a);
    EXPECT_NEAR(mean_of(d, identity), 10 + 2 * (phi(a) - phi(b)) / mass, 1e-5) << a << ", " << b;
    for (const double u : {least, 0.5, greatest}) {
      EXPECT_GE(quantile(d, u), d.minimum);
      EXPECT_LE(quantile(d, u), d.maximum);
    }
  }
}

TEST(Normal, MirrorsATruncationAboveTheMean) {
  Distribution above = make(Kind::normal, 0, 1), below = above;
  above.minimum = 3;
  below.maximum = -3;
  for (const double u : {least, 0.1, 0.25, 0.5, 0.9, greatest}) {
    EXPECT_EQ(quantile(above, u), -quantile(below, 1 - u)) << u;
  }
}

TEST(Normal, TakesTheNearerBoundWhereNoMassIsLeft) {
  Distribution d = make(Kind::normal, 0, 1);
  d.minimum = 50;
  EXPECT_EQ(quantile(d, 0.5), 50);
  d.maximum = 60;
  EXPECT_EQ(quantile(d, 0.5), 50);
  d.minimum = -60, d.maximum = -50;
  EXPECT_EQ(quantile(d, 0.5), -50);
  d.minimum = d.maximum = 0.25;
  EXPECT_EQ(quantile(d, 0.5), 0.25);
}

TEST(Normal, RisesWithU) {
  Distribution d = make(Kind::normal, 0, 1);
  for (const double minimum : {-infinity(), -1.0, 2.0}) {
    d.minimum = minimum;
    double last = -infinity();
    for (double u = 0x1p-12; u < 1; u += 0x1p-12) {
      ASSERT_GE(quantile(d, u), last) << u;
      last = quantile(d, u);
    }
  }
}

TEST(Integer, HitsEveryValueEquallyOften) {
  const Distribution d = make(Kind::integer, -2, 3);
  std::map<double, int> hits;
  for (int i = 0; i < 6000; ++i) ++hits[quantile(d, (i + 0.5) / 6000)];
  ASSERT_EQ(hits.size(), 6u);
  for (int value = -2; value <= 3; ++value) EXPECT_EQ(hits[value], 1000) << value;
  EXPECT_EQ(quantile(d, least), -2);
  EXPECT_EQ(quantile(d, greatest), 3);
  EXPECT_EQ(quantile(make(Kind::integer, 7, 7), greatest), 7);
  EXPECT_EQ(quantile(make(Kind::integer, 0, 0x1p40), greatest), 0x1p40);
  EXPECT_LE(quantile(make(Kind::integer, -0x1p53, 0x1p53), greatest), 0x1p53);
}

TEST(Choice, FollowsItsWeights) {
  Distribution d;
  d.kind = Kind::choice;
  d.choice.values = {0.1, 0.2, 0.4};
  d.choice.weights = {1, 0, 3};
  std::map<double, int> hits;
  for (int i = 0; i < 1000; ++i) ++hits[quantile(d, (i + 0.5) / 1000)];
  EXPECT_EQ(hits[0.1], 250);
  EXPECT_EQ(hits.count(0.2), 0u);
  EXPECT_EQ(hits[0.4], 750);
  d.choice.weights = {1, 1, 0};
  EXPECT_EQ(quantile(d, greatest), 0.2) << "the last value has no weight";
  d.choice.weights.clear();
  EXPECT_EQ(quantile(d, 0.34), 0.2);
  EXPECT_EQ(quantile(d, greatest), 0.4);
}

}  // namespace
}  // namespace jostle

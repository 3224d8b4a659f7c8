// Statistics against closed forms and against numbers computed independently (R, Python).
#include "drivers/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "core/status.hpp"
#include "tests/support/outcome_statistics.hpp"

namespace jostle {
namespace {

using test::outcome_statistics;

constexpr auto ok = static_cast<std::uint8_t>(Status::ok), ray = static_cast<std::uint8_t>(Status::ray);
const OutcomeInfo truth = {"lies", OutcomeInfo::Kind::truth, "at_end", "", ""};
const OutcomeInfo number = {"x", OutcomeInfo::Kind::number, "at_end", "", "m"};
const OutcomeInfo first_time = {"hit", OutcomeInfo::Kind::first_time, "first_time", "", "s"};

TEST(Wilson, SolvesItsQuadratic) {
  // The bounds are the p0 with |p - p0| = z sqrt(p0 (1 - p0) / n).
  for (const auto& [hits, count] : {std::pair{1, 10}, {5, 10}, {874, 1000}, {19999, 20000}}) {
    const Interval interval = wilson_interval(hits, count);
    const double p = static_cast<double>(hits) / count;
    for (const double bound : {interval.lower, interval.upper})
      EXPECT_NEAR((p - bound) * (p - bound), z95 * z95 * bound * (1 - bound) / count, 1e-15);
    EXPECT_LT(interval.lower, p);
    EXPECT_GT(interval.upper, p);
  }
}

TEST(Wilson, AgreesWithThePublishedExample) {
  // Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29.
  EXPECT_NEAR(wilson_interval(81, 263).lower, 0.2553, 5e-5);
  EXPECT_NEAR(wilson_interval(81, 263).upper, 0.3662, 5e-5);
  EXPECT_NEAR(wilson_interval(15, 148).lower, 0.0624, 5e-5);
  EXPECT_NEAR(wilson_interval(15, 148).upper, 0.1605, 5e-5);
  EXPECT_NEAR(wilson_interval(0, 20).upper, 0.1611, 5e-5);
  EXPECT_NEAR(wilson_interval(1, 29).lower, 0.0061, 5e-5);
  EXPECT_NEAR(wilson_interval(1, 29).upper, 0.1718, 5e-5);
}

TEST(Wilson, ReachesZeroAndOneExactlyAndKnowsNothingOfNothing) {
  EXPECT_EQ(wilson_interval(0, 50).lower, 0);
  EXPECT_EQ(wilson_interval(50, 50).upper, 1);
  EXPECT_LT(wilson_interval(50, 50).lower, 1);
  EXPECT_EQ(wilson_interval(0, 0).lower, 0);
  EXPECT_EQ(wilson_interval(0, 0).upper, 1);
}

TEST(Quantiles, InterpolateBetweenOrderStatistics) {
  std::vector<double> values(101);
  std::iota(values.begin(), values.end(), 0.0);
  const auto quantiles = [](const std::vector<double>& numbers) {
    return *outcome_statistics(number, numbers, std::vector<std::uint8_t>(numbers.size(), ok)).quantiles;
  };
  EXPECT_DOUBLE_EQ(quantiles(values)[0], 5);
  EXPECT_DOUBLE_EQ(quantiles(values)[median_index], 50);
  EXPECT_DOUBLE_EQ(quantiles({10, 1, 3, 2})[3], 4.75);
  EXPECT_DOUBLE_EQ(quantiles({3})[4], 3);
  EXPECT_DOUBLE_EQ(quantiles({-1e300, 1e300, -0.0, 0.0})[median_index], 0);
}

TEST(TruthOutcome, BoundsTheRateWithAllInvalidSamplesFalseAndAllTrue) {
  // 6 true, 2 false, 2 invalid.
  const std::vector<double> values = {1, 1, 1, 1, 1, 1, 0, 0, undefined_value, undefined_value};
  const std::vector<std::uint8_t> status = {ok, ok, ok, ok, ok, ok, ok, ok, ray, ray};
  const OutcomeStatistics s = outcome_statistics(truth, values, status);
  EXPECT_EQ(s.count, 8);
  EXPECT_EQ(s.invalid, 2);
  EXPECT_DOUBLE_EQ(*s.estimate, 0.75);
  EXPECT_EQ(s.interval->lower, wilson_interval(6, 8).lower);
  EXPECT_EQ(s.worst->lower, wilson_interval(6, 10).lower);
  EXPECT_EQ(s.worst->upper, wilson_interval(8, 10).upper);
  EXPECT_LT(s.worst->lower, s.interval->lower);
  EXPECT_GT(s.worst->upper, s.interval->upper);
  EXPECT_FALSE(s.minimum || s.maximum || s.quantiles);
}

TEST(TruthOutcome, HasWorstBoundsEqualToTheIntervalWhereNothingIsInvalid) {
  const OutcomeStatistics s = outcome_statistics(truth, std::vector<double>{1, 0, 1}, std::vector<std::uint8_t>(3, ok));
  EXPECT_EQ(s.worst->lower, s.interval->lower);
  EXPECT_EQ(s.worst->upper, s.interval->upper);
}

TEST(TruthOutcome, WithoutValidSamplesIsUndefined) {
  const OutcomeStatistics s =
      outcome_statistics(truth, std::vector<double>{undefined_value}, std::vector<std::uint8_t>{ray});
  EXPECT_FALSE(s.estimate);
  EXPECT_EQ(s.interval->lower, 0);
  EXPECT_EQ(s.interval->upper, 1);
}

// Quantiles from the incomplete beta function in 30 digits.
TEST(Student, HasTheQuantilesOfItsDistribution) {
  const std::pair<std::int64_t, double> of_samples[] = {
      {2, 12.7062047361747},    {3, 4.302652729749464},    {4, 3.18244630528371},
      {12, 2.20098516009164},   {101, 1.983971518523552},  {401, 1.965912343229463},
      {402, 1.965897465336516}, {1001, 1.962339080826408}, {1000001, 1.959966356814107}};
  for (const auto& [n, t] : of_samples) EXPECT_NEAR(student95(n), t, 1e-12) << n;
  for (std::int64_t n = 3; n < 600; ++n) EXPECT_LT(student95(n), student95(n - 1)) << n;
}

TEST(NumberOutcome, HasMeanAndIntervalOfOneToN) {
  // 1 .. n: mean (n + 1)/2, s^2 = n (n + 1)/12.
  const int n = 1000;
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  const OutcomeStatistics s = outcome_statistics(number, values, std::vector<std::uint8_t>(n, ok));
  const double half_width = student95(n) * std::sqrt(n * (n + 1) / 12.0 / n);
  EXPECT_DOUBLE_EQ(*s.estimate, 500.5);
  EXPECT_NEAR(s.interval->lower, 500.5 - half_width, 1e-10);
  EXPECT_NEAR(s.interval->upper, 500.5 + half_width, 1e-10);
  EXPECT_EQ(*s.minimum, 1);
  EXPECT_EQ(*s.maximum, 1000);
  EXPECT_DOUBLE_EQ((*s.quantiles)[2], 500.5);
  EXPECT_FALSE(s.worst) << "a number has no worst case";
  EXPECT_EQ(std::accumulate(s.histogram.counts.begin(), s.histogram.counts.end(), std::int64_t{0}), n);
}

TEST(NumberOutcome, KeepsTheVarianceOfSmallDeviationsFromALargeMean) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(1e9 + (i % 2 ? 0.5 : -0.5));
  const OutcomeStatistics s = outcome_statistics(number, values, std::vector<std::uint8_t>(1000, ok));
  const double half_width = (s.interval->upper - s.interval->lower) / 2;
  EXPECT_DOUBLE_EQ(*s.estimate, 1e9);
  EXPECT_NEAR(half_width, student95(1000) * std::sqrt(250.0 / 999 / 1000), 2e-7);
}

TEST(NumberOutcome, CountsWhatIsUndefinedOrInfiniteAsInvalid) {
  const std::vector<double> values = {1, undefined_value, std::numeric_limits<double>::infinity(), 3};
  const OutcomeStatistics s = outcome_statistics(number, values, std::vector<std::uint8_t>(4, ok));
  EXPECT_EQ(s.count, 2);
  EXPECT_EQ(s.invalid, 2);
  EXPECT_DOUBLE_EQ(*s.estimate, 2);
}

TEST(NumberOutcome, OfOneSampleHasNoInterval) {
  const OutcomeStatistics s = outcome_statistics(number, std::vector<double>{5}, std::vector<std::uint8_t>{ok});
  EXPECT_DOUBLE_EQ(*s.estimate, 5);
  EXPECT_FALSE(s.interval);
  EXPECT_EQ(s.histogram.counts, std::vector<std::int64_t>{1});
}

TEST(NumberOutcome, OverDecadesHasBinsOfPowers) {
  std::vector<double> values;
  for (int i = 0; i <= 1600; ++i) values.push_back(std::pow(10.0, i / 400.0 - 2));  // 0.01 to 100
  const Histogram h = outcome_statistics(number, values, std::vector<std::uint8_t>(values.size(), ok)).histogram;
  EXPECT_TRUE(h.is_logarithmic);
  ASSERT_EQ(h.counts.size(), 16u);
  for (std::size_t i = 0; i <= 16; ++i) EXPECT_NEAR(h.edges[i], std::pow(10.0, static_cast<double>(i) / 4 - 2), 1e-12);
  for (const std::int64_t count : h.counts) EXPECT_NEAR(static_cast<double>(count), 100, 1);
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0}), 1601);
}

TEST(NumberOutcome, WithAFewSmallNumbersHasEqualBins) {
  std::vector<double> values = {1e-3};
  for (int i = 1; i <= 100; ++i) values.push_back(i);
  const Histogram h = outcome_statistics(number, values, std::vector<std::uint8_t>(values.size(), ok)).histogram;
  EXPECT_FALSE(h.is_logarithmic);
  EXPECT_NEAR(h.edges[8], 50, 0.01);
}

TEST(FirstTime, ReportsTheRateReachedAndTheTimesAmongThose) {
  // Reached at 1, 2, 3 s; never once; one invalid sample.
  const std::vector<double> values = {3, undefined_value, 1, 2, undefined_value};
  const OutcomeStatistics s = outcome_statistics(first_time, values, std::vector<std::uint8_t>{ok, ok, ok, ok, ray});
  EXPECT_EQ(s.count, 4);
  EXPECT_EQ(s.invalid, 1);
  EXPECT_DOUBLE_EQ(*s.estimate, 0.75);
  EXPECT_EQ(s.worst->upper, wilson_interval(4, 5).upper);
  EXPECT_EQ(*s.minimum, 1);
  EXPECT_EQ(*s.maximum, 3);
  EXPECT_DOUBLE_EQ((*s.quantiles)[2], 2);
}

}  // namespace
}  // namespace jostle

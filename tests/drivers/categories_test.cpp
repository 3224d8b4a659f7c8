// Exclusive outcomes: shares with simultaneous intervals, and the test of all of them together.
#include "drivers/statistics/categories.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace jostle {
namespace {

RunStatistics counts(const std::vector<std::int64_t>& hits, std::int64_t samples,
                     const std::vector<double>& shares = {}) {
  RunStatistics statistics;
  for (std::size_t k = 0; k < hits.size(); ++k) {
    OutcomeStatistics& outcome = statistics.outcomes.emplace_back();
    outcome.name = "face" + std::to_string(k + 1), outcome.kind = OutcomeInfo::Kind::truth, outcome.category = "die";
    outcome.hits = hits[k], outcome.count = samples;
    if (!shares.empty()) outcome.share = shares[k];
  }
  return statistics;
}

// Upper 5 % points of chi-square with 1 to 5 degrees of freedom (tables), and closed forms of even ones.
TEST(ChiSquare, HasTheTailOfTheTables) {
  const double points[] = {3.841458821, 5.991464547, 7.814727903, 9.487729037, 11.07049769};
  for (int k = 1; k <= 5; ++k) EXPECT_NEAR(chi_square_tail(points[k - 1], k), 0.05, 1e-9) << k;
  EXPECT_NEAR(chi_square_tail(3, 4), std::exp(-1.5) * 2.5, 1e-15);
  EXPECT_EQ(chi_square_tail(0, 3), 1);
}

// 60 throws of a die: 8, 9, 9, 8, 10, 16; sum (n - 10)^2/10 = (4 + 1 + 1 + 4 + 0 + 36)/10.
TEST(Categories, TestADieAgainstEqualShares) {
  const CategoryStatistics die = categories_of(counts({8, 9, 9, 8, 10, 16}, 60)).at(0);
  EXPECT_NEAR(die.chi_square, 4.6, 1e-12);
  EXPECT_NEAR(die.p, chi_square_tail(4.6, 5), 1e-15);
  EXPECT_GT(die.p, 0.4);
  EXPECT_EQ(die.unmatched, 0);
  // Goodman: the ends of p satisfy (p - 16/60)^2 = z^2 p (1 - p)/60, z the quantile 1 - 0.05/12.
  const double z = 2.638257273476752;
  for (const double end : {die.shares[5].interval.lower, die.shares[5].interval.upper})
    EXPECT_NEAR(std::pow(end - 16.0 / 60, 2), z * z * end * (1 - end) / 60, 1e-9);
}

TEST(Categories, TestAgainstGivenShares) {
  const CategoryStatistics coin = categories_of(counts({40, 40, 20}, 100, {0.25, 0.25, 0.5})).at(0);
  EXPECT_NEAR(coin.chi_square, 225.0 / 25 + 225.0 / 25 + 900.0 / 50, 1e-12);
  EXPECT_TRUE(coin.has_expected);
  EXPECT_NEAR(coin.p, std::exp(-18.0), 1e-12);
}

// A share that is expected to be 0 leaves no choice: a hit contradicts it, and without one it is no degree of freedom.
TEST(Categories, MayBeExpectedToBeEmpty) {
  const CategoryStatistics none = categories_of(counts({60, 40, 0}, 100, {0.5, 0.5, 0})).at(0);
  EXPECT_NEAR(none.chi_square, 4, 1e-12);
  EXPECT_EQ(none.degrees, 1);
  EXPECT_NEAR(none.p, std::erfc(std::sqrt(2.0)), 1e-15);
  const RunStatistics one = counts({60, 39, 1}, 100, {0.5, 0.5, 0});
  EXPECT_EQ(categories_of(one).at(0).p, 0);
  EXPECT_TRUE(categories_json(one).at("die").at("chi_square").is_null());
  EXPECT_THAT(categories_text(one),
              testing::HasSubstr("chi-square inf against the given shares, 1 degree of freedom: p = 0\n"));
}

TEST(Categories, SayWhereNoneHolds) {
  RunStatistics twice = counts({50, 50}, 100);  // as many hits as samples: sums do not show it
  twice.categories = {{"die", 20, 20}};
  EXPECT_THAT(categories_text(twice),
              testing::HasSubstr("  of 100 samples 20 have no category and 20 more than one, so neither intervals nor "
                                 "test mean anything\n"));
  EXPECT_EQ(categories_json(twice).at("die").at("unmatched"), 20);
  EXPECT_EQ(categories_json(twice).at("die").at("several"), 20);
  EXPECT_THAT(categories_text(counts({50, 50}, 100)),
              testing::MatchesRegex("die, exclusive outcomes, intervals that hold together with 95 %:\n"
                                    "  category  share   interval          expected\n"
                                    "  face1     0.5000  \\[.*\\]  0.5000\n  face2     0.5000  \\[.*\\]  0.5000\n"
                                    "  chi-square 0 against equal shares, 1 degree of freedom: p = 1\n"));
  EXPECT_EQ(categories_json(counts({50, 50}, 100)).at("die").at("count"), 100);
}

}  // namespace
}  // namespace jostle

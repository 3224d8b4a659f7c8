// Outcomes by variables, what explains them, and the page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/status.hpp"
#include "drivers/errors.hpp"
#include "drivers/reports/answers.hpp"
#include "drivers/reports/bins.hpp"
#include "drivers/reports/report_page.hpp"
#include "drivers/reports/sensitivity.hpp"
#include "drivers/simulation.hpp"
#include "drivers/statistics/run_statistics.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "tests/support/drawn_scenario.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// Numbers in (0, 1) that fill it evenly, another sequence for each step (Weyl).
std::vector<double> even_numbers(int count, double step) {
  std::vector<double> numbers;
  for (int i = 1; i <= count; ++i) numbers.push_back(i * step - std::floor(i * step));
  return numbers;
}

Response response_of(std::vector<double> values, bool is_rate) {
  const std::size_t count = values.size();
  return {"y", is_rate, std::move(values), std::vector<std::uint8_t>(count, 1)};
}

// 1,000 numbers in 8 bins: 125 each, from the least to the largest.
TEST(Bins, OfManyValuesHaveAsManySamplesEach) {
  const std::vector<double> values = even_numbers(1000, std::sqrt(2.0));
  const Bins bins = make_bins(values, 8);
  ASSERT_EQ(bins.count(), 8);
  std::vector<int> counts(8, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bin = static_cast<std::size_t>(bins.of_sample[i]);
    ++counts[bin];
    EXPECT_LE(bins.low[bin], values[i]);
    EXPECT_LE(values[i], bins.high[bin]);
  }
  EXPECT_THAT(counts, Each(125));
}

TEST(Bins, OfFewValuesAreTheValues) {
  const Bins bins = make_bins(std::vector<double>{3, 1, 2, 2, 3}, 2);
  EXPECT_THAT(bins.low, ElementsAre(1, 2, 3));
  EXPECT_EQ(bins.low, bins.high);
  EXPECT_THAT(bins.of_sample, ElementsAre(2, 0, 1, 1, 2));
  EXPECT_EQ(label_of(bins, 2), "3");
}

// Values 1, 2, 3, 4 around 10^9: mean + 2.5, s^2 = 5/3, half the width 3.18245 sqrt(5/3/4).
TEST(Tally, OfNumbersHasMeanAndIntervalWithoutCancellation) {
  const Response response = response_of({1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 4}, false);
  Tally tally;
  for (std::size_t i = 0; i < 4; ++i) tally.add(response, i);
  EXPECT_EQ(tally.estimate(false), 1e9 + 2.5);
  const auto interval = tally.interval(false);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->upper - interval->lower, 2 * 3.182446305283708 * std::sqrt(5.0 / 12), 1e-6);
}

// As in the summary; a running mean of 48 ones and two zeros is 0.9599999999999999.
TEST(Tally, OfRatesIsTheCountOverTheNumber) {
  std::vector<double> values(50, 1);
  values[12] = values[31] = 0;
  const Response response = response_of(values, true);
  Tally tally;
  for (std::size_t i = 0; i < values.size(); ++i) tally.add(response, i);
  EXPECT_EQ(tally.estimate(true), 48.0 / 50);
}

TEST(Tally, OfRatesHasWilsonsIntervalAndBothWorstCases) {
  Response response = response_of({1, 1, 0, 0, 0}, true);
  response.valid[4] = 0;
  Tally tally;
  for (std::size_t i = 0; i < 5; ++i) tally.add(response, i);
  EXPECT_EQ(tally.invalid, 1);
  EXPECT_EQ(tally.estimate(true), 0.5);
  EXPECT_EQ(tally.interval(true)->lower, wilson_interval(2, 4).lower);
  EXPECT_EQ(tally.worst().lower, wilson_interval(2, 5).lower);
  EXPECT_EQ(tally.worst().upper, wilson_interval(3, 5).upper);
}

// Ranks of (1, 2, 2, 4) are 1, 2.5, 2.5, 4. Against 1 .. 4: covariance 4.5, variances 4.5 and 5.
TEST(RankCorrelation, TakesTiesAtTheirMeanRank) {
  EXPECT_NEAR(rank_correlation(std::vector<double>{1, 2, 2, 4}, std::vector<double>{1, 2, 3, 4}),
              4.5 / std::sqrt(4.5 * 5), 1e-15);
  EXPECT_EQ(rank_correlation(std::vector<double>{1, 2, 3}, std::vector<double>{0, 10, 11}), 1);
  EXPECT_EQ(rank_correlation(std::vector<double>{1, 2, 3}, std::vector<double>{5, 5, 5}), 0);
  const std::vector<double> undefined{1, std::nan(""), std::nan("")};
  EXPECT_EQ(rank_correlation(undefined, std::vector<double>{1, 2, 3}), 1) << "it ends, with a rank for each";
}

// y = a + b / 2 with a, b uniform: Var(a) / Var(y) = 1 / (1 + 1/4) = 0.8, b has 0.2, c nothing.
TEST(Sensitivity, OfASumIsTheShareOfEachTermInTheVariance) {
  constexpr int count = 4000;
  const std::vector<Factor> factors = {{"c", "", even_numbers(count, std::sqrt(5.0))},
                                       {"b", "", even_numbers(count, std::sqrt(3.0))},
                                       {"a", "", even_numbers(count, std::sqrt(2.0))}};
  std::vector<double> y;
  for (std::size_t i = 0; i < count; ++i) y.push_back(factors[2].values[i] + factors[1].values[i] / 2);
  const std::vector<Explanation> explanations = explain(response_of(y, false), factors);
  ASSERT_THAT(explanations, SizeIs(3));
  const double expected[] = {0.8, 0.2, 0};
  const char* names[] = {"a", "b", "c"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(explanations[i].factor->name, names[i]);
    const Measured& index = explanations[i].first_order;
    EXPECT_NEAR(index.value, expected[i], 0.01) << names[i];
    EXPECT_LE(index.interval.lower, expected[i] + 0.005) << names[i];
    EXPECT_GE(index.interval.upper, expected[i] - 0.005) << names[i];
  }
  EXPECT_GT(explanations[0].rank.value, 0.85);
  EXPECT_NEAR(explanations[2].rank.value, 0, 0.05);
}

// An outcome that is a step of a variable: with the invalid samples, those of small a, as true it explains less.
TEST(Sensitivity, ShowsInvalidSamplesOnEitherSide) {
  const std::vector<Factor> factors = {{"a", "", even_numbers(1000, std::sqrt(2.0))}};
  Response response = response_of(factors[0].values, true);
  for (std::size_t i = 0; i < 1000; ++i) {
    response.values[i] = factors[0].values[i] > 0.5;
    response.valid[i] = factors[0].values[i] > 0.2;
    response.invalid += !response.valid[i];
  }
  const auto explanations = explain(response, factors);
  ASSERT_THAT(explanations, SizeIs(1));
  ASSERT_TRUE(explanations[0].first_order_worst);
  EXPECT_GT((*explanations[0].first_order_worst)[0], 0.9);
  EXPECT_NEAR((*explanations[0].rank_worst)[0], std::sqrt(0.75), 0.01) << "Spearman of a median split";
  EXPECT_LT((*explanations[0].rank_worst)[1], (*explanations[0].rank_worst)[0]);
}

// In a Sobol sequence sample i has its place in a variable's range from the last bits of i: the jackknife's groups must
// not follow from them. y = a + b, each half of the variance; with 2,000 independent samples the half-width is .03.
TEST(Sensitivity, OfSobolSamplesHasIntervalsOfIndependentOnes) {
  const auto radical_inverse = [](int i) {
    double x = 0;
    for (double half = 0.5; i > 0; i /= 2, half /= 2) x += half * (i % 2);
    return x;
  };
  std::vector<Factor> factors = {{"a", "", {}}, {"b", "", even_numbers(2000, std::sqrt(3.0))}};
  std::vector<double> y;
  for (int i = 0; i < 2000; ++i) {
    factors[0].values.push_back(radical_inverse(i));
    y.push_back(factors[0].values.back() + factors[1].values[static_cast<std::size_t>(i)]);
  }
  for (const Explanation& explanation : explain(response_of(y, false), factors)) {
    const auto [lower, upper] = explanation.first_order.interval;
    EXPECT_GT(upper - lower, 0.02) << explanation.factor->name;
    EXPECT_LT(upper - lower, 0.12) << explanation.factor->name;
    EXPECT_LT(lower, 0.5);
    EXPECT_GT(upper, 0.5);
  }
}

// Without the group of the only sample that differs nothing varies. What is left of the sums is rounding errors, which
// another unit of y would change.
TEST(Sensitivity, OfASingleHitDoesNotDependOnTheUnit) {
  for (int n = 50; n < 400; n += 21) {
    const std::vector<Factor> factors = {{"a", "", even_numbers(n, std::sqrt(2.0))}};
    const auto interval_of = [&](double hit) {
      std::vector<double> y(static_cast<std::size_t>(n), 0);
      y[7] = hit;
      return explain(response_of(y, false), factors).at(0).first_order.interval;
    };
    const Interval one = interval_of(1), other = interval_of(0.3);
    EXPECT_NEAR(one.lower, other.lower, 1e-9) << n;
    EXPECT_NEAR(one.upper, other.upper, 1e-9) << n;
  }
}

TEST(Sensitivity, IsEmptyWhereNothingVaries) {
  const std::vector<Factor> factors = {{"a", "", even_numbers(100, std::sqrt(2.0))}};
  EXPECT_THAT(explain(response_of(std::vector<double>(100, 1), true), factors), SizeIs(0));
}

// The quaternion that a report shows is that with which the body starts.
TEST(RandomRotation, IsReportedAsTheQuaternionOfTheStart) {
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  const auto& variables = ensemble.scenario().variables;
  std::vector<Factor> factors;
  for (const Variable& variable : variables) factors.push_back({variable.name, "", {}});
  constexpr int count = 50;
  for (int sample = 0; sample < count; ++sample) {
    const std::vector<double> drawn = ensemble.draw(sample);
    for (std::size_t k = 0; k < drawn.size(); ++k) factors[k].values.push_back(drawn[k]);
  }
  Samples samples;
  samples.factors = with_angles(factors);
  EXPECT_EQ(samples.factors.size(), variables.size() - 3 + 8);
  Simulation simulation(ensemble, count);
  simulation.step(0);
  const char* names[] = {"qw", "qx", "qy", "qz"};
  int compared = 0;
  for (int sample = 0; sample < count; ++sample) {
    if (simulation.status(sample) != Status::ok) continue;
    const double* const started = simulation.state(sample).orientation + 4;  // body 1: ball
    for (int k = 0; k < 4; ++k) {
      const Factor& factor = find_factor(samples, std::string("bodies.ball.rotation.") + names[k]);
      EXPECT_NEAR(factor.values[static_cast<std::size_t>(sample)], started[0] < 0 ? -started[k] : started[k], 1e-14);
    }
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

// A turn of 1 rad about z alone: yaw 1, angle 1. (a, b) = (0, 1), so u0 = 1 and 2 pi u2 is half the angle.
TEST(RandomRotation, HasTheAnglesOfItsTurn) {
  const double half_turn = 0.5 / (2 * std::numbers::pi);
  const auto factors = with_angles({{"bodies.a.rotation[0]", "", {1}},
                                    {"bodies.a.rotation[1]", "", {0.3}},
                                    {"bodies.a.rotation[2]", "", {half_turn}}});
  ASSERT_EQ(factors.size(), 8u);
  EXPECT_EQ(factors[2].name, "bodies.a.rotation.yaw");
  EXPECT_NEAR(factors[0].values[0], 0, 1e-15);
  EXPECT_NEAR(factors[1].values[0], 0, 1e-15);
  EXPECT_NEAR(factors[2].values[0], 1, 1e-14);
  EXPECT_NEAR(factors[3].values[0], 1, 1e-14);
}

/// A sweep of made-up samples.
class FakeReports : public testing::Test {
 protected:
  void make(std::int64_t n) {
    test::FakeProducer producer(description_);
    SweepOptions options;
    options.folder = folder_ / "out";
    options.n = n;
    statistics_ = run_sweep(description_, producer, options).statistics;
    ranges_ = shard_ranges(description_, n);
  }

  const test::ScratchFolder folder_;
  const DatasetDescription description_ = test::fake_description();
  RunStatistics statistics_;
  std::vector<ShardRange> ranges_;
};

TEST_F(FakeReports, ByAVariableCountEverySampleOnce) {
  make(2000);
  const Samples samples = read_samples(folder_ / "out", description_, ranges_);
  ASSERT_FALSE(samples.factors.empty());
  const auto json = by_json(samples, {{samples.factors[0].name}, 4});
  for (const auto& [name, cells] : json["outcomes"].items()) {
    std::int64_t all = 0;
    for (const auto& cell : cells) all += cell["valid"].get<std::int64_t>() + cell["invalid"].get<std::int64_t>();
    EXPECT_EQ(all, 2000) << name;
  }
  EXPECT_TRUE(json["outcomes"].contains("invalid")) << "every 100th sample is";
  EXPECT_THAT(by_text(samples, {{samples.factors[0].name}, 4}), HasSubstr("lies (rate) by " + samples.factors[0].name));
}

TEST_F(FakeReports, LookAtTheFirstSamplesAndSaySo) {
  make(20000);
  const Samples samples = read_samples(folder_ / "out", description_, ranges_, 17000);
  EXPECT_EQ(samples.count(), 17000);
  EXPECT_EQ(part_text(samples), "From the first 17,000 of 20,000 samples.\n");
}

TEST_F(FakeReports, RefuseUnknownNamesWithASuggestion) {
  make(100);
  const Samples samples = read_samples(folder_ / "out", description_, ranges_);
  EXPECT_THROW(by_text(samples, {{"nothing"}, 0}), UsageError);
  for (const char* text : {"", "a,", "a,b,c", "a,a"}) EXPECT_THROW(parse_by(text, 0), UsageError) << text;
  EXPECT_THAT(parse_by("a,b", 3).factors, ElementsAre("a", "b"));
}

/// The data of a page, and nothing that a browser would load from elsewhere.
nlohmann::json data_of(const std::string& page) {
  const std::string open = "<script id=\"data\" type=\"application/json\">";
  const std::size_t begin = page.find(open) + open.size();
  std::string rest = page;
  for (const std::string names_a_format = "http://www.w3.org/2000/svg"; rest.find(names_a_format) != std::string::npos;)
    rest.erase(rest.find(names_a_format), names_a_format.size());
  EXPECT_THAT(rest, Not(HasSubstr("http")));
  EXPECT_THAT(rest, Not(HasSubstr("src=")));
  EXPECT_THAT(rest, Not(HasSubstr("@import")));
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST_F(FakeReports, PageHoldsTheStatisticsAndIsTheSameForAMovedFolder) {
  make(2000);
  const std::string page = report_page(folder_ / "out", description_, ranges_, statistics_);
  const nlohmann::json data = data_of(page);
  EXPECT_EQ(data["samples"], 2000);
  EXPECT_EQ(data["outcomes"][0]["name"], "lies");
  EXPECT_EQ(data["outcomes"][0]["interval"][0].get<double>(), statistics_.outcomes[0].interval->lower);
  EXPECT_EQ(data["outcomes"].back()["name"], "invalid");
  EXPECT_EQ(data["statuses"][1]["first_sample"], 50);
  EXPECT_EQ(data["statuses"][0]["reason"], "");
  EXPECT_NE(data["statuses"][1]["reason"], "") << "the meaning of its status, where nothing else is known";
  std::filesystem::create_directory(folder_ / "else");
  std::filesystem::rename(folder_ / "out", folder_ / "else/out");
  EXPECT_EQ(report_page(folder_ / "else/out/", description_, ranges_, statistics_), page);
}

TEST_F(FakeReports, PageEndsNoElementInAText) {
  DatasetDescription description = description_;
  description.title = "</script><b>";
  make(100);
  const std::string page = report_page(folder_ / "out", description, ranges_, statistics_);
  EXPECT_EQ(data_of(page)["title"], "</script><b>");
}

TEST_F(FakeReports, PageOfManySamplesStaysSmall) {
  make(20000);
  EXPECT_LT(report_page(folder_ / "out", description_, ranges_, statistics_).size(), 200'000u);
}

}  // namespace
}  // namespace jostle

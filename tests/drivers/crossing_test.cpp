// The value of a parameter at which a rate has a given value.
#include "drivers/reports/crossing.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "drivers/errors.hpp"

namespace jostle {
namespace {

double logit(double p) { return std::log(p / (1 - p)); }

/// `hits[k]` of `count` samples hit where the factor is k.
Samples grouped(const std::vector<int>& hits, int count) {
  Samples samples;
  Factor factor{"ratio", "", {}, true};
  Response response{"edge", true, {}, {}};
  for (std::size_t k = 0; k < hits.size(); ++k) {
    for (int i = 0; i < count; ++i) {
      factor.values.push_back(static_cast<double>(k));
      response.values.push_back(i < hits[k] ? 1 : 0);
    }
  }
  response.valid.assign(response.values.size(), 1);
  samples.status.assign(response.values.size(), 0);
  samples.total = static_cast<std::int64_t>(response.values.size());
  samples.factors = {factor};
  samples.responses = {response, {"x", false, response.values, response.valid}};
  return samples;
}

// Two groups determine a and b: a = logit(0.2), a + b = logit(0.7), with variances 1/(n p q).
TEST(Crossing, OfTwoGroupsHasAClosedForm) {
  const Samples samples = grouped({20, 70}, 100);
  const Crossing found = find_crossing(samples.factors[0], samples.responses[0], 0.5);
  const double a = logit(0.2), b = logit(0.7) - a, x = -a / b;
  ASSERT_TRUE(found.value && found.interval && found.isotonic);
  EXPECT_NEAR(*found.value, x, 1e-9);
  EXPECT_NEAR(*found.isotonic, (0.5 - 0.2) / (0.7 - 0.2), 1e-12);
  EXPECT_EQ(found.valid, 200);
  const double aa = 1 / (100 * 0.2 * 0.8), bb = aa + 1 / (100 * 0.7 * 0.3), ab = -aa;
  for (const double end : {found.interval->lower, found.interval->upper})
    EXPECT_NEAR(std::pow((a + b * end) / z95, 2), aa + 2 * end * ab + end * end * bb, 1e-8) << end;
  EXPECT_LT(found.interval->lower, x);
  EXPECT_GT(found.interval->upper, x);
}

TEST(Crossing, OfARateThatFalls) {
  const Samples samples = grouped({90, 60, 70, 20}, 200);  // 60 and 70 are pooled: 65 at 1.5
  const Crossing found = find_crossing(samples.factors[0], samples.responses[0], 0.2);
  ASSERT_TRUE(found.isotonic);
  EXPECT_NEAR(*found.isotonic, 1.5 + (0.325 - 0.2) / (0.325 - 0.1) * 1.5, 1e-12);
}

TEST(Crossing, OfSamplesThatOneValueDivides) {
  const Crossing found = find_crossing(grouped({0, 0, 5}, 5).factors[0], grouped({0, 0, 5}, 5).responses[0], 0.3);
  EXPECT_TRUE(found.is_separated);
  EXPECT_EQ(found.interval->lower, 1);
  EXPECT_EQ(found.interval->upper, 2);
}

TEST(Crossing, IsALine) {
  const Samples samples = grouped({20, 70}, 100);
  EXPECT_THAT(
      crossing_text(samples, "ratio", parse_where_rate("edge=1/2")),
      testing::MatchesRegex("edge has the rate 1/2 at ratio = 0.62[0-9]* \\[0.4[0-9]*, 0.7[0-9]*\\] by logistic "
                            "regression, 200 valid samples; at 0.6 by isotonic regression\n"));
  EXPECT_EQ(crossing_text(grouped({0, 0}, 10), "ratio", parse_where_rate("edge=0.5")),
            "edge has the rate 0.5 at no value of ratio that the 20 valid samples show\n");
  EXPECT_EQ(crossing_json(samples, "ratio", parse_where_rate("edge=0.5")).at("method"), "logistic");
}

TEST(Crossing, RefusesWhatIsNoRate) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      crossing_text(grouped({20, 70}, 100), "ratio", parse_where_rate(text));
    } catch (const UsageError& refused) {
      return refused.what();
    }
    return "";
  };
  const auto wanted = [](const std::string& text) {
    return "--where-rate wants an outcome and a rate between 0 and 1, as in edge=1/3, not '" + text + "'";
  };
  for (const char* const text : {"edge", "edge=", "edge=2", "edge=0", "edge=x", "=1/3", "edge=1<2"})
    EXPECT_EQ(error(text), wanted(text));
  EXPECT_EQ(error("x=1/3"), "--where-rate: x is a number, it has no rate");
  EXPECT_EQ(error("edgy=1/3"), "--where-rate: there is no outcome 'edgy' with a rate (did you mean 'edge'?)");
}

// At x = 0 none of the samples, at 1 half, at 2 all: the likelihood of logistic regression has no maximum. And a rate
// that hardly changes is reached far from all samples.
TEST(Crossing, SaysWhatLogisticRegressionCannot) {
  EXPECT_EQ(crossing_text(grouped({0, 5, 10}, 10), "ratio", parse_where_rate("edge=0.25")).find("at no value"),
            std::string::npos);
  const Samples ties = grouped({0, 5, 10}, 10);
  const Crossing found = find_crossing(ties.factors[0], ties.responses[0], 0.25);
  EXPECT_FALSE(found.value);
  ASSERT_TRUE(found.isotonic);
  EXPECT_NEAR(*found.isotonic, std::midpoint(ties.factors[0].values[0], ties.factors[0].values[10]), 1e-12);
  EXPECT_THAT(crossing_text(ties, "ratio", parse_where_rate("edge=0.25")),
              testing::HasSubstr("by isotonic regression; logistic regression has no answer, 30 valid samples"));
  EXPECT_THAT(crossing_text(grouped({40, 41, 42}, 100), "ratio", parse_where_rate("edge=0.9")),
              testing::HasSubstr(", which no sample reaches,"));
}

}  // namespace
}  // namespace jostle

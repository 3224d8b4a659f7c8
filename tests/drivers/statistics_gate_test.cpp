// --fail-if and --max-invalid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "drivers/errors.hpp"
#include "drivers/statistics/gates.hpp"
#include "tests/support/fake_producer.hpp"

namespace jostle {
namespace {

/// lies: rate 0.75 of 1000, rest_x: mean 2, hit: nothing valid.
RunStatistics known_statistics() {
  const auto outcomes = test::fake_description().outcomes;
  RunStatistics statistics;
  for (const OutcomeInfo& outcome : outcomes) {
    statistics.outcomes.emplace_back();
    statistics.outcomes.back().name = outcome.name;
  }
  statistics.outcomes[0].estimate = 0.75;
  statistics.outcomes[0].interval = wilson_interval(750, 1000);
  statistics.outcomes[1].estimate = 2;
  return statistics;
}

bool holds(const std::string& text) {
  return FailCondition(text, test::fake_description().outcomes).holds(known_statistics());
}

std::string error_of(const std::string& text) {
  try {
    holds(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(FailIf, ComparesRatesMeansAndBounds) {
  EXPECT_TRUE(holds("lies < 0.99"));
  EXPECT_FALSE(holds("lies<0.75"));
  EXPECT_TRUE(holds("lies <= 0.75"));
  EXPECT_TRUE(holds("lies.lower < 0.75"));
  EXPECT_FALSE(holds("lies.upper <= 0.75"));
  EXPECT_TRUE(holds("0.7 < lies"));
  EXPECT_TRUE(holds("rest_x == 2"));
  EXPECT_FALSE(holds("rest_x != 2"));
  EXPECT_TRUE(holds("rest_x >= -1e-3"));
  EXPECT_TRUE(holds(" rest_x > lies "));
  EXPECT_TRUE(holds("rest_x>1.and.5<lies or lies<1e-3"));
}

TEST(FailIf, BindsAndTighterThanOr) {
  EXPECT_TRUE(holds("rest_x > 1 or lies > 1 and lies > 2"));
  EXPECT_FALSE(holds("rest_x > 3 and lies < 1 or lies > 2"));
}

TEST(FailIf, HoldsWhereNothingIsKnown) {
  EXPECT_TRUE(holds("hit < 0.1"));
  EXPECT_TRUE(holds("hit > 0.1"));
  EXPECT_TRUE(holds("rest_x.lower > 100")) << "one sample has no interval";
}

TEST(FailIf, NamesWhatIsWrongAndWhere) {
  using testing::HasSubstr;
  EXPECT_THAT(error_of("lie < 1"), HasSubstr("column 1: no outcome 'lie' (did you mean 'lies'?)"));
  EXPECT_THAT(error_of("mass < 1"), HasSubstr("column 1: no outcome 'mass' (known: lies, rest_x, hit)"));
  EXPECT_THAT(error_of("lies.middle < 1"), HasSubstr("column 1: an outcome has .lower and .upper only"));
  EXPECT_THAT(error_of("lies.lower.x < 1"), HasSubstr("column 1: an outcome has .lower and .upper only"));
  EXPECT_THAT(error_of("lies = 1"), HasSubstr("column 6: unexpected '=' (write '==')"));
  EXPECT_THAT(error_of("lies"), HasSubstr("column 5: expected a comparison"));
  EXPECT_THAT(error_of("lies <"), HasSubstr("column 7: the expression ends where a number or a name is missing"));
  EXPECT_THAT(error_of("lies < 1 2"), HasSubstr("column 10: an operator is missing before '2'"));
  EXPECT_THAT(error_of("lies < 1 and"), HasSubstr("the expression ends where a number or a name is missing"));
  EXPECT_THAT(error_of("0 < lies < 1"), HasSubstr("column 10: comparisons cannot be chained"));
  EXPECT_THAT(error_of(""), HasSubstr("column 1: the expression is empty"));
  EXPECT_THAT(error_of("lies < nan"), HasSubstr("no outcome 'nan'"));
  EXPECT_THAT(error_of("lies < $mu"), HasSubstr("column 8: unknown variable '$mu'"));
  EXPECT_THAT(error_of("gap(a, b) < 1"), HasSubstr("about outcomes"));
}

TEST(FailIf, KnowsTheWholeLanguageOfExpressions) {
  EXPECT_TRUE(holds("not (lies > 0.8) and (rest_x > 3 or abs(rest_x - 2.5) < 1)"));
  EXPECT_TRUE(holds("lies.upper - lies.lower < 0.1"));
  EXPECT_FALSE(holds("max(lies, 0.8) > 0.8"));
}

TEST(FailIf, MayHoldWhereWhatIsUndefinedDecides) {
  EXPECT_TRUE(holds("not hit < 0.1"));
  EXPECT_TRUE(holds("not (not hit < 0.1)"));
  EXPECT_TRUE(holds("hit + 1 < 0"));
  EXPECT_TRUE(holds("not (hit < 0.1 and lies < 0.8)"));
  EXPECT_FALSE(holds("hit < 0.1 and lies > 0.8"));
  EXPECT_FALSE(holds("not (hit < 0.1 or lies < 0.8)"));
  EXPECT_TRUE(holds("if(hit > 0.1, 1, 0) > 0.5")) << "a number that a condition chooses";
  EXPECT_TRUE(holds("if(lies < 0.8, hit, 0) > 0.5"));
  EXPECT_FALSE(holds("if(lies > 0.8, hit, 0) > 0.5")) << "what is not chosen does not matter";
  EXPECT_TRUE(holds("if(hit > 0.1, lies > 0.8, lies < 0.8)"));
  EXPECT_TRUE(holds("max(hit, 0) > 0.5"));
}

TEST(FailIf, LetsAnOutcomeHaveTheNameOfAWord) {
  std::vector<OutcomeInfo> outcomes;
  RunStatistics statistics;
  for (const char* name : {"and", "or", "not", "pi", "t", "sin", "inf"}) {
    outcomes.push_back({name, OutcomeInfo::Kind::number, "at_end", "", ""});
    statistics.outcomes.emplace_back().estimate = static_cast<double>(outcomes.size());
  }
  const auto holds = [&](const std::string& text) { return FailCondition(text, outcomes).holds(statistics); };
  EXPECT_TRUE(holds("and == 1 and or == 2 and not == 3 and pi == 4 and t == 5 and sin == 6 and inf == 7"));
  EXPECT_TRUE(holds("and > 1 or or == 2"));
  EXPECT_FALSE(holds("pi < 4 or not < 3"));
  EXPECT_TRUE(holds("sin.lower < 1"));
}

TEST(MaxInvalid, IsANumberOfSamplesOrAPercentage) {
  EXPECT_FALSE(exceeds(parse_max_invalid("0"), 0, 100));
  EXPECT_TRUE(exceeds(parse_max_invalid("0"), 1, 100));
  EXPECT_FALSE(exceeds(parse_max_invalid("3"), 3, 100));
  EXPECT_TRUE(exceeds(parse_max_invalid("3"), 4, 100));
  EXPECT_FALSE(exceeds(parse_max_invalid("0.5%"), 5, 1000));
  EXPECT_TRUE(exceeds(parse_max_invalid("0.5%"), 6, 1000));
  EXPECT_FALSE(exceeds(parse_max_invalid("100%"), 1000, 1000));
}

TEST(MaxInvalid, RefusesAnythingElse) {
  for (const char* text : {"", "%", "-1", "1.5", "101%", "3 %", "inf", "nan", "x", "5%%", "-0.1%"})
    EXPECT_THROW(parse_max_invalid(text), UsageError) << text;
}

// 0.29 * 100 is below 29 in doubles.
TEST(MaxInvalid, AllowsItsPercentageExactly) {
  for (int percent = 0; percent <= 100; ++percent) {
    const MaxInvalid limit = parse_max_invalid(std::to_string(percent) + "%");
    for (const std::int64_t hundreds : {1, 3, 7, 100'000'000}) {
      EXPECT_FALSE(exceeds(limit, percent * hundreds, 100 * hundreds)) << percent << " % of " << 100 * hundreds;
      EXPECT_TRUE(exceeds(limit, percent * hundreds + 1, 100 * hundreds)) << percent << " % of " << 100 * hundreds;
    }
  }
  for (const char* const text : {"0.1%", "0.29%", "0.57%", "1.1%", "2.3%"}) {
    const MaxInvalid limit = parse_max_invalid(text);
    const std::int64_t allowed = std::llround(limit.amount * 100);
    EXPECT_FALSE(exceeds(limit, allowed, 10'000)) << text;
    EXPECT_TRUE(exceeds(limit, allowed + 1, 10'000)) << text;
  }
}

}  // namespace
}  // namespace jostle

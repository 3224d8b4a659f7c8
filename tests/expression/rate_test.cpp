// The rate of an expression in time, against differences and against what it must be at kinks.
#include "core/expression/rate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/expression/parse.hpp"

namespace jostle {
namespace {

constexpr double variables[] = {0.5, 4};

ValueAndRate rate_at(const std::string& text, double time) {
  const Expression expression = parse_expression(text, test::force_symbols());
  double operands[2 * max_stack_depth];
  return evaluate_with_rate({expression.code.data(), static_cast<int>(expression.code.size())}, variables, time,
                            static_cast<double*>(operands));
}

double value_at(const std::string& text, double time) {
  const Expression expression = parse_expression(text, test::force_symbols());
  return evaluate({expression.code.data(), static_cast<int>(expression.code.size())}, variables, time,
                  [](int) { return 0.0; });
}

class Rate : public testing::TestWithParam<const char*> {};

TEST_P(Rate, IsTheDerivativeInTime) {
  for (const double time : {0.3, 0.9, 1.7}) {
    const ValueAndRate found = rate_at(GetParam(), time);
    EXPECT_EQ(found.value, value_at(GetParam(), time)) << "bit for bit";
    const double s = 1e-3;
    const auto at = [&](double points) { return value_at(GetParam(), time + points * s); };
    const double difference = (45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * s);
    EXPECT_NEAR(found.rate, difference, 1e-10 * (1 + std::fabs(difference))) << "t = " << time;
  }
}

INSTANTIATE_TEST_SUITE_P(Expressions, Rate,
                         testing::Values("2", "$mu", "t", "-t", "t + 3*t", "1 - t", "t*t*$omega0", "sin(3*t)/(1 + t)",
                                         "cos(t)^2", "t^3", "2^t", "(1 + t)^(t/2)", "(-2)^3*t", "sqrt(1 + t)",
                                         "exp(-t)*log(1 + t)", "tan(t/3)", "abs(t - 1)", "min(t, 1)", "max(0, t - 1)",
                                         "atan2(t, 2 - t)", "$mu*cos($omega0*t + 0.3)"));

TEST(Rate, OfWhatDoesNotChangeIsZero) {
  for (const char* text : {"sqrt(0)", "0^0.5", "log(2)*$mu", "abs(0)", "atan2(0, 0)", "1/(2 - $mu)"})
    EXPECT_EQ(rate_at(text, 2).rate, 0) << text;
}

// A kink has the rate of what follows.
TEST(Rate, AtAKinkIsThatOfWhatFollows) {
  EXPECT_EQ(rate_at("abs(t - 2)", 2).rate, 1);
  EXPECT_EQ(rate_at("abs(4 - 2*t)", 2).rate, 2);
  EXPECT_EQ(rate_at("max(0, t - 2)", 2).rate, 1);
  EXPECT_EQ(rate_at("max(3*(t - 2), t - 2)", 2).rate, 3);
  EXPECT_EQ(rate_at("min(2, t)", 2).rate, 0);
  EXPECT_EQ(rate_at("min(3*(t - 2), t - 2)", 2).rate, 1);
}

TEST(Rate, OfPowersIsDefinedWhereTheirValueIs) {
  EXPECT_EQ(rate_at("(t - 2)^2", 2).rate, 0);
  EXPECT_EQ(rate_at("(t - 2)^1", 2).rate, 1);
  EXPECT_EQ(rate_at("(t - 2)^0", 2).rate, 0);
  EXPECT_EQ(rate_at("(t - 3)^2", 2).rate, -2);
}

TEST(Rate, ThatIsInfiniteIsNotHidden) {
  EXPECT_EQ(rate_at("sqrt(t - 2)", 2).rate, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(rate_at("sqrt(t - 3)", 2).rate));
}

}  // namespace
}  // namespace jostle

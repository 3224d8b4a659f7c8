// What expressions mean.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/expression/parse.hpp"

namespace jostle {
namespace {

using test::error_of;
using test::force_symbols;
using test::outcome_symbols;
using test::value_of;

TEST(Expression, ReadsNumbersAsInC) {
  EXPECT_EQ(value_of("12"), 12);
  EXPECT_EQ(value_of("1e-3"), 1e-3);
  EXPECT_EQ(value_of(".5"), 0.5);
  EXPECT_EQ(value_of("5."), 5);
  EXPECT_EQ(value_of("1.25E+2"), 125);
  EXPECT_EQ(value_of("0.1"), 0.1);
  EXPECT_EQ(value_of("4.9e-324"), 4.9e-324);
  EXPECT_EQ(value_of("1.7976931348623157e308"), std::numeric_limits<double>::max());
}

TEST(Expression, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("10 - 4 - 3"), 3);
  EXPECT_EQ(value_of("24 / 4 / 3"), 2);
  EXPECT_EQ(value_of("2 * 3 ^ 2"), 18);
  EXPECT_EQ(value_of("-3 + 5"), 2);
  EXPECT_EQ(value_of("2 - -3"), 5);
  EXPECT_EQ(value_of("+2"), 2);
  EXPECT_EQ(value_of("\t1\n+ 1 "), 2);
}

TEST(Expression, RaisesPowersFromTheRightAndBeforeTheSign) {
  EXPECT_EQ(value_of("-2^2"), -4);
  EXPECT_EQ(value_of("(-2)^2"), 4);
  EXPECT_EQ(value_of("2^3^2"), 512);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("-2^-2"), -0.25);
  EXPECT_EQ(value_of("sqrt(16)^2"), 16);
}

TEST(Expression, CallsFunctions) {
  EXPECT_DOUBLE_EQ(value_of("sin(0.3)"), std::sin(0.3));
  EXPECT_DOUBLE_EQ(value_of("cos(0.3)"), std::cos(0.3));
  EXPECT_DOUBLE_EQ(value_of("tan(0.3)"), std::tan(0.3));
  EXPECT_EQ(value_of("sqrt(2)"), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(value_of("exp(0.3)"), std::exp(0.3));
  EXPECT_DOUBLE_EQ(value_of("log(0.3)"), std::log(0.3));
  EXPECT_EQ(value_of("abs(-3)"), 3);
  EXPECT_EQ(value_of("min(2, 3)"), 2);
  EXPECT_EQ(value_of("max(2, 3)"), 3);
  EXPECT_DOUBLE_EQ(value_of("atan2(1, -2)"), std::atan2(1, -2));
  EXPECT_DOUBLE_EQ(value_of("2 * pi"), 2 * M_PI);
}

TEST(Expression, ComparesAndCombinesTruthValues) {
  EXPECT_EQ(value_of("1 < 2"), 1);
  EXPECT_EQ(value_of("2 <= 2"), 1);
  EXPECT_EQ(value_of("1 > 2"), 0);
  EXPECT_EQ(value_of("2 >= 3"), 0);
  EXPECT_EQ(value_of("2 == 2"), 1);
  EXPECT_EQ(value_of("2 != 2"), 0);
  EXPECT_EQ(value_of("1 < 2 and 2 < 1"), 0);
  EXPECT_EQ(value_of("1 < 2 or 2 < 1"), 1);
  EXPECT_EQ(value_of("not 1 < 2"), 0);
  EXPECT_EQ(value_of("not not (1 < 2)"), 1);
  EXPECT_EQ(value_of("2 < 1 and 2 < 1 or 1 < 2"), 1) << "and binds tighter than or";
  EXPECT_EQ(value_of("not 2 < 1 and 2 < 1"), 0) << "not binds tighter than and";
  EXPECT_EQ(value_of("1 < 2 and.5 < 2"), 1);
}

TEST(Expression, KnowsTheKindOfItsValue) {
  EXPECT_EQ(parse_expression("1 + 2", outcome_symbols()).kind, ValueKind::number);
  EXPECT_EQ(parse_expression("(1 < 2)", outcome_symbols()).kind, ValueKind::truth);
  EXPECT_EQ(parse_expression("not 1 < 2", outcome_symbols()).kind, ValueKind::truth);
}

TEST(Expression, ReadsVariablesTimeAndQuantities) {
  EXPECT_EQ(value_of("$mu + $omega0"), 4.5);
  EXPECT_EQ(value_of("3 * t", force_symbols()), 6);
  EXPECT_EQ(value_of("energy"), 10);
  EXPECT_EQ(value_of("rod.position.x < 11.5"), 1);
  EXPECT_EQ(value_of("gap(rod, table)"), 12);
  EXPECT_EQ(value_of("time"), 13);
  EXPECT_EQ(value_of("rod . position . x"), 11);
}

TEST(Expression, ChoosesByACondition) {
  EXPECT_EQ(value_of("if($mu < 1, 3, 4)"), 3);
  EXPECT_EQ(value_of("if($mu > 1, 3, 4)"), 4);
  EXPECT_EQ(value_of("if($mu > 1, sqrt(-1), 4)"), 4);
  EXPECT_EQ(value_of("if($mu < 1, 3, 1/0)"), 3);
  EXPECT_EQ(value_of("2*if(if($mu < 1, time > 14, time > 0), 3, if(time > 0, 5, 6)) + 1"), 11);
  EXPECT_EQ(parse_expression("if($mu < 1, time > 0, time > 20)", outcome_symbols()).kind, ValueKind::truth);
  EXPECT_EQ(value_of("if($mu > 1, time > 0, time > 20)"), 0);
  EXPECT_EQ(error_of("if($mu, 1, 2)"), "3: 'if' needs a truth value such as 'x < 1', but this is a number");
  EXPECT_EQ(error_of("if($mu < 1, 1)"), "0: 'if' takes a condition and two values: if(x < 1, a, b)");
  EXPECT_EQ(error_of("if($mu < 1, 1, 2, 3)"), "0: 'if' takes a condition and two values: if(x < 1, a, b)");
  EXPECT_EQ(error_of("if($mu < 1, 1, 2 < 3)"), "15: the two values of 'if' must both be numbers, or both truth values");
}

TEST(Expression, HasFunctionsOfDegrees) {
  EXPECT_NEAR(value_of("sind(30)"), 0.5, 1e-15);
  EXPECT_NEAR(value_of("cosd(60)"), 0.5, 1e-15);
  EXPECT_NEAR(value_of("tand(45)"), 1, 1e-15);
  EXPECT_EQ(value_of("cosd(0)"), 1);
}

TEST(Expression, HasTheStepWhereThereIsOne) {
  Symbols symbols = outcome_symbols();
  EXPECT_EQ(error_of("2*step", symbols), "2: unknown quantity 'step'");
  symbols.step = 0.01;
  EXPECT_EQ(value_of("2*step", symbols), 0.02);
}

TEST(Expression, DividesAQuantityByAConstant) {
  Symbols symbols = outcome_symbols();
  symbols.quantity = [](const QuantityName&) { return QuantityUse(2, -0.5); };
  EXPECT_EQ(value_of("energy", symbols), -24);
}

TEST(Expression, LetsBodiesHaveTheNamesOfWords) {
  Symbols symbols = outcome_symbols();
  symbols.quantity = [](const QuantityName& name) { return static_cast<int>(name.parts.size()); };
  for (const char* body : {"and", "or", "not", "sin", "pi", "t", "gap", "energy"}) {
    const std::string name = body;
    EXPECT_EQ(value_of(name + ".angle > 0 and " + name + ".angle > 0", symbols), 1) << name;
    EXPECT_EQ(value_of("gap(" + name + ", " + name + ")", symbols), 13) << name;
  }
}

TEST(Expression, PrefersAQuantityToAVariableOfItsName) {
  Symbols symbols = outcome_symbols();
  symbols.variable = [](std::string_view name) { return name == "energy" ? 1 : -1; };
  EXPECT_EQ(value_of("energy", symbols), 10);
  EXPECT_EQ(value_of("$energy", symbols), 4);
}

TEST(Expression, ComparesNothingWithNan) {
  for (const char* comparison : {"<", "<=", ">", ">=", "==", "!="}) {
    EXPECT_EQ(value_of("log(-1) " + std::string(comparison) + " 1"), 0) << comparison;
    EXPECT_EQ(value_of("1 " + std::string(comparison) + " log(-1)"), 0) << comparison;
  }
}

TEST(Expression, MakesTheOneNan) {
  for (const char* text :
       {"0/0", "-(0/0)", "sqrt(-1)", "-sqrt(-1)", "log(-1)", "(-1)^0.5", "min(0/0, 1)", "min(1, 0/0)", "max(0/0, 1)",
        "max(1, 0/0)", "abs(0/0)", "sin(1/0)", "1/0 - 1/0", "atan2(0/0, 1)"}) {
    EXPECT_EQ(bits_of(value_of(text)), canonical_nan_bits) << text;
  }
}

TEST(Expression, DividesByZeroAsIeeeDoes) {
  EXPECT_EQ(value_of("1/0"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(value_of("-1/0"), -std::numeric_limits<double>::infinity());
}

TEST(Expression, FillsTheWholeStack) {
  // 1 + (1 + (1 + ... (1 + 1))) keeps every left side on the stack.
  const auto sum_of = [](int terms) {
    std::string text;
    for (int i = 1; i < terms; ++i) text += "1 + (";
    return text + "1" + std::string(static_cast<std::size_t>(terms - 1), ')');
  };
  EXPECT_EQ(value_of(sum_of(max_stack_depth)), max_stack_depth);
  EXPECT_EQ(test::error_of(sum_of(max_stack_depth + 1)),
            "160: too many intermediate values, more than 32 (write the deeper part of each operation first)");
}

TEST(Expression, HasNoLimitOfTermsBelowItsLength) {
  std::string text = "0";
  for (int i = 0; i < 4999; ++i) text += "+1";
  EXPECT_EQ(value_of(text), 4999);
}

}  // namespace
}  // namespace jostle

// What a user reads when an expression is wrong, and where the editor's cursor lands.
#include <gtest/gtest.h>

#include "tests/expression/parse.hpp"

namespace jostle {
namespace {

using test::error_of;
using test::force_symbols;

TEST(ExpressionError, RefusesTruthValuesAmongNumbers) {
  EXPECT_EQ(error_of("1 + (2 < 3)"), "4: '+' needs a number, but this is a truth value");
  EXPECT_EQ(error_of("(2 < 3) * 2"), "0: '*' needs a number, but this is a truth value");
  EXPECT_EQ(error_of("-(1 < 2)"), "1: '-' needs a number, but this is a truth value");
  EXPECT_EQ(error_of("sin(1 < 2)"), "4: 'sin' needs a number, but this is a truth value");
  EXPECT_EQ(error_of("min(1, 1 < 2)"), "7: 'min' needs a number, but this is a truth value");
  EXPECT_EQ(error_of("(1 < 2) == (2 < 3)"), "0: '==' needs a number, but this is a truth value");
  EXPECT_EQ(error_of("2 ^ (1 < 2)"), "4: '^' needs a number, but this is a truth value");
}

TEST(ExpressionError, RefusesNumbersAmongTruthValues) {
  EXPECT_EQ(error_of("not 3"), "4: 'not' needs a truth value such as 'x < 1', but this is a number");
  EXPECT_EQ(error_of("1 and 2 < 3"), "0: 'and' needs a truth value such as 'x < 1', but this is a number");
  EXPECT_EQ(error_of("1 < 2 or $mu"), "9: 'or' needs a truth value such as 'x < 1', but this is a number");
}

TEST(ExpressionError, RefusesChainedComparisons) {
  EXPECT_EQ(error_of("1 < $mu < 3"), "8: comparisons cannot be chained (write 'a < b and b < c')");
  EXPECT_EQ(error_of("1 == 2 != 3"), "7: comparisons cannot be chained (write 'a < b and b < c')");
}

TEST(ExpressionError, SuggestsNames) {
  EXPECT_EQ(error_of("$omega"), "0: unknown variable '$omega' (did you mean '$omega0'?)");
  EXPECT_EQ(error_of("1 + $zz"), "4: unknown variable '$zz'");
  EXPECT_EQ(error_of("sine(1)"), "0: unknown function 'sine' (did you mean 'sin'?)");
  EXPECT_EQ(error_of("integral(1)"), "0: unknown function 'integral'");
  EXPECT_EQ(error_of("mu * 2", force_symbols()), "0: unknown name 'mu' (did you mean '$mu'?)");
  EXPECT_EQ(error_of("mu * 2"), "0: unknown name 'mu' (did you mean '$mu'?)");
  EXPECT_EQ(error_of("omega * 2", force_symbols()), "0: unknown name 'omega' (did you mean '$omega0'?)");
  EXPECT_EQ(error_of("$mu.x + 1"), "0: unknown variable '$mu.x' (did you mean '$mu'?)");
  EXPECT_EQ(error_of("1 + $bodies.rod.spin[2]"), "4: unknown variable '$bodies.rod.spin[2]'");
  EXPECT_EQ(error_of("$bodies.rod.spin[z]"), "0: write a path as $bodies.rod.spin[2]");
  EXPECT_EQ(error_of("$mu.3"), "3: an operator is missing before '.3'");
  EXPECT_EQ(error_of("rod.speed"), "0: unknown quantity 'speed'");
}

TEST(ExpressionError, SaysWhereTimeAndQuantitiesMayStand) {
  EXPECT_EQ(error_of("2 * t"), "4: unknown name 't' (write 'time')");
  Symbols plain = force_symbols();
  plain.time = false;
  EXPECT_EQ(error_of("2 * t", plain),
            "4: unknown name 't' (only forces, motors and prescribed motion may depend on the time)");
  EXPECT_EQ(error_of("rod.position.x", plain),
            "0: quantities such as 'rod.position.x' may stand in outcomes and forces only");
  EXPECT_EQ(error_of("1 + gap(a, b)", plain), "4: quantities such as 'gap(a, b)' may stand in outcomes only");
}

TEST(ExpressionError, NamesTheMissingPart) {
  EXPECT_EQ(error_of(""), "0: the expression is empty");
  EXPECT_EQ(error_of("  "), "0: the expression is empty");
  EXPECT_EQ(error_of("1 +"), "3: the expression ends where a number or a name is missing");
  EXPECT_EQ(error_of("* 2"), "0: a number or a name is missing before '*'");
  EXPECT_EQ(error_of("1 < 2 and and"), "10: a number or a name is missing before 'and'");
  EXPECT_EQ(error_of("(1 + 2"), "0: this '(' is never closed");
  EXPECT_EQ(error_of("sin(1"), "3: this '(' is never closed");
  EXPECT_EQ(error_of("gap(rod, table"), "3: this '(' is never closed");
  EXPECT_EQ(error_of("gap("), "3: this '(' is never closed");
  EXPECT_EQ(error_of("if(1 < 2"), "2: this '(' is never closed");
  EXPECT_EQ(error_of("if(1 < 2, 3"), "2: this '(' is never closed");
  EXPECT_EQ(error_of("()"), "1: a number or a name is missing before ')'");
  EXPECT_EQ(error_of("1 + 2)"), "5: unexpected ')'");
  EXPECT_EQ(error_of("2 $mu"), "2: an operator is missing before '$mu'");
  EXPECT_EQ(error_of("2x"), "1: an operator is missing before 'x'");
  EXPECT_EQ(error_of("2(3)"), "1: an operator is missing before '('");
  EXPECT_EQ(error_of("(1 2)"), "3: an operator is missing before '2'");
  EXPECT_EQ(error_of("rod."), "4: a name must follow '.'");
  EXPECT_EQ(error_of("$ mu"), "0: the name of a variable must follow '$'");
  EXPECT_EQ(error_of("1 + sin"), "4: 'sin' is a function, its arguments must follow in parentheses");
}

TEST(ExpressionError, CountsArguments) {
  EXPECT_EQ(error_of("sin()"), "0: 'sin' takes 1 argument, not 0");
  EXPECT_EQ(error_of("1 + sin(1, 2)"), "4: 'sin' takes 1 argument, not 2");
  EXPECT_EQ(error_of("min(1)"), "0: 'min' takes 2 arguments, not 1");
  EXPECT_EQ(error_of("atan2(1, 2, 3)"), "0: 'atan2' takes 2 arguments, not 3");
  EXPECT_EQ(error_of("gap(rod)"), "7: 'gap' takes the names of 2 bodies");
  EXPECT_EQ(error_of("gap(rod, table, rod)"), "14: 'gap' takes the names of 2 bodies");
  EXPECT_EQ(error_of("gap(rod, 2)"), "9: 'gap' takes the names of 2 bodies");
  EXPECT_EQ(error_of("sin(1,)"), "6: a number or a name is missing before ')'");
}

TEST(ExpressionError, TranslatesOtherLanguages) {
  EXPECT_EQ(error_of("1 < 2 && 2 < 3"), "6: unexpected '&&' (write 'and')");
  EXPECT_EQ(error_of("1 < 2 || 2 < 3"), "6: unexpected '||' (write 'or')");
  EXPECT_EQ(error_of("!(1 < 2)"), "0: unexpected '!' (write 'not')");
  EXPECT_EQ(error_of("1 = 2"), "2: unexpected '=' (write '==')");
  EXPECT_EQ(error_of("2 ** 3"), "2: unexpected '**' (write '^')");
  EXPECT_EQ(error_of("5 % 3"), "2: unexpected '%'");
}

TEST(ExpressionError, RefusesNumbersThatAreNone) {
  EXPECT_EQ(error_of("1e"), "0: the exponent of '1e' has no digits");
  EXPECT_EQ(error_of("2 + 1e+"), "4: the exponent of '1e+' has no digits");
  EXPECT_EQ(error_of("1e999"), "0: the number '1e999' is outside the range of doubles");
  EXPECT_EQ(error_of("1.2.3"), "3: an operator is missing before '.3'");
}

TEST(ExpressionError, ShowsOddBytesLegibly) {
  EXPECT_EQ(error_of("1 + \xC3\xA4"), "4: unexpected byte 0xC3");
  EXPECT_EQ(error_of(std::string_view("1\0", 2)), "1: unexpected byte 0x00");
  EXPECT_EQ(error_of("\x7F"), "0: unexpected byte 0x7F");
  EXPECT_EQ(error_of("1 @ 2"), "2: unexpected '@'");
}

TEST(ExpressionError, BoundsDepthAndLength) {
  EXPECT_EQ(error_of(std::string(1000000, '(')), "0: the expression is too long, more than 10000 bytes");
  EXPECT_EQ(error_of(std::string(10000, '(')), "100: nested too deeply, more than 100 levels");
  EXPECT_EQ(error_of(std::string(10000, '-')), "100: nested too deeply, more than 100 levels");
  std::string powers = "1", nots, calls;
  for (int i = 0; i < 200; ++i) powers += "^1", nots += "not ", calls += "sin(";
  EXPECT_EQ(error_of(powers),
            "64: too many intermediate values, more than 32 (write the deeper part of each operation first)");
  EXPECT_EQ(error_of(nots), "400: nested too deeply, more than 100 levels");
  EXPECT_EQ(error_of(calls), "400: nested too deeply, more than 100 levels");
  EXPECT_EQ(error_of(std::string(100, '(') + "1" + std::string(100, ')')), "none");
}

}  // namespace
}  // namespace jostle

// Categorical outcomes in scenario files.
#include <gmock/gmock.h>

#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

std::string scenario(const std::string& outcome) {
  return "jostle: 1\nworld: {step: 0.01, duration: 1}\nbodies: {ball: {mass: 1, inertia: 1}}\noutcomes:\n  side: " +
         outcome + "\n  z: {at_end: ball.position.z}\n";
}

TEST(Category, IsATruthValueForEachOfItsConditions) {
  const Scenario read = parse_scenario(
      scenario("{category: {up: ball.position.z > 0, down: ball.position.z <= 0}, shares: {up: 0.25, down: 0.75}}"),
      "category.yaml");
  ASSERT_EQ(read.outcomes.size(), 3U);
  EXPECT_EQ(read.outcomes[0].name, "up");
  EXPECT_EQ(read.outcomes[0].category_name, "side");
  EXPECT_EQ(read.outcomes[1].share, 0.75);
  EXPECT_EQ(read.outcomes[1].kind(), ValueKind::truth);
  EXPECT_EQ(read.outcomes[2].category_name, "");
  const Scenario again = parse_scenario(read.canonical, "again.yaml");
  EXPECT_EQ(again.canonical, read.canonical);
  EXPECT_EQ(again.outcomes[0].share, 0.25);
}

TEST(Category, RefusesWhatIsNoDivision) {
  const auto error = [](const std::string& outcome) { return test::error_of(scenario(outcome)); };
  EXPECT_EQ(error("{category: {up: ball.position.z > 0}}"),
            "rod.yaml:5:20: outcomes.side.category needs two categories or more");
  EXPECT_EQ(error("{category: {up: ball.position.z, down: time > 0}}"),
            "rod.yaml:5:25: outcomes.side.category.up needs a truth value such as 'x < 1', not a number");
  EXPECT_EQ(error("{category: {a: time > 0, b: time < 0}, while: time > 1}"),
            "rod.yaml:5:55: outcomes.side.while has no meaning for a category");
  EXPECT_EQ(error("{category: {a: time > 0, b: time < 0}, shares: {a: 1}}"),
            "rod.yaml:5:56: outcomes.side.shares has none of 'b'");
  EXPECT_EQ(error("{category: {a: time > 0, b: time < 0}, shares: {a: 0.5, b: 0.6}}"),
            "rod.yaml:5:56: outcomes.side.shares must have the sum 1");
  EXPECT_EQ(error("{at_end: time, shares: {a: 1}}"),
            "rod.yaml:5:32: outcomes.side.shares has no meaning without a category");
}

}  // namespace
}  // namespace jostle

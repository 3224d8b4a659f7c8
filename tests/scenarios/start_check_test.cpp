// Bodies that overlap at the start: an error where they do so in every sample.
#include "scenarios/parameters/start_check.hpp"

#include <cmath>
#include <limits>

#include "scenarios/ensemble.hpp"
#include "scenarios/parameters/extents.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::Edit;

/// what() of the error that building the systems of the edited good scenario gives; empty if there is none.
std::string start_error(const std::vector<Edit>& edits) {
  const Scenario scenario = parse_scenario(test::edited(edits), "rod.yaml", {});
  try {
    const Ensemble ensemble(scenario);
    return {};
  } catch (const ScenarioError& error) {
    return error.what();
  }
}

Edit position(const char* text) { return {"position: [0, 0, 1]", text}; }

const std::string overlap = "rod.yaml:9:3: 'floor' and 'ball' overlap at the start by 0.05 m",
                  hint = "; `jostle view` shows where";

TEST(Start, TouchingIsNoOverlap) {
  EXPECT_EQ(start_error({}), "");
  EXPECT_EQ(start_error({position("position: [0, 0, 0.1]")}), "");
  EXPECT_EQ(start_error({position("position: [0, 0, 0.1 - 0.9e-9]")}), "");
  EXPECT_EQ(start_error({position("position: [0, 0, 0.1 - 1.1e-9]")}),
            "rod.yaml:9:3: 'floor' and 'ball' overlap at the start by 1.1e-09 m" + hint);
}

TEST(Start, OverlapThatNoDrawMovesIsAnErrorAtTheSecondBody) {
  EXPECT_EQ(start_error({position("position: [0, 0, 0.05]")}), overlap + hint);
  EXPECT_EQ(start_error({position("position: [0, 0, 0.05]\n    spin: [0, 0, $mu]")}), overlap + hint) << "a drawn spin";
}

TEST(Start, AVariableOfOneValueMovesNothing) {
  EXPECT_EQ(start_error({position("position: [0, 0, $mu]"), {"{uniform: [0.3, 0.9]}", "0.05"}}), overlap + hint);
}

TEST(Start, OverlapOfSomeDrawsIsTheirStatus) {
  EXPECT_EQ(start_error({position("position: [0, 0, 0.05*$mu]")}), "");
  EXPECT_EQ(start_error({position("position: [0, 0, 0.05]"), {"radius: 0.1", "radius: 0.5*$mu"}}), "");
  EXPECT_EQ(start_error({position("position: [0, 0, 0.05]\n    rotation: uniform")}), "");
}

TEST(Start, OverlapOfSomeDrawsHasTheSameWords) {
  const Scenario scenario = parse_scenario(test::edited({position("position: [0, 0, 0.1*$mu]")}), "rod.yaml", {});
  const Ensemble ensemble(scenario);
  EXPECT_EQ("rod.yaml:9:3: " + ensemble.reason({0.5}, Status::overlap), overlap);
  EXPECT_EQ(ensemble.reason({0.5}, Status::ray), "");
  EXPECT_FALSE(ensemble.overlap({1.5}));
}

// Shapes whose balls are apart are not looked at: what overlaps is found all the same, corners on corners, too.
TEST(Start, NoOverlapIsLostByBallsAroundShapes) {
  const std::string shapes[] = {"sphere: {radius: 0.1}",
                                "capsule: {length: 0.2, radius: 0.05, axis: x}",
                                "box: {size: [0.1, 0.2, 0.3]}",
                                "cylinder: {length: 0.3, radius: 0.1, axis: y}",
                                "hull: {points: [[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.1]], radius: 0.02}",
                                "half_space: {normal: [1, 2, 3]}"};
  constexpr double infinite = std::numeric_limits<double>::infinity();
  int overlaps = 0, others = 0;
  for (const std::string& one : shapes) {
    for (const std::string& other : shapes) {
      if (other.starts_with("half")) continue;
      for (int i = 0; i < 60; ++i) {
        const double angle = 2.4 * i, away = 0.008 * i;
        const std::string at = "[" + std::to_string(away * std::cos(angle)) + ", " +
                               std::to_string(away * std::sin(angle)) + ", " + std::to_string(0.5 * away) + "]";
        const Scenario scenario = parse_scenario(
            "jostle: 1\nworld: {step: 1, steps: 1}\nbodies:\n  a: {fixed: true, shape: {" + one +
                "}}\n  b: {mass: 1, inertia: 1, shape: {" + other + "}, position: " + at +
                ", rotation: {axis: [1, 1, 0], degrees: " + std::to_string(17 * i) + "}}\ncontacts: [{between: any}]\n",
            "balls.yaml");
        const BodySpec &a = scenario.bodies[0], &b = scenario.bodies[1];
        const double all = least_gap(a, b, nullptr, infinite), near = least_gap(a, b, nullptr, 0);
        (all < 0 ? overlaps : others) += 1;
        if (all <= 0)
          EXPECT_EQ(near, all) << one << " " << other << " " << i;
        else
          EXPECT_GT(near, 0);
      }
    }
  }
  EXPECT_GT(overlaps, 500);
  EXPECT_GT(others, 500);
}

TEST(Start, BodiesThatPassEachOtherMayOverlap) {
  EXPECT_EQ(start_error({position("position: [0, 0, 0.05]"), {"friction: $mu", "contact: false"}}), "");
}

TEST(Start, ShapesLieWhereTheirTurnedBodiesTakeThem) {
  const Edit box{"{sphere: {radius: 0.1}}", "{box: {size: [0.1, 0.1, 0.4]}}"};
  EXPECT_EQ(start_error({box, position("position: [0, 0, 0.1]")}),
            "rod.yaml:9:3: 'floor' and 'ball' overlap at the start by 0.1 m" + hint);
  EXPECT_EQ(start_error({box, position("position: [0, 0, 0.1]\n    rotation: {axis: [1, 0, 0], degrees: 90}")}), "");
}

}  // namespace
}  // namespace jostle

// Bodies that overlap at the start: an error where they do so in every sample.
#include "scenarios/parameters/start_check.hpp"

#include "scenarios/ensemble.hpp"
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

// Quantities and reducers of outcomes, evaluated while simulating.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader.hpp"

namespace jostle {
namespace {

/// The outcomes of the only sample of a scenario.
std::map<std::string, double> outcomes_of(const std::string& text) {
  const Ensemble ensemble(parse_scenario(text, "quantities.yaml"));
  Batch batch(ensemble.model(), 1);
  ensemble.load(0, batch, 0);
  run_batch(batch, static_cast<int>(ensemble.model().total_steps));
  EXPECT_EQ(batch.status(0), Status::ok);
  std::map<std::string, double> outcomes;
  for (std::size_t o = 0; o < ensemble.scenario().outcomes.size(); ++o)
    outcomes[ensemble.scenario().outcomes[o].name] = batch.state(0).outcomes[static_cast<int>(o)];
  return outcomes;
}

// The ball passes through the gate at 1 m/s, from x = -1 to x = 1; the jambs begin 0.4 m to its right and 0.6 m to its
// left.
constexpr const char* gate = R"yaml(jostle: 1
world: {step: 0.01, duration: 2, gravity: [0, 0, 0]}
bodies:
  jambs:
    fixed: true
    shapes:
      - {box: {size: [0.2, 0.2, 2]}, position: [0, -0.5, 0]}
      - {box: {size: [0.2, 0.2, 2]}, position: [0, 0.7, 0]}
  post: {fixed: true, shape: {sphere: {radius: 0.1}}, position: [0, 3, 0]}
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1], offset: -2}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [-1, 0, 0], velocity: [1, 0, 0]}
contacts:
  - {between: any}
  - {between: [ball, jambs], contact: false}
outcomes:
  start: {maximum: "gap(ball, jambs)"}
  nearest: {minimum: "gap(ball, jambs)"}
  reversed: {minimum: "gap(jambs, ball)"}
  fixed: {at_end: "gap(post, jambs)"}
  fixed_reversed: {at_end: "gap(jambs, post)"}
  above: {at_end: "gap(floor, ball)"}
)yaml";

TEST(Gap, IsTheDistanceOfBodiesThatMayNotTouch) {
  const auto outcomes = outcomes_of(gate);
  EXPECT_NEAR(outcomes.at("start"), std::hypot(0.9, 0.4) - 0.1, 1e-12);
  EXPECT_NEAR(outcomes.at("nearest"), 0.3, 1e-12);
  EXPECT_EQ(outcomes.at("reversed"), outcomes.at("nearest"));
}

TEST(Gap, IsTheDistanceOfFixedBodies) {
  const auto outcomes = outcomes_of(gate);
  EXPECT_NEAR(outcomes.at("fixed"), 3 - 0.8 - 0.1, 1e-12);
  EXPECT_EQ(outcomes.at("fixed_reversed"), outcomes.at("fixed"));
}

TEST(Gap, IsTheDistanceOfBodiesThatMayTouch) { EXPECT_NEAR(outcomes_of(gate).at("above"), 1.9, 1e-12); }

TEST(Gap, OfBodiesThatPassThroughEachOtherIsMinusTheDepth) {
  const auto outcomes = outcomes_of(R"yaml(jostle: 1
world: {step: 0.125, duration: 2, gravity: [0, 0, 0]}
bodies:
  wall: {fixed: true, shape: {half_space: {normal: [1, 0, 0]}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.25}}, position: [1, 0, 0], velocity: [-1, 0, 0]}
contacts: [{between: any, contact: false}]
outcomes:
  deepest: {minimum: "gap(ball, wall)"}
)yaml");
  EXPECT_EQ(outcomes.at("deepest"), -1.25);
}

// The ball is thrown up at 2 m/s and falls from step 17 on: sqrt(velocity) is defined before, sqrt(-velocity) after.
constexpr const char* thrown = R"yaml(jostle: 1
world: {step: 0.0625, duration: 2, gravity: [0, 0, -2]}
bodies:
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, velocity: [0, 0, 2]}
outcomes:
  undefined_later_max: {maximum: sqrt(ball.velocity.z)}
  undefined_later_min: {minimum: sqrt(ball.velocity.z)}
  undefined_first_max: {maximum: sqrt(-ball.velocity.z)}
  undefined_first_min: {minimum: sqrt(-ball.velocity.z)}
  fastest: {maximum: ball.velocity.z}
  slowest: {minimum: ball.velocity.z}
  never: {first_time: ball.velocity.z > 3}
  falls: {first_time: ball.velocity.z < 0}
)yaml";

TEST(MinimumAndMaximum, OfWhatIsUndefinedInAStepAreUndefined) {
  const auto outcomes = outcomes_of(thrown);
  for (const char* name : {"undefined_later_max", "undefined_later_min", "undefined_first_max", "undefined_first_min"})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(outcomes.at(name)), 0x7FF8000000000000u) << name;
}

TEST(MinimumAndMaximum, IncludeTheInitialStateAndTheLastStep) {
  const auto outcomes = outcomes_of(thrown);
  EXPECT_EQ(outcomes.at("fastest"), 2);
  EXPECT_EQ(outcomes.at("slowest"), -2);
}

TEST(FirstTime, IsTheEndOfTheFirstStepInWhichItHolds) {
  const auto outcomes = outcomes_of(thrown);
  EXPECT_EQ(outcomes.at("falls"), 1.0625);
  EXPECT_TRUE(std::isnan(outcomes.at("never")));
}

}  // namespace
}  // namespace jostle

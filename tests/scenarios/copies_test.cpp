// Copies of a body: each with draws of its own, and outcomes over all of them.
#include <gmock/gmock.h>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

// Nothing touches: what is observed is what was drawn, after 1 step of 1 s without gravity at velocity x.
constexpr const char* text = R"yaml(jostle: 1
variables: {mu: {uniform: [0.1, 0.2]}}
world: {step: 1, steps: 1, gravity: [0, 0, 0]}
bodies:
  part:
    copies: 3
    mass: {uniform: [1, 2]}
    shape: {sphere: {radius: 0.1}}
    position: [0, 10*copy, 0]
    velocity: [{uniform: [-1, 1]}, 0, 0]
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1], offset: -5}}}
contacts:
  - {between: any, friction: $mu}
  - {between: [part, part], friction: 2}
  - {between: ["part[1]", floor], friction: 3}
outcomes:
  any_right: {at_end: any(part.position.x > 0)}
  all_right: {at_end: all(part.position.x > 0)}
  right: {at_end: count(part.position.x > 0)}
  middle: {at_end: mean(part.position.x)}
  second: {at_end: "part[1].position.x"}
  near: {minimum: "mean(gap(part, floor))"}
)yaml";

TEST(Copies, AreBodiesWithDrawsOfTheirOwn) {
  const Scenario scenario = parse_scenario(text, "parts.yaml");
  std::vector<std::string> bodies, variables;
  for (const BodySpec& body : scenario.bodies) bodies.push_back(body.name);
  for (const Variable& variable : scenario.variables) variables.push_back(variable.name);
  EXPECT_THAT(bodies, ElementsAre("part[0]", "part[1]", "part[2]", "floor"));
  EXPECT_THAT(variables,
              ElementsAre("mu", "bodies.part[0].mass", "bodies.part[1].mass", "bodies.part[2].mass",
                          "bodies.part[0].velocity[0]", "bodies.part[1].velocity[0]", "bodies.part[2].velocity[0]"));
  EXPECT_EQ(scenario.bodies[2].position[1].constant, 20);
  EXPECT_EQ(scenario.contacts[static_cast<std::size_t>(scenario.pairs.rule(0, 2))].friction.constant, 2);
  EXPECT_EQ(scenario.pairs.rule(0, 3), 0);
  EXPECT_EQ(scenario.contacts[static_cast<std::size_t>(scenario.pairs.rule(1, 3))].friction.constant, 3);
}

TEST(Copies, AreWrittenOnceInCanonicalText) {
  const Scenario scenario = parse_scenario(text, "parts.yaml");
  EXPECT_THAT(scenario.canonical, HasSubstr("  part:\n    copies: 3\n"));
  EXPECT_THAT(scenario.canonical, HasSubstr("position: [0, \"10*copy\", 0]"));
  const Scenario again = parse_scenario(scenario.canonical, "again.yaml");
  EXPECT_EQ(again.canonical, scenario.canonical);
  ASSERT_EQ(again.variables.size(), scenario.variables.size());
  for (std::size_t i = 0; i < again.variables.size(); ++i)
    EXPECT_EQ(again.variables[i].name, scenario.variables[i].name);
  EXPECT_EQ(again.bodies[1].position[1].constant, 10);
}

// In an expression, part.position would be the copies' and the spring's.
TEST(Copies, ShareTheirNameWithNoSpringAndNoJoint) {
  const auto error_with = [](const std::string& section) {
    try {
      parse_scenario(text + section, "parts.yaml");
    } catch (const ScenarioError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(error_with("springs:\n  part: {between: [\"part[0]\", \"part[1]\"], stiffness: 1}\n"),
              EndsWith(":3: spring 'part' has the name of a body; try 'part_spring'"));
  EXPECT_THAT(error_with("joints:\n  part: {ball: [\"part[0]\", \"part[1]\"], at: [0, 0, 0]}\n"),
              EndsWith(":3: joint 'part' has the name of a body; try 'part_joint'"));
}

TEST(Copies, AreCountedByOutcomes) {
  const Ensemble ensemble(parse_scenario(text, "parts.yaml"));
  int some = 0;
  for (std::int64_t sample = 0; sample < 20; ++sample) {
    Batch batch(ensemble.model(), 1);
    ensemble.draw(sample, batch, 0);
    run_batch(batch, 1, {1, 0, nullptr});
    const std::vector<double> drawn = ensemble.draw(sample);
    int right = 0;
    for (int i = 4; i < 7; ++i) right += drawn[static_cast<std::size_t>(i)] > 0;
    const double* const outcomes = batch.state(0).outcomes;
    EXPECT_EQ(outcomes[0], right > 0);
    EXPECT_EQ(outcomes[1], right == 3);
    EXPECT_EQ(outcomes[2], right);
    EXPECT_NEAR(outcomes[3], (drawn[4] + drawn[5] + drawn[6]) / 3, 1e-15);
    EXPECT_NEAR(outcomes[4], drawn[5], 1e-15);
    EXPECT_NEAR(outcomes[5], 4.9, 1e-14);
    some += right > 0 && right < 3;
  }
  EXPECT_GT(some, 5);
}

}  // namespace
}  // namespace jostle

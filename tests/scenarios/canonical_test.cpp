#include "scenarios/format/canonical.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "scenarios/format/canonical_tree.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::good_scenario;

std::vector<std::string> names(const Scenario& scenario) {
  std::vector<std::string> all;
  for (const Variable& variable : scenario.variables) all.push_back(variable.name);
  return all;
}

void expect_round_trip(const Scenario& scenario) {
  const Scenario again = parse_scenario(scenario.canonical, "canonical.yaml");
  EXPECT_EQ(again.canonical, scenario.canonical);
  EXPECT_EQ(names(again), names(scenario));
}

TEST(Canonical, EveryLibraryScenarioGoesThereAndBack) {
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenarios/library"))
    expect_round_trip(read_scenario(entry.path().string()));
}

TEST(Canonical, WritesDefaultsOutAndNumbersShort) {
  EXPECT_EQ(parse_scenario(good_scenario, "rod.yaml").canonical, R"(jostle: 1
variables:
  mu: {uniform: [0.3, 0.9]}
world:
  gravity: [0, 0, -9.81]
  step: 0.0025
  duration: 1
  method: stewart_trinkle
  linearisation: predicted
  gyroscopic: implicit
  solver: guess_first
  multipliers: least_norm
  friction_directions: 8
bodies:
  floor:
    fixed: true
    shape: {half_space: {normal: [0, 0, 1], offset: 0}, position: [0, 0, 0]}
    position: [0, 0, 0]
  ball:
    fixed: false
    mass: 1
    freedom: [x, y, z, rx, ry, rz]
    shape: {sphere: {radius: 0.1}, position: [0, 0, 0]}
    position: [0, 0, 1]
    velocity: [0, 0, 0]
    spin: [0, 0, 0]
contacts:
  - {between: any, friction: "$mu", restitution: 0}
sample: {method: sobol, seed: 0}
outcomes:
  low: {at_end: "ball.position.z < 0.2"}
record: {trajectories: 0, stride: 1}
)");
}

// Sobol's dimensions follow the order of the variables: another order would draw other samples.
TEST(Canonical, KeepsTheOrderOfVariables) {
  const Scenario scenario = parse_scenario(R"(jostle: 1
bodies:
  b:
    spin: [0, {uniform: [0, 1]}, {normal: [0, 1], max: 3}]
    rotation: uniform
    inertia: {uniform: [1, 2]}
    shapes:
      - {position: [{integer: [1, 6]}, 0, 0], capsule: {radius: {uniform: [1, 2]}, length: {choice: {values: [1, 2]}}}}
      - {sphere: {radius: 1}}
    mass: {log_uniform: [1, 2]}
variables:
  z: {choice: {weights: [1, 2], values: [3, 4]}}
  a: 5
world: {duration: 1, step: 1, gravity: [{uniform: [0, 1]}, 0, 0]}
)",
                                           "order.yaml");
  EXPECT_EQ(scenario.variables.size(), 13u);
  EXPECT_EQ(scenario.variables.front().name, "bodies.b.spin[1]");
  expect_round_trip(scenario);
}

TEST(Canonical, KeepsEveryKindOfEntry) {
  expect_round_trip(parse_scenario(R"yaml(jostle: 1
title: "quotes \" and \\ and a tab \t and \x01 and é"
world: {step: 0.1, duration: 1, linearisation: fixed_point, friction_directions: 8}
bodies:
  a: {mass: 1, inertia: [1, 2, 2.5], rotation: {quaternion: [1, 0, 0, -0.5]}, shape: {cylinder: {length: 1, radius: 2, axis: y}}}
  b: {fixed: true, shapes: [{box: {size: [1, 2, 3]}, rotation: {axis: [1, 1, 0], degrees: 1e-30}}]}
contacts: [{between: [b, a], contact: false}]
forces: [{body: a, force: ["sin(t)", 1e300, 0], torque: [0, "-t^2", 0]}]
sample: {table: "my points.csv", count: 12, seed: 18446744073709551615}
outcomes: {o: {first_time: a.position.x > 1 and time < 2}}
record: {trajectories: failures, stride: 7}
)yaml",
                                   "all.yaml"));
}

TEST(Canonical, HasTheFirstOfTwoWords) {
  const std::string world = "jostle: 1\nworld: {step: 0.1, duration: 1, gyroscopic: ",
                    bodies = "}\nbodies: {a: {mass: 1, inertia: [1, 2, 2.5]}}\n";
  const auto canonical = [&](const char* word) { return parse_scenario(world + word + bodies, "top.yaml").canonical; };
  EXPECT_EQ(canonical("trapezoidal"), canonical("implicit"));
  EXPECT_NE(canonical("trapezoidal"), canonical("explicit"));
}

TEST(Canonical, KeepsDrivesImpulsesAndReactions) {
  const Scenario scenario = parse_scenario(
      std::string(good_scenario) +
          "joints:\n  pin: {revolute: [floor, ball], at: [0, 0, 1], axis: [0, 0, 1], stiffness: {uniform: [1, 2]}, "
          "rest: "
          "$mu/2, damping: 0.5, armature: \"2*$mu\", speed_limits: [null, {uniform: [3, 4]}]}\n"
          "  slide: {prismatic: [floor, ball], axis: [0, 0, 1], speed_limits: [-.inf, 1]}\n"
          "impulses:\n  - {body: ball, time: {uniform: [0.1, 0.2]}, impulse: [1, 0, $mu]}\n"
          "  - {body: ball, time: 0.5, at: [0, 0, 1.1], impulse: [1, 0, 0], angular_impulse: [0, 0, 2]}\n",
      "rod.yaml");
  expect_round_trip(scenario);
  EXPECT_THAT(scenario.canonical,
              testing::HasSubstr(
                  "  pin: {revolute: [floor, ball], at: [0, 0, 1], axis: [0, 0, 1], friction: 0, "
                  "stiffness: {uniform: [1, 2]}, rest: \"$mu/2\", damping: 0.5, armature: \"2*$mu\", "
                  "speed_limits: [null, {uniform: [3, 4]}]}\n"
                  "  slide: {prismatic: [floor, ball], axis: [0, 0, 1], friction: 0, speed_limits: [null, 1]}\n"));
  EXPECT_EQ(names(scenario),
            (std::vector<std::string>{"mu", "joints.pin.stiffness", "joints.pin.speed_limits[1]", "impulses[0].time"}));
}

TEST(Canonical, LeavesCountAndSeedOutOnRequest) {
  const auto read = [](std::int64_t count, std::uint64_t seed) {
    return parse_scenario(good_scenario, "rod.yaml", {.set = {}, .count = count, .seed = seed});
  };
  const Scenario small = read(10, 1), large = read(1000, 2);
  EXPECT_NE(small.canonical, large.canonical);
  EXPECT_THAT(small.canonical, testing::HasSubstr("sample: {method: sobol, count: 10, seed: 1}\n"));
  EXPECT_EQ(canonical_yaml(small, false), canonical_yaml(large, false));
  EXPECT_THAT(canonical_yaml(small, false), testing::HasSubstr("sample: {method: sobol}\n"));
}

TEST(Canonical, SettingIsLikeWriting) {
  const ReadOptions options{.set = {"bodies.ball.mass=2", "world.step=0.005"}, .count = {}, .seed = {}};
  EXPECT_EQ(parse_scenario(good_scenario, "rod.yaml", options).canonical,
            parse_scenario(test::edited({{"mass: 1.0", "mass: 2.000"}, {"0.0025", "5e-3"}}), "rod.yaml").canonical);
}

TEST(Shortest, GivesTheSameDoubleAgain) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1e300), "1e+300");
  EXPECT_EQ(shortest(-0.0), "-0");
  EXPECT_EQ(shortest(5e-324), "5e-324");
  EXPECT_EQ(std::stod(shortest(1.0 / 3)), 1.0 / 3);
}

}  // namespace
}  // namespace jostle

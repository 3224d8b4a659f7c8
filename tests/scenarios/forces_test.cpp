// Forces as quantities: closed forms under every method, and nothing that depends on the step.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

std::map<std::string, double> found_by(const std::string& text, const std::vector<std::string>& set = {}) {
  const Ensemble ensemble(parse_scenario(text, "forces.yaml", {set, {}, {}}));
  Batch batch{ensemble.model(), 1};
  ensemble.load(0, batch, 0);
  run_batch(batch, static_cast<int>(ensemble.model().total_steps));
  EXPECT_EQ(batch.status(0), Status::ok);
  std::map<std::string, double> outcomes;
  for (std::size_t o = 0; o < ensemble.scenario().outcomes.size(); ++o)
    outcomes[ensemble.scenario().outcomes[o].name] = batch.state(0).outcomes[static_cast<int>(o)];
  return outcomes;
}

class Forces : public testing::TestWithParam<const char*> {
 protected:
  static std::string method() { return std::string("world.method=") + GetParam(); }
};

// 2 kg under 10 m/s^2, at x = 0.3 m: 20 N, and about the floor's position 0.3 m * 20 N.
TEST_P(Forces, OfABlockAtRestAreItsWeight) {
  const char* const block = R"(jostle: 1
world: {step: 0.01, duration: 0.3, gravity: [0, 0, -10]}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  block: {mass: 2, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0.3, 0, 0.05]}
contacts: [{between: any, friction: 0}]
outcomes:
  up: {at_end: block.force.z}
  normal: {at_end: block.normal_force}
  impulse: {at_end: block.normal_impulse / step}
  down: {at_end: floor.force.z}
  turn: {at_end: floor.torque.y}
  about_itself: {maximum: abs(block.torque.y)}
  start: {minimum: block.force.z}
)";
  for (const char* const step : {"world.step=0.01", "world.step=0.002"}) {
    const auto found = found_by(block, {method(), step});
    EXPECT_NEAR(found.at("up"), 20, 1e-7);
    EXPECT_NEAR(found.at("normal"), 20, 1e-7);
    EXPECT_EQ(found.at("normal"), found.at("impulse"));
    EXPECT_NEAR(found.at("down"), -20, 1e-7);
    EXPECT_NEAR(found.at("turn"), 6, 1e-7);
    EXPECT_NEAR(found.at("about_itself"), 0, 1e-7);
    EXPECT_EQ(found.at("start"), 0) << "before the first step nothing has acted";
  }
}

// A wall pushes 2 kg over a floor at constant speed: mu m g. It hits it in the first step, which `while` leaves out:
// with 0.2 N s, under methods without impacts as a force.
TEST_P(Forces, OfAWallThatPushesAreThoseOfFriction) {
  if (GetParam() == std::string("loetstedt")) GTEST_SKIP() << "it has no friction";
  const auto found = found_by(R"(jostle: 1
world: {step: 0.002, duration: 0.5, gravity: [0, 0, -10]}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  wall: {prescribed: {velocity: [0.1, 0, 0]}, shape: {box: {size: [0.1, 1, 1]}}, position: [-0.15, 0, 0.6]}
  block: {mass: 2, freedom: [x, z], shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.1]}
contacts:
  - {between: [block, floor], friction: 0.3}
  - {between: [block, wall], friction: 0}
outcomes:
  push: {at_end: wall.force.x}
  most: {maximum: wall.force.x, while: time > 0.1}
  least: {minimum: wall.force.x, while: time > 0.1}
  mean: {mean: wall.force.x, while: time > 0.1}
  hit: {maximum: wall.force.x}
  struck: {maximum: wall.impact.x}
  net: {at_end: block.force.x}
  never: {maximum: wall.force.x, while: time > 2}
)",
                              {method()});
  EXPECT_NEAR(found.at("push"), 6, 1e-6);
  EXPECT_NEAR(found.at("most"), 6, 1e-6);
  EXPECT_NEAR(found.at("least"), 6, 1e-6);
  EXPECT_NEAR(found.at("mean"), 6, 1e-6);
  const bool has_impacts = GetParam() != std::string("stewart_trinkle");
  EXPECT_NEAR(found.at("struck"), has_impacts ? 0.2 : 0, 1e-12);
  EXPECT_NEAR(found.at("hit"), has_impacts ? 6 : 106, 1e-6);
  EXPECT_NEAR(found.at("net"), 0, 1e-6);
  EXPECT_TRUE(std::isnan(found.at("never")));
}

// 2 kg hang on the lower limit of a slide, and an arm of 2 kg and 0.5 m lies on that of a hinge.
TEST_P(Forces, OfJointsAreThoseAlongTheAxis) {
  const auto found = found_by(R"(jostle: 1
world: {step: 0.002, duration: 0.2, gravity: [0, 0, -10]}
bodies:
  weight: {mass: 2, inertia: 1, position: [3, 0, 0]}
  arm: {mass: 2, inertia: 0.1, position: [0.5, 0, 0]}
joints:
  slide: {prismatic: [world, weight], axis: [0, 0, 1], limits: [0, 1]}
  hinge: {revolute: [world, arm], at: [0, 0, 0], axis: [0, -1, 0], limits: [0, 1]}
outcomes:
  force: {at_end: slide.force}
  torque: {at_end: hinge.torque}
)",
                              {method()});
  EXPECT_NEAR(found.at("force"), 20, 1e-6);
  EXPECT_NEAR(found.at("torque"), 10, 1e-6);
}

// An external impulse reaches a fixed joint, which also carries 10 N.
TEST_P(Forces, OfJointsAreApartFromWhatTheyGiveInABlow) {
  const auto found = found_by(R"(jostle: 1
world: {step: 0.01, duration: 0.1, gravity: [0, 0, -10]}
bodies: {sign: {mass: 1, inertia: 1, position: [0, 0, 1]}}
joints: {post: {fixed: [world, sign]}}
impulses: [{body: sign, time: 0.053, impulse: [2, 0, 3]}]
outcomes:
  struck_x: {minimum: post.impact.x}
  struck_z: {minimum: post.impact.z}
  later: {at_end: post.impact.x}
  whole: {minimum: post.reaction.z}
)",
                              {method()});
  EXPECT_NEAR(found.at("struck_x"), -2, 1e-12);
  EXPECT_NEAR(found.at("struck_z"), -3, 1e-12);
  EXPECT_EQ(found.at("later"), 0);
  EXPECT_NEAR(found.at("whole"), 0.1 - 3, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Forces,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

/// Methods that put impacts at their time.
class Impacts : public testing::TestWithParam<const char*> {
 protected:
  static std::string method() { return std::string("world.method=") + GetParam(); }
};

// A ball of 2 kg is thrown at the floor and bounces, m v (1 + e), then lies on it, m g; v^2 = 1 + 2 g d.
TEST_P(Impacts, OfABallThatBouncesAreNoForces) {
  const auto found = found_by(R"(jostle: 1
world: {step: 0.01, duration: 2, gravity: [0, 0, -10], impact: {threshold: 0.3}}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1234], velocity: [0, 0, -1]}
contacts: [{between: any, restitution: 0.5}]
outcomes:
  first: {at_first: {when: ball.normal_impulse > 0, value: ball.impact.z}}
  given: {at_first: {when: ball.normal_impulse > 0, value: floor.impact.z}}
  whole: {at_first: {when: ball.normal_impulse > 0, value: ball.normal_impulse}}
  force: {at_first: {when: ball.normal_impulse > 0, value: ball.force.z}}
  normal: {at_first: {when: ball.normal_impulse > 0, value: ball.normal_force}}
  most: {maximum: ball.force.z}
  least: {minimum: ball.normal_force}
  at_rest: {at_end: ball.force.z}
  no_impact: {at_end: ball.impact.z}
)",
                              {method()});
  const bool is_of_order_1 = GetParam() == std::string("anitescu_potra");
  EXPECT_NEAR(found.at("first"), 2 * std::sqrt(1 + 20 * 0.0234) * 1.5, is_of_order_1 ? 3 * 10 * 0.01 : 1e-3);
  EXPECT_NEAR(found.at("given"), -found.at("first"), 1e-13);
  EXPECT_NEAR(found.at("whole"), found.at("first"), 1e-13);
  EXPECT_NEAR(found.at("force"), 0, 1e-9);
  EXPECT_NEAR(found.at("normal"), 0, 1e-9);
  EXPECT_LE(found.at("most"), 20 + 1e-6);
  EXPECT_GE(found.at("least"), -1e-9);
  EXPECT_NEAR(found.at("at_rest"), 20, 1e-6);
  EXPECT_EQ(found.at("no_impact"), 0);
}

// 1 kg at 1 m/s strikes a block of 2 kg that lies on a floor, and a wall behind it: 1 N s, beside 20 N of the weight.
TEST_P(Impacts, AreApartFromForcesOfTheSameStep) {
  const auto found = found_by(R"(jostle: 1
world: {step: 0.01, duration: 0.2, gravity: [0, 0, -10]}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  wall: {fixed: true, shape: {half_space: {normal: [-1, 0, 0], offset: -0.1}}}
  block: {mass: 2, freedom: [x, z], shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.1]}
  ball: {mass: 1, freedom: [x], shape: {sphere: {radius: 0.05}}, position: [-0.2034, 0, 0.1], velocity: [1, 0, 0]}
contacts: [{between: any}]
outcomes:
  struck: {minimum: block.impact.x}
  wall: {maximum: wall.impact.x}
  push: {maximum: abs(wall.force.x)}
  up: {maximum: block.impact.z}
  weight: {minimum: block.force.z, while: time > 0.005}
  most: {maximum: block.force.z}
)",
                              {method()});
  EXPECT_NEAR(found.at("wall"), 1, 1e-12);
  EXPECT_NEAR(found.at("struck"), 0, 1e-12) << "of ball and wall together";
  EXPECT_NEAR(found.at("push"), 0, 1e-9);
  EXPECT_NEAR(found.at("up"), 0, 1e-12);
  EXPECT_NEAR(found.at("weight"), 20, 1e-6);
  EXPECT_NEAR(found.at("most"), 20, 1e-6);
}

// 2 kg on a slide run into its limit at 1 m/s; a told wall strikes 1 kg: v (1 + e).
TEST_P(Impacts, OfLimitsAndToldBodiesAreNoForces) {
  const auto found = found_by(R"(jostle: 1
world: {step: 0.01, duration: 0.2, gravity: [0, 0, 0]}
bodies:
  cart: {mass: 2, inertia: 1, velocity: [1, 0, 0]}
  wall: {prescribed: {velocity: [0.5, 0, 0]}, shape: {half_space: {normal: [1, 0, 0]}}, position: [-1, 0, 0]}
  ball: {mass: 1, freedom: [x], shape: {sphere: {radius: 0.1}}, position: [-0.873, 0, 0]}
joints: {slide: {prismatic: [world, cart], axis: [1, 0, 0], limits: [-1, 0.0533]}}
contacts: [{between: any, restitution: 0.5}]
outcomes:
  stop: {minimum: slide.impact}
  force: {maximum: abs(slide.force)}
  given: {maximum: wall.impact.x}
  got: {maximum: ball.impact.x}
  push: {maximum: abs(wall.force.x)}
)",
                              {method()});
  EXPECT_NEAR(found.at("stop"), -2, 1e-12);
  EXPECT_NEAR(found.at("force"), 0, 1e-9);
  EXPECT_NEAR(found.at("given"), 0.75, 1e-12);
  EXPECT_NEAR(found.at("got"), 0.75, 1e-12);
  EXPECT_NEAR(found.at("push"), 0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(MethodsWithImpacts, Impacts,
                         testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// A fall from 5 m at 10 m/s^2, h = 0.01: v = -10 t.
TEST(Reducers, CountOnlyTheStatesInWhichAConditionHolds) {
  const auto found = found_by(R"yaml(jostle: 1
variables: {limit: {uniform: [-4, -3]}}
derived: {slow: -5, twice: 2*$slow}
world: {step: 0.01, duration: 1, gravity: [0, 0, -10]}
bodies: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 5]}}
outcomes:
  mean_time: {mean: time}
  mean_late: {mean: time, while: time > 0.495}
  share: {mean: ball.velocity.z < -5.05}
  at: {at_first: {when: ball.velocity.z < -4.95, value: time}}
  fast: {at_first: {when: ball.velocity.z < -4.95, value: ball.velocity.z < -1}}
  never: {at_first: {when: ball.velocity.z > 1, value: time}}
  start: {at_first: {when: time >= 0, value: ball.position.z}}
  fastest: {minimum: ball.velocity.z, while: ball.velocity.z > $slow + 0.05}
  twice: {at_end: "if(ball.velocity.z < $twice + 0.05, 1, 2)"}
  first: {first_time: ball.velocity.z < -1, while: time > 0.205}
)yaml");
  EXPECT_NEAR(found.at("mean_time"), 0.5, 1e-12);
  EXPECT_NEAR(found.at("mean_late"), 0.75, 1e-12);
  EXPECT_NEAR(found.at("share"), 50.0 / 101, 1e-12);
  EXPECT_NEAR(found.at("at"), 0.5, 1e-12);
  EXPECT_EQ(found.at("fast"), 1);
  EXPECT_TRUE(std::isnan(found.at("never")));
  EXPECT_EQ(found.at("start"), 5);
  EXPECT_NEAR(found.at("fastest"), -4.9, 1e-9);
  EXPECT_EQ(found.at("twice"), 1);
  EXPECT_NEAR(found.at("first"), 0.21, 1e-12);
}

TEST(Derived, AreInCanonicalTextAsTheyWereWritten) {
  const char* const text = R"(jostle: 1
variables: {theta: {uniform: [30, 55]}}
derived: {s: sind($theta), length: 0.2*$s + 1}
world: {step: 0.01, duration: 1}
bodies: {ball: {mass: 1, shape: {sphere: {radius: $length}}, position: [0, 0, $s]}}
outcomes: {z: {maximum: ball.position.z, while: time > 0.5}, v: {at_first: {when: time > 0.5, value: ball.velocity.z}}}
)";
  const Scenario first = parse_scenario(text, "one.yaml");
  const Scenario again = parse_scenario(first.canonical, "two.yaml");
  EXPECT_EQ(first.canonical, again.canonical);
  EXPECT_THAT(first.canonical, testing::HasSubstr("s: \"sind($theta)\""));
}

std::string error(const std::string& outcome, const std::string& derived = "{}") {
  return test::error_of("jostle: 1\nvariables: {mu: 1}\nderived: " + derived +
                        "\nworld: {step: 0.01, duration: 1}\nbodies:\n"
                        "  push: {prescribed: {velocity: [1, 0, 0]}}\n  ball: {mass: 1, inertia: 1}\n"
                        "joints:\n  slide: {prismatic: [push, ball], axis: [1, 0, 0]}\noutcomes: {x: " +
                        outcome + "}\n");
}

TEST(Reducers, RefuseConditionsThatMeanNothing) {
  EXPECT_EQ(error("{at_end: time, while: time > 1}"),
            "rod.yaml:10:37: outcomes.x.while has no meaning for at_end (write if(condition, a, b))");
  EXPECT_EQ(error("{maximum: time, while: time}"),
            "rod.yaml:10:38: outcomes.x.while needs a truth value such as 'x < 1', not a number");
  EXPECT_EQ(error("{at_first: {when: time, value: time}}"),
            "rod.yaml:10:33: outcomes.x.at_first.when needs a truth value such as 'x < 1', not a number");
  EXPECT_EQ(error("{at_first: {when: time > 1, value: time}, while: time > 1}"),
            "rod.yaml:10:64: outcomes.x.while has no meaning for at_first, which has `when`");
  EXPECT_EQ(error("{at_first: {value: time}}"), "rod.yaml:10:26: outcomes.x.at_first.when is missing");
}

TEST(Forces, RefuseWhatABodyOrJointDoesNotHave) {
  EXPECT_EQ(error("{at_end: slide.torque}"),
            "rod.yaml:10:24: outcomes.x.at_end: a prismatic joint has no quantity 'torque' (known: position, speed, "
            "impulse, reaction, moment, force, impact)");
  EXPECT_EQ(error("{at_end: push.torque.x}"),
            "rod.yaml:10:24: outcomes.x.at_end: push.torque is that of contacts, but slide also turns push; write "
            "slide.moment");
  EXPECT_EQ(error("{at_end: ball.force}"),
            "rod.yaml:10:24: outcomes.x.at_end: 'ball.force' needs one component: .x, "
            ".y or .z");
}

// Each has the operations of the one before twice.
TEST(Derived, AreRefusedWhereTheyGrowWithoutEnd) {
  std::string derived = "{a0: $mu + 1";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "$a" + std::to_string(i - 1);
    derived += ", a" + std::to_string(i) + ": " + last + " + " + last;
  }
  EXPECT_THAT(error("{at_end: time}", derived + "}"),
              testing::HasSubstr("too many operations, more than 50000, with those of derived variables"));
}

TEST(Derived, AreExpressionsOfVariables) {
  EXPECT_EQ(error("{at_end: time}", "{mu: 2}"), "rod.yaml:3:11: derived.mu has the name of a variable");
  EXPECT_EQ(error("{at_end: time}", "{s: {uniform: [0, 1]}}"),
            "rod.yaml:3:14: derived.s must be an expression; a distribution belongs to `variables`");
  EXPECT_EQ(error("{at_end: time}", "{s: 2*$late, late: 1}"),
            "rod.yaml:3:16: derived.s: '$late' is defined further down: `derived` may use what stands above");
  EXPECT_EQ(error("{at_end: $sine}", "{sin2: 1}"),
            "rod.yaml:10:24: outcomes.x.at_end: unknown variable '$sine' (did you mean '$sin2'?)");
}

}  // namespace
}  // namespace jostle

// Quantities and reducers of outcomes, evaluated while simulating.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

/// The only sample of a scenario, at its end.
struct Ended {
  explicit Ended(const std::string& text) : ensemble(parse_scenario(text, "quantities.yaml")) {
    ensemble.load(0, batch, 0);
    run_batch(batch, static_cast<int>(ensemble.model().total_steps));
    EXPECT_EQ(batch.status(0), Status::ok);
    for (std::size_t o = 0; o < ensemble.scenario().outcomes.size(); ++o)
      outcomes[ensemble.scenario().outcomes[o].name] = batch.state(0).outcomes[static_cast<int>(o)];
  }

  Ensemble ensemble;
  Batch batch{ensemble.model(), 1};
  std::map<std::string, double> outcomes;
};

std::map<std::string, double> outcomes_of(const std::string& text) { return Ended(text).outcomes; }

Eigen::Vector3d vector_of(const double* values) { return {values[0], values[1], values[2]}; }

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

// A body that has tumbled for half a second. What is expected comes from its state, whose spin is in the body's axes.
TEST(QuantitiesOfABody, AreThoseOfItsState) {
  Ended ended(R"yaml(jostle: 1
world: {step: 0.01, duration: 0.5, gravity: [1, -2, -9]}
bodies:
  post: {fixed: true, shape: {sphere: {radius: 0.1}}, position: [9, 9, 9]}
  brick:
    mass: 2
    inertia: [0.02, 0.03, 0.04]
    shape: {box: {size: [0.3, 0.2, 0.1]}}
    position: [1, 2, 3]
    rotation: {axis: [2, -1, 2], degrees: 40}
    velocity: [0.4, 0.5, 0.6]
    spin: [3, -4, 5]
contacts: [{between: any}]
outcomes:
  x: {at_end: brick.position.x}
  y: {at_end: brick.position.y}
  z: {at_end: brick.position.z}
  vx: {at_end: brick.velocity.x}
  vy: {at_end: brick.velocity.y}
  vz: {at_end: brick.velocity.z}
  wx: {at_end: brick.spin.x}
  wy: {at_end: brick.spin.y}
  wz: {at_end: brick.spin.z}
  axis_xx: {at_end: brick.axis_x.x}
  axis_xy: {at_end: brick.axis_x.y}
  axis_xz: {at_end: brick.axis_x.z}
  axis_yx: {at_end: brick.axis_y.x}
  axis_yy: {at_end: brick.axis_y.y}
  axis_yz: {at_end: brick.axis_y.z}
  axis_zx: {at_end: brick.axis_z.x}
  axis_zy: {at_end: brick.axis_z.y}
  axis_zz: {at_end: brick.axis_z.z}
  kinetic: {at_end: brick.kinetic_energy}
  total: {at_end: energy}
  until: {at_end: time}
)yaml");
  constexpr int brick = 1;
  const StateView state = ended.batch.state(0);
  const Eigen::Vector3d position = vector_of(&state.position[3 * brick]),
                        velocity = vector_of(&state.velocity[3 * brick]), spin = vector_of(&state.spin[3 * brick]);
  const double* const q = &state.orientation[4 * brick];
  const Eigen::Matrix3d axes = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
  const Eigen::Vector3d world_spin = axes * spin;
  const double kinetic =
      (2 * velocity.squaredNorm() + spin.dot(Eigen::Vector3d(0.02, 0.03, 0.04).cwiseProduct(spin))) / 2;
  const char component[] = {'x', 'y', 'z'};
  for (int k = 0; k < 3; ++k) {
    const std::string c(1, component[k]);
    EXPECT_EQ(ended.outcomes.at(c), position[k]);
    EXPECT_EQ(ended.outcomes.at("v" + c), velocity[k]);
    EXPECT_NEAR(ended.outcomes.at("w" + c), world_spin[k], 1e-14);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(ended.outcomes.at(std::string("axis_") + component[axis] + c), axes(k, axis), 1e-15);
  }
  EXPECT_NEAR(ended.outcomes.at("kinetic"), kinetic, 1e-13);
  EXPECT_NEAR(ended.outcomes.at("total"), kinetic - 2 * Eigen::Vector3d(1, -2, -9).dot(position), 1e-12);
  EXPECT_EQ(ended.outcomes.at("until"), 0.5);
  EXPECT_GT(std::fabs(axes(0, 1) - axes(1, 0)), 0.1) << "rows are told from columns";
}

TEST(Angle, CountsTheTurnsFromTheStart) {
  for (const double spin : {20.0, -20.0}) {
    const auto outcomes = outcomes_of(R"yaml(jostle: 1
world: {step: 0.01, duration: 1, gravity: [0, 0, 0]}
bodies:
  wheel:
    mass: 1
    shape: {cylinder: {radius: 0.1, length: 0.1}}
    freedom: [x, z, ry]
    rotation: {axis: [0, 1, 0], degrees: 45}
    spin: [0, )yaml" + std::to_string(spin) +
                                      R"yaml(, 0]
outcomes:
  angle: {at_end: wheel.angle}
  side: {at_end: wheel.axis_x.z}
)yaml");
    const double angle = std::numbers::pi / 4 + spin;
    EXPECT_NEAR(outcomes.at("angle"), angle, 1e-13);
    EXPECT_NEAR(outcomes.at("side"), -std::sin(angle), 1e-13);
  }
}

// q and -q are the same orientation, and that of the start is no turn.
TEST(Angle, OfAQuaternionIsTheSameForBothSigns) {
  for (const std::string sign : {"", "-"}) {
    const auto outcomes = outcomes_of(R"yaml(jostle: 1
world: {step: 0.01, duration: 0.01, gravity: [0, 0, 0]}
bodies: {wheel: {mass: 1, inertia: 1, freedom: [rz], rotation: {quaternion: [)yaml" +
                                      sign + "0.8, 0, 0, " + sign + R"yaml(0.6]}}}
outcomes: {angle: {at_end: wheel.angle}}
)yaml");
    EXPECT_NEAR(outcomes.at("angle"), 2 * std::atan2(0.6, 0.8), 1e-15);
  }
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
  starts: {first_time: ball.velocity.z > 0}
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

// At the end the ball falls at 2 m/s, so that the root has no value.
TEST(TruthValues, AreUndefinedWhereTheyDependOnWhatIsUndefined) {
  const std::string start =
      "jostle: 1\nworld: {step: 0.0625, duration: 2, gravity: [0, 0, -2]}\nbodies: {ball: {mass: 1, "
      "inertia: 1, velocity: [0, 0, 2]}}\noutcomes:\n";
  const auto outcomes = outcomes_of(start + R"yaml(
  below: {at_end: sqrt(ball.velocity.z) < 2}
  not_below: {at_end: not sqrt(ball.velocity.z) < 2}
  between: {at_end: sqrt(ball.velocity.z) > 1 and not sqrt(ball.velocity.z) > 2}
  chosen: {at_end: "if(time > 1, sqrt(ball.velocity.z) < 2, time > 0)"}
  share: {mean: sqrt(ball.velocity.z) < 2}
  guarded: {at_end: ball.velocity.z > 0 and sqrt(ball.velocity.z) < 2}
  guarded_share: {mean: ball.velocity.z >= 0 and sqrt(ball.velocity.z) < 2}
  either: {at_end: not (ball.velocity.z > 0 and sqrt(ball.velocity.z) < 2)}
  by_square: {at_end: ball.velocity.z^2 / 2 < 3}
  infinite: {at_end: 1 / (time - time) > 0}
  overflowed: {at_end: exp(1000*time) - exp(1000*time) < 1}
  not_overflowed: {at_end: not sin(exp(1000*time)) < 2}
  grown: {at_end: exp(time) > 7}
  before: {at_first: {when: time >= 0.5, value: sqrt(ball.velocity.z) > 1}}
  first: {first_time: sqrt(ball.velocity.z) < 2}
  side: {category: {low: sqrt(ball.velocity.z) < 2, high: not sqrt(ball.velocity.z) < 2}}
)yaml");
  for (const char* name : {"below", "not_below", "between", "chosen", "share", "overflowed", "not_overflowed"})
    EXPECT_EQ(std::bit_cast<std::uint64_t>(outcomes.at(name)), 0x7FF8000000000000u) << name;
  for (const char* name : {"guarded", "before", "first", "low"}) EXPECT_EQ(outcomes.at(name), 0) << name;
  for (const char* name : {"either", "by_square", "infinite", "grown", "high"}) EXPECT_EQ(outcomes.at(name), 1) << name;
  EXPECT_NEAR(outcomes.at("guarded_share"), 17.0 / 33, 1e-15);
}

TEST(FirstTime, IsTheEndOfTheFirstStepInWhichItHolds) {
  const auto outcomes = outcomes_of(thrown);
  EXPECT_EQ(outcomes.at("falls"), 1.0625);
  EXPECT_EQ(outcomes.at("starts"), 0) << "in the initial state";
  EXPECT_TRUE(std::isnan(outcomes.at("never")));
}

}  // namespace
}  // namespace jostle

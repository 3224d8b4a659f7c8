// Friction of ball joints: a moment of at most tau about any axis, in a polyhedron with 26 corners that turns with the
// first body. Against closed forms.
#include <tuple>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace ball_joint_laws {
namespace {

constexpr double inertia = 0.008, tau = 0.02;

class BallJointFriction : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  /// A ball of 2 kg whose centre is held by a ball joint.
  static Simulation ball(const std::string& spin, const std::string& more = "", const std::string& joint = "") {
    return Simulation(parse_scenario(
        "jostle: 1\nworld: {method: " +
            (std::get<0>(GetParam()) + (", solver: " + std::string(std::get<1>(GetParam())))) +
            ", step: 0.01, duration: 2}\nbodies:\n  ball: {mass: 2, inertia: 0.008, spin: " + spin +
            "}\njoints:\n  pin: {ball: [world, ball], at: [0, 0, 0], friction: 0.02" + joint + "}\n" + more,
        "ball.yaml"));
  }
};
INSTANTIATE_TEST_SUITE_P(
    Methods, BallJointFriction,
    testing::Combine(testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                     testing::Values("guess_first", "lemke")),
    [](const auto& of) { return std::string(std::get<0>(of.param)) + "_" + std::get<1>(of.param); });

// About an axis, the middle of an edge and a diagonal of the cube the whole of tau brakes: 4 rad/s stop after 1.6 s.
TEST_P(BallJointFriction, BrakesASpinningBob) {
  for (const auto& axis : {Vec3(0, 0, 1), Vec3(0, 1, -1), Vec3(-1, 1, 1)}) {
    const double length = std::sqrt(dot(axis, axis));
    char spin[200];
    std::snprintf(spin, sizeof spin, "[%.17g, %.17g, %.17g]", 4 * axis[0] / length, 4 * axis[1] / length,
                  4 * axis[2] / length);
    Simulation bob = ball(spin);
    for (const int step : {1, 50, 150}) {
      bob.run_to(step);
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(bob.spin("ball", k), (4 - tau / inertia * 0.01 * step) * axis[k] / length, 1e-10) << step;
    }
    for (const int step : {162, 163, 200}) {
      bob.run_to(step);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(bob.spin("ball", k), 0, 1e-10) << step;
    }
    EXPECT_EQ(bob.status(), Status::ok);
    EXPECT_NEAR(bob.position("ball", 0), 0, 1e-12);
  }
}

// Between its corners the moment is the corner that takes the most power: of (1, 2, 3) that of (0, 1, 1), until (1, 1,
// 1) takes as much.
TEST_P(BallJointFriction, IsTheCornerThatTakesTheMostPower) {
  Simulation bob = ball(
      "[1, 2, 3]", "outcomes: {x: {minimum: ball.spin.x}, y: {minimum: ball.spin.y}, z: {minimum: ball.spin.z}}\n");
  bob.run_to(4);
  EXPECT_EQ(bob.status(), Status::ok);
  const double change = tau / inertia * 0.04 / std::sqrt(2.0);
  const bool at_midpoint = std::string(std::get<0>(GetParam())).starts_with("trapezoidal");
  const double rounding = at_midpoint ? 1e-5 : 1e-11;  // of order h^2 where a torque turns in the axes of the body
  EXPECT_NEAR(bob.outcome("x"), 1, rounding);
  EXPECT_NEAR(bob.outcome("y"), 2 - change, rounding);
  EXPECT_NEAR(bob.outcome("z"), 3 - change, rounding);
}

// It holds a torque up to tau about an axis, and nothing turns.
TEST_P(BallJointFriction, HoldsATorque) {
  const auto speed = [](double torque) {
    Simulation bob = ball("[0, 0, 0]", "forces:\n  - {body: ball, torque: [0, " + std::to_string(torque) + ", 0]}\n");
    bob.run();
    EXPECT_EQ(bob.status(), Status::ok);
    return bob.spin("ball", 1);
  };
  EXPECT_EQ(speed(0.0199), 0);
  EXPECT_NEAR(speed(0.03), (0.03 - tau) / inertia * 2, 1e-9);
}

// Two bodies: what one loses the other gains, until both turn alike.
TEST(BallJointFrictionOfTwo, ConservesAngularMomentum) {
  Simulation pair(parse_scenario(
      "jostle: 1\nworld: {method: anitescu_potra, step: 0.01, duration: 2, gravity: [0, 0, 0]}\nbodies:\n  first: "
      "{mass: 2, inertia: 0.008}\n  second: {mass: 1, inertia: 0.004, spin: [0, 0, 4]}\njoints:\n  pin: {ball: [first, "
      "second], at: [0, 0, 0], friction: 0.02}\n",
      "pair.yaml"));
  pair.run_to(10);
  EXPECT_NEAR(pair.spin("first", 2), tau / inertia * 0.1, 1e-10);
  EXPECT_NEAR(pair.spin("second", 2), 4 - tau / 0.004 * 0.1, 1e-10);
  pair.run();
  EXPECT_EQ(pair.status(), Status::ok);
  EXPECT_NEAR(pair.spin("first", 2), 4.0 / 3, 1e-9);
  EXPECT_NEAR(pair.spin("second", 2), 4.0 / 3, 1e-9);
}

// In a plane it is that of a revolute joint.
TEST(BallJointFrictionInAPlane, IsThatOfARevoluteJoint) {
  const auto spin = [](const std::string& joint) {
    Simulation bar(parse_scenario(
        "jostle: 1\nworld: {method: stewart_trinkle, step: 0.01, duration: 1}\nbodies:\n  bar: {mass: 1, inertia: 0.1, "
        "freedom: [x, z, ry], position: [0.3, 0, 0]}\njoints:\n  pin: {" +
            joint + ": [world, bar], at: [0, 0, 0], friction: 0.7}\n",
        "bar.yaml"));
    bar.run();
    EXPECT_EQ(bar.status(), Status::ok);
    return bar.spin("bar", 1);
  };
  EXPECT_NEAR(spin("ball"), spin("axis: [0, 1, 0], revolute"), 1e-10);
}

// Beside other joints and contacts: a chain on a floor gains no energy.
TEST(BallJointFrictionOfAChain, GivesNoEnergy) {
  Simulation chain(parse_scenario(
      "jostle: 1\nworld: {method: anitescu_potra, step: 0.002, duration: 0.6, stabilisation: 0}\nbodies:\n  floor: "
      "{fixed: "
      "true, shape: {half_space: {normal: [0, 0, 1]}}}\n  a: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [0, 0, "
      "0.5], "
      "shape: {box: {size: [0.4, 0.1, 0.1]}}, spin: [3, 1, 2]}\n  b: {mass: 1, inertia: [0.01, 0.02, 0.03], position: "
      "[0.5, 0, 0.5], shape: {box: {size: [0.4, 0.1, 0.1]}}}\n  c: {mass: 1, inertia: [0.01, 0.02, 0.03], position: "
      "[1, 0, "
      "0.5], shape: {box: {size: [0.4, 0.1, 0.1]}}}\njoints:\n  ab: {ball: [a, b], at: [0.25, 0, 0.5], friction: "
      "0.05}\n  "
      "bc: {revolute: [b, c], axis: [0, 1, 0], at: [0.75, 0, 0.5], friction: 0.05, limits: [-1, 1]}\ncontacts:\n  - "
      "{between: any, friction: 0.4}\n",
      "chain.yaml"));
  chain.run();
  EXPECT_EQ(chain.status(), Status::ok);
  EXPECT_LE(chain.state().energy_gain_max(), 1e-10);
}

}  // namespace
}  // namespace ball_joint_laws
}  // namespace jostle

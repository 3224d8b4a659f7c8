// Laws of bodies that joints tie.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

/// A bar that hangs from the world at a distance of 0.4 m, 0.05 rad from its rest.
Scenario hanging_bar(bool planar, double step, double duration) {
  const std::string body = planar ? "inertia: 0.03, freedom: [x, y, rz]" : "inertia: [0.03, 0.02, 0.03]";
  return tied_scenario(step, duration, falls_along_y,
                       "bodies:\n  bar: {mass: 2, " + body +
                           ", position: [\"0.4*sin(0.05)\", \"-0.4*cos(0.05)\", 0]}\n"
                           "joints:\n  hinge: {revolute: [world, bar], at: [0, 0, 0], axis: [0, 0, 1]}\n");
}

class Pendulum : public testing::TestWithParam<bool> {};

// T = 2 pi sqrt((J + m L^2) / (m g L)) (1 + a^2 / 16) for the amplitude a = 0.05.
TEST_P(Pendulum, SwingsWithItsPeriod) {
  const double period = 2 * std::numbers::pi * std::sqrt((0.03 + 2 * 0.16) / (2 * 9.81 * 0.4)) * (1 + 0.0025 / 16);
  double error[2];
  for (int finer = 0; finer < 2; ++finer) {
    const double h = finer ? 0.0005 : 0.001;
    Simulation simulation(hanging_bar(GetParam(), h, 5));
    std::vector<double> crossings;
    double before = 0;
    simulation.watch([&](const StateView& state) {
      const double x = state.position[0];
      if (before > 0 && x <= 0) crossings.push_back(state.steps() * h - h * x / (x - before));
      before = x;
    });
    ASSERT_EQ(simulation.status(), Status::ok);
    ASSERT_GE(crossings.size(), 3U);
    const double swings = static_cast<double>(crossings.size() - 1);
    error[finer] = std::fabs((crossings.back() - crossings.front()) / swings - period);
  }
  EXPECT_LE(error[0], 1e-4 * period);
  EXPECT_LE(error[1], 0.6 * error[0] + 1e-7) << "it converges";
}

// Every step pulls the bar back to where its joint is closed.
TEST_P(Pendulum, DriftsLittle) {
  const std::string body = GetParam() ? "inertia: 0.002, freedom: [x, y, rz]" : "inertia: [0.002, 0.003, 0.004]";
  Simulation simulation(
      tied_scenario(0.01, 10, falls_along_y,
                    "bodies:\n  bob: {mass: 1, " + body +
                        ", position: [1, 0, 0]}\n"
                        "joints:\n  hinge: {revolute: [world, bob], at: [0, 0, 0], axis: [0, 0, 1]}\n"));
  double drift = 0;
  simulation.watch([&](const StateView& state) {
    drift = std::max(drift, std::fabs(std::hypot(state.position[0], state.position[1]) - 1));
  });
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_LE(drift, 1e-6);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Pendulum, testing::Bool(),
                         [](const auto& planar) { return planar.param ? "Planar" : "Spatial"; });

// J = m L^2 / 12 and r = L/2, so f = 3/4 in 1/w^2 = 1/w_0^2 + 2 f h t: the law of Stewart and Trinkle's method.
TEST(ARodAboutItsEnd, BrakesAsStated) {
  const std::string rod =
      "bodies:\n  rod: {mass: 1, inertia: [1/12, 1/12, 1/12], position: [0.5, 0, 0], spin: [0, 0, 10], "
      "velocity: [0, 5, 0]}\n"
      "joints:\n  hinge: {revolute: [world, rod], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "outcomes: {speed: {at_end: rod.spin.z}}\n";
  const double step = 0.001, stated = 1 / std::sqrt(0.01 + 2 * 0.75 * step);
  Simulation simulation(tied_scenario(step, 1, floats, rod));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.outcome("speed"), stated, 1e-2 * (10 - stated));
  Simulation other(tied_scenario(step, 1, floats + ", method: trapezoidal", rod));
  other.run();
  EXPECT_NEAR(other.outcome("speed"), 10, 1e-3);
}

// Where nothing moves, the velocities are rounding errors: the certificate judges them by what the joints hold.
TEST(HangingBar, StaysAtRest) {
  Simulation simulation(
      tied_scenario(0.01, 5, "",
                    "bodies:\n  bar: {mass: 3, inertia: [0.1, 0.2, 0.15], position: [0.2, 0.1, -0.7]}\n"
                    "joints:\n  hinge: {ball: [world, bar], at: [0.2, 0.1, 0.3]}\n"
                    "outcomes: {reaction: {at_end: hinge.reaction}}\n"));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.position("bar", 2), -0.7, 1e-12);
  EXPECT_NEAR(simulation.outcome("reaction"), 0.01 * 3 * standard_gravity, 1e-13);
}

class Slider : public testing::TestWithParam<bool> {};

// A slider at v0 with friction of force F: N = ceil(m v0 / (F h)) steps and d = h [(N-1) v0 - F/m h N (N-1) / 2].
TEST_P(Slider, StopsAfterTheDistanceOfItsFriction) {
  constexpr double h = 0.01, v0 = 1.5, force = 3, mass = 2;
  const bool planar = GetParam();
  const std::string body = planar ? "inertia: 0.3, freedom: [x, y, rz]" : "inertia: [0.1, 0.2, 0.3]";
  Simulation simulation(tied_scenario(h, 2, "gravity: [-8, 6, 0]",  // across the way
                                      "bodies:\n  slide: {mass: 2, " + body +
                                          ", velocity: [\"1.5*0.6\", \"1.5*0.8\", 0]}\n"
                                          "joints:\n  way: {prismatic: [world, slide], axis: [3, 4, 0], friction: 3}\n"
                                          "outcomes: {reaction: {at_end: way.reaction}}\n"));
  const double slower = force / mass * h, n = std::ceil(v0 / slower);
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.state().joint_position[0], h * ((n - 1) * v0 - slower * n * (n - 1) / 2), 1e-12);
  EXPECT_NEAR(simulation.state().joint_speed[0], 0, 1e-14);
  EXPECT_NEAR(simulation.outcome("reaction"), h * mass * 10, 1e-13) << "it carries the weight";
  EXPECT_NEAR(simulation.state().joint_impulse[0], 0, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Slider, testing::Bool(),
                         [](const auto& planar) { return planar.param ? "Planar" : "Spatial"; });

// Below the bound, friction holds.
TEST(SliderOnASlope, HoldsIfItIsNotTooSteep) {
  for (const auto& [force, holds] : {std::pair{4.91, true}, {4.90, false}}) {
    Simulation simulation(tied_scenario(
        0.01, 1, "",
        "bodies:\n  slide: {mass: 1, inertia: 0.1}\n"
        "joints:\n  way: {prismatic: [world, slide], axis: [\"cos(pi/6)\", 0, \"sin(pi/6)\"], friction: " +
            std::to_string(force) + "}\n"));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    const double slid = holds ? 0 : 0.5 * (4.905 - force);
    EXPECT_NEAR(simulation.state().joint_position[0], -slid, holds ? 1e-12 : 1e-4);
  }
}

class Motor : public testing::TestWithParam<bool> {};

// J dw/dt = limit up to the speed, then only what is needed.
TEST_P(Motor, ReachesItsSpeedAtTheLimitOfItsTorque) {
  constexpr double h = 0.01, inertia = 0.2, limit = 0.5, speed = 1.3;
  const std::string body = GetParam() ? "inertia: 0.2, freedom: [x, y, rz]" : "inertia: [0.1, 0.3, 0.2]";
  Simulation simulation(tied_scenario(h, 1, GetParam() ? falls_along_y : "",
                                      "bodies:\n  wheel: {mass: 3, " + body +
                                          "}\njoints:\n  axle: {revolute: [world, wheel], at: [0, 0, 0], axis: [0, "
                                          "0, 1], motor: {speed: 1.3, limit: 0.5}}\n"));
  const double faster = h * limit / inertia;
  simulation.watch([&](const StateView& state) {
    const double reached = state.steps() * faster;
    EXPECT_NEAR(state.joint_speed[0], std::min(reached, speed), 1e-13) << state.steps();
    const double impulse = reached <= speed ? h * limit : std::max(0.0, speed - (reached - faster)) * inertia;
    EXPECT_NEAR(state.joint_impulse[0], state.steps() > 0 ? impulse : 0, 1e-13) << state.steps();
    EXPECT_EQ(state.energy_gained(), 0) << "a motor's work is no gain";
  });
  ASSERT_EQ(simulation.status(), Status::ok);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Motor, testing::Bool(),
                         [](const auto& planar) { return planar.param ? "Planar" : "Spatial"; });

// A strong motor has at the end of every step the speed of that time.
TEST(Motor, FollowsASpeedThatChangesWithTime) {
  constexpr double h = 0.005;
  Simulation simulation(tied_scenario(
      h, 2, floats,
      "bodies:\n  base: {mass: 5, inertia: 2}\n  cart: {mass: 1, inertia: 1, position: [1, 0, 0]}\n"
      "joints:\n  way: {prismatic: [base, cart], axis: [1, 0, 0], motor: {speed: 0.4*cos(3*t), limit: 100}}\n"));
  simulation.watch([&](const StateView& state) {
    if (state.steps() == 0) return;
    EXPECT_NEAR(state.joint_speed[0], 0.4 * std::cos(3 * state.steps() * h), 1e-12);
    EXPECT_NEAR(5 * state.velocity[0] + state.velocity[3], 0, 1e-13) << "it pushes both";
  });
  ASSERT_EQ(simulation.status(), Status::ok);
}

class DistanceJoint : public testing::TestWithParam<bool> {};

TEST_P(DistanceJoint, ConservesMomentum) {
  const std::string turns =
      GetParam() ? "inertia: 0.15, freedom: [x, y, rz], spin: [0, 0, 3]" : "inertia: [0.1, 0.2, 0.15], spin: [1, 2, 3]";
  const std::string other = GetParam() ? "inertia: 0.2, freedom: [x, y, rz]" : "inertia: 0.2";
  Simulation simulation(tied_scenario(0.001, 2, floats,
                                      "bodies:\n  a: {mass: 1, " + turns +
                                          ", position: [0, 0.5, 0], velocity: [1, 0.5, 0]}\n  b: {mass: 3, " + other +
                                          ", position: [0, -0.5, 0], velocity: [-1, 0.25, 0]}\n"
                                          "joints:\n  rope: {distance: [a, b], at: [[0.1, 0.4, 0], [0, -0.5, 0]]}\n"));
  const double length = std::hypot(0.1, 0.9);
  double farthest = 0;
  simulation.watch([&](const StateView& state) {
    for (int k = 0; k < 3; ++k) {
      const double expected[] = {-2, 1.25, 0};
      EXPECT_NEAR(state.velocity[k] + 3 * state.velocity[3 + k], expected[k], 2e-12);
    }
    const Vec3 end =
        vector_at(state.position, 0) + rotate(rotation_matrix(quaternion_at(state.orientation, 0)), Vec3(0.1, -0.1, 0));
    const Vec3 gap = vector_at(state.position, 1) - end;
    farthest = std::max(farthest, std::fabs(std::sqrt(dot(gap, gap)) - length));
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_LE(farthest, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Scenes, DistanceJoint, testing::Bool(),
                         [](const auto& planar) { return planar.param ? "Planar" : "Spatial"; });

TEST(JointLimits, StopAndHoldADoor) {
  for (const double at : {0.5, 2.5}) {
    char limits[64];
    std::snprintf(limits, sizeof limits, "limits: [-%.2f, %.2f]", at, at);
    Simulation simulation(tied_scenario(0.001, 2, floats,
                                        "bodies:\n  door: {mass: 5, inertia: [1, 1, 0.5], position: [0.4, 0, 0], "
                                        "velocity: [0, 1.2, 0], spin: [0, 0, 3]}\n"
                                        "joints:\n  hinge: {revolute: [world, door], at: [0, 0, 0], axis: [0, 0, 1], " +
                                            std::string(limits) + "}\n"));
    double most = 0;
    simulation.watch([&](const StateView& state) { most = std::max(most, state.joint_position[0]); });
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(most, at, 1e-9);
    // No restitution: what speed is left comes from closing the hinge again after the stop.
    EXPECT_NEAR(simulation.state().joint_position[0], at, 1e-5);
    EXPECT_NEAR(simulation.state().joint_speed[0], 0, 1e-5);
  }
}

TEST(RevoluteJoint, CountsItsTurns) {
  Simulation simulation(
      tied_scenario(0.001, 3, floats,
                    "bodies:\n  wheel: {mass: 1, inertia: [0.1, 0.1, 0.2], spin: [0, 0, 20]}\n"
                    "joints:\n  axle: {revolute: [world, wheel], at: [0, 0, 0], axis: [0, 0, -1]}\n"));
  simulation.run();
  EXPECT_NEAR(simulation.state().joint_position[0], -60, 1e-9);
  EXPECT_NEAR(simulation.state().joint_speed[0], -20, 1e-12);
}

TEST(TiedBodies, TouchOnlyIfARuleNamesBoth) {
  const std::string bodies =
      "bodies:\n  a: {mass: 1, shape: {sphere: {radius: 0.5}}}\n"
      "  b: {mass: 1, shape: {sphere: {radius: 0.5}}, position: [1.2, 0, 0], velocity: [-1, 0, 0]}\n"
      "joints:\n  way: {prismatic: [a, b], axis: [1, 0, 0]}\n";
  Simulation through(tied_scenario(0.01, 1, floats, bodies));
  through.run();
  EXPECT_EQ(through.status(), Status::ok);
  EXPECT_NEAR(through.state().joint_position[0], -1, 1e-9);
  Simulation touching(tied_scenario(0.01, 1, floats, bodies + "contacts: [{between: [a, b], friction: 0}]\n"));
  touching.run();
  EXPECT_EQ(touching.status(), Status::ok);
  EXPECT_NEAR(touching.state().joint_position[0], -0.2, 1e-9);
}

TEST(HangingBar, EndsWhereAForceIsNoNumber) {
  Simulation simulation(tied_scenario(0.01, 1, "",
                                      "bodies:\n  bar: {mass: 3, inertia: 0.1, position: [0, 0, -0.7]}\n"
                                      "joints:\n  hinge: {ball: [world, bar], at: [0, 0, 0]}\n"
                                      "forces: [{body: bar, force: [sqrt(0.5 - t), 0, 0]}]\n"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::not_finite);
  EXPECT_EQ(simulation.state().steps(), 50);
}

}  // namespace
}  // namespace jostle

// Limits of the speeds of joints, as of freewheels, against closed forms under every method; docs/theory.md (41e).
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class SpeedLimits : public testing::TestWithParam<const char*> {
 protected:
  static bool is(const char* method) { return std::string(method) == GetParam(); }
  static Scenario scenario(double h, double duration, const std::string& text) {
    return tied_scenario(h, duration, std::string(floats) + ", method: " + GetParam(), text);
  }
  /// The error of a method in a motion whose accelerations and speeds are about 1, with steps of h.
  static double error(double h) {
    if (is("loetstedt")) return 10 * h * h * h * h;
    return is("trapezoidal") || is("trapezoidal_midpoint") ? 20 * h * h : 4 * h;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, SpeedLimits,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& one) { return std::string(one.param); });

// A freewheel lets a disc on a torsion spring go forth, but not back: it stays at its amplitude.
TEST_P(SpeedLimits, AFreewheelHoldsASpringAtItsAmplitude) {
  constexpr double h = 0.01, J = 0.3, k = 12;
  const double w = std::sqrt(k / J), amplitude = 1.5 / w;
  for (const bool turned : {false, true}) {
    Simulation simulation(
        scenario(h, 1,
                 std::string("bodies:\n  disc: {mass: 2, inertia: 0.3, freedom: [x, y, rz], spin: [0, 0, ") +
                     (turned ? "-" : "") +
                     "1.5]}\njoints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], "
                     "stiffness: 12, speed_limits: " +
                     (turned ? "[null, 0]" : "[0, .inf]") + "}\n"));
    const double sign = turned ? -1 : 1;
    simulation.watch([&](const StateView& s) {
      const double t = h * s.steps(), angle = w * t < pi / 2 ? amplitude * std::sin(w * t) : amplitude;
      EXPECT_NEAR(sign * s.joint_position[0], angle, 1.5 * error(h)) << s.steps();
      EXPECT_GE(sign * s.joint_speed[0], -1e-12) << s.steps();
    });
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(sign * simulation.state().joint_impulse[0], k * amplitude * h, k * h * 1.5 * error(h));
    EXPECT_LE(simulation.state().energy_gained(), is("loetstedt") ? 1e-6 : 0);
  }
}

// A torque T cos W t: v = T/(J W) sin W t, then 0 while the torque pulls back, then T/(J W) (1 + sin W t).
TEST_P(SpeedLimits, AFreewheelLetsGoWhereTheTorqueTurns) {
  constexpr double h = 0.005, W = 3, most = 2 / (0.5 * W);
  Simulation simulation(scenario(h, 2.5,
                                 "bodies:\n  disc: {mass: 2, inertia: 0.5, freedom: [x, y, rz]}\n"
                                 "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], "
                                 "speed_limits: [0, null]}\n"
                                 "forces: [{body: disc, torque: [0, 0, \"2*cos(3*t)\"]}]\n"));
  simulation.watch([&](const StateView& s) {
    const double t = h * s.steps();
    const double speed = W * t < pi ? std::sin(W * t) : W * t < 1.5 * pi ? 0.0 : 1 + std::sin(W * t);
    // Where it lets go, a stage of the fourth order method has the constraint in part of the step.
    EXPECT_NEAR(s.joint_speed[0], most * speed, is("loetstedt") ? 2e-5 : error(h) + h * h * 6) << s.steps();
  });
  ASSERT_EQ(simulation.status(), Status::ok);
}

// A flywheel b on a shaft a by a freewheel: if the shaft is braked, b runs on; if b is braked, it takes the shaft
// along.
TEST_P(SpeedLimits, AFreewheelBrakesOneWay) {
  constexpr double h = 0.01, a = 0.2, b = 0.6, brake = 0.4;
  for (const bool shaft_brakes : {true, false}) {
    const std::string friction = ", friction: 0.4", free;
    Simulation simulation(
        scenario(h, 0.5,
                 "bodies:\n  a: {mass: 1, inertia: 0.2, freedom: [x, y, rz], spin: [0, 0, 5]}\n"
                 "  b: {mass: 1, inertia: 0.6, freedom: [x, y, rz], spin: [0, 0, 5]}\n"
                 "joints:\n  bearing: {revolute: [world, a], at: [0, 0, 0], axis: [0, 0, 1]" +
                     (shaft_brakes ? friction : free) +
                     "}\n  wheel: {revolute: [a, b], at: [0, 0, 0], axis: [0, 0, 1], speed_limits: [0, null]}\n"
                     "  drum: {revolute: [world, b], at: [0, 0, 0], axis: [0, 0, 1]" +
                     (shaft_brakes ? free : friction) + "}\n"));
    simulation.watch([&](const StateView& s) {
      const double t = h * s.steps();
      EXPECT_NEAR(s.spin[2], 5 - t * brake / (shaft_brakes ? a : a + b), 1e-10) << s.steps();
      EXPECT_NEAR(s.spin[5], shaft_brakes ? 5 : 5 - t * brake / (a + b), 1e-10) << s.steps();
    });
    ASSERT_EQ(simulation.status(), Status::ok);
  }
}

// A governor: a constant force up to the speed that is allowed, and the joint takes the rest of it.
TEST_P(SpeedLimits, AGovernorKeepsItsSpeed) {
  constexpr double h = 0.01;
  Simulation simulation(scenario(h, 1,
                                 "bodies:\n  cart: {mass: 2, freedom: [x, y]}\n"
                                 "joints:\n  slide: {prismatic: [world, cart], axis: [1, 0, 0], "
                                 "speed_limits: [-0.5, 0.617]}\n"
                                 "forces: [{body: cart, force: [3, 0, 0]}]\n"));
  simulation.watch([&](const StateView& s) {
    EXPECT_NEAR(s.joint_speed[0], std::min(0.617, 1.5 * h * s.steps()), 1e-12) << s.steps();
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.state().joint_impulse[0], -3 * h, 1e-12);
  EXPECT_EQ(simulation.state().energy_gained(), 0) << "a governor does work as a motor does";
}

// Speeds outside the limits at the start jump to them, with the impulse that this takes.
TEST_P(SpeedLimits, AStartOutsideJumps) {
  Simulation simulation(scenario(0.01, 0.02,
                                 "bodies:\n  cart: {mass: 2, freedom: [x, y], velocity: [-1, 0, 0]}\n"
                                 "joints:\n  slide: {prismatic: [world, cart], axis: [1, 0, 0], "
                                 "speed_limits: [0.25, null]}\n"));
  simulation.run_to(1);
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.state().joint_speed[0], 0.25, 1e-12);
  EXPECT_NEAR(simulation.state().joint_impulse[0], 2 * 1.25, 1e-12);
  simulation.run();
  EXPECT_NEAR(simulation.state().joint_speed[0], 0.25, 1e-12);
}

// A body on the arm of a turning one, which a slide with a motor that stands, a freewheel or a limit holds: both turn
// as one body. The axis of the slide turns, too.
TEST_P(SpeedLimits, HoldASlideThatTurns) {
  for (const std::string held : {"motor: {speed: 0, limit: 100}", "speed_limits: [0, null]", "limits: [0, 1]"}) {
    SCOPED_TRACE(held);
    constexpr double h = 0.002, spin = 5;
    Simulation simulation(
        scenario(h, 1,
                 "bodies:\n  a: {mass: 1, inertia: [0.01, 0.01, 0.01], spin: [0, 0, 5]}\n"
                 "  b: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.1, 0.05, 0], velocity: [-0.25, 0.5, 0], "
                 "spin: [0, 0, 5]}\n"
                 "joints:\n  p: {revolute: [world, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                 "  s: {prismatic: [a, b], axis: [-1, 0, 0], " +
                     held + "}\n"));
    const double tolerance = 2 * error(spin * h);
    simulation.watch([&](const StateView& s) {
      EXPECT_NEAR(s.joint_position[0], spin * h * s.steps(), tolerance) << s.steps();
      EXPECT_NEAR(s.joint_position[1], 0, 0.05 * tolerance) << s.steps();
    });
    ASSERT_EQ(simulation.status(), Status::ok);
  }
}

// A ball with e = 0.5 falls on a lift that may only go up: the freewheel holds the lift, as a floor would be.
TEST_P(SpeedLimits, HoldInImpacts) {
  if (is("stewart_trinkle")) return;
  Simulation simulation(
      tied_scenario(0.01, 0.7, std::string("method: ") + GetParam(),
                    "bodies:\n  lift: {mass: 3, freedom: [z], shape: {box: {size: [1, 1, 0.2]}}}\n"
                    "  ball: {mass: 1, freedom: [z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 1.2]}\n"
                    "joints:\n  rail: {prismatic: [world, lift], axis: [0, 0, 1], speed_limits: [0, null]}\n"
                    "contacts: [{between: any, restitution: 0.5}]\n"));
  const double fall = std::sqrt(2 / 9.81), speed = 0.5 * std::sqrt(2 * 9.81);
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.velocity("ball", 2), speed - 9.81 * (0.7 - fall), is("anitescu_potra") ? 0.1 : 1e-6);
  EXPECT_NEAR(simulation.position("lift", 2), 0, 1e-12);
}

}  // namespace
}  // namespace jostle

// Springs, dampers and armatures of joints, against closed forms under every method; docs/theory.md (41a) to (41d).
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

struct MethodOrder {
  const char* name;
  int order;
};
constexpr MethodOrder methods[] = {
    {"stewart_trinkle", 1}, {"anitescu_potra", 1}, {"trapezoidal", 2}, {"trapezoidal_midpoint", 2}, {"loetstedt", 4}};

class DrivesOfJoints : public testing::TestWithParam<MethodOrder> {
 protected:
  static Scenario scenario(double h, double duration, const std::string& text, const std::string& more = "") {
    return tied_scenario(h, duration, std::string(floats) + ", method: " + GetParam().name + more, text);
  }
  /// Errors at the end fall by 2^order from h/2 to h/4.
  static void expect_order(double h, double duration, const std::string& text, double exact, double tolerance,
                           double (*value)(const StateView&)) {
    double error[3];
    for (int i = 0; i < 3; ++i) {
      Simulation simulation(scenario(h / (1 << i), duration, text));
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok);
      // The sums of stages have the work of springs up to the order of the method.
      EXPECT_LE(simulation.state().energy_gained(), GetParam().order == 4 ? 1e-5 : 0);
      error[i] = std::fabs(value(simulation.state()) - exact);
    }
    EXPECT_LT(error[0], tolerance);
    EXPECT_NEAR(std::log2(error[1] / error[2]), GetParam().order, 0.15) << error[1] << ' ' << error[2];
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, DrivesOfJoints, testing::ValuesIn(methods),
                         [](const auto& one) { return std::string(one.param.name); });

double angle_of_joint(const StateView& state) { return state.joint_position[0]; }

/// x = e^(-d t) (x0 cos w t + (v0 + d x0)/w sin w t) of m x'' + c x' + k x = 0.
double oscillation(double m, double c, double k, double x0, double v0, double t) {
  const double d = c / (2 * m), w = std::sqrt(k / m - d * d);
  return std::exp(-d * t) * (x0 * std::cos(w * t) + (v0 + d * x0) / w * std::sin(w * t));
}

// A disc of J = 0.3 kg m^2 on a torsion spring with a rotor of 0.2 kg m^2: T = 2 pi sqrt((J + a)/k).
TEST_P(DrivesOfJoints, ATorsionPendulumSwingsAsItShould) {
  for (const bool planar : {true, false}) {
    const std::string body = std::string("bodies:\n  disc: {mass: 2, inertia: 0.3, spin: [0, 0, 1.5]") +
                             (planar ? ", freedom: [x, y, rz]}\n" : "}\n");
    const std::string joint = "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], ";
    expect_order(0.02, 2, body + joint + "stiffness: 12, armature: 0.2, rest: 0.4}\n",
                 0.4 + oscillation(0.5, 0, 12, -0.4, 1.5, 2), 0.25, angle_of_joint);
    expect_order(0.02, 2, body + joint + "stiffness: 12, armature: 0.2, damping: 0.9, rest: 0.4}\n",
                 0.4 + oscillation(0.5, 0.9, 12, -0.4, 1.5, 2), 0.1, angle_of_joint);
    expect_order(0.02, 2, body + joint + "damping: 0.9}\n", 1.5 / 3 * (1 - std::exp(-3 * 2.0)), 0.04, angle_of_joint);
  }
}

// Two carts on one slide, with a spring, a damper and a rotor between them: the reduced mass is m M/(m + M) + a.
TEST_P(DrivesOfJoints, ASlideBetweenTwoBodiesSwingsAsItShould) {
  const std::string text =
      "bodies:\n  first: {mass: 2, inertia: 1, freedom: [x, y, rz], velocity: [0.3, 0, 0]}\n"
      "  second: {mass: 3, inertia: 1, freedom: [x, y, rz], position: [1, 0, 0], velocity: [-0.6, 0, 0]}\n"
      "joints:\n  slide: {prismatic: [first, second], axis: [1, 0, 0], stiffness: 20, damping: 1.1, armature: 0.5, "
      "rest: 0.1}\n";
  expect_order(0.02, 1, text, 0.1 + oscillation(1.7, 1.1, 20, -0.1, -0.9, 1), 0.05, angle_of_joint);
  Simulation simulation(scenario(0.02, 1, text));
  const double momentum = 2 * 0.3 - 3 * 0.6;
  simulation.watch([&](const StateView& state) {
    EXPECT_NEAR(2 * state.velocity[0] + 3 * state.velocity[3], momentum, 1e-13) << state.steps();
  });
}

// An angle counts its turns: the spring pulls back from several of them.
TEST_P(DrivesOfJoints, ASpringCountsTurns) {
  Simulation simulation(scenario(0.001, 3,
                                 "bodies:\n  disc: {mass: 2, inertia: 0.3, freedom: [x, y, rz], spin: [0, 0, 40]}\n"
                                 "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], "
                                 "stiffness: 1}\n"));
  const double w = std::sqrt(1 / 0.3);
  double largest = 0;
  simulation.watch([&](const StateView& state) { largest = std::max(largest, state.joint_position[0]); });
  EXPECT_NEAR(largest, 40 / w, 0.05);
  EXPECT_NEAR(simulation.state().joint_position[0], 40 / w * std::sin(3 * w), 0.1);
}

// A motor at its limit: w' = limit/(J + a), and nothing of it is gained.
TEST_P(DrivesOfJoints, AMotorAcceleratesItsRotor) {
  Simulation simulation(scenario(0.01, 1,
                                 "bodies:\n  disc: {mass: 2, inertia: 0.3}\n"
                                 "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], "
                                 "armature: 0.45, motor: {speed: 1000, limit: 3}}\n"));
  simulation.watch([&](const StateView& state) {
    EXPECT_NEAR(state.spin[2], 3 / 0.75 * 0.01 * state.steps(), 1e-12) << state.steps();
  });
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

// A motor that holds a slide is told another speed, which it reaches. Its work is no gain, though under Loetstedt's
// method it does all of it at the end of a step. Where the speed has a large derivative at one end of a step, that
// stage is not counted: h/6 of the limit, at half of the speed.
TEST_P(DrivesOfJoints, AMotorWhoseSpeedJumpsGainsNothing) {
  constexpr double h = 0.001, limit = 20;
  for (const auto& [speed, most] : {std::pair{"if(t > 0.1, 1, 0)", 1e-12},
                                    {"if(t >= 0.1, 1, 0)", 1e-12},
                                    {"if(t > 0.1, 1, 0.01)", 1e-12},
                                    {"if(t > 0.1, 1, -1)", 1e-12},
                                    {"min(1, max(0, 1e6*t - 1e5))", h / 6 * limit / 2}}) {
    for (const char* more : {"", ", friction: 5", ", armature: 0.5"}) {
      const std::string joint = "joints:\n  slide: {prismatic: [world, cart], axis: [1, 0, 0]" + std::string(more) +
                                ", motor: {limit: " + std::to_string(limit) + ", speed: '" + speed + "'}}\n";
      Simulation simulation(scenario(h, 0.3, "bodies:\n  cart: {mass: 1, inertia: 1, freedom: [x]}\n" + joint));
      simulation.run();
      EXPECT_EQ(simulation.status(), Status::ok) << speed << more;
      EXPECT_NEAR(simulation.state().joint_speed[0], 1, 1e-12) << speed << more;
      EXPECT_LE(simulation.state().energy_gained(), most) << speed << more;
    }
  }
}

// A motor between two free bodies with a large rotor: all momenta stay.
TEST_P(DrivesOfJoints, AMotorBetweenFreeBodiesKeepsTheMomenta) {
  Simulation simulation(scenario(0.01, 1,
                                 "bodies:\n  a: {mass: 2, inertia: 0.3, freedom: [x, y, rz], velocity: [1, 0, 0], "
                                 "spin: [0, 0, 0.5]}\n"
                                 "  b: {mass: 1, inertia: 0.1, freedom: [x, y, rz], position: [0.5, 0, 0], "
                                 "velocity: [1, 0.25, 0], spin: [0, 0, 0.5]}\n"
                                 "joints:\n  pin: {revolute: [a, b], at: [0.2, 0, 0], axis: [0, 0, 1], "
                                 "armature: 5, stiffness: 0.3, motor: {speed: 2, limit: 1}}\n"));
  const auto angular = [](const StateView& s) {
    const auto of = [&](int b, double m, double J) {
      return J * s.spin[3 * b + 2] +
             m * (s.position[3 * b] * s.velocity[3 * b + 1] - s.position[3 * b + 1] * s.velocity[3 * b]);
    };
    return of(0, 2, 0.3) + of(1, 1, 0.1);
  };
  double before = 0, largest = 0;
  simulation.watch([&](const StateView& s) {
    if (s.steps() == 1) before = angular(s);
    if (s.steps() > 1) largest = std::max(largest, std::fabs(angular(s) - before));
    EXPECT_NEAR(2 * s.velocity[0] + s.velocity[3], 3, 1e-12);
    EXPECT_NEAR(2 * s.velocity[1] + s.velocity[4], 0.25, 1e-12);
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_LT(largest, GetParam().order == 1 ? 2e-2 : GetParam().order == 2 ? 2e-4 : 1e-9);
}

/// r, r', turn and spin of a slider of mass m with a rotor of a on a spring k on an arm of inertia I (its own too), at
/// time t from (r0, 0, 0, w0): (m + a) r'' = m r w^2 - k (r - r0), (I + m r^2) w' = -2 m r r' w.
std::array<double, 4> slider_on_arm(double m, double a, double k, double I, double r0, double w0, double t) {
  std::array<double, 4> y{r0, 0, 0, w0};
  const auto rate = [&](const std::array<double, 4>& s) {
    return std::array<double, 4>{s[1], (m * s[0] * s[3] * s[3] - k * (s[0] - r0)) / (m + a), s[3],
                                 -2 * m * s[0] * s[1] * s[3] / (I + m * s[0] * s[0])};
  };
  constexpr int steps = 4000;
  const double h = t / steps;
  for (int n = 0; n < steps; ++n) {
    std::array<double, 4> total{}, stage = y;
    const double weight[] = {1, 2, 2, 1}, node[] = {0.5, 0.5, 1, 0};
    for (int i = 0; i < 4; ++i) {
      const auto f = rate(stage);
      for (std::size_t c = 0; c < 4; ++c) total[c] += weight[i] / 6 * f[c], stage[c] = y[c] + h * node[i] * f[c];
    }
    for (std::size_t c = 0; c < 4; ++c) y[c] += h * total[c];
  }
  return y;
}

// A rotor that drives a slide on a turning arm turns with the slide, not with the arm: what the slide's axis turns by
// enters its acceleration.
TEST_P(DrivesOfJoints, ARotorOnATurningSlideHasTheRightAcceleration) {
  const auto exact = slider_on_arm(0.7, 1.3, 3, 0.55, 0.4, 2, 1);
  double error[3];
  for (int i = 0; i < 3; ++i) {
    Simulation simulation(
        scenario(0.01 / (1 << i), 1,
                 "bodies:\n  arm: {mass: 1, inertia: 0.5, freedom: [x, y, rz], spin: [0, 0, 2]}\n"
                 "  slider: {mass: 0.7, inertia: 0.05, freedom: [x, y, rz], position: [0.4, 0, 0], "
                 "velocity: [0, 0.8, 0], spin: [0, 0, 2]}\n"
                 "joints:\n  hinge: {revolute: [world, arm], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                 "  slide: {prismatic: [arm, slider], axis: [1, 0, 0], armature: 1.3, stiffness: 3}\n"));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    const StateView s = simulation.state();
    error[i] = std::hypot(s.joint_position[1] + 0.4 - exact[0], s.joint_position[0] - exact[2]);
    if (GetParam().order == 4) {
      const double energy = 0.5 * (0.55 * 4 + 0.7 * 0.64);
      double now = 0.5 * (0.5 * s.spin[2] * s.spin[2] + 0.05 * s.spin[5] * s.spin[5] +
                          0.7 * (s.velocity[3] * s.velocity[3] + s.velocity[4] * s.velocity[4]) +
                          1.3 * s.joint_speed[1] * s.joint_speed[1] + 3 * s.joint_position[1] * s.joint_position[1]);
      EXPECT_NEAR(now, energy, 1e-8);
    }
  }
  EXPECT_LT(error[0], GetParam().order == 1 ? 0.03 : GetParam().order == 2 ? 5e-3 : 1e-8);
  // With joints `trapezoidal` is of first order, too, with smaller errors.
  const double order = std::string(GetParam().name) == "trapezoidal" ? 1 : GetParam().order;
  EXPECT_GT(std::log2(error[1] / error[2]), order - 0.2) << error[0] << ' ' << error[1] << ' ' << error[2];
}

// A gimbal in space with sprung rotors at both hinges: `energy` has all of it, and stays as well as the method keeps
// it.
TEST_P(DrivesOfJoints, AGimbalWithSprungRotorsKeepsItsEnergy) {
  double lost[2];
  for (int i = 0; i < 2; ++i) {
    Simulation simulation(scenario(
        0.004 / (1 << i), 1,
        "bodies:\n  a: {mass: 1, inertia: [0.1, 0.2, 0.15], spin: [1, 0, 0]}\n"
        "  b: {mass: 0.7, inertia: [0.05, 0.04, 0.06], position: [0.4, 0, 0.1], spin: [1, 2, 0], "
        "velocity: [0.2, -0.1, -0.8]}\n"
        "joints:\n  outer: {revolute: [world, a], at: [0, 0, 0], axis: [1, 0, 0], armature: 0.3, stiffness: 2}\n"
        "  inner: {revolute: [a, b], at: [0, 0, 0], axis: [0, 1, 0], armature: 0.2, stiffness: 1.5, rest: 0.3}\n"
        "outcomes: {least: {minimum: energy}, most: {maximum: energy}}\n"));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    lost[i] = simulation.outcome("most") - simulation.outcome("least");
    EXPECT_LE(simulation.state().energy_gained(), 1e-10);
  }
  EXPECT_LT(lost[0], GetParam().order == 1 ? 0.03 : GetParam().order == 2 ? 5e-5 : 1e-9);
  if (GetParam().order < 4) {
    EXPECT_GT(std::log2(lost[0] / lost[1]), GetParam().order - 0.2);
  }
}

// A rotor between a body and one that moves as told, x' = 0.2 cos 5 t: (m + a) x'' = a s'' - k (x - s).
TEST_P(DrivesOfJoints, ARotorOnAToldSlideFeelsItsAcceleration) {
  constexpr double m = 2, a = 0.5, k = 30, W = 5, A = 0.2 / W;
  double error[3];
  // s = A sin W t, y = x - s: (m + a) y'' + k y = -m s'' = m A W^2 sin W t, y(0) = 0, y'(0) = -A W.
  const double w = std::sqrt(k / (m + a)), P = m * A * W * W / ((m + a) * (w * w - W * W));
  const double exact = P * std::sin(W) + (-A * W - P * W) / w * std::sin(w);
  for (int i = 0; i < 3; ++i) {
    Simulation simulation(scenario(0.01 / (1 << i), 1,
                                   "bodies:\n  base: {prescribed: {velocity: [\"0.2*cos(5*t)\", 0, 0]}}\n"
                                   "  mass: {mass: 2, inertia: 1, freedom: [x, y, rz], position: [1, 0, 0]}\n"
                                   "joints:\n  slide: {prismatic: [base, mass], axis: [1, 0, 0], armature: 0.5, "
                                   "stiffness: 30}\n"));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    error[i] = std::fabs(simulation.state().joint_position[0] - exact);
    EXPECT_LT(simulation.state().energy_gained(), GetParam().order == 4 ? 1e-7 : 0.02 / (1 << i))
        << "what the base does through the rotor is no gain";
  }
  EXPECT_LT(error[0], GetParam().order == 1 ? 0.01 : GetParam().order == 2 ? 3e-4 : 1e-6);
  EXPECT_GT(std::log2(error[1] / error[2]), GetParam().order - 0.2) << error[0] << ' ' << error[1] << ' ' << error[2];
}

// However stiff or heavily damped: the methods that have them in A stay with the rest angle, and gain nothing.
TEST_P(DrivesOfJoints, StiffSpringsAndDampersDoNotExplode) {
  const std::string name = GetParam().name;
  if (name == "anitescu_potra" || name == "loetstedt") return;
  Simulation simulation(scenario(0.01, 5,
                                 "bodies:\n  disc: {mass: 2, inertia: 0.3, spin: [0, 0, 1]}\n"
                                 "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], "
                                 "stiffness: 1e7, damping: 1e5}\n"));
  simulation.watch([&](const StateView& state) { EXPECT_LT(std::fabs(state.joint_position[0]), 0.02); });
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
  EXPECT_NEAR(simulation.state().joint_position[0], 0, 1e-4);
}

// Where a spring is too stiff for the step the sample ends, and does not go on as if nothing were wrong.
TEST_P(DrivesOfJoints, ASpringTooStiffForAnExplicitMethodEndsTheSample) {
  const std::string name = GetParam().name;
  if (name != "anitescu_potra" && name != "loetstedt") return;
  Simulation simulation(scenario(0.01, 5,
                                 "bodies:\n  disc: {mass: 2, inertia: 0.3, spin: [0, 0, 0.1]}\n"
                                 "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], "
                                 "stiffness: 1e5, armature: 0.1}\n"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::energy_growth);
}

// A damper in A of Anitescu & Potra's method: v = v0 (1 + h c/J)^-n, however large c is.
TEST(DampersOfJoints, AreImplicitUnderAnitescuAndPotra) {
  Simulation simulation(tied_scenario(0.01, 0.2, std::string(floats) + ", method: anitescu_potra",
                                      "bodies:\n  disc: {mass: 2, inertia: 0.3, spin: [0, 0, 1]}\n"
                                      "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1], "
                                      "damping: 300}\n"));
  simulation.watch([&](const StateView& state) {
    EXPECT_NEAR(state.spin[2], std::pow(11, -state.steps()), 1e-14) << state.steps();
  });
}

// A bar with a rotor of nine times its own inertia hits its stop: e of the joint's speed comes back, and no energy.
TEST(ArmaturesOfJoints, TakePartInImpacts) {
  for (const char* method : {"anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}) {
    Simulation simulation(
        tied_scenario(0.01, 1, std::string(floats) + ", method: " + method,
                      "bodies:\n  bar: {mass: 1, inertia: 0.02, freedom: [x, y, rz], position: [0.2, 0, 0], "
                      "velocity: [0, 0.4, 0], spin: [0, 0, 2]}\n"
                      "joints:\n  pin: {revolute: [world, bar], at: [0, 0, 0], axis: [0, 0, 1], armature: 0.54, "
                      "limits: [-3, 0.5], restitution: 0.6}\n"));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << method;
    EXPECT_NEAR(simulation.state().joint_speed[0], -1.2, 5e-3) << method;
    EXPECT_LT(simulation.state().energy_gained(), 2e-6) << method << " gains what it does without a rotor";
  }
}

}  // namespace
}  // namespace jostle

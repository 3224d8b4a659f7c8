// Forces that depend on other bodies and on joints, and their reactions, against closed forms under every method.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

struct MethodOrder {
  const char* name;
  int order;
};

class FarForces : public testing::TestWithParam<MethodOrder> {
 protected:
  static Scenario scenario(double h, double duration, const std::string& text) {
    return tied_scenario(h, duration, std::string(floats) + ", method: " + GetParam().name, text);
  }
  template <class Error>
  static void expect_order(double h, double duration, const std::string& text, double tolerance, Error error_of) {
    double error[3];
    for (int i = 0; i < 3; ++i) {
      Simulation simulation(scenario(h / (1 << i), duration, text));
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok);
      error[i] = error_of(simulation.state());
    }
    EXPECT_LT(error[0], tolerance);
    EXPECT_GT(std::log2(error[1] / error[2]), GetParam().order - 0.25)
        << error[0] << ' ' << error[1] << ' ' << error[2];
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, FarForces,
                         testing::Values(MethodOrder{"stewart_trinkle", 1}, MethodOrder{"anitescu_potra", 1},
                                         MethodOrder{"trapezoidal", 2}, MethodOrder{"trapezoidal_midpoint", 2},
                                         MethodOrder{"loetstedt", 4}),
                         [](const auto& one) { return std::string(one.param.name); });

/// Gravity of G m M = 6 between a (2 kg) and b (3 kg), 1.5 m apart, on circles about their middle.
std::string two_stars(bool with_reaction) {
  const auto pull = [](const char* of, const char* to, const char* axis) {
    const std::string a = of, b = to;
    const auto gap = [&](const char* k) { return "(" + b + ".position." + k + "-" + a + ".position." + k + ")"; };
    return "\"6*" + gap(axis) + "/sqrt(" + gap("x") + "^2+" + gap("y") + "^2+" + gap("z") + "^2)^3\"";
  };
  const auto force = [&](const char* of, const char* to) {
    return std::string("  - {body: ") + of + ", force: [" + pull(of, to, "x") + ", " + pull(of, to, "y") + ", " +
           pull(of, to, "z") + "]";
  };
  // w^2 r^3 = G (m + M) = 5
  const double w = std::sqrt(5 / 3.375);
  char bodies[400];
  std::snprintf(bodies, sizeof bodies,
                "bodies:\n  a: {mass: 2, freedom: [x, y, z], position: [-0.9, 0, 0], velocity: [0, %.17g, 0]}\n"
                "  b: {mass: 3, freedom: [x, y, z], position: [0.6, 0, 0], velocity: [0, %.17g, 0]}\nforces:\n",
                -0.9 * w, 0.6 * w);
  if (with_reaction) return bodies + force("a", "b") + ", reaction: b}\n";
  return bodies + force("a", "b") + "}\n" + force("b", "a") + "}\n";
}

// Two stars go round their middle: Kepler's circle, and the sum of momenta stays to the last digits.
TEST_P(FarForces, TwoStarsGoRoundOnKeplersCircle) {
  const double w = std::sqrt(5 / 3.375);
  for (const bool with_reaction : {true, false}) {
    expect_order(0.01, 2, two_stars(with_reaction), GetParam().order == 1 ? 0.2 : 1e-2, [&](const StateView& s) {
      return std::hypot(s.position[0] + 0.9 * std::cos(2 * w), s.position[1] + 0.9 * std::sin(2 * w));
    });
    Simulation simulation(scenario(0.01, 2, two_stars(with_reaction)));
    simulation.watch([&](const StateView& s) {
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(2 * s.velocity[k] + 3 * s.velocity[3 + k], 0, 4e-16 * (10 + s.steps())) << s.steps();
    });
  }
}

// The force on one body and its reaction on the other are exact opposites, and so are their moments about any point.
TEST_P(FarForces, AReactionActsAtTheSamePoint) {
  Simulation simulation(scenario(0.001, 0.1,
                                 "bodies:\n  a: {mass: 2, inertia: 0.4, freedom: [x, y, rz]}\n"
                                 "  b: {mass: 3, inertia: 0.7, freedom: [x, y, rz], position: [1, 0.5, 0]}\n"
                                 "forces:\n  - {body: a, at: [0.2, 0.3, 0], force: [2, \"-3*b.angle+1\", 0], "
                                 "torque: [0, 0, \"a.spin.z+0.3\"], reaction: b}\n"));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  const StateView s = simulation.state();
  double angular = 0.4 * s.spin[2] + 0.7 * s.spin[5];
  const double mass[] = {2, 3};
  for (int b = 0; b < 2; ++b)
    angular += mass[b] * (s.position[3 * b] * s.velocity[3 * b + 1] - s.position[3 * b + 1] * s.velocity[3 * b]);
  EXPECT_GT(std::fabs(s.spin[5]), 1e-3);
  EXPECT_NEAR(2 * s.velocity[0] + 3 * s.velocity[3], 0, 1e-14);
  EXPECT_NEAR(2 * s.velocity[1] + 3 * s.velocity[4], 0, 1e-14);
  EXPECT_NEAR(angular, 0, GetParam().order == 1 ? 1e-4 : GetParam().order == 2 ? 1e-7 : 1e-12);
}

// A control law on a joint, torque = -k (q - r) - c q', is the damped oscillator.
TEST_P(FarForces, AControlLawOnAJointIsADampedOscillator) {
  constexpr double J = 0.3, k = 9, c = 0.8, r = 0.5;
  const double d = c / (2 * J), w = std::sqrt(k / J - d * d), t = 1;
  const double exact = r - r * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
  expect_order(0.01, t,
               "bodies:\n  disc: {mass: 2, inertia: 0.3, freedom: [x, y, rz]}\n"
               "joints:\n  shaft: {revolute: [world, disc], at: [0, 0, 0], axis: [0, 0, 1]}\n"
               "forces: [{body: disc, torque: [0, 0, \"-9*(shaft.angle-0.5)-0.8*shaft.speed\"]}]\n",
               0.05, [&](const StateView& s) { return std::fabs(s.joint_position[0] - exact); });
}

// The same along a slide between two bodies, with its reaction: the reduced mass is 1.2.
TEST_P(FarForces, AControlLawBetweenTwoBodiesHasTheReducedMass) {
  constexpr double m = 1.2, k = 9, c = 0.8, r = 0.5, t = 1;
  const double d = c / (2 * m), w = std::sqrt(k / m - d * d);
  const double exact = r - r * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
  expect_order(0.01, t,
               "bodies:\n  first: {mass: 2, inertia: 1, freedom: [x, y, rz]}\n"
               "  second: {mass: 3, inertia: 1, freedom: [x, y, rz], position: [1, 0, 0]}\n"
               "joints:\n  slide: {prismatic: [first, second], axis: [1, 0, 0]}\n"
               "forces: [{body: second, force: [\"-9*(slide.position-0.5)-0.8*slide.speed\", 0, 0], "
               "reaction: first}]\n",
               0.05, [&](const StateView& s) { return std::fabs(s.joint_position[0] - exact); });
}

// A magnet that moves as told, and a friction of air in it: m x'' = -k (x - s) - c (x' - s') with s = A sin W t.
TEST_P(FarForces, ABodyFollowsOneThatMovesAsTold) {
  constexpr double m = 2, k = 18, c = 1.5, W = 4, A = 0.3, t = 1;
  // x = a sin W t + b cos W t + e^(-d t) (p cos w t + q sin w t)
  const double P = k - m * W * W, Q = c * W, det = P * P + Q * Q;
  const double a = A * (k * P + Q * Q) / det, b = A * (Q * P - Q * k) / det;
  const double d = c / (2 * m), w = std::sqrt(k / m - d * d), p = -b, q = (d * p - a * W) / w;
  const double exact =
      a * std::sin(W * t) + b * std::cos(W * t) + std::exp(-d * t) * (p * std::cos(w * t) + q * std::sin(w * t));
  expect_order(0.01, t,
               "bodies:\n  magnet: {prescribed: {velocity: [\"1.2*cos(4*t)\", 0, 0]}}\n"
               "  ball: {mass: 2, freedom: [x, y]}\n"
               "forces: [{body: ball, force: [\"-18*(ball.position.x-magnet.position.x)-1.5*(ball.velocity.x-"
               "magnet.velocity.x)\", 0, 0]}]\n",
               0.05, [&](const StateView& s) { return std::fabs(s.position[3] - exact); });
}

// A box at rest is pulled where another body comes near: what rests is not left out where a force sees others.
TEST_P(FarForces, ABodyAtRestFeelsOneThatComes) {
  if (GetParam().order == 4) return;  // no friction
  std::vector<double> ends;
  for (const bool every_step : {false, true}) {
    Scenario made = tied_scenario(
        0.01, 2, std::string("method: ") + GetParam().name,
        "bodies:\n  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.1]}\n"
        "  visitor: {mass: 1, freedom: [x], position: [5, 0, 1], velocity: [-3, 0, 0]}\n"
        "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
        "contacts: [{between: any, friction: 0.3}]\n"
        "forces: [{body: box, force: [\"20*max(0, 1-abs(visitor.position.x-box.position.x))\", 0, 0]}]\n");
    made.world.every_step = every_step;
    Simulation simulation(made);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    ends.push_back(simulation.position("box", 0));
  }
  EXPECT_GT(ends[0], 0.05);
  EXPECT_EQ(ends[0], ends[1]);
}

}  // namespace
}  // namespace jostle

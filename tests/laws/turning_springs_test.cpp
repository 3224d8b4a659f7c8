// Springs that turn, and forces that are given as expressions, under the linearly implicit trapezoidal methods: the
// force of a step is that of its middle.
#include "tests/laws/convergence.hpp"

namespace jostle {
namespace {

std::string text_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

class TrapezoidalForces : public testing::TestWithParam<const char*> {
 protected:
  static Scenario scenario(double h, double duration, const std::string& world, const std::string& rest) {
    return tied_scenario(h, duration, std::string("method: ") + GetParam() + ", " + world, rest);
  }

  /// The errors at the end for h, h/2, ...; `error` of a simulation that has run.
  template <class MakeScenario, class Error>
  static void expect_order_two(double h, MakeScenario make, Error error) {
    double errors[4];
    for (int i = 0; i < 4; ++i) {
      Simulation simulation(make(h / (1 << i)));
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok);
      errors[i] = error(simulation);
    }
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(errors[i] / errors[i + 1], 4, 0.2) << "h / " << (1 << i);
  }
  template <class MakeScenario>
  static void expect_order_two(double h, MakeScenario make) {
    for (const double ratio : ratios(h, 2, make)) EXPECT_NEAR(ratio, 4, 0.2);
  }
};

// kappa (l - l_0) = m v^2 / l: a mass that circles on a spring, in the plane x y of space.
TEST_P(TrapezoidalForces, LetAMassCircleWithItsEnergy) {
  constexpr double m = 2, v = 2.5, rest = 0.6, h = 0.01;
  for (const double stiffness : {1e2, 1e3, 1e4, 1e5, 1e6}) {
    const double length = (rest + std::sqrt(rest * rest + 4 * m * v * v / stiffness)) / 2;
    Simulation simulation(
        scenario(h, 5, floats,
                 "bodies: {b: {mass: 2, inertia: 1, position: [" + text_of(length) +
                     ", 0, 0], velocity: [0, 2.5, 0]}}\nsprings: {s: {between: [world, b], at: [[0, 0, 0], [" +
                     text_of(length) + ", 0, 0]], stiffness: " + text_of(stiffness) + ", rest: 0.6}}\n"));
    const double stored = stiffness * (length - rest) * (length - rest) / 2, start = m * v * v / 2 + stored;
    double worst = 0;
    simulation.watch([&](const StateView& s) {
      const double l = std::hypot(s.position[0], s.position[1]);
      const double speed = std::hypot(s.velocity[0], s.velocity[1]);
      const double energy = m * speed * speed / 2 + stiffness * (l - rest) * (l - rest) / 2;
      worst = std::max(worst, std::fabs(energy / start - 1));
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_LE(worst, 0.016) << "stiffness " << stiffness;
    EXPECT_EQ(simulation.state().energy_gained(), 0);
  }
}

// A spring without a length of its own pulls by -kappa x: its end moves on an ellipse, x = a cos w t, y = (v/w) sin w
// t.
TEST_P(TrapezoidalForces, FollowAnEllipseWithOrderTwo) {
  constexpr double w = 4, a = 0.7, v = 1.1, duration = 1.3;
  expect_order_two(
      0.01,
      [](double h) {
        return scenario(h, duration, floats,
                        "bodies: {b: {mass: 0.5, freedom: [x, y], position: [0.7, 0, 0], velocity: [0, 1.1, 0]}}\n"
                        "springs: {s: {between: [world, b], at: [[0, 0, 0], [0.7, 0, 0]], stiffness: 8, rest: 0}}\n");
      },
      [](Simulation& s) {
        return std::hypot(s.position("b", 0) - a * std::cos(w * duration),
                          s.position("b", 1) - v / w * std::sin(w * duration));
      });
}

// Both ends of the spring are beside the centres of bodies that tumble.
TEST_P(TrapezoidalForces, TieTumblingBodiesWithOrderTwo) {
  expect_order_two(0.005, [](double h) {
    return scenario(h, 0.4, floats,
                    "bodies:\n  a: {mass: 1, inertia: [0.1, 0.12, 0.15], position: [0, 0.5, 0], velocity: [1, 0.5, 0], "
                    "spin: [1, 2, 3]}\n  b: {mass: 3, inertia: [0.2, 0.2, 0.3], position: [0, -0.5, 0], velocity: "
                    "[-1, 0, 0.4]}\nsprings:\n  coil: {between: [a, b], at: [[0.1, 0.4, 0], [0, -0.3, 0.1]], "
                    "stiffness: 60, damping: 0.5, rest: 0.5}\n");
  });
}

// x'' = -w^2 x by an expression keeps w^2 x^2 + (1 - h^2 w^2/4) v^2; with -2 d x' beside it, x = e^(-d t) (cos n t +
// (d/n) sin n t), n^2 = w^2 - d^2.
TEST_P(TrapezoidalForces, OfAnExpressionKeepAnAmplitude) {
  constexpr double w = 9, h = 0.01;
  Simulation simulation(scenario(h, 10, floats,
                                 "bodies: {b: {mass: 2, freedom: [x, y], position: [0.1, 0, 0]}}\n"
                                 "forces: [{body: b, force: [-162*b.position.x, 0, 0]}]\n"));
  simulation.watch([&](const StateView& s) {
    const double x = s.position[0], v = s.velocity[0];
    EXPECT_NEAR(w * w * x * x + (1 - h * h * w * w / 4) * v * v, w * w * 0.01, 1e-12);
  });
  constexpr double d = 0.8, duration = 1.5;
  const double n = std::sqrt(w * w - d * d);
  const double exact = 0.1 * std::exp(-d * duration) * (std::cos(n * duration) + d / n * std::sin(n * duration));
  expect_order_two(
      h,
      [](double step) {
        return scenario(step, duration, floats,
                        "bodies: {b: {mass: 2, freedom: [x, y], position: [0.1, 0, 0]}}\n"
                        "forces: [{body: b, force: [-162*b.position.x - 3.2*b.velocity.x, 0, 0]}]\n");
      },
      [&](Simulation& s) { return std::fabs(s.position("b", 0) - exact); });
}

// m v' = m g - c v^2 from rest: v = u tanh(g t / u), u^2 = m g / c.
TEST_P(TrapezoidalForces, OfQuadraticDragHaveOrderTwo) {
  constexpr double m = 0.4, c = 0.1, duration = 0.8;
  const double u = std::sqrt(m * g / c);
  expect_order_two(
      0.02,
      [](double h) {
        return scenario(h, duration, "gravity: [0, 0, -9.81]",
                        "bodies: {b: {mass: 0.4, inertia: 1}}\n"
                        "forces: [{body: b, force: [0, 0, -0.1*b.velocity.z*abs(b.velocity.z)]}]\n");
      },
      [&](Simulation& s) { return std::fabs(s.velocity("b", 2) + u * std::tanh(g * duration / u)); });
}

// The same beside joints and contacts, whose impulses are part of the velocity in the middle of a step: a pendulum, and
// a block that slides to and fro in the wind, v = u tan(atan(v_0/u) - mu g t/u), u^2 = mu m g/c.
TEST_P(TrapezoidalForces, OfDragOnTiedBodiesHaveOrderTwo) {
  expect_order_two(0.01, [](double h) {
    return scenario(h, 0.7, "gravity: [0, 0, -9.81]",
                    "bodies: {b: {mass: 1, freedom: [x, z], position: [0.8, 0, 0]}}\n"
                    "joints: {rod: {distance: [world, b], at: [[0, 0, 0], [0.8, 0, 0]]}}\n"
                    "forces: [{body: b, force: [-0.5*b.velocity.x*abs(b.velocity.x), 0, "
                    "-0.5*b.velocity.z*abs(b.velocity.z)]}]\n");
  });
  constexpr double m = 0.5, c = 0.3, mu = 0.4, start = 3, duration = 0.4;
  const double u = std::sqrt(mu * m * g / c);
  const double exact = u * std::tan(std::atan(start / u) - mu * g * duration / u);
  expect_order_two(
      0.02,
      [](double h) {
        return scenario(h, duration, "gravity: [0, 0, -9.81]",
                        "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                        "  block: {mass: 0.5, freedom: [x, z], shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, "
                        "0.1], velocity: [3, 0, 0]}\ncontacts: [{between: any, friction: 0.4}]\n"
                        "forces: [{body: block, force: [-0.3*block.velocity.x*abs(block.velocity.x), 0, 0]}]\n");
      },
      [&](Simulation& s) { return std::fabs(s.velocity("block", 0) - exact); });
}

// h^2 k/m is 100: the force at the start of a step would lead to a velocity far from any that the body has.
TEST_P(TrapezoidalForces, OfDragBesideAStiffSpringTakeEnergy) {
  Simulation simulation(scenario(0.01, 4, floats,
                                 "bodies: {b: {mass: 1, freedom: [x, y], position: [1.1, 0, 0], velocity: [0, 1, 0]}}\n"
                                 "springs: {s: {between: [world, b], at: [[0, 0, 0], [1.1, 0, 0]], stiffness: 1e6, "
                                 "rest: 1}}\nforces: [{body: b, force: [-0.3*b.velocity.x*abs(b.velocity.x), "
                                 "-0.3*b.velocity.y*abs(b.velocity.y), 0]}]\noutcomes: {most: {maximum: energy}, end: "
                                 "{at_end: energy}}\n"));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_LE(simulation.outcome("most"), 1.002 * simulation.state().start_energy());
  EXPECT_LE(simulation.outcome("end"), 0.6 * simulation.state().start_energy());
}

// Torques along axes of the world, and a force at a point, turn with a tumbling brick.
TEST_P(TrapezoidalForces, OnATumblingBrickHaveOrderTwo) {
  for (const char* force : {"torque: [0.1, 0.2, 0.05]", "at: [0.1, 0.05, -0.03], force: [1, 2, 0]",
                            "torque: [-0.01*b.spin.x, 0.02*b.axis_x.y, -0.01*b.spin.z]"}) {
    expect_order_two(0.005, [&](double h) {
      return scenario(h, 0.5, floats,
                      std::string("bodies: {b: {mass: 0.5, inertia: [0.015, 0.02, 0.025], spin: [3, 2, 5]}}\n"
                                  "forces: [{body: b, ") +
                          force + "}]\n");
    });
  }
}

// m v' = -c (v - A sin w t) from rest: v = r A ((r sin w t - w cos w t) + w e^(-r t)) / (r^2 + w^2), r = c/m.
TEST_P(TrapezoidalForces, OfADamperToAShakenBodyHaveOrderTwo) {
  constexpr double A = 0.5, w = 6, r = 1.5, duration = 1.6;
  const double exact =
      r * A * (r * std::sin(w * duration) - w * std::cos(w * duration) + w * std::exp(-r * duration)) / (r * r + w * w);
  expect_order_two(
      0.02,
      [](double h) {
        return scenario(h, duration, floats,
                        "bodies:\n  cart: {prescribed: {velocity: [0.5*sin(6*t), 0, 0]}}\n  block: {mass: 2, freedom: "
                        "[x], position: [1, 0, 0]}\nsprings:\n  damper: {between: [cart, block], at: [[0, 0, 0], "
                        "[1, 0, 0]], stiffness: 0, damping: 3}\n");
      },
      [&](Simulation& s) { return std::fabs(s.velocity("block", 0) - exact); });
}

// A damper to a told body whose axis turns: its mean spin is a vector of the world, also where the body has turned.
TEST_P(TrapezoidalForces, OfADamperToABodyWhoseAxisTurnsHaveItsMeanVelocity) {
  constexpr double h = 0.01, damping = 5, mass = 2, angle = h / 2 * 10;  // of the wheel in the middle of the step
  Simulation simulation(scenario(h, h, floats,
                                 "bodies:\n  wheel: {prescribed: {spin: [1000*t, 0, 10]}}\n  ball: {mass: 2, inertia: "
                                 "1, position: [0.3, 0.9, 0.4]}\nsprings:\n  s: {between: [wheel, ball], at: "
                                 "[[0.2, 0.1, 0.1], [0.3, 0.9, 0.4]], stiffness: 0, damping: 5}\n"));
  simulation.run();
  const Vec3 tied(0.2 * std::cos(angle) - 0.1 * std::sin(angle), 0.2 * std::sin(angle) + 0.1 * std::cos(angle), 0.1);
  const Vec3 line = Vec3(0.3, 0.9, 0.4) - tied, d = line / line.norm();
  const Vec3 velocity = cross(Vec3(5, 0, 10), tied);  // the spin is (0, 0, 10) at the start, (10, 0, 10) at the end
  const double speed = h * damping * d.dot(velocity) / (mass + h * damping / 2);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.velocity("ball", k), speed * d[k], 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Methods, TrapezoidalForces, testing::Values("trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return method.param; });

}  // namespace
}  // namespace jostle

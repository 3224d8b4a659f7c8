// Every kind of joint under every method, in a plane and in space, between bodies of which one is a thousand times as
// heavy: against closed forms.
#include <limits>
#include <numbers>

#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

struct Setting {
  const char* method;
  bool planar;
};

class TiedBodiesUnderEveryMethod : public testing::TestWithParam<Setting> {
 protected:
  static Simulation simulation(double h, double duration, const std::string& gravity, const std::string& text) {
    return Simulation(tied_scenario(h, duration, gravity + ", method: " + GetParam().method, text));
  }
  /// Inertia about all axes alike, kg m^2, and the freedom of a planar body.
  static std::string turning(double inertia) {
    char text[80];
    std::snprintf(text, sizeof text, "inertia: %.17g%s", inertia, GetParam().planar ? ", freedom: [x, y, rz]" : "");
    return text;
  }
  static bool is_first_order() {
    const std::string method = GetParam().method;
    return method == "stewart_trinkle" || method == "anitescu_potra";
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, TiedBodiesUnderEveryMethod,
                         testing::Values(Setting{"stewart_trinkle", true}, Setting{"stewart_trinkle", false},
                                         Setting{"anitescu_potra", true}, Setting{"anitescu_potra", false},
                                         Setting{"trapezoidal", true}, Setting{"trapezoidal", false},
                                         Setting{"trapezoidal_midpoint", true}, Setting{"trapezoidal_midpoint", false},
                                         Setting{"loetstedt", true}, Setting{"loetstedt", false}),
                         [](const auto& one) {
                           return std::string(one.param.method) + (one.param.planar ? "Planar" : "Spatial");
                         });

// A bar of m = 1, J = 0.03 on a pin at L = 0.4 in a cart of mass M that slides without friction, in small oscillations:
// w^2 = m g L / (J + m L^2 M / (M + m)).
TEST_P(TiedBodiesUnderEveryMethod, APendulumOnACartSwingsWithItsPeriod) {
  constexpr double h = 0.0005, g = 9.81, L = 0.4, J = 0.03, amplitude = 1e-3;
  for (const char* joint : {"revolute", "ball"}) {
    for (const double M : {1e3, 1e-3}) {
      SCOPED_TRACE(std::string(joint) + ' ' + std::to_string(M));
      char text[700];
      std::snprintf(text, sizeof text,
                    "bodies:\n  cart: {mass: %g, freedom: [x]}\n  bar: {mass: 1, %s, position: [%.17g, %.17g, 0], "
                    "rotation: {axis: [0, 0, 1], degrees: %.17g}}\n"
                    "joints:\n  pin: {%s: [cart, bar], at: [0, 0, 0]%s}\n",
                    M, turning(J).c_str(), L * std::sin(amplitude), -L * std::cos(amplitude),
                    amplitude * 180 / std::numbers::pi, joint, joint[0] == 'r' ? ", axis: [0, 0, 1]" : "");
      const double period = 2 * std::numbers::pi * std::sqrt((J + L * L * M / (M + 1)) / (g * L));
      Simulation swings = simulation(h, 3 * period > 4 ? 4 : 2, falls_along_y, text);
      std::vector<double> crossings;
      double before = 0;
      swings.watch([&](const StateView& s) {
        const double x = s.position[3] - s.position[0];
        if (before > 0 && x <= 0) crossings.push_back(s.steps() * h - h * x / (x - before));
        before = x;
      });
      ASSERT_EQ(swings.status(), Status::ok);
      ASSERT_GE(crossings.size(), 2U);
      const double found = (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
      const double wh = 2 * std::numbers::pi * h / period;
      EXPECT_NEAR(found, period, (wh * wh / 6 + 1e-7) * period);
      EXPECT_NEAR(M * swings.velocity("cart", 0) + swings.velocity("bar", 0), 0, 1e-13 * (1 + M)) << "momentum";
    }
  }
}

// A slider (1 kg) at v0 on a carrier (1,000 kg, or the other way round) that floats: friction F decelerates it by
// F (1/m + 1/M), then both go on together.
TEST_P(TiedBodiesUnderEveryMethod, ASliderStopsOnWhatItSlidesOn) {
  // Momentum: an ulp a step; of the sum of two velocities, which the second trapezoidal scheme solves for, two.
  constexpr double h = 0.001, v0 = 1.5;
  const double ulps = std::string(GetParam().method) == "trapezoidal_midpoint" ? 2 : 1;
  for (const auto& both : {std::pair{1.0, 1e3}, {1e3, 1.0}}) {
    const double m = both.first, M = both.second;
    SCOPED_TRACE(m);
    const double slower = 3, force = slower / (1 / m + 1 / M),
                 ulp = ulps * std::numeric_limits<double>::epsilon() * m * v0;
    char text[600];
    std::snprintf(text, sizeof text,
                  "bodies:\n  carrier: {mass: %g, %s}\n  slide: {mass: %g, %s, velocity: [%.17g, %.17g, 0]}\n"
                  "joints:\n  way: {prismatic: [carrier, slide], axis: [3, 4, 0], friction: %.17g}\n",
                  M, turning(0.1 * M).c_str(), m, turning(0.1 * m).c_str(), 0.6 * v0, 0.8 * v0, force);
    Simulation slider = simulation(h, 1, floats, text);
    slider.watch([&](const StateView& s) {
      for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(M * s.velocity[k] + m * s.velocity[3 + k], m * v0 * (k == 0 ? 0.6 : 0.8), ulp * (1 + s.steps()));
      EXPECT_NEAR(s.joint_speed[0], std::max(0.0, v0 - slower * h * s.steps()), 1e-11) << s.steps();
    });
    ASSERT_EQ(slider.status(), Status::ok);
    EXPECT_NEAR(slider.state().joint_position[0], v0 * v0 / (2 * slower), is_first_order() ? h * v0 : 1e-9);
    EXPECT_NEAR(slider.velocity("slide", 0), 0.6 * v0 * m / (m + M), 1e-12);
    EXPECT_NEAR(slider.state().joint_speed[0], 0, 1e-12);
  }
}

// A motor between two wheels that float speeds them up, one against the other, by its limit times (1/J1 + 1/J2) up to
// its speed.
TEST_P(TiedBodiesUnderEveryMethod, AMotorReachesItsSpeedAtTheLimitOfItsTorque) {
  constexpr double h = 0.01, speed = 1.3, faster = 2.5;
  for (const auto& both : {std::pair{1e-3, 1.0}, {1.0, 1e-3}}) {
    const double small = both.first, large = both.second;
    SCOPED_TRACE(small);
    char text[600];
    std::snprintf(text, sizeof text,
                  "bodies:\n  base: {mass: 3, %s}\n  wheel: {mass: 1, %s}\n"
                  "joints:\n  axle: {revolute: [base, wheel], at: [0, 0, 0], axis: [0, 0, 1], motor: {speed: %g, "
                  "limit: %.17g}}\n",
                  turning(large).c_str(), turning(small).c_str(), speed, faster / (1 / small + 1 / large));
    Simulation motor = simulation(h, 1, floats, text);
    motor.watch([&](const StateView& s) {
      EXPECT_NEAR(s.joint_speed[0], std::min(faster * h * s.steps(), speed), 1e-11) << s.steps();
      EXPECT_NEAR(large * s.spin[2] + small * s.spin[5], 0, 1e-14) << "angular momentum";
      EXPECT_LE(s.energy_gained(), 1e-13) << "a motor's work is no gain";
    });
    ASSERT_EQ(motor.status(), Status::ok);
    EXPECT_NEAR(motor.state().joint_position[0], speed - speed * speed / (2 * faster),
                is_first_order() ? h * speed : 1e-10);
  }
}

// Two bodies at a distance d that turn about their centre of mass with w: it does not move, and after t each has turned
// by w t.
TEST_P(TiedBodiesUnderEveryMethod, ADistanceConservesMomentum) {
  constexpr double h = 0.0005, duration = 1, d = 1.2, w = 3;
  for (const auto& both : {std::pair{1.0, 1e3}, {1e3, 1.0}}) {
    const double m = both.first, M = both.second;
    SCOPED_TRACE(m);
    const double a = d * M / (m + M), b = d * m / (m + M), drift = 0.25;
    char text[700];
    std::snprintf(text, sizeof text,
                  "bodies:\n  one: {mass: %g, %s, position: [%.17g, 0, 0], velocity: [%g, %.17g, 0]}\n"
                  "  two: {mass: %g, %s, position: [%.17g, 0, 0], velocity: [%g, %.17g, 0]}\n"
                  "joints:\n  rope: {distance: [one, two]}\n",
                  m, turning(0.01 * m).c_str(), a, drift, a * w, M, turning(0.01 * M).c_str(), -b, drift, -b * w);
    Simulation pair = simulation(h, duration, floats, text);
    double farthest = 0;
    pair.watch([&](const StateView& s) {
      const double momentum[] = {(m + M) * drift, 0};
      for (int k = 0; k < 2; ++k) EXPECT_NEAR(m * s.velocity[k] + M * s.velocity[3 + k], momentum[k], 1e-9);
      farthest =
          std::max(farthest, std::fabs(std::hypot(s.position[0] - s.position[3], s.position[1] - s.position[4]) - d));
    });
    ASSERT_EQ(pair.status(), Status::ok);
    EXPECT_LE(farthest, d * w * w * h * h);
    const double turned = w * duration, tolerance = is_first_order() ? 2 * d * w * w * h : 1e-5;
    EXPECT_NEAR(pair.position("one", 0), a * std::cos(turned) + drift * duration, tolerance);
    EXPECT_NEAR(pair.position("one", 1), a * std::sin(turned), tolerance);
    EXPECT_NEAR(pair.position("two", 0), -b * std::cos(turned) + drift * duration, tolerance);
    EXPECT_NEAR(pair.position("two", 1), -b * std::sin(turned), tolerance);
  }
}

// Two bodies that are one turn about a principal axis for ever, and their centre of mass flies as a point does.
TEST_P(TiedBodiesUnderEveryMethod, AWeldMakesOneBodyOfTwo) {
  constexpr double h = 0.0005, duration = 1, d = 0.8, w = 3;
  for (const auto& both : {std::pair{1.0, 1e3}, {1e3, 1.0}}) {
    const double m = both.first, M = both.second;
    SCOPED_TRACE(m);
    const double a = d * M / (m + M), b = d * m / (m + M);
    char text[700];
    std::snprintf(text, sizeof text,
                  "bodies:\n  one: {mass: %g, %s, position: [%.17g, 0, 0], velocity: [0, %.17g, 0], spin: [0, 0, %g]}\n"
                  "  two: {mass: %g, %s, position: [%.17g, 0, 0], velocity: [0, %.17g, 0], spin: [0, 0, %g]}\n"
                  "joints:\n  weld: {fixed: [one, two]}\n",
                  m, turning(0.01 * m).c_str(), a, a * w, w, M, turning(0.01 * M).c_str(), -b, -b * w, w);
    Simulation one = simulation(h, duration, falls_along_y, text);
    double least = w, most = w;
    one.watch([&](const StateView& s) {
      EXPECT_NEAR(m * s.velocity[0] + M * s.velocity[3], 0, 1e-9);
      EXPECT_NEAR(m * s.velocity[1] + M * s.velocity[4], -(m + M) * 9.81 * h * s.steps(), 1e-8);
      EXPECT_NEAR(s.spin[2], s.spin[5], is_first_order() ? 1e-3 : 1e-6);
      least = std::min(least, s.spin[2]), most = std::max(most, s.spin[2]);
    });
    ASSERT_EQ(one.status(), Status::ok);
    EXPECT_NEAR(most, w, 3e-3 * w);
    EXPECT_NEAR(least, w, is_first_order() ? 1.5 * w * w * h : 1e-4 * w);
    const double fallen = -0.5 * 9.81 * duration * duration, tolerance = is_first_order() ? 0.01 : 1e-4;
    const double turned = w * duration;
    EXPECT_NEAR(one.position("one", 0), a * std::cos(turned), tolerance);
    EXPECT_NEAR(one.position("one", 1), a * std::sin(turned) + fallen, tolerance);
    EXPECT_NEAR(one.position("two", 0), -b * std::cos(turned), tolerance);
    EXPECT_NEAR(one.position("two", 1), -b * std::sin(turned) + fallen, tolerance);
  }
}

}  // namespace
}  // namespace jostle

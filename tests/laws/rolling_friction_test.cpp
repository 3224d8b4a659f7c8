// Rolling friction of contacts: a moment of at most r c_n against turning about axes of the tangent plane. Against
// closed forms. A round body that rolls without slip, with the radius of gyration k, brakes with
//
//     a = g (r/R) / (1 + k^2/R^2)
#include <tuple>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace rolling_friction_laws {
namespace {

constexpr double R = 0.1, mass = 2, inertia = 0.008, r = 0.002, h = 0.01;
constexpr double gyration = inertia / (mass * R * R);  // k^2/R^2 of a ball: 2/5
constexpr double brakes = g * (r / R) / (1 + gyration);

enum class Scene { plane, space };
constexpr const char* plane_freedom = ", freedom: [x, z, ry]";

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

const std::string level = "[0, 0, " + number(-g) + "]";

/// Every method with friction of contacts, both solvers, in a plane and in space.
class RollingFriction : public testing::TestWithParam<std::tuple<const char*, const char*, Scene>> {
 protected:
  static std::string method() {
    return std::get<0>(GetParam()) + (", solver: " + std::string(std::get<1>(GetParam())));
  }
  static bool is_guessed() { return std::string(std::get<1>(GetParam())) == "guess_first"; }
  static bool is_planar() { return std::get<2>(GetParam()) == Scene::plane; }
  static Scenario ball(double duration, const std::string& motion, const std::string& gravity = level,
                       const std::string& rule = "friction: 0.5, rolling_friction: 0.002",
                       const std::string& rest = "") {
    return parse_scenario(
        "jostle: 1\nworld: {method: " + method() + ", gravity: " + gravity +
            ", step: 0.01, duration: " + number(duration) +
            "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
            "  ball: {mass: 2, inertia: 0.008, position: [0, 0, 0.1], shape: {sphere: {radius: 0.1}}" +
            motion + (is_planar() ? plane_freedom : "") + "}\ncontacts:\n  - {between: any, " + rule + "}\n" + rest,
        "ball.yaml");
  }
};
INSTANTIATE_TEST_SUITE_P(
    Methods, RollingFriction,
    testing::Combine(testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                     testing::Values("guess_first", "lemke"), testing::Values(Scene::plane, Scene::space)),
    [](const auto& of) {
      return std::string(std::get<0>(of.param)) + "_" + std::get<1>(of.param) +
             (std::get<2>(of.param) == Scene::plane ? "_plane" : "_space");
    });

// v = v0 - a t until it stops, after v0^2/(2a) up to the order of the scheme, for good. The contact sticks: w = v/R.
// The energy that it has lost is the work of the moment, r m g times the angle.
TEST_P(RollingFriction, ABallStopsAfterItsDistance) {
  for (const double v0 : {0.2, -0.2}) {
    Simulation rolls(ball(2, ", velocity: [" + number(v0) + ", 0, 0], spin: [0, " + number(v0 / R) + ", 0]"));
    const double sign = v0 > 0 ? 1 : -1, stops = 0.2 / brakes;
    const int last = static_cast<int>(stops / h);
    for (int step = 1; step <= last; ++step) {
      rolls.run_to(step);
      EXPECT_NEAR(rolls.velocity("ball", 0), sign * (0.2 - brakes * h * step), 1e-11) << step;
      EXPECT_NEAR(rolls.spin("ball", 1), rolls.velocity("ball", 0) / R, 1e-10) << step;
    }
    rolls.run_to(last + 3);
    const double distance = rolls.position("ball", 0);
    const bool has_order_2 = std::string(std::get<0>(GetParam())).starts_with("trapezoidal");
    EXPECT_NEAR(distance, sign * 0.04 / (2 * brakes), brakes * h * h + (has_order_2 ? 0.0 : 0.5 * h * 0.2));
    for (int step = last + 3; step <= 200; ++step) {
      rolls.run_to(step);
      EXPECT_NEAR(rolls.velocity("ball", 0), 0, 1e-12) << step;
      EXPECT_NEAR(rolls.spin("ball", 1), 0, 1e-11) << step;
    }
    EXPECT_NEAR(rolls.position("ball", 0), distance, 1e-12);
    const double lost = 0.5 * mass * 0.04 * (1 + gyration), work = r * mass * g * std::fabs(distance) / R;
    EXPECT_NEAR(lost, work, r * mass * g / R * (brakes * h * h + (has_order_2 ? 0.0 : 0.5 * h * 0.2)));
    EXPECT_EQ(rolls.status(), Status::ok);
    EXPECT_LE(rolls.state().energy_gain_max(), 1e-12);
    if (is_guessed()) {
      EXPECT_EQ(rolls.state().pivoted(), 0);
    }
  }
}

// On an incline it stays if tan(alpha) <= r/R, else it rolls with (g sin(alpha) - g cos(alpha) r/R) / (1 + k^2/R^2).
TEST_P(RollingFriction, ABallOnAnInclineStaysBelowItsAngle) {
  for (const double part : {0.5, 0.99, -0.99, 1.01, -1.01, 3.0}) {
    const double alpha = std::atan(part * r / R);
    Simulation rolls(ball(1, "", "[" + number(g * std::sin(alpha)) + ", 0, " + number(-g * std::cos(alpha)) + "]"));
    rolls.run();
    EXPECT_EQ(rolls.status(), Status::ok);
    const double excess = g * (std::fabs(std::sin(alpha)) - std::cos(alpha) * r / R);
    const double speed = std::fabs(part) < 1 ? 0.0 : (part > 0 ? excess : -excess) / (1 + gyration);
    EXPECT_NEAR(rolls.velocity("ball", 0), speed, 1e-10) << part;
    if (std::fabs(part) < 1) {
      EXPECT_NEAR(rolls.position("ball", 0), 0, 1e-13) << part;
    }
  }
}

// A moment on a ball that cannot slip away: below r c_n nothing turns, a push raises the bound.
TEST_P(RollingFriction, HoldsATorqueBelowItsBound) {
  const auto speed = [&](double torque, double push) {
    Simulation turns(ball(
        1, "", level, "friction: 0, rolling_friction: 0.002",
        "forces:\n  - {body: ball, torque: [0, " + number(torque) + ", 0], force: [0, 0, " + number(-push) + "]}\n"));
    turns.run();
    EXPECT_EQ(turns.status(), Status::ok);
    return turns.spin("ball", 1);
  };
  const double bound = r * mass * g;
  EXPECT_NEAR(speed(0.99 * bound, 0), 0, 1e-12);
  EXPECT_NEAR(speed(-1.5 * bound, 0), -0.5 * bound / inertia, 1e-9);
  EXPECT_NEAR(speed(1.5 * bound, mass * g), 0, 1e-12);
  EXPECT_NEAR(speed(3 * bound, mass * g), bound / inertia, 1e-9);
}

// Two smooth balls that are pressed together: the moment acts on both, until they turn alike, and no spin is lost.
TEST_P(RollingFriction, ActsOnBothBodies) {
  const std::string rest =
      ", inertia: 0.008, shape: {sphere: {radius: 0.1}}" + std::string(is_planar() ? plane_freedom : "");
  Simulation two(parse_scenario(
      "jostle: 1\nworld: {method: " + method() +
          ", gravity: [0, 0, 0], step: 0.01, duration: 2}\nbodies:\n  left: {mass: 2, position: [-0.1, 0, 0], spin: "
          "[0, 1, 0]" +
          rest + "}\n  right: {mass: 2, position: [0.1, 0, 0]" + rest +
          "}\ncontacts:\n  - {between: any, rolling_friction: 0.002}\nforces:\n  - {body: left, force: [4, 0, 0]}\n  - "
          "{body: right, force: [-4, 0, 0]}\n",
      "two.yaml"));
  two.run_to(30);
  EXPECT_NEAR(two.spin("left", 1), 1 - r * 4 / inertia * 0.3, 1e-10);
  EXPECT_NEAR(two.spin("right", 1), r * 4 / inertia * 0.3, 1e-10);
  two.run();
  EXPECT_EQ(two.status(), Status::ok);
  EXPECT_NEAR(two.spin("left", 1), 0.5, 1e-10);
  EXPECT_NEAR(two.spin("right", 1), 0.5, 1e-10);
}

/// In space, with every method and both solvers.
class RollingFrictionInSpace : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  static std::string method() {
    return std::get<0>(GetParam()) + (", solver: " + std::string(std::get<1>(GetParam())));
  }
  static Simulation on_floor(const std::string& body, double duration, const std::string& gravity = level,
                             const std::string& rule = "friction: 0.5, rolling_friction: 0.002",
                             const std::string& world = "") {
    return Simulation(
        parse_scenario("jostle: 1\nworld: {method: " + method() + ", step: 0.01, gravity: " + gravity + world +
                           ", duration: " + number(duration) +
                           "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                           "  body: {" +
                           body + "}\ncontacts:\n  - {between: any, " + rule + "}\n",
                       "body.yaml"));
  }
};
INSTANTIATE_TEST_SUITE_P(
    Methods, RollingFrictionInSpace,
    testing::Combine(testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                     testing::Values("guess_first", "lemke")),
    [](const auto& of) { return std::string(std::get<0>(of.param)) + "_" + std::get<1>(of.param); });

constexpr const char* ball_shape = "mass: 2, inertia: 0.008, position: [0, 0, 0.1], shape: {sphere: {radius: 0.1}}";

// A coin on its edge, two contacts that share the load: k^2/R^2 = 1/2.
TEST_P(RollingFrictionInSpace, ACoinOnItsEdgeStops) {
  Simulation coin = on_floor(
      "mass: 0.01, position: [0, 0, 0.01], rotation: {axis: [1, 0, 0], degrees: 90}, velocity: [0.1, 0, 0], spin: [0, "
      "10, 0], shape: {cylinder: {radius: 0.01, length: 0.003}}",
      1.5, level, "friction: 0.5, rolling_friction: 0.0002");
  const double a = g * 0.02 / 1.5;
  coin.run_to(50);
  EXPECT_NEAR(coin.velocity("body", 0), 0.1 - a * 0.5, 1e-7);
  coin.run_to(80);
  const double x = coin.position("body", 0);
  EXPECT_NEAR(x, 0.01 / (2 * a), 0.5 * h * 0.1 + a * h * h);
  coin.run();
  EXPECT_EQ(coin.status(), Status::ok);
  EXPECT_NEAR(coin.velocity("body", 0), 0, 1e-9);
  EXPECT_NEAR(coin.position("body", 0), x, 1e-9);
  EXPECT_NEAR(coin.position("body", 2), 0.01, 1e-6) << "it stands";
}

// The bound is a polygon: along its corners r, in the middle of its sides cos(pi/k) r.
TEST_P(RollingFrictionInSpace, IsAsIsotropicAsItsPolygon) {
  for (const int k : {4, 6, 8, 16}) {
    for (const double middle : {0.0, 1.0}) {
      for (const double part : {0.99, 1.01}) {
        const double psi = middle * pi / k;
        const double alpha = std::atan(part * (middle > 0 ? std::cos(pi / k) : 1.0) * r / R);
        Simulation rolls =
            on_floor(ball_shape, 0.5,
                     "[" + number(g * std::sin(alpha) * std::cos(psi)) + ", " +
                         number(g * std::sin(alpha) * std::sin(psi)) + ", " + number(-g * std::cos(alpha)) + "]",
                     "friction: 0.5, rolling_friction: 0.002", ", friction_directions: " + std::to_string(k));
        rolls.run();
        EXPECT_EQ(rolls.status(), Status::ok);
        const double speed = std::hypot(rolls.velocity("body", 0), rolls.velocity("body", 1));
        if (part < 1) {
          EXPECT_NEAR(speed, 0, 1e-12) << k << ' ' << middle;
          continue;
        }
        EXPECT_NEAR(speed, 0.5 * g * std::sin(alpha) * (1 - 1 / 1.01) / (1 + gyration), 1e-6) << k << ' ' << middle;
      }
    }
  }
}

// It rolls off at an angle to the directions, spins and slips at first: impulses give no energy, it stops for good.
TEST_P(RollingFrictionInSpace, ABallThatSlipsAndSpinsStopsWithoutGainingEnergy) {
  Simulation rolls = on_floor(std::string(ball_shape) + ", velocity: [0.3, 0.1, 0], spin: [3, -2, 4]", 6, level,
                              "friction: 0.3, rolling_friction: 0.003, spin_friction: 0.01");
  rolls.run_to(550);
  const double x = rolls.position("body", 0), y = rolls.position("body", 1);
  rolls.run();
  EXPECT_EQ(rolls.status(), Status::ok);
  EXPECT_LE(rolls.state().energy_gain_max(), 1e-11);
  EXPECT_LE(rolls.state().residual_max(), 1e-8);
  EXPECT_NEAR(rolls.position("body", 0), x, 1e-12);
  EXPECT_NEAR(rolls.position("body", 1), y, 1e-12);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(rolls.spin("body", i), 0, 1e-11);
  if (std::string(std::get<1>(GetParam())) == "guess_first") {
    EXPECT_LE(rolls.state().pivoted(), 3);
  }
}

// Friction along an axis does not turn or stretch the bound of rolling.
TEST_P(RollingFrictionInSpace, HasNoAxis) {
  Simulation rolls =
      on_floor(std::string(ball_shape) + ", velocity: [0.2, 0, 0], spin: [0, 2, 0]", 1, level,
               "friction: 0.3, rolling_friction: 0.002, across: {friction: 0.6, axis: [1, 1, 0], of: floor}");
  rolls.run();
  EXPECT_EQ(rolls.status(), Status::ok);
  EXPECT_NEAR(rolls.velocity("body", 0), 0.2 - brakes, 1e-10);
  EXPECT_NEAR(rolls.velocity("body", 1), 0, 1e-10);
}

// In an impact it is bounded as other friction is: by the normal impulse of the compression, and with e_t by its part
// of the rest.
TEST(RollingFrictionInImpacts, IsBoundedByTheNormalImpulse) {
  for (const char* const freedom : {"", plane_freedom}) {
    for (const double e_t : {0.0, 0.5}) {
      Simulation ball(parse_scenario(
          "jostle: 1\nworld: {method: anitescu_potra, step: 0.01, duration: 0.01, gravity: [0, 0, 0]}\nbodies:\n  "
          "floor: "
          "{fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, "
          "0.101], velocity: [0, 0, -1], spin: [0, 10, 0], shape: {sphere: {radius: 0.1}}" +
              std::string(freedom) +
              "}\ncontacts:\n  - {between: any, rolling_friction: 0.002, restitution: 0.5, tangential_restitution: " +
              number(e_t) + "}\n",
          "ball.yaml"));
      ball.run();
      EXPECT_EQ(ball.status(), Status::ok);
      EXPECT_NEAR(ball.velocity("ball", 2), 0.5, 1e-12);
      EXPECT_NEAR(ball.spin("ball", 1), 10 - (1 + e_t) * r * mass / inertia, 1e-11);
    }
  }
}

}  // namespace
}  // namespace rolling_friction_laws
}  // namespace jostle

// Torsional friction of contacts: a moment of at most mu r c_n about the normal. Against closed forms.
#include <tuple>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace spin_friction_laws {
namespace {

constexpr double g = standard_gravity;
constexpr double mass = 2, inertia = 0.008, mu = 0.5, radius = 0.02, bound = mu * radius * mass * g;

Scenario ball_on_floor(const std::string& method, double duration, const std::string& ball,
                       const std::string& rest = "", const std::string& floor = "fixed: true") {
  return parse_scenario(
      "jostle: 1\nworld: {method: " + method + ", step: 0.01, duration: " + std::to_string(duration) +
          "}\nbodies:\n  floor: {" + floor +
          ", shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, 0.1], "
          "shape: {sphere: {radius: 0.1}}" +
          ball + "}\ncontacts:\n  - {between: any, friction: 0.5, spin_friction: 0.02}\n" + rest,
      "ball.yaml");
}

/// Every method with friction of contacts, and both solvers.
class SpinFriction : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  static std::string method() {
    return std::get<0>(GetParam()) + (", solver: " + std::string(std::get<1>(GetParam())));
  }
};
INSTANTIATE_TEST_SUITE_P(
    Methods, SpinFriction,
    testing::Combine(testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                     testing::Values("guess_first", "lemke")),
    [](const auto& of) { return std::string(std::get<0>(of.param)) + "_" + std::get<1>(of.param); });

// I w' = -mu r m g until it stops, after 0.41 s, for good.
TEST_P(SpinFriction, ABallThatSpinsOnItsPlaceBrakes) {
  for (const double sign : {1.0, -1.0}) {
    Simulation ball(ball_on_floor(method(), 1, sign > 0 ? ", spin: [0, 0, 10]" : ", spin: [0, 0, -10]"));
    for (const int step : {1, 20, 40}) {
      ball.run_to(step);
      EXPECT_NEAR(ball.spin("ball", 2), sign * (10 - bound / inertia * 0.01 * step), 1e-11) << step;
    }
    for (const int step : {42, 43, 44, 100}) {
      ball.run_to(step);
      EXPECT_NEAR(ball.spin("ball", 2), 0, 1e-12) << step;
    }
    EXPECT_EQ(ball.status(), Status::ok);
    EXPECT_NEAR(ball.position("ball", 2), 0.1, 1e-12);
    if (std::string(std::get<1>(GetParam())) == "guess_first") {
      EXPECT_EQ(ball.state().pivoted(), 0);
      EXPECT_LE(ball.state().corrected(), 2);
    }
  }
}

// Below the bound a torque turns nothing, above it only what is left counts; a force that presses raises the bound.
TEST_P(SpinFriction, HoldsATorqueBelowItsBound) {
  const auto speed = [&](double torque, double push) {
    Simulation ball(ball_on_floor(method(), 1, "",
                                  "forces:\n  - {body: ball, torque: [0, 0, " + std::to_string(torque) +
                                      "], force: [0, 0, " + std::to_string(-push) + "]}\n"));
    ball.run();
    EXPECT_EQ(ball.status(), Status::ok);
    return ball.spin("ball", 2);
  };
  EXPECT_EQ(speed(0.19, 0), 0);
  EXPECT_NEAR(speed(0.3, 0), (0.3 - bound) / inertia, 1e-9);
  EXPECT_EQ(speed(0.3, 11), 0);
  EXPECT_NEAR(speed(0.4, 10), (0.4 - bound - mu * radius * 10) / inertia, 1e-9);
}

// A ball spins up a plate that slides without friction: the moment acts on both, until they turn alike.
TEST_P(SpinFriction, GivesAPlateWhatItTakesFromABall) {
  Simulation plate(parse_scenario(
      "jostle: 1\nworld: {method: " + method() +
          ", step: 0.01, duration: 1}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
          "  plate: {mass: 3, inertia: [0.02, 0.02, 0.03], position: [0, 0, 0.05], shape: {box: {size: [0.4, 0.4, "
          "0.1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, 0.2], spin: [0, 0, 10], shape: {sphere: "
          "{radius: 0.1}}}\ncontacts:\n  - {between: any, friction: 0}\n  - {between: [plate, ball], friction: 0.5, "
          "spin_friction: 0.02}\n",
      "plate.yaml"));
  plate.run_to(10);
  EXPECT_NEAR(plate.spin("ball", 2), 10 - bound / inertia * 0.1, 1e-9);
  EXPECT_NEAR(plate.spin("plate", 2), bound / 0.03 * 0.1, 1e-9);
  plate.run();
  EXPECT_EQ(plate.status(), Status::ok);
  EXPECT_NEAR(plate.spin("ball", 2), 10 * inertia / (inertia + 0.03), 1e-9);
  EXPECT_NEAR(plate.spin("plate", 2), 10 * inertia / (inertia + 0.03), 1e-9);
}

// A turntable takes a ball with it.
TEST_P(SpinFriction, ATurntableSpinsUpABall) {
  Simulation ball(ball_on_floor(method(), 0.4, "", "", "prescribed: {spin: [0, 0, 3]}"));
  ball.run_to(10);
  EXPECT_NEAR(ball.spin("ball", 2), bound / inertia * 0.1, 1e-9);
  ball.run();
  EXPECT_EQ(ball.status(), Status::ok);
  EXPECT_NEAR(ball.spin("ball", 2), 3, 1e-9);
}

// In an impact it is bounded as other friction is: by the normal impulse of the compression, and with e_t by its part
// of the rest.
TEST(SpinFrictionInImpacts, IsBoundedByTheNormalImpulse) {
  for (const double e_t : {0.0, 0.5}) {
    Scenario scenario = parse_scenario(
        "jostle: 1\nworld: {method: anitescu_potra, step: 0.01, duration: 0.01, gravity: [0, 0, 0]}\nbodies:\n  floor: "
        "{fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, "
        "0.101], velocity: [0, 0, -1], spin: [0, 0, 10], shape: {sphere: {radius: 0.1}}}\ncontacts:\n  - {between: "
        "any, friction: 0.5, spin_friction: 0.02, restitution: 0.5, tangential_restitution: " +
            std::to_string(e_t) + "}\n",
        "ball.yaml");
    Simulation ball(std::move(scenario));
    ball.run();
    EXPECT_EQ(ball.status(), Status::ok);
    EXPECT_NEAR(ball.velocity("ball", 2), 0.5, 1e-12);
    EXPECT_NEAR(ball.spin("ball", 2), 10 - (1 + e_t) * mu * radius * mass / inertia, 1e-11);
  }
}

// A tin that lands, rolls and spins: impulses of contacts give no energy, and both solvers agree on what it does.
TEST(SpinFrictionOfATin, GivesNoEnergy) {
  for (const char* const method : {"stewart_trinkle", "anitescu_potra"}) {
    double spin[2];
    for (const char* const solver : {"guess_first", "lemke"}) {
      Simulation tin(parse_scenario(
          "jostle: 1\nworld: {method: " + std::string(method) + ", solver: " + solver +
              ", step: 0.002, duration: 1}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
              "  tin: {mass: 0.4, position: [0, 0, 0.13], rotation: {axis: [1, 0.3, 0], degrees: 20}, spin: [1, 2, "
              "20], "
              "velocity: [0.3, 0, 0], shape: {cylinder: {radius: 0.04, length: 0.1}}}\ncontacts:\n  - {between: any, "
              "friction: 0.4, spin_friction: 0.01}\n",
          "tin.yaml"));
      tin.run();
      EXPECT_EQ(tin.status(), Status::ok) << method;
      if (solver[0] == 'g') {
        EXPECT_LE(tin.state().pivoted(), 5) << tin.state().guessed() << ' ' << tin.state().corrected();
      }
      EXPECT_LE(tin.state().energy_gain_max(), 1e-12) << method << " " << solver;
      EXPECT_LE(tin.state().residual_max(), 1e-8) << method << " " << solver;
      spin[solver[0] == 'l'] = std::fabs(tin.spin("tin", 2));
    }
    EXPECT_LE(spin[0], 20) << method;
  }
}

}  // namespace
}  // namespace spin_friction_laws
}  // namespace jostle

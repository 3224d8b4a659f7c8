// Coulomb friction against closed formulas.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

constexpr double pi = 3.14159265358979323846;
std::string setting(const std::string& path, double value) {
  char text[64];
  std::snprintf(text, sizeof text, "=%.17g", value);
  return path + text;
}

// N = ceil(v0 / (mu g h)) steps, d = h [(N-1) v0 - mu g h N (N-1) / 2].
TEST(SlidingBlock, StopsAfterTheDistanceOfTheScheme) {
  const double v0 = 3, mu = 0.3, g = 9.81, h = 0.01;
  Simulation block("sliding_block", {"variables.mu=0.3", "variables.speed=3"});
  block.run();
  ASSERT_EQ(block.status(), Status::ok);
  const double N = std::ceil(v0 / (mu * g * h));
  EXPECT_NEAR(block.position("block", 0), h * ((N - 1) * v0 - mu * g * h * N * (N - 1) / 2), 1e-12);
  EXPECT_NEAR(block.outcome("stops"), N * h, 1e-12);
  EXPECT_NEAR(block.position("block", 0), v0 * v0 / (2 * mu * g), v0 * h);
}

// k = 8: sticks iff mu cos(pi/8) / cos((psi mod pi/4) - pi/8) >= tan 20.
TEST(Incline, HoldsFromTheFrictionAngleOfThePolygonOn) {
  for (const double psi : {0.0, 0.1, pi / 8, 0.7, 2.0, 3.9}) {
    const double limit = std::tan(pi / 9) * std::cos(std::fmod(psi, pi / 4) - pi / 8) / std::cos(pi / 8);
    for (const double side : {-1e-9, 1e-9}) {
      Simulation box("incline", {setting("variables.mu", limit * (1 + side)), setting("variables.psi", psi)});
      box.run_to(100);
      ASSERT_EQ(box.status(), Status::ok);
      const double speed = std::hypot(box.velocity("box", 0), box.velocity("box", 1));
      if (side > 0) {
        EXPECT_LE(speed, 1e-12) << "psi " << psi;
      } else {
        EXPECT_GT(speed, 1e-10) << "psi " << psi;
      }
    }
  }
}

TEST(Incline, DoesNotCreep) {
  for (const char* directions : {"4", "8"}) {
    Simulation box("incline", {"variables.mu=0.5", "variables.psi=0",
                               std::string("world.friction_directions=") + directions});
    double halfway = 0, displacement = 0, speed = 0;
    box.watch([&](const StateView& s) {
      const double moved = std::hypot(s.position[3], s.position[4], s.position[5] - 0.05);
      displacement = std::max(displacement, moved);
      if (s.steps[0] == 500) halfway = displacement;
      speed = std::max(speed, std::hypot(s.velocity[3], s.velocity[4], s.velocity[5]));
    });
    ASSERT_EQ(box.status(), Status::ok);
    EXPECT_LE(speed, 1e-12) << directions;
    EXPECT_LE(displacement, 1e-12) << directions;
    EXPECT_LE(displacement, 1.5 * halfway + 1e-15) << directions << ": grows";
  }
}

class RollingSphere : public testing::TestWithParam<std::pair<double, const char*>> {};

TEST_P(RollingSphere, RollsAtFiveSeventhsAfterTheTimeOfThePolygon) {
  const auto [psi, key] = GetParam();
  const double h = 1e-4;
  Simulation sphere("rolling_sphere", {setting("variables.psi", psi), setting("world.step", h)});
  sphere.run();
  ASSERT_EQ(sphere.status(), Status::ok);
  EXPECT_NEAR(sphere.outcome("rolls"), reference()["sphere_roll"][key].get<double>(), 2 * h);
  EXPECT_NEAR(sphere.outcome("speed"), 5.0 / 7 * 1.5, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Directions, RollingSphere,
                         testing::Values(std::pair{0.0, "aligned"}, std::pair{pi / 8, "pi/8"}, std::pair{0.2, "0.2rad"}));

TEST(RollingSphere, KeepsFiveSeventhsInEveryDirection) {
  for (int i = 0; i < 40; ++i) {
    Simulation sphere("rolling_sphere", {setting("variables.psi", 0.157 * i)});
    sphere.run();
    EXPECT_NEAR(sphere.outcome("speed"), 5.0 / 7 * 1.5, 1e-14) << i;
  }
}

// c_n = .3 + 8.3385 h in the first step; the impulse tends to (.3, -.4).
TEST(PainleveRod, IsStoppedByAnImpulseThatStays) {
  const std::pair<double, double> impulses[] = {{1e-2, 0.383385}, {1e-3, 0.3083385}, {1e-4, 0.30083385}};
  for (const auto& [h, impulse] : impulses) {
    Simulation rod("painleve_rod", {"variables.mu=2", setting("world.step", h)});
    rod.run_to(1);
    ASSERT_EQ(rod.status(), Status::ok);
    EXPECT_NEAR(rod.state().normal_impulse[1], impulse, 1e-9) << h;
  }
}

}  // namespace
}  // namespace jostle

// The library's escapement: a beat is half a tooth, and the period is that of the pendulum alone with its amplitude.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// Complete elliptic integral of the first kind, modulus k, by the arithmetic-geometric mean.
double elliptic_integral(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  while (std::fabs(a - b) > 1e-15) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b), a = mean;
  }
  return pi / (2 * a);
}

// In 60 s the wheel turns once; T = 4 K(sin(a/2)) sqrt(l/g) from the 5th to the 29th swing, l = (J + m d^2)/(m d).
TEST(Escapement, KeepsTheTimeOfItsPendulum) {
  Simulation simulation("escapement", {"world.duration=60"}, 1);
  const int pendulum = simulation.body("pendulum"), wheel = simulation.body("wheel");
  std::vector<double> swings;  // times at which the pendulum passes the middle in one direction
  double before = -1, amplitude = 0, time = -0.004;
  simulation.watch([&](const StateView& state) {
    const double angle = state.angle[pendulum];
    time += 0.004;
    if (before < 0 && angle >= 0 && time > 1) swings.push_back(time - 0.004 * angle / (angle - before));
    if (swings.size() >= 5 && swings.size() < 29) amplitude = std::max(amplitude, angle);
    before = angle;
  });
  EXPECT_EQ(simulation.status(), Status::ok);
  ASSERT_GE(swings.size(), 29U);
  const double length = (0.002 + 0.99 * 0.99) / 0.99;
  const double exact = 4 * elliptic_integral(std::sin(0.5 * amplitude)) * std::sqrt(length / g);
  EXPECT_NEAR((swings[28] - swings[4]) / 24 / exact, 1, 1e-4);
  EXPECT_GT(amplitude, 2.3 * pi / 180);
  EXPECT_LT(amplitude, 2.8 * pi / 180);
  EXPECT_NEAR(simulation.state().angle[wheel], 2 * pi, 1e-5);
}

}  // namespace
}  // namespace jostle

// docs/recipes.md: each scenario against its formula.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

// F = k (preload + rise) (tan theta + mu)/(1 - mu tan theta) at the upper end of the wall.
TEST(Recipes, ADetentNeedsTheForceOfItsFormula) {
  for (std::int64_t sample = 0; sample < 6; ++sample) {
    Simulation detent("detent", {}, sample);
    detent.run();
    EXPECT_EQ(detent.status(), Status::ok) << sample;
    EXPECT_NEAR(detent.outcome("ratio"), 1, 0.01) << sample;
    EXPECT_EQ(detent.outcome("released"), 1) << sample;
  }
}

// In honey a coin ends on its edge where |cos| of its axis to the vertical is below t/(t^2 + d^2)^(1/2).
TEST(Recipes, ACoinInHoneyFallsToTheSideBelowItsCentre) {
  int edges = 0;
  for (std::int64_t sample = 0; sample < 24; ++sample) {
    Simulation coin("three_sided_coin", {}, sample);
    coin.run();
    EXPECT_EQ(coin.status(), Status::ok) << sample;
    const double start = coin.outcome("start"), expected = coin.outcome("expected");
    if (std::fabs(start - expected) < 0.03) continue;  // nearly balanced: it takes too long
    EXPECT_EQ(coin.outcome("heads") + coin.outcome("tails") + coin.outcome("edge"), 1) << sample;
    EXPECT_EQ(coin.outcome("edge"), start < expected) << sample;
    edges += coin.outcome("edge") == 1;
  }
  EXPECT_GT(edges, 3);
}

// 2 mu N r, with N = k preload.
TEST(Recipes, AClampSlipsAtTheTorqueOfItsFormula) {
  const char* const clamp = R"(jostle: 1
variables: {mu: {uniform: [0.1, 0.3]}, preload: {normal: [0.002, 0.0002]}}
derived: {force: 50000*$preload}
world: {gravity: [0, 0, 0], step: 0.0002, duration: 0.1}
bodies:
  shaft:
    prescribed: {spin: [0, 5, 0]}
    shape: {cylinder: {radius: 0.01, length: 0.02, axis: y}}
  upper: {mass: 0.05, freedom: [z], shape: {box: {size: [0.03, 0.03, 0.01]}}, position: [0, 0, 0.015]}
  lower: {mass: 0.05, freedom: [z], shape: {box: {size: [0.03, 0.03, 0.01]}}, position: [0, 0, -0.015]}
springs:
  above: {between: [upper, world], at: [[0, 0, 0.015], [0, 0, 0.05]], stiffness: 50000, damping: 20, rest: 0.035 + $preload}
  below: {between: [lower, world], at: [[0, 0, -0.015], [0, 0, -0.05]], stiffness: 50000, damping: 20, rest: 0.035 + $preload}
contacts:
  - {between: any, friction: $mu}
outcomes:
  torque: {maximum: abs(shaft.torque.y), while: time > 0.05}
  closed_form: {at_end: 2*$mu*$force*0.01}
)";
  for (std::int64_t sample = 0; sample < 4; ++sample) {
    Simulation simulation(parse_scenario(clamp, "clamp.yaml"), sample);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    const double expected = simulation.outcome("closed_form");
    EXPECT_NEAR(simulation.outcome("torque"), expected, 1e-3 * expected) << sample;
  }
}

}  // namespace
}  // namespace jostle

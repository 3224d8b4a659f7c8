// Laws that hold under every method with impulses.

#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class EveryMethod : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

// A top on a tip of 5 mm without friction, let go at a tilt of .3 rad with 150 rad/s about its axis: it never stands up
// by more than .001 rad within 1 s.
TEST_P(EveryMethod, KeepsAHeavyTopTilted) {
  Simulation top(tied_scenario(
      0.0005, 1, std::string("method: ") + GetParam(),
      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  top: {mass: 0.1, inertia: [2.25e-5, 2.25e-5, 4.5e-5], shape: {sphere: {radius: 0.005}, position: [0, 0, "
      "-0.04]},\n"
      "        position: [0, 0, 0.04321345956502425], rotation: {axis: [1, 0, 0], degrees: 17.188733853924695},\n"
      "        spin: [0, -44.328030999, 143.3004733689]}\n"
      "contacts: [{between: any, friction: 0}]\n"
      "outcomes: {upright: {maximum: top.axis_z.z}, tilted: {minimum: top.axis_z.z}}\n"));
  top.run();
  ASSERT_EQ(top.status(), Status::ok);
  EXPECT_GE(std::acos(top.outcome("upright")), 0.299);
  EXPECT_LE(std::acos(top.outcome("tilted")), 0.45) << "and it does not fall";
}

// Torque-free: 50 rad/s about no axis of symmetry, for 2 s.
TEST_P(EveryMethod, KeepsTheEnergyOfAFreeRotation) {
  Simulation body(
      tied_scenario(0.005, 2, std::string("gravity: [0, 0, 0], method: ") + GetParam(),
                    "bodies:\n  body: {mass: 1, inertia: [0.001, 0.002, 0.003], spin: [30, 30, 26.457513110645905]}\n"
                    "outcomes: {least: {minimum: body.kinetic_energy}, most: {maximum: body.kinetic_energy}}\n"));
  body.run_to(0);
  const double start = body.outcome("least");
  body.run();
  ASSERT_EQ(body.status(), Status::ok);
  EXPECT_GE(body.outcome("least"), 0.99 * start);
  EXPECT_LE(body.outcome("most"), 1.01 * start);
}

// Coulomb's circle prefers no direction: a box on an incline sticks iff mu >= tan 20.
TEST_P(EveryMethod, HoldsABoxOnAnInclineInEveryDirection) {
  constexpr double h = 0.01;
  for (int i = 0; i < 64; ++i) {
    SCOPED_TRACE(i);
    for (const double side : {-1e-6, 1e-6}) {
      Simulation box("incline",
                     {setting("variables.mu", std::tan(pi / 9) * (1 + side)), setting("variables.psi", 2 * pi * i / 64),
                      "world.friction_cone=circle", std::string("world.method=") + GetParam()});
      box.run_to(10);
      ASSERT_EQ(box.status(), Status::ok);
      const double speed = std::hypot(box.velocity("box", 0), box.velocity("box", 1));
      const double slides = 10 * h * 9.81 * 1e-6 * std::sin(pi / 9);
      EXPECT_NEAR(speed, side > 0 ? 0 : slides, side > 0 ? 1e-12 : 0.02 * slides) << side;
    }
  }
}

// ... and a block slides on the level floor as far whatever its direction, and straight on.
TEST_P(EveryMethod, SlidesABlockAsFarInEveryDirection) {
  double distance = 0;
  for (int i = 0; i < 64; ++i) {
    SCOPED_TRACE(i);
    const double psi = 2 * pi * i / 64;
    char velocity[64];
    std::snprintf(velocity, sizeof velocity, "[%.17g, %.17g, 0]", std::cos(psi), std::sin(psi));
    Simulation box(tied_scenario(0.01, 0.5, std::string("friction_cone: circle, method: ") + GetParam(),
                                 "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                 "  box: {mass: 2, shape: {box: {size: [0.2, 0.2, 0.02]}}, position: [0, 0, 0.01], "
                                 "velocity: " +
                                     std::string(velocity) + "}\ncontacts: [{between: any, friction: 0.3}]\n"));
    box.run();
    ASSERT_EQ(box.status(), Status::ok);
    const double x = box.position("box", 0), y = box.position("box", 1);
    if (i == 0) distance = x;
    EXPECT_NEAR(std::cos(psi) * x + std::sin(psi) * y, distance, 1e-9);
    EXPECT_NEAR(std::cos(psi) * y - std::sin(psi) * x, 0, 1e-9);
  }
}

}  // namespace
}  // namespace jostle

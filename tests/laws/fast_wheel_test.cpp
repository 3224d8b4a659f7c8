// A wheel that turns more than half a turn in a step: its joint's angle counts turns by its speed.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

class FastWheel : public testing::TestWithParam<const char*> {};

/// A free wheel and one that a constant torque speeds up from rest: w = 400 t, angle 200 t^2, up to a step's error of
/// first order.
TEST_P(FastWheel, CountsItsTurns) {
  Simulation wheel(parse_scenario(R"(
jostle: 1
world: {gravity: [0, 0, 0], step: 0.01, duration: 2, method: )" +
                                      std::string(GetParam()) + R"(}
bodies:
  free: {mass: 1, inertia: 0.1, spin: [0, 0, -400]}
  driven: {mass: 1, inertia: 0.1, position: [1, 0, 0]}
joints:
  j: {revolute: [world, free], at: [0, 0, 0], axis: [0, 0, 1]}
  k: {revolute: [world, driven], at: [1, 0, 0], axis: [0, 0, 1]}
forces: [{body: driven, torque: [0, 0, 40]}]
outcomes: {free: {at_end: j.angle}, driven: {at_end: k.angle}, speed: {at_end: k.speed}}
)",
                                  "wheel.yaml"));
  wheel.run();
  ASSERT_EQ(wheel.status(), Status::ok);
  EXPECT_NEAR(wheel.outcome("free"), -800, 1e-8);
  EXPECT_NEAR(wheel.outcome("speed"), 800, 1e-8);
  EXPECT_NEAR(wheel.outcome("driven"), 800, 0.5 * 0.01 * 800 + 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Methods, FastWheel,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace jostle

// What moves slowly is not at rest, and what rests is woken by what arrives, under every method; steps at rest that are
// computed all the same give the same bits.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

class SlowMotion : public testing::TestWithParam<const char*> {
 protected:
  static constexpr double h = 0x1p-8;

  static bool has_friction() { return std::string(GetParam()) != "loetstedt"; }
  /// Contacts of those that have friction with it.
  static std::string contacts() {
    return std::string("contacts: [{between: any, friction: ") + (has_friction() ? "0.5" : "0") + "}]\n";
  }
  /// Two seconds, as computed with and without steps at rest.
  static Simulation run(const std::string& text, const std::string& world = "") {
    Scenario scenario = parse_scenario(
        std::string("jostle: 1\nworld: {step: 0.00390625, duration: 2, method: ") + GetParam() + world + "}\n" + text,
        "slow.yaml");
    Simulation fewer(scenario);
    scenario.world.every_step = true;
    Simulation every(std::move(scenario));
    fewer.run(), every.run();
    EXPECT_EQ(fewer.status(), Status::ok);
    for (std::size_t i = 0; i < 3 * fewer.ensemble().model().bodies.size(); ++i) {
      EXPECT_EQ(fewer.state().position[i], every.state().position[i]) << i;
      EXPECT_EQ(fewer.state().velocity[i], every.state().velocity[i]) << i;
    }
    return fewer;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, SlowMotion,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

const std::string box = "  box: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.2, 0, 0.05]}\n";

// The midpoint scheme asks of contacts that v_l + v_{l+1} is that of the belt twice: from rest its speeds are 2e-9 and
// 0 in turn.
TEST_P(SlowMotion, OfABeltCarriesABox) {
  if (!has_friction()) GTEST_SKIP() << "a method without friction";
  Simulation belt =
      run("bodies:\n  belt: {prescribed: {velocity: [1e-9, 0, 0]}, shape: {half_space: {normal: [0, 0, 1]}}}\n" + box +
          contacts());
  EXPECT_NEAR(belt.position("box", 0) - 0.2, 2e-9, 2 * h * 1e-9);
  EXPECT_NEAR(belt.velocity("box", 0), 1e-9, std::string(GetParam()) == "trapezoidal_midpoint" ? 1.0001e-9 : 1e-14);
}

TEST_P(SlowMotion, OfAPlateTiltsABox) {
  if (!has_friction()) GTEST_SKIP() << "a method without friction";
  Simulation plate =
      run("bodies:\n  plate: {prescribed: {spin: [0, 1e-6, 0]}, shape: {box: {size: [1, 1, 0.1]}}, position: [0, 0, "
          "-0.05]}\n" +
          box + contacts() + "outcomes: {tilt: {at_end: box.axis_x.z}, rise: {at_end: box.position.z}}\n");
  EXPECT_NEAR(plate.outcome("tilt"), -2e-6, 2e-8);
  EXPECT_NEAR(plate.outcome("rise"), 0.05 - 0.2 * 2e-6, 0.01 * 0.2 * 2e-6);
}

TEST_P(SlowMotion, OfAMotorTurnsAWheel) {
  Simulation wheel =
      run("bodies: {wheel: {mass: 1, inertia: 0.01}}\njoints: {j: {revolute: [world, wheel], at: [0, 0, 0], axis: [0, "
          "1, 0], motor: {speed: 1e-9, limit: 1}}}\noutcomes: {angle: {at_end: j.angle}}\n");
  EXPECT_NEAR(wheel.outcome("angle"), 2e-9, 2 * h * 1e-9);
}

// Thrown up, it has no speed after half a second, but for rounding errors of stages to the last bit.
TEST_P(SlowMotion, AtAnApexIsNoRest) {
  Simulation ball = run(
      "bodies: {ball: {mass: 1, inertia: 1, position: [0, 0, 9], velocity: [0, 0, 4]}}\noutcomes: {stands: {minimum: "
      "abs(ball.velocity.z)}}\n",
      ", gravity: [0, 0, -8]");
  EXPECT_LE(ball.outcome("stands"), has_friction() ? 0 : 1e-15);
  EXPECT_NEAR(ball.velocity("ball", 2), -12, has_friction() ? 0 : 1e-12);
}

// After a second it has come to the box.
TEST_P(SlowMotion, OfAPostPushesABox) {
  Simulation post =
      run("bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
          "  post: {prescribed: {velocity: [1e-3, 0, 0]}, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.099, 0, "
          "0.06]}\n" +
          box + contacts());
  EXPECT_NEAR(post.position("box", 0), 0.201, 2 * h * 1e-3);
}

// A ball comes from two metres away after .38 s.
TEST_P(SlowMotion, EndsWhereAFarShotArrives) {
  Simulation shot = run("bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n" + box +
                        "  ball: {mass: 1, freedom: [x], shape: {sphere: {radius: 0.05}}, position: [2.2, 0, 0.05], "
                        "velocity: [-5, 0, 0]}\n" +
                        contacts() + "outcomes: {first: {first_time: box.velocity.x < -1e-6}}\n");
  EXPECT_NEAR(shot.outcome("first"), 0.38, 2 * h);
  EXPECT_LT(shot.position("box", 0), 0.1);
}

}  // namespace
}  // namespace jostle

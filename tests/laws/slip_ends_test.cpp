// What a contact does after its slip has ended: nothing is left of the slip, so friction is what holds it, from one
// step to the next, under both trapezoidal methods.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class SlipEnd : public testing::TestWithParam<const char*> {
 protected:
  static Scenario scenario(double h, double duration, const std::string& world, const std::string& rest) {
    return tied_scenario(h, duration, std::string("method: ") + GetParam() + (world.empty() ? "" : ", ") + world, rest);
  }
  static std::string moved_by(double x, double y) {
    char text[80];
    std::snprintf(text, sizeof text, "[%.17g, %.17g, 0]", x, y);
    return text;
  }
  /// The largest friction force on a body in the steps from `time` on, N.
  static double friction_from(Simulation& simulation, const std::string& name, double time) {
    double most = 0;
    const int body = simulation.body(name);
    simulation.watch([&](const StateView& state) {
      if (simulation.step() * state.steps() > time) most = std::max(most, state.friction_impulse[body]);
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    return most / simulation.step();
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, SlipEnd, testing::Values("trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

const std::string floor_and = "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";

// A ball rolls from 2 v0/(7 mu g) on, later between two sides of a polygon, and needs no friction for it: in the plane
// and in space, in any direction, with polygons and circles, also where no times of transitions are searched.
TEST_P(SlipEnd, LetsABallRollWithoutFriction) {
  struct Case {
    const char *world, *freedom, *friction;
  };
  for (const Case& own : {Case{"", "freedom: [x, z, ry], ", ""},
                          Case{"", "", ""},
                          {"friction_directions: 4", "", ""},
                          {"friction_cone: circle", "", ""},
                          {"", "", ", spin_friction: 0.001"},
                          {"events: {collisions: false}", "", ""}}) {
    for (const double psi : {0.0, 0.3, 0.39269908169872414, 2.5}) {
      if (*own.freedom != 0 && psi > 0) continue;
      for (const double h : {0.01, 0.001}) {
        SCOPED_TRACE(std::string(own.world) + own.freedom + own.friction + ' ' + std::to_string(psi));
        Simulation ball(scenario(h, 0.3, own.world,
                                 floor_and + "  ball: {mass: 1, " + own.freedom +
                                     "shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: " +
                                     moved_by(0.5 * std::cos(psi), 0.5 * std::sin(psi)) +
                                     "}\ncontacts: [{between: any, friction: 0.5" + own.friction + "}]\n"));
        EXPECT_LE(friction_from(ball, "ball", 2 * 0.5 / (7 * 0.5 * g) * std::sqrt(2.0) + 3 * h), 1e-9) << h;
        const double speed = std::hypot(ball.velocity("ball", 0), ball.velocity("ball", 1));
        EXPECT_NEAR(speed, 5.0 / 7 * 0.5, 1e-6) << h;
      }
    }
  }
}

/// N: friction of the corners of a box may act against each other by this.
constexpr double among_corners = 2e-8;

// A box that has slid to its rest on a lift goes with it, and no farther.
TEST_P(SlipEnd, LetsABoxStandOnALift) {
  for (const char* world : {"", "friction_cone: circle"}) {
    for (const double across : {0.0, 0.21}) {
      SCOPED_TRACE(std::string(world) + ' ' + std::to_string(across));
      Simulation box(scenario(0.01, 0.5, world,
                              "bodies:\n  lift: {prescribed: {velocity: [0, 0, \"0.043*sin(6.3*t)\"]}, shape: {box: "
                              "{size: [4, 4, 0.2]}}, position: [0, 0, -0.1]}\n  box: {mass: 1.015, shape: {box: {size: "
                              "[0.26, 0.1, 0.2]}}, position: [0, 0, 0.1], velocity: " +
                                  moved_by(-0.363, across) + "}\ncontacts: [{between: any, friction: 0.4}]\n"));
      EXPECT_LE(friction_from(box, "box", 0.15), among_corners);
      for (const int k : {0, 1}) EXPECT_NEAR(box.velocity("box", k), 0, 1e-12);
    }
  }
}

// ... and one that a belt has taken along has its speed, w after w/(mu g).
TEST_P(SlipEnd, LetsABoxGoWithABelt) {
  Simulation box(
      scenario(0.01, 0.6, "",
               "bodies:\n  belt: {prescribed: {velocity: [0.7, 0.4, 0]}, shape: {half_space: {normal: [0, 0, "
               "1]}}}\n  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05]}\n"
               "contacts: [{between: any, friction: 0.4}]\n"));
  EXPECT_LE(friction_from(box, "box", 0.25), among_corners);
  EXPECT_NEAR(box.velocity("box", 0), 0.7, 1e-12);
  EXPECT_NEAR(box.velocity("box", 1), 0.4, 1e-12);
}

// On a table that turns a ball begins to roll, and then circles with 2/7 of the table's spin W: its friction is
// m (2/7) W v, which changes by O(h) from step to step and does not alternate.
TEST_P(SlipEnd, LetsABallRollOnATurntable) {
  constexpr double W = 3;
  for (const char* world : {"", "friction_cone: circle"}) {
    for (const double h : {0.004, 0.001}) {
      Simulation ball(scenario(h, 1, world,
                               "bodies:\n  table: {prescribed: {spin: [0, 0, 3]}, shape: {half_space: {normal: [0, 0, "
                               "1]}}}\n  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0.4, 0, 0.1]}\n"
                               "contacts: [{between: any, friction: 0.5}]\n"));
      const int body = ball.body("ball");
      ball.watch([&](const StateView& state) {
        const double force = state.friction_impulse[body] / h;
        if (h * state.steps() < 0.3) return;
        const double speed = std::hypot(ball.velocity("ball", 0), ball.velocity("ball", 1));
        EXPECT_NEAR(force, 2.0 / 7 * W * speed, 8 * h) << world << ' ' << state.steps();
      });
      EXPECT_EQ(ball.status(), Status::ok);
    }
  }
}

// ... and on a ball, where it begins to roll on its way down: f = (2/7) m g sin a.
TEST_P(SlipEnd, LetsABallRollOnABall) {
  for (const double h : {0.004, 0.001}) {
    Simulation ball(
        scenario(h, 0.36, "",
                 "bodies:\n  dome: {fixed: true, shape: {sphere: {radius: 1}}}\n  ball: {mass: 1, freedom: "
                 "[x, z, ry], shape: {sphere: {radius: 0.1}}, position: [0, 0, 1.1], velocity: [0.44, 0, 0]}"
                 "\ncontacts: [{between: any, friction: 0.8}]\n"));
    const int body = ball.body("ball");
    ball.watch([&](const StateView& state) {
      if (h * state.steps() < 0.1) return;
      const double sine = ball.position("ball", 0) / 1.1;
      EXPECT_NEAR(state.friction_impulse[body] / h, 2.0 / 7 * g * sine, 8 * h) << h << ' ' << state.steps();
    });
    EXPECT_EQ(ball.status(), Status::ok);
  }
}

// A slip that turns round without a stop does so at its time: a spring moves a block against friction, and pulls it on
// at once. The error is of order 2, and no energy is gained.
TEST_P(SlipEnd, TurnsRoundAtItsTime) {
  for (const double h : {0.01, 0.005, 0.0025}) {
    Simulation block(
        scenario(h, 0.4, "",
                 floor_and + "  block: {mass: 1, freedom: [x, z], shape: {sphere: {radius: 0.1}}, position: [1.14, "
                             "0, 0.1]}\ncontacts: [{between: any, friction: 0.1}]\nsprings: {s: {between: [world, "
                             "block], at: [[0, 0, 0.1], [1.14, 0, 0.1]], stiffness: 100, rest: 1}}\n"));
    block.run();
    ASSERT_EQ(block.status(), Status::ok);
    // half a swing about 1 + d, d = mu g/w^2, then one about 1 - d, with w = 10
    const double d = 0.1 * g / 100, t = 0.4 - pi / 10, turns = 1 + d - (0.14 - d);
    EXPECT_NEAR(block.position("block", 0), 1 - d + (turns - (1 - d)) * std::cos(10 * t), 20 * h * h) << h;
    EXPECT_LE(block.state().energy_gained(), 1e-12) << h;
  }
}

// What slides at an angle to the directions of a polygon, and is pushed between two of them, slides on halfway between
// them, and friction does not alternate there: of (6), (8) it is mu m g cos(pi/8).
TEST_P(SlipEnd, LetsABodySlideBetweenTwoDirections) {
  Simulation body(scenario(0.01, 0.4, "",
                           floor_and +
                               "  body: {mass: 1, freedom: [x, y, z], shape: {sphere: {radius: 0.1}}, position: [0, 0, "
                               "0.1], velocity: [1.5, 0.3, 0]}\ncontacts: [{between: any, friction: 0.4}]\n"));
  body.watch([&](const StateView& state) {
    if (state.steps() < 22) return;
    EXPECT_NEAR(state.friction_impulse[body.body("body")] / 0.01, 0.4 * g * std::cos(pi / 8), 1e-9) << state.steps();
    EXPECT_NEAR(std::atan2(body.velocity("body", 1), body.velocity("body", 0)), pi / 8, 1e-12) << state.steps();
  });
  EXPECT_EQ(body.status(), Status::ok);
}

}  // namespace
}  // namespace jostle

// Contacts that carry a pull: 0 <= n'v _|_ c_n + h a >= 0. Against closed forms, under every method.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

class Adhesion : public testing::TestWithParam<const char*> {
 protected:
  /// A ball of 2 kg that touches a ceiling from below.
  static Scenario under_ceiling(double adhesion, const std::string& more = "") {
    return parse_scenario(
        "jostle: 1\nworld: {method: " + std::string(GetParam()) +
            ", step: 0.01, duration: 1}\nbodies:\n  ceiling: {fixed: true, shape: {half_space: "
            "{normal: [0, 0, -1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, -0.1], shape: "
            "{sphere: {radius: 0.1}}}\ncontacts:\n  - {between: any, adhesion: " +
            std::to_string(adhesion) + "}\noutcomes:\n  push: {at_end: ball.normal_impulse}\n" + more,
        "ceiling.yaml");
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, Adhesion,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& of) { return std::string(of.param); });

// It hangs there, and the contact's impulse is a pull, -m g h.
TEST_P(Adhesion, HoldsABallUnderACeiling) {
  Simulation ball(under_ceiling(20));
  ball.run();
  EXPECT_EQ(ball.status(), Status::ok);
  EXPECT_EQ(ball.velocity("ball", 2), 0);
  EXPECT_NEAR(ball.position("ball", 2), -0.1, 1e-12);
  EXPECT_NEAR(ball.outcome("push"), -2 * g * 0.01, 1e-12);
}

// So does a box at four corners, each with a quarter of the pull.
TEST_P(Adhesion, HoldsABoxUnderACeiling) {
  Simulation box(parse_scenario("jostle: 1\nworld: {method: " + std::string(GetParam()) +
                                    ", step: 0.01, duration: 1}\nbodies:\n  ceiling: {fixed: true, shape: {half_space: "
                                    "{normal: [0, 0, -1]}}}\n  box: {mass: 1, position: [0, 0, -0.1], shape: "
                                    "{box: {size: [0.2, 0.2, 0.2]}}}\ncontacts:\n  - {between: any, adhesion: 5}\n"
                                    "outcomes:\n  push: {at_end: box.normal_impulse}\n",
                                "ceiling.yaml"));
  box.watch([&](const StateView& state) {
    if (state.steps() == 0) return;
    EXPECT_NEAR(state.normal_impulse[1], -g * 0.01, 1e-11) << state.steps();
  });
  EXPECT_EQ(box.status(), Status::ok);
  EXPECT_NEAR(box.position("box", 2), -0.1, 1e-12);
}

// The impulse of a step is what its forces were, also of a contact that opens too slowly to have left when it begins.
TEST_P(Adhesion, GivesTheImpulseOfItsForcesWhereItOpens) {
  for (const char* lift : {"0", "21"}) {
    Simulation ball(parse_scenario("jostle: 1\nworld: {method: " + std::string(GetParam()) +
                                       ", step: 0.01, steps: 1}\nbodies:\n  floor: {fixed: true, shape: {half_space: "
                                       "{normal: [0, 0, 1]}}}\n  ball: {mass: 1, position: [0, 0, 0.1], velocity: "
                                       "[0, 0, 5e-7], shape: {sphere: {radius: 0.1}}}\ncontacts:\n  - {between: any, "
                                       "adhesion: 10}\nforces:\n  - {body: ball, force: [0, 0, " +
                                       lift +
                                       "]}\noutcomes:\n  push: {at_end: ball.normal_impulse}\n"
                                       "  force: {at_end: ball.force.z}\n  strike: {at_end: ball.impact.z}\n",
                                   "lifted.yaml"));
    ball.run();
    EXPECT_NEAR(ball.outcome("push"), ball.outcome("force") * 0.01 + ball.outcome("strike"), 1e-12) << lift;
  }
}

// Adhesion of one body leaves the springs and rotors of joints of another one as they are.
TEST_P(Adhesion, LeavesJointsElsewhereAlone) {
  const auto slider = [&](const std::string& adhesion, const std::string& linearisation) {
    Simulation simulation(parse_scenario(
        "jostle: 1\nworld: {method: " + std::string(GetParam()) + linearisation +
            ", step: 0.01, duration: 0.4}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
            "  ball: {mass: 2, position: [0, 3, 0.1], shape: {sphere: {radius: 0.1}}}\n"
            "  block: {mass: 0.5, inertia: 0.01, position: [0, 0, 1], velocity: [1, 0, 0]}\njoints:\n"
            "  slide: {prismatic: [world, block], axis: [1, 0, 0], stiffness: 20, damping: 0.1, armature: 0.3}\n"
            "contacts:\n  - {between: any" +
            adhesion + "}\n",
        "slider.yaml"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    return simulation.velocity("block", 0);
  };
  for (const std::string linearisation : {"", ", linearisation: fixed_point"}) {
    if (!linearisation.empty() && GetParam() != std::string("stewart_trinkle")) continue;
    EXPECT_NEAR(slider(", adhesion: 5", linearisation), slider("", linearisation), 1e-12) << linearisation;
    EXPECT_NEAR(slider("", linearisation), std::cos(0.4 * std::sqrt(20 / 0.8)), 0.2) << linearisation;
  }
}

// A pull that is too weak slows the step in which the contact opens; after that the ball falls freely.
TEST_P(Adhesion, LetsAHeavyBallFall) {
  Simulation ball(under_ceiling(15));
  for (const int step : {1, 2, 50, 100}) {
    ball.run_to(step);
    EXPECT_NEAR(ball.velocity("ball", 2), -(g * 0.01 * step - 15.0 / 2 * 0.01), 1e-11) << step;
  }
  EXPECT_EQ(ball.status(), Status::ok);
}

// A force that pulls from the middle of the run on tears it off.
TEST_P(Adhesion, IsTornOffAboveItsBound) {
  const auto height = [](double pull) {
    Simulation ball(under_ceiling(30, "forces:\n  - {body: ball, force: [0, 0, -" + std::to_string(pull) + "]}\n"));
    ball.run();
    EXPECT_EQ(ball.status(), Status::ok);
    return ball.position("ball", 2);
  };
  EXPECT_NEAR(height(30 - 2 * g - 0.1), -0.1, 1e-12);
  EXPECT_LT(height(30 - 2 * g + 0.1), -1);
}

// A force R t lifts a ball off a floor that holds it with a, from t0 = (m g + a)/R on: v = (a + R (t - t0)/2) (t -
// t0)/m, but for the pull of a step or two, and of the time to 1e-10 m, however fast an impact must be to be one.
TEST_P(Adhesion, LetsGoWhenTheLoadExceedsIt) {
  constexpr double a = 5, rate = 100, end = 0.25, flight = end - (g + a) / rate;
  constexpr double exact = (a + 0.5 * rate * flight) * flight, range = 2e-4;
  const bool has_impacts = GetParam() != std::string("stewart_trinkle");
  for (const double h : {0.002, 0.001, 0.0005, 0.00025}) {
    for (const char* threshold : {"1e-4", "0.01", "0.1"}) {
      Simulation ball(parse_scenario(
          "jostle: 1\nworld: {method: " + std::string(GetParam()) + ", duration: 0.25, step: " + std::to_string(h) +
              (has_impacts ? ", impact: {threshold: " + std::string(threshold) + "}" : "") +
              "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 1, "
              "position: "
              "[0, 0, 0.1], freedom: [z], shape: {sphere: {radius: 0.1}}}\ncontacts:\n  - {between: any, adhesion: 5}\n"
              "forces:\n  - {body: ball, force: [0, 0, \"100*t\"]}\n",
          "ramp.yaml"));
      ball.run();
      EXPECT_EQ(ball.status(), Status::ok);
      EXPECT_NEAR(ball.velocity("ball", 2), exact, 3.2 * h * a + range * a) << h << ' ' << threshold;
    }
  }
}

// It takes time: in an impact there is none.
TEST_P(Adhesion, DoesNothingInAnImpact) {
  if (GetParam() == std::string("stewart_trinkle")) GTEST_SKIP() << "no restitution";
  Simulation ball(parse_scenario(
      "jostle: 1\nworld: {method: " + std::string(GetParam()) +
          ", step: 0.01, duration: 0.1, gravity: [0, 0, 0]}\nbodies:\n  floor: {fixed: true, shape: {half_space: "
          "{normal: [0, 0, 1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, 0.133], velocity: [0, 0, -1], "
          "shape: {sphere: {radius: 0.1}}}\ncontacts:\n  - {between: any, restitution: 0.5, adhesion: 100}\n",
      "ball.yaml"));
  ball.run();
  EXPECT_EQ(ball.status(), Status::ok);
  EXPECT_NEAR(ball.velocity("ball", 2), 0.5, 1e-12);
}

// On a slope friction is bounded by mu (c_n + h a): what sticks to the ground slides later, and slower.
TEST_P(Adhesion, RaisesFriction) {
  if (GetParam() == std::string("loetstedt")) GTEST_SKIP() << "no friction";
  const auto speed = [](double along) {
    Simulation block(parse_scenario(
        "jostle: 1\nworld: {method: " + std::string(GetParam()) + ", step: 0.01, duration: 1, gravity: [" +
            std::to_string(along) +
            ", 0, -8]}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  block: {mass: 2, "
            "freedom: [x, y, z], position: [0, 0, 0.1], shape: {sphere: {radius: 0.1}}}\ncontacts:\n  - {between: any, "
            "friction: 0.5, adhesion: 6}\n",
        "slope.yaml"));
    block.run();
    EXPECT_EQ(block.status(), Status::ok);
    return block.velocity("block", 0);
  };
  EXPECT_EQ(speed(5.4), 0);  // mu (g_n + a / m) = 5.5
  EXPECT_NEAR(speed(6), 0.5, 1e-10);
}

/// In weightless space, for 0.4 s.
Simulation held(const std::string& bodies, double step, const std::string& rule = "adhesion: 30") {
  Simulation simulation(parse_scenario("jostle: 1\nworld: {method: " + std::string(Adhesion::GetParam()) +
                                           ", gravity: [0, 0, 0], duration: 0.4, step: " + std::to_string(step) +
                                           "}\nbodies:\n" + bodies + "contacts: [{between: any, " + rule +
                                           "}]\noutcomes: {gap: {at_end: 'gap(a, b)'}, push: {at_end: "
                                           "b.normal_force}, gained: {at_end: energy_gained}}\n",
                                       "held.yaml"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  return simulation;
}

// A box turns with the plate that it is glued to: m w^2 R is 0.15 N, and the pull of the corners may be 120.
TEST_P(Adhesion, HoldsWhatTurns) {
  for (const double step : {0.001, 0.0001}) {
    Simulation box = held(
        "  a: {prescribed: {spin: [0, 0, 'min(4*t, 1)']}, shape: {box: {size: [0.2, 0.2, 0.2]}}}\n"
        "  b: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.15, 0, 0]}\n",
        step, GetParam() == std::string("loetstedt") ? "adhesion: 30" : "adhesion: 30, friction: 1");
    EXPECT_NEAR(box.outcome("gap"), 0, step * step) << step;
    EXPECT_NEAR(box.outcome("gained"), 0, 1e-9) << step;
  }
}

// Two boxes that are glued together fly on and turn: m w^2 R = 0.1 N.
TEST_P(Adhesion, HoldsTwoBoxesThatTurn) {
  for (const double step : {0.001, 0.0001}) {
    Simulation boxes = held(
        "  a: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [-0.1, 0, 0], velocity: [0, -0.1, 0], spin: "
        "[0, 0, 1]}\n"
        "  b: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0.1, 0, 0], velocity: [0, 0.1, 0], spin: [0, "
        "0, 1]}\n",
        step);
    EXPECT_NEAR(boxes.outcome("gap"), 0, 2 * step * step) << step;
    EXPECT_NEAR(boxes.outcome("push"), -0.1, 1e-3) << step;
  }
}

// A ball slides down a ball that holds it, beyond where it would fly off.
TEST_P(Adhesion, HoldsABallOnADome) {
  Simulation ball = held(
      "  a: {fixed: true, shape: {sphere: {radius: 0.2}}}\n"
      "  b: {mass: 1, inertia: 0.004, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.3], velocity: [1.5, 0, 0]}\n",
      0.001);
  EXPECT_NEAR(ball.outcome("gap"), 0, 1.2e-5);  // 3/2 v^2 h^2 / (R + r)
  EXPECT_NEAR(ball.outcome("push"), -1.5 * 1.5 / 0.3, 0.15);
}

// So does one that turns, where a transition or a jump divides a step: the normal turns, and a short piece has not the
// pull for what the scheme has left of that. The ball flew away from all of these.
TEST(AdhesionOnADomeThatTurns, IsNotLostInAShortPiece) {
  struct Scene {
    const char *spin, *friction, *velocity;
  };
  for (const Scene& of : {Scene{"[3.79113, -0.92774, -2.72259]", "0.40286", "[0.25509, -0.4063, 0]"},
                          {"[-2.20887, -2.92774, -0.72259]", "0.17786", "[-0.49491, 0.3437, 0]"},
                          {"[-2.08387, 3.44726, -2.34759]", "0.44504", "[0.11447, 0.67182, 0]"},
                          {"[-3.52137, -3.36524, -1.66009]", "0.71926", "[-0.33085, 0.74214, 0]"},
                          {"[-0.27137, -3.61524, 0.58991]", "0.97239", "[-0.6121, -0.28911, 0]"},
                          {"[-3.64637, 2.75976, -3.28509]", "0.78957", "[0.74728, 0.32026, 0]"}}) {
    Simulation ball(parse_scenario(
        std::string("jostle: 1\nworld: {method: trapezoidal_midpoint, gravity: [0, 0, 0], duration: 0.4, step: 0.001}\n"
                    "bodies:\n  dome: {prescribed: {spin: ") +
            of.spin +
            "}, shape: {sphere: {radius: 0.2}}}\n  ball: {mass: 1, inertia: 0.004, shape: {sphere: {radius: "
            "0.1}}, position: [0, 0, 0.3], velocity: " +
            of.velocity + "}\ncontacts: [{between: any, adhesion: 30, friction: " + of.friction +
            "}]\noutcomes: {gap: {maximum: 'gap(dome, ball)'}}\n",
        "dome.yaml"));
    ball.run();
    EXPECT_EQ(ball.status(), Status::ok);
    EXPECT_LT(ball.outcome("gap"), 1.2e-5) << of.spin;
  }
}

// It flies off where g cos(s) + a/m = v^2/R, with v^2 = v0^2 + 2 g R (1 - cos(s)); from there on v cos(s) stays.
TEST_P(Adhesion, LetsABallOnADomeGo) {
  constexpr double R = 0.3, v0 = 1.5, a = 30, cosine = (v0 * v0 / R + 2 * g - a) / (3 * g);
  const double exact = std::sqrt(R * (g * cosine + a)) * cosine;
  for (const double h : {0.001, 0.0005, 0.00025}) {
    Simulation ball(parse_scenario("jostle: 1\nworld: {method: " + std::string(GetParam()) +
                                       ", duration: 0.4, step: " + std::to_string(h) +
                                       "}\nbodies:\n  dome: {fixed: true, shape: {sphere: {radius: 0.2}}}\n  ball: "
                                       "{mass: 1, inertia: 0.004, shape: "
                                       "{sphere: {radius: 0.1}}, position: [0, 0, 0.3], velocity: [1.5, 0, "
                                       "0]}\ncontacts: [{between: any, adhesion: "
                                       "30}]\n",
                                   "dome.yaml"));
    ball.run();
    EXPECT_EQ(ball.status(), Status::ok);
    EXPECT_NEAR(ball.velocity("ball", 0), exact, 2.5 * h * a) << h;
  }
}

// It stays on the dome while another ball bounces in a slot: an impact, which has no pull, lets go only of what it
// opens.
TEST_P(Adhesion, HoldsWhileABallBouncesElsewhere) {
  const std::string rule =
      GetParam() == std::string("stewart_trinkle") ? "adhesion: 30" : "adhesion: 30, restitution: 0.9";
  Simulation balls = held(
      "  a: {fixed: true, shape: {sphere: {radius: 0.2}}}\n"
      "  b: {mass: 1, inertia: 0.004, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.3], velocity: [1.5, 0, 0]}\n"
      "  slot: {fixed: true, position: [0, 0, 2], shapes: [{box: {size: [1, 1, 0.1]}, position: [0, 0, -0.2]}, {box: "
      "{size: [1, 1, 0.1]}, position: [0, 0, 0.2]}]}\n"
      "  other: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 2], velocity: [0, 0, 3]}\n",
      0.001, rule);
  EXPECT_NEAR(balls.outcome("gap"), 0, 1e-4);
}

// A pad lifts a ball from rest on: m a = 4 N.
TEST_P(Adhesion, LiftsABallFromRestOn) {
  for (const double step : {0.001, 0.0001}) {
    Simulation ball = held(
        "  a: {prescribed: {velocity: [0, 0, 2*t]}, shape: {box: {size: [1, 1, 0.1]}}, position: [0, 0, 0.15]}\n"
        "  b: {mass: 2, shape: {sphere: {radius: 0.1}}}\n",
        step);
    EXPECT_NEAR(ball.outcome("gap"), 0, step) << step;
    EXPECT_NEAR(ball.velocity("b", 2), 0.8, 2 * step) << step;
    EXPECT_NEAR(ball.outcome("push"), -4, 1e-6) << step;
  }
}

// A contact pulls as long as it is closed, whether or not it carries: a sliding box goes as far with the answer of
// least norm, with a vertex, where contacts carry nothing, and beside a joint that makes the problem one of coupled
// bodies.
TEST(AdhesionOfASlidingBox, IsTheSameWhicheverContactsCarry) {
  const auto slide = [](const std::string& world, const std::string& bodies, const std::string& joints) {
    Simulation box(parse_scenario("jostle: 1\nworld: {step: 0.01, duration: 0.4" + world +
                                      "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  "
                                      "box: {mass: 1, shape: {box: "
                                      "{size: [0.2, 0.16, 0.1]}}, position: [0, 0, 0.05], velocity: [1, 0, 0]}\n" +
                                      bodies + joints + "contacts: [{between: any, friction: 0.3, adhesion: 1.5}]\n",
                                  "slide.yaml"));
    box.run();
    EXPECT_EQ(box.status(), Status::ok);
    EXPECT_NEAR(box.position("box", 1), 0, 1e-12);
    return box.position("box", 0);
  };
  const double end = slide("", "", "");
  EXPECT_NEAR(end, 0.5 / (0.3 * (g + 4 * 1.5)), 0.01);
  EXPECT_NEAR(slide(", multipliers: vertex", "", ""), end, 1e-12);
  EXPECT_NEAR(slide("", "  bob: {mass: 1, inertia: 0.01, position: [5, 0, 1]}\n",
                    "joints: {pivot: {ball: [world, bob], at: [5, 0.3, 1.5], friction: 0.1}}\n"),
              end, 1e-12);
}

}  // namespace
}  // namespace jostle

// External impulses at given times, against closed forms under every method; docs/theory.md (53d).
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class Blows : public testing::TestWithParam<const char*> {
 protected:
  static bool has_impacts() { return std::string(GetParam()) != "stewart_trinkle"; }
  static Scenario scenario(double h, double duration, const std::string& text, const std::string& gravity = floats) {
    return tied_scenario(h, duration, gravity + ", method: " + GetParam(), text);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, Blows,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& one) { return std::string(one.param); });

// A free body: its velocity jumps by P/m at the very time, between two steps or within one.
TEST_P(Blows, AFreeBodyMovesFromTheVeryTime) {
  for (const double time : {0.0, 0.123, 0.3, 0.3999}) {
    char text[400];
    std::snprintf(text, sizeof text,
                  "bodies:\n  ball: {mass: 2, inertia: 0.4, velocity: [0.5, 0, 0]}\n"
                  "impulses:\n  - {body: ball, time: %.17g, impulse: [1, -3, 2], angular_impulse: [0, 0, 0.6]}\n",
                  time);
    Simulation simulation(scenario(0.1, 1, text));
    simulation.watch([&](const StateView& s) {
      const double t = 0.1 * s.steps(), since = t > time + 1e-9 ? t - time : 0;
      // The first order method of Anitescu & Potra moves by the velocity at the start of each part of a step.
      EXPECT_NEAR(s.position[0], 0.5 * t + 0.5 * since, 1e-14) << time << ' ' << t;
      EXPECT_NEAR(s.position[1], -1.5 * since, 1e-14) << time << ' ' << t;
      EXPECT_NEAR(s.position[2], since, 1e-14) << time << ' ' << t;
      EXPECT_NEAR(s.spin[2], since > 0 ? 1.5 : 0.0, 1e-15) << time << ' ' << t;
    });
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_EQ(simulation.state().energy_gained(), 0);
  }
}

// The time has rounding errors of many 1e-9 of such a step: the blow is of one of two steps, not of both or none.
TEST_P(Blows, ActOnceHoweverLate) {
  struct Late {
    double step, time;
    int number;  // of the step in which it acts, or of a neighbour
  };
  for (const Late& late : {Late{5e-6, 40, 8'000'000}, Late{2e-6, 29.999999999999996, 15'000'000}}) {
    char text[300];
    std::snprintf(text, sizeof text,
                  "bodies:\n  puck: {mass: 1, inertia: 1}\n"
                  "impulses:\n  - {body: puck, time: %.17g, impulse: [1, 0, 0]}\n",
                  late.time);
    Simulation simulation(scenario(late.step, 41, text));
    simulation.state().steps() = late.number - 2;
    simulation.run_to(late.number + 2);
    EXPECT_EQ(simulation.velocity("puck", 0), 1) << late.time;
  }
}

// At a point: J w = r x P, in the axes of a body that is turned; two at a time are added, and each acts once.
TEST_P(Blows, ActAtAPointAndOnce) {
  Simulation simulation(scenario(0.01, 0.05,
                                 "bodies:\n  box: {mass: 2, inertia: [0.1, 0.2, 0.25], position: [1, 2, 3], "
                                 "rotation: {axis: [1, 2, 3], degrees: 50}}\n"
                                 "impulses:\n  - {body: box, time: 0.03, at: [1.3, 2.1, 2.8], impulse: [3, -2, 4]}\n"
                                 "  - {body: box, time: 0.03, impulse: [0, 0, 1], angular_impulse: [0.1, 0, 0]}\n"));
  simulation.run_to(3);
  EXPECT_EQ(simulation.velocity("box", 0), 0);
  const Mat3 axes = rotation_matrix(quaternion_at(simulation.state().orientation, 0));
  const Vec3 moment = rotate_back(axes, Vec3(cross(Vec3(0.3, 0.1, -0.2), Vec3(3, -2, 4)) + Vec3(0.1, 0, 0)));
  simulation.run_to(4);
  const double inertia[] = {0.1, 0.2, 0.25}, P[] = {3, -2, 5};
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.velocity("box", k), P[k] / 2, 1e-14);
  const StateView s = simulation.state();
  const double energy =
      0.5 * (0.1 * s.spin[0] * s.spin[0] + 0.2 * s.spin[1] * s.spin[1] + 0.25 * s.spin[2] * s.spin[2]);
  double given = 0;
  for (int k = 0; k < 3; ++k) given += 0.5 * moment[k] * moment[k] / inertia[k];
  EXPECT_NEAR(energy, given, 0.05 * given);
  simulation.run();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.velocity("box", k), P[k] / 2, 1e-14);
}

// A rod of mass m on a hinge at its end is struck at d from it: w = p d/I with I = m L^2/3, and the hinge gives
// p (1 - 3 d/(2 L)) against it; a rotor of the hinge adds to I.
TEST_P(Blows, AHingedRodTurnsAndItsHingeReacts) {
  constexpr double m = 1.2, L = 0.8, p = 2.5, h = 1e-4;
  for (const double armature : {0.0, 0.3}) {
    for (const double d : {0.2, 2 * L / 3, 0.8}) {
      char text[700];
      std::snprintf(text, sizeof text,
                    "bodies:\n  rod: {mass: %g, inertia: %.17g, freedom: [x, y, rz], position: [%g, 0, 0]}\n"
                    "joints:\n  hinge: {revolute: [world, rod], at: [0, 0, 0], axis: [0, 0, 1], armature: %g}\n"
                    "impulses: [{body: rod, time: %g, at: [%.17g, 0, 0], impulse: [0, %g, 0]}]\noutcomes: {reaction: "
                    "{at_end: hinge.reaction}}\n",
                    m, m * L * L / 12, L / 2, armature, h, d, p);
      Simulation simulation(scenario(h, 2 * h, text));
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok);
      const double w = p * d / (m * L * L / 3 + armature);
      EXPECT_NEAR(simulation.state().joint_speed[0], w, 1e-6 * w);
      const double centripetal = m * w * w * L / 2 * h;  // of the rest of the step
      EXPECT_NEAR(simulation.outcome("reaction"), std::fabs(p - m * L / 2 * w), 1.6 * centripetal);
      EXPECT_EQ(simulation.state().energy_gained(), 0);
    }
  }
}

// What a weld gives in the step of a blow has that of the blow, and of no other step. Its magnitude is that of the sum.
TEST_P(Blows, AddToTheReactionsOfTheirStepAlone) {
  constexpr double h = 0.01, m = 3, P = 2;
  Simulation held(scenario(h, 0.1,
                           "bodies: {box: {mass: 3, inertia: 0.1}}\njoints: {weld: {fixed: [world, box]}}\n"
                           "impulses: [{body: box, time: 0.034, impulse: [2, 0, 0]}, {body: box, time: 0.06, impulse: "
                           "[2, 0, 0]}]\noutcomes: {size: {maximum: weld.reaction}}\n",
                           falls_along_y));
  held.watch([&](const StateView& state) {
    if (state.steps() == 0) return;
    const bool is_struck = state.steps() == 4 || state.steps() == 7;
    EXPECT_NEAR(state.joint_wrench[0], is_struck ? -P : 0, 1e-13) << state.steps();
    EXPECT_NEAR(state.joint_wrench[1], m * 9.81 * h, 1e-13) << state.steps();
  });
  EXPECT_EQ(held.status(), Status::ok);
  EXPECT_NEAR(held.outcome("size"), std::hypot(P, m * 9.81 * h), 1e-13);
}

// A ball at rest on a plate is struck down: after the blow it approaches with P/m, and e of that comes back. Methods
// without impacts only hold it.
TEST_P(Blows, ABallThatIsStruckDownOnAPlateComesBackWithE) {
  std::vector<std::string> laws{""};
  if (has_impacts() && std::string(GetParam()) != "loetstedt")
    laws = {", impact: {law: poisson}", ", impact: {law: newton}", ", impact: {law: simplified}"};
  for (const std::string& law : laws) {
    const std::string restitution = has_impacts() ? "0.5" : "0";
    Simulation simulation(scenario(0.01, 0.25,
                                   "bodies:\n  ball: {mass: 2, freedom: [z], shape: {sphere: {radius: 0.1}}, "
                                   "position: [0, 0, 0.1]}\n"
                                   "  plate: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                   "contacts: [{between: any, restitution: " +
                                       restitution +
                                       "}]\n"
                                       "impulses: [{body: ball, time: 0.155, impulse: [0, 0, -3]}]\n",
                                   std::string("gravity: [0, 0, -2]") + law));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << law;
    const double since = 0.25 - 0.155, speed = has_impacts() ? 0.75 : 0;
    const double first_order = std::string(GetParam()) == "anitescu_potra" ? 0.02 : 1e-9;
    EXPECT_NEAR(simulation.velocity("ball", 2), has_impacts() ? speed - 2 * since : 0, 1e-9) << law;
    EXPECT_NEAR(simulation.position("ball", 2) - 0.1, has_impacts() ? speed * since - since * since : 0, first_order)
        << law;
    EXPECT_EQ(simulation.state().energy_gained(), 0) << law;
  }
}

// A box at rest on the floor, which repeats its steps, wakes; friction stops it after v^2/(2 mu g).
TEST_P(Blows, WakeABodyAtRest) {
  if (std::string(GetParam()) == "loetstedt") return;  // has no friction
  Simulation simulation(scenario(0.01, 3,
                                 "bodies:\n  box: {mass: 2, shape: {box: {size: [0.4, 0.4, 0.2]}}, "
                                 "position: [0, 0, 0.1]}\n"
                                 "  other: {mass: 2, shape: {box: {size: [0.4, 0.4, 0.2]}}, position: [0, 3, 0.1]}\n"
                                 "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                 "contacts: [{between: any, friction: 0.4}]\n"
                                 "impulses: [{body: box, time: 1.5, impulse: [3, 0, 0]}]\n",
                                 ""
                                 "gravity: [0, 0, -9.81]"));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.position("box", 0), 2.25 / (2 * 0.4 * 9.81), 0.01);
  // The second trapezoidal scheme keeps what its last sliding step leaves, with the other sign in every step.
  EXPECT_NEAR(simulation.velocity("box", 0), 0, std::string(GetParam()) == "trapezoidal_midpoint" ? 0.04 : 1e-9);
  EXPECT_NEAR(simulation.position("other", 0), 0, 1e-9);
}

// A ball so fast that its steps are divided, which a blow turns aside before it hits another one.
TEST_P(Blows, ActInDividedSteps) {
  Simulation simulation(scenario(0.01, 0.2,
                                 "bodies:\n  ball: {mass: 2, shape: {sphere: {radius: 0.01}}, velocity: [30, 0, 0]}\n"
                                 "  target: {mass: 1, shape: {sphere: {radius: 0.01}}, position: [0.5, 0, 0]}\n"
                                 "contacts: [{between: any}]\n"
                                 "impulses: [{body: ball, time: 0.0133, impulse: [0, 40, 0]}]\n"));
  int substeps = 0;
  simulation.watch([&](const StateView& s) {
    const double t = 0.01 * s.steps();
    EXPECT_NEAR(s.position[0], 30 * t, 1e-12) << t;
    EXPECT_NEAR(s.position[1], t > 0.0133 ? 20 * (t - 0.0133) : 0, 1e-12) << t;
    substeps = s.substeps();
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_GT(substeps, 0);
  EXPECT_EQ(simulation.position("target", 1), 0);
}

// A rod that begins with a velocity that its hinge forbids, and is struck within its first step: what the hinge leaves
// of the start, 3 v/(2 L), and p d/I add up, and the whole step is made.
TEST_P(Blows, FollowAnImpactOfTheJointsInTheirStep) {
  constexpr double m = 1.2, L = 0.8, v = 0.4, p = 0.5, h = 1e-4;
  char text[700];
  std::snprintf(
      text, sizeof text,
      "bodies:\n  rod: {mass: %g, inertia: %.17g, freedom: [x, y, rz], position: [%g, 0, 0], velocity: [0, %g, 0]}\n"
      "joints:\n  hinge: {revolute: [world, rod], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "impulses: [{body: rod, time: %.17g, at: [%.17g, 0, 0], impulse: [0, %g, 0]}]\n",
      m, m * L * L / 12, L / 2, v, h / 2, L, p);
  Simulation simulation(scenario(h, 2 * h, text));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  const double first = 1.5 * v / L, w = first + p * L / (m * L * L / 3);
  EXPECT_NEAR(simulation.state().joint_speed[0], w, 1e-5 * w);
  EXPECT_NEAR(simulation.position("rod", 1), L / 2 * (first * h / 2 + w * 1.5 * h), 1e-3 * L * w * h);
}

// Times that differ by rounding errors are one: nothing comes between the blows.
TEST_P(Blows, OfOneTimeButForRoundingActTogether) {
  const auto height = [&](double later) {
    char times[200];
    std::snprintf(times, sizeof times,
                  "impulses: [{body: ball, time: 0.035, impulse: [0, 0, -3]}, {body: ball, time: %.17g, impulse: "
                  "[0, 0, 3]}]\n",
                  later);
    Simulation ball(scenario(0.01, 0.2,
                             std::string("bodies:\n  ball: {mass: 2, freedom: [z], shape: {sphere: {radius: 0.1}}, "
                                         "position: [0, 0, 0.1]}\n"
                                         "  plate: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                         "contacts: [{between: any, restitution: ") +
                                 (has_impacts() ? "0.5" : "0") + "}]\n" + times,
                             "gravity: [0, 0, -2]"));
    ball.run();
    EXPECT_EQ(ball.status(), Status::ok);
    return ball.position("ball", 2);
  };
  EXPECT_EQ(height(std::nextafter(0.035, 1)), height(0.035));
  EXPECT_NEAR(height(0.035), 0.1, 1e-12);
}

// A body that is welded to one that moves as told has its velocity already when something else is struck.
TEST_P(Blows, LeaveWhatIsCarriedAlone) {
  constexpr double h = 0.01, m = 2;
  Simulation carried(scenario(h, 0.1,
                              "bodies:\n  hand: {prescribed: {velocity: [\"1 + 0.05*t\", 0, 0]}}\n"
                              "  box: {mass: 2, inertia: 0.1, velocity: [1, 0, 0]}\n"
                              "  ball: {mass: 1, inertia: 0.1, position: [0, 3, 0]}\n"
                              "joints: {weld: {fixed: [hand, box]}}\n"
                              "impulses: [{body: ball, time: 0.034, impulse: [0, 1, 0]}]\n"
                              "outcomes: {x: {at_end: weld.reaction.x}}\n"));
  carried.watch([&](const StateView& state) {
    if (state.steps() == 0) return;
    EXPECT_NEAR(std::fabs(state.joint_wrench[0]), m * 0.05 * h, 1e-12) << state.steps();
  });
  ASSERT_EQ(carried.status(), Status::ok);
  EXPECT_NEAR(carried.velocity("ball", 1), 1, 1e-12);
}

// The time may differ from sample to sample.
TEST_P(Blows, HaveATimeOfEachSample) {
  const std::string text =
      "bodies:\n  ball: {mass: 2, inertia: 1}\n"
      "impulses: [{body: ball, time: {uniform: [0.2, 0.7]}, impulse: [1, 0, 0]}]\nsample: {count: 4}\n";
  for (int sample = 0; sample < 4; ++sample) {
    Simulation simulation(scenario(0.1, 1, text), sample);
    const double time = simulation.ensemble().draw(sample)[0];
    simulation.run();
    EXPECT_NEAR(simulation.position("ball", 0), 0.5 * (1 - time), 1e-14);
  }
}

// A piece as short as 1e-9 of a step pushes the overlaps of other bodies out no faster than a whole step does.
TEST(ShortPieces, PushOverlapsOutAsStepsDo) {
  for (const char* const time : {"0.23", "0.2300001", "0.23000001", "0.230000001"}) {
    Simulation simulation(tied_scenario(
        0.005, 1, "",
        "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
        "  box: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.3], spin: [3, 12, 5], "
        "velocity: [1, 0, 0]}\n"
        "  ball: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [5, 0, 0.05]}\n"
        "contacts: [{between: any, friction: 0.5}]\n"
        "impulses: [{body: ball, time: " +
            std::string(time) +
            ", impulse: [0.001, 0, 0]}]\n"
            "outcomes: {top: {maximum: box.velocity.z}}\n"));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << time;
    EXPECT_LT(simulation.outcome("top"), 0.4) << time;
  }
}

// The same of what joints are off: a free pendulum beside a body that is struck.
TEST(ShortPieces, CloseJointsAsStepsDo) {
  for (const char* const time : {"0.2", "0.2000000001", "0.2150000001"}) {
    Simulation simulation(
        tied_scenario(0.005, 2, "",
                      "bodies:\n  bob: {mass: 1, inertia: [0.002, 0.002, 0.002], position: [1, 0, 0]}\n"
                      "  ball: {mass: 1, inertia: [1, 1, 1], position: [5, 0, 0]}\n"
                      "joints:\n  hinge: {revolute: [world, bob], at: [0, 0, 0], axis: [0, 1, 0]}\n"
                      "impulses: [{body: ball, time: " +
                          std::string(time) + ", impulse: [0.001, 0, 0]}]\n"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << time;
  }
}

}  // namespace
}  // namespace jostle

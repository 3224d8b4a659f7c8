// What bodies that move as told carry stays on them, under every method: they move as the method moves the others.
#include "tests/laws/convergence.hpp"

namespace jostle {
namespace {

class ToldBodies : public testing::TestWithParam<const char*> {
 protected:
  static bool is(const char* method) { return std::string(method) == GetParam(); }
  static bool is_trapezoidal() { return is("trapezoidal") || is("trapezoidal_midpoint"); }
  static std::string friction(const char* friction) { return is("loetstedt") ? "0" : friction; }

  static Scenario scenario(double h, double duration, const std::string& rest, const std::string& world = "") {
    return tied_scenario(h, duration, std::string("method: ") + GetParam() + (world.empty() ? "" : ", " + world), rest);
  }
};

struct Shaking {
  const char* velocity;
  double (*at)(double t);
  double h, duration;
};
const Shaking shakings[] = {
    {"0.24979*sin(2*pi*5*t)", [](double t) { return 0.24979 * std::sin(2 * pi * 5 * t); }, 0.005, 20},
    {"0.3*cos(2*pi*3*t) - 0.3", [](double t) { return 0.3 * std::cos(2 * pi * 3 * t) - 0.3; }, 0.01, 5},
    {"2*t - t*t", [](double t) { return 2 * t - t * t; }, 0.02, 3},
};

// Below one g a plate carries a ball: the gap stays 0 and the plate gives m (g + a) h.
TEST_P(ToldBodies, CarryABallWithItsGapAndItsForce) {
  for (const Shaking& shaking : shakings) {
    Simulation simulation(scenario(shaking.h, shaking.duration,
                                   "bodies:\n  plate: {prescribed: {velocity: [0, 0, \"" +
                                       std::string(shaking.velocity) +
                                       "\"]}, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 1.7, "
                                       "freedom: [x, y, z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}\n"
                                       "contacts: [{between: any, friction: " +
                                       friction("0.5") + "}]\n"));
    simulation.watch([&](const StateView& state) {
      const double gap = simulation.position("ball", 2) - 0.1 - simulation.position("plate", 2);
      EXPECT_NEAR(gap, 0, 1e-12) << shaking.velocity << " " << state.steps();
      if (state.steps() == 0) return;
      const double t = shaking.h * state.steps();
      const double expected = 1.7 * (g * shaking.h + shaking.at(t) - shaking.at(t - shaking.h));
      EXPECT_NEAR(given_impulse(simulation, "plate")[2], expected, 1e-12) << shaking.velocity << " " << t;
      EXPECT_NEAR(simulation.velocity("ball", 2), shaking.at(t), 1e-12);
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_LE(simulation.state().energy_gained(), is("loetstedt") ? 1e-4 : 0);
  }
}

// The way of the scheme: h w at the end of each step, at its start, the mean of both, or the integral to order 4.
TEST_P(ToldBodies, MoveAsTheirMethodMovesTheOthers) {
  constexpr double h = 0.01;
  Simulation simulation(scenario(h, 1,
                                 "bodies:\n  pusher: {prescribed: {velocity: [2*t, sin(3*t), 0.5], spin: [0, 0, t]}}\n"
                                 "  other: {mass: 1, inertia: 1, position: [9, 9, 9]}\n",
                                 floats));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  double x = 0, y = 0, angle = 0;
  for (int i = 0; i < 100; ++i) {
    const double start = h * i, end = h * (i + 1);
    const double share = is("stewart_trinkle") ? 1 : is("anitescu_potra") ? 0 : 0.5;  // of the end
    x += h * 2 * ((1 - share) * start + share * end);
    y += h * ((1 - share) * std::sin(3 * start) + share * std::sin(3 * end));
    angle += h * ((1 - share) * start + share * end);
  }
  if (is("loetstedt")) y = (1 - std::cos(3.0)) / 3;
  EXPECT_NEAR(simulation.position("pusher", 0), x, 1e-13);
  EXPECT_NEAR(simulation.position("pusher", 1), y, is("loetstedt") ? 1e-9 : 1e-13);
  EXPECT_NEAR(simulation.position("pusher", 2), 0.5, 1e-13);
  EXPECT_NEAR(simulation.state().angle[simulation.body("pusher")], angle, 1e-13);
  EXPECT_NEAR(simulation.velocity("pusher", 0), 2, 1e-14);
  EXPECT_NEAR(simulation.velocity("pusher", 1), std::sin(3.0), 1e-14);
  EXPECT_NEAR(simulation.spin("pusher", 2), 1, 1e-14);
}

// Boxes slip and balls bounce on a belt that tumbles elsewhere: impacts and transitions divide its steps, and it moves
// by the same bits as without them.
TEST_P(ToldBodies, MoveTheSameWhateverHappensToOthers) {
  const auto way = [](const std::string& height) {
    Simulation simulation(scenario(
        0.01, 1,
        "bodies:\n  belt: {prescribed: {velocity: [3*t*t, 0, 0], spin: [0, 0, 0]}, shape: {half_space: {normal: "
        "[0, 0, 1]}}}\n  wheel: {prescribed: {velocity: [0, sin(7*t), t], spin: [3*t, 2*cos(5*t), 1]}, position: "
        "[0, 5, 0]}\n  box: {mass: 1, freedom: [x, z], shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, " +
            height +
            "]}\n  ball: {mass: 1, freedom: [x, z], shape: {sphere: {radius: 0.05}}, position: [1, 0, '0.2 + " +
            height + "']}\ncontacts: [{between: any, friction: " + friction("0.3") +
            (is("stewart_trinkle") ? "" : ", restitution: 0.5") + "}]\n"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    std::vector<double> numbers;
    for (const char* body : {"belt", "wheel"}) {
      for (int k = 0; k < 3; ++k) {
        numbers.push_back(simulation.position(body, k));
        numbers.push_back(simulation.velocity(body, k));
        numbers.push_back(simulation.spin(body, k));
      }
      for (int k = 0; k < 4; ++k) numbers.push_back(simulation.state().orientation[4 * simulation.body(body) + k]);
    }
    return std::pair(numbers, is("stewart_trinkle") ? 0 : simulation.state().events());
  };
  const auto [with_box, events] = way("0.05");
  const auto [without, no_events] = way("9");
  EXPECT_EQ(no_events, 0);
  if (!is("stewart_trinkle")) {
    EXPECT_GT(events, 0);
  }
  if (!is("loetstedt")) {
    EXPECT_EQ(with_box, without);
    return;
  }
  for (std::size_t i = 0; i < with_box.size(); ++i) EXPECT_NEAR(with_box[i], without[i], 1e-8) << i;
}

// A paddle so fast that it divides the steps moves as it does without a ball.
TEST_P(ToldBodies, MoveTheSameInSubSteps) {
  constexpr double h = 0.01;
  Simulation simulation(scenario(h, 0.1,
                                 "bodies:\n  paddle: {prescribed: {velocity: [\"20 + 100*t\", 0, 0]}, shape: {box: "
                                 "{size: [0.02, 0.5, 0.5]}}, position: [-0.5, 0, 0]}\n  ball: {mass: 1, shape: "
                                 "{sphere: {radius: 0.02}}}\ncontacts: [{between: any}]\n",
                                 floats));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_GT(simulation.state().substeps(), 0);
  double x = -0.5;
  for (int i = 0; i < 10; ++i)
    x += h * (20 + 100 * h * (i + (is("stewart_trinkle") ? 1 : is("anitescu_potra") ? 0 : 0.5)));
  EXPECT_NEAR(simulation.position("paddle", 0), x, 1e-12);
  EXPECT_NEAR(simulation.velocity("ball", 0), 30, 1e-9);
}

// In the frame of a pivot with the acceleration a a pendulum leans: it stays there. A shaken pivot: order 2 under both
// trapezoidal methods.
TEST_P(ToldBodies, CarryPendulums) {
  const auto pendulum = [](double h, const char* velocity, double x, double z) {
    char text[512];
    std::snprintf(text, sizeof text,
                  "bodies:\n  pivot: {prescribed: {velocity: [%s, 0, 0]}}\n  bob: {mass: 3, freedom: [x, z], position: "
                  "[%.17g, 0, %.17g]}\njoints: {rod: {distance: [pivot, bob], at: [[0, 0, 0], [%.17g, 0, %.17g]]}}\n",
                  velocity, x, z, x, z);
    return scenario(h, 1, text);
  };
  constexpr double a = 4;
  const double length = std::hypot(a, g);
  Simulation leaning(pendulum(0.005, "4*t", -a / length, -g / length));
  leaning.run();
  ASSERT_EQ(leaning.status(), Status::ok);
  const double off = std::hypot(leaning.position("bob", 0) - leaning.position("pivot", 0) + a / length,
                                leaning.position("bob", 2) + g / length);
  EXPECT_LE(off, is_trapezoidal() || is("loetstedt") ? 1e-12 : 1e-3);
  if (!is_trapezoidal()) return;
  for (const double ratio : ratios(0.01, 2, [&](double h) { return pendulum(h, "0.5*sin(6*t)", 0, -1.2); }))
    EXPECT_NEAR(ratio, 4, 0.2);
}

// A plate jumps to u under a ball that rests on it: an impact of (1 + e) u, at the nearer end of the step.
TEST_P(ToldBodies, ThatJumpStrikeWhatTheyCarry) {
  if (is("stewart_trinkle")) return;  // no restitution
  constexpr double h = 0.005, e = 0.6, u = 0.8;
  for (const double jump : {0.1, 0.1021, 0.1029, 0.105}) {
    char text[512];
    std::snprintf(text, sizeof text,
                  "bodies:\n  plate: {prescribed: {velocity: [0, 0, \"%g*min(max((t - %.17g)*1e7, 0), 1)\"]}, shape: "
                  "{half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: "
                  "[0, 0, 0.1]}\ncontacts: [{between: any, restitution: %g}]\n",
                  u, jump, e);
    Simulation simulation(scenario(h, 0.15, text));
    const int before = jump < 0.1025 ? 20 : 21;
    simulation.watch([&](const StateView& state) {
      const int after = state.steps() - before;
      const double fly = (1 + e) * u, fall = g * h * after;
      EXPECT_NEAR(simulation.velocity("ball", 2), after <= 0 ? 0 : fly - fall, 1e-4) << jump << " " << after;
      EXPECT_GE(simulation.position("ball", 2) - 0.1 - simulation.position("plate", 2), -1e-6);
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    if (!is("loetstedt")) {
      EXPECT_EQ(simulation.state().events(), 1) << jump;
    }
  }
}

// What a smooth motion changes in a step is no jump, however much it is.
TEST_P(ToldBodies, ThatAccelerateHardStrikeNothing) {
  if (is("stewart_trinkle")) return;
  Simulation simulation(scenario(0.005, 0.1,
                                 "bodies:\n  plate: {prescribed: {velocity: [0, 0, 300*t]}, shape: {half_space: "
                                 "{normal: [0, 0, 1]}}}\n  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: "
                                 "[0, 0, 0.1]}\ncontacts: [{between: any, restitution: 0.6}]\n"));
  simulation.watch(
      [&](const StateView& state) { EXPECT_NEAR(simulation.velocity("ball", 2), 300 * 0.005 * state.steps(), 1e-11); });
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.state().events(), 0);
}

// Motors and brakes on a wheel that a told arm carries round: they reach their speeds relative to it where a step ends.
TEST_P(ToldBodies, DriveAndBrakeWhatTheyCarry) {
  if (!is_trapezoidal()) return;
  const auto make = [](double h, const std::string& axle) {
    return scenario(h, 1,
                    "bodies:\n  arm: {prescribed: {spin: [0, 0, 2*sin(5*t)]}}\n  wheel: {mass: 1.3, inertia: 0.2, "
                    "position: [0.5, 0, 0]}\njoints:\n  axle: {revolute: [arm, wheel], at: [0.5, 0, 0], axis: [0, 0, "
                    "1], " +
                        axle + "}\n",
                    floats);
  };
  for (const double slope : {0.0, 3.0}) {
    const std::string axle =
        slope == 0 ? "friction: 1000" : "motor: {speed: " + std::to_string(slope) + "*t, limit: 1000}";
    Simulation simulation(make(0.01, axle));
    simulation.watch([&](const StateView& state) {
      const double t = 0.01 * state.steps();
      EXPECT_NEAR(simulation.spin("wheel", 2), 2 * std::sin(5 * t) + slope * t, 1e-11) << state.steps();
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    if (is("trapezoidal")) continue;  // order 1 with joints
    for (const double ratio : ratios(0.005, 2, [&](double h) { return make(h, axle); })) EXPECT_NEAR(ratio, 4, 0.2);
  }
}

// A motor whose speed changes with time turns a wheel as far as the mean of its speeds at both ends of every step.
TEST_P(ToldBodies, AreNotNeededByMotorsOfTheSameSpeed) {
  if (!is_trapezoidal()) return;
  const auto make = [](double h) {
    return scenario(h, 1,
                    "bodies:\n  wheel: {mass: 1.3, inertia: 0.2}\njoints:\n  axle: {revolute: [world, wheel], at: [0, "
                    "0, 0], axis: [0, 0, 1], motor: {speed: 2*sin(5*t), limit: 1000}}\n",
                    floats);
  };
  const auto error = [&](double h) {
    Simulation simulation(make(h));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(simulation.spin("wheel", 2), 2 * std::sin(5.0), 1e-11);
    return simulation.state().joint_position[0] - 0.4 * (1 - std::cos(5.0));
  };
  const double first = error(0.02), second = error(0.01), third = error(0.005);
  EXPECT_NEAR(first / second, 4, 0.05);
  EXPECT_NEAR(second / third, 4, 0.05);
}

// Without a search for collisions a ball that falls on a told plate has its speed at once, and keeps it.
TEST_P(ToldBodies, CatchABallWithoutCollisions) {
  if (!is("trapezoidal_midpoint")) return;
  constexpr double h = 0.0075;
  Simulation simulation(scenario(h, 1.5,
                                 "bodies:\n  plate: {prescribed: {velocity: [0, 0, 0.6*sin(4*t)]}, shape: "
                                 "{half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 2, freedom: [x, z], shape: "
                                 "{sphere: {radius: 0.1}}, position: [0, 0, 0.4]}\ncontacts: [{between: any}]\n",
                                 "events: {collisions: false}"));
  int touching = 0;
  simulation.watch([&](const StateView& state) {
    if (state.contacts[1] > 0) ++touching;
    if (touching < 2) return;
    EXPECT_NEAR(simulation.velocity("ball", 2), 0.6 * std::sin(4 * h * state.steps()), 1e-5) << state.steps();
  });
  EXPECT_GT(touching, 20);
  EXPECT_EQ(simulation.status(), Status::ok);
}

// What is tied to a body whose velocity jumps along the tie has it at once, goes along from then on, and the told body
// has given m u.
TEST_P(ToldBodies, ThatJumpPullWhatIsTied) {
  if (is("stewart_trinkle")) return;
  constexpr double h = 0.005, u = 0.8;
  for (const char* joint : {"fixed: [pivot, bob]", "distance: [pivot, bob], at: [[0, 0, 0], [-0.7, 0, 0]]"}) {
    for (const double jump : {0.1, 0.1021}) {
      char text[512];
      std::snprintf(text, sizeof text,
                    "bodies:\n  pivot: {prescribed: {velocity: [\"%g*min(max((t - %.17g)*1e7, 0), 1)\", 0, 0]}}\n  "
                    "bob: {mass: 3, inertia: 0.2, position: [-0.7, 0, 0]}\njoints: {tie: {%s}}\n",
                    u, jump, joint);
      Simulation simulation(scenario(h, 0.3, text, floats));
      double given = 0;
      simulation.watch([&](const StateView& state) {
        EXPECT_NEAR(simulation.velocity("bob", 0), state.steps() <= 20 ? 0 : u, 1e-9) << joint << state.steps();
        EXPECT_NEAR(simulation.position("pivot", 0) - simulation.position("bob", 0), 0.7, 1e-9) << joint;
        given += given_impulse(simulation, "pivot")[0];
      });
      EXPECT_NEAR(given, 3 * u, 1e-8) << joint;
      EXPECT_EQ(simulation.status(), Status::ok);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, ToldBodies,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return method.param; });

}  // namespace
}  // namespace jostle

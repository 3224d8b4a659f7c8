// Joints, their motors, frictions and limits where a motion starts, and where speeds jump.
#include "tests/laws/convergence.hpp"

namespace jostle {
namespace {

class JointStarts : public testing::TestWithParam<const char*> {
 protected:
  static Simulation simulation(double h, double duration, const std::string& text, const std::string& world = floats) {
    return Simulation(tied_scenario(h, duration, world + ", method: " + GetParam(), text));
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, JointStarts,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// A motor gives h limit a step up to its speed, and friction takes as much down to rest; nothing overshoots.
TEST_P(JointStarts, FollowMotorsThatJumpAndFrictionThatStops) {
  constexpr double h = 0.01, J = 0.5;
  for (const double limit : {20.0, 1e6}) {
    Simulation wheels =
        simulation(h, 0.3,
                   "bodies:\n  driven: {mass: 1, inertia: 0.5}\n  braked: {mass: 1, inertia: 0.5, position: [3, 0, 0], "
                   "spin: [0, 0, "
                   "1.5]}\njoints:\n  drive: {revolute: [world, driven], at: [0, 0, 0], axis: [0, 0, 1], motor: "
                   "{speed: 1.5, limit: " +
                       std::to_string(limit) +
                       "}}\n  brake: {revolute: [world, braked], at: [3, 0, 0], axis: [0, 0, 1], friction: " +
                       std::to_string(limit) + "}\n");
    wheels.watch([&](const StateView& s) {
      const double driven = std::min(h * limit / J * s.steps(), 1.5);
      EXPECT_NEAR(s.joint_speed[0], driven, 1e-11) << s.steps();
      EXPECT_NEAR(s.joint_speed[1], 1.5 - driven, 1e-11) << s.steps();
    });
    EXPECT_EQ(wheels.status(), Status::ok);
  }
}

// A motor turns a lever into its limit and presses it there, without gravity: it bounces as often as it likes, rests,
// and its joint is closed up to rounding errors of the impulses that hold it.
TEST_P(JointStarts, RestAtALimitThatAMotorPressesThemTo) {
  const bool restores = GetParam() != std::string("stewart_trinkle");
  for (const double J : {0.0005, 0.002, 0.01}) {
    for (const double top : {0.05, 0.18, 0.4}) {
      for (const double e : {0., 0.3, 0.7}) {
        for (const double limit : {0.5, 2.}) {
          char text[600];
          std::snprintf(
              text, sizeof text,
              "bodies:\n  lever: {mass: 0.5, inertia: [%.17g, %.17g, %.17g], position: [0.1, 0, 0]}\njoints:\n "
              " hook: {revolute: [world, lever], at: [0, 0, 0], axis: [0, 0, 1], limits: [-0.32, %.17g], "
              "motor: {speed: \"2.5*sin(4*t)\", limit: %.17g}%s%.17g}\n",
              J, J, J, top, limit, restores ? ", restitution: " : "} #", e);
          Simulation lever = simulation(0.004, 0.72, text);
          lever.run();
          ASSERT_EQ(lever.status(), Status::ok) << J << ' ' << top << ' ' << e << ' ' << limit;
          // explicit hops gain what the motor gives in half a step; the midpoint scheme reverses the speed that is left
          if (GetParam() == std::string("anitescu_potra") && e > 0.5) continue;
          EXPECT_NEAR(lever.state().joint_position[0], top, 1e-6) << J << ' ' << e << ' ' << limit;
          if (GetParam() == std::string("trapezoidal_midpoint")) continue;
          EXPECT_NEAR(lever.state().joint_speed[0], 0, 1e-6) << J << ' ' << top << ' ' << e << ' ' << limit;
        }
      }
    }
  }
}

// A joint that starts at its limit, and into it, bounces at once.
TEST_P(JointStarts, BounceFromALimitWhereTheyStart) {
  if (std::string(GetParam()) == "stewart_trinkle") return;  // without restitution
  for (const double e : {0.0, 0.6, 1.0}) {
    Simulation joints =
        simulation(0.01, 0.1,
                   "bodies:\n  turns: {mass: 1, inertia: 0.3, spin: [0, 0, -2]}\n  slides: {mass: 2, inertia: 0.1, "
                   "position: [2, 0, "
                   "0], velocity: [0, 0, 2]}\njoints:\n  hinge: {revolute: [world, turns], at: [0, 0, 0], axis: [0, 0, "
                   "1], limits: "
                   "[0, 9], restitution: " +
                       std::to_string(e) +
                       "}\n  way: {prismatic: [world, slides], axis: [0, 0, 1], limits: [-9, 0], restitution: " +
                       std::to_string(e) + "}\n");
    joints.watch([&](const StateView& s) {
      if (s.steps() == 0) return;
      EXPECT_NEAR(s.joint_speed[0], 2 * e, 1e-12) << s.steps();
      EXPECT_NEAR(s.joint_speed[1], -2 * e, 1e-12) << s.steps();
      EXPECT_NEAR(s.joint_position[0], 2 * e * 0.01 * s.steps(), 1e-12) << s.steps();
    });
    EXPECT_EQ(joints.status(), Status::ok);
    EXPECT_EQ(joints.state().events(), 1);
  }
}

// A slider that falls .5 m onto its limit and bounces with e = 1/2 rests on it after (1 + e)/(1 - e) sqrt(2 .5/g) s.
TEST(TrapezoidalLimit, HoldsASliderThatHasBounced) {
  for (const char* method : {"trapezoidal", "loetstedt"}) {
    for (const double h : {0.02, 0.01}) {
      Simulation slider(
          tied_scenario(h, 1.5, std::string("gravity: [0, 0, -9.81], impact: {threshold: 1e-6}, method: ") + method,
                        "bodies:\n  weight: {mass: 3, inertia: 0.1}\njoints:\n  way: {prismatic: [world, "
                        "weight], axis: [0, 0, 1], limits: [-0.5, 9], restitution: 0.5}\n"));
      const double rests = 3 * std::sqrt(1 / 9.81);
      slider.watch([&](const StateView& s) {
        EXPECT_GE(s.joint_position[0], -0.5 - 1e-9) << s.steps();
        if (h * (s.steps() - 1) < rests + 1e-6) return;
        EXPECT_NEAR(s.joint_position[0], -0.5, 1e-9) << method << s.steps();
        EXPECT_NEAR(s.joint_speed[0], 0, 1e-9) << method << s.steps();
      });
      EXPECT_EQ(slider.status(), Status::ok);
    }
  }
}

// A bob that starts with 1 m/s along its rod and .5 m/s across it: the first is gone at once, no step goes along with
// it; the bob goes on across, and the rod has given what stops it.
TEST_P(JointStarts, TakeAwayASpeedAlongARod) {
  constexpr double h = 0.01;
  Simulation bob = simulation(h, 0.3,
                              "bodies: {bob: {mass: 1, freedom: [x, y], position: [1, 0, 0], velocity: [1, 0.5, 0]}}\n"
                              "joints: {rod: {distance: [world, bob], at: [[0, 0, 0], [1, 0, 0]]}}\n"
                              "outcomes: {reaction: {at_end: rod.reaction}}\n");
  const double centripetal = h * 0.5 * 0.5;
  bob.watch([&](const StateView& s) {
    const double x = s.position[0], y = s.position[1], r = std::hypot(x, y);
    if (s.steps() == 0) return;
    EXPECT_NEAR((s.velocity[0] * x + s.velocity[1] * y) / r, 0, centripetal) << s.steps();
    EXPECT_NEAR((s.velocity[1] * x - s.velocity[0] * y) / r, 0.5, 2 * h) << s.steps();
    EXPECT_NEAR(r, 1, h * h) << s.steps();
    if (s.steps() == 1) {
      EXPECT_NEAR(s.joint_wrench[0], -1, 2 * centripetal);
      EXPECT_NEAR(vector_at(s.joint_wrench, 0).norm(), 1, 2 * centripetal);
    }
  });
  EXPECT_EQ(bob.status(), Status::ok);
}

/// Crank, coupler and rocker of .25, .7 and .45 m, driven by a motor.
std::string linkage(const std::string& speed, double limit) {
  constexpr double a = 0.25, b = 0.7, c = 0.45, d = 0.6, t = 0.8;
  const double x1 = a * std::cos(t), y1 = a * std::sin(t), L = std::hypot(d - x1, y1);
  const double along = (b * b - c * c + L * L) / (2 * L), up = std::sqrt(b * b - along * along);
  const double x2 = x1 + (along * (d - x1) + up * y1) / L, y2 = y1 + (-along * y1 + up * (d - x1)) / L;
  const auto bar = [](const char* name, double mass, double xa, double ya, double xb, double yb) {
    char text[300];
    const double J = mass * ((xb - xa) * (xb - xa) + (yb - ya) * (yb - ya)) / 12;
    std::snprintf(text, sizeof text, "  %s: {mass: %g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, 0]}\n",
                  name, mass, J, J, J, (xa + xb) / 2, (ya + yb) / 2);
    return std::string(text);
  };
  char joints[700];
  std::snprintf(
      joints, sizeof joints,
      "joints:\n  drive: {revolute: [world, crank], at: [0, 0, 0], axis: [0, 0, 1], motor: {speed: \"%s\", limit: "
      "%g}}\n  p: {revolute: [crank, coupler], at: [%.17g, %.17g, 0], axis: [0, 0, 1]}\n  q: {revolute: "
      "[coupler, rocker], at: [%.17g, %.17g, 0], axis: [0, 0, 1]}\n  r: {revolute: [rocker, world], at: [%g, "
      "0, 0], axis: [0, 0, 1]}\n",
      speed.c_str(), limit, x1, y1, x2, y2, d);
  return "bodies:\n" + bar("crank", 0.8, 0, 0, x1, y1) + bar("coupler", 1.6, x1, y1, x2, y2) +
         bar("rocker", 1.2, x2, y2, d, 0) + joints;
}

// A closed loop with redundant equations keeps the speed of its motor for as long as it runs, and gains nothing.
TEST_P(JointStarts, KeepADrivenLinkageAtItsSpeed) {
  constexpr double h = 0.002, limit = 50;
  Simulation driven = simulation(h, 12, linkage("2.5", limit), falls_along_y);
  driven.watch([&](const StateView& s) {
    if (s.steps() < 50) return;
    EXPECT_NEAR(s.joint_speed[0], 2.5, 1e-9) << s.steps();
  });
  EXPECT_EQ(driven.status(), Status::ok);
  EXPECT_NEAR(driven.state().joint_position[0], 2.5 * 12, 0.1);
  EXPECT_LE(driven.state().energy_gained(), 0.1);
}

// ... and the second trapezoidal scheme does so to second order.
TEST(DrivenLinkage, ConvergesWithOrderTwoUnderTheSecondScheme) {
  const auto swing = [&](double h) {
    Simulation driven(
        tied_scenario(h, 1, falls_along_y + ", method: trapezoidal_midpoint", linkage("2 - 2*cos(3*t)", 500)));
    driven.run();
    EXPECT_EQ(driven.status(), Status::ok);
    return driven.state().joint_position[3];
  };
  const double first = swing(0.008), second = swing(0.004), third = swing(0.002), fourth = swing(0.001);
  EXPECT_NEAR((first - second) / (second - third), 4, 0.8);
  EXPECT_NEAR((second - third) / (third - fourth), 4, 0.4);
}

TEST(DrivenLinkage, OfTheLibraryGainsNothingUnderTheSecondScheme) {
  for (int sample = 0; sample < 8; ++sample) {
    Simulation linkage("four_bar", {"world.method=trapezoidal_midpoint"}, sample);
    linkage.run();
    EXPECT_EQ(linkage.status(), Status::ok);
    EXPECT_LE(linkage.state().energy_gained(), 1e-5) << sample;
  }
}

// What a joint forbids is taken away at once, as by an impact: no step goes along with it, and none turns it back.
TEST_P(JointStarts, TakeAwayWhatAJointForbids) {
  if (GetParam() == std::string("stewart_trinkle")) return;  // has no impacts: its first step takes it away
  Simulation weld = simulation(0.01, 0.2,
                               "bodies:\n  a: {mass: 2, inertia: 0.1, position: [0, 0, 0], velocity: [1, 0, 0]}\n"
                               "  b: {mass: 3, inertia: 0.1, position: [1, 0, 0]}\n"
                               "joints:\n  weld: {fixed: [a, b]}\n");
  weld.watch([&](const StateView& s) {
    if (s.steps() == 0) return;
    EXPECT_NEAR(s.velocity[0], 0.4, 1e-13) << s.steps();
    EXPECT_NEAR(s.velocity[3], 0.4, 1e-13) << s.steps();
    EXPECT_NEAR(s.position[0], 0.4 * 0.01 * s.steps(), 1e-13) << s.steps();
  });
  EXPECT_EQ(weld.status(), Status::ok);
  // .7 m/s along a rod of .8 m and .3 m/s across it
  Simulation bob = simulation(0.01, 0.2,
                              "bodies:\n  bob: {mass: 2, freedom: [x, y], position: [0.8, 0, 0], velocity: [0.7, 0.3, "
                              "0]}\njoints:\n  rod: {distance: [world, bob], at: [[0, 0, 0], [0.8, 0, 0]]}\n");
  bob.watch([&](const StateView& s) {
    if (s.steps() == 0) return;
    const double along = (s.position[0] * s.velocity[0] + s.position[1] * s.velocity[1]) / 0.8;
    EXPECT_NEAR(along, 0, 2 * 0.01 * 0.3 * 0.3 / 0.8) << s.steps();
    EXPECT_NEAR(std::hypot(s.velocity[0], s.velocity[1]), 0.3, 1e-3) << s.steps();
    EXPECT_NEAR(std::hypot(s.position[0], s.position[1]), 0.8, 1e-4) << s.steps();
  });
  // a wheel that spins about its axle and across it
  Simulation wheel = simulation(0.01, 0.2,
                                "bodies:\n  wheel: {mass: 1, inertia: [0.2, 0.3, 0.4], spin: [2, -1, 3]}\njoints:\n"
                                "  axle: {revolute: [world, wheel], at: [0, 0, 0], axis: [0, 0, 1]}\n");
  wheel.watch([&](const StateView& s) {
    if (s.steps() == 0) return;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(s.spin[k], k < 2 ? 0 : 3, 1e-12) << s.steps();
  });
  EXPECT_EQ(wheel.status(), Status::ok);
}

// What has slid to its rest stands, and so does a slider on its limit: speeds do not change their signs for ever,
// though the sum of both is what the scheme asks for.
TEST(SecondScheme, LetsStandWhatHasComeToRest) {
  for (const char* world : {"", ", events: {transitions: false}", ", friction_cone: circle"}) {
    Simulation box(
        tied_scenario(0.01, 1, std::string("method: trapezoidal_midpoint") + world,
                      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                      "  box: {mass: 1, shape: {box: {size: [0.2, 0.16, 0.1]}}, position: [0, 0, 0.05], "
                      "velocity: [1, 0.3, 0], spin: [0, 0, 1]}\ncontacts: [{between: any, friction: 0.5}]\n"));
    box.run();
    EXPECT_EQ(box.status(), Status::ok);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(box.velocity("box", k), 0, 1e-13) << world;
      EXPECT_NEAR(box.spin("box", k), 0, 1e-12) << world;
    }
  }
  for (const double h : {0.02, 0.01, 0.005}) {
    Simulation slider(
        tied_scenario(h, 1.5, falls_along_y + ", method: trapezoidal_midpoint",
                      "bodies: {part: {mass: 2, inertia: 0.1, position: [0, 0.3, 0]}}\njoints: {slide: "
                      "{prismatic: [world, part], axis: [0, 1, 0], limits: [-0.3, 1], restitution: 0.4}}\n"));
    slider.run();
    EXPECT_EQ(slider.status(), Status::ok);
    EXPECT_NEAR(slider.velocity("part", 1), 0, 1e-13) << h;
    EXPECT_NEAR(slider.position("part", 1), 0, 1e-9) << h;
  }
}

// What else is in the scene does not keep it from that, whatever drives it; only bodies that are tied to it may.
TEST(SecondScheme, LetsABoxStandBesideOthersThatMove) {
  const std::string bob = "  other: {mass: 1, inertia: 0.01, position: [5, 0, 1]}\n";
  const std::pair<std::string, std::string> others[] = {
      {"", ""},
      {bob, "joints: {pivot: {ball: [world, other], at: [5, 0.3, 1.5]}}\n"},
      {bob, "springs: {coil: {between: [world, other], at: [[5, 0, 2], [5, 0, 1]], stiffness: 50, rest: 0.9}}\n"},
      {bob,
       "joints: {axle: {revolute: [world, other], at: [5, 0, 1], axis: [0, 0, 1], motor: {speed: 3, limit: 1}}}\n"},
      {"  plate: {prescribed: {velocity: [0.1, 0, 0]}, shape: {box: {size: [1, 1, 0.1]}}, position: [5, 0, 5]}\n", ""},
  };
  // Without transitions, for which nothing is searched where a joint has a motor.
  const std::string world = "method: trapezoidal_midpoint, events: {transitions: false}";
  double end[2] = {};
  for (const auto& [body, tie] : others) {
    Simulation box(tied_scenario(0.01, 1, world,
                                 "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                 "  box: {mass: 1, shape: {box: {size: [0.2, 0.16, 0.1]}}, position: [0, 0, 0.05], "
                                 "velocity: [1, 0.3, 0], spin: [0, 0, 1]}\n" +
                                     body + tie + "contacts: [{between: any, friction: 0.5}]\n"));
    box.run();
    ASSERT_EQ(box.status(), Status::ok) << body << tie;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(box.velocity("box", k), 0, 1e-13) << body << tie;
      EXPECT_NEAR(box.spin("box", k), 0, 1e-12) << body << tie;
    }
    for (int k = 0; k < 2; ++k) {
      if (body.empty()) end[k] = box.position("box", k);
      EXPECT_NEAR(box.position("box", k), end[k], 1e-12) << body << tie;
    }
    if (body == bob) {  // and that moves on
      double speed = 0;
      for (int k = 0; k < 3; ++k) speed += std::fabs(box.velocity("other", k)) + std::fabs(box.spin("other", k));
      EXPECT_GT(speed, 0.01) << tie;
    }
  }
}

// The second scheme has shocks, too. A rod that slides on its end with mu > 4/3 is stopped at once: of 1.5 m/s by
// (-.6, .45) N s, which take .5 .6 1.5 J.
TEST(SecondScheme, StopsPainlevesRod) {
  for (const double h : {0.01, 0.001, 0.0001}) {
    Simulation rod("painleve_rod",
                   {"variables.mu=1.8", "world.method=trapezoidal_midpoint", "bodies.rod.velocity=[1.5, 0, 0]",
                    setting("world.step", h), setting("world.duration", 5 * h)});
    const double start = 0.5 * 1.5 * 1.5;
    rod.run_to(1);
    EXPECT_NEAR(rod.state().normal_impulse[1], 0.45, 9 * h);
    const auto end_speed = [&] {  // of the lower end
      const double w = rod.spin("rod", 2);
      return rod.velocity("rod", 0) + w * rod.position("rod", 1);
    };
    EXPECT_NEAR(end_speed(), 0, 0.3 * h);
    const double energy = 9.81 * (rod.position("rod", 1) - 1 / std::sqrt(5)) +
                          0.5 * (std::pow(rod.velocity("rod", 0), 2) + std::pow(rod.velocity("rod", 1), 2)) +
                          std::pow(rod.spin("rod", 2), 2) / 24;
    EXPECT_NEAR(energy, start - 0.45, h);
    rod.run();
    EXPECT_NEAR(end_speed(), 0, 0.3 * h) << "and it stays";
    EXPECT_EQ(rod.status(), Status::ok);
  }
}

// A rod forbids the slow motion of a box on the floor, and allows one into the floor, below the threshold of impacts:
// it stops. (Turned round, it had three times the energy, and ended as energy_growth under gravity.)
TEST(SecondScheme, TakesAwaySlowSpeedsThatARodForbids) {
  for (const double h : {0.004, 0.0005, 0.00005}) {
    for (const double v : {0.001, 0.005, 0.0135}) {
      for (const std::string gravity : {"0", "-9.81"}) {
        Simulation box(
            parse_scenario("jostle: 1\nworld: {method: trapezoidal_midpoint, step: " + std::to_string(h) +
                               ", duration: " + std::to_string(10 * h) + ", gravity: [0, 0, " + gravity +
                               "]}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                               "  box: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.2, 0.2, 0.2]}}, "
                               "position: [0, 0, 0.1], velocity: [" +
                               std::to_string(v) +
                               ", 0, 0]}\n"
                               "joints:\n  rod: {distance: [world, box], at: [[0.5, 0, 0.7], [0, 0, 0.2]]}\n"
                               "contacts: [{between: any, friction: 0.5}]\n",
                           "slow.yaml"));
        box.run();
        EXPECT_EQ(box.status(), Status::ok) << h << " " << v << " " << gravity;
        EXPECT_EQ(box.state().energy_gained(), 0) << h << " " << v << " " << gravity;
        EXPECT_NEAR(box.velocity("box", 0), 0, 1e-9) << h << " " << v << " " << gravity;
        EXPECT_NEAR(box.velocity("box", 2), 0, 1e-9) << h << " " << v << " " << gravity;
        EXPECT_NEAR(box.position("box", 2), 0.1, 1e-9) << h << " " << v << " " << gravity;
      }
    }
  }
}

// Without a search for collisions nothing is restored, whatever closes.
TEST(SecondScheme, RestoresNothingWithoutCollisions) {
  Simulation ball(tied_scenario(
      0.0075, 1.5, "method: trapezoidal_midpoint, events: {collisions: false}",
      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  ball: {mass: 2, freedom: [x, z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.7], velocity: [1, 0, 0]}\n"
      "contacts: [{between: any, friction: 0, restitution: 0.8}]\n"));
  bool has_touched = false;
  ball.watch([&](const StateView& s) {
    has_touched = has_touched || s.contacts[1] > 0;
    if (!has_touched) return;
    EXPECT_LE(s.position[5], 0.1 + 1e-9) << s.steps();
    EXPECT_NEAR(s.velocity[5], 0, 9.81 * 0.0075);
    EXPECT_NEAR(s.velocity[3], 1, 1e-12);
  });
  EXPECT_TRUE(has_touched);
  EXPECT_EQ(ball.status(), Status::ok);
}

}  // namespace
}  // namespace jostle

// Loetstedt's method: order 4 where motion is smooth, accelerations of bodies that touch, impacts by Newton's law, and
// joints with friction, motors and limits of constant force.
#include "tests/laws/convergence.hpp"

namespace jostle {
namespace {

// A spring and a damper: against the exact motion, whose error falls with h^4.
TEST(Loetstedt, AnOscillatorConvergesWithOrderFour) {
  const double w = 6, c = 0.4, shaken = std::sqrt(w * w - c * c);  // x'' + 2 c x' + w^2 x = 0
  double before = 0;
  for (int i = 0; i < 4; ++i) {
    Simulation mass(tied_scenario(0.02 / (1 << i), 2, loetstedt(floats),
                                  "bodies:\n  mass: {mass: 2, freedom: [x], position: [1.3, 0, 0]}\nsprings:\n"
                                  "  spring: {between: [world, mass], at: [[0, 0, 0], [1.3, 0, 0]], stiffness: 72, "
                                  "damping: 1.6, rest: 1}\n"));
    mass.run();
    ASSERT_EQ(mass.status(), Status::ok);
    const double exact = 1 + 0.3 * std::exp(-2 * c) * (std::cos(2 * shaken) + c / shaken * std::sin(2 * shaken));
    const double error = std::fabs(mass.position("mass", 0) - exact);
    if (i > 0) {
      EXPECT_GE(before / error, 13) << i;
      EXPECT_LE(before / error, 20) << i;
    }
    before = error;
  }
  EXPECT_LE(before, 1e-9);
}

// Without torque a top turns about changing axes: rotations are composed to order 4.
TEST(Loetstedt, ATopConvergesWithOrderFour) {
  expect_order_four(ratios(0.02, 3,
                           [](double h) {
                             return tied_scenario(
                                 h, 1, loetstedt(floats),
                                 "bodies:\n  top: {mass: 1, inertia: [1, 2, 2.5], spin: [2, 1, 3]}\n  wing: {mass: 1, "
                                 "inertia: 1, position: [2, 1, 0]}\nsprings:\n  tie: {between: [top, wing], at: [[0.3, "
                                 "0.2, 0.1], [2, 1, 0]], stiffness: 5}\n");
                           }),
                    1);
}

// Joints: a chain in its plane, and two links on ball joints in space.
TEST(Loetstedt, AChainConvergesWithOrderFour) {
  expect_order_four(ratios(0.0025, 2,
                           [](double h) {
                             return read_scenario(
                                 library_file("swinging_chain"),
                                 {{"variables.friction=0", "variables.e=0", "joints.hook.limits=[-9, 9]",
                                   "world.duration=0.3", setting("world.step", h)},
                                  {},
                                  {}});
                           }),
                    1);
}

TEST(Loetstedt, LinksInSpaceConvergeWithOrderFour) {
  expect_order_four(ratios(0.005, 2,
                           [](double h) {
                             return tied_scenario(
                                 h, 0.4, loetstedt(),
                                 "bodies:\n  first: {mass: 1, inertia: [0.01, 0.02, 0.025], position: [0.3, 0, 0], "
                                 "spin: [2, 0, 0]}\n  second: {mass: 0.5, inertia: [0.01, 0.005, 0.01], position: "
                                 "[0.6, 0.2, 0], velocity: [0, 0, 0]}\njoints:\n  hook: {ball: [world, first], at: "
                                 "[0, 0, 0]}\n  rope: {distance: [first, second], at: [[0.6, 0, 0], [0.6, 0.15, "
                                 "0]]}\n");
                           }),
                    1);
}

// What joints open by is closed in the next step; energy stays.
TEST(Loetstedt, APendulumKeepsItsLengthAndItsEnergy) {
  Simulation pendulum(tied_scenario(0.01, 10, loetstedt(falls_along_y),
                                    "bodies:\n  bob: {mass: 1, freedom: [x, y], position: [1, 0, 0]}\njoints:\n"
                                    "  rope: {distance: [world, bob], at: [[0, 0, 0], [1, 0, 0]]}\n"));
  pendulum.watch([&](const StateView& s) {
    EXPECT_NEAR(std::hypot(s.position[0], s.position[1]), 1, 1e-8);
    const double energy = 0.5 * (s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1]) + g * s.position[1];
    EXPECT_NEAR(energy, 0, 1e-5);
  });
  EXPECT_EQ(pendulum.status(), Status::ok);
  EXPECT_LE(pendulum.state().energy_gained(), 1e-5);
}

// Every joint, in space, closed all the time: a linkage with three redundant equations and a motor.
TEST(Loetstedt, ALinkageStaysClosed) {
  Simulation linkage("four_bar", {"world.method=loetstedt", "variables.torque=2.4", "variables.load=0.4"});
  linkage.watch([&](const StateView& s) {
    EXPECT_NEAR(std::hypot(s.position[0], s.position[1]), 0.1, 1e-9) << "the crank";
    EXPECT_NEAR(s.position[2], 0, 1e-10);
  });
  EXPECT_EQ(linkage.status(), Status::ok);
}

// A slider under constant friction: v0^2 / (2 a), within a step too; then it rests.
TEST(Loetstedt, ASliderStopsAfterTheExactDistance) {
  for (const double h : {0.01, 0.007}) {
    Simulation slider(tied_scenario(h, 200 * h, loetstedt("gravity: [-8, 6, 0]"),
                                    "bodies:\n  slide: {mass: 2, inertia: [0.1, 0.2, 0.3], velocity: [\"1.5*0.6\", "
                                    "\"1.5*0.8\", 0]}\njoints:\n  way: {prismatic: [world, slide], axis: [3, 4, 0], "
                                    "friction: 3}\noutcomes: {reaction: {at_end: way.reaction}}\n"));
    slider.run();
    ASSERT_EQ(slider.status(), Status::ok);
    EXPECT_NEAR(slider.state().joint_position[0], 1.5 * 1.5 / (2 * 1.5), 1e-12);
    EXPECT_NEAR(slider.state().joint_speed[0], 0, 1e-13);
    EXPECT_NEAR(slider.outcome("reaction"), h * 2 * 10, 1e-12);
  }
}

TEST(Loetstedt, FrictionHoldsASliderOnASlopeUpToItsBound) {
  for (const auto& [force, holds] : {std::pair{4.91, true}, {4.90, false}}) {
    Simulation simulation(tied_scenario(
        0.01, 1, loetstedt(),
        "bodies:\n  slide: {mass: 1, inertia: 0.1}\n"
        "joints:\n  way: {prismatic: [world, slide], axis: [\"cos(pi/6)\", 0, \"sin(pi/6)\"], friction: " +
            std::to_string(force) + "}\n"));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(simulation.state().joint_position[0], holds ? 0 : -0.5 * (4.905 - force), 1e-11);
  }
}

// A motor accelerates with its limit up to its speed, within a step, and then keeps a speed that changes with time.
TEST(Loetstedt, AMotorReachesItsSpeedAndKeepsIt) {
  const std::string wheel =
      "bodies:\n  wheel: {mass: 3, inertia: [0.1, 0.3, 0.2]}\njoints:\n  axle: {revolute: [world, wheel], at: [0, 0, "
      "0], axis: [0, 0, 1], motor: {limit: 0.5, speed: ";
  Simulation constant(tied_scenario(0.01, 1, loetstedt(), wheel + "1.3}}\n"));
  constant.watch([&](const StateView& s) {
    EXPECT_NEAR(s.joint_speed[0], std::min(2.5 * 0.01 * s.steps(), 1.3), 1e-12) << s.steps();
    EXPECT_LE(s.energy_gained(), 1e-12) << "a motor's work is no gain";
  });
  ASSERT_EQ(constant.status(), Status::ok);
  EXPECT_NEAR(constant.state().joint_position[0], 1.3 * 1 - 1.3 * 1.3 / 5, 1e-11);
  Simulation waving(tied_scenario(0.01, 1, loetstedt(), wheel + "\"sin(2*t)\"}}\n"));
  waving.run();
  ASSERT_EQ(waving.status(), Status::ok);
  EXPECT_NEAR(waving.state().joint_speed[0], std::sin(2.0), 1e-9);
  EXPECT_NEAR(waving.state().joint_position[0], (1 - std::cos(2.0)) / 2, 1e-8);
}

// Where a motor turns round, it and the friction of its joint share what they give in the projection in another way
// than in the stages, at next to no speed: the work of both is none that is gained.
TEST(Loetstedt, AMotorTurnsRoundAgainstTheFrictionOfItsJoint) {
  for (const double friction : {2.3182, 9.8151, 22.5529}) {
    for (const double h : {0.001, 0.002, 0.005}) {
      char text[300];
      std::snprintf(text, sizeof text,
                    "bodies:\n  rod: {mass: 1, inertia: 0.0075, freedom: [x, y, rz], position: [0.15, 0, 0]}\njoints:\n"
                    "  hinge: {revolute: [world, rod], at: [0, 0, 0], axis: [0, 0, 1], friction: %g, motor: {limit: "
                    "%g, speed: \"20*sin(5*t)\"}}\n",
                    friction, 2 * friction + 20);
      Simulation rod(tied_scenario(h, 1, loetstedt(floats), text));
      rod.run();
      ASSERT_EQ(rod.status(), Status::ok) << friction << " " << h;
      EXPECT_NEAR(rod.state().joint_speed[0], 20 * std::sin(5.0), 1e-9) << friction << " " << h;
    }
  }
}

// Brakes and motors that stop or reach their speed within a tiny part of a step: m v0^2 / (2 tau), w t - J w^2/(2 tau).
TEST(Loetstedt, StrongBrakesAndMotorsActUntilTheyStop) {
  constexpr double h = 0.01, m = 2, v0 = 1.5, J = 0.4, w = 3;
  for (const double bound : {300.0, 4e3, 4e5, 7e9}) {
    char text[700];
    std::snprintf(text, sizeof text,
                  "bodies:\n  slide: {mass: %g, inertia: 0.1, velocity: [0, %g, 0]}\n  wheel: {mass: 1, inertia: %g, "
                  "position: [2, 0, 0]}\njoints:\n  way: {prismatic: [world, slide], axis: [0, 1, 0], friction: %g}\n"
                  "  axle: {revolute: [world, wheel], at: [2, 0, 0], axis: [0, 0, 1], motor: {speed: %g, limit: %g}}\n",
                  m, v0, J, bound, w, bound);
    Simulation both(tied_scenario(h, 0.2, loetstedt(floats), text));
    both.run();
    ASSERT_EQ(both.status(), Status::ok);
    EXPECT_NEAR(both.state().joint_position[0], m * v0 * v0 / (2 * bound), 1e-12) << bound;
    EXPECT_NEAR(both.state().joint_speed[0], 0, 1e-12) << bound;
    EXPECT_NEAR(both.state().joint_position[1], w * 0.2 - J * w * w / (2 * bound), 1e-12) << bound;
    EXPECT_NEAR(both.state().joint_speed[1], w, 1e-12) << bound;
  }
  // 2 g at 8 mm/s under 3 N: 2.1e-8 m
  Simulation light(
      tied_scenario(h, 0.05, loetstedt(floats),
                    "bodies:\n  slide: {mass: 0.002, inertia: 1e-6, velocity: [0.008, 0, 0]}\njoints:\n  way: "
                    "{prismatic: [world, slide], axis: [1, 0, 0], friction: 3}\n"));
  light.run();
  EXPECT_NEAR(light.state().joint_position[0], 0.002 * 0.008 * 0.008 / 6, 1e-15);
}

// In a linkage the slip is not linear in time: a strong brake stops a pendulum, not what hangs on it.
TEST(Loetstedt, AStrongBrakeStopsOneJointOfAChain) {
  Simulation chain(tied_scenario(
      0.005, 0.4, loetstedt(falls_along_y),
      "bodies:\n  upper: {mass: 1, inertia: 0.02, freedom: [x, y, rz], position: [0, -0.3, 0], velocity: [0.9, 0, 0], "
      "spin: "
      "[0, 0, 3]}\n  lower: {mass: 1, inertia: 0.02, freedom: [x, y, rz], position: [0, -0.9, 0], velocity: [2.7, 0, "
      "0], "
      "spin: [0, 0, 3]}\njoints:\n  hook: {revolute: [world, upper], at: [0, 0, 0], axis: [0, 0, 1], friction: 1e6}\n"
      "  elbow: {revolute: [upper, lower], at: [0, -0.6, 0], axis: [0, 0, 1]}\n"));
  chain.watch([&](const StateView& s) {
    if (s.steps() == 0) return;
    EXPECT_NEAR(s.joint_position[0], 0, 1e-5) << s.steps();
    EXPECT_NEAR(s.joint_speed[0], 0, 1e-10) << s.steps();
    EXPECT_LE(std::fabs(s.joint_speed[1]), 12) << s.steps();
  });
  EXPECT_EQ(chain.status(), Status::ok);
  EXPECT_LE(chain.state().energy_gained(), 1e-4);
}

// Tins that land nearly flat on a smooth floor: the lowest points of their rims run round, and no step gains from it.
TEST(Loetstedt, TinsThatLandFlatGainNoEnergy) {
  for (const double e : {0.0, 0.3}) {
    for (int i = 0; i < 24; ++i) {
      char text[700];
      const double tilt = 0.02 * std::pow(1.25, i), azimuth = 0.7 * i;
      std::snprintf(
          text, sizeof text,
          "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  tin: {mass: 1, shape: "
          "{cylinder: {length: 0.08, radius: 0.05}}, position: [0, 0, 0.09], rotation: {axis: [%.17g, %.17g, "
          "0], degrees: %.17g}, spin: [0.7, -0.8, 2]}\ncontacts: [{between: any, friction: 0, restitution: "
          "%g}]\noutcomes: {top: {maximum: energy}}\n",
          std::cos(azimuth), std::sin(azimuth), tilt, e);
      Simulation tin(tied_scenario(0.005, 0.5, loetstedt(), text));
      tin.run_to(0);
      const double start = tin.outcome("top");
      tin.run();
      ASSERT_EQ(tin.status(), Status::ok) << i;
      EXPECT_LE(tin.outcome("top"), start + 1e-12) << i;
      EXPECT_LE(tin.state().energy_gained(), 1e-6) << i;
    }
  }
}

// A tin tips over an edge, far from the origin, until the rim of its end passes the edge: the contact carries it until
// then, and does not let go of it for the whole step, in which it would be struck after every hop of 1e-8 s.
TEST(Loetstedt, ATinTipsOverAnEdgeFarFromTheOrigin) {
  for (int i = 0; i < 4; ++i) {
    char text[700];
    std::snprintf(
        text, sizeof text,
        "bodies:\n  table: {fixed: true, shape: {box: {size: [0.5, 0.5, 0.1]}}, position: [64, 128, 0.05]}\n  tin: "
        "{mass: 1, shape: {cylinder: {radius: 0.05, length: 0.08}}, position: [64.29633, 128.1244, %.17g], rotation: "
        "{axis: [0.01278927, 0.0378846, 0.319595], degrees: 37.57832491307903}, velocity: [0.6111744, 0.2, "
        "-0.2470292], spin: [0.1371881, 4.562403, 1.711368]}\ncontacts: [{between: any, friction: 0, restitution: "
        "0.3}]\noutcomes: {top: {maximum: energy}}\n",
        0.1364148 + 2e-6 * i);
    Simulation tin(tied_scenario(0.002, 0.04, loetstedt() + ", impact: {threshold: 0.01}", text));
    tin.run_to(0);
    const double start = tin.outcome("top");
    tin.run();
    ASSERT_EQ(tin.status(), Status::ok) << i;
    EXPECT_LE(tin.outcome("top"), start + 1e-9) << i;
    EXPECT_LE(tin.state().energy_gained(), 1e-9) << i;
  }
}

// An edge comes to lie along a tin: their crossing runs off at 80 m/s, but no force follows it, and the other end
// lands. The heights are those of steps of .1 ms.
TEST(Loetstedt, TinsComeToLieAlongAnEdge) {
  struct Start {
    const char* tin;
    double height;
  };
  for (const Start& start :
       {Start{"position: [0.2437301, 0.1164, 0.1540095], rotation: {axis: [0.5427749, 0.5089853, -0.4100492], degrees: "
              "116.3352}, velocity: [0.5, 0.2, -0.3047644], spin: [-7.228226, 1.969789, -2.545352]",
              0.1517},
        Start{"position: [0.2588698, 0.1176, 0.1498638], rotation: {axis: [0.484875, 0.5240283, -0.5066706], degrees: "
              "122.1982}, velocity: [0.5065646, 0.2, -0.1345819], spin: [-1.539615, 2.842294, -2.816687]",
              0.1463}}) {
    for (const double h : {0.002, 0.001, 0.0005}) {
      Simulation tin(tied_scenario(
          h, 0.02, loetstedt() + ", impact: {threshold: 0.01}",
          "bodies:\n  table: {fixed: true, shape: {box: {size: [0.5, 0.5, 0.1]}}, position: [0, 0, 0.05]}\n  tin: "
          "{mass: "
          "1, shape: {cylinder: {radius: 0.05, length: 0.08}}, " +
              std::string(start.tin) +
              "}\ncontacts: [{between: any, friction: 0, restitution: 0.3}]\noutcomes: {top: {maximum: energy}}\n"));
      tin.run_to(0);
      const double energy = tin.outcome("top");
      tin.run();
      ASSERT_EQ(tin.status(), Status::ok) << h;
      EXPECT_LE(tin.outcome("top"), energy + 1e-4) << h;
      EXPECT_NEAR(tin.position("tin", 2), start.height, 8e-4) << h;
    }
  }
}

// What truncation errors leave open under a contact that carries a load is closed: tins on edge, on their end or their
// side at last. Without (53e) the gaps are 4e-6, 2e-7 and 1e-8 m.
TEST(Loetstedt, TinsThatHaveFallenTouchTheFloor) {
  for (const double degrees : {28.53605484992932, 25.966648112020472, 14.064362139946335}) {
    char text[400];
    std::snprintf(
        text, sizeof text,
        "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  tin: {mass: 0.3, shape: "
        "{cylinder: {length: 0.1, radius: 0.03}}, position: [0, 0, 0.1], rotation: {axis: [1, 0.3, 0], "
        "degrees: %.17g}}\ncontacts: [{between: any, friction: 0}]\n",
        degrees);
    Simulation tin(tied_scenario(0.002, 2, loetstedt(), text));
    tin.run();
    ASSERT_EQ(tin.status(), Status::ok) << degrees;
    const double height = tin.position("tin", 2);
    EXPECT_NEAR(height, height < 0.04 ? 0.03 : 0.05, 1e-8) << degrees;
    EXPECT_LE(tin.state().energy_gained(), 1e-4) << degrees;
  }
}

// A bar swings against the stop of its hinge, which restores half of its speed.
TEST(Loetstedt, AStopRestoresSpeed) {
  Simulation bar(tied_scenario(0.01, 2, loetstedt(floats),
                               "bodies:\n  bar: {mass: 1, inertia: 0.1, freedom: [x, y, rz], spin: [0, 0, 1]}\n"
                               "joints:\n  hinge: {revolute: [world, bar], at: [0, 0, 0], axis: [0, 0, 1], limits: "
                               "[-3, 1.003], restitution: 0.5}\n"));
  bar.run();
  ASSERT_EQ(bar.status(), Status::ok);
  EXPECT_EQ(bar.state().events(), 1);
  EXPECT_NEAR(bar.state().joint_speed[0], -0.5, 1e-12);
  EXPECT_NEAR(bar.state().joint_position[0], 1.003 - 0.5 * (2 - 1.003), 1e-11);
}

// The n-th bounce reaches e^(2n) of the height, and infinitely many take sqrt(2/g) (1 + e) / (1 - e) s from 1 m.
TEST(Loetstedt, BouncesReachThePowersOfTheHeight) {
  const double e = 0.7;
  Simulation ball("bouncing_ball", {setting("variables.e", e), "variables.H=1", "world.step=1e-3",
                                    "world.method=loetstedt", "world.impact.law=newton"});
  std::vector<double> energies;
  ball.watch([&](const StateView& s) {
    const double energy = 0.5 * s.velocity[5] * s.velocity[5] + g * (s.position[5] - 0.1);
    if (energies.empty() || std::fabs(energy - energies.back()) > 1e-9) energies.push_back(energy);
  });
  ASSERT_GE(energies.size(), 6u);
  for (std::size_t n = 0; n < 6; ++n)
    EXPECT_NEAR(energies[n] / g, std::pow(e, 2.0 * static_cast<double>(n)), 1e-12) << n;
}

TEST(Loetstedt, ABallComesToRestAfterInfinitelyManyBounces) {
  for (const auto& [e, rest] : {std::pair{0.3, 0.8385439047}, {0.5, 1.3545709230}, {0.9, 8.5789491787}}) {
    Simulation ball("bouncing_ball",
                    {setting("variables.e", e), "variables.H=1", "world.duration=10", "world.impact.threshold=1e-7",
                     "world.method=loetstedt", "world.impact.law=newton"});
    double first_at_rest = -1;
    ball.watch([&](const StateView& s) {
      const bool rests = std::fabs(s.position[5] - 0.1) < 1e-12 && s.velocity[5] == 0;
      if (rests && first_at_rest < 0) first_at_rest = s.steps() * 0.01;
      EXPECT_FALSE(!rests && first_at_rest >= 0) << "it stays";
    });
    ASSERT_EQ(ball.status(), Status::ok);
    EXPECT_GE(first_at_rest, rest - 1e-6) << e;
    EXPECT_LE(first_at_rest, rest + 0.01 + 1e-6) << e;
    EXPECT_GT(ball.state().rest(), 0) << "steps at rest are not computed";
  }
}

std::vector<double> cradle_of_accelerations(double e, double space) {
  Simulation balls("cradle", {setting("variables.e", e), setting("variables.space", space), "world.method=loetstedt"});
  balls.run();
  EXPECT_EQ(balls.status(), Status::ok);
  return {balls.velocity("first", 0), balls.velocity("second", 0), balls.velocity("third", 0)};
}

// Newton's law for three balls that touch is Poisson's here; one after the other they pass the speed on.
TEST(Loetstedt, ThreeBallsShareAnImpulse) {
  expect_velocities(cradle_of_accelerations(0, 0), {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_velocities(cradle_of_accelerations(0.5, 0), {0, 0.5, 0.5});
  expect_velocities(cradle_of_accelerations(1, 0), {-1.0 / 3, 2.0 / 3, 2.0 / 3});
  expect_velocities(cradle_of_accelerations(1, 0.001), {0, 0, 1});
  expect_velocities(cradle_of_accelerations(0.5, 0.001), {0.203125, 0.234375, 0.5625});
}

/// A ball on a smooth dome, both centres 1 m apart, `a` rad from the top.
Simulation dome(double h, double a, double duration) {
  return Simulation("smooth_dome", {setting("world.step", h), setting("variables.a", a), "variables.e=0.5",
                                    setting("world.duration", duration)});
}

// It leaves at cos = 2/3 cos a, with the speed of its fall; before that it neither sinks in nor opens a gap.
TEST(Loetstedt, ABallLeavesADomeWhereTheDomeWouldHaveToPull) {
  const double a = 0.4, height = 2.0 / 3 * std::cos(a);
  const double speed = std::sqrt(2 * g * (std::cos(a) - height)), across = speed * height;
  double before = 0;
  for (const double h : {0.005, 0.0025}) {
    Simulation ball = dome(h, a, 0.7);
    double last_height = 0;
    ball.watch([&](const StateView& s) {
      const double* x = s.position + 6;
      const double* v = s.velocity + 6;
      const double radius = std::hypot(x[0], x[2]);
      EXPECT_NEAR(0.5 * (v[0] * v[0] + v[2] * v[2]) + g * x[2], g * std::cos(a), 1e-7);
      EXPECT_GE(radius, 1 - 1e-9);
      if (s.contacts[2] > 0) last_height = x[2];
      if (x[2] > height + 2 * h * speed) {
        EXPECT_NEAR(radius, 1, 1e-9) << s.steps();
      }
    });
    ASSERT_EQ(ball.status(), Status::ok);
    EXPECT_NEAR(last_height, height, 2.5 * h * speed) << h;
    const double error = std::fabs(ball.velocity("ball", 0) - across);
    EXPECT_LE(error, 5 * h * h);
    if (before > 0) {
      EXPECT_LE(error, before);
    }
    before = error;
  }
}

// Order 4 on a curved surface, as long as the ball is on it.
TEST(Loetstedt, ABallOnADomeConvergesWithOrderFour) {
  expect_order_four(
      ratios(0.02, 2,
             [](double h) {
               return read_scenario(
                   library_file("smooth_dome"),
                   {{setting("world.step", h), "variables.a=0.4", "variables.e=0.5", "world.duration=0.4"}, {}, {}});
             }),
      2);
}

// Redundant contacts: a box at rest stays at rest, bit for bit, and carries its weight; on a smooth slope it slides as
// a point does.
TEST(Loetstedt, ABoxRestsAndSlides) {
  const std::string box =
      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  box: {mass: 2, shape: {box: {size: [0.2, 0.3, 0.1]}}, position: [0, 0, 0.05]}\n"
      "contacts: [{between: any, friction: 0}]\noutcomes:\n  push: {at_end: box.normal_impulse}\n";
  Simulation rests(tied_scenario(0.01, 1, loetstedt(), box));
  rests.run();
  ASSERT_EQ(rests.status(), Status::ok);
  EXPECT_EQ(rests.position("box", 2), 0.05);
  EXPECT_NEAR(rests.outcome("push"), 2 * g * 0.01, 1e-13);
  EXPECT_GE(rests.state().rest(), 95);
  Simulation slides(tied_scenario(0.01, 1, loetstedt("gravity: [3, 0, -9]"), box));
  slides.run();
  ASSERT_EQ(slides.status(), Status::ok);
  EXPECT_NEAR(slides.position("box", 0), 1.5, 1e-12);
  EXPECT_NEAR(slides.position("box", 2), 0.05, 1e-12);
  EXPECT_NEAR(slides.spin("box", 1), 0, 1e-12);
}

// Both ends of an edge land at once, though the motion up to there, made anew, ends up to 6e-9 m above the floor.
TEST(Loetstedt, ABoxOnASpringLandsOnBothEndsOfItsEdge) {
  for (int spin = 1; spin <= 8; ++spin) {
    Simulation box(tied_scenario(
        0.004, 0.12, loetstedt(),
        "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
        "  box: {mass: 1, shape: {box: {size: [0.1, 0.08, 0.06]}}, position: [0, 0, 0.12], velocity: [0.3, 0, -0.5], "
        "spin: [0, " +
            std::to_string(spin) +
            ", 0], rotation: {axis: [0, 1, 0], degrees: 20}}\nsprings:\n"
            "  spring: {between: [world, box], at: [[0.1, 0, 0.3], [0.04, 0, 0.14]], stiffness: 100, damping: 1}\n"
            "contacts: [{between: any, restitution: 0.3}]\n"));
    box.run();
    ASSERT_EQ(box.status(), Status::ok);
    EXPECT_NEAR(box.velocity("box", 1), 0, 1e-12) << spin;
    EXPECT_NEAR(box.spin("box", 0), 0, 1e-12) << spin;
    EXPECT_NEAR(box.spin("box", 2), 0, 1e-12) << spin;
  }
}

// A ball of 1 kg carries one of 1,000 kg.
TEST(Loetstedt, ALightBallCarriesAHeavyOne) {
  Simulation stack(tied_scenario(0.01, 1, loetstedt(),
                                 "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                 "  light: {mass: 1, freedom: [z], shape: {sphere: {radius: 0.1}}, position: [0, 0, "
                                 "0.1]}\n  heavy: {mass: 1000, freedom: [z], shape: {sphere: {radius: 0.1}}, position: "
                                 "[0, 0, 0.3]}\ncontacts: [{between: any, friction: 0}]\noutcomes:\n  push: {at_end: "
                                 "heavy.normal_impulse}\n"));
  stack.run();
  ASSERT_EQ(stack.status(), Status::ok);
  EXPECT_NEAR(stack.position("heavy", 2), 0.3, 1e-12);
  EXPECT_NEAR(stack.outcome("push"), 1000 * g * 0.01, 1e-9);
}

}  // namespace
}  // namespace jostle

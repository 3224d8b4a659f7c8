// Impacts: the laws of restitution, on events within steps.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

Scenario impact_scene(const std::string& world, const std::string& rest) {
  return parse_scenario("jostle: 1\nworld: {" + world + "}\n" + rest, "impact.yaml");
}

// A ball slides along a beam whose hinge reaches a limit with e = 1/2 within a step. The ball touches the beam, so it
// takes part in this impact: the beam throws it up, and is not thrown back by it.
TEST(Impacts, HaveTheContactsOfWhatSlidesOnTurningBodies) {
  for (const char* method : {"anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}) {
    for (const char* e : {"0", "0.5"}) {
      SCOPED_TRACE(std::string(method) + ' ' + e);
      Simulation beam(impact_scene(
          std::string("step: 0.0005, duration: 0.1, gravity: [0, 0, -10], impact: {law: newton}, method: ") + method,
          "bodies:\n"
          "  beam: {mass: 1, inertia: 0.1, shape: {box: {size: [2, 0.1, 0.1]}}, spin: [0, 1, 0]}\n"
          "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0.5, 0, 0.15], velocity: [0.15, 0, -0.5]}\n"
          "joints: {pin: {revolute: [world, beam], at: [0, 0, 0], axis: [0, 1, 0], damping: 5, "
          "limits: [-1, 0.0873], restitution: 0.5}}\n"
          "contacts: [{between: any, friction: 0, restitution: " +
              std::string(e) + "}]\noutcomes: {back: {minimum: beam.spin.y}, up: {maximum: ball.velocity.z}}\n"));
      beam.run();
      ASSERT_EQ(beam.status(), Status::ok);
      EXPECT_NEAR(beam.outcome("back"), -0.49, 0.025);
      EXPECT_NEAR(beam.outcome("up"), 0.226, 0.01);
    }
  }
}

// A ball falls 1 m and bounces with e = 1/2 by Anitescu & Potra's method; the times stay on the grid of h = 0.01 s.
TEST(AnitescuPotra, FindsBouncesWithinSteps) {
  Simulation ball(
      impact_scene("step: 0.01, duration: 1.2, method: anitescu_potra",
                   "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                   "  ball: {mass: 1, freedom: [z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 1.1]}\n"
                   "contacts: [{between: any, friction: 0, restitution: 0.5}]\n"));
  struct Bounce {
    int step;
    double time, speed;
  };
  const double first = 0.45652622041001256, second = 0.92295916770, third = 1.17100845390;
  for (const Bounce& bounce : {Bounce{46, first, 2.239261111111111}, {93, second, 1.16822305}}) {
    const double left = bounce.step * 0.01 - bounce.time;
    ball.run_to(bounce.step - 1);
    EXPECT_EQ(ball.state().events(), bounce.step == 46 ? 0 : 1);
    ball.run_to(bounce.step);
    EXPECT_EQ(ball.state().events(), bounce.step == 46 ? 1 : 2);
    EXPECT_NEAR(ball.velocity("ball", 2), bounce.speed - g * left, 2e-8);
    EXPECT_NEAR(ball.position("ball", 2), 0.1 + bounce.speed * left, 1e-9);
  }
  ball.run_to(117);
  const double height = ball.position("ball", 2) - 0.1, speed = ball.velocity("ball", 2);
  EXPECT_NEAR(1.17 - height / speed, third, 1e-10) << "the straight way to the floor";
}

// Infinitely many bounces from 1 m take sqrt(2/g) (1 + e) / (1 - e) s, and parabolas are exact.
TEST(Trapezoidal, ABallComesToRestAfterInfinitelyManyBounces) {
  for (const char* method : {"trapezoidal", "trapezoidal_midpoint"}) {
    for (const auto& [e, rest] : {std::pair{0.3, 0.8385439047}, {0.5, 1.3545709230}, {0.9, 8.5789491787}}) {
      Simulation ball("bouncing_ball", {setting("variables.e", e), "variables.H=1", "world.duration=10",
                                        "world.impact.threshold=1e-7", std::string("world.method=") + method});
      double first_at_rest = -1;
      int step = 0;
      ball.watch([&](const StateView& s) {
        const double least = std::string(method) == "trapezoidal" ? 0 : g * 0.01;  // its sign may alternate
        const bool rests = std::fabs(s.position[5] - 0.1) < 1e-12 && std::fabs(s.velocity[5]) <= least;
        if (rests && first_at_rest < 0) first_at_rest = step * 0.01;
        EXPECT_FALSE(!rests && first_at_rest >= 0) << "it stays";
        ++step;
      });
      ASSERT_EQ(ball.status(), Status::ok);
      const double held = std::string(method) == "trapezoidal" ? 0 : 0.01 / (1 - e);  // hops within a step
      EXPECT_GE(first_at_rest, rest - held - 1e-6) << method << ' ' << e;
      EXPECT_LE(first_at_rest, rest + 0.01 + 1e-6) << method << ' ' << e;
    }
  }
}

// The n-th bounce reaches e^(2n) of the height.
TEST(Trapezoidal, BouncesReachThePowersOfTheHeight) {
  const double e = 0.7;
  Simulation ball("bouncing_ball", {setting("variables.e", e), "variables.H=1", "world.step=1e-3"});
  std::vector<double> energies;
  ball.watch([&](const StateView& s) {
    const double energy = 0.5 * s.velocity[5] * s.velocity[5] + g * (s.position[5] - 0.1);
    if (energies.empty() || std::fabs(energy - energies.back()) > 1e-9) energies.push_back(energy);
  });
  ASSERT_GE(energies.size(), 6u);
  for (std::size_t n = 0; n < 6; ++n)
    EXPECT_NEAR(energies[n] / g, std::pow(e, 2.0 * static_cast<double>(n)), 1e-12) << n;
}

std::vector<double> cradle(double e, double space, const std::string& law = "poisson") {
  Simulation balls("cradle", {setting("variables.e", e), setting("variables.space", space), "world.impact.law=" + law});
  balls.run();
  EXPECT_EQ(balls.status(), Status::ok);
  return {balls.velocity("first", 0), balls.velocity("second", 0), balls.velocity("third", 0)};
}

TEST(Impact, ThreeBallsAtOnceShareTheImpulse) {
  expect_velocities(cradle(0, 0), {1.0 / 3, 1.0 / 3, 1.0 / 3});
  expect_velocities(cradle(0.5, 0), {0, 0.5, 0.5});
  expect_velocities(cradle(1, 0), {-1.0 / 3, 2.0 / 3, 2.0 / 3});
  for (const double e : {0.0, 0.5, 1.0}) expect_velocities(cradle(e, 0, "simplified"), cradle(e, 0));
}

// A ball strikes another one, which lies on a floor, at 45 degrees: the floor's contact is maintained, and with a lower
// restitution than that of the collision one LCP is enough [Anitescu & Potra 1997, (3.1 b)]. With a higher one the
// floor throws the ball up, and Poisson's two LCPs are needed.
TEST(Impact, SimplifiedTakesTheRestitutionOfTheCollision) {
  struct End {
    double along, sideways, up;  // of the first along the line, of the second
    int problems;
  };
  const auto strike = [](const std::string& law, double of_floor) {
    Simulation balls(impact_scene(
        "step: 0.01, duration: 0.01, gravity: [0, 0, 0], method: anitescu_potra, impact: {law: " + law + "}",
        "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
        "  first: {mass: 1, freedom: [x, z], shape: {sphere: {radius: 0.1}}, position: [\"0.201/sqrt(2)\", 0, "
        "\"0.1 + 0.201/sqrt(2)\"], velocity: [\"-1/sqrt(2)\", 0, \"-1/sqrt(2)\"]}\n"
        "  second: {mass: 1, freedom: [x, z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}\n"
        "contacts: [{between: any, restitution: " +
            std::to_string(of_floor) + "}, {between: [first, second], restitution: 0.8}]\n"));
    balls.run();
    EXPECT_EQ(balls.status(), Status::ok);
    const double along = -(balls.velocity("first", 0) + balls.velocity("first", 2)) / std::sqrt(2.0);
    const StateView state = balls.state();
    return End{along, balls.velocity("second", 0), balls.velocity("second", 2),
               state.guessed() + state.corrected() + state.pivoted()};
  };
  for (const double lower : {0.0, 0.3, 0.8}) {
    const End one = strike("simplified", lower), two = strike("poisson", lower);
    EXPECT_NEAR(one.along, 1.0 / 3 - 0.8 * 2 / 3, 1e-12);
    EXPECT_NEAR(one.sideways, -1.8 * (2.0 / 3) / std::sqrt(2.0), 1e-12);
    EXPECT_NEAR(one.up, 0, 1e-12);
    EXPECT_NEAR(two.along, one.along, 1e-12);
    EXPECT_NEAR(two.sideways, one.sideways, 1e-12);
    EXPECT_LT(one.problems, two.problems) << lower;
  }
  const End one = strike("simplified", 0.95), two = strike("poisson", 0.95);
  EXPECT_GT(one.up, 0.01);
  EXPECT_EQ(one.up, two.up);
  EXPECT_EQ(one.problems, two.problems);
}

TEST(Impact, ThreeBallsOneAfterTheOtherPassItOn) {
  expect_velocities(cradle(1, 0.001), {0, 0, 1});
  expect_velocities(cradle(0.5, 0.001), {0.203125, 0.234375, 0.5625});
  expect_velocities(cradle(0.5, 0.001, "newton"), {0.203125, 0.234375, 0.5625});
}

// Two walls with the restitutions 1/2 and 1, which a particle strikes so that the compression takes p^c = (1, 2) N s of
// them: e p^c alone would leave (e p^c)'G (e p^c)/2 = 6.5 J of 6 J, with a speed of -2 m/s towards the first wall
// [Anitescu & Potra 1997, on different e]. The decompression gives that wall 0.5 N s more, and no energy is gained.
TEST(Impact, DifferentRestitutionsGainNoEnergy) {
  const double root = std::sqrt(3.0);
  const auto strike = [&](double first, double second) {
    char text[800];
    std::snprintf(
        text, sizeof text,
        "bodies:\n  first: {fixed: true, shape: {half_space: {normal: [-sqrt(3)/2, 0, 0.5]}}}\n"
        "  second: {fixed: true, shape: {half_space: {normal: [sqrt(3)/2, 0, 0.5]}}}\n"
        "  ball: {mass: 0.25, freedom: [x, z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.2], velocity: "
        "[-2*sqrt(3), 0, -6]}\ncontacts: [{between: [ball, first], friction: 0, restitution: %g}, {between: "
        "[ball, second], friction: 0, restitution: %g}]\n",
        first, second);
    Simulation ball(impact_scene("step: 0.01, duration: 0.01, gravity: [0, 0, 0], method: anitescu_potra", text));
    ball.run();
    EXPECT_EQ(ball.status(), Status::ok);
    EXPECT_EQ(ball.state().events(), 1);
    return ball;
  };
  Simulation different = strike(0.5, 1);
  const double* const impulse = different.state().normal_impulse;
  const double extra = impulse[different.body("first")] - 1.5 * 1;
  EXPECT_NEAR(extra, 0.5, 1e-12);
  EXPECT_NEAR(impulse[different.body("second")], 2 * 2, 1e-12);
  const double p[] = {0.5 * 1, 1 * 2}, G[2][2] = {{4, -2}, {-2, 4}};
  double alone = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) alone += 0.5 * p[i] * G[i][j] * p[j];
  EXPECT_EQ(alone, 6.5);
  EXPECT_NEAR(different.velocity("ball", 0), 2 * root, 1e-12);
  EXPECT_NEAR(different.velocity("ball", 2), 6, 1e-12);
  EXPECT_EQ(different.state().energy_gained(), 0);
  // The other way round nothing is to be mended: speeds of 2 m/s off both walls.
  Simulation turned = strike(1, 0.5);
  EXPECT_NEAR(turned.velocity("ball", 0), 0, 1e-12);
  EXPECT_NEAR(turned.velocity("ball", 2), 4, 1e-12);
}

// The line of centres is turned by 30 degrees; Anitescu, Potra & Stewart 1998.
TEST(Impact, TwoBallsMeetWithFrictionAndBothRestitutions) {
  struct Case {
    double e, e_t, vx, vy, energy;
  };
  for (const Case& c : {Case{0.5, 0, 0.4017857143, -0.2629005690, 0.3415178571},
                        {0.5, 0.5, 0.38392857, -0.23197109, 0.3459821429},
                        {1, 1, 0, 0, 0.5}}) {
    Simulation balls("oblique_balls",
                     {setting("variables.psi", M_PI / 6), setting("variables.e", c.e), setting("variables.e_t", c.e_t),
                      "variables.mu=0.4", "world.friction_directions=8"});
    balls.run();
    ASSERT_EQ(balls.status(), Status::ok);
    EXPECT_NEAR(balls.outcome("kept") / 2, c.energy, 1e-9);
    if (c.e == 1) continue;
    EXPECT_NEAR(balls.velocity("runner", 0), c.vx, 1e-8);
    EXPECT_NEAR(balls.velocity("runner", 1), c.vy, 1e-8);
    if (c.e_t > 0) {
      EXPECT_NEAR(balls.spin("runner", 2), 2.67857143, 1e-7);
    }
  }
}

// With e = e_t = 1 and enough friction: v+ = 3/7 v - 4/7 r w, w about y; the energy stays.
TEST(Impact, ASuperballTurnsSpinIntoSpeed) {
  const double r = 0.1;
  for (const double v : {-0.7, 0.0, 0.5}) {
    for (const double w : {-12.0, 3.0, 15.0}) {
      Simulation ball("superball", {setting("variables.v", v), setting("variables.w", w), "variables.mu=3"});
      ball.run();
      ASSERT_EQ(ball.status(), Status::ok);
      EXPECT_EQ(ball.state().events(), 1);
      const double after = 3.0 / 7 * v + 4.0 / 7 * r * w;
      EXPECT_NEAR(ball.velocity("ball", 0), after, 1e-12);
      EXPECT_NEAR(0.5 * after * after + 0.002 * ball.spin("ball", 1) * ball.spin("ball", 1),
                  0.5 * v * v + 0.002 * w * w, 1e-12);
    }
  }
}

/// The rod of Stewart & Trinkle as it strikes the table, in one step of 1 ns without gravity.
Simulation rod(double e, double e_t, const std::string& law) {
  char text[900];
  std::snprintf(
      text, sizeof text,
      "bodies:\n  table: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n"
      "  rod: {mass: 1, inertia: 0.002, freedom: [x, y, rz], shape: {capsule: {length: 0.5, radius: 0.05, axis: x}},"
      " position: [0, %.17g, 0], rotation: {axis: [0, 0, 1], degrees: %.17g}, velocity: [0, %.17g, 0],"
      " spin: [0, 0, 4]}\ncontacts: [{between: any, friction: 0.6, restitution: %g, tangential_restitution: %g}]\n",
      0.2698645693810694, 2.066869782450894 * 180 / M_PI, -3.7848721443059894, e, e_t);
  return Simulation(impact_scene(
      "gravity: [0, 0, 0], step: 1e-9, duration: 1e-9, method: anitescu_potra, impact: {law: " + law + "}", text));
}

TEST(Impact, TheRodGainsEnergyByPoissonsLawAndNotByNewtons) {
  struct Case {
    double e, e_t;
    const char* law;
    double vx, vy, w, ratio;
  };
  const double before = 0.5 * (3.7848721443059894 * 3.7848721443059894 + 0.002 * 16);
  for (const Case& c : {Case{0, 0, "poisson", -1.3900961178, -0.6129485339, 5.1510878994, 0.16446},
                        {0.5, 0, "poisson", 0, 0, 0, 1.57997},
                        {1, 0, "poisson", 0, 0, 0, 5.82651},
                        {0.5, 0.5, "poisson", -2.0851442, 0.9730133, 5.7266319, 0.373342},
                        {1, 1, "poisson", 0, 0, 0, 1},
                        {0.5, 0, "newton", -1.9871316, 0.7782429, 7.3634402, 0.324769},
                        {1, 0, "newton", -2.5841671, 2.1694344, 9.5757924, 0.805708}}) {
    SCOPED_TRACE(std::string(c.law) + ' ' + std::to_string(c.e) + ' ' + std::to_string(c.e_t));
    Simulation simulation = rod(c.e, c.e_t, c.law);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_EQ(simulation.state().events(), 1);
    const double vx = simulation.velocity("rod", 0), vy = simulation.velocity("rod", 1), w = simulation.spin("rod", 2);
    EXPECT_NEAR(0.5 * (vx * vx + vy * vy + 0.002 * w * w) / before, c.ratio, 6e-6);
    if (c.e == 0.5 && c.law == std::string("newton")) {
      EXPECT_NEAR(simulation.state().normal_impulse[simulation.body("rod")], 4.5631150546, 1e-8);
    }
    if (c.vx == 0) continue;
    EXPECT_NEAR(vx, c.vx, 1e-6);
    EXPECT_NEAR(vy, c.vy, 1e-6);
    EXPECT_NEAR(w, c.w, 1e-6);
  }
}

// A ball in a narrowing wedge of rough walls, struck into it: by Newton's law both walls have to be left at the speeds
// of approach, which friction does not allow; Poisson's law takes its place, and that is counted.
TEST(Impact, PoissonsLawServesWhereNewtonsHasNoSolution) {
  const std::string walls =
      "bodies:\n  left: {fixed: true, shape: {half_space: {normal: [cos(0.3), sin(0.3), 0]}}}\n"
      "  right: {fixed: true, shape: {half_space: {normal: [-cos(0.3), sin(0.3), 0]}}}\n"
      "  block: {mass: 1, inertia: 0.004, freedom: [x, y, rz], shape: {sphere: {radius: 0.1}}, "
      "position: [0, 0.1/sin(0.3), 0], velocity: [0, -1, 0]}\n"
      "contacts: [{between: any, friction: 3, restitution: 0.5}]\n";
  Simulation newton(impact_scene("step: 0.001, duration: 0.01, method: anitescu_potra, impact: {law: newton}", walls));
  Simulation poisson(impact_scene("step: 0.001, duration: 0.01, method: anitescu_potra", walls));
  newton.run(), poisson.run();
  EXPECT_EQ(newton.status(), Status::ok);
  EXPECT_EQ(poisson.status(), Status::ok);
  EXPECT_EQ(poisson.state().poisson(), 0);
  EXPECT_GT(newton.state().poisson(), 0);
  EXPECT_EQ(newton.velocity("block", 1), poisson.velocity("block", 1));
}

// Below the threshold nothing is restored.
TEST(Impact, SlowApproachesEndTheBouncing) {
  for (const auto& [speed, after] : {std::pair{0.009, 0.0}, {0.011, 0.0055}}) {
    char text[400];
    std::snprintf(text, sizeof text,
                  "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                  "  ball: {mass: 1, freedom: [z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1001], "
                  "velocity: [0, 0, %g]}\ncontacts: [{between: any, friction: 0, restitution: 0.5}]\n",
                  -speed);
    Simulation ball(impact_scene("gravity: [0, 0, 0], step: 0.1, duration: 0.1, method: trapezoidal", text));
    ball.run();
    EXPECT_NEAR(ball.velocity("ball", 2), after, 1e-15);
  }
}

// A system with more impacts in a step than allowed fails, and its state is that before the step; others go on.
TEST(Impact, TooManyInAStepEndASampleAlone) {
  const std::vector<std::string> set = {"world.impact.threshold=0", "world.events.limit=5", "variables.H=1",
                                        "world.step=0.05"};
  const Ensemble ensemble(read_scenario(library_file("bouncing_ball"), {set, {}, {}}));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 20);
  int failed = 0;
  for (int i = 0; i < 20; ++i) {
    const Status status = batch.status(i);
    ASSERT_TRUE(status == Status::ok || status == Status::too_many_events);
    failed += status == Status::too_many_events;
    if (status != Status::ok) {
      EXPECT_LT(batch.state(i).steps(), ensemble.model().total_steps);
      EXPECT_GE(batch.state(i).position[5], 0.1 - 1e-12);
    }
  }
  EXPECT_GT(failed, 0);
  Batch alone = run_samples(ensemble, ensemble.model(), 7, 1);
  EXPECT_EQ(state_digest(alone, 0), state_digest(batch, 7));
}

// Joints take part: a pendulum that strikes a wall with e keeps its length, and a hinge its limit.
TEST(Impact, JointsHoldThroughIt) {
  Simulation pendulum(
      impact_scene("gravity: [0, -9.81, 0], step: 0.001, duration: 1, method: trapezoidal_midpoint",
                   "bodies:\n  wall: {fixed: true, shape: {half_space: {normal: [1, 0, 0]}}}\n"
                   "  bob: {mass: 2, freedom: [x, y], shape: {sphere: {radius: 0}}, position: [1, 0, 0]}\n"
                   "joints:\n  rope: {distance: [world, bob], at: [[0, 0, 0], [1, 0, 0]]}\n"
                   "contacts: [{between: any, friction: 0, restitution: 0.6}]\n"));
  double speed = 0;
  pendulum.watch([&](const StateView& s) {
    if (s.events() == 1 && speed == 0) speed = s.velocity[3];
    EXPECT_NEAR(std::hypot(s.position[3], s.position[4]), 1, 1e-6);
  });
  EXPECT_EQ(pendulum.status(), Status::ok);
  EXPECT_GE(pendulum.state().events(), 1);
  EXPECT_NEAR(speed, 0.6 * std::sqrt(2 * 9.81), 1e-3);
}

TEST(Impact, LimitsOfJointsHaveTheirOwnRestitution) {
  for (const double e : {0.0, 0.5, 1.0}) {
    char text[500];
    std::snprintf(text, sizeof text,
                  "bodies:\n  slider: {mass: 2, freedom: [x], velocity: [1, 0, 0]}\njoints:\n"
                  "  rail: {prismatic: [world, slider], axis: [1, 0, 0], limits: [-1, 0.255], restitution: %g}\n",
                  e);
    for (const char* method : {"anitescu_potra", "trapezoidal"}) {
      Simulation slider(
          impact_scene(std::string("gravity: [0, 0, 0], step: 0.01, duration: 0.4, method: ") + method, text));
      slider.run();
      ASSERT_EQ(slider.status(), Status::ok);
      EXPECT_NEAR(slider.velocity("slider", 0), -e, 1e-12) << method;
      EXPECT_NEAR(slider.position("slider", 0), 0.255 - e * (0.4 - 0.255), 1e-9) << method;
    }
  }
}

// Two arms of a hub, mirror images of each other, reach their limits at one time, after a torque whose motion the path
// to the impact only follows to its order: where one was struck before the other, the hub turned with 3.5 rad/s.
TEST(Impact, LimitsThatAreReachedTogetherAreStruckTogether) {
  Simulation simulation(impact_scene(
      "step: 0.02, duration: 0.32, method: loetstedt",
      "bodies:\n  hub: {freedom: [x, z, ry], mass: 1, inertia: 0.02}\n"
      "  right: {freedom: [x, z, ry], mass: 0.5, inertia: 0.01, position: [0.3, 0, 0], spin: [0, -3.919769, 0]}\n"
      "  left: {freedom: [x, z, ry], mass: 0.5, inertia: 0.01, position: [-0.3, 0, 0], spin: [0, 3.919769, 0]}\n"
      "joints:\n"
      "  of_right: {revolute: [hub, right], at: [0.2, 0, 0], axis: [0, 1, 0], limits: [-0.026227, 2], stiffness: "
      "9.041211, "
      "restitution: 0.5}\n"
      "  of_left: {revolute: [hub, left], at: [-0.2, 0, 0], axis: [0, 1, 0], limits: [-2, 0.026227], stiffness: "
      "9.041211, "
      "restitution: 0.5}\n"
      "forces:\n"
      "  - {body: right, torque: [0, \"-0.8*cos(40*t) - 3*t*sin(50*t)\", 0], reaction: hub}\n"
      "  - {body: left, torque: [0, \"0.8*cos(40*t) + 3*t*sin(50*t)\", 0], reaction: hub}\n"));
  simulation.watch([&](const StateView& state) {
    EXPECT_NEAR(state.spin[1], 0, 1e-11) << state.steps();
    EXPECT_NEAR(state.position[0], 0, 1e-12) << state.steps();
  });
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_GE(simulation.state().events(), 2);
}

}  // namespace
}  // namespace jostle

// Where within a step contacts begin to slip, stick and open, docs/theory.md (60), (61); and steps with many events.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

constexpr const char* schemes[] = {"trapezoidal", "trapezoidal_midpoint"};

// Potra, Anitescu, Gavrea & Trinkle 2006, 10.2: the block slips at once and comes to rest at .3386081847 s.
TEST(Transition, TheBlockStopsWithinAStep) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/events.json");
  const nlohmann::json reference = nlohmann::json::parse(file)["block"];
  const double exact = reference["exact_T2"];
  for (const char* method : schemes) {
    double error_before = 0;
    for (int power = 5; power <= 10; ++power) {
      SCOPED_TRACE(std::string(method) + ' ' + std::to_string(power));
      const double h = std::ldexp(1.0, -power);
      Simulation block("stick_slip_block", {"variables.A=8", "variables.mu=0.8", "world.duration=2",
                                            setting("world.step", h), std::string("world.method=") + method});
      block.run();
      ASSERT_EQ(block.status(), Status::ok);
      const double error = std::fabs(block.position("block", 0) - exact);
      EXPECT_LE(error, 0.1 * h * h);
      if (method != schemes[0]) continue;
      EXPECT_EQ(block.state().events(), 1);
      EXPECT_NEAR(block.position("block", 0), reference["I_event_T2"][std::to_string(power)].get<double>(), 1e-12);
      EXPECT_EQ(block.velocity("block", 0), 0);
      if (power > 5) {
        EXPECT_NEAR(error_before / error, 3.98, 0.025);
      }
      error_before = error;
    }
  }
}

// ... and slips and stops three times more. The time at which it begins to slip is found up to h/2.
TEST(Transition, TheBlockKeepsTheOrderOverFourSlides) {
  for (const char* method : schemes) {
    for (int power = 5; power <= 9; ++power) {
      const double h = std::ldexp(1.0, -power);
      Simulation block("stick_slip_block", {"variables.A=8", "variables.mu=0.8", "world.duration=10",
                                            setting("world.step", h), std::string("world.method=") + method});
      block.run();
      ASSERT_EQ(block.status(), Status::ok);
      EXPECT_NEAR(block.position("block", 0), 2.9913028331, h * h) << method << ' ' << power;
    }
  }
}

// Under a constant force the first scheme is exact: a block stops after v0^2 / (2 mu g).
TEST(Transition, ABlockSlidesExactlyToItsRest) {
  for (const double v0 : {1.0, 3.0}) {
    Simulation block(tied_scenario(0.02, 2, "gravity: [0, -9.81, 0], method: trapezoidal",
                                   "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n"
                                   "  block: {mass: 2, freedom: [x, y], shape: {sphere: {radius: 0}}, velocity: [" +
                                       std::to_string(v0) + ", 0, 0]}\ncontacts: [{between: any, friction: 0.3}]\n"));
    block.run();
    ASSERT_EQ(block.status(), Status::ok);
    EXPECT_NEAR(block.position("block", 0), v0 * v0 / (2 * 0.3 * g), 1e-12);
    EXPECT_EQ(block.velocity("block", 0), 0);
    EXPECT_EQ(block.state().events(), 1);
  }
}

// A ball that slides rolls from 2 v0 / (7 mu g) on, at 5/7 of its speed: its place is exact too, in the plane and, with
// free rotations, in space.
TEST(Transition, ABallRollsFromTheExactTimeOn) {
  for (const bool planar : {true, false}) {
    const std::string up = planar ? "[0, 1, 0]" : "[0, 0, 1]";
    Simulation ball(tied_scenario(
        0.01, 0.5, std::string("method: trapezoidal, gravity: ") + (planar ? "[0, -9.81, 0]" : "[0, 0, -9.81]"),
        "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: " + up +
            "}}}\n  ball: {mass: 1, inertia: 0.004, " +
            (planar ? "freedom: [x, y, rz], position: [0, 0.1, 0], " : "position: [0, 0, 0.1], ") +
            "shape: {sphere: {radius: 0.1}}, velocity: [1.5, 0, 0]}\ncontacts: [{between: any, friction: 0.4}]\n"));
    ball.run();
    ASSERT_EQ(ball.status(), Status::ok);
    const double rolls = 2 * 1.5 / (7 * 0.4 * g), speed = 5.0 / 7 * 1.5;
    EXPECT_NEAR(ball.velocity("ball", 0), speed, 1e-12) << planar;
    EXPECT_NEAR(ball.position("ball", 0), (1.5 + speed) / 2 * rolls + speed * (0.5 - rolls), 1e-10) << planar;
    EXPECT_EQ(ball.state().events(), 1);
  }
}

// A force c t moves a block from t = mu m g / c on: x = c (t - t0)^3 / (6 m).
TEST(Transition, AGrowingForceTearsABlockOff) {
  const double c = 5, t0 = 0.5 * g / c;
  for (const char* method : schemes) {
    for (const double h : {0.02, 0.01, 0.005}) {
      Simulation block(tied_scenario(h, 2, std::string("gravity: [0, -9.81, 0], method: ") + method,
                                     "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n"
                                     "  block: {mass: 1, freedom: [x, y], shape: {sphere: {radius: 0}}}\n"
                                     "contacts: [{between: any, friction: 0.5}]\n"
                                     "forces: [{body: block, force: [5*t, 0, 0]}]\n"));
      block.run();
      ASSERT_EQ(block.status(), Status::ok);
      EXPECT_NEAR(block.position("block", 0), c * std::pow(2 - t0, 3) / 6, 2 * h * h) << method << ' ' << h;
    }
  }
}

// On a plate that moves by A sin(w t), seen from there: a body takes off where A w^2 sin(w t) = g, and flies.
TEST(Transition, ABodyTakesOffFromAShakingPlate) {
  const double A = 0.05, w = 20, t0 = std::asin(g / (A * w * w)) / w, flies = 0.2;
  const double t = flies - t0;
  const double exact = A * (std::sin(w * t0) - std::sin(w * flies)) + A * w * std::cos(w * t0) * t - 0.5 * g * t * t;
  for (const char* method : schemes) {
    for (const double h : {0.002, 0.001, 0.0005}) {
      Simulation body(tied_scenario(h, flies, std::string("method: ") + method,
                                    "bodies:\n  plate: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                    "  body: {mass: 1, freedom: [z], shape: {sphere: {radius: 0}}}\n"
                                    "contacts: [{between: any, friction: 0}]\n"
                                    "forces: [{body: body, force: [0, 0, 20*sin(20*t)]}]\n"));
      body.run();
      ASSERT_EQ(body.status(), Status::ok);
      EXPECT_NEAR(body.position("body", 2), exact, 40 * h * h) << method << ' ' << h;
    }
  }
}

// Stiff springs and dampers: the energy never grows above its start.
TEST(Transition, CartsKeepTheirEnergyBelowItsStart) {
  for (const char* run : {"variables.damping=100", "variables.damping=1000", "variables.damping=1e6"}) {
    Simulation carts("carts", {run, "variables.stiffness=1e4"});
    double most = 0;
    carts.watch([&](const StateView& s) {
      const double stretch = s.position[6] - 0.2;
      most = std::max(most,
                      0.5 * (s.velocity[6] * s.velocity[6] + s.velocity[9] * s.velocity[9] + 1e4 * stretch * stretch));
    });
    ASSERT_EQ(carts.status(), Status::ok) << run;
    EXPECT_LE(most, 9 * (1 + 1e-12)) << run;
    EXPECT_GE(carts.state().events(), 1) << run;
  }
}

// Friction of a joint divides no step: a slider that decelerates by a stops in the step in which it must, and is at
// most a h^2 / 8 from v0^2 / (2 a) under the first scheme, which is exact but for this step. The second one decides by
// the mean of both velocities.
TEST(Transition, IsLeftOutForFrictionOfJoints) {
  constexpr double v0 = 1, a = 1.5;
  for (const char* method : schemes) {
    for (const double h : {0.01, 0.007, 0.0033}) {
      Simulation slider(tied_scenario(h, 300 * h, std::string("gravity: [0, 0, 0], method: ") + method,
                                      "bodies:\n  slide: {mass: 2, inertia: 0.1, velocity: [1, 0, 0]}\n"
                                      "joints:\n  way: {prismatic: [world, slide], axis: [1, 0, 0], friction: 3}\n"));
      slider.run();
      ASSERT_EQ(slider.status(), Status::ok);
      const double most = (method == schemes[0] ? 0.125 : 1.0) * a * h * h;
      EXPECT_NEAR(slider.state().joint_position[0], v0 * v0 / (2 * a), most + 1e-12) << method << ' ' << h;
      EXPECT_NEAR(slider.state().joint_speed[0], 0, method == schemes[0] ? 1e-13 : a * h);
      EXPECT_EQ(slider.state().events(), 0);
    }
  }
}

// A limit of a joint is an impact at its time: a slider that meets its stop at 0.4 m comes back with half its speed.
TEST(Transition, LimitsOfJointsAreReachedAtTheirTime) {
  for (const char* method : schemes) {
    Simulation slider(tied_scenario(0.01, 0.7, std::string("gravity: [0, 0, 0], method: ") + method,
                                    "bodies:\n  slide: {mass: 2, inertia: 0.1, velocity: [1.003, 0, 0]}\n"
                                    "joints:\n  way: {prismatic: [world, slide], axis: [1, 0, 0], limits: [-1, 0.4], "
                                    "restitution: 0.5}\n"));
    slider.run();
    ASSERT_EQ(slider.status(), Status::ok);
    EXPECT_NEAR(slider.state().joint_position[0], 0.4 - 0.5 * 1.003 * (0.7 - 0.4 / 1.003), 1e-11) << method;
    EXPECT_NEAR(slider.state().joint_speed[0], -0.5 * 1.003, 1e-13) << method;
    EXPECT_EQ(slider.state().events(), 1);
  }
}

TEST(Transition, IsLeftOutIfTheFileSaysSo) {
  Simulation block("stick_slip_block", {"variables.A=8", "variables.mu=0.8", "world.events.transitions=false"});
  block.run();
  EXPECT_EQ(block.status(), Status::ok);
  EXPECT_EQ(block.state().events(), 0);
}

// Contacts that rock to and fro infinitely often, and jams in which a body moves as it may.
TEST(ManyEvents, BoxesComeToRestWithinSteps) {
  struct Case {
    const char* name;
    int sample;
  };
  for (const Case& c :
       {Case{"tossed_box", 51}, {"tossed_box", 68}, {"v_groove", 17}, {"v_groove", 25}, {"box_stack", 6}}) {
    for (const char* method : schemes) {
      Simulation simulation(c.name, {std::string("world.method=") + method}, c.sample);
      simulation.run();
      EXPECT_EQ(simulation.status(), Status::ok) << c.name << ' ' << c.sample << ' ' << method;
    }
  }
}

// Where two contacts close and open by turns, the step ends: its transitions are not searched any more.
TEST(ManyTransitions, LetAStepEnd) {
  Simulation bodies(read_scenario(JOSTLE_SOURCE_DIR "/tests/data/contacts_by_turns.yaml"));
  int before = 0, most = 0;
  bodies.watch([&](const StateView& state) {
    most = std::max(most, state.events() - before);
    before = state.events();
  });
  EXPECT_EQ(bodies.status(), Status::ok);
  EXPECT_GT(most, 1000);
  EXPECT_LT(most, 2000);
}

// A ball that bounces more than 10,000 times in one step fails; another one of the same batch does not.
TEST(ManyEvents, EndASampleBesideHealthyOnes) {
  const Ensemble ensemble(
      parse_scenario("jostle: 1\nvariables: {e: {choice: {values: [0.5, 0.9995]}}}\n"
                     "world: {step: 4000, duration: 4000, method: trapezoidal, impact: {threshold: 1e-9}}\n"
                     "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                     "  ball: {mass: 1, freedom: [z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 1.1]}\n"
                     "contacts: [{between: any, friction: 0, restitution: $e}]\n",
                     "bounces.yaml"));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 8);
  int failed = 0;
  for (int i = 0; i < 8; ++i) {
    const bool many = batch.parameters(i).variables[0] > 0.9;
    EXPECT_EQ(batch.status(i), many ? Status::too_many_events : Status::ok) << i;
    if (many) {
      EXPECT_EQ(batch.state(i).position[5], 1.1) << "the state before the step";
    }
    failed += many;
  }
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, 8);
}

}  // namespace
}  // namespace jostle

// Jams: friction holds what an overlap would push out, so the step has no solution; the overlap is held instead,
// docs/theory.md (17).
#include "tests/laws/balance.hpp"

namespace jostle {
namespace {

/// A setting of the library's v_groove, whose walls can hold a body that they squeeze from mu = tan .3 = .309 on.
struct Groove {
  double friction;
  const char* solver;
  std::vector<std::string> settings() const {
    return {setting("variables.mu", friction), std::string("world.solver=") + solver};
  }
};

class VGroove : public testing::TestWithParam<Groove> {};
INSTANTIATE_TEST_SUITE_P(Settings, VGroove,
                         testing::Values(Groove{0.25, "guess_first"}, Groove{0.35, "guess_first"},
                                         Groove{1.0, "guess_first"}, Groove{3.0, "guess_first"}, Groove{0.25, "lemke"},
                                         Groove{0.35, "lemke"}, Groove{1.0, "lemke"}, Groove{3.0, "lemke"}),
                         [](const auto& one) {
                           return "mu" + std::to_string(std::lround(100 * one.param.friction)) + one.param.solver;
                         });

TEST_P(VGroove, HoldsABoxFromTheAngleOfItsWallsOn) {
  constexpr int samples = 200;
  const Ensemble ensemble(read_scenario(library_file("v_groove"), {GetParam().settings(), {}, {}}));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, samples);
  int held = 0;
  for (int i = 0; i < samples; ++i) {
    EXPECT_EQ(batch.status(i), Status::ok) << "sample " << i;
    EXPECT_LE(batch.state(i).residual_max(), 1e-8) << "sample " << i;
    held += batch.state(i).held();
  }
  if (GetParam().friction > std::tan(0.3)) {
    EXPECT_GT(held, 0);
  } else {
    EXPECT_EQ(held, 0);
  }
}

// c_n n'v = 0 where an overlap is held, and friction takes energy; only the push that ends an overlap can give some.
TEST_P(VGroove, GainsNoEnergyWhereItHoldsABox) {
  for (int sample = 0; sample < 20; ++sample) {
    SCOPED_TRACE(sample);
    Simulation simulation("v_groove", GetParam().settings(), sample);
    simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
      const StepBalance step(system, work, result);
      const double pushed_out = step.energy_from_overlap();
      EXPECT_LE(result.energy_gain, pushed_out + 1e-14) << "step " << system.state().steps();
      if (step.is_held) {
        EXPECT_LE(pushed_out, 1e-14);
      }
    });
  }
}

// Two planes a little nearer than the ball is thick, within what is allowed at the start: no velocity opens both gaps.
Scenario wedge() {
  return parse_scenario(R"(
jostle: 1
world: {step: 0.01, duration: 0.1, friction_directions: 4}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ceiling: {fixed: true, shape: {half_space: {normal: [0, 0, -1], offset: -0.199999999}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.0999999995], velocity: [1, 0, 0]}
contacts: [{between: any, friction: 0.3}]
outcomes: {jams: {maximum: held}}
)",
                        "wedge.yaml");
}

TEST(WedgedBody, IsHeldAndSlides) {
  Simulation simulation(wedge());
  int held = 0;
  simulation.observe([&](const System&, const Workspace&, const StepResult& result) { held += result.held; });
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(held, 10);
  EXPECT_EQ(simulation.state().held(), 10);
  EXPECT_EQ(simulation.outcome("jams"), 10);
  EXPECT_NEAR(simulation.position("ball", 2), 0.0999999995, 1e-14);
  EXPECT_LE(simulation.state().residual_max(), 1e-8);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

/// The wedge, with more text; how many steps were held, and in how many Lemke's method was needed.
struct HeldSteps {
  HeldSteps(const std::string& ceiling, const std::string& more)
      : simulation(parse_scenario(R"(
jostle: 1
world: {step: 0.01, duration: 0.1, friction_directions: 4}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ceiling: {)" + ceiling + R"(, shape: {box: {size: [9, 9, 2]}}, position: [0, 0, 1.199999999]}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.0999999995], velocity: [1, 0, 0]}
contacts: [{between: any, friction: 0.3}]
)" + more,
                                  "wedge.yaml")) {
    simulation.observe([&](const System&, const Workspace&, const StepResult& result) {
      held += result.held, pivoted += result.pivoted > 0;
    });
  }
  Simulation simulation;
  int held = 0, pivoted = 0;
};

// The floor carries it for half of the time, the ceiling for the other half: the jam goes on, and its modes answer it.
TEST(WedgedBody, StaysHeldByModesWhereItsLoadChanges) {
  HeldSteps wedge("fixed: true", "forces: [{body: ball, force: [0, 0, 'if(t > 0.05, 20, 0)']}]");
  EXPECT_EQ(wedge.simulation.status(), Status::ok);
  EXPECT_EQ(wedge.held, 10);
  EXPECT_LE(wedge.pivoted, 2);
  EXPECT_NEAR(wedge.simulation.velocity("ball", 0), 1 - 0.3 * (0.05 * 9.81 + 0.05 * (20 - 9.81)), 1e-12);
  EXPECT_NEAR(wedge.simulation.position("ball", 2), 0.0999999995, 1e-14);
}

// The ceiling carries nothing, but once it rises there is a motion that opens all overlaps.
TEST(WedgedBody, IsPushedOutOnceTheCeilingRises) {
  HeldSteps wedge("prescribed: {velocity: [0, 0, 'if(t > 0.055, 0.001, 0)']}", "");
  EXPECT_EQ(wedge.simulation.status(), Status::ok);
  EXPECT_EQ(wedge.held, 5);
  EXPECT_NEAR(wedge.simulation.position("ball", 2), 0.1, 1e-14);
  EXPECT_EQ(wedge.simulation.state().energy_gained(), 0);
}

/// The steps up to `last` of its first sample, some of them held, have the same bits for every team.
void expect_same_bits_for_every_team(const Scenario& scenario, int last = 10) {
  const Ensemble ensemble(scenario);
  const auto digest = [&](int lanes) {
    Batch batch(ensemble.model(), 1);
    ensemble.load(0, batch, 0);
    WorkspaceMemory memory(ensemble.model(), 8);
    run_by_lanes(lanes, batch, last, memory);
    EXPECT_GT(batch.state(0).held(), 0) << lanes;
    return state_digest(batch, 0);
  };
  for (const int lanes : {1, 2, 8, 32}) EXPECT_EQ(digest(lanes), digest(0)) << lanes;
}

TEST(WedgedBody, HasTheSameBitsForEveryTeam) { expect_same_bits_for_every_team(wedge()); }

/// A box that slides towards a rod which props it, steeper than the friction angle: it stays; with other bodies and
/// joints.
Scenario strut(const std::string& method, double step, const std::string& bodies = "", const std::string& joints = "") {
  return parse_scenario(R"(
jostle: 1
world: {duration: 0.5, method: )" +
                            method + ", step: " + std::to_string(step) + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05], velocity: [0.05, 0, 0]}
)" + bodies + R"(
joints:
  rod: {distance: [world, box], at: [[0.1, 0, 0.35], [0, 0, 0.05]]}
)" + joints + R"(
contacts: [{between: any, friction: 0.8}]
)",
                        "strut.yaml");
}

class Strut : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, Strut,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return method.param; });

// The correction of the rod's error of second order would press the box against the floor, within its friction cone.
TEST_P(Strut, KeepsTheErrorOfARodThatNoMotionCorrects) {
  for (const double h : {0.01, 0.002}) {
    Simulation simulation(strut(GetParam(), h));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << h;
    EXPECT_NEAR(simulation.position("box", 0), 0, 0.05 * h) << h;
    EXPECT_NEAR(simulation.position("box", 2), 0.05, 1e-12) << h;
    EXPECT_EQ(simulation.velocity("box", 0), 0) << h;
    EXPECT_EQ(simulation.state().energy_gained(), 0) << h;
    EXPECT_LE(simulation.state().residual_max(), 1e-8) << h;
    const double length = std::hypot(0.1 - simulation.position("box", 0), 0.35 - simulation.position("box", 2));
    EXPECT_NEAR(length, std::hypot(0.1, 0.3), 0.05 * 0.05 * h * h) << h;
    if (GetParam() == "stewart_trinkle") {
      EXPECT_GT(simulation.state().held(), 0) << h;
    }
  }
}

/// Samples 0 to count - 1 end, without more energy than `most` (J) from nowhere.
void expect_little_energy(const Scenario& scenario, int count, double most) {
  for (int sample = 0; sample < count; ++sample) {
    Simulation simulation(scenario, sample);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << "sample " << sample;
    EXPECT_LE(simulation.state().energy_gained(), most) << "sample " << sample;
  }
}

/// A box that swings on a ball joint and jams on the floor.
Scenario swinging_box(const std::string& method, const std::string& at) {
  return parse_scenario(R"(jostle: 1
variables: {mu: {uniform: [0.5, 1]}}
world: {step: 0.002, duration: 0.6, method: )" +
                            method + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box:
    {density: 1000, shape: {box: {size: [0.2, 0.15, 0.3]}}, position: [0, 0, 0.3], rotation: uniform,
     spin: [{normal: [0, 4]}, {normal: [0, 4]}, {normal: [0, 4]}]}
joints: {hang: {ball: [world, box], at: [)" +
                            at + R"(]}}
contacts: [{between: [box, floor], friction: $mu}]
)",
                        "swing.yaml");
}

// What a held joint asks for must be what the contacts ask for: of the sum of both velocities, or of the last one.
TEST_P(Strut, HoldsABoxThatSwingsIntoAJam) {
  const std::string at = "{uniform: [-0.3, 0.3]}, {uniform: [-0.3, 0.3]}, {uniform: [0.25, 0.45]}";
  expect_little_energy(swinging_box(GetParam(), at), 40, GetParam() == "anitescu_potra" ? 0.2 : 0.05);
}

// Of the errors of the joint only what bears in the jam stays: the box may swing about where it is jammed.
TEST_P(Strut, KeepsAJointClosedAcrossAJamThatMoves) {
  const Vec3 at{0.1, -0.1, 0.25};
  const Scenario scenario = swinging_box(GetParam(), "0.1, -0.1, 0.25");
  int held = 0;
  double widest = 0;
  for (int sample = 0; sample < 40; ++sample) {
    Simulation simulation(scenario, sample);
    const int box = simulation.body("box");
    const auto to_joint = [&](const StateView& state) {  // in the axes of the box
      const Mat3 axes = rotation_matrix(quaternion_at(state.orientation, box));
      return rotate_back(axes, Vec3(at - vector_at(state.position, box)));
    };
    simulation.run_to(0);
    const Vec3 first = to_joint(simulation.state());
    simulation.watch([&](const StateView& state) {
      const Vec3 opening = to_joint(state) - first;
      widest = std::max(widest, std::sqrt(dot(opening, opening)));
    });
    held += simulation.state().held();
  }
  EXPECT_LE(widest, GetParam() == "anitescu_potra" ? 4e-4 : 1e-4);
  EXPECT_GT(held, 100);
}

// Boxes that swing up on the rod and fall back; where velocities jump, joints do not turn slow ones round.
TEST_P(Strut, LandsOnARod) {
  expect_little_energy(parse_scenario(R"(jostle: 1
variables: {mu: {uniform: [0.3, 1]}, x: {uniform: [0.03, 0.3]}, z: {uniform: [0.15, 0.5]}, v: {uniform: [-0.5, 0.5]}}
world: {step: 0.01, duration: 0.5, method: )" +
                                          GetParam() + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05], velocity: [$v, 0, 0]}
joints: {rod: {distance: [world, box], at: [[$x, 0, $z], [0, 0, 0.05]]}}
contacts: [{between: any, friction: $mu}]
)",
                                      "rods.yaml"),
                       100, 1e-3);
}

// A pendulum that nothing ties to the box keeps its length as it does alone.
TEST_P(Strut, LeavesTheJointsOfOthersAlone) {
  const std::string bodies =
      "  bob: {mass: 1, freedom: [x, z, ry], shape: {sphere: {radius: 0.01}}, position: [5.3, 0, 2]}";
  Simulation simulation(
      strut(GetParam(), 0.002, bodies, "  arm: {distance: [world, bob], at: [[5, 0, 2], [5.3, 0, 2]]}"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  const double length = std::hypot(simulation.position("bob", 0) - 5, simulation.position("bob", 2) - 2);
  EXPECT_NEAR(length, 0.3, 1e-4);
  EXPECT_GT(std::fabs(simulation.velocity("bob", 2)) + std::fabs(simulation.velocity("bob", 0)), 0.1);
}

// A box that swings down onto the floor on a rod whose pivot is below it: to take the rod's error away would press the
// box against the floor, so the jam lasts. What swings on the box goes on, and its joint stays closed.
TEST_P(Strut, ClosesTheJointOfWhatHangsOnAJam) {
  const std::string text = R"(
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.08]}
  bob: {mass: 0.001, inertia: 0.00001, freedom: [x, z, ry], position: [-0.3, 0, 0.28]}
joints:
  rod: {distance: [world, box], at: [[0.1, 0, -0.2], [0, 0, 0.08]]}
  arm: {revolute: [box, bob], at: [0, 0, 0.28], axis: [0, 1, 0]}
contacts: [{between: any, friction: 0.8}]
)";
  Simulation simulation(
      parse_scenario("jostle: 1\nworld: {step: 0.01, duration: 5, method: " + GetParam() + "}" + text, "hanging.yaml"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_GT(simulation.state().held(), 400);
  EXPECT_NEAR(simulation.position("box", 2), 0.05, 1e-9);
  const double length = std::hypot(simulation.position("bob", 0) - simulation.position("box", 0),
                                   simulation.position("bob", 2) - simulation.position("box", 2) - 0.2);
  EXPECT_NEAR(length, 0.3, 1e-3);  // it grew by 0.02 to 0.12 m
  EXPECT_GT(std::hypot(simulation.velocity("bob", 0), simulation.velocity("bob", 2)), 0.1);
}

/// A four-bar linkage of light links that moves on a box, as that one is jammed from its first touch on.
Scenario linkage_on_a_jam(const std::string& method) {
  return parse_scenario("jostle: 1\nworld: {step: 0.01, duration: 5, method: " + method + "}" + R"(
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.08]}
  crank: {mass: 0.001, inertia: 0.000001, freedom: [x, z, ry], position: [-0.02, 0, 0.15], spin: [0, 10, 0], velocity: [0.2, 0, -0.2]}
  coupler: {mass: 0.001, inertia: 0.000001, freedom: [x, z, ry], position: [0.02, 0, 0.20]}
  rocker: {mass: 0.001, inertia: 0.000001, freedom: [x, z, ry], position: [0.06, 0, 0.18]}
joints:
  rod: {distance: [world, box], at: [[0.1, 0, -0.2], [0, 0, 0.08]]}
  a: {revolute: [box, crank], at: [-0.03, 0, 0.13], axis: [0, 1, 0]}
  b: {revolute: [crank, coupler], at: [-0.01, 0, 0.17], axis: [0, 1, 0]}
  c: {revolute: [coupler, rocker], at: [0.08, 0, 0.23], axis: [0, 1, 0]}
  d: {revolute: [rocker, box], at: [0.04, 0, 0.13], axis: [0, 1, 0]}
contacts: [{between: [box, floor], friction: 0.8}]
outcomes:
  gap_x: {at_end: coupler.position.x + 0.06*cos(coupler.angle) + 0.03*sin(coupler.angle)
    - (rocker.position.x + 0.02*cos(rocker.angle) + 0.05*sin(rocker.angle))}
  gap_z: {at_end: coupler.position.z - 0.06*sin(coupler.angle) + 0.03*cos(coupler.angle)
    - (rocker.position.z - 0.02*sin(rocker.angle) + 0.05*cos(rocker.angle))}
  spin: {maximum: abs(crank.spin.y), while: time > 1}
)",
                        "linkage.yaml");
}

// Only the rod bears in the jam: its error stays, and the loop of the linkage stays closed. (It opened by 2 mm.)
TEST(HeldStrut, LeavesALoopThatMovesOnTheJamClosed) {
  for (const char* method : {"stewart_trinkle", "trapezoidal"}) {
    Simulation simulation(linkage_on_a_jam(method));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << method;
    EXPECT_GT(simulation.state().held(), 400) << method;
    EXPECT_NEAR(simulation.position("box", 2), 0.05, 1e-9) << method;
    EXPECT_LE(std::hypot(simulation.outcome("gap_x"), simulation.outcome("gap_z")),
              std::string(method) == "stewart_trinkle" ? 1e-9 : 5e-4);
    EXPECT_GT(simulation.outcome("spin"), 1) << method;
  }
}

TEST(HeldStrut, HasTheSameBitsForEveryTeam) { expect_same_bits_for_every_team(strut("stewart_trinkle", 0.01)); }

// A jam but for errors of joints: its contacts yield from step 89 on.
TEST(LockedLoopInAJam, HasTheSameBitsForEveryTeam) {
  expect_same_bits_for_every_team(parse_scenario(R"(jostle: 1
world: {step: 0.002, duration: 1}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  arm: {mass: 2, inertia: 0.02, position: [0, 0, 0.4]}
  stay: {mass: 2, inertia: 0.02, position: [0.1, 0.0928815, 0.25]}
  box:
    {density: 1000, shape: {box: {size: [0.2, 0.15, 0.3]}}, position: [0.3, 0, 0.3],
     rotation: {quaternion: [0.132513, 0.226838, 0.919031, -0.293884]}}
joints:
  hang: {ball: [world, arm], at: [-0.153841, 0.0902228, 0.439876]}
  one: {ball: [stay, arm], at: [0.05, 0, 0.35]}
  two: {prismatic: [box, arm], axis: [0.3, 0.2, 1]}
  three: {fixed: [box, stay]}
contacts: [{between: [box, floor], friction: 0.838046}]
)",
                                                 "locked.yaml"),
                                  92);
}

// Nothing is left of the answer in which a jam would have gone on: a step that ends it is that of a box in the same
// modes whose overlaps were not held.
TEST(EndedJam, LeavesNoTrace) {
  const Ensemble ensemble(read_scenario(library_file("v_groove"), {{"variables.mu=0.35"}, {}, {}}));
  const Model& model = ensemble.model();
  const int modes = model.view(0).dimensions.modes;
  const std::size_t bytes = model.view(0).state_layout.bytes;
  WorkspaceMemory memory(model, 0);
  int ended = 0;
  for (int sample = 0; sample < 120; ++sample) {
    Batch batch(model, 2);
    for (const int i : {0, 1}) ensemble.load(sample, batch, i);
    for (int step = 1; step <= model.total_steps && batch.status(0) != Status::energy_growth; ++step) {
      const bool was_held = step > 1 && batch.state(0).last_held() > 0;
      if (was_held) std::memcpy(batch.state_memory(1), batch.state_memory(0), bytes);
      run_system(batch, 0, step, memory);
      if (!was_held || batch.state(0).last_held() > 0) continue;
      for (int i = 0; i < modes; ++i) batch.state(1).modes[i].mode.held = 0;
      run_system(batch, 1, step, memory);
      const int numbers = 3 * static_cast<int>(model.bodies.size());
      for (int i = 0; i < numbers; ++i) {
        EXPECT_EQ(batch.state(0).position[i], batch.state(1).position[i]) << sample << " " << step;
        EXPECT_EQ(batch.state(0).velocity[i], batch.state(1).velocity[i]) << sample << " " << step;
        EXPECT_EQ(batch.state(0).spin[i], batch.state(1).spin[i]) << sample << " " << step;
      }
      ++ended;
    }
  }
  EXPECT_GT(ended, 20);
}

class Jam : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Library, Jam, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });

TEST_P(Jam, HappensInTheGrooveAlone) {
  const Ensemble ensemble(read_scenario(library_file(GetParam())));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 48);
  int held = 0;
  for (int i = 0; i < batch.size(); ++i) held += batch.state(i).held();
  EXPECT_EQ(held > 0, GetParam() == "v_groove");
}

}  // namespace
}  // namespace jostle

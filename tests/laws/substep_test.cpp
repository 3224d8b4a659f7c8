// Nothing is shot through: a step in which a body could pass through another is divided, docs/theory.md (23a).
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// A body that flies along x at a fixed plate, which is 1 cm thick; steps of 5 ms.
Scenario shot(const std::string& body, double speed, const std::string& more = "") {
  return parse_scenario(R"(jostle: 1
world: {step: 0.005, duration: 0.2, gravity: [0, 0, 0]}
bodies:
  plate: {fixed: true, shape: {box: {size: [0.01, 1, 1]}}}
  shot: {mass: 0.1, )" + body +
                            ", velocity: [" + std::to_string(speed) + R"(, 0, 0]}
contacts: [{between: any, friction: 0.3}]
outcomes: {farthest: {maximum: shot.position.x}, gained: {at_end: energy_gained}, energy: {maximum: energy}}
)" + more,
                        "shot.yaml");
}

const char* const shot_ball = "shape: {sphere: {radius: 0.005}}, position: [-0.333, 0, 0]";
const char* const shot_brick =
    "shape: {box: {size: [0.06, 0.1, 0.2]}}, position: [-0.333, 0, 0], rotation: {axis: [1, 2, 3], degrees: 50}, "
    "spin: [20, 10, -30]";
const char* const shot_board = "shape: {box: {size: [0.02, 0.1, 0.2]}}, position: [-0.333, 0, 0]";

TEST(AShot, StaysOnItsSideOfThePlate) {
  for (const char* body : {shot_ball, shot_brick, shot_board})
    for (const double speed : {0.9, 1.1, 3.0, 10.0, 70.0}) {
      SCOPED_TRACE(std::string(body) + ", m/s: " + std::to_string(speed));
      Simulation simulation(shot(body, speed));
      simulation.run_to(0);
      const double start = simulation.outcome("energy");
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok);
      EXPECT_LT(simulation.outcome("farthest"), 0);
      EXPECT_LE(simulation.outcome("energy"), 1.001 * start);
      EXPECT_LE(simulation.outcome("gained"), 1e-3 * start);
    }
}

// Half of 1 cm in 5 ms is 1 m/s.
TEST(AShot, IsDividedOnlyIfItMovesFartherThanHalfOfTheThinnestInAStep) {
  for (const auto& [speed, substeps] : {std::pair{0.99, 0}, {1.01, 2}, {1.99, 2}, {2.01, 4}, {10.0, 16}}) {
    Simulation simulation(shot(shot_ball, speed));
    simulation.run_to(3);
    EXPECT_EQ(simulation.state().substeps(), 3 * substeps) << speed;
    EXPECT_NEAR(simulation.position("shot", 0), -0.333 + 0.015 * speed, 1e-14);
  }
}

TEST(AShot, ThatNoDivisionCanHoldIsTooFast) {
  for (const double speed : {1023.0, 1025.0}) {
    Simulation simulation(shot(shot_ball, speed));
    simulation.run_to(1);
    const bool is_held = speed < 1024;
    EXPECT_EQ(simulation.status(), is_held ? Status::ok : Status::too_fast);
    EXPECT_EQ(simulation.state().steps(), is_held ? 1 : 0);
    EXPECT_NEAR(simulation.velocity("shot", 0), is_held ? 0 : speed, 1e-12);
    EXPECT_NEAR(simulation.position("shot", 0), is_held ? -0.01 : -0.333, 1e-12);
  }
}

// A force makes the velocity of step 5 too large for 2^10 sub-steps while it is being taken; nothing of it remains.
TEST(AShot, ThatBecomesTooFastKeepsItsLastGoodState) {
  const auto with_force = [](double from) {
    return shot("shape: {sphere: {radius: 0.005}}, position: [-0.333, 0, 0]", 0.1,
                "forces: [{body: shot, force: ['1e9*max(0, t - " + std::to_string(from) + ")', 0, 0]}]\n");
  };
  Simulation fails(with_force(0.022)), stops(with_force(0.022));
  fails.run(), stops.run_to(4);
  EXPECT_EQ(fails.status(), Status::too_fast);
  ASSERT_EQ(fails.state().steps(), 4);
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(fails.state().position[k], stops.state().position[k]);
    EXPECT_EQ(fails.state().velocity[k], stops.state().velocity[k]);
  }
  EXPECT_EQ(fails.state().penetration_max(), stops.state().penetration_max());
  EXPECT_EQ(fails.state().substeps(), stops.state().substeps());
}

// The sum over the sub-steps stops the ball; forces of time are taken at the middles of the sub-steps.
TEST(DividedSteps, AddUpImpulses) {
  Simulation simulation(shot(shot_ball, 10));
  double sum = 0;
  simulation.watch([&](const StateView& state) { sum += state.normal_impulse[1]; });
  EXPECT_NEAR(sum, 0.1 * 10, 1e-13);
}
TEST(DividedSteps, TakeForcesAtTheMiddleOfEachSubstep) {
  Simulation simulation(shot(shot_ball, 3, "forces: [{body: shot, force: [0, cos(100*t), 0]}]\n"));
  simulation.run_to(2);
  EXPECT_EQ(simulation.state().substeps(), 8);
  double sum = 0;
  for (int part = 0; part < 8; ++part) sum += 0.00125 * std::cos(100 * (part + 0.5) * 0.00125) / 0.1;
  EXPECT_NEAR(simulation.velocity("shot", 1), sum, 1e-13);
}

TEST(DividedSteps, HaveTheSameBitsForEveryTeamAndWorkspace) {
  for (const char* body : {shot_brick, shot_board}) {
    const Ensemble ensemble(shot(body, 10));
    const int steps = static_cast<int>(ensemble.model().total_steps);
    const auto digest = [&](auto run) {
      Batch batch(ensemble.model(), 1);
      ensemble.load(0, batch, 0);
      run(batch);
      EXPECT_GT(batch.state(0).substeps(), 0);
      EXPECT_EQ(batch.status(0), Status::ok);
      return state_digest(batch, 0);
    };
    const std::uint64_t expected = digest([&](Batch& batch) { run_batch(batch, steps, {1, 64, nullptr}); });
    EXPECT_EQ(digest([&](Batch& batch) { run_batch(batch, steps, {1, 1, nullptr}); }), expected);
    for (const int lanes : {1, 3, 8, 32}) {
      const std::uint64_t by_lanes = digest([&](Batch& batch) {
        WorkspaceMemory memory(ensemble.model(), 64);
        run_by_lanes(lanes, batch, steps, memory);
      });
      EXPECT_EQ(by_lanes, expected) << lanes;
    }
  }
}

}  // namespace
}  // namespace jostle

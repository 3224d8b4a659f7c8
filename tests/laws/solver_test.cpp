// Guessed modes, corrected ones and Lemke's method give the same answers; docs/theory.md, "Guess, certify, else Lemke".
#include <cstring>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

Model with_solver(const Ensemble& ensemble, Solver solver) {
  Model model = ensemble.model();
  model.solver = solver;
  return model;
}

/// The steps of sample 0, each taken from the same state by both solvers.
struct Comparison {
  int steps = 0, different = 0;
  double residual = 0;  ///< the largest where the answer is of least norm
};

Comparison compare_solvers(const Ensemble& ensemble) {
  const Model guess = with_solver(ensemble, Solver::guess_first), lemke = with_solver(ensemble, Solver::lemke);
  Batch first(guess, 1), second(lemke, 1);
  ensemble.load(0, first, 0), ensemble.load(0, second, 0);
  WorkspaceMemory first_memory(guess, 0), second_memory(lemke, 0);
  const std::size_t bytes = guess.view(0).state_layout.bytes;
  const int velocities = 3 * static_cast<int>(guess.bodies.size());
  Comparison found;
  run_system(first, 0, 0, first_memory);
  for (int step = 1; step <= guess.total_steps && first.status(0) == Status::ok; ++step) {
    std::memcpy(second.state_memory(0), first.state_memory(0), bytes);
    const auto see = [&](const System&, const Workspace&, const StepResult& result) {
      if (result.vertex == 0) found.residual = std::max(found.residual, result.residual);
    };
    run_system(first, 0, step, first_memory, see);
    run_system(second, 0, step, second_memory, see);
    double scale = 1e-3, difference = 0;
    for (int i = 0; i < velocities; ++i) {
      scale = std::max({scale, std::abs(first.state(0).velocity[i])});
      difference = std::max({difference, std::abs(first.state(0).velocity[i] - second.state(0).velocity[i]),
                             std::abs(first.state(0).spin[i] - second.state(0).spin[i])});
    }
    found.steps += 1;
    found.different += !(difference <= 1e-9 * scale);
  }
  EXPECT_EQ(first.status(0), Status::ok);
  return found;
}

class Solvers : public testing::TestWithParam<std::string> {};

// Where friction is indeterminate, a step can have separate answers: in impacts of boxes on several corners.
TEST_P(Solvers, AgreeOnEveryStep) {
  const Comparison found = compare_solvers(Ensemble(read_scenario(library_file(GetParam()))));
  const bool has_box_impacts = GetParam() == "tossed_box" || GetParam() == "box_stack" || GetParam() == "shaker";
  EXPECT_LE(found.different, has_box_impacts ? 2 : 0) << "of " << found.steps;
  EXPECT_LE(found.residual, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Solvers, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });

// Only where walls squeeze a box, basic solutions stay: there rounding errors are above the accuracy of an answer.
TEST_P(Solvers, LeaveNoBasicSolution) {
  const Ensemble ensemble(read_scenario(library_file(GetParam())));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 48);
  int basic = 0;
  for (int i = 0; i < batch.size(); ++i) basic += batch.state(i).vertex();
  EXPECT_LE(basic, GetParam() == "v_groove" ? 47 : 0);
}

/// What a prototype with the same modes answered by those of the step before, and by corrected ones, per cent of LCPs.
struct Share {
  const char* name;
  double guessed, corrected;
  const char* set = "world.solver=guess_first";
};

// A step at rest counts as guessed: the prototype computed it.
TEST(Guess, AnswersMostLcps) {
  for (const Share& share : {Share{"incline", 99.9, 0.1}, Share{"shapes", 99.2, 0.8}, Share{"sliding_block", 99.1, 0.5},
                             Share{"rolling_sphere", 98.8, 1.2}, Share{"two_balls", 98.5, 1.4},
                             Share{"tossed_box", 96.3, 2.5, "world.friction_directions=4"},
                             Share{"box_stack", 91.9, 8.0}, Share{"four_balls", 89.4, 5.8}}) {
    SCOPED_TRACE(share.name);
    const Ensemble ensemble(read_scenario(library_file(share.name), {{share.set}, {}, {}}));
    Batch batch = run_samples(ensemble, ensemble.model(), 0, 50);
    double guessed = 0, corrected = 0, all = 0;
    for (int i = 0; i < batch.size(); ++i) {
      const StateView s = batch.state(i);
      guessed += s.rest() + s.guessed(), corrected += s.corrected();
      all += s.rest() + s.guessed() + s.corrected() + s.pivoted();
    }
    constexpr double printed = 0.05,
                     few = 0.05;  // per cent; so much the share of 50 tossed boxes differs from that of 600
    EXPECT_GE(100 * guessed / all, share.guessed - printed - few);
    EXPECT_GE(100 * (guessed + corrected) / all, share.guessed + share.corrected - 2 * printed - few);
  }
}

/// A square plate that slides and turns, started at four angles that look alike.
double yaw_of_plate(int directions, double degrees, const char* solver) {
  Simulation simulation(parse_scenario(R"(
jostle: 1
world: {gravity: [0, 0, -9.81], step: 0.005, duration: 1, friction_directions: )" +
                                           std::to_string(directions) + ", solver: " + solver + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  plate:
    mass: 1
    shape: {box: {size: [0.2, 0.2, 0.06]}}
    position: [0, 0, 0.03]
    rotation: {axis: [0, 0, 1], degrees: )" +
                                           std::to_string(degrees) + R"(}
    velocity: [1, 0, 0]
    spin: [0, 0, 6]
contacts: [{between: any, friction: 0.2}]
outcomes:
  x: {at_end: plate.axis_x.x}
  y: {at_end: plate.axis_x.y}
)",
                                       "plate.yaml"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.state().vertex(), 0);
  const double turned = std::atan2(simulation.outcome("y"), simulation.outcome("x")) - degrees * pi / 180;
  return turned - 2 * pi * std::floor(turned / (2 * pi));
}

// Its contacts are redundant: a basic solution depends on their order, that of least norm does not.
TEST(SlidingPlate, TurnsAlikeHoweverItsCornersAreNumbered) {
  for (const char* solver : {"guess_first", "lemke"})
    for (const double degrees : {0.0, 90.0, 180.0, 270.0}) {
      SCOPED_TRACE(std::string(solver) + ", " + std::to_string(degrees));
      EXPECT_NEAR(yaw_of_plate(64, degrees, solver), 1.24843, 1e-5);
      EXPECT_NEAR(yaw_of_plate(64, degrees, solver), yaw_of_plate(64, 0, "guess_first"), 1e-6);
      EXPECT_NEAR(yaw_of_plate(8, degrees, solver), yaw_of_plate(8, 0, "guess_first"), 1e-6);
    }
}

class FixedPoint : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, FixedPoint, solvers, name_of_solver);

// Each LCP of a step starts from the modes of the one before; from scratch the iteration may alternate between answers.
TEST_P(FixedPoint, ConvergesForTossedBricks) {
  for (const char* step : {"0.005", "0.001"}) {
    const Ensemble ensemble(parse_scenario(std::string(R"(
jostle: 1
world: {gravity: [0, 0, -9.81], duration: 1, linearisation: fixed_point, step: )") +
                                               step + ", solver: " + GetParam() + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  brick:
    mass: 1
    shape: {box: {size: [0.2, 0.1, 0.06]}}
    position: [0, 0, 0.3]
    rotation: uniform
    velocity: [{uniform: [-2, 2]}, {uniform: [-2, 2]}, {uniform: [-2, 2]}]
    spin: [{uniform: [-6, 6]}, {uniform: [-6, 6]}, {uniform: [-6, 6]}]
contacts: [{between: any, friction: 0.5}]
sample: {method: random, count: 1000, seed: 3}
)",
                                           "brick.yaml"));
    constexpr int samples = 200;
    Batch batch = run_samples(ensemble, ensemble.model(), 0, samples);
    int failed = 0;
    for (int i = 0; i < samples; ++i) failed += batch.status(i) != Status::ok;
    EXPECT_EQ(failed, 0) << "at step " << step;
  }
}

// Where redundant contacts slip in different directions, rounding errors of their impulses change the velocities: these
// did not converge while the linear systems of all LCPs had the same eps.
TEST(FixedPointIteration, ConvergesWhereRedundantContactsSlip) {
  const Ensemble ensemble(
      read_scenario(library_file("tossed_box"), {{"world.linearisation=fixed_point", "world.step=0.005"}, {}, {}}));
  for (const int sample : {1202, 1235, 1916, 2165, 2440, 2846, 2895, 3310, 3446, 3665, 3672}) {
    Batch batch = run_samples(ensemble, ensemble.model(), sample, 1);
    EXPECT_EQ(batch.status(0), Status::ok) << sample;
    EXPECT_LE(batch.state(0).residual_max(), 1e-12) << sample;
  }
}

}  // namespace
}  // namespace jostle

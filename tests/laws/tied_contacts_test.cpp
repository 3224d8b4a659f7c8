// Contacts of bodies that joints tie: their answers by modes and of least norm.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class TiedContacts : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, TiedContacts, solvers, name_of_solver);

/// A square plate that slides and turns with a mast on it, started at four angles that look alike.
double yaw_of_masted_plate(int directions, double degrees, const std::string& solver) {
  const std::string turned = ", rotation: {axis: [0, 0, 1], degrees: " + std::to_string(degrees) +
                             "}, velocity: [1, 0, 0], spin: [0, 0, 6]}\n";
  Simulation simulation(tied_scenario(
      0.005, 1, "friction_directions: " + std::to_string(directions) + ", solver: " + solver,
      "bodies:\n"
      "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  plate: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.06]}}, position: [0, 0, 0.03]" +
          turned + "  mast: {mass: 0.2, inertia: [0.0002, 0.0002, 0.0001], position: [0, 0, 0.1]" + turned +
          "joints: {weld: {fixed: [plate, mast]}}\n"
          "contacts: [{between: [floor, plate], friction: 0.2}]\n"
          "outcomes:\n  x: {at_end: plate.axis_x.x}\n  y: {at_end: plate.axis_x.y}\n"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.state().vertex(), 0);
  const double yaw = std::atan2(simulation.outcome("y"), simulation.outcome("x")) - degrees * pi / 180;
  return yaw - 2 * pi * std::floor(yaw / (2 * pi));
}

// Its contacts are redundant: a basic solution depends on their order, that of least norm does not.
TEST_P(TiedContacts, AMastedPlateTurnsAlikeHoweverItsCornersAreNumbered) {
  const double first = yaw_of_masted_plate(64, 0, "guess_first"), coarse = yaw_of_masted_plate(8, 0, "guess_first");
  EXPECT_GT(first, 0.5);
  for (const double degrees : {0.0, 90.0, 180.0, 270.0}) {
    SCOPED_TRACE(degrees);
    EXPECT_NEAR(yaw_of_masted_plate(64, degrees, GetParam()), first, 1e-6);
    EXPECT_NEAR(yaw_of_masted_plate(8, degrees, GetParam()), coarse, 1e-6);
  }
}

// Bars that lie flat beside each other have redundant contacts beside the hinge; at rest nothing but rounding errors is
// left of the velocities that the hinge must keep together.
TEST_P(TiedContacts, ElbowsLieFlatWithAnAnswerInEveryStep) {
  constexpr int samples = 100;
  const Ensemble ensemble(read_scenario(library_file("elbow_toss"), {{solver()}, {}, {}}));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, samples);
  int lying = 0, rests = 0;
  for (int i = 0; i < samples; ++i) {
    EXPECT_EQ(batch.status(i), Status::ok) << "sample " << i;
    EXPECT_LE(batch.state(i).residual_max(), 1e-8) << "sample " << i;
    lying += batch.state(i).last_contacts() >= 8, rests += batch.state(i).resting();
  }
  EXPECT_GT(lying, samples / 4);
  EXPECT_GT(rests, samples / 2);
}

// A step with joints in which contacts, limits, frictions and motors do what they did needs no pivoting.
TEST(TiedContactsByModes, NeedNoPivotingInMostSteps) {
  for (const auto& [name, least] : std::vector<std::pair<const char*, double>>{
           {"four_bar", 0.98}, {"door", 0.98}, {"gripper", 0.95}, {"pulled_block", 0.98}}) {
    SCOPED_TRACE(name);
    const Ensemble ensemble(read_scenario(library_file(name)));
    Batch batch = run_samples(ensemble, ensemble.model(), 0, 10);
    double guessed = 0, all = 0;
    for (int i = 0; i < 10; ++i) {
      const StateView s = batch.state(i);
      EXPECT_EQ(batch.status(i), Status::ok);
      guessed += s.guessed(), all += s.guessed() + s.corrected() + s.pivoted();
    }
    EXPECT_GE(guessed, least * all);
  }
}

/// A slider on a slope that friction may hold: pushed by a motor to and fro.
TEST_P(TiedContacts, FrictionAndMotorOfASliderShareTheirForces) {
  Simulation simulation(tied_scenario(0.001, 1, falls_along_y + ", solver: " + GetParam(),
                                      "bodies:\n  block: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
                                      "joints:\n  rail:\n    prismatic: [world, block]\n    at: [0, 0, 0]\n"
                                      "    axis: [1, 0, 0]\n    friction: 2\n"
                                      "    motor: {speed: 0.5*sin(4*t), limit: 20}\n"));
  simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
    EXPECT_LE(result.residual, 1e-12);
    const double t = system.state().steps() * 0.001, speed = 0.5 * std::sin(4 * t);
    EXPECT_NEAR(work.next_velocity(0)[0], speed, 1e-12);
    const JointBlockRows rows = work.joint_block(0);
    if (std::fabs(speed) > 1e-9)
      EXPECT_NEAR(work.row_impulse(rows.friction), speed > 0 ? -0.002 : 0.002, 1e-12);
    else
      EXPECT_LE(std::fabs(work.row_impulse(rows.friction)), 0.002 + 1e-12);
  });
  EXPECT_EQ(simulation.status(), Status::ok);
}

// The turn of a body that spins too fast for the step is implicit at first order: it is counted, and keeps the energy.
TEST(FastTop, IsCountedWhereItsTorqueIsOfFirstOrder) {
  const auto top = [](double spin) {
    return tied_scenario(0.05, 1, floats + ", method: trapezoidal",
                         "bodies:\n  top: {mass: 1, inertia: [0.001, 0.002, 0.003], spin: [" + std::to_string(spin) +
                             ", " + std::to_string(spin) + ", 1]}\n");
  };
  Simulation slow(top(5)), fast(top(200));
  slow.run(), fast.run();
  EXPECT_EQ(slow.status(), Status::ok);
  EXPECT_EQ(slow.state().first_order(), 0);
  EXPECT_EQ(fast.status(), Status::ok);
  EXPECT_EQ(fast.state().first_order(), 20);
  const auto energy = [](Simulation& simulation) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += 0.5e-3 * (k + 1) * simulation.state().spin[k] * simulation.state().spin[k];
    return sum;
  };
  const double start = 0.5e-3 * (1 + 2) * 200 * 200 + 0.5e-3 * 3;
  EXPECT_NEAR(energy(fast), start, 1e-13 * start * 20);
}

}  // namespace
}  // namespace jostle

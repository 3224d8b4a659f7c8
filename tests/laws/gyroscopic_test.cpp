// Bodies that turn freely, docs/theory.md (2): the kinetic energy stays, and a top neither falls nor stands up.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// A body without forces: its principal moments, its spin in the world at the start, and how long it flies.
struct Flight {
  std::string moments, spin;
  double h, duration;
};

const Flight mixed_axis{"[1e-3, 2e-3, 3e-3]", "[30, 30, 26.457513110645905]", 0.005, 2};  // 50 rad/s
const Flight brick{"[8.3333333e-4, 4.3333333e-3, 5e-3]", "[20, 20, 20]", 0.005, 1};
const Flight bolt{"[5e-7, 5e-7, 1.2e-7]", "[10, 0, 333]", 0.002, 0.4};

Scenario scenario_of(const Flight& flight, const std::string& gyroscopic, const std::string& solver) {
  return parse_scenario(
      "jostle: 1\nworld: {gravity: [0, 0, 0], step: " + std::to_string(flight.h) +
          ", duration: " + std::to_string(flight.duration) + ", gyroscopic: " + gyroscopic + ", solver: " + solver +
          "}\nbodies:\n  body: {mass: 1, inertia: " + flight.moments + ", spin: " + flight.spin +
          "}\noutcomes: {least: {minimum: body.kinetic_energy}, most: {maximum: body.kinetic_energy}}\n",
      "flight.yaml");
}

class FreeRotation : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, FreeRotation, solvers, name_of_solver);

// Euler's equations conserve w'Jw/2.
TEST_P(FreeRotation, KeepsItsEnergyWithinAPercent) {
  for (const Flight& flight : {mixed_axis, brick, bolt}) {
    SCOPED_TRACE(flight.spin);
    Simulation body(scenario_of(flight, "implicit", GetParam()));
    body.run_to(0);
    const double start = body.outcome("least");
    body.run();
    ASSERT_EQ(body.status(), Status::ok);
    EXPECT_GE(body.outcome("least"), 0.99 * start);
    EXPECT_LE(body.outcome("most"), 1.01 * start);
  }
}

// h = .001, .0005: the error over a fixed time falls with h^2.
TEST_P(FreeRotation, IsOfSecondOrder) {
  const auto end = [](double h) {
    Flight flight = brick;
    flight.h = h, flight.duration = 0.1;
    Simulation body(scenario_of(flight, "implicit", GetParam()));
    body.run();
    return body.spin("body", 0);
  };
  EXPECT_NEAR((end(0.002) - end(0.001)) / (end(0.001) - end(0.0005)), 4, 0.2);
}

TEST_P(FreeRotation, GainsEnergyWithExplicitTorques) {
  Simulation body(scenario_of(brick, "explicit", GetParam()));
  body.run_to(0);
  const double start = body.outcome("least");
  body.run();
  EXPECT_EQ(body.status(), Status::energy_growth);
  EXPECT_GE(body.outcome("most"), 1.5 * start);
}

class HeavyTop : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, HeavyTop, solvers, name_of_solver);

// A top on a tip of 5 mm without friction, let go at a tilt of .3 rad with 150 rad/s about its axis. It falls until it
// precesses, at most 2 m g l sin(.3) J1/(J3 w)^2 = .0116 rad, and rises again to .3 rad, where it was let go. The step
// turns it by the angular velocity at its end, so the precession m g l/(J3 w) is ahead by h w/2: the tilt grows as
// tan(tilt/2) = tan(.15) exp(m g l h t/(2 J3)).
TEST_P(HeavyTop, NeitherFallsNorStandsUp) {
  for (const double h : {0.001, 0.0005, 0.0001}) {
    SCOPED_TRACE(h);
    Simulation top(parse_scenario(R"(
jostle: 1
world: {step: )" + std::to_string(h) +
                                      ", duration: 1, solver: " + GetParam() + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  top:
    mass: 0.1
    inertia: [2.25e-5, 2.25e-5, 4.5e-5]
    shape: {sphere: {radius: 0.005}, position: [0, 0, -0.04]}
    position: [0, 0, 0.04321345956502425]
    rotation: {axis: [1, 0, 0], degrees: 17.188733853924695}
    spin: [0, -44.328030999, 143.3004733689]
contacts: [{between: any, friction: 0}]
outcomes: {upright: {maximum: top.axis_z.z}, tilted: {minimum: top.axis_z.z}}
)",
                                  "top.yaml"));
    top.run();
    ASSERT_EQ(top.status(), Status::ok);
    EXPECT_GE(std::acos(top.outcome("upright")), 0.299);
    const double drifted = 2 * std::atan(std::tan(0.15) * std::exp(0.1 * 9.81 * 0.04 * h / (2 * 4.5e-5)));
    EXPECT_NEAR(std::acos(top.outcome("tilted")), drifted + 0.006, 0.006);
  }
}

}  // namespace
}  // namespace jostle

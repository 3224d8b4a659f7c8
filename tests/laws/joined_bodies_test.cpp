// Bodies that joints hold together, where what a step asks of a joint is a rounding error of a motion along other
// freedoms, or of energies that the bodies do not have.
#include "tests/laws/shape_laws.hpp"

namespace jostle {
namespace {

class JoinedBodies : public test::ShapesUnderEveryMethod {
 protected:
  Scenario scene(const std::string& rest, const std::string& of_world) {
    return parse_scenario("jostle: 1\n" + rest + "world: {" + world((of_world + "}\n").c_str()), "joined.yaml");
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, JoinedBodies, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

// Two bodies with a hinge between them fall. Nothing turns, whatever the hinge could do.
TEST_P(JoinedBodies, FallTogether) {
  for (const char* hinge : {"friction: 100", "friction: 1e-6", "motor: {speed: 0, limit: 5}", "limits: [0, 60]",
                            "speed_limits: [0, null]"}) {
    const Scenario scenario = scene(std::string(R"(
bodies:
  one: {mass: 6, inertia: [0.4, 0.5, 0.5], position: [{uniform: [-1, 1]}, 0, 0]}
  other: {mass: 2, inertia: [0.06, 0.1, 0.1], position: [0, {uniform: [-1, 1]}, 0.2]}
joints: {hinge: {revolute: [one, other], at: [-0.5, 0.3, 0.1], axis: [1, -0.3, 0.3], )") +
                                        hinge + "}}\n",
                                    "step: 0.004, duration: 0.4");
    for (int sample = 0; sample < 12; ++sample) {
      Simulation simulation(scenario, sample);
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok) << hinge << ", sample " << sample;
      for (int m = 0; m < 2; ++m) {
        EXPECT_NEAR(simulation.state().velocity[3 * m + 2], -9.81 * 0.4, 1e-9) << hinge;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.state().spin[3 * m + k], 0, 1e-9) << hinge;
      }
    }
  }
}

// A slide runs to its limit, and may not run back.
TEST_P(JoinedBodies, StayAtALimitFromWhichTheyMayNotReturn) {
  const Scenario scenario = scene(R"(
bodies:
  a: {mass: 1, inertia: 0.1, position: [0, 0, -1]}
  b: {mass: 1, inertia: 0.1, position: [0, 0, -2]}
joints:
  ball: {ball: [world, a], at: [{uniform: [-1, 1]}, 0.3, 0]}
  slide: {prismatic: [a, b], axis: [{uniform: [-0.2, 0.2]}, {uniform: [-0.2, 0.2]}, -1], limits: [-1, 0.1],
          speed_limits: [0, null]}
)",
                                  "step: 0.01, duration: 1");
  for (int sample = 0; sample < 24; ++sample) {
    Simulation simulation(scenario, sample);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << sample;
    EXPECT_NEAR(simulation.state().joint_position[1], 0.1, 2e-3) << sample;
  }
}

// A weld takes a blow; what it leaves of the spin of a body with different moments is a rounding error.
TEST_P(JoinedBodies, AWeldedBodyTakesABlow) {
  const Scenario scenario = scene(R"(
bodies:
  base: {mass: 1, inertia: [0.01, 0.011, 0.012], rotation: uniform}
  a: {mass: 1, inertia: 0.01, position: [0, 0, 1]}
  b: {mass: 1, inertia: 0.01, position: [0.3, 0.1, 1]}
joints:
  weld: {fixed: [world, base]}
  hinge: {revolute: [a, b], at: [0.1, 0.2, 1], axis: [0, 1, 0], motor: {speed: 1, limit: 0.1}}
impulses: [{body: base, time: 0.029, impulse: [-0.1, 0, 0.2], at: [0.1, 0.02, 0.1]}]
)",
                                  "step: 0.002, duration: 0.2, gravity: [0, 0, 0]");
  for (int sample = 0; sample < 12; ++sample) {
    Simulation simulation(scenario, sample);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << sample;
    EXPECT_NEAR(simulation.position("base", 2), 0, 1e-9) << sample;
  }
}

// A rotor much heavier than its link: most of the energy is the rotor's.
TEST_P(JoinedBodies, AHeavyRotorSwingsOnASpring) {
  const Scenario scenario = scene(R"(
bodies: {link: {mass: 1, inertia: 0.01}}
joints: {hinge: {revolute: [world, link], at: [0, 0, 0], axis: [0, 1, 0], stiffness: 50, rest: -0.25, armature: 0.36}}
)",
                                  "step: 0.001, duration: 0.3, gravity: [0, 0, 0]");
  Simulation simulation(scenario, 0);
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  const double square = 50 / 0.37, exact = -0.25 + 0.25 * std::cos(0.3 * std::sqrt(square));
  const double lost = 0.25 * (0.001 * square * 0.3 / 2);  // of the amplitude, by stewart_trinkle
  EXPECT_NEAR(simulation.state().joint_position[0], exact, lost);
}

}  // namespace
}  // namespace jostle

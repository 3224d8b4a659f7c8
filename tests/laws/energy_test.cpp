// The energy that steps add beyond the work of forces, docs/theory.md (22a).
#include "tests/laws/balance.hpp"

namespace jostle {
namespace {

Simulation simulation_of(const std::string& text) { return Simulation(parse_scenario(text, "energy.yaml")); }

class EnergyGained : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Library, EnergyGained, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });

// Of every body: the work of its contacts' impulses and of the gyroscopic impulse at the mean velocity, and the same
// with the work of gravity at v_{l+1}. The smaller of the two is the gain.
TEST_P(EnergyGained, GainsWhatContactsAndGyroscopicImpulsesDo) {
  Simulation simulation(GetParam());
  double sum = 0, largest = 0;
  simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
    const StepBalance step(system, work, result);
    double done = 0, of_gravity = 0, in_play = 0;
    for (std::size_t b = 0; b < step.bodies.size(); ++b) {
      const BodyStep& body = step.bodies[b];
      const int index = static_cast<int>(b);
      Vec6 mean;
      for (int k = 0; k < 6; ++k) mean[k] = (body.old[k] + body.next[k]) / 2;
      done += dot(mean.linear(), step.impulse_on(index)) + dot(mean.angular(), body.gyroscopic(step.step)) +
              dot(mean.angular(), rotate_back(body.pose.axes, step.turning_impulse_on(index)));
      of_gravity += step.step * body.mass * dot(step.gravity, body.next.linear() - body.old.linear()) / 2;
      in_play += body.kinetic_energy(body.old) + body.kinetic_energy(body.next) +
                 body.mass * dot(step.gravity, step.gravity) * step.step * step.step;
    }
    EXPECT_NEAR(result.energy_gain, std::max(std::min(done, done - of_gravity), 0.0), 1e-11 * in_play);
    sum += result.energy_gain, largest = std::max(largest, result.energy_gain);
  });
  EXPECT_EQ(simulation.state().energy_gained(), sum);
  EXPECT_EQ(simulation.state().energy_gain_max(), largest);
}

TEST_P(EnergyGained, IsNotMadeByTheGyroscopicImpulses) {
  for (int sample = 0; sample < 12; ++sample) {
    Simulation simulation(GetParam(), {}, sample);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << sample;
  }
}

TEST(EnergyGain, IsZeroInFlightAndAtRest) {
  Simulation simulation = simulation_of(R"(
jostle: 1
world: {step: 0.005, duration: 2}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 0.5, shape: {box: {size: [0.2, 0.1, 0.06]}}, position: [0, 0, 0.03]}
  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [5, 0, 100], velocity: [1, 2, 20], spin: [30, 40, 50]}
forces: [{body: ball, force: [3*sin(t), 0, 1], torque: [0, 0.1, 0]}]
contacts: [{between: any, friction: 0.4}]
outcomes: {sum: {at_end: energy_gained}, most: {maximum: energy_gain_max}}
)");
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.outcome("sum"), 0);
  EXPECT_EQ(simulation.outcome("most"), 0);
}

// The explicit torque makes energy: the sample ends before half of the rotational energy is of its making.
TEST(EnergyGrowth, EndsABoltWithExplicitTorques) {
  Simulation bolt = simulation_of(R"(
jostle: 1
world: {gravity: [0, 0, 0], step: 0.002, duration: 0.4, gyroscopic: explicit}
bodies: {bolt: {mass: 1, inertia: [5e-7, 5e-7, 1.2e-7], spin: [10, 0, 333]}}
outcomes: {start: {minimum: bolt.kinetic_energy}, most: {maximum: bolt.kinetic_energy}, gained: {at_end: energy_gained}}
)");
  bolt.run();
  EXPECT_EQ(bolt.status(), Status::energy_growth);
  EXPECT_GE(bolt.state().steps(), 10);
  EXPECT_LE(bolt.outcome("most"), 2 * bolt.outcome("start"));
  EXPECT_NEAR(bolt.state().energy_gained(), bolt.outcome("most") - bolt.outcome("start"), 1e-12);
}

}  // namespace
}  // namespace jostle

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

TEST(EnergyGainOfContacts, IsZeroInFlightAndAtRest) {
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

class EnergyGain : public testing::TestWithParam<const char*> {
 protected:
  static bool is(const char* method) { return std::string(method) == GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Methods, EnergyGain,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// A ball that is thrown up and bounces, another that slides, a third that is turned in flight.
TEST_P(EnergyGain, IsZeroWhereContactsOnlyTake) {
  const std::string restitution = is("stewart_trinkle") ? "" : ", restitution: 0.7";
  Simulation simulation =
      simulation_of(std::string("jostle: 1\nworld: {step: 0.005, duration: 1.5, method: ") + GetParam() + R"yaml(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  bounces: {mass: 0.5, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [0.3, 0, 2]}
  slides: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [0, 5, 0.1], velocity: [0.3, 0, 0]}
  turns: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [5, 0, 100], velocity: [1, 2, 20], spin: [30, 40, 50]}
forces: [{body: turns, force: [3*sin(t), 0, 1], torque: [0, 0.1, 0]}]
contacts: [{between: any, friction: 0)yaml" +
                    restitution + "}]\n");
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_LE(simulation.state().energy_gained(), is("loetstedt") ? 1e-7 : 0);
}

// Without forces all that changes the energy is the impact of a rod on its tip, with friction and by Poisson's law:
// some leave with more than they had.
TEST_P(EnergyGain, IsWhatAnImpactGains) {
  if (is("stewart_trinkle") || is("loetstedt")) return;  // without restitution, without friction
  double most = 0;
  for (const double degrees : {-70., -50., -30., 30., 50., 70.}) {
    for (const double slip : {0.2, 1., 4.}) {
      char text[700];
      std::snprintf(text, sizeof text,
                    "jostle: 1\nworld: {step: 0.01, duration: 0.02, gravity: [0, 0, 0], method: %s}\nbodies:\n  floor: "
                    "{fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  rod: {mass: 1, inertia: 1/12, freedom: "
                    "[x, z, ry], shape: {capsule: {length: 1, radius: 0, axis: x}}, position: [0, 0, %.17g], rotation: "
                    "{axis: [0, 1, 0], degrees: %.17g}, velocity: [%.17g, 0, -1]}\ncontacts: [{between: any, friction: "
                    "0.8, restitution: 0.9}]\noutcomes: {after: {at_end: "
                    "rod.kinetic_energy}}\n",
                    GetParam(), 0.5 * std::sin(std::fabs(degrees) * pi / 180) + 1e-3, degrees, slip);
      Simulation rod = simulation_of(text);
      rod.run();
      ASSERT_EQ(rod.status(), Status::ok);
      const double before = 0.5 * (1 + slip * slip), gained = rod.outcome("after") - before;
      EXPECT_NEAR(rod.state().energy_gained(), gained > 0 ? gained : 0, 1e-12 * before) << degrees << ' ' << slip;
      most = std::max(most, gained / before);
    }
  }
  EXPECT_GT(most, 0.05);
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

// A step that begins in the bits of the step before has its result and is not computed.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

Scenario stack(const std::string& duration, const std::string& more = "") {
  return parse_scenario(R"(
jostle: 1
world: {gravity: [0, 0, -9.81], step: 0.005, duration: )" +
                            duration + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  low: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05]}
  high: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.15]}
)" + more + R"(
)",
                        "stack.yaml");
}

const std::string contacts = "contacts: [{between: any, friction: 0.5}]\n";

TEST(Rest, OfAMinuteCostsNoMoreThanTheWayThere) {
  Simulation shortly(stack("4", contacts)), minute(stack("60", contacts));
  shortly.run(), minute.run();
  const auto computed = [](Simulation& s) { return s.state().steps() - s.state().rest(); };
  EXPECT_EQ(minute.state().steps(), 12000);
  EXPECT_EQ(computed(minute), computed(shortly));
  EXPECT_LT(computed(minute), 20);
  EXPECT_EQ(minute.position("high", 2), shortly.position("high", 2));
}

// Most of the library's stacks stand.
TEST(Rest, OfAMinuteCostsLessThanTwiceFourSeconds) {
  const auto computed = [](const char* duration) {
    const Ensemble ensemble(
        read_scenario(library_file("box_stack"), {{std::string("world.duration=") + duration}, {}, {}}));
    Batch batch = run_samples(ensemble, ensemble.model(), 0, 20);
    std::vector<int> steps;
    for (int i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(batch.status(i), Status::ok);
      if (batch.state(i).outcomes[0] == 1) steps.push_back(batch.state(i).steps() - batch.state(i).rest());
    }
    return steps;
  };
  const std::vector<int> shortly = computed("4"), minute = computed("60");
  ASSERT_EQ(minute.size(), shortly.size());
  EXPECT_GE(minute.size(), 15u);
  for (std::size_t i = 0; i < minute.size(); ++i) EXPECT_LT(minute[i], 2 * shortly[i]);
}

/// A box that is thrown onto a slope, with a step of h (s), about as far from the origin as x (m).
Scenario thrown_box(const std::string& method, const std::string& h, const std::string& x) {
  return parse_scenario("jostle: 1\nworld: {step: " + h + ", duration: 1.5, method: " + method + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [-0.3, 0.2, 1]}}}
  box:
    mass: 1
    shape: {box: {size: [0.2, 0.2, 0.2]}}
    rotation: uniform
    position: [)" + x + ", " +
                            x + ", 0.1*" + x + R"( + 0.3]
    spin: [{uniform: [-3, 3]}, {uniform: [-3, 3]}, 0]
)" + contacts,
                        "slope.yaml");
}

// Gaps are differences of coordinates, whose rounding errors grow with the distance from the origin, and what they do
// to velocities with the number of steps a second.
TEST(Rest, IsFoundWithShortStepsAndFarFromTheOrigin) {
  const int count = 6;
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
    for (const char* h : {"0.005", "0.001", "0.0002"}) {
      for (const char* x : {"0", "10.7"}) {
        const Ensemble ensemble(thrown_box(method, h, x));
        Batch batch = run_samples(ensemble, ensemble.model(), 0, count);
        for (int i = 0; i < count; ++i) {
          EXPECT_EQ(batch.status(i), Status::ok);
          EXPECT_GT(batch.state(i).rest(), 0) << method << ", h = " << h << " s, x = " << x << " m, sample " << i;
        }
      }
    }
  }
}

/// A rod on a joint whose limit it falls to.
Scenario rod_on_a_stop(const std::string& method, const std::string& h, const std::string& joint) {
  return parse_scenario("jostle: 1\nworld: {step: " + h + ", duration: 2, method: " + method + R"(}
bodies:
  rod: {mass: 1, shape: {box: {size: [0.4, 0.04, 0.03]}}, position: [1.2, 0.7, 0.2]}
joints: {stop: )" + joint + "}\n",
                        "stop.yaml");
}

// ... so do the equations of joints and the positions at their limits.
TEST(Rest, IsFoundOnLimitsOfJointsWithShortSteps) {
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
    for (const char* h : {"0.005", "0.001", "0.0002"}) {
      for (const char* joint : {"{revolute: [world, rod], at: [1, 0.7, 0.2], axis: [0.1, 1, 0.2], limits: [-1, 0.3]}",
                                "{prismatic: [world, rod], axis: [0.2, 0.1, 1], limits: [-0.4, 1]}"}) {
        Simulation simulation(rod_on_a_stop(method, h, joint));
        simulation.run();
        EXPECT_EQ(simulation.status(), Status::ok);
        EXPECT_GT(simulation.state().rest(), 0) << method << ", h = " << h << " s, " << joint;
      }
    }
  }
}

/// Digests of sample after sample with and without the steps that repeat each other.
TEST(Rest, ChangesNoBit) {
  for (const std::string& name : library_names) {
    Scenario scenario = read_scenario(library_file(name));
    scenario.world.every_step = true;
    const Ensemble every(scenario);
    scenario.world.every_step = false;
    const Ensemble fewer(scenario);
    for (int sample = 0; sample < 5; ++sample) {
      std::uint64_t digest[2] = {};
      for (const Ensemble* ensemble : {&every, &fewer}) {
        Batch batch(ensemble->model(), 1);
        ensemble->load(sample, batch, 0);
        run_batch(batch, static_cast<int>(ensemble->model().total_steps));
        digest[ensemble == &fewer] = state_digest(batch, 0);
      }
      EXPECT_EQ(digest[0], digest[1]) << name << ", sample " << sample;
    }
  }
}

std::string link(int i, const std::string& z) {
  return "  link" + std::to_string(i) +
         ": {mass: 0.2, shape: {capsule: {length: 0.1, radius: 0.02, axis: x}}, position: [" + std::to_string(0.1 * i) +
         ", 0, " + z + "]}\n";
}

/// Between this link and the one before.
std::string hinge(int i, const std::string& z) {
  return "  hinge" + std::to_string(i) + ": {revolute: [link" + std::to_string(i - 1) + ", link" + std::to_string(i) +
         "], at: [" + std::to_string(0.1 * i - 0.05) + ", 0, " + z + "], axis: [0, 1, 0]}\n";
}

/// Links of 10 cm, one after the other, which fall from this height onto a table, with hinges between them.
Scenario chain(double height) {
  std::string bodies, joints;
  const std::string z = std::to_string(0.02 + height);
  for (int i = 0; i < 4; ++i) {
    bodies += link(i, z);
    if (i > 0) joints += hinge(i, z);
  }
  return parse_scenario(R"(
jostle: 1
world: {gravity: [0, 0, -9.81], step: 0.005, duration: 2}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
)" + bodies + "joints:\n" + joints +
                            contacts,
                        "chain.yaml");
}

TEST(Rest, OfAChainOnATable) {
  Simulation simulation(chain(0));
  simulation.run();
  EXPECT_GT(simulation.state().rest(), 390);
  EXPECT_EQ(simulation.velocity("link2", 2), 0);
  EXPECT_EQ(simulation.position("link3", 0), 0.3);
}

TEST(Rest, OfAChainThatHasFallenChangesNoBit) {
  std::uint64_t digest[2] = {};
  for (const bool every : {false, true}) {
    Scenario scenario = chain(0.05);
    scenario.world.every_step = every;
    const Ensemble ensemble(scenario);
    Batch batch(ensemble.model(), 1);
    ensemble.load(0, batch, 0);
    run_batch(batch, static_cast<int>(ensemble.model().total_steps));
    ASSERT_EQ(batch.status(0), Status::ok);
    EXPECT_GT(batch.state(0).rest(), 300);
    digest[every] = state_digest(batch, 0);
  }
  EXPECT_EQ(digest[0], digest[1]);
}

TEST(Rest, EndsWhenANeighbourArrives) {
  Simulation simulation(stack("2", R"(  ball:
    mass: 1
    shape: {sphere: {radius: 0.05}}
    position: [2, 0, 0.15]
    velocity: [-2, 0, 4]
)" + contacts));
  simulation.run_to_time(0.5);
  EXPECT_NEAR(simulation.position("high", 0), 0, 1e-16);
  simulation.run();
  EXPECT_LT(simulation.position("high", 0), -0.01);
}

TEST(Rest, NeverBeginsUnderAForceThatDependsOnTime) {
  Simulation simulation(
      stack("2", contacts + "forces: [{body: high, force: ['20*max(0, min(1, 1000*(t - 1)))', 0, 0]}]\n"));
  simulation.run_to_time(0.9);
  EXPECT_EQ(simulation.state().rest(), 0);
  EXPECT_EQ(simulation.position("high", 0), 0);
  simulation.run();
  EXPECT_GT(simulation.position("high", 0), 0.1);
}

TEST(Rest, LetsOutcomesOfTimeGoOn) {
  Simulation simulation(stack("2", contacts + R"(
outcomes:
  late: {first_time: time > 1.5}
  end: {at_end: time}
  top: {maximum: high.position.z}
)"));
  simulation.run();
  EXPECT_GT(simulation.state().rest(), 300);
  EXPECT_NEAR(simulation.outcome("late"), 1.505, 1e-9);
  EXPECT_EQ(simulation.outcome("end"), 2);
  EXPECT_EQ(simulation.outcome("top"), simulation.position("high", 2));
}

}  // namespace
}  // namespace jostle

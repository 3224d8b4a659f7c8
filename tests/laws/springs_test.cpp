// Laws of springs and dampers.
#include <gtest/gtest.h>

#include <numbers>
#include <optional>

#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

/// A cart of 2 kg on the x axis, 1.3 m from the world's point at 0, on a spring of 1 m.
Scenario cart(double step, double duration, double stiffness, double damping, const std::string& more = "") {
  char spring[128];
  std::snprintf(spring, sizeof spring,
                "{between: [world, cart], at: [[0, 0, 0], [1.3, 0, 0]], stiffness: %g, damping: %g", stiffness,
                damping);
  return tied_scenario(step, duration, floats,
                       "bodies:\n  cart: {mass: 2, freedom: [x], position: [1.3, 0, 0]}\n"
                       "springs:\n  coil: " +
                           std::string(spring) + ", rest: 1}\n" + more);
}

struct Oscillation {
  const char* name;
  double stiffness, damping;
};

class Oscillator : public testing::TestWithParam<Oscillation> {};

// v' = v - h/m (k (x + h v/2) + c v), x' = x + h v': the scheme for one freedom, to the last digits.
TEST_P(Oscillator, FollowsTheScheme) {
  constexpr double h = 0.01, mass = 2;
  const double k = GetParam().stiffness, c = GetParam().damping;
  Simulation simulation(cart(h, 3, k, c));
  double x = 0.3, v = 0;
  simulation.watch([&](const StateView& state) {
    if (state.steps() > 0) {
      v -= h / mass * (k * (x + h / 2 * v) + c * v);
      x += h * v;
    }
    EXPECT_NEAR(state.position[0], 1 + x, 1e-13) << state.steps();
    EXPECT_NEAR(state.velocity[0], v, 1e-12) << state.steps();
  });
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.state().energy_gained(), 0) << "the work of a spring is no gain";
}

// x = e^(-d t) (cos w t + d/w sin w t): the error is of the first order in h.
TEST_P(Oscillator, ConvergesToItsSolution) {
  constexpr double mass = 2, duration = 3;
  const auto [name, k, c] = GetParam();
  const double d = c / (2 * mass), w = std::sqrt(k / mass - d * d);
  double error[3];
  for (int finer = 0; finer < 3; ++finer) {
    const double h = 0.004 / (1 << finer);
    Simulation simulation(cart(h, duration, k, c));
    error[finer] = 0;
    simulation.watch([&](const StateView& state) {
      const double t = h * state.steps();
      const double x = 0.3 * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
      error[finer] = std::max(error[finer], std::fabs(state.position[0] - 1 - x));
    });
  }
  EXPECT_LE(error[0], 0.02);
  for (int finer = 0; finer < 2; ++finer) EXPECT_NEAR(error[finer] / error[finer + 1], 2, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Damping, Oscillator, testing::Values(Oscillation{"None", 50, 0}, Oscillation{"Some", 50, 1.2}),
                         [](const auto& oscillation) { return oscillation.param.name; });

// T = 2 pi / w; the scheme takes the part h^2 w^2 / 4 of the amplitude in a step (docs/theory.md).
TEST(Oscillator, HasItsPeriodAndLosesWhatTheorySays) {
  constexpr double h = 0.002, w = 5;
  Simulation simulation(cart(h, 20, 50, 0));
  std::vector<double> crossings;
  double before = 0, largest = 0;
  simulation.watch([&](const StateView& state) {
    const double x = state.position[0] - 1;
    if (before > 0 && x <= 0) crossings.push_back(h * state.steps() - h * x / (x - before));
    if (state.steps() * h > 20 - 2 * std::numbers::pi / w) largest = std::max(largest, x);
    before = x;
  });
  const double swings = static_cast<double>(crossings.size() - 1);
  EXPECT_NEAR((crossings.back() - crossings.front()) / swings, 2 * std::numbers::pi / w, 1e-4);
  EXPECT_NEAR(largest / 0.3, std::exp(-w * w * h / 4 * 20), 0.02);
}

TEST(Spring, SaysItsLengthForceAndEnergy) {
  const std::string outcomes =
      "outcomes: {length: {at_end: coil.length}, force: {at_end: coil.force}, stored: {at_end: coil.energy}, "
      "all: {at_end: energy}}\n";
  Simulation simulation(cart(0.01, 0.2, 50, 1.2, outcomes));
  simulation.run();
  const double x = simulation.position("cart", 0), v = simulation.velocity("cart", 0);
  EXPECT_NE(v, 0);
  EXPECT_EQ(simulation.outcome("length"), x);
  EXPECT_NEAR(simulation.outcome("force"), 50 * (x - 1) + 1.2 * v, 1e-14);
  EXPECT_NEAR(simulation.outcome("stored"), 25 * (x - 1) * (x - 1), 1e-15);
  EXPECT_NEAR(simulation.outcome("all"), 25 * (x - 1) * (x - 1) + v * v, 1e-15);
  EXPECT_NEAR(simulation.state().start_energy(), 25 * 0.09, 1e-15);
}

class SprungPair : public testing::TestWithParam<bool> {
 protected:
  /// Two free bodies that turn, with a spring at points beside their centres.
  static Scenario scenario(double step, double duration) {
    const std::string turns =
        GetParam() ? "inertia: 0.15, freedom: [x, y, rz], spin: [0, 0, 3]" : "inertia: 0.15, spin: [1, 2, 3]";
    const std::string other = GetParam() ? "inertia: 0.2, freedom: [x, y, rz]" : "inertia: 0.2";
    return tied_scenario(step, duration, floats,
                         "bodies:\n  a: {mass: 1, " + turns +
                             ", position: [0, 0.5, 0], velocity: [1, 0.5, 0]}\n  b: {mass: 3, " + other +
                             ", position: [0, -0.5, 0], velocity: [-1, 0.25, 0]}\n"
                             "springs:\n  coil: {between: [a, b], at: [[0.1, 0.4, 0], [0, -0.3, 0.1]], stiffness: 40, "
                             "damping: 0.5, rest: 0.5}\n");
  }

  static constexpr double mass[2] = {1, 3}, inertia[2] = {0.15, 0.2};
  struct Motion {
    Vec3 position[2], velocity[2], spin[2];
  };
  /// The spin in world axes.
  static Motion motion_of(const StateView& state) {
    Motion motion;
    for (int b = 0; b < 2; ++b) {
      motion.position[b] = vector_at(state.position, b);
      motion.velocity[b] = vector_at(state.velocity, b);
      motion.spin[b] = rotate(rotation_matrix(quaternion_at(state.orientation, b)), vector_at(state.spin, b));
    }
    return motion;
  }
};

TEST_P(SprungPair, KeepsItsMomentum) {
  Simulation simulation(scenario(0.002, 4));
  simulation.watch([&](const StateView& state) {
    const Motion now = motion_of(state);
    const Vec3 momentum = mass[0] * now.velocity[0] + mass[1] * now.velocity[1];
    const double expected[] = {-2, 1.25, 0};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(momentum[k], expected[k], 1e-12) << state.steps();
  });
  EXPECT_EQ(simulation.status(), Status::ok);
}

// What a step gives to both bodies has no moment about any point, if the impulses act where the force was evaluated.
TEST_P(SprungPair, GivesNoMoment) {
  constexpr double h = 0.002;
  Simulation simulation(scenario(h, 4));
  std::optional<Motion> before;
  double most = 0, most_spin = 0;
  simulation.watch([&](const StateView& state) {
    const Motion now = motion_of(state);
    if (before) {
      Vec3 moment = Vec3::Zero();
      for (int b = 0; b < 2; ++b) {
        const Vec3 at = before->position[b] + h / 2 * before->velocity[b];
        // The turn of a step is about the new spin, so the old axes see it as the new ones do.
        const Vec3 turned = inertia[b] * (now.spin[b] - before->spin[b]);
        moment += cross(at, mass[b] * (now.velocity[b] - before->velocity[b])) + turned;
        most_spin = std::max(most_spin, std::sqrt(dot(turned, turned)));
      }
      for (int k = 0; k < 3; ++k)
        if (!GetParam() || k == 2) most = std::max(most, std::fabs(moment[k]));
    }
    before = now;
  });
  EXPECT_LE(most, 1e-12);
  EXPECT_GE(most_spin, 1e-3);
}

// At the positions of the steps' ends the angular momentum is kept to the first order, as theory says.
TEST_P(SprungPair, KeepsItsAngularMomentumAsTheStepsShrink) {
  double off[3];
  for (int finer = 0; finer < 3; ++finer) {
    Simulation simulation(scenario(0.002 / (1 << finer), 2));
    const auto about_origin = [&] {
      const Motion now = motion_of(simulation.state());
      Vec3 sum = Vec3::Zero();
      for (int b = 0; b < 2; ++b) sum += cross(now.position[b], mass[b] * now.velocity[b]) + inertia[b] * now.spin[b];
      return sum;
    };
    simulation.run_to(0);
    const Vec3 start = about_origin();
    simulation.run();
    off[finer] = std::fabs(about_origin()[2] - start[2]);
  }
  EXPECT_LE(off[0], 0.05);
  for (int finer = 0; finer < 2; ++finer) EXPECT_NEAR(off[finer] / off[finer + 1], 2, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Scenes, SprungPair, testing::Bool(),
                         [](const auto& planar) { return planar.param ? "Planar" : "Spatial"; });

// A planar scene keeps its plane, although its springs lead out of it.
TEST(Spring, KeepsThePlaneOfItsScene) {
  Simulation simulation(
      tied_scenario(0.01, 2, falls_along_y,
                    "bodies:\n  bob: {mass: 1, inertia: 0.01, freedom: [x, y, rz], position: [0.5, 0, 0]}\n"
                    "springs:\n  coil: {between: [world, bob], at: [[0, 1, 0.5], [0.5, 0.1, 0]], "
                    "stiffness: 100}\n"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.position("bob", 2), 0);
  EXPECT_EQ(simulation.velocity("bob", 2), 0);
  EXPECT_NE(simulation.spin("bob", 2), 0);
  EXPECT_EQ(simulation.spin("bob", 0), 0);
}

/// A box that hangs by a corner from the world at z = 1, the corner above its middle.
Scenario hanging_box(double step, double duration, const std::string& velocity) {
  return tied_scenario(
      step, duration, "",
      "bodies:\n  box: {mass: 2, shape: {box: {size: [0.2, 0.2, 0.2]}}, "
      "rotation: {axis: [1, -1, 0], degrees: \"atan2(sqrt(2), 1)*180/pi\"}, position: [0, 0, \"-0.1*sqrt(3)\"], " +
          velocity +
          "}\nsprings:\n  rope: {between: [world, box], at: [[0, 0, 1], [0, 0, 0]], stiffness: 500, damping: 2, "
          "rest: \"1 - 2*9.81/500\"}\n"
          "outcomes: {length: {at_end: rope.length}, top: {maximum: energy}}\n");
}

TEST(HangingBox, StaysWhereItsRopeCarriesIt) {
  Simulation simulation(hanging_box(0.005, 2, ""));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.position("box", 2), -0.1 * std::sqrt(3), 1e-12);
  EXPECT_NEAR(simulation.outcome("length"), 1, 1e-12);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(simulation.velocity("box", k), 0, 1e-12);
    EXPECT_NEAR(simulation.spin("box", k), 0, 1e-12);
  }
}

// In space it swings and turns; the spring is tied to the corner all the time.
TEST(HangingBox, SwingsInSpace) {
  Simulation simulation(hanging_box(0.001, 3, "velocity: [0.8, 0.3, 0], spin: [1, -2, 6]"));
  double longest = 0, shortest = 2, last = 0;
  simulation.watch([&](const StateView& state) {
    const Mat3 axes = rotation_matrix(quaternion_at(state.orientation, 0));
    const Vec3 gap = vector_at(state.position, 0) + rotate(axes, Vec3(0.1, 0.1, 0.1)) - Vec3(0, 0, 1);
    last = std::sqrt(dot(gap, gap));
    longest = std::max(longest, last), shortest = std::min(shortest, last);
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.outcome("length"), last, 1e-14);
  EXPECT_LE(longest, 1.1);
  EXPECT_GE(shortest, 0.9);
  EXPECT_LE(simulation.outcome("top"), simulation.state().start_energy() + 1e-3);
  EXPECT_LE(simulation.state().energy_gain_max(), 1e-9) << "what springs do is work";
}

// Nothing is left of a spring whose numbers are 0.
TEST(Spring, WithoutStiffnessAndDampingDoesNothing) {
  const std::string bodies =
      "bodies:\n  a: {mass: 1, inertia: [0.1, 0.2, 0.3], spin: [1, 2, 3], velocity: [1, 0, 2]}\n"
      "  b: {mass: 2, inertia: 0.1, position: [1, 0, 0]}\n";
  Simulation without(tied_scenario(0.01, 1, "", bodies));
  Simulation with(tied_scenario(0.01, 1, "", bodies + "springs: {s: {between: [a, b], stiffness: 0, damping: 0}}\n"));
  without.run(), with.run();
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(with.state().position[i], without.state().position[i]);
    EXPECT_EQ(with.state().velocity[i], without.state().velocity[i]);
    EXPECT_EQ(with.state().spin[i], without.state().spin[i]);
  }
}

// A damper alone: the relative velocity falls by the part h c / mu in a step.
TEST(Spring, MayHaveNoStiffness) {
  constexpr double h = 0.01, reduced_mass = 2.0 / 3;
  Simulation simulation(tied_scenario(h, 1, floats,
                                      "bodies:\n  a: {mass: 1, freedom: [x], velocity: [0.3, 0, 0]}\n"
                                      "  b: {mass: 2, freedom: [x], position: [1, 0, 0]}\n"
                                      "springs: {pot: {between: [a, b], stiffness: 0, damping: 0.9}}\n"));
  double expected = 0.3;
  simulation.watch([&](const StateView& state) {
    if (state.steps() > 0) expected *= 1 - h * 0.9 / reduced_mass;
    EXPECT_NEAR(state.velocity[0] - state.velocity[3], expected, 1e-14);
  });
}

// The middle of the fourth step is exactly where the world's point is: there the force has no direction.
TEST(Spring, OfNoLengthEndsTheSample) {
  Simulation simulation(tied_scenario(0.25, 2, floats,
                                      "bodies:\n  cart: {mass: 1, freedom: [x], position: [0.875, 0, 0], "
                                      "velocity: [-1, 0, 0]}\n"
                                      "springs: {s: {between: [world, cart], at: [[0, 0, 0], [0.875, 0, 0]], "
                                      "stiffness: 0}}\n"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::not_finite);
  EXPECT_EQ(simulation.state().steps(), 3);
  EXPECT_EQ(simulation.position("cart", 0), 0.125);
}

// Above h^2 k/m + h c/m = 2 the scheme is unstable.
TEST(Spring, IsStableUpToTheStepThatTheorySays) {
  for (const auto& [stiffness, damping, is_stable] :
       {std::tuple{390.0, 0.0, true}, {410.0, 0.0, false}, {200.0, 18.0, true}, {200.0, 22.0, false}}) {
    Simulation simulation(cart(0.1, 20, stiffness, damping));
    double largest = 0;  // at first 0.3
    simulation.watch([&](const StateView& state) { largest = std::max(largest, std::fabs(state.position[0] - 1)); });
    EXPECT_EQ(largest < 0.4 && simulation.status() == Status::ok, is_stable) << stiffness << ' ' << damping;
  }
}

// The hook yields by 1 mm/N, so the block feels the stiffness 1/(1/k + 1/1000).
TEST(PulledBlock, SlipsAtTheForceOfFriction) {
  const Ensemble ensemble(read_scenario(library_file("pulled_block")));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 8);
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(batch.status(i), Status::ok);
    const double friction = ensemble.draw(i)[0] * standard_gravity, stiffness = ensemble.draw(i)[1];
    const double* const outcomes = batch.state(i).outcomes;  // slips, most_force, travel
    EXPECT_NEAR(outcomes[0], friction * (1 / stiffness + 0.001) / 0.1, 0.05) << i;
    EXPECT_GE(outcomes[1], friction);
    EXPECT_LE(outcomes[1], friction + 0.1 * std::sqrt(stiffness));
    EXPECT_EQ(batch.state(i).energy_gained(), 0);
  }
}

// A box that a spring pulls less than friction holds stands still, and its steps are not computed.
TEST(SprungBox, ComesToRest) {
  const std::string text =
      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  box: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05], velocity: [0.3, 0, 0]}\n"
      "contacts: [{between: any, friction: 0.6}]\n"
      "springs: {s: {between: [world, box], at: [[-1, 0, 0.05], [-0.05, 0, 0.05]], stiffness: 20}}\n"
      "forces: [{body: box, force: [\"-3*box.position.x - box.velocity.x\", 0, 0]}]\n";
  Scenario scenario = tied_scenario(0.005, 10, "", text);
  Simulation fewer(scenario);
  scenario.world.every_step = true;
  Simulation every(scenario);
  fewer.run(), every.run();
  ASSERT_EQ(fewer.status(), Status::ok);
  EXPECT_GE(fewer.state().rest(), 1900);
  EXPECT_NE(fewer.position("box", 0), 0);
  EXPECT_EQ(fewer.velocity("box", 0), 0);
  EXPECT_EQ(every.state().rest(), fewer.state().rest());
  for (int k = 0; k < 3; ++k) EXPECT_EQ(every.position("box", k), fewer.position("box", k));
}

}  // namespace
}  // namespace jostle

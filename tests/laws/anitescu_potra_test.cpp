// The step of Anitescu & Potra 1997 between impacts.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

// v_{l+1} = v_l - mu g h, and the block has moved by h v_l: so it stops after N = ceil(v0 / (mu g h)) steps at
// h [N v0 - mu g h N (N - 1) / 2], one h v0 further than Stewart & Trinkle's method takes it.
TEST(AnitescuPotra, StopsASlidingBlockAfterTheDistanceOfTheScheme) {
  const Ensemble ensemble(read_scenario(library_file("sliding_block"), {{"world.method=anitescu_potra"}, {}, {}}));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 20);
  for (int i = 0; i < batch.size(); ++i) {
    ASSERT_EQ(batch.status(i), Status::ok);
    const double mu = batch.parameters(i).variables[0], v0 = batch.parameters(i).variables[1];
    const double h = ensemble.model().step, slower = mu * 9.81 * h, n = std::ceil(v0 / slower);
    EXPECT_NEAR(batch.state(i).position[3], h * (n * v0 - slower * n * (n - 1) / 2), 1e-12) << i;
    EXPECT_NEAR(batch.state(i).position[5], 0.05, 5e-15);
  }
}

// In flight positions are h v_l, not h v_{l+1}: after l steps a ball is l (l - 1) / 2 g h^2 lower.
TEST(AnitescuPotra, FallsByTheOldVelocity) {
  Simulation ball(tied_scenario(0.01, 0.1, "method: anitescu_potra", "bodies:\n  ball: {mass: 1, freedom: [z]}\n"));
  ball.run();
  EXPECT_NEAR(ball.position("ball", 2), -10 * 9 / 2.0 * 9.81 * 1e-4, 1e-15);
}

// A ball that slides comes to roll at 5/7 of its speed whatever the direction, with a spin about the vertical too: the
// axes of the new spins are those of the new orientation.
TEST(AnitescuPotra, ASphereRollsAtFiveSeventhsInEveryDirection) {
  for (int i = 0; i < 12; ++i) {
    for (const char* spin : {"0", "20"}) {
      Simulation sphere("rolling_sphere", {setting("variables.psi", 0.1 + i * M_PI / 6), "world.method=anitescu_potra",
                                           std::string("bodies.sphere.spin=[0, 0, ") + spin + "]"});
      sphere.run();
      ASSERT_EQ(sphere.status(), Status::ok);
      EXPECT_NEAR(sphere.outcome("speed"), 1.5 * 5 / 7, 2e-14) << i << ' ' << spin;
    }
  }
}

// Theorem 2.3 of the paper: a step takes kinetic energy beyond the work of forces, never adds to it.
TEST(AnitescuPotra, NoStepGainsEnergyWithoutRestitution) {
  for (const char* name : {"tossed_box", "two_balls", "incline", "box_stack", "v_groove", "rod", "painleve_rod"}) {
    const Ensemble ensemble(read_scenario(library_file(name), {{"world.method=anitescu_potra"}, {}, {}}));
    Batch batch = run_samples(ensemble, ensemble.model(), 0, 10);
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(batch.status(i), Status::ok) << name << ' ' << i;
      EXPECT_EQ(batch.state(i).energy_gained(), 0) << name << ' ' << i;
      EXPECT_EQ(batch.state(i).held(), 0) << name << ": b = 0 always has an answer";
    }
  }
}

// ... with joints, too: E(v_{l+1}) <= E(v_l + h g) in 3,000 steps of chains of three bars that fall on a floor, with
// random velocities, and gamma = 0. (Impacts would divide a step.)
TEST(AnitescuPotra, NoStepOfAChainGainsEnergy) {
  const Scenario scenario = tied_scenario(
      0.005, 0.3, "gravity: [0, -9.81, 0], method: anitescu_potra, stabilisation: 0, events: {collisions: false}", R"(
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}
  left: {mass: 1, inertia: 0.02, freedom: [x, y, rz], shape: {capsule: {length: 0.4, radius: 0.03, axis: x}},
         position: [0, 0.2, 0], velocity: [{uniform: [-3, 3]}, {uniform: [-3, 3]}, 0], spin: [0, 0, {uniform: [-10, 10]}]}
  middle: {mass: 3, inertia: 0.05, freedom: [x, y, rz], shape: {capsule: {length: 0.4, radius: 0.03, axis: x}},
           position: [0.5, 0.2, 0], velocity: [0, {uniform: [-3, 3]}, 0], spin: [0, 0, {uniform: [-10, 10]}]}
  right: {mass: 0.3, inertia: 0.004, freedom: [x, y, rz], shape: {capsule: {length: 0.4, radius: 0.03, axis: x}},
          position: [1, 0.2, 0], velocity: [0, {uniform: [-3, 3]}, 0], spin: [0, 0, {uniform: [-10, 10]}]}
joints:
  first: {revolute: [left, middle], at: [0.25, 0.2, 0], axis: [0, 0, 1]}
  second: {revolute: [middle, right], at: [0.75, 0.2, 0], axis: [0, 0, 1]}
contacts: [{between: any, friction: 0.4}]
sample: {method: random, count: 1000, seed: 1}
)");
  const double h = 0.005, g = 9.81, masses[] = {1, 3, 0.3}, inertias[] = {0.02, 0.05, 0.004};
  int touching = 0;
  for (int sample = 0; sample < 50; ++sample) {
    Simulation chain(scenario, sample);
    double before = -1;
    chain.watch([&](const StateView& s) {
      double energy = 0, allowed = 0;
      for (int b = 1; b <= 3; ++b) {
        const double m = masses[b - 1], x = s.velocity[3 * b], y = s.velocity[3 * b + 1], w = s.spin[3 * b + 2];
        energy += 0.5 * (m * (x * x + y * y) + inertias[b - 1] * w * w);
        allowed += 0.5 * (m * (x * x + (y - h * g) * (y - h * g)) + inertias[b - 1] * w * w);
      }
      if (before >= 0) {
        EXPECT_LE(energy, before * (1 + 1e-12)) << sample << ' ' << s.steps();
      }
      before = allowed;
      touching += s.last_contacts() > 0;
    });
    ASSERT_EQ(chain.status(), Status::ok) << sample;
  }
  EXPECT_GT(touching, 300);
}

// The rod comes to rest where Stewart & Trinkle's does as h goes to 0, -0.2273599827, with an error of first order.
TEST(AnitescuPotra, TheRodComesToTheRestOfTheLimit) {
  double errors[3];
  for (int i = 0; i < 3; ++i) {
    Simulation rod("rod", {"variables.mu=0.6", "variables.omega0=4", "world.method=anitescu_potra",
                           setting("world.step", 0.0025 / (1 << (2 * i)))});
    rod.run();
    ASSERT_EQ(rod.status(), Status::ok);
    errors[i] = rod.position("rod", 0) + 0.2273599827;
  }
  EXPECT_LE(std::fabs(errors[0]), 1.1e-3);
  EXPECT_LE(std::fabs(errors[1]), 1.1e-3 / 4);
  EXPECT_LE(std::fabs(errors[2]), 7.2e-5);
}

// Painleve's slender rod: no acceleration lets its end slide on, and the first step stops it as Stewart & Trinkle's
// does.
TEST(AnitescuPotra, PainlevesRodIsStoppedByAnImpulseThatStays) {
  const std::pair<double, double> impulses[] = {{1e-2, 0.383385}, {1e-3, 0.3083385}, {1e-4, 0.30083385}};
  for (const auto& [h, impulse] : impulses) {
    Simulation rod("painleve_rod", {"variables.mu=2", setting("world.step", h), "world.method=anitescu_potra"});
    rod.run_to(1);
    ASSERT_EQ(rod.status(), Status::ok);
    EXPECT_NEAR(rod.state().normal_impulse[1], impulse, 1e-9) << h;
    EXPECT_NEAR(rod.velocity("rod", 0) - 1, -(0.4 + 2.943 * h), 1e-9) << h;
  }
}

}  // namespace
}  // namespace jostle

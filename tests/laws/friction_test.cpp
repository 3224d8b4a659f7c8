// Coulomb friction against closed formulas.
#include <limits>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

class SlidingBlock : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, SlidingBlock, solvers, name_of_solver);

// N = ceil(v0 / (mu g h)) steps, d = h [(N-1) v0 - mu g h N (N-1) / 2].
TEST_P(SlidingBlock, StopsAfterTheDistanceOfTheScheme) {
  const double v0 = 3, mu = 0.3, g = 9.81;
  for (const double h : {0.01, 0.004, 0.001}) {
    SCOPED_TRACE(h);
    Simulation block("sliding_block", {"variables.mu=0.3", "variables.speed=3", setting("world.step", h), solver()});
    block.run();
    ASSERT_EQ(block.status(), Status::ok);
    const double N = std::ceil(v0 / (mu * g * h));
    EXPECT_NEAR(block.position("block", 0), h * ((N - 1) * v0 - mu * g * h * N * (N - 1) / 2), 1e-12);
    EXPECT_NEAR(block.outcome("stops"), N * h, 1e-12);
    EXPECT_NEAR(block.position("block", 0), v0 * v0 / (2 * mu * g), v0 * h);
  }
}

class PlanarIncline : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, PlanarIncline, solvers, name_of_solver);

// In the plane there is no polygon: a box sticks iff mu >= tan theta, else it slides with g (sin - mu cos) t.
TEST_P(PlanarIncline, HoldsFromTheFrictionAngleOn) {
  const double g = 9.81, time = 1;
  for (const double degrees : {1.0, 5.0, 20.0, 35.0, 60.0}) {
    const double theta = degrees * pi / 180;
    for (const double side : {-1e-9, 1e-9}) {
      const double mu = std::tan(theta) + side;
      char text[1000];
      std::snprintf(text, sizeof text, R"(
jostle: 1
world: {gravity: [%.17g, 0, %.17g], step: 0.01, duration: 1.0, friction_directions: 2, solver: %s}
bodies:
  plane: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05]}
contacts: [{between: any, friction: %.17g}]
)",
                    g * std::sin(theta), -g * std::cos(theta), GetParam(), mu);
      Simulation box(parse_scenario(text, "incline.yaml"));
      box.run();
      ASSERT_EQ(box.status(), Status::ok);
      const double expected = side > 0 ? 0 : g * (std::sin(theta) - mu * std::cos(theta)) * time;
      EXPECT_NEAR(box.velocity("box", 0), expected, 1e-14) << degrees << " degrees, " << side;
    }
  }
}

class Incline : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, Incline, solvers, name_of_solver);

// k = 8: sticks iff mu cos(pi/8) / cos((psi mod pi/4) - pi/8) >= tan 20.
TEST_P(Incline, HoldsFromTheFrictionAngleOfThePolygonOn) {
  for (const double psi : {0.0, 0.1, pi / 8, 0.7, 2.0, 3.9}) {
    const double limit = std::tan(pi / 9) * std::cos(std::fmod(psi, pi / 4) - pi / 8) / std::cos(pi / 8);
    for (const double side : {-1e-9, 1e-9}) {
      Simulation box("incline", {setting("variables.mu", limit * (1 + side)), setting("variables.psi", psi), solver()});
      box.run_to(100);
      ASSERT_EQ(box.status(), Status::ok);
      const double speed = std::hypot(box.velocity("box", 0), box.velocity("box", 1));
      if (side > 0) {
        EXPECT_LE(speed, 1e-12) << "psi " << psi;
      } else {
        EXPECT_GT(speed, 1e-10) << "psi " << psi;
      }
    }
  }
}

/// The largest speed of a box in the first and in the second half of the time, and its largest distance from the start.
struct Creep {
  double first_half = 0, second_half = 0, displacement = 0;
};

Creep creep_of(Simulation& box) {
  Creep creep;
  box.watch([&](const StateView& s) {
    double& speed = s.steps() <= box.ensemble().model().total_steps / 2 ? creep.first_half : creep.second_half;
    speed = std::max(speed, std::hypot(s.velocity[3], s.velocity[4], s.velocity[5]));
    creep.displacement = std::max(creep.displacement, std::hypot(s.position[3], s.position[4], s.position[5] - 0.05));
  });
  return creep;
}

// What is left of the speed are the rounding errors of one solve, about 1e-15 m/s whenever it is looked at; they add up
// to some 1e-15 m. With 4 directions the polygon holds 20 degrees along its sides only (psi = pi/4: .354 < tan 20).
TEST_P(Incline, DoesNotCreep) {
  const std::pair<const char*, double> cases[] = {{"4", 0.0}, {"4", 0.2}, {"8", 0.0}, {"8", 0.2}, {"8", pi / 8}};
  for (const auto& [directions, psi] : cases) {
    SCOPED_TRACE(std::string(directions) + " directions, psi " + std::to_string(psi));
    Simulation box("incline", {"variables.mu=0.5", setting("variables.psi", psi),
                               std::string("world.friction_directions=") + directions, solver()});
    const Creep creep = creep_of(box);
    ASSERT_EQ(box.status(), Status::ok);
    EXPECT_LE(creep.first_half, 1e-12);
    EXPECT_LE(creep.second_half, 1.5 * creep.first_half) << "grows";
    EXPECT_LE(creep.displacement, 1e-12);
  }
}

class RollingSphere : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, RollingSphere, solvers, name_of_solver);

// Momentum about the point of contact, m v + J w / r, decides the speed at the end. While the sphere slides every step
// takes nearly the same impulse from nearly the same v, so that its rounding errors have one sign and add up; once it
// rolls nothing changes any more. Per step and component: two additions to v < 2 (2 eps/2), J w and its product with
// 1/J (1.5 eps w) and two additions to w < 16 (16 eps/2 each), the latter times J/r = .04, w <= 10.72; in two
// components, and 5/7 of it: at most 2 eps. With 120 steps the law holds to 1e-14 (the next test), with 1200 it cannot
// be promised.
TEST_P(RollingSphere, RollsAtFiveSeventhsAfterTheTimeOfThePolygon) {
  const double h = 1e-4, eps = std::numeric_limits<double>::epsilon();
  for (const auto& [psi, key] : {std::pair{0.0, "aligned"}, {pi / 8, "pi/8"}, {0.2, "0.2rad"}}) {
    SCOPED_TRACE(key);
    Simulation sphere("rolling_sphere", {setting("variables.psi", psi), setting("world.step", h), solver()});
    sphere.run();
    ASSERT_EQ(sphere.status(), Status::ok);
    const double rolls = sphere.outcome("rolls");
    EXPECT_NEAR(rolls, reference()["sphere_roll"][key].get<double>(), 2 * h);
    EXPECT_NEAR(sphere.outcome("speed"), 5.0 / 7 * 1.5, 2 * eps * rolls / h);
  }
}

TEST_P(RollingSphere, KeepsFiveSeventhsInEveryDirection) {
  for (int i = 0; i < 40; ++i) {
    Simulation sphere("rolling_sphere", {setting("variables.psi", 0.157 * i), solver()});
    sphere.run();
    EXPECT_NEAR(sphere.outcome("speed"), 5.0 / 7 * 1.5, 1e-14) << i;
  }
}

// A contact at one point takes nothing from a spin about the vertical.
TEST_P(RollingSphere, KeepsFiveSeventhsAndItsSpinAboutTheVertical) {
  for (const double psi : {0.0, 0.2, pi / 8, 2.5}) {
    Simulation sphere("rolling_sphere", {setting("variables.psi", psi), "bodies.sphere.spin=[0, 0, 20]", solver()});
    sphere.run();
    EXPECT_EQ(sphere.status(), Status::ok);
    EXPECT_NEAR(sphere.outcome("speed"), 5.0 / 7 * 1.5, 1e-14) << psi;
    const int body = sphere.body("sphere");
    const double* const q = &sphere.state().orientation[4 * body];
    const Mat3 axes = rotation_matrix(Quaternion{q[0], q[1], q[2], q[3]});
    const Vec3 spin = rotate(axes, vector_at(sphere.state().spin, body));
    EXPECT_NEAR(spin[2], 20, 1e-12) << psi;
  }
}

TEST_P(RollingSphere, RollsAtFiveSeventhsLinearisedAtTheEndOfTheStep) {
  for (const double psi : {0.0, 0.2, 2.5}) {
    Simulation sphere("rolling_sphere", {setting("variables.psi", psi), "world.linearisation=fixed_point", solver()});
    sphere.run();
    EXPECT_EQ(sphere.status(), Status::ok);
    EXPECT_NEAR(sphere.outcome("speed"), 5.0 / 7 * 1.5, 1e-14) << psi;
  }
}

class PainleveRod : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, PainleveRod, solvers, name_of_solver);

// For mu > 4/3 no acceleration lets the end slide on, n'M^-1(n - mu d) = 1.6 - 1.2 mu being negative: the first step
// stops it by c_n = .3 + 8.3385 h, c_t = -(.4 + 2.943 h), whatever mu; so that the impulse (.3, -.4) stays.
TEST_P(PainleveRod, IsStoppedByAnImpulseThatStays) {
  const std::pair<double, double> impulses[] = {{1e-2, 0.383385}, {1e-3, 0.3083385}, {1e-4, 0.30083385}};
  for (const double mu : {1.34, 2.0, 2.5}) {
    for (const auto& [h, impulse] : impulses) {
      Simulation rod("painleve_rod", {setting("variables.mu", mu), setting("world.step", h), solver()});
      rod.run_to(1);
      ASSERT_EQ(rod.status(), Status::ok);
      EXPECT_NEAR(rod.state().normal_impulse[1], impulse, 1e-9) << "mu " << mu << ", h " << h;
      EXPECT_NEAR(rod.velocity("rod", 0) - 1, -(0.4 + 2.943 * h), 1e-9) << "mu " << mu << ", h " << h;
    }
  }
}

// Below 4/3 the end slides on under c_n = g h / (1.6 - 1.2 mu), which vanishes with the step.
TEST_P(PainleveRod, SlidesOnWhereAForceIsEnough) {
  for (const double mu : {0.5, 1.0, 1.3}) {
    const double h = 1e-4, impulse = 9.81 * h / (1.6 - 1.2 * mu);
    Simulation rod("painleve_rod", {setting("variables.mu", mu), setting("world.step", h), solver()});
    rod.run_to(1);
    ASSERT_EQ(rod.status(), Status::ok);
    EXPECT_NEAR(rod.state().normal_impulse[1], impulse, 1e-12) << "mu " << mu;
    EXPECT_NEAR(rod.velocity("rod", 0) - 1, -mu * impulse, 1e-12) << "mu " << mu;
  }
}

// Three boxes side by side slide at one speed and do not press each other: where the impulses between them are not 0,
// they are rounding errors, which are not counted.
TEST(SlidingBoxes, HaveNoContactsThatAreRoundingErrors) {
  const std::string parts =
      "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  a: {mass: 1, shape: {box: {size: [0.126108687, 0.2, 0.06]}}, position: [0, 0, 0.03], velocity: [0.8755, 0, "
      "0]}\n"
      "  b: {mass: 0.5, shape: {box: {size: [0.1, 0.1, 0.06]}}, position: [0.126108687/2 + 0.05, 0.02, 0.03], "
      "velocity: "
      "[0.8755, 0, 0]}\n"
      "  c: {mass: 0.5, shape: {box: {size: [0.1, 0.1, 0.06]}}, position: [-0.126108687/2 - 0.05, 0.02, 0.03], "
      "velocity: "
      "[0.8755, 0, 0]}\n";
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal"}) {
    Simulation boxes(
        parse_scenario(std::string("jostle: 1\nworld: {gravity: [1.762, 0, -9.8], step: 0.002, duration: 0.2, "
                                   "method: ") +
                           method + "}\nbodies:\n" + parts +
                           "contacts: [{between: any, friction: 0.598}]\noutcomes:\n  a: {maximum: "
                           "a.contacts}\n  b: {maximum: b.contacts}\n  floor: {at_end: floor.contacts}\n",
                       "boxes.yaml"));
    boxes.run();
    ASSERT_EQ(boxes.status(), Status::ok);
    EXPECT_EQ(boxes.outcome("a"), 4) << method;
    EXPECT_EQ(boxes.outcome("b"), 4) << method;
    EXPECT_GE(boxes.outcome("floor"), 9) << method;  // three of four may carry a box
  }
}

}  // namespace
}  // namespace jostle

// Coulomb friction with the circular cone: no direction is preferred.

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

constexpr int directions = 64;
const std::string circle = "world.friction_cone=circle";

double direction(int i) { return 2 * pi * i / directions; }

class CircularCone : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, CircularCone, solvers, name_of_solver);

// A box sticks iff mu >= tan 20, whatever the direction; at rest it has no speed at all.
TEST_P(CircularCone, HoldsABoxFromTheFrictionAngleOnInEveryDirection) {
  for (int i = 0; i < directions; ++i) {
    SCOPED_TRACE(i);
    for (const double side : {-1e-6, 1e-6}) {
      Simulation box("incline", {setting("variables.mu", std::tan(pi / 9) * (1 + side)),
                                 setting("variables.psi", direction(i)), circle, solver()});
      box.run_to(20);
      ASSERT_EQ(box.status(), Status::ok);
      const double speed = std::hypot(box.velocity("box", 0), box.velocity("box", 1));
      const double expected = side > 0 ? 0 : 0.2 * 9.81 * 1e-6 * std::sin(pi / 9);
      EXPECT_NEAR(speed, expected, side > 0 ? 0 : 1e-9 * expected + 1e-12) << side;
    }
  }
}

TEST_P(CircularCone, LetsNothingCreep) {
  for (const double psi : {0.0, 0.2, pi / 8, 2.5}) {
    SCOPED_TRACE(psi);
    Simulation box("incline", {"variables.mu=0.365", setting("variables.psi", psi), circle, solver()});
    double speed = 0, displacement = 0;
    box.watch([&](const StateView& s) {
      if (s.steps() > 0) speed = std::max(speed, std::hypot(s.velocity[3], s.velocity[4], s.velocity[5]));
      displacement = std::max(displacement, std::hypot(s.position[3], s.position[4], s.position[5] - 0.05));
    });
    ASSERT_EQ(box.status(), Status::ok);
    EXPECT_LE(speed, 1e-12);
    EXPECT_LE(displacement, 1e-12);
    EXPECT_GE(box.state().rest(), 990);
  }
}

// 2 v0 / (7 mu g) = .10922 s, and 5/7 of the speed, whatever the direction. Rounding errors: see friction_test.cpp.
TEST_P(CircularCone, LetsASphereRollAfterTheSameTimeInEveryDirection) {
  const double h = 1e-4, eps = std::numeric_limits<double>::epsilon();
  for (int i = 0; i < directions; ++i) {
    SCOPED_TRACE(i);
    Simulation sphere("rolling_sphere", {setting("variables.psi", direction(i)), setting("world.step", h),
                                         "world.duration=0.12", circle, solver()});
    sphere.run();
    ASSERT_EQ(sphere.status(), Status::ok);
    const double rolls = sphere.outcome("rolls");
    EXPECT_NEAR(rolls, 2 * 1.5 / (7 * 0.4 * 9.81), 2 * h);
    EXPECT_NEAR(sphere.outcome("speed"), 5.0 / 7 * 1.5, 2 * eps * rolls / h);
    const double* const v = &sphere.state().velocity[3 * sphere.body("sphere")];
    EXPECT_NEAR(std::cos(direction(i)) * v[1] - std::sin(direction(i)) * v[0], 0, 1e-12) << "it rolls straight on";
  }
}

/// A box that slides on the floor with 3 m/s in direction psi.
Scenario sliding_box(double psi, const std::string& world) {
  char text[700];
  std::snprintf(text, sizeof text, R"(
jostle: 1
world: {step: 0.005, duration: 1.2, %s}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 2, shape: {box: {size: [0.2, 0.2, 0.02]}}, position: [0, 0, 0.01], velocity: [%.17g, %.17g, 0]}
contacts: [{between: any, friction: 0.3}]
)",
                world.c_str(), 3 * std::cos(psi), 3 * std::sin(psi));
  return parse_scenario(text, "sliding_box.yaml");
}

// N = ceil(v0 / (mu g h)) steps, d = h [(N-1) v0 - mu g h N (N-1) / 2], straight on.
TEST_P(CircularCone, StopsABlockAfterTheSameDistanceInEveryDirection) {
  const double h = 0.005, slower = 0.3 * 9.81 * h, N = std::ceil(3 / slower);
  const double distance = h * ((N - 1) * 3 - slower * N * (N - 1) / 2);
  for (int i = 0; i < directions; ++i) {
    SCOPED_TRACE(i);
    Simulation box(sliding_box(direction(i), std::string("friction_cone: circle, solver: ") + GetParam()));
    box.run();
    ASSERT_EQ(box.status(), Status::ok);
    EXPECT_NEAR(box.position("box", 0), distance * std::cos(direction(i)), 1e-9);
    EXPECT_NEAR(box.position("box", 1), distance * std::sin(direction(i)), 1e-9);
    EXPECT_EQ(box.velocity("box", 0), 0);
    EXPECT_EQ(box.state().energy_gained(), 0);
    EXPECT_LE(box.state().residual_max(), 1e-12);
  }
}

// The polygon's friction is too weak by at most 1 - cos(pi/64).
TEST(CircularConeAndPolygon, AgreeUpToTheSidesOfThePolygon) {
  const double weakest = std::cos(pi / 64);
  for (const double psi : {0.0, 0.03, pi / 64, 1.0}) {
    SCOPED_TRACE(psi);
    double distance[2];
    for (const bool polygon : {false, true}) {
      Simulation box(sliding_box(psi, polygon ? "friction_directions: 64" : "friction_cone: circle"));
      box.run();
      ASSERT_EQ(box.status(), Status::ok);
      distance[polygon] = std::hypot(box.position("box", 0), box.position("box", 1));
    }
    EXPECT_GE(distance[1], distance[0] * (1 - 1e-9));
    EXPECT_LE(distance[1], distance[0] / weakest + 1e-4) << "an error of the first order in h";
  }
}

/// A square plate that slides and spins, started turned by so many degrees.
Scenario spinning_plate(int degrees) {
  char text[700];
  std::snprintf(text, sizeof text, R"yaml(
jostle: 1
world: {step: 0.005, duration: 1, friction_cone: circle}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  plate:
    mass: 1
    shape: {box: {size: [0.2, 0.2, 0.06]}, rotation: {axis: [0, 0, 1], degrees: %d}}
    position: [0, 0, 0.03]
    velocity: [1, 0, 0]
    spin: [0, 0, 6]
contacts: [{between: any, friction: 0.2}]
outcomes: {yaw: {at_end: "atan2(plate.axis_x.y, plate.axis_x.x)"}}
)yaml",
                degrees);
  return parse_scenario(text, "spinning_plate.yaml");
}

// An independent integration with Coulomb's circle and normal impulses of least norm gives 1.258 rad for small steps.
TEST(CircularConeOfAPlate, TurnsItAsMuchWhereverItsCornersAre) {
  Simulation first(spinning_plate(0));
  first.run();
  ASSERT_EQ(first.status(), Status::ok);
  EXPECT_NEAR(first.outcome("yaw"), 1.258, 0.02);
  for (const int degrees : {90, 180, 270}) {
    Simulation turned(spinning_plate(degrees));
    turned.run();
    ASSERT_EQ(turned.status(), Status::ok);
    EXPECT_NEAR(turned.outcome("yaw"), first.outcome("yaw"), 1e-6) << degrees;
    EXPECT_EQ(turned.state().energy_gained(), 0);
  }
}

class CircularConeScenes : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Library, CircularConeScenes,
                         testing::Values("tossed_box", "four_balls", "two_balls", "box_stack", "shapes"),
                         [](const auto& scenario) { return scenario.param; });

// Where steps with the polygon gain no energy, those with the circular cone gain none, either; every answer is
// certified.
TEST_P(CircularConeScenes, AreCertifiedAndGainNoEnergy) {
  const auto run = [](const std::vector<std::string>& set) {
    const Ensemble ensemble(read_scenario(library_file(GetParam()), {set, {}, {}}));
    return run_samples(ensemble, ensemble.model(), 0, 12);
  };
  Batch polygon = run({}), round = run({circle});
  for (int i = 0; i < round.size(); ++i) {
    SCOPED_TRACE(i);
    ASSERT_EQ(round.status(i), Status::ok);
    EXPECT_LE(round.state(i).residual_max(), 1e-8);
    if (polygon.state(i).energy_gained() > 0) continue;
    EXPECT_EQ(round.state(i).energy_gained(), 0);
  }
}

class CircularConeInAGroove : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, CircularConeInAGroove,
                         testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

// Without a bias of overlaps every step has an answer, also where the walls squeeze the box, and contacts that slip by
// a millionth of what others do hide it.
TEST_P(CircularConeInAGroove, HasAnAnswerInEveryStep) {
  const Ensemble ensemble(read_scenario(
      library_file("v_groove"), {{circle, std::string("world.method=") + GetParam(), "world.duration=0.6"}, {}, {}}));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 30);
  for (int i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(batch.status(i), Status::ok) << i;
    EXPECT_LE(batch.state(i).residual_max(), 1e-8) << i;
  }
}

/// Two balls that do not turn, tied at a distance, slide in direction psi, which is not along it.
Scenario tied_balls(double psi) {
  char text[1200];
  std::snprintf(text, sizeof text, R"(
jostle: 1
world: {step: 0.005, duration: 0.8, friction_cone: circle}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  a: {mass: 1, inertia: 0.004, freedom: [x, y, z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [%.17g, %.17g, 0]}
  b: {mass: 2, inertia: 0.008, freedom: [x, y, z], shape: {sphere: {radius: 0.1}}, position: [0.5, 0, 0.1], velocity: [%.17g, %.17g, 0]}
joints:
  rope: {distance: [a, b]}
contacts: [{between: any, friction: 0.3}]
)",
                2 * std::cos(psi), 2 * std::sin(psi), 2 * std::cos(psi), 2 * std::sin(psi));
  return parse_scenario(text, "tied_balls.yaml");
}

TEST(CircularConeWithJoints, StopsTiedBallsAfterTheSameDistanceInEveryDirection) {
  const double h = 0.005, slower = 0.3 * 9.81 * h, N = std::ceil(2 / slower);
  const double distance = h * ((N - 1) * 2 - slower * N * (N - 1) / 2);
  for (int i = 0; i < 16; ++i) {
    SCOPED_TRACE(i);
    const double psi = 4 * direction(i) + 0.01;
    Simulation balls(tied_balls(psi));
    balls.run();
    ASSERT_EQ(balls.status(), Status::ok);
    EXPECT_NEAR(balls.position("a", 0), distance * std::cos(psi), 1e-9);
    EXPECT_NEAR(balls.position("a", 1), distance * std::sin(psi), 1e-9);
    EXPECT_NEAR(balls.position("b", 0), 0.5 + distance * std::cos(psi), 1e-9);
    EXPECT_LE(std::fabs(balls.velocity("a", 0)), 1e-12);
    EXPECT_LE(balls.state().residual_max(), 1e-10);
  }
}

// In a plane the polygon is exact: the same bits.
TEST(CircularConeInAPlane, IsThePolygon) {
  const Ensemble polygon(read_scenario(library_file("rod")));
  const Ensemble round(read_scenario(library_file("rod"), {{circle}, {}, {}}));
  EXPECT_EQ(library_digest(round), library_digest(polygon));
}

// A cone matters only where there is a contact: two bodies on a carrier at constant speed, and two that fall with a
// hinge between them, whose constants are rounding errors of what the joints take away.
TEST(CircularConeOfJoints, IsThatOfThePolygon) {
  const std::string on_carrier =
      "  car: {prescribed: {velocity: [3, 2, 1]}, position: [0.1, 0.2, 0.3]}\n"
      "  arm: {mass: 1, inertia: [0.003, 0.004, 0.005], position: [0.1, 0.2, 0.2], rotation: {axis: [1, 2, 3], "
      "degrees: 40}, velocity: [3, 2, 1]}\n"
      "  end: {mass: 0.7, inertia: [0.003, 0.004, 0.005], position: [0.1, 0.2, 0], velocity: [3, 2, 1]}\n"
      "joints:\n"
      "  j: {revolute: [car, arm], at: [0.1, 0.2, 0.3], axis: [1, 0.3, -0.2], limits: [-1, 1]}\n"
      "  k: {revolute: [arm, end], at: [0.1, 0.2, 0.1], axis: [0.4, -1, 0.3], limits: [0, 1]}\n";
  const std::string falling =
      "  arm: {mass: 1, inertia: [0.003, 0.004, 0.005], position: [0.05, 0.2, 0.3], rotation: {axis: [1, 2, 3], "
      "degrees: 40}}\n"
      "  end: {mass: 0.7, inertia: [0.003, 0.004, 0.005], position: [0.1, 0.12, 0]}\n"
      "joints: {j: {revolute: [arm, end], at: [0.1, 0.2, 0.15], axis: [0.4, 0.3, -0.7], friction: 0.2}}\n";
  for (const std::string method : {"stewart_trinkle", "anitescu_potra"})
    for (const std::string& bodies : {on_carrier, falling}) {
      const auto end = [&](const std::string& cone) {
        Simulation simulation(parse_scenario("jostle: 1\nworld: {step: 0.002, steps: 300, friction_cone: " + cone +
                                                 ", method: " + method + "}\nbodies:\n" + bodies,
                                             "joints.yaml"));
        simulation.run();
        EXPECT_EQ(simulation.status(), Status::ok) << method << cone;
        return simulation.position("arm", 0);
      };
      EXPECT_NEAR(end("circle"), end("polygon"), 1e-9) << method;
    }
}

}  // namespace
}  // namespace jostle

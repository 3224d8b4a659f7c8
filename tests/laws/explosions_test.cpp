// What a step explodes into is no motion: a step whose own gain is more than half of the energy in play ends the
// sample.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class Explosions : public testing::TestWithParam<const char*> {
 protected:
  static Simulation simulation(double h, double duration, const std::string& world, const std::string& text) {
    return Simulation(tied_scenario(h, duration, world + ", method: " + GetParam(), text));
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, Explosions,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// 40 kg on two links of 15 cm with 2 g between them: these swing across with w^2 = 2 g M/(l m) = 1617^2 1/s^2. With
// h w = 3.2 every method explodes where the stiffness across the links is explicit, with h w = .3 none does.
TEST_P(Explosions, OfALightLinkUnderAHeavyLoadEndTheSample) {
  const std::string chain =
      "bodies:\n  light: {mass: 0.002, freedom: [x, y], position: [0.03, -0.14696938456699069, 0]}\n"
      "  load: {mass: 40, freedom: [x, y], position: [0.06, -0.29393876913398137, 0]}\n"
      "joints:\n  upper: {distance: [world, light], at: [[0, 0, 0], [0.03, -0.14696938456699069, 0]]}\n"
      "  lower: {distance: [light, load], at: [[0.03, -0.14696938456699069, 0], [0.06, -0.29393876913398137, 0]]}\n"
      "outcomes: {far: {maximum: \"abs(load.position.y)\"}, most: {maximum: load.kinetic_energy}}\n";
  Simulation coarse = simulation(2e-3, 2, falls_along_y + ", geometric_stiffness: false", chain);
  coarse.run();
  EXPECT_EQ(coarse.status(), Status::energy_growth);
  EXPECT_LE(coarse.outcome("far"), 1e3) << "instead of 1e20 m";
  Simulation fine = simulation(2e-4, 0.5, falls_along_y + ", geometric_stiffness: false", chain);
  fine.run();
  EXPECT_EQ(fine.status(), Status::ok);
  EXPECT_LE(fine.outcome("far"), 0.3 + 1e-4);
}

// x'' = -w^2 x, as a spring and as a force: stable up to (h w)^2 = 2 under Stewart and Trinkle's method, never under
// Anitescu and Potra's, whose amplitude grows by sqrt(1 + (h w)^2) a step, up to 2.8^2 under Loetstedt's; implicit
// springs always.
TEST_P(Explosions, OfASpringThatIsTooStiffEndTheSample) {
  const std::string method = GetParam();
  const bool is_implicit = method == "trapezoidal" || method == "trapezoidal_midpoint";
  for (const bool is_expression : {false, true}) {
    const bool is_explicit = method == "anitescu_potra" || (is_implicit && is_expression);
    const double stable = method == "stewart_trinkle" ? 1.9 : is_explicit ? 0.01 : 6;
    const auto status_of = [&](double squared, double duration, double length = 1.4) {
      const std::string stiffness = std::to_string(squared * 3 / 1e-4), at = std::to_string(length);
      const std::string text =
          is_expression ? "bodies:\n  mass: {mass: 3, freedom: [x], position: [0.4, 0, 0]}\nforces:\n  - {body: mass, "
                          "force: [\"-" +
                              stiffness + "*mass.position.x\", 0, 0]}\n"
                        : "bodies:\n  mass: {mass: 3, freedom: [x], position: [" + at +
                              ", 0, 0]}\nsprings:\n  tie: {between: [world, mass], at: [[0, 0, 0], [" + at +
                              ", 0, 0]], stiffness: " + stiffness + ", rest: 1}\n";
      Simulation oscillator = simulation(0.01, duration, floats, text);
      oscillator.run();
      return oscillator.status();
    };
    SCOPED_TRACE(is_expression);
    EXPECT_EQ(status_of(stable, 3), Status::ok);
    if (is_implicit && !is_expression) {
      // the middle of a step goes up to h w/2 = 50 times as far, and must not pass the end of the spring
      EXPECT_EQ(status_of(1e4, 3, 1.01), Status::ok) << "along one line";
      EXPECT_EQ(status_of(1e4, 3, 1.4), Status::energy_growth) << "through its end";
      continue;
    }
    EXPECT_EQ(status_of(20, 3), Status::energy_growth);
  }
}

// Steps that are no explosions, though they gain all of their energy: Anitescu and Potra's way up and down under a
// constant force, and what closes a joint or takes an overlap away.
TEST_P(Explosions, AreNotSeenWhereBodiesBeginToMove) {
  Simulation thrown = simulation(
      0.01, 1, floats,
      "bodies:\n  up: {mass: 2, freedom: [x], velocity: [-0.035, 0, 0]}\n  down: {mass: 3, freedom: [x]}\n"
      "forces:\n  - {body: up, force: [7, 0, 0]}\n  - {body: down, force: [\"5 + 0*down.position.x\", 0, 0]}\n");
  thrown.run();
  EXPECT_EQ(thrown.status(), Status::ok);
  Simulation sunk =
      simulation(0.01, 0.5, "gravity: [0, 0, -9.81]",
                 "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                 "  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.0499999995]}\n"
                 "  opened: {mass: 1, freedom: [x, z], position: [1, 0, 1]}\n"
                 "joints:\n  rope: {distance: [world, opened], at: [[1, 0, 3], [1, 0, 1.0000000005]], length: 2}\n"
                 "contacts: [{between: any, friction: 0}]\n");
  sunk.run();
  EXPECT_EQ(sunk.status(), Status::ok);
}

// A rod leans on nothing and falls on its end: the impact within a step stops what moves, and the rest of the step
// closes what the motion before it has left of the rod's length, an error of h^2 v^2/(2 l).
TEST_P(Explosions, AreNotSeenWhereAnImpactStopsWhatOpenedAJoint) {
  const double masses[][2] = {{0.556618, 0.475122}, {0.2, 2}, {3, 0.7}};
  for (const auto& mass : masses) {
    for (const double height : {0.34, 0.345, 0.35, 0.356336, 0.36}) {
      char text[600];
      std::snprintf(text, sizeof text,
                    "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                    "  low: {mass: %.17g, freedom: [x, z], shape: {sphere: {radius: 0.0155367}}, position: [0, 0, "
                    "%.17g], velocity: [0, 0, 0.147817]}\n"
                    "  high: {mass: %.17g, freedom: [x, z], shape: {sphere: {radius: 0.0339928}}, position: [0.2, 0, "
                    "%.17g], velocity: [0, 0, -0.665722]}\njoints: {rod: {distance: [low, high]}}\n"
                    "contacts: [{between: any, friction: 0}]\noutcomes: {left: {at_end: low.kinetic_energy + "
                    "high.kinetic_energy}}\n",
                    mass[0], height, mass[1], height);
      Simulation rod = simulation(0.002, 0.8, "gravity: [0, 0, -9.80665]", text);
      rod.run();
      EXPECT_EQ(rod.status(), Status::ok) << mass[0] << ' ' << height;
      EXPECT_LE(rod.outcome("left"), 2e-3 * (mass[0] + mass[1]) * g * height);
    }
  }
}

// 8 t + .04 N lift a ball of 1 kg against g = 10 m/s^2 in the middle of a step, where the forces of its stages add up
// to 0. Then z'' = 8 (t - t_0), z' = 4 (t - t_0)^2.
TEST_P(Explosions, AreNotSeenWhereAGrowingForceLiftsABall) {
  const double h = 0.01;
  for (const char* of_motion : {"", " + 0*ball.velocity.z"}) {
    for (const double lifts_at : {1.2401, 1.243, 1.245, 1.247, 1.2499}) {
      char force[60];
      std::snprintf(force, sizeof force, "%.17g + 8*t%s", 10 - 8 * lifts_at, of_motion);
      Simulation ball = simulation(h, 1.5, "gravity: [0, 0, -10]",
                                   "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: "
                                   "{mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}\n"
                                   "forces: [{body: ball, force: [0, 0, \"" +
                                       std::string(force) + "\"]}]\ncontacts: [{between: any, friction: 0}]\n");
      ball.run();
      ASSERT_EQ(ball.status(), Status::ok) << lifts_at << of_motion;
      EXPECT_EQ(ball.state().energy_gained(), 0) << lifts_at << of_motion;
      const double since = 1.5 - lifts_at;
      const bool is_first_order =
          GetParam() == std::string("stewart_trinkle") || GetParam() == std::string("anitescu_potra");
      EXPECT_NEAR(ball.velocity("ball", 2), 4 * since * since, is_first_order ? 8 * h * since : 8 * h * h);
    }
  }
}

// A drag that the step cannot resolve: h c/m = 4 reverses the speed and multiplies it by 3 in every explicit step.
TEST(ExplosionOfADrag, EndsTheSample) {
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
    for (const bool explodes : {false, true}) {
      Simulation ball(
          tied_scenario(0.01, 1, floats + ", method: " + method,
                        "bodies:\n  ball: {mass: 0.5, freedom: [x], velocity: [2, 0, 0]}\nforces:\n  - {body: "
                        "ball, force: [\"" +
                            std::string(explodes ? "-200" : "-80") + "*ball.velocity.x\", 0, 0]}\n"));
      ball.run();
      EXPECT_EQ(ball.status(), explodes ? Status::energy_growth : Status::ok) << method << explodes;
    }
  }
}

/// A crank of 5 cm with a motor, a rod of 15 cm and a slide, all joints with friction; from this angle, rad.
struct CrankCase {
  const char *speed, *limit, *crank, *rod, *slide, *hinge_friction, *slide_friction;
};
std::string slider_crank(const CrankCase& of, double angle) {
  const double x = 0.05 * std::cos(angle), y = 0.05 * std::sin(angle), reach = std::sqrt(0.15 * 0.15 - y * y);
  const auto at = [](double px, double py) { return "[" + std::to_string(px) + ", " + std::to_string(py) + ", 0]"; };
  const auto body = [&](const char* mass, double inertia, const std::string& position) {
    return "{mass: " + std::string(mass) + ", inertia: " + std::to_string(inertia) + "*" + mass +
           ", position: " + position + ", freedom: [x, y, rz]}\n";
  };
  const std::string hinge = ", axis: [0, 0, 1], friction: " + std::string(of.hinge_friction);
  return "bodies:\n  crank: " + body(of.crank, 0.001, at(x / 2, y / 2)) +
         "  rod: " + body(of.rod, 0.002, at(x + reach / 2, y / 2)) +
         "  slide: " + body(of.slide, 0.0025, at(x + reach, 0)) +
         "joints:\n  drive: {revolute: [world, crank], at: [0, 0, 0]" + hinge + ", motor: {speed: '" + of.speed +
         "', limit: " + of.limit + "}}\n  a: {revolute: [crank, rod], at: " + at(x, y) + hinge +
         "}\n  b: {revolute: [rod, slide], at: " + at(x + reach, 0) + hinge +
         "}\n  g: {prismatic: [world, slide], axis: [1, 0, 0], friction: " + of.slide_friction + "}\n";
}

// Where friction stops the crank while its motor goes on pressing, joints close what the motion has left open, and push
// the motor back by that: 1e-8 J, where a motion of 1e-13 J is left.
TEST_P(Explosions, AreNotSeenWhereFrictionStopsADrivenCrank) {
  const CrankCase cases[] = {
      {"12", "0.5", "0.02", "0.05", "0.4", "0.01", "20"},
      {"9", "0.9", "0.02", "0.05", "0.4", "0.01", "20"},
      {"20*sin(5*t)", "0.8", "0.02", "0.05", "0.4", "0.01", "20"},
      {"13.9", "2.94", "0.0016", "0.00087", "0.417", "1e-4", "45.3"},
  };
  for (const CrankCase& of : cases) {
    for (const double angle : {0.3, 0.7, 2.5, 3.5, 4.8, 5.3}) {
      Simulation crank = simulation(2e-3, 0.8, floats, slider_crank(of, angle));
      crank.run();
      EXPECT_EQ(crank.status(), Status::ok) << of.speed << ' ' << angle;
    }
  }
}

// An arm falls until the ball on its slide meets the floor, often as a strut that jams: it stops within two steps, and
// the next one closes what its swing has left its hinge and slide open, with more energy than is left of the motion.
TEST(ExplosionOfAStrut, IsNotSeenWhereAJamStopsIt) {
  for (const double h : {4e-3, 5e-4}) {
    const Scenario strut = tied_scenario(h, 0.6, "", R"(
variables: {mu: {uniform: [0.7, 1]}, l: {uniform: [0.14, 0.2]}}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  arm: {mass: 0.15, freedom: [x, z, ry], shape: {box: {size: [0.12, 0.08, 0.07]}}, position: [0, 0, 0.27]}
  ball: {mass: 1.9, freedom: [x, z, ry], shape: {sphere: {radius: 0.05}}, position: [$l, 0, 0.27]}
joints:
  hinge: {revolute: [world, arm], at: [-0.1, 0, 0.27], axis: [0, 1, 0]}
  slide: {prismatic: [arm, ball], axis: [0, 0, 1], limits: [-0.02, 0.01], friction: 0.06}
contacts: [{between: any, friction: $mu}]
)");
    for (int sample = 0; sample < 20; ++sample) {
      Simulation simulation(strut, sample);
      simulation.run();
      EXPECT_EQ(simulation.status(), Status::ok) << h << ", sample " << sample;
    }
  }
}

// At its dead centre a crank takes the energy E of its slide, and turns at sqrt(2 E/J), 700 rad/s for a thousandth of
// the mass: 1.4 rad within 2 ms. So a step makes this energy anew, after others have lost it.
TEST_P(Explosions, OfALightCrankAtItsDeadCentreEndTheSample) {
  const CrankCase light = {"29", "0.685", "0.00324", "0.00051", "4", "0.0037", "0.1"};
  for (const double h : {2e-3, 1e-4}) {
    Simulation crank = simulation(h, 0.6, floats, slider_crank(light, 0.3124));
    crank.run();
    EXPECT_EQ(crank.status(), h > 1e-3 ? Status::energy_growth : Status::ok) << h;
  }
}

// A peg jams, so the ram that pushes it gives way to its press: the works of motor and press are large where nothing
// moves fast.
TEST(ExplosionOfAPress, IsNotSeenWhereAPegJams) {
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
    for (int sample = 0; sample < 12; ++sample) {
      Simulation press("peg_in_hole", {"world.method=" + std::string(method)}, sample);
      press.run();
      EXPECT_EQ(press.status(), Status::ok) << method << sample;
    }
  }
}

}  // namespace
}  // namespace jostle

// Explosions that take many steps: a sample that has a hundred times the kinetic energy that anything has put in ends.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

constexpr double h = 0.01, mass = 3;

std::string spring(double squared) {
  return "bodies:\n  mass: {mass: 3, freedom: [x], position: [1.02, 0, 0]}\nsprings:\n  tie: {between: [world, mass], "
         "at: "
         "[[0, 0, 0], [1.02, 0, 0]], stiffness: " +
         std::to_string(squared * mass / (h * h)) + ", rest: 1}\n";
}
std::string expression(double squared) {
  return "bodies:\n  mass: {mass: 3, freedom: [x], position: [0.02, 0, 0]}\nforces:\n  - {body: mass, force: [\"-" +
         std::to_string(squared * mass / (h * h)) + "*mass.position.x\", 0, 0]}\n";
}

Simulation oscillator(const std::string& method, double duration, const std::string& text) {
  return Simulation(tied_scenario(h, duration, floats + ", method: " + method,
                                  text + "outcomes: {most: {maximum: mass.kinetic_energy}}\n"));
}

// The amplitude of an undamped spring grows by sqrt(1 + (h w)^2) a step under Anitescu and Potra's method. The energy
// at the start is k .02^2/2; it has a hundred times that once log(100)/log(1 + (h w)^2) steps are made, and is seen
// where it is kinetic.
TEST(EnergyWatch, EndsSlowGrowth) {
  for (const double squared : {0.01, 0.1, 1.0}) {
    for (const bool is_expression : {false, true}) {
      SCOPED_TRACE(squared);
      Simulation swing = oscillator("anitescu_potra", 20, is_expression ? expression(squared) : spring(squared));
      swing.run();
      EXPECT_EQ(swing.status(), Status::energy_growth) << is_expression;
      const double start = 0.5 * squared * mass / (h * h) * 4e-4, grown = std::log(100) / std::log1p(squared);
      const double quarter = 0.5 * pi / std::sqrt(squared);  // steps from one fast moment to the next: less than two
      EXPECT_LE(swing.outcome("most"), 300 * start);
      EXPECT_GE(swing.outcome("most"), 25 * start);
      EXPECT_NEAR(swing.state().steps(), grown, 2.5 * quarter + 0.1 * grown);
    }
  }
}

// Steps just above the limits of stability: (h w)^2 = 2 under Stewart and Trinkle's method, 8 under Loetstedt's, 4
// under the trapezoidal ones where a force is explicit.
TEST(EnergyWatch, EndsWhatIsHardlyUnstable) {
  struct Limit {
    const char* method;
    double stable, unstable;
  };
  for (const Limit& limit : {Limit{"stewart_trinkle", 1.95, 2.05}, Limit{"loetstedt", 6, 8.1},
                             Limit{"trapezoidal", 3, 4.1}, Limit{"trapezoidal_midpoint", 3, 4.1}}) {
    for (const bool is_expression : {false, true}) {
      if (limit.unstable == 4.1 && !is_expression) continue;  // implicit
      for (const double squared : {limit.stable, limit.unstable}) {
        Simulation swing = oscillator(limit.method, 20, is_expression ? expression(squared) : spring(squared));
        swing.run();
        EXPECT_EQ(swing.status(), squared == limit.stable ? Status::ok : Status::energy_growth)
            << limit.method << squared << is_expression;
      }
    }
  }
}

// What puts energy in is no explosion: a constant force, one that changes with time, one that pushes on what moves, a
// motor, a body that moves as told, and gravity, each from rest.
TEST(EnergyWatch, KnowsWhatPutsEnergyIn) {
  const std::string one = "bodies:\n  mass: {mass: 3, freedom: [x, rz], inertia: 1";
  const std::string scenes[] = {
      one + "}\nforces:\n  - {body: mass, force: [7, 0, 0]}\n",
      one +
          "}\nforces:\n  - {body: mass, force: [\"500*sin(40*t)\", 0, 0], torque: [0, 0, \"1e6*max(0, 0.011 - t)\"]}\n",
      one + ", velocity: [1e-3, 0, 0]}\nforces:\n  - {body: mass, force: [\"6*mass.velocity.x\", 0, 0]}\n",
      one +
          "}\njoints:\n  axle: {revolute: [world, mass], at: [0, 0, 0], axis: [0, 0, 1], motor: {speed: 50, limit: "
          "20}}\n",
      one +
          ", position: [1.4, 0, 0]}\n  told: {prescribed: {velocity: [\"5*t\", 0, 0]}}\nsprings:\n  tie: "
          "{between: [told, mass], at: [[0, 0, 0], [1.4, 0, 0]], stiffness: 100, damping: 20, rest: 1.4}\n",
  };
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}) {
    for (const std::string& scene : scenes) {
      Simulation moved = oscillator(method, 4, scene);
      moved.run();
      EXPECT_EQ(moved.status(), Status::ok) << method << '\n' << scene;
    }
  }
}

/// In a second, under this method.
Status status_of(const char* method, double step, const std::string& rest) {
  Simulation moved(parse_scenario("jostle: 1\nworld: {step: " + std::to_string(step) +
                                      ", duration: 1, method: " + std::string(method) + "}\n" + rest,
                                  "drive.yaml"));
  moved.run();
  return moved.status();
}

// A motor that starts slowly against a spring, and a cam at top dead centre that lifts a follower on its valve spring:
// of two large works a small motion is left.
TEST(EnergyWatch, SeesNoExplosionOfADriveAgainstASpring) {
  const auto ram = [](const std::string& speed, double rest) {
    return "bodies:\n  ram: {mass: 0.4, inertia: 0.001, freedom: [z]}\njoints: {drive: {prismatic: [world, ram], axis: "
           "[0, 0, 1], motor: {speed: '" +
           speed +
           "', limit: 1000}}}\nsprings: {s: {between: [ram, world], at: [[0, 0, 0], [0, 0, 1]], stiffness: "
           "2000, rest: " +
           std::to_string(rest) + "}}\n";
  };
  const std::string cam =
      "bodies:\n  cam: {prescribed: {spin: [0, -8, 0]}, shape: {sphere: {radius: 0.05}, position: [0, 0, 0.02]}}\n"
      "  follower: {mass: 0.4, freedom: [z], position: [0, 0, 0.08], shape: {box: {size: [0.2, 0.1, 0.02]}}}\n"
      "springs: {valve: {between: [follower, world], at: [[0, 0, 0.08], [0, 0, 1]], stiffness: 2000, rest: 0.97}}\n"
      "contacts: [{between: any, friction: 0}]\n";
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"})
    for (const double step : {0.01, 0.001})
      for (const std::string& scene :
           {ram("0.1*t", 1.03), ram("0.1*t", 0.97), ram("0.05*sin(6*t)", 1.03), ram("0.05*sin(6*t)", 0.97), cam}) {
        if (scene == cam && step == 0.01) continue;  // the spring is too stiff for that
        EXPECT_EQ(status_of(method, step, scene), Status::ok) << method << step << scene;
      }
}

// The slide of a crank stands at its dead centres, where its friction turns round.
TEST(EnergyWatch, SeesNoExplosionAtDeadCentres) {
  for (const double speed : {10.0, 10.02, 10.04})
    for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"})
      EXPECT_EQ(status_of(method, 0.002,
                          "bodies:\n  crank: {prescribed: {spin: [0, 0, " + std::to_string(speed) +
                              "]}}\n"
                              "  rod: {mass: 0.001, inertia: 2e-6, position: [0.125, 0, 0], freedom: [x, y, rz]}\n"
                              "  slide: {mass: 0.4, inertia: 0.001, freedom: [x, y, rz], position: [0.2, 0, 0]}\n"
                              "joints:\n  a: {revolute: [crank, rod], at: [0.05, 0, 0], axis: [0, 0, 1]}\n"
                              "  b: {revolute: [rod, slide], at: [0.2, 0, 0], axis: [0, 0, 1]}\n"
                              "  g: {prismatic: [world, slide], axis: [1, 0, 0], friction: 20}\n"),
                Status::ok)
          << method << speed;
}

}  // namespace
}  // namespace jostle

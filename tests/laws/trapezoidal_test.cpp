// The linearly implicit trapezoidal methods: the examples of Potra, Anitescu, Gavrea & Trinkle 2006, section 10.
#include "tests/laws/convergence.hpp"

namespace jostle {
namespace {

nlohmann::json events_reference() {
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/events.json");
  return nlohmann::json::parse(file);
}

std::string step_setting(int power) { return setting("world.step", std::ldexp(1.0, -power)); }

std::vector<double> pendulum(int power) {
  Simulation simulation("double_pendulum", {"variables.e=0.1", "variables.a=pi/3", step_setting(power)});
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.state().events(), 5);
  std::vector<double> q;
  for (const char* bob : {"upper", "lower"})
    for (int k = 0; k < 2; ++k) q.push_back(simulation.position(bob, k));
  return q;
}

// Table 10.1: five impacts within 2.5 s, and the error falls with the square of the step.
TEST(DoublePendulum, FollowsThePublishedRun) {
  const nlohmann::json file = events_reference();
  const std::vector<double> exact = file["pendulum_exact_g9.8"]["q"];
  const double ratios[] = {3.88, 3.97, 3.91, 3.92, 4.17, 3.93};
  double error_before = 0;
  for (int power = 5; power <= 11; ++power) {
    const std::vector<double> q = pendulum(power);
    const std::vector<double> expected = file["pendulum_g9.8_e0.1_T2.5_schemeII"][std::to_string(power)]["q"];
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(q[i], expected[i], 1e-10) << power;
    const double error = distance(q, exact);
    if (power > 5) {
      EXPECT_NEAR(error_before / error, ratios[power - 6], 0.011) << power;
    }
    error_before = error;
  }
}

// Its five impacts: in the step of its time a bob strikes the wall with its speed and takes its impulse, up to the
// error of the scheme, which is of second order.
TEST(DoublePendulum, StrikesTheWallWhenAndAsHardAsThePublishedOne) {
  const nlohmann::json events = events_reference()["pendulum_exact_g9.8"]["events"];
  for (const int power : {9, 11}) {
    const double h = std::ldexp(1.0, -power), tolerance = 30 * h * h;
    Simulation simulation("double_pendulum", {"variables.e=0.1", "variables.a=pi/3", step_setting(power)});
    std::size_t count = 0;
    double before[2] = {0, 0};
    simulation.watch([&](const StateView& s) {
      for (const int bob : {1, 2}) {
        const int body = simulation.body(bob == 1 ? "upper" : "lower");
        const double impulse = s.normal_impulse[body], speed = std::exchange(before[bob - 1], s.velocity[3 * body]);
        if (s.steps() == 0 || impulse == 0) continue;
        ASSERT_LT(count, events.size());
        const nlohmann::json& event = events[count++];
        const double time = event["t"];
        EXPECT_EQ(bob, event["bob"].get<int>());
        EXPECT_EQ(s.steps(), static_cast<int>(std::ceil(time / h))) << "the step that has it";
        EXPECT_NEAR(impulse, event["impulse"].get<double>(), tolerance) << count;
        EXPECT_NEAR(speed, event["un"].get<double>(), 40 * h) << count << ", at the start of the step";
      }
    });
    EXPECT_EQ(count, events.size());
  }
}

// Tables 10.2 and 10.3: without a search for the times at which the block sticks or slips. At the end it sticks. The
// second scheme as it is printed goes on to reverse what is left of its speed; here it stands.
TEST(StickSlipBlock, FollowsThePublishedRuns) {
  const nlohmann::json file = events_reference()["block"];
  for (const auto& [method, table] :
       {std::pair{"trapezoidal", "I_noevent_T2"}, {"trapezoidal_midpoint", "II_noevent_T2"}}) {
    for (int power = 5; power <= 10; ++power) {
      Simulation block("stick_slip_block",
                       {"variables.A=8", "variables.mu=0.8", "world.duration=2", step_setting(power),
                        std::string("world.method=") + method, "world.events.transitions=false"});
      block.run();
      ASSERT_EQ(block.status(), Status::ok);
      const nlohmann::json& expected = file[table][std::to_string(power)];
      EXPECT_NEAR(block.position("block", 0), expected[0].get<double>(), 1e-12) << method << ' ' << power;
      const bool stands = method == std::string("trapezoidal_midpoint");
      const double speed = expected[1].get<double>();
      EXPECT_NEAR(block.velocity("block", 0), stands ? 0 : speed, 1e-12) << method << ' ' << power;
    }
  }
}

// Stiff springs and dampers in steps of 0.01 s: numbers of an independent program, and no growth of energy.
TEST(Carts, FollowThePublishedRuns) {
  const nlohmann::json file = events_reference();
  struct Run {
    const char* name;
    double stiffness, damping, x, v, duration, tolerance;
  };
  for (const Run& run : {Run{"carts_delta100_II", 100, 100, 0.1, -2, 4, 1e-6},
                         {"carts_delta1000_II", 100, 1000, 0.1, -2, 4, 1e-8},
                         {"carts_delta1e+06_II", 100, 1e6, 0.1, -2, 4, 1e-8},
                         {"carts_gamma100_II", 100, 10, 0.2, -3, 2, 1e-8},
                         {"carts_gamma10000_II", 1e4, 10, 0.2, -3, 2, 1e-8},
                         {"carts_gamma1e+06_II", 1e6, 10, 0.2, -3, 2, 1e-8}}) {
    SCOPED_TRACE(run.name);
    const std::string first = "bodies.first.", second = "bodies.second.";
    char at[2][64], velocity[64];
    std::snprintf(at[0], sizeof at[0], "[%.17g, 0, 0]", run.x);
    std::snprintf(at[1], sizeof at[1], "[%.17g, 0, 0]", run.x + 5);
    std::snprintf(velocity, sizeof velocity, "[%.17g, 0, 0]", run.v);
    Simulation carts("carts",
                     {setting("variables.stiffness", run.stiffness), setting("variables.damping", run.damping),
                      setting("world.duration", run.duration), "world.events.transitions=false",
                      first + "position=" + at[0], second + "position=" + at[1], first + "velocity=" + velocity,
                      second + "velocity=" + velocity, std::string("springs.spring.at=[[-1, 0, 0], ") + at[0] + "]"});
    double most = 0;
    carts.watch([&](const StateView& s) {
      const double stretch = s.position[6] - 0.2;
      most = std::max(most, 0.5 * (s.velocity[6] * s.velocity[6] + s.velocity[9] * s.velocity[9] +
                                   run.stiffness * stretch * stretch));
    });
    ASSERT_EQ(carts.status(), Status::ok);
    const nlohmann::json& expected = file[run.name];
    EXPECT_NEAR(carts.position("first", 0), expected["x"][0].get<double>(), run.tolerance);
    EXPECT_NEAR(carts.position("second", 0), expected["x"][1].get<double>(), run.tolerance);
    EXPECT_NEAR(carts.velocity("first", 0), expected["v"][0].get<double>(), 100 * run.tolerance);
    EXPECT_NEAR(most, expected["Emax"].get<double>(), 1e-9);
  }
}

// In free flight under constant forces the method is exact.
TEST(Trapezoidal, IsExactForParabolas) {
  for (const char* method : {"trapezoidal", "trapezoidal_midpoint"}) {
    Simulation thrown(tied_scenario(0.05, 1, std::string("method: ") + method,
                                    "bodies:\n  stone: {mass: 2, freedom: [x, y, z], velocity: [3, 0, 4]}\n"));
    thrown.run();
    EXPECT_NEAR(thrown.position("stone", 0), 3, 1e-14);
    EXPECT_NEAR(thrown.position("stone", 2), 4 - 0.5 * 9.81, 1e-13);
  }
}

/// Rotational energy after 1 s of a top without torque.
Simulation top(double step, const std::string& more = "") {
  return Simulation(tied_scenario(step, 1, "gravity: [0, 0, 0], method: trapezoidal_midpoint" + more,
                                  "bodies:\n  top: {mass: 1, inertia: [1, 2, 2.5], spin: [2, 1, 3]}\n"));
}

// Second order: the spin of a torque-free top converges with the square of the step.
TEST(Trapezoidal, ATopWithoutTorqueConvergesWithOrderTwo) {
  std::vector<double> spins[4];
  for (int i = 0; i < 4; ++i) {
    Simulation simulation = top(0.02 / (1 << i));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    for (int k = 0; k < 3; ++k) spins[i].push_back(simulation.spin("top", k));
  }
  const double first = distance(spins[0], spins[1]), second = distance(spins[1], spins[2]),
               third = distance(spins[2], spins[3]);
  EXPECT_NEAR(first / second, 4, 0.1);
  EXPECT_NEAR(second / third, 4, 0.05);
}

TEST(Trapezoidal, ABodyWithoutTorqueKeepsItsEnergyWithinAPercent) {
  for (const char* method : {"trapezoidal", "trapezoidal_midpoint", "anitescu_potra", "stewart_trinkle"}) {
    Simulation body(tied_scenario(0.005, 2, std::string("gravity: [0, 0, 0], method: ") + method,
                                  "bodies:\n  body: {mass: 1, inertia: [0.001, 0.002, 0.003], spin: [50, 1, 1]}\n"));
    const auto energy = [](const StateView& s) {
      return 0.5 * (0.001 * s.spin[0] * s.spin[0] + 0.002 * s.spin[1] * s.spin[1] + 0.003 * s.spin[2] * s.spin[2]);
    };
    body.run_to(0);
    const double start = energy(body.state());
    body.watch([&](const StateView& s) { EXPECT_NEAR(energy(s), start, 0.01 * start); });
    EXPECT_EQ(body.status(), Status::ok) << method;
  }
}

// 10 s from horizontal: what the length of a pendulum drifts by.
TEST(Pendulum, KeepsItsLength) {
  struct Case {
    const char* world;
    double most;
  };
  for (const Case& c : {Case{"method: anitescu_potra, stabilisation: 1", 2e-3},
                        {"method: trapezoidal_midpoint, stabilisation: 0", 3e-4},
                        {"method: stewart_trinkle", 1e-6}}) {
    Simulation pendulum(tied_scenario(0.01, 10, std::string("gravity: [0, -9.81, 0], ") + c.world,
                                      "bodies:\n  bob: {mass: 1, freedom: [x, y], position: [1, 0, 0]}\njoints:\n"
                                      "  rope: {distance: [world, bob], at: [[0, 0, 0], [1, 0, 0]]}\n"));
    pendulum.watch(
        [&](const StateView& s) { EXPECT_NEAR(std::hypot(s.position[0], s.position[1]), 1, c.most) << c.world; });
    EXPECT_EQ(pendulum.status(), Status::ok);
  }
}

// q'' = -4 q: a mass on a spring along its line, with order 2: errors fall to a quarter with the step.
TEST(Trapezoidal, AnOscillatorConvergesWithOrderTwo) {
  for (const char* method : {"trapezoidal", "trapezoidal_midpoint"}) {
    double before = 0;
    for (int i = 0; i < 4; ++i) {
      Simulation mass(tied_scenario(0.02 / (1 << i), 2, floats + ", method: " + method,
                                    "bodies:\n  mass: {mass: 1, freedom: [x], position: [1.3, 0, 0]}\nsprings:\n"
                                    "  spring: {between: [world, mass], at: [[0, 0, 0], [1.3, 0, 0]], stiffness: 4, "
                                    "rest: 1}\n"));
      mass.run();
      ASSERT_EQ(mass.status(), Status::ok);
      const double error = std::fabs(mass.position("mass", 0) - (1 + 0.3 * std::cos(4)));
      if (i > 0) {
        EXPECT_NEAR(before / error, 3.995, 0.0075) << method << ' ' << i;
      }
      before = error;
    }
  }
}

}  // namespace
}  // namespace jostle

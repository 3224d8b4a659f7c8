// Heavy loads on light links: across a link that carries a force T, its ends swing with w^2 = T (1/m_a + 1/m_b) / l,
// which no step resolves where h w is large.
#include <array>

#include "core/stages/prescribed_state.hpp"
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

constexpr double link = 0.2, mass = 1e-3;

/// Two links under a load M: particles, or thin rods with a particle at the end of the second.
std::string chain(bool rods, bool spatial, double M, double first, double second) {
  const double x1 = link * std::sin(first), y1 = -link * std::cos(first), x2 = x1 + link * std::sin(second),
               y2 = y1 - link * std::cos(second);
  char text[1600];
  if (!rods) {
    const char* const free = spatial ? "[x, y, z]" : "[x, y]";
    std::snprintf(text, sizeof text,
                  "bodies:\n  light: {mass: %.17g, freedom: %s, position: [%.17g, %.17g, 0]}\n"
                  "  load: {mass: %.17g, freedom: %s, position: [%.17g, %.17g, 0]}\n"
                  "joints:\n  upper: {distance: [world, light], at: [[0, 0, 0], [%.17g, %.17g, 0]]}\n"
                  "  lower: {distance: [light, load], at: [[%.17g, %.17g, 0], [%.17g, %.17g, 0]]}\n",
                  mass, free, x1, y1, M, free, x2, y2, x1, y1, x1, y1, x2, y2);
    return text;
  }
  char inertia[100];
  std::snprintf(inertia, sizeof inertia, spatial ? "[%.17g, 2e-9, %.17g]" : "%.17g", mass * link * link / 12,
                mass * link * link / 12);
  const char* const free = spatial ? "" : ", freedom: [x, y, rz]";
  const char* const joint = spatial ? "revolute" : "ball";
  const char* const axis = spatial ? ", axis: [0, 0, 1]" : "";
  std::snprintf(text, sizeof text,
                "bodies:\n  one: {mass: %.17g, inertia: %s%s, position: [%.17g, %.17g, 0], rotation: {axis: [0, 0, 1], "
                "degrees: %.17g}}\n"
                "  two: {mass: %.17g, inertia: %s%s, position: [%.17g, %.17g, 0], rotation: {axis: [0, 0, 1], degrees: "
                "%.17g}}\n"
                "  load: {mass: %.17g, freedom: %s, position: [%.17g, %.17g, 0]}\n"
                "joints:\n  upper: {%s: [world, one], at: [0, 0, 0]%s}\n"
                "  middle: {%s: [one, two], at: [%.17g, %.17g, 0]%s}\n"
                "  lower: {ball: [two, load], at: [%.17g, %.17g, 0]}\n",
                mass, inertia, free, x1 / 2, y1 / 2, 180 / pi * first, mass, inertia, free, (x1 + x2) / 2,
                (y1 + y2) / 2, 180 / pi * second, M, spatial ? "[x, y, z]" : "[x, y]", x2, y2, joint, axis, joint, x1,
                y1, axis, x2, y2);
  return text;
}

/// The load's x at a time, of the double pendulum in its two angles; by the classical Runge-Kutta method.
double exact_x(bool rods, double M, double angle, double time) {
  const double own = rods ? mass / 3 : 0, half = rods ? mass / 2 : 0, middle = mass, l = link;
  const double a = (own + middle + M) * l * l, b = (half + M) * l * l, c = (own + M) * l * l;
  const double weight_1 = (half + middle + M) * 9.81 * l, weight_2 = (half + M) * 9.81 * l;
  using State = std::array<double, 4>;
  const auto rate = [&](const State& y) -> State {
    const double d = y[0] - y[1], off = b * std::cos(d), determinant = a * c - off * off;
    const double p = -b * std::sin(d) * y[3] * y[3] - weight_1 * std::sin(y[0]);
    const double q = b * std::sin(d) * y[2] * y[2] - weight_2 * std::sin(y[1]);
    return {y[2], y[3], (c * p - off * q) / determinant, (a * q - off * p) / determinant};
  };
  const auto moved = [](const State& y, double h, const State& k) {
    State to;
    for (std::size_t i = 0; i < 4; ++i) to[i] = y[i] + h * k[i];
    return to;
  };
  State y{angle, angle, 0, 0};
  const int steps = static_cast<int>(std::lround(time / 1e-5));
  const double h = time / steps;
  for (int i = 0; i < steps; ++i) {
    const State k1 = rate(y), k2 = rate(moved(y, h / 2, k1)), k3 = rate(moved(y, h / 2, k2)),
                k4 = rate(moved(y, h, k3));
    for (std::size_t j = 0; j < 4; ++j) y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return link * (std::sin(y[0]) + std::sin(y[1]));
}

class HeavyLoads : public testing::TestWithParam<const char*> {
 protected:
  static std::string method() { return std::string(", method: ") + GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Methods, HeavyLoads,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// 1 kg, 10 kg and a ton on two links with 1 g: errors at 4, 2 and 1 ms.
TEST_P(HeavyLoads, SwingAsTheDoublePendulum) {
  const std::string name = GetParam();
  const double order = name == "stewart_trinkle" || name == "anitescu_potra" ? 1 : 2;
  for (const bool rods : {false, true}) {
    for (const double M : {10.0, 1000.0}) {
      const double exact = exact_x(rods, M, 0.2, 1);
      for (const bool spatial : {false, true}) {
        SCOPED_TRACE(std::string(rods ? "rods " : "particles ") + (spatial ? "spatial " : "planar ") +
                     std::to_string(M));
        double error[3] = {};
        for (int i = 0; i < 3; ++i) {
          Simulation swing(
              tied_scenario(4e-3 / (1 << i), 1, falls_along_y + method(), chain(rods, spatial, M, 0.2, 0.2)));
          swing.run();
          ASSERT_EQ(swing.status(), Status::ok);
          error[i] = std::fabs(swing.position("load", 0) - exact);
          if (name == "loetstedt") break;
        }
        if (name == "loetstedt") {
          EXPECT_LE(error[0], 1e-8);
          continue;
        }
        EXPECT_LE(error[1], order == 1 ? 5e-4 : 2e-5);
        EXPECT_GE(std::log2(error[0] / error[1]), order - 0.05);
        EXPECT_GE(std::log2(error[1] / error[2]), order - 0.05);
      }
    }
  }
}

// A large swing, in which the force goes from none to three weights and back.
TEST_P(HeavyLoads, SwingFarAndLong) {
  for (const bool rods : {false, true}) {
    for (const double M : {10.0, 1000.0}) {
      SCOPED_TRACE(std::string(rods ? "rods " : "particles ") + std::to_string(M));
      const double time = std::string(GetParam()) == "loetstedt" ? 1 : 5;  // many sub-steps
      Simulation swing(tied_scenario(2e-3, time, falls_along_y + method(), chain(rods, false, M, 1.5, 1.5)));
      double far = 0, high = -1;
      swing.watch([&](const StateView& state) {
        const double* const load = state.position + 3 * swing.body("load");
        far = std::max(far, std::hypot(load[0], load[1])), high = std::max(high, load[1]);
      });
      EXPECT_EQ(swing.status(), Status::ok);
      EXPECT_LE(far, 2 * link + 1e-4);
      EXPECT_LE(high, -2 * link * std::cos(1.5) + 1e-3);
    }
  }
}

// Explicit, they explode.
TEST_P(HeavyLoads, ExplodeWithoutGeometricStiffness) {
  Simulation swing(tied_scenario(2e-3, 2, falls_along_y + method() + ", geometric_stiffness: false",
                                 chain(true, false, 1000, 0.2, 0.2)));
  swing.run();
  EXPECT_EQ(swing.status(), Status::energy_growth);
}

// A ball that strikes a floor as the first step begins has nothing to do with the chain: that step, too, is made again
// once the forces of the joints are known, and the light body swings with half the speed of the load.
TEST_P(HeavyLoads, AreKnownWhereTheFirstStepBeginsWithAnImpact) {
  std::string text = chain(false, false, 1000, 1, 1);
  text.insert(
      text.find('\n') + 1,
      "  floor: {fixed: true, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [9, -1, 0]}\n"
      "  ball: {mass: 1, freedom: [x, y], shape: {sphere: {radius: 0.1}}, position: [9, -0.8, 0], velocity: [0, "
      "-1, 0]}\n");
  Simulation swing(
      tied_scenario(2e-3, 0.1, falls_along_y + method(), text + "contacts: [{between: any, friction: 0}]\n"));
  swing.run_to(1);
  ASSERT_EQ(swing.status(), Status::ok);
  const double speed = std::hypot(swing.velocity("load", 0), swing.velocity("load", 1));
  for (const int k : {0, 1}) EXPECT_NEAR(swing.velocity("light", k), swing.velocity("load", k) / 2, 0.05 * speed) << k;
  swing.run();
  EXPECT_EQ(swing.status(), Status::ok);
}

// What is implicit is part of what joints give: in every step m dv of each body is its weight and the reactions.
TEST_P(HeavyLoads, HaveTheMomentumThatReactionsSay) {
  constexpr double h = 2e-3;
  for (const bool spatial : {false, true}) {
    for (const double M : {10.0, 1000.0}) {
      SCOPED_TRACE(std::string(spatial ? "spatial " : "planar ") + std::to_string(M));
      Simulation swing(tied_scenario(
          h, 0.5, falls_along_y + method(),
          chain(false, spatial, M, 0.2, 0.2) + "outcomes: {x: {at_end: upper.reaction.x + lower.reaction.x}}\n"));
      std::vector<double> before;
      double left = 0;
      swing.watch([&](const StateView& state) {
        const double* const now = state.velocity;
        for (int k = 0; k < 2 && !before.empty(); ++k) {
          const double weight = k == 1 ? -9.81 * h : 0, upper = state.joint_wrench[k],
                       lower = state.joint_wrench[6 + k];
          left = std::max(left, std::fabs(mass * (now[k] - before[k] - weight) - upper + lower));
          left = std::max(left, std::fabs(M * (now[3 + k] - before[3 + k] - weight) - lower));
        }
        before.assign(now, now + 6);
      });
      ASSERT_EQ(swing.status(), Status::ok);
      EXPECT_LE(left, 1e-12 * M);
    }
  }
}

// And so is what a body that moves as told has given.
TEST_P(HeavyLoads, TakeFromAToldBodyWhatItSays) {
  constexpr double h = 2e-3, M = 10;
  std::string text = chain(false, false, M, 0.2, 0.2);
  text.replace(text.find("[world, light]"), 14, "[hook, light]");
  text.insert(8, "  hook: {prescribed: {velocity: [\"0.1*sin(3*t)\", 0, 0]}}\n");
  Simulation swing(tied_scenario(h, 0.5, falls_along_y + method(), text));
  std::vector<double> before;
  double left = 0;
  swing.watch([&](const StateView& state) {
    const double* const now = state.velocity + 3 * swing.body("light");
    for (int k = 0; k < 2 && !before.empty(); ++k) {
      const double weight = k == 1 ? -9.81 * h : 0;
      const double change = mass * (now[k] - before[k] - weight) + M * (now[3 + k] - before[3 + k] - weight);
      left = std::max(left, std::fabs(change - state.given_impulse[k]));
    }
    before.assign(now, now + 6);
  });
  ASSERT_EQ(swing.status(), Status::ok);
  EXPECT_LE(left, 1e-11);
}

// In every step a told hook that brakes does the work of its impulse at its mean velocity (that of the end, under the
// method of Stewart & Trinkle), with what it gives across stiff links.
TEST_P(HeavyLoads, LetAToldBodyDoTheWorkOfItsImpulse) {
  if (GetParam() == std::string("loetstedt")) return;  // divides its steps
  constexpr double h = 2e-3, M = 10;
  std::string text = chain(false, false, M, 0.4, 0.4);
  text.replace(text.find("[world, light]"), 14, "[hook, light]");
  for (std::size_t at = 0; (at = text.find("position:", at)) != text.npos; at += 30)
    text.insert(at, "velocity: [3, 0, 0], ");
  text.insert(8, "  hook: {prescribed: {velocity: [\"3 - 5*t\", \"2*t\", 0]}}\n");
  Simulation swing(tied_scenario(h, 0.3, falls_along_y + method(), text));
  double largest = 0;
  swing.observe([&](const System& system, const Workspace& work, const StepResult&) {
    const StateView state = system.state();
    StepProgress progress;
    progress.step = {(state.steps() - 1) * h, h};
    const double t = h * (GetParam() == std::string("stewart_trinkle") ? state.steps() : state.steps() - 0.5);
    const double expected = state.given_impulse[0] * (3 - 5 * t) + state.given_impulse[1] * 2 * t;
    EXPECT_NEAR(-prescribed_energy(system, work, progress).by_mean, expected, 1e-13) << state.steps();
    largest = std::max(largest, std::fabs(expected));
  });
  EXPECT_EQ(swing.status(), Status::ok);
  EXPECT_GT(largest, 0.01);
}

// What is implicit acts between bodies alone: a chain that floats and turns keeps its momentum. Its joints need it, as
// the heavy ends pull at a light middle.
TEST_P(HeavyLoads, KeepTheirMomentum) {
  Simulation chain(
      tied_scenario(5e-3, 2, floats + method(),
                    "bodies:\n  left: {mass: 5, freedom: [x, y], position: [-0.2, 0, 0], velocity: [0, -1, 0]}\n"
                    "  light: {mass: 0.001, freedom: [x, y], velocity: [0, 0.5, 0]}\n"
                    "  right: {mass: 5, freedom: [x, y], position: [0.2, 0, 0], velocity: [0, 2, 0]}\n"
                    "joints:\n  a: {distance: [left, light], at: [[-0.2, 0, 0], [0, 0, 0]]}\n"
                    "  b: {distance: [light, right], at: [[0, 0, 0], [0.2, 0, 0]]}\n"));
  chain.run();
  EXPECT_EQ(chain.status(), Status::ok);
  for (int k = 0; k < 2; ++k)
    EXPECT_NEAR(5 * chain.velocity("left", k) + 0.001 * chain.velocity("light", k) + 5 * chain.velocity("right", k),
                k == 0 ? 0 : 5.0005, 1e-12);
  EXPECT_LE(std::fabs(chain.position("light", 1) - chain.position("left", 1)), 0.2 + 1e-3);
}

// Any number of lanes has the same bits, and so has a run in two parts.
TEST_P(HeavyLoads, AreTheSameForEveryTeam) {
  const auto scenario = [](const std::string& with) {
    return tied_scenario(2e-3, 0.1, falls_along_y + with, chain(true, true, 100, 0.5, 0.5));
  };
  Simulation whole(scenario(method())), parts(scenario(method()));
  whole.run();
  for (int step = 0; step <= 50; step += 10) parts.run_to(step);
  ASSERT_EQ(whole.status(), Status::ok);
  const Ensemble ensemble(scenario(method()));
  const Model& model = ensemble.model();
  WorkspaceMemory memory(model, 4);
  for (const int lanes : {1, 3, 32}) {
    Batch batch(model, 1);
    ensemble.load(0, batch, 0);
    run_by_lanes(lanes, batch, 50, memory);
    for (int i = 0; i < 9; ++i) {
      EXPECT_EQ(batch.state(0).position[i], whole.state().position[i]) << lanes;
      EXPECT_EQ(batch.state(0).velocity[i], whole.state().velocity[i]) << lanes;
      EXPECT_EQ(batch.state(0).joint_force[i], whole.state().joint_force[i]) << lanes;
    }
  }
  for (int i = 0; i < 9; ++i) EXPECT_EQ(parts.state().position[i], whole.state().position[i]);
}

// A mechanism that its step resolves has the bits that it has without.
TEST_P(HeavyLoads, ChangeNothingElse) {
  for (const char* name : {"four_bar", "double_pendulum", "swinging_chain"}) {
    const std::string method = std::string("world.method=") + GetParam();
    const bool is_plain = std::string(GetParam()) == "stewart_trinkle";
    if (is_plain && std::string(name) != "four_bar") continue;  // they have impacts
    Simulation with(name, {method}), without(name, {method, "world.geometric_stiffness=false"});
    with.run_to(200), without.run_to(200);
    ASSERT_EQ(with.status(), Status::ok) << name;
    const int bodies = with.ensemble().model().view(0).dimensions.bodies;
    for (int i = 0; i < 3 * bodies; ++i) {
      EXPECT_EQ(with.state().position[i], without.state().position[i]) << name;
      EXPECT_EQ(with.state().velocity[i], without.state().velocity[i]) << name;
    }
  }
}

// At rest under a load: the force is that of the step before, to the bit, before steps are left out.
TEST_P(HeavyLoads, RestAsTheyWouldBeComputed) {
  Simulation rests(tied_scenario(2e-3, 0.2, falls_along_y + method(), chain(false, false, 100, 0, 0)));
  Simulation computed(tied_scenario(2e-3, 0.2, falls_along_y + method(), chain(false, false, 100, 0, 0)));
  rests.run();
  computed.observe([](const System&, const Workspace&, const StepResult&) {});
  EXPECT_EQ(rests.status(), Status::ok);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(rests.state().position[i], computed.state().position[i]);
    EXPECT_EQ(rests.state().joint_force[i], computed.state().joint_force[i]);
  }
  EXPECT_EQ(rests.state().rest(), computed.state().rest());
}

// A load of 10 kg stretches two links of .2 m with 1 g between: in line they throw it back, as the light body takes its
// whole energy, E = M v^2/2, and whips across with sqrt(2 E/m) = 280 m/s. A step of 2 us sees that.
TEST(SlackChain, ThrowsItsLoadBack) {
  constexpr double a = 0.3, v = 2.8;
  const double s = std::sin(a), c = std::cos(a), turn = -v / (0.4 * s);
  char text[900];
  std::snprintf(
      text, sizeof text,
      "bodies:\n  light: {mass: 0.001, freedom: [x, y], position: [%.17g, %.17g, 0], velocity: [%.17g, %.17g, "
      "0]}\n  load: {mass: 10, freedom: [x, y], position: [0, %.17g, 0], velocity: [0, %.17g, 0]}\n"
      "joints:\n  upper: {distance: [world, light], at: [[0, 0, 0], [%.17g, %.17g, 0]]}\n  lower: {distance: "
      "[light, load], at: [[%.17g, %.17g, 0], [0, %.17g, 0]]}\noutcomes: {fastest: {maximum: "
      "\"sqrt(2000*light.kinetic_energy)\"}, energy: {at_end: energy}}\n",
      0.2 * s, -0.2 * c, 0.2 * c * turn, 0.2 * s * turn, -0.4 * c, -v, 0.2 * s, -0.2 * c, 0.2 * s, -0.2 * c, -0.4 * c);
  const double energy = 5 * v * v + 0.0005 * 0.04 * turn * turn;
  for (const auto& [method, loss] : {std::pair{"loetstedt", 1e-3}, {"anitescu_potra", 0.06}, {"trapezoidal", 0.06}}) {
    Simulation chain(tied_scenario(2e-6, 0.013, "gravity: [0, 0, 0], method: " + std::string(method), text));
    chain.run();
    ASSERT_EQ(chain.status(), Status::ok) << method;
    EXPECT_NEAR(chain.outcome("energy"), energy, loss * energy) << method;
    EXPECT_NEAR(chain.velocity("load", 1), v, loss * v) << method;
    EXPECT_NEAR(chain.outcome("fastest"), 280, 12) << method;
  }
  Simulation coarse(tied_scenario(2e-3, 0.2, "gravity: [0, 0, 0], method: trapezoidal", text));
  coarse.run();
  EXPECT_EQ(coarse.status(), Status::energy_growth);
}

}  // namespace
}  // namespace jostle

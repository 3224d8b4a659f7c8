// A four-bar linkage that a motor drives, under every method: its loop stays closed, in space as in its plane, and
// energy changes by the work of the motor.
#include "tests/laws/known_motions.hpp"

namespace jostle {
namespace {

class DrivenLoop : public testing::TestWithParam<const char*> {
 protected:
  bool is(const char* method) const { return std::string(method) == GetParam(); }

  /// Crank, coupler and rocker of .3, .8 and .5 m on a ground of .7 m; in space three of the equations are redundant.
  Simulation linkage(double h, double duration, const std::string& speed, bool planar) const {
    constexpr double a = 0.3, b = 0.8, c = 0.5, d = 0.7, t = 1;
    const double x1 = a * std::cos(t), y1 = a * std::sin(t), L = std::hypot(d - x1, y1);
    const double along = (b * b - c * c + L * L) / (2 * L), up = std::sqrt(b * b - along * along);
    const double x2 = x1 + (along * (d - x1) + up * y1) / L, y2 = y1 + (-along * y1 + up * (d - x1)) / L;
    const auto bar = [&](const char* name, double mass, double xa, double ya, double xb, double yb) {
      const double J = mass * ((xb - xa) * (xb - xa) + (yb - ya) * (yb - ya)) / 12;
      char text[300];
      if (planar) {
        std::snprintf(text, sizeof text,
                      "  %s: {mass: %g, inertia: %.17g, freedom: [x, y, rz], position: [%.17g, %.17g, 0]}\n", name,
                      mass, J, (xa + xb) / 2, (ya + yb) / 2);
      } else {
        std::snprintf(text, sizeof text,
                      "  %s: {mass: %g, inertia: [0.001, %.17g, %.17g], position: [%.17g, %.17g, 0]}\n", name, mass, J,
                      J, (xa + xb) / 2, (ya + yb) / 2);
      }
      return std::string(text);
    };
    /// How far the ends of two bars are apart along an axis: `end_a` and `end_b` from their middles at the start.
    const auto apart = [](const char* one, double ax, double ay, const char* two, double bx, double by, char k) {
      char text[500];
      std::snprintf(text, sizeof text,
                    "abs(%s.position.%c + %.17g*%s.axis_x.%c + %.17g*%s.axis_y.%c - (%s.position.%c + "
                    "%.17g*%s.axis_x.%c + %.17g*%s.axis_y.%c))",
                    one, k, ax, one, k, ay, one, k, two, k, bx, two, k, by, two, k);
      return std::string(text);
    };
    std::string outcomes = "outcomes: {energy_at_end: {at_end: energy}";
    for (const char j : {'a', 'b', 'c', 'd'})
      outcomes += std::string(", reaction_") + j + ": {at_end: " + j + ".reaction}";
    for (const char k : {'x', 'y'}) {
      const std::string name(1, k);
      outcomes += ", b" + name + ": {maximum: \"" +
                  apart("crank", x1 / 2, y1 / 2, "coupler", (x1 - x2) / 2, (y1 - y2) / 2, k) + "\"}, c" + name +
                  ": {maximum: \"" + apart("coupler", (x2 - x1) / 2, (y2 - y1) / 2, "rocker", (x2 - d) / 2, y2 / 2, k) +
                  "\"}";
    }
    char joints[700];
    std::snprintf(joints, sizeof joints,
                  "joints:\n  a: {revolute: [world, crank], at: [0, 0, 0], axis: [0, 0, 1], motor: {speed: \"%s\", "
                  "limit: 60}}\n  b: {revolute: [crank, coupler], at: [%.17g, %.17g, 0], axis: [0, 0, 1]}\n  c: "
                  "{revolute: [coupler, rocker], at: [%.17g, %.17g, 0], axis: [0, 0, 1]}\n  d: {revolute: [rocker, "
                  "world], at: [0.7, 0, 0], axis: [0, 0, 1]}\n",
                  speed.c_str(), x1, y1, x2, y2);
    return Simulation(tied_scenario(h, duration, falls_along_y + ", method: " + GetParam(),
                                    "bodies:\n" + bar("crank", 1, 0, 0, x1, y1) + bar("coupler", 2, x1, y1, x2, y2) +
                                        bar("rocker", 1.5, x2, y2, d, 0) + joints + outcomes + "}\n"));
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, DrivenLoop,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

#ifdef JOSTLE_ALL_TESTS
constexpr int many_steps = 100000;
#else
constexpr int many_steps = 5000;
#endif

// Openings are those of one step, however many there are; nothing leaves the plane.
TEST_P(DrivenLoop, StaysClosedForEver) {
  constexpr double h = 0.002;
  Simulation loop = linkage(h, many_steps * h, "2", false);
  loop.run();
  ASSERT_EQ(loop.status(), Status::ok);
  EXPECT_NEAR(loop.state().joint_speed[0], 2, 1e-9);
  EXPECT_NEAR(loop.state().joint_position[0], 2 * h * many_steps, 0.02);
  for (const char* gap : {"bx", "by", "cx", "cy"})
    EXPECT_LE(loop.outcome(gap), is("loetstedt") ? 1e-9 : is("stewart_trinkle") ? 1e-6 : 1e-5) << gap;
  for (const char* bar : {"crank", "coupler", "rocker"}) {
    EXPECT_NEAR(loop.position(bar, 2), 0, 1e-12);
    EXPECT_NEAR(loop.spin(bar, 0), 0, 1e-12);
  }
}

TEST_P(DrivenLoop, MovesInSpaceAsInItsPlane) {
  Simulation flat = linkage(0.002, 2, "2 + sin(3*t)", true), spatial = linkage(0.002, 2, "2 + sin(3*t)", false);
  for (int step = 0; step <= 1000; step += 20) {
    flat.run_to(step), spatial.run_to(step);
    const StateView a = flat.state(), b = spatial.state();
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(a.joint_position[j], b.joint_position[j], 1e-9) << step;
      EXPECT_NEAR((vector_at(a.joint_wrench, 2 * j) - vector_at(b.joint_wrench, 2 * j)).norm(), 0, 1e-9) << step;
    }
    EXPECT_NEAR(a.joint_impulse[0], b.joint_impulse[0], 1e-9) << step;
  }
  EXPECT_EQ(flat.status(), Status::ok);
  EXPECT_EQ(spatial.status(), Status::ok);
}

// sum of c (w_l + w_{l+1})/2 while the motor speeds up: energy changes by it, to the order of the method.
TEST_P(DrivenLoop, ChangesItsEnergyByTheWorkOfItsMotor) {
  double off[2];
  for (const double h : {0.002, 0.001}) {
    Simulation loop = linkage(h, 2, "1 + t", false);
    double work = 0, before = 0;
    loop.watch([&](const StateView& s) {
      if (s.steps() > 0) work += s.joint_impulse[0] * (before + s.joint_speed[0]) / 2;
      before = s.joint_speed[0];
    });
    ASSERT_EQ(loop.status(), Status::ok);
    off[h < 0.0015] = std::fabs(loop.outcome("energy_at_end") - loop.state().start_energy() - work);
  }
  EXPECT_LE(off[1], is("trapezoidal") || is("trapezoidal_midpoint") || is("loetstedt") ? 1e-3 : 0.02);
  EXPECT_LE(off[1], 0.6 * off[0]);
}

// Without a motor: the second trapezoidal scheme asks for sums of velocities, and does not turn them round.
TEST(FreeLoop, KeepsItsSpeedsFromFlippingUnderTheSecondScheme) {
  constexpr double h = 0.01;
  orders::Motion loop = orders::closed_loop();
  Simulation simulation(tied_scenario(h, 5, "method: trapezoidal_midpoint, geometric_stiffness: false", loop.text));
  double before = 0, earlier = 0, worst = 0;
  simulation.watch([&](const StateView& s) {
    const double now = simulation.spin("coupler", 1);
    if (s.steps() > 1) worst = std::max(worst, std::fabs(now - 2 * before + earlier));
    earlier = before, before = now;
  });
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_LE(worst, 2) << "rad/s";
  EXPECT_LE(simulation.state().energy_gained(), 0.4);
}

}  // namespace
}  // namespace jostle

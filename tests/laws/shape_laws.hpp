#pragma once
// What the laws of shapes share that are written in two ways: their scenes, and how far two motions differ.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "scenarios/reader/reader.hpp"
#include "tests/laws/simulation.hpp"

namespace jostle::test {

/// `rest`: further sections.
inline std::string scene(const std::string& world, const std::string& bodies, const std::string& contacts,
                         const std::string& rest = "") {
  return "jostle: 1\nworld: {" + world + "}\nbodies:\n" + bodies + "contacts:\n  - {between: any, " + contacts + "}\n" +
         rest;
}

/// A number, a point and the corners of a rectangle, as text.
inline std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}
inline std::string point(double x, double y) { return "[" + number(x) + ", " + number(y) + "]"; }
inline std::string rectangle(double x, double y, double at_x = 0, double at_y = 0) {
  return "[" + point(at_x - x / 2, at_y - y / 2) + ", " + point(at_x + x / 2, at_y - y / 2) + ", " +
         point(at_x + x / 2, at_y + y / 2) + ", " + point(at_x - x / 2, at_y + y / 2) + "]";
}

inline Scenario read(const std::string& text) { return parse_scenario(text, "shapes.yaml"); }

/// 0.8 m wide and high; the dent is in its base.
inline const std::string dented_pyramid =
    "{surface: {points: [[-0.4, -0.4, -0.32], [0.4, -0.4, -0.32], [0.4, 0.4, -0.32], [-0.4, 0.4, -0.32], [0, 0, "
    "-0.08], [0, 0, 0.48]], faces: [[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 0, 5], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, "
    "3, 4]]}}";

/// The same numbers after every step.
using Motion = std::vector<std::vector<double>>;

/// Position (m) and orientation of each body but the first; of bodies in a plane their angle (rad).
inline Motion motion_of(const std::string& text, bool is_planar) {
  Simulation simulation(read(text));
  Motion motion;
  simulation.watch([&](const StateView& state) {
    std::vector<double>& now = motion.emplace_back();
    for (std::size_t b = 1; b < simulation.ensemble().scenario().bodies.size(); ++b) {
      for (int k = 0; k < 3; ++k) now.push_back(state.position[3 * b + k]);
      for (int k = 0; !is_planar && k < 4; ++k) now.push_back(state.orientation[4 * b + k]);
      if (is_planar) now.push_back(state.angle[b]);
    }
  });
  EXPECT_EQ(simulation.status(), Status::ok) << text;
  return motion;
}

inline double difference(const Motion& a, const Motion& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i].size(); ++k) most = std::max(most, std::fabs(a[i][k] - b[i][k]));
  return most;
}

/// 1e-12, or a hundred times what 1e-15 m at the start makes of the same motion: some events amplify rounding.
inline double allowed(const Motion& motion, const Motion& moved) { return 1e-12 + 100 * difference(motion, moved); }

/// A body of the size of `box_shape` in space.
inline std::string part(const std::string& name, const std::string& shape, const std::string& rest) {
  return "  " + name + ": {mass: 0.6, inertia: [0.002, 0.0007, 0.0025], shape: " + shape + ", " + rest + "}\n";
}
inline const std::string box_shape = "{box: {size: [0.1, 0.2, 0.06]}}";
inline const std::string floor_in_space = "  table: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";
inline const std::string table_as_box =
    "  table: {fixed: true, shape: {box: {size: [1, 1, 0.2]}}, position: [0, 0, -0.1]}\n";

/// A part that rests on a slope stays where it is after a second, to the bit, for as long as it is simulated.
inline void expect_no_creep(const Scenario& scenario, double x_at_rest) {
  Simulation simulation(scenario);
  simulation.run_to_time(1);
  const double x = simulation.position("part", 0), z = simulation.position("part", 2);
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.position("part", 0), x);
  EXPECT_EQ(simulation.position("part", 2), z);
  EXPECT_NEAR(x, x_at_rest, 1e-4);
}

/// A suite over the names of all methods.
class ShapesUnderEveryMethod : public testing::TestWithParam<const char*> {
 protected:
  static bool has_friction() { return std::string(GetParam()) != "loetstedt"; }
  static std::string world(const std::string& rest) { return std::string("method: ") + GetParam() + ", " + rest; }
  static std::string friction(const char* mu) { return std::string("friction: ") + (has_friction() ? mu : "0"); }
};
inline auto every_method() {
  return testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt");
}

}  // namespace jostle::test

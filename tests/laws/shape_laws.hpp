#pragma once
// What the laws of shapes share that are written in two ways: their scenes, and how far two motions differ.
#include <gtest/gtest.h>

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

inline Scenario read(const std::string& text) { return parse_scenario(text, "shapes.yaml"); }

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

#pragma once
// Scenarios of bodies that joints tie.
#include <string>

#include "scenarios/reader/reader.hpp"
#include "tests/laws/simulation.hpp"

namespace jostle {

/// A scenario from its bodies, joints and what else follows; `world` has more keys of its world.
inline Scenario tied_scenario(double step, double duration, const std::string& world, const std::string& rest) {
  char time[96];
  std::snprintf(time, sizeof time, "jostle: 1\nworld: {step: %.17g, duration: %.17g", step, duration);
  return parse_scenario(time + (world.empty() ? "" : ", " + world) + "}\n" + rest, "tied.yaml");
}

inline const std::string falls_along_y = "gravity: [0, -9.81, 0]";
inline const std::string floats = "gravity: [0, 0, 0]";

}  // namespace jostle

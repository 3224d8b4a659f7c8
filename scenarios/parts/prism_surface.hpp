#pragma once
// The closed surface of a prism from its outline and its holes.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/parts/closed_surface.hpp"

namespace jostle {

/// Corners in a plane, m, in either direction.
using PlaneLoop = std::vector<std::array<double, 2>>;

/// What keeps loops from being an outline with holes in it.
struct LoopFault {
  std::size_t loop = 0, corner = 0;
  std::string message;
};

/// The outline comes first. Distances below `near` (m) count as 0: no corner lies on the one before it, no edge touches
/// another one, holes lie in the outline and beside each other.
std::optional<LoopFault> fault_of(const std::vector<PlaneLoop>& loops, double near);

/// Half of `height` to both sides of the plane across the axis: [x, y], for the axis x [y, z], for the axis y [x, z].
ClosedSurface prism_surface(const std::vector<PlaneLoop>& loops, double height, int axis, double tolerance);

}  // namespace jostle

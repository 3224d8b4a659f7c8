#pragma once
#include <vector>

#include "scenarios/parts/surface_planes.hpp"

namespace jostle {

/// A surface may have several closed parts, such as the wall of a cavity. The number of the part of each corner.
std::vector<int> part_of_corners(const SurfacePlanes& surface);

/// A part whose faces look outwards lies in no other one, and one whose faces look inwards, a cavity, in a solid: else
/// a volume would count twice, or less than nothing. Throws std::invalid_argument with a corner of the part.
void check_parts(const SurfacePlanes& surface, double near);

/// A corner touches if the solid about it lies in a cone that is less than a half-space: no face bends inwards there,
/// its edges have a direction from which all lead away, and that which leads away least is convex.
std::vector<bool> touching_corners(const SurfacePlanes& surface);

}  // namespace jostle

#pragma once
#include <vector>

#include "scenarios/parts/surface_planes.hpp"

namespace jostle {

/// A corner touches if the solid about it lies in a cone that is less than a half-space: no face bends inwards there,
/// its edges have a direction from which all lead away, and that which leads away least is convex.
std::vector<bool> touching_corners(const SurfacePlanes& surface);

}  // namespace jostle

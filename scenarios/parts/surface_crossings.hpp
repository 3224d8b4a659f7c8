#pragma once
#include "scenarios/parts/surface_planes.hpp"

namespace jostle {

/// No edge goes through the inside of a face, or meets an edge with which it shares no corner. Throws
/// std::invalid_argument with the place.
void check_crossings(const SurfacePlanes& surface);

}  // namespace jostle

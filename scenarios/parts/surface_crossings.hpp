#pragma once
#include <stdexcept>

#include "scenarios/parts/surface_planes.hpp"

namespace jostle {

struct SurfaceCrossing : std::invalid_argument {
  SurfaceCrossing(const std::string& message, const Vec3& at) : std::invalid_argument(message), place(at) {}
  Vec3 place;  ///< m
};

/// No edge goes through the inside of a face, or meets an edge with which it shares no corner. Throws SurfaceCrossing.
void check_crossings(const SurfacePlanes& surface);

}  // namespace jostle

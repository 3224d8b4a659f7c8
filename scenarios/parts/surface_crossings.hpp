#pragma once
#include <stdexcept>
#include <utility>

#include "scenarios/parts/surface_planes.hpp"

namespace jostle {

struct SurfaceCrossing : std::invalid_argument {
  SurfaceCrossing(const std::string& message, const Vec3& at, std::pair<int, int> meeting)
      : std::invalid_argument(message), place(at), faces(meeting) {}
  Vec3 place;                 ///< m
  std::pair<int, int> faces;  ///< numbers of two that meet there
};

/// No edge goes through the inside of a face, or meets an edge with which it shares no corner. Closed parts meet where
/// they are within `near_parts`, m. Throws SurfaceCrossing.
void check_crossings(const SurfacePlanes& surface, double near_parts);

}  // namespace jostle

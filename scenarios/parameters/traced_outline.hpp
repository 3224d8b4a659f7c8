#pragma once
// Outlines of polygons over traced numbers, as the file has them.
#include <utility>
#include <vector>

#include "scenarios/parameters/plane_areas.hpp"

namespace jostle {

/// Nearer points, relative to the size of the polygon, are one; so are angles (rad).
inline constexpr double polygon_rounding = 1e-9;

/// Corners, and the bulges of the edges that begin there.
struct TracedOutline {
  std::vector<TracedPoint> points;
  std::vector<Traced> bulges;  ///< 0: the edge is straight
  std::vector<bool> are_arcs;

  std::size_t size() const { return points.size(); }
  std::size_t after(std::size_t i) const { return (i + 1) % size(); }
  TracedArc arc(std::size_t i) const { return {points[i], points[after(i)], bulges[i]}; }

  /// Along an edge where it begins and where it ends.
  std::pair<TracedPoint, TracedPoint> directions(std::size_t i) const {
    if (are_arcs[i]) {
      const TracedArc arc = this->arc(i);
      return {{-arc.first.y, arc.first.x}, {-arc.last.y, arc.last.x}};
    }
    const TracedPoint along = points[after(i)] - points[i];
    return {along, along};
  }
};
TracedOutline outline_of(const PolygonSpec& polygon, Draw draw);

/// Twice the area, with that of arcs; positive if the corners run counter-clockwise.
Traced doubled_area(const TracedOutline& outline);

}  // namespace jostle

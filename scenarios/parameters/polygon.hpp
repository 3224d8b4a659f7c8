#pragma once
// Polygons of planar scenes, and the points within a radius of them: their mass properties, and what their numbers must
// be.
#include <vector>

#include "scenarios/parameters/requirements.hpp"

namespace jostle {

/// The bulges that an arc may have: 0.23 to 337 degrees.
inline constexpr double least_bulge = 1e-3, greatest_bulge = 10;
/// The name of a corner + this + the bulge.
inline constexpr const char* wrong_bulge =
    ": a bulge must be 0 or have a size from 0.001 to 10, the tangent of a quarter of the arc's angle, not ";

/// A polygon about its centroid, in the axes of the plane.
struct TracedPolygon {
  Traced centroid[2];           ///< in the file's coordinates, m
  std::vector<Traced> corners;  ///< x and y of each, counter-clockwise, from the centroid
  std::vector<Traced> bulges;   ///< of the edge that begins at each; none: all edges are straight
  Traced radius;                ///< m
  Traced reach;                 ///< from the centroid to the furthest corner or point of an arc, m
  Traced width;          ///< the least distance of a corner from an edge that it faces through the solid, m; with
                         ///< four chords for each arc
  Traced area;           ///< with the radius, m^2
  Traced second_moment;  ///< of the area, about the centroid, m^4
};
TracedPolygon traced_polygon(const PolygonSpec& polygon, Draw draw);

/// Whether the file has the corners clockwise. If that depends on variables, they run counter-clockwise.
bool is_clockwise(const PolygonSpec& polygon);

/// No point repeated, bulges in their range, an area, and no edge crosses another one. `path`: of the polygon.
void require_simple(const PolygonSpec& polygon, const std::string& path, Draw draw, Requirements& require);

/// The axes of the plane across a coordinate axis, as columns; the third is their normal. Points are [x, y], [x, z] or
/// [y, z].
TracedMat3 axes_across(int axis);

}  // namespace jostle

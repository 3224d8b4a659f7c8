#pragma once
// The convex hull of points, by qhull, with coplanar triangles merged into polygons.
#include <vector>

#include "core/math/vector.hpp"

namespace jostle {

struct HullFace {
  std::vector<int> corners;  ///< of ConvexHull::points, counter-clockwise seen from outside, the lowest number first
  Vec3 normal;               ///< outwards
};

/// Independent of the order in which qhull finds things: points keep the order in which they were given, and faces are
/// sorted by their corners.
struct ConvexHull {
  std::vector<Vec3> points;
  std::vector<HullFace> faces;
};

/// Points that lie within `tolerance` times the size of the part from the plane of a face are corners of that face, and
/// points within it from the line between their neighbours are left out; another one is used if faces overlap then.
/// Throws std::invalid_argument for points that lie in a plane, or for fewer than four.
ConvexHull convex_hull(const std::vector<Vec3>& points, double tolerance = 1e-6);

}  // namespace jostle

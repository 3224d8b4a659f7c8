#pragma once
// Whether a line of one shape lies in the solid behind an edge of a core that it has passed.
#include "core/geometry/polyhedron_separation.hpp"
#include "core/geometry/surface.hpp"

namespace jostle::detail {

struct PassingLine {
  Vec3 x, along;         ///< where it is nearest to the edge; unit
  double before, after;  ///< where it begins and ends, from x, m
};

/// How far from x, m, a line has the point that tells whether it is in the solid behind an edge, which it has passed by
/// `depth` (m). That is x itself, unless the faces of the edge meet there at less than 90 degrees: then x may be in
/// front of one of them, and what lies between them is a little further along.
JOSTLE_HD inline double along_to_between(const PassingLine& line, const SeenEdge& edge, double depth,
                                         double border_width) {
  double least = line.before, most = line.after;
  bool is_between = true;
  for (const Vec3& normal : {edge.left, edge.right}) {
    const double height = dot(normal, line.x - edge.from), slope = dot(normal, line.along);
    is_between = is_between && height <= border_width;
    if (slope > 0 && -height / slope < most) most = -height / slope;
    if (slope < 0 && -height / slope > least) least = -height / slope;
  }
  if (is_between || !(least < most)) return 0;
  const double half = 0.5 * (most - least), further = half < depth ? half : depth;
  return least > 0 ? least + further : most - further;
}

/// Where a point, `away` from where a line is nearest to an edge, which it has passed by `depth` (m), is in the core.
/// Elsewhere than there it is not inside if it only touches the surface. `most`: how far it is from the surface at
/// most, m. Behind a sharp edge that has just been passed nothing is as deep as the border, so there less counts as
/// inside.
JOSTLE_HD inline PlaceInCore place_behind_edge(const Polyhedron& core, const Vec3& point, double away, double depth,
                                               double border_width, double most = infinity()) {
  constexpr double touching_part = 1.0 / 64;
  const PlaceInCore place = locate(core, point, most);
  const double part = touching_part * depth, touching = part < border_width ? part : border_width;
  return away != 0 && place.squared_distance <= touching * touching ? PlaceInCore{} : place;
}

}  // namespace jostle::detail

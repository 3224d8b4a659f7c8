#pragma once
// Closed surfaces, convex or not, with coplanar triangles merged into polygons with holes.
#include <set>
#include <vector>

#include "scenarios/parts/triangle_mesh.hpp"

namespace jostle {

/// Loops of corners: seen from outside the outline runs counter-clockwise and the holes run clockwise.
struct SurfaceFace {
  std::vector<std::vector<int>> loops;  ///< the outline first, then the holes
};

/// The numbers of corners do not depend on how faces were cut into triangles: convex corners come first, each kind is
/// sorted by x, y and z.
struct ClosedSurface {
  std::vector<Vec3> points;  ///< m
  std::vector<SurfaceFace> faces;
  int convex_corners = 0;                         ///< these touch other shapes
  std::set<std::pair<int, int>> concave_or_flat;  ///< edges that touch nothing, the lower corner first
  bool is_convex = false;
  double thickness = 0;  ///< m: the least height of a corner behind a face that it lies over
};

/// Triangles whose corners lie within `tolerance` times the size of the part from the plane of a larger one beside them
/// are merged with it, and corners within it from the line between their neighbours are left out; a smaller one is used
/// if the surface folds or goes through itself then. Throws std::invalid_argument for one that does so at any.
ClosedSurface closed_surface(const TriangleMesh& mesh, double tolerance);

/// The same of faces that need no merging, no two neighbours in the same plane. Throws for one that is not flat, too.
ClosedSurface closed_surface(const std::vector<Vec3>& points, const std::vector<SurfaceFace>& faces, double tolerance);

/// Throws for a mesh as closed_surface() does: it encloses no certain volume.
void check_closed_surface(const TriangleMesh& mesh, double tolerance);

}  // namespace jostle

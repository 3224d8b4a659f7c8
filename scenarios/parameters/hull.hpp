#pragma once
// Hulls in space, and the points within a radius of them: their structure, their mass properties, and what their
// numbers must be.
#include <vector>

#include "scenarios/parameters/requirements.hpp"
#include "scenarios/parts/closed_surface.hpp"
#include "scenarios/parts/convex_hull.hpp"

namespace jostle {

/// Distances that count as 0, relative to the size of a hull: points nearer to the plane of a face are its corners.
inline constexpr double hull_tolerance = 1e-6;

/// A hull about its centroid, in the axes of the file.
struct TracedHull {
  TracedVec3 centroid;          ///< in the file's coordinates, with the radius, m
  std::vector<Traced> numbers;  ///< as core has them (polyhedron.hpp)
  Traced radius;                ///< m
  Traced reach;                 ///< from the centroid to the furthest corner, m
  /// The least distance of a face from the corner that is furthest behind it, m; ClosedSurface::thickness if it is not
  /// convex.
  Traced width;
  Traced volume;                 ///< with the radius, m^3
  TracedVec3 moments, products;  ///< of inertia about the centroid for a density of 1: xx, yy, zz; xy, xz, yz
};
TracedHull traced_hull(const HullSpec& hull, Draw draw);

/// What canonical text calls it: "hull", "prism", "surface" or "mesh".
inline std::string hull_word(const ShapeSpec& shape) {
  return shape.is_prism ? "prism" : shape.is_surface ? "surface" : shape.is_mesh ? "mesh" : "hull";
}

/// The structure of the hull that the points have at `draw`. Throws std::invalid_argument as convex_hull() does.
HullStructure structure_of(const HullSpec& hull, Draw draw);

/// Makes the hull a surface, which need not be convex, with its structure. `where`: in the file.
void set_surface(const ClosedSurface& surface, const Location& where, HullSpec& hull);

/// The structure of a hull or surface as core has it (core/geometry/polyhedron.hpp). `corners`: of a hull that may be a
/// box, where they are in all samples. Throws std::invalid_argument where an edge has one face only.
std::vector<int> packed_structure(const HullStructure& hull, bool is_rounded, const std::vector<Vec3>& corners = {});

/// Its faces, with holes.
std::vector<SurfaceFace> faces_of(const HullStructure& structure);

/// A sample keeps the structure: the corners of every face lie in its plane, and its neighbours behind it. `path`: of
/// the hull.
void require_convex(const HullSpec& hull, const std::string& path, Draw draw, Requirements& require);

/// Integrals of 1, x and x x' over a solid.
struct Moments {
  Traced volume = 0;
  TracedVec3 first = TracedVec3::Zero();
  TracedMat3 second = TracedMat3::Zero();
};

/// Unit vectors out of the faces of a hull or surface with these corners.
std::vector<TracedVec3> face_normals(const HullStructure& structure, const std::vector<TracedVec3>& corners);

/// Of all points within `radius` of the hull. The origin is a point inside.
Moments moments_of(const HullStructure& structure, const std::vector<TracedVec3>& corners,
                   const std::vector<TracedVec3>& normals, const Traced& radius);

}  // namespace jostle

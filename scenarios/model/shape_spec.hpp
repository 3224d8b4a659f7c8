#pragma once
// The shapes of bodies, as the user wrote them and as reading has completed them.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/geometry/shape.hpp"
#include "scenarios/model/number.hpp"
#include "scenarios/model/placement.hpp"
#include "scenarios/parts/box_tree.hpp"

namespace jostle {

struct SphereSpec {
  Number radius;  ///< m
};
struct CapsuleSpec {
  Number length;  ///< between the centres of the caps, m
  Number radius;  ///< m
  Axis axis = Axis::z;
};
struct BoxSpec {
  Number size[3];  ///< full edges, m
};
struct CylinderSpec {
  Number length;  ///< m
  Number radius;  ///< m
  Axis axis = Axis::z;
};
/// A corner of an outline, and the edge that begins there.
struct OutlineCorner {
  Number at[2];         ///< m
  Number bulge;         ///< of an arc: the tangent of a quarter of its angle, above 0 if it runs counter-clockwise
  bool is_arc = false;  ///< a bulge is written
  Location where;

  /// Whether the edge is one; if that depends on variables, it is.
  bool is_round() const { return is_arc && (bulge.constant != 0 || !bulge.code.empty()); }
};
/// Those of a polygon, in the plane of the scene.
struct CornersSpec {
  std::vector<OutlineCorner> list;
};
inline constexpr std::size_t max_corners = 500;

/// A polygon, convex or not, with all points that are at most `radius` from it.
struct PolygonSpec {
  CornersSpec points;
  Number radius;                    ///< m
  Number thickness{1, {}, {}, {}};  ///< m: what a density counts on
  int axis = 1;                     ///< across the plane of the scene
  bool is_clockwise = false;        ///< the points are written clockwise

  bool has_arcs() const {
    return std::any_of(points.list.begin(), points.list.end(), [](const OutlineCorner& c) { return c.is_round(); });
  }
};
/// A point of a hull.
struct PointSpec {
  Number at[3];  ///< m
  Location where;
  std::size_t item = 0;  ///< in the list of the file
};
struct PointsSpec {
  std::vector<PointSpec> list;
};
inline constexpr std::size_t max_hull_points = 5000, max_hull_corners = 256, max_surface_corners = 50000;
/// Surfaces of more corners have a tree of boxes, and those of more than max_hull_corners do if they are convex.
inline constexpr std::size_t most_corners_without_tree = 128;

/// Numbers of corners, clockwise seen from outside.
struct FaceHole {
  std::size_t face = 0;
  std::vector<int> corners;
};

struct TracedHull;

/// What a hull has of corners and faces, in all samples. One that is not convex has a closed surface with that inside.
struct HullStructure {
  std::vector<int> corners;             ///< the points that are corners, in the order of the file
  std::vector<std::vector<int>> faces;  ///< numbers of corners, counter-clockwise seen from outside
  std::vector<int> packed;              ///< as core has it (polyhedron.hpp)
  bool is_convex = true;
  std::vector<FaceHole> holes;                    ///< of faces of one that is not convex
  int touching_corners = 0;                       ///< of one that is not convex, whose first corners these are
  std::set<std::pair<int, int>> concave_or_flat;  ///< its edges that touch nothing, the lower corner first
  double thickness = 0;                           ///< of it, m
  BoxTree tree;                                   ///< over the faces of one with many corners
  std::shared_ptr<const TracedHull> known;        ///< its numbers, which are the same in all samples
};

/// The convex hull of points, with all points that are at most `radius` from it.
struct HullSpec {
  PointsSpec points;
  Number radius;            ///< m
  HullStructure structure;  ///< follows from the points (check_hulls)
};

/// Those of a prism.
struct OutlineSpec {
  std::vector<OutlineCorner> list;
};

struct HolesSpec {
  std::vector<OutlineSpec> list;
};

/// An outline with holes that extends by half of `height` to both sides of its plane. If it is convex and has no holes,
/// all points that are at most `radius` from it belong to it. Once read it is also a hull.
struct PrismSpec {
  OutlineSpec points;  ///< [x, y], [y, z] for the axis x, [x, z] for the axis y
  HolesSpec holes;
  Number height;  ///< m
  Axis axis = Axis::z;
  double tolerance = 0;  ///< m, of facets from their arc; 0: not given
  Number radius;         ///< m
};

/// Faces by the numbers of their points, counter-clockwise seen from outside: an outline, then holes in it.
struct FacesSpec {
  std::vector<std::vector<std::vector<int>>> list;
};

/// The solid inside of a closed surface. Once read it is a hull, convex or not.
struct SurfaceSpec {
  PointsSpec points;
  FacesSpec faces;
};

/// What a surface of triangles stands for.
enum class MeshForm { hull, surface };

/// A part in a file. Once read it is a hull of its points, or a surface.
struct MeshSpec {
  std::string file;   ///< relative to the scenario
  PointsSpec points;  ///< in place of a file: the corners of its hull
  double scale = 1;   ///< m per unit of the file
  MeshForm form = MeshForm::hull;
  Number radius;  ///< m
  bool any_size = false;
};
struct HalfSpaceSpec {
  Number normal[3];  ///< need not be unit length
  Number offset;     ///< solid where n.x <= offset with n made unit, m
};

struct ShapeSpec {
  ShapeType type = ShapeType::sphere;
  SphereSpec sphere;  ///< `type` selects one of these
  CapsuleSpec capsule;
  BoxSpec box;
  CylinderSpec cylinder;
  PolygonSpec polygon;
  HullSpec hull;
  PrismSpec prism;
  bool is_prism = false;  ///< the hull is that of the prism
  SurfaceSpec surface;
  bool is_surface = false;  ///< the hull is that of the surface
  MeshSpec mesh;
  bool is_mesh = false;  ///< while it is read, and where a random radius is named so: the hull is that of the mesh
  HalfSpaceSpec half_space;
  bool has_density = false;
  Number density;      ///< kg/m^3
  Number position[3];  ///< in the body, m
  RotationSpec rotation;
  PatternSpec pattern;
  int item = 0;           ///< its number in the pattern
  bool display = false;   ///< it is drawn and has no other effect
  std::size_t place = 0;  ///< in the list of the file
  Location where;
};

}  // namespace jostle

#pragma once
// Cores: what a shape in space has of corners, edges and faces. The shape is the set of points within a radius
// of its core. A sphere has a core of one corner, a capsule of two and an edge between them, a box has 8, 12 and 6; a
// hull has what its structure says. All of it is in the axes of the shape, from its position.
//
// A hull need not be convex: then it is the solid inside of a closed surface, whose faces are polygons with holes or
// without. Of its corners and edges only the convex ones touch anything, and they come before the others.
//
// The numbers of a hull, PlacedShape::corner: three of each corner, then four of each face, its outward normal and its
// height above the position, then six of each node of its tree (face_tree.hpp). Its structure, of F faces, E edges and
// N nodes (HullStructure makes it):
//
//     F, E, whether it is rounded, how many corners touch, how many edges touch, whether it is convex, N, whether it
//                  is a box that is not rounded, with its edges along the axes
//     E times      the corners that the edge leads from and to, the faces left and right of it, seen from outside
//     F + 1        where the edges of each face begin in the list that follows, and where they end
//     2 E          these edges
//     V + 1, 2 E   the same for the edges at each corner
//
// and, if N > 0, with the order in which a walk through the tree comes to faces, and so to the corners and edges that
// belong to them (face_tree.hpp):
//
//     N + 1 times  the node that follows those below it; where its faces begin in the list that follows, and how many
//                  it has, if it has no nodes below it; where its corners and its edges begin in the lists after that.
//                  The last one, which is none, has where these end
//     F, .., E     the faces, corners and edges
//
// or, of a box, the corners, faces and edges in the order of box_features.hpp (box_as_hull.hpp).
#include "core/geometry/box_features.hpp"
#include "core/math/rotation.hpp"

namespace jostle {

/// What the array of structures has before the edges of a hull.
inline constexpr int structure_header = 8;

/// How many of each a core has, and how many of them are convex: these touch other shapes.
struct CoreCounts {
  int corners = 0, edges = 0, faces = 0;
  int touching_corners = corners, touching_edges = edges;
  bool is_convex = true;
  int nodes = 0;  ///< of its tree; 0: it has none
};
/// `corners` and `structure`: of a hull.
JOSTLE_HD constexpr CoreCounts core_counts(ShapeType type, int corners, const int* structure) {
  if (type == ShapeType::sphere) return {1, 0, 0};
  if (type == ShapeType::capsule) return {2, 1, 0};
  if (type == ShapeType::box) return {box_corners, box_edges, box_faces};
  return {corners, structure[1], structure[0], structure[3], structure[4], structure[5] != 0, structure[6]};
}

/// Whether a shape has a radius that could be above 0.
JOSTLE_HD constexpr bool is_rounded(ShapeType type, const int* structure) {
  return type == ShapeType::hull ? structure[2] != 0 : type != ShapeType::box;
}

/// Whether a shape is a box, written as one or as a hull with its edges along the axes and no radius.
JOSTLE_HD constexpr bool is_box(ShapeType type, const int* structure) {
  return type == ShapeType::box || (type == ShapeType::hull && structure[7] != 0);
}

/// Whether contacts with a shape may be other than the corners of a convex polygon.
JOSTLE_HD inline bool may_be_concave(const PlacedShape& shape) {
  return shape.type == ShapeType::polygon ||
         (shape.type == ShapeType::hull && !core_counts(shape.type, shape.corners, shape.structure).is_convex);
}

/// A corner of a hull, in its axes, m.
JOSTLE_HD inline Vec3 hull_corner(const PlacedShape& hull, int i) {
  const double* const x = hull.corner + 3 * i;
  return {x[0], x[1], x[2]};
}
/// A point of the axes of a shape in those of the world, m.
JOSTLE_HD inline Vec3 to_world(const PlacedShape& shape, const Vec3& x) {
  return shape.position + x[0] * shape.axes.col(0) + x[1] * shape.axes.col(1) + x[2] * shape.axes.col(2);
}

struct PolyhedronEdge {
  int from, to, left, right;  ///< corners and faces; no_face if there is none
};

class Polyhedron : public CoreCounts {
 public:
  JOSTLE_HD explicit Polyhedron(const PlacedShape& placed)
      : CoreCounts(core_counts(placed.type, placed.corners, placed.structure)), shape(placed) {
    if (placed.type != ShapeType::box) radius = placed.size[0];
    if (placed.type != ShapeType::hull) return;
    planes_ = placed.corner + 3 * corners;
    edge_ = placed.structure + structure_header;
    of_face_ = edge_ + 4 * edges;
    at_corner_ = of_face_ + faces + 1 + 2 * edges;
    node_ = at_corner_ + corners + 1 + 2 * edges;
  }

  const PlacedShape& shape;
  double radius = 0;  ///< m

  JOSTLE_HD JOSTLE_OUTLINE Vec3 corner(int i) const {
    if (planes_) return hull_corner(shape, i);
    if (shape.type == ShapeType::sphere) return Vec3::Zero();
    if (shape.type == ShapeType::capsule) return {0, 0, side(i) * shape.size[1]};
    return {side(i & 1) * shape.size[0], side(i & 2) * shape.size[1], side(i & 4) * shape.size[2]};
  }
  JOSTLE_HD Vec3 normal(int face) const {
    if (planes_) return vector(planes_ + 4 * face);
    return {face / 2 == 0 ? side(face & 1) : 0, face / 2 == 1 ? side(face & 1) : 0, face / 2 == 2 ? side(face & 1) : 0};
  }
  /// Of a face above the position, m.
  JOSTLE_HD double face_offset(int face) const {
    return planes_ ? planes_[4 * face + 3] : component(shape.size, face / 2);
  }
  /// Of a point above a face, m.
  JOSTLE_HD double height(int face, const Vec3& x) const { return dot(normal(face), x) - face_offset(face); }

  JOSTLE_HD JOSTLE_OUTLINE PolyhedronEdge edge(int e) const {
    if (planes_) return {edge_[4 * e], edge_[4 * e + 1], edge_[4 * e + 2], edge_[4 * e + 3]};
    if (shape.type == ShapeType::capsule) return {0, 1, no_face, no_face};
    const int axis = e / 4, next = axis_after(axis, 1), last = axis_after(axis, 2), high = e & 1, far = e >> 1 & 1;
    const int from = (high << next) + (far << last), across_next = 2 * next + high, across_last = 2 * last + far;
    const bool next_is_left = high == far;
    return {from, from + (1 << axis), next_is_left ? across_next : across_last,
            next_is_left ? across_last : across_next};
  }

  /// visit(edge) for the edges of a face.
  JOSTLE_HD void for_each_edge_of(int face, auto visit) const {
    const int count = planes_ ? of_face_[face + 1] - of_face_[face] : 4;
    for (int k = 0; k < count; ++k) visit(edge_of(face, k));  // called in one place, `visit` exists once
  }
  /// visit(edge) for the edges at a corner.
  JOSTLE_HD void for_each_edge_at(int i, auto visit) const {
    const int count = planes_                            ? at_corner_[i + 1] - at_corner_[i]
                      : shape.type == ShapeType::capsule ? 1
                      : shape.type == ShapeType::box     ? 3
                                                         : 0;
    for (int k = 0; k < count; ++k) visit(edge_at(i, k));
  }

  /// A node of the tree: the box of its faces, the node after those below it, and its faces, if it has no nodes below.
  struct Node {
    Vec3 middle, half;
    int after, first, count;
  };
  JOSTLE_HD Node node(int i) const {
    const double* const box = planes_ + 4 * faces + 6 * i;
    const int* const at = node_ + numbers_of_node * i;
    return {vector(box), vector(box + 3), at[0], at[1], at[2]};
  }
  /// Of a box that is a hull: the numbers of its corners, faces and edges.
  JOSTLE_HD const int* numbers_of_box() const { return node_; }

  /// Of the faces, corners and edges in the order of the tree. Those of a node are the ones from its first up to the
  /// first of the node after it.
  JOSTLE_HD int face_in_tree(int k) const { return node_[numbers_of_node * (nodes + 1) + k]; }
  JOSTLE_HD int first_corner(int node) const { return node_[numbers_of_node * node + 3]; }
  JOSTLE_HD int corner_in_tree(int k) const { return node_[numbers_of_node * (nodes + 1) + faces + k]; }
  JOSTLE_HD int first_edge(int node) const { return node_[numbers_of_node * node + 4]; }
  JOSTLE_HD int edge_in_tree(int k) const {
    return node_[numbers_of_node * (nodes + 1) + faces + first_corner(nodes) + k];
  }

  JOSTLE_HD JOSTLE_OUTLINE Vec3 along(const PolyhedronEdge& e) const { return corner(e.to) - corner(e.from); }
  /// Sum of the outward normals of its two faces.
  JOSTLE_HD Vec3 outward(const PolyhedronEdge& e) const {
    return e.left == no_face ? Vec3(Vec3::Zero()) : Vec3(normal(e.left) + normal(e.right));
  }

  /// In the axes of the world.
  JOSTLE_HD Vec3 in_world(const Vec3& direction) const {
    return direction[0] * shape.axes.col(0) + direction[1] * shape.axes.col(1) + direction[2] * shape.axes.col(2);
  }
  JOSTLE_HD Vec3 corner_in_world(int i) const { return to_world(shape, corner(i)); }

  /// Is a point over a face of a convex core, or within `border_width` (m) of where it is?
  JOSTLE_HD JOSTLE_OUTLINE bool is_over(int face, const Vec3& x, double border_width) const {
    const Vec3 m = normal(face);
    bool over = true;
    for_each_edge_of(face, [&](int number) {
      const PolyhedronEdge e = edge(number);
      const Vec3 p = corner(e.from), d = corner(e.to) - p;
      const Vec3 inward = e.left == face ? cross(m, d) : cross(d, m);
      over = over && dot(inward, x - p) >= -border_width * std::sqrt(dot(d, d));
    });
    return over;
  }

  /// How far a face reaches from one of its edges, m.
  JOSTLE_HD JOSTLE_OUTLINE double width_from(int face, const PolyhedronEdge& from) const {
    const Vec3 p = corner(from.from), d = unit_or(along(from), Vec3(1, 0, 0)), m = normal(face);
    const Vec3 inward = from.left == face ? cross(m, d) : cross(d, m);
    double width = 0;
    for_each_edge_of(face, [&](int number) {
      const double far = dot(inward, corner(edge(number).from) - p), near = dot(inward, corner(edge(number).to) - p);
      width = far > width ? far : width;
      width = near > width ? near : width;
    });
    return width;
  }

 private:
  static constexpr int numbers_of_node = 5;

  JOSTLE_HD int edge_of(int face, int k) const {
    if (planes_) return of_face_[faces + 1 + of_face_[face] + k];
    const int high = face & 1, far = k / 2;
    return k % 2 == 0 ? 4 * axis_after(face / 2, 1) + far + 2 * high : 4 * axis_after(face / 2, 2) + high + 2 * far;
  }
  JOSTLE_HD int edge_at(int i, int k) const {
    if (planes_) return at_corner_[corners + 1 + at_corner_[i] + k];
    if (shape.type == ShapeType::capsule) return 0;
    return 4 * k + (i >> axis_after(k, 1) & 1) + 2 * (i >> axis_after(k, 2) & 1);
  }

  JOSTLE_HD static Vec3 vector(const double* at) { return {at[0], at[1], at[2]}; }

  const double* planes_ = nullptr;  ///< of a hull
  const int *edge_ = nullptr, *of_face_ = nullptr, *at_corner_ = nullptr, *node_ = nullptr;
};

/// One core in the axes of another one.
struct CoreSeenFrom {
  const Polyhedron& own;
  Vec3 middle;
  Mat3 turn;

  JOSTLE_HD CoreSeenFrom(const Polyhedron& core, const Polyhedron& other)
      : own(core), middle(to_local(other.shape, core.shape.position)) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) turn(i, j) = dot(other.shape.axes.col(i), core.shape.axes.col(j));
  }

  JOSTLE_HD Vec3 turned(const Vec3& direction) const { return rotate(turn, direction); }
  JOSTLE_HD Vec3 turned_back(const Vec3& direction) const { return rotate_back(turn, direction); }
  JOSTLE_HD Vec3 corner(int i) const { return middle + turned(own.corner(i)); }
};

/// The part of a core that a point is nearest to.
struct NearestPart {
  enum class Kind { inside, face, edge, corner };
  Kind kind = Kind::inside;
  int number = 0;
  Vec3 away = Vec3::Zero();  ///< from an edge or corner to the point, m
};

/// Faces and edges are widened by the border.
JOSTLE_HD JOSTLE_OUTLINE inline NearestPart nearest_part(const Polyhedron& core, const Vec3& x, double border_width) {
  bool inside = core.faces > 0;
  for (int f = 0; f < core.faces; ++f) {
    if (!(core.height(f, x) > border_width)) continue;
    if (core.is_over(f, x, border_width)) return {NearestPart::Kind::face, f};
    inside = false;
  }
  if (inside) return {};
  NearestPart nearest{NearestPart::Kind::corner, 0, x - core.corner(0)};
  double squared = infinity();
  for (int e = 0; e < core.edges; ++e) {
    const PolyhedronEdge ends = core.edge(e);
    const Vec3 p = core.corner(ends.from), d = core.corner(ends.to) - p, from_p = x - p;
    const double length = std::sqrt(dot(d, d)), at = dot(from_p, d) / length;
    const double clamped = at < 0 ? 0.0 : at > length ? length : at;
    const Vec3 away = from_p - clamped / length * d;
    if (!(dot(away, away) < squared)) continue;
    squared = dot(away, away);
    if (at >= -border_width && at <= length + border_width)
      nearest = {NearestPart::Kind::edge, e, from_p - at / length * d};
    else
      nearest = {NearestPart::Kind::corner, at < 0 ? ends.from : ends.to, away};
  }
  return nearest;
}

}  // namespace jostle

#pragma once
// The corners, edges and faces of a box, and which of them a point belongs to.
//
//     corner c    bit k set: high along axis k
//     edge   e    along axis e / 4; bit 0 and bit 1: high along the next two axes in cyclic order
//     face   f    across axis f / 2; bit 0: the high one
#include "core/geometry/candidates.hpp"
#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/lines.hpp"
#include "core/geometry/round_pairs.hpp"

namespace jostle {

inline constexpr int box_corners = 8, box_edges = 12, box_faces = 6;

/// The axis `steps` (1 or 2) after `axis`, in cyclic order.
JOSTLE_HD constexpr int axis_after(int axis, int steps) { return (axis + steps) % 3; }

/// Outward normal, world.
JOSTLE_HD inline Vec3 face_normal(const PlacedShape& box, int face) { return side(face & 1) * box.axes.col(face / 2); }

/// Height of x above the plane of a face, m.
JOSTLE_HD inline double face_height(const PlacedShape& box, int face, const Vec3& x) {
  return dot(face_normal(box, face), x - box.position) - box.size[face / 2];
}

/// An edge in the world: middle + [-half_length, half_length] direction.
struct BoxEdge {
  Vec3 middle;
  Vec3 direction;
  double half_length;
  Vec3 outward;  ///< sum of the outward normals of its two faces
};

JOSTLE_HD inline BoxEdge box_edge(const PlacedShape& box, int edge) {
  const int axis = edge / 4, next = axis_after(axis, 1), last = axis_after(axis, 2);
  const Vec3 first = side(edge & 1) * box.axes.col(next);
  const Vec3 second = side(edge & 2) * box.axes.col(last);
  const Vec3 middle = box.position + box.size[next] * first + box.size[last] * second;
  return {middle, box.axes.col(axis), box.size[axis], first + second};
}

/// Height above the plane of a face of a point in the box's own frame, m.
JOSTLE_HD inline double local_face_height(const Vec3& x, const Vec3& half_edges, int face) {
  return side(face & 1) * component(x, face / 2) - component(half_edges, face / 2);
}

/// The point of the edge's line closest to x.
JOSTLE_HD inline Vec3 across(const BoxEdge& edge, const Vec3& x) {
  return edge.middle + dot(x - edge.middle, edge.direction) * edge.direction;
}

/// Squared distance of a point x, in the box's own frame, from the box; 0 inside, m^2.
JOSTLE_HD inline double squared_box_distance(const Vec3& x, const Vec3& half_edges) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double beyond = std::fabs(x[k]) - half_edges[k];
    if (beyond > 0) squared += beyond * beyond;
  }
  return squared;
}

/// A ball of shape a on a face of box b.
JOSTLE_HD inline ContactGeometry ball_on_face(const Vec3& centre, double radius, const PlacedShape& box, int face) {
  const Vec3 m = face_normal(box, face);
  const double height = face_height(box, face, centre);
  return {height - radius, -m, centre - radius * m, centre - height * m};
}

/// The side of a capsule or cylinder across an edge; parallel to it, the middle of the axis.
JOSTLE_HD inline ContactGeometry side_across_edge(const PlacedShape& rod, const BoxEdge& edge) {
  const Vec3 u = rod.axes.col(2);
  const LineCrossing crossing = cross_lines(edge.middle - rod.position, u, edge.direction);
  const Vec3 x = rod.position + crossing.along_u * u;
  const Vec3 y = edge.middle + crossing.along_v * edge.direction;
  // Parallel lines have one perpendicular through both; else the cross product, which has no kink at x = y.
  const Vec3 inward = unit_or(-edge.outward, u);
  Vec3 n = crossing.parallel() ? unit_or(y - x, inward) : unit_or(crossing.cross, inward);
  if (dot(n, edge.outward) > 0) n = -n;
  const double gap = dot(y - x, n) - rod.size[0];
  const Vec3 point_a = x + rod.size[0] * n;
  return {gap, n, point_a, point_a + gap * n};
}

/// Which part of a box lies under a point in the box's own frame: along each axis the point is beyond the low side
/// (-1), within the two sides widened by `edge` (0), or beyond the high side (1).
struct BoxRegion {
  int beyond[3];

  JOSTLE_HD BoxRegion(const Vec3& x, const Vec3& half_edges, double edge) {
    for (int k = 0; k < 3; ++k) beyond[k] = int{x[k] > half_edges[k] + edge} - int{x[k] < -(half_edges[k] + edge)};
  }

  /// 0: inside, 1: a face, 2: an edge, 3: a corner.
  JOSTLE_HD int dimensions_beyond() const {
    return beyond[0] * beyond[0] + beyond[1] * beyond[1] + beyond[2] * beyond[2];
  }

  JOSTLE_HD int corner() const { return (beyond[0] > 0) + 2 * (beyond[1] > 0) + 4 * (beyond[2] > 0); }

  /// The edge, where dimensions_beyond() == 2.
  JOSTLE_HD int edge() const {
    const int axis = beyond[0] == 0 ? 0 : (beyond[1] == 0 ? 1 : 2);
    return 4 * axis + (component(beyond, axis_after(axis, 1)) > 0) + 2 * (component(beyond, axis_after(axis, 2)) > 0);
  }

  /// The face, where dimensions_beyond() == 1.
  JOSTLE_HD int face() const {
    const int axis = beyond[0] != 0 ? 0 : (beyond[1] != 0 ? 1 : 2);
    return 2 * axis + (component(beyond, axis) > 0);
  }
};

inline constexpr int no_face = -1;

/// The face that a point touches: the face that it lies above or, from inside, the face with the greatest
/// separation(face) among those for which faces(face) holds. The point is an end of a shape: `faces` tells whether the
/// shape comes from that side, `separation` how far it is from the plane of the face (negative: how far it reaches
/// below it), m. no_face if there is none.
template <class Faces, class Separation>
JOSTLE_HD inline int touched_face(const BoxRegion& region, Faces faces, Separation separation) {
  const int beyond = region.dimensions_beyond();
  if (beyond > 1) return no_face;
  if (beyond == 1) return faces(region.face()) ? region.face() : no_face;
  int touched = no_face;
  double greatest = 0;
  for (int face = 0; face < box_faces; ++face) {
    const double apart = separation(face);
    if ((touched != no_face && !(apart > greatest)) || !faces(face)) continue;
    touched = face;
    greatest = apart;
  }
  return touched;
}

}  // namespace jostle

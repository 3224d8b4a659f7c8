#pragma once
// Whether cores are in each other by more than their features tell: an edge of one goes through a face of the other.
#include "core/geometry/near_other.hpp"
#include "core/geometry/surface.hpp"

namespace jostle {

namespace detail {

/// Whether the line from p to q, which goes through a face at x, does so more than `depth` (m) from its ends and from
/// the convex edges of the face, across which it would come out.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline bool passes_deep(const Polyhedron& core, int face, const Vec3& p,
                                                               const Vec3& q, const Vec3& x, double depth) {
  const double least = depth * depth;
  if (dot(x - p, x - p) <= least || dot(x - q, x - q) <= least) return false;
  const Vec3 along = q - p;
  const double length = std::sqrt(dot(along, along));
  bool is_deep = true;
  core.for_each_edge_of(face, [&](int number) {
    if (!is_deep || number >= core.touching_edges) return;
    const PolyhedronEdge edge = core.edge(number);
    const Vec3 from = core.corner(edge.from), own = core.along(edge);
    const double own_length = std::sqrt(dot(own, own));
    is_deep = squared_segment_distance(p + 0.5 * along, along / length, 0.5 * length, from + 0.5 * own,
                                       own / own_length, 0.5 * own_length) > least;
  });
  return is_deep;
}

/// Whether an edge of `seen` goes so deep through a face of the other core, with an end that is more than `depth` (m)
/// under it. `seen_back`: the other one, from the first.
JOSTLE_HD JOSTLE_OUTLINE inline bool has_passing_edge(const CoreSeenFrom& seen, const CoreSeenFrom& seen_back,
                                                      double depth) {
  const Polyhedron &own = seen.own, &other = seen_back.own;
  if (own.edges == 0 || other.faces == 0) return false;
  bool found = false;
  NearOther near(seen_back, 0);
  for_each_edge_near(own, near, 0, own.edges, [&](int e) {
    const PolyhedronEdge ends = own.edge(e);
    if (found) return;
    if (own.nodes == 0 && !near.meets(NearBox::about(own.corner(ends.from), own.corner(ends.to), 0))) return;
    const Vec3 p = seen.corner(ends.from), q = seen.corner(ends.to);
    for_each_face_near(other, NearSegment(p, q, 0), [&](int f) {
      const double at_p = other.height(f, p), at_q = other.height(f, q);
      const bool goes_through = (at_p < -depth && at_q > least_overlap) || (at_p > least_overlap && at_q < -depth);
      if (found || !goes_through) return;
      const Vec3 x = p + at_p / (at_p - at_q) * Vec3(q - p);
      found = covers(other, f, x, 0) && passes_deep(other, f, p, q, x, depth);
    });
  });
  return found;
}

}  // namespace detail

/// Whether an edge of one core goes through a face of the other one more than `depth` (m) deep. Far cheaper than the
/// distance (surface_distance.hpp), which is less than -depth where this is so.
JOSTLE_HD inline bool have_passing_edges(const Polyhedron& a, const Polyhedron& b, double depth) {
  const CoreSeenFrom a_from_b(a, b), b_from_a(b, a);
  return detail::has_passing_edge(a_from_b, b_from_a, depth) || detail::has_passing_edge(b_from_a, a_from_b, depth);
}

/// Whether a convex edge of a core goes through a cylinder, more than `depth` (m) from its side and its caps.
JOSTLE_HD JOSTLE_OUTLINE inline bool has_edge_in_cylinder(const Polyhedron& core, const PlacedShape& cylinder,
                                                          double depth) {
  const double radius = cylinder.size[0] - depth, half = cylinder.size[1] - depth;
  if (!(radius > 0 && half > 0)) return false;
  bool found = false;
  const NearBall near{to_local(core.shape, cylinder.position), bounding_radius(cylinder)};
  for_each_edge_near(core, near, 0, core.touching_edges, [&](int e) {
    if (found) return;
    const PolyhedronEdge ends = core.edge(e);
    const Vec3 p = to_local(cylinder, core.corner_in_world(ends.from)),
               d = to_local(cylinder, core.corner_in_world(ends.to)) - p;
    double first = 0, last = 1;  // of the edge between the caps
    for (const double side : {-1.0, 1.0}) {
      const double above = side * p[2] - half, rise = side * d[2];
      if (above > 0 && !(rise < 0)) return;
      const double at = rise != 0 ? -above / rise : 0.0;
      if (rise > 0 && at < last) last = at;
      if (rise < 0 && at > first) first = at;
    }
    if (!(first <= last)) return;
    const double squared = d[0] * d[0] + d[1] * d[1], nearest = -(p[0] * d[0] + p[1] * d[1]);
    double at = squared > 0 ? nearest / squared : first;
    at = at < first ? first : at > last ? last : at;
    const double x = p[0] + at * d[0], y = p[1] + at * d[1];
    found = x * x + y * y < radius * radius;
  });
  return found;
}

}  // namespace jostle

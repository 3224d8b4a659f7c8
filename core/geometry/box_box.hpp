#pragma once
// Two boxes. Their feature pairs are
//
//     0..47     corner p of a on face f of b: 6 p + f        Phi = height of the corner above the face
//     48..95    corner p of b on face f of a: 48 + 6 p + f
//     96..239   edge d of a across edge e of b: 96 + 12 d + e   Phi = n . (e - d), n = +-(d x e)
//
// For boxes that touch, the patch they share is a polygon whose corners are exactly these: corners of
// one inside the other's face, and edges that cross. Which of them are candidates (all three rules are
// widened so that what will touch when the boxes come to lie flat is in already):
//
//   * projections overlap: a corner is over the face's rectangle widened by the border; edges cross inside both,
//     narrowed by the border. So flush edges count once, as corners; and of two corners that
//     coincide, a's stands for both.
//   * they face each other: no edge leads from the corner towards the face at more than 30 degrees, and
//     n deviates from the arc between the normals of the two faces of an edge by no more than that.
//     A corner inside the other box counts for the face along which the boxes overlap least, of those that it faces.
//   * no ghosts: a pair is not deeper than the boxes themselves overlap (box_separation.hpp).
//
// Edges parallel to 1e-6 never cross; the corners at their ends carry such a contact.
#include "core/geometry/box_separation.hpp"

namespace jostle {

struct BoxBox {
  static constexpr int b_on_a = box_corners * box_faces;
  static constexpr int edges_cross = 2 * b_on_a;
  static constexpr int features = edges_cross + box_edges * box_edges;

  /// Parallel edges: the middle of a's and the point of b's across from it.
  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    if (feature < b_on_a) return ball_on_face(box_corner(a, feature / box_faces), 0, b, feature % box_faces);
    if (feature < edges_cross) {
      const ContactGeometry c = ball_on_face(box_corner(b, (feature - b_on_a) / box_faces), 0, a, feature % box_faces);
      return {c.gap, -c.normal, c.point_b, c.point_a};
    }
    const int pair = feature - edges_cross;
    return edge_contact(box_edge(a, pair / box_edges), box_edge(b, pair % box_edges));
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, Real margin) {
    FeatureSet set;
    if (far_apart(a, b, margin)) return set;
    const BoxPair boxes(a, b);
    if (boxes.separation_along_faces() > margin) return set;
    const Real overlap = boxes.separation();
    if (overlap > margin) return set;
    const Real edge = border * (bounding_radius(a) + bounding_radius(b));
    const Bounds bounds{overlap - ghost_share * std::fabs(overlap) - edge, margin, edge};

    unsigned covered = 0;  // corners of b where a corner of a is a candidate already
    insert_corners(boxes.half_a, boxes.c, boxes.a_in_b, boxes.half_b, bounds, [&](int corner, int face, const Vec3& x) {
      set.insert(box_faces * corner + face);
      if (over_a_corner(x, boxes.half_b, face, edge)) covered |= 1U << corner_under(x, face);
    });
    insert_corners(boxes.half_b, boxes.c.transpose(), boxes.b_in_a, boxes.half_a, bounds,
                   [&](int corner, int face, const Vec3&) {
                     if (!((covered >> corner) & 1U)) set.insert(b_on_a + box_faces * corner + face);
                   });
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) insert_edges(set, a, b, boxes, i, j, bounds);
    return set;
  }

  JOSTLE_HD static Real distance(const PlacedShape& a, const PlacedShape& b) {
    const BoxPair boxes(a, b);
    const Real overlap = boxes.separation();
    if (overlap <= 0) return overlap;
    Real squared = squared_box_distance(to_local(b, box_corner(a, 0)), b.size);
    const auto keep_less = [&](Real other) {
      if (other < squared) squared = other;
    };
    for (int corner = 0; corner < box_corners; ++corner) {
      keep_less(squared_box_distance(to_local(b, box_corner(a, corner)), b.size));
      keep_less(squared_box_distance(to_local(a, box_corner(b, corner)), a.size));
    }
    for (int d = 0; d < box_edges; ++d) {
      const BoxEdge of_a = box_edge(a, d);
      for (int e = 0; e < box_edges; ++e) {
        const BoxEdge of_b = box_edge(b, e);
        keep_less(squared_segment_distance(of_a.middle, of_a.direction, of_a.half_length, of_b.middle, of_b.direction,
                                           of_b.half_length));
      }
    }
    return std::sqrt(squared);
  }

 private:
  /// Gaps between which a feature pair is a candidate, and the width of the border, m.
  struct Bounds {
    Real lowest, highest, edge;
  };

  static constexpr Real ghost_share = 0.01;  ///< how much deeper than the boxes a slightly tilted pair may be

  JOSTLE_HD static ContactGeometry edge_contact(const BoxEdge& a, const BoxEdge& b) {
    const LineCrossing crossing = cross_lines(b.middle - a.middle, a.direction, b.direction);
    const Vec3 x = a.middle + crossing.along_u * a.direction;
    const Vec3 y = b.middle + crossing.along_v * b.direction;
    const Vec3 outwards = a.outward - b.outward;
    Vec3 n = crossing.parallel() ? unit_or(y - x, unit_or(a.outward, a.direction))
                                 : unit_or(crossing.cross, a.direction);
    if (dot(n, outwards) < 0) n = -n;
    const Real gap = dot(y - x, n);
    return {gap, n, x, x + gap * n};
  }

  /// Calls accept(corner, face, x) for every corner of a box that is a candidate on another box; axes(i, k) is axis i of
  /// the first along axis k of the other, x and centre are in the frame of the other.
  template <class Accept>
  JOSTLE_HD static void insert_corners(const Vec3& half, const Mat3& axes, const Vec3& centre, const Vec3& other_half,
                                       const Bounds& bounds, Accept accept) {
    Real reach[3] = {0, 0, 0};  // from the centre to the furthest corner along an axis of the other box
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) reach[k] += half[i] * std::fabs(axes(i, k));
    for (int corner = 0; corner < box_corners; ++corner) {
      const Real sides[3] = {side(corner & 1), side(corner & 2), side(corner & 4)};
      Vec3 x = centre;
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) x[k] += sides[i] * half[i] * axes(i, k);
      const auto faces = [&](int face) {
        bool away = true;  // every edge leads away from the face, or nearly so
        for (int i = 0; i < 3; ++i) away = away && sides[i] * side(face & 1) * axes(i, face / 2) <= nearing_limit;
        return away;
      };
      const auto separation = [&](int face) { return local_face_height(centre, other_half, face) - reach[face / 2]; };
      const int face = touched_face(x, other_half, bounds.edge, faces, separation);
      if (face == no_face) continue;
      const Real gap = local_face_height(x, other_half, face);
      if (gap >= bounds.lowest && gap <= bounds.highest) accept(corner, face, x);
    }
  }

  /// Does x, over a face, lie over one of its corners to within the border?
  JOSTLE_HD static bool over_a_corner(const Vec3& x, const Vec3& half, int face, Real edge) {
    const int k = axis_after(face / 2, 1), l = axis_after(face / 2, 2);
    return std::fabs(std::fabs(x[k]) - half[k]) <= edge && std::fabs(std::fabs(x[l]) - half[l]) <= edge;
  }

  JOSTLE_HD static int corner_under(const Vec3& x, int face) {
    int corner = 0;
    for (int k = 0; k < 3; ++k)
      if (k == face / 2 ? (face & 1) != 0 : x[k] > 0) corner |= 1 << k;
    return corner;
  }

  /// The crossings of the edges along axis i of a with those along axis j of b.
  JOSTLE_HD static void insert_edges(FeatureSet& set, const PlacedShape& a, const PlacedShape& b, const BoxPair& boxes,
                                     int i, int j, const Bounds& bounds) {
    const BoxPair::EdgeAxis n = boxes.edge_axis(i, j);
    if (!(n.sine > parallel_sine)) return;
    const int k = axis_after(i, 1), l = axis_after(i, 2), b_k = axis_after(j, 1), b_l = axis_after(j, 2);
    for (int d = 0; d < 4; ++d) {
      const Real a_next = side(d & 1) * n.a_next, a_last = side(d & 2) * n.a_last;
      for (int e = 0; e < 4; ++e) {
        const Real b_next = side(e & 1) * n.b_next, b_last = side(e & 2) * n.b_last;
        // The axis or its opposite: the one that leads out of a and into b.
        const Real sign = a_next + a_last - b_next - b_last >= 0 ? 1 : -1;
        if (sign * a_next < -nearing_limit || sign * a_last < -nearing_limit) continue;
        if (sign * b_next > nearing_limit || sign * b_last > nearing_limit) continue;
        const Real edge_a = boxes.half_a[k] * a_next + boxes.half_a[l] * a_last;
        const Real edge_b = boxes.half_b[b_k] * b_next + boxes.half_b[b_l] * b_last;
        const Real gap = sign * (n.centres + edge_b - edge_a);
        if (gap < bounds.lowest || gap > bounds.highest) continue;
        if (cross_inside(box_edge(a, 4 * i + d), box_edge(b, 4 * j + e), bounds.edge))
          set.insert(edges_cross + box_edges * (4 * i + d) + 4 * j + e);
      }
    }
  }

  JOSTLE_HD static bool cross_inside(const BoxEdge& a, const BoxEdge& b, Real edge) {
    const LineCrossing crossing = cross_lines(b.middle - a.middle, a.direction, b.direction);
    return !crossing.parallel() && std::fabs(crossing.along_u) <= a.half_length - edge &&
           std::fabs(crossing.along_v) <= b.half_length - edge;
  }
};

}  // namespace jostle

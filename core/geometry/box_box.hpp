#pragma once
// Two boxes. Their feature pairs are
//
//     0..47     corner p of a on face f of b: 6 p + f        Phi = height of the corner above the face
//     48..95    corner p of b on face f of a: 48 + 6 p + f
//     96..239   edge d of a across edge e of b: 96 + 12 d + e   Phi = n . (e - d), n = +-(d x e)
//
// For boxes that touch, the patch they share is a polygon whose corners are exactly these: corners of one inside the
// other's face, and edges that cross. The candidates among them (every rule is widened, so that pairs that will touch
// when the boxes come to lie flat are already included):
//
//   * projections overlap: a corner is over the face's rectangle widened by the border; edges cross
//     inside both. A crossing at the end of an edge, to within the border, is left to the corner there,
//     provided that n is the other box's face normal (else that corner has no face); and of two corners
//     that coincide, a's stands for both. So flush boxes have four contacts.
//   * they face each other: the corner is the end of its box that lies furthest along n, and the edge
//     likewise, or nearly so (CandidateBounds). A corner inside the other box counts for one face: of
//     those that it faces, the one along which the boxes overlap least.
//   * no ghosts: a pair is not deeper than the boxes themselves overlap (box_separation.hpp).
//
// Edges parallel to 1e-6 never cross; the corners at their ends carry such a contact.
#include "core/geometry/box_separation.hpp"

namespace jostle {

struct BoxBox {
  static constexpr int b_on_a = box_corners * box_faces;
  static constexpr int edges_cross = 2 * b_on_a;
  static constexpr int features = edges_cross + box_edges * box_edges;

  /// Parallel edges: the midpoint of a's and the point of b's closest to it.
  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    if (feature < b_on_a) return ball_on_face(box_corner(a, feature / box_faces), 0, b, feature % box_faces);
    if (feature < edges_cross)
      return swapped(ball_on_face(box_corner(b, (feature - b_on_a) / box_faces), 0, a, feature % box_faces));
    const int pair = feature - edges_cross;
    return edge_contact(box_edge(a, pair / box_edges), box_edge(b, pair % box_edges));
  }

  JOSTLE_HD JOSTLE_OUTLINE static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (far_apart(a, b, margin)) return set;
    const BoxPair boxes(a, b);
    if (boxes.separation_along_faces() > margin) return set;
    const double overlap = boxes.separation();
    if (overlap > margin) return set;
    const double edge = border * (bounding_radius(a) + bounding_radius(b));
    const CandidateBounds bounds(overlap, margin, edge);

    unsigned covered = 0;  // corners of b where a corner of a is a candidate already
    insert_corners(boxes.half_a, boxes.c, boxes.a_in_b, boxes.half_b, bounds, [&](int corner, int face, const Vec3& x) {
      set.insert(box_faces * corner + face);
      if (over_a_corner(x, boxes.half_b, face, edge)) covered |= 1U << corner_under(x, face);
    });
    insert_corners(boxes.half_b, boxes.c.transpose(), boxes.b_in_a, boxes.half_a, bounds,
                   [&](int corner, int face, const Vec3&) {
                     if (!((covered >> corner) & 1U)) set.insert(b_on_a + box_faces * corner + face);
                   });
    boxes.for_each_pair_of_axes([&](const BoxPair& turned, int i, int j) {
      insert_crossings(set, turned, edges_cross + box_edges * 4 * i + 4 * j, bounds);
    });
    return set;
  }

  /// Separate boxes are nearest at a corner of one of them or between two edges; never nearer than their separation.
  JOSTLE_HD JOSTLE_OUTLINE static double distance(const PlacedShape& a, const PlacedShape& b) {
    const BoxPair boxes(a, b);
    const double separation = boxes.separation();
    if (separation <= 0) return separation;
    const double enough = separation + distance_rounding * (bounding_radius(a) + bounding_radius(b));
    double squared = squared_box_distance(to_local(b, box_corner(a, 0)), b.size);
    const auto keep_less = [&](double other) {
      if (other < squared) squared = other;
    };
    for (int corner = 0; corner < box_corners; ++corner) {
      keep_less(squared_box_distance(to_local(b, box_corner(a, corner)), b.size));
      keep_less(squared_box_distance(to_local(a, box_corner(b, corner)), a.size));
    }
    for (int d = 0; d < box_edges && squared > enough * enough; ++d) {
      const BoxEdge of_a = box_edge(a, d);
      for (int e = 0; e < box_edges && squared > enough * enough; ++e) {
        const BoxEdge of_b = box_edge(b, e);
        keep_less(squared_segment_distance(of_a.middle, of_a.direction, of_a.half_length, of_b.middle, of_b.direction,
                                           of_b.half_length));
      }
    }
    return std::sqrt(squared);
  }

 private:
  JOSTLE_HD static ContactGeometry edge_contact(const BoxEdge& a, const BoxEdge& b) {
    const LineCrossing crossing = cross_lines(b.middle - a.middle, a.direction, b.direction);
    const Vec3 x = a.middle + crossing.along_u * a.direction;
    const Vec3 y = b.middle + crossing.along_v * b.direction;
    const Vec3 outwards = a.outward - b.outward;
    Vec3 n =
        crossing.parallel() ? unit_or(y - x, unit_or(a.outward, a.direction)) : unit_or(crossing.cross, a.direction);
    if (dot(n, outwards) < 0) n = -n;
    const double gap = dot(y - x, n);
    return {gap, n, x, x + gap * n};
  }

  /// Calls accept(corner, face, x) for every corner of a box that is a candidate on another box; axes(i, k) is axis i
  /// of the first along axis k of the other, x and centre are in the frame of the other.
  template <class Accept>
  JOSTLE_HD static void insert_corners(const Vec3& half, const Mat3& axes, const Vec3& centre, const Vec3& other_half,
                                       const CandidateBounds& bounds, Accept accept) {
    double reach[3] = {0, 0, 0};  // from the centre to the furthest corner along an axis of the other box
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) reach[k] += half[i] * std::fabs(axes(i, k));
    for (int corner = 0; corner < box_corners; ++corner) {
      const double sides[3] = {side(corner & 1), side(corner & 2), side(corner & 4)};
      Vec3 x = centre;
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) x[k] += sides[i] * half[i] * axes(i, k);
      const BoxRegion region(x, other_half, bounds.edge);
      if (region.dimensions_beyond() > 1) continue;
      const auto faces = [&](int face) {
        bool away = true;  // every edge leads away from the face, or nearly so
        for (int i = 0; i < 3; ++i)
          away = away && bounds.leads(sides[i] * side(face & 1) * component(axes.row(i), face / 2), 2 * half[i]);
        return away;
      };
      const auto separation = [&](int face) {
        return local_face_height(centre, other_half, face) - component(reach, face / 2);
      };
      const int face = touched_face(region, faces, separation);
      if (face == no_face) continue;
      const double gap = local_face_height(x, other_half, face);
      if (gap >= bounds.lowest && gap <= bounds.highest) accept(corner, face, x);
    }
  }

  /// Does x, over a face, lie over one of its corners to within the border?
  JOSTLE_HD static bool over_a_corner(const Vec3& x, const Vec3& half, int face, double edge) {
    const int k = axis_after(face / 2, 1), l = axis_after(face / 2, 2);
    return std::fabs(std::fabs(component(x, k)) - component(half, k)) <= edge &&
           std::fabs(std::fabs(component(x, l)) - component(half, l)) <= edge;
  }

  JOSTLE_HD static int corner_under(const Vec3& x, int face) {
    int corner = 0;
    for (int k = 0; k < 3; ++k)
      if (k == face / 2 ? (face & 1) != 0 : x[k] > 0) corner |= 1 << k;
    return corner;
  }

  /// Of the four edges of a box along one axis: the one that reaches furthest along n, whose two faces look along n,
  /// and the next one if that nearly leads too.
  struct LeadingEdges {
    int edge[2];       ///< 0..3
    int count;         ///< 1 or 2
    double behind[2];  ///< how much less far the edge reaches along n, m
    bool flat;         ///< n is almost the normal of the face between the two edges

    JOSTLE_HD LeadingEdges(double n_next, double n_last, double half_next, double half_last,
                           const CandidateBounds& bounds) {
      const double next = std::fabs(n_next), last = std::fabs(n_last);
      const bool across_next = next < last;  // the second edge lies across the axis that n leans to less
      const double slope = across_next ? next : last, width = 2 * (across_next ? half_next : half_last);
      edge[0] = int{n_next >= 0} + 2 * int{n_last >= 0};
      edge[1] = edge[0] ^ (across_next ? 1 : 2);
      count = bounds.leads(slope, width) ? 2 : 1;
      behind[0] = 0;
      behind[1] = width * slope;
      flat = slope <= flat_slope;
    }
  };

  /// The crossings of the edges along the first axis of a with those along that of b; `first` is the number of the
  /// first of these feature pairs.
  JOSTLE_HD static void insert_crossings(FeatureSet& set, const BoxPair& boxes, int first,
                                         const CandidateBounds& bounds) {
    const BoxPair::EdgeAxis n = boxes.edge_axis(0, 0);
    if (n.parallel()) return;
    const double reach = boxes.reach_along(n, 0, 0);
    for (int opposite = 0; opposite < 2; ++opposite) {
      const double sign = side(opposite);  // n or its opposite: what leads out of a and into b
      const double least = sign * n.centres - reach;
      if (least > bounds.highest) continue;
      const LeadingEdges of_a(sign * n.a_next, sign * n.a_last, boxes.half_a[1], boxes.half_a[2], bounds);
      const LeadingEdges of_b(-sign * n.b_next, -sign * n.b_last, boxes.half_b[1], boxes.half_b[2], bounds);
      // Where a corner ends the edge, the corner is the contact, if there is a face for it.
      const double half_a = boxes.half_a[0] + (of_b.flat ? -bounds.edge : bounds.edge);
      const double half_b = boxes.half_b[0] + (of_a.flat ? -bounds.edge : bounds.edge);
      if (least + of_a.behind[of_a.count - 1] + of_b.behind[of_b.count - 1] < bounds.lowest) continue;
      for (int d = 0; d < of_a.count; ++d)
        for (int e = 0; e < of_b.count; ++e) {
          const double gap = least + of_a.behind[d] + of_b.behind[e];
          if (gap >= bounds.lowest && gap <= bounds.highest &&
              cross_inside(boxes, n, of_a.edge[d], of_b.edge[e], half_a, half_b))
            set.insert(first + box_edges * of_a.edge[d] + of_b.edge[e]);
        }
    }
  }

  /// Do edge d of a and edge e of b, of those along the first axes, cross within these half lengths? With D from the
  /// middle of a's edge to that of b's, they cross at D . (B_0 x n) / sine along a's and D . (A_0 x n) / sine along
  /// b's.
  JOSTLE_HD static bool cross_inside(const BoxPair& boxes, const BoxPair::EdgeAxis& n, int d, int e, double half_a,
                                     double half_b) {
    const double a_next = side(d & 1) * boxes.half_a[1], a_last = side(d & 2) * boxes.half_a[2];
    const double b_next = side(e & 1) * boxes.half_b[1], b_last = side(e & 2) * boxes.half_b[2];
    const auto& c = boxes.c;
    const double d_in_b_next = b_next - boxes.a_in_b[1] - a_next * c(1, 1) - a_last * c(2, 1);
    const double d_in_b_last = b_last - boxes.a_in_b[2] - a_next * c(1, 2) - a_last * c(2, 2);
    const double along_a = d_in_b_last * n.b_next - d_in_b_next * n.b_last;
    if (std::fabs(along_a) > half_a * n.sine) return false;
    const double d_in_a_next = boxes.b_in_a[1] + b_next * c(1, 1) + b_last * c(1, 2) - a_next;
    const double d_in_a_last = boxes.b_in_a[2] + b_next * c(2, 1) + b_last * c(2, 2) - a_last;
    const double along_b = d_in_a_last * n.a_next - d_in_a_next * n.a_last;
    return std::fabs(along_b) <= half_b * n.sine;
  }
};

}  // namespace jostle

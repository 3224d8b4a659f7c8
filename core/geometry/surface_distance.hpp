#pragma once
// The distance of two cores of which one need not be convex.
#include "core/geometry/polyhedron_separation.hpp"
#include "core/geometry/surface.hpp"

namespace jostle::detail {

/// Two cores, of which one at least is not convex.
class SurfaceDistance {
 public:
  JOSTLE_HD SurfaceDistance(const Polyhedron& a, const Polyhedron& b)
      : a_(a), b_(b), a_from_b_(a, b), b_from_a_(b, a), box_of_a_(widened_box(a)), box_of_b_(widened_box(b)) {}

  /// Of the cores, m. Apart, a corner and a part of the other core are nearest, or two edges. Where they overlap, minus
  /// the greatest of these: how far a corner, or the middle of an edge, in the other core is from its surface, and how
  /// deep an edge goes through a face. They may overlap in several places: one that is shallow must not hide another
  /// one, whose contacts would pass for ghosts. Where faces are flush, all of these may lie in the surface: then it is
  /// that of the middle of all points where edges go through faces.
  JOSTLE_HD double distance() {
    look_at_likely_corner(a_from_b_, b_);
    look_at_likely_corner(b_from_a_, a_);
    look_at_points(a_from_b_, b_);
    look_at_points(b_from_a_, a_);
    look_at_crossings(a_from_b_, b_, Vec3::Zero(), Mat3::Identity());
    look_at_crossings(b_from_a_, a_, a_from_b_.middle, a_from_b_.turn);
    if (is_shallow()) look_at_middle_of_crossings();
    if (overlap_) return -std::sqrt(deepest_);
    look_at_edges();
    return std::sqrt(squared_);
  }

 private:
  /// No overlap is known, or one that may be rounding where faces are flush.
  JOSTLE_HD bool is_shallow() const { return deepest_ <= least_overlap * least_overlap; }

  struct Segment {
    Vec3 middle, along;  ///< `along`: unit
    double length;

    JOSTLE_HD Segment(const Vec3& from, const Vec3& to)
        : middle(from + 0.5 * (to - from)), along(to - from), length(std::sqrt(dot(along, along))) {
      along = along / length;
    }
    JOSTLE_HD Segment(const Polyhedron& core, const PolyhedronEdge& edge)
        : Segment(core.corner(edge.from), core.corner(edge.to)) {}
  };
  JOSTLE_HD static double squared_distance(const Segment& a, const Segment& b) {
    return squared_segment_distance(a.middle, a.along, 0.5 * a.length, b.middle, b.along, 0.5 * b.length);
  }

  /// In its axes, all of a core, and what rounding adds.
  JOSTLE_HD static NearBox widened_box(const Polyhedron& core) {
    NearBox box = box_about(core);
    for (int k = 0; k < 3; ++k) box.half[k] += gap_rounding * bounding_radius(core.shape);
    return box;
  }
  JOSTLE_HD const NearBox& box_of(const Polyhedron& core) const { return &core == &a_ ? box_of_a_ : box_of_b_; }

  /// What of a core may be inside the box about the other one, or nearer to it than what has been found.
  struct NearBoxOfOther {
    const CoreSeenFrom& seen;
    const NearBox& other;
    const double& squared;

    JOSTLE_HD bool meets(const NearBox& box) const {
      const Vec3 middle = seen.middle + seen.turned(box.middle);
      double least = 0;
      for (int j = 0; j < 3; ++j) {
        double past = std::fabs(middle[j] - other.middle[j]) - other.half[j];
        for (int k = 0; k < 3; ++k) past -= std::fabs(seen.turn(j, k)) * box.half[k];
        if (past > 0) least += past * past;
      }
      return least <= squared;
    }
    JOSTLE_HD bool holds(const Vec3& x) const { return meets({x, Vec3::Zero()}); }
  };

  /// A point in the axes of the other core, if it may be in it or the nearest so far.
  JOSTLE_HD void look_at(const Vec3& x, const Polyhedron& other) {
    const double past = std::sqrt(dot(x, x)) - (1 + gap_rounding) * bounding_radius(other.shape);
    if ((past > 0 && past * past > squared_) || box_of(other).squared_distance(x) > squared_) return;
    const PlaceInCore at = locate(other, x);
    if (at.is_inside) {
      overlap_ = true;
      if (at.squared_distance > deepest_) deepest_ = at.squared_distance;
    } else if (at.squared_distance < squared_) {
      squared_ = at.squared_distance;
    }
  }

  /// One of those that are nearest to the box about the other core, so that others are too far soon.
  JOSTLE_HD void look_at_likely_corner(const CoreSeenFrom& seen, const Polyhedron& other) {
    if (other.faces == 0) return;
    int likely = 0;
    double least = infinity();
    for_each_corner_near(seen.own, NearBoxOfOther{seen, box_of(other), least}, 0, seen.own.corners, [&](int i) {
      const double squared = box_of(other).squared_distance(seen.corner(i));
      if (squared < least) least = squared, likely = i;
    });
    look_at(seen.corner(likely), other);
  }

  /// Corners and the middles of edges.
  JOSTLE_HD void look_at_points(const CoreSeenFrom& seen, const Polyhedron& other) {
    if (other.faces == 0) return;
    const NearBoxOfOther near{seen, box_of(other), squared_};
    for_each_corner_near(seen.own, near, 0, seen.own.corners, [&](int i) { look_at(seen.corner(i), other); });
    for_each_edge_near(seen.own, near, 0, seen.own.edges, [&](int e) {
      const PolyhedronEdge ends = seen.own.edge(e);
      look_at(0.5 * (seen.corner(ends.from) + seen.corner(ends.to)), other);
    });
  }

  /// Edges through faces: how far the crossing is from the nearest end of the edge, and the edge from the border of the
  /// face, across which it would come out; but no more than the end of the edge is under the face: faces that are all
  /// but flush overlap by little, wherever the edges of one go through the other. Across a notch an edge does not come
  /// out. An edge that lies in a face to within rounding does not go through it. `middle` and `turn` take the other
  /// core to the axes of b.
  JOSTLE_HD void look_at_crossings(const CoreSeenFrom& seen, const Polyhedron& other, const Vec3& middle,
                                   const Mat3& turn) {
    for (int e = 0; e < seen.own.edges; ++e) {
      const PolyhedronEdge ends = seen.own.edge(e);
      const Vec3 p = seen.corner(ends.from), q = seen.corner(ends.to), along = q - p;
      if (!NearSegment(p, q, 0).meets(box_of(other))) continue;
      for_each_face_in_order(other, NearBox::about(p, q, 0), [&](int f) {
        const double at_p = other.height(f, p), at_q = other.height(f, q);
        const bool goes_through =
            (at_p < -least_overlap && at_q > least_overlap) || (at_p > least_overlap && at_q < -least_overlap);
        if (!goes_through) return;
        const Vec3 x = p + at_p / (at_p - at_q) * along;
        if (!covers(other, f, x, 0)) return;
        overlap_ = true;
        crossings_ += middle + rotate(turn, x), ++count_;
        const double of_p = dot(x - p, x - p), of_q = dot(x - q, x - q);
        const double inside = at_p < 0 ? at_p : at_q;  // how deep the end under the face is
        double least = of_p < of_q ? of_p : of_q;
        if (inside * inside < least) least = inside * inside;
        other.for_each_edge_of(f, [&](int number) {
          if (number >= other.touching_edges) return;
          const double squared = squared_distance(Segment(p, q), Segment(other, other.edge(number)));
          least = squared < least ? squared : least;
        });
        if (least > deepest_) deepest_ = least;
      });
    }
  }

  /// In ascending order, so that sums do not depend on the tree.
  JOSTLE_HD static void for_each_face_in_order(const Polyhedron& core, const NearBox& box, auto visit) {
    if (core.nodes == 0) return for_each_face_near(core, box, visit);
    for (int last = -1;;) {
      int next = core.faces;
      for_each_face_near(core, box, [&](int f) {
        if (f > last && f < next) next = f;
      });
      if (next == core.faces) return;
      visit(last = next);
    }
  }

  JOSTLE_HD void look_at_middle_of_crossings() {
    if (count_ == 0 || a_.faces == 0) return;
    const Vec3 x = crossings_ / count_;
    const PlaceInCore in_b = locate(b_, x), in_a = locate(a_, a_from_b_.turned_back(x - a_from_b_.middle));
    if (!in_a.is_inside || !in_b.is_inside) return;
    const double depth = in_a.squared_distance < in_b.squared_distance ? in_a.squared_distance : in_b.squared_distance;
    if (depth > deepest_) deepest_ = depth;
  }

  JOSTLE_HD void look_at_edges() {
    for (int d = 0; d < a_.edges; ++d) {
      const PolyhedronEdge of_a = a_.edge(d);
      const Vec3 p = a_from_b_.corner(of_a.from), p_to = a_from_b_.corner(of_a.to) - p;
      const double length_a = std::sqrt(dot(p_to, p_to));
      const NearSegment near(p, a_from_b_.corner(of_a.to), std::sqrt(squared_) + least_overlap);
      if (!near.meets(box_of_b_)) continue;
      for_each_edge_near(b_, near, 0, b_.edges, [&](int e) {
        const PolyhedronEdge of_b = b_.edge(e);
        const Vec3 q = b_.corner(of_b.from), q_to = b_.along(of_b);
        const Vec3 middle_a = p + 0.5 * p_to, middle_b = q + 0.5 * q_to, between = middle_b - middle_a;
        const double length_b = std::sqrt(dot(q_to, q_to));
        const double least = std::sqrt(dot(between, between)) - 0.5 * (length_a + length_b);
        if (least > 0 && least * least > squared_) return;
        const double squared = squared_segment_distance(middle_a, p_to / length_a, 0.5 * length_a, middle_b,
                                                        q_to / length_b, 0.5 * length_b);
        if (squared < squared_) squared_ = squared;
      });
    }
  }

  const Polyhedron &a_, &b_;
  CoreSeenFrom a_from_b_, b_from_a_;
  NearBox box_of_a_, box_of_b_;
  double squared_ = infinity(), deepest_ = 0;
  bool overlap_ = false;
  Vec3 crossings_ = Vec3::Zero();  ///< their sum, in the axes of b
  int count_ = 0;
};

JOSTLE_HD JOSTLE_OUTLINE inline double surface_distance(const Polyhedron& a, const Polyhedron& b) {
  return SurfaceDistance(a, b).distance();
}

}  // namespace jostle::detail

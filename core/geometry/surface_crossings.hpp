#pragma once
// Edges that cross of two cores of which one need not be convex (surface_pairs.hpp).
#include "core/geometry/candidates.hpp"
#include "core/geometry/passed_edges.hpp"

namespace jostle::detail {

class SurfaceCrossings {
 protected:
  /// `highest`: the greatest gap of a candidate; `deepest`: deeper than this, m, no pair is one.
  JOSTLE_HD SurfaceCrossings(const Polyhedron& a, const Polyhedron& b, double highest, double deepest)
      : a_(a),
        b_(b),
        a_from_b_(a, b),
        b_from_a_(b, a),
        reach_a_(bounding_radius(a.shape)),
        reach_b_(bounding_radius(b.shape)),
        highest_(highest),
        deepest_(deepest),
        edge_(border * (reach_a_ + reach_b_)) {}

  struct Crossing {
    bool is_real = false;
    double gap = 0;
    Vec3 x, y;  ///< on the edges of a and b, in the axes of b
  };

  /// An edge of a across one of b, if they cross and face each other; `is_real`: and, where they have passed each
  /// other, lie in both solids.
  JOSTLE_HD JOSTLE_OUTLINE Crossing crossing_of(const PolyhedronEdge& own, const SeenEdge& of_a,
                                                const PolyhedronEdge& other, const SeenEdge& of_b) const {
    Crossing found;
    const CrossedEdges crossed = cross_edges(of_a, of_b);
    if (crossed.is_apart() || crossed.gap > highest_ || crossed.gap < -deepest_) return found;
    if (crossed.left_of_a > nearing_limit || crossed.right_of_a > nearing_limit) return found;
    if (crossed.left_of_b > nearing_limit || crossed.right_of_b > nearing_limit) return found;
    const double half_a = 0.5 * of_a.length, half_b = 0.5 * of_b.length;
    const Vec3 middle_a = of_a.from + half_a * of_a.along, middle_b = of_b.from + half_b * of_b.along;
    const LineCrossing crossing = cross_lines(middle_b - middle_a, of_a.along, of_b.along);
    const bool a_is_flat = is_normal_of_face(a_, crossed.left_of_a, crossed.right_of_a);
    const bool b_is_flat = is_normal_of_face(b_, crossed.left_of_b, crossed.right_of_b);
    const double past_a = past_end(a_, own, crossing.along_u, half_a, b_is_flat),
                 past_b = past_end(b_, other, crossing.along_v, half_b, a_is_flat);
    const double most = crossed.gap < -edge_ ? -notch_reach * crossed.gap : 0.0;
    if (past_a > most || past_b > most) return found;
    found.gap = crossed.gap;
    found.x = middle_a + crossing.along_u * of_a.along, found.y = middle_b + crossing.along_v * of_b.along;
    found.is_real = found.gap >= -edge_ || have_passed(found, of_a, past_a, of_b, past_b);
    return found;
  }

  /// Whether an edge of a and one of b may meet, by the balls about them: with the distance d of their middles, the
  /// radius r of the first with all that may lie between them, and that of the second, s, d <= r + s. Without roots,
  /// that is d^2 - r^2 - s^2 <= 2 r s, squared.
  JOSTLE_HD bool may_meet(const SeenEdge& of_a, const PolyhedronEdge& of_b) const {
    const double half_a = 0.5 * of_a.length, r = half_a + beyond_lengths();
    const Vec3 from = b_.corner(of_b.from), half_b = 0.5 * (b_.corner(of_b.to) - from);
    const Vec3 between = from + half_b - of_a.from - half_a * of_a.along;
    const double squared = dot(half_b, half_b), more = dot(between, between) - r * r - squared;
    return more <= 0 || more * more <= 4 * r * r * squared;
  }

  /// By how much edges that may meet have passed each other at most, m.
  JOSTLE_HD double most_depth() const {
    const double most = reach_a_ + reach_b_ + beyond_lengths();
    return deepest_ < most ? deepest_ : most;
  }

  const Polyhedron &a_, &b_;
  CoreSeenFrom a_from_b_, b_from_a_;
  double reach_a_, reach_b_, highest_, deepest_, edge_;

 private:
  /// How far a point that is `along` (m) from the middle of an edge is past its end, m; infinity where a corner is the
  /// contact: where it ends the edge, if there is a face for it (is_normal_of_face). An end that touches nothing lies
  /// in a notch.
  JOSTLE_HD double past_end(const Polyhedron& core, const PolyhedronEdge& edge, double along, double half,
                            bool is_flat) const {
    const double past = std::fabs(along) - half;
    const bool is_notch = (along < 0 ? edge.from : edge.to) >= core.touching_corners;
    if (past <= (is_flat && !is_notch ? -edge_ : edge_)) return 0;
    return is_notch ? past : infinity();
  }

  /// Of an edge that another one has passed at x.
  JOSTLE_HD static PassingLine line_of(const SeenEdge& edge, const Vec3& x) {
    const double at = dot(x - edge.from, edge.along);
    return {x, edge.along, -at, edge.length - at};
  }

  /// Is each edge in the solid of the other core? In a notch an edge goes on into the solid as far as the other edge is
  /// in it.
  JOSTLE_HD bool have_passed(const Crossing& found, const SeenEdge& of_a, double past_a, const SeenEdge& of_b,
                             double past_b) const {
    const auto goes_on = [&](const PlaceInCore& other, double past) {
      return past <= (other.is_inside ? notch_reach * std::sqrt(other.squared_distance) : 0.0) + 2 * edge_;
    };
    // From the point of the other edge, which is on its surface or past its end.
    const auto furthest = [&](double past, double away) { return past - found.gap + std::fabs(away) + 4 * edge_; };
    if (b_.faces > 0) {
      const double away = along_to_between(line_of(of_a, found.x), of_b, -found.gap, edge_);
      const PlaceInCore x =
          place_behind_edge(b_, found.x + away * of_a.along, away, -found.gap, edge_, furthest(past_b, away));
      if (!x.is_solid(edge_) || !goes_on(x, past_b)) return false;
    }
    if (a_.faces == 0) return true;
    const double away = along_to_between(line_of(of_b, found.y), of_a, -found.gap, edge_);
    const Vec3 between = a_from_b_.turned_back(found.y + away * of_b.along - a_from_b_.middle);
    const PlaceInCore y = place_behind_edge(a_, between, away, -found.gap, edge_, furthest(past_a, away));
    return y.is_solid(edge_) && goes_on(y, past_a);
  }

  JOSTLE_HD double beyond_lengths() const {
    const double thin = thinner();
    return (highest_ > thin ? highest_ : thin) + 2 * edge_;
  }

  /// Deeper than the thinner of both cores, nothing counts, m.
  JOSTLE_HD double thinner() const {
    const double of_a = a_.faces == 0 ? infinity() : thickness_of(a_.shape), of_b = thickness_of(b_.shape);
    return of_a < of_b ? of_a : of_b;
  }
  JOSTLE_HD static double thickness_of(const PlacedShape& shape) {
    if (shape.type == ShapeType::hull) return 2 * shape.size[2];
    const double least = shape.size[0] < shape.size[1] ? shape.size[0] : shape.size[1];
    return 2 * (least < shape.size[2] ? least : shape.size[2]);
  }
};

}  // namespace jostle::detail

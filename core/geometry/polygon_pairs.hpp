#pragma once
// A polygon against a sphere, capsule, box or polygon of a planar scene, and against a half-space. With n_a and n_b
// corners of the two outlines, their feature pairs are
//
//     i n_b + j                  corner i of a on edge j of b       Phi = height of the corner - r_a - r_b
//     n_a n_b + i n_a + j        corner i of b on edge j of a
//     2 n_a n_b + i n_b + j      corner i of a on corner j of b     Phi = distance - r_a - r_b, if these are not 0
//     3 n_a n_b + i n_b + j      edge i of a on edge j of b         if one of the outlines has arcs
//
// Only convex corners and convex arcs touch. An arc on an edge is a ball about its centre. Above an arc about c with
// the radius rho, x has the height |x - c| - rho, or rho - |x - c| if the arc is concave. A corner is a candidate on an
// edge if
//
//   * the corner is over the edge, widened by the border; at a concave end the edge goes on into the solid as far as
//     the corner is in it, and at an obtuse one as far as the solid does;
//   * they face each other: both edges of the corner lead away from the edge, or towards it by at most 30 degrees;
//   * a corner in the solid of the other outline, or one that has passed a corner of it so that each is outside of the
//     other solid though their sides cross, counts for one edge: of those that it faces, the one that it is least
//     deep under. In a notch it counts for both. A corner that is behind an edge, but not in the solid, has nothing to
//     do with it: thin parts have a far side.
//   * of two corners that coincide, a's stands for both; rounded corners face each other where neither is over an edge.
//
// On a convex arc a corner is a candidate only where both of its edges lead away. Of two edges the first is a convex
// arc, which touches what is opposite to one of its normals: straight edges, convex arcs, and concave arcs that are
// wider. Where an arc ends without a corner, its ball stands for what follows it by up to 30 degrees, if it is inside
// of the solid.
#include "core/geometry/corner_on_outline.hpp"
#include "core/geometry/half_space_pairs.hpp"
#include "core/geometry/outline_distance.hpp"
#include "core/geometry/round_pairs.hpp"

namespace jostle {

/// How many feature pairs two outlines have; `has_arcs`: one of them.
JOSTLE_HD constexpr int outline_features(int corners_a, int corners_b, bool has_arcs = false) {
  return (has_arcs ? 4 : 3) * corners_a * corners_b;
}

namespace detail {

/// Whether x is nearer to a corner of an outline than to the rest of its two edges.
JOSTLE_HD inline bool ends_at(const Outline& outline, int corner, const Vec2& x, double border_width) {
  if (outline.corners < 2) return true;
  const int last = outline.before(corner);
  if (outline.has_arcs()) {
    const Vec2 d = x - outline.corner(corner);
    return dot(d, outline.end_direction(last)) > border_width &&
           dot(d, outline.start_direction(corner)) < -border_width;
  }
  const FromEdge before = outline.from_edge(last, x), after = outline.from_edge(corner, x);
  return before.along > before.length + border_width && after.along < -border_width;
}

}  // namespace detail

/// Two outlines; b is a polygon.
struct PolygonPair {
  static constexpr int features = 1;  ///< or more: Model::features_of

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    const Vec3 normal = b.axes.col(2);
    const Outline of_a(a, normal), of_b(b, normal);
    const int block = of_a.corners * of_b.corners;
    if (feature < block) return corner_on_edge(of_a, feature / of_b.corners, of_b, feature % of_b.corners);
    feature -= block;
    if (feature < block) return swapped(corner_on_edge(of_b, feature / of_a.corners, of_a, feature % of_a.corners));
    feature -= block;
    if (feature >= block && feature < 2 * block) {
      const int i = (feature - block) / of_b.corners, j = (feature - block) % of_b.corners;
      if (of_a.is_convex_arc(i)) return arc_on_edge(of_a, i, of_b, j);
      if (of_b.is_convex_arc(j)) return swapped(arc_on_edge(of_b, j, of_a, i));
    }
    feature %= block;
    return ball_contact(of_a.corner_in_world(feature / of_b.corners), of_a.radius,
                        of_b.corner_in_world(feature % of_b.corners), of_b.radius);
  }

  /// Those of the page whose first feature pair is `first`.
  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin, int first) {
    FeatureSet set;
    if (far_apart(a, b, margin)) return set;
    const Vec3 normal = b.axes.col(2);
    const Outline of_a(a, normal), of_b(b, normal);
    const double reach_a = bounding_radius(a), reach_b = bounding_radius(b), edge = border * (reach_a + reach_b);
    const double radii = of_a.radius + of_b.radius, highest = margin + radii;
    const SeenFrom a_from_b(of_a, of_b), b_from_a(of_b, of_a);
    const int n_a = of_a.corners, n_b = of_b.corners, block = n_a * n_b;
    const auto insert = [&](int feature) {
      if (feature >= first && feature < first + page_features) set.insert(feature - first);
    };
    for_each_row_of_page(first, 0, n_a, n_b, [&](int i) {
      detail::CornerOnOutline(a_from_b, i, of_b, reach_b, highest, radii, edge).visit([&](int j, const FromEdge&) {
        insert(i * n_b + j);
      });
    });
    // Is there a candidate of a's corner i on one of the edges that end at corner j of b?
    const auto stands_for = [&](int i, int j) {
      bool found = false;
      detail::CornerOnOutline(a_from_b, i, of_b, reach_b, highest, radii, edge).visit([&](int e, const FromEdge&) {
        found = found || e == j || of_b.after(e) == j;
      });
      return found;
    };
    if (n_a > 1) {
      for_each_row_of_page(first, block, n_b, n_a, [&](int i) {
        detail::CornerOnOutline(b_from_a, i, of_a, reach_a, highest, radii, edge)
            .visit([&](int j, const FromEdge& from) {
              const bool at_start = std::fabs(from.along) <= edge, at_end = std::fabs(from.along - from.length) <= edge;
              if ((at_start && stands_for(j, i)) || (at_end && stands_for(of_a.after(j), i))) return;
              insert(block + i * n_a + j);
            });
      });
    }
    if (of_a.has_arcs() || of_b.has_arcs())
      insert_arcs(first, a_from_b, b_from_a, reach_a, reach_b, highest, radii, edge, insert);
    if (!(radii > 0)) return set;
    for_each_row_of_page(first, 2 * block, n_a, n_b, [&](int i) {
      if (!of_a.is_convex(i)) return;
      const Vec2 x = a_from_b.corner(i);
      for (int j = 0; j < n_b; ++j) {
        const Vec2 d = x - of_b.corner(j);
        if (!(dot(d, d) <= highest * highest) || !of_b.is_convex(j)) continue;
        if (detail::ends_at(of_b, j, x, edge) && detail::ends_at(of_a, i, b_from_a.corner(j), edge))
          insert(2 * block + i * n_b + j);
      }
    });
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) { return outline_distance(a, b); }

  /// m: how far the centres of a feature pair's balls and arcs are apart where it touches. The normal turns by the
  /// speed of these centres over it; 0: by that of the bodies alone.
  JOSTLE_HD static double centre_distance(const PlacedShape& a, const PlacedShape& b, int feature) {
    const Vec3 normal = b.axes.col(2);
    const Outline of_a(a, normal), of_b(b, normal);
    const int n_a = of_a.corners, n_b = of_b.corners, kind = feature / (n_a * n_b), rest = feature % (n_a * n_b);
    const auto of_edge = [](const Outline& outline, int edge) {
      return outline.is_arc(edge) ? outline.arc(edge).sense * outline.arc(edge).radius : 0.0;
    };
    double sum = of_a.radius + of_b.radius;
    if (kind == 0 || kind == 3) sum += of_edge(of_b, rest % n_b);
    if (kind == 1) sum += of_edge(of_a, rest % n_a);
    if (kind == 3) sum += of_edge(of_a, rest / n_b);
    return std::fabs(sum);
  }

 private:
  JOSTLE_HD static ContactGeometry corner_on_edge(const Outline& a, int corner, const Outline& b, int edge) {
    const Vec3 x = a.corner_in_world(corner);
    return ball_on_edge(x, a.radius, SeenFrom(a, b).corner(corner), b, edge);
  }
  JOSTLE_HD static ContactGeometry arc_on_edge(const Outline& a, int edge_a, const Outline& b, int edge) {
    const CircularArc arc = a.arc(edge_a);
    return ball_on_edge(a.middle + a.in_world(arc.centre), a.radius + arc.radius, SeenFrom(a, b).placed(arc.centre), b,
                        edge);
  }
  /// A ball about x, in the plane of b at `at`.
  JOSTLE_HD static ContactGeometry ball_on_edge(const Vec3& x, double radius, const Vec2& at, const Outline& b,
                                                int edge) {
    const FromEdge from = b.from_edge(edge, at);
    const Vec3 m = b.in_world(from.normal);
    const double height = from.height;
    return {height - radius - b.radius, -m, x - radius * m, x - (height - b.radius) * m};
  }

  /// insert(feature) for the candidates among edges.
  JOSTLE_HD static void insert_arcs(int first, const SeenFrom& a_from_b, const SeenFrom& b_from_a, double reach_a,
                                    double reach_b, double highest, double radii, double edge, auto insert) {
    const Outline &of_a = a_from_b.own, &of_b = b_from_a.own;
    const int n_a = of_a.corners, n_b = of_b.corners, block = 3 * n_a * n_b;
    for_each_row_of_page(first, block, n_a, n_b, [&](int i) {
      if (of_a.is_convex_arc(i) && of_a.is_first_of_run(i) && detail::is_run_near(a_from_b, i, of_b, highest, edge))
        detail::ArcOnOutline(a_from_b, i, of_b, radii).visit(0, n_b, reach_b, highest, edge, [&](int j) {
          insert(block + i * n_b + j);
        });
    });
    if (n_a == 1) return;  // a ball has no edges
    int begin = n_a, end = 0;
    for_each_row_of_page(first, block, n_a, n_b, [&](int i) { begin = i < begin ? i : begin, end = i + 1; });
    for (int j = 0; j < n_b && begin < end; ++j) {
      if (!of_b.is_convex_arc(j) || !of_b.is_first_of_run(j)) continue;
      if (!detail::is_run_near(b_from_a, j, of_a, highest, edge)) continue;
      detail::ArcOnOutline(b_from_a, j, of_a, radii).visit(begin, end, reach_a, highest, edge, [&](int i) {
        if (!of_a.is_convex_arc(i)) insert(block + i * n_b + j);
      });
    }
  }
};

/// Feature pair i: corner i on the plane; n + i: edge i, if it is a convex arc.
struct PolygonHalfSpace {
  static constexpr int features = 1;  ///< or more: as many as there are corners, and of those with arcs as many again

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    const Outline outline(a, a.axes.col(2));
    if (feature >= outline.corners && outline.is_convex_arc(feature - outline.corners)) {
      const CircularArc arc = outline.arc(feature - outline.corners);
      return ball_on_plane(outline.middle + outline.in_world(arc.centre), outline.radius + arc.radius, b);
    }
    return ball_on_plane(outline.corner_in_world(feature % outline.corners), a.size[0], b);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin, int first) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    const Outline outline(a, a.axes.col(2));
    const int n = outline.corners, count = outline.has_arcs() ? 2 * n : n;
    const double border_width = border * bounding_radius(a);
    for (int i = first; i < count && i < first + page_features; ++i) {
      const bool is_real =
          i < n ? height_above(b, outline.corner_in_world(i)) - a.size[0] <= margin && outline.is_convex(i)
                : is_under(outline, i - n, b, border_width) && contact(a, b, i).gap <= margin;
      if (is_real) set.insert(i - first);
    }
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const Outline outline(a, a.axes.col(2));
    double lowest = infinity();
    for (int i = 0; i < outline.corners; ++i) {
      double height = height_above(b, outline.corner_in_world(i));
      if (height < lowest) lowest = height;
      if (!is_under(outline, i, b, 0)) continue;
      height = contact(a, b, outline.corners + i).gap + a.size[0];
      if (height < lowest) lowest = height;
    }
    return lowest - a.size[0];
  }

 private:
  /// Whether an edge is an arc that has the direction into the plane among its normals.
  JOSTLE_HD static bool is_under(const Outline& outline, int edge, const PlacedShape& plane, double border_width) {
    const Vec3 m = plane.axes.col(2);
    return outline.is_convex_arc(edge) && outline.is_first_of_run(edge) &&
           outline.run_has_normal(edge, {-dot(m, outline.u), -dot(m, outline.v)}, border_width);
  }
};

}  // namespace jostle

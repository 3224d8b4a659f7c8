#pragma once
// A polygon against a sphere, capsule, box or polygon of a planar scene, and against a half-space. With n_a and n_b
// corners of the two outlines, their feature pairs are
//
//     i n_b + j                  corner i of a on edge j of b       Phi = height of the corner - r_a - r_b
//     n_a n_b + i n_a + j        corner i of b on edge j of a
//     2 n_a n_b + i n_b + j      corner i of a on corner j of b     Phi = distance - r_a - r_b, if these are not 0
//
// Only convex corners touch. A feature pair is a candidate if
//
//   * the corner is over the edge, widened by the border; at a concave end the edge goes on into the solid as far as
//     the corner is in it, and at an obtuse one as far as the solid does;
//   * they face each other: both edges of the corner lead away from the edge, or towards it by at most 30 degrees;
//   * a corner in the solid of the other outline counts for one edge: of those that it faces, the one that it is least
//     deep under. In a notch it counts for both. A corner that is behind an edge, but not in the solid, has nothing to
//     do with it: thin parts have a far side.
//   * of two corners that coincide, a's stands for both; rounded corners face each other where neither is over an edge.
#include "core/geometry/candidates.hpp"
#include "core/geometry/half_space_pairs.hpp"
#include "core/geometry/outline.hpp"
#include "core/geometry/round_pairs.hpp"

namespace jostle {

/// How many feature pairs two outlines have.
JOSTLE_HD constexpr int outline_features(int corners_a, int corners_b) { return 3 * corners_a * corners_b; }

namespace detail {

/// A corner of one outline against the edges of another one, in the plane of the latter.
class CornerOnOutline {
 public:
  /// `margin`: the greatest height of a candidate, m; `reach`: of the other outline from its middle, m.
  JOSTLE_HD CornerOnOutline(const SeenFrom& seen, int corner, const Outline& other, double reach, double margin,
                            double border_width)
      : other_(other), x_(seen.corner(corner)), margin_(margin), border_(border_width) {
    const Outline& own = seen.own;
    const double far = reach + (margin > 0 ? margin : 0.0) + border_width;
    may_touch_ = dot(x_, x_) <= far * far && own.is_convex(corner);
    has_edges_ = own.corners > 1;
    if (!may_touch_ || !has_edges_) return;
    double length;
    next_ = seen.turned(own.direction(corner, length));
    const Vec2 previous = seen.turned(own.direction(own.before(corner), length));
    previous_ = {-previous.x, -previous.y};
  }

  /// accept(edge, from) for the candidates.
  template <class Accept>
  JOSTLE_HD void visit(Accept accept) {
    if (!may_touch_) return;
    int least_deep = -1;
    double least = -infinity();
    bool any = false;
    for (int e = 0; e < other_.corners; ++e) {
      const FromEdge from = other_.from_edge(e, x_);
      if ((from.height > margin_ && from.height > border_) || !faces(e) || !is_over(e, from)) continue;
      any = any || from.height <= margin_;
      if (from.height <= border_ && from.height > least) least = from.height, least_deep = e;
    }
    if (!any) return;
    const bool is_deep = least_deep >= 0 && (least >= -border_ || is_solid());
    for (int e = 0; e < other_.corners; ++e) {
      const FromEdge from = other_.from_edge(e, x_);
      if (from.height > margin_ || !faces(e) || !is_over(e, from)) continue;
      if (from.height >= -border_ || (is_deep && (e == least_deep || shares_notch(e, least_deep)))) accept(e, from);
    }
  }

 private:
  /// Looks at every edge, so once at the most.
  JOSTLE_HD const PointAndOutline& place() {
    if (!is_placed_) place_ = locate(other_, x_), is_placed_ = true;
    return place_;
  }

  JOSTLE_HD bool is_solid() { return place().is_inside || place().squared_distance <= border_ * border_; }

  JOSTLE_HD bool faces(int edge) const {
    if (!has_edges_) return true;
    double length;
    const Vec2 m = Outline::outwards(other_.direction(edge, length));
    return dot(next_, m) >= -nearing_limit && dot(previous_, m) >= -nearing_limit;
  }

  JOSTLE_HD bool is_over(int edge, const FromEdge& from) {
    if (from.along >= -border_ && from.along <= from.length + border_) return true;
    const bool at_start = from.along < 0;
    const int end = at_start ? edge : other_.after(edge);
    const bool is_concave = other_.is_concave(end);
    if (!is_concave) {  // inside an obtuse corner the solid goes on past the end of the edge
      const double past = at_start ? -from.along : from.along - from.length;
      if (!(from.height < -border_ && past <= -past_obtuse * from.height) || !other_.is_convex(end)) return false;
    }
    const double neighbour = other_.from_edge(at_start ? other_.before(edge) : end, x_).height;
    if (neighbour > border_) return false;  // not in the solid there
    if (!is_concave) return true;
    const Vec2 d = x_ - other_.corner(end);
    const double most = (place().is_inside ? notch_reach * std::sqrt(place().squared_distance) : 0.0) + 2 * border_;
    return dot(d, d) <= most * most;
  }

  JOSTLE_HD bool shares_notch(int edge, int deep) const {
    return (other_.after(edge) == deep && other_.is_concave(deep)) ||
           (other_.after(deep) == edge && other_.is_concave(edge));
  }

  const Outline& other_;
  Vec2 x_, next_, previous_;
  double margin_, border_;
  bool may_touch_, has_edges_, is_placed_ = false;
  PointAndOutline place_;
};

/// Whether x is nearer to a corner of an outline than to the rest of its two edges.
JOSTLE_HD inline bool ends_at(const Outline& outline, int corner, const Vec2& x, double border_width) {
  if (outline.corners < 2) return true;
  const FromEdge before = outline.from_edge(outline.before(corner), x), after = outline.from_edge(corner, x);
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
    feature = (feature - block) % block;
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
    const double highest = margin + of_a.radius + of_b.radius;
    const SeenFrom a_from_b(of_a, of_b), b_from_a(of_b, of_a);
    const int n_a = of_a.corners, n_b = of_b.corners, block = n_a * n_b;
    const auto insert = [&](int feature) {
      if (feature >= first && feature < first + page_features) set.insert(feature - first);
    };
    for_each_row(first, 0, n_a, n_b, [&](int i) {
      detail::CornerOnOutline(a_from_b, i, of_b, reach_b, highest, edge).visit([&](int j, const FromEdge&) {
        insert(i * n_b + j);
      });
    });
    // Is there a candidate of a's corner i on one of the edges that end at corner j of b?
    const auto stands_for = [&](int i, int j) {
      bool found = false;
      detail::CornerOnOutline(a_from_b, i, of_b, reach_b, highest, edge).visit([&](int e, const FromEdge&) {
        found = found || e == j || of_b.after(e) == j;
      });
      return found;
    };
    if (n_a > 1) {
      for_each_row(first, block, n_b, n_a, [&](int i) {
        detail::CornerOnOutline(b_from_a, i, of_a, reach_a, highest, edge).visit([&](int j, const FromEdge& from) {
          const bool at_start = std::fabs(from.along) <= edge, at_end = std::fabs(from.along - from.length) <= edge;
          if ((at_start && stands_for(j, i)) || (at_end && stands_for(of_a.after(j), i))) return;
          insert(block + i * n_a + j);
        });
      });
    }
    if (!(of_a.radius + of_b.radius > 0)) return set;
    for_each_row(first, 2 * block, n_a, n_b, [&](int i) {
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

  /// In overlap: of convex outlines the least depth along the normals of their edges, of others that of the corner that
  /// is deepest in the other outline.
  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const Vec3 normal = b.axes.col(2);
    const Outline of_a(a, normal), of_b(b, normal);
    const double radii = of_a.radius + of_b.radius;
    const SeenFrom a_from_b(of_a, of_b), b_from_a(of_b, of_a);
    double squared = infinity(), deepest = 0;
    bool overlap = false;
    const auto look = [&](const SeenFrom& seen, const Outline& other, double reach) {
      for (int i = 0; i < seen.own.corners; ++i) {
        const Vec2 x = seen.corner(i);
        const double least = std::sqrt(dot(x, x)) - reach;
        if (least > 0 && least * least > squared) continue;  // others are nearer
        const PointAndOutline at = locate(other, x);
        if (at.is_inside) {
          overlap = true;
          if (at.squared_distance > deepest) deepest = at.squared_distance;
        } else if (at.squared_distance < squared) {
          squared = at.squared_distance;
        }
      }
    };
    const double reach_a = bounding_radius(a), reach_b = bounding_radius(b);
    look(a_from_b, of_b, reach_b);
    if (of_a.corners > 1) look(b_from_a, of_a, reach_a);
    if (!overlap) deepest = deepest_crossing(a_from_b, of_b, reach_b, overlap);
    if (!overlap) return std::sqrt(squared) - radii;
    if (is_convex(of_a) && is_convex(of_b)) {
      const double over_b = separation(a_from_b, of_b), over_a = separation(b_from_a, of_a);
      return (over_a > over_b ? over_a : over_b) - radii;
    }
    return -std::sqrt(deepest) - radii;
  }

 private:
  JOSTLE_HD static ContactGeometry corner_on_edge(const Outline& a, int corner, const Outline& b, int edge) {
    const Vec3 x = a.corner_in_world(corner), m = b.edge_normal(edge);
    const double height = b.from_edge(edge, SeenFrom(a, b).corner(corner)).height;
    return {height - a.radius - b.radius, -m, x - a.radius * m, x - (height - b.radius) * m};
  }

  /// visit(i) for the rows of a block, whose first feature pair is `block`, that the page has a part of.
  JOSTLE_HD static void for_each_row(int first, int block, int rows, int columns, auto visit) {
    const int begin = first > block ? (first - block) / columns : 0;
    for (int i = begin; i < rows && block + i * columns < first + page_features; ++i) visit(i);
  }

  JOSTLE_HD static bool is_convex(const Outline& outline) {
    for (int i = 0; i < outline.corners; ++i)
      if (outline.is_concave(i)) return false;
    return true;
  }

  /// The greatest separation along the normals of the edges of `other`, m.
  JOSTLE_HD static double separation(const SeenFrom& seen, const Outline& other) {
    double greatest = -infinity();
    for (int e = 0; e < other.corners && other.corners > 1; ++e) {
      double lowest = infinity();
      for (int i = 0; i < seen.own.corners; ++i) {
        const double height = other.from_edge(e, seen.corner(i)).height;
        if (height < lowest) lowest = height;
      }
      if (lowest > greatest) greatest = lowest;
    }
    return greatest;
  }

  /// Squared distance of a line's part from the middle of the other outline, m^2.
  JOSTLE_HD static double nearest_to_middle(const Vec2& p, const Vec2& q) {
    const Vec2 along = q - p;
    const double squared = dot(along, along), share = squared > 0 ? -dot(p, along) / squared : 0;
    const double t = share < 0 ? 0 : share > 1 ? 1 : share;
    const Vec2 x{p.x + t * along.x, p.y + t * along.y};
    return dot(x, x);
  }

  /// Squared, m^2: where edges cross, though no corner of either outline is in the other one, how far the crossing is
  /// from the nearest end of its edges.
  JOSTLE_HD static double deepest_crossing(const SeenFrom& seen, const Outline& other, double reach, bool& overlap) {
    double deepest = 0;
    for (int i = 0; i < seen.own.corners && seen.own.corners > 1; ++i) {
      const Vec2 p = seen.corner(i), q = seen.corner(seen.own.after(i));
      if (nearest_to_middle(p, q) > reach * reach) continue;
      for (int e = 0; e < other.corners; ++e) {
        const double at_p = other.from_edge(e, p).height, at_q = other.from_edge(e, q).height;
        if (!((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0))) continue;
        const double share = at_p / (at_p - at_q);
        const Vec2 x{p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)};
        const FromEdge from = other.from_edge(e, x);
        if (!(from.along > 0 && from.along < from.length)) continue;
        overlap = true;
        const double ends[] = {dot(x - p, x - p), dot(x - q, x - q), from.along * from.along,
                               (from.length - from.along) * (from.length - from.along)};
        double nearest = ends[0];
        for (const double end : ends) nearest = end < nearest ? end : nearest;
        if (nearest > deepest) deepest = nearest;
      }
    }
    return deepest;
  }
};

/// Feature pair i: corner i on the plane.
struct PolygonHalfSpace {
  static constexpr int features = 1;  ///< or more: as many as there are corners

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    return ball_on_plane(Outline(a, a.axes.col(2)).corner_in_world(feature), a.size[0], b);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin, int first) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    const Outline outline(a, a.axes.col(2));
    for (int i = first; i < outline.corners && i < first + page_features; ++i)
      if (height_above(b, outline.corner_in_world(i)) - a.size[0] <= margin && outline.is_convex(i))
        set.insert(i - first);
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const Outline outline(a, a.axes.col(2));
    double lowest = infinity();
    for (int i = 0; i < outline.corners; ++i) {
      const double height = height_above(b, outline.corner_in_world(i));
      if (height < lowest) lowest = height;
    }
    return lowest - a.size[0];
  }
};

}  // namespace jostle

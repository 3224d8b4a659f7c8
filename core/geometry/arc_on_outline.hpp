#pragma once
// Which edges of another outline a convex arc can touch: polygon_pairs.hpp has the rules. The arc is seen as a ball
// about its centre, as far as its normals go.
#include "core/geometry/outline.hpp"

namespace jostle::detail {

/// Whether a run of convex arcs of one outline may touch another one: an edge of that is near, or it is in the solid.
/// `edge`: the first of the run; `margin`: the greatest height of a candidate, m.
JOSTLE_HD inline bool is_run_near(const SeenFrom& seen, int edge, const Outline& other, double margin,
                                  double border_width) {
  const Outline& own = seen.own;
  const auto box = [&](int e) {
    const Vec2 p = seen.corner(e), q = seen.corner(own.after(e));
    return PlaneBox(p, q, own.beside(e, p, q, true));
  };
  PlaneBox arcs = box(own.before(edge));
  int last = edge;
  own.for_each_in_run(edge, [&](int e) { arcs.include(box(e)), last = e; });
  arcs.include(box(own.after(last)));
  const PlaneBox near(arcs.low, arcs.high, (margin > border_width ? margin : border_width) + 2 * border_width);
  return is_near_or_inside(other, near, seen.corner(edge), border_width, true,
                           [](const Vec2&, const Vec2&, double) { return true; });
}

/// A convex arc of one outline in the plane of another one.
class ArcOnOutline {
 public:
  /// `edge` must be a convex arc, the first of its run. `radii`: of both outlines together, m.
  JOSTLE_HD ArcOnOutline(const SeenFrom& seen, int edge, const Outline& other, double radii)
      : seen_(seen),
        other_(other),
        edge_(edge),
        is_alone_(!seen.own.continues(seen.own.after(edge))),
        arc_(seen.own.arc(edge)),
        centre_(seen.placed(arc_.centre)),
        widest_((arc_.radius + radii) * (1 + same_circle)) {}

  /// Where an edge of the other outline is seen from the arc.
  struct Place {
    double height;  ///< of the arc above the edge, m
    Vec2 point;     ///< the arc's point that is deepest under the edge
    bool faces;     ///< both have this point, and their normals are opposite
  };
  JOSTLE_HD FromEdge from_edge(int e) const { return other_.from_edge(e, centre_); }
  JOSTLE_HD double height(const FromEdge& from) const { return from.height - arc_.radius; }
  /// `from`: from_edge(e).
  JOSTLE_HD Place place(int e, const FromEdge& from, double border_width) const {
    const Vec2 m = from.normal, point = centre_ - arc_.radius * m;
    if (!other_.is_arc(e) && !is_along(from, border_width)) return {height(from), point, false};
    const Vec2 normal = seen_.turned_back({-m.x, -m.y});
    const bool has_normal = is_alone_ ? seen_.own.has_normal(edge_, arc_, normal, border_width)
                                      : seen_.own.run_has_normal(edge_, normal, border_width);
    return {height(from), point, has_normal && (!other_.is_arc(e) || is_over(e, m, border_width))};
  }

  /// accept(edge) for the candidates among the edges from `begin` to before `end`; `margin`: the greatest height of a
  /// candidate, m; `reach`: of the other outline from its middle, m.
  template <class Accept>
  JOSTLE_HD void visit(int begin, int end, double reach, double margin, double border_width, Accept accept) const {
    const double far = arc_.radius + reach + (margin > 0 ? margin : 0.0) + border_width;
    if (dot(centre_, centre_) > far * far) return;
    for (int e = begin; e < end; ++e) {
      const FromEdge from = from_edge(e);
      if (height(from) > margin || !other_.is_first_of_run(e)) continue;
      const Place at = place(e, from, border_width);
      if (at.faces && (at.height >= -border_width || is_under(at, border_width))) accept(e);
    }
  }

 private:
  JOSTLE_HD static bool is_along(const FromEdge& from, double border_width) {
    return from.along >= -border_width && from.along <= from.length + border_width;
  }

  /// Whether an arc of the other outline is where this one is nearest to its circle, with the normal m there.
  JOSTLE_HD bool is_over(int e, const Vec2& m, double border_width) const {
    if (other_.is_convex_arc(e)) return other_.run_has_normal(e, m, border_width);
    if (!(widest_ < other_.arc(e).radius)) return false;
    bool over = false;
    other_.for_each_in_run(e,
                           [&](int part) { over = over || is_along(other_.from_edge(part, centre_), border_width); });
    return over;
  }

  /// In the solid, and this edge is a way out of it that is not much longer than the nearest.
  JOSTLE_HD bool is_under(const Place& at, double border_width) const {
    const PointAndOutline in = locate(other_, at.point);
    if (!in.is_inside && in.squared_distance > border_width * border_width) return false;
    return notch_reach * notch_reach * in.squared_distance >= at.height * at.height;
  }

  const SeenFrom& seen_;
  const Outline& other_;
  int edge_;
  bool is_alone_;  ///< no edge continues it
  CircularArc arc_;
  Vec2 centre_;
  double widest_;  ///< of concave arcs: those that are wider can be touched, m
};

}  // namespace jostle::detail

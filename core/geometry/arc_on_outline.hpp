#pragma once
// Which edges of another outline a convex arc can touch: polygon_pairs.hpp has the rules. The arc is seen as a ball
// about its centre, as far as its normals go.
#include "core/geometry/outline.hpp"

namespace jostle::detail {

/// A convex arc of one outline in the plane of another one.
class ArcOnOutline {
 public:
  /// `edge` must be a convex arc, the first of its run. `radii`: of both outlines together, m.
  JOSTLE_HD ArcOnOutline(const SeenFrom& seen, int edge, const Outline& other, double radii)
      : seen_(seen),
        other_(other),
        edge_(edge),
        arc_(seen.own.arc(edge)),
        centre_(seen.placed(arc_.centre)),
        widest_((arc_.radius + radii) * (1 + same_circle)) {}

  /// Where an edge of the other outline is seen from the arc.
  struct Place {
    double height;  ///< of the arc above the edge, m
    Vec2 point;     ///< the arc's point that is deepest under the edge
    bool faces;     ///< both have this point, and their normals are opposite
  };
  JOSTLE_HD Place place(int e, double border_width) const {
    const FromEdge from = other_.from_edge(e, centre_);
    const Vec2 m = from.normal, point = centre_ - arc_.radius * m;
    const double height = from.height - arc_.radius;
    const bool has_normal = seen_.own.run_has_normal(edge_, seen_.turned_back({-m.x, -m.y}), border_width);
    return {height, point, has_normal && is_over(e, m, border_width)};
  }

  /// accept(edge) for the candidates; `margin`: the greatest height of a candidate, m; `reach`: of the other outline
  /// from its middle, m.
  template <class Accept>
  JOSTLE_HD void visit(double reach, double margin, double border_width, Accept accept) const {
    const double far = arc_.radius + reach + (margin > 0 ? margin : 0.0) + border_width;
    if (dot(centre_, centre_) > far * far) return;
    for (int e = 0; e < other_.corners; ++e) {
      if (other_.from_edge(e, centre_).height - arc_.radius > margin || !other_.is_first_of_run(e)) continue;
      const Place at = place(e, border_width);
      if (at.faces && (at.height >= -border_width || is_under(at, border_width))) accept(e);
    }
  }

 private:
  /// Whether an edge is where the arc is nearest to its line or circle, with the normal m there.
  JOSTLE_HD bool is_over(int e, const Vec2& m, double border_width) const {
    if (other_.is_convex_arc(e)) return other_.run_has_normal(e, m, border_width);
    if (other_.is_arc(e) && !(widest_ < other_.arc(e).radius)) return false;
    bool over = false;
    other_.for_each_in_run(e, [&](int part) {
      const FromEdge from = other_.from_edge(part, centre_);
      over = over || (from.along >= -border_width && from.along <= from.length + border_width);
    });
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
  CircularArc arc_;
  Vec2 centre_;
  double widest_;  ///< of concave arcs: those that are wider can be touched, m
};

}  // namespace jostle::detail

#pragma once
// Which edges of another outline a corner can touch: polygon_pairs.hpp has the rules.
#include "core/geometry/outline.hpp"

namespace jostle {

namespace detail {

/// Whether the lines from p to q and from r to s have a point in common that is no end of either.
JOSTLE_HD inline bool cross_each_other(const Vec2& p, const Vec2& q, const Vec2& r, const Vec2& s) {
  const Vec2 first = q - p, second = s - r;
  const double at_r = turn_of(first, r - p), at_s = turn_of(first, s - p);
  const double at_p = turn_of(second, p - r), at_q = turn_of(second, q - r);
  return ((at_r < 0 && at_s > 0) || (at_r > 0 && at_s < 0)) && ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0));
}

/// A corner of one outline against the edges of another one, in the plane of the latter.
class CornerOnOutline {
 public:
  /// `margin`: the greatest height of a candidate, m; `reach`: of the other outline from its middle, m; `radii`: of
  /// both outlines together, m.
  JOSTLE_HD CornerOnOutline(const SeenFrom& seen, int corner, const Outline& other, double reach, double margin,
                            double radii, double border_width)
      : other_(other), x_(seen.corner(corner)), margin_(margin), radii_(radii), border_(border_width) {
    const Outline& own = seen.own;
    const double far = reach + (margin > 0 ? margin : 0.0) + border_width;
    may_touch_ = dot(x_, x_) <= far * far && own.is_convex(corner);
    has_edges_ = own.corners > 1;
    if (!may_touch_ || !has_edges_) return;
    next_ = seen.turned(own.start_direction(corner));
    const Vec2 previous = seen.turned(own.end_direction(own.before(corner)));
    previous_ = {-previous.x, -previous.y};
    after_ = seen.corner(own.after(corner)), before_ = seen.corner(own.before(corner));
    may_touch_ = may_have_candidates();
  }

  /// accept(edge, from) for the candidates.
  template <class Accept>
  JOSTLE_HD void visit(Accept accept) {
    if (!may_touch_) return;
    const bool has_arcs = other_.has_arcs();
    int least_deep = -1;
    double least = -infinity();
    int begin = other_.corners, end = 0;  // of the edges with candidates
    for (int e = 0; e < other_.corners; ++e) {
      if (has_arcs && !other_.is_first_of_run(e)) continue;
      const FromEdge from = other_.from_edge(e, x_);
      if ((from.height > margin_ && from.height > border_) || !faces(e, from) || !is_over(e, from)) continue;
      if (from.height <= margin_) begin = e < begin ? e : begin, end = e + 1;
      if (from.height <= border_ && from.height > least) least = from.height, least_deep = e;
    }
    if (begin >= end) return;
    const bool is_deep = least_deep >= 0 && (least >= -border_ || is_solid() || has_passed_end_of(least_deep));
    for (int e = begin; e < end; ++e) {
      if (has_arcs && !other_.is_first_of_run(e)) continue;
      const FromEdge from = other_.from_edge(e, x_);
      if (from.height > margin_ || !faces(e, from) || !is_over(e, from)) continue;
      if (from.height >= -border_ || (is_deep && (e == least_deep || shares_notch(e, least_deep)))) accept(e, from);
    }
  }

 private:
  /// Whether there may be candidates: an edge is near, or the corner is in the solid, or has passed a corner of it, so
  /// that both of its edges cross edges.
  JOSTLE_HD bool may_have_candidates() const {
    const double width = (margin_ > border_ ? margin_ : border_) + 2 * border_;
    const PlaneBox point(x_, x_, width);
    PlaneBox lines(x_, after_, width);
    lines.include({x_, before_, width});
    bool crosses_after = false, crosses_before = false;
    const auto is_near = [&](const Vec2& p, const Vec2& q, double beside) {
      const double height = turn_of(x_ - p, q - p), far = width + beside;  // the height times the length
      if (point.meets({p, q, beside}) && height * height <= far * far * dot(q - p, q - p)) return true;
      crosses_after = crosses_after || cross_each_other(x_, after_, p, q);
      crosses_before = crosses_before || cross_each_other(x_, before_, p, q);
      return false;
    };
    return is_near_or_inside(other_, lines, x_, border_, false, is_near) || (crosses_after && crosses_before);
  }

  /// Looks at every edge, so at most once.
  JOSTLE_HD const PointAndOutline& place() {
    if (!is_placed_) place_ = locate(other_, x_), is_placed_ = true;
    return place_;
  }

  JOSTLE_HD bool is_solid() { return place().is_inside || place().squared_distance <= border_ * border_; }

  JOSTLE_HD bool faces(int edge, const FromEdge& from) const {
    if (!has_edges_) return true;
    const Vec2& m = from.normal;
    // What leads towards an arc touches it before the corner does.
    const double least = other_.is_convex_arc(edge) && from.height >= -border_ ? -border : -nearing_limit;
    return dot(next_, m) >= least && dot(previous_, m) >= least;
  }

  JOSTLE_HD JOSTLE_OUTLINE bool is_over(int edge, const FromEdge& from) {
    if (other_.bulge(edge) < 0 && radii_ >= other_.arc(edge).radius) return false;  // too wide for it
    if (from.along >= -border_ && from.along <= from.length + border_) return true;
    if (other_.continues(other_.after(edge))) return is_over_run(edge);
    const bool at_start = from.along < 0;
    const int end = at_start ? edge : other_.after(edge);
    const double neighbour = other_.from_edge(at_start ? other_.before(edge) : end, x_).height;
    if (neighbour > border_) return false;  // not in the solid there
    const bool is_concave = other_.is_concave(end);
    if (!is_concave) {  // inside an obtuse corner the solid goes on past the end of the edge
      const double past = at_start ? -from.along : from.along - from.length;
      if (!(from.height < -border_ && past <= -past_obtuse * from.height) || !other_.is_convex(end)) return false;
    }
    if (!is_concave) return true;
    const Vec2 d = x_ - other_.corner(end);
    const double most = (place().is_inside ? notch_reach * std::sqrt(place().squared_distance) : 0.0) + 2 * border_;
    return dot(d, d) <= most * most;
  }

  /// Over one of several arcs of one circle.
  JOSTLE_HD bool is_over_run(int edge) const {
    bool over = false;
    other_.for_each_in_run(edge, [&](int part) {
      const FromEdge from = other_.from_edge(part, x_);
      over = over || (from.along >= -border_ && from.along <= from.length + border_);
    });
    return over;
  }

  /// Whether this corner and one at an end of the edge have passed each other, so that each is outside of the other
  /// solid: one edge of the corner goes in through the edge's neighbour, and the edge comes in through the other one.
  /// Arcs count as their chords.
  JOSTLE_HD bool has_passed_end_of(int edge) const {
    const Vec2 first = other_.corner(edge), last = other_.corner(other_.after(edge));
    const auto passes = [&](int end, int neighbour) {
      if (!other_.is_convex(end)) return false;
      const Vec2 from = other_.corner(neighbour), to = other_.corner(other_.after(neighbour));
      const auto go_in = [&](const Vec2& own, const Vec2& others) {
        return cross_each_other(x_, own, from, to) && cross_each_other(first, last, x_, others);
      };
      return go_in(after_, before_) || go_in(before_, after_);
    };
    return passes(edge, other_.before(edge)) || passes(other_.after(edge), other_.after(edge));
  }

  JOSTLE_HD JOSTLE_OUTLINE bool shares_notch(int edge, int deep) const {
    return (other_.after(edge) == deep && other_.is_concave(deep)) ||
           (other_.after(deep) == edge && other_.is_concave(edge));
  }

  const Outline& other_;
  Vec2 x_, next_, previous_, after_, before_;
  double margin_, radii_, border_;
  bool may_touch_, has_edges_, is_placed_ = false;
  PointAndOutline place_;
};

}  // namespace detail

}  // namespace jostle

#pragma once
// The signed distance of two outlines.
#include "core/geometry/arc_on_outline.hpp"

namespace jostle {

namespace detail {

JOSTLE_HD inline bool is_convex(const Outline& outline) {
  for (int i = 0; i < outline.corners; ++i)
    if (outline.is_concave(i)) return false;
  return true;
}

/// The greatest separation along the normals of the edges of `other`, m.
JOSTLE_HD inline double separation(const SeenFrom& seen, const Outline& other) {
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
JOSTLE_HD inline double nearest_to_middle(const Vec2& p, const Vec2& q) {
  const Vec2 along = q - p;
  const double squared = dot(along, along), share = squared > 0 ? -dot(p, along) / squared : 0;
  const double t = share < 0 ? 0 : share > 1 ? 1 : share;
  const Vec2 x{p.x + t * along.x, p.y + t * along.y};
  return dot(x, x);
}

/// m: how far two arcs reach over each other on the line of their centres, if both have a point on it where the solids
/// face each other: convex ones between the centres, a convex one and a wider concave one beyond both. Else infinity.
JOSTLE_HD inline double depth_of_arcs(const CircularArc& a, const CircularArc& b) {
  const auto is_on = [](const CircularArc& on, const Vec2& u) { return on.past_end(u) < 0; };
  const Vec2 d = b.centre - a.centre;
  const double far = std::sqrt(dot(d, d));
  const Vec2 to_b = unit_or(d, Vec2{1, 0}), to_a = -1.0 * to_b;
  if (a.is_convex() && b.is_convex()) return is_on(a, to_b) && is_on(b, to_a) ? a.radius + b.radius - far : infinity();
  const bool a_is_inside = a.is_convex() && a.radius < b.radius, b_is_inside = b.is_convex() && b.radius < a.radius;
  if (!a_is_inside && !b_is_inside) return infinity();
  const Vec2& out = a_is_inside ? to_a : to_b;  // from the wider one's centre through the other
  return is_on(a, out) && is_on(b, out) ? far - std::fabs(a.radius - b.radius) : infinity();
}

/// visit(x, depth) for the points where two edges cross: p q of one, of which `arc` is the arc, and an edge of the
/// other one. Of straight ones, how far the nearest of their ends is from the line of the other, m: little where they
/// are all but flush. Where an arc reaches over the other edge, its depth there; else infinity.
JOSTLE_HD void for_each_crossing(const Vec2& p, const Vec2& q, const CircularArc* arc, const Outline& other, int edge,
                                 auto visit) {
  if (!arc && !other.is_arc(edge)) {
    const double at_p = other.from_edge(edge, p).height, at_q = other.from_edge(edge, q).height;
    if (!((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0))) return;
    const double share = at_p / (at_p - at_q);
    const Vec2 x{p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)};
    const FromEdge from = other.from_edge(edge, x);
    if (!(from.along > 0 && from.along < from.length)) return;
    const Vec2 along = unit_or(q - p, Vec2{1, 0});
    double nearest = std::fabs(at_p) < std::fabs(at_q) ? std::fabs(at_p) : std::fabs(at_q);
    for (const int end : {edge, other.after(edge)}) {
      const double at_end = std::fabs(turn_of(along, other.corner(end) - p));
      if (at_end < nearest) nearest = at_end;
    }
    visit(x, nearest);
    return;
  }
  const auto is_on = [](const CircularArc& on, const Vec2& x) { return on.past_end(on.towards(x)) < 0; };
  if (arc && other.is_arc(edge)) {
    const CircularArc of_other = other.arc(edge);
    const Vec2 d = of_other.centre - arc->centre, along = unit_or(d, Vec2{1, 0});
    const double far = std::sqrt(dot(d, d));
    const double at = 0.5 * (far + (arc->radius - of_other.radius) * (arc->radius + of_other.radius) / far);
    const double squared = arc->radius * arc->radius - at * at;
    if (!(squared > 0)) return;
    const double depth = depth_of_arcs(*arc, of_other);
    for (const double side : {-std::sqrt(squared), std::sqrt(squared)}) {
      const Vec2 x = arc->centre + at * along + side * Vec2{-along.y, along.x};
      if (is_on(*arc, x) && is_on(of_other, x)) visit(x, depth);
    }
    return;
  }
  const Vec2 from = arc ? other.corner(edge) : p, to = arc ? other.corner(other.after(edge)) : q;
  const CircularArc round = arc ? *arc : other.arc(edge);
  const Vec2 d = to - from, along = unit_or(d, Vec2{1, 0}), foot = round.centre - from;
  const double height = turn_of(along, foot), squared = round.radius * round.radius - height * height;
  if (!(squared > 0)) return;
  const double below = dot(along, foot);
  const bool is_over = below > 0 && below * below < dot(d, d) && is_on(round, from + below * along);
  const double depth = is_over && round.is_convex() ? round.radius - std::fabs(height) : infinity();
  for (const double side : {-std::sqrt(squared), std::sqrt(squared)}) {
    const double at = below + side;
    const Vec2 x = from + at * along;
    if (at > 0 && at * at < dot(d, d) && is_on(round, x)) visit(x, depth);
  }
}

/// Squared, m^2: where edges cross, though no part of either outline that could touch is in the other one, how far the
/// crossing is from the nearest end of its edges, or their depth there, if that is less.
JOSTLE_HD inline double deepest_crossing(const SeenFrom& seen, const Outline& other, double reach, bool& overlap) {
  double deepest = 0;
  for (int i = 0; i < seen.own.corners && seen.own.corners > 1; ++i) {
    const Vec2 p = seen.corner(i), q = seen.corner(seen.own.after(i));
    const bool is_arc = seen.own.is_arc(i);
    if (!is_arc && nearest_to_middle(p, q) > reach * reach) continue;
    const PlaneBox box(p, q, seen.own.beside(i, p, q) + border * reach);
    for (int e = 0; e < other.corners; ++e) {
      const Vec2 from_corner = other.corner(e), to_corner = other.corner(other.after(e));
      if (!box.meets({from_corner, to_corner, other.beside(e, from_corner, to_corner)})) continue;
      const CircularArc arc(p, q, is_arc ? seen.own.bulge(i) : 1);
      for_each_crossing(p, q, is_arc ? &arc : nullptr, other, e, [&](const Vec2& x, double depth) {
        overlap = true;
        const FromEdge from = other.from_chord(e, x);
        const bool is_straight = !other.is_arc(e);
        const Vec2 to_first = x - other.corner(e), to_last = x - other.corner(other.after(e));
        const double rest = from.length - from.along;
        const double ends[] = {dot(x - p, x - p), dot(x - q, x - q),
                               is_straight ? from.along * from.along : dot(to_first, to_first),
                               is_straight ? rest * rest : dot(to_last, to_last)};
        double nearest = depth * depth;
        for (const double end : ends) nearest = end < nearest ? end : nearest;
        if (nearest > deepest) deepest = nearest;
      });
    }
  }
  return deepest;
}

}  // namespace detail

/// In overlap: of convex outlines without arcs the least depth along the normals of their edges, of others that of the
/// corner, or the point of a convex arc that faces an edge, that is deepest in the other outline.
JOSTLE_HD inline double outline_distance(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 normal = b.axes.col(2);
  const Outline of_a(a, normal), of_b(b, normal);
  const double radii = of_a.radius + of_b.radius;
  const double reach_a = bounding_radius(a), reach_b = bounding_radius(b), border_width = border * (reach_a + reach_b);
  const SeenFrom a_from_b(of_a, of_b), b_from_a(of_b, of_a);
  double squared = infinity(), deepest = 0;
  bool overlap = false;
  const auto take = [&](const PointAndOutline& at) {
    if (at.is_inside) {
      overlap = true;
      if (at.squared_distance > deepest) deepest = at.squared_distance;
    } else if (at.squared_distance < squared) {
      squared = at.squared_distance;
    }
  };
  const auto place_of = [&](const Vec2& x, const Outline& other) {
    const PointAndOutline at = locate(other, x, squared);  // of points outside of it only nearer ones count
    return at.is_inside ? locate(other, x) : at;
  };
  const auto look = [&](const SeenFrom& seen, const Outline& other, double reach) {
    for (int i = 0; i < seen.own.corners; ++i) {
      const Vec2 x = seen.corner(i);
      const double least = std::sqrt(dot(x, x)) - reach;
      if (least > 0 && least * least > squared) continue;  // others are nearer
      take(place_of(x, other));
    }
    for (int i = 0; i < seen.own.corners && seen.own.has_arcs() && other.corners > 1; ++i) {
      if (!seen.own.is_convex_arc(i) || !seen.own.is_first_of_run(i)) continue;
      if (!detail::is_run_near(seen, i, other, std::sqrt(squared), border_width)) continue;
      const detail::ArcOnOutline arc(seen, i, other, 0);
      for (int e = 0; e < other.corners; ++e) {
        const FromEdge from = arc.from_edge(e);
        const double height = arc.height(from);
        if ((height > 0 && height * height >= squared) || !other.is_first_of_run(e)) continue;  // others are nearer
        const auto at = arc.place(e, from, 0);
        if (at.faces) take(at.height > 0 ? PointAndOutline{false, at.height * at.height} : place_of(at.point, other));
      }
    }
  };
  look(a_from_b, of_b, reach_b);
  if (of_a.corners > 1) look(b_from_a, of_a, reach_a);
  if (!overlap) deepest = detail::deepest_crossing(a_from_b, of_b, reach_b, overlap);
  if (!overlap) return std::sqrt(squared) - radii;
  if (!of_a.has_arcs() && !of_b.has_arcs() && detail::is_convex(of_a) && detail::is_convex(of_b)) {
    const double over_b = detail::separation(a_from_b, of_b), over_a = detail::separation(b_from_a, of_a);
    return (over_a > over_b ? over_a : over_b) - radii;
  }
  return -std::sqrt(deepest) - radii;
}

}  // namespace jostle

// What the numbers of polygons must be.
#include <algorithm>

#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/parameters/plane_areas.hpp"
#include "scenarios/parameters/polygon.hpp"

namespace jostle {
namespace {

/// Where an arc ends, a concave corner that turns by less is none, rad: what its rims share is below 1e-8 of radius^2.
constexpr double flat_kink = 1e-4;

/// Edges that share a corner may come as near to each other there, relative to the size of the polygon.
constexpr double shared_corner = 1e-6;

/// Segments that have a point in common.
Traced meet(const TracedPoint& a, const TracedPoint& b, const TracedPoint& p, const TracedPoint& q) {
  const TracedPoint ab = b - a, pq = q - p;
  const Traced of_p = turn(ab, p - a), of_q = turn(ab, q - a), of_a = turn(pq, a - p), of_b = turn(pq, b - p);
  const auto overlap = [](const Traced& x, const Traced& y, const Traced& u, const Traced& v) {
    return both(larger(x, y) >= smaller(u, v), larger(u, v) >= smaller(x, y));
  };
  const Traced near = both(overlap(a.x, b.x, p.x, q.x), overlap(a.y, b.y, p.y, q.y));
  const auto differ = [](const Traced& x, const Traced& y) { return !either(both(x > 0, y > 0), both(x < 0, y < 0)); };
  return both(near, both(differ(of_p, of_q), differ(of_a, of_b)));
}

/// Whether two edges, of which one is an arc, have a point in common that is further than `near` from corners that they
/// share.
Traced arcs_meet(const TracedOutline& outline, std::size_t i, std::size_t j, const Traced& near) {
  if (!outline.are_arcs[i]) std::swap(i, j);
  const TracedArc arc = outline.arc(i);
  const TracedPoint &p = outline.points[j], &q = outline.points[outline.after(j)];
  const auto is_apart = [&](const TracedPoint& x) {
    Traced apart = 1;
    const auto keep_away = [&](std::size_t corner) {
      const TracedPoint d = x - outline.points[corner];
      apart = both(apart, dot(d, d) > near * near);
    };
    if (outline.after(i) == j) keep_away(j);
    if (outline.after(j) == i) keep_away(i);
    return apart;
  };
  if (outline.are_arcs[j]) {
    const TracedArc other = outline.arc(j);
    const TracedPoint d = other.centre - arc.centre;
    const Traced far = sqrt(dot(d, d));
    const Traced at = 0.5 * (far + (arc.radius - other.radius) * (arc.radius + other.radius) / far);
    const Traced squared = arc.radius * arc.radius - at * at, height = sqrt(larger(squared, 0));
    const auto meets_at = [&](const Traced& side) {
      const TracedPoint x = arc.centre + 1 / far * (at * d + side * height * TracedPoint{-d.y, d.x});
      return both(both(arc.has(x), other.has(x)), is_apart(x));
    };
    return both(squared >= 0, either(meets_at(-1), meets_at(1)));
  }
  const TracedPoint d = q - p, from = arc.centre - p;
  const Traced length = sqrt(dot(d, d)), foot = dot(d, from) / length, high = turn(d, from) / length;
  const Traced squared = arc.radius * arc.radius - high * high, half = sqrt(larger(squared, 0));
  const auto meets_at = [&](const Traced& at) {
    const TracedPoint x = p + at / length * d;
    return both(both(both(at >= 0, at <= length), arc.has(x)), is_apart(x));
  };
  return both(squared >= 0, either(meets_at(foot - half), meets_at(foot + half)));
}

/// |x| + |y| of the vector to the point that is furthest from the first one by this measure.
Traced size_of(const std::vector<TracedPoint>& points) {
  Traced size = 0;
  for (const TracedPoint& point : points)
    size = larger(size, fabs(point.x - points[0].x) + fabs(point.y - points[0].y));
  return size;
}

std::string text_of(const TracedPoint& point) {
  return "[" + shortest(point.x.value()) + ", " + shortest(point.y.value()) + "]";
}

/// Of the arcs alone, and where they end if the edges are rounded. `name`(i): of a point.
void require_arcs(const PolygonSpec& polygon, const TracedOutline& outline, const Traced& radius, const auto& name,
                  Requirements& require) {
  const std::vector<OutlineCorner>& corners = polygon.points.list;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    if (!outline.are_arcs[i]) continue;
    const Traced size = fabs(outline.bulges[i]);
    require(both(size >= least_bulge, size <= greatest_bulge), corners[i].where,
            [&] { return name(i) + wrong_bulge + shortest(outline.bulges[i].value()); });
  }
  if (radius.is_known() && radius.value() == 0) return;
  const double outside = polygon.is_clockwise ? -1 : 1;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const std::size_t next = outline.after(i);
    if (outline.are_arcs[i]) {
      const TracedArc arc = outline.arc(i);
      require(either(outside * arc.sense > 0, radius < arc.radius), corners[i].where, [&] {
        return name(i) + ": the radius " + shortest(radius.value()) +
               " leaves nothing of the concave arc, whose own is " + shortest(arc.radius.value());
      });
    }
    if (!outline.are_arcs[i] && !outline.are_arcs[next]) continue;
    const TracedPoint before = outline.directions(i).second, after = outline.directions(next).first;
    const Traced least = -flat_kink * sqrt(dot(before, before) * dot(after, after));
    const Traced turned = outside * turn(before, after), is_flat = both(dot(before, after) > 0, turned > least);
    require(either(radius == 0, either(turned > 0, is_flat)), corners[next].where, [&] {
      return name(next) + ": with a radius, an arc cannot end in a concave corner yet: add an arc that rounds it";
    });
  }
}

}  // namespace

void require_simple(const PolygonSpec& polygon, const std::string& path, Draw draw, Requirements& require) {
  const TracedOutline outline = outline_of(polygon, draw);
  const std::vector<TracedPoint>& points = outline.points;
  const std::vector<OutlineCorner>& corners = polygon.points.list;
  const std::size_t n = points.size();
  const auto name = [&](std::size_t i) { return path + ".points[" + std::to_string(i) + "]"; };
  const Traced size = size_of(points), least = polygon_rounding * size;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = outline.after(i);
    const TracedPoint along = points[next] - points[i];
    require(fabs(along.x) + fabs(along.y) > least, corners[next].where,
            [&] { return name(next) + " repeats the point before it, " + text_of(points[i]); });
  }
  require_arcs(polygon, outline, number_of(polygon.radius, draw), name, require);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t next = outline.after(i);
    const TracedPoint along = outline.directions(i).second, after = outline.directions(next).first;
    require(either(dot(along, after) >= 0, fabs(turn(along, after)) > -polygon_rounding * dot(along, after)),
            corners[next].where,
            [&] { return name(next) + ": the edge turns back on itself at " + text_of(points[next]); });
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const bool is_round = outline.are_arcs[i] || outline.are_arcs[j], is_next = j == i + 1 || outline.after(j) == i;
      if (!is_round && is_next) continue;
      const Traced crosses = is_round ? arcs_meet(outline, i, j, shared_corner * size)
                                      : meet(points[i], points[i + 1], points[j], points[outline.after(j)]);
      require(!crosses, corners[j].where, [&] {
        return path + " crosses itself: the edge from " + name(i) + " = " + text_of(points[i]) + " meets that from " +
               name(j) + " = " + text_of(points[j]);
      });
    }
  }
  const Traced area = doubled_area(outline);
  require(fabs(area) > least * size, corners[0].where, [&] { return path + " has no area"; });
  require(either(area > 0, polygon.is_clockwise), corners[0].where, [&] {
    return path + ".points must run counter-clockwise in every sample, because they depend on variables";
  });
}

}  // namespace jostle

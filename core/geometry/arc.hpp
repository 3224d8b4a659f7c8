#pragma once
// Vectors in the plane, and arcs: edges of outlines that are parts of circles.
#include <cmath>

#include "core/geometry/shape_points.hpp"

namespace jostle {

/// A vector in the plane.
struct Vec2 {
  double x = 0, y = 0;
};
JOSTLE_HD inline Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
JOSTLE_HD inline Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
JOSTLE_HD inline Vec2 operator*(double s, const Vec2& a) { return {s * a.x, s * a.y}; }
JOSTLE_HD inline double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
/// > 0: b lies to the left of a.
JOSTLE_HD inline double turn_of(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
/// a / |a|, or `otherwise` where a has no direction.
JOSTLE_HD inline Vec2 unit_or(const Vec2& a, const Vec2& otherwise) {
  const double length = std::sqrt(dot(a, a));
  return length > shortest_length ? Vec2{a.x / length, a.y / length} : otherwise;
}

/// Where a point is seen from an edge.
struct FromEdge {
  double height;  ///< above its line or circle, outwards, m
  double along;   ///< of its foot, from the edge's first corner, m; on an arc only how far it is from the ends counts
  double length;  ///< of the edge, m; of an arc twice its radius
  Vec2 normal;    ///< of the edge where it is nearest, outwards, unit
};

/// With the angle theta from its first corner p to its last one q, and its bulge b = tan(theta / 4),
///
///     centre = (p + q)/2 + (1 - b^2)/(4 b) left(q - p),     radius = |q - p| (1 + b^2)/(4 |b|)
///
/// Where b > 0 the solid is inside the circle.
struct CircularArc {
  Vec2 centre;
  double radius;        ///< m
  double sense;         ///< 1: it runs counter-clockwise about its centre and is convex; -1: clockwise, concave
  Vec2 middle;          ///< unit, from the centre to its middle
  double cosine, sine;  ///< of half its angle, which is at most pi
  Vec2 first, last;     ///< unit, from the centre to its ends

  JOSTLE_HD CircularArc(const Vec2& p, const Vec2& q, double bulge) : sense(bulge > 0 ? 1 : -1) {
    const Vec2 d = q - p, along = unit_or(d, Vec2{1, 0});
    const double squared = bulge * bulge, side = (1 - squared) / (4 * bulge);
    centre = {0.5 * (p.x + q.x) - side * d.y, 0.5 * (p.y + q.y) + side * d.x};
    radius = std::sqrt(dot(d, d)) * (1 + squared) / (4 * std::fabs(bulge));
    middle = {sense * along.y, -sense * along.x};
    cosine = (1 - squared) / (1 + squared), sine = 2 * std::fabs(bulge) / (1 + squared);
    first = cosine * middle - sine * along, last = cosine * middle + sine * along;
  }

  JOSTLE_HD bool is_convex() const { return sense > 0; }

  /// The direction of a point from the centre; to its middle, if that is where the point is.
  JOSTLE_HD Vec2 towards(const Vec2& x) const { return unit_or(x - centre, middle); }
  JOSTLE_HD bool is_in_second_half(const Vec2& u) const { return sense * turn_of(middle, u) >= 0; }

  /// By how much a direction is past the end that is nearer to it: the sine of the angle, < 0 on the arc; beyond a
  /// right angle 2 minus the sine.
  JOSTLE_HD double past_end(const Vec2& u) const {
    const bool at_last = is_in_second_half(u);
    const Vec2& end = at_last ? last : first;
    const double past = (at_last ? sense : -sense) * turn_of(end, u);
    return dot(end, u) >= 0 ? past : past >= 0 ? 2 - past : -2 - past;
  }

  JOSTLE_HD FromEdge from(const Vec2& x) const {
    const Vec2 d = x - centre, u = towards(x);
    const double past = radius * past_end(u);
    return {sense * (std::sqrt(dot(d, d)) - radius), is_in_second_half(u) ? 2 * radius + past : -past, 2 * radius,
            sense * u};
  }
};

}  // namespace jostle

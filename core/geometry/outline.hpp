#pragma once
// Outlines: what a planar scene has of a shape. The core is a simple polygon, convex or not, whose corners run
// counter-clockwise, and the shape is the set of points within a radius of it. A sphere has a core of one corner, a
// capsule of two (with an edge on either side), a box of four. Edge i leads from corner i to the next one.
#include <cmath>

#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/shape_points.hpp"

namespace jostle {

/// A corner whose edges turn by less (sine) is flat, and touches nothing.
inline constexpr double flat_corner = 1e-9;

/// A vector in the plane.
struct Vec2 {
  double x = 0, y = 0;
};
JOSTLE_HD inline Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
JOSTLE_HD inline Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
JOSTLE_HD inline double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
/// > 0: b lies to the left of a.
JOSTLE_HD inline double turn_of(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }

/// How many corners the outline of a shape has; `corners`: of a polygon.
JOSTLE_HD constexpr int outline_corners(ShapeType type, int corners) {
  return type == ShapeType::sphere ? 1 : type == ShapeType::capsule ? 2 : type == ShapeType::box ? 4 : corners;
}

/// Where a point is seen from an edge.
struct FromEdge {
  double height;  ///< above its line, outwards, m
  double along;   ///< of its foot, from the edge's first corner, m
  double length;  ///< of the edge, m
};

class Outline {
 public:
  /// `normal`: of the plane. A capsule across the plane is a disc.
  JOSTLE_HD Outline(const PlacedShape& shape, const Vec3& normal)
      : corners(outline_corners(shape.type, shape.corners)), middle(shape.position), points_(shape.corner) {
    int across = 2;  // the axis along the normal
    if (shape.type == ShapeType::box) {
      for (int k = 0; k < 2; ++k)
        if (std::fabs(dot(shape.axes.col(k), normal)) > 0.5) across = k;
      half_[0] = component(shape.size, (across + 1) % 3), half_[1] = component(shape.size, (across + 2) % 3);
      u = shape.axes.col((across + 1) % 3), v = cross(normal, u);
      return;
    }
    radius = shape.size[0];
    if (shape.type == ShapeType::polygon) {
      u = shape.axes.col(0), v = shape.axes.col(1);
      return;
    }
    u = shape.axes.col(2);
    if (shape.type == ShapeType::capsule) half_[0] = shape.size[1];
    if (std::fabs(dot(u, normal)) > 0.5) {
      u = shape.axes.col(0), half_[0] = 0;
      if (shape.type == ShapeType::capsule) corners = 1;
    }
    v = cross(normal, u);
  }

  int corners;
  double radius = 0;  ///< m
  Vec3 middle, u, v;  ///< origin and axes of the plane, world

  JOSTLE_HD int after(int i) const { return i + 1 < corners ? i + 1 : 0; }
  JOSTLE_HD int before(int i) const { return i > 0 ? i - 1 : corners - 1; }

  /// In the axes u and v, from the middle, m.
  JOSTLE_HD Vec2 corner(int i) const {
    if (points_) return {points_[2 * i], points_[2 * i + 1]};
    return {i == 1 || i == 2 ? half_[0] : -half_[0], i >= 2 ? half_[1] : -half_[1]};
  }
  JOSTLE_HD Vec3 in_world(const Vec2& x) const { return x.x * u + x.y * v; }
  JOSTLE_HD Vec3 corner_in_world(int i) const { return middle + in_world(corner(i)); }
  JOSTLE_HD Vec2 in_plane(const Vec3& x) const {
    const Vec3 d = x - middle;
    return {dot(d, u), dot(d, v)};
  }

  /// Unit vector along an edge; (1, 0) if it has no length.
  JOSTLE_HD Vec2 direction(int edge, double& length) const {
    const Vec2 d = corner(after(edge)) - corner(edge);
    length = std::sqrt(dot(d, d));
    return length > shortest_length ? Vec2{d.x / length, d.y / length} : Vec2{1, 0};
  }
  JOSTLE_HD static Vec2 outwards(const Vec2& direction) { return {direction.y, -direction.x}; }
  /// The outward normal of an edge, world.
  JOSTLE_HD Vec3 edge_normal(int edge) const {
    double length;
    return in_world(outwards(direction(edge, length)));
  }

  JOSTLE_HD FromEdge from_edge(int edge, const Vec2& x) const {
    FromEdge from;
    const Vec2 along = direction(edge, from.length), d = x - corner(edge);
    from.height = dot(outwards(along), d), from.along = dot(along, d);
    return from;
  }

  /// Corner i turns outwards, > 0, or inwards: the sine of the turn.
  JOSTLE_HD double turn(int i) const {
    if (corners < 3) return 1;
    double length;
    return turn_of(direction(before(i), length), direction(i, length));
  }
  JOSTLE_HD bool is_convex(int i) const { return turn(i) > flat_corner; }
  JOSTLE_HD bool is_concave(int i) const { return turn(i) < -flat_corner; }

 private:
  const double* points_;
  double half_[2] = {0, 0};
};

/// The corners of one outline in the plane of another one.
struct SeenFrom {
  const Outline& own;
  Vec2 middle, u, v;

  JOSTLE_HD SeenFrom(const Outline& own_outline, const Outline& other)
      : own(own_outline),
        middle(other.in_plane(own.middle)),
        u{dot(own.u, other.u), dot(own.u, other.v)},
        v{dot(own.v, other.u), dot(own.v, other.v)} {}

  JOSTLE_HD Vec2 turned(const Vec2& x) const { return {x.x * u.x + x.y * v.x, x.x * u.y + x.y * v.y}; }
  JOSTLE_HD Vec2 corner(int i) const { return middle + turned(own.corner(i)); }
};

/// Where a point is relative to a whole outline's core.
struct PointAndOutline {
  bool is_inside = false;
  double squared_distance = infinity();  ///< from the edges, m^2
};

/// The winding number tells inside from outside, and the distance is that of the nearest edge.
JOSTLE_HD inline PointAndOutline locate(const Outline& outline, const Vec2& x) {
  PointAndOutline at;
  int winding = 0;
  for (int e = 0; e < outline.corners; ++e) {
    const FromEdge from = outline.from_edge(e, x);
    const double first = outline.corner(e).y, last = outline.corner(outline.after(e)).y;
    if (first <= x.y && last > x.y && from.height < 0) ++winding;
    if (first > x.y && last <= x.y && from.height > 0) --winding;
    const double beyond = from.along < 0 ? -from.along : from.along > from.length ? from.along - from.length : 0.0;
    const double squared = from.height * from.height + beyond * beyond;
    if (squared < at.squared_distance) at.squared_distance = squared;
  }
  at.is_inside = winding != 0;
  return at;
}

}  // namespace jostle

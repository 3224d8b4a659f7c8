#pragma once
// Named points of a placed shape, and its bounding ball.
#include <cmath>

#include "core/geometry/shape.hpp"

namespace jostle {

/// Everything below this length is one point: its square would lose digits.
inline constexpr double shortest_length = 1e-140;

/// v / |v|, or `otherwise` where v has no direction.
JOSTLE_HD inline Vec3 unit_or(const Vec3& v, const Vec3& otherwise) {
  const double squared = dot(v, v);
  if (!(squared > shortest_length * shortest_length)) return otherwise;
  return v / std::sqrt(squared);
}

/// A unit vector perpendicular to the unit vector u and to the world axis of u's smallest component.
JOSTLE_HD inline Vec3 perpendicular(const Vec3& u) {
  const double x = std::fabs(u[0]), y = std::fabs(u[1]), z = std::fabs(u[2]);
  const Vec3 axis(x <= y && x <= z ? 1 : 0, y < x && y <= z ? 1 : 0, z < x && z < y ? 1 : 0);
  return unit_or(cross(u, axis), Vec3(1, 0, 0));
}

/// x in the frame of the shape: from its position, along its axes.
JOSTLE_HD inline Vec3 to_local(const PlacedShape& shape, const Vec3& x) {
  const Vec3 d = x - shape.position;
  return {dot(shape.axes.col(0), d), dot(shape.axes.col(1), d), dot(shape.axes.col(2), d)};
}

/// -1 or +1 for the features "low" (0) and "high" (1) along an axis.
JOSTLE_HD constexpr double side(int high) { return high ? 1 : -1; }

/// Cap centre of a capsule or centre of an end disc of a cylinder: end 0 at -half length, end 1 at +half length.
JOSTLE_HD inline Vec3 end_point(const PlacedShape& rod, int end) {
  return rod.position + side(end) * rod.size[1] * rod.axes.col(2);
}

/// The point of the axis of a capsule or cylinder closest to x.
JOSTLE_HD inline Vec3 across_axis(const PlacedShape& rod, const Vec3& x) {
  const Vec3 u = rod.axes.col(2);
  return rod.position + dot(x - rod.position, u) * u;
}

/// Corner of a box: bit k of `corner` is set where the corner lies high along axis k.
JOSTLE_HD inline Vec3 box_corner(const PlacedShape& box, int corner) {
  const Vec3 x = side(corner & 1) * box.size[0] * box.axes.col(0);
  const Vec3 y = side(corner & 2) * box.size[1] * box.axes.col(1);
  const Vec3 z = side(corner & 4) * box.size[2] * box.axes.col(2);
  return box.position + x + y + z;
}

/// visit(corner, point) for all of them in their order, with the same bits.
JOSTLE_HD inline void visit_box_corners(const PlacedShape& box, auto visit) {
  const Vec3 x = box.size[0] * box.axes.col(0), y = box.size[1] * box.axes.col(1), z = box.size[2] * box.axes.col(2);
  const auto at = [&](bool high_x, bool high_y) {
    const Vec3 side_x = high_x ? Vec3(box.position + x) : Vec3(box.position - x);
    return high_y ? Vec3(side_x + y) : Vec3(side_x - y);
  };
  const Vec3 edge[4] = {at(false, false), at(true, false), at(false, true), at(true, true)};
  for (int i = 0; i < 4; ++i) visit(i, Vec3(edge[i] - z));
  for (int i = 0; i < 4; ++i) visit(4 + i, Vec3(edge[i] + z));
}

/// Radius of the ball about `position` that holds the shape, m. Not for a half-space.
JOSTLE_HD inline double bounding_radius(const PlacedShape& shape) {
  switch (shape.type) {
    case ShapeType::capsule: return shape.size[0] + shape.size[1];
    case ShapeType::box: return std::sqrt(dot(shape.size, shape.size));
    case ShapeType::cylinder: return std::sqrt(shape.size[0] * shape.size[0] + shape.size[1] * shape.size[1]);
    case ShapeType::polygon:
    case ShapeType::hull: return shape.size[0] + shape.size[1];
    default: return shape.size[0];
  }
}

/// m: how far from its middle a shape has points that a rotation moves; 0 for a sphere.
JOSTLE_HD inline double turning_radius(ShapeType type, const Vec3& size) {
  switch (type) {
    case ShapeType::capsule:
    case ShapeType::polygon:
    case ShapeType::hull: return size[1];
    case ShapeType::box: return std::sqrt(dot(size, size));
    case ShapeType::cylinder: return std::sqrt(size[0] * size[0] + size[1] * size[1]);
    default: return 0;
  }
}

/// Are two shapes of finite size certainly further apart than margin?
JOSTLE_HD inline bool far_apart(const PlacedShape& a, const PlacedShape& b, double margin) {
  const Vec3 d = b.position - a.position;
  const double reach = bounding_radius(a) + bounding_radius(b) + margin;
  return reach < 0 || dot(d, d) > reach * reach;
}

}  // namespace jostle

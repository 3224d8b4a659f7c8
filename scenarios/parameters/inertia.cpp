#include "scenarios/parameters/inertia.hpp"

#include <numbers>

namespace jostle {
namespace {

// Cylinder of length L: axial m r^2 / 2, transverse m (r^2 / 4 + L^2 / 12).
Solid solid_cylinder(const Traced& radius, const Traced& half_length) {
  const Traced mass = 2 * std::numbers::pi * radius * radius * half_length;
  const Traced transverse = mass * (radius * radius / 4 + half_length * half_length / 3);
  return {mass, {transverse, transverse, mass * radius * radius / 2}};
}

// Cylinder and two half balls of mass m / 2, whose centroids are 3 r / 8 beyond the cap centres: with c half the
// length, m (2 r^2 / 5 + c^2 + 3 c r / 4) across the axis.
Solid solid_capsule(const Traced& radius, const Traced& half_length) {
  const Solid cylinder = solid_cylinder(radius, half_length);
  const Traced caps = 4 * std::numbers::pi / 3 * radius * radius * radius;
  const Traced ball = 2 * radius * radius / 5;
  const Traced transverse = caps * (ball + half_length * half_length + 3 * half_length * radius / 4);
  return {cylinder.mass + caps, cylinder.moments + TracedVec3(transverse, transverse, caps * ball)};
}

Solid solid_box(const TracedVec3& half) {
  const Traced mass = 8 * half[0] * half[1] * half[2];
  const Traced xx = half[0] * half[0], yy = half[1] * half[1], zz = half[2] * half[2];
  return {mass, mass / 3 * TracedVec3(yy + zz, xx + zz, xx + yy)};
}

Solid solid_sphere(const Traced& radius) {
  const Traced mass = 4 * std::numbers::pi / 3 * radius * radius * radius;
  return {mass, TracedVec3::Constant(mass * 2 * radius * radius / 5)};
}

// Of a polygon only the moment across its plane counts, as it moves in a planar scene; a thin plate has half of it
// about other axes, on average.
Solid solid_plate(const TracedShape& shape) {
  const Traced half = 0.5 * shape.second_moment;
  return {shape.volume, {half, half, shape.second_moment}};
}

// A segment with 1 kg per metre.
Solid solid_segment(const Traced& half_length) {
  const Traced mass = 2 * half_length;
  const Traced transverse = mass * half_length * half_length / 3;
  return {mass, {transverse, transverse, 0}};
}

Solid solid(const TracedShape& shape) {
  switch (shape.type) {
    case ShapeType::sphere: return solid_sphere(shape.size[0]);
    case ShapeType::capsule: return solid_capsule(shape.size[0], shape.size[1]);
    case ShapeType::box: return solid_box(shape.size);
    case ShapeType::cylinder: return solid_cylinder(shape.size[0], shape.size[1]);
    case ShapeType::polygon: return solid_plate(shape);
    case ShapeType::hull: return {shape.volume, shape.moments, shape.products};
    case ShapeType::half_space: break;
  }
  return {0, TracedVec3::Zero()};
}

}  // namespace

Solid solid_of(const TracedShape& shape, const Traced& is_segment) {
  if (is_segment.is_known()) return is_segment.value() != 0 ? solid_segment(shape.size[1]) : solid(shape);
  const Solid segment = solid_segment(shape.size[1]), full = solid(shape);
  return {where(is_segment, segment.mass) + where(!is_segment, full.mass),
          where(is_segment, segment.moments) + where(!is_segment, full.moments), full.products};
}

Traced are_physical(const TracedVec3& moments, const bool (&freedom)[6]) {
  Traced physical = 1;
  for (int i = 0; i < 3; ++i)
    if (freedom[3 + i]) physical = both(physical, both(moments[i] > 0, is_finite(moments[i])));
  if (free_rotations(freedom) < 3) return physical;
  constexpr double rounding = 1e-12;
  for (int i = 0; i < 3; ++i)
    physical = both(physical, !(moments[i] > (moments[(i + 1) % 3] + moments[(i + 2) % 3]) * (1 + rounding)));
  return physical;
}

}  // namespace jostle

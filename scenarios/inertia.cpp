#include "scenarios/inertia.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

namespace jostle {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double tolerance = 1e-9;  ///< relative to the body's size

/// One shape of density 1 about its own centre and axes; `moments` in kg m^2.
struct Solid {
  Traced mass;
  TracedVec3 moments;
};

// Cylinder of length L: axial m r^2 / 2, transverse m (r^2 / 4 + L^2 / 12).
Solid solid_cylinder(const Traced& radius, const Traced& half_length) {
  const Traced mass = 2 * pi * radius * radius * half_length;
  const Traced transverse = mass * (radius * radius / 4 + half_length * half_length / 3);
  return {mass, {transverse, transverse, mass * radius * radius / 2}};
}

// Cylinder and two half balls of mass m / 2, whose centroids are 3 r / 8 beyond the cap centres: with c half the
// length, m (2 r^2 / 5 + c^2 + 3 c r / 4) across the axis.
Solid solid_capsule(const Traced& radius, const Traced& half_length) {
  const Solid cylinder = solid_cylinder(radius, half_length);
  const Traced caps = 4 * pi / 3 * radius * radius * radius;
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
  const Traced mass = 4 * pi / 3 * radius * radius * radius;
  return {mass, TracedVec3::Constant(mass * 2 * radius * radius / 5)};
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
    case ShapeType::half_space: break;
  }
  return {0, TracedVec3::Zero()};
}

/// `by_length`: whether all shapes are segments.
Solid solid(const TracedShape& shape, const Traced& by_length) {
  if (by_length.is_known()) return by_length.value() != 0 ? solid_segment(shape.size[1]) : solid(shape);
  const Solid segment = solid_segment(shape.size[1]), full = solid(shape);
  return {where(by_length, segment.mass) + where(!by_length, full.mass),
          where(by_length, segment.moments) + where(!by_length, full.moments)};
}

Traced larger(const Traced& a, const Traced& b) { return Traced::apply(Op::max, a, b); }

std::vector<TracedShape> traced(std::span<const PlacedShape> shapes) {
  std::vector<TracedShape> traced;
  for (const PlacedShape& shape : shapes)
    traced.push_back({shape.type, shape.size.cast<Traced>(), shape.position.cast<Traced>(), shape.axes.cast<Traced>()});
  return traced;
}

int free_rotations(const bool (&freedom)[6]) { return static_cast<int>(std::count(freedom + 3, freedom + 6, true)); }

}  // namespace

Traced volume_of(std::span<const TracedShape> shapes) {
  Traced volume = 0;
  for (const TracedShape& shape : shapes) volume += solid(shape).mass;
  return volume;
}

double volume_of(std::span<const PlacedShape> shapes) {
  return volume_of(std::span<const TracedShape>(traced(shapes))).value();
}

TracedInertia default_inertia(std::span<const TracedShape> shapes, const Traced& mass, const bool (&freedom)[6]) {
  TracedInertia result;
  if (shapes.empty()) result.problem = InertiaProblem::no_shape;
  Traced by_length = 1;
  for (const TracedShape& shape : shapes) {
    if (shape.type == ShapeType::half_space) result.problem = InertiaProblem::half_space;
    by_length = both(by_length, shape.type == ShapeType::capsule ? shape.size[0] == 0 : Traced(0));
  }
  if (result.problem != InertiaProblem::none) return result;

  // Sums over the shapes: m, m p, and R J R' + m (|p|^2 I - p p') about the body's origin (Huygens, Steiner).
  Traced total = 0;
  TracedVec3 first_moment = TracedVec3::Zero();
  TracedMat3 inertia = TracedMat3::Zero();
  for (const TracedShape& shape : shapes) {
    const Solid part = solid(shape, by_length);
    const TracedVec3& p = shape.position;
    total += part.mass;
    first_moment += part.mass * p;
    inertia += shape.axes * part.moments.asDiagonal() * shape.axes.transpose();
    inertia += part.mass * (dot<Traced>(p, p) * TracedMat3::Identity() - p * p.transpose());
  }
  inertia *= mass / total;
  const Traced size = sqrt(inertia.trace() / mass);
  const TracedVec3 centroid = first_moment / total;
  result.has_centroid = sqrt(dot<Traced>(centroid, centroid)) <= tolerance * size;
  const Traced products = larger(larger(fabs(inertia(0, 1)), fabs(inertia(0, 2))), fabs(inertia(1, 2)));
  if (free_rotations(freedom) == 3) result.has_axes = products <= tolerance * inertia.trace();
  result.moments = where(both(result.has_centroid, result.has_axes), TracedVec3(inertia.diagonal()));
  return result;
}

DefaultInertia default_inertia(std::span<const PlacedShape> shapes, double mass, const bool (&freedom)[6]) {
  const TracedInertia inertia = default_inertia(std::span<const TracedShape>(traced(shapes)), mass, freedom);
  const InertiaProblem problem = inertia.problem != InertiaProblem::none ? inertia.problem
                                 : inertia.has_centroid.value() == 0     ? InertiaProblem::centroid
                                 : inertia.has_axes.value() == 0         ? InertiaProblem::products
                                                                         : InertiaProblem::none;
  return {value_of(inertia.moments), problem};
}

const char* describe(InertiaProblem problem) {
  switch (problem) {
    case InertiaProblem::none: return "";
    case InertiaProblem::no_shape: return "there is no shape to compute it from";
    case InertiaProblem::half_space: return "a half_space has no mass to compute it from";
    case InertiaProblem::centroid: return "the shapes' centroid is not the body's origin, the centre of mass";
    case InertiaProblem::products: return "the body's axes are not principal axes of its shapes";
  }
  return "";
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

bool is_physical_inertia(const Vec3& moments, const bool (&freedom)[6]) {
  return are_physical(moments.cast<Traced>(), freedom).value() != 0;
}

}  // namespace jostle

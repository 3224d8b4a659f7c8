#include "scenarios/inertia.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math/rotation.hpp"

namespace jostle {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double tolerance = 1e-9;  ///< relative to the body's size

/// One shape of density 1 about its own centre and axes; `moments` in kg m^2.
struct Solid {
  double mass;
  Vec3 moments;
};

// Cylinder of length L: axial m r^2 / 2, transverse m (r^2 / 4 + L^2 / 12).
Solid solid_cylinder(double radius, double half_length) {
  const double mass = 2 * pi * radius * radius * half_length;
  const double transverse = mass * (radius * radius / 4 + half_length * half_length / 3);
  return {mass, {transverse, transverse, mass * radius * radius / 2}};
}

// Cylinder and two half balls of mass m / 2, whose centroids are 3 r / 8 beyond the cap centres: with c half the
// length, m (2 r^2 / 5 + c^2 + 3 c r / 4) across the axis.
Solid solid_capsule(double radius, double half_length) {
  const Solid cylinder = solid_cylinder(radius, half_length);
  const double caps = 4 * pi / 3 * radius * radius * radius;
  const double ball = 2 * radius * radius / 5;
  const double transverse = caps * (ball + half_length * half_length + 3 * half_length * radius / 4);
  return {cylinder.mass + caps, cylinder.moments + Vec3(transverse, transverse, caps * ball)};
}

Solid solid_box(const Vec3& half) {
  const double mass = 8 * half[0] * half[1] * half[2];
  const double xx = half[0] * half[0], yy = half[1] * half[1], zz = half[2] * half[2];
  return {mass, mass / 3 * Vec3(yy + zz, xx + zz, xx + yy)};
}

Solid solid_sphere(double radius) {
  const double mass = 4 * pi / 3 * radius * radius * radius;
  return {mass, Vec3::Constant(mass * 2 * radius * radius / 5)};
}

// A segment with 1 kg per metre.
Solid solid_segment(double half_length) {
  const double mass = 2 * half_length;
  const double transverse = mass * half_length * half_length / 3;
  return {mass, {transverse, transverse, 0}};
}

Solid solid(const PlacedShape& shape, bool by_length) {
  if (by_length) return solid_segment(shape.size[1]);
  switch (shape.type) {
    case ShapeType::sphere: return solid_sphere(shape.size[0]);
    case ShapeType::capsule: return solid_capsule(shape.size[0], shape.size[1]);
    case ShapeType::box: return solid_box(shape.size);
    case ShapeType::cylinder: return solid_cylinder(shape.size[0], shape.size[1]);
    case ShapeType::half_space: break;
  }
  return {0, Vec3::Zero()};
}

int free_rotations(const bool (&freedom)[6]) { return static_cast<int>(std::count(freedom + 3, freedom + 6, true)); }

}  // namespace

DefaultInertia default_inertia(std::span<const PlacedShape> shapes, double mass, const bool (&freedom)[6]) {
  if (shapes.empty()) return {Vec3::Zero(), InertiaProblem::no_shape};
  const auto is_thin = [](const PlacedShape& s) { return s.type == ShapeType::capsule && s.size[0] == 0; };
  const bool by_length = std::all_of(shapes.begin(), shapes.end(), is_thin);

  // Sums over the shapes: m, m p, and R J R' + m (|p|^2 I - p p') about the body's origin (Huygens, Steiner).
  double total = 0;
  Vec3 first_moment = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (const PlacedShape& shape : shapes) {
    if (shape.type == ShapeType::half_space) return {Vec3::Zero(), InertiaProblem::half_space};
    const Solid part = solid(shape, by_length);
    const Vec3& p = shape.position;
    total += part.mass;
    first_moment += part.mass * p;
    inertia += shape.axes * part.moments.asDiagonal() * shape.axes.transpose();
    inertia += part.mass * (dot(p, p) * Mat3::Identity() - p * p.transpose());
  }
  inertia *= mass / total;
  const double size = std::sqrt(inertia.trace() / mass);
  const Vec3 centroid = first_moment / total;
  if (!(std::sqrt(dot(centroid, centroid)) <= tolerance * size)) return {Vec3::Zero(), InertiaProblem::centroid};
  const double products = std::max({std::fabs(inertia(0, 1)), std::fabs(inertia(0, 2)), std::fabs(inertia(1, 2))});
  if (free_rotations(freedom) == 3 && !(products <= tolerance * inertia.trace()))
    return {Vec3::Zero(), InertiaProblem::products};
  return {inertia.diagonal(), InertiaProblem::none};
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

bool is_physical_inertia(const Vec3& moments, const bool (&freedom)[6]) {
  for (int i = 0; i < 3; ++i)
    if (freedom[3 + i] && !(moments[i] > 0 && std::isfinite(moments[i]))) return false;
  if (free_rotations(freedom) < 3) return true;
  constexpr double rounding = 1e-12;
  for (int i = 0; i < 3; ++i)
    if (moments[i] > (moments[(i + 1) % 3] + moments[(i + 2) % 3]) * (1 + rounding)) return false;
  return true;
}

}  // namespace jostle

#pragma once
// Shapes and poses for the geometry tests. Only arithmetic and square roots: the same bits everywhere.
#include <cmath>
#include <cstdint>
#include <numbers>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "core/geometry/shape_pair.hpp"

namespace jostle::test {

inline constexpr double pi = std::numbers::pi_v<double>;
inline const Vec3 x_axis = Vec3::UnitX(), y_axis = Vec3::UnitY(), z_axis = Vec3::UnitZ();

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53; }

  Vec3 direction() {
    while (true) {
      const Vec3 v{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};  // braces: evaluated from left to right
      const double squared = dot(v, v);
      if (squared > 0.01 && squared < 1) return v / std::sqrt(squared);
    }
  }

  Mat3 axes() {
    const Vec3 x = direction();
    const Vec3 across = cross(x, direction());
    const Vec3 y = across / std::sqrt(dot(across, across));
    Mat3 axes;
    axes << x, y, cross(x, y);
    return axes;
  }

 private:
  std::mt19937_64 bits_;
};

inline Vec3 random_vector(Random& random, double size) { return random.uniform(0, size) * random.direction(); }

/// Rotation by `angle` (rad) about a unit axis.
inline Mat3 turned(const Vec3& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3 r = Mat3::Identity();
  for (int k = 0; k < 3; ++k) {
    const Vec3 e = Vec3::Unit(k);
    r.col(k) = c * e + s * cross(axis, e) + (1 - c) * dot(axis, e) * axis;
  }
  return r;
}

inline PlacedShape sphere(double radius, const Vec3& x = Vec3::Zero(), const Mat3& axes = Mat3::Identity()) {
  return {ShapeType::sphere, {radius, 0, 0}, x, axes};
}
inline PlacedShape capsule(double radius, double half_length, const Vec3& x = Vec3::Zero(),
                           const Mat3& axes = Mat3::Identity()) {
  return {ShapeType::capsule, {radius, half_length, 0}, x, axes};
}
inline PlacedShape cylinder(double radius, double half_length, const Vec3& x = Vec3::Zero(),
                            const Mat3& axes = Mat3::Identity()) {
  return {ShapeType::cylinder, {radius, half_length, 0}, x, axes};
}
inline PlacedShape box(const Vec3& half_edges, const Vec3& x = Vec3::Zero(), const Mat3& axes = Mat3::Identity()) {
  return {ShapeType::box, half_edges, x, axes};
}
/// Its top is z = 0.
inline PlacedShape table() { return box({2, 2, 0.5}, {0, 0, -0.5}); }
inline PlacedShape half_space(const Vec3& x = Vec3::Zero(), const Mat3& axes = Mat3::Identity()) {
  return {ShapeType::half_space, Vec3::Zero(), x, axes};
}

struct PairTypes {
  ShapeType a, b;
};

inline std::string name(ShapeType type) {
  constexpr const char* names[] = {"Sphere", "Capsule", "Box", "Cylinder", "Polygon", "Hull", "HalfSpace"};
  return names[static_cast<int>(type)];
}
inline std::string name(const PairTypes& pair) { return name(pair.a) + name(pair.b); }
inline void PrintTo(const PairTypes& pair, std::ostream* out) { *out << name(pair); }

inline std::vector<PairTypes> all_pairs() {
  using enum ShapeType;
  return {{sphere, half_space}, {capsule, half_space}, {box, half_space},  {cylinder, half_space}, {sphere, sphere},
          {sphere, capsule},    {sphere, box},         {capsule, capsule}, {capsule, box},         {box, box},
          {sphere, cylinder},   {capsule, cylinder},   {box, cylinder},    {cylinder, cylinder}};
}

inline PlacedShape random_shape(ShapeType type, Random& random) {
  const Vec3 x{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  const Vec3 size{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)};
  return {type, size, x, random.axes()};
}

struct Placement {
  PlacedShape a, b;
};

/// Random shapes, b moved along a random direction until the signed distance is `gap` (bisection).
inline Placement placed_at(const PairTypes& pair, double gap, Random& random) {
  Placement p{random_shape(pair.a, random), random_shape(pair.b, random)};
  const bool plane = pair.b == ShapeType::half_space;
  const Vec3 away = plane ? Vec3(-p.b.axes.col(2)) : random.direction();
  const Vec3 start = p.a.position;
  double near = plane ? -10 : 0, far = 10;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (near + far);
    p.b.position = start + middle * away;
    (signed_distance(p.a, p.b) < gap ? near : far) = middle;
  }
  return p;
}

inline double size_of_pair(const Placement& p) {
  const double a = bounding_radius(p.a);
  if (p.b.type == ShapeType::half_space) return a;
  const double b = bounding_radius(p.b);
  return a < b ? a : b;
}

inline std::vector<int> numbers(const FeatureSet& set) {
  std::vector<int> list;
  set.for_each([&](int feature) { list.push_back(feature); });
  return list;
}

}  // namespace jostle::test

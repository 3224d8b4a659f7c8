#include "scenarios/bind.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/expression/evaluate.hpp"
#include "scenarios/numbers.hpp"

namespace jostle {
namespace {

constexpr double pi = std::numbers::pi;

/// The rotation that takes the local z axis to coordinate axis 0, 1 or 2: a cyclic exchange of axes, exact.
Mat3 axis_to_z(int axis) {
  Mat3 axes = Mat3::Zero();
  for (int column = 0; column < 3; ++column) axes((axis + 1 + column) % 3, column) = 1;
  return axes;
}

/// Right-handed axes whose third is `normal`, unit length.
Mat3 axes_of_plane(const Vec3& normal) {
  const int least = std::fabs(normal[0]) < std::fabs(normal[1]) ? (std::fabs(normal[0]) < std::fabs(normal[2]) ? 0 : 2)
                                                                : (std::fabs(normal[1]) < std::fabs(normal[2]) ? 1 : 2);
  Vec3 along = Vec3::Zero();
  along[least] = 1;
  Vec3 first = cross(along, normal);
  first /= std::sqrt(dot(first, first));
  Mat3 axes;
  axes.col(0) = first;
  axes.col(1) = cross(normal, first);
  axes.col(2) = normal;
  return axes;
}

Vec3 unit(const Vec3& v) { return v / std::sqrt(dot(v, v)); }

Quaternion uniform_rotation(double u0, double u1, double u2) {
  double s1, c1, s2, c2;
  sine_cosine(2 * pi * u1, s1, c1);
  sine_cosine(2 * pi * u2, s2, c2);
  const double a = std::sqrt(1 - u0), b = std::sqrt(u0);
  return normalised({b * c2, a * s1, a * c1, b * s2});
}

}  // namespace

double value_of(const Number& number, const double* variables) {
  if (number.code.empty()) return number.constant;
  const ProgramView program{number.code.data(), static_cast<int>(number.code.size())};
  return evaluate(program, variables, 0, [](int) { return 0.0; });
}

Vec3 value_of(const Number (&vector)[3], const double* variables) {
  return {value_of(vector[0], variables), value_of(vector[1], variables), value_of(vector[2], variables)};
}

Quaternion rotation_of(const RotationSpec& rotation, const double* variables) {
  switch (rotation.kind) {
    case RotationSpec::Kind::none: return {};
    case RotationSpec::Kind::axis_angle: {
      const double angle = value_of(rotation.degrees, variables) * (pi / 180);
      return exponential_map(angle * unit(value_of(rotation.axis, variables)));
    }
    case RotationSpec::Kind::quaternion: {
      const auto& q = rotation.quaternion;
      return normalised(
          {value_of(q[0], variables), value_of(q[1], variables), value_of(q[2], variables), value_of(q[3], variables)});
    }
    case RotationSpec::Kind::uniform:
      return uniform_rotation(variables[rotation.uniform[0]], variables[rotation.uniform[1]],
                              variables[rotation.uniform[2]]);
  }
  return {};
}

PlacedShape shape_in_body(const ShapeSpec& shape, const double* variables) {
  const Mat3 turn = rotation_matrix(rotation_of(shape.rotation, variables));
  PlacedShape placed{shape.type, Vec3::Zero(), value_of(shape.position, variables), turn};
  const auto round = [&](const auto& spec) {
    placed.size = {value_of(spec.radius, variables), 0.5 * value_of(spec.length, variables), 0};
    placed.axes = product(turn, axis_to_z(static_cast<int>(spec.axis)));
  };
  switch (shape.type) {
    case ShapeType::sphere: placed.size[0] = value_of(shape.sphere.radius, variables); break;
    case ShapeType::box: placed.size = 0.5 * value_of(shape.box.size, variables); break;
    case ShapeType::capsule: round(shape.capsule); break;
    case ShapeType::cylinder: round(shape.cylinder); break;
    case ShapeType::half_space: {
      const Vec3 normal = unit(value_of(shape.half_space.normal, variables));
      placed.axes = product(turn, axes_of_plane(normal));
      placed.position += value_of(shape.half_space.offset, variables) * placed.axes.col(2);
      break;
    }
  }
  return placed;
}

bool is_constant(std::span<const Number> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](const Number& number) { return number.code.empty(); });
}

bool is_constant(const RotationSpec& rotation) { return !uses_variables(rotation); }

bool is_constant(const ShapeSpec& shape) { return !uses_variables(shape); }

}  // namespace jostle

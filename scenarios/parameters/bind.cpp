#include "scenarios/parameters/bind.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/expression/evaluate.hpp"
#include "scenarios/format/numbers.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/parameters/polygon.hpp"

namespace jostle {
namespace {

TracedQuaternion uniform_rotation(const Traced& u0, const Traced& u1, const Traced& u2) {
  Traced s1, c1, s2, c2;
  sine_cosine(2 * std::numbers::pi * u1, s1, c1);
  sine_cosine(2 * std::numbers::pi * u2, s2, c2);
  const Traced a = sqrt(1 - u0), b = sqrt(u0);
  return normalised<Traced>({b * c2, a * s1, a * c1, b * s2});
}

}  // namespace

TracedMat3 axis_to_z(int axis) {
  TracedMat3 axes = TracedMat3::Zero();
  for (int column = 0; column < 3; ++column) axes((axis + 1 + column) % 3, column) = 1;
  return axes;
}

TracedMat3 axes_of_plane(const TracedVec3& normal) {
  const Traced x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
  const Traced x_is_least = both(x < y, x < z), y_is_least = both(!(x < y), y < z);
  const TracedVec3 along = {x_is_least, y_is_least, !either(x_is_least, y_is_least)};
  TracedVec3 first = cross<Traced>(along, normal);
  first /= sqrt(dot<Traced>(first, first));
  TracedMat3 axes;
  axes.col(0) = first;
  axes.col(1) = cross<Traced>(normal, first);
  axes.col(2) = normal;
  return axes;
}

TracedVec3 unit(const TracedVec3& v) { return v / sqrt(dot<Traced>(v, v)); }

Traced number_of(const Number& number, Draw draw) {
  if (number.code.empty()) return number.constant;
  if (!draw) return Traced::program(number);
  const ProgramView program{number.code.data(), static_cast<int>(number.code.size())};
  return evaluate(program, draw, 0, [](int) { return 0.0; });
}

TracedVec3 vector_of(const Number (&vector)[3], Draw draw) {
  return {number_of(vector[0], draw), number_of(vector[1], draw), number_of(vector[2], draw)};
}

TracedQuaternion turn_of(const RotationSpec& rotation, Draw draw) {
  switch (rotation.kind) {
    case RotationSpec::Kind::none: return {};
    case RotationSpec::Kind::axis_angle: {
      const Traced angle = number_of(rotation.degrees, draw) * (std::numbers::pi / 180);
      return exponential_map<Traced>(angle * unit(vector_of(rotation.axis, draw)));
    }
    case RotationSpec::Kind::quaternion: {
      const auto& q = rotation.quaternion;
      return normalised<Traced>(
          {number_of(q[0], draw), number_of(q[1], draw), number_of(q[2], draw), number_of(q[3], draw)});
    }
    case RotationSpec::Kind::uniform: {
      const auto drawn = [&](int variable) { return draw ? Traced(draw[variable]) : Traced::variable(variable); };
      return uniform_rotation(drawn(rotation.uniform[0]), drawn(rotation.uniform[1]), drawn(rotation.uniform[2]));
    }
    case RotationSpec::Kind::sequence: {
      TracedQuaternion all;
      for (const RotationSpec& turn : rotation.turns) all = turn_of(turn, draw) * all;
      return normalised<Traced>(all);
    }
  }
  return {};
}

TracedVec3 TracedPose::point_in(const TracedVec3& world) const {
  return rotate<Traced>(axes.transpose(), TracedVec3(world - position));
}

TracedMat3 TracedPose::axes_in(const TracedMat3& world) const { return product<Traced>(axes.transpose(), world); }

TracedPose start_pose(const Scenario& scenario, int body, Draw draw) {
  if (body == world_body) return {};
  const BodySpec& spec = scenario.bodies[static_cast<std::size_t>(body)];
  TracedPose written{vector_of(spec.position, draw), rotation_matrix(turn_of(spec.rotation, draw))};
  const TracedMass mass = mass_of(spec, draw);
  if (!mass.has_own_frame) return written;
  return {written.position + rotate<Traced>(written.axes, mass.centre), product<Traced>(written.axes, mass.axes)};
}

TracedShape traced_shape(const ShapeSpec& shape, Draw draw) {
  const TracedMat3 turn = rotation_matrix(turn_of(shape.rotation, draw));
  TracedShape placed{shape.type, TracedVec3::Zero(), vector_of(shape.position, draw), turn};
  const auto round = [&](const auto& spec) {
    placed.size = {number_of(spec.radius, draw), 0.5 * number_of(spec.length, draw), 0};
    placed.axes = product<Traced>(turn, axis_to_z(static_cast<int>(spec.axis)));
  };
  switch (shape.type) {
    case ShapeType::sphere: placed.size[0] = number_of(shape.sphere.radius, draw); break;
    case ShapeType::box: placed.size = Traced(0.5) * vector_of(shape.box.size, draw); break;
    case ShapeType::capsule: round(shape.capsule); break;
    case ShapeType::cylinder: round(shape.cylinder); break;
    case ShapeType::polygon: {
      const TracedPolygon polygon = traced_polygon(shape.polygon, draw);
      placed.size = {polygon.radius, polygon.reach, 0.5 * polygon.width};
      placed.axes = product<Traced>(turn, axes_across(shape.polygon.axis));
      for (int k = 0; k < 2; ++k) placed.position += polygon.centroid[k] * placed.axes.col(k);
      placed.corners = polygon.corners, placed.bulges = polygon.bulges;
      const Traced thickness = number_of(shape.polygon.thickness, draw);
      placed.volume = polygon.area * thickness, placed.second_moment = polygon.second_moment * thickness;
      break;
    }
    case ShapeType::hull: {
      const TracedHull hull = traced_hull(shape.hull, draw);
      placed.size = {hull.radius, hull.reach, 0.5 * hull.width};
      placed.position += rotate<Traced>(turn, hull.centroid);
      placed.corners = hull.numbers;
      placed.volume = hull.volume, placed.moments = hull.moments, placed.products = hull.products;
      break;
    }
    case ShapeType::half_space: {
      const TracedVec3 normal = unit(vector_of(shape.half_space.normal, draw));
      placed.axes = product<Traced>(turn, axes_of_plane(normal));
      placed.position += number_of(shape.half_space.offset, draw) * placed.axes.col(2);
      break;
    }
  }
  return placed;
}

Vec3 value_of(const Number (&vector)[3], Draw draw) { return value_of(vector_of(vector, draw)); }

Quaternion rotation_of(const RotationSpec& rotation, Draw draw) { return value_of(turn_of(rotation, draw)); }

PlacedShape shape_in_body(const ShapeSpec& shape, Draw draw, std::vector<double>* corners) {
  const TracedShape traced = traced_shape(shape, draw);
  PlacedShape placed{traced.type, value_of(traced.size), value_of(traced.position), value_of(traced.axes)};
  if (traced.corners.empty() || !corners) return placed;
  corners->clear();
  for (const Traced& number : traced.corners) corners->push_back(number.value());
  placed.corners = static_cast<int>(corners->size() / 2);
  for (const Traced& number : traced.bulges) corners->push_back(number.value());
  placed.corner = corners->data();
  if (!traced.bulges.empty()) placed.bulge = corners->data() + traced.corners.size();
  if (shape.type == ShapeType::hull) {
    placed.corners = static_cast<int>(shape.hull.structure.corners.size());
    placed.structure = shape.hull.structure.packed.data();
  }
  return placed;
}

bool is_constant(std::span<const Number> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](const Number& number) { return number.code.empty(); });
}

bool is_constant(const RotationSpec& rotation) { return !uses_variables(rotation); }

bool is_constant(const ShapeSpec& shape) { return !uses_variables(shape); }

}  // namespace jostle

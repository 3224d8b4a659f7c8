#include "scenarios/plane.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/bind.hpp"
#include "scenarios/canonical_tree.hpp"
#include "scenarios/scene.hpp"
#include "scenarios/words.hpp"

namespace jostle {
namespace {

constexpr double rounding = 1e-12;  ///< sine of the largest angle out of the plane; relative to the lengths at hand

bool is_solid(const ShapeSpec& shape) { return shape.type != ShapeType::half_space; }

bool may_touch_solids(const Scenario& scenario, int body) {
  for (int i = 0; i < static_cast<int>(scenario.bodies.size()); ++i) {
    const std::vector<ShapeSpec>& shapes = scenario.bodies[static_cast<std::size_t>(i)].shapes;
    if (scenario.pairs.may_touch(body, i) && std::any_of(shapes.begin(), shapes.end(), is_solid)) return true;
  }
  return false;
}

std::string coordinate(const Plane& plane) { return word_for(static_cast<Axis>(plane.axis)); }

double length(const Vec3& v) { return std::sqrt(dot(v, v)); }

/// The column of a rotation lies in the plane or across it. Not so if it is not finite.
bool is_aligned(const Mat3& turn, int column, int axis) {
  double along = 0;
  for (int i = 0; i < 3; ++i)
    if (i != axis) along = std::max(along, std::fabs(turn(i, column)));
  return std::fabs(turn(axis, column)) <= rounding || along <= rounding;
}

bool is_aligned(const Mat3& turn, const ShapeSpec& shape, int axis) {
  if (shape.type == ShapeType::sphere) return true;
  if (shape.type == ShapeType::box) return is_aligned(turn, 0, axis) && is_aligned(turn, 1, axis);
  const Axis along = shape.type == ShapeType::capsule ? shape.capsule.axis : shape.cylinder.axis;
  return is_aligned(turn, static_cast<int>(along), axis);
}

}  // namespace

std::optional<Plane> plane_of(const Scenario& scenario) {
  const std::optional<int> axis = plane_axis(scenario);
  if (!axis) return {};
  Plane plane{*axis, 0, {}};
  const auto moves = [](const BodySpec& body) { return !body.fixed && !body.shapes.empty(); };
  const auto moving = std::find_if(scenario.bodies.begin(), scenario.bodies.end(), moves);
  if (moving != scenario.bodies.end()) plane.height = moving->position[*axis].constant;
  for (int i = 0; i < static_cast<int>(scenario.bodies.size()); ++i)
    plane.touches_solids.push_back(may_touch_solids(scenario, i));
  return plane;
}

bool is_placed_constantly(const BodySpec& body, const ShapeSpec& shape) {
  return is_constant(body.position) && is_constant(body.rotation) && is_constant(shape.position) &&
         is_constant(shape.rotation) && is_constant(shape.half_space.normal);
}

std::optional<Fault> plane_fault(const Scenario& scenario, const Plane& plane, int body, int shape,
                                 const double* variables) {
  const BodySpec& owner = scenario.bodies[static_cast<std::size_t>(body)];
  const ShapeSpec& spec = owner.shapes[static_cast<std::size_t>(shape)];
  const auto fault = [&](const std::string& what) {
    return Fault{spec.where, "the " + word_for(spec.type) + " of '" + owner.name + "' must " + what};
  };
  const Mat3 body_turn = rotation_matrix(rotation_of(owner.rotation, variables));
  const Mat3 turn = product(body_turn, rotation_matrix(rotation_of(spec.rotation, variables)));
  if (!is_solid(spec)) {
    const Vec3 normal = value_of(spec.half_space.normal, variables);
    if (std::fabs(rotate(turn, normal)[plane.axis]) <= rounding * length(normal)) return {};
    return fault("have a normal in the plane in which all bodies move, with " + coordinate(plane) + " = 0");
  }
  if (!plane.touches_solids[static_cast<std::size_t>(body)]) return {};
  const Vec3 centre = value_of(owner.position, variables), arm = value_of(spec.position, variables);
  const double height = (centre + rotate(body_turn, arm))[plane.axis];
  if (!(std::fabs(height - plane.height) <= rounding * (length(centre) + length(arm))))
    return fault("have its centre in the plane in which all bodies move, at " + coordinate(plane) + " = " +
                 shortest(plane.height) + ", not " + shortest(height));
  if (is_aligned(turn, spec, plane.axis)) return {};
  return fault("not be turned out of the plane in which all bodies move: its axes must lie in the plane or along " +
               coordinate(plane));
}

}  // namespace jostle

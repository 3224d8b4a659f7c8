#include "scenarios/parameters/plane.hpp"

#include <algorithm>

#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/model/scene.hpp"

namespace jostle {
namespace {

bool may_touch_solids(const Scenario& scenario, int body) {
  for (int i = 0; i < static_cast<int>(scenario.bodies.size()); ++i) {
    const std::vector<ShapeSpec>& shapes = scenario.bodies[static_cast<std::size_t>(i)].shapes;
    if (scenario.pairs.may_touch(body, i) && std::any_of(shapes.begin(), shapes.end(), is_solid)) return true;
  }
  return false;
}

std::string coordinate(const Plane& plane) { return word_for(static_cast<Axis>(plane.axis)); }

Traced length(const TracedVec3& v) { return sqrt(dot<Traced>(v, v)); }

/// The column of a rotation lies in the plane or across it.
Traced is_aligned(const TracedMat3& turn, int column, int axis) {
  const Traced one = fabs(turn((axis + 1) % 3, column)), other = fabs(turn((axis + 2) % 3, column));
  return either(fabs(turn(axis, column)) <= plane_rounding, both(one <= plane_rounding, other <= plane_rounding));
}

Traced is_aligned(const TracedMat3& turn, const ShapeSpec& shape, int axis) {
  if (shape.type == ShapeType::sphere) return 1;
  if (shape.type == ShapeType::polygon) return both(turn(axis, axis) > 0.5, is_aligned(turn, axis, axis));
  if (shape.type == ShapeType::box) return both(is_aligned(turn, 0, axis), is_aligned(turn, 1, axis));
  const Axis along = shape.type == ShapeType::capsule ? shape.capsule.axis : shape.cylinder.axis;
  return is_aligned(turn, static_cast<int>(along), axis);
}

}  // namespace

std::optional<Plane> plane_of(const Scenario& scenario) {
  const std::optional<int> axis = plane_axis(scenario);
  if (!axis) return {};
  Plane plane{*axis, 0, {}};
  const auto moves = [](const BodySpec& body) { return body.is_mover() && !body.shapes.empty(); };
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

void require_in_plane(const Scenario& scenario, const Plane& plane, int body, int shape, Draw draw,
                      Requirements& require) {
  const BodySpec& owner = scenario.bodies[static_cast<std::size_t>(body)];
  const ShapeSpec& spec = owner.shapes[static_cast<std::size_t>(shape)];
  const auto must = [&](const std::string& what) {
    return "the " + word_for(spec.type) + " of '" + owner.name + "' must " + what;
  };
  const TracedMat3 body_turn = rotation_matrix(turn_of(owner.rotation, draw));
  const TracedMat3 turn = product<Traced>(body_turn, rotation_matrix(turn_of(spec.rotation, draw)));
  if (!is_solid(spec)) {
    const TracedVec3 normal = vector_of(spec.half_space.normal, draw);
    require(fabs(rotate<Traced>(turn, normal)[plane.axis]) <= plane_rounding * length(normal), spec.where, [&] {
      return must("have a normal in the plane in which all bodies move, with " + coordinate(plane) + " = 0");
    });
    return;
  }
  if (!plane.touches_solids[static_cast<std::size_t>(body)] && spec.type != ShapeType::polygon) return;
  const TracedVec3 centre = vector_of(owner.position, draw), arm = vector_of(spec.position, draw);
  const Traced height = (centre + rotate<Traced>(body_turn, arm))[plane.axis];
  require(fabs(height - plane.height) <= plane_rounding * (length(centre) + length(arm)), spec.where, [&] {
    return must("have its centre in the plane in which all bodies move, at " + coordinate(plane) + " = " +
                shortest(plane.height) + ", not " + shortest(height.value()));
  });
  require(is_aligned(turn, spec, plane.axis), spec.where, [&] {
    return must("not be turned out of the plane in which all bodies move: its axes must lie in the plane or along " +
                coordinate(plane));
  });
}

}  // namespace jostle

// Checks that need the whole scenario.
#include <algorithm>

#include "scenarios/model/scene.hpp"
#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/joints.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/parameters/plane.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

void check_friction_directions(Scenario& scenario, bool planar) {
  WorldSpec& world = scenario.world;
  int& directions = world.friction_directions;
  if (directions == 0) directions = planar ? 2 : 8;
  if (planar && directions != 2)
    throw error_at(scenario, world.friction_directions_where,
                   "world.friction_directions must be 2, because all moving bodies share a plane");
  if (!planar && (directions < 4 || directions % 2 != 0))
    throw error_at(scenario, world.friction_directions_where,
                   "world.friction_directions must be even and at least 4 in a spatial scene");
  if (!planar && world.friction_cone == FrictionCone::circle && directions % 4 != 0)
    throw error_at(scenario, world.friction_directions_where,
                   "world.friction_directions must be a multiple of 4 with friction_cone: circle");
}

/// A body with one free rotation has an angle about that axis as its only orientation.
void check_turning(const Scenario& scenario, const BodySpec& body) {
  const std::optional<int> axis = turning_axis(body);
  if (axis && !is_about(body.rotation, *axis))
    throw error_at(scenario, body.where,
                   "bodies." + body.name + ".rotation must be about " + word_for(static_cast<Axis>(*axis)) +
                       ", the only axis that the body can turn about");
}

/// Contact normals must lie in the plane of a planar scene; if this depends on variables, the sample's status shows it.
void check_plane(const Scenario& scenario) {
  const std::optional<Plane> plane = plane_of(scenario);
  if (!plane) return;
  Requirements require;
  for (std::size_t b = 0; b < scenario.bodies.size(); ++b) {
    const BodySpec& body = scenario.bodies[b];
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      if (is_placed_constantly(body, body.shapes[s]))
        require_in_plane(scenario, *plane, static_cast<int>(b), static_cast<int>(s), nullptr, require);
    }
  }
  if (require.fault()) throw error_at(scenario, require.fault()->where, require.fault()->message);
}

void check_common_plane(const Scenario& scenario, int axis) {
  const BodySpec* first = nullptr;
  for (const BodySpec& body : scenario.bodies) {
    if (!body.is_mover() || body.shapes.empty()) continue;
    const Number& height = body.position[axis];
    if (!height.code.empty())
      throw error_at(scenario, height.where,
                     "bodies." + body.name + ".position[" + std::to_string(axis) +
                         "] must be constant, because all bodies move in one plane");
    if (!first) first = &body;
    if (height.constant != first->position[axis].constant)
      throw error_at(scenario, body.where,
                     "'" + first->name + "' and '" + body.name +
                         "' move in parallel planes, but not in one: their positions differ in " +
                         word_for(static_cast<Axis>(axis)));
  }
}

/// What is known of masses before anything is drawn.
void check_mass(const Scenario& scenario, const BodySpec& body) {
  Requirements require;
  require_known_mass(body, require);
  if (require.fault()) throw error_at(scenario, require.fault()->where, require.fault()->message);
}

/// What is known of joints and springs before anything is drawn.
void check_ties(const Scenario& scenario, std::optional<int> plane_axis) {
  Requirements require;
  for (const JointSpec& joint : scenario.joints)
    require_joint(joint, traced_joint(scenario, joint, plane_axis, nullptr), plane_axis, require);
  for (const SpringSpec& spring : scenario.springs)
    require_spring(spring, traced_spring(scenario, spring, nullptr), require);
  if (require.fault()) throw error_at(scenario, require.fault()->where, require.fault()->message);
}

/// In a plane there is one tangent, and no spin about a normal.
void check_rules_in_plane(const Scenario& scenario) {
  for (const ContactRule& rule : scenario.contacts) {
    if (rule.across.given)
      throw error_at(scenario, rule.across.where, "across has no meaning, because all moving bodies share a plane");
    if (!is_zero(rule.spin_friction))
      throw error_at(scenario, rule.spin_friction.where,
                     "spin_friction has no meaning, because all moving bodies share a plane");
  }
}

/// Cones with moments that turn with rolling have too many generators.
void check_pointedness(const Scenario& scenario) {
  const auto asks = [](const Quantity& q) { return q.kind == Quantity::Kind::pointedness; };
  if (std::none_of(scenario.quantities.begin(), scenario.quantities.end(), asks)) return;
  for (std::size_t i = 0; i < scenario.contacts.size(); ++i) {
    const Number& radius = scenario.contacts[i].rolling_friction;
    if (!is_zero(radius))
      throw error_at(
          scenario, radius.where,
          "contacts[" + std::to_string(i) + "].rolling_friction is not supported with the quantity pointedness");
  }
}

}  // namespace

void check_scene(Scenario& scenario) {
  if (scenario.world.geometric_stiffness_where && scenario.joints.empty())
    throw error_at(scenario, *scenario.world.geometric_stiffness_where,
                   "world.geometric_stiffness has no meaning without joints");
  const std::optional<int> axis = plane_axis(scenario);
  check_friction_directions(scenario, axis.has_value());
  check_pointedness(scenario);
  check_polygons(scenario, axis);
  check_hulls(scenario, axis.has_value());
  for (const BodySpec& body : scenario.bodies) {
    check_turning(scenario, body);
    check_mass(scenario, body);
  }
  if (axis) {
    check_common_plane(scenario, *axis);
    check_rules_in_plane(scenario);
  }
  scenario.pairs = resolve_pairs(scenario);
  check_plane(scenario);
  check_ties(scenario, axis);
}

}  // namespace jostle

// `joints` and `springs`.
#include <algorithm>

#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

constexpr std::string_view world = "world";

/// "has no meaning" for keys that this kind of joint does not have.
void check_keys_of_type(const Reading& reading, const MapReader& map, const JointSpec& joint) {
  const auto refuse = [&](std::string_view key, bool has_meaning) {
    if (map.find(key) && !has_meaning) map.fail(key, " has no meaning for a " + word_for(joint.type) + " joint");
  };
  const bool distance = joint.type == JointType::distance;
  refuse("at", joint.type != JointType::fixed);
  refuse("axis", joint.has_coordinate());
  refuse("length", distance);
  for (const std::string_view key : {"limits", "restitution", "motor"}) refuse(key, joint.has_coordinate());
  for (const std::string_view key : {"stiffness", "rest", "damping", "armature", "speed_limits"})
    refuse(key, joint.has_coordinate());
  refuse("friction", joint.has_coordinate() || joint.type == JointType::ball);
  const WorldSpec& of_world = reading.scenario.world;
  const bool has_stages = facts_of(of_world.method).has_stages;
  if (joint.has_ball_friction() && (has_stages || of_world.friction_cone == FrictionCone::circle))
    map.fail("friction", has_stages ? " of a ball joint needs another world.method than loetstedt"
                                    : " of a ball joint needs world.friction_cone: polygon");
}

void check_points(const MapReader& map, const JointSpec& joint) {
  const bool distance = joint.type == JointType::distance;
  const bool needs_point = joint.type == JointType::ball || joint.type == JointType::revolute;
  if (needs_point && joint.at.count == 0) map.fail(map.path("at") + " is missing, the point of the joint");
  if (!distance && joint.at.count == 2) map.fail("at", " must be one point [x, y, z]");
  if (distance) check_two_points(map, joint.sides, joint.at);
}

void check_limits(const Reading& reading, const MapReader& map, const JointSpec& joint) {
  if (!map.find("restitution")) return;
  if (!joint.has_limits) map.fail("restitution", " has no meaning without limits");
  refuse_unless_zero(reading, map, must_be_zero(reading.scenario, joint));
}

}  // namespace

void check_two_points(const MapReader& map, const JointSides& sides, const JointPoints& at) {
  if (at.count == 1) map.fail("at", " must be two points [[x, y, z], [x, y, z]]");
  for (const int body : sides.bodies)
    if (body == world_body && at.count == 0) map.fail(map.path("at") + " is missing, the world has no centre of mass");
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, JointSides& sides) {
  const std::vector<Node>& items = read_list(reading.sources, node, path, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    sides.names[i] = read_text(reading.sources, items[i], item_path(path, i));
    if (sides.names[i] == world) continue;
    BodyReference body;
    read_value(reading, items[i], item_path(path, i), {}, body);
    sides.bodies[i] = body.index;
  }
  if (sides.names[0] == sides.names[1]) reading.sources.fail(node.where, path + " names " + sides.names[0] + " twice");
  if (!reading.scenario.is_mover(sides.bodies[0]) && !reading.scenario.is_mover(sides.bodies[1]))
    reading.sources.fail(node.where, path + " ties two that no impulse moves");
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, JointPoints& at) {
  const std::vector<Node>& items = read_list(reading.sources, node, path);
  at.count = !items.empty() && items[0].kind == Node::Kind::list ? 2 : 1;
  if (at.count == 1) return read_value(reading, node, path, key, at.points[0]);
  read_list(reading.sources, node, path, 2);
  for (std::size_t i = 0; i < 2; ++i) read_value(reading, items[i], item_path(path, i), key, at.points[i]);
}

/// An empty list is what files of format 1 could have before there were joints.
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<JointSpec>& joints) {
  if (node.kind == Node::Kind::list && node.items.empty()) return;
  read_value<JointSpec>(reading, node, path, key, joints);
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, SpeedLimits& limits) {
  const std::vector<Node>& items = read_list(reading.sources, node, path, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string_view none = i == 0 ? "-.inf" : ".inf";
    const bool is_infinite = items[i].kind == Node::Kind::scalar && !items[i].quoted && items[i].text == none;
    limits.has[i] = items[i].kind != Node::Kind::null && !is_infinite;
    if (limits.has[i]) limits.bounds[i] = reading.numbers.read(items[i], item_path(path, i), key);
  }
  if (!limits.given()) reading.sources.fail(node.where, path + " limits nothing: leave it out");
}

void check_read(const Reading& reading, const MapReader& map, JointSpec& joint) {
  const std::vector<BodySpec>& bodies = reading.scenario.bodies;
  const bool is_body =
      std::any_of(bodies.begin(), bodies.end(), [&](const BodySpec& b) { return b.is_called(joint.name); });
  if (is_body)
    reading.sources.fail(joint.where,
                         "joint '" + joint.name + "' has the name of a body; try '" + joint.name + "_joint'");
  refuse_reserved(reading.sources, joint.where, "joint", joint.name);
  check_keys_of_type(reading, map, joint);
  check_points(map, joint);
  joint.has_axis = map.find("axis") != nullptr;
  joint.has_length = map.find("length") != nullptr;
  joint.has_limits = map.find("limits") != nullptr;
  joint.motor.given = map.find("motor") != nullptr;
  if (joint.has_coordinate() && !joint.has_axis) map.fail(map.path("axis") + " is missing, the axis of the joint");
  if (joint.has_axis) check_direction(reading.sources, map.at("axis").where, map.path("axis"), joint.axis);
  check_limits(reading, map, joint);
  joint.has_rest = map.find("rest") != nullptr;
  if (joint.has_rest && is_zero(joint.stiffness)) map.fail("rest", " has no meaning without stiffness");
}

void check_list(const Reading& reading, const Node& node, const std::vector<JointSpec>& joints) {
  if (joints.size() > max_joints)
    reading.sources.fail(node.where, "joints has more than " + std::to_string(max_joints) + " entries");
}

/// An empty list is what files of format 1 could have before there were springs.
void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<SpringSpec>& springs) {
  if (node.kind == Node::Kind::list && node.items.empty()) return;
  read_value<SpringSpec>(reading, node, path, key, springs);
}

void check_read(const Reading& reading, const MapReader& map, SpringSpec& spring) {
  const auto refuse_name_of = [&](bool taken, const std::string& what) {
    if (taken) reading.sources.fail(spring.where, "spring '" + spring.name + "' has the name of a " + what);
  };
  const std::vector<BodySpec>& bodies = reading.scenario.bodies;
  const std::vector<JointSpec>& joints = reading.scenario.joints;
  refuse_name_of(std::ranges::any_of(bodies, [&](const BodySpec& b) { return b.is_called(spring.name); }),
                 "body; try '" + spring.name + "_spring'");
  refuse_name_of(std::ranges::find(joints, spring.name, &JointSpec::name) != joints.end(),
                 "joint; try '" + spring.name + "_spring'");
  refuse_reserved(reading.sources, spring.where, "spring", spring.name);
  if (!map.find("stiffness") && !map.find("damping")) map.fail(map.path() + " needs stiffness or damping, or both");
  check_two_points(map, spring.sides, spring.at);
  spring.has_rest = map.find("rest") != nullptr;
  if (spring.has_rest && is_zero(spring.stiffness)) map.fail("rest", " has no meaning without stiffness");
}

void check_list(const Reading& reading, const Node& node, const std::vector<SpringSpec>& springs) {
  if (springs.size() > max_springs)
    reading.sources.fail(node.where, "springs has more than " + std::to_string(max_springs) + " entries");
}

}  // namespace jostle

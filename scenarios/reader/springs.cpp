// `springs`.
#include <algorithm>

#include "scenarios/reader/sections.hpp"

namespace jostle {

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
  check_two_points(reading, map, spring.sides, spring.at);
  spring.has_rest = map.find("rest") != nullptr;
}

void check_list(const Reading& reading, const Node& node, const std::vector<SpringSpec>& springs) {
  if (springs.size() > max_springs)
    reading.sources.fail(node.where, "springs has more than " + std::to_string(max_springs) + " entries");
}

}  // namespace jostle

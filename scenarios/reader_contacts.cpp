// `contacts` and `forces`.
#include "scenarios/reader_sections.hpp"

namespace jostle {
namespace {

constexpr std::string_view any = "any";

bool is_any(const Node& node) { return node.kind == Node::Kind::scalar && node.text == any; }

std::string read_side(Reading& reading, const Node& node, const std::string& path) {
  if (is_any(node)) return node.text;
  BodyReference body;
  read_value(reading, node, path, {}, body);
  return body.name;
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, Between& between) {
  between = {std::string(any), std::string(any), true};
  if (is_any(node)) return;
  if (node.kind != Node::Kind::list)
    reading.sources.fail(node.where, path + " must be any, or a list of 2 such as [" + reading.scenario.bodies[0].name +
                                         ", any], not " + describe(node));
  const std::vector<Node>& sides = read_list(reading.sources, node, path, 2);
  between.first = read_side(reading, sides[0], item_path(path, 0));
  between.second = read_side(reading, sides[1], item_path(path, 1));
  between.any_pair = between.first == any && between.second == any;
  if (!between.any_pair && between.first == between.second)
    reading.sources.fail(node.where, path + " names one body twice, a body does not touch itself");
}

void check_read(const Reading& reading, const MapReader& map, ContactRule& rule) {
  for (const std::string_view key : {"friction", "restitution"})
    if (!rule.contact && map.find(key))
      reading.sources.fail(map.at(key).where, map.path(key) + " has no meaning where contact is false");
  if (rule.restitution.code.empty() && rule.restitution.constant == 0) return;
  const Node& node = map.at("restitution");
  reading.sources.fail(node.where, map.path("restitution") +
                                       " above 0 is not supported in this version, write 0 instead of " +
                                       (is_distribution(node) ? "a distribution" : describe(node)));
}

void check_list(const Reading& reading, const Node& node, const std::vector<ContactRule>& rules) {
  if (rules.size() > max_contact_rules)
    reading.sources.fail(node.where, "contacts has more than " + std::to_string(max_contact_rules) + " rules");
}

void check_read(const Reading& reading, const MapReader& map, ForceSpec& force) {
  const BodySpec& body = reading.scenario.bodies[static_cast<std::size_t>(force.body.index)];
  if (!body.is_mover())
    reading.sources.fail(map.at("body").where, map.path("body") + ": " + body.name +
                                                   (body.fixed ? " is fixed" : " has prescribed motion") +
                                                   ", a force cannot move it");
  if (!map.find("force") && !map.find("torque")) map.fail(map.path() + " needs force or torque, or both");
}

}  // namespace jostle

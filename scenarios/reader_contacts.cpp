// `contacts` and `forces`.
#include "scenarios/reader_sections.hpp"

namespace jostle {
namespace {

constexpr std::string_view any = "any";

std::string read_side(const SourceNames& sources, const Node& node, const std::string& path,
                      const std::vector<BodySpec>& bodies) {
  if (node.kind == Node::Kind::scalar && node.text == any) return node.text;
  return bodies[static_cast<std::size_t>(read_body_name(sources, node, path, bodies))].name;
}

void read_between(const SourceNames& sources, const Node& node, const std::string& path,
                  const std::vector<BodySpec>& bodies, ContactRule& rule) {
  rule.first = rule.second = any;
  if (node.kind == Node::Kind::scalar && node.text == any) {
    rule.any_pair = true;
    return;
  }
  if (node.kind != Node::Kind::list)
    sources.fail(node.where,
                 path + " must be any, or a list of 2 such as [" + bodies[0].name + ", any], not " + describe(node));
  const std::vector<Node>& sides = read_list(sources, node, path, 2);
  rule.first = read_side(sources, sides[0], item_path(path, 0), bodies);
  rule.second = read_side(sources, sides[1], item_path(path, 1), bodies);
  rule.any_pair = rule.first == any && rule.second == any;
  if (!rule.any_pair && rule.first == rule.second)
    sources.fail(node.where, path + " names one body twice, a body does not touch itself");
}

ContactRule read_rule(const NumberReader& numbers, const Node& node, const std::string& path,
                      const std::vector<BodySpec>& bodies) {
  const SourceNames& sources = numbers.sources();
  const MapReader map(sources, node, "contact", path);
  ContactRule rule;
  rule.where = node.where;
  read_between(sources, map.at("between"), map.path("between"), bodies, rule);
  rule.contact = map.boolean("contact", true);
  for (const std::string_view key : {"friction", "restitution"})
    if (!rule.contact && map.find(key))
      sources.fail(map.at(key).where, map.path(key) + " has no meaning where contact is false");
  if (const Node* friction = map.find("friction"))
    rule.friction = numbers.read(*friction, map.path("friction"), Sign::not_negative);
  if (const Node* restitution = map.find("restitution")) {
    rule.restitution = numbers.read(*restitution, map.path("restitution"), Sign::not_negative);
    if (!rule.restitution.code.empty() || rule.restitution.constant != 0)
      sources.fail(restitution->where, map.path("restitution") +
                                           " above 0 is not supported in this version, write 0 instead of " +
                                           (is_distribution(*restitution) ? "a distribution" : describe(*restitution)));
  }
  return rule;
}

void read_vector_of_time(const NumberReader& numbers, const Node& node, const std::string& path, Number (&vector)[3]) {
  const std::vector<Node>& items = read_list(numbers.sources(), node, path, 3);
  for (std::size_t i = 0; i < 3; ++i) vector[i] = numbers.read_of_time(items[i], item_path(path, i));
}

}  // namespace

std::vector<ContactRule> read_contacts(const NumberReader& numbers, const Node& node,
                                       const std::vector<BodySpec>& bodies) {
  std::vector<ContactRule> rules;
  for (const Node& item : read_list(numbers.sources(), node, "contacts")) {
    if (rules.size() == max_contact_rules)
      numbers.sources().fail(node.where, "contacts has more than " + std::to_string(max_contact_rules) + " rules");
    rules.push_back(read_rule(numbers, item, item_path("contacts", rules.size()), bodies));
  }
  return rules;
}

std::vector<ForceSpec> read_forces(const NumberReader& numbers, const Node& node, const std::vector<BodySpec>& bodies) {
  std::vector<ForceSpec> forces;
  for (const Node& item : read_list(numbers.sources(), node, "forces")) {
    const MapReader map(numbers.sources(), item, "force", item_path("forces", forces.size()));
    const Node& body = map.at("body");
    ForceSpec force;
    force.where = item.where;
    force.body = read_body_name(numbers.sources(), body, map.path("body"), bodies);
    if (bodies[static_cast<std::size_t>(force.body)].fixed)
      numbers.sources().fail(body.where, map.path("body") + ": " + body.text + " is fixed, a force cannot move it");
    if (!map.find("force") && !map.find("torque")) map.fail(map.path() + " needs force or torque, or both");
    if (const Node* vector = map.find("force")) read_vector_of_time(numbers, *vector, map.path("force"), force.force);
    if (const Node* vector = map.find("torque"))
      read_vector_of_time(numbers, *vector, map.path("torque"), force.torque);
    forces.push_back(std::move(force));
  }
  return forces;
}

}  // namespace jostle

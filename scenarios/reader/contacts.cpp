// `contacts`, `forces` and `impulses`.
#include <algorithm>

#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

constexpr std::string_view any = "any";

bool is_any(const Node& node) { return node.kind == Node::Kind::scalar && node.text == any; }

std::string read_side(Reading& reading, const Node& node, const std::string& path) {
  if (is_any(node)) return node.text;
  for (const BodySpec& body : reading.scenario.bodies)
    if (node.kind == Node::Kind::scalar && body.copies > 0 && body.is_called(node.text)) return node.text;
  BodyReference body;
  read_value(reading, node, path, {}, body);
  return body.name;
}

/// Whether it is the number 0, or a variable that has no other value in the file.
bool is_always_zero(const Scenario& scenario, const Number& number) {
  if (is_zero(number)) return true;
  if (number.code.size() != 1 || number.code[0].op != Op::variable) return false;
  const Distribution& of = scenario.variables[static_cast<std::size_t>(number.code[0].index)].distribution;
  const std::vector<double>& values = of.choice.values;
  return of.kind == Distribution::Kind::choice &&
         std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

}  // namespace

void refuse_unless_zero(const Reading& reading, const MapReader& map, const std::vector<MustBeZero>& numbers) {
  for (const MustBeZero& it : numbers)
    if (!is_always_zero(reading.scenario, *it.number)) map.fail(it.key, " " + it.reason);
}

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
  const auto is_body = [&](const BodySpec& body) { return body.name == between.first; };
  const std::vector<BodySpec>& bodies = reading.scenario.bodies;
  if (between.first == between.second && std::any_of(bodies.begin(), bodies.end(), is_body))
    reading.sources.fail(node.where, path + " names one body twice, a body does not touch itself");
}

void check_read(const Reading& reading, const MapReader& map, ContactRule& rule) {
  for (const std::string_view key :
       {"friction", "across", "spin_friction", "rolling_friction", "adhesion", "restitution", "tangential_restitution"})
    if (!rule.contact && map.find(key)) map.fail(key, " has no meaning where contact is false");
  refuse_unless_zero(reading, map, must_be_zero(reading.scenario, rule));
  if (rule.across.given && facts_of(reading.scenario.world.method).has_stages)
    map.fail("across",
             " has no meaning with world.method: loetstedt, whose contacts "
             "have no friction");
  if (!is_always_zero(reading.scenario, rule.spin_friction) && is_zero(rule.friction) && !rule.across.given)
    map.fail("spin_friction", " is a radius: its moment is friction r c_n, but " + map.path("friction") + " is 0");
}

void check_read(const Reading& reading, const MapReader& map, AcrossSpec& across) {
  across.given = true;
  check_direction(reading.sources, map.at("axis").where, map.path("axis"), across.axis);
  const std::vector<BodySpec>& bodies = reading.scenario.bodies;
  if (std::any_of(bodies.begin(), bodies.end(), [&](const BodySpec& body) { return body.is_called(across.of); }))
    return;
  map.fail("of", ": there is no body " + excerpt(across.of) + did_you_mean_or_known(across.of, names_in(bodies)));
}

void check_list(const Reading& reading, const Node& node, const std::vector<ContactRule>& rules) {
  if (rules.size() > max_contact_rules)
    reading.sources.fail(node.where, "contacts has more than " + std::to_string(max_contact_rules) + " rules");
}

namespace {

/// Fails unless `what` can move the body.
void check_moving(const Reading& reading, const MapReader& map, std::string_view key, const BodyReference& reference,
                  const std::string& what) {
  const BodySpec& body = reading.scenario.bodies[static_cast<std::size_t>(reference.index)];
  if (!body.is_mover())
    map.fail(key, ": " + body.name + (body.fixed ? " is fixed" : " has prescribed motion") + ", " + what +
                      " cannot move it");
}

}  // namespace

void check_read(const Reading& reading, const MapReader& map, ForceSpec& force) {
  check_moving(reading, map, "body", force.body, "a force");
  if (!map.find("force") && !map.find("torque")) map.fail(map.path() + " needs force or torque, or both");
  force.has_point = map.find("at") != nullptr;
  if (force.has_point && !map.find("force")) map.fail("at", " has no meaning without force");
  force.has_reaction = map.find("reaction") != nullptr;
  if (!force.has_reaction) return;
  check_moving(reading, map, "reaction", force.reaction, "a force");
  if (force.reaction.index == force.body.index) map.fail("reaction", " names the body itself");
}

void check_read(const Reading& reading, const MapReader& map, ImpulseSpec& impulse) {
  check_moving(reading, map, "body", impulse.body, "an impulse");
  if (!map.find("impulse") && !map.find("angular_impulse"))
    map.fail(map.path() + " needs impulse or angular_impulse, or both");
  impulse.has_point = map.find("at") != nullptr;
  if (impulse.has_point && !map.find("impulse")) map.fail("at", " has no meaning without impulse");
}

}  // namespace jostle

#include "scenarios/canonical.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "scenarios/canonical_tree.hpp"

namespace jostle {
namespace {

using Node = CanonicalNode;
constexpr Node::Style block = Node::Style::block;

constexpr const char* axis_names[] = {"x", "y", "z"};
constexpr const char* reducer_names[] = {"at_end", "minimum", "maximum", "first_time"};

template <class Values>
Node number_list(const Values& values) {
  Node list = Node::list();
  for (const double value : values) list.add(Node::number(value));
  return list;
}

Node choice_node(const Distribution& distribution) {
  Node choice = Node::map();
  choice.add("values", number_list(distribution.values));
  if (!distribution.weights.empty()) choice.add("weights", number_list(distribution.weights));
  return choice;
}

Node distribution_node(const Distribution& distribution) {
  using enum Distribution::Kind;
  Node node = Node::map();
  if (distribution.kind == choice) return std::move(node.add("choice", choice_node(distribution)));
  const char* name = distribution.kind == uniform       ? "uniform"
                     : distribution.kind == log_uniform ? "log_uniform"
                     : distribution.kind == normal      ? "normal"
                                                        : "integer";
  node.add(name, number_list(std::initializer_list<double>{distribution.first, distribution.second}));
  if (std::isfinite(distribution.minimum)) node.add("min", Node::number(distribution.minimum));
  if (std::isfinite(distribution.maximum)) node.add("max", Node::number(distribution.maximum));
  return node;
}

/// Writes the parts of a scenario; the maps' keys are those of keys.cpp, in the same order.
class CanonicalWriter {
 public:
  CanonicalWriter(const Scenario& scenario, bool with_count_and_seed)
      : scenario_(scenario), with_count_and_seed_(with_count_and_seed) {}

  Node whole() const {
    Node file = Node::map(block);
    file.add("jostle", Node::whole(1));
    if (!scenario_.title.empty()) file.add("title", Node::quoted(scenario_.title));
    add_if_any(file, "variables", variables());
    file.add("world", world());
    Node bodies = Node::map(block);
    for (const BodySpec& spec : scenario_.bodies) bodies.add(spec.name, body(spec));
    file.add("bodies", bodies);
    Node contacts = Node::list(block);
    for (const ContactRule& rule : scenario_.contacts) contacts.add(contact(rule));
    add_if_any(file, "contacts", contacts);
    Node forces = Node::list(block);
    for (const ForceSpec& spec : scenario_.forces) forces.add(force(spec));
    add_if_any(file, "forces", forces);
    file.add("sample", sample());
    add_if_any(file, "outcomes", outcomes());
    file.add("record", record());
    return file;
  }

 private:
  static void add_if_any(Node& file, const char* key, Node node) {
    if (!node.empty()) file.add(key, std::move(node));
  }

  Node number(const Number& number) const {
    if (number.code.empty()) return Node::number(number.constant);
    if (!number.text.empty()) return Node::quoted(number.text);
    const int index = number.code[0].index;  // drawn in place
    return std::move(
        distribution_node(scenario_.variables[static_cast<std::size_t>(index)].distribution).defines(index));
  }

  Node numbers(std::span<const Number> items) const {
    Node list = Node::list();
    for (const Number& item : items) list.add(number(item));
    return list;
  }

  Node variables() const {
    Node map = Node::map(block);
    for (std::size_t i = 0; i < scenario_.variables.size(); ++i) {
      const Variable& variable = scenario_.variables[i];
      if (!variable.in_place)
        map.add(variable.name, distribution_node(variable.distribution).defines(static_cast<int>(i)));
    }
    return map;
  }

  Node world() const {
    const WorldSpec& world = scenario_.world;
    Node map = Node::map(block);
    map.add("gravity", numbers(world.gravity));
    map.add("step", Node::number(world.step));
    map.add("duration", Node::number(world.duration));
    map.add("method", Node::word(name_of(world.method)));
    map.add("linearisation",
            Node::word(world.linearisation == Linearisation::fixed_point ? "fixed_point" : "predicted"));
    map.add("friction_directions", Node::word(std::to_string(world.friction_directions)));
    return map;
  }

  Node body(const BodySpec& body) const {
    Node map = Node::map(block);
    map.add("fixed", Node::word(body.fixed ? "true" : "false"));
    if (body.has_mass) map.add("mass", number(body.mass));
    if (body.has_inertia) map.add("inertia", inertia(body));
    if (!body.fixed) {
      Node freedom = Node::list();
      for (int i = 0; i < 6; ++i)
        if (body.freedom[i]) freedom.add(Node::word(std::string(freedom_names[i])));
      map.add("freedom", freedom);
    }
    Node shapes = Node::list(block);
    for (const ShapeSpec& spec : body.shapes) shapes.add(shape(spec));
    if (body.shapes.size() == 1) map.add("shape", shape(body.shapes[0]));
    if (body.shapes.size() > 1) map.add("shapes", shapes);
    map.add("position", numbers(body.position));
    add_rotation(map, body.rotation);
    if (!body.fixed) map.add("velocity", numbers(body.velocity)).add("spin", numbers(body.spin));
    return map;
  }

  /// A scalar stands three times, drawn once: it is one number if it was written once.
  Node inertia(const BodySpec& body) const {
    const Number& first = body.inertia[0];
    const bool drawn_once = !first.code.empty() && first.text.empty() && body.inertia[1].text.empty() &&
                            !body.inertia[1].code.empty() && body.inertia[1].code[0].index == first.code[0].index;
    return drawn_once ? number(first) : numbers(body.inertia);
  }

  void add_rotation(Node& map, const RotationSpec& rotation) const {
    Node value = Node::map();
    switch (rotation.kind) {
      case RotationSpec::Kind::none: return;
      case RotationSpec::Kind::uniform: map.add("rotation", Node::word("uniform").defines(rotation.uniform[0])); return;
      case RotationSpec::Kind::axis_angle:
        value.add("axis", numbers(rotation.axis)).add("degrees", number(rotation.angle));
        break;
      case RotationSpec::Kind::quaternion: value.add("quaternion", numbers(rotation.quaternion)); break;
    }
    map.add("rotation", std::move(value));
  }

  Node shape(const ShapeSpec& shape) const {
    Node size = Node::map();
    const auto add_long = [&] {
      size.add("length", number(shape.length)).add("radius", number(shape.radius));
      size.add("axis", Node::word(axis_names[shape.axis]));
    };
    const char* name = "";
    switch (shape.type) {
      case ShapeType::sphere:
        name = "sphere";
        size.add("radius", number(shape.radius));
        break;
      case ShapeType::capsule:
        name = "capsule";
        add_long();
        break;
      case ShapeType::box:
        name = "box";
        size.add("size", numbers(shape.size));
        break;
      case ShapeType::cylinder:
        name = "cylinder";
        add_long();
        break;
      case ShapeType::half_space:
        name = "half_space";
        size.add("normal", numbers(shape.normal)).add("offset", number(shape.offset));
        break;
    }
    Node map = Node::map();
    map.add(name, std::move(size)).add("position", numbers(shape.position));
    add_rotation(map, shape.rotation);
    return map;
  }

  Node contact(const ContactRule& rule) const {
    Node map = Node::map();
    Node pair = Node::list();
    pair.add(Node::word(rule.first)).add(Node::word(rule.second));
    map.add("between", rule.any_pair ? Node::word("any") : std::move(pair));
    if (!rule.contact) return std::move(map.add("contact", Node::word("false")));
    return std::move(map.add("friction", number(rule.friction)).add("restitution", number(rule.restitution)));
  }

  Node force(const ForceSpec& force) const {
    Node map = Node::map();
    map.add("body", Node::word(scenario_.bodies[static_cast<std::size_t>(force.body)].name));
    return std::move(map.add("force", numbers(force.force)).add("torque", numbers(force.torque)));
  }

  Node sample() const {
    const SampleSpec& sample = scenario_.sample;
    Node map = Node::map();
    const char* method = sample.method == SampleMethod::sobol    ? "sobol"
                         : sample.method == SampleMethod::random ? "random"
                                                                 : "table";
    map.add("method", Node::word(method));
    if (with_count_and_seed_ && sample.count > 0) map.add("count", Node::word(std::to_string(sample.count)));
    if (with_count_and_seed_) map.add("seed", Node::whole(sample.seed));
    if (sample.method == SampleMethod::table) map.add("table", Node::quoted(sample.table));
    return map;
  }

  Node outcomes() const {
    Node map = Node::map(block);
    for (const OutcomeSpec& outcome : scenario_.outcomes) {
      Node reduced = Node::map();
      reduced.add(reducer_names[static_cast<std::size_t>(outcome.reducer)], Node::quoted(outcome.text));
      map.add(outcome.name, std::move(reduced));
    }
    return map;
  }

  Node record() const {
    using Which = RecordSpec::Which;
    const RecordSpec& record = scenario_.record;
    const std::string which = record.which == Which::all        ? "all"
                              : record.which == Which::failures ? "failures"
                                                                : std::to_string(record.trajectories);
    Node map = Node::map();
    return std::move(
        map.add("trajectories", Node::word(which)).add("stride", Node::word(std::to_string(record.stride))));
  }

  const Scenario& scenario_;
  bool with_count_and_seed_;
};

}  // namespace

std::string canonical_yaml(const Scenario& scenario, bool with_count_and_seed) {
  CanonicalNode file = CanonicalWriter(scenario, with_count_and_seed).whole();
  file.sort_by_variables();
  return file.print();
}

}  // namespace jostle

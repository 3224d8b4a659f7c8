// `bodies`: what moves and how, and its state at the start.
#include <algorithm>
#include <cmath>

#include "scenarios/expression_vocabulary.hpp"
#include "scenarios/reader_sections.hpp"

namespace jostle {
namespace {

/// Words that mean something else in expressions or rules.
bool is_reserved(std::string_view name) {
  constexpr std::string_view words[] = {"any", "gap", "energy", "time", "t", "pi", "and", "or", "not", "true", "false"};
  return std::find(std::begin(words), std::end(words), name) != std::end(words) ||
         find_word(expression_functions, name) != nullptr;
}

void read_freedom(const SourceNames& sources, const Node& node, const std::string& path, BodySpec& body) {
  std::fill(std::begin(body.freedom), std::end(body.freedom), false);
  for (const Node& item : read_list(sources, node, path)) {
    const std::string& name = read_text(sources, item, path);
    const auto* found = std::find(std::begin(freedom_names), std::end(freedom_names), name);
    if (found == std::end(freedom_names))
      sources.fail(item.where, path + " must list some of x, y, z, rx, ry, rz, not " + describe(item));
    bool& free = body.freedom[found - std::begin(freedom_names)];
    if (free) sources.fail(item.where, std::string(path).append(" has ").append(name).append(" twice"));
    free = true;
  }
  if (node.items.empty()) sources.fail(node.where, path + " is empty: write 'fixed: true' instead");
  if (std::count(body.freedom + 3, body.freedom + 6, true) == 2)
    sources.fail(node.where, path + " has two rotations: none, one or all three can be free");
}

void read_inertia(const NumberReader& numbers, const Node& node, const std::string& path, BodySpec& body) {
  body.has_inertia = true;
  if (node.kind == Node::Kind::list) {
    numbers.read(node, path, body.inertia);
  } else {
    body.inertia[0] = body.inertia[1] = body.inertia[2] = numbers.read(node, path);
  }
}

/// A velocity whose freedom is locked must be zero.
void check_locked(const SourceNames& sources, const BodySpec& body, const std::string& path, const Number* numbers,
                  int first_freedom) {
  for (int i = 0; i < 3; ++i) {
    if (body.freedom[first_freedom + i]) continue;
    if (!numbers[i].code.empty() || numbers[i].constant != 0)
      sources.fail(numbers[i].where, item_path(path, static_cast<std::size_t>(i)) + " must be 0, because freedom " +
                                         std::string(freedom_names[first_freedom + i]) + " is locked");
  }
}

void read_moving(const NumberReader& numbers, const MapReader& map, BodySpec& body) {
  const SourceNames& sources = numbers.sources();
  if (const Node* freedom = map.find("freedom")) read_freedom(sources, *freedom, map.path("freedom"), body);
  const Node* mass = map.find("mass");
  if (!mass) map.fail(map.path("mass") + " is missing (or write 'fixed: true')");
  body.has_mass = true;
  body.mass = numbers.read(*mass, map.path("mass"), Sign::positive);
  if (const Node* inertia = map.find("inertia")) read_inertia(numbers, *inertia, map.path("inertia"), body);
  if (const Node* velocity = map.find("velocity")) numbers.read(*velocity, map.path("velocity"), body.velocity);
  if (const Node* spin = map.find("spin")) numbers.read(*spin, map.path("spin"), body.spin);
  check_locked(sources, body, map.path("velocity"), body.velocity, 0);
  check_locked(sources, body, map.path("spin"), body.spin, 3);
}

void read_fixed(const SourceNames& sources, const MapReader& map, BodySpec& body) {
  std::fill(std::begin(body.freedom), std::end(body.freedom), false);
  for (const std::string_view key : {"mass", "inertia", "freedom", "velocity", "spin"})
    if (const Node* node = map.find(key))
      sources.fail(node->where, map.path(key) + " has no meaning, because " + map.path() + " is fixed");
}

BodySpec read_body(const NumberReader& numbers, const Node::Entry& entry) {
  const SourceNames& sources = numbers.sources();
  check_identifier(sources, entry, "body");
  if (is_reserved(entry.key)) sources.fail(entry.where, "body '" + entry.key + "' has the name of something else");
  const MapReader map(sources, entry.value, "body", "bodies." + entry.key);
  BodySpec body;
  body.name = entry.key;
  body.where = entry.where;
  body.fixed = map.boolean("fixed", false);
  if (body.fixed) {
    read_fixed(sources, map, body);
  } else {
    read_moving(numbers, map, body);
  }
  body.shapes = read_shapes(numbers, map);
  const bool turns = std::any_of(body.freedom + 3, body.freedom + 6, [](bool free) { return free; });
  if (map.find("shapes") && body.shapes.empty() && turns && !body.has_inertia)
    sources.fail(map.at("shapes").where, map.path("shapes") + " is empty: without a shape, inertia must be given");
  if (const Node* position = map.find("position")) numbers.read(*position, map.path("position"), body.position);
  if (const Node* rotation = map.find("rotation"))
    body.rotation = read_rotation(numbers, *rotation, map.path("rotation"));
  for (const ShapeSpec& shape : body.shapes)
    if (shape.type == ShapeType::half_space && !body.fixed)
      sources.fail(shape.where, "only a fixed body can be a half_space, " + map.path() + " is not");
  return body;
}

}  // namespace

void check_direction(const SourceNames& sources, const Location& where, const std::string& path, const Number* vector,
                     std::size_t length) {
  double square = 0;
  for (std::size_t i = 0; i < length; ++i) {
    if (!vector[i].code.empty()) return;
    square += vector[i].constant * vector[i].constant;
  }
  if (!(square > 0) || !std::isfinite(square))
    sources.fail(where, path + " must have a direction, its length is 0 or infinite");
}

RotationSpec read_rotation(const NumberReader& numbers, const Node& node, const std::string& path) {
  RotationSpec rotation;
  if (node.kind == Node::Kind::scalar && node.text == "uniform") {
    rotation.kind = RotationSpec::Kind::uniform;
    for (std::size_t i = 0; i < 3; ++i) rotation.uniform[i] = numbers.variable(item_path(path, i));
    return rotation;
  }
  const SourceNames& sources = numbers.sources();
  if (node.kind != Node::Kind::map)
    sources.fail(node.where, path + " must be {axis, degrees}, {quaternion} or uniform, not " + describe(node));
  const MapReader map(sources, node, "rotation", path);
  if (const Node* quaternion = map.find("quaternion")) {
    if (map.find("axis") || map.find("degrees")) map.fail(path + " has both quaternion and axis or degrees");
    rotation.kind = RotationSpec::Kind::quaternion;
    numbers.read(*quaternion, map.path("quaternion"), rotation.quaternion);
    check_direction(sources, quaternion->where, map.path("quaternion"), rotation.quaternion, 4);
    return rotation;
  }
  rotation.kind = RotationSpec::Kind::axis_angle;
  numbers.read(map.at("axis"), map.path("axis"), rotation.axis);
  check_direction(sources, map.at("axis").where, map.path("axis"), rotation.axis, 3);
  rotation.angle = numbers.read(map.at("degrees"), map.path("degrees"));
  return rotation;
}

std::vector<BodySpec> read_bodies(const NumberReader& numbers, const Node& node) {
  const SourceNames& sources = numbers.sources();
  const std::vector<Node::Entry>& entries = read_map(sources, node, "bodies");
  if (entries.size() > max_bodies)
    sources.fail(node.where, "bodies has more than " + std::to_string(max_bodies) + " entries");
  std::vector<BodySpec> bodies;
  bodies.reserve(entries.size());
  for (const Node::Entry& entry : entries) bodies.push_back(read_body(numbers, entry));
  const bool moving = std::any_of(bodies.begin(), bodies.end(), [](const BodySpec& body) { return !body.fixed; });
  if (!moving) sources.fail(node.where, "bodies has none that moves");
  return bodies;
}

int read_body_name(const SourceNames& sources, const Node& node, const std::string& path,
                   const std::vector<BodySpec>& bodies) {
  const std::string& name = read_text(sources, node, path);
  std::vector<std::string> names;
  for (const BodySpec& body : bodies) {
    if (body.name == name) return static_cast<int>(names.size());
    names.push_back(body.name);
  }
  sources.fail(node.where, path + ": there is no body " + excerpt(name) + did_you_mean(name, names));
}

}  // namespace jostle

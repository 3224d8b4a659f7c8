// `bodies`: the bodies, how they may move, and their states at the start.
#include <algorithm>

#include "scenarios/expression/vocabulary.hpp"
#include "scenarios/model/scene.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {

void refuse_reserved(const SourceNames& sources, const Location& where, const std::string& what,
                     const std::string& name) {
  const std::string reserved = what + " '" + name + "' is a reserved name: ";
  if (find_word(expression_functions, name)) sources.fail(where, reserved + "expressions have a function " + name);
  if (is_reserved(name)) sources.fail(where, reserved + "expressions or lists of bodies have a word " + name);
}

namespace {

/// A velocity along a locked freedom must be zero.
void check_locked(const SourceNames& sources, const BodySpec& body, const std::string& path, const Number* numbers,
                  int first_freedom) {
  for (int i = 0; i < 3; ++i) {
    if (body.freedom[first_freedom + i]) continue;
    if (!is_zero(numbers[i]))
      sources.fail(numbers[i].where, item_path(path, static_cast<std::size_t>(i)) + " must be 0, because freedom " +
                                         std::string(freedom_names[first_freedom + i]) + " is locked");
  }
}

std::string path_of_shape(const MapReader& map, const BodySpec& body, std::size_t shape) {
  return map.find("shape") || body.shapes.size() < 2 ? map.path("shape") : item_path(map.path("shapes"), shape);
}

/// Densities of shapes: all have one, or the body has one for the rest.
void check_shape_densities(const SourceNames& sources, const MapReader& map, const BodySpec& body) {
  for (std::size_t s = 0; s < body.shapes.size(); ++s)
    if (!body.shapes[s].has_density && !map.find("density"))
      sources.fail(body.shapes[s].where, path_of_shape(map, body, s) +
                                             ".density is missing, because another shape has one (or write " +
                                             map.path("density") + ", for all that have none)");
}

/// What the mass follows from.
void check_mass(const SourceNames& sources, const MapReader& map, const BodySpec& body) {
  const bool of_shapes = body.has_shape_densities();
  if (map.find("density") || of_shapes) {
    for (const char* const key : {"mass", "centre_of_mass", "inertia"})
      if (map.find(key))
        map.fail(key, " has no meaning, because " +
                          (of_shapes ? "a shape has a density" : map.path("density") + " is given"));
    if (body.shapes.empty()) map.fail("density", " needs a shape");
    if (of_shapes) check_shape_densities(sources, map, body);
  } else if (!map.find("mass")) {
    map.fail(map.path("mass") + " is missing (or write density, or 'fixed: true')");
  }
}

void check_moving(const SourceNames& sources, const MapReader& map, const BodySpec& body) {
  check_mass(sources, map, body);
  if (map.find("centre_of_mass")) {
    if (free_rotations(body.freedom) == 0) map.fail("centre_of_mass", " has no meaning: the body cannot turn");
    if (!map.find("inertia")) map.fail("centre_of_mass", " needs an inertia, which is about this point");
  }
  check_locked(sources, body, map.path("velocity"), body.velocity, 0);
  check_locked(sources, body, map.path("spin"), body.spin, 3);
}

/// Of a body that is fixed or has prescribed motion.
void refuse_own_motion(const SourceNames& sources, const MapReader& map, const BodySpec& body) {
  const std::string because =
      " has no meaning, because " + (body.fixed ? map.path() + " is fixed" : map.path("prescribed") + " is given");
  for (const std::string_view key :
       {"prescribed", "mass", "density", "centre_of_mass", "inertia", "freedom", "velocity", "spin"})
    if (map.find(key) && (body.fixed || key != "prescribed")) map.fail(key, because);
  for (std::size_t s = 0; s < body.shapes.size(); ++s)
    if (body.shapes[s].has_density)
      sources.fail(body.shapes[s].density.where, path_of_shape(map, body, s) + ".density" + because);
}

/// What prescribed motion can move. It may turn the body about one of its own axes, or about any.
void set_freedom(const PrescribedSpec& motion, const RotationSpec& rotation, bool (&freedom)[6]) {
  for (int i = 0; i < 3; ++i) {
    freedom[i] = !is_zero(motion.velocity[i]);
    freedom[3 + i] = !is_zero(motion.spin[i]);
  }
  const int axes = free_rotations(freedom);
  const auto axis = std::find(freedom + 3, freedom + 6, true) - (freedom + 3);
  if (axes > 1 || (axes == 1 && !is_about(rotation, static_cast<int>(axis)))) std::fill(freedom + 3, freedom + 6, true);
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, bool (&freedom)[6]) {
  const SourceNames& sources = reading.sources;
  std::fill(std::begin(freedom), std::end(freedom), false);
  for (const Node& item : read_list(sources, node, path)) {
    const std::string& name = read_text(sources, item, path);
    const auto* found = std::find(std::begin(freedom_names), std::end(freedom_names), name);
    if (found == std::end(freedom_names))
      sources.fail(item.where, path + " must list some of x, y, z, rx, ry, rz, not " + describe(item));
    bool& free = freedom[found - std::begin(freedom_names)];
    if (free) sources.fail(item.where, std::string(path).append(" has ").append(name).append(" twice"));
    free = true;
  }
  if (node.items.empty()) sources.fail(node.where, path + " is empty: write 'fixed: true' instead");
  if (free_rotations(freedom) == 2)
    sources.fail(node.where, path + " has two rotations: none, one or all three can be free");
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, InertiaSpec& inertia) {
  inertia.given = true;
  inertia.is_full = node.kind == Node::Kind::list && node.items.size() == 6;
  for (std::size_t i = 0; inertia.is_full && i < 6; ++i)
    (i < 3 ? inertia.moments : inertia.products)[i % 3] = reading.numbers.read(node.items[i], item_path(path, i), key);
  if (inertia.is_full) return;
  if (node.kind == Node::Kind::list && node.items.size() != 3)
    reading.sources.fail(
        node.where, path + " must be a number or a list of 3 or 6, not a list of " + std::to_string(node.items.size()));
  if (node.kind == Node::Kind::list) return read_value(reading, node, path, key, inertia.moments);
  inertia.moments[0] = inertia.moments[1] = inertia.moments[2] = reading.numbers.read(node, path, key);
}

/// A body with `copies` is read once for each of them.
void read_value(Reading& reading, const Node& node, const std::string& path, const Key&,
                std::vector<BodySpec>& bodies) {
  for (const Node::Entry& entry : read_map(reading.sources, node, path)) {
    check_identifier(reading.sources, entry, "body");
    const Node* given = entry.value.find("copies");
    const std::string copies_path = path + "." + entry.key + ".copies";
    const bool has_pattern = entry.value.find("pattern") != nullptr, has_several = given || has_pattern;
    if (given && has_pattern)
      reading.sources.fail(given->where, copies_path + " has no meaning beside a pattern, which has a count");
    const auto copies =
        given ? read_whole_number(reading.sources, *given, copies_path, 1, static_cast<std::int64_t>(max_bodies))
              : pattern_count(reading.sources, entry.value, path + "." + entry.key);
    for (int copy = 0; copy < copies; ++copy) {
      BodySpec& body = bodies.emplace_back();
      body.name = has_several ? item_path(entry.key, static_cast<std::size_t>(copy)) : entry.key;
      body.where = entry.where;
      body.copy = copy;
      reading.numbers.set_copy(has_several ? std::optional<int>(copy) : std::nullopt);
      read_spec(reading, entry.value, path + "." + body.name, body);
    }
    reading.numbers.set_copy({});
  }
  check_list(reading, node, bodies);
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, BodyReference& body) {
  body.name = read_text(reading.sources, node, path);
  std::vector<std::string> names;
  for (const BodySpec& candidate : reading.scenario.bodies) {
    names.push_back(candidate.name);
    if (candidate.copies > 0 && candidate.name_in_file() == body.name)
      reading.sources.fail(node.where, path + ": there are " + std::to_string(candidate.copies) + " copies of " +
                                           body.name + "; write one of them, \"" + candidate.name + "\"");
  }
  const auto found = std::find(names.begin(), names.end(), body.name);
  if (found == names.end())
    reading.sources.fail(node.where,
                         path + ": there is no body " + excerpt(body.name) + did_you_mean(body.name, names));
  body.index = static_cast<int>(found - names.begin());
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key,
                std::vector<ShapeSpec>& shapes) {
  for (const Node& item : read_list(reading.sources, node, path)) {
    const bool has_pattern = item.find("pattern") != nullptr;
    const std::int64_t count = pattern_count(reading.sources, item, item_path(path, shapes.size()));
    for (int number = 0; number < count && shapes.size() <= max_shapes; ++number) {
      ShapeSpec& shape = shapes.emplace_back();
      shape.item = number;
      reading.numbers.set_item(has_pattern ? std::optional<int>(number) : std::nullopt);
      read_value(reading, item, item_path(path, shapes.size() - 1), key, shape);
      place_in_pattern(reading.sources, item_path(path, shapes.size() - 1), shape, number);
    }
    reading.numbers.set_item({});
  }
}

namespace {

/// Shapes that are only drawn are no shapes of the body.
void take_out_displayed(const Reading& reading, const MapReader& map, BodySpec& body) {
  if (const Node* shape = map.find("shape"); shape && shape->find("pattern"))
    reading.sources.fail(shape->where, map.path("shape.pattern") + " makes several shapes: write it under `shapes`");
  for (std::size_t s = 0; s < body.shapes.size(); ++s) {
    const ShapeSpec& shape = body.shapes[s];
    if (shape.display && shape.has_density)
      reading.sources.fail(shape.density.where,
                           path_of_shape(map, body, s) + ".density has no meaning, because the shape is only drawn");
    body.shapes[s].place = s;
  }
  const auto is_solid = [](const ShapeSpec& shape) { return !shape.display; };
  const auto first = std::stable_partition(body.shapes.begin(), body.shapes.end(), is_solid);
  body.displayed.assign(std::make_move_iterator(first), std::make_move_iterator(body.shapes.end()));
  body.shapes.erase(first, body.shapes.end());
}

/// Whether reading this body has made a variable whose name begins so.
bool has_random(const Reading& reading, const MapReader& map, const std::string& beginning) {
  const std::vector<Variable>& variables = reading.scenario.variables;
  for (auto last = variables.rbegin(); last != variables.rend() && last->name.starts_with(map.path() + "."); ++last)
    if (last->name.starts_with(beginning)) return true;
  return false;
}

/// One shape may be under either key. Canonical text keeps the key of this file where random numbers are named by it,
/// as names decide what is sampled. Else it is `shape`, unless it is only drawn, or has a pattern.
bool lists_shapes(const Reading& reading, const MapReader& map, const BodySpec& body) {
  if (body.all_shapes() != 1) return body.all_shapes() > 1;
  if (map.find("shapes") && has_random(reading, map, map.path("shapes[0]."))) return true;
  if (map.find("shape") && has_random(reading, map, map.path("shape."))) return false;
  return body.shapes.empty() || body.shapes.front().pattern.count > 0;
}

}  // namespace

void check_read(const Reading& reading, const MapReader& map, BodySpec& body) {
  const SourceNames& sources = reading.sources;
  refuse_reserved(sources, body.where, "body", body.name_in_file());
  take_out_displayed(reading, map, body);
  body.lists_shapes = lists_shapes(reading, map, body);
  if (map.find("pattern")) body.copies = static_cast<int>(body.pattern.count);
  place_in_pattern(sources, map.path(), body, body.copy);
  if (body.fixed) {
    std::fill(std::begin(body.freedom), std::end(body.freedom), false);
    refuse_own_motion(sources, map, body);
  } else if (map.find("prescribed")) {
    body.prescribed.given = true;
    refuse_own_motion(sources, map, body);
    set_freedom(body.prescribed, body.rotation, body.freedom);
  } else {
    check_moving(sources, map, body);
    body.has_mass = map.find("mass") != nullptr;
    body.has_density = map.find("density") != nullptr;
    body.has_centre = map.find("centre_of_mass") != nullptr;
  }
  if (map.find("shape") && map.find("shapes")) map.fail(map.path() + " has both shape and shapes, only one is allowed");
  if (map.find("shapes") && body.shapes.empty() && free_rotations(body.freedom) > 0 && body.is_mover() &&
      !body.inertia.given)
    map.fail("shapes", " is empty: without a shape, inertia must be given");
  if (body.shapes.size() + body.displayed.size() > max_shapes)
    map.fail("shapes", " has more than " + std::to_string(max_shapes) + " entries");
  for (const ShapeSpec& shape : body.shapes)
    if (shape.type == ShapeType::half_space && body.is_mover())
      sources.fail(shape.where, "only a fixed or prescribed body can be a half_space, " + map.path() + " is neither");
}

void check_read(const Reading& reading, const MapReader& map, ShapeSpec& shape) {
  shape.has_density = map.find("density") != nullptr;
  if (shape.is_prism) make_prism(reading, map, shape);
  if (shape.is_surface) make_surface(reading, map, shape);
  if (shape.is_mesh) make_mesh(reading, map.at("mesh").where, map.path("mesh"), shape);
}

void check_list(const Reading& reading, const Node& node, const std::vector<BodySpec>& bodies) {
  if (bodies.size() > max_bodies)
    reading.sources.fail(node.where, "bodies has more than " + std::to_string(max_bodies) + " entries");
  if (std::none_of(bodies.begin(), bodies.end(), [](const BodySpec& body) { return body.is_mover(); }))
    reading.sources.fail(node.where, "bodies: at least one body must be neither fixed nor prescribed");
}

}  // namespace jostle

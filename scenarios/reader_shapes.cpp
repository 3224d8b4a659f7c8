// `shape` and `shapes` of a body.
#include "scenarios/reader_sections.hpp"

namespace jostle {
namespace {

int read_axis(const MapReader& map) {
  const std::string_view word = map.word("axis");
  return word == "x" ? 0 : word == "y" ? 1 : 2;
}

void read_long(const NumberReader& numbers, const MapReader& map, Sign radius, ShapeSpec& shape) {
  shape.length = numbers.read(map.at("length"), map.path("length"), Sign::positive);
  shape.radius = numbers.read(map.at("radius"), map.path("radius"), radius);
  shape.axis = read_axis(map);
}

void read_half_space(const NumberReader& numbers, const MapReader& map, ShapeSpec& shape) {
  const Node& normal = map.at("normal");
  numbers.read(normal, map.path("normal"), shape.normal);
  check_direction(numbers.sources(), normal.where, map.path("normal"), shape.normal, 3);
  if (const Node* offset = map.find("offset")) shape.offset = numbers.read(*offset, map.path("offset"));
}

ShapeSpec read_shape(const NumberReader& numbers, const Node& node, const std::string& path) {
  const MapReader map(numbers.sources(), node, "shape", path);
  const std::string_view name = map.choice();
  const MapReader sizes(numbers.sources(), map.at(name), name, map.path(name));
  ShapeSpec shape;
  shape.where = node.where;
  if (name == "sphere") {
    shape.type = ShapeType::sphere;
    shape.radius = numbers.read(sizes.at("radius"), sizes.path("radius"), Sign::positive);
  } else if (name == "capsule") {
    shape.type = ShapeType::capsule;
    read_long(numbers, sizes, Sign::not_negative, shape);
  } else if (name == "cylinder") {
    shape.type = ShapeType::cylinder;
    read_long(numbers, sizes, Sign::positive, shape);
  } else if (name == "box") {
    shape.type = ShapeType::box;
    numbers.read(sizes.at("size"), sizes.path("size"), shape.size, Sign::positive);
  } else {
    shape.type = ShapeType::half_space;
    read_half_space(numbers, sizes, shape);
  }
  if (const Node* position = map.find("position")) numbers.read(*position, map.path("position"), shape.position);
  if (const Node* rotation = map.find("rotation"))
    shape.rotation = read_rotation(numbers, *rotation, map.path("rotation"));
  return shape;
}

}  // namespace

std::vector<ShapeSpec> read_shapes(const NumberReader& numbers, const MapReader& body) {
  const Node* one = body.find("shape");
  const Node* several = body.find("shapes");
  if (one && several) body.fail(body.path() + " has both shape and shapes, only one is allowed");
  std::vector<ShapeSpec> shapes;
  if (one) shapes.push_back(read_shape(numbers, *one, body.path("shape")));
  if (several)
    for (const Node& item : read_list(numbers.sources(), *several, body.path("shapes")))
      shapes.push_back(read_shape(numbers, item, item_path(body.path("shapes"), shapes.size())));
  return shapes;
}

}  // namespace jostle

// Polygons: their points, and the scenes that can have them.
#include <algorithm>

#include "scenarios/parameters/polygon.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {

std::vector<OutlineCorner> read_corners(Reading& reading, const std::vector<Node>& items, const std::string& path,
                                        const Key& key) {
  const Key without_unit("bulge", "");
  std::vector<OutlineCorner> corners;
  for (std::size_t i = 0; i < items.size(); ++i) {
    OutlineCorner& corner = corners.emplace_back();
    const std::string of_item = item_path(path, i);
    corner.where = items[i].where;
    corner.is_arc = items[i].kind == Node::Kind::list && items[i].items.size() == 3;
    const std::vector<Node>& numbers = read_list(reading.sources, items[i], of_item, corner.is_arc ? 3 : 2);
    for (std::size_t k = 0; k < 2; ++k) corner.at[k] = reading.numbers.read(numbers[k], item_path(of_item, k), key);
    if (corner.is_arc) corner.bulge = reading.numbers.read(numbers[2], item_path(of_item, 2), without_unit);
  }
  return corners;
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, CornersSpec& corners) {
  const std::vector<Node>& items = read_list(reading.sources, node, path);
  if (items.size() > max_corners)
    reading.sources.fail(node.where, path + " has more than " + std::to_string(max_corners) + " points");
  corners.list = read_corners(reading, items, path, key);
  const bool has_arc = std::ranges::any_of(corners.list, &OutlineCorner::is_round);
  if (items.size() < (has_arc ? 2 : 3))
    reading.sources.fail(node.where, path + " has " + std::to_string(items.size()) +
                                         (items.size() == 1 ? " point" : " points") +
                                         ", a polygon needs at least 3, or 2 with arcs");
}

namespace {

/// Edges are compared with corners, and what depends on random numbers becomes a program of every sample: so many pairs
/// take a gigabyte. An arc has four chords.
constexpr std::size_t most_random_pairs = 100'000, chords_of_arc = 4;

void check_count_of_random(const Scenario& scenario, const ShapeSpec& shape, const std::string& path) {
  const std::vector<OutlineCorner>& corners = shape.polygon.points.list;
  std::size_t all = 0, random = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const OutlineCorner &corner = corners[i], &next = corners[(i + 1) % corners.size()];
    const bool is_known = is_constant(corner.at), is_round = corner.is_round();
    const bool is_known_arc = is_known && is_constant(next.at) && corner.bulge.code.empty();
    all += is_round ? chords_of_arc : 1;
    random += is_known ? 0 : 1;
    if (is_round && !is_known_arc) random += chords_of_arc - 1;
  }
  if (random * all <= most_random_pairs) return;
  throw error_at(scenario, shape.where,
                 path + ".points: " + std::to_string(random) + " of " + std::to_string(all) +
                     " points depend on variables (an arc counts as 4); their product must be at most " +
                     std::to_string(most_random_pairs));
}

}  // namespace

void check_polygons(Scenario& scenario, std::optional<int> axis) {
  const ShapeSpec* first = nullptr;
  Requirements require;
  for (BodySpec& body : scenario.bodies) {
    for (ShapeSpec& shape : body.shapes) {
      if (shape.type != ShapeType::polygon) continue;
      if (!axis)
        throw error_at(scenario, shape.where,
                       "the polygon of '" + body.name +
                           "' needs a planar scene, in which all moving bodies share a plane: give them "
                           "'freedom: [x, z, ry]', or write a box or capsules");
      if (!first) first = &shape;
      shape.polygon.axis = *axis;
      shape.polygon.is_clockwise = is_clockwise(shape.polygon);
      check_count_of_random(scenario, shape, body.path_of(shape) + ".polygon");
      require_simple(shape.polygon, body.path_of(shape) + ".polygon", nullptr, require);
    }
    for (ShapeSpec& shape : body.displayed) {
      shape.polygon.axis = axis.value_or(shape.polygon.axis);
      shape.polygon.is_clockwise = shape.type == ShapeType::polygon && is_clockwise(shape.polygon);
    }
  }
  if (require.fault()) throw error_at(scenario, require.fault()->where, require.fault()->message);
  if (!first) return;
  for (const BodySpec& body : scenario.bodies)
    for (const ShapeSpec& shape : body.shapes)
      if (shape.type == ShapeType::cylinder)
        throw error_at(scenario, shape.where,
                       "the cylinder of '" + body.name +
                           "' cannot be in a scene with polygons yet: write a sphere for a disc, or a box");
}

}  // namespace jostle

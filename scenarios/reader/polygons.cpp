// Polygons: their points, and the scenes that can have them.
#include "scenarios/model/scene.hpp"
#include "scenarios/parameters/polygon.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, CornersSpec& corners) {
  const std::vector<Node>& items = read_list(reading.sources, node, path);
  if (items.size() < 3)
    reading.sources.fail(node.where, path + " has " + std::to_string(items.size()) +
                                         (items.size() == 1 ? " point" : " points") + ", a polygon needs at least 3");
  if (items.size() > max_corners)
    reading.sources.fail(node.where, path + " has more than " + std::to_string(max_corners) + " points");
  for (std::size_t i = 0; i < items.size(); ++i) {
    CornerSpec& corner = corners.list.emplace_back();
    corner.where = items[i].where;
    if (items[i].kind == Node::Kind::list && items[i].items.size() == 3)
      reading.sources.fail(items[i].where,
                           item_path(path, i) + " has a bulge: arcs are not supported yet; write points on the arc");
    read_value(reading, items[i], item_path(path, i), key, corner.at);
  }
}

void check_polygons(Scenario& scenario, std::optional<int> axis) {
  const ShapeSpec* first = nullptr;
  Requirements require;
  for (BodySpec& body : scenario.bodies) {
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      ShapeSpec& shape = body.shapes[s];
      if (shape.type != ShapeType::polygon) continue;
      if (!axis)
        throw error_at(scenario, shape.where,
                       "the polygon of '" + body.name +
                           "' needs a planar scene, in which all moving bodies share a plane: give them "
                           "'freedom: [x, z, ry]', or write a box or capsules");
      if (!first) first = &shape;
      shape.polygon.axis = *axis;
      shape.polygon.is_clockwise = is_clockwise(shape.polygon);
      const std::string of_shape = body.shapes.size() == 1 ? "shape" : item_path("shapes", s);
      require_simple(shape.polygon, "bodies." + body.name + "." + of_shape + ".polygon", nullptr, require);
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

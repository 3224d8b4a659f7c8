// Hulls: their points, their structure, and the scenes that can have them.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/parts/triangle_mesh.hpp"
#include "scenarios/reader/doubts.hpp"
#include "scenarios/reader/sections.hpp"

namespace jostle {
namespace {

void check_count(const Scenario& scenario, const Location& where, const std::string& path, std::size_t corners) {
  if (corners > max_hull_corners)
    throw error_at(
        scenario, where,
        path + " has " + std::to_string(corners) + " corners, more than " + std::to_string(max_hull_corners));
}

void set_structure(const Scenario& scenario, const std::vector<double>& draw, const std::string& path, HullSpec& hull) {
  if (!hull.structure.is_convex) return;  // known since it was read
  const std::vector<PointSpec>& points = hull.points.list;
  const Location& where = points.front().where;
  try {
    hull.structure = structure_of(hull, draw.data());
  } catch (const std::invalid_argument& error) {
    throw error_at(scenario, where, path + ".points: " + error.what());
  }
  const std::size_t corners = hull.structure.corners.size();
  check_count(scenario, where, path, corners);
  const auto random = std::ranges::find_if(points, [](const PointSpec& point) { return !is_constant(point.at); });
  if (random == points.end() || corners == points.size()) return;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (std::ranges::find(hull.structure.corners, static_cast<int>(i)) == hull.structure.corners.end())
      throw error_at(scenario, points[i].where,
                     item_path(path + ".points", points[i].item) +
                         " is no corner of the hull; where numbers are random, all points must be corners");
}

}  // namespace

void read_value(Reading& reading, const Node& node, const std::string& path, const Key& key, PointsSpec& points) {
  const std::vector<Node>& items = read_list(reading.sources, node, path);
  if (items.size() < 4)
    reading.sources.fail(node.where, path + " has " + std::to_string(items.size()) +
                                         (items.size() == 1 ? " point" : " points") + ", a hull needs at least 4");
  if (static_cast<std::int64_t>(items.size()) > key.most)
    reading.sources.fail(node.where, path + " has more than " + std::to_string(key.most) + " points");
  for (std::size_t i = 0; i < items.size(); ++i) {
    PointSpec& point = points.list.emplace_back();
    point.where = items[i].where, point.item = i;
    read_value(reading, items[i], item_path(path, i), key, point.at);
  }
}

void read_value(Reading& reading, const Node& node, const std::string& path, const Key&, FacesSpec& faces) {
  const std::vector<Node>& items = read_list(reading.sources, node, path);
  const auto read_loop = [&](const Node& item, const std::string& of_item) {
    std::vector<int> loop;
    const std::vector<Node>& numbers = read_list(reading.sources, item, of_item);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      loop.push_back(static_cast<int>(read_whole_number(reading.sources, numbers[k], item_path(of_item, k), 0,
                                                        static_cast<std::int64_t>(max_surface_corners) - 1)));
    if (loop.size() < 3) reading.sources.fail(item.where, of_item + " has fewer than three points");
    return loop;
  };
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto& loops = faces.list.emplace_back();
    const std::string of_item = item_path(path, i);
    const std::vector<Node>& parts = read_list(reading.sources, items[i], of_item);
    if (parts.empty() || parts.front().kind != Node::Kind::list) {
      loops.push_back(read_loop(items[i], of_item));
    } else {
      for (std::size_t k = 0; k < parts.size(); ++k) loops.push_back(read_loop(parts[k], item_path(of_item, k)));
    }
  }
}

void make_surface(const Reading& reading, const MapReader& map, ShapeSpec& shape) {
  const std::string path = map.path("surface");
  const std::vector<PointSpec>& list = shape.surface.points.list;
  std::vector<Vec3> points;
  for (const PointSpec& point : list) {
    if (!is_constant(point.at))
      reading.sources.fail(point.where, item_path(path + ".points", point.item) +
                                            ": the points of a surface must not be random; those of a hull may");
    points.push_back(value_of(point.at, nullptr));
  }
  std::vector<SurfaceFace> faces;
  for (std::size_t f = 0; f < shape.surface.faces.list.size(); ++f) {
    faces.push_back({shape.surface.faces.list[f]});
    for (const auto& loop : faces.back().loops)
      for (const int point : loop)
        if (point >= static_cast<int>(points.size()))
          reading.sources.fail(map.at("surface").where, item_path(path + ".faces", f) + " has point " +
                                                            std::to_string(point) + ", of points 0 to " +
                                                            std::to_string(points.size() - 1));
  }
  const Location& where = map.at("surface").where;
  std::vector<KnownShapes::Surface>& known = reading.known.surfaces;
  const auto is_same = [&](const KnownShapes::Surface& other) {
    return other.where == where && other.points == points &&
           std::ranges::equal(other.faces, faces, {}, &SurfaceFace::loops, &SurfaceFace::loops);
  };
  if (const auto found = std::ranges::find_if(known, is_same); found != known.end()) {
    shape.type = ShapeType::hull, shape.hull = found->hull;
    return;
  }
  set_closed_surface(reading, where, path, shape, [&] { return closed_surface(points, faces, hull_tolerance); });
  known.push_back({where, std::move(points), std::move(faces), shape.hull});
}

void set_closed_surface(const Reading& reading, const Location& where, const std::string& path, ShapeSpec& shape,
                        const std::function<ClosedSurface()>& make) {
  try {
    const ClosedSurface surface = make();
    if (surface.points.size() > max_surface_corners)
      reading.sources.fail(where, path + " has " + std::to_string(surface.points.size()) +
                                      " corners after its coplanar faces are merged, more than " +
                                      std::to_string(max_surface_corners) +
                                      ": export it with coarser triangles, or write as: hull");
    shape.type = ShapeType::hull;
    set_surface(surface, where, shape.hull);
  } catch (const std::invalid_argument& error) {
    reading.sources.fail(where, path + ": " + error.what());
  }
}

void check_read(const Reading& reading, const MapReader& map, MeshSpec& mesh) {
  if (mesh.points.list.empty()) return;
  if (mesh.scale != 1) map.fail("scale", " must be 1, as points are in m");
  if (mesh.form != MeshForm::hull) map.fail("as", " must be hull, because points are given: write a surface");
  if (map.find("any_size")) map.fail("any_size", " has no meaning, because points are given");
  for (const PointSpec& point : mesh.points.list)
    if (!is_constant(point.at))
      reading.sources.fail(point.where, item_path(map.path("points"), point.item) +
                                            ": the points of a mesh must not be random; those of a hull may");
}

namespace {

/// A hull with the corners of a mesh. It keeps the name of the mesh in canonical text if its radius is a random number,
/// which is named by its path.
void set_hull(ShapeSpec& shape, PointsSpec corners, const Number& radius) {
  shape.type = ShapeType::hull;
  shape.hull.points = std::move(corners);
  shape.hull.radius = radius;
  if (radius.code.empty() || !radius.text.empty()) return;
  shape.is_mesh = true;
  shape.mesh.points = shape.hull.points;
  shape.mesh.radius = radius;
}

/// The surface in a file, or the corners of its hull; without radius.
HullSpec hull_of_file(const Reading& reading, const Location& where, const std::string& path, const std::string& file,
                      const MeshSpec& mesh) {
  TriangleMesh triangles;
  try {
    triangles = read_mesh(file, mesh.scale);
  } catch (const ScenarioError& error) {
    reading.sources.fail(where, path + ": " + error.what());
  }
  if (!mesh.any_size && !has_usual_size(triangles))
    reading.sources.fail(where, path + ": the part is " + shortest(size_of(triangles).maxCoeff()) +
                                    " m long; a file in mm wants scale: 0.001, and any_size: true takes it as it is");
  if (mesh.form == MeshForm::surface) {
    ShapeSpec shape;
    set_closed_surface(reading, where, path, shape, [&] { return closed_surface(triangles, hull_tolerance); });
    if (!shape.hull.structure.is_convex) return shape.hull;
  }
  const auto known = [&](double value) { return Number{value, {}, {}, where}; };
  HullSpec hull;
  try {
    const std::vector<Vec3> corners = convex_hull(triangles.points, hull_tolerance).points;
    check_count(reading.scenario, where, path, corners.size());  // before the hull of so many is made once more
    for (const Vec3& x : corners)
      hull.points.list.push_back({{known(x[0]), known(x[1]), known(x[2])}, where, hull.points.list.size()});
  } catch (const std::invalid_argument& error) {
    reading.sources.fail(where, path + ": " + error.what());
  }
  return hull;
}

}  // namespace

void make_mesh(const Reading& reading, const Location& where, const std::string& path, ShapeSpec& shape) {
  const MeshSpec mesh = shape.mesh;
  shape.mesh = {}, shape.is_mesh = false;
  if (!mesh.points.list.empty()) return set_hull(shape, mesh.points, mesh.radius);
  if (!(mesh.scale > 0)) reading.sources.fail(where, path + ".scale must be greater than 0");
  const std::string file = (std::filesystem::path(reading.scenario.file).parent_path() / mesh.file).string();
  std::vector<std::string>& files = reading.scenario.mesh_files;
  const std::string key = fmt::format("{} {} {} {} {} {} {}", where.set, where.line, where.column, mesh.scale,
                                      static_cast<int>(mesh.form), mesh.any_size, file);
  auto known = reading.known.meshes.find(key);
  if (known == reading.known.meshes.end())
    known = reading.known.meshes.emplace(key, hull_of_file(reading, where, path, file, mesh)).first;
  if (std::ranges::find(files, file) == files.end()) files.push_back(file);
  const HullSpec& hull = known->second;
  if (hull.structure.is_convex) return set_hull(shape, hull.points, mesh.radius);
  if (!is_zero(mesh.radius))
    reading.sources.fail(where, path + ".radius: the surface is not convex, so that its edges cannot be rounded");
  shape.type = ShapeType::hull, shape.hull = hull;
  shape.surface.points = hull.points, shape.is_surface = true;
  for (const SurfaceFace& face : faces_of(hull.structure)) shape.surface.faces.list.push_back(face.loops);
}

void check_hulls(Scenario& scenario, bool is_planar) {
  const std::vector<double> draw = medians_of(scenario);
  for (BodySpec& body : scenario.bodies) {
    for (ShapeSpec& shape : body.shapes) {
      if (shape.type != ShapeType::hull) continue;
      if (is_planar)
        throw error_at(
            scenario, shape.where,
            "the shape of '" + body.name +
                "' has corners in space (hull, prism, surface or mesh) and cannot be in a planar scene: write "
                "a polygon, or free the bodies to move in space");
      const std::string path = body.path_of(shape) + "." + hull_word(shape);
      if (shape.is_prism) check_outline(scenario, shape, path, draw.data());
      set_structure(scenario, draw, path, shape.hull);
    }
    for (ShapeSpec& shape : body.displayed)
      if (shape.type == ShapeType::hull)
        set_structure(scenario, draw, body.path_of(shape) + "." + hull_word(shape), shape.hull);
  }
}

}  // namespace jostle

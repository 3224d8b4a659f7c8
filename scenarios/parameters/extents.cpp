#include "scenarios/parameters/extents.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/geometry/shape_pair.hpp"
#include "scenarios/parameters/inertia.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/parameters/plane.hpp"
#include "scenarios/parameters/polygon.hpp"

namespace jostle {
namespace {

/// Half the extent of a shape along axis k of its body.
double half_extent(const PlacedShape& shape, int k) {
  const auto along = [&](int j) { return std::fabs(shape.axes(k, j)); };
  switch (shape.type) {
    case ShapeType::sphere: return shape.size[0];
    case ShapeType::capsule: return shape.size[0] + along(2) * shape.size[1];
    case ShapeType::box: return along(0) * shape.size[0] + along(1) * shape.size[1] + along(2) * shape.size[2];
    case ShapeType::cylinder:
      return along(2) * shape.size[1] + std::sqrt(std::max(0.0, 1 - along(2) * along(2))) * shape.size[0];
    default: return 0;
  }
}

/// Radius of a ball about its position that contains a shape, m.
double reach_of(const PlacedShape& shape) {
  const Vec3& size = shape.size;
  switch (shape.type) {
    case ShapeType::sphere: return size[0];
    case ShapeType::box: return size.norm();
    case ShapeType::cylinder: return std::sqrt(size[0] * size[0] + size[1] * size[1]);
    case ShapeType::half_space: return std::numeric_limits<double>::infinity();
    default: return size[0] + size[1];
  }
}

double gap_between(const PlacedShape& a, const PlacedShape& b) {
  return a.type <= b.type ? signed_distance(a, b) : signed_distance(b, a);
}

/// kg/m^3
double density_of(const BodySpec& body, const ShapeSpec& shape, Draw draw) {
  return number_of(shape.has_density ? shape.density : body.density, draw).value();
}

/// Of the grid below along each axis, so that no more than a second goes by; 0 if these would be too few.
int points_of_grid(const BodySpec& body) {
  constexpr double most_distances = 3e7;
  constexpr int least = 16, most = 40;
  double parts = 0;
  for (const ShapeSpec& shape : body.shapes) {
    const HullStructure& hull = shape.hull.structure;
    parts += shape.type == ShapeType::hull
                 ? static_cast<double>(hull.corners.size() + hull.faces.size()) + hull.packed[1]
                 : 1;
  }
  const int points = static_cast<int>(std::min(std::cbrt(most_distances / parts), double{most}));
  return points < least ? 0 : points;
}

/// kg: every point of a grid has the density of the heaviest shape that it is in. `points`: along each axis.
double mass_counted_once(const BodySpec& body, const std::vector<PlacedShape>& shapes, int points, Draw draw) {
  const Extents box = *extents_of(body, draw);
  const Vec3 cell = box.size() / points;
  std::vector<double> densities;
  for (const ShapeSpec& shape : body.shapes) densities.push_back(density_of(body, shape, draw));
  PlacedShape point{ShapeType::sphere, Vec3::Zero(), Vec3::Zero(), Mat3::Identity()};
  double sum = 0;
  for (int i = 0; i < points * points * points; ++i) {
    const int at[3] = {i % points, i / points % points, i / points / points};
    for (int k = 0; k < 3; ++k) point.position[k] = box.lower[k] + (at[k] + 0.5) * cell[k];
    double density = 0;
    for (std::size_t s = 0; s < shapes.size(); ++s)
      if (densities[s] > density && signed_distance(point, shapes[s]) < 0) density = densities[s];
    sum += density;
  }
  return sum * cell[0] * cell[1] * cell[2];
}

}  // namespace

double Extents::largest() const {
  const Vec3 all = size();
  return std::max({all[0], all[1], all[2]});
}

std::optional<Extents> extents_of(const BodySpec& body, Draw draw) {
  std::optional<Extents> box;
  for (const ShapeSpec& spec : body.shapes) {
    if (!is_solid(spec)) continue;
    std::vector<double> corners;
    const PlacedShape shape = shape_in_body(spec, draw, &corners);
    constexpr double none = std::numeric_limits<double>::infinity();
    if (!box) box = {Vec3(none, none, none), Vec3(-none, -none, -none)};
    const auto include = [&](int k, double middle, double half) {
      box->lower[k] = std::min(box->lower[k], middle - half);
      box->upper[k] = std::max(box->upper[k], middle + half);
    };
    for (int k = 0; k < 3; ++k) {
      if (shape.corners == 0) include(k, shape.position[k], half_extent(shape, k));
      if (shape.type == ShapeType::hull)
        for (int c = 0; c < shape.corners; ++c)
          include(k, shape.position[k] + Polyhedron(shape).in_world(Polyhedron(shape).corner(c))[k], shape.size[0]);
      if (shape.type != ShapeType::polygon) continue;
      if (std::fabs(shape.axes(k, 2)) > 0.5) {  // across its plane
        include(k, shape.position[k], 0);
        continue;
      }
      Vec3 towards = Vec3::Zero();
      towards[k] = 1;
      const double upper = reach_towards(shape, towards), lower = reach_towards(shape, -towards);
      include(k, shape.position[k] + 0.5 * (upper - lower), 0.5 * (upper + lower));
    }
  }
  return box;
}

double volume_of(const BodySpec& body, Draw draw) {
  double volume = 0;
  for (const ShapeSpec& shape : body.shapes)
    if (is_solid(shape)) volume += solid_of(traced_shape(shape, draw), 0).mass.value();
  return volume;
}

PlacedShape shape_in_world(const BodySpec& body, const ShapeSpec& shape, Draw draw, std::vector<double>& corners) {
  PlacedShape placed = shape_in_body(shape, draw, &corners);
  const Mat3 axes = rotation_matrix(rotation_of(body.rotation, draw));
  placed.position = value_of(body.position, draw) + rotate(axes, placed.position);
  placed.axes = product(axes, placed.axes);
  return placed;
}

double least_gap(const BodySpec& a, const BodySpec& b, Draw draw, double enough) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<double> corners_a;
  std::vector<std::vector<double>> corners_b(b.shapes.size());
  std::vector<PlacedShape> others;
  for (std::size_t s = 0; s < b.shapes.size(); ++s)
    others.push_back(shape_in_world(b, b.shapes[s], draw, corners_b[s]));
  for (const ShapeSpec& one : a.shapes) {
    const PlacedShape first = shape_in_world(a, one, draw, corners_a);
    for (const PlacedShape& second : others) {
      const Vec3 apart = second.position - first.position;
      if (apart.norm() * (1 - 1e-12) - reach_of(first) - reach_of(second) > enough) continue;
      least = std::min(least, gap_between(first, second));
    }
  }
  return least;
}

double filled_share(const ShapeSpec& shape, Draw draw) {
  const TracedPolygon polygon = traced_polygon(shape.polygon, draw);
  const std::size_t n = polygon.corners.size() / 2;
  const auto at = [&](std::size_t i, std::size_t k) { return polygon.corners[2 * (i % n) + k].value(); };
  bool has_notch = std::ranges::any_of(polygon.bulges, [](const Traced& bulge) { return bulge.value() < 0; });
  for (std::size_t i = 0; i < n; ++i)
    has_notch = has_notch || (at(i + 1, 0) - at(i, 0)) * (at(i + 2, 1) - at(i + 1, 1)) <
                                 (at(i + 1, 1) - at(i, 1)) * (at(i + 2, 0) - at(i + 1, 0));
  if (!has_notch || !(polygon.radius.value() > 0)) return 0;
  std::vector<double> corners;
  const PlacedShape placed = shape_in_body(shape, draw, &corners);
  constexpr int points = 200;  // along each axis
  const double half = polygon.reach.value() + polygon.radius.value(), cell = 2 * half / points;
  PlacedShape point{ShapeType::sphere, Vec3::Zero(), Vec3::Zero(), Mat3::Identity()};
  int inside = 0;
  for (int i = 0; i < points * points; ++i) {
    const double x = (i % points + 0.5) * cell - half, y = (i / points + 0.5) * cell - half;
    point.position = placed.position + x * placed.axes.col(0) + y * placed.axes.col(1);
    inside += signed_distance(point, placed) < 0 ? 1 : 0;
  }
  return polygon.area.value() / (inside * cell * cell) - 1;
}

std::optional<SharedMass> shared_mass(const BodySpec& body, Draw draw) {
  constexpr std::size_t most = 40;
  if (body.shapes.size() < 2 || body.shapes.size() > most) return {};
  const auto is_polygon = [](const ShapeSpec& shape) { return shape.type == ShapeType::polygon; };
  if (std::ranges::any_of(body.shapes, is_polygon)) return {};  // they have no depth, so that no grid fills them
  const int points = points_of_grid(body);
  if (points == 0) return {};
  std::vector<PlacedShape> shapes;
  std::vector<std::vector<double>> corners(body.shapes.size());
  for (std::size_t s = 0; s < body.shapes.size(); ++s)
    shapes.push_back(shape_in_body(body.shapes[s], draw, &corners[s]));
  SharedMass found;
  for (std::size_t j = 0; j < shapes.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const double depth = -gap_between(shapes[i], shapes[j]);
      if (depth > found.depth) found = {static_cast<int>(i), static_cast<int>(j), depth, 0, 0};
    }
  }
  if (!(found.depth > 0)) return {};
  found.counted = mass_of(body, draw).mass.value();
  found.once = mass_counted_once(body, shapes, points, draw);
  return found;
}

}  // namespace jostle

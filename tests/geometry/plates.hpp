#pragma once
// Polygons of tests, and which of their feature pairs are candidates.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/geometry/placements.hpp"

namespace jostle::test {

/// A polygon in the plane of x and z, of [x, z] pairs that run counter-clockwise as z over x is drawn.
struct Plate {
  std::vector<double> corners;
  Vec3 position = Vec3::Zero();
  double cosine = 1, sine = 0, radius = 0;
  std::vector<double> bulges = {};  ///< of the edges; none: all are straight

  PlacedShape placed() const {
    double reach = 0;
    for (std::size_t i = 0; i < corners.size(); i += 2) {
      reach = std::max(reach, std::hypot(corners[i], corners[i + 1]));
      if (bulges.empty() || bulges[i / 2] == 0) continue;
      const std::size_t next = (i + 2) % corners.size();
      const CircularArc arc({corners[i], corners[i + 1]}, {corners[next], corners[next + 1]}, bulges[i / 2]);
      reach = std::max(reach, std::hypot(arc.centre.x, arc.centre.y) + arc.radius);
    }
    Mat3 axes;
    axes << cosine, -sine, 0, 0, 0, -1, sine, cosine, 0;
    PlacedShape shape{ShapeType::polygon, {radius, reach, 0.1}, position, axes};
    shape.corners = static_cast<int>(corners.size() / 2), shape.corner = corners.data();
    if (!bulges.empty()) shape.bulge = bulges.data();
    return shape;
  }
};

inline Plate plate(const std::vector<double>& corners, double x = 0, double z = 0, double radius = 0) {
  return {corners, {x, 0, z}, 1, 0, radius};
}
inline std::vector<int> all_close(const PlacedShape& a, const PlacedShape& b, double margin, int features) {
  std::vector<int> list;
  for (int first = 0; first < features; first += page_features)
    close_features(a, b, margin, first).for_each(first, [&](int feature) { list.push_back(feature); });
  return list;
}
inline std::vector<int> all_close(const Plate& a, const Plate& b, double margin) {
  const PlacedShape first = a.placed(), second = b.placed();
  return all_close(first, second, margin, outline_features(first.corners, second.corners, first.bulge || second.bulge));
}

inline std::vector<double> numbers_of(const nlohmann::json& points) {
  std::vector<double> list;
  for (const auto& point : points) list.insert(list.end(), {point[0].get<double>(), point[1].get<double>()});
  return list;
}

}  // namespace jostle::test

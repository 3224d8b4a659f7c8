#pragma once
// Hulls with numbers and structure of their own, and their distances by brute force.
#include <Eigen/Geometry>
#include <algorithm>

#include "tests/geometry/placements.hpp"
#include "tests/support/close_pairs.hpp"

namespace jostle::test {

/// A hull with its numbers and structure.
struct Hull {
  std::vector<double> numbers;
  std::vector<int> structure;
  int corners = 0;
  double radius = 0, reach = 0;

  PlacedShape placed(const Vec3& x = Vec3::Zero(), const Mat3& axes = Mat3::Identity()) const {
    PlacedShape shape{ShapeType::hull, {radius, reach, 0.1}, x, axes};
    shape.corners = corners, shape.corner = numbers.data(), shape.structure = structure.data();
    return shape;
  }
};

/// From corners and from faces, given as corners that run counter-clockwise seen from outside.
inline Hull hull_of(const std::vector<Vec3>& corners, const std::vector<std::vector<int>>& faces, double radius = 0) {
  Hull hull;
  hull.corners = static_cast<int>(corners.size()), hull.radius = radius;
  for (const Vec3& corner : corners) {
    hull.numbers.insert(hull.numbers.end(), corner.data(), corner.data() + 3);
    hull.reach = std::max(hull.reach, corner.norm());
  }
  std::vector<std::vector<int>> edges, of_face(faces.size()), at_corner(corners.size());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto at = [&](std::size_t k) { return corners[static_cast<std::size_t>(faces[f][k % faces[f].size()])]; };
    const Vec3 normal = cross(at(1) - at(0), at(2) - at(0)).normalized();
    hull.numbers.insert(hull.numbers.end(), {normal[0], normal[1], normal[2], dot(normal, at(0))});
    for (std::size_t k = 0; k < faces[f].size(); ++k) {
      const int from = faces[f][k], to = faces[f][(k + 1) % faces[f].size()];
      const auto same = std::ranges::find_if(edges, [&](const auto& e) { return e[0] == to && e[1] == from; });
      of_face[f].push_back(static_cast<int>(same - edges.begin()));
      if (same != edges.end()) {
        (*same)[3] = static_cast<int>(f);
        continue;
      }
      for (const int corner : {from, to}) at_corner[static_cast<std::size_t>(corner)].push_back(of_face[f].back());
      edges.push_back({from, to, static_cast<int>(f), no_face});
    }
  }
  const int count = static_cast<int>(edges.size());
  hull.structure = {static_cast<int>(faces.size()), count, radius > 0 ? 1 : 0, hull.corners, count, 1, 0, 0};
  for (const auto& edge : edges) hull.structure.insert(hull.structure.end(), edge.begin(), edge.end());
  for (const auto& lists : {of_face, at_corner}) {
    int begin = 0;
    hull.structure.push_back(begin);
    for (const auto& list : lists) hull.structure.push_back(begin += static_cast<int>(list.size()));
    for (const auto& list : lists) hull.structure.insert(hull.structure.end(), list.begin(), list.end());
  }
  return hull;
}

/// With the numbers of features that a box has.
inline Hull hull_of_box(const Vec3& half) {
  const PlacedShape shape = box(half);
  const Polyhedron core(shape);
  Hull hull;
  hull.corners = box_corners, hull.reach = half.norm();
  for (int i = 0; i < core.corners; ++i) {
    const Vec3 x = core.corner(i);
    hull.numbers.insert(hull.numbers.end(), {x[0], x[1], x[2]});
  }
  for (int f = 0; f < core.faces; ++f) {
    const Vec3 n = core.normal(f);
    hull.numbers.insert(hull.numbers.end(), {n[0], n[1], n[2], core.face_offset(f)});
  }
  hull.structure = {core.faces, core.edges, 0, core.corners, core.edges, 1, 0, 0};
  for (int e = 0; e < core.edges; ++e) {
    const PolyhedronEdge edge = core.edge(e);
    hull.structure.insert(hull.structure.end(), {edge.from, edge.to, edge.left, edge.right});
  }
  const auto append = [&](int count, auto visit) {
    std::vector<int> begins = {0}, all;
    for (int i = 0; i < count; ++i) {
      visit(i, [&](int e) { all.push_back(e); });
      begins.push_back(static_cast<int>(all.size()));
    }
    hull.structure.insert(hull.structure.end(), begins.begin(), begins.end());
    hull.structure.insert(hull.structure.end(), all.begin(), all.end());
  };
  append(core.faces, [&](int f, auto visit) { core.for_each_edge_of(f, visit); });
  append(core.corners, [&](int i, auto visit) { core.for_each_edge_at(i, visit); });
  return hull;
}

/// A hexagonal nut, a tetrahedron and a wedge.
inline Hull nut(double radius = 0) {
  std::vector<Vec3> corners;
  std::vector<std::vector<int>> faces = {{0, 5, 4, 3, 2, 1}, {6, 7, 8, 9, 10, 11}};
  for (int i = 0; i < 12; ++i) corners.emplace_back(std::cos(pi * i / 3), std::sin(pi * i / 3), i < 6 ? -0.4 : 0.4);
  for (int i = 0; i < 6; ++i) faces.push_back({i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i});
  return hull_of(corners, faces, radius);
}
inline Hull tetrahedron(double radius = 0) {
  return hull_of({{-0.5, -0.5, -0.5}, {0.9, -0.4, -0.3}, {-0.3, 0.8, -0.5}, {0, 0, 0.9}},
                 {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, radius);
}

/// Moves b along the line between the shapes until their distance is `gap`.
inline void bring_to(const PlacedShape& a, PlacedShape& b, double gap) {
  Vec3 d = b.position - a.position;
  d = unit_or(d, Vec3(0, 0, 1));
  double move = 1;
  for (int i = 0; i < 60 && std::fabs(move) > 1e-15; ++i) {
    move = gap - (b.type < a.type ? signed_distance(b, a) : signed_distance(a, b));
    b.position += move * d;
  }
}

struct Placed {
  PlacedShape other, as_box, as_hull;
};

/// Random and square placements near each other.
inline Placed placed_near(Random& random, const PlacedShape& other, const Vec3& half, const Hull& hull, int i) {
  Placed placed{other, box(half), hull.placed()};
  const bool is_square = i % 3 == 0;
  placed.other.axes = is_square ? Mat3(Mat3::Identity()) : random.axes();
  placed.as_box.position = is_square ? Vec3(0.1 * (i % 7), -0.05 * (i % 5), 1.5) : Vec3(1.5 * random.direction());
  if (!is_square) placed.as_box.axes = random.axes();
  if (i % 3 == 1)
    placed.as_box.axes = product(turned(random.direction(), 1e-3 * random.uniform(0, 1)), placed.other.axes);
  bring_to(placed.other, placed.as_box, i % 4 == 0 ? 0.0 : random.uniform(-0.02, 0.02));
  placed.as_hull.position = placed.as_box.position, placed.as_hull.axes = placed.as_box.axes;
  return placed;
}

/// The distance by brute force: the least of many points of both surfaces, and in overlap the least depth along many
/// directions.
inline double sampled_separation(const PlacedShape& a, const PlacedShape& b, Random& random) {
  double greatest = -infinity();
  Vec3 best(0, 0, 1);
  for (int i = 0; i < 4000; ++i) {
    Vec3 n = random.direction();
    if (i >= 1000) n = unit_or(best + std::pow(0.5, i / 250.0) * n, best);
    const double apart = apart_along(a, b, n);
    if (apart > greatest) greatest = apart, best = n;
  }
  return greatest;
}

}  // namespace jostle::test

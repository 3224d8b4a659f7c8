#include "drivers/datasets/feature_names.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/geometry/shape_pair.hpp"

namespace jostle {
namespace {

char sign_of(int bit) { return bit != 0 ? '+' : '-'; }
char axis_name(int axis) { return "xyz"[axis % 3]; }

std::string corner(int c) { return fmt::format("corner {}{}{}", sign_of(c & 1), sign_of(c & 2), sign_of(c & 4)); }
std::string edge(int e) {
  const int axis = e / 4;
  return fmt::format("edge {} at {}{} {}{}", axis_name(axis), sign_of(e & 1), axis_name(axis + 1), sign_of(e & 2),
                     axis_name(axis + 2));
}
std::string face(int f) { return fmt::format("face {}{}", sign_of(f & 1), axis_name(f / 2)); }
std::string cap(int i) { return fmt::format("cap {}z", sign_of(i)); }
std::string rim(int i) { return fmt::format("rim {}z", sign_of(i)); }
std::string half_of_rim(int i) { return fmt::format("{} (half {})", rim(i / 2), i % 2); }
std::string point_of_rim(int i) {
  static constexpr const char* points[rim_points] = {"lowest", "+x", "+y", "-x", "-y"};
  return fmt::format("{} ({})", rim(i / rim_points), points[i % rim_points]);
}
const std::string side = "side", surface = "surface", plane = "plane";
std::string of_cylinder(int i) {
  return i < BallOnCylinder::on_cap   ? side
         : i < BallOnCylinder::on_rim ? cap(i - BallOnCylinder::on_cap)
                                      : rim(i - BallOnCylinder::on_rim);
}

/// Of features of shapes a and b.
std::string both(const std::string& a, const std::string& b) { return a + " of a, " + b + " of b"; }

std::string name(PolygonPair, int) { return {}; }  // polygon_feature_names
std::string name(PolygonHalfSpace, int) { return {}; }
std::string name(PolyhedronPair, int) { return {}; }  // hull_feature_names
std::string name(PolyhedronHalfSpace, int) { return {}; }
std::string name(CylinderPolyhedron, int) { return {}; }
std::string name(SphereHalfSpace, int) { return both(surface, plane); }
std::string name(CapsuleHalfSpace, int f) { return both(cap(f), plane); }
std::string name(BoxHalfSpace, int f) { return both(corner(f), plane); }
std::string name(CylinderHalfSpace, int f) { return both(point_of_rim(f), plane); }
std::string name(SphereSphere, int) { return both(surface, surface); }
std::string name(SphereCapsule, int f) { return both(surface, f == SphereCapsule::on_side ? side : cap(f)); }
std::string name(SphereBox, int f) {
  if (f < SphereBox::on_edge) return both(surface, face(f));
  return both(surface, f < SphereBox::on_corner ? edge(f - SphereBox::on_edge) : corner(f - SphereBox::on_corner));
}
std::string name(SphereCylinder, int f) { return both(surface, of_cylinder(f)); }
std::string name(CapsuleCapsule, int f) {
  using Pair = CapsuleCapsule;
  if (f < Pair::cap_on_side) return both(cap(f / 2), cap(f % 2));
  if (f < Pair::side_on_cap) return both(cap(f - Pair::cap_on_side), side);
  return both(side, f < Pair::side_on_side ? cap(f - Pair::side_on_cap) : side);
}
std::string name(CapsuleBox, int f) {
  using Pair = CapsuleBox;
  if (f < Pair::side_on_edge) return both(cap(f / box_faces), face(f % box_faces));
  if (f < Pair::cap_on_edge) return both(side, edge(f - Pair::side_on_edge));
  if (f < Pair::cap_on_corner) {
    const int pair = f - Pair::cap_on_edge;
    return both(cap(pair / box_edges), edge(pair % box_edges));
  }
  const int pair = f - Pair::cap_on_corner;
  return both(f < Pair::side_on_corner ? cap(pair / box_corners) : side, corner(pair % box_corners));
}
std::string name(BoxBox, int f) {
  using Pair = BoxBox;
  if (f < Pair::b_on_a) return both(corner(f / box_faces), face(f % box_faces));
  if (f < Pair::edges_cross) return both(face(f % box_faces), corner((f - Pair::b_on_a) / box_faces));
  return both(edge((f - Pair::edges_cross) / box_edges), edge((f - Pair::edges_cross) % box_edges));
}
std::string name(CapsuleCylinder, int f) {
  using Pair = CapsuleCylinder;
  constexpr int of_cap = BallOnCylinder::features;
  if (f < Pair::on_side) return both(cap(f / of_cap), of_cylinder(f % of_cap));
  return both(side, f == Pair::on_side ? side : half_of_rim(f - Pair::on_rim));
}
std::string name(BoxCylinder, int f) {
  using Pair = BoxCylinder;
  constexpr int of_rim = box_faces * rim_points;
  if (f < Pair::on_cap)
    return both(face(f / rim_points % box_faces), point_of_rim(rim_points * (f / of_rim) + f % rim_points));
  if (f < Pair::on_side) return both(corner((f - Pair::on_cap) % box_corners), cap((f - Pair::on_cap) / box_corners));
  if (f < Pair::edge_on_side) return both(corner(f - Pair::on_side), side);
  if (f < Pair::edge_on_rim) return both(edge(f - Pair::edge_on_side), side);
  const int pair = f - Pair::edge_on_rim;
  return both(edge(pair / 2 % box_edges), half_of_rim(2 * (pair / (2 * box_edges)) + pair % 2));
}
std::string name(CylinderCylinder, int f) {
  using Pair = CylinderCylinder;
  const auto on_cap = [](int pair) {
    return std::pair(point_of_rim(rim_points * (pair / (2 * rim_points)) + pair % rim_points),
                     cap(pair / rim_points % 2));
  };
  if (f < Pair::on_side) {
    const auto [rim_of_one, cap_of_other] = on_cap(f % Pair::b_on_cap);
    return f < Pair::b_on_cap ? both(rim_of_one, cap_of_other) : both(cap_of_other, rim_of_one);
  }
  if (f < Pair::b_on_side) return both(half_of_rim(f - Pair::on_side), side);
  if (f < Pair::side_on_side) return both(side, half_of_rim(f - Pair::b_on_side));
  if (f == Pair::side_on_side) return both(side, side);
  return both(rim((f - Pair::rim_on_rim) / 4), half_of_rim((f - Pair::rim_on_rim) % 4));
}

/// Edge k of a polygon leads from corner k to the next one, as the file numbers them.
struct Named {
  const ShapeModel& shape;
  int corners() const { return outline_corners(shape.type, shape.corners); }
  std::string of(const char* what, int i, int shift) const {
    const int n = corners();
    return fmt::format("{} {}", what, shape.is_reversed ? (2 * n - i - shift) % n : i);
  }
  std::string corner(int i) const {
    if (shape.type == ShapeType::sphere) return surface;
    if (shape.type == ShapeType::capsule) return cap(i);
    return of("corner", i, 0);
  }
  std::string edge(int i) const { return shape.type == ShapeType::capsule ? side : of("edge", i, 1); }
};

/// The parts of a core. Edges of a hull are named by the corners that they lead from and to, faces by three corners.
struct NamedCore {
  const ShapeModel& shape;
  const int* structure;

  CoreCounts counts() const { return core_counts(shape.type, shape.corners, structure); }
  std::string corner(int i) const {
    if (shape.type == ShapeType::sphere) return surface;
    if (shape.type == ShapeType::capsule) return cap(i);
    return shape.type == ShapeType::box ? jostle::corner(i) : fmt::format("corner {}", i);
  }
  std::string edge(int e) const {
    if (shape.type == ShapeType::capsule) return side;
    if (shape.type == ShapeType::box) return jostle::edge(e);
    const int* const ends = structure + structure_header + 4 * e;
    return fmt::format("edge {}-{}", ends[0], ends[1]);
  }
  std::string face(int f) const { return shape.type == ShapeType::box ? jostle::face(f) : fmt::format("face {}", f); }
};

std::vector<std::string> cylinder_and_hull_names(const NamedCore& hull) {
  const CoreCounts n = hull.counts();
  const CylinderOnCore at(n, is_rounded(hull.shape.type, hull.structure));
  std::vector<std::string> names;
  for (int f = 0; f < at.on_cap; ++f)
    names.push_back(both(point_of_rim(rim_points * (f / (rim_points * n.faces)) + f % rim_points),
                         hull.face(f / rim_points % n.faces)));
  for (int f = 0; f < 2 * n.corners; ++f) names.push_back(both(cap(f / n.corners), hull.corner(f % n.corners)));
  for (int i = 0; i < n.corners; ++i) names.push_back(both(side, hull.corner(i)));
  for (int e = 0; e < n.edges; ++e) names.push_back(both(side, hull.edge(e)));
  for (int f = 0; f < 4 * n.edges; ++f)
    names.push_back(both(half_of_rim(2 * (f / (2 * n.edges)) + f % 2), hull.edge(f / 2 % n.edges)));
  for (int f = 0; f < at.features - at.on_rim; ++f)
    names.push_back(both(rim(f / n.corners), hull.corner(f % n.corners)));
  return names;
}

}  // namespace

std::vector<std::string> hull_feature_names(const Model& model, const ShapeModel& a, const ShapeModel& b) {
  const NamedCore of_a{a, model.hull_structures.data() + a.structure},
      of_b{b, model.hull_structures.data() + b.structure};
  std::vector<std::string> names;
  const auto all = [&](int count_a, auto name_a, int count_b, auto name_b) {
    for (int i = 0; i < count_a; ++i)
      for (int j = 0; j < count_b; ++j) names.push_back(both(name_a(i), name_b(j)));
  };
  const auto corner_a = [&](int i) { return of_a.corner(i); };
  const CoreCounts n_a = of_a.counts();
  if (b.type == ShapeType::half_space) {
    all(n_a.touching_corners, corner_a, 1, [](int) { return plane; });
    return names;
  }
  if (a.type == ShapeType::cylinder) return cylinder_and_hull_names(of_b);
  const CoreCounts n_b = of_b.counts();
  const bool is_rounded_pair = is_rounded(a.type, of_a.structure) || is_rounded(b.type, of_b.structure);
  if (polyhedron_features(n_a, n_b, is_rounded_pair) > most_named_features) return names;
  const int corners_a = n_a.touching_corners, corners_b = n_b.touching_corners, edges_a = n_a.touching_edges,
            edges_b = n_b.touching_edges;
  const auto edge_a = [&](int i) { return of_a.edge(i); };
  const auto corner_b = [&](int i) { return of_b.corner(i); };
  const auto edge_b = [&](int i) { return of_b.edge(i); };
  all(corners_a, corner_a, n_b.faces, [&](int i) { return of_b.face(i); });
  for (int j = 0; j < corners_b; ++j)
    for (int f = 0; f < n_a.faces; ++f) names.push_back(both(of_a.face(f), corner_b(j)));
  all(edges_a, edge_a, edges_b, edge_b);
  if (!is_rounded_pair) return names;
  all(corners_a, corner_a, edges_b, edge_b);
  all(edges_a, edge_a, corners_b, corner_b);
  all(corners_a, corner_a, corners_b, corner_b);
  return names;
}

std::vector<std::string> polygon_feature_names(const ShapeModel& a, const ShapeModel& b) {
  const Named of_a{a}, of_b{b};
  std::vector<std::string> names;
  if (b.type == ShapeType::half_space) {
    for (int i = 0; i < of_a.corners(); ++i) names.push_back(both(of_a.corner(i), plane));
    for (int i = 0; i < of_a.corners() && a.first_bulge >= 0; ++i) names.push_back(both(of_a.edge(i), plane));
    return names;
  }
  for (int i = 0; i < of_a.corners(); ++i)
    for (int j = 0; j < of_b.corners(); ++j) names.push_back(both(of_a.corner(i), of_b.edge(j)));
  for (int i = 0; i < of_b.corners(); ++i)
    for (int j = 0; j < of_a.corners(); ++j) names.push_back(both(of_a.edge(j), of_b.corner(i)));
  for (int i = 0; i < of_a.corners(); ++i)
    for (int j = 0; j < of_b.corners(); ++j) names.push_back(both(of_a.corner(i), of_b.corner(j)));
  if (a.first_bulge < 0 && b.first_bulge < 0) return names;
  for (int i = 0; i < of_a.corners(); ++i)
    for (int j = 0; j < of_b.corners(); ++j) names.push_back(both(of_a.edge(i), of_b.edge(j)));
  return names;
}

std::vector<std::string> feature_names(ShapeType a, ShapeType b) {
  return with_shape_pair(a, b, [](auto pair) {
    std::vector<std::string> names;
    if constexpr (decltype(pair)::features > 0)
      for (int f = 0; f < decltype(pair)::features; ++f) names.push_back(name(pair, f));
    return names;
  });
}

}  // namespace jostle

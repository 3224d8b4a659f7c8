#include "scenarios/parameters/hull.hpp"

#include <algorithm>

#include "core/geometry/polyhedron.hpp"
#include "scenarios/format/canonical_tree.hpp"

namespace jostle {
namespace {

/// The corners, as the file has them.
std::vector<TracedVec3> corners_of(const HullSpec& hull, Draw draw) {
  std::vector<TracedVec3> corners;
  for (const int point : hull.structure.corners)
    corners.push_back(vector_of(hull.points.list[static_cast<std::size_t>(point)].at, draw));
  return corners;
}

/// The boxes of the nodes of the tree of a surface, whose corners are known.
void append_boxes(const HullStructure& structure, const std::vector<TracedVec3>& corners,
                  std::vector<Traced>& numbers) {
  const std::vector<BoxTree::Node>& nodes = structure.tree.nodes;
  std::vector<Box> boxes(nodes.size());
  for (std::size_t i = nodes.size(); i-- > 0;) {
    for (int k = nodes[i].first; k < nodes[i].first + nodes[i].count; ++k)
      for (const int corner :
           structure.faces[static_cast<std::size_t>(structure.tree.items[static_cast<std::size_t>(k)])]) {
        const TracedVec3& x = corners[static_cast<std::size_t>(corner)];
        boxes[i].include(Vec3(x[0].value(), x[1].value(), x[2].value()));
      }
    if (nodes[i].count > 0) continue;
    const std::size_t one = i + 1, other = static_cast<std::size_t>(nodes[one].after);
    boxes[i].include(boxes[one]), boxes[i].include(boxes[other]);
  }
  constexpr double rounding = 1e-12;  // of the size of the part
  for (const Box& box : boxes) {
    const double widened = rounding * (boxes[0].largest - boxes[0].least).norm();
    for (int k = 0; k < 3; ++k) numbers.emplace_back(0.5 * (box.largest[k] + box.least[k]));
    for (int k = 0; k < 3; ++k) numbers.emplace_back(0.5 * (box.largest[k] - box.least[k]) + widened);
  }
}

std::string point_name(const std::string& path, const PointSpec& point) {
  return path + ".points[" + std::to_string(point.item) + "]";
}

}  // namespace

TracedHull traced_hull(const HullSpec& hull, Draw draw) {
  if (hull.structure.known) return *hull.structure.known;
  std::vector<TracedVec3> corners = corners_of(hull, draw);
  TracedVec3 inside = TracedVec3::Zero();
  for (const TracedVec3& corner : corners) inside += corner;
  inside /= Traced(static_cast<double>(corners.size()));
  for (TracedVec3& corner : corners) corner = corner - inside;
  TracedHull traced;
  traced.radius = number_of(hull.radius, draw);
  const std::vector<TracedVec3> normals = face_normals(hull.structure, corners);
  const Moments sums = moments_of(hull.structure, corners, normals, traced.radius);
  const TracedVec3 centroid = sums.first / sums.volume;
  const TracedMat3 second = sums.second - sums.volume * (centroid * centroid.transpose());
  traced.volume = sums.volume, traced.centroid = inside + centroid;
  traced.moments = {second(1, 1) + second(2, 2), second(0, 0) + second(2, 2), second(0, 0) + second(1, 1)};
  traced.products = {-second(0, 1), -second(0, 2), -second(1, 2)};
  Traced furthest = 0;
  for (TracedVec3& corner : corners) {
    corner = corner - centroid;
    furthest = larger(furthest, dot<Traced>(corner, corner));
    for (int k = 0; k < 3; ++k) traced.numbers.push_back(corner[k]);
  }
  traced.reach = sqrt(furthest);
  for (std::size_t f = 0; f < hull.structure.faces.size(); ++f) {
    const std::vector<int>& face = hull.structure.faces[f];
    const TracedVec3& normal = normals[f];
    Traced height = 0, lowest = 0;
    for (const int corner : face) height += dot<Traced>(normal, corners[static_cast<std::size_t>(corner)]);
    height = height / static_cast<double>(face.size());
    if (hull.structure.is_convex) {
      for (const TracedVec3& corner : corners) lowest = smaller(lowest, dot<Traced>(normal, corner));
      traced.width = f == 0 ? height - lowest : smaller(traced.width, height - lowest);
    }
    for (int k = 0; k < 3; ++k) traced.numbers.push_back(normal[k]);
    traced.numbers.push_back(height);
  }
  if (!hull.structure.is_convex) traced.width = hull.structure.thickness;
  append_boxes(hull.structure, corners, traced.numbers);
  return traced;
}

HullStructure structure_of(const HullSpec& hull, Draw draw) {
  std::vector<Vec3> points;
  for (const PointSpec& point : hull.points.list) points.push_back(value_of(point.at, draw));
  const ConvexHull found = convex_hull(points, hull_tolerance);
  HullStructure structure;
  for (const Vec3& corner : found.points) {
    const auto same = std::ranges::find_if(points, [&](const Vec3& point) { return point == corner; });
    structure.corners.push_back(static_cast<int>(same - points.begin()));
  }
  for (const HullFace& face : found.faces) structure.faces.push_back(face.corners);
  const bool is_known =
      std::ranges::all_of(hull.points.list, [](const PointSpec& point) { return is_constant(point.at); });
  structure.packed = packed_structure(structure, !is_zero(hull.radius), is_known ? found.points : std::vector<Vec3>());
  return structure;
}

void set_surface(const ClosedSurface& surface, const Location& where, HullSpec& hull) {
  const auto known = [&](double value) { return Number{value, {}, {}, where}; };
  hull.points.list.clear();
  for (const Vec3& x : surface.points)
    hull.points.list.push_back({{known(x[0]), known(x[1]), known(x[2])}, where, hull.points.list.size()});
  HullStructure& structure = hull.structure = {};
  structure.is_convex = surface.is_convex && surface.points.size() <= max_hull_corners;
  for (std::size_t i = 0; i < surface.points.size(); ++i) structure.corners.push_back(static_cast<int>(i));
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    const auto& loops = surface.faces[f].loops;
    structure.faces.push_back(loops.front());
    for (std::size_t k = 1; k < loops.size(); ++k) structure.holes.push_back({f, loops[k]});
  }
  structure.touching_corners = surface.convex_corners;
  structure.concave_or_flat = surface.concave_or_flat;
  structure.thickness = surface.thickness;
  if (!structure.is_convex && surface.points.size() > most_corners_without_tree) {
    std::vector<Box> boxes(structure.faces.size());
    for (std::size_t f = 0; f < boxes.size(); ++f)
      for (const int corner : structure.faces[f]) boxes[f].include(surface.points[static_cast<std::size_t>(corner)]);
    constexpr int faces_of_leaf = 2;
    structure.tree = BoxTree(boxes, faces_of_leaf);
  }
  structure.packed = packed_structure(structure, false);
  if (!structure.is_convex) structure.known = std::make_shared<const TracedHull>(traced_hull(hull, nullptr));
}

std::vector<SurfaceFace> faces_of(const HullStructure& structure) {
  std::vector<SurfaceFace> faces;
  for (const std::vector<int>& outline : structure.faces) faces.push_back({{outline}});
  for (const FaceHole& hole : structure.holes) faces[hole.face].loops.push_back(hole.corners);
  return faces;
}

void require_convex(const HullSpec& hull, const std::string& path, Draw draw, Requirements& require) {
  const std::vector<PointSpec>& points = hull.points.list;
  if (!hull.structure.is_convex) return;  // its numbers are the same in all samples
  if (std::ranges::all_of(points, [](const PointSpec& point) { return is_constant(point.at); })) return;
  const TracedHull traced = traced_hull(hull, draw);
  const Traced near = hull_tolerance * traced.reach;
  const auto height = [&](std::size_t face, int corner) {
    const std::size_t plane = 3 * hull.structure.corners.size() + 4 * face, at = 3 * static_cast<std::size_t>(corner);
    const auto& numbers = traced.numbers;
    return numbers[plane] * numbers[at] + numbers[plane + 1] * numbers[at + 1] + numbers[plane + 2] * numbers[at + 2] -
           numbers[plane + 3];
  };
  const auto point_of = [&](int corner) -> const PointSpec& {
    return points[static_cast<std::size_t>(hull.structure.corners[static_cast<std::size_t>(corner)])];
  };
  for (std::size_t f = 0; f < hull.structure.faces.size(); ++f)
    for (const int corner : hull.structure.faces[f])
      require(fabs(height(f, corner)) <= near, point_of(corner).where, [&] {
        return point_name(path, point_of(corner)) +
               " leaves the plane of its face: a sample keeps the faces of the hull";
      });
  for (int e = 0; e < hull.structure.packed[1]; ++e) {
    const int* const edge = hull.structure.packed.data() + structure_header + 4 * e;
    const std::vector<int>& face = hull.structure.faces[static_cast<std::size_t>(edge[3])];
    for (const int corner : face) {
      if (corner == edge[0] || corner == edge[1]) continue;
      require(height(static_cast<std::size_t>(edge[2]), corner) < -near, point_of(corner).where, [&] {
        return point_name(path, point_of(corner)) +
               " is no longer behind the face beside its own: a sample keeps the "
               "faces of the hull";
      });
      break;
    }
  }
}

}  // namespace jostle

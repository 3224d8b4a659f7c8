#include "scenarios/parameters/hull.hpp"

#include <algorithm>
#include <map>
#include <numbers>

#include "core/geometry/polyhedron.hpp"
#include "scenarios/format/canonical_tree.hpp"

namespace jostle {
namespace {

Traced squared(const TracedVec3& x) { return dot<Traced>(x, x); }
TracedMat3 outer(const TracedVec3& a, const TracedVec3& b) { return a * b.transpose(); }
TracedMat3 both_outer(const TracedVec3& a, const TracedVec3& b) { return outer(a, b) + outer(b, a); }

/// The corners, as the file has them.
std::vector<TracedVec3> corners_of(const HullSpec& hull, Draw draw) {
  std::vector<TracedVec3> corners;
  for (const int point : hull.structure.corners)
    corners.push_back(vector_of(hull.points.list[static_cast<std::size_t>(point)].at, draw));
  return corners;
}

/// Integrals of 1, x and x x' over parts of a solid.
struct Moments {
  Traced volume = 0;
  TracedVec3 first = TracedVec3::Zero();
  TracedMat3 second = TracedMat3::Zero();
};

/// The shape with which corners, faces and edges are summed up, from a point inside.
class HullSums {
 public:
  HullSums(const HullStructure& structure, std::vector<TracedVec3> corners, const Traced& radius)
      : structure_(structure), corners_(std::move(corners)), radius_(radius) {
    for (const std::vector<int>& face : structure.faces) {
      TracedVec3 area = TracedVec3::Zero();
      for (std::size_t k = 1; k + 1 < face.size(); ++k)
        area += cross<Traced>(at(face[k]) - at(face[0]), at(face[k + 1]) - at(face[0]));
      normals_.push_back(unit(area));
    }
  }

  const std::vector<TracedVec3>& normals() const { return normals_; }

  Moments of_core() const {
    Moments sums;
    for_each_triangle([&](const TracedVec3& a, const TracedVec3& b, const TracedVec3& c, std::size_t) {
      const Traced six = dot<Traced>(a, cross<Traced>(b, c));
      const TracedVec3 sum = a + b + c;
      sums.volume += six / 6;
      sums.first += six / 24 * sum;
      sums.second += six / 120 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum));
    });
    return sums;
  }

  /// What the radius adds: a slab on every face, a wedge of a cylinder on every edge, a part of a ball on every corner.
  void add_rim(Moments& sums) const {
    add_slabs(sums);
    std::vector<TracedVec3> first(corners_.size(), TracedVec3::Zero());  // of the directions of a corner's normals
    std::vector<TracedMat3> second(corners_.size(), TracedMat3::Zero());
    for (int e = 0; e < structure_.packed[1]; ++e)
      add_wedge(structure_.packed.data() + structure_header + 4 * e, sums, first, second);
    const std::vector<Traced> angles = solid_angles();
    const Traced r3 = radius_ * radius_ * radius_;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const TracedVec3 &p = corners_[i], u = Traced(-0.5) * first[i];
      const TracedMat3 uu = angles[i] / 3 * TracedMat3::Identity() - Traced(1) / 6 * second[i];
      sums.volume += angles[i] * r3 / 3;
      sums.first += angles[i] * r3 / 3 * p + r3 * radius_ / 4 * u;
      sums.second +=
          angles[i] * r3 / 3 * outer(p, p) + r3 * radius_ / 4 * both_outer(p, u) + r3 * radius_ * radius_ / 5 * uu;
    }
  }

 private:
  const TracedVec3& at(int corner) const { return corners_[static_cast<std::size_t>(corner)]; }

  /// Of faces that are not convex some triangles run the other way round, as those of holes do: they are taken off.
  void for_each_triangle(auto visit) const {
    const auto fan = [&](const std::vector<int>& loop, std::size_t f) {
      for (std::size_t k = 1; k + 1 < loop.size(); ++k) visit(at(loop[0]), at(loop[k]), at(loop[k + 1]), f);
    };
    for (std::size_t f = 0; f < structure_.faces.size(); ++f) fan(structure_.faces[f], f);
    for (const FaceHole& hole : structure_.holes) fan(hole.corners, hole.face);
  }

  void add_slabs(Moments& sums) const {
    for_each_triangle([&](const TracedVec3& a, const TracedVec3& b, const TracedVec3& c, std::size_t f) {
      const TracedVec3& m = normals_[f];
      const Traced area = 0.5 * dot<Traced>(m, cross<Traced>(b - a, c - a)), r = radius_;
      const TracedVec3 sum = a + b + c;
      sums.volume += area * r;
      sums.first += area * r * (Traced(1) / 3 * sum + r / 2 * m);
      sums.second += area * r / 12 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) +
                     area * r * r / 6 * both_outer(sum, m) + area * r * r * r / 3 * outer(m, m);
    });
  }

  /// `edge`: from, to, left, right. The arc of its normals bounds those of its ends.
  void add_wedge(const int* edge, Moments& sums, std::vector<TracedVec3>& first,
                 std::vector<TracedMat3>& second) const {
    const TracedVec3 &p = at(edge[0]), &q = at(edge[1]);
    const TracedVec3 &m = normals_[static_cast<std::size_t>(edge[2])], &n = normals_[static_cast<std::size_t>(edge[3])];
    const Traced length = sqrt(squared(q - p)), cosine = dot<Traced>(m, n), sine = sqrt(squared(cross<Traced>(m, n)));
    const TracedVec3 d = (q - p) / length, sum = m + n, y = Traced(0.5) * (p + q);
    const Traced angle = arc_tangent(sine, cosine), r = radius_, r2 = r * r;
    const TracedVec3 w = sine / (1 + cosine) * sum;  // the integral of the direction over the arc
    const TracedMat3 across = TracedMat3::Identity() - outer(d, d);
    const TracedMat3 ww = 0.5 * (angle - sine) * across + 0.5 * sine / (1 + cosine) * outer(sum, sum);
    sums.volume += length * angle * r2 / 2;
    sums.first += length * (angle * r2 / 2 * y + r2 * r / 3 * w);
    sums.second +=
        angle * r2 / 2 * length / 6 * (Traced(2) * outer(p, p) + Traced(2) * outer(q, q) + both_outer(p, q)) +
        r2 * r / 3 * length * both_outer(y, w) + r2 * r2 / 4 * length * ww;
    for (int end = 0; end < 2; ++end) {
      const auto corner = static_cast<std::size_t>(edge[end]);
      const TracedVec3 leaving = end == 0 ? d : TracedVec3(-d);
      first[corner] += angle * leaving;
      second[corner] += both_outer(leaving, w);
    }
  }

  /// Of the normals at each corner: what the angles of its faces leave of a full turn.
  std::vector<Traced> solid_angles() const {
    std::vector<Traced> angles(corners_.size(), Traced(2 * std::numbers::pi));
    for (const std::vector<int>& face : structure_.faces) {
      const std::size_t n = face.size();
      for (std::size_t k = 0; k < n; ++k) {
        const TracedVec3 one = at(face[(k + 1) % n]) - at(face[k]), other = at(face[(k + n - 1) % n]) - at(face[k]);
        auto& angle = angles[static_cast<std::size_t>(face[k])];
        angle = angle - arc_tangent(sqrt(squared(cross<Traced>(one, other))), dot<Traced>(one, other));
      }
    }
    return angles;
  }

  const HullStructure& structure_;
  std::vector<TracedVec3> corners_, normals_;
  Traced radius_;
};

/// An edge by its corners, the lower one first, and the faces left and right of it.
struct HullEdge {
  int from, to, left = -1, right = -1;
};

/// Sorted by their corners, those that touch before the others.
std::vector<HullEdge> edges_of(const HullStructure& hull) {
  std::map<std::pair<int, int>, HullEdge> found;
  const auto run_round = [&](const std::vector<int>& loop, std::size_t face) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int from = loop[k], to = loop[(k + 1) % loop.size()];
      const std::pair<int, int> ends = std::minmax(from, to);
      HullEdge& edge = found.try_emplace(ends, HullEdge{ends.first, ends.second}).first->second;
      (from < to ? edge.left : edge.right) = static_cast<int>(face);
    }
  };
  for (std::size_t f = 0; f < hull.faces.size(); ++f) run_round(hull.faces[f], f);
  for (const FaceHole& hole : hull.holes) run_round(hole.corners, hole.face);
  std::vector<HullEdge> edges, others;
  for (const auto& [ends, edge] : found) (hull.concave_or_flat.contains(ends) ? others : edges).push_back(edge);
  edges.insert(edges.end(), others.begin(), others.end());
  return edges;
}

/// The tree over the faces. An edge belongs to the face to its left, a corner to that of its first edge.
void append_tree(const BoxTree& tree, const std::vector<HullEdge>& edges, const std::vector<std::vector<int>>& of_face,
                 const std::vector<std::vector<int>>& at_corner, std::vector<int>& packed) {
  std::vector<int> corners_in_tree, edges_in_tree;
  const auto add_node = [&](int after, int first, int count) {
    const auto size = [](const std::vector<int>& list) { return static_cast<int>(list.size()); };
    for (const int part : {after, first, count, size(corners_in_tree), size(edges_in_tree)}) packed.push_back(part);
  };
  const auto edge_of = [&](int number) { return edges[static_cast<std::size_t>(number)]; };
  const auto add_what_belongs_to = [&](int face) {
    for (const int number : of_face[static_cast<std::size_t>(face)]) {
      const bool is_left = edge_of(number).left == face;
      const int corner = is_left ? edge_of(number).from : edge_of(number).to;
      if (edge_of(at_corner[static_cast<std::size_t>(corner)].front()).left == face) corners_in_tree.push_back(corner);
      if (is_left) edges_in_tree.push_back(number);
    }
  };
  for (const BoxTree::Node& node : tree.nodes) {
    add_node(node.after, node.first, node.count);
    for (int k = node.first; k < node.first + node.count; ++k)
      add_what_belongs_to(tree.items[static_cast<std::size_t>(k)]);
  }
  add_node(0, 0, 0);
  for (const auto& list : {tree.items, corners_in_tree, edges_in_tree})
    packed.insert(packed.end(), list.begin(), list.end());
}

/// As polyhedron.hpp has it.
std::vector<int> packed(const HullStructure& hull, bool is_rounded) {
  const std::vector<HullEdge> edges = edges_of(hull);
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  std::vector<int> packed = {count(hull.faces),
                             count(edges),
                             is_rounded ? 1 : 0,
                             hull.is_convex ? count(hull.corners) : hull.touching_corners,
                             count(edges) - count(hull.concave_or_flat),
                             hull.is_convex ? 1 : 0,
                             count(hull.tree.nodes)};
  std::vector<std::vector<int>> of_face(hull.faces.size()), at_corner(hull.corners.size());
  int number = 0;
  for (const HullEdge& edge : edges) {
    for (const int part : {edge.from, edge.to, edge.left, edge.right}) packed.push_back(part);
    for (const int corner : {edge.from, edge.to}) at_corner[static_cast<std::size_t>(corner)].push_back(number);
    for (const int face : {edge.left, edge.right}) {
      if (face < 0) throw std::invalid_argument("the points have no convex hull: they lie nearly in a plane");
      of_face[static_cast<std::size_t>(face)].push_back(number);
    }
    ++number;
  }
  const auto append = [&](const std::vector<std::vector<int>>& lists) {
    int begin = 0;
    packed.push_back(begin);
    for (const std::vector<int>& list : lists) packed.push_back(begin += static_cast<int>(list.size()));
    for (const std::vector<int>& list : lists) packed.insert(packed.end(), list.begin(), list.end());
  };
  append(of_face);
  append(at_corner);
  if (!hull.tree.nodes.empty()) append_tree(hull.tree, edges, of_face, at_corner, packed);
  return packed;
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
  const HullSums hull_sums(hull.structure, corners, traced.radius);
  Moments sums = hull_sums.of_core();
  if (!traced.radius.is_known() || traced.radius.value() != 0) hull_sums.add_rim(sums);
  const TracedVec3 centroid = sums.first / sums.volume;
  const TracedMat3 second = sums.second - sums.volume * outer(centroid, centroid);
  traced.volume = sums.volume, traced.centroid = inside + centroid;
  traced.moments = {second(1, 1) + second(2, 2), second(0, 0) + second(2, 2), second(0, 0) + second(1, 1)};
  traced.products = {-second(0, 1), -second(0, 2), -second(1, 2)};
  Traced furthest = 0;
  for (TracedVec3& corner : corners) {
    corner = corner - centroid;
    furthest = larger(furthest, squared(corner));
    for (int k = 0; k < 3; ++k) traced.numbers.push_back(corner[k]);
  }
  traced.reach = sqrt(furthest);
  for (std::size_t f = 0; f < hull.structure.faces.size(); ++f) {
    const std::vector<int>& face = hull.structure.faces[f];
    const TracedVec3& normal = hull_sums.normals()[f];
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
  structure.packed = packed(structure, !hull.radius.code.empty() || hull.radius.constant != 0);
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
  structure.packed = packed(structure, false);
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

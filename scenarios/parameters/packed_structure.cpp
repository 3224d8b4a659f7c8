// The structure of a hull or surface as core has it.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/geometry/polyhedron.hpp"
#include "scenarios/parameters/hull.hpp"

namespace jostle {
namespace {

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

/// The corners, faces and edges of a box with its edges along the axes, in core's order
/// (core/geometry/box_features.hpp); none if the hull is something else.
std::vector<int> numbers_of_box(const std::vector<std::vector<int>>& faces, const std::vector<HullEdge>& edges,
                                const std::vector<Vec3>& corners) {
  if (corners.size() != box_corners || faces.size() != box_faces) return {};
  Vec3 least = corners.front(), largest = least;
  for (const Vec3& x : corners) least = least.cwiseMin(x), largest = largest.cwiseMax(x);
  std::vector<int> numbers(box_corners, -1), place(box_corners);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const bool is_high = corners[i][k] == largest[k];
      if (!is_high && corners[i][k] != least[k]) return {};
      place[i] += is_high ? 1 << k : 0;
    }
    numbers[static_cast<std::size_t>(place[i])] = static_cast<int>(i);
  }
  if (std::ranges::find(numbers, -1) != numbers.end()) return {};
  for (int f = 0; f < box_faces; ++f) {
    const auto is_on_side = [&](int corner) {
      return (place[static_cast<std::size_t>(corner)] >> f / 2 & 1) == (f & 1);
    };
    const auto face =
        std::ranges::find_if(faces, [&](const auto& loop) { return std::ranges::all_of(loop, is_on_side); });
    numbers.push_back(static_cast<int>(face - faces.begin()));
  }
  const PlacedShape box{ShapeType::box, {1, 1, 1}, Vec3::Zero(), Mat3::Identity()};
  for (int e = 0; e < box_edges; ++e) {
    const PolyhedronEdge own = Polyhedron(box).edge(e);
    const std::pair<int, int> ends =
        std::minmax(numbers[static_cast<std::size_t>(own.from)], numbers[static_cast<std::size_t>(own.to)]);
    const auto edge =
        std::ranges::find_if(edges, [&](const HullEdge& other) { return std::pair(other.from, other.to) == ends; });
    numbers.push_back(static_cast<int>(edge - edges.begin()));
  }
  return numbers;
}

}  // namespace

std::vector<int> packed_structure(const HullStructure& hull, bool is_rounded, const std::vector<Vec3>& corners) {
  const std::vector<HullEdge> edges = edges_of(hull);
  const std::vector<int> of_box = is_rounded ? std::vector<int>() : numbers_of_box(hull.faces, edges, corners);
  const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
  std::vector<int> packed = {count(hull.faces),
                             count(edges),
                             is_rounded ? 1 : 0,
                             hull.is_convex ? count(hull.corners) : hull.touching_corners,
                             count(edges) - count(hull.concave_or_flat),
                             hull.is_convex ? 1 : 0,
                             count(hull.tree.nodes),
                             of_box.empty() ? 0 : 1};
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
  packed.insert(packed.end(), of_box.begin(), of_box.end());
  return packed;
}

}  // namespace jostle

// The structure of a hull or surface as core has it.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

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

}  // namespace

std::vector<int> packed_structure(const HullStructure& hull, bool is_rounded) {
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

}  // namespace jostle

#pragma once
// A tree of boxes along the axes over parts of a surface, so that what is near something is found without looking at
// all the rest.
#include <cmath>
#include <vector>

#include "core/math/vector.hpp"

namespace jostle {

struct Box {
  Vec3 least = Vec3::Constant(HUGE_VAL), largest = Vec3::Constant(-HUGE_VAL);

  void include(const Vec3& x) { least = least.cwiseMin(x), largest = largest.cwiseMax(x); }
  void include(const Box& other) { least = least.cwiseMin(other.least), largest = largest.cwiseMax(other.largest); }
  bool meets(const Box& other) const {
    return (least.array() <= other.largest.array()).all() && (other.least.array() <= largest.array()).all();
  }
  Box widened(double by) const { return {least - Vec3::Constant(by), largest + Vec3::Constant(by)}; }
};

/// Nodes in preorder: a node is followed by its first subtree, then by its second one.
struct BoxTree {
  struct Node {
    Box box;
    int after = 0;             ///< the node that follows its subtree
    int first = 0, count = 0;  ///< of a leaf: its part of `items`; count is 0 if it is none
  };
  std::vector<Node> nodes;
  std::vector<int> items;  ///< numbers of boxes

  BoxTree() = default;
  /// Leaves have at most `most` items; others are halved across the longest side of the box of their middles.
  BoxTree(const std::vector<Box>& boxes, int most);

  /// visit(item) for the boxes that may meet this one.
  void visit(const Box& box, auto visit) const {
    walk([&](const Box& node) { return !node.meets(box); }, visit);
  }

  /// visit(item) for those in nodes that are not skipped: skip(box).
  void walk(auto skip, auto visit) const {
    for (std::size_t i = 0; i < nodes.size();) {
      const Node& node = nodes[i];
      if (skip(node.box)) {
        i = static_cast<std::size_t>(node.after);
        continue;
      }
      for (int k = node.first; k < node.first + node.count; ++k) visit(items[static_cast<std::size_t>(k)]);
      ++i;
    }
  }
};

}  // namespace jostle

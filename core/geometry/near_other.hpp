#pragma once
// What of a core with a tree of boxes is near another core, which may have a tree too. Both trees are walked together:
// a node hands down which nodes of the other tree are near it, and below it nothing else is looked at.
#include "core/geometry/face_tree.hpp"

namespace jostle {

/// All within `reach` (m) of a surface with a tree, or of the box about another core, that is seen from a core. For one
/// walk through the tree of that core: enter() at every node, then, for what belongs to that node, the others.
class NearOther {
 public:
  JOSTLE_HD NearOther(const CoreSeenFrom& other, double reach)
      : other_(other), reach_(reach), all_(box_about(other.own)) {
    for (int k = 0; k < 3; ++k) all_.half[k] += gap_rounding * bounding_radius(other.own.shape);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) turn_(j, k) = std::fabs(other.turn(j, k));
  }

  /// At the box of a node, which is followed by node `after`: whether what is below it may be near.
  JOSTLE_HD bool enter(const NearBox& box, int node, int after) {
    while (levels_ > 2 && level_[levels_ - 1].after <= node) --levels_;
    const NearBox seen = seen_from_other(box);
    if (!seen.meets(all_)) return false;
    if (other_.own.nodes == 0) return true;
    const int begin = level_[levels_ - 1].end;
    int end = begin;
    bool is_near = false;
    for (int k = 0; k < parts(); ++k) is_near = add_parts(part(k), seen, begin, end) || is_near;
    if (is_near && end - begin <= most_parts && levels_ < most_levels) level_[levels_++] = {after, end};
    return is_near;
  }

  JOSTLE_HD bool meets(const NearBox& box) const { return meets_seen(seen_from_other(box)); }
  JOSTLE_HD bool holds(const Vec3& x) const {
    return meets_seen({other_.turned_back(x - other_.middle), {reach_, reach_, reach_}});
  }
  /// What of the other tree may be near: so many parts, in its order.
  JOSTLE_HD int parts() const { return level_[levels_ - 1].end - level_[levels_ - 2].end; }
  JOSTLE_HD NodeRange part(int k) const {
    if (other_.own.nodes == 0) return all_nodes(other_.own);
    const int node = part_[level_[levels_ - 2].end + k];
    return {node, other_.own.node(node).after};
  }

 private:
  /// In the axes of the other core, a box that holds it and all within reach.
  JOSTLE_HD NearBox seen_from_other(const NearBox& box) const {
    const Vec3 half = rotate_back(turn_, box.half);
    return {other_.turned_back(box.middle - other_.middle), {half[0] + reach_, half[1] + reach_, half[2] + reach_}};
  }

  /// Adds the nodes of a part that meet a box and are not much larger; returns whether there are any. If they have
  /// no room, `end` tells: then what the node above has found stands for them.
  JOSTLE_HD bool add_parts(const NodeRange& part, const NearBox& seen, int begin, int& end) {
    const double size = seen.half[0] + seen.half[1] + seen.half[2];
    bool is_near = false;
    for (int i = part.first; i < part.end;) {
      const Polyhedron::Node node = other_.own.node(i);
      const bool may_meet = seen.meets({node.middle, node.half});
      const bool is_last = node.count > 0 || node.half[0] + node.half[1] + node.half[2] <= 2 * size;
      if (may_meet && is_last) {
        is_near = true;
        if (end - begin < most_parts && end < room)
          part_[end++] = i;
        else
          end = begin + most_parts + 1;
      }
      i = may_meet && !is_last ? i + 1 : node.after;
    }
    return is_near;
  }

  JOSTLE_HD bool meets_seen(const NearBox& seen) const {
    if (!seen.meets(all_)) return false;
    bool is_near = other_.own.nodes == 0;
    for (int k = 0; k < parts() && !is_near; ++k) is_near = has_part(part(k), seen);
    return is_near;
  }
  /// Whether a node at the bottom of a part meets a box.
  JOSTLE_HD bool has_part(const NodeRange& part, const NearBox& seen) const {
    for (int i = part.first; i < part.end;) {
      const Polyhedron::Node node = other_.own.node(i);
      const bool may_meet = seen.meets({node.middle, node.half});
      if (may_meet && node.count > 0) return true;
      i = may_meet ? i + 1 : node.after;
    }
    return false;
  }

  /// The parts of a node begin where those of the node above end.
  struct Level {
    int after;  ///< the node that follows it
    int end;
  };
  static constexpr int most_levels = 24, most_parts = 24, room = 192;

  const CoreSeenFrom& other_;
  double reach_;
  NearBox all_;
  Mat3 turn_;  ///< without signs
  int part_[room] = {0};
  Level level_[most_levels] = {{0, 0}, {0, 1}};  ///< below the first two: all of the other tree
  int levels_ = 2;
};

}  // namespace jostle

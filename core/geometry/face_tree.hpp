#pragma once
// What of a core is near something: all of it, or, where a core has a tree of boxes over its faces, what that finds.
// The tree skips what lies outside of a box that the caller knows to hold all that counts, so it never changes a
// result.
//
// Nodes are in preorder, each with the number of the node after those below it, so a walk needs neither recursion nor a
// stack. Edges and corners belong to faces: an edge to the one to its left, a corner to the one left of its first edge.
#include "core/geometry/polyhedron.hpp"

namespace jostle {

/// Along the axes of a core, m.
struct NearBox {
  Vec3 middle, half;

  JOSTLE_HD static NearBox about(const Vec3& x, double reach) { return {x, {reach, reach, reach}}; }
  JOSTLE_HD static NearBox about(const Vec3& from, const Vec3& to, double reach) {
    NearBox box{0.5 * (from + to), {}};
    for (int k = 0; k < 3; ++k) box.half[k] = 0.5 * std::fabs(to[k] - from[k]) + reach;
    return box;
  }
  JOSTLE_HD bool meets(const NearBox& other) const {
    bool meets = true;
    for (int k = 0; k < 3; ++k) meets = meets && std::fabs(middle[k] - other.middle[k]) <= half[k] + other.half[k];
    return meets;
  }
  JOSTLE_HD bool holds(const Vec3& x) const { return meets({x, Vec3::Zero()}); }
  /// Of a point, m^2; 0 in the box.
  JOSTLE_HD double squared_distance(const Vec3& x) const {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      const double past = std::fabs(x[k] - middle[k]) - half[k];
      if (past > 0) squared += past * past;
    }
    return squared;
  }
};

/// All within `reach` (m) of a point.
struct NearBall {
  Vec3 middle;
  double reach;
  JOSTLE_HD bool meets(const NearBox& box) const { return box.squared_distance(middle) <= reach * reach; }
  JOSTLE_HD bool holds(const Vec3& x) const { return meets({x, Vec3::Zero()}); }
};

/// All within `reach` (m) of a piece of a line.
class NearSegment {
 public:
  JOSTLE_HD NearSegment(const Vec3& from, const Vec3& to, double reach)
      : middle_(0.5 * (from + to)), half_(0.5 * (to - from)), reach_(reach) {}

  /// No axis of the box, and none across that and the line, parts the two.
  JOSTLE_HD bool meets(const NearBox& box) const {
    const Vec3 away = box.middle - middle_;
    bool meets = true;
    for (int i = 0; i < 3; ++i) {
      const int j = i == 2 ? 0 : i + 1;
      const double at_i = std::fabs(half_[i]), at_j = std::fabs(half_[j]);
      const double most_i = box.half[i] + reach_, most_j = box.half[j] + reach_;
      meets = meets && std::fabs(away[i]) <= most_i + at_i &&
              std::fabs(away[i] * half_[j] - away[j] * half_[i]) <= most_i * at_j + most_j * at_i;
    }
    return meets;
  }
  JOSTLE_HD bool holds(const Vec3& x) const { return meets({x, Vec3::Zero()}); }

 private:
  Vec3 middle_, half_;
  double reach_;
};

/// visit(node, its number) for the nodes with faces; skip(box) tells which have nothing, below them neither. A core
/// without a tree is one node, which is not skipped.
JOSTLE_HD void walk_tree(const Polyhedron& core, auto skip, auto visit) {
  const bool has_tree = core.nodes > 0;
  for (int i = 0; i < (has_tree ? core.nodes : 1);) {
    Polyhedron::Node node{{}, {}, 1, 0, core.faces};
    if (has_tree) {
      node = core.node(i);
      if (skip(NearBox{node.middle, node.half})) {
        i = node.after;
        continue;
      }
    }
    if (node.count > 0) visit(node, i);
    ++i;
  }
}

/// visit(face), visit(corner) for those of nodes that are not skipped; corners only of a core with a tree.
JOSTLE_HD void for_each_face_in_tree(const Polyhedron& core, auto skip, auto visit) {
  walk_tree(core, skip, [&](const Polyhedron::Node& node, int) {
    for (int k = node.first; k < node.first + node.count; ++k) visit(core.nodes > 0 ? core.face_in_tree(k) : k);
  });
}
JOSTLE_HD void for_each_corner_in_tree(const Polyhedron& core, auto skip, auto visit) {
  walk_tree(core, skip, [&](const Polyhedron::Node& node, int i) {
    for (int k = core.first_corner(i); k < core.first_corner(node.after); ++k) visit(core.corner_in_tree(k));
  });
}

/// visit(face), visit(corner), visit(edge) for what may meet a NearBox, NearBall or the like: of corners and edges
/// those that touch. Without a tree that is all, in ascending order; a tree may have a corner twice.
JOSTLE_HD void for_each_face_near(const Polyhedron& core, const auto& near, auto visit) {
  for_each_face_in_tree(
      core, [&](const NearBox& box) { return !near.meets(box); }, visit);
}

/// `first`, `end`: which of them count.
JOSTLE_HD void for_each_corner_near(const Polyhedron& core, const auto& near, int first, int end, auto visit) {
  if (core.nodes == 0) {
    for (int i = first; i < end; ++i) visit(i);
    return;
  }
  const auto is_far = [&](const NearBox& box) { return !near.meets(box); };
  for_each_corner_in_tree(core, is_far, [&](int i) {
    if (i >= first && i < end && near.holds(core.corner(i))) visit(i);
  });
}
JOSTLE_HD void for_each_corner_near(const Polyhedron& core, const auto& near, auto visit) {
  for_each_corner_near(core, near, 0, core.touching_corners, visit);
}
JOSTLE_HD void for_each_edge_near(const Polyhedron& core, const auto& near, int first, int end, auto visit) {
  if (core.nodes == 0) {
    for (int e = first; e < end; ++e) visit(e);
    return;
  }
  const auto is_far = [&](const NearBox& box) { return !near.meets(box); };
  walk_tree(core, is_far, [&](const Polyhedron::Node& node, int i) {
    for (int k = core.first_edge(i); k < core.first_edge(node.after); ++k) {
      const int e = core.edge_in_tree(k);
      if (e < first || e >= end) continue;
      const PolyhedronEdge edge = core.edge(e);
      if (near.meets(NearBox::about(core.corner(edge.from), core.corner(edge.to), 0))) visit(e);
    }
  });
}
JOSTLE_HD void for_each_edge_near(const Polyhedron& core, const auto& near, auto visit) {
  for_each_edge_near(core, near, 0, core.touching_edges, visit);
}

/// All within `reach` (m) of a surface with a tree, or of the box about another core, that is seen from a core.
class NearOther {
 public:
  JOSTLE_HD NearOther(const CoreSeenFrom& other, double reach) : other_(other), reach_(reach), all_(box_of(other.own)) {
    for (int k = 0; k < 3; ++k) all_.half[k] += gap_rounding * bounding_radius(other.own.shape);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) turn_(j, k) = std::fabs(other.turn(j, k));
  }

  JOSTLE_HD bool meets(const NearBox& box) const {
    // In the axes of the other core, a box that holds it.
    const Vec3 half = rotate_back(turn_, box.half);
    return meets_seen(
        {other_.turned_back(box.middle - other_.middle), {half[0] + reach_, half[1] + reach_, half[2] + reach_}});
  }
  JOSTLE_HD bool holds(const Vec3& x) const {
    return meets_seen({other_.turned_back(x - other_.middle), {reach_, reach_, reach_}});
  }

 private:
  JOSTLE_HD bool meets_seen(const NearBox& seen) const {
    if (!seen.meets(all_)) return false;
    for (int i = 0; i < other_.own.nodes;) {
      const Polyhedron::Node node = other_.own.node(i);
      const bool may_meet = seen.meets({node.middle, node.half});
      if (may_meet && node.count > 0) return true;
      i = may_meet ? i + 1 : node.after;
    }
    return other_.own.nodes == 0;
  }

  JOSTLE_HD static NearBox box_of(const Polyhedron& core) {
    if (core.nodes > 0) return {core.node(0).middle, core.node(0).half};
    Vec3 least = core.corner(0), largest = least;
    for (int i = 1; i < core.corners; ++i) {
      const Vec3 x = core.corner(i);
      for (int k = 0; k < 3; ++k)
        least[k] = x[k] < least[k] ? x[k] : least[k], largest[k] = x[k] > largest[k] ? x[k] : largest[k];
    }
    return NearBox::about(least, largest, 0);
  }

  const CoreSeenFrom& other_;
  double reach_;
  NearBox all_;
  Mat3 turn_;  ///< without signs
};

/// The greatest x . direction of the corners of a core, in its axes.
JOSTLE_HD JOSTLE_OUTLINE inline double furthest_corner(const Polyhedron& core, const Vec3& direction) {
  double furthest = -infinity();
  const auto look_at = [&](int i) {
    const Vec3 x = core.corner(i);
    const double at = direction[0] * x[0] + direction[1] * x[1] + direction[2] * x[2];
    if (at > furthest) furthest = at;
  };
  if (core.nodes == 0) {
    for (int i = 0; i < core.corners; ++i) look_at(i);
    return furthest;
  }
  const auto is_behind = [&](const NearBox& box) {
    double most = dot(direction, box.middle);
    for (int k = 0; k < 3; ++k) most += std::fabs(direction[k]) * box.half[k];
    return most < furthest;
  };
  for_each_corner_in_tree(core, is_behind, look_at);
  return furthest;
}

}  // namespace jostle

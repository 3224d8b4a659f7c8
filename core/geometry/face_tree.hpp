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

/// In its own axes.
JOSTLE_HD inline NearBox box_about(const Polyhedron& core) {
  if (core.nodes > 0) return {core.node(0).middle, core.node(0).half};
  Vec3 least = core.corner(0), largest = least;
  for (int i = 1; i < core.corners; ++i) {
    const Vec3 x = core.corner(i);
    for (int k = 0; k < 3; ++k)
      least[k] = x[k] < least[k] ? x[k] : least[k], largest[k] = x[k] > largest[k] ? x[k] : largest[k];
  }
  return NearBox::about(least, largest, 0);
}
/// In the axes of the core that it is seen from: all within `reach` (m) of the box about it.
JOSTLE_HD inline NearBox box_about(const CoreSeenFrom& seen, double reach) {
  const NearBox own = box_about(seen.own);
  NearBox box{seen.middle + seen.turned(own.middle), {reach, reach, reach}};
  for (int j = 0; j < 3; ++j)
    for (int k = 0; k < 3; ++k) box.half[j] += std::fabs(seen.turn(j, k)) * own.half[k];
  return box;
}

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

/// Nodes of a tree that follow each other: all, or one with those below it.
struct NodeRange {
  int first, end;
};
JOSTLE_HD inline NodeRange all_nodes(const Polyhedron& core) { return {0, core.nodes > 0 ? core.nodes : 1}; }

/// visit(node, its number) for the nodes with faces; skip(box, its number, the node after it) tells which have nothing,
/// below them neither. A core without a tree is one node, which is not skipped.
JOSTLE_HD void walk_tree(const Polyhedron& core, const NodeRange& range, auto skip, auto visit) {
  const bool has_tree = core.nodes > 0;
  for (int i = range.first; i < range.end;) {
    Polyhedron::Node node{{}, {}, 1, 0, core.faces};
    if (has_tree) {
      node = core.node(i);
      if (skip(NearBox{node.middle, node.half}, i, node.after)) {
        i = node.after;
        continue;
      }
    }
    if (node.count > 0) visit(node, i);
    ++i;
  }
}

JOSTLE_HD void walk_tree(const Polyhedron& core, auto skip, auto visit) {
  walk_tree(core, all_nodes(core), skip, visit);
}

/// visit(face), visit(corner) for those of nodes that are not skipped; corners only of a core with a tree.
JOSTLE_HD void for_each_face_in_tree(const Polyhedron& core, auto skip, auto visit) {
  walk_tree(
      core, [&](const NearBox& box, int, int) { return skip(box); },
      [&](const Polyhedron::Node& node, int) {
        for (int k = node.first; k < node.first + node.count; ++k) visit(core.nodes > 0 ? core.face_in_tree(k) : k);
      });
}
JOSTLE_HD void for_each_corner_in_tree(const Polyhedron& core, auto skip, auto visit) {
  walk_tree(core, skip, [&](const Polyhedron::Node& node, int i) {
    for (int k = core.first_corner(i); k < core.first_corner(node.after); ++k) visit(core.corner_in_tree(k));
  });
}

/// skip() of walk_tree for what cannot meet a NearBox or the like, or for one that keeps what it knows of a node, a
/// NearOther.
JOSTLE_HD auto far_from(auto& near) {
  return [&near](const NearBox& box, [[maybe_unused]] int node, [[maybe_unused]] int after) {
    if constexpr (requires { near.enter(box, node, after); })
      return !near.enter(box, node, after);
    else
      return !near.meets(box);
  };
}

/// visit(face), visit(corner), visit(edge) for what may meet a NearBox, NearBall or the like: of corners and edges
/// those that touch. Without a tree that is all, in ascending order; a tree may have a corner twice.
JOSTLE_HD void for_each_face_near(const Polyhedron& core, const auto& near, auto visit) {
  for_each_face_in_tree(
      core, [&](const NearBox& box) { return !near.meets(box); }, visit);
}

/// `first`, `end`: which of them count.
JOSTLE_HD void for_each_corner_near(const Polyhedron& core, auto&& near, int first, int end, auto visit) {
  if (core.nodes == 0) {
    for (int i = first; i < end; ++i) visit(i);
    return;
  }
  for_each_corner_in_tree(core, far_from(near), [&](int i) {
    if (i >= first && i < end && near.holds(core.corner(i))) visit(i);
  });
}
JOSTLE_HD void for_each_corner_near(const Polyhedron& core, const auto& near, auto visit) {
  for_each_corner_near(core, near, 0, core.touching_corners, visit);
}
/// `range`: where they are.
JOSTLE_HD void for_each_edge_near(const Polyhedron& core, const NodeRange& range, auto&& near, int first, int end,
                                  auto visit) {
  if (core.nodes == 0) {
    for (int e = first; e < end; ++e) visit(e);
    return;
  }
  walk_tree(core, range, far_from(near), [&](const Polyhedron::Node& node, int i) {
    for (int k = core.first_edge(i); k < core.first_edge(node.after); ++k) {
      const int e = core.edge_in_tree(k);
      if (e < first || e >= end) continue;
      const PolyhedronEdge edge = core.edge(e);
      if (near.meets(NearBox::about(core.corner(edge.from), core.corner(edge.to), 0))) visit(e);
    }
  });
}
JOSTLE_HD void for_each_edge_near(const Polyhedron& core, auto&& near, int first, int end, auto visit) {
  for_each_edge_near(core, all_nodes(core), near, first, end, visit);
}
JOSTLE_HD void for_each_edge_near(const Polyhedron& core, const auto& near, auto visit) {
  for_each_edge_near(core, near, 0, core.touching_edges, visit);
}

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
  const auto is_behind = [&](const NearBox& box, int, int) {
    double most = dot(direction, box.middle);
    for (int k = 0; k < 3; ++k) most += std::fabs(direction[k]) * box.half[k];
    return most < furthest;
  };
  for_each_corner_in_tree(core, is_behind, look_at);
  return furthest;
}

}  // namespace jostle

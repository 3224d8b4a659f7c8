#pragma once
// Where a point is relative to a core that need not be convex: over which of its faces, and inside or outside.
#include "core/geometry/face_tree.hpp"

namespace jostle {

/// An edge of a face, directed so that the face lies to its left, seen from outside.
struct FaceEdge {
  Vec3 from, to;

  JOSTLE_HD FaceEdge(const Polyhedron& core, int face, const PolyhedronEdge& edge)
      : from(core.corner(edge.left == face ? edge.from : edge.to)),
        to(core.corner(edge.left == face ? edge.to : edge.from)) {}

  /// Squared, from a point, m^2.
  JOSTLE_HD double squared_distance(const Vec3& x) const {
    const Vec3 d = x - from, along = to - from;
    const double t = dot(d, along), most = dot(along, along);
    const Vec3 away = d - (t <= 0 ? 0.0 : t >= most ? 1.0 : t / most) * along;
    return dot(away, away);
  }
};

/// Counts how often the edges of a face run round a point of its plane: not at all beyond the face and in its holes.
class Winding {
 public:
  JOSTLE_HD Winding(const Vec3& normal, const Vec3& point) {
    const double x = std::fabs(normal[0]), y = std::fabs(normal[1]), z = std::fabs(normal[2]);
    const int across = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    u_ = axis_after(across, 1), v_ = axis_after(across, 2);
    at_u_ = component(point, u_), at_v_ = component(point, v_);
  }

  JOSTLE_HD void count(const FaceEdge& edge) {
    const double u = component(edge.from, u_) - at_u_, v = component(edge.from, v_) - at_v_;
    const double to_u = component(edge.to, u_) - at_u_, to_v = component(edge.to, v_) - at_v_;
    const bool begins_below = v <= 0, ends_below = to_v <= 0;  // a corner is below for both of its edges or for none
    if (begins_below == ends_below) return;
    const double side = u * to_v - v * to_u;  // > 0: the point lies to the left
    if (begins_below && side > 0) ++turns_;
    if (ends_below && side < 0) --turns_;
  }

  JOSTLE_HD bool is_inside() const { return turns_ != 0; }

 private:
  double at_u_, at_v_;
  int u_, v_, turns_ = 0;
};

/// Whether the foot of a point on the plane of a face lies in the face, or within `border_width` (m) of it.
JOSTLE_HD JOSTLE_OUTLINE inline bool covers(const Polyhedron& core, int face, const Vec3& x, double border_width) {
  const Vec3 m = core.normal(face), foot = x - core.height(face, x) * m;
  Winding winding(m, foot);
  bool on_border = false;
  core.for_each_edge_of(face, [&](int number) {
    const FaceEdge edge(core, face, core.edge(number));
    winding.count(edge);
    on_border = on_border || edge.squared_distance(foot) <= border_width * border_width;
  });
  return on_border || winding.is_inside();
}

/// How an edge bends: > 0 outwards, < 0 inwards.
JOSTLE_HD inline double bend_of(const Polyhedron& core, const PolyhedronEdge& edge) {
  return dot(cross(core.normal(edge.left), core.normal(edge.right)), core.along(edge));
}

/// Where a point is relative to a core.
struct PlaceInCore {
  bool is_inside = false;
  double squared_distance = infinity();  ///< from the surface, m^2

  /// Inside, or within the border of the surface.
  JOSTLE_HD bool is_solid(double border_width) const {
    return is_inside || squared_distance <= border_width * border_width;
  }
};

namespace detail {

/// The part of a surface that is nearest to a point: of those that are as near, faces before edges, then the lowest
/// number.
class NearestOnSurface {
 public:
  /// `most`: how far away it is looked for at most in a core with a tree, m.
  JOSTLE_HD NearestOnSurface(const Polyhedron& core, const Vec3& x, double most) : core_(core), x_(x) {
    if (core.nodes > 0) {
      if (most < infinity()) squared_ = most * most;
      const Vec3 half = core.node(0).half;
      constexpr double small = 1.0 / 32;  // as far as that a walk through all of the tree meets little
      if (!(most < small * (half[0] + half[1] + half[2]))) look_in_likely_leaf();
      const auto is_far = [&](const NearBox& other) { return other.squared_distance(x_) > squared_; };
      for_each_face_in_tree(core, is_far, [&](int face) { look_near(face); });
    } else {
      for (int e = 0; e < core.edges; ++e) look_at_edge(e);
      for (int f = 0; f < core.faces; ++f) look_at_face(f);  // is_nearer() before covers(), which takes longer
    }
  }

  JOSTLE_HD PlaceInCore place() const {
    if (number_ < 0) return {};
    PlaceInCore place{is_inside_, squared_};
    if (corner_ < 0) return place;
    double most = -infinity();
    core_.for_each_edge_at(corner_, [&](int number) {
      const PolyhedronEdge edge = core_.edge(number);
      const Vec3 leaving = edge.from == corner_ ? core_.along(edge) : Vec3(-core_.along(edge));
      const double along = dot(leaving, x_ - core_.corner(corner_)) / std::sqrt(dot(leaving, leaving));
      if (along > most) most = along, place.is_inside = bend_of(core_, edge) < 0;
    });
    return place;
  }

 private:
  JOSTLE_HD NearBox box(int i) const { return {core_.node(i).middle, core_.node(i).half}; }

  /// Of the two nodes below each the nearer one, so that the walk through the tree begins with a small distance.
  JOSTLE_HD void look_in_likely_leaf() {
    int i = 0;
    for (Polyhedron::Node node = core_.node(i); node.count == 0; node = core_.node(i)) {
      const int one = i + 1, other = core_.node(one).after;
      i = box(other).squared_distance(x_) < box(one).squared_distance(x_) ? other : one;
    }
    const Polyhedron::Node node = core_.node(i);
    for (int k = node.first; k < node.first + node.count; ++k) look_near(core_.face_in_tree(k));
  }

  JOSTLE_HD void look_near(int face) {
    look_at_face(face);
    core_.for_each_edge_of(face, [&](int e) {
      if (core_.edge(e).left == face) look_at_edge(e);
    });
  }

  JOSTLE_HD bool is_nearer(double squared, bool is_edge, int number) const {
    if (squared != squared_) return squared < squared_;
    return is_edge == is_edge_ ? number < number_ : !is_edge;
  }

  JOSTLE_HD void look_at_face(int f) {
    const double height = core_.height(f, x_);
    if (!is_nearer(height * height, false, f) || !covers(core_, f, x_, 0)) return;
    squared_ = height * height, is_edge_ = false, number_ = f, corner_ = -1, is_inside_ = height < 0;
  }

  JOSTLE_HD void look_at_edge(int e) {
    const PolyhedronEdge edge = core_.edge(e);
    const Vec3 d = x_ - core_.corner(edge.from), along = core_.along(edge);
    const double t = dot(d, along), most = dot(along, along);
    const Vec3 away = d - (t <= 0 ? 0.0 : t >= most ? 1.0 : t / most) * along;
    const double squared = dot(away, away);
    if (!is_nearer(squared, true, e)) return;
    squared_ = squared, is_edge_ = true, number_ = e;
    is_inside_ = dot(core_.outward(edge), away) < 0;
    corner_ = t <= 0 ? edge.from : t >= most ? edge.to : -1;
  }

  const Polyhedron& core_;
  const Vec3& x_;
  double squared_ = infinity();  ///< m^2
  bool is_edge_ = true, is_inside_ = false;
  int number_ = -1, corner_ = -1;  ///< `corner_`: the end of the edge that is nearest; -1: none is
};

}  // namespace detail

/// The nearest point of the surface tells inside from outside: at a face by its normal, at an edge by those of its two
/// faces. At a corner all edges lead away; that which does so least is convex where the point is outside.
/// Of a core with a tree, a point that is further from the surface than `most` (m) counts as outside and infinitely
/// far.
JOSTLE_HD JOSTLE_OUTLINE inline PlaceInCore locate(const Polyhedron& core, const Vec3& x, double most = infinity()) {
  return detail::NearestOnSurface(core, x, most).place();
}

}  // namespace jostle

#pragma once
// How far two cores are apart: along the normals of faces, and along n of edges whose arcs of normals cross on the
// sphere. What cannot tell is left out, by bounds wider than rounding errors, so that the answer has the same bits:
//
//   * Along a normal n between those of the two faces of an edge of a, a ends at that edge, and b no further than at a
//     point y of it: the cores are apart by at most n . y less the edge's, between the heights of y above the two
//     faces.
//   * Of what lies within r of the other core, all is within r of the plane in which that ends along a normal.
#include "core/geometry/candidates.hpp"
#include "core/geometry/polyhedron.hpp"

namespace jostle {

/// An edge of a against an edge of b, in the axes of b: n = sign (d x e) / sine, out of a.
struct CrossedEdges {
  double left_of_a, right_of_a, left_of_b, right_of_b;  ///< how steeply their faces lead towards the other core
  double gap;                                           ///< of the lines along n, m
  double sine;                                          ///< 0: parallel, or n leads into one of the cores
  double scale;                                         ///< n = scale (d x e)

  JOSTLE_HD bool is_apart() const { return !(sine > 0); }
  JOSTLE_HD bool arcs_cross() const { return left_of_a <= 0 && right_of_a <= 0 && left_of_b <= 0 && right_of_b <= 0; }
};

/// Whether a normal of crossed edges stands for that of a face beside the edge of this core. A core without faces is a
/// segment: its edge is no corner between two of them.
JOSTLE_HD inline bool is_normal_of_face(const Polyhedron& core, double left, double right) {
  return core.faces > 0 && (std::fabs(left) <= flat_slope || std::fabs(right) <= flat_slope);
}

/// An edge of a core in the axes of another one.
struct SeenEdge {
  Vec3 from, along;  ///< `along`: unit
  double length;
  Vec3 left, right;  ///< normals of its faces, 0 if there are none

  JOSTLE_HD SeenEdge(const Polyhedron& core, const PolyhedronEdge& edge)
      : from(core.corner(edge.from)), along(core.along(edge)), length(std::sqrt(dot(along, along))) {
    along = along / length;
    const bool has_faces = edge.left != no_face;
    left = has_faces ? core.normal(edge.left) : Vec3(Vec3::Zero());
    right = has_faces ? core.normal(edge.right) : Vec3(Vec3::Zero());
  }
  JOSTLE_HD JOSTLE_OUTLINE SeenEdge(const CoreSeenFrom& seen, const PolyhedronEdge& edge) : SeenEdge(seen.own, edge) {
    from = seen.middle + seen.turned(from), along = seen.turned(along);
    left = seen.turned(left), right = seen.turned(right);
  }
};

JOSTLE_HD inline CrossedEdges cross_edges(const SeenEdge& a, const SeenEdge& b) {
  CrossedEdges crossed{0, 0, 0, 0, 0, 0, 0};
  const Vec3 c = cross(a.along, b.along);
  const double squared = dot(c, c), out_of_b = dot(c, Vec3(b.left + b.right)),
               out_of_a = dot(c, Vec3(a.left + a.right));
  if (!(squared > parallel_sine * parallel_sine)) return crossed;
  const double sign = out_of_b < 0 ? 1.0 : -1.0;
  if (sign * out_of_a < 0) return crossed;  // a core without faces has 0
  crossed.sine = std::sqrt(squared);
  const double scale = crossed.scale = sign / crossed.sine;
  crossed.left_of_a = -scale * dot(a.left, b.along), crossed.right_of_a = scale * dot(a.right, b.along);
  crossed.left_of_b = -scale * dot(b.left, a.along), crossed.right_of_b = scale * dot(b.right, a.along);
  crossed.gap = scale * dot(c, Vec3(b.from - a.from));
  return crossed;
}

namespace detail {

/// Edges of a core; of one with more than they have room for, those count as well.
class EdgeSet {
 public:
  JOSTLE_HD void insert(int e) {
    if (e < room) words_[e / 64] |= std::uint64_t{1} << (e % 64);
  }
  /// visit(e) in ascending order, up to edge `end`.
  JOSTLE_HD void for_each(int end, auto visit) const {
    for (int e = next(0); e < end; e = next(e + 1)) visit(e);
  }

 private:
  static constexpr int room = 768;  ///< a core of 258 corners has as many

  /// The first from e on.
  JOSTLE_HD int next(int e) const {
    for (; e < room; e = 64 * (e / 64 + 1)) {
      const std::uint64_t rest = words_[e / 64] >> (e % 64);
      if (rest != 0) return e + lowest_one(rest);
    }
    return e;
  }

  std::uint64_t words_[room / 64] = {};
};

/// The point of a face of a convex core that is nearest to x.
JOSTLE_HD JOSTLE_OUTLINE inline Vec3 nearest_on_face(const Polyhedron& core, int face, const Vec3& x) {
  const Vec3 foot = x - core.height(face, x) * core.normal(face);
  if (core.is_over(face, foot, 0)) return foot;
  Vec3 nearest = foot;
  double squared = infinity();
  core.for_each_edge_of(face, [&](int number) {
    const PolyhedronEdge edge = core.edge(number);
    const Vec3 from = core.corner(edge.from), along = core.along(edge);
    const double t = dot(foot - from, along), most = dot(along, along);
    const Vec3 on_edge = from + (t <= 0 ? 0.0 : t >= most ? 1.0 : t / most) * along;
    const Vec3 away = on_edge - foot;
    if (dot(away, away) < squared) squared = dot(away, away), nearest = on_edge;
  });
  return nearest;
}

/// Two cores seen from each other; b has faces.
class TwoCores {
 public:
  JOSTLE_HD TwoCores(const Polyhedron& a, const Polyhedron& b) : a_(a), b_(b), a_from_b_(a, b), b_from_a_(b, a) {}

  /// Of the cores, m: exact when they are apart; minus the depth of penetration when they overlap.
  JOSTLE_HD double distance() {
    look_along_faces();
    look_along_crossings();
    return apart_ > 0 ? distance_apart() : apart_;
  }

 protected:
  /// The least height of the corners of a core above a face of the other one, m.
  JOSTLE_HD static double separation_along(const CoreSeenFrom& seen, const Polyhedron& other, int face) {
    double least = -infinity();
    int lowest = 0;
    is_further_along(seen, other, face, lowest, least);
    return least;
  }

  /// The greatest separation along the normals of faces, m, in apart_; beyond what can touch it is only a bound.
  JOSTLE_HD void look_along_faces() {
    int lowest_of_a = 0, lowest_of_b = 0, face_of_a = no_face, face_of_b = no_face, corner = 0;
    for (int f = 0; f < b_.faces; ++f)
      if (is_further_along(a_from_b_, b_, f, lowest_of_a, apart_)) face_of_b = f, corner = lowest_of_a;
    for (int f = 0; f < a_.faces; ++f)
      if (is_further_along(b_from_a_, a_, f, lowest_of_b, apart_)) face_of_a = f, corner = lowest_of_b;
    if (face_of_a != no_face) {
      y_ = b_from_a_.corner(corner), x_ = b_.corner(corner);
      const Vec3 way = a_from_b_.turned(nearest_on_face(a_, face_of_a, y_) - y_);
      x_ = x_ + way, near_ = std::sqrt(dot(way, way));
      normal_ = a_from_b_.turned(a_.normal(face_of_a));
      end_of_a_ = a_.face_offset(face_of_a) + dot(normal_, a_from_b_.middle), end_of_b_ = end_of_a_ + apart_;
    } else {
      x_ = a_from_b_.corner(corner), y_ = a_.corner(corner);
      const Vec3 way = nearest_on_face(b_, face_of_b, x_) - x_;
      y_ = y_ + a_from_b_.turned_back(way), near_ = std::sqrt(dot(way, way));
      normal_ = -b_.normal(face_of_b);
      end_of_b_ = -b_.face_offset(face_of_b), end_of_a_ = end_of_b_ - apart_;
    }
  }

  /// The same along those of crossing edges.
  JOSTLE_HD void look_along_crossings() {
    const double least = apart_ - border * size();
    EdgeSet of_b;
    for (int e = 0; e < b_.edges; ++e)
      if (most_apart_between_faces(b_, b_.edge(e), x_) >= least) of_b.insert(e);
    for (int d = 0; d < a_.edges; ++d) {
      const PolyhedronEdge own = a_.edge(d);
      if (a_.faces > 0 && !(most_apart_between_faces(a_, own, y_) >= least)) continue;
      const SeenEdge of_a(a_from_b_, own);
      of_b.for_each(b_.edges, [&](int e) {
        const SeenEdge other(b_, b_.edge(e));
        const CrossedEdges crossed = cross_edges(of_a, other);
        if (crossed.is_apart() || !crossed.arcs_cross() || !(crossed.gap > apart_)) return;
        apart_ = crossed.gap, normal_ = crossed.scale * cross(of_a.along, other.along);
        end_of_a_ = dot(normal_, of_a.from), end_of_b_ = dot(normal_, other.from);
      });
    }
  }

  /// Whether a point of a core, in the axes of b, may lie within `reach` (m) of b or a: no further out of the plane in
  /// which that ends along normal_.
  JOSTLE_HD bool may_reach_b(const Vec3& x, double reach) const { return dot(normal_, x) >= end_of_b_ - reach; }
  JOSTLE_HD bool may_reach_a(const Vec3& y, double reach) const { return dot(normal_, y) <= end_of_a_ + reach; }

  JOSTLE_HD double size() const { return bounding_radius(a_.shape) + bounding_radius(b_.shape); }

  const Polyhedron &a_, &b_;
  CoreSeenFrom a_from_b_, b_from_a_;
  double apart_ = -infinity();  ///< how far the cores are apart along the normals that have been looked along, m

 private:
  /// Whether all corners of a core are further above a face of the other one than `apart` (m), which becomes their
  /// least height. `lowest`: a corner to begin with; becomes the lowest one that has been met.
  JOSTLE_HD static bool is_further_along(const CoreSeenFrom& seen, const Polyhedron& other, int face, int& lowest,
                                         double& apart) {
    const Vec3 normal = other.normal(face), m = seen.turned_back(normal);
    const double of_middle = dot(normal, seen.middle), offset = other.face_offset(face);
    const auto height = [&](int i) { return dot(m, seen.own.corner(i)) + of_middle - offset; };
    double least = height(lowest);
    for (int i = 0; i < seen.own.corners && least > apart; ++i) {
      const double at = height(i);
      if (at < least) least = at, lowest = i;
    }
    if (!(least > apart)) return false;
    apart = least;
    return true;
  }

  /// m: how far a core is apart, along a normal between those of the faces of its edge, from another one with the point
  /// x, at most. Along a sum of both normals with shares that add up to 1, it is between the heights of x above them;
  /// that sum is shorter than 1, but not than half of the sum of the normals.
  JOSTLE_HD static double most_apart_between_faces(const Polyhedron& core, const PolyhedronEdge& edge, const Vec3& x) {
    const double left = core.height(edge.left, x), right = core.height(edge.right, x);
    const double most = left > right ? left : right;
    if (!(most > 0)) return most;
    const Vec3 both = core.normal(edge.left) + core.normal(edge.right);
    return 2 * most / std::sqrt(dot(both, both));
  }

  /// Of cores that are apart, m; never less than their separation.
  JOSTLE_HD double distance_apart() const {
    const double rounding = border * size(), enough = apart_ + distance_rounding * size();
    double squared = infinity(), near = near_ + rounding;  // what is nearer than all before is within `near`
    const auto keep_less = [&](double other) {
      if (!(other < squared)) return;
      squared = other;
      const double distance = std::sqrt(squared) + rounding;
      near = distance < near ? distance : near;
    };
    const auto corners_on_faces = [&](const CoreSeenFrom& seen, const Polyhedron& other, auto may_reach) {
      for (int i = 0; i < seen.own.corners; ++i) {
        if (!may_reach(seen, i)) continue;
        const Vec3 x = seen.corner(i);
        for (int f = 0; f < other.faces; ++f) {
          const double height = other.height(f, x);
          if (height >= apart_ - enough && height * height < squared && other.is_over(f, x, 0))
            keep_less(height * height);
        }
      }
    };
    corners_on_faces(a_from_b_, b_, [&](const CoreSeenFrom& seen, int i) { return may_reach_b(seen.corner(i), near); });
    corners_on_faces(b_from_a_, a_,
                     [&](const CoreSeenFrom& seen, int i) { return may_reach_a(seen.own.corner(i), near); });
    const auto reaches_b = [&](const PolyhedronEdge& edge) {
      return may_reach_b(a_from_b_.corner(edge.from), near) || may_reach_b(a_from_b_.corner(edge.to), near);
    };
    EdgeSet of_a;
    for (int d = 0; d < a_.edges; ++d)
      if (reaches_b(a_.edge(d))) of_a.insert(d);
    for (int e = 0; e < b_.edges && squared > enough * enough; ++e) {
      const PolyhedronEdge edge = b_.edge(e);
      if (!may_reach_a(b_.corner(edge.from), near) && !may_reach_a(b_.corner(edge.to), near)) continue;
      const SeenEdge of_b(b_, edge);
      const double half_b = 0.5 * of_b.length;
      const Vec3 middle_b = of_b.from + half_b * of_b.along;
      if (a_.edges == 0)
        keep_less(squared_segment_distance(a_from_b_.corner(0), of_b.along, 0, middle_b, of_b.along, half_b));
      of_a.for_each(a_.edges, [&](int d) {
        if (!(squared > enough * enough)) return;
        const SeenEdge own(a_from_b_, a_.edge(d));
        const double half_a = 0.5 * own.length;
        keep_less(
            squared_segment_distance(own.from + half_a * own.along, own.along, half_a, middle_b, of_b.along, half_b));
      });
    }
    return std::sqrt(squared);
  }

  Vec3 normal_;                         ///< along which the cores are as far apart, from a to b, in the axes of b
  double end_of_a_ = 0, end_of_b_ = 0;  ///< along it: all of a lies below, all of b above
  Vec3 x_, y_;                          ///< points of a, in the axes of b, and of b, in those of a
  double near_ = 0;                     ///< how far these are apart, m
};

}  // namespace detail

}  // namespace jostle

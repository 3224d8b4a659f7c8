#pragma once
// How far two cores are apart: along the normals of faces, and along n of edges whose arcs of normals cross on the
// sphere.
#include "core/geometry/candidates.hpp"
#include "core/geometry/polyhedron.hpp"

namespace jostle {

/// An edge of a against an edge of b, in the axes of b: n = sign (d x e) / sine, out of a.
struct CrossedEdges {
  double left_of_a, right_of_a, left_of_b, right_of_b;  ///< how steeply their faces lead towards the other core
  double gap;                                           ///< of the lines along n, m
  double sine;                                          ///< 0: parallel, or n leads into one of the cores

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
  CrossedEdges crossed{0, 0, 0, 0, 0, 0};
  const Vec3 c = cross(a.along, b.along);
  const double squared = dot(c, c), out_of_b = dot(c, Vec3(b.left + b.right)),
               out_of_a = dot(c, Vec3(a.left + a.right));
  if (!(squared > parallel_sine * parallel_sine)) return crossed;
  const double sign = out_of_b < 0 ? 1.0 : -1.0;
  if (sign * out_of_a < 0) return crossed;  // a core without faces has 0
  crossed.sine = std::sqrt(squared);
  const double scale = sign / crossed.sine;
  crossed.left_of_a = -scale * dot(a.left, b.along), crossed.right_of_a = scale * dot(a.right, b.along);
  crossed.left_of_b = -scale * dot(b.left, a.along), crossed.right_of_b = scale * dot(b.right, a.along);
  crossed.gap = scale * dot(c, Vec3(b.from - a.from));
  return crossed;
}

namespace detail {

/// Two cores seen from each other.
class TwoCores {
 public:
  JOSTLE_HD TwoCores(const Polyhedron& a, const Polyhedron& b) : a_(a), b_(b), a_from_b_(a, b), b_from_a_(b, a) {}

  /// Of the cores, m: exact when they are apart; minus the depth of penetration when they overlap.
  JOSTLE_HD double distance() const {
    const double apart = separation(separation_along_faces());
    return apart > 0 ? distance_apart(apart) : apart;
  }

 protected:
  /// The least height of the corners of a core above a face of the other one, m.
  JOSTLE_HD static double separation_along(const CoreSeenFrom& seen, const Polyhedron& other, int face) {
    const Vec3 m = seen.turned_back(other.normal(face));
    double least = infinity();
    for (int i = 0; i < seen.own.corners; ++i) {
      const double height = dot(m, seen.own.corner(i));
      if (height < least) least = height;
    }
    return least + dot(other.normal(face), seen.middle) - other.face_offset(face);
  }

  /// The greatest along the normals of faces, m; beyond what can touch it is only a bound.
  JOSTLE_HD double separation_along_faces() const {
    double greatest = -infinity();
    for (int f = 0; f < b_.faces; ++f) {
      const double apart = separation_along(a_from_b_, b_, f);
      if (apart > greatest) greatest = apart;
    }
    for (int f = 0; f < a_.faces; ++f) {
      const double apart = separation_along(b_from_a_, a_, f);
      if (apart > greatest) greatest = apart;
    }
    return greatest;
  }

  JOSTLE_HD double separation(double along_faces) const {
    double greatest = along_faces;
    for (int d = 0; d < a_.edges; ++d) {
      const SeenEdge of_a(a_from_b_, a_.edge(d));
      for (int e = 0; e < b_.edges; ++e) {
        const CrossedEdges crossed = cross_edges(of_a, SeenEdge(b_, b_.edge(e)));
        if (!crossed.is_apart() && crossed.arcs_cross() && crossed.gap > greatest) greatest = crossed.gap;
      }
    }
    return greatest;
  }

  /// Of cores that are apart, m; never less than their separation.
  JOSTLE_HD double distance_apart(double separation) const {
    const double enough = separation + distance_rounding * (bounding_radius(a_.shape) + bounding_radius(b_.shape));
    double squared = infinity();
    const auto keep_less = [&](double other) {
      if (other < squared) squared = other;
    };
    const auto corners_on_faces = [&](const CoreSeenFrom& seen, const Polyhedron& other) {
      for (int i = 0; i < seen.own.corners; ++i) {
        const Vec3 x = seen.corner(i);
        for (int f = 0; f < other.faces; ++f) {
          const double height = other.height(f, x);
          if (height >= separation - enough && height * height < squared && other.is_over(f, x, 0))
            squared = height * height;
        }
      }
    };
    corners_on_faces(a_from_b_, b_);
    corners_on_faces(b_from_a_, a_);
    for (int e = 0; e < b_.edges && squared > enough * enough; ++e) {
      const SeenEdge of_b(b_, b_.edge(e));
      const double half_b = 0.5 * of_b.length;
      const Vec3 middle_b = of_b.from + half_b * of_b.along;
      if (a_.edges == 0)
        keep_less(squared_segment_distance(a_from_b_.corner(0), of_b.along, 0, middle_b, of_b.along, half_b));
      for (int d = 0; d < a_.edges && squared > enough * enough; ++d) {
        const SeenEdge of_a(a_from_b_, a_.edge(d));
        const double half_a = 0.5 * of_a.length;
        keep_less(squared_segment_distance(of_a.from + half_a * of_a.along, of_a.along, half_a, middle_b, of_b.along,
                                           half_b));
      }
    }
    return std::sqrt(squared);
  }

  const Polyhedron &a_, &b_;
  CoreSeenFrom a_from_b_, b_from_a_;
};

}  // namespace detail

}  // namespace jostle

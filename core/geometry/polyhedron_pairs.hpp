#pragma once
// A hull against a sphere, capsule, box or hull, and against a half-space, by their cores (polyhedron.hpp). With V, E
// and F corners, edges and faces, of which only convex corners and edges count, the feature pairs are
//
//     V_a F_b   corner i of a on face j of b       i F_b + j        Phi = height of the corner - r_a - r_b
//     V_b F_a   corner i of b on face j of a       + i F_a + j
//     E_a E_b   edge d of a across edge e of b     + d E_b + e      Phi = n . (e - d) - r_a - r_b, n = +-(d x e)
//
// and, where a radius can be above 0,
//
//     V_a E_b   corner i of a on edge e of b       + i E_b + e      Phi = distance - r_a - r_b
//     E_a V_b   edge d of a on corner j of b       + d V_b + j
//     V_a V_b   corner i of a on corner j of b     + i V_b + j
//
// If one of them is not convex, surface_pairs.hpp says which are candidates. The rules for those of convex cores are
// those of boxes (box_box.hpp) and of capsules with boxes (capsule_box.hpp). The greatest
// separation along the normals of faces and along n of edges whose arcs of normals cross is exact in overlap, and apart
// where the nearest features are a corner and a face or two edges.
#include <limits>

#include "core/geometry/candidates.hpp"
#include "core/geometry/half_space_pairs.hpp"
#include "core/geometry/polyhedron_separation.hpp"
#include "core/geometry/round_pairs.hpp"
#include "core/geometry/surface_distance.hpp"
#include "core/geometry/surface_pairs.hpp"

namespace jostle {

/// The most feature pairs of two shapes.
inline constexpr int most_features = std::numeric_limits<int>::max() - page_features;

/// How many feature pairs two cores have; of more than most_features so many and one.
JOSTLE_HD constexpr int polyhedron_features(const CoreCounts& a, const CoreCounts& b, bool is_rounded) {
  const std::int64_t corners_a = a.touching_corners, corners_b = b.touching_corners;
  std::int64_t features = corners_a * b.faces + corners_b * a.faces + std::int64_t{a.touching_edges} * b.touching_edges;
  if (is_rounded) features += corners_a * b.touching_edges + a.touching_edges * corners_b + corners_a * corners_b;
  return features > most_features ? most_features + 1 : static_cast<int>(features);
}

namespace detail {

/// The candidates of two cores, of one page.
class CorePair : private TwoCores {
 public:
  JOSTLE_HD CorePair(const Polyhedron& a, const Polyhedron& b, double highest, int first)
      : TwoCores(a, b),
        bounds_(0, highest, border * (bounding_radius(a.shape) + bounding_radius(b.shape))),
        first_(first) {}

  /// Finds the candidates, if the cores are not further apart than the greatest gap of one.
  JOSTLE_HD FeatureSet candidates(bool is_rounded) {
    const double along_faces = separation_along_faces();
    if (along_faces > bounds_.highest) return set_;
    const double apart = separation(along_faces);
    if (apart > bounds_.highest) return set_;
    bounds_ = CandidateBounds(apart, bounds_.highest, bounds_.edge);
    insert_all(is_rounded);
    return set_;
  }

 private:
  JOSTLE_HD void insert(int feature) {
    if (feature >= first_ && feature < first_ + page_features) set_.insert(feature - first_);
  }

  /// visit(i) for the rows of a block, whose first feature pair is `block`, that the page has a part of.
  JOSTLE_HD void for_each_row(int block, int rows, int columns, auto visit) const {
    const int begin = first_ > block ? (first_ - block) / columns : 0;
    for (int i = begin; i < rows && block + i * columns < first_ + page_features; ++i) visit(i);
  }

  JOSTLE_HD void insert_all(bool is_rounded) {
    const int of_b = a_.corners * b_.faces, across = of_b + b_.corners * a_.faces;
    if (b_.faces > 0) for_each_row(0, a_.corners, b_.faces, [&](int i) { insert_corner_of_a(i, false, 0); });
    if (a_.faces > 0) for_each_row(of_b, b_.corners, a_.faces, [&](int i) { insert_corner_of_b(i, of_b); });
    if (b_.edges > 0)
      for_each_row(across, a_.edges, b_.edges, [&](int d) { insert_crossings(d, across + d * b_.edges); });
    if (!is_rounded) return;
    const int on_edge = across + a_.edges * b_.edges;
    if (first_ + page_features > on_edge)
      for (int i = 0; i < a_.corners; ++i) insert_corner_of_a(i, true, on_edge);
    const int on_corner = on_edge + a_.corners * b_.edges;
    if (a_.edges > 0)
      for (int j = 0; j < b_.corners; ++j) insert_edge_on_corner(j, on_corner);
  }

  /// May a corner of a core be its end towards the other core, against a direction in its own axes?
  JOSTLE_HD bool leads(const Polyhedron& core, int i, const Vec3& towards) const {
    bool all = true;
    core.for_each_edge_at(i, [&](int number) {
      const PolyhedronEdge e = core.edge(number);
      const Vec3 d = core.corner(e.from == i ? e.to : e.from) - core.corner(i);
      const double length = std::sqrt(dot(d, d));
      all = all && bounds_.leads(-dot(d, towards) / length, length);
    });
    return all;
  }

  JOSTLE_HD bool is_beyond(const Polyhedron& core, const Vec3& x) const {
    for (int f = 0; f < core.faces; ++f)
      if (core.height(f, x) > bounds_.highest && core.height(f, x) > bounds_.edge) return true;
    return false;
  }

  /// The face of `other` that corner i of a core touches, given the part that it is nearest to; no_face if none.
  JOSTLE_HD int face_under(const CoreSeenFrom& seen, int i, const Polyhedron& other, const NearestPart& part) const {
    const auto faces = [&](int f) { return leads(seen.own, i, seen.turned_back(other.normal(f))); };
    if (part.kind == NearestPart::Kind::face) return faces(part.number) ? part.number : no_face;
    if (part.kind != NearestPart::Kind::inside) return no_face;
    int touched = no_face;
    double greatest = 0;
    for (int f = 0; f < other.faces; ++f) {
      const double apart = separation_along(seen, other, f);
      if ((touched != no_face && !(apart > greatest)) || !faces(f)) continue;
      touched = f, greatest = apart;
    }
    return touched;
  }

  JOSTLE_HD bool is_within(double gap) const { return gap >= bounds_.lowest && gap <= bounds_.highest; }

  /// Of b, nearest to a corner of a. A ball is over one part at a time.
  JOSTLE_HD NearestPart part_of_b(const Vec3& x) const {
    return nearest_part(b_, x, a_.edges > 0 ? bounds_.edge : 0.0);
  }

  /// The face of b that corner i of a is a candidate on; no_face if none.
  JOSTLE_HD int touched_by_a(int i) const {
    const Vec3 x = a_from_b_.corner(i);
    if (is_beyond(b_, x)) return no_face;
    const int face = face_under(a_from_b_, i, b_, part_of_b(x));
    return face != no_face && is_within(b_.height(face, x)) ? face : no_face;
  }

  /// Corner i of a on a face, or else (`on_edges`, whose block begins there) on an edge or corner.
  JOSTLE_HD void insert_corner_of_a(int i, bool on_edges, int block) {
    if (!on_edges) {
      const int face = touched_by_a(i);
      if (face != no_face) insert(i * b_.faces + face);
      return;
    }
    const Vec3 x = a_from_b_.corner(i);
    if (is_beyond(b_, x)) return;
    const NearestPart part = part_of_b(x);
    if (part.kind == NearestPart::Kind::inside || part.kind == NearestPart::Kind::face) return;
    const double distance = std::sqrt(dot(part.away, part.away));
    if (distance > bounds_.highest || !(distance > 0)) return;
    if (!leads(a_, i, a_from_b_.turned_back(part.away / distance))) return;
    const int on_corner = block + a_.corners * b_.edges + a_.edges * b_.corners;
    insert(part.kind == NearestPart::Kind::edge ? block + i * b_.edges + part.number
                                                : on_corner + i * b_.corners + part.number);
  }

  JOSTLE_HD void insert_corner_of_b(int i, int block) {
    const Vec3 x = b_from_a_.corner(i);
    if (is_beyond(a_, x)) return;
    const int face = face_under(b_from_a_, i, a_, nearest_part(a_, x, bounds_.edge));
    if (face == no_face || !is_within(a_.height(face, x)) || is_covered(i)) return;
    insert(block + i * a_.faces + face);
  }

  /// Does a corner of a stand for corner j of b, because it is a candidate over it?
  JOSTLE_HD bool is_covered(int j) const {
    const double edge = bounds_.edge, most = bounds_.highest > -bounds_.lowest ? bounds_.highest : -bounds_.lowest;
    const double near = most + 2 * edge;
    for (int i = 0; i < a_.corners; ++i) {
      const Vec3 away = a_from_b_.corner(i) - b_.corner(j);
      if (dot(away, away) > near * near) continue;
      const int face = touched_by_a(i);
      if (face == no_face || std::fabs(b_.height(face, b_.corner(j))) > edge) continue;
      const Vec3 m = b_.normal(face), across = away - dot(away, m) * m;
      if (dot(across, across) <= 2 * edge * edge) return true;
    }
    return false;
  }

  /// Which of its two faces lead towards the other core, and not too far?
  JOSTLE_HD bool edge_leads(const Polyhedron& core, const PolyhedronEdge& edge, double left, double right) const {
    if (left > nearing_limit || right > nearing_limit) return false;
    if (left > 0 && !bounds_.leads(left, core.width_from(edge.left, edge))) return false;
    return !(right > 0) || bounds_.leads(right, core.width_from(edge.right, edge));
  }

  JOSTLE_HD static bool is_flat(const Polyhedron& core, double left, double right) {
    return core.faces > 0 && (std::fabs(left) <= flat_slope || std::fabs(right) <= flat_slope);
  }

  /// The crossings of edge d of a.
  JOSTLE_HD void insert_crossings(int d, int first_of_row) {
    const PolyhedronEdge own = a_.edge(d);
    const SeenEdge of_a(a_from_b_, own);
    for (int e = 0; e < b_.edges; ++e) {
      const PolyhedronEdge other = b_.edge(e);
      const SeenEdge of_b(b_, other);
      const CrossedEdges crossed = cross_edges(of_a, of_b);
      if (crossed.is_apart() || !is_within(crossed.gap)) continue;
      if (!edge_leads(a_, own, crossed.left_of_a, crossed.right_of_a)) continue;
      if (!edge_leads(b_, other, crossed.left_of_b, crossed.right_of_b)) continue;
      const double half_a = 0.5 * of_a.length, half_b = 0.5 * of_b.length, edge = bounds_.edge;
      const LineCrossing crossing =
          cross_lines(of_b.from + half_b * of_b.along - of_a.from - half_a * of_a.along, of_a.along, of_b.along);
      // Where a corner ends the edge, the corner is the contact, if there is a face for it.
      const bool a_is_flat = is_flat(a_, crossed.left_of_a, crossed.right_of_a);
      const bool b_is_flat = is_flat(b_, crossed.left_of_b, crossed.right_of_b);
      if (std::fabs(crossing.along_u) <= half_a + (b_is_flat ? -edge : edge) &&
          std::fabs(crossing.along_v) <= half_b + (a_is_flat ? -edge : edge))
        insert(first_of_row + e);
    }
  }

  /// Corner j of b, beside an edge of a.
  JOSTLE_HD void insert_edge_on_corner(int j, int block) {
    const Vec3 y = b_from_a_.corner(j);
    if (is_beyond(a_, y)) return;
    const NearestPart part = nearest_part(a_, y, -bounds_.edge);
    if (part.kind != NearestPart::Kind::edge || dot(part.away, part.away) > bounds_.highest * bounds_.highest) return;
    const Vec3 away = b_from_a_.turned_back(part.away);
    bool is_end = true;  // the edges of the corner lead away
    b_.for_each_edge_at(j, [&](int number) {
      const PolyhedronEdge e = b_.edge(number);
      const Vec3 d = b_.along(e);
      is_end = is_end && (e.from == j ? 1 : -1) * dot(d, away) >= -border * std::sqrt(dot(d, d) * dot(away, away));
    });
    if (is_end) insert(block + part.number * b_.corners + j);
  }

  CandidateBounds bounds_;
  int first_;
  FeatureSet set_;
};

}  // namespace detail

/// Two cores; b is a hull.
struct PolyhedronPair {
  static constexpr int features = 1;  ///< or more: Model::features_of

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& shape_a, const PlacedShape& shape_b, int feature) {
    const Polyhedron a(shape_a), b(shape_b);
    const int corners_a = a.touching_corners, corners_b = b.touching_corners, edges_a = a.touching_edges,
              edges_b = b.touching_edges;
    if (feature < corners_a * b.faces) return corner_on_face(a, feature / b.faces, b, feature % b.faces);
    feature -= corners_a * b.faces;
    if (feature < corners_b * a.faces) return swapped(corner_on_face(b, feature / a.faces, a, feature % a.faces));
    feature -= corners_b * a.faces;
    if (feature < edges_a * edges_b) return edge_across_edge(a, feature / edges_b, b, feature % edges_b);
    feature -= edges_a * edges_b;
    if (feature < corners_a * edges_b) {
      const Vec3 x = a.corner_in_world(feature / edges_b);
      return ball_contact(x, a.radius, foot_on(b, feature % edges_b, x), b.radius);
    }
    feature -= corners_a * edges_b;
    if (feature < edges_a * corners_b) {
      const Vec3 y = b.corner_in_world(feature % corners_b);
      return ball_contact(foot_on(a, feature / corners_b, y), a.radius, y, b.radius);
    }
    feature = (feature - edges_a * corners_b) % (corners_a * corners_b);
    return ball_contact(a.corner_in_world(feature / corners_b), a.radius, b.corner_in_world(feature % corners_b),
                        b.radius);
  }

  /// Those of the page whose first feature pair is `first`.
  JOSTLE_HD static FeatureSet close(const PlacedShape& shape_a, const PlacedShape& shape_b, double margin, int first) {
    if (far_apart(shape_a, shape_b, margin)) return {};
    const Polyhedron a(shape_a), b(shape_b);
    const bool rounded = is_rounded(shape_a.type, shape_a.structure) || is_rounded(shape_b.type, shape_b.structure);
    const double highest = margin + a.radius + b.radius;
    if (!a.is_convex || !b.is_convex) return detail::surface_candidates(a, b, highest, first, rounded);
    return detail::CorePair(a, b, highest, first).candidates(rounded);
  }

  /// insert(feature) for all, in no order, of a surface with a tree; deeper than `deepest` (m) there are none.
  JOSTLE_HD static void visit_close(const PlacedShape& shape_a, const PlacedShape& shape_b, double margin,
                                    double deepest, auto insert) {
    if (far_apart(shape_a, shape_b, margin)) return;
    const Polyhedron a(shape_a), b(shape_b);
    const bool rounded = is_rounded(shape_a.type, shape_a.structure) || is_rounded(shape_b.type, shape_b.structure);
    detail::visit_surface_candidates(a, b, margin + a.radius + b.radius, deepest, rounded, insert);
  }

  JOSTLE_HD static double distance(const PlacedShape& shape_a, const PlacedShape& shape_b) {
    const Polyhedron a(shape_a), b(shape_b);
    const double apart =
        a.is_convex && b.is_convex ? detail::TwoCores(a, b).distance() : detail::surface_distance(a, b);
    return apart - a.radius - b.radius;
  }

 private:
  JOSTLE_HD static ContactGeometry corner_on_face(const Polyhedron& a, int i, const Polyhedron& b, int face) {
    const Vec3 x = a.corner_in_world(i), m = b.in_world(b.normal(face));
    const double height = dot(m, Vec3(x - b.shape.position)) - b.face_offset(face);
    return {height - a.radius - b.radius, -m, x - a.radius * m, x - (height - b.radius) * m};
  }

  JOSTLE_HD static Vec3 foot_on(const Polyhedron& core, int edge, const Vec3& x) {
    const PolyhedronEdge ends = core.edge(edge);
    const Vec3 p = core.corner_in_world(ends.from), u = core.in_world(unit_or(core.along(ends), Vec3(1, 0, 0)));
    return p + dot(x - p, u) * u;
  }

  /// Parallel edges: the midpoint of a's and the point of b's closest to it.
  JOSTLE_HD static ContactGeometry edge_across_edge(const Polyhedron& a, int d, const Polyhedron& b, int e) {
    const PolyhedronEdge of_a = a.edge(d), of_b = b.edge(e);
    const Vec3 u = a.in_world(unit_or(a.along(of_a), Vec3(1, 0, 0))),
               v = b.in_world(unit_or(b.along(of_b), Vec3(1, 0, 0)));
    const Vec3 middle_a = a.shape.position + a.in_world(0.5 * (a.corner(of_a.from) + a.corner(of_a.to)));
    const Vec3 middle_b = b.shape.position + b.in_world(0.5 * (b.corner(of_b.from) + b.corner(of_b.to)));
    const LineCrossing crossing = cross_lines(middle_b - middle_a, u, v);
    const Vec3 x = middle_a + crossing.along_u * u, y = middle_b + crossing.along_v * v;
    const Vec3 outwards = a.in_world(a.outward(of_a)) - b.in_world(b.outward(of_b));
    Vec3 n = crossing.parallel() ? unit_or(y - x, unit_or(outwards, u)) : unit_or(crossing.cross, u);
    if (dot(n, outwards) < 0) n = -n;
    const double gap = dot(y - x, n) - a.radius - b.radius;
    const Vec3 point_a = x + a.radius * n;
    return {gap, n, point_a, point_a + gap * n};
  }
};

/// Feature pair i: corner i on the plane.
struct PolyhedronHalfSpace {
  static constexpr int features = 1;  ///< or more: as many as there are corners that touch

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    return ball_on_plane(Polyhedron(a).corner_in_world(feature), a.size[0], b);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin, int first) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    const Polyhedron core(a);
    for (int i = first; i < core.touching_corners && i < first + page_features; ++i)
      if (height_above(b, core.corner_in_world(i)) - a.size[0] <= margin) set.insert(i - first);
    return set;
  }

  /// As above. All corners below the plane are candidates.
  JOSTLE_HD static void visit_close(const PlacedShape& a, const PlacedShape& b, double margin, double, auto insert) {
    if (height_above(b, a.position) - bounding_radius(a) > margin) return;
    const double most = margin + a.size[0];
    const int touching = Polyhedron(a).touching_corners;
    for_each_corner_below(a, b, most, [&](int i, double height) {
      if (i < touching && height - a.size[0] <= margin) insert(i);
    });
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const Polyhedron core(a);
    double lowest = infinity();
    if (core.nodes > 0) {
      for_each_corner_below(a, b, lowest, [&](int, double height) { lowest = height < lowest ? height : lowest; });
      return lowest - a.size[0];
    }
    for (int i = 0; i < core.corners; ++i) {
      const double height = height_above(b, core.corner_in_world(i));
      if (height < lowest) lowest = height;
    }
    return lowest - a.size[0];
  }

 private:
  /// visit(corner, height above the plane) for those of a tree that may be below `most` (m), which may fall.
  JOSTLE_HD static void for_each_corner_below(const PlacedShape& a, const PlacedShape& b, const double& most,
                                              auto visit) {
    const Polyhedron core(a);
    const Vec3 up = rotate_back(a.axes, Vec3(b.axes.col(2)));
    const double height = height_above(b, a.position) - border * bounding_radius(a);
    const auto is_above = [&](const NearBox& box, int, int) {
      double least = height + dot(up, box.middle);
      for (int k = 0; k < 3; ++k) least -= std::fabs(up[k]) * box.half[k];
      return least > most;
    };
    for_each_corner_in_tree(core, is_above, [&](int i) {
      if (height + dot(up, core.corner(i)) <= most) visit(i, height_above(b, core.corner_in_world(i)));
    });
  }
};

}  // namespace jostle

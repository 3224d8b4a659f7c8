#pragma once
// A hull against a sphere, capsule, box or hull, by their cores (polyhedron.hpp). With V, E and F corners, edges and
// faces, of which only convex corners and edges count, the feature pairs are
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
// Which are candidates, core_pair.hpp says of convex cores, and surface_pairs.hpp if one of them is not convex. The
// greatest separation along the normals of faces and along n of edges whose arcs of normals cross is exact in overlap,
// and apart where the nearest features are a corner and a face or two edges.
#include <limits>

#include "core/geometry/box_as_hull.hpp"
#include "core/geometry/core_pair.hpp"
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
  JOSTLE_HD static FeatureSet close(const PlacedShape& shape_a, const PlacedShape& shape_b, double margin, int first,
                                    const FeatureSet* only) {
    if (far_apart(shape_a, shape_b, margin)) return {};
    if (are_boxes(shape_a, shape_b)) return close_boxes(shape_a, shape_b, margin);
    const Polyhedron a(shape_a), b(shape_b);
    const bool rounded = is_rounded(shape_a.type, shape_a.structure) || is_rounded(shape_b.type, shape_b.structure);
    const double highest = margin + a.radius + b.radius;
    if (!a.is_convex || !b.is_convex) return detail::surface_candidates(a, b, highest, first, rounded);
    FeatureSet set;
    detail::CorePair<detail::PageOfFeatures>(a, b, highest, {first, set, only}).visit(rounded);
    return set;
  }

  /// insert(feature) for all, in no order; of surfaces deeper than `deepest` (m) there are none.
  JOSTLE_HD static void visit_close(const PlacedShape& shape_a, const PlacedShape& shape_b, double margin,
                                    double deepest, auto insert) {
    if (far_apart(shape_a, shape_b, margin)) return;
    const Polyhedron a(shape_a), b(shape_b);
    const bool rounded = is_rounded(shape_a.type, shape_a.structure) || is_rounded(shape_b.type, shape_b.structure);
    const double highest = margin + a.radius + b.radius;
    if (a.is_convex && b.is_convex)
      detail::CorePair<detail::AllFeatures<decltype(insert)>>(a, b, highest, {insert}).visit(rounded);
    else
      detail::visit_surface_candidates(a, b, highest, deepest, rounded, insert);
  }

  JOSTLE_HD static double distance(const PlacedShape& shape_a, const PlacedShape& shape_b) {
    if (are_boxes(shape_a, shape_b)) return BoxBox::distance(BoxAsHull(shape_a).box, BoxAsHull(shape_b).box);
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

}  // namespace jostle

#pragma once
// A capsule against a box. The capsule is the set of points within its radius r of a segment, its core.
//
//     0..11    cap i on face f: 6 i + f              Phi = height of the cap centre above the face - r
//     12..23   side on edge e: 12 + e                Phi = n . (edge - core) - r,  n along core x edge
//     24..47   cap i on edge e: 24 + 12 i + e        Phi = distance - r
//     48..63   cap i on corner c: 48 + 8 i + c       Phi = distance - r
//     64..71   side on corner c: 64 + c              Phi = distance - r
//
// The first two are signed: they continue smoothly when the core itself enters the box (a thin capsule, or one of
// radius 0). The others exist only while the core is outside. The contacts of a capsule that lies on a face are its
// caps, or the face's edges where it reaches over them.
//
// Signed pairs are ghosts if they lie deeper than core and box overlap: with s the signed distance of core and box
// (separating axes: box faces and core x edges), a real one has height >= s.
#include "core/geometry/box_features.hpp"
#include "core/geometry/lines.hpp"

namespace jostle {

struct CapsuleBox {
  static constexpr int side_on_edge = 2 * box_faces;
  static constexpr int cap_on_edge = side_on_edge + box_edges;
  static constexpr int cap_on_corner = cap_on_edge + 2 * box_edges;
  static constexpr int side_on_corner = cap_on_corner + 2 * box_corners;
  static constexpr int features = side_on_corner + box_corners;

  /// A side parallel to an edge meets it in the middle of the core. If the core passes exactly through an edge or a
  /// corner, the normal there is world x, except for side on edge.
  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    const double radius = a.size[0];
    if (feature < side_on_edge) return ball_on_face(end_point(a, feature / box_faces), radius, b, feature % box_faces);
    if (feature < cap_on_edge) return side_across_edge(a, box_edge(b, feature - side_on_edge));
    if (feature < cap_on_corner) {
      const Vec3 x = end_point(a, (feature - cap_on_edge) / box_edges);
      return ball_contact(x, radius, across(box_edge(b, (feature - cap_on_edge) % box_edges), x), 0);
    }
    const bool with_cap = feature < side_on_corner;
    const Vec3 corner = box_corner(b, (feature - cap_on_corner) % box_corners);
    const Vec3 x = with_cap ? end_point(a, (feature - cap_on_corner) / box_corners) : across_axis(a, corner);
    return ball_contact(x, radius, corner, 0);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (far_apart(a, b, margin)) return set;
    const Local local(a, b);
    const double overlap = local.separation();
    if (overlap - local.radius > margin) return set;
    const double edge = border * (bounding_radius(a) + bounding_radius(b));
    const CandidateBounds bounds(overlap, margin + local.radius, edge);  // of heights of the core
    for (int end = 0; end < 2; ++end) insert_cap(set, local, end, bounds);
    insert_edges(set, local, bounds);
    insert_corners(set, local, bounds);
    return set;
  }

  /// A core outside the box is nearest at one of its ends or between it and an edge; never nearer than the separation.
  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const Local local(a, b);
    const double separation = local.separation();
    if (separation <= 0) return separation - local.radius;
    const double enough = separation + distance_rounding * (bounding_radius(a) + bounding_radius(b));
    double squared = squared_box_distance(local.end(0), b.size);
    const auto keep_less = [&](double other) {
      if (other < squared) squared = other;
    };
    keep_less(squared_box_distance(local.end(1), b.size));
    for (int e = 0; e < box_edges && squared > enough * enough; ++e) {
      const BoxEdge edge = box_edge(b, e);
      keep_less(squared_segment_distance(a.position, a.axes.col(2), a.size[1], edge.middle, edge.direction,
                                         edge.half_length));
    }
    return std::sqrt(squared) - local.radius;
  }

 private:
  /// The capsule in the box's frame.
  struct Local {
    Vec3 centre, direction, half_edges;
    double half_length, radius;

    JOSTLE_HD Local(const PlacedShape& a, const PlacedShape& b)
        : centre(to_local(b, a.position)), half_edges(b.size), half_length(a.size[1]), radius(a.size[0]) {
      const Vec3 u = a.axes.col(2);
      direction = Vec3(dot(b.axes.col(0), u), dot(b.axes.col(1), u), dot(b.axes.col(2), u));
    }

    JOSTLE_HD Vec3 end(int i) const { return centre + side(i) * half_length * direction; }

    /// Largest separation of core and box along an axis; negative in overlap, m.
    JOSTLE_HD double separation() const {
      double largest = std::fabs(centre[0]) - half_edges[0] - half_length * std::fabs(direction[0]);
      for (int k = 0; k < 3; ++k) {
        const double across_faces = std::fabs(centre[k]) - half_edges[k] - half_length * std::fabs(direction[k]);
        if (across_faces > largest) largest = across_faces;
        const int next = axis_after(k, 1), last = axis_after(k, 2);
        const double x = direction[last], y = -direction[next];  // core x edge
        const double sine = std::sqrt(x * x + y * y);
        if (!(sine > parallel_sine)) continue;
        const double apart = std::fabs(centre[next] * x + centre[last] * y);
        const double reach = half_edges[next] * std::fabs(x) + half_edges[last] * std::fabs(y);
        if ((apart - reach) / sine > largest) largest = (apart - reach) / sine;
      }
      return largest;
    }
  };

  JOSTLE_HD static void insert_cap(FeatureSet& set, const Local& local, int end, const CandidateBounds& bounds) {
    const Vec3 x = local.end(end);
    const BoxRegion region(x, local.half_edges, bounds.edge);
    if (region.dimensions_beyond() < 2) {
      const auto faces = [&](int face) {
        return bounds.leads(side(end) * side(face & 1) * component(local.direction, face / 2), 2 * local.half_length);
      };
      const auto separation = [&](int face) {
        return local_face_height(local.centre, local.half_edges, face) -
               local.half_length * std::fabs(component(local.direction, face / 2));
      };
      const int face = touched_face(region, faces, separation);
      if (face == no_face) return;
      const double height = local_face_height(x, local.half_edges, face);
      if (height >= bounds.lowest && height <= bounds.highest) set.insert(box_faces * end + face);
      return;
    }
    Vec3 away(0, 0, 0);  // from the edge or corner to x
    for (int k = 0; k < 3; ++k)
      if (region.beyond[k] != 0) away[k] = x[k] - region.beyond[k] * local.half_edges[k];
    const double distance = std::sqrt(dot(away, away));
    if (distance > bounds.highest) return;
    if (!bounds.leads(side(end) * dot(local.direction, away) / distance, 2 * local.half_length)) return;
    const bool corner = region.dimensions_beyond() == 3;
    set.insert(corner ? cap_on_corner + box_corners * end + region.corner()
                      : cap_on_edge + box_edges * end + region.edge());
  }

  JOSTLE_HD static void insert_edges(FeatureSet& set, const Local& local, const CandidateBounds& bounds) {
    for (int e = 0; e < box_edges; ++e) {
      const int axis = e / 4, next = axis_after(axis, 1), last = axis_after(axis, 2);
      const double sign_next = side(e & 1), sign_last = side(e & 2);
      const double half_next = component(local.half_edges, next), half_last = component(local.half_edges, last);
      // n = +-(core x edge), away from the box, in units of the edge's two outward normals.
      double n_next = sign_next * component(local.direction, last),
             n_last = -sign_last * component(local.direction, next);
      const double sine = std::sqrt(n_next * n_next + n_last * n_last);
      if (!(sine > parallel_sine)) continue;
      const double outwards = n_next + n_last >= 0 ? 1 / sine : -1 / sine;
      n_next *= outwards;
      n_last *= outwards;
      if (!bounds.leads(-n_next, 2 * half_next)) continue;
      if (!bounds.leads(-n_last, 2 * half_last)) continue;
      const double height = n_next * (sign_next * component(local.centre, next) - half_next) +
                            n_last * (sign_last * component(local.centre, last) - half_last);
      if (height < bounds.lowest || height > bounds.highest) continue;
      Vec3 middle, along;
      for (int k = 0; k < 3; ++k) {
        middle[k] = k == next ? sign_next * half_next : k == last ? sign_last * half_last : 0;
        along[k] = k == axis;
      }
      const LineCrossing crossing = cross_lines(middle - local.centre, local.direction, along);
      // Where a cap ends the core, the cap is the contact, if there is a face for it.
      const bool flat = std::fabs(n_next) <= flat_slope || std::fabs(n_last) <= flat_slope;
      if (std::fabs(crossing.along_u) <= local.half_length + (flat ? -bounds.edge : bounds.edge) &&
          std::fabs(crossing.along_v) <= component(local.half_edges, axis) + bounds.edge)
        set.insert(side_on_edge + e);
    }
  }

  JOSTLE_HD static void insert_corners(FeatureSet& set, const Local& local, const CandidateBounds& bounds) {
    for (int c = 0; c < box_corners; ++c) {
      const Vec3 corner(side(c & 1) * local.half_edges[0], side(c & 2) * local.half_edges[1],
                        side(c & 4) * local.half_edges[2]);
      const double along = dot(corner - local.centre, local.direction);
      if (std::fabs(along) > local.half_length - bounds.edge) continue;
      const Vec3 away = local.centre + along * local.direction - corner;
      bool in_region = true;
      for (int k = 0; k < 3; ++k) in_region = in_region && side(c & (1 << k)) * away[k] >= 0;
      if (in_region && std::sqrt(dot(away, away)) <= bounds.highest) set.insert(side_on_corner + c);
    }
  }
};

}  // namespace jostle

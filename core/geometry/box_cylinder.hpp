#pragma once
// A box against a cylinder.
//
//     0..59      rim j on face f, point i of the rim: 30 j + 5 f + i    Phi = height of the point above the face
//     60..75     corner p on cap j: 60 + 8 j + p                        Phi = height of the corner above the cap
//     76..83     corner p on the side: 76 + p                           Phi = distance from the axis - R
//     84..95     edge e across the side: 84 + e                         Phi = n . (axis - edge) - R, n along axis x
//     edge 96..143    edge e across rim j: 96 + 24 j + 2 e + half            Phi = n . (rim - edge), n along tangent x
//     edge
//
// A cylinder that lies on a face rests on the lowest points of its rims, or on the face's edges where it reaches over
// them; one that stands, on four points of its rim and on the edges that cross it; a box on a cap, on its corners and
// the edges that cross the rim.
#include "core/geometry/box_features.hpp"
#include "core/geometry/convex_pair.hpp"
#include "core/geometry/cylinder_features.hpp"

namespace jostle {

struct BoxCylinder : ConvexPair<BoxCylinder> {
  static constexpr int on_cap = 2 * box_faces * rim_points;
  static constexpr int on_side = on_cap + 2 * box_corners;
  static constexpr int edge_on_side = on_side + box_corners;
  static constexpr int edge_on_rim = edge_on_side + box_edges;
  static constexpr int features = edge_on_rim + 2 * 2 * box_edges;

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    if (feature < on_cap) {
      const RimOnFace on(feature);
      return swapped(ball_on_face(rim_point(b, on.rim, on.point, face_normal(a, on.face)), 0, a, on.face));
    }
    if (feature < edge_on_side) {
      const Vec3 corner = box_corner(a, (feature - on_cap) % box_corners);
      if (feature < on_side) return ball_on_cap(corner, 0, b, (feature - on_cap) / box_corners);
      return ball_contact(corner, 0, across_axis(b, corner), b.size[0]);
    }
    if (feature < edge_on_rim) return swapped(side_across_edge(b, box_edge(a, feature - edge_on_side)));
    const EdgeOnRim on(feature);
    const BoxEdge edge = box_edge(a, on.edge);
    return swapped(rim_on_line(b, on.rim, on.half, edge.middle, edge.direction, 0, edge.outward));
  }

  /// No rim is nearer to an edge than its centre is, less the radius.
  JOSTLE_HD static bool may_touch(const PlacedShape& a, const PlacedShape& b, int feature, double margin) {
    if (feature < edge_on_rim) return true;
    const EdgeOnRim on(feature);
    const Vec3 centre = end_point(b, on.rim), away = centre - across(box_edge(a, on.edge), centre);
    return dot(away, away) <= (b.size[0] + margin) * (b.size[0] + margin);
  }

  JOSTLE_HD static bool is_real(const PlacedShape& a, const PlacedShape& b, int feature, const ContactGeometry& c,
                                double border_width) {
    if (feature < on_cap) return stands_on_rim_point(b, RimOnFace(feature).point, c.normal);
    if (feature < edge_on_side) return true;
    const int number = feature < edge_on_rim ? feature - edge_on_side : EdgeOnRim(feature).edge;
    const BoxEdge edge = box_edge(a, number);
    const double along = std::fabs(dot(c.point_a - edge.middle, edge.direction)), u_n = dot(c.normal, b.axes.col(2));
    const bool inside = along <= edge.half_length - border_width;
    if (feature < edge_on_rim) {
      const Vec3 across = cross(b.axes.col(2), edge.direction);
      return inside && dot(across, across) > parallel_sine * parallel_sine &&
             std::fabs(dot(c.point_b - b.position, b.axes.col(2))) <= b.size[1] - border_width;
    }
    // Where a corner ends the edge, the corner is the contact, if it is on the cap or the side.
    const bool flat = std::fabs(u_n) <= flat_slope || 1 - u_n * u_n <= flat_slope * flat_slope;
    const EdgeOnRim on(feature);
    return (inside || !flat) && rim_meets(b, on.rim, on.half, edge.middle, edge.direction, 0);
  }

 private:
  struct RimOnFace {
    int rim, face, point;
    JOSTLE_HD explicit RimOnFace(int feature)
        : rim(feature / (box_faces * rim_points)),
          face(feature / rim_points % box_faces),
          point(feature % rim_points) {}
  };
  struct EdgeOnRim {
    int rim, edge, half;
    JOSTLE_HD explicit EdgeOnRim(int feature)
        : rim((feature - edge_on_rim) / (2 * box_edges)),
          edge((feature - edge_on_rim) / 2 % box_edges),
          half((feature - edge_on_rim) % 2) {}
  };
};

}  // namespace jostle

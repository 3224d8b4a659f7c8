#pragma once
// A cylinder against the core of a hull. With V, E and F corners, edges and faces of the hull, of which only convex
// corners and edges count, the feature pairs are
//
//     10 F    rim j on face f, point i of the rim      5 (j F + f) + i       Phi = height of the point above the face
//     2 V     corner p on cap j                        10 F + j V + p        Phi = height of the corner above the cap
//     V       corner p on the side                     + p                   Phi = distance from the axis - R
//     E       edge e across the side                   + e                   Phi = n . (edge - axis) - R
//     4 E     edge e across rim j, half of the rim     + 2 (j E + e) + half  Phi = n . (edge - rim)
//     2 V     corner p on rim j, if the hull can have a radius: + j V + p    Phi = distance
//
// less the hull's radius. They are those of a box and a cylinder (box_cylinder.hpp).
#include "core/geometry/convex_pair.hpp"
#include "core/geometry/cylinder_features.hpp"
#include "core/geometry/polyhedron.hpp"
#include "core/geometry/sphere_cylinder.hpp"

namespace jostle {

/// Where the kinds of feature pairs begin, and how many there are of all.
struct CylinderOnCore {
  int on_cap, on_side, edge_on_side, edge_on_rim, on_rim, features;
  JOSTLE_HD constexpr CylinderOnCore(const CoreCounts& core, bool is_rounded)
      : on_cap(2 * rim_points * core.faces),
        on_side(on_cap + 2 * core.touching_corners),
        edge_on_side(on_side + core.touching_corners),
        edge_on_rim(edge_on_side + core.touching_edges),
        on_rim(edge_on_rim + 4 * core.touching_edges),
        features(on_rim + (is_rounded ? 2 * core.touching_corners : 0)) {}
};

namespace detail {

/// Cylinder a and the core of hull b, which a radius surrounds.
class CylinderAndCore {
 public:
  JOSTLE_HD CylinderAndCore(const PlacedShape& a, const PlacedShape& b)
      : a_(a), core_(b), at_(core_, jostle::is_rounded(b.type, b.structure)) {}

  JOSTLE_HD ContactGeometry contact(int feature) const {
    ContactGeometry c = on_core(feature);
    c.gap -= core_.radius, c.point_b = c.point_b - core_.radius * c.normal;
    return c;
  }

 protected:
  /// Without the radius.
  JOSTLE_HD ContactGeometry on_core(int feature) const {
    if (feature < at_.on_cap) {
      const int face = feature / rim_points % core_.faces;
      const Vec3 m = core_.in_world(core_.normal(face));
      const Vec3 x = rim_point(a_, feature / (rim_points * core_.faces), feature % rim_points, m);
      const double height = dot(m, Vec3(x - core_.shape.position)) - core_.face_offset(face);
      return {height, -m, x, x - height * m};
    }
    if (feature < at_.edge_on_side || feature >= at_.on_rim) return corner_contact(feature);
    const BoxEdge edge = edge_of(feature);
    if (feature < at_.edge_on_rim) return side_across_edge(a_, edge);
    const int rest = feature - at_.edge_on_rim;
    return rim_on_line(a_, rest / (2 * core_.touching_edges), rest % 2, edge.middle, edge.direction, 0, edge.outward);
  }

  JOSTLE_HD ContactGeometry corner_contact(int feature) const {
    const Vec3 x = core_.corner_in_world(corner_of(feature));
    if (feature < at_.on_side) return swapped(ball_on_cap(x, 0, a_, (feature - at_.on_cap) / core_.touching_corners));
    if (feature < at_.edge_on_side) return swapped(ball_contact(x, 0, across_axis(a_, x), a_.size[0]));
    const Vec3 arm = unit_or(across_discs(a_, x - a_.position), a_.axes.col(0));
    return ball_contact(end_point(a_, (feature - at_.on_rim) / core_.touching_corners) + a_.size[0] * arm, 0, x, 0);
  }

  JOSTLE_HD int corner_of(int feature) const {
    return (feature - (feature < at_.on_rim ? at_.on_cap : at_.on_rim)) % core_.touching_corners;
  }
  JOSTLE_HD int edge_number(int feature) const {
    return feature < at_.edge_on_rim ? feature - at_.edge_on_side
                                     : (feature - at_.edge_on_rim) / 2 % core_.touching_edges;
  }
  JOSTLE_HD BoxEdge edge_of(int feature) const { return placed_edge(edge_number(feature)); }
  JOSTLE_HD BoxEdge placed_edge(int number) const {
    const PolyhedronEdge e = core_.edge(number);
    const Vec3 along = core_.along(e);
    const double length = std::sqrt(dot(along, along));
    const Vec3 middle = 0.5 * (core_.corner(e.from) + core_.corner(e.to));
    return {core_.shape.position + core_.in_world(middle), core_.in_world(along / length), 0.5 * length,
            core_.in_world(core_.outward(e))};
  }

  /// No rim is nearer to an edge than its centre is, less the radius.
  JOSTLE_HD bool may_touch(int feature, double margin) const {
    if (feature < at_.edge_on_rim || feature >= at_.on_rim) return true;
    const BoxEdge edge = edge_of(feature);
    const Vec3 d = end_point(a_, (feature - at_.edge_on_rim) / (2 * core_.touching_edges)) - edge.middle;
    const Vec3 away = d - dot(d, edge.direction) * edge.direction;
    const double most = a_.size[0] + core_.radius + (margin > 0 ? margin : 0.0);
    return dot(away, away) <= most * most;
  }

  /// s(n) along a face, m.
  JOSTLE_HD double apart_from_face(int f) const {
    const Vec3 d = a_.position - core_.shape.position, m = core_.in_world(core_.normal(f));
    return dot(d, m) - reach_towards(a_, m) - core_.face_offset(f) - core_.radius;
  }

  /// Does neither shape reach much further along the normal?
  JOSTLE_HD bool lead(int feature, const ContactGeometry& c, double border_width, double most) const {
    return leads(a_, c.point_a, c.normal, border_width, most) &&
           (feature < at_.on_cap || core_leads(feature, c.normal, border_width, most));
  }

  /// A corner or an edge of the core; `normal` from the cylinder to it.
  JOSTLE_HD JOSTLE_OUTLINE bool core_leads(int feature, const Vec3& normal, double border_width, double most) const {
    const Vec3 towards = rotate_back(core_.shape.axes, -normal);
    const auto leads_along = [&](double slope, double length) {
      return slope * length <= border_width || (slope <= nearing_limit && slope * length <= most);
    };
    bool all = true;
    if (feature < at_.edge_on_side || feature >= at_.on_rim) {
      const int corner = corner_of(feature);
      core_.for_each_edge_at(corner, [&](int number) {
        const PolyhedronEdge e = core_.edge(number);
        const Vec3 d = core_.corner(e.from == corner ? e.to : e.from) - core_.corner(corner);
        const double length = std::sqrt(dot(d, d));
        all = all && leads_along(dot(d, towards) / length, length);
      });
      return all;
    }
    const PolyhedronEdge e = core_.edge(edge_number(feature));
    const Vec3 along = unit_or(core_.along(e), Vec3(1, 0, 0));
    return leads_along(dot(cross(core_.normal(e.left), along), towards), core_.width_from(e.left, e)) &&
           leads_along(dot(cross(along, core_.normal(e.right)), towards), core_.width_from(e.right, e));
  }

  /// What these rules do not tell. `past_end`: how far past the end of its edge a crossing counts, m.
  JOSTLE_HD bool is_real(int feature, const ContactGeometry& c, double border_width, double past_end) const {
    if (feature < at_.on_cap) return stands_on_rim_point(a_, feature % rim_points, c.normal);
    const Vec3 u = a_.axes.col(2);
    if (feature < at_.edge_on_side || feature >= at_.on_rim) {
      if (!(core_.radius > 0)) return feature < at_.on_rim;
      const int under = BallOnCylinder::nearest(core_.corner_in_world(corner_of(feature)), a_);
      return (feature >= at_.on_rim) == (under >= BallOnCylinder::on_rim);
    }
    const BoxEdge edge = edge_of(feature);
    const double along = std::fabs(dot(c.point_b - edge.middle, edge.direction)), u_n = dot(c.normal, u);
    const bool inside = along <= edge.half_length + past_end;
    if (feature < at_.edge_on_rim) {
      const Vec3 across = cross(u, edge.direction);
      return inside && dot(across, across) > parallel_sine * parallel_sine &&
             std::fabs(dot(c.point_a - a_.position, u)) <= a_.size[1] - border_width;
    }
    // Where a corner ends the edge, the corner is the contact, if it is on the cap or the side.
    const bool flat = std::fabs(u_n) <= flat_slope || 1 - u_n * u_n <= flat_slope * flat_slope;
    const int rest = feature - at_.edge_on_rim;
    return (inside || !flat) &&
           rim_meets(a_, rest / (2 * core_.touching_edges), rest % 2, edge.middle, edge.direction, core_.radius);
  }

  const PlacedShape& a_;
  Polyhedron core_;
  CylinderOnCore at_;
};

}  // namespace detail

}  // namespace jostle

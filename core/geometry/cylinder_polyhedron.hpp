#pragma once
// A cylinder against a hull. The rules for their feature pairs (cylinder_and_core.hpp) are those of convex pairs
// (convex_pair.hpp), or of surfaces (cylinder_surface.hpp).
#include "core/geometry/cylinder_and_core.hpp"
#include "core/geometry/cylinder_surface.hpp"
#include "core/geometry/wanted_features.hpp"

namespace jostle {

namespace detail {

/// Cylinder a and the core of a convex hull b.
class CylinderAndHull : private CylinderAndCore {
 public:
  using CylinderAndCore::CylinderAndCore;

  /// wanted.insert(feature) for the candidates.
  template <class Wanted>
  JOSTLE_HD void visit(double margin, const Wanted& wanted) const {
    double overlap = apart_along_an_axis();
    if (overlap > margin) return;
    const double edge = border * (bounding_radius(a_) + bounding_radius(core_.shape));
    const auto is_near = [&](const ContactGeometry& c) {
      const CandidateBounds bounds(overlap, margin, edge);
      return c.gap <= margin && c.gap >= bounds.lowest;
    };
    for (int feature = 0; feature < at_.features; ++feature) {
      if (!may_touch(feature, margin)) continue;
      const ContactGeometry c = contact(feature);
      if (!is_near(c)) continue;
      const double apart = apart_along(a_, core_.shape, c.normal);
      if (apart > margin) return;
      if (apart > overlap) overlap = apart;
    }
    const CandidateBounds bounds(overlap, margin, edge);
    const int end = wanted.end_of_rows(0, at_.features, 1);
    for (int feature = wanted.first_row(0, 1); feature < end; ++feature) {
      if (!may_touch(feature, margin)) continue;
      const ContactGeometry c = contact(feature);
      if (is_near(c) && is_on(c, edge) && lead(feature, c, edge, bounds.highest - bounds.lowest) &&
          is_real(feature, c, edge, -edge))
        wanted.insert(feature);
    }
  }

  /// Apart, the cylinder and the core are nearest at a corner, or at the point of a feature on its edge or face.
  JOSTLE_HD double distance() const {
    double greatest = apart_along_an_axis() + core_.radius, squared = infinity();
    Vec3 shortest = Vec3::Zero();
    for (int feature = 0; feature < at_.features; ++feature) {
      const ContactGeometry c = on_core(feature);
      if (!(greatest > 0)) {  // else its size does not count
        const double apart = apart_along(a_, core_.shape, c.normal) + core_.radius;
        if (apart > greatest) greatest = apart;
      }
      if (!is_on_its_feature(feature, c.point_b)) continue;
      const Vec3 connection = c.point_b - closest_point(a_, c.point_b);
      if (dot(connection, connection) < squared) squared = dot(connection, connection), shortest = connection;
    }
    const double apart =
        squared > 0 ? apart_along(a_, core_.shape, unit_or(shortest, a_.axes.col(2))) + core_.radius : greatest;
    const double of_core = greatest > 0 || apart > 0 ? std::sqrt(squared) : (apart > greatest ? apart : greatest);
    return of_core - core_.radius;
  }

 private:
  /// Is y, in the plane, on the line or the corner of a feature of the core, on that feature? Of corners once.
  JOSTLE_HD bool is_on_its_feature(int feature, const Vec3& y) const {
    if (feature < at_.on_cap) return core_.is_over(feature / rim_points % core_.faces, to_local(core_.shape, y), 0);
    if (feature < at_.edge_on_side || feature >= at_.on_rim) return feature >= at_.on_side && feature < at_.on_rim;
    const BoxEdge edge = edge_of(feature);
    return std::fabs(dot(y - edge.middle, edge.direction)) <= edge.half_length;
  }

  /// s(n), m: the greatest along the faces and the axis.
  JOSTLE_HD double apart_along_an_axis() const {
    const Vec3 d = a_.position - core_.shape.position, u = a_.axes.col(2);
    double greatest = apart_along(a_, core_.shape, dot(d, u) > 0 ? Vec3(-u) : u);
    for (int f = 0; f < core_.faces; ++f) {
      const double apart = apart_from_face(f);
      if (apart > greatest) greatest = apart;
    }
    return greatest;
  }

  /// From the numbers of the core: where an edge is nearly along the axis, x may be far away, and x minus the way to
  /// the core would have its rounding errors.
  JOSTLE_HD Vec3 closest_of_core(const Vec3& x) const {
    const Vec3 local = to_local(core_.shape, x);
    const NearestPart part = nearest_part(core_, local, 0);
    Vec3 closest = Vec3::Zero();
    switch (part.kind) {
      case NearestPart::Kind::inside: return x;
      case NearestPart::Kind::face: {
        const Vec3 m = core_.normal(part.number);
        closest = local - core_.height(part.number, local) * m;
        closest = closest - core_.height(part.number, closest) * m;
        break;
      }
      case NearestPart::Kind::edge: {
        const PolyhedronEdge ends = core_.edge(part.number);
        const Vec3 p = core_.corner(ends.from), d = core_.corner(ends.to) - p;
        closest = p + dot(local - p, d) / dot(d, d) * d;
        break;
      }
      case NearestPart::Kind::corner: closest = core_.corner(part.number); break;
    }
    return core_.shape.position + core_.in_world(closest);
  }

  /// Do both points belong to the shapes, to within the border?
  JOSTLE_HD bool is_on(const ContactGeometry& c, double border_width) const {
    const Vec3 of_core = c.point_b + core_.radius * c.normal;
    const Vec3 beyond = c.point_a - closest_point(a_, c.point_a), beyond_core = of_core - closest_of_core(of_core);
    return dot(beyond, beyond) <= border_width * border_width &&
           dot(beyond_core, beyond_core) <= border_width * border_width;
  }
};

}  // namespace detail

/// Cylinder a and hull b.
struct CylinderPolyhedron {
  static constexpr int features = 1;  ///< or more: Model::features_of

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    return detail::CylinderAndCore(a, b).contact(feature);
  }
  /// Those of the page whose first feature pair is `first`.
  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin, int first) {
    if (far_apart(a, b, margin)) return {};
    if (!is_convex(b)) return detail::cylinder_candidates(a, b, margin, first);
    FeatureSet set;
    detail::CylinderAndHull(a, b).visit(margin, detail::PageOfFeatures{first, set});
    return set;
  }
  /// insert(feature) for all of a convex hull.
  JOSTLE_HD static void visit_close(const PlacedShape& a, const PlacedShape& b, double margin, double, auto insert) {
    if (!far_apart(a, b, margin))
      detail::CylinderAndHull(a, b).visit(margin, detail::AllFeatures<decltype(insert)>{insert});
  }
  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    return is_convex(b) ? detail::CylinderAndHull(a, b).distance() : detail::cylinder_distance(a, b);
  }

 private:
  JOSTLE_HD static bool is_convex(const PlacedShape& b) { return !may_be_concave(b); }
};

}  // namespace jostle

#pragma once
// A cylinder against a hull. The rules for their feature pairs (cylinder_and_core.hpp) are those of convex pairs
// (convex_pair.hpp), or of surfaces (cylinder_surface.hpp).
#include "core/geometry/cylinder_and_core.hpp"
#include "core/geometry/cylinder_surface.hpp"

namespace jostle {

namespace detail {

/// Cylinder a and the core of a convex hull b.
class CylinderAndHull : private CylinderAndCore {
 public:
  using CylinderAndCore::CylinderAndCore;

  JOSTLE_HD FeatureSet close(double margin, int first) const {
    FeatureSet set;
    double overlap = apart_along_an_axis();
    if (overlap > margin) return set;
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
      if (apart > margin) return set;
      if (apart > overlap) overlap = apart;
    }
    const CandidateBounds bounds(overlap, margin, edge);
    for (int feature = first; feature < at_.features && feature < first + page_features; ++feature) {
      if (!may_touch(feature, margin)) continue;
      const ContactGeometry c = contact(feature);
      if (is_near(c) && is_on(c, edge) && lead(feature, c, edge, bounds.highest - bounds.lowest) &&
          is_real(feature, c, edge, -edge))
        set.insert(feature - first);
    }
    return set;
  }

  /// Apart, the cylinder and the core are nearest at a point of one of the features, or at the ends of edges and rims
  /// that it is clamped to.
  JOSTLE_HD double distance() const {
    double greatest = apart_along_an_axis() + core_.radius, squared = infinity();
    Vec3 shortest = Vec3::Zero();
    const auto keep_shorter = [&](const Vec3& connection) {
      if (!(dot(connection, connection) < squared)) return;
      squared = dot(connection, connection), shortest = connection;
    };
    for (int feature = 0; feature < at_.features; ++feature) {
      const ContactGeometry c = on_core(feature);
      const double apart = apart_along(a_, core_.shape, c.normal) + core_.radius;
      if (apart > greatest) greatest = apart;
      const Vec3 x = closest_point(a_, c.point_a), y = closest_of_core(c.point_b);
      keep_shorter(closest_of_core(x) - x);
      keep_shorter(y - closest_point(a_, y));
    }
    const double apart =
        squared > 0 ? apart_along(a_, core_.shape, unit_or(shortest, a_.axes.col(2))) + core_.radius : greatest;
    const double of_core = greatest > 0 || apart > 0 ? std::sqrt(squared) : (apart > greatest ? apart : greatest);
    return of_core - core_.radius;
  }

 private:
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
    return is_convex(b) ? detail::CylinderAndHull(a, b).close(margin, first)
                        : detail::cylinder_candidates(a, b, margin, first);
  }
  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    return is_convex(b) ? detail::CylinderAndHull(a, b).distance() : detail::cylinder_distance(a, b);
  }

 private:
  JOSTLE_HD static bool is_convex(const PlacedShape& b) { return !may_be_concave(b); }
};

}  // namespace jostle

#pragma once
// Spheres and capsules among themselves. A capsule is the set of points within its radius of the
// segment between its two cap centres, so every feature pair is a pair of balls,
//
//     Phi = |y - x| - r_a - r_b,     n = (y - x) / |y - x|,
//
// with x and y fixed points (cap centres) or the points where lines come closest. The rate of |y - x| does not depend
// on how x and y move along lines perpendicular to n.
//
// A cap is a feature only if the rest of its capsule does not come far nearer to the other shape: else the deeper cap
// is the contact. `nearing_limit` leaves room for a capsule that lands flat.
#include "core/geometry/candidates.hpp"
#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/lines.hpp"

namespace jostle {

/// Two balls about x and y. Where the centres coincide, the normal is world x.
JOSTLE_HD inline ContactGeometry ball_contact(const Vec3& x, double radius_a, const Vec3& y, double radius_b) {
  const Vec3 between = y - x;
  const Vec3 n = unit_or(between, Vec3(1, 0, 0));
  return {dot(between, n) - radius_a - radius_b, n, x + radius_a * n, y - radius_b * n};
}

JOSTLE_HD inline LineCrossing cross_axes(const PlacedShape& a, const PlacedShape& b) {
  return cross_lines(b.position - a.position, a.axes.col(2), b.axes.col(2));
}

/// The sides of two capsules or cylinders. If the axes are parallel: the middle of a and the point of b closest to it.
/// If they cross in one point, the normal is along the common perpendicular.
JOSTLE_HD inline ContactGeometry sides_across(const PlacedShape& a, const PlacedShape& b) {
  const LineCrossing axes = cross_axes(a, b);
  const Vec3 u = a.axes.col(2);
  const Vec3 x = a.position + axes.along_u * u;
  const Vec3 y = b.position + axes.along_v * b.axes.col(2);
  const Vec3 between = y - x;
  const Vec3 n = unit_or(between, axes.parallel() ? perpendicular(u) : unit_or(axes.cross, u));
  return {dot(between, n) - a.size[0] - b.size[0], n, x + a.size[0] * n, y - b.size[0] * n};
}

/// Do the sides cross further than the border from the ends?
JOSTLE_HD inline bool sides_cross(const PlacedShape& a, const PlacedShape& b, double border_width) {
  const LineCrossing axes = cross_axes(a, b);
  return !axes.parallel() && std::fabs(axes.along_u) <= a.size[1] - border_width &&
         std::fabs(axes.along_v) <= b.size[1] - border_width;
}

struct SphereSphere {
  static constexpr int features = 1;

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int) {
    return ball_contact(a.position, a.size[0], b.position, b.size[0]);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (!far_apart(a, b, margin)) set.insert(0);
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) { return contact(a, b, 0).gap; }
};

/// close and distance of a pair whose features touch one at a time: Pair::nearest(a, b) says which.
template <class Pair>
struct NearestFeature {
  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (far_apart(a, b, margin)) return set;
    const int feature = Pair::nearest(a, b);
    if (Pair::contact(a, b, feature).gap <= margin) set.insert(feature);
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    return Pair::contact(a, b, Pair::nearest(a, b)).gap;
  }
};

/// Feature 0 and 1: the sphere on a cap; 2: on the capsule's side.
struct SphereCapsule : NearestFeature<SphereCapsule> {
  static constexpr int features = 3;
  static constexpr int on_side = 2;

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    const Vec3 y = feature == on_side ? across_axis(b, a.position) : end_point(b, feature);
    return ball_contact(a.position, a.size[0], y, b.size[0]);
  }

  /// Chosen by the projection of the sphere's centre on the capsule's axis.
  JOSTLE_HD static int nearest(const PlacedShape& a, const PlacedShape& b) {
    const double along = dot(a.position - b.position, b.axes.col(2));
    if (std::fabs(along) <= b.size[1]) return on_side;
    return along > 0 ? 1 : 0;
  }
};

}  // namespace jostle

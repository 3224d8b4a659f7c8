#pragma once
// A sphere against a cylinder. One feature pair counts at a time: the part of the cylinder whose Voronoi region holds
// the sphere's centre, or the nearer of side and caps if the centre is in the cylinder.
//
//     0       the sphere on the side
//     1, 2    on a cap
//     3, 4    on a rim
#include "core/geometry/cylinder_features.hpp"

namespace jostle {

/// The features of a cylinder under a ball.
struct BallOnCylinder {
  static constexpr int features = 5;
  static constexpr int on_cap = 1, on_rim = 3;

  /// If the centre is on the axis, the normal to the side is world x, and the point of a rim at local +x.
  JOSTLE_HD static ContactGeometry contact(const Vec3& x, double radius, const PlacedShape& b, int feature) {
    if (feature < on_cap) return ball_contact(x, radius, across_axis(b, x), b.size[0]);
    if (feature < on_rim) return ball_on_cap(x, radius, b, feature - on_cap);
    const Vec3 arm = unit_or(across_discs(b, x - b.position), b.axes.col(0));
    return ball_contact(x, radius, end_point(b, feature - on_rim) + b.size[0] * arm, 0);
  }

  /// The feature whose region holds x.
  JOSTLE_HD static int nearest(const Vec3& x, const PlacedShape& b) {
    const double z = dot(x - b.position, b.axes.col(2));
    const double over_cap = std::fabs(z) - b.size[1], over_side = sine_of_tilt(b, x - b.position) - b.size[0];
    const int end = z > 0 ? 1 : 0;
    if (over_cap > 0 && over_side > 0) return on_rim + end;
    return over_cap > over_side ? on_cap + end : 0;
  }
};

struct SphereCylinder : NearestFeature<SphereCylinder> {
  static constexpr int features = BallOnCylinder::features;

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    return BallOnCylinder::contact(a.position, a.size[0], b, feature);
  }
  JOSTLE_HD static int nearest(const PlacedShape& a, const PlacedShape& b) {
    return BallOnCylinder::nearest(a.position, b);
  }
};

}  // namespace jostle

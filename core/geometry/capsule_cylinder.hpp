#pragma once
// A capsule against a cylinder.
//
//     0..9      cap i on the cylinder: 5 i + a feature of BallOnCylinder
//     10        side on side, where the axes cross
//     11..14    side on rim j: 11 + 2 j + half of the rim (cylinder_features.hpp)
//
// A capsule that lies on a cap rests on its own caps, or on the rim where it reaches over it. Where a cap ends the
// capsule or a rim the cylinder, to within the border, the cap or the rim is the contact.
#include "core/geometry/convex_pair.hpp"
#include "core/geometry/sphere_cylinder.hpp"

namespace jostle {

struct CapsuleCylinder : ConvexPair<CapsuleCylinder> {
  static constexpr int on_side = 2 * BallOnCylinder::features, on_rim = on_side + 1, features = on_rim + 4;

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    if (feature < on_side) {
      const int cap = feature / BallOnCylinder::features;
      return BallOnCylinder::contact(end_point(a, cap), a.size[0], b, feature % BallOnCylinder::features);
    }
    if (feature == on_side) return sides_across(a, b);
    const int rim = (feature - on_rim) / 2, half = (feature - on_rim) % 2;
    return swapped(rim_on_line(b, rim, half, a.position, a.axes.col(2), a.size[0], Vec3::Zero()));
  }

  JOSTLE_HD static bool may_touch(const PlacedShape&, const PlacedShape&, int, double) { return true; }

  JOSTLE_HD static bool is_real(const PlacedShape& a, const PlacedShape& b, int feature, const ContactGeometry& c,
                                double border_width) {
    if (feature < on_side) {
      const int under = BallOnCylinder::nearest(end_point(a, feature / BallOnCylinder::features), b);
      return (feature % BallOnCylinder::features >= BallOnCylinder::on_rim) == (under >= BallOnCylinder::on_rim);
    }
    if (feature == on_side) return sides_cross(a, b, border_width);
    const Vec3 u = a.axes.col(2);
    const int rim = (feature - on_rim) / 2, half = (feature - on_rim) % 2;
    return std::fabs(dot(c.point_b - a.position, u)) <= a.size[1] - border_width &&
           rim_meets(b, rim, half, a.position, u, a.size[0]);
  }
};

}  // namespace jostle

#pragma once
// Two capsules. Their feature pairs are
//
//     0..3   cap i of a on cap j of b: 2 i + j
//     4, 5   cap of a on the side of b
//     6, 7   side of a on a cap of b
//     8      side on side, where the axes cross
//
// Parallel capsules touch at the two caps that bound the part they share. Where caps lie side by side to within the
// border, the pair of a's cap with b's side stands for both.
#include "core/geometry/round_pairs.hpp"

namespace jostle {

struct CapsuleCapsule {
  static constexpr int features = 9;
  static constexpr int cap_on_side = 4, side_on_cap = 6, side_on_side = 8;

  /// If the axes are parallel, side on side takes the middle of a and the point of b closest to it. If the axes of two
  /// sides cross in one point, the normal is along the common perpendicular.
  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    if (feature == side_on_side) return sides_across(a, b);
    const Vec3 x = feature < side_on_cap ? end_point(a, feature < cap_on_side ? feature / 2 : feature - cap_on_side)
                                         : across_axis(a, end_point(b, feature - side_on_cap));
    const Vec3 y = feature < cap_on_side
                       ? end_point(b, feature % 2)
                       : (feature < side_on_cap ? across_axis(b, x) : end_point(b, feature - side_on_cap));
    return ball_contact(x, a.size[0], y, b.size[0]);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (far_apart(a, b, margin)) return set;
    const double edge = border * (bounding_radius(a) + bounding_radius(b));
    const auto insert_if_near = [&](int feature, int cap_a, int cap_b) {
      const ContactGeometry c = contact(a, b, feature);
      if (c.gap <= margin && leads(a, cap_a, c.normal) && leads(b, cap_b, -c.normal)) set.insert(feature);
    };
    // For each cap: does it face the other's side (-1) or one of its caps?
    const int seen_by_a[2] = {cap_seen(end_point(a, 0), b, edge), cap_seen(end_point(a, 1), b, edge)};
    const int seen_by_b[2] = {cap_seen(end_point(b, 0), a, -2 * edge), cap_seen(end_point(b, 1), a, -2 * edge)};
    for (int cap = 0; cap < 2; ++cap) {
      if (seen_by_a[cap] < 0) insert_if_near(cap_on_side + cap, cap, none);
      if (seen_by_b[cap] < 0) insert_if_near(side_on_cap + cap, none, cap);
      const int other = seen_by_a[cap];
      if (other >= 0 && seen_by_b[other] == cap) insert_if_near(2 * cap + other, cap, other);
    }
    if (sides_cross(a, b, edge)) insert_if_near(side_on_side, none, none);
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const double squared =
        squared_segment_distance(a.position, a.axes.col(2), a.size[1], b.position, b.axes.col(2), b.size[1]);
    return std::sqrt(squared) - a.size[0] - b.size[0];
  }

 private:
  static constexpr int none = -1;

  /// The cap of the capsule beyond which x projects on its axis, or none.
  JOSTLE_HD static int cap_seen(const Vec3& x, const PlacedShape& capsule, double edge) {
    const double along = dot(x - capsule.position, capsule.axes.col(2));
    if (std::fabs(along) <= capsule.size[1] + edge) return none;
    return along > 0 ? 1 : 0;
  }

  /// Does the capsule reach furthest along n, or nearly so, with this cap?
  JOSTLE_HD static bool leads(const PlacedShape& capsule, int cap, const Vec3& n) {
    return cap == none || -side(cap) * dot(capsule.axes.col(2), n) <= nearing_limit;
  }
};

}  // namespace jostle

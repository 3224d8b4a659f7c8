#pragma once
// A cylinder against a half-space. Let u be the cylinder's axis, m the plane's outward normal and
// e = (m - (m.u) u) / s with s = |m - (m.u) u| the sine of the tilt. An end disc with centre c and
// radius R is lowest at c - R e, where
//
//     Phi = m . (c - p) - R s.                                                                (1)
//
// This LOWEST rim point moves round the rim. The height is stationary along the rim at e, so the rate of (1) is still
// that of the material point; a cylinder rolling on its side has two such points. At s = 0 all rim points are lowest
// and (1) has a kink; a standing cylinder needs several points that are fixed to it. So each end has five feature
// pairs:
//
//     5 end + 0       the lowest rim point, unless the disc is flat to 1e-9 (then the others suffice)
//     5 end + 1..4    the rim points at local +x, +y, -x, -y that are within the margin
//
// Between two of the four a flat disc may sink by at most 0.3 R 1e-9 before the lowest point joins.
#include "core/geometry/cylinder_features.hpp"
#include "core/geometry/half_space_pairs.hpp"

namespace jostle {

struct CylinderHalfSpace {
  static constexpr int features_per_end = rim_points;
  static constexpr int features = 2 * features_per_end;

  /// At zero tilt, the "lowest" rim point is the one at local +x.
  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    const int end = feature / features_per_end, point = feature % features_per_end;
    if (point != 0) return ball_on_plane(fixed_rim_point(a, end, point), 0, b);
    return ball_on_plane(lowest_rim_point(a, end, b.axes.col(2)), 0, b);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    const double tilt = sine_of_tilt(a, b.axes.col(2));
    for (int end = 0; end < 2; ++end) {
      const double middle = height_above(b, end_point(a, end));
      if (tilt > flat_tilt && middle - a.size[0] * tilt <= margin) set.insert(features_per_end * end);
      for (int point = 1; point < features_per_end; ++point) {
        if (height_above(b, fixed_rim_point(a, end, point)) <= margin) set.insert(features_per_end * end + point);
      }
    }
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const double low = height_above(b, end_point(a, 0)), high = height_above(b, end_point(a, 1));
    return (low < high ? low : high) - a.size[0] * sine_of_tilt(a, b.axes.col(2));
  }
};

}  // namespace jostle

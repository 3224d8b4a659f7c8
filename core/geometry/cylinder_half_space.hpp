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
#include "core/geometry/half_space_pairs.hpp"

namespace jostle {

struct CylinderHalfSpace {
  static constexpr int features_per_end = 5;
  static constexpr int features = 2 * features_per_end;
  static constexpr double flat_tilt = 1e-9;  ///< sine of the tilt below which a disc lies flat

  /// At zero tilt, the "lowest" rim point is the one at local +x.
  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    const int end = feature / features_per_end, point = feature % features_per_end;
    if (point != 0) return ball_on_plane(rim_point(a, end, point), 0, b);
    return ball_on_plane(end_point(a, end) - a.size[0] * unit_or(uphill(a, b), -a.axes.col(0)), 0, b);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    const double tilt = sine_of_tilt(a, b);
    for (int end = 0; end < 2; ++end) {
      const double middle = height_above(b, end_point(a, end));
      if (tilt > flat_tilt && middle - a.size[0] * tilt <= margin) set.insert(features_per_end * end);
      for (int point = 1; point < features_per_end; ++point) {
        if (height_above(b, rim_point(a, end, point)) <= margin) set.insert(features_per_end * end + point);
      }
    }
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const double low = height_above(b, end_point(a, 0)), high = height_above(b, end_point(a, 1));
    return (low < high ? low : high) - a.size[0] * sine_of_tilt(a, b);
  }

 private:
  /// The part of m perpendicular to the axis, s e; in the end's plane even if it is tiny.
  JOSTLE_HD static Vec3 uphill(const PlacedShape& a, const PlacedShape& b) {
    const Vec3 m = b.axes.col(2), x = a.axes.col(0), y = a.axes.col(1);
    return dot(m, x) * x + dot(m, y) * y;
  }

  JOSTLE_HD static double sine_of_tilt(const PlacedShape& a, const PlacedShape& b) {
    const Vec3 e = uphill(a, b);
    return std::sqrt(dot(e, e));
  }

  /// One of the four fixed rim points, point from 1 to 4.
  JOSTLE_HD static Vec3 rim_point(const PlacedShape& a, int end, int point) {
    return end_point(a, end) + side(point <= 2) * a.size[0] * a.axes.col((point - 1) % 2);
  }
};

}  // namespace jostle

#pragma once
// Of points over a line or a plane, each with a gap, those that the others make redundant: they lie on or above the
// lower convex hull of the others. Whatever motion keeps the gaps of the hull from becoming negative, and moves all
// gaps by an affine function of the place, keeps theirs.
//
//   over a line     what is kept is the lower hull
//   over a plane    the corners of the convex hull of those points that lie in one plane; of the others those below it,
//                   or outside of the hull
//
// Hulls are wrapped point by point, so that nothing has to be stored. Of points in one place to within rounding one is
// kept, that of the lowest number; on an edge only its ends are.
#include <cmath>

#include "core/config.hpp"
#include "core/math/bits.hpp"

namespace jostle {

/// Points that are nearer than this to each other, to a line or to a plane, per size, are on it, m/m.
inline constexpr double filter_rounding = 1e-12;

/// Where a contact is over the plane across its normal, and its gap, m.
struct PointOverPlane {
  int feature = -1;
  double x = 0, y = 0, gap = 0;
};

/// `for_each`(f) calls f(point) for every point, in ascending order of their numbers; `keep`(point) is called for those
/// that are not redundant. Distances up to `tolerance` (m) are rounding.
template <class ForEach, class Keep>
class RedundantPoints {
 public:
  JOSTLE_HD RedundantPoints(ForEach for_each, Keep keep, double tolerance)
      : for_each_(for_each), keep_(keep), tolerance_(tolerance) {}

  /// Over the line along x.
  JOSTLE_HD void keep_over_line() const { keep_lower_hull(1, 0); }

  /// Their plane is that of three points that are far from each other.
  JOSTLE_HD void keep_over_plane() const {
    int count = 0;
    for_each_([&](const Point&) { ++count; });
    const Point p = greatest([](const Point& point) { return -point.x; });
    const Point q = greatest([&](const Point& point) { return distance(p, point); });
    const double base = distance(p, q);
    if (!(base > tolerance_)) return keep_lower_hull(1, 0);
    const Point r = greatest([&](const Point& point) { return std::fabs(area(p, q, point)); });
    const double whole = area(p, q, r);
    if (!(std::fabs(whole) > tolerance_ * base)) return keep_lower_hull((q.x - p.x) / base, (q.y - p.y) / base);
    const Point to_q{-1, q.x - p.x, q.y - p.y, q.gap - p.gap}, to_r{-1, r.x - p.x, r.y - p.y, r.gap - p.gap};
    const double per_x = (to_q.gap * to_r.y - to_r.gap * to_q.y) / whole;
    const double per_y = (to_q.x * to_r.gap - to_r.x * to_q.gap) / whole;
    const auto height = [&](const Point& point) {
      return point.gap - p.gap - per_x * (point.x - p.x) - per_y * (point.y - p.y);
    };
    for_each_([&](const Point& point) {
      if (height(point) < -tolerance_) keep_(point);
    });
    if (!wrap(q, count, height)) for_each_([&](const Point& point) { keep_(point); });
  }

 private:
  using Point = PointOverPlane;

  /// The lower hull of (s, gap), with s along (u, v), m. From the least s on, the next one is that of the least slope,
  /// and of several on one line the furthest.
  JOSTLE_HD void keep_lower_hull(double u, double v) const {
    const auto along = [&](const Point& point) { return u * point.x + v * point.y; };
    double first = infinity();
    for_each_([&](const Point& point) { first = along(point) < first ? along(point) : first; });
    Point at{-1, 0, 0, infinity()};
    for_each_([&](const Point& point) {
      if (along(point) <= first + tolerance_ && point.gap < at.gap) at = point;
    });
    while (at.feature >= 0) {
      keep_(at);
      const auto ahead = [&](const Point& point) { return along(point) - along(at); };
      double slope = infinity();
      for_each_([&](const Point& point) {
        const double s = ahead(point);
        if (s > tolerance_ && point.gap - at.gap < slope * s) slope = (point.gap - at.gap) / s;
      });
      const auto is_on_line = [&](const Point& point) {
        const double s = ahead(point);
        return s > tolerance_ && point.gap - at.gap <= slope * s + tolerance_;
      };
      at = furthest(is_on_line, ahead);
    }
  }

  /// Keeps the corners of the convex hull of those of no height, counter-clockwise from one of them, and those above
  /// that lie outside of it. False if that does not come back to `start` in `most` edges.
  JOSTLE_HD bool wrap(const Point& start, int most, auto height) const {
    const auto is_flat = [&](const Point& point) { return std::fabs(height(point)) <= tolerance_; };
    Point at = start;
    for (int i = 0; i < most && at.feature >= 0; ++i) {
      keep_(at);
      Point right;  // all others lie to the left of the line to it
      for_each_([&](const Point& point) {
        if (right.feature >= 0 && !(area(at, right, point) < 0)) return;
        if (is_flat(point) && distance(at, point) > tolerance_) right = point;
      });
      if (right.feature < 0) return false;
      const double x = right.x - at.x, y = right.y - at.y, length = std::sqrt(x * x + y * y);
      const auto ahead = [&](const Point& point) { return (x * (point.x - at.x) + y * (point.y - at.y)) / length; };
      const auto is_on_edge = [&](const Point& point) {
        return area(at, right, point) <= tolerance_ * length && is_flat(point) && ahead(point) > tolerance_;
      };
      int on_edge = 0;  // `at` and `right` are two
      for_each_([&](const Point& point) {
        const double left = area(at, right, point);
        if (left > tolerance_ * length) return;
        on_edge += is_flat(point) ? 1 : 0;
        if (left < -tolerance_ * length && height(point) > tolerance_) keep_(point);
      });
      at = on_edge == 2 ? right : furthest(is_on_edge, ahead);
      if (at.feature >= 0 && distance(at, start) <= tolerance_) return true;
    }
    return false;
  }

  /// The point of the greatest f, of several the first.
  JOSTLE_HD Point greatest(auto f) const {
    Point found;
    double most = -infinity();
    for_each_([&](const Point& point) {
      if (f(point) > most) most = f(point), found = point;
    });
    return found;
  }

  /// Of these points the one of the greatest `ahead`, of several the first; no number if there is none.
  JOSTLE_HD Point furthest(auto is_one, auto ahead) const {
    double most = -infinity();
    for_each_([&](const Point& point) {
      if (is_one(point) && ahead(point) > most) most = ahead(point);
    });
    Point found;
    for_each_([&](const Point& point) {
      if (found.feature < 0 && is_one(point) && ahead(point) >= most - tolerance_) found = point;
    });
    return found;
  }

  /// Twice the area of a triangle, > 0 counter-clockwise, m^2.
  JOSTLE_HD static double area(const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }
  JOSTLE_HD static double distance(const Point& a, const Point& b) {
    return std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  }

  ForEach for_each_;
  Keep keep_;
  double tolerance_;
};

}  // namespace jostle

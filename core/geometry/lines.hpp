#pragma once
// Straight lines and segments: where they come closest.
#include "core/geometry/shape_points.hpp"

namespace jostle {

/// Sine of the angle below which two lines count as parallel: they have no crossing.
inline constexpr double parallel_sine = 1e-6;

/// Rounding of a distance per size of the shapes: a search for a nearer point ends this close to a lower bound, m/m.
inline constexpr double distance_rounding = 1e-14;

/// Where two lines p + x u and q + y v (u, v unit) pass each other. With D = q - p and c = u x v the
/// shortest connection D + y v - x u is along c, hence
///
///     x = (D x v).c / |c|^2,     y = (D x u).c / |c|^2.
struct LineCrossing {
  double along_u;       ///< x, m
  double along_v;       ///< y, m
  Vec3 cross;           ///< c
  double sine_squared;  ///< |c|^2

  JOSTLE_HD bool parallel() const { return !(sine_squared > parallel_sine * parallel_sine); }
};

/// Parallel lines (|c|^2 too small to divide by): the midpoint of the first and the point of the second closest to it.
JOSTLE_HD inline LineCrossing cross_lines(const Vec3& from_p_to_q, const Vec3& u, const Vec3& v) {
  LineCrossing crossing;
  crossing.cross = cross(u, v);
  crossing.sine_squared = dot(crossing.cross, crossing.cross);
  if (crossing.parallel()) {
    crossing.along_u = 0;
    crossing.along_v = -dot(from_p_to_q, v);
  } else {
    crossing.along_u = dot(cross(from_p_to_q, v), crossing.cross) / crossing.sine_squared;
    crossing.along_v = dot(cross(from_p_to_q, u), crossing.cross) / crossing.sine_squared;
  }
  return crossing;
}

JOSTLE_HD inline double clamp_to(double x, double half_length) {
  return x < -half_length ? -half_length : (x > half_length ? half_length : x);
}

/// Squared distance of the segments p + [-h, h] u and q + [-k, k] v, m^2. The minimum of a convex function of (x, y) on
/// a rectangle: the crossing if it lies inside, else on one of the four sides.
JOSTLE_HD inline double squared_segment_distance(const Vec3& p, const Vec3& u, double h, const Vec3& q, const Vec3& v,
                                                 double k) {
  const Vec3 d = q - p;
  const auto squared_at = [&](double x, double y) {
    const Vec3 between = d + y * v - x * u;
    return dot(between, between);
  };
  const LineCrossing crossing = cross_lines(d, u, v);
  if (!crossing.parallel() && std::fabs(crossing.along_u) <= h && std::fabs(crossing.along_v) <= k)
    return squared_at(crossing.along_u, crossing.along_v);

  double least = squared_at(-h, clamp_to(-dot(d + h * u, v), k));
  const auto keep_less = [&](double squared) {
    if (squared < least) least = squared;
  };
  keep_less(squared_at(h, clamp_to(-dot(d - h * u, v), k)));
  keep_less(squared_at(clamp_to(dot(d - k * v, u), h), -k));
  keep_less(squared_at(clamp_to(dot(d + k * v, u), h), k));
  return least;
}

}  // namespace jostle

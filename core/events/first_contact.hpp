#pragma once
// When two shapes that do not touch come to touch: at the first zero of their signed distance, which is continuous on
// every way, whichever of their features are nearest. Conservative advancement: as the distance changes by at most
// `rate`, nothing happens before distance / rate; docs/theory.md (53a).
#include "core/geometry/shape_pair.hpp"
#include "core/math/root.hpp"

namespace jostle {

/// A way is looked at in steps of at least a 64th of it, even if the distance could come to 0 before.
inline constexpr int path_points = 64;

/// Hops that are shorter than 2^-most_hop_halvings of the distance of two points are not seen.
inline constexpr int most_hop_halvings = 30;

/// Where shapes in touch come nearer without having been seen to open, they collide after this part of the way: at
/// once, but later than its start.
inline constexpr double unseen_part = 0x1p-52;

/// Shapes that start in touch and are nearer by more than this at the next point have not opened, m.
inline constexpr double closing_rounding = 1e-10;

namespace detail {

/// The first time in (0, end] at which distance(s) comes to 0 from above, and falls below -gap_rounding; infinity if
/// there is none. A distance that starts at or below 0 has to open before, and then counts from where it started; one
/// that only falls closes at once. `rate`: m/s, at most how fast it changes. `apart`(s, far): the distance, or a lower
/// bound of it above `far` (m).
JOSTLE_HD double first_zero(double end, double rate, auto distance, auto apart) {
  const double least = end / path_points, far = rate * least;
  double before = 0, gap = apart(0.0, far);
  const double closed = gap < 0 ? gap : 0.0;
  if (!(gap > 0)) {  // it may open at once, and close again soon
    before = least, gap = apart(before, far) - closed;
    for (int i = 0; i < most_hop_halvings && !(gap > 0); ++i) before *= 0.5, gap = apart(before, far) - closed;
  }
  bool has_opened = gap > 0;
  for (double at = before, value = gap; at < end;) {
    if (value > rate * (end - at)) return infinity();
    if (value > 0) before = at, gap = value, has_opened = true;
    const double jump = value / rate;
    at += jump > least ? jump : least;
    if (!(at < end)) at = end;
    value = apart(at, far) - closed;
    if (gap > 0 && value < -gap_rounding) {
      const auto shifted = [&](double s) { return outlined(distance, s) - closed; };
      return root_between(shifted, before, gap, at, value);
    }
    if (!has_opened && value < -closing_rounding) return end * unseen_part;
  }
  return infinity();
}

/// The first time in (0, end] at which gap(s) comes to 0 from above, and is_real(s); infinity if there is none. A gap
/// that starts at or below 0 counts from where it started, as in first_zero().
JOSTLE_HD double first_closing(double end, auto gap_of, auto is_real) {
  const auto raw = [&](double s) { return outlined(gap_of, s); };
  double before = 0, gap_before = raw(0.0);
  const double closed = gap_before < 0 ? gap_before : 0.0;
  const auto gap = [&](double s) { return raw(s) - closed; };
  if (gap_before <= 0) {  // it may open at once, and close again soon
    before = end / path_points, gap_before = gap(before);
    for (int i = 0; i < most_hop_halvings && !(gap_before > 0); ++i) before *= 0.5, gap_before = gap(before);
  }
  bool has_opened = gap_before > 0;
  for (int i = 1; i <= path_points; ++i) {
    const double s = i == path_points ? end : end * i / path_points;
    if (s <= before) continue;
    const double value = gap(s);
    if (gap_before > 0 && value <= 0) {
      const double root = root_between(gap, before, gap_before, s, value);
      if (is_real(root)) return root;
    }
    if (!has_opened && value < -closing_rounding && is_real(end * unseen_part)) return end * unseen_part;
    has_opened = has_opened || value > 0;
    before = s, gap_before = value;
  }
  return infinity();
}

/// A lower bound of the distance of two shapes, which may overlap: along the axes of both, and between their middles.
JOSTLE_HD inline double apart_at_least(const PlacedShape& a, const PlacedShape& b) {
  const Vec3 d = b.position - a.position;
  double greatest = apart_along(a, b, unit_or(d, Vec3(1, 0, 0)));
  for (int k = 0; k < 6; ++k) {
    const Vec3 n = k < 3 ? a.axes.col(k) : b.axes.col(k - 3);
    const double apart = apart_along(a, b, dot(d, n) < 0 ? Vec3(-n) : n);
    if (apart > greatest) greatest = apart;
  }
  return greatest;
}

}  // namespace detail

/// The signed distance, or a lower bound of it that is above `far` (m).
JOSTLE_HD JOSTLE_OUTLINE inline double distance_or_more(const PlacedShape& a, const PlacedShape& b, double far) {
  const bool is_costly = b.type == ShapeType::box || b.type == ShapeType::cylinder || b.type == ShapeType::hull;
  if (is_costly && a.type != ShapeType::sphere) {
    const double bound = detail::apart_at_least(a, b);
    if (bound > far) return bound;
  }
  return signed_distance(a, b);
}

}  // namespace jostle

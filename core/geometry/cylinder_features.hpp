#pragma once
// The features of a cylinder: side, two caps, and the rims between them. A rim meets a plane in points of the disc
// (cylinder_half_space.hpp), and a straight line where the line passes the circle.
//
// Seen along a line of unit direction d, the circle of radius R is an ellipse and the line a point. Let e1 be the
// direction of d's part in the plane of the circle, s its length, e2 = u x e1, and (X, b) the components along them of
// the perpendicular from the circle's centre to the line. The squared distance of the line from the circle's point
// R (cos f e1 + sin f e2) is stationary at
//
//     A sin f cos f + X sin f - b cos f = 0,     A = s^2 R.                                        (1)
//
// Minima: one on the half of the circle where X cos f >= 0, and one on the other half while the point is inside the
// ellipse's evolute, |X|^(2/3) + |b|^(2/3) < A^(2/3): a line that lies across a disc crosses its rim twice. With
// t = tan f on the half towards sign e1, and b >= 0 by symmetry,
//
//     G(t) = A t / sqrt(1 + t^2) + sign X t - b = 0,                                               (2)
//
// the minimum is the first root. G is concave for t >= 0, so Newton's method goes up to it from the left and never
// beyond. There is no minimum if G stops growing before.
#include "core/geometry/candidates.hpp"
#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/lines.hpp"
#include "core/geometry/round_pairs.hpp"

namespace jostle {

/// Points of one rim that can touch a plane: 0 the lowest, 1 to 4 those at local +x, +y, -x, -y. What steps turns x and
/// y about the axis so that +x is where the cap would tip (core/contacts/rims.hpp).
inline constexpr int rim_points = 5;

/// Sine of the tilt below which a disc lies flat on a plane: it has no lowest point.
inline constexpr double flat_tilt = 1e-9;

/// The part of m perpendicular to the axis; in the plane of the discs even if it is tiny.
JOSTLE_HD inline Vec3 across_discs(const PlacedShape& cylinder, const Vec3& m) {
  const Vec3 x = cylinder.axes.col(0), y = cylinder.axes.col(1);
  return dot(m, x) * x + dot(m, y) * y;
}

/// Sine of the angle between the axis and the normal m of a plane.
JOSTLE_HD inline double sine_of_tilt(const PlacedShape& cylinder, const Vec3& m) {
  const Vec3 e = across_discs(cylinder, m);
  return std::sqrt(dot(e, e));
}

/// One of the four fixed rim points, point from 1 to 4.
JOSTLE_HD inline Vec3 fixed_rim_point(const PlacedShape& cylinder, int end, int point) {
  return end_point(cylinder, end) + side(point <= 2) * cylinder.size[0] * cylinder.axes.col((point - 1) % 2);
}

/// The point of a rim furthest against m; at local +x if the disc is flat.
JOSTLE_HD inline Vec3 lowest_rim_point(const PlacedShape& cylinder, int end, const Vec3& m) {
  return end_point(cylinder, end) - cylinder.size[0] * unit_or(across_discs(cylinder, m), -cylinder.axes.col(0));
}

/// Any of the five points, for a plane with outward normal m.
JOSTLE_HD inline Vec3 rim_point(const PlacedShape& cylinder, int end, int point, const Vec3& m) {
  return point == 0 ? lowest_rim_point(cylinder, end, m) : fixed_rim_point(cylinder, end, point);
}

/// Is this point of a disc one of those that stand on the plane? A flat disc has no lowest point, and the fixed ones
/// of a steep disc are not its ends.
JOSTLE_HD inline bool stands_on_rim_point(const PlacedShape& cylinder, int point, const Vec3& m) {
  const double tilt = sine_of_tilt(cylinder, m);
  return point == 0 ? tilt > flat_tilt : tilt <= nearing_limit;
}

/// A ball of shape a on the cap of cylinder b.
JOSTLE_HD inline ContactGeometry ball_on_cap(const Vec3& centre, double radius, const PlacedShape& cylinder, int end) {
  const Vec3 m = side(end) * cylinder.axes.col(2);
  const double height = dot(m, centre - cylinder.position) - cylinder.size[1];
  return {height - radius, -m, centre - radius * m, centre - height * m};
}

inline constexpr double no_root = -1;

/// The first root t of (2) with k = sign X, or no_root.
JOSTLE_HD inline double passage_root(double a, double k, double b) {
  constexpr int most_iterations = 24;
  constexpr double smallest = 1e-100, steepest = 1e100;  // a quarter of a turn; its square is finite
  if (k < 0 && !(b < a && a + k > 0)) return no_root;
  // From the left of the root: b / (a + k) where the circle is nearly straight; (b - a) / k for a line beyond it; and
  // where a line in the plane of the disc crosses the rim.
  const double beyond = (b - a) / (k + smallest);
  double t = k < 0 ? b / std::sqrt((a - b) * (a + b)) : b / (a + k + smallest);
  if (k >= 0 && beyond > t) t = beyond;
  if (t > steepest) return steepest;
  for (int i = 0; i < most_iterations; ++i) {
    const double cosine = 1 / std::sqrt(1 + t * t);
    const double slope = a * cosine * cosine * cosine + k;
    if (!(slope > 0)) return k < 0 ? no_root : t;
    const double step = (b - k * t - a * t * cosine) / slope;
    t += step;
    if (t > steepest) return steepest;
    if (std::fabs(step) <= 1e-16 * t) break;
  }
  return t;
}

/// Where a line passes a rim.
struct RimPassage {
  Vec3 arm;      ///< from the middle of the disc to the point of the rim, m
  Vec3 tangent;  ///< of the rim there, unit
  bool found;    ///< on the half asked for; else it is the point on the other half
  bool is_sole;  ///< the line is along the axis, and there is no other minimum
};

/// The minimum (1) on the half of the rim towards the line's direction (half = 1) or against it (0).
JOSTLE_HD JOSTLE_OUTLINE inline RimPassage pass_rim(const PlacedShape& cylinder, int end, const Vec3& point_of_line,
                                                    const Vec3& direction, int half) {
  const double radius = cylinder.size[0];
  const Vec3 flat = across_discs(cylinder, direction);
  const Vec3 e1 = unit_or(flat, cylinder.axes.col(0)), e2 = cross(cylinder.axes.col(2), e1);
  const Vec3 from_centre = point_of_line - end_point(cylinder, end);
  const Vec3 foot = from_centre - dot(from_centre, direction) * direction;
  const double a = dot(flat, flat) * radius, x = dot(foot, e1), b = dot(foot, e2);
  double sign = side(half);
  double t = passage_root(a, sign * x, std::fabs(b));
  bool found = t != no_root;
  if (!found) {
    sign = -sign;
    t = passage_root(a, sign * x, std::fabs(b));
  }
  if (x == 0 && half == 0 && std::fabs(b) >= a) found = false;  // one minimum, between the halves
  const double along_1 = sign / std::sqrt(1 + t * t), along_2 = (b < 0 ? -t : t) * std::fabs(along_1);
  const bool is_along = dot(flat, flat) <= parallel_sine * parallel_sine;
  const bool is_sole = is_along && x * x + b * b >= 4 * a * a;
  return {radius * (along_1 * e1 + along_2 * e2), along_1 * e2 - along_2 * e1, found, is_sole};
}

/// The unit vector along the shortest connection `between` of two curves: along both, and across both tangents. The
/// better conditioned of the two tells it, so that it has no kink where the curves pass through each other. It points
/// out of the first shape, along `outwards`.
JOSTLE_HD inline Vec3 normal_between(const Vec3& between, const Vec3& across, double radius, const Vec3& outwards) {
  const bool crossed = dot(across, across) * radius * radius >= dot(between, between);
  const Vec3 n = unit_or(crossed ? across : between, outwards);
  return dot(n, outwards) < 0 ? Vec3(-n) : n;
}

/// A rim of cylinder a on a line with a radius: the side of a capsule or cylinder, or an edge with the sum of the
/// outward normals of its faces (zero for the others).
JOSTLE_HD inline ContactGeometry rim_on_line(const PlacedShape& a, int end, int half, const Vec3& point_of_line,
                                             const Vec3& direction, double radius, const Vec3& outward_of_line) {
  const RimPassage passage = pass_rim(a, end, point_of_line, direction, half);
  const Vec3 x = end_point(a, end) + passage.arm;
  const Vec3 y = point_of_line + dot(x - point_of_line, direction) * direction;
  const Vec3 outward = passage.arm / a.size[0] + side(end) * a.axes.col(2);
  const Vec3 n = normal_between(y - x, cross(passage.tangent, direction), a.size[0],
                                unit_or(outward - outward_of_line, a.axes.col(2)));
  const double gap = dot(y - x, n) - radius;
  return {gap, n, x, x + gap * n};
}

/// Whether rim_on_line() is a contact: not along an edge (the sides of rods can lie along a rim), and on its half. Half
/// 0 stands for the sole minimum with a line along the axis, on whichever half it is: a rounding error would choose.
JOSTLE_HD inline bool rim_meets(const PlacedShape& a, int end, int half, const Vec3& point_of_line,
                                const Vec3& direction, double radius) {
  const RimPassage passage = pass_rim(a, end, point_of_line, direction, half);
  if (passage.is_sole ? half != 0 : !passage.found) return false;
  const Vec3 across = cross(passage.tangent, direction);
  return radius > 0 || dot(across, across) > parallel_sine * parallel_sine;
}

}  // namespace jostle

#pragma once
// Two cylinders.
//
//     0..19     rim i of a on cap j of b, point k of the rim: 10 i + 5 j + k    Phi = height of the point above the cap
//     20..39    rim i of b on cap j of a: 20 + 10 i + 5 j + k
//     40..43    rim i of a on the side of b: 40 + 2 i + half of the rim         Phi = n . (axis - rim) - R_b
//     44..47    rim i of b on the side of a: 44 + 2 i + half
//     48        side on side, where the axes cross
//     49..56    rim i of a across rim j of b: 49 + 4 i + 2 j + half of b's rim  Phi = n . (y - x), n along both
//     tangents'
//                                                                               cross product
//
// Parallel cylinders that lie side by side touch at the two rims that bound the part they share; cap on cap, at the
// points of either rim that are over the other cap and where the rims cross. Of features of a and b that coincide to
// within the border, a's stand for both.
//
// Rims. With D from a's centre to b's, p = D + R_b r the point of b's rim in the direction r, t its tangent, p_h the
// part of p in the plane of a's disc and rho = |p_h|, the squared distance of p from a's circle is stationary at
//
//     g = D . t - R_a p_h . t / rho = 0.                                                          (1)
//
// Circles that lie across each other cross on either side of the plane of a's axis and D. On each side, Newton's
// method goes from the least of eight points to a minimum.
#include "core/geometry/convex_pair.hpp"
#include "core/geometry/cylinder_features.hpp"

namespace jostle {

/// The points where two rims pass each other, from the middles of their discs, and the tangents there.
struct RimsPassage {
  Vec3 arm_a, arm_b, tangent_a, tangent_b;
  bool found;  ///< on the side asked for
};

/// The minimum on the side of u_a x D (half = 1) or on the other (0).
JOSTLE_HD JOSTLE_OUTLINE inline RimsPassage pass_rims(const PlacedShape& a, int end_a, const PlacedShape& b, int end_b,
                                                      int half) {
  constexpr int points = 8, most_iterations = 20;
  constexpr double turn_cosine = 0.92387953251128674, turn_sine = 0.38268343236508977;    // pi / 8
  constexpr double first_cosine = 0.98078528040323044, first_sine = 0.19509032201612827;  // pi / 16
  constexpr double longest = 0.2;                                                         // step, rad
  const Vec3 u = a.axes.col(2), d = end_point(b, end_b) - end_point(a, end_a);
  const Vec3 e2 = unit_or(across_discs(b, cross(u, d)), b.axes.col(1)), e1 = cross(e2, b.axes.col(2));
  const double radius_a = a.size[0], radius_b = b.size[0];

  const double sign = side(half);
  double c = first_cosine, s = first_sine, cosine = c, sine = sign * s, least = infinity();
  for (int i = 0; i < points; ++i) {
    const Vec3 p = d + radius_b * (c * e1 + sign * s * e2), flat = across_discs(a, p);
    const double squared = dot(p, p) - 2 * radius_a * std::sqrt(dot(flat, flat));
    if (squared < least) least = squared, cosine = c, sine = sign * s;
    const double next = c * turn_cosine - s * turn_sine;
    s = s * turn_cosine + c * turn_sine;
    c = next;
  }
  for (int i = 0; i < most_iterations; ++i) {
    const Vec3 r = cosine * e1 + sine * e2, t = cosine * e2 - sine * e1;
    const Vec3 p_h = across_discs(a, d + radius_b * r), t_h = across_discs(a, t);
    const double rho = std::sqrt(dot(p_h, p_h)) + shortest_length, along = dot(p_h, t);
    const double g = dot(d, t) - radius_a * along / rho;
    const double bend = radius_b * dot(t_h, t_h) - dot(p_h, r) - radius_b * (along / rho) * (along / rho);
    const double slope = -dot(d, r) - radius_a * bend / rho;
    double step = slope > 0 ? -g / slope : (g > 0 ? -longest : longest);
    step = clamp_to(step, longest);
    const double next = cosine - step * sine, other = sine + step * cosine;
    const double length = std::sqrt(next * next + other * other);
    cosine = next / length;
    sine = other / length;
    if (std::fabs(step) <= 1e-16) break;
  }
  const Vec3 arm_b = radius_b * (cosine * e1 + sine * e2);
  const Vec3 towards = unit_or(across_discs(a, d + arm_b), a.axes.col(0));
  return {radius_a * towards, arm_b, cross(u, towards), cosine * e2 - sine * e1, (sine >= 0) == (half == 1)};
}

struct CylinderCylinder : ConvexPair<CylinderCylinder> {
  static constexpr int b_on_cap = 2 * 2 * rim_points, on_side = 2 * b_on_cap, b_on_side = on_side + 4;
  static constexpr int side_on_side = b_on_side + 4, rim_on_rim = side_on_side + 1, features = rim_on_rim + 8;

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    if (feature < on_side) {
      if (feature < b_on_cap) return rim_on_cap(a, b, feature);
      return swapped(rim_on_cap(b, a, feature - b_on_cap));
    }
    if (feature < side_on_side) {
      const int end = (feature - on_side) % 4 / 2, half = (feature - on_side) % 2;
      if (feature < b_on_side) return rim_on_line(a, end, half, b.position, b.axes.col(2), b.size[0], Vec3::Zero());
      return swapped(rim_on_line(b, end, half, a.position, a.axes.col(2), a.size[0], Vec3::Zero()));
    }
    if (feature == side_on_side) return sides_across(a, b);
    return rims_across(a, b, feature - rim_on_rim);
  }

  JOSTLE_HD static bool may_touch(const PlacedShape& a, const PlacedShape& b, int feature, double margin) {
    if (feature < rim_on_rim) return true;
    const int rims = feature - rim_on_rim;
    const Vec3 d = end_point(b, rims / 2 % 2) - end_point(a, rims / 4);
    const double reach = a.size[0] + b.size[0] + margin;
    return dot(d, d) <= reach * reach;
  }

  JOSTLE_HD static bool is_real(const PlacedShape& a, const PlacedShape& b, int feature, const ContactGeometry& c,
                                double border_width) {
    if (feature < b_on_cap) return stands_on_rim_point(a, feature % rim_points, c.normal);
    if (feature < on_side)
      return stands_on_rim_point(b, feature % rim_points, c.normal) &&
             sine_of_tilt(a, c.point_a - a.position) <= a.size[0] - 2 * border_width;
    if (feature < side_on_side) {
      const int end = (feature - on_side) % 4 / 2, half = (feature - on_side) % 2;
      if (feature < b_on_side) return rim_meets(a, end, half, b.position, b.axes.col(2), b.size[0]);
      return std::fabs(dot(c.point_a - a.position, a.axes.col(2))) <= a.size[1] - 2 * border_width &&
             rim_meets(b, end, half, a.position, a.axes.col(2), a.size[0]);
    }
    if (feature == side_on_side) return sides_cross(a, b, border_width);
    const int rims = feature - rim_on_rim;
    const RimsPassage passage = pass_rims(a, rims / 4, b, rims / 2 % 2, rims % 2);
    const Vec3 across = cross(passage.tangent_a, passage.tangent_b);
    return passage.found && dot(across, across) > parallel_sine * parallel_sine;
  }

 private:
  /// A point of a rim of a on a cap of b; feature from 0 to 19.
  JOSTLE_HD static ContactGeometry rim_on_cap(const PlacedShape& a, const PlacedShape& b, int feature) {
    const int rim = feature / (2 * rim_points), cap = feature / rim_points % 2;
    const Vec3 x = rim_point(a, rim, feature % rim_points, side(cap) * b.axes.col(2));
    return ball_on_cap(x, 0, b, cap);
  }

  JOSTLE_HD static ContactGeometry rims_across(const PlacedShape& a, const PlacedShape& b, int rims) {
    const int end_a = rims / 4, end_b = rims / 2 % 2;
    const RimsPassage passage = pass_rims(a, end_a, b, end_b, rims % 2);
    const Vec3 x = end_point(a, end_a) + passage.arm_a, between = end_point(b, end_b) + passage.arm_b - x;
    const Vec3 out_a = passage.arm_a / a.size[0] + side(end_a) * a.axes.col(2);
    const Vec3 out_b = passage.arm_b / b.size[0] + side(end_b) * b.axes.col(2);
    const Vec3 n = normal_between(between, cross(passage.tangent_a, passage.tangent_b), a.size[0],
                                  unit_or(out_a - out_b, a.axes.col(2)));
    const double gap = dot(between, n);
    return {gap, n, x, x + gap * n};
  }
};

}  // namespace jostle

#pragma once
// The angle of a vector (rad), below 1 ulp, special values as in C99 (annex F).
//
// With a <= b the absolute components in order, the angle is built from arctan(a/b):
//   a/b <= tan(pi/8):  arctan t,         t = a/b
//   else:              pi/4 + arctan t,  t = (a-b)/(a+b)
// and reflected into its octant. Coefficients: tools/fit_functions.py.
#include "core/math/bits.hpp"

namespace jostle {

namespace detail {

/// reference + sign * angle
JOSTLE_HD inline DoubleDouble reflect(const DoubleDouble& reference, double sign, const DoubleDouble& angle) {
  const DoubleDouble sum = two_sum(reference.high, sign * angle.high);
  return {sum.high, sum.low + (reference.low + sign * angle.low)};
}

/// arctan(a/b) for 0 < a <= b, both far from overflow and underflow.
JOSTLE_HD inline DoubleDouble arc_tangent_of_quotient(double a, double b) {
  // (arctan t - t) / t^3 as a function of z = t^2
  constexpr double c[] = {-0x1.5555555555555p-2, 0x1.9999999999953p-3, -0x1.249249248d7dcp-3, 0x1.c71c71c303dbbp-4,
                          -0x1.745d165dc9713p-4, 0x1.3b1392d519db1p-4, -0x1.110e87b4357d2p-4, 0x1.e19a0bfa3eef9p-5,
                          -0x1.ac7a5a79b3f26p-5, 0x1.74dccfb93fff0p-5, -0x1.1b311bb48c215p-5, 0x1.0acd9e91a5a35p-6};
  constexpr double tan_pi_8 = 0x1.a827999fcef32p-2;
  const bool steep = a > tan_pi_8 * b;
  const DoubleDouble zero_based = {a, 0};
  const DoubleDouble t = quotient(steep ? two_sum(a, -b) : zero_based, steep ? two_sum(a, b) : DoubleDouble{b, 0});
  const double z = t.high * t.high;
  const DoubleDouble angle = fast_two_sum(t.high, std::fma(t.high * z, polynomial(c, z), t.low));
  return steep ? reflect({0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}, 1, angle) : angle;
}

/// arctan(a/b) for any 0 <= a <= b.
JOSTLE_HD inline DoubleDouble first_octant_angle(double a, double b) {
  if (a == b) return b == 0 ? DoubleDouble{} : DoubleDouble{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  if (a < b * 0x1p-30) return {a / b, 0};  // t^3 is below 2^-60 of t
  const double scale = b > 0x1p1000 ? 0x1p-100 : b < 0x1p-800 ? 0x1p250 : 1.0;
  return arc_tangent_of_quotient(a * scale, b * scale);
}

}  // namespace detail

/// The angle of the vector (x, y) to the x axis, in [-pi, pi].
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline double arc_tangent(double y, double x) {
  if (is_nan(x) || is_nan(y)) return canonical_nan();
  constexpr DoubleDouble pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  constexpr DoubleDouble half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  const double width = std::fabs(x), height = std::fabs(y);
  const bool upright = height > width;
  DoubleDouble angle = detail::first_octant_angle(upright ? width : height, upright ? height : width);
  if (upright) angle = detail::reflect(half_pi, -1, angle);
  if (sign_bit(x)) angle = detail::reflect(pi, -1, angle);
  return with_sign_of(angle.high + angle.low, y);
}

}  // namespace jostle

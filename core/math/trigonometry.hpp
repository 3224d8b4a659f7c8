#pragma once
// Sine, cosine and tangent (rad), below 1 ulp (tangent: 3 ulp) for every double.
//
//   x = k pi/2 + r,  |r| <= pi/4:  sin x and cos x are +-sin r or +-cos r, by k mod 4.
//
// r is computed as high + low. Three ranges: |x| <= pi/4 needs no reduction; up to 2^30, pi/2 is subtracted in three
// words (Cody & Waite 1980); beyond, the bits of 2/pi that determine x 2/pi mod 4 are multiplied as integers (Payne &
// Hanek 1983). Coefficients: tools/fit_functions.py.
#include "core/math/bits.hpp"

namespace jostle {

namespace detail {

inline constexpr double quarter_pi = 0x1.921fb54442d18p-1;

struct ReducedAngle {
  double high, low;
  int quadrant;  ///< k mod 4
};

/// (sin r - r) / r^3 as a function of z = r^2.
JOSTLE_HD inline double sine_tail(double z) {
  constexpr double c[] = {-0x1.5555555555549p-3, 0x1.111111110f87cp-7,   -0x1.a01a019c11f0cp-13,
                          0x1.71de35780ff7cp-19, -0x1.ae5e668a06aadp-26, 0x1.5d931a851150ap-33};
  return polynomial(c, z);
}

/// (cos r - 1 + r^2 / 2) / r^4 as a function of z = r^2.
JOSTLE_HD inline double cosine_tail(double z) {
  constexpr double c[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16967p-10, 0x1.a01a019f4e9b4p-16,
                          -0x1.27e4fa17bf139p-22, 0x1.1eeb68cd22f56p-29,  -0x1.907d8f29fe831p-37};
  return polynomial(c, z);
}

/// sin(high + low) for |high| <= pi/4: the low word enters through its derivative, cos r = 1 - z/2.
JOSTLE_HD inline double sine_near_zero(double high, double low) {
  const double z = high * high;
  return high + std::fma(high * z, sine_tail(z), std::fma(-0.5 * z, low, low));
}

/// cos(high + low) for |high| <= pi/4; `rest` is what rounding took from 1 - z/2.
JOSTLE_HD inline double cosine_near_zero(double high, double low) {
  const double z = high * high;
  const double leading = std::fma(-0.5, z, 1.0);
  const double rest = std::fma(-0.5, z, 1.0 - leading);
  return leading + (rest + std::fma(z * z, cosine_tail(z), -high * low));
}

/// Cody-Waite for |x| < 2^30: the first subtraction is exact, the other two words are pi/2 to 2^-163.
JOSTLE_HD inline ReducedAngle reduce_moderate(double x) {
  constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
  constexpr double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  const double k = nearest_integer(x * two_over_pi);
  const double first = std::fma(-k, half_pi[0], x);
  const DoubleDouble second = two_product(k, half_pi[1]);
  const DoubleDouble difference = two_sum(first, -second.high);
  const DoubleDouble r = fast_two_sum(difference.high, std::fma(-k, half_pi[2], difference.low - second.low));
  return {r.high, r.low, static_cast<int>(static_cast<std::int64_t>(k) & 3)};
}

/// k + fraction / 2^128 quarter turns, from the nearest k.
JOSTLE_HD inline ReducedAngle angle_of_quarter_turns(int quadrant, unsigned __int128 fraction) {
  const bool negative = static_cast<bool>(fraction >> 127);  // one half or more is negative, from the next k
  if (negative) fraction = -fraction;

  // Two words of 53 bits each, after the leading zeros.
  double scale = negative ? -1.0 : 1.0;
  while (fraction >> 127 == 0) {
    fraction <<= 1;
    scale *= 0.5;
  }
  const auto first = static_cast<std::uint64_t>(fraction >> 75);
  const auto second = static_cast<std::uint64_t>(fraction >> 22) & 0x1FFFFFFFFFFFFFu;
  const DoubleDouble turns = {scale * 0x1p-53 * static_cast<double>(first),
                              scale * 0x1p-106 * static_cast<double>(second)};
  const DoubleDouble r = product(turns, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  return {r.high, r.low, (quadrant + (negative ? 1 : 0)) & 3};
}

/// Payne-Hanek for finite x >= 2^30, written m 2^e with 53 bits of m. Bits of 2/pi of weight above
/// 2^(2-e) only add multiples of 4 turns by pi/2; of the 192 bits from there, 190 - 53 stay below the
/// point of x 2/pi mod 4, and no double comes nearer than 2^-62 to a multiple of pi/2.
JOSTLE_HD JOSTLE_OUTLINE inline ReducedAngle reduce_huge(double x) {
  using Wide = unsigned __int128;
  // The first word lies before the point, so that the window may begin there.
  static constexpr std::uint64_t two_over_pi[] = {
      0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
      0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41,
      0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7,
      0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB,
      0xF0CFBC209AF4361D};
  const int exponent = static_cast<int>(bits_of(x) >> 52 & 0x7FF) - 1075;
  const std::uint64_t mantissa = (bits_of(x) & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;

  // Three words of 2/pi, beginning at its bit of weight 2^(1-e).
  const int first_bit = 62 + exponent;
  const int word = first_bit / 64, shift = first_bit % 64;
  std::uint64_t window[3];
  for (int i = 0; i < 3; ++i) {
    window[i] = two_over_pi[word + i] << shift;
    if (shift != 0) window[i] |= two_over_pi[word + i + 1] >> (64 - shift);
  }

  // m times the window, modulo 2^192: two bits of quadrant, then the fraction of one.
  const Wide lowest = Wide{mantissa} * window[2];
  const Wide middle = Wide{mantissa} * window[1] + static_cast<std::uint64_t>(lowest >> 64);
  const std::uint64_t top = mantissa * window[0] + static_cast<std::uint64_t>(middle >> 64);
  const Wide leading = Wide{top} << 64 | static_cast<std::uint64_t>(middle);
  return angle_of_quarter_turns(static_cast<int>(top >> 62), leading << 2 | static_cast<std::uint64_t>(lowest) >> 62);
}

/// Of a finite x.
JOSTLE_HD inline ReducedAngle reduce_angle(double x) {
  if (std::fabs(x) < 0x1p30) return reduce_moderate(x);
  ReducedAngle reduced = reduce_huge(std::fabs(x));
  if (x < 0) reduced = {-reduced.high, -reduced.low, (4 - reduced.quadrant) & 3};
  return reduced;
}

}  // namespace detail

/// Sine and cosine of x (rad) at once; both the canonical NaN if x is not finite.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline void sine_cosine(double x, double& sine, double& cosine) {
  if (std::fabs(x) <= detail::quarter_pi) {
    sine = std::fabs(x) < 0x1p-27 ? x : detail::sine_near_zero(x, 0);  // keeps -0, and x^3 cannot underflow
    cosine = detail::cosine_near_zero(x, 0);
    return;
  }
  if (!is_finite(x)) {
    sine = cosine = canonical_nan();
    return;
  }
  const detail::ReducedAngle r = detail::reduce_angle(x);
  const double s = detail::sine_near_zero(r.high, r.low), c = detail::cosine_near_zero(r.high, r.low);
  sine = r.quadrant == 0 ? s : r.quadrant == 1 ? c : r.quadrant == 2 ? -s : -c;
  cosine = r.quadrant == 0 ? c : r.quadrant == 1 ? -s : r.quadrant == 2 ? -c : s;
}

JOSTLE_HD inline double sine(double x) {
  double s, c;
  sine_cosine(x, s, c);
  return s;
}

JOSTLE_HD inline double cosine(double x) {
  double s, c;
  sine_cosine(x, s, c);
  return c;
}

JOSTLE_HD inline double tangent(double x) {
  if (std::fabs(x) < 0x1p-27) return x;
  double s, c;
  sine_cosine(x, s, c);
  return is_nan(s) ? s : s / c;
}

/// sin(x) / x, 1 at 0; needs no division for |x| <= pi/4.
JOSTLE_HD inline double sinc(double x) {
  if (std::fabs(x) <= detail::quarter_pi) return std::fma(x * x, detail::sine_tail(x * x), 1.0);
  const double s = sine(x);
  return is_nan(s) ? s : s / x;
}

}  // namespace jostle

#pragma once
// Exponential, natural logarithm and power, below 1 ulp, special values as in C99 (annex F).
//
//   exp x = 2^k exp r,  k = round(x / ln 2),  |r| <= ln(2)/2
//   log x = k ln 2 + log m,  sqrt(1/2) <= m < sqrt(2),  log m = 2 atanh s,  s = (m-1)/(m+1)
//   x^y = exp(y log x), with the logarithm to 2^-64 because y log x may be as large as 745
//
// Coefficients: tools/fit_functions.py.
#include "core/math/bits.hpp"

namespace jostle {

namespace detail {

// ln 2: the first word has 42 bits, so that k times it is exact.
inline constexpr double ln2_high = 0x1.62e42fefa3800p-1, ln2_low = 0x1.ef35793c76730p-45;

/// exp(high + low) for |high| <= 746.
JOSTLE_HD inline double exponential_of_sum(double high, double low) {
  constexpr double inv_ln2 = 0x1.71547652b82fep+0;
  // (exp r - 1 - r) / r^2
  constexpr double c[] = {0x1p-1,
                          0x1.5555555555557p-3,
                          0x1.5555555555556p-5,
                          0x1.11111111100dcp-7,
                          0x1.6c16c16c162d4p-10,
                          0x1.a01a01abe7fe1p-13,
                          0x1.a01a01a6d889cp-16,
                          0x1.71de0231960ebp-19,
                          0x1.27e4db646b17ep-22,
                          0x1.af4de97ca4194p-26,
                          0x1.1f730349868cep-29};
  const double k = nearest_integer(high * inv_ln2);
  const DoubleDouble r = two_sum(std::fma(-k, ln2_high, high), std::fma(-k, ln2_low, low));
  const double value = 1 + (r.high + std::fma(r.high * r.high, polynomial(c, r.high), r.low));

  // Two factors, because 2^k alone may overflow or be subnormal; only the second can round.
  const int exponent = static_cast<int>(k);
  const int half = exponent / 2;
  return value * power_of_two(half) * power_of_two(exponent - half);
}

/// log x to a relative error of 2^-64, for finite x > 0.
JOSTLE_HD inline DoubleDouble logarithm(double x) {
  // (atanh s - s - s^3/3) / s^5 as a function of z = s^2
  constexpr double c[] = {0x1.999999999999ap-3, 0x1.2492492492521p-3, 0x1.c71c71c6eaa10p-4, 0x1.745d177a96056p-4,
                          0x1.3b1395d2190c1p-4, 0x1.1118c7e4b0917p-4, 0x1.df7cc8e5fa539p-5, 0x1.e02e6fff27908p-5};
  constexpr std::uint64_t sqrt_half = 0x3FE6A09E667F3BCD;
  constexpr DoubleDouble third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};

  // Exponent and mantissa; a subnormal is made normal first.
  const bool subnormal = x < 0x1p-1022;
  const std::uint64_t bits = bits_of(subnormal ? x * 0x1p54 : x);
  const std::int64_t exponent = static_cast<std::int64_t>(bits - sqrt_half) >> 52;
  const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
  const double k = static_cast<double>(exponent - (subnormal ? 54 : 0));

  // log m = 2s + 2s (z/3 + z^2 c(z))
  const double f = m - 1;
  const DoubleDouble s = quotient({2 * f, 0}, fast_two_sum(2, f));  // twice s
  const DoubleDouble half{0.5 * s.high, 0.5 * s.low}, z = product(half, half);
  const DoubleDouble cubic = product(z, third);
  const DoubleDouble series = fast_two_sum(cubic.high, std::fma(z.high * z.high, polynomial(c, z.high), cubic.low));
  const DoubleDouble tail = product(s, series);
  const DoubleDouble log_m = fast_two_sum(s.high, tail.high);

  const DoubleDouble sum = fast_two_sum(k * ln2_high, log_m.high);
  return fast_two_sum(sum.high, sum.low + (std::fma(k, ln2_low, s.low) + (log_m.low + tail.low)));
}

enum class Parity { none, even, odd };  ///< none: not an integer

/// Of a finite y; every double of 2^53 or more is even.
JOSTLE_HD inline Parity parity(double y) {
  if (std::fabs(y) >= 0x1p53) return Parity::even;
  const std::int64_t integer = static_cast<std::int64_t>(y);
  if (static_cast<double>(integer) != y) return Parity::none;
  return (integer & 1) != 0 ? Parity::odd : Parity::even;
}

/// |x|^y for 0 < |x| < infinity and finite y.
JOSTLE_HD inline double power_of_magnitude(double x, double y) {
  const DoubleDouble log_x = logarithm(x);
  const double leading = y * log_x.high;
  if (leading > 710) return infinity();
  if (leading < -746) return 0;
  return exponential_of_sum(leading, std::fma(y, log_x.high, -leading) + y * log_x.low);
}

}  // namespace detail

JOSTLE_HD inline double exponential(double x) {
  if (is_nan(x)) return canonical_nan();
  if (x > 710) return infinity();
  if (x < -746) return 0;
  return detail::exponential_of_sum(x, 0);
}

/// NaN below 0, -infinity at 0.
JOSTLE_HD inline double natural_logarithm(double x) {
  if (!(x >= 0)) return canonical_nan();
  if (x == 0) return -infinity();
  if (x == infinity()) return x;
  const DoubleDouble log_x = detail::logarithm(x);
  return log_x.high + log_x.low;
}

/// x^y; 1 if y = 0 or x = 1, for any value of the other.
JOSTLE_HD inline double power(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (is_nan(x) || is_nan(y)) return canonical_nan();
  const double size = std::fabs(x);
  if (!is_finite(y)) {
    if (size == 1) return 1;
    return (size > 1) == (y > 0) ? infinity() : 0;
  }
  const detail::Parity parity = detail::parity(y);
  const double sign = sign_bit(x) && parity == detail::Parity::odd ? -1.0 : 1.0;
  if (size == 0 || size == infinity()) return with_sign_of((size == 0) == (y > 0) ? 0 : infinity(), sign);
  if (x < 0 && parity == detail::Parity::none) return canonical_nan();
  return sign * detail::power_of_magnitude(size, y);
}

}  // namespace jostle

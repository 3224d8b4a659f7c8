#pragma once
// Doubles as bit patterns, and sums and products that keep their rounding error.
//
// The functions of this folder use only +, -, *, /, std::fma, std::sqrt and std::fabs. IEEE 754 defines one answer for
// each of them, so results are bit-identical on every machine and at every optimisation level.
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/config.hpp"
#include "core/math/unrolled.hpp"

namespace jostle {

/// The only NaN that jostle produces; processors differ in the sign of theirs.
inline constexpr std::uint64_t canonical_nan_bits = 0x7FF8000000000000u;

JOSTLE_HD constexpr double canonical_nan() { return std::bit_cast<double>(canonical_nan_bits); }
JOSTLE_HD constexpr double infinity() { return std::bit_cast<double>(std::uint64_t{0x7FF0000000000000u}); }

/// More than there are of anything.
inline constexpr int any_number = 0x7FFFFFFF;

JOSTLE_HD constexpr std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
JOSTLE_HD constexpr bool is_nan(double x) { return x != x; }
JOSTLE_HD constexpr bool is_finite(double x) { return (bits_of(x) >> 52 & 0x7FF) != 0x7FF; }
JOSTLE_HD constexpr bool sign_bit(double x) { return bits_of(x) >> 63 != 0; }

/// Number of 1 bits of x. Written out, because nvcc silently leaves std::popcount and std::countr_zero out of device
/// code.
JOSTLE_HD constexpr int count_ones(std::uint64_t x) {
  x -= x >> 1 & 0x5555555555555555u;
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return static_cast<int>(x * 0x0101010101010101u >> 56);
}

/// Index of the lowest 1 bit of x; 64 if there is none.
JOSTLE_HD constexpr int lowest_one(std::uint64_t x) { return count_ones(~x & (x - 1)); }

/// |x| with the sign of `sign`.
JOSTLE_HD constexpr double with_sign_of(double x, double sign) {
  constexpr std::uint64_t mask = std::uint64_t{1} << 63;
  return std::bit_cast<double>((bits_of(x) & ~mask) | (bits_of(sign) & mask));
}

/// x, or the canonical NaN if x is any NaN.
JOSTLE_HD constexpr double canonical(double x) { return is_nan(x) ? canonical_nan() : x; }

/// x, or infinity where x is a NaN or an infinity.
JOSTLE_HD constexpr double finite_or_infinity(double x) { return is_finite(x) ? x : infinity(); }

/// is_first ? a : b without a branch: of several conditions in a row, compilers make branches. A GPU has none there,
/// and would need registers for the masks.
JOSTLE_HD constexpr double chosen(bool is_first, double a, double b) {
  if (JOSTLE_ON_DEVICE) return is_first ? a : b;
  const std::uint64_t mask = -static_cast<std::uint64_t>(is_first);
  return std::bit_cast<double>((bits_of(a) & mask) | (bits_of(b) & ~mask));
}

/// 2^n for -1022 <= n <= 1023.
JOSTLE_HD constexpr double power_of_two(int n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// 1 / x for a power of two x of at least 2^-1023.
JOSTLE_HD constexpr double inverse_power_of_two(double x) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(x) >> 52;  // 0: that of 2^-1023, which is subnormal
  return std::bit_cast<double>(exponent == 2046 ? std::uint64_t{1} << 51 : (2046 - exponent) << 52);
}

/// The integer nearest to x, ties to even, for |x| < 2^51.
JOSTLE_HD constexpr double nearest_integer(double x) {
  constexpr double shift = 0x1.8p52;  // between 2^52 and 2^53 doubles are the integers
  return (x + shift) - shift;
}

/// An unevaluated sum high + low, with |low| at most about an ulp of high.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// a + b without error, for |a| >= |b| or a = 0 (Dekker 1971).
JOSTLE_HD constexpr DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b without error (Knuth, The Art of Computer Programming, volume 2, 4.2.2).
JOSTLE_HD constexpr DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a b without error, unless it underflows.
JOSTLE_HD inline DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// a b to about 2^-102.
JOSTLE_HD inline DoubleDouble product(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble leading = two_product(a.high, b.high);
  return fast_two_sum(leading.high, std::fma(a.high, b.low, std::fma(a.low, b.high, leading.low)));
}

/// a / b to about 2^-100.
JOSTLE_HD inline DoubleDouble quotient(const DoubleDouble& a, const DoubleDouble& b) {
  const double leading = a.high / b.high;
  const double rest = std::fma(-leading, b.high, a.high) + std::fma(-leading, b.low, a.low);
  return fast_two_sum(leading, rest / b.high);
}

/// c[0] + c[1] x + ... + c[N-1] x^(N-1) by Horner's rule, one fma per coefficient.
template <int N>
JOSTLE_HD inline double polynomial(const double (&c)[N], double x) {
  double value = c[N - 1];
  unrolled<N - 1>([&](auto i) { value = std::fma(value, x, c[N - 2 - i]); });
  return value;
}

}  // namespace jostle

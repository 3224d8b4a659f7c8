#pragma once
// Six numbers in registers: the part of one body in a row, a velocity or a row of a matrix. Every operation is one
// fixed expression per number, so that processors with vector registers and those without give bit-identical results.
#include <cmath>

#include "core/config.hpp"
#include "core/math/span.hpp"
#include "core/math/vector.hpp"
#if defined(JOSTLE_AVX2)
#include <immintrin.h>
#endif

namespace jostle {

JOSTLE_HD constexpr int round_up_to_six(int n) { return (n + 5) / 6 * 6; }
/// Numbers of a row of n if six are read at a time from any of them on.
JOSTLE_HD constexpr int room_for_sixes(int n) { return round_up_to_six(n + 5); }

#if defined(JOSTLE_AVX2)

inline namespace by_vectors {

struct Six {
  __m256d first;
  __m128d last;
};

/// Numbers in memory. Unlike those of the intrinsics they are other memory than what is no `double`: a store leaves the
/// places of fields and the numbers of rows in their registers. They begin at any number: the attribute belongs to the
/// name, as clang ignores one of the type.
using FourInMemory [[gnu::aligned(alignof(double))]] = double __attribute__((vector_size(32)));
using TwoInMemory [[gnu::aligned(alignof(double))]] = double __attribute__((vector_size(16)));
static_assert(alignof(FourInMemory) == alignof(double) && alignof(TwoInMemory) == alignof(double));

inline Six six(const double* x) {
  return {*reinterpret_cast<const FourInMemory*>(x), *reinterpret_cast<const TwoInMemory*>(x + 4)};
}
inline Six six(double a, double b, double c, double d, double e, double f) {
  return {_mm256_setr_pd(a, b, c, d), _mm_setr_pd(e, f)};
}
inline void store(const Six& a, double* x) {
  *reinterpret_cast<FourInMemory*>(x) = a.first;
  *reinterpret_cast<TwoInMemory*>(x + 4) = a.last;
}

/// factor * a + sum
inline Six fused(double factor, const Six& a, const Six& sum) {
  const __m256d each = _mm256_set1_pd(factor);
  return {_mm256_fmadd_pd(each, a.first, sum.first), _mm_fmadd_pd(_mm256_castpd256_pd128(each), a.last, sum.last)};
}
inline Six operator*(const Six& a, const Six& b) {
  return {_mm256_mul_pd(a.first, b.first), _mm_mul_pd(a.last, b.last)};
}
inline Six operator*(double a, const Six& b) {
  return {_mm256_mul_pd(_mm256_set1_pd(a), b.first), _mm_mul_pd(_mm_set1_pd(a), b.last)};
}
inline Six operator/(const Six& a, const Six& b) {
  return {_mm256_div_pd(a.first, b.first), _mm_div_pd(a.last, b.last)};
}
inline Six operator/(const Six& a, double b) {
  return {_mm256_div_pd(a.first, _mm256_set1_pd(b)), _mm_div_pd(a.last, _mm_set1_pd(b))};
}
inline Six operator+(const Six& a, const Six& b) {
  return {_mm256_add_pd(a.first, b.first), _mm_add_pd(a.last, b.last)};
}
inline Six operator-(const Six& a, const Six& b) {
  return {_mm256_sub_pd(a.first, b.first), _mm_sub_pd(a.last, b.last)};
}
inline Six magnitudes(const Six& a) {
  return {_mm256_andnot_pd(_mm256_set1_pd(-0.0), a.first), _mm_andnot_pd(_mm_set1_pd(-0.0), a.last)};
}

/// The numbers of a where those of `condition` are not 0; else 0.
inline Six where(const Six& condition, const Six& a) {
  return {_mm256_and_pd(a.first, _mm256_cmp_pd(condition.first, _mm256_setzero_pd(), _CMP_NEQ_UQ)),
          _mm_and_pd(a.last, _mm_cmpneq_pd(condition.last, _mm_setzero_pd()))};
}

/// Whether all six are 0.
inline bool is_zero(const Six& a) {
  return (_mm256_movemask_pd(_mm256_cmp_pd(a.first, _mm256_setzero_pd(), _CMP_NEQ_UQ)) |
          _mm_movemask_pd(_mm_cmpneq_pd(a.last, _mm_setzero_pd()))) == 0;
}

/// (a0 b0 + a4 b4 + a2 b2) + (a1 b1 + a5 b5 + a3 b3), each a4 b4 and a5 b5 fused.
inline double dot(const Six& a, const Six& b) {
  const __m256d product = _mm256_mul_pd(a.first, b.first);
  const __m128d low = _mm_fmadd_pd(a.last, b.last, _mm256_castpd256_pd128(product));
  const __m128d sum = _mm_add_pd(low, _mm256_extractf128_pd(product, 1));
  return _mm_cvtsd_f64(_mm_add_sd(sum, _mm_unpackhi_pd(sum, sum)));
}

}  // namespace by_vectors

#else

inline namespace by_numbers {

struct Six {
  double x[6];
};

JOSTLE_HD inline Six six(const double* x) { return {{x[0], x[1], x[2], x[3], x[4], x[5]}}; }
JOSTLE_HD inline Six six(double a, double b, double c, double d, double e, double f) { return {{a, b, c, d, e, f}}; }
JOSTLE_HD inline void store(const Six& a, double* x) {
  for (int k = 0; k < 6; ++k) x[k] = a.x[k];
}

/// factor * a + sum
JOSTLE_HD inline Six fused(double factor, const Six& a, const Six& sum) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = std::fma(factor, a.x[k], sum.x[k]);
  return result;
}
JOSTLE_HD inline Six operator*(const Six& a, const Six& b) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = a.x[k] * b.x[k];
  return result;
}
JOSTLE_HD inline Six operator*(double a, const Six& b) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = a * b.x[k];
  return result;
}
JOSTLE_HD inline Six operator/(const Six& a, const Six& b) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = a.x[k] / b.x[k];
  return result;
}
JOSTLE_HD inline Six operator/(const Six& a, double b) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = a.x[k] / b;
  return result;
}
JOSTLE_HD inline Six operator-(const Six& a, const Six& b) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = a.x[k] - b.x[k];
  return result;
}
JOSTLE_HD inline Six operator+(const Six& a, const Six& b) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = a.x[k] + b.x[k];
  return result;
}
JOSTLE_HD inline Six magnitudes(const Six& a) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = std::fabs(a.x[k]);
  return result;
}

JOSTLE_HD inline Six where(const Six& condition, const Six& a) {
  Six result;
  for (int k = 0; k < 6; ++k) result.x[k] = condition.x[k] != 0 ? a.x[k] : 0.0;
  return result;
}
JOSTLE_HD inline bool is_zero(const Six& a) {
  for (const double x : a.x)
    if (x != 0) return false;
  return true;
}

/// (a0 b0 + a4 b4 + a2 b2) + (a1 b1 + a5 b5 + a3 b3), each a4 b4 and a5 b5 fused.
JOSTLE_HD inline double dot(const Six& a, const Six& b) {
  const double even = std::fma(a.x[4], b.x[4], a.x[0] * b.x[0]) + a.x[2] * b.x[2];
  const double odd = std::fma(a.x[5], b.x[5], a.x[1] * b.x[1]) + a.x[3] * b.x[3];
  return even + odd;
}

}  // namespace by_numbers

#endif

/// The same of one number.
JOSTLE_HD inline double fused(double factor, double a, double sum) { return std::fma(factor, a, sum); }

JOSTLE_HD inline Six six(const Vec6& a) { return six(a.value); }
JOSTLE_HD inline void store(const Six& a, Vec6& x) { store(a, x.value); }

template <int Step>
JOSTLE_HD Six six(const Span<double, Step>& x) {
  if constexpr (Step == 1) {
    return six(x.data);
  } else {
    const double each[6] = {x[0], x[1], x[2], x[3], x[4], x[5]};
    return six(each);
  }
}
template <int Step>
JOSTLE_HD void store(const Six& a, const Span<double, Step>& x) {
  if constexpr (Step == 1) {
    store(a, x.data);
  } else {
    double each[6];
    store(a, each);
    for (int k = 0; k < 6; ++k) x[k] = each[k];
  }
}

}  // namespace jostle

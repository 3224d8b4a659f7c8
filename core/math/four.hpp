#pragma once
// Comparisons of four numbers in memory, for a CPU.
#include "core/config.hpp"
#if defined(JOSTLE_AVX2)
#include <immintrin.h>
#endif

namespace jostle {

#if defined(JOSTLE_AVX2)

inline namespace by_vectors {

/// Which of four numbers are at most `bound`, as bits.
inline unsigned which_are_at_most(const double* x, double bound) {
  return static_cast<unsigned>(
      _mm256_movemask_pd(_mm256_cmp_pd(_mm256_loadu_pd(x), _mm256_set1_pd(bound), _CMP_LE_OQ)));
}

}  // namespace by_vectors

#else

inline namespace by_numbers {

/// Which of four numbers are at most `bound`, as bits.
inline unsigned which_are_at_most(const double* x, double bound) {
  unsigned bits = 0;
  for (int k = 0; k < 4; ++k) bits |= static_cast<unsigned>(x[k] <= bound) << k;
  return bits;
}

}  // namespace by_numbers

#endif

}  // namespace jostle

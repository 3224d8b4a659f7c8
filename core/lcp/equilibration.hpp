#pragma once
// Scaling of an LCP so that tolerances mean the same for a grain of sand and a truck:
//
//     z = S z',  M' = S M S,  q' = S q,  S = diag(s_i)
//
// with powers of two, so that the scaling is exact. For an LCP of unknown origin
//
//     s_i = 1 / sqrt(M_ii)                 where M_ii > 0
//     s_i = 1 / max_j |M_ij| s_j           otherwise, over the columns j that already have an s_j
//     s_i = 1 / sqrt(max_j |M_ij|)         if there are none (in a bimatrix game, say); 1 for a row of zeros
#include <cmath>

#include "core/lcp/lcp.hpp"
#include "core/math/bits.hpp"

namespace jostle {

/// 2^round(log2(x)) for a normal x > 0; 1 for anything else.
JOSTLE_HD inline double nearest_power_of_two(double x) {
  if (!(x >= 0x1p-1022) || !is_finite(x)) return 1;
  const int exponent = static_cast<int>(bits_of(x) >> 52) - 1023;
  const double below = power_of_two(exponent);
  constexpr double sqrt_two = 0x1.6a09e667f3bcdp+0;
  const double above = exponent == 1023 ? below : 2 * below;
  return chosen(x < below * sqrt_two, below, above);
}

/// 2^k with x 4^k in [1/2, 2) for a normal x > 0; 1 for anything else.
JOSTLE_HD inline double inverse_root_power_of_two(double x) {
  if (!(x >= 0x1p-1022) || !is_finite(x)) return 1;
  const int exponent = static_cast<int>(bits_of(x) >> 52) - 1023;
  return power_of_two(-((exponent + 1) >> 1));
}

/// Pivots of at most this count as zero where S makes the diagonal about 1.
inline constexpr double zero_pivot = 1e-12;

/// Which pivots count as zero; NaNs do.
struct ZeroPivots {
  double doubtful = zero_pivot;    ///< above zero_pivot and up to this they count as zero only...
  int most_doubtful = any_number;  ///< ...where no more than so many rows are left
  /// `unit`: a pivot that is about 1.
  JOSTLE_HD bool include(double pivot, int rows_left, double unit = 1) const {
    return !(pivot > zero_pivot * unit) || (!(pivot > doubtful * unit) && rows_left <= most_doubtful);
  }
};

/// Writes the n factors s_i. Begins and ends synced.
template <class Team, class Lcp, class Scale>
JOSTLE_HD JOSTLE_OUTLINE void equilibrate(const Team& team, const Lcp& lcp, Scale scale) {
  const auto diagonal = [&](int i) { return lcp.row(i)[i]; };
  team.for_each(lcp.n, [&](int i) {
    if (diagonal(i) > 0) scale[i] = inverse_root_power_of_two(diagonal(i));
  });
  team.sync();
  team.for_each(lcp.n, [&](int i) {
    if (diagonal(i) > 0) return;
    const auto row = lcp.row(i);
    double coupled = 0;
    double plain = 0;
    JOSTLE_BY_VECTORS_WITH(reduction(max : coupled, plain))
    for (int j = 0; j < lcp.n; ++j) {
      const double magnitude = std::fabs(row[j]);
      plain = magnitude > plain ? magnitude : plain;
      const double scaled = diagonal(j) > 0 ? magnitude * scale[j] : 0.0;
      coupled = scaled > coupled ? scaled : coupled;
    }
    scale[i] = coupled > 0 ? nearest_power_of_two(1 / coupled) : inverse_root_power_of_two(plain);
  });
  team.sync();
}

}  // namespace jostle

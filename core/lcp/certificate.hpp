#pragma once
// The natural residual max_i |min(z_i, w_i)| with w = M z + q from the original data: zero exactly at the solutions of
// the LCP, and independent of the dictionary that found z.
#include <cmath>

#include "core/lcp/lcp.hpp"
#include "core/lcp/selection.hpp"
#include "core/math/bits.hpp"

namespace jostle {

/// w_i = q_i + sum_j M_ij z_j, in four interleaved partial sums: this order of additions is the same on every
/// machine and gives the processor independent work.
JOSTLE_HD inline double slack(const LcpView& lcp, const double* __restrict__ z, int i) {
  constexpr int parts = 4;
  const double* __restrict__ const row = lcp.row(i);
  double sum[parts] = {};
  const int whole = lcp.n / parts * parts;
  for (int j = 0; j < whole; j += parts) {
    JOSTLE_BY_VECTORS
    for (int k = 0; k < parts; ++k) sum[k] = std::fma(row[j + k], z[j + k], sum[k]);
  }
  for (int k = 0; whole < lcp.n && k < parts - 1; ++k) {  // constant bounds keep the sums in registers
    if (whole + k < lcp.n) sum[k] = std::fma(row[whole + k], z[whole + k], sum[k]);
  }
  return lcp.q[i] + ((sum[0] + sum[2]) + (sum[1] + sum[3]));
}

/// |min(a, b)|, NaN if either is.
JOSTLE_HD inline double natural_residual(double a, double b) {
  if (JOSTLE_ON_DEVICE) return is_nan(a) || is_nan(b) ? canonical_nan() : std::fabs(a < b ? a : b);
  const double least = std::fabs(chosen(a < b, a, b));
  return chosen(is_nan(a), canonical_nan(), chosen(is_nan(b), canonical_nan(), least));
}

/// w = M z + q. Ends unsynced.
template <class Team>
JOSTLE_HD void write_slacks(const Team& team, const LcpView& lcp, const double* z, double* w) {
  team.for_each(lcp.n, [&](int i) { w[i] = slack(lcp, z, i); });
}

/// max|min(z, w)| / max(1, |q|inf) for an LCP of unknown units, of which w = M z + q is known; <= 1e-8 certifies z. NaN
/// if z is garbage.
template <class Team>
JOSTLE_HD double plain_residual(const Team& team, const LcpView& lcp, const double* z, const double* w) {
  const double worst = largest_magnitude_of(team, lcp.n, [=](int i) { return natural_residual(z[i], w[i]); });
  const double q_size = largest_magnitude_of(team, lcp.n, [q = lcp.q](int i) { return q[i]; });
  return worst / (q_size > 1 ? q_size : 1.0);
}

/// max|min(z', w')| / |q'|inf with z = S z', w' = S w, q' = S q: independent of the choice of units, so that a body of
/// 1e-9 kg is judged like one of 1 kg. Zero if z = 0 solves exactly. w = M z + q is known.
template <class Team>
JOSTLE_HD double equilibrated_residual(const Team& team, const LcpView& lcp, const double* scale, const double* z,
                                       const double* w) {
  const auto residual = [=](int i) { return natural_residual(z[i] / scale[i], scale[i] * w[i]); };
  const double worst = largest_magnitude_of(team, lcp.n, residual);
  const double q_size = largest_magnitude_of(team, lcp.n, [=, q = lcp.q](int i) { return scale[i] * q[i]; });
  return worst == 0 ? 0.0 : worst / q_size;
}

/// plain_residual of z. Writes w (n).
template <class Team>
JOSTLE_HD double certify_plain(const Team& team, const LcpView& lcp, const double* z, double* w) {
  write_slacks(team, lcp, z, w);
  return plain_residual(team, lcp, z, w);
}

/// equilibrated_residual of z. Writes w (n) in the units of the LCP.
template <class Team>
JOSTLE_HD double certify_equilibrated(const Team& team, const LcpView& lcp, const double* scale, const double* z,
                                      double* w) {
  write_slacks(team, lcp, z, w);
  return equilibrated_residual(team, lcp, scale, z, w);
}

}  // namespace jostle

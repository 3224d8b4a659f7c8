#pragma once
// The linear complementarity problem: find z >= 0 with w = M z + q >= 0 and z'w = 0.
#include <cstddef>
#include <cstdint>

#include "core/config.hpp"

namespace jostle {

/// Views, not owners. M is row-major with `stride` doubles from row to row. Lemke's method solves any type with n,
/// entry(i, j), for_row and constant(i).
struct LcpView {
  int n;
  int stride;
  const double* M;
  const double* q;

  JOSTLE_HD const double* row(int i) const { return M + static_cast<std::ptrdiff_t>(i) * stride; }
  JOSTLE_HD double entry(int i, int j) const { return row(i)[j]; }
  JOSTLE_HD double constant(int i) const { return q[i]; }
  /// put(j, M_ij) for the whole of row i.
  template <class Put>
  JOSTLE_HD void for_row(int i, Put put) const {
    const double* __restrict__ const from = row(i);
    for (int j = 0; j < n; ++j) put(j, from[j]);
  }
};

enum class LcpStatus : std::uint8_t { solved, ray, pivot_limit, uncertified, not_finite };

struct LcpResult {
  LcpStatus status;
  int pivots;       ///< of all attempts together
  double residual;  ///< certificate of the answer; infinity if there is none
};

/// All tolerances are relative and refer to the equilibrated problem M' = S M S, q' = S q.
struct LemkeOptions {
  /// Pivots of all attempts together. 0: 50 n, far more than any contact problem has needed (about n / 2).
  int max_pivots = 0;

  /// Attempts, each with a different covering vector and different slope and snap tolerances, before a ray or an
  /// uncertified answer is reported; at least 1.
  int attempts = 7;

  /// An entering variable decreases a basic one if their slope is below -slope_tolerance max|M'|. Contact problems are
  /// rank-deficient, and values that should be zero are noise near 1e-12: a pivot on noise ruins the dictionary. True
  /// slopes below the tolerance also occur (a rod that lies almost flat, a ball below a much heavier box: the ratio of
  /// their masses). Later attempts therefore use 32, 1/32, 32^2, 1/32^2 ... times as much, and the certificate decides.
  double slope_tolerance = 3e-7;

  /// Rows tie if their ratios differ by at most tie_tolerance |least ratio|. 0 sees only exact ties, and most contact
  /// problems then fail from n = 8 up; 1e-12 to 1e-9 work equally well.
  double tie_tolerance = 1e-11;

  /// Constants of the dictionary within snap_tolerance |q'|inf of zero become zero. Later attempts use 1e3 and 1e6
  /// times as much.
  double snap_tolerance = 1e-14;

  /// An answer is exact if its residual is at most this. A start basis must give an exact answer. If the
  /// artificial variable is below exact_tolerance |q'|inf, an exact answer ends the pivoting. If the pivoting otherwise
  /// ends with an answer that is not exact, it continues from the basis that it has reached, refactorised.
  double exact_tolerance = 1e-12;

  /// An answer is `solved` if its residual is at most this.
  double certificate_tolerance = 1e-8;
};

}  // namespace jostle

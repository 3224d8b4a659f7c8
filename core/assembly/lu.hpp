#pragma once
// LU factors of a small dense matrix with complete pivoting, which also finds its rank: dependent rows are left out, as
// redundant joints must be (Anitescu & Potra 1997, appendix A).
#include <cmath>

#include "core/lcp/equilibration.hpp"
#include "core/math/span.hpp"
#include "core/team.hpp"

namespace jostle {

/// P S A S Q = L U in place; row-major, n x n. S are powers of two that make the diagonal about 1: the test for a zero
/// pivot is then the same for every body, from a grain to a truck. The orders of rows and columns are kept.
template <int Step = 1>
struct LuFactors {
  int n = 0;
  Span<double, Step> matrix;
  Span<double, Step> scale;
  Span<int, Step> order_of_rows, order_of_columns;

  JOSTLE_HD double& entry(int i, int j) const { return matrix[order_of_rows[i] * n + order_of_columns[j]]; }
  /// Row i as stored, before the exchanges.
  JOSTLE_HD Span<double, Step> row(int i) const { return matrix.from(i * n); }
};

template <int Step>
JOSTLE_HD void exchange(const Span<int, Step>& order, int i, int j) {
  const int before = order[i];
  order[i] = order[j];
  order[j] = before;
}

/// Returns the rank: pivots of at most 1e-12 of the first count as zero, and so do NaNs. Called by a single lane.
template <int Step>
JOSTLE_HD int factorise(const LuFactors<Step>& lu) {
  constexpr double rank_tolerance = 1e-12;
  equilibrate(SerialTeam{}, lu, lu.scale);
  for (int i = 0; i < lu.n * lu.n; ++i) lu.matrix[i] *= lu.scale[i / lu.n] * lu.scale[i % lu.n];
  for (int i = 0; i < lu.n; ++i) lu.order_of_rows[i] = lu.order_of_columns[i] = i;
  double first_pivot = 0;
  for (int k = 0; k < lu.n; ++k) {
    int best_row = k, best_column = k;
    for (int i = k; i < lu.n; ++i) {
      for (int j = k; j < lu.n; ++j) {
        if (std::fabs(lu.entry(i, j)) > std::fabs(lu.entry(best_row, best_column))) best_row = i, best_column = j;
      }
    }
    const double pivot = std::fabs(lu.entry(best_row, best_column));
    if (k == 0) first_pivot = pivot;
    if (!(pivot > rank_tolerance * first_pivot)) return k;
    exchange(lu.order_of_rows, k, best_row);
    exchange(lu.order_of_columns, k, best_column);
    for (int i = k + 1; i < lu.n; ++i) {
      lu.entry(i, k) /= lu.entry(k, k);
      for (int j = k + 1; j < lu.n; ++j) lu.entry(i, j) -= lu.entry(i, k) * lu.entry(k, j);
    }
  }
  return lu.n;
}

/// Solves A x = b on the leading `rank` rows and columns; the other x are 0. `work` holds `rank` numbers.
template <int Step>
JOSTLE_HD void solve(const LuFactors<Step>& lu, int rank, const Span<double, Step>& b, const Span<double, Step>& x,
                     const Span<double, Step>& work) {
  for (int i = 0; i < rank; ++i) {
    work[i] = lu.scale[lu.order_of_rows[i]] * b[lu.order_of_rows[i]];
    for (int j = 0; j < i; ++j) work[i] -= lu.entry(i, j) * work[j];
  }
  for (int i = rank - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank; ++j) work[i] -= lu.entry(i, j) * work[j];
    work[i] /= lu.entry(i, i);
  }
  for (int i = 0; i < lu.n; ++i)
    x[lu.order_of_columns[i]] = i < rank ? lu.scale[lu.order_of_columns[i]] * work[i] : 0.0;
}

}  // namespace jostle

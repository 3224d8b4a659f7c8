#pragma once
// LU factors of a small dense matrix with complete pivoting, which also finds its rank: dependent rows are left out, as
// redundant joints must be (Anitescu & Potra 1997, appendix A).
#include <cmath>

#include "core/lcp/equilibration.hpp"
#include "core/math/bits.hpp"
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
    double pivot = std::fabs(lu.entry(k, k));
    for (int i = k; i < lu.n; ++i) {
      const auto row = lu.row(lu.order_of_rows[i]);
      for (int j = k; j < lu.n; ++j) {
        const double size = std::fabs(row[lu.order_of_columns[j]]);
        if (size > pivot) best_row = i, best_column = j, pivot = size;
      }
    }
    if (k == 0) first_pivot = pivot;
    if (!(pivot > rank_tolerance * first_pivot)) return k;
    exchange(lu.order_of_rows, k, best_row);
    exchange(lu.order_of_columns, k, best_column);
    const auto from = lu.row(lu.order_of_rows[k]);
    for (int i = k + 1; i < lu.n; ++i) {
      const auto row = lu.row(lu.order_of_rows[i]);
      const double factor = row[lu.order_of_columns[k]] /= from[lu.order_of_columns[k]];
      if (factor == 0) continue;  // as nearly always, if few bodies are coupled
      for (int j = k + 1; j < lu.n; ++j) row[lu.order_of_columns[j]] -= factor * from[lu.order_of_columns[j]];
    }
  }
  return lu.n;
}

/// One lane factorises, every lane gets the rank through `rank_of_all`. Begins and ends synced.
template <class Team, int Step>
JOSTLE_HD int factorise_together(const Team& team, const LuFactors<Step>& lu, int& rank_of_all) {
  team.once([&] { rank_of_all = factorise(lu); });
  team.sync();
  const int rank = rank_of_all;
  team.sync();
  return rank;
}

/// Solves A x = b on the leading `rank` rows and columns; the other x are 0. `work` holds `rank` numbers.
template <int Step>
JOSTLE_HD void solve(const LuFactors<Step>& lu, int rank, const Span<double, Step>& b, const Span<double, Step>& x,
                     const Span<double, Step>& work) {
  bool may_skip = true;  // zeros: what they would subtract changes nothing but the sign of a -0
  for (int i = 0; i < rank; ++i) {
    work[i] = lu.scale[lu.order_of_rows[i]] * b[lu.order_of_rows[i]];
    if (work[i] == 0 && sign_bit(work[i])) may_skip = false;
  }
  int end = may_skip ? 0 : rank;    // behind the last number that is not 0
  for (int j = 0; j < rank; ++j) {  // column after column: no number waits for the one before it
    const double x_j = work[j];
    if (may_skip && x_j == 0) continue;
    end = may_skip ? j + 1 : rank;
    const int column = lu.order_of_columns[j];
    for (int i = j + 1; i < rank; ++i) work[i] -= lu.matrix[lu.order_of_rows[i] * lu.n + column] * x_j;
  }
  for (int i = rank - 1; i >= 0; --i) {
    const auto row = lu.row(lu.order_of_rows[i]);
    double sum = work[i];
    for (int j = i + 1; j < end; ++j) sum -= row[lu.order_of_columns[j]] * work[j];
    work[i] = sum / row[lu.order_of_columns[i]];
  }
  for (int i = 0; i < lu.n; ++i)
    x[lu.order_of_columns[i]] = i < rank ? lu.scale[lu.order_of_columns[i]] * work[i] : 0.0;
}

}  // namespace jostle

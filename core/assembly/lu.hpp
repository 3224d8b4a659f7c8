#pragma once
// LU factors with complete pivoting of a small dense matrix, which finds its rank on the way: rows that
// depend on others are left out, as redundant joints must be (Anitescu & Potra 1997, appendix A).
#include <cmath>

#include "core/config.hpp"

namespace jostle {

/// P A Q = L U in place; row-major, n x n. The order of rows and columns is kept in `row` and `column`.
struct LuFactors {
  int n = 0;
  Real* matrix = nullptr;
  int* row = nullptr;
  int* column = nullptr;

  JOSTLE_HD Real& entry(int i, int j) const { return matrix[row[i] * n + column[j]]; }
};

/// Returns the rank: pivots of at most 1e-12 of the first count as zero. By a single lane.
JOSTLE_HD inline int factorise(const LuFactors& lu) {
  constexpr Real rank_tolerance = 1e-12;
  for (int i = 0; i < lu.n; ++i) lu.row[i] = lu.column[i] = i;
  Real first_pivot = 0;
  for (int k = 0; k < lu.n; ++k) {
    int best_row = k, best_column = k;
    for (int i = k; i < lu.n; ++i) {
      for (int j = k; j < lu.n; ++j) {
        if (std::fabs(lu.entry(i, j)) > std::fabs(lu.entry(best_row, best_column))) best_row = i, best_column = j;
      }
    }
    const Real pivot = std::fabs(lu.entry(best_row, best_column));
    if (k == 0) first_pivot = pivot;
    if (!(pivot > rank_tolerance * first_pivot)) return k;
    const int r = lu.row[k], c = lu.column[k];
    lu.row[k] = lu.row[best_row], lu.row[best_row] = r;
    lu.column[k] = lu.column[best_column], lu.column[best_column] = c;
    for (int i = k + 1; i < lu.n; ++i) {
      lu.entry(i, k) /= lu.entry(k, k);
      for (int j = k + 1; j < lu.n; ++j) lu.entry(i, j) -= lu.entry(i, k) * lu.entry(k, j);
    }
  }
  return lu.n;
}

/// Solves A x = b on the leading `rank` rows and columns; the other x are 0. `work` holds n.
JOSTLE_HD inline void solve(const LuFactors& lu, int rank, const Real* b, Real* x, Real* work) {
  for (int i = 0; i < rank; ++i) {
    work[i] = b[lu.row[i]];
    for (int j = 0; j < i; ++j) work[i] -= lu.entry(i, j) * work[j];
  }
  for (int i = rank - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank; ++j) work[i] -= lu.entry(i, j) * work[j];
    work[i] /= lu.entry(i, i);
  }
  for (int i = 0; i < lu.n; ++i) x[lu.column[i]] = i < rank ? work[i] : Real(0);
}

}  // namespace jostle

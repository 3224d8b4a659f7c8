#pragma once
// LU factors with complete pivoting of a small dense matrix, which finds its rank on the way: rows that
// depend on others are left out, as redundant joints must be (Anitescu & Potra 1997, appendix A).
#include <cmath>

#include "core/lcp/equilibration.hpp"
#include "core/team.hpp"

namespace jostle {

/// P S A S Q = L U in place; row-major, n x n. S are powers of two that make the diagonal about 1: whether a
/// pivot is zero is then asked of every body alike, be it a grain or a truck. The order of rows and columns is kept in
/// `row` and `column`.
struct LuFactors {
  int n = 0;
  double* matrix = nullptr;
  double* scale = nullptr;
  int* row = nullptr;
  int* column = nullptr;

  JOSTLE_HD double& entry(int i, int j) const { return matrix[row[i] * n + column[j]]; }
};

/// Returns the rank: pivots of at most 1e-12 of the first count as zero, and so does what is not a number. By a
/// single lane.
JOSTLE_HD inline int factorise(const LuFactors& lu) {
  constexpr double rank_tolerance = 1e-12;
  equilibrate(SerialTeam{}, LcpView{lu.n, lu.n, lu.matrix, nullptr}, lu.scale);
  for (int i = 0; i < lu.n * lu.n; ++i) lu.matrix[i] *= lu.scale[i / lu.n] * lu.scale[i % lu.n];
  for (int i = 0; i < lu.n; ++i) lu.row[i] = lu.column[i] = i;
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

/// Solves A x = b on the leading `rank` rows and columns; the other x are 0. `work` holds `rank` numbers.
JOSTLE_HD inline void solve(const LuFactors& lu, int rank, const double* b, double* x, double* work) {
  for (int i = 0; i < rank; ++i) {
    work[i] = lu.scale[lu.row[i]] * b[lu.row[i]];
    for (int j = 0; j < i; ++j) work[i] -= lu.entry(i, j) * work[j];
  }
  for (int i = rank - 1; i >= 0; --i) {
    for (int j = i + 1; j < rank; ++j) work[i] -= lu.entry(i, j) * work[j];
    work[i] /= lu.entry(i, i);
  }
  for (int i = 0; i < lu.n; ++i) x[lu.column[i]] = i < rank ? lu.scale[lu.column[i]] * work[i] : 0.0;
}

}  // namespace jostle

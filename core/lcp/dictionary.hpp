#pragma once
// The condensed dictionary of Lemke's method [Cottle, Pang, Stone 1992, Sections 2.2 and 4.4]: n rows, one per
// basic variable; n + 1 columns, one per nonbasic variable; and the constants.
//
//     basic = T nonbasic + b          at the start: w = M' z + d z0 + q'
//
// A pivot exchanges the basic variable of row r with the nonbasic one of column c, f being that column:
//
//     s = -1 / f_r,   p_j = (j == c ? -1 : T_rj) s,   T_rj = p_j,   b_r = b_r s
//     T_ij = fma(f_i, p_j, j == c ? 0 : T_ij),   b_i = fma(f_i, b_r, b_i)         in all other rows
//
// with |b_i| <= snap replaced by 0. A CPU thread goes along rows (row_dictionary.hpp), the lanes of a team go down
// columns (column_dictionary.hpp); both compute each cell like this, so the bits are the same. (Signs of zeros may
// differ: no comparison sees them.)
//
// Moving the cells costs more than computing them, so the update of every other pivot is deferred and done together
// with the next: the two fma follow each other in a register.
#include <cmath>
#include <cstddef>

#include "core/lcp/workspace.hpp"
#include "core/math/bits.hpp"
#include "core/team.hpp"

namespace jostle {

/// team.for_each() for numbers that follow each other in memory, of which a CPU takes several at once.
template <class Team, class F>
JOSTLE_HD void for_each_cell(const Team& team, int n, F f) {
  if constexpr (Thread<Team>) {
    JOSTLE_BY_VECTORS
    for (std::ptrdiff_t j = 0; j < n; ++j) f(j);
  } else {
    team.for_each(n, f);
  }
}

/// The earlier row whose scaled cells are those of row i with opposite sign (AssembledLcp); -1 if the LCP knows none.
template <class Lcp>
JOSTLE_HD int opposite_row(const Lcp& lcp, int i) {
  if constexpr (requires { lcp.opposite_row(i); }) return lcp.opposite_row(i);
  return -1;
}

/// From this column on, a row has the same cells as its opposite: those of lambda, whose rows come last, too.
template <class Lcp>
JOSTLE_HD int turning_column(const Lcp& lcp) {
  if constexpr (requires { lcp.opposite_row(0); }) return lcp.first_lambda();
  return lcp.n;
}

/// Of row i, whose largest cell this is, for max|M'|. A row of lambda, from `first_lambda` on, has ones and
/// coefficients of friction; even a large one leaves slopes of speeds what they are.
JOSTLE_HD inline double size_of_row(int i, int first_lambda, double largest) {
  return i >= first_lambda && largest > 1 && is_finite(largest) ? 1.0 : largest;
}

/// The cells, row by row, and what is computed with them.
class Dictionary {
 public:
  /// A copy for functions of their own: then Lemke's method needs no address and may stay in registers.
  JOSTLE_HD Dictionary rows() const { return *this; }

  JOSTLE_HD double entry(int i, int j) const {
    const double cell = row(i)[j];
    return deferred_row_ < 0 ? cell : std::fma(deferred_column_[i], row(deferred_row_)[j], cell);
  }
  JOSTLE_HD double constant(int i) const { return constants_[i]; }
  JOSTLE_HD double column(int i) const { return column_[i]; }

  /// Gives the artificial variable the coefficient 1 in every row, and snaps the constants. Begins and ends synced.
  template <class Team>
  JOSTLE_HD void cover(const Team& team, double snap) {
    team.sync();
    const int d = deferred_row_;
    for (int i = 0; d >= 0 && i < n(); ++i) {
      if (i == d) continue;
      const double* __restrict__ const p = row(d);
      double* __restrict__ const to = row(i);
      const double factor = deferred_column_[i];
      for_each_cell(team, stride(), [=](auto j) { to[j] = std::fma(factor, p[j], to[j]); });
    }
    deferred_row_ = -1;
    team.sync();
    team.for_each(n(), [=, this](int i) {
      row(i)[n()] = 1;
      if (std::fabs(constants_[i]) <= snap) constants_[i] = 0;
    });
    team.sync();
  }

 protected:
  JOSTLE_HD Dictionary(int n, const LemkeWorkspace& workspace)
      : n_(n),
        cells_(workspace.cells),
        pivot_row_(workspace.pivot_row),
        constants_(workspace.constants),
        column_(workspace.column),
        deferred_column_(workspace.deferred_column) {}

  JOSTLE_HD int n() const { return n_; }
  JOSTLE_HD int stride() const { return padded(n_ + 1); }
  JOSTLE_HD double* row(int i) const { return cells_ + static_cast<std::ptrdiff_t>(i) * stride(); }

  /// Defers the update of row r and the column taken: the next column has the memory of the last deferred one.
  JOSTLE_HD void defer(int r) {
    deferred_row_ = r;
    double* const free_column = deferred_column_;
    deferred_column_ = column_;
    column_ = free_column;
  }

  int n_;
  double* cells_;
  double* pivot_row_;
  double* constants_;
  double* column_;
  double* deferred_column_;  // f of the deferred pivot, with 0 in its own row
  int deferred_row_ = -1;    // the row that holds its p; -1: no pivot is deferred
};

}  // namespace jostle

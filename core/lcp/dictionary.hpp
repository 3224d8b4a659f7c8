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
// with |b_i| <= snap replaced by 0. Every placement of the dictionary that computes each cell like this gives
// bit-identical results. (Signs of zeros may differ: no comparison sees them.)
//
// (tile_dictionary.hpp is the placement in registers.)
//
// This placement is memory, row by row. Moving the cells costs more than computing them, so the update of every other
// pivot is deferred and done together with the next: the two fma follow each other in a register.
#include <cmath>
#include <concepts>
#include <cstddef>

#include "core/lcp/extent.hpp"
#include "core/lcp/lcp.hpp"
#include "core/lcp/selection.hpp"
#include "core/lcp/workspace.hpp"
#include "core/math/unrolled.hpp"
#include "core/team.hpp"

namespace jostle {

/// Whether the lanes of a team take columns of the dictionary and go down the rows, so that each column's data are
/// loaded once. A CPU thread goes along the rows, which are contiguous.
template <class Team>
inline constexpr bool goes_down_columns = true;
template <>
inline constexpr bool goes_down_columns<SerialTeam> = false;

/// The earlier row whose scaled cells are those of row i with opposite sign (AssembledLcp); -1 if the LCP knows none.
template <class Lcp>
JOSTLE_HD int opposite_row(const Lcp& lcp, int i) {
  if constexpr (requires { lcp.opposite_row(i); }) return lcp.opposite_row(i);
  return -1;
}

/// team.for_each() for the cells of a row, of which a CPU takes several at once.
template <class Team, class F>
JOSTLE_HD void for_each_cell(const Team& team, int n, F f) {
  if constexpr (std::same_as<Team, SerialTeam>) {
    JOSTLE_BY_VECTORS
    for (std::ptrdiff_t j = 0; j < n; ++j) f(j);
  } else {
    team.for_each(n, f);
  }
}

/// Row i of M where it lies, or written to `memory` if the LCP does not store it.
template <class Lcp>
JOSTLE_HD const double* stored_row(const Lcp& lcp, int i, double* memory) {
  if constexpr (requires { lcp.row(i); }) {
    return lcp.row(i);
  } else {
    lcp.for_row(i, [=](int j, double entry) { memory[j] = entry; });
    return memory;
  }
}

template <int N>
class MemoryDictionary {
 public:
  static constexpr bool leaves_registers = true;  ///< for computations on its rows

  template <class Team>
  JOSTLE_HD MemoryDictionary(const Team&, LcpExtent<N> extent, const LemkeWorkspace& workspace)
      : extent_(extent),
        cells_(workspace.cells),
        pivot_row_(workspace.pivot_row),
        constants_(workspace.constants),
        column_(workspace.column),
        deferred_column_(workspace.deferred_column) {}

  /// w = M' z + d z0 + q', with `covering(i)` for d_i in column n. row_sizes (padded(n)):
  /// the largest |M'_ij| of each row, NaN or infinity if one is not finite.
  template <class Team, class Lcp, class Covering>
  JOSTLE_HD void load(const Team& team, const Lcp& lcp, const double* scale, Covering covering, double* row_sizes);

  /// Copies column c to column(i) and replaces it by zeros, as the next update expects. The team must have synced since
  /// the last update. Ends synced.
  template <class Team>
  JOSTLE_HD void take_column(const Team& team, int c) const;

  /// Exchanges row r with column c, the last one taken.
  template <class Team>
  JOSTLE_HD void update(const Team& team, int r, int c, double snap);

  /// Gives the artificial variable the coefficient 1 in every row, and snaps the constants. Ends synced.
  template <class Team>
  JOSTLE_HD void cover(const Team& team, double snap);

  /// Updates only the constants in such an exchange, when nothing else of the dictionary is needed any more.
  template <class Team>
  JOSTLE_HD void update_constants(const Team& team, int r, double snap) const {
    update_constants(team, r, -1 / column_[r], snap);
  }

  /// For placements where lanes do not see each other's cells: entry(i, j) will be read for rows i that the predicate
  /// selects. Here every lane sees all cells.
  template <class Predicate>
  JOSTLE_HD void expose(Predicate) const {}

  /// What the ratio test reads: entry(i, j), constant(i) and column(i).
  JOSTLE_HD MemoryDictionary rows() const { return *this; }

  JOSTLE_HD double entry(int i, int j) const {
    const double cell = row(i)[j];
    return deferred_row_ < 0 ? cell : std::fma(deferred_column_[i], row(deferred_row_)[j], cell);
  }
  JOSTLE_HD double constant(int i) const { return constants_[i]; }
  JOSTLE_HD double column(int i) const { return column_[i]; }

 private:
  JOSTLE_HD int n() const { return extent_.n; }
  JOSTLE_HD int stride() const { return padded(extent_.n + 1); }
  JOSTLE_HD double* row(int i) const { return cells_ + static_cast<std::ptrdiff_t>(i) * stride(); }

  template <class Team>
  JOSTLE_HD void set_pivot_row(const Team& team, int r, int c, double s) const;
  template <class Team>
  JOSTLE_HD void update_constants(const Team& team, int r, double s, double snap) const;
  template <class Team>
  JOSTLE_HD void apply_two_updates(const Team& team, int r) const;
  template <class Team>
  JOSTLE_HD void copy_pivot_row(const Team& team, int r) const;

  LcpExtent<N> extent_;
  double* cells_;
  double* pivot_row_;
  double* constants_;
  double* column_;
  double* deferred_column_;  // f of the deferred pivot, with 0 in its own row
  int deferred_row_ = -1;    // the row that holds its p; -1: no pivot is deferred
};

template <int N>
template <class Team, class Lcp, class Covering>
JOSTLE_HD void MemoryDictionary<N>::load(const Team& team, const Lcp& lcp, const double* scale, Covering covering,
                                         double* row_sizes) {
  deferred_row_ = -1;
  const int size = n();
  constexpr bool copies_opposites = !goes_down_columns<Team> && requires { lcp.opposite_row(0); };
  int turning = size;  // from this column on, a row has the same cells as its opposite
  if constexpr (copies_opposites) turning = lcp.first_lambda();
  team.for_each(size, [=, this](int i) {
    const double* __restrict__ const s = scale;
    double* const to = row(i);
    const double own_scale = s[i];
    std::int64_t largest = 0;
    if constexpr (goes_down_columns<Team>) {
      lcp.for_row(i, [=, &largest](int j, double entry) {
        const double cell = entry * (own_scale * s[j]);
        const std::int64_t bits = magnitude_bits(cell);
        largest = bits > largest ? bits : largest;
        to[j] = cell;
      });
    } else if (const int opposite = opposite_row(lcp, i); copies_opposites && opposite >= 0) {
      const double* __restrict__ const from = row(opposite);
      for_each_cell(team, turning, [=](auto j) { to[j] = -from[j]; });
      for_each_cell(team, size - turning, [=](auto j) { to[turning + j] = from[turning + j]; });
      largest = magnitude_bits(row_sizes[opposite]);
    } else {
      const double* const from = stored_row(lcp, i, to);
      for_each_cell(team, size, [=](auto j) { to[j] = from[j] * (own_scale * s[j]); });
      JOSTLE_BY_VECTORS_WITH(reduction(max : largest))
      for (int j = 0; j < size; ++j) largest = magnitude_bits(to[j]) > largest ? magnitude_bits(to[j]) : largest;
    }
    to[size] = covering(i);
    for (int j = size + 1; j < stride(); ++j) to[j] = 0;
    row_sizes[i] = from_magnitude_bits(largest);
    constants_[i] = own_scale * lcp.constant(i);
  });
  // The padding, by any lane.
  team.for_each(padded(size) - size, [=, this](int i) {
    row_sizes[size + i] = constants_[size + i] = column_[size + i] = deferred_column_[size + i] = 0;
  });
}

template <int N>
template <class Team>
JOSTLE_HD void MemoryDictionary<N>::take_column(const Team& team, int c) const {
  const int deferred = deferred_row_;
  double* const column = column_;
  if constexpr (!goes_down_columns<Team>) {
    const double* const cell = cells_ + c;
    const double* const factor = deferred_column_;
    const std::ptrdiff_t step = stride();
    const double p = deferred < 0 ? 0.0 : cell[deferred * step];
    if (deferred < 0)
      for_each_cell(team, n(), [=](auto i) { column[i] = cell[i * step]; });
    else
      for_each_cell(team, n(), [=](auto i) { column[i] = std::fma(factor[i], p, cell[i * step]); });
    double* const taken = cells_ + c;
    int i = 0;
    for (; i + 4 <= n(); i += 4)
      taken[i * step] = taken[(i + 1) * step] = taken[(i + 2) * step] = taken[(i + 3) * step] = 0;
    for (; i < n(); ++i) taken[i * step] = 0;
  } else if (deferred < 0) {
    team.for_each(n(), [=, this](int i) {
      column[i] = row(i)[c];
      row(i)[c] = 0;
    });
  } else {
    const double p = row(deferred)[c];
    team.sync();  // every lane has p before its cell becomes zero
    team.for_each(n(), [=, this](int i) {
      column[i] = std::fma(deferred_column_[i], p, row(i)[c]);
      row(i)[c] = 0;
    });
  }
  team.sync();
}

template <int N>
template <class Team>
JOSTLE_HD void MemoryDictionary<N>::update_constants(const Team& team, int r, double s, double snap) const {
  const double* __restrict__ const f = column_;
  double* __restrict__ const b = constants_;
  const double entering = b[r] * s;
  team.sync();  // every lane has b_r before it changes
  for_each_cell(team, padded(n()), [=](auto i) {
    if constexpr (goes_down_columns<Team>) {
      const double moved = i == r ? entering : std::fma(f[i], entering, b[i]);
      b[i] = std::fabs(moved) <= snap ? 0.0 : moved;
    } else {
      const double moved = chosen(i == r, entering, std::fma(f[i], entering, b[i]));
      b[i] = chosen(std::fabs(moved) <= snap, 0.0, moved);
    }
  });
}

// Writes p to the buffer of the pivot row.
template <int N>
template <class Team>
JOSTLE_HD void MemoryDictionary<N>::set_pivot_row(const Team& team, int r, int c, double s) const {
  const double* __restrict__ const old = row(r);
  double* __restrict__ const p = pivot_row_;
  if (deferred_row_ < 0 || deferred_row_ == r) {
    for_each_cell(team, stride(), [=](auto j) {
      if constexpr (goes_down_columns<Team>)
        p[j] = (j == c ? -1.0 : old[j]) * s;
      else
        p[j] = chosen(j == c, -1.0, old[j]) * s;
    });
  } else {
    const double* __restrict__ const deferred = row(deferred_row_);
    const double factor = deferred_column_[r];
    for_each_cell(team, stride(), [=](auto j) {
      if constexpr (goes_down_columns<Team>)
        p[j] = (j == c ? -1.0 : std::fma(factor, deferred[j], old[j])) * s;
      else
        p[j] = chosen(j == c, -1.0, std::fma(factor, deferred[j], old[j])) * s;
    });
  }
}

/// row_i = fma(f2_i, p2, fma(f1_i, p1, row_i)) for all rows, of which p1 may be one. A CPU takes up to 32 columns at a
/// time: it then needs neither an inner loop nor p1 in memory.
JOSTLE_HD inline void add_two_multiples(int rows, int columns, double* cells, const double* f1, const double* p1,
                                        const double* f2, const double* p2) {
  constexpr int most = 8 * lemke_block;
  for (int first = 0; first < columns; first += most) {
    const int blocks = (columns - first < most ? columns - first : most) / lemke_block;
    with_constant<8>(blocks, [=](auto constant) {
      constexpr int width = lemke_block * constant();
      double before[width];
      JOSTLE_BY_VECTORS
      for (int j = 0; j < width; ++j) before[j] = p1[first + j];
      const double* __restrict__ const q2 = p2 + first;
      double* row = cells + first;
      for (int i = 0; i < rows; ++i, row += columns) {
        double* __restrict__ const cell = row;
        const double a = f1[i], b = f2[i];
        JOSTLE_BY_VECTORS
        for (int j = 0; j < width; ++j) cell[j] = std::fma(b, q2[j], std::fma(a, before[j], cell[j]));
      }
    });
  }
}

/// row_i = fma(f2_i, p, fma(f1_i, row_d, row_i)) for all rows, then row_r = p. Rows d and r need no exception: f1_d is
/// 0, which leaves finite values unchanged; row r is replaced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void go_down_columns(Team team, int rows, int columns, double* cells, const double* f1, int d,
                                              const double* f2, const double* p, int r) {
  team.for_each(columns, [=](int j) {
    const double deferred = cells[static_cast<std::ptrdiff_t>(d) * columns + j], pivot = p[j];
    double* cell = cells + j;
    for (int i = 0; i < rows; ++i, cell += columns) *cell = std::fma(f2[i], pivot, std::fma(f1[i], deferred, *cell));
    cells[static_cast<std::ptrdiff_t>(r) * columns + j] = pivot;
  });
}

// Applies the deferred update and that of p, which then replaces row r.
template <int N>
template <class Team>
JOSTLE_HD void MemoryDictionary<N>::apply_two_updates(const Team& team, int r) const {
  const int columns = stride();
  const int size = n();
  const int d = deferred_row_;
  if constexpr (goes_down_columns<Team>) {
    go_down_columns(team, size, columns, cells_, deferred_column_, d, column_, pivot_row_, r);
  } else {
    add_two_multiples(size, columns, cells_, deferred_column_, row(d), column_, pivot_row_);
    copy_pivot_row(team, r);
  }
}

template <int N>
template <class Team>
JOSTLE_HD void MemoryDictionary<N>::copy_pivot_row(const Team& team, int r) const {
  const double* __restrict__ const p = pivot_row_;
  double* __restrict__ const to = row(r);
  for_each_cell(team, stride(), [=](auto j) { to[j] = p[j]; });
}

template <int N>
template <class Team>
JOSTLE_HD void MemoryDictionary<N>::update(const Team& team, int r, int c, double snap) {
  team.sync();  // a lane may still be comparing rows at the end of the select that chose r
  const double s = -1 / column_[r];
  set_pivot_row(team, r, c, s);
  update_constants(team, r, s, snap);
  if (deferred_row_ >= 0) {
    apply_two_updates(team, r);
    deferred_row_ = -1;
    return;
  }
  copy_pivot_row(team, r);
  deferred_row_ = r;
  double* const free_column = deferred_column_;
  deferred_column_ = column_;
  column_ = free_column;
  team.once([=, this] { deferred_column_[r] = 0; });
}

template <int N>
template <class Team>
JOSTLE_HD void MemoryDictionary<N>::cover(const Team& team, double snap) {
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

}  // namespace jostle

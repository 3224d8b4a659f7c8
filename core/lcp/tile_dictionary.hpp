#pragma once
// The placement of Lemke's dictionary in the registers of a team. Every lane holds a tile: the rows a, a + A, ... and
// the columns b, b + Parts, ..., if a team of A x Parts lanes is seen as a matrix with the lane in row a and column b.
// An update then reads Rows + Columns numbers from memory that the lanes share and writes none, for Rows x Columns
// multiplications. Each cell gets the same fma as in memory (dictionary.hpp), so results are bit-identical.
//
// A cell has one owner, so `expose` first writes to memory what the ratio test compares between rows.
#include <cmath>

#include "core/lcp/lcp.hpp"
#include "core/lcp/selection.hpp"
#include "core/lcp/workspace.hpp"
#include "core/math/unrolled.hpp"

namespace jostle {

/// f(index_c), with `index` as a compile-time constant.
template <int Count, class F>
JOSTLE_HD JOSTLE_INLINE constexpr void at_constant(int index, F f) {
  unrolled<Count>([&](auto constant) {
    if (constant == index) f(constant);
  });
}

/// How a team of `lanes` holds a dictionary of `rows` x `columns` cells each.
template <int Lanes, int Parts, int Rows, int Columns>
struct TileShape {
  static constexpr int lanes = Lanes, parts = Parts, rows = Rows, columns = Columns;
  static constexpr int bands = Lanes / Parts;  ///< A
  static_assert(bands * Parts == Lanes);
  /// The largest n: n rows, and n + 1 columns.
  static constexpr int capacity = bands * Rows < Parts * Columns - 1 ? bands * Rows : Parts * Columns - 1;
};

template <class Shape>
class TileDictionary {
 public:
  template <class Team>
  JOSTLE_HD JOSTLE_INLINE TileDictionary(const Team& team, int n, const LemkeWorkspace& workspace)
      : n_(n),
        own_{team.lane() / Shape::parts, team.lane() % Shape::parts},
        exposed_(workspace.cells),
        pivot_row_(workspace.pivot_row),
        constants_(workspace.constants),
        column_(workspace.column) {}

  template <class Team, class Lcp, class Covering>
  JOSTLE_HD JOSTLE_INLINE void load(const Team& team, const Lcp& lcp, const double* scale, Covering covering,
                                    double* row_sizes) {
    team.for_each(n_, [=, this](int i) {
      std::int64_t largest = 0;
      lcp.for_row(i, [&](int j, double entry) {
        const std::int64_t bits = magnitude_bits(entry * (scale[i] * scale[j]));
        largest = bits > largest ? bits : largest;
      });
      row_sizes[i] = from_magnitude_bits(largest);
      constants_[i] = scale[i] * lcp.constant(i);
    });
    team.for_each(padded(n_) - n_, [=, this](int i) { row_sizes[n_ + i] = constants_[n_ + i] = column_[n_ + i] = 0; });
    for_own([=, this](int i, int j, double& cell) {
      cell = 0;
      if (i < n_ && j < n_) cell = lcp.entry(i, j) * (scale[i] * scale[j]);
      if (i < n_ && j == n_) cell = covering(i);
    });
  }

  template <class Team>
  JOSTLE_HD JOSTLE_INLINE void take_column(const Team& team, int c) {
    for_own_of_column(c, [=, this](int i, double& cell) {
      column_[i] = cell;
      cell = 0;
    });
    team.sync();
  }

  template <class Team>
  JOSTLE_HD JOSTLE_INLINE void update(const Team& team, int r, int c, double snap) {
    team.sync();  // a lane may still be comparing rows at the end of the select that chose r
    const double s = -1 / column_[r];
    for_own_of_row(r, [=, this](int j, double& cell) {
      cell = (j == c ? -1.0 : cell) * s;
      pivot_row_[j] = cell;
    });
    update_constants(team, r, snap);  // syncs: every lane then sees the pivot row
    const Own lane = own();
    double p[Shape::columns];
    unrolled<Shape::columns>([&](auto m) {
      const int j = lane.part + m * Shape::parts;
      p[m] = j <= n_ ? pivot_row_[j] : 0.0;
    });
    unrolled<Shape::rows>([&, this](auto k) {
      const int i = lane.band + k * Shape::bands;
      if (i >= n_ || i == r) return;
      const double f = column_[i];
      unrolled<Shape::columns>([&, this](auto m) { cells_[k][m] = std::fma(f, p[m], cells_[k][m]); });
    });
  }

  template <class Team>
  JOSTLE_HD JOSTLE_INLINE void update_constants(const Team& team, int r, double snap) const {
    const double* const f = column_;
    double* const b = constants_;
    const double entering = b[r] * (-1 / f[r]);  // divided again, to save a register
    team.sync();                                 // every lane has b_r before it changes
    team.for_each(padded(n_), [=](int i) {
      const double moved = i == r ? entering : std::fma(f[i], entering, b[i]);
      b[i] = std::fabs(moved) <= snap ? 0.0 : moved;
    });
  }

  template <class Team>
  JOSTLE_HD JOSTLE_INLINE void cover(const Team& team, double snap) {
    for_own_of_column(n_, [](int, double& cell) { cell = 1; });
    team.sync();
    team.for_each(n_, [=, this](int i) {
      if (std::fabs(constants_[i]) <= snap) constants_[i] = 0;
    });
    team.sync();
  }

  /// Makes rows().entry(i, j) readable for the rows i that the predicate selects, from the next sync until the next
  /// update.
  template <class Predicate>
  JOSTLE_HD JOSTLE_INLINE void expose(Predicate is_wanted) const {
    const Own lane = own();
    unrolled<Shape::rows>([&, this](auto k) {
      const int i = lane.band + k * Shape::bands;
      if (i >= n_ || !is_wanted(i)) return;
      unrolled<Shape::columns>([&, this](auto m) {
        const int j = lane.part + m * Shape::parts;
        if (j <= n_) exposed_row(i)[j] = cells_[k][m];
      });
    });
  }

  /// What is in memory, without the cells: a reference to those would force them out of the registers.
  struct Rows {
    static constexpr bool leaves_registers = false;  ///< the cells take nearly all of them
    int n;
    const double *exposed, *constants, *columns;
    JOSTLE_HD double entry(int i, int j) const { return exposed[static_cast<std::ptrdiff_t>(i) * padded(n + 1) + j]; }
    JOSTLE_HD double constant(int i) const { return constants[i]; }
    JOSTLE_HD double column(int i) const { return columns[i]; }
  };
  JOSTLE_HD JOSTLE_INLINE Rows rows() const { return {n_, exposed_, constants_, column_}; }

 private:
  /// The first row and column of this lane.
  struct Own {
    int band, part;
  };
  // x. What depends on the returned number is computed where it is needed: a compiler that computes the places of all
  // cells before the first pivot has no registers left for the cells.
  JOSTLE_HD JOSTLE_INLINE static int recomputed_from(int x) {
    asm volatile("" : "+r"(x));
    return x;
  }
  JOSTLE_HD JOSTLE_INLINE Own own() const { return {recomputed_from(own_.band), recomputed_from(own_.part)}; }

  JOSTLE_HD JOSTLE_INLINE double* exposed_row(int i) const {
    return exposed_ + static_cast<std::ptrdiff_t>(i) * padded(n_ + 1);
  }

  /// f(i, j, cell) for the cells of this lane.
  template <class F>
  JOSTLE_HD JOSTLE_INLINE void for_own(F f) {
    const Own lane = own();
    unrolled<Shape::rows>([&, this](auto k) {
      unrolled<Shape::columns>(
          [&, this](auto m) { f(lane.band + k * Shape::bands, lane.part + m * Shape::parts, cells_[k][m]); });
    });
  }

  /// f(i, cell) for the cells of this lane in column c. A lane has one column of those with its part; a switch over
  /// constants finds it, because values indexed by a variable cannot be in registers.
  template <class F>
  JOSTLE_HD JOSTLE_INLINE void for_own_of_column(int c, F f) {
    const Own lane = own();
    if (lane.part != c % Shape::parts) return;
    at_constant<Shape::columns>(c / Shape::parts, [&, this](auto m) {
      unrolled<Shape::rows>([&, this](auto k) {
        const int i = lane.band + k * Shape::bands;
        if (i < n_) f(i, cells_[k][m]);
      });
    });
  }

  /// f(j, cell) for the cells of this lane in row r.
  template <class F>
  JOSTLE_HD JOSTLE_INLINE void for_own_of_row(int r, F f) {
    const Own lane = own();
    if (lane.band != r % Shape::bands) return;
    at_constant<Shape::rows>(r / Shape::bands, [&, this](auto k) {
      unrolled<Shape::columns>([&, this](auto m) {
        const int j = lane.part + m * Shape::parts;
        if (j <= n_) f(j, cells_[k][m]);
      });
    });
  }

  int n_;
  Own own_;
  double* exposed_;
  double* pivot_row_;
  double* constants_;
  double* column_;
  double cells_[Shape::rows][Shape::columns];
};

}  // namespace jostle

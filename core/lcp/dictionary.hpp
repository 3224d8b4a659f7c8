#pragma once
// The condensed dictionary of Lemke's method [Cottle, Pang, Stone 1992, Section 2.2 and 4.4]: n rows, one
// per basic variable; n + 1 columns, one per nonbasic variable; and the constants.
//
//     basic = T nonbasic + b          at the start: w = M' z + d z0 + q'
//
// Here it lies in memory, row after row. Another placement (registers of a warp) has the same words and
// makes the same bits if it computes every cell by the same expression:
//
//     pivot row r, entering column c:   s = -1 / T_rc,   T_rj = (j == c ? -1 : T_rj) s,   b_r = b_r s
//     other rows, only if T_ic != 0:    T_ij = fma(T_ic, T_rj, j == c ? 0 : T_ij),  b_i = fma(T_ic, b_r, b_i)
//
// with |b_i| <= snap replaced by 0. A row with T_ic = 0 keeps its bits.
#include <cmath>

#include "core/lcp/lcp.hpp"
#include "core/lcp/selection.hpp"
#include "core/lcp/workspace.hpp"

namespace jostle {

class MemoryDictionary {
 public:
  JOSTLE_HD MemoryDictionary(int n, const LemkeWorkspace& workspace)
      : n_(n),
        stride_(padded(n + 1)),
        cells_(workspace.cells),
        constants_(workspace.constants),
        column_(workspace.column) {}

  /// The dictionary after the artificial variable z0 (column n) has entered in `row`. The constants must
  /// hold q' already. `covering(i)` is d_i. Returns max|M'|, NaN or infinity if M' is not finite.
  template <class Team, class Covering>
  JOSTLE_HD Real load(const Team& team, const LcpView& lcp, const Real* scale, Covering covering, int row, Real snap);

  /// Copies column c to column(i) and writes zeros in its place.
  template <class Team>
  JOSTLE_HD void take_column(const Team& team, int c) const {
    team.for_each(n_, [&, this](int i) {
      Real& cell = cells_[i * stride_ + c];
      column_[i] = cell;
      cell = 0;
    });
  }

  /// Exchanges row r with column c, which take_column has taken out.
  template <class Team>
  JOSTLE_HD void update(const Team& team, int r, int c, Real snap) const;

  JOSTLE_HD Real entry(int i, int j) const { return cells_[i * stride_ + j]; }
  JOSTLE_HD Real constant(int i) const { return constants_[i]; }
  JOSTLE_HD Real column(int i) const { return column_[i]; }

 private:
  template <class Team>
  JOSTLE_HD void update_constants(const Team& team, int r, Real value, Real snap) const;

  int n_;
  int stride_;
  Real* cells_;
  Real* constants_;
  Real* column_;
};

/// row_j = fma(factor, pivot_row_j, row_j) for all columns; `columns` is a multiple of lemke_block.
template <class Team>
JOSTLE_HD inline void add_multiple(const Team& team, int columns, Real factor, const Real* __restrict__ pivot_row,
                                   Real* __restrict__ row) {
  team.for_each(columns / lemke_block * lemke_block,
                [=](int j) { row[j] = std::fma(factor, pivot_row[j], row[j]); });
}

template <class Team, class Covering>
JOSTLE_HD Real MemoryDictionary::load(const Team& team, const LcpView& lcp, const Real* scale, Covering covering,
                                      int r, Real snap) {
  const Real lift = -1 / covering(r);
  const Real value = constants_[r] * lift;
  Real* const pivot_row = cells_ + r * stride_;
  team.for_each(stride_, [=, this](int j) {
    pivot_row[j] = j < n_ ? lcp.M[r * lcp.stride + j] * (scale[r] * scale[j]) * lift : j == n_ ? -lift : 0;
  });
  team.for_each(padded(n_), [=, this](int i) { column_[i] = i < n_ ? covering(i) : 0; });
  team.sync();
  update_constants(team, r, value, snap);
  team.sync();

  team.for_each(n_, [=, this](int i) {
    const Real* __restrict__ const from = lcp.M + i * lcp.stride;
    const Real* __restrict__ const from_scale = scale;
    const Real* __restrict__ const pivot = pivot_row;
    Real* __restrict__ const to = cells_ + i * stride_;
    const Real own_scale = scale[i];
    const Real factor = covering(i);
    std::int64_t largest = 0;
    if (i == r) {
      for (int j = 0; j < n_; ++j) {
        const std::int64_t bits = magnitude_bits(from[j] * (own_scale * from_scale[j]));
        largest = bits > largest ? bits : largest;
      }
    } else {
      for (int j = 0; j < n_; ++j) {
        const Real cell = from[j] * (own_scale * from_scale[j]);
        const std::int64_t bits = magnitude_bits(cell);
        largest = bits > largest ? bits : largest;
        to[j] = std::fma(factor, pivot[j], cell);
      }
      to[n_] = factor * pivot[n_];
      for (int j = n_ + 1; j < stride_; ++j) to[j] = 0;
    }
    column_[i] = from_magnitude_bits(largest);
  });
  return largest_magnitude(team, padded(n_), column_);
}

template <class Team>
JOSTLE_HD void MemoryDictionary::update_constants(const Team& team, int r, Real value, Real snap) const {
  const Real* __restrict__ const column = column_;
  Real* __restrict__ const constants = constants_;
  team.for_each(padded(n_), [=](int i) {
    const Real moved = i == r ? value : std::fma(column[i], value, constants[i]);
    constants[i] = std::fabs(moved) <= snap ? Real(0) : moved;
  });
}

template <class Team>
JOSTLE_HD void MemoryDictionary::update(const Team& team, int r, int c, Real snap) const {
  const Real s = -1 / column_[r];
  const Real value = constants_[r] * s;
  Real* const pivot_row = cells_ + r * stride_;
  team.sync();  // a lane may still be comparing rows at the end of the select that chose r
  team.for_each(stride_, [=](int j) { pivot_row[j] = (j == c ? Real(-1) : pivot_row[j]) * s; });
  team.sync();
  update_constants(team, r, value, snap);
  for (int i = 0; i < n_; ++i) {
    const Real factor = column_[i];
    if (i != r && factor != 0) add_multiple(team, stride_, factor, pivot_row, cells_ + i * stride_);
  }
}

}  // namespace jostle

#pragma once
// Lemke's dictionary for a CPU thread, which goes along the rows, several cells at a time.
// Choices of numbers are written without branches, which could not be foretold.
#include <algorithm>
#include <cstdint>

#include "core/lcp/dictionary.hpp"
#include "core/lcp/lcp.hpp"
#include "core/lcp/selection.hpp"
#include "core/math/bits.hpp"
#include "core/math/unrolled.hpp"
#include "core/team.hpp"

namespace jostle {

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

/// The functions are those of ColumnDictionary.
class RowDictionary : public Dictionary {
 public:
  JOSTLE_HD RowDictionary(SerialTeam, int n, const LemkeWorkspace& workspace) : Dictionary(n, workspace) {}

  template <class Lcp, class Covering>
  JOSTLE_HD void load(SerialTeam, const Lcp& lcp, const double* scale, Covering covering, double* row_sizes);
  JOSTLE_HD void take_column(SerialTeam, int c) const;
  JOSTLE_HD void update(SerialTeam, int r, int c, double snap);
  JOSTLE_HD void update_constants(SerialTeam, int r, double snap) const {
    set_constants(r, constants_[r] * (-1 / column_[r]), snap);
  }

 private:
  JOSTLE_HD void set_pivot_row(int r, int c, double s) const;
  JOSTLE_HD void set_constants(int r, double entering, double snap) const;
  JOSTLE_HD void copy_pivot_row(int r) const;
};

template <class Lcp, class Covering>
JOSTLE_HD void RowDictionary::load(SerialTeam, const Lcp& lcp, const double* scale, Covering covering,
                                   double* row_sizes) {
  deferred_row_ = -1;
  const int size = n(), turning = turning_column(lcp);
  const double* __restrict__ const s = scale;
  for (int i = 0; i < size; ++i) {
    double* const to = row(i);
    const double own_scale = s[i];
    std::int64_t largest = 0;
    if (const int opposite = opposite_row(lcp, i); opposite >= 0) {
      const double* __restrict__ const from = row(opposite);
      for_each_cell(SerialTeam{}, turning, [=](auto j) { to[j] = -from[j]; });
      for_each_cell(SerialTeam{}, size - turning, [=](auto j) { to[turning + j] = from[turning + j]; });
      largest = magnitude_bits(row_sizes[opposite]);
    } else {
      const double* const from = stored_row(lcp, i, to);
      for_each_cell(SerialTeam{}, size, [=](auto j) { to[j] = from[j] * (own_scale * s[j]); });
      JOSTLE_BY_VECTORS_WITH(reduction(max : largest))
      for (int j = 0; j < size; ++j) largest = magnitude_bits(to[j]) > largest ? magnitude_bits(to[j]) : largest;
    }
    to[size] = covering(i);
    for (int j = size + 1; j < stride(); ++j) to[j] = 0;
    row_sizes[i] = size_of_row(i, turning, from_magnitude_bits(largest));
    constants_[i] = own_scale * lcp.constant(i);
  }
  for (int i = size; i < padded(size); ++i) row_sizes[i] = constants_[i] = column_[i] = deferred_column_[i] = 0;
}

JOSTLE_HD inline void RowDictionary::take_column(SerialTeam, int c) const {
  const std::ptrdiff_t step = stride();
  double* const cell = cells_ + c;
  double* const column = column_;
  if (deferred_row_ < 0) {
    for_each_cell(SerialTeam{}, n(), [=](auto i) { column[i] = cell[i * step]; });
  } else {
    const double* const factor = deferred_column_;
    const double p = cell[deferred_row_ * step];
    for_each_cell(SerialTeam{}, n(), [=](auto i) { column[i] = std::fma(factor[i], p, cell[i * step]); });
  }
  int i = 0;
  for (; i + 4 <= n(); i += 4) cell[i * step] = cell[(i + 1) * step] = cell[(i + 2) * step] = cell[(i + 3) * step] = 0;
  for (; i < n(); ++i) cell[i * step] = 0;
}

JOSTLE_HD inline void RowDictionary::set_constants(int r, double entering, double snap) const {
  const double* __restrict__ const f = column_;
  double* __restrict__ const b = constants_;
  for_each_cell(SerialTeam{}, padded(n()), [=](auto i) {
    const double moved = chosen(i == r, entering, std::fma(f[i], entering, b[i]));
    b[i] = chosen(std::fabs(moved) <= snap, 0.0, moved);
  });
}

// Writes p to the buffer of the pivot row.
JOSTLE_HD inline void RowDictionary::set_pivot_row(int r, int c, double s) const {
  const double* __restrict__ const old = row(r);
  double* __restrict__ const p = pivot_row_;
  if (deferred_row_ < 0 || deferred_row_ == r) {
    for_each_cell(SerialTeam{}, stride(), [=](auto j) { p[j] = chosen(j == c, -1.0, old[j]) * s; });
  } else {
    const double* __restrict__ const deferred = row(deferred_row_);
    const double factor = deferred_column_[r];
    for_each_cell(SerialTeam{}, stride(),
                  [=](auto j) { p[j] = chosen(j == c, -1.0, std::fma(factor, deferred[j], old[j])) * s; });
  }
}

/// row_i = fma(f2_i, p2, fma(f1_i, p1, row_i)) for all rows, of which p1 may be one: up to 32 columns at a time, which
/// needs neither an inner loop nor p1 in memory.
JOSTLE_HD inline void add_two_multiples(int rows, int columns, double* cells, const double* f1, const double* p1,
                                        const double* f2, const double* p2) {
  constexpr int most = 8 * lemke_block;
  for (int first = 0; first < columns; first += most) {
    const int blocks = std::min(columns - first, most) / lemke_block;
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

JOSTLE_HD inline void RowDictionary::copy_pivot_row(int r) const {
  const double* __restrict__ const p = pivot_row_;
  double* __restrict__ const to = row(r);
  for_each_cell(SerialTeam{}, stride(), [=](auto j) { to[j] = p[j]; });
}

JOSTLE_HD inline void RowDictionary::update(SerialTeam, int r, int c, double snap) {
  const double s = -1 / column_[r];
  set_pivot_row(r, c, s);
  set_constants(r, constants_[r] * s, snap);
  const int d = deferred_row_;
  if (d >= 0) add_two_multiples(n(), stride(), cells_, deferred_column_, row(d), column_, pivot_row_);
  copy_pivot_row(r);
  if (d >= 0) {
    deferred_row_ = -1;
  } else {
    defer(r);
    deferred_column_[r] = 0;
  }
}

}  // namespace jostle

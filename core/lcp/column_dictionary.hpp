#pragma once
// Lemke's dictionary for a team of lanes, which take columns of it and go down the rows, so that each column's data are
// loaded once.
#include "core/lcp/dictionary.hpp"
#include "core/lcp/lcp.hpp"
#include "core/lcp/selection.hpp"
#include "core/math/unrolled.hpp"

namespace jostle {

class ColumnDictionary : public Dictionary {
 public:
  template <class Team>
  JOSTLE_HD ColumnDictionary(const Team&, int n, const LemkeWorkspace& workspace) : Dictionary(n, workspace) {}

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

  /// Updates only the constants in such an exchange, when nothing else of the dictionary is needed any more.
  template <class Team>
  JOSTLE_HD void update_constants(const Team& team, int r, double snap) const {
    update_constants(team, r, -1 / column_[r], snap);
  }

 private:
  template <class Team>
  JOSTLE_HD void set_pivot_row(const Team& team, int r, int c, double s) const;
  template <class Team>
  JOSTLE_HD void update_constants(const Team& team, int r, double s, double snap) const;
  template <class Team>
  JOSTLE_HD void copy_pivot_row(const Team& team, int r) const;
};

template <class Team, class Lcp, class Covering>
JOSTLE_HD void ColumnDictionary::load(const Team& team, const Lcp& lcp, const double* scale, Covering covering,
                                      double* row_sizes) {
  deferred_row_ = -1;
  const int size = n(), first_lambda = turning_column(lcp);
  team.for_each(size, [=, this](int i) {
    const double* __restrict__ const s = scale;
    double* const to = row(i);
    const double own_scale = s[i];
    std::int64_t largest = 0;
    lcp.for_row(i, [=, &largest](int j, double entry) {
      const double cell = entry * (own_scale * s[j]);
      const std::int64_t bits = magnitude_bits(cell);
      largest = bits > largest ? bits : largest;
      to[j] = cell;
    });
    to[size] = covering(i);
    for (int j = size + 1; j < stride(); ++j) to[j] = 0;
    row_sizes[i] = size_of_row(i, first_lambda, from_magnitude_bits(largest));
    constants_[i] = own_scale * lcp.constant(i);
  });
  // The padding, by any lane.
  team.for_each(padded(size) - size, [=, this](int i) {
    row_sizes[size + i] = constants_[size + i] = column_[size + i] = deferred_column_[size + i] = 0;
  });
}

template <class Team>
JOSTLE_HD void ColumnDictionary::take_column(const Team& team, int c) const {
  const int deferred = deferred_row_;
  double* const column = column_;
  if (deferred < 0) {
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

template <class Team>
JOSTLE_HD void ColumnDictionary::update_constants(const Team& team, int r, double s, double snap) const {
  const double* __restrict__ const f = column_;
  double* __restrict__ const b = constants_;
  const double entering = b[r] * s;
  team.sync();  // every lane has b_r before it changes
  team.for_each(padded(n()), [=](int i) {
    const double moved = i == r ? entering : std::fma(f[i], entering, b[i]);
    b[i] = std::fabs(moved) <= snap ? 0.0 : moved;
  });
}

// Writes p to the buffer of the pivot row.
template <class Team>
JOSTLE_HD void ColumnDictionary::set_pivot_row(const Team& team, int r, int c, double s) const {
  const double* __restrict__ const old = row(r);
  double* __restrict__ const p = pivot_row_;
  if (deferred_row_ < 0 || deferred_row_ == r) {
    team.for_each(stride(), [=](int j) { p[j] = (j == c ? -1.0 : old[j]) * s; });
  } else {
    const double* __restrict__ const deferred = row(deferred_row_);
    const double factor = deferred_column_[r];
    team.for_each(stride(), [=](int j) { p[j] = (j == c ? -1.0 : std::fma(factor, deferred[j], old[j])) * s; });
  }
}

/// row_i = fma(f2_i, p, fma(f1_i, row_d, row_i)) for all rows, then row_r = p. Rows d and r need no exception: f1_d is
/// 0, which leaves finite values unchanged; row r is replaced. Several rows at a time, all loads before the first
/// store: a lane waits once for all of them.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void go_down_columns(Team team, int rows, int columns, double* cells, const double* f1, int d,
                                              const double* f2, const double* p, int r) {
  constexpr int at_a_time = 4;
  team.for_each(columns, [=](int j) {
    const double deferred = cells[static_cast<std::ptrdiff_t>(d) * columns + j], pivot = p[j];
    double* cell = cells + j;
    int i = 0;
    for (; i + at_a_time <= rows; i += at_a_time, cell += at_a_time * static_cast<std::ptrdiff_t>(columns)) {
      double moved[at_a_time];
      unrolled<at_a_time>([&](int k) { moved[k] = cell[static_cast<std::ptrdiff_t>(k) * columns]; });
      unrolled<at_a_time>(
          [&](int k) { moved[k] = std::fma(f2[i + k], pivot, std::fma(f1[i + k], deferred, moved[k])); });
      unrolled<at_a_time>([&](int k) { cell[static_cast<std::ptrdiff_t>(k) * columns] = moved[k]; });
    }
    for (; i < rows; ++i, cell += columns) *cell = std::fma(f2[i], pivot, std::fma(f1[i], deferred, *cell));
    cells[static_cast<std::ptrdiff_t>(r) * columns + j] = pivot;
  });
}

template <class Team>
JOSTLE_HD void ColumnDictionary::copy_pivot_row(const Team& team, int r) const {
  const double* __restrict__ const p = pivot_row_;
  double* __restrict__ const to = row(r);
  team.for_each(stride(), [=](int j) { to[j] = p[j]; });
}

template <class Team>
JOSTLE_HD void ColumnDictionary::update(const Team& team, int r, int c, double snap) {
  team.sync();  // a lane may still be comparing rows at the end of the select that chose r
  const double s = -1 / column_[r];
  set_pivot_row(team, r, c, s);
  update_constants(team, r, s, snap);
  if (deferred_row_ >= 0) {
    go_down_columns(team, n(), stride(), cells_, deferred_column_, deferred_row_, column_, pivot_row_, r);
    deferred_row_ = -1;
    return;
  }
  copy_pivot_row(team, r);
  defer(r);
  team.once([=, this] { deferred_column_[r] = 0; });
}

}  // namespace jostle

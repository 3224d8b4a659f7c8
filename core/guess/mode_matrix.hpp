#pragma once
// The matrix H = 1 + C (eps G)^-1 R of the system of modes (mode_system.hpp), in velocities u = sqrt(A) v: banded,
// since a row connects two bodies at most.
#include "core/assembly/rows.hpp"
#include "core/guess/mode.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// Lists the blocks that touch each body, and which bodies lie in the band of each: the structure of the system for all
/// modes. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void find_structure(const Team& team, const Dimensions& d, int blocks,
                                             AnyWorkspace auto work) {
  const auto partner = [&](int c, int m) {
    const ConstraintRow& row = work.row(work.block(c).normal);
    const int other = row.body[1 - side_of(row, m)];
    return other == no_body ? m : other;
  };
  team.for_each(d.movers, [&](int m) {
    const auto list = work.touching().from(m * work.contacts());
    int count = 0, last = m;
    for (int c = 0; c < blocks; ++c) {
      if (side_of(work.row(work.block(c).normal), m) < 0) continue;
      list[count++] = c;
      const int other = partner(c, m);
      last = other > last ? other : last;
    }
    work.band(m) = {count, m, last};
  });
  team.sync();
  team.once([&] {
    for (int m = 1; m < d.movers; ++m) {
      ModeBand& own = work.band(m);
      const ModeBand& before = work.band(m - 1);
      own.last = before.last > own.last ? before.last : own.last;
      for (own.first = before.first; work.band(own.first).last < m;) ++own.first;
    }
  });
  team.sync();
}

namespace detail {

/// visit(row, side) for all rows of the system with a part of body m, in their order.
JOSTLE_HD void for_each_mode_row(AnyWorkspace auto work, int m, auto visit) {
  const int count = work.band(m).count;
  const auto list = work.touching().from(m * work.contacts());
  for (int i = 0; i < count; ++i) {
    const auto rows = work.mode_row().from(mode_rows_per_block * list[i]);
    const int side = side_of(rows[0].row, m);
    for (int k = 0; k < mode_rows_per_block; ++k) visit(rows[k], side);
  }
}

/// The rows of body m in H = 1 + C (eps G)^-1 R, within their band.
template <class Numbers>
JOSTLE_HD void write_matrix_rows(AnyWorkspace auto work, int nv, int m, Numbers matrix) {
  const ModeBand band = work.band(m);
  for (int k = 0; k < 6; ++k) {
    const auto to = matrix.from((6 * m + k) * nv);
    for (int j = 6 * band.first; j < 6 * band.last + 6; ++j) to[j] = j == 6 * m + k ? 1.0 : 0.0;
  }
  for_each_mode_row(work, m, [&](const ModeRow& own, int side) {
    if (own.weight == 0) return;
    const Vec6 column = own.column.entry[side];
    for (int other = 0; other < 2 && own.row.body[other] != no_body; ++other) {
      const Vec6 row = own.row.entry[other];
      for (int k = 0; k < 6; ++k) {
        const auto block = matrix.from((6 * m + k) * nv + 6 * own.row.body[other]);
        const double factor = column[k] * own.weight;
        for (int j = 0; j < 6; ++j) block[j] = std::fma(factor, row[j], block[j]);
      }
    }
  });
}

/// LU of H in place, without exchanges: H is the identity plus a sum that is positive semidefinite but for friction. If
/// that fails, so does the certificate.
template <class Team, class Numbers>
JOSTLE_HD void factorise_modes(const Team& team, int nv, AnyWorkspace auto work, Numbers matrix) {
  for (int k = 0; k < nv; ++k) {
    team.sync();
    const int end = 6 * work.band(k / 6).last + 6;
    const auto pivot_row = matrix.from(k * nv);
    const double inverse = 1 / pivot_row[k];
    team.for_each(end - k - 1, [=](int below) {
      const auto row = matrix.from((k + 1 + below) * nv);
      if (row[k] == 0) return;
      const double factor = row[k] * inverse;
      row[k] = factor;
      for (int j = k + 1; j < end; ++j) row[j] = std::fma(-factor, pivot_row[j], row[j]);
    });
  }
  team.sync();
}

/// x = H^-1 x. Begins and ends synced.
template <class Team, class Numbers>
JOSTLE_HD void solve_factorised(const Team& team, int nv, AnyWorkspace auto work, Numbers matrix, Numbers x) {
  for (int k = 0; k < nv; ++k) {
    const double known = x[k];
    team.for_each(6 * work.band(k / 6).last + 5 - k, [=](int below) {
      const int i = k + 1 + below;
      x[i] = std::fma(-matrix[i * nv + k], known, x[i]);
    });
    team.sync();
  }
  for (int k = nv - 1; k >= 0; --k) {
    team.once([=] { x[k] = x[k] / matrix[k * nv + k]; });
    team.sync();
    const double known = x[k];
    const int first = 6 * work.band(k / 6).first;
    team.for_each(k - first,
                  [=](int i) { x[first + i] = std::fma(-matrix[(first + i) * nv + k], known, x[first + i]); });
    team.sync();
  }
}

}  // namespace detail

}  // namespace jostle

#pragma once
// The answer of a basis, from the original data: with B the indices of its z, z_B solves M'_BB z_B = -q'_B and all
// other z are zero. It serves twice:
//   * Consecutive time steps often share the basis [Anitescu, Potra 1997, Section 6]; one small factorisation then
//     replaces all pivots.
//   * Elimination with row exchanges is backward stable, a sequence of Lemke's pivots is not: after a pivot on a
//     slope of 1e-8, the constants of the dictionary are good to eight digits, the basis is as good as ever.
#include <cmath>
#include <cstdint>

#include "core/lcp/dictionary.hpp"

namespace jostle {

/// row_j = fma(factor, pivot_row_j, row_j); `columns` is a multiple of lemke_block.
template <class Team>
JOSTLE_HD inline void add_multiple(const Team& team, int columns, Real factor, const Real* __restrict__ pivot_row,
                                   Real* __restrict__ row) {
  team.for_each(columns / lemke_block * lemke_block, [=](int j) { row[j] = std::fma(factor, pivot_row[j], row[j]); });
}

/// Gauss-Jordan elimination with row exchanges on an m x (m + 1) system [A | b] in row-major cells.
template <class Team>
class SmallSystem {
 public:
  JOSTLE_HD SmallSystem(int m, Real* cells, Real* factors)
      : m_(m), stride_(padded(m + 1)), cells_(cells), factors_(factors) {}

  JOSTLE_HD Real& cell(int i, int j) const { return cells_[i * stride_ + j]; }
  JOSTLE_HD Real solution(int i) const { return cell(i, m_); }
  JOSTLE_HD int stride() const { return stride_; }

  /// False if a pivot is not above `least_pivot`. The team must have synced since the cells were written.
  JOSTLE_HD bool solve(const Team& team, Real least_pivot) const {
    for (int k = 0; k < m_; ++k) {
      const Candidate pivot = largest_below(team, k);
      if (!(pivot.magnitude > least_pivot)) return false;
      team.sync();
      exchange_and_scale(team, k, pivot.row);
      team.sync();
      eliminate(team, k);
      team.sync();
    }
    return true;
  }

 private:
  struct Candidate {
    Real magnitude;
    int row;
  };

  JOSTLE_HD Candidate largest_below(const Team& team, int k) const {
    return team.select(
        m_ - k,
        [=, this](int i) {
          return Candidate{std::fabs(cell(k + i, k)), k + i};
        },
        [](const Candidate& a, const Candidate& b) {
          return a.magnitude != b.magnitude ? a.magnitude > b.magnitude : a.row < b.row;
        });
  }

  // Rows k and `from` trade places; the new row k is divided by its pivot. The factors are those of the new order.
  JOSTLE_HD void exchange_and_scale(const Team& team, int k, int from) const {
    const Real inverse = 1 / cell(from, k);
    const Real displaced = cell(k, k);
    team.for_each(m_, [=, this](int i) { factors_[i] = i == from ? -displaced : -cell(i, k); });
    team.sync();
    const int first = k / lemke_block * lemke_block;
    team.for_each(stride_ - first, [=, this](int column) {
      const int j = first + column;
      const Real above = cell(k, j);
      cell(k, j) = cell(from, j) * inverse;
      if (from != k) cell(from, j) = above;
    });
  }

  JOSTLE_HD void eliminate(const Team& team, int k) const {
    const int first = k / lemke_block * lemke_block;
    for (int i = 0; i < m_; ++i) {
      if (i != k) add_multiple(team, stride_ - first, factors_[i], &cell(k, first), &cell(i, first));
    }
  }

  int m_;
  int stride_;
  Real* cells_;
  Real* factors_;
};

/// Writes the z of the basis { i : is_basic(i) }, with zero in place of what is negative; false if M'_BB is singular.
/// The caller certifies z. Uses the workspace except ratios and place[n ..).
template <class Team, class IsBasic>
JOSTLE_HD bool solve_basis(const Team& team, const LcpView& lcp, const Real* scale, const LemkeWorkspace& workspace,
                           IsBasic is_basic, Real* z) {
  constexpr Real least_pivot = 1e-12;     // of entries that equilibration brought near 1
  int* const member = workspace.basic;    // m: the indices in B
  int* const position = workspace.place;  // n: where an index stands in B, or -1
  int* const count = workspace.nonbasic;
  team.once([=] {
    int m = 0;
    for (int i = 0; i < lcp.n; ++i) {
      const bool basic = is_basic(i);
      position[i] = basic ? m : -1;
      if (basic) member[m++] = i;
    }
    *count = m;
  });
  team.sync();
  const int m = *count;

  const SmallSystem<Team> system(m, workspace.cells, workspace.column);
  team.for_each(m, [=](int i) {
    const Real own_scale = scale[member[i]];
    const Real* const row = lcp.M + member[i] * lcp.stride;
    for (int j = 0; j < m; ++j) system.cell(i, j) = row[member[j]] * (own_scale * scale[member[j]]);
    system.cell(i, m) = -(own_scale * lcp.q[member[i]]);
    for (int j = m + 1; j < system.stride(); ++j) system.cell(i, j) = 0;
  });
  team.sync();
  if (!system.solve(team, least_pivot)) return false;
  team.for_each(lcp.n, [=](int i) {
    const Real value = position[i] >= 0 ? system.solution(position[i]) : Real(0);
    z[i] = value > 0 ? scale[i] * value : Real(0);
  });
  team.sync();
  return true;
}

}  // namespace jostle

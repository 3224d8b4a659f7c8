#pragma once
// L D L' factors of a small dense, symmetric, positive semidefinite matrix with pivots from the diagonal, where the
// largest entry of such a matrix always is (Higham, Accuracy and Stability of Numerical Algorithms, 10.3). They also
// find its rank: dependent rows are left out, as redundant joints must be (Anitescu & Potra 1997, appendix A).
#include "core/lcp/equilibration.hpp"
#include "core/math/six.hpp"

namespace jostle {

/// S A S = L D L' in place, where L is triangular if its rows and columns are taken in the order of elimination. S are
/// powers of two that make the diagonal about 1: the test for a zero pivot is then the same for every body, from a
/// grain to a truck. No row is moved; those that are left when a row is eliminated are its columns in L'. Rows are read
/// six numbers at a time, for which they have room at every column, and end early: only joints that share a body meet.
template <int Step = 1>
struct LdlFactors {
  int n = 0;
  Span<double, Step> matrix;  ///< [n, stride()] the upper part of A; then L' without its diagonal
  Span<double, Step> pivot;   ///< [n] D
  Span<double, Step> scale;   ///< [round_up_to_six(n)] S; zeros at the end
  Span<int, Step> order;      ///< [n] the rows as they are eliminated, then those that depend on them
  Span<int, Step> begin;      ///< [n] first column of the row in L'
  Span<int, Step> end;        ///< [n] a multiple of six: all of the row from here on is zero, and not stored
  Span<int, Step> place;      ///< [n] of each row in `order`

  JOSTLE_HD int stride() const { return room_for_sixes(n); }
  JOSTLE_HD Span<double, Step> row(int i) const { return matrix.from(i * stride()); }
  JOSTLE_HD double diagonal(int i) const { return matrix[i * (stride() + 1)]; }
  /// Whether row i depends on others.
  JOSTLE_HD bool is_left_out(int i, int rank) const { return place[i] >= rank; }
};

namespace detail {

/// The first of the six columns that are read together with column i.
JOSTLE_HD constexpr int six_with(int i) { return static_cast<int>(static_cast<unsigned>(i) / 6 * 6); }

JOSTLE_HD constexpr int larger(int a, int b) { return a > b ? a : b; }
JOSTLE_HD constexpr int smaller(int a, int b) { return a < b ? a : b; }

/// The row that is eliminated next: the first that is left and has a good pivot; without one, that with the largest.
template <int Step>
JOSTLE_HD int next_row(const LdlFactors<Step>& ldl, const Span<double, Step>& is_left, int first) {
  constexpr double good_pivot = 0x1p-6;
  int best = first;
  for (int i = first; i < ldl.n; ++i) {
    if (is_left[i] == 0) continue;
    if (ldl.diagonal(i) > good_pivot) return i;
    if (ldl.diagonal(i) > ldl.diagonal(best)) best = i;
  }
  return best;
}

/// Row p from the first one that is left: what is left of p's column stands in the rows before it.
template <int Step>
JOSTLE_HD void complete_row(const LdlFactors<Step>& ldl, int p, int first) {
  const auto row = ldl.row(p);
  for (int i = first; i < p; ++i) row[i] = ldl.end[i] > p ? ldl.row(i)[p] : 0.0;
}

/// row i += factor * row p, from column i on.
template <int Step>
JOSTLE_HD void add_row(const LdlFactors<Step>& ldl, int i, double factor, int p) {
  const auto row = ldl.row(i), added = ldl.row(p);
  const int end = ldl.end[p];
  for (int& own = ldl.end[i]; own < end; own += 6) store(Six{}, row.from(own));
  for (int j = six_with(i); j < end; j += 6) store(fused(factor, six(added.from(j)), six(row.from(j))), row.from(j));
}

}  // namespace detail

/// Returns the rank, to every lane: pivots count as zero as `zero` says. No pivot is larger than 2, and small ones wait
/// until no others are left: errors that were there before a pivot d grow by 2 / sqrt(d) at most. `is_left` is memory
/// for round_up_to_six(n) numbers. Begins and ends synced.
template <class Team, int Step>
JOSTLE_HD int factorise(const Team& team, const LdlFactors<Step>& ldl, const Span<double, Step>& is_left,
                        const ZeroPivots& zero = {}) {
  const int n = ldl.n;
  team.for_each(round_up_to_six(n), [&](int i) {
    ldl.scale[i] = i < n ? inverse_root_power_of_two(ldl.diagonal(i)) : 0.0;
    is_left[i] = i < n ? 1.0 : 0.0;
  });
  team.sync();
  team.for_each(n, [&](int i) {
    const auto row = ldl.row(i);
    for (int j = detail::six_with(i); j < ldl.end[i]; j += 6)
      store(six(row.from(j)) * (ldl.scale[i] * six(ldl.scale.from(j))), row.from(j));
  });
  team.sync();
  int rank = 0;
  for (int first = 0; rank < n; ++rank) {
    while (is_left[first] == 0) ++first;
    const int p = detail::next_row(ldl, is_left, first);
    const double pivot = ldl.diagonal(p);
    if (zero.include(pivot, n - rank)) break;
    team.sync();
    team.once([&] {
      detail::complete_row(ldl, p, first);
      ldl.order[rank] = p, ldl.pivot[p] = pivot, ldl.begin[p] = first;
      is_left[p] = 0;
    });
    team.sync();
    const auto row = ldl.row(p);
    const double inverse = 1 / pivot;
    const int begin = detail::six_with(first), end = ldl.end[p];
    team.for_each(detail::smaller(end, n) - first, [&](int number) {
      const int i = first + number;
      if (row[i] != 0 && is_left[i] != 0) detail::add_row(ldl, i, -(row[i] * inverse), p);
    });
    team.sync();
    team.for_each((end - begin) / 6, [&](int part) {
      const int j = begin + 6 * part;
      store(where(six(is_left.from(j)), inverse * six(row.from(j))), row.from(j));
    });
    team.sync();
  }
  team.once([&] {
    for (int i = 0, next = rank; i < n; ++i)
      if (is_left[i] != 0) ldl.order[next++] = i;
    for (int k = 0; k < n; ++k) ldl.place[ldl.order[k]] = k;
  });
  team.sync();
  return rank;
}

namespace detail {

/// x = L^-1 x for the rows that are not dependent, in the order of elimination, and twelve right sides that lie beside
/// each other: row number k of x begins at x[k * stride]. L of joints is mostly zeros, which are left out.
template <int Step>
JOSTLE_HD void solve_forward(const LdlFactors<Step>& ldl, int rank, const Span<double, Step>& x, int stride) {
  for (int k = 0; k + 1 < rank; ++k) {
    const int p = ldl.order[k];
    const Six low = six(x.from(k * stride)), high = six(x.from(k * stride + 6));
    if (is_zero(low) && is_zero(high)) continue;
    const auto row = ldl.row(p);
    for (int i = six_with(ldl.begin[p]); i < ldl.end[p]; ++i) {
      if (row[i] == 0 || ldl.place[i] >= rank) continue;
      const auto to = x.from(ldl.place[i] * stride);
      store(fused(-row[i], low, six(to)), to), store(fused(-row[i], high, six(to.from(6))), to.from(6));
    }
  }
}

}  // namespace detail

/// Solves A x = b; the x of dependent rows are 0. `work` holds round_up_to_six(n) numbers.
template <int Step>
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL void solve(const LdlFactors<Step>& ldl, int rank, const Span<double, Step>& b,
                                            const Span<double, Step>& x, const Span<double, Step>& work) {
  const int n = ldl.n;
  for (int i = 0; i < round_up_to_six(n); ++i) work[i] = i < n ? ldl.scale[i] * b[i] : 0.0;
  for (int k = 0; k < rank; ++k) {
    const int p = ldl.order[k];
    if (work[p] == 0) continue;
    for (int j = detail::six_with(ldl.begin[p]); j < ldl.end[p]; j += 6)
      store(fused(-work[p], six(ldl.row(p).from(j)), six(work.from(j))), work.from(j));
  }
  for (int k = rank; k < n; ++k) work[ldl.order[k]] = 0;
  for (int k = rank - 1; k >= 0; --k) {
    const int p = ldl.order[k], own = detail::six_with(p), begin = ldl.begin[p];
    const auto row = ldl.row(p);
    double sum = work[p] / ldl.pivot[p];  // not times 1 / D: what joints hold is to come out as exactly 0
    const auto subtract = [&](int from, int end) {
      for (int j = from; j < end; j += 6) sum -= dot(six(row.from(j)), six(work.from(j)));
    };
    if (begin < own) subtract(detail::six_with(begin), own);
    subtract(own + 6, ldl.end[p]);
    // One by one: reading six numbers would wait for the one that was just written.
    const int least = begin == p ? p + 1 : detail::larger(begin, own);
    for (int j = detail::smaller(own + 6, n) - 1; j >= least; --j) sum = fused(-row[j], work[j], sum);
    work[p] = sum;
  }
  for (int i = 0; i < n; ++i) x[i] = ldl.scale[i] * work[i];
}

}  // namespace jostle

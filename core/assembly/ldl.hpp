#pragma once
// L D L' factors of a small dense, symmetric, positive semidefinite matrix with pivots from the diagonal, where the
// largest entry of such a matrix always is (Higham, Accuracy and Stability of Numerical Algorithms, 10.3). They also
// find its rank: dependent rows are left out, as redundant joints must be (Anitescu & Potra 1997, appendix A).
#include <cmath>

#include "core/lcp/equilibration.hpp"
#include "core/math/six.hpp"
#include "core/model/dimensions.hpp"

namespace jostle {

/// P S A S P' = L D L' in place. S are powers of two that make the diagonal about 1: the test for a zero pivot is then
/// the same for every body, from a grain to a truck. Rows have stride() numbers, so that they are read six at a time,
/// and end early: only joints that share a body meet.
template <int Step = 1>
struct LdlFactors {
  int n = 0;
  Span<double, Step> matrix;  ///< [n, stride()] the upper part of A; then L' above the diagonal
  Span<double, Step> pivot;   ///< [n] D
  Span<double, Step> scale;   ///< [stride()] S; zeros at the end
  Span<int, Step> order;      ///< [n] P: the number of each row before the exchanges
  Span<int, Step> end;        ///< [n] a multiple of six: all of the row from here on is zero

  JOSTLE_HD int stride() const { return round_up_to_six(n); }
  JOSTLE_HD Span<double, Step> row(int i) const { return matrix.from(i * stride()); }
};

namespace detail {

/// The first of the six columns that are read together with column i.
JOSTLE_HD constexpr int six_with(int i) { return static_cast<int>(static_cast<unsigned>(i) / 6 * 6); }

JOSTLE_HD constexpr int larger(int a, int b) { return a > b ? a : b; }
JOSTLE_HD constexpr int smaller(int a, int b) { return a < b ? a : b; }

template <class Number>
JOSTLE_HD void exchange(Number& a, Number& b) {
  const Number before = a;
  a = b;
  b = before;
}

/// Exchanges rows and columns a < b of a symmetric matrix of which only the upper part is there.
template <int Step>
JOSTLE_HD void exchange(const LdlFactors<Step> ldl, int a, int b) {
  const int reach = six_with(b) + 6;
  for (int i = 0; i < a; ++i) {
    const auto row = ldl.row(i);
    if (ldl.end[i] <= a || (row[a] == 0 && row[b] == 0)) continue;
    exchange(row[a], row[b]);
    ldl.end[i] = larger(ldl.end[i], reach);
  }
  for (int i = a + 1; i < b; ++i) {
    exchange(ldl.row(a)[i], ldl.row(i)[b]);
    ldl.end[i] = larger(ldl.end[i], reach);
  }
  const int end = larger(larger(ldl.end[a], ldl.end[b]), reach);
  for (int i = b + 1; i < smaller(end, ldl.n); ++i) exchange(ldl.row(a)[i], ldl.row(b)[i]);
  ldl.end[a] = ldl.end[b] = end;
  exchange(ldl.row(a)[a], ldl.row(b)[b]);
  exchange(ldl.order[a], ldl.order[b]);
}

}  // namespace detail

/// Returns the rank, to every lane: pivots of at most 1e-12 of the first count as zero, and so do NaNs. Rows are
/// exchanged only where a pivot is small: none is larger than 2, and errors that were there before a pivot d grow by 2
/// / sqrt(d) at most. Begins and ends synced.
template <class Team, int Step>
JOSTLE_HD int factorise(const Team& team, const LdlFactors<Step>& ldl) {
  constexpr double rank_tolerance = 1e-12, good_pivot = 0x1p-8;
  const int n = ldl.n, stride = ldl.stride();
  team.for_each(stride, [&](int i) {
    ldl.scale[i] = i < n ? inverse_root_power_of_two(ldl.row(i)[i]) : 0.0;
    if (i < n) ldl.order[i] = i;
  });
  team.sync();
  team.for_each(n, [&](int i) {
    const auto row = ldl.row(i);
    const int own = detail::six_with(i);
    int end = stride;
    while (end > own + 6 && is_zero(six(row.from(end - 6)))) end -= 6;
    ldl.end[i] = end;
    for (int j = own; j < end; j += 6)
      store(six(row.from(j)) * fused(ldl.scale[i], six(ldl.scale.from(j)), Six{}), row.from(j));
  });
  team.sync();
  double first_pivot = 0;
  for (int k = 0; k < n; ++k) {
    int best = k;
    if (!(ldl.row(k)[k] > good_pivot)) {
      for (int i = k + 1; i < n; ++i) best = ldl.row(i)[i] > ldl.row(best)[best] ? i : best;
    }
    const double pivot = ldl.row(best)[best];
    if (k == 0) first_pivot = pivot;
    if (!(pivot > rank_tolerance * first_pivot)) return k;
    team.sync();
    const auto pivot_row = ldl.row(k);
    team.once([&] {
      if (best != k) detail::exchange(ldl, k, best);
      ldl.pivot[k] = pivot;
      const int first = detail::six_with(k);
      store(without_first(six(pivot_row.from(first)), k - first + 1), pivot_row.from(first));
    });
    team.sync();
    const double inverse = 1 / pivot;
    const int end = ldl.end[k];
    team.for_each(detail::smaller(end, n) - k - 1, [&](int below) {
      const int i = k + 1 + below;
      if (pivot_row[i] == 0) return;
      const auto row = ldl.row(i);
      const double factor = -(pivot_row[i] * inverse);
      for (int j = detail::six_with(i); j < end; j += 6)
        store(fused(factor, six(pivot_row.from(j)), six(row.from(j))), row.from(j));
      ldl.end[i] = detail::larger(ldl.end[i], end);
    });
    team.sync();
    const int first = detail::six_with(k);
    team.for_each((end - first) / 6, [&](int part) {
      const auto to = pivot_row.from(first + 6 * part);
      store(fused(inverse, six(to), Six{}), to);
    });
    team.sync();
  }
  return n;
}

namespace detail {

/// x = L^-1 x on the leading `rank` rows, for twelve right sides that lie beside each other: row i of x begins at
/// x[i * stride]. L of joints is mostly zeros, which are left out.
template <int Step>
JOSTLE_HD void solve_forward(const LdlFactors<Step>& ldl, int rank, const Span<double, Step>& x, int stride) {
  int first = 0;
  while (first < rank && is_zero(six(x.from(first * stride))) && is_zero(six(x.from(first * stride + 6)))) ++first;
  for (int i = first + 1; i < rank; ++i) {
    Six low = six(x.from(i * stride)), high = six(x.from(i * stride + 6));
    for (int k = first; k < i; ++k) {
      const double factor = -ldl.row(k)[i];
      if (factor == 0) continue;
      low = fused(factor, six(x.from(k * stride)), low), high = fused(factor, six(x.from(k * stride + 6)), high);
    }
    store(low, x.from(i * stride)), store(high, x.from(i * stride + 6));
  }
}

}  // namespace detail

/// Solves A x = b on the leading `rank` rows and columns; the other x are 0. `work` holds round_up_to_six(rank)
/// numbers.
template <int Step>
JOSTLE_HD void solve(const LdlFactors<Step>& ldl, int rank, const Span<double, Step>& b, const Span<double, Step>& x,
                     const Span<double, Step>& work) {
  const int size = round_up_to_six(rank);
  const auto clear = [&] {
    for (int i = rank; i < size; ++i) work[i] = 0;
  };
  for (int i = 0; i < rank; ++i) work[i] = ldl.scale[ldl.order[i]] * b[ldl.order[i]];
  clear();
  for (int k = 0; k < rank; ++k) {
    if (work[k] == 0) continue;
    const int end = detail::smaller(ldl.end[k], size);
    for (int j = detail::six_with(k); j < end; j += 6)
      store(fused(-work[k], six(ldl.row(k).from(j)), six(work.from(j))), work.from(j));
  }
  clear();
  for (int i = rank - 1; i >= 0; --i) {
    const auto row = ldl.row(i);
    const int others = detail::six_with(i) + 6, end = detail::smaller(ldl.end[i], size);
    double sum = work[i] / ldl.pivot[i];  // not times 1 / D: what joints hold is to come out as exactly 0
    for (int j = others; j < end; j += 6) sum -= dot(six(row.from(j)), six(work.from(j)));
    // One by one: reading six numbers would wait for the one that was just written.
    for (int j = detail::smaller(others, rank) - 1; j > i; --j) sum = fused(-row[j], work[j], sum);
    work[i] = sum;
  }
  for (int i = 0; i < ldl.n; ++i) x[ldl.order[i]] = i < rank ? ldl.scale[ldl.order[i]] * work[i] : 0.0;
}

}  // namespace jostle

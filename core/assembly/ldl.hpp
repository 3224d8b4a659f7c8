#pragma once
// L D L' factors of a small dense, symmetric, positive semidefinite matrix with pivots from the diagonal, where the
// largest entry of such a matrix always is (Higham, Accuracy and Stability of Numerical Algorithms, 10.3). They also
// find its rank: dependent rows are left out, as redundant joints must be (Anitescu & Potra 1997, appendix A).
#include <cmath>
#include <type_traits>

#include "core/lcp/equilibration.hpp"
#include "core/math/six.hpp"

namespace jostle {

/// P S A S P' = L D L' in place; row-major, n x n: D on the diagonal, L' above it; what is below is not used. S are
/// powers of two that make the diagonal about 1: the test for a zero pivot is then the same for every body, from a
/// grain to a truck.
template <int Step = 1>
struct LdlFactors {
  int n = 0;
  Span<double, Step> matrix;
  Span<double, Step> scale;
  Span<int, Step> order;  ///< P: the number of each row before the exchanges

  JOSTLE_HD Span<double, Step> row(int i) const { return matrix.from(i * n); }
};

namespace detail {

template <class Number>
JOSTLE_HD void exchange(Number& a, Number& b) {
  const Number before = a;
  a = b;
  b = before;
}

/// Exchanges rows and columns a < b of a symmetric matrix of which only the upper part is there.
template <int Step>
JOSTLE_HD void exchange(const LdlFactors<Step>& ldl, int a, int b) {
  for (int i = 0; i < a; ++i) exchange(ldl.row(i)[a], ldl.row(i)[b]);
  for (int i = a + 1; i < b; ++i) exchange(ldl.row(a)[i], ldl.row(i)[b]);
  for (int i = b + 1; i < ldl.n; ++i) exchange(ldl.row(a)[i], ldl.row(b)[i]);
  exchange(ldl.row(a)[a], ldl.row(b)[b]);
  exchange(ldl.order[a], ldl.order[b]);
}

}  // namespace detail

/// Returns the rank, to every lane: pivots of at most 1e-12 of the first count as zero, and so do NaNs. Rows are
/// exchanged only for a pivot more than twice as large. Begins and ends synced.
template <class Team, int Step>
JOSTLE_HD int factorise(const Team& team, const LdlFactors<Step>& ldl) {
  constexpr double rank_tolerance = 1e-12;
  const int n = ldl.n;
  team.for_each(n, [&](int i) {
    ldl.scale[i] = nearest_power_of_two(1 / std::sqrt(ldl.row(i)[i]));
    ldl.order[i] = i;
  });
  team.sync();
  team.for_each(n, [&](int i) {
    const auto row = ldl.row(i);
    for (int j = i; j < n; ++j) row[j] *= ldl.scale[i] * ldl.scale[j];
  });
  team.sync();
  double first_pivot = 0;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) best = ldl.row(i)[i] > ldl.row(best)[best] ? i : best;
    if (!(ldl.row(best)[best] > 2 * ldl.row(k)[k])) best = k;
    const double pivot = ldl.row(best)[best];
    if (k == 0) first_pivot = pivot;
    if (!(pivot > rank_tolerance * first_pivot)) return k;
    team.sync();
    if (best != k) team.once([&] { detail::exchange(ldl, k, best); });
    team.sync();
    const auto pivot_row = ldl.row(k);
    const double inverse = 1 / pivot;
    team.for_each(n - k - 1, [&](int i) {
      const auto row = ldl.row(k + 1 + i);
      const double factor = pivot_row[k + 1 + i] * inverse;
      for (int j = k + 1 + i; j < n; ++j) row[j] = std::fma(-factor, pivot_row[j], row[j]);
    });
    team.sync();
    team.for_each(n - k - 1, [&](int i) { pivot_row[k + 1 + i] *= inverse; });
    team.sync();
  }
  return n;
}

/// x = S P' (L D L')^-1 P S x on the leading `rank` rows, for one right side (Number: double) or six (Six) that lie
/// beside each other: row i of x begins at x[i * stride]. On entry the rows of x are in the order of the factors and
/// multiplied by their scales; on exit they are in that order still, and multiplied again.
template <class Number, int Step>
JOSTLE_HD void solve_in_order(const LdlFactors<Step>& ldl, int rank, const Span<double, Step>& x, int stride) {
  const auto at = [&](int i) {
    if constexpr (std::is_same_v<Number, double>)
      return x[i * stride];
    else
      return six(x.from(i * stride));
  };
  const auto set = [&](int i, const Number& value) {
    if constexpr (std::is_same_v<Number, double>)
      x[i * stride] = value;
    else
      store(value, x.from(i * stride));
  };
  for (int i = 1; i < rank; ++i) {
    Number sum = at(i);
    for (int k = 0; k < i; ++k) sum = fused(-ldl.row(k)[i], at(k), sum);
    set(i, sum);
  }
  for (int i = rank - 1; i >= 0; --i) {
    const auto row = ldl.row(i);
    Number sum = at(i) / row[i];  // not times 1 / row[i]: what joints hold is to come out as exactly 0
    for (int j = i + 1; j < rank; ++j) sum = fused(-row[j], at(j), sum);
    set(i, sum);
  }
  for (int i = 0; i < rank; ++i) set(i, fused(ldl.scale[ldl.order[i]], at(i), Number{}));
}

/// Solves A x = b on the leading `rank` rows and columns; the other x are 0. `work` holds `rank` numbers.
template <int Step>
JOSTLE_HD void solve(const LdlFactors<Step>& ldl, int rank, const Span<double, Step>& b, const Span<double, Step>& x,
                     const Span<double, Step>& work) {
  for (int i = 0; i < rank; ++i) work[i] = ldl.scale[ldl.order[i]] * b[ldl.order[i]];
  solve_in_order<double>(ldl, rank, work, 1);
  for (int i = 0; i < ldl.n; ++i) x[ldl.order[i]] = i < rank ? work[i] : 0.0;
}

}  // namespace jostle

#pragma once
// The solution of least norm of a small dense linear system that may be singular, by orthogonal factors with exchanges
// of columns [Golub, Van Loan, Matrix Computations, 4th edition, 5.4, 5.5]:
//
//     A Pi = Q [ R11  R12 ],   S = R11^-1 R12,   y = R11^-1 (Q'b)_1
//              [  0    0  ]
//     x = Pi [ y - S z ],      (1 + S'S) z = S'y
//            [    z    ]
//
// What Q'b has beyond the rank is left: x is then a solution of least squares.
#include <cmath>

#include "core/lcp/selection.hpp"
#include "core/team.hpp"

namespace jostle {

/// Working memory and data of a system of n equations; the extents are in numbers.
template <class Numbers, class Order>
struct LeastNormMemory {
  int n;
  Numbers matrix;     ///< n x n, column after column; destroyed
  Numbers right;      ///< n; then the solution
  Numbers diagonal;   ///< n, of R11
  Numbers reflector;  ///< n: 2 / v'v of each reflector
  Numbers sizes;      ///< n: squares of columns
  Order order;        ///< n: Pi

  JOSTLE_HD double& entry(int i, int j) const { return matrix[j * n + i]; }
};

namespace detail {

/// A column counts as dependent if what is left of it is below this part of the first.
inline constexpr double least_norm_rank_tolerance = 1e-11;

/// Brings the column with the largest rest to place k; returns the length of that rest.
template <class Team, class Memory>
JOSTLE_HD double take_column(const Team& team, const Memory& m, int k) {
  team.for_each(m.n - k, [&](int j) {
    double sum = 0;
    for (int i = k; i < m.n; ++i) sum = std::fma(m.entry(i, k + j), m.entry(i, k + j), sum);
    m.sizes[k + j] = sum;
  });
  const int best = team.select(
      m.n - k, [&](int j) { return k + j; },
      [&](int a, int b) {
        const std::int64_t first = magnitude_bits(m.sizes[a]), second = magnitude_bits(m.sizes[b]);
        return first > second || (first == second && a < b);
      });
  const double length = std::sqrt(m.sizes[best]);
  team.sync();
  if (best != k) {
    team.for_each(m.n, [&](int i) {
      const double kept = m.entry(i, k);
      m.entry(i, k) = m.entry(i, best);
      m.entry(i, best) = kept;
    });
    team.once([&] {
      const int kept = m.order[k];
      m.order[k] = m.order[best];
      m.order[best] = kept;
    });
    team.sync();
  }
  return length;
}

/// Reflects the rest of column k, of this length, onto its first entry; the same for the columns after it and the
/// right side.
template <class Team, class Memory>
JOSTLE_HD void reflect(const Team& team, const Memory& m, int k, double length) {
  team.once([&] {
    const double first = m.entry(k, k);
    m.diagonal[k] = first > 0 ? -length : length;
    m.entry(k, k) = first - m.diagonal[k];
    m.reflector[k] = 1 / (length * (length + std::fabs(first)));
  });
  team.sync();
  team.for_each(m.n - k, [&](int j) {
    const auto column = k + 1 + j < m.n ? m.matrix.from((k + 1 + j) * m.n) : m.right;
    double sum = 0;
    for (int i = k; i < m.n; ++i) sum = std::fma(m.entry(i, k), column[i], sum);
    sum *= m.reflector[k];
    for (int i = k; i < m.n; ++i) column[i] = std::fma(-sum, m.entry(i, k), column[i]);
  });
  team.sync();
}

/// S in place of R12, and y in place of the right side.
template <class Team, class Memory>
JOSTLE_HD void divide_by_triangle(const Team& team, const Memory& m, int rank) {
  team.for_each(m.n - rank + 1, [&](int j) {
    const auto column = rank + j < m.n ? m.matrix.from((rank + j) * m.n) : m.right;
    for (int i = rank - 1; i >= 0; --i) {
      double sum = column[i];
      for (int l = i + 1; l < rank; ++l) sum = std::fma(-m.entry(i, l), column[l], sum);
      column[i] = sum / m.diagonal[i];
    }
  });
  team.sync();
}

/// z, in the right side from `rank` on, by the Cholesky factor of 1 + S'S, which takes the place of what is left of A.
template <class Team, class Memory>
JOSTLE_HD void write_dependent_part(const Team& team, const Memory& m, int rank) {
  const int count = m.n - rank;
  const auto L = [&](int i, int j) -> double& { return m.entry(rank + i, rank + j); };
  team.for_each(count * (count + 1), [&](int part) {
    const int i = part / (count + 1), j = part % (count + 1);
    double sum = i == j ? 1 : 0;
    if (j == count) {
      for (int l = 0; l < rank; ++l) sum = std::fma(m.entry(l, rank + i), m.right[l], sum);
      m.right[rank + i] = sum;
    } else if (j <= i) {
      for (int l = 0; l < rank; ++l) sum = std::fma(m.entry(l, rank + i), m.entry(l, rank + j), sum);
      L(i, j) = sum;
    }
  });
  team.sync();
  for (int k = 0; k < count; ++k) {
    team.once([&] {
      double sum = L(k, k);
      for (int l = 0; l < k; ++l) sum = std::fma(-L(k, l), L(k, l), sum);
      L(k, k) = std::sqrt(sum);
    });
    team.sync();
    team.for_each(count - k - 1, [&](int below) {
      const int i = k + 1 + below;
      double sum = L(i, k);
      for (int l = 0; l < k; ++l) sum = std::fma(-L(i, l), L(k, l), sum);
      L(i, k) = sum / L(k, k);
    });
    team.sync();
  }
  team.once([&] {
    const auto z = m.right.from(rank);
    for (int i = 0; i < count; ++i) {
      for (int l = 0; l < i; ++l) z[i] = std::fma(-L(i, l), z[l], z[i]);
      z[i] /= L(i, i);
    }
    for (int i = count - 1; i >= 0; --i) {
      for (int l = i + 1; l < count; ++l) z[i] = std::fma(-L(l, i), z[l], z[i]);
      z[i] /= L(i, i);
    }
  });
  team.sync();
}

}  // namespace detail

/// put(i, x_i) for the solution of least norm; 0 if A is zero or not finite. Begins and ends synced.
template <class Team, class Memory>
JOSTLE_HD JOSTLE_OUTLINE void solve_least_norm(const Team& team, const Memory& m, auto put) {
  team.for_each(m.n, [&](int i) { m.order[i] = i; });
  team.sync();
  double first = 0;
  int rank = 0;
  for (; rank < m.n; ++rank) {
    const double length = detail::take_column(team, m, rank);
    if (rank == 0) first = length;
    if (!(length > detail::least_norm_rank_tolerance * first) || !is_finite(length)) break;
    detail::reflect(team, m, rank, length);
  }
  detail::divide_by_triangle(team, m, rank);
  if (rank < m.n) {
    detail::write_dependent_part(team, m, rank);
    team.for_each(rank, [&](int i) {
      double sum = m.right[i];
      for (int j = rank; j < m.n; ++j) sum = std::fma(-m.entry(i, j), m.right[j], sum);
      m.right[i] = sum;
    });
    team.sync();
  }
  team.for_each(m.n, [&](int i) { put(m.order[i], rank > 0 ? m.right[i] : 0.0); });
  team.sync();
}

}  // namespace jostle

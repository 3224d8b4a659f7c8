#pragma once
// A dense linear system, solved by elimination with exchanges of rows, each scaled to a largest entry of 1. There is no
// threshold for small pivots: the proximal problems of newton.hpp live by them.
#include <cmath>

#include "core/lcp/selection.hpp"
#include "core/team.hpp"

namespace jostle {

namespace detail {

/// Brings the largest entry of what is left of column k to its diagonal.
template <class Team, class Numbers>
JOSTLE_HD void bring_largest(const Team& team, int n, const Numbers& rows, int k) {
  const auto size = [&](int i) { return magnitude_bits(rows[i * (n + 1) + k]); };
  const int best = team.select(
      n - k, [&](int i) { return k + i; },
      [&](int a, int b) { return size(a) > size(b) || (size(a) == size(b) && a < b); });
  team.sync();
  if (best == k) return;
  team.for_each(n + 1, [&](int j) {
    double &upper = rows[k * (n + 1) + j], &lower = rows[best * (n + 1) + j];
    const double kept = upper;
    upper = lower;
    lower = kept;
  });
  team.sync();
}

}  // namespace detail

/// Solves A x = b, `rows` being those of [A b], n x (n + 1), which are destroyed; put(i, x_i) by one lane. Where a
/// pivot is zero, x_i is. Begins and ends synced.
template <class Team, class Numbers>
JOSTLE_HD JOSTLE_OUTLINE void solve_dense_system(const Team& team, int n, const Numbers& rows, auto put) {
  team.for_each(n, [&](int i) {
    const auto row = rows.from(i * (n + 1));
    double largest = 0;
    for (int j = 0; j < n; ++j) largest = larger_magnitude(largest, row[j]);
    for (int j = 0; j <= n && largest > 0; ++j) row[j] /= largest;
  });
  team.sync();
  for (int k = 0; k < n; ++k) {
    detail::bring_largest(team, n, rows, k);
    const auto pivot_row = rows.from(k * (n + 1));
    if (pivot_row[k] == 0) continue;
    team.for_each(n - k - 1, [&](int below) {
      const auto row = rows.from((k + 1 + below) * (n + 1));
      const double factor = row[k] / pivot_row[k];
      for (int j = k + 1; j <= n; ++j) row[j] = std::fma(-factor, pivot_row[j], row[j]);
    });
    team.sync();
  }
  team.once([&] {
    for (int i = n - 1; i >= 0; --i) {
      const auto row = rows.from(i * (n + 1));
      double sum = row[n];
      for (int j = i + 1; j < n; ++j) sum = std::fma(-row[j], rows[j * (n + 1) + n], sum);
      row[n] = row[i] == 0 ? 0.0 : sum / row[i];
      put(i, row[n]);
    }
  });
  team.sync();
}

}  // namespace jostle

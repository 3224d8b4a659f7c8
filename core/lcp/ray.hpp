#pragma once
// The direction of a ray on which Lemke's method has ended.
#include "core/lcp/dictionary.hpp"
#include "core/lcp/places.hpp"
#include "core/math/bits.hpp"

namespace jostle {

/// Writes u = z along the ray, in the units of the LCP: u >= 0, largest entry 1, and (M u)_i <= 0 wherever u_i > 0, so
/// that u'M u <= 0. u is zero if the data do not confirm the ray. `rows` has the last column taken. Every lane sums
/// whole rows: the bits do not depend on the team. Ends synced.
template <class Team, class Lcp>
JOSTLE_HD JOSTLE_OUTLINE void write_ray_of(Team team, Lcp lcp, LemkePlaces places, Dictionary rows, const double* scale,
                                           double* u) {
  constexpr double rounding = 1e-9;
  const int n = places.n;
  const auto larger = [](double a, double b) { return a > b; };
  team.sync();
  // The pair that has neither of its variables in the basis, one of which entered last; n if there is none.
  const int pair = team.select(
      n,
      [=](int k) {
        const int place_of_w = places.place[places.traded[k] ? places.n + k : k];
        return places.place_of_z(k) < 0 && place_of_w < 0 ? k : places.n;
      },
      [](int a, int b) { return a < b; });
  for (int z_enters = 1; z_enters >= 0 && pair < n; --z_enters) {
    team.sync();
    team.for_each(n, [=](int k) {
      const int row = places.place_of_z(k);
      const double rate = row >= 0 ? rows.column(row) : k == pair ? double(z_enters) : 0.0;
      u[k] = rate > 0 ? scale[k] * rate : 0.0;
    });
    team.sync();
    const double largest = team.select(
        n, [=](int k) { return u[k]; }, larger);
    team.sync();  // every lane has it before an entry changes
    if (!(largest > 0 && is_finite(largest))) continue;
    team.for_each(n, [=](int k) { u[k] /= largest; });
    team.sync();
    const double excess = team.select(
        n,
        [=](int i) {
          if (u[i] <= rounding) return 0.0;
          double sum = 0, size = 0;
          for (int j = 0; j < n; ++j) {
            const double term = lcp.entry(i, j) * u[j];
            sum += term, size += term < 0 ? -term : term;
          }
          return sum <= rounding * size ? 0.0 : 1.0;
        },
        larger);
    if (excess <= 0) return team.sync();
  }
  team.sync();
  team.for_each(n, [=](int k) { u[k] = 0; });
  team.sync();
}

}  // namespace jostle

#pragma once
// Extremes over padded vectors, a block at a time: a block is one item of the team's select, and its
// comparisons are independent of those of the next block.
#include <cstdint>

#include "core/lcp/workspace.hpp"
#include "core/math/bits.hpp"
#include "core/team.hpp"

namespace jostle {

/// The bits of |x|. As integers they order like |x|, with infinity above every finite number and NaN
/// above infinity: one maximum finds the largest magnitude and everything that is not finite.
JOSTLE_HD inline std::int64_t magnitude_bits(double x) {
  return static_cast<std::int64_t>(bits_of(x) & ~(std::uint64_t{1} << 63));
}

JOSTLE_HD inline double from_magnitude_bits(std::int64_t bits) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(bits));
}

/// The larger of |a| and |b|; NaN if one of them is.
JOSTLE_HD inline double larger_magnitude(double a, double b) {
  const std::int64_t first = magnitude_bits(a), second = magnitude_bits(b);
  return from_magnitude_bits(first > second ? first : second);
}

/// The least of x[0 .. size); size is a positive multiple of lemke_block. Begins with a sync().
template <class Team>
JOSTLE_HD double least(const Team& team, int size, const double* x) {
  static_assert(lemke_block == 4);
  if constexpr (Thread<Team>) {
    double lowest = x[0];
    JOSTLE_BY_VECTORS_WITH(reduction(min : lowest))
    for (int i = 0; i < size; ++i) lowest = x[i] < lowest ? x[i] : lowest;
    return lowest;
  } else {
    const auto least_of_block = [x](int block) {
      const double* const y = x + lemke_block * block;
      const double a = y[1] < y[0] ? y[1] : y[0];
      const double b = y[3] < y[2] ? y[3] : y[2];
      return b < a ? b : a;
    };
    return team.select(size / lemke_block, least_of_block, [](double a, double b) { return a < b; });
  }
}

/// The largest |f(0)| .. |f(n-1)|, NaN or infinity if there is one; n >= 1. For an f of some length, which a thread
/// calls once for each number and not by vectors. Begins with a sync().
template <class Team, class F>
JOSTLE_HD double largest_by_number(const Team& team, int n, F f) {
  const auto size_of = [&](int i) { return magnitude_bits(f(i)); };
  return from_magnitude_bits(team.select(n, size_of, [](std::int64_t a, std::int64_t b) { return a > b; }));
}

/// The same for a short f. Begins with a sync().
template <class Team, class F>
JOSTLE_HD double largest_magnitude_of(const Team& team, int n, F f) {
  if constexpr (Thread<Team>) {
    std::int64_t largest = 0;
    JOSTLE_BY_VECTORS_WITH(reduction(max : largest))
    for (int i = 0; i < n; ++i) largest = magnitude_bits(f(i)) > largest ? magnitude_bits(f(i)) : largest;
    return from_magnitude_bits(largest);
  } else {
    return largest_by_number(team, n, f);
  }
}

/// The largest |x[i]| of x[0 .. size), NaN or infinity if there is one; size as above. Begins with a sync().
template <class Team>
JOSTLE_HD double largest_magnitude(const Team& team, int size, const double* x) {
  const auto largest_of_block = [x](int block) {
    std::int64_t largest = 0;
    for (int k = 0; k < lemke_block; ++k) {
      const std::int64_t bits = magnitude_bits(x[lemke_block * block + k]);
      largest = bits > largest ? bits : largest;
    }
    return largest;
  };
  return from_magnitude_bits(
      team.select(size / lemke_block, largest_of_block, [](std::int64_t a, std::int64_t b) { return a > b; }));
}

}  // namespace jostle

#pragma once
// The minimum ratio test with lexicographic tie breaking [Cottle, Pang, Stone 1992, Section 4.9].
//
// Every nontrivial contact LCP is degenerate: several rows block at once, and rounding errors spread
// their ratios. "Equal within a tolerance" is not transitive, so the tolerance only chooses the
// candidates; among them
//   1. the artificial variable leaves if it can, which ends the pivoting;
//   2. otherwise the row that blocks first with the perturbation q' + (eps, eps^2, ...). Its coefficients
//      are the rows of B^-1, which are in the dictionary's columns of the slacks w_k.
#include <bit>
#include <cstdint>

#include "core/lcp/dictionary.hpp"
#include "core/lcp/places.hpp"
#include "core/lcp/selection.hpp"
#include "core/math/four.hpp"

namespace jostle {

/// Coefficient of eps^(k+1) in the basic variable of a row, while column c is taken out.
JOSTLE_HD inline double perturbation(const Dictionary& rows, const LemkePlaces& places, int row, int k, int c) {
  const int place = places.place[k];
  if (place >= 0) return place == row ? 1.0 : 0.0;
  return ~place == c ? -rows.column(row) : -rows.entry(row, ~place);
}

/// Whether row a blocks before row b by the perturbation alone. Each quotient depends on one row and is a number, so
/// this is a strict total order, which lanes need in order to agree; distinct rows of the nonsingular B^-1 differ.
JOSTLE_HD inline bool lexicographically_first(const Dictionary& rows, const LemkePlaces& places, int a, int b, int c) {
  const double slope_a = -rows.column(a);
  const double slope_b = -rows.column(b);
  for (int k = 0; k < places.n; ++k) {
    const double numerator_a = perturbation(rows, places, a, k, c), numerator_b = perturbation(rows, places, b, k, c);
    // Most are zero, and a GPU divides a zero by calling a function.
    if (numerator_a == 0 && numerator_b == 0) continue;
    const double left = finite_or_infinity(numerator_a / slope_a), right = finite_or_infinity(numerator_b / slope_b);
    if (left != right) return left < right;
  }
  return a < b;
}

/// The ratio at which each row blocks the entering variable, whose column has been taken out; infinity: never;
/// -infinity: the dictionary has overflowed there. Numerator and divisor are chosen first: the loop has no branch.
template <class Team>
JOSTLE_HD JOSTLE_INLINE void compute_ratios(const Team& team, int n, const Dictionary& rows, double least_slope,
                                            double* ratios) {
  for_each_cell(team, padded(n), [=](auto at) {
    const int i = static_cast<int>(at);
    const double slope = -rows.column(i);
    const double constant = rows.constant(i);
    const bool blocks = slope > least_slope;
    const double ratio = chosen(blocks, constant, 0.0) / chosen(blocks, slope, 1.0);
    const bool fits = std::fma(0.0, slope, std::fma(0.0, constant, 0.0 * ratio)) == 0;
    ratios[i] = chosen(fits, chosen(blocks, ratio, infinity()), -infinity());
  });
}

inline constexpr int no_row = -1, overflowed_row = -2;

/// The first by `before` of the rows with ratios of at most `bound`; size is a multiple of lemke_block. On a CPU: a
/// branch for each row could not be foretold.
template <class Before>
int first_candidate(int size, const double* ratios, double bound, Before before) {
  constexpr int word = 64;
  int first = no_row;
  for (int begin = 0; begin < size; begin += word) {
    const int count = size - begin < word ? size - begin : word;
    std::uint64_t bits = 0;
    for (int i = 0; i < count; i += lemke_block)
      bits |= static_cast<std::uint64_t>(which_are_at_most(ratios + begin + i, bound)) << i;
    for (; bits != 0; bits &= bits - 1) {
      const int i = begin + std::countr_zero(bits);
      if (before(i, first)) first = i;
    }
  }
  return first;
}

/// The row that blocks first, no_row if none does (a ray), overflowed_row if a ratio has overflowed. Column c must have
/// been taken out; compute_ratios has computed `ratios`. Every lane gets the answer.
template <class Team>
JOSTLE_HD JOSTLE_INLINE int blocking_row(const Team& team, const Dictionary& rows, const LemkePlaces& places, int c,
                                         const double* ratios, double tie_tolerance) {
  const double lowest = least(team, padded(places.n), ratios);
  if (!(lowest < infinity())) return no_row;
  const double bound = std::fma(tie_tolerance, std::fabs(lowest), lowest);
  if (!is_finite(bound)) return overflowed_row;

  const int artificial_row = places.place[places.artificial()];
  if (artificial_row >= 0 && ratios[artificial_row] <= bound) return artificial_row;

  const auto before = [&](int a, int b) {
    if (a < 0 || b < 0 || a == b) return b < 0 && a >= 0;
    return lexicographically_first(rows, places, a, b, c);
  };
  if constexpr (Thread<Team>) return first_candidate(padded(places.n), ratios, bound, before);
  const auto first_of_block = [&](int block) {
    int first = -1;
    for (int i = lemke_block * block; i < lemke_block * (block + 1); ++i) {
      if (ratios[i] <= bound && before(i, first)) first = i;
    }
    return first;
  };
  return team.select(padded(places.n) / lemke_block, first_of_block, before);
}

}  // namespace jostle

#pragma once
// LU factors of a small matrix with complete pivoting, which also finds its rank: dependent rows are left out, as
// redundant joints must be (Anitescu & Potra 1997, appendix A). The matrix falls into parts that have no entries in
// common, as a mass matrix does into blocks of bodies that no spring ties; zeros between parts are neither looked at
// nor computed with, which changes no bit.
#include <cmath>

#include "core/lcp/equilibration.hpp"
#include "core/math/bits.hpp"
#include "core/math/span.hpp"
#include "core/team.hpp"

namespace jostle {

/// P S A S Q = L U in place; row-major, n x n. S are powers of two that make the diagonal about 1: the test for a zero
/// pivot is then the same for every body, from a grain to a truck. The orders of rows and columns are kept.
template <int Step = 1>
struct LuFactors {
  static constexpr int orders = 7;  ///< times n: numbers of `ints`

  JOSTLE_HD LuFactors(int size, const Span<double, Step>& entries, const Span<double, Step>& factors,
                      const Span<int, Step>& ints)
      : n(size),
        matrix(entries),
        scale(factors),
        order_of_rows(ints),
        order_of_columns(ints.from(n)),
        place(ints.from(2 * n)),
        part(ints.from(3 * n)),
        member(ints.from(4 * n)),
        begin(ints.from(5 * n)),
        end(ints.from(6 * n)) {}

  JOSTLE_HD double& entry(int i, int j) const { return matrix[order_of_rows[i] * n + order_of_columns[j]]; }
  /// Row i as stored, before the exchanges.
  JOSTLE_HD Span<double, Step> row(int i) const { return matrix.from(i * n); }

  /// What is left of row i, as stored, that depends on others.
  JOSTLE_HD double largest_left(int i, int rank) const {
    double largest = 0;
    for (int k = rank; k < n; ++k) {
      const double size = std::fabs(row(i)[order_of_columns[k]]);
      largest = size > largest ? size : largest;
    }
    return largest;
  }
  /// Whether row i, as stored, depends on others.
  JOSTLE_HD bool is_left_out(int i, int rank) const {
    while (rank < n && order_of_rows[rank] != i) ++rank;
    return rank < n;
  }

  int n;
  Span<double, Step> matrix;
  Span<double, Step> scale;
  Span<int, Step> order_of_rows, order_of_columns;
  Span<int, Step> place;       ///< where each column is in its order
  Span<int, Step> part;        ///< of each row and column as stored, named after the least of them
  Span<int, Step> member;      ///< part after part: columns as stored that are left, in the end pivots in their order
  Span<int, Step> begin, end;  ///< of each part in `member`
};

namespace detail {

/// Scales the entries and finds the parts: rows and columns that entries other than 0 tie together, a row always to its
/// own column.
template <int Step>
JOSTLE_HD void find_parts(const LuFactors<Step>& lu) {
  const int n = lu.n;
  const auto root_of = [&](int i) {
    while (lu.part[i] != i) i = lu.part[i];
    return i;
  };
  for (int i = 0; i < n; ++i) lu.part[i] = i, lu.end[i] = 0;
  for (int i = 0; i < n; ++i) {
    const auto row = lu.row(i);
    for (int j = 0; j < n; ++j) {
      if (row[j] == 0) continue;
      row[j] *= lu.scale[i] * lu.scale[j];
      if (j == i) continue;
      const int a = root_of(i), b = root_of(j);
      lu.part[a > b ? a : b] = a > b ? b : a;
    }
  }
  for (int i = 0; i < n; ++i) ++lu.end[lu.part[i] = root_of(i)];
  for (int i = 0, next = 0; i < n; ++i) {
    lu.begin[i] = next, next += lu.end[i];
    lu.end[i] = lu.begin[i];
  }
  for (int i = 0; i < n; ++i) lu.member[lu.end[lu.part[i]]++] = i;
}

/// Orders rows and columns: first those that nothing ties to others, whose entry is a pivot. Returns how many these
/// are, and the largest.
template <int Step>
JOSTLE_HD int take_lone_pivots(const LuFactors<Step>& lu, double& largest) {
  const auto is_lone = [&](int i) { return lu.end[lu.part[i]] - lu.begin[lu.part[i]] == 1 && lu.row(i)[i] > 0; };
  int count = 0;
  for (int i = 0; i < lu.n; ++i) count += is_lone(i) ? 1 : 0;
  for (int i = 0, lone = 0, other = count; i < lu.n; ++i) {
    const bool is_first = is_lone(i);
    const int at = is_first ? lone++ : other++;
    lu.order_of_rows[at] = lu.order_of_columns[at] = i, lu.place[i] = at;
    if (is_first && lu.row(i)[i] > largest) largest = lu.row(i)[i];
  }
  return count;
}

struct Pivot {
  int row, column;  ///< their places
  double size;
};

/// The largest entry of what is left, of equal ones the first in the orders of rows and columns. NaNs are none, but for
/// one at place k.
template <int Step>
JOSTLE_HD Pivot largest_pivot(const LuFactors<Step>& lu, int k) {
  Pivot best{k, k, std::fabs(lu.entry(k, k))};
  for (int i = k; i < lu.n; ++i) {
    const int r = lu.order_of_rows[i], end = lu.end[lu.part[r]];
    const auto row = lu.row(r);
    for (int m = lu.begin[lu.part[r]]; m < end; ++m) {
      const int column = lu.member[m];
      const double size = std::fabs(row[column]);
      if (size > best.size || (size == best.size && i == best.row && lu.place[column] < best.column))
        best = {i, lu.place[column], size};
    }
  }
  return best;
}

/// Makes an entry the pivot at place k, whose column then is left no more.
template <int Step>
JOSTLE_HD void take_pivot(const LuFactors<Step>& lu, int k, const Pivot& pivot) {
  const int row = lu.order_of_rows[pivot.row], column = lu.order_of_columns[pivot.column];
  lu.order_of_rows[pivot.row] = lu.order_of_rows[k], lu.order_of_rows[k] = row;
  lu.order_of_columns[pivot.column] = lu.order_of_columns[k], lu.order_of_columns[k] = column;
  lu.place[lu.order_of_columns[pivot.column]] = pivot.column, lu.place[column] = k;
  int& end = lu.end[lu.part[column]];
  for (int m = lu.begin[lu.part[column]]; m < end; ++m)
    if (lu.member[m] == column) lu.member[m] = lu.member[--end];
}

/// Subtracts multiples of the row at place k from those after it.
template <int Step>
JOSTLE_HD void eliminate(const LuFactors<Step>& lu, int k) {
  const int column = lu.order_of_columns[k], own = lu.part[column], begin = lu.begin[own], end = lu.end[own];
  const auto from = lu.row(lu.order_of_rows[k]);
  for (int i = k + 1; i < lu.n; ++i) {
    const int r = lu.order_of_rows[i];
    if (lu.part[r] != own) continue;
    const auto row = lu.row(r);
    const double factor = row[column] /= from[column];
    if (factor == 0) continue;
    for (int m = begin; m < end; ++m) row[lu.member[m]] -= factor * from[lu.member[m]];
  }
}

/// Of each part, its pivots.
template <int Step>
JOSTLE_HD void list_pivots(const LuFactors<Step>& lu, int rank) {
  for (int i = 0; i < lu.n; ++i) lu.end[i] = lu.begin[i];
  for (int k = 0; k < rank; ++k) lu.member[lu.end[lu.part[lu.order_of_columns[k]]]++] = k;
}

/// Solves for `count` pivots, number i of which is pivot(i), in place; `may_skip`: numbers that are 0.
template <int Step>
JOSTLE_HD void solve_part(const LuFactors<Step>& lu, int count, auto pivot, bool may_skip,
                          const Span<double, Step>& x) {
  int end = may_skip ? 0 : count;    // behind the last number that is not 0
  for (int j = 0; j < count; ++j) {  // column after column: no number waits for the one before it
    const double x_j = x[pivot(j)];
    if (may_skip && x_j == 0) continue;
    end = may_skip ? j + 1 : count;
    const int column = lu.order_of_columns[pivot(j)];
    for (int i = j + 1; i < count; ++i) x[pivot(i)] -= lu.row(lu.order_of_rows[pivot(i)])[column] * x_j;
  }
  for (int i = count - 1; i >= 0; --i) {
    const auto row = lu.row(lu.order_of_rows[pivot(i)]);
    double sum = x[pivot(i)];
    for (int j = i + 1; j < end; ++j) sum -= row[lu.order_of_columns[pivot(j)]] * x[pivot(j)];
    x[pivot(i)] = sum / row[lu.order_of_columns[pivot(i)]];
  }
}

}  // namespace detail

/// Returns the rank: pivots count as zero as `zero` says of what they are relative to the first. Called by a single
/// lane.
template <int Step>
JOSTLE_HD int factorise(const LuFactors<Step>& lu, const ZeroPivots& zero = {}) {
  equilibrate(SerialTeam{}, lu, lu.scale);
  detail::find_parts(lu);
  double first_pivot = 0;
  const int lone = detail::take_lone_pivots(lu, first_pivot);
  int rank = lone;
  for (; rank < lu.n; ++rank) {
    const detail::Pivot pivot = detail::largest_pivot(lu, rank);
    if (rank == lone && pivot.size > first_pivot) first_pivot = pivot.size;
    if (zero.include(pivot.size, lu.n - rank, first_pivot)) break;
    detail::take_pivot(lu, rank, pivot);
    detail::eliminate(lu, rank);
  }
  detail::list_pivots(lu, rank);
  return rank;
}

/// One lane factorises, every lane gets the rank through `rank_of_all`. Begins and ends synced.
template <class Team, int Step>
JOSTLE_HD int factorise_together(const Team& team, const LuFactors<Step>& lu, int& rank_of_all,
                                 const ZeroPivots& zero = {}) {
  team.once([&] { rank_of_all = factorise(lu, zero); });
  team.sync();
  const int rank = rank_of_all;
  team.sync();
  return rank;
}

/// Solves A x = b on the leading `rank` rows and columns; the other x are 0. `work` holds `rank` numbers.
template <int Step>
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL void solve(const LuFactors<Step>& lu, int rank, const Span<double, Step>& b,
                                            const Span<double, Step>& x, const Span<double, Step>& work) {
  bool may_skip = true;  // zeros: what they would subtract changes nothing but the sign of a -0
  for (int i = 0; i < rank; ++i) {
    work[i] = lu.scale[lu.order_of_rows[i]] * b[lu.order_of_rows[i]];
    if (work[i] == 0 && sign_bit(work[i])) may_skip = false;
  }
  if (!may_skip)
    detail::solve_part(
        lu, rank, [](int i) { return i; }, false, work);
  for (int own = 0; may_skip && own < lu.n; ++own) {
    if (lu.part[own] != own) continue;
    const auto pivots = lu.member.from(lu.begin[own]);
    const int count = lu.end[own] - lu.begin[own];
    if (count == 1)
      work[pivots[0]] /= lu.entry(pivots[0], pivots[0]);
    else
      detail::solve_part(
          lu, count, [&](int i) { return pivots[i]; }, true, work);
  }
  for (int i = 0; i < lu.n; ++i)
    x[lu.order_of_columns[i]] = i < rank ? lu.scale[lu.order_of_columns[i]] * work[i] : 0.0;
}

}  // namespace jostle

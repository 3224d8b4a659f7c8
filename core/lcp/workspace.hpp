#pragma once
// Working memory of one LCP: shared memory on a GPU, one buffer per thread on a CPU.
#include <cstddef>

#include "core/config.hpp"

namespace jostle {

/// Rows of the dictionary and vectors over its rows are padded to whole blocks of four doubles, which is
/// what a vector register of the CPU holds. The padding is zero (ratios: infinity) and is computed along.
inline constexpr int lemke_block = 4;

JOSTLE_HD constexpr int padded(int n) { return (n + lemke_block - 1) / lemke_block * lemke_block; }

/// Views, not owners, carved out of three buffers. Best speed if those of doubles are aligned to 64 bytes.
struct LemkeWorkspace {
  double* cells;            ///< n rows of padded(n + 1): the dictionary without its constants
  double* pivot_row;        ///< padded(n + 1)
  double* constants;        ///< padded(n): the last column of the dictionary
  double* column;           ///< padded(n): the column of the entering variable
  double* deferred_column;  ///< padded(n): that of the pivot before, where its update is still to be done
  double* ratios;           ///< padded(n)
  double* answer;           ///< padded(n): the z of an attempt, kept while a restart tries for a better one
  int* basic;               ///< n: the variable of each row
  int* nonbasic;            ///< n + 1: the variable of each column
  int* place;               ///< 2 n + 1: row r of a basic variable as r, column c of a nonbasic one as ~c
  int* traded;              ///< n: 1 where a restart has made w of z and z of w
  int* path = nullptr;      ///< path_size: the variable that each of the first pivots made leave; null: not kept
  int path_size = 0;

  struct Sizes {
    std::size_t cells;
    std::size_t vectors;
    std::size_t ints;
  };

  JOSTLE_HD static constexpr Sizes sizes(int n) {
    const auto rows = static_cast<std::size_t>(n);
    const auto row = static_cast<std::size_t>(padded(n + 1));
    const auto vector = static_cast<std::size_t>(padded(n));
    return {rows * row, row + 5 * vector, 5 * rows + 2};
  }

  /// Each holds at least what sizes(n) says.
  JOSTLE_HD static LemkeWorkspace carve(int n, double* cells, double* vectors, int* ints) {
    double* const first = vectors + padded(n + 1);
    const int step = padded(n);
    return {cells,
            vectors,
            first,
            first + step,
            first + 2 * step,
            first + 3 * step,
            first + 4 * step,
            ints,
            ints + n,
            ints + 2 * n + 1,
            ints + 4 * n + 2};
  }
};

}  // namespace jostle

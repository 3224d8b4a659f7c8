#pragma once
// Working memory of one LCP: shared memory on a GPU, one buffer per thread on a CPU.
#include <cstddef>
#include <cstdint>

#include "core/config.hpp"

namespace jostle {

/// Rows of the dictionary and vectors over its rows are padded to whole blocks of four doubles, the size of a CPU's
/// vector register. The padding is zero (ratios: infinity) and takes part in the computations.
inline constexpr int lemke_block = 4;

template <class Int>
JOSTLE_HD constexpr Int padded(Int n) {
  return (n + lemke_block - 1) / lemke_block * lemke_block;
}

// The only list of the fields, in three buffers:
//
//   X(type, name, extent, buffer, meaning)
//
// for an LCP of size `n`.
#define JOSTLE_LEMKE_WORKSPACE(X)                                                                                     \
  X(double, cells, padded(n + 1) * n, cells, "the dictionary without its constants")                                  \
  X(double, pivot_row, padded(n + 1), vectors, "the pivot row")                                                       \
  X(double, constants, padded(n), vectors, "the last column of the dictionary")                                       \
  X(double, column, padded(n), vectors, "the column of the entering variable")                                        \
  X(double, deferred_column, padded(n), vectors, "the column of the previous pivot, if its update is deferred")       \
  X(double, ratios, padded(n), vectors, "ratios of the ratio test, and sizes of rows")                                \
  X(double, answer, padded(n), vectors, "the z of an attempt, kept while a refactorised basis may give a better one") \
  X(int, basic, n, ints, "the variable of each row")                                                                  \
  X(int, nonbasic, n + 1, ints, "the variable of each column")                                                        \
  X(int, place, 2 * n + 1, ints, "row r of a basic variable as r, column c of a nonbasic one as ~c")                  \
  X(int, traded, n, ints, "1 if a refactorisation has traded the names of w and z")

/// Views, not owners. Best speed if the buffers of doubles are aligned to 64 bytes.
struct LemkeWorkspace {
  struct Sizes {
    std::size_t cells = 0, vectors = 0, ints = 0;
  };

#define JOSTLE_MEMBER(type, name, extent, buffer, meaning) type* name = nullptr;
  JOSTLE_LEMKE_WORKSPACE(JOSTLE_MEMBER)
#undef JOSTLE_MEMBER
  std::int16_t* path = nullptr;      ///< path_size: the leaving variable of each of the first pivots
  int path_size = 0, path_step = 1;  ///< path_size 0: none is kept; path_step: from entry to entry

#define JOSTLE_COUNT(type, name, extent, buffer, meaning) sizes.buffer += static_cast<std::size_t>(extent);
  JOSTLE_HD static constexpr Sizes sizes(std::ptrdiff_t n) {
    Sizes sizes;
    JOSTLE_LEMKE_WORKSPACE(JOSTLE_COUNT)
    return sizes;
  }
#undef JOSTLE_COUNT

#define JOSTLE_PLACE(type, name, extent, buffer, meaning) \
  work.name = buffer;                                     \
  buffer += extent;
  /// Each buffer holds at least sizes(n).
  JOSTLE_HD static LemkeWorkspace carve(std::ptrdiff_t n, double* cells, double* vectors, int* ints) {
    LemkeWorkspace work;
    JOSTLE_LEMKE_WORKSPACE(JOSTLE_PLACE)
    return work;
  }
#undef JOSTLE_PLACE
};

}  // namespace jostle

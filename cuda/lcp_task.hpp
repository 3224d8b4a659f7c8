#pragma once
// A batch of your own LCPs in the memory of a device, and what a team does with one of them.
#include "core/lcp/dense_solve.hpp"
#include "core/model/workspace.hpp"
#include "cuda/placement.hpp"

namespace jostle {

/// `count` problems w = M z + q, z, w >= 0, z'w = 0. Every pointer is to memory of the device; results for a problem do
/// not depend on the others.
struct LcpBatch {
  int count = 0;
  int size = 0;  ///< n of every problem; with `sizes` the largest of them
  /// [problem] n; null: all have `size`. A problem with n outside 0 to `size` gets the status not_finite, and its z and
  /// w are left alone.
  const int* sizes = nullptr;
  const std::int64_t* starts = nullptr;  ///< [problem] where q, z and w begin, in doubles; null: problem * vector_step
  const std::int64_t* matrix_starts = nullptr;  ///< [problem] where M begins, in doubles; null: problem * matrix_step
  std::int64_t vector_step = 0;                 ///< doubles from problem to problem; 0: size
  std::int64_t matrix_step = 0;                 ///< doubles from problem to problem; 0: size * (row_step or size)
  int row_step = 0;                             ///< doubles from row to row of M; 0: n
  /// With `sizes` and none of the five above: problem after problem, no gaps. A size beyond `size` counts in full here,
  /// a negative one as 0.
  bool packed = false;
  const double* M = nullptr;
  const double* q = nullptr;
  double* z = nullptr;            ///< zero unless the problem is solved
  double* w = nullptr;            ///< M z + q if the problem is solved; null: not wanted
  LcpStatus* status = nullptr;    ///< [problem]
  int* pivots = nullptr;          ///< [problem] or null
  double* residual = nullptr;     ///< [problem] or null: max|min(z, w)| / max(1, |q|inf), infinity unless solved
  std::uint8_t* basis = nullptr;  ///< as z, or null: 1 where z_i is basic, all 0 unless the problem is solved
  double* ray = nullptr;          ///< as z, or null: that of DenseLcpSolution, 0 where there is none
  int* attempts = nullptr;        ///< [problem] or null: of Lemke's method; 0 if n is 0 or wrong

  JOSTLE_HD int size_of(int problem) const { return sizes ? sizes[problem] : size; }
  JOSTLE_HD std::int64_t start(int problem) const {
    return starts ? starts[problem] : problem * (vector_step > 0 ? vector_step : size);
  }
  JOSTLE_HD LcpView problem(int problem) const {
    const int n = size_of(problem);
    const std::int64_t step = matrix_step > 0 ? matrix_step : std::int64_t{size} * (row_step > 0 ? row_step : size);
    return {n, row_step > 0 ? row_step : n, M + (matrix_starts ? matrix_starts[problem] : problem * step),
            q + start(problem)};
  }
};

/// Working memory of a team for LCPs up to n.
struct LcpBytes {
  std::size_t vectors, cells;
};

JOSTLE_HD inline LcpBytes lcp_bytes(int n) {
  const LemkeWorkspace::Sizes sizes = LemkeWorkspace::sizes(n);
  const std::size_t reals = sizes.vectors + 2 * static_cast<std::size_t>(n);
  return {round_up_to_line(reals * sizeof(double) + sizes.ints * sizeof(int)),
          round_up_to_line(sizes.cells * sizeof(double))};
}

/// Every pointer is to memory of the device.
struct LcpTask {
  LcpBatch batch;
  const int* order = nullptr;  ///< [index] the problem at this position; null: index
  LemkeOptions options;
  TeamPlace place;
  int teams = 0;                ///< that have memory
  unsigned* taken = nullptr;    ///< 1: how many problems teams have taken
  std::byte* memory = nullptr;  ///< [team] bytes_per_team()

  JOSTLE_HD int problem(int index) const { return order ? order[index] : index; }

  /// What is not in shared memory.
  JOSTLE_HD std::size_t bytes_per_team() const {
    const LcpBytes bytes = lcp_bytes(batch.size);
    return place.shared ? 0 : bytes.vectors + bytes.cells;
  }
  JOSTLE_HD std::size_t shared_bytes_per_team() const {
    const LcpBytes bytes = lcp_bytes(batch.size);
    return place.shared ? spread_over_banks(bytes.vectors + bytes.cells, place.lanes) : 0;
  }
};

/// Computed for problems of mixed sizes before they are solved: the order in which teams take them, the largest first,
/// so that no team is left alone with a large one at the end; and where packed ones begin. Memory of the device.
struct LcpArrangement {
  LcpArrangement(std::byte* memory, int count)
      : starts(reinterpret_cast<std::int64_t*>(memory)),
        matrix_starts(starts + count),
        order(reinterpret_cast<int*>(matrix_starts + count)),
        keys(order + count) {}
  static std::size_t bytes(int count) {
    return static_cast<std::size_t>(count) * (2 * sizeof(std::int64_t) + 2 * sizeof(int));
  }
  /// Applies what Device::arrange_lcps has arranged.
  void apply(LcpTask& task) const {
    task.order = order;
    if (!task.batch.packed) return;
    task.batch.starts = starts;
    task.batch.matrix_starts = matrix_starts;
  }

  std::int64_t *starts, *matrix_starts;  ///< [problem] written if the batch is packed
  int *order, *keys;                     ///< [index]; `keys` is working memory
};

}  // namespace jostle

#pragma once
// What concerns the whole batch, by Thrust: on a GPU in the kernels' stream, in the tests on the CPU.
#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "cuda/lcp_task.hpp"
#include "cuda/simulate_task.hpp"

namespace jostle {

// Structs of namespace scope: nvcc cannot name a kernel after local ones.
struct IsSet {
  JOSTLE_HD bool operator()(std::uint8_t flag) const { return flag != 0; }
};
struct IsGreater {
  JOSTLE_HD bool operator()(int a, int b) const { return a > b; }
};

/// What a problem takes up; one of a negative size, which is not solved, nothing.
struct RealsOf {
  JOSTLE_HD std::int64_t operator()(int size) const { return size > 0 ? size : 0; }
};
struct CellsOf {
  JOSTLE_HD std::int64_t operator()(int size) const { return RealsOf{}(size)*RealsOf{}(size); }
};

/// Writes the numbers of the systems whose flag is set, those of the highest cost first and equal ones in ascending
/// order. `numbers` and `costs` hold `count` ints. Returns how many there are.
template <class Policy>
int list_outgrown(const Policy& policy, const std::uint8_t* outgrown, int count, const SystemCost& cost, int* numbers,
                  int* costs) {
  const thrust::counting_iterator<int> first(0);
  const int* const end = thrust::copy_if(policy, first, first + count, outgrown, numbers, IsSet{});
  const auto found = static_cast<int>(end - numbers);
  thrust::transform(policy, numbers, numbers + found, costs, cost);
  thrust::stable_sort_by_key(policy, costs, costs + found, numbers, IsGreater{});
  return found;
}

/// Arranges a batch with `sizes`: problems of equal size stay in ascending order.
template <class Policy>
void arrange_problems(const Policy& policy, const LcpBatch& batch, const LcpArrangement& to) {
  const int count = batch.count;
  thrust::copy(policy, batch.sizes, batch.sizes + count, to.keys);
  thrust::sequence(policy, to.order, to.order + count);
  thrust::stable_sort_by_key(policy, to.keys, to.keys + count, to.order, IsGreater{});
  if (!batch.packed) return;
  const auto reals = thrust::make_transform_iterator(batch.sizes, RealsOf{});
  const auto cells = thrust::make_transform_iterator(batch.sizes, CellsOf{});
  thrust::exclusive_scan(policy, reals, reals + count, to.starts, std::int64_t{0});
  thrust::exclusive_scan(policy, cells, cells + count, to.matrix_starts, std::int64_t{0});
}

}  // namespace jostle

#pragma once
// Operations on the whole batch, with Thrust: on a GPU in the kernels' stream, in tests on the CPU.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <vector>

#include "cuda/lcp_task.hpp"
#include "cuda/simulate_task.hpp"

namespace jostle {

// Structs at namespace scope: nvcc cannot name a kernel after local ones.
struct IsGreater {
  JOSTLE_HD bool operator()(int a, int b) const { return a > b; }
};

/// What a problem takes up; nothing for a negative size, which is not solved.
struct RealsOf {
  JOSTLE_HD std::int64_t operator()(int size) const { return size > 0 ? size : 0; }
};
struct CellsOf {
  JOSTLE_HD std::int64_t operator()(int size) const { return RealsOf{}(size)*RealsOf{}(size); }
};

/// Writes the numbers of all systems, sorted by PlacementKey, equal ones in ascending order. `numbers` and `keys` hold
/// `count` entries. Returns how many systems each of the first `placements` placements has.
template <class Policy>
std::vector<int> sort_systems(const Policy& policy, const PlacementKey& key, int count, int placements, int* numbers,
                              std::uint64_t* keys) {
  thrust::sequence(policy, numbers, numbers + count);
  thrust::transform(policy, numbers, numbers + count, keys, key);
  thrust::stable_sort_by_key(policy, keys, keys + count, numbers);
  std::vector<int> counts;
  for (int placement = 0; placement < placements; ++placement)
    counts.push_back(static_cast<int>(
        thrust::count(policy, key.placements, key.placements + count, static_cast<std::uint8_t>(placement))));
  return counts;
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

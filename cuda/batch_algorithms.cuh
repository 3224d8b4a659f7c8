#pragma once
// Operations on the whole batch, with Thrust: on a GPU in the kernels' stream, in tests on the CPU.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "cuda/lcp_task.hpp"
#include "cuda/system_changes.hpp"
#include "cuda/system_order.hpp"

namespace jostle {

// Structs at namespace scope: nvcc cannot name a kernel after local ones.
struct IsGreater {
  JOSTLE_HD bool operator()(int a, int b) const { return a > b; }
};

struct FirstKeyOf {
  JOSTLE_HD std::uint32_t operator()(int placement) const { return OrderKey::first_of(placement); }
};

/// What a problem takes up; nothing for a negative size, which is not solved.
struct RealsOf {
  JOSTLE_HD std::int64_t operator()(int size) const { return size > 0 ? size : 0; }
};
struct CellsOf {
  JOSTLE_HD std::int64_t operator()(int size) const { return RealsOf{}(size)*RealsOf{}(size); }
};

/// Sorts systems. Keys are 32-bit integers so that Thrust takes its radix sort, which passes over all keys once for
/// each 8 bits.
template <class Policy>
void sort_systems(const Policy& policy, const OrderKey& key, const SystemOrder& to) {
  thrust::sequence(policy, to.numbers, to.numbers + to.count);
  thrust::transform(policy, to.numbers, to.numbers + to.count, to.keys, key);
  thrust::stable_sort_by_key(policy, to.keys, to.keys + to.count, to.numbers);
  const auto first_keys = thrust::make_transform_iterator(thrust::make_counting_iterator(0), FirstKeyOf{});
  thrust::lower_bound(policy, to.keys, to.keys + to.count, first_keys, first_keys + to.placements + 1, to.starts);
}

/// change(number) for systems 0 .. count - 1.
template <class Policy, class Change>
void change_systems(const Policy& policy, int count, const Change& change) {
  thrust::for_each_n(policy, thrust::make_counting_iterator(0), count, change);
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

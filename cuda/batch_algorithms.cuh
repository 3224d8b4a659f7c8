#pragma once
// What concerns the whole batch, by Thrust: on a GPU in the kernels' stream, in the tests on the CPU.
#include <thrust/copy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include "cuda/simulate_task.hpp"

namespace jostle {

// Structs of namespace scope: nvcc cannot name a kernel after local ones.
struct IsSet {
  JOSTLE_HD bool operator()(std::uint8_t flag) const { return flag != 0; }
};
struct IsGreater {
  JOSTLE_HD bool operator()(int a, int b) const { return a > b; }
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

}  // namespace jostle

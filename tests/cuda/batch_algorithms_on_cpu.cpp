// What Thrust does for the whole batch, on the CPU by Thrust's OpenMP system: the same calls as on a GPU.
#include <gtest/gtest.h>
#include <thrust/system/omp/execution_policy.h>

#include <algorithm>
#include <random>
#include <vector>

#include "cuda/batch_algorithms.cuh"
#include "emulation/host_device.hpp"

namespace jostle {
namespace {

/// States of `count` systems of one body, with a placement and a number of pivots each.
struct States {
  static constexpr int placements = 4;

  explicit States(int count) : in(static_cast<std::size_t>(count)) {
    Dimensions dimensions;
    dimensions.bodies = 1;
    layout = StateLayout(dimensions);
    memory.resize(layout.bytes * static_cast<std::size_t>(count));
    std::mt19937 random(7);
    for (int i = 0; i < count; ++i) {
      in[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(random() % placements);
      pivots(i) = static_cast<int>(random() % 10);
    }
  }
  int& pivots(int i) {
    return state_view(layout, memory.data() + layout.bytes * static_cast<std::size_t>(i)).pivots_max[0];
  }

  StateLayout layout;
  std::vector<std::byte> memory;
  std::vector<std::uint8_t> in;
};

TEST(Thrust, SortsSystemsByPlacementAndThoseOfLaterOnesByCost) {
  for (const int count : {0, 1, 31, 32, 33, 100'003}) {
    SCOPED_TRACE(count);
    States states(count);
    std::vector<int> expected, counts;
    for (int placement = 0; placement < States::placements; ++placement) {
      const auto first = static_cast<std::ptrdiff_t>(expected.size());
      for (int i = 0; i < count; ++i)
        if (states.in[static_cast<std::size_t>(i)] == placement) expected.push_back(i);
      counts.push_back(static_cast<int>(static_cast<std::ptrdiff_t>(expected.size()) - first));
      if (placement > 0)
        std::stable_sort(expected.begin() + first, expected.end(),
                         [&](int a, int b) { return states.pivots(a) > states.pivots(b); });
    }

    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(count));
    EXPECT_EQ(sort_systems(thrust::omp::par, {states.in.data(), states.layout, states.memory.data()}, count,
                           States::placements, numbers.data(), keys.data()),
              counts);
    EXPECT_EQ(numbers, expected);
  }
}

// The stand-in's own arrangement, made without Thrust, is what it should be.
TEST(Thrust, ArrangesProblemsAsTheStandInDoes) {
  for (const int count : {1, 31, 32, 33, 100'003}) {
    SCOPED_TRACE(count);
    std::vector<int> sizes(static_cast<std::size_t>(count));
    std::mt19937 random(11);
    for (int& size : sizes) size = static_cast<int>(random() % 300);
    LcpBatch batch;
    batch.count = count;
    batch.sizes = sizes.data();
    batch.packed = true;
    std::vector<std::int64_t> ours(LcpArrangement::bytes(count) / sizeof(std::int64_t) + 1), theirs(ours.size());
    const LcpArrangement arranged(reinterpret_cast<std::byte*>(ours.data()), count);
    const LcpArrangement expected(reinterpret_cast<std::byte*>(theirs.data()), count);
    arrange_problems(thrust::omp::par, batch, arranged);
    HostDevice device;
    device.arrange_lcps(0, batch, expected);
    device.wait(0);
    EXPECT_TRUE(std::equal(arranged.order, arranged.order + count, expected.order));
    EXPECT_TRUE(std::equal(arranged.starts, arranged.starts + count, expected.starts));
    EXPECT_TRUE(std::equal(arranged.matrix_starts, arranged.matrix_starts + count, expected.matrix_starts));
  }
}

// Which are not solved: a negative one takes up nothing, one that is too large what it says.
TEST(Thrust, ArrangesProblemsOfWrongSizes) {
  const std::vector<int> sizes = {2, -1, 5, -7, 3};
  LcpBatch batch;
  batch.count = 5;
  batch.size = 3;
  batch.sizes = sizes.data();
  batch.packed = true;
  std::vector<std::int64_t> memory(LcpArrangement::bytes(batch.count) / sizeof(std::int64_t) + 1);
  const LcpArrangement to(reinterpret_cast<std::byte*>(memory.data()), batch.count);
  arrange_problems(thrust::omp::par, batch, to);
  EXPECT_EQ(std::vector<std::int64_t>(to.starts, to.starts + 5), (std::vector<std::int64_t>{0, 2, 2, 7, 7}));
  EXPECT_EQ(std::vector<std::int64_t>(to.matrix_starts, to.matrix_starts + 5),
            (std::vector<std::int64_t>{0, 4, 4, 29, 29}));
  EXPECT_EQ(std::vector<int>(to.order, to.order + 5), (std::vector<int>{2, 4, 0, 1, 3}));
}

}  // namespace
}  // namespace jostle

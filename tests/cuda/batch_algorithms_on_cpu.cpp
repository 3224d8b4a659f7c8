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

/// States of `count` systems of one body: some have not begun, some have ended, some rest.
struct States {
  static constexpr int placements = 4, last_step = 3;

  explicit States(int count) : in(static_cast<std::size_t>(count)), costs(in.size()) {
    Dimensions dimensions;
    dimensions.bodies = 1;
    layout = StateLayout(dimensions);
    memory.resize(layout.bytes * static_cast<std::size_t>(count));
    std::mt19937 random(7);
    for (int i = 0; i < count; ++i) {
      in[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(random() % placements);
      const StateView state = of(i);
      constexpr Status statuses[] = {Status::ok, Status::ok, Status::ray, Status::not_run, Status::not_loaded};
      state.status() = static_cast<int>(statuses[random() % 5]);
      state.steps() = static_cast<int>(random() % (last_step + 2));
      state.resting() = static_cast<int>(random() % 2);
      costs[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(random() % 10);
    }
  }
  StateView of(int i) { return state_view(layout, memory.data() + layout.bytes * static_cast<std::size_t>(i)); }
  bool has_ended(int i) {
    const int status = of(i).status();
    if (status == static_cast<int>(Status::not_run) || status == static_cast<int>(Status::not_loaded)) return false;
    return status != static_cast<int>(Status::ok) || of(i).steps() >= last_step;
  }
  /// -1 for a system at rest, whose steps cost less than those without contacts.
  int cost(int i, bool every_step) {
    return of(i).resting() != 0 && !every_step ? -1 : static_cast<int>(costs[static_cast<std::size_t>(i)]);
  }

  StateLayout layout;
  std::vector<std::byte> memory;
  std::vector<std::uint8_t> in;
  std::vector<std::uint32_t> costs;
};

/// Memory for an order.
struct OrderMemory {
  explicit OrderMemory(int count)
      : numbers(static_cast<std::size_t>(count)), keys(numbers.size()), starts(States::placements + 1) {}
  SystemOrder order() {
    return {static_cast<int>(numbers.size()), States::placements, numbers.data(), keys.data(), starts.data()};
  }

  std::vector<int> numbers;
  std::vector<std::uint32_t> keys;
  std::vector<int> starts;
};

class OrderByThrust : public testing::TestWithParam<bool> {};

TEST_P(OrderByThrust, IsByPlacementAndByCostAndEndsWithThoseThatHaveEnded) {
  const bool every_step = GetParam();
  for (const int count : {0, 1, 31, 32, 33, 100'003}) {
    SCOPED_TRACE(count);
    States states(count);
    std::vector<int> expected, starts;
    for (int placement = 0; placement <= States::placements; ++placement) {
      const auto first = static_cast<std::ptrdiff_t>(expected.size());
      starts.push_back(static_cast<int>(first));
      for (int i = 0; i < count; ++i)
        if (placement == (states.has_ended(i) ? States::placements : states.in[static_cast<std::size_t>(i)]))
          expected.push_back(i);
      if (placement < States::placements)
        std::stable_sort(expected.begin() + first, expected.end(),
                         [&](int a, int b) { return states.cost(a, every_step) > states.cost(b, every_step); });
    }
    const OrderKey key{states.in.data(),     states.costs.data(), states.layout,
                       states.memory.data(), every_step,          States::last_step};
    OrderMemory by_thrust(count), by_mock(count);
    sort_systems(thrust::omp::par, key, by_thrust.order());
    EXPECT_EQ(by_thrust.numbers, expected);
    EXPECT_EQ(by_thrust.starts, starts);

    HostDevice device;
    device.sort_systems(0, key, by_mock.order());
    device.wait(0);
    EXPECT_EQ(by_mock.numbers, expected);
    EXPECT_EQ(by_mock.keys, by_thrust.keys);
    EXPECT_EQ(by_mock.starts, starts);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryStep, OrderByThrust, testing::Bool());

TEST(Thrust, ChangesTheSystemsOfAMask) {
  constexpr int count = 100'003, steps = 2;
  States states(count), before = states;
  std::vector<std::uint8_t> mask(count);
  std::mt19937 random(3);
  for (std::uint8_t& has : mask) has = random() % 2 == 0 ? 1 : 0;
  std::vector<int> last_steps(count, -1);
  change_systems(
      thrust::omp::par, count,
      StepTargets{states.layout, states.memory.data(), {mask.data()}, steps, States::last_step, last_steps.data()});
  change_systems(thrust::omp::par, count, Restart{states.layout, states.memory.data(), {mask.data()}});
  for (int i = 0; i < count; ++i) {
    const bool has = mask[static_cast<std::size_t>(i)] != 0;
    const int made = before.of(i).steps(), goes_to = std::max(made, std::min(made + steps, int{States::last_step}));
    ASSERT_EQ(last_steps[static_cast<std::size_t>(i)], has ? goes_to : made) << i;
    ASSERT_EQ(states.of(i).status(), has ? static_cast<int>(Status::not_loaded) : before.of(i).status()) << i;
    ASSERT_EQ(states.of(i).steps(), has ? 0 : made) << i;
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

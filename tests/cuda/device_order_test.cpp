// Which systems a launch takes, and in what order: no bit of a result depends on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/device_runner.hpp"
#include "tests/cuda/boxes.hpp"
#include "tests/cuda/devices.hpp"

namespace jostle {
namespace {

constexpr int steps = box_steps;

/// Notes the systems of every launch, and counts sorts.
class WatchedDevice : public HostDevice {
 public:
  using HostDevice::HostDevice;
  void simulate(int queue, const SimulateTask& task) override {
    std::vector<int>& numbers = taken.emplace_back();
    for (int i = 0; i < task.count; ++i) numbers.push_back(task.number(i));
    HostDevice::simulate(queue, task);
  }
  void sort_systems(int queue, const OrderKey& key, const SystemOrder& to) override {
    ++sorts;
    HostDevice::sort_systems(queue, key, to);
  }

  std::vector<std::vector<int>> taken;
  int sorts = 0;
};

std::vector<std::vector<int>> taken_by(WatchedDevice& device, const std::function<void()>& launch) {
  device.taken.clear();
  launch();
  return device.taken;
}

using Launches = std::vector<std::vector<int>>;

TEST(Order, LaunchesTakeTheCostliestFirstAndLeaveOutWhatHasEndedOrRests) {
  Batch expected = boxes_with(mixed), batch = boxes_with(mixed);
  run_batch(expected, steps);
  ASSERT_EQ(expected.status(3), Status::overlap);
  ASSERT_EQ(expected.status(6), Status::energy_growth);
  ASSERT_GT(expected.state(6).steps(), 0);
  ASSERT_GT(expected.state(1).rest(), steps / 2);
  ASSERT_EQ(expected.state(0).last_contacts(), 0);
  ASSERT_EQ(expected.state(2).last_contacts(), 4);

  WatchedDevice device;
  DeviceBatch resident(device, boxes().model(), batch.size());
  resident.upload(batch, 0, batch.size());
  const auto launch_to = [&](int step) {
    return taken_by(device, [&] {
      EXPECT_TRUE(resident.launch(step, steps));
      resident.complete();
    });
  };
  EXPECT_EQ(launch_to(20), (Launches{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}})) << "in the order of memory";
  EXPECT_EQ(launch_to(100), (Launches{{2, 7, 0, 5, 8}}));
  EXPECT_EQ(launch_to(steps), (Launches{{2, 7, 0, 5, 8}}));
  EXPECT_FALSE(resident.launch(steps, steps));
  resident.complete();
  resident.download();
  resident.store();
  EXPECT_EQ(digests(batch), digests(expected));
}

TEST(Order, IsOfEachPlacement) {
  Batch expected = boxes_with(mixed), batch = boxes_with(mixed);
  run_batch(expected, steps);
  WatchedDevice device;
  DeviceOptions options;
  options.first_contacts = 1;
  DeviceBatch resident(device, boxes().model(), batch.size(), 0, options);
  resident.upload(batch, 0, batch.size());
  const auto launch_to = [&](int step) {
    return taken_by(device, [&] {
      resident.launch(step, steps);
      resident.complete();
    });
  };
  const Launches first = launch_to(20);
  ASSERT_GE(first.size(), 3u);
  EXPECT_THAT(first[0], testing::SizeIs(batch.size()));
  for (std::size_t i = 1; i < first.size(); ++i)
    EXPECT_THAT(first[i], testing::UnorderedElementsAre(1, 2, 4, 7, 9))
        << "those that have overflowed a placement, alone";
  EXPECT_EQ(launch_to(100), (Launches{{0, 5, 8}, {2, 7}}));
  launch_to(steps);
  resident.download();
  resident.store();
  EXPECT_EQ(digests(batch), digests(expected));
}

// A trajectory has every step of a box that lies.
TEST(Order, SystemsAtRestAreLastWhereTheyAreRecorded) {
  std::vector<double> q(7 * 2 * (steps + 1)), v(6 * 2 * (steps + 1)), q_of_cpu(q.size()), v_of_cpu(v.size());
  Batch expected = boxes_with(mixed), batch = boxes_with(mixed);
  expected.record(1, {q_of_cpu.data(), v_of_cpu.data(), 1});
  batch.record(1, {q.data(), v.data(), 1});
  run_batch(expected, steps);
  WatchedDevice device;
  DeviceBatch resident(device, boxes().model(), batch.size());
  resident.upload(batch, 0, batch.size());
  for (const int step : {20, 100, steps}) {
    resident.launch(step, steps);
    resident.complete();
  }
  EXPECT_EQ(device.taken.back(), (std::vector<int>{2, 7, 0, 5, 8, 1}));
  resident.download();
  resident.store();
  EXPECT_EQ(digests(batch), digests(expected));
  EXPECT_EQ(q, q_of_cpu);
  EXPECT_EQ(v, v_of_cpu);
}

TEST(Order, ServesSeveralShortLaunches) {
  Batch expected = boxes_with(mixed), batch = boxes_with(mixed);
  constexpr int last = 40;
  run_batch(expected, last);
  WatchedDevice device;
  DeviceBatch resident(device, boxes().model(), batch.size());
  resident.upload(batch, 0, batch.size());
  const int before = device.sorts;
  for (int step = 1; step <= last; ++step) resident.launch(step, last), resident.complete();
  EXPECT_EQ(device.sorts, before + 2);
  resident.download();
  resident.store();
  EXPECT_EQ(digests(batch), digests(expected));
}

// A system that was ahead of the others has nothing to do until they have caught up.
TEST(Order, TakesSystemsThatWereAheadOnceTheyHaveAStepToMake) {
  Batch start = boxes_with({slides, falls, slides, falls});
  WorkspaceMemory memory(boxes().model(), 0);
  run_system(start, 2, 30, memory);
  run_system(start, 3, 31, memory);
  for (const int last : {31, 32, 33, 60}) {
    Batch expected = start, batch = start;
    run_batch(expected, last);
    WatchedDevice device;
    DeviceBatch resident(device, boxes().model(), batch.size());
    resident.upload(batch, 0, batch.size());
    for (const int step : {20, 30, last}) resident.step(step);
    resident.download();
    resident.store();
    EXPECT_EQ(digests(batch), digests(expected)) << last;
  }
}

// The order of the boxes in memory is another one; so is that in which teams of a warp meet them.
TEST(Order, ChangesNoBitOnAnyDevice) {
  std::vector<Fate> many;
  for (int i = 0; i < 24; ++i) many.push_back(static_cast<Fate>(7 * i % fates));
  constexpr int last = 60;
  Batch expected = boxes_with(many);
  run_batch(expected, last);
  for (const test::NamedDevice& named : test::devices())
    for (const int chunk : {0, 5}) {
      Batch batch = boxes_with(many);
      EXPECT_TRUE(DeviceRunner(*named.device, boxes().model(), chunk, {.first_contacts = 1}).run(batch, last));
      EXPECT_EQ(digests(batch), digests(expected)) << named.name << " in chunks of " << chunk;
    }
}

// Where all have ended or rest, there are no launches for the steps that are left.
TEST(Order, ARunEndsWithItsLastSystem) {
  Batch expected = boxes_with({lies, overlaps, lies}), batch = boxes_with({lies, overlaps, lies});
  run_batch(expected, steps);
  WatchedDevice device;
  EXPECT_TRUE(DeviceRunner(device, boxes().model()).run(batch, steps));
  EXPECT_EQ(device.taken, (Launches{{0, 1, 2}}));
  EXPECT_EQ(digests(batch), digests(expected));
}

}  // namespace
}  // namespace jostle

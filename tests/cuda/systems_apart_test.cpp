// Systems of one batch that are stepped apart, and put back, in the memory of a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "cuda/device_batch.hpp"
#include "cuda/system_order.hpp"
#include "tests/cuda/boxes.hpp"
#include "tests/cuda/capturing_device.hpp"
#include "tests/cuda/devices.hpp"

namespace jostle {
namespace {

using Mask = std::vector<std::uint8_t>;

/// The boxes on a device and on the CPU.
class BoxesApart {
 public:
  explicit BoxesApart(Device& device)
      : device_(device),
        here_(boxes_with(mixed)),
        there_(boxes_with(mixed)),
        resident_(device, boxes().model(), there_.size(), 0, {.first_contacts = 1}) {
    resident_.upload(there_, 0, there_.size());
  }

  /// Empty: all.
  void step(int count, const Mask& where) {
    step_here(count, where);
    resident_.step_each(count, on_device(where), box_steps);
  }
  void restart(const Mask& where) {
    restart_here(where);
    resident_.restart(on_device(where));
  }
  void step_here(int count, const Mask& where) {
    WorkspaceMemory memory(boxes().model(), 0);
    for (int i = 0; i < here_.size(); ++i)  // those that stay where they are begin all the same
      run_system(here_, i, std::min(here_.state(i).steps() + (has(where, i) ? count : 0), box_steps), memory);
  }
  void restart_here(const Mask& where) {
    Batch fresh = boxes_with(mixed);
    WorkspaceMemory memory(boxes().model(), 0);
    const std::size_t bytes = boxes().model().view(0).state_layout.bytes;
    for (int i = 0; i < here_.size(); ++i) {
      if (!has(where, i)) continue;
      run_system(fresh, i, 0, memory);
      std::memcpy(here_.state_memory(i), fresh.state_memory(i), bytes);
    }
  }
  void expect_equal(const std::string& when) {
    resident_.download();
    resident_.store();
    EXPECT_EQ(digests(there_), digests(here_)) << when;
    EXPECT_EQ(statuses(there_), statuses(here_)) << when;
  }
  bool step_on_device(int count) { return resident_.step_each(count, nullptr, box_steps); }
  DeviceBatch& resident() { return resident_; }
  const std::uint8_t* on_device(const Mask& where) {
    if (where.empty()) return nullptr;
    mask_.reserve(device_, where.size());
    device_.upload(0, mask_.data(), where.data(), where.size());
    device_.wait(0);
    return mask_.as<std::uint8_t>();
  }

 private:
  static bool has(const Mask& where, int i) { return where.empty() || where[static_cast<std::size_t>(i)] != 0; }

  Device& device_;
  Batch here_, there_;
  DeviceMemory mask_;
  DeviceBatch resident_;
};

const Mask first = {1, 1, 1, 1, 0, 0, 0, 0, 0, 1}, second = {0, 1, 0, 0, 1, 1, 1, 0, 1, 1};

TEST(Apart, SystemsHaveTheBitsOfTheCpuOnEveryDevice) {
  for (const test::NamedDevice& named : test::devices()) {
    SCOPED_TRACE(named.name);
    BoxesApart both(*named.device);
    both.step(7, first);
    both.expect_equal("a mask");
    both.step(3, second);
    both.step(20, {});
    both.expect_equal("another mask, then all");
    both.restart(second);
    both.expect_equal("put back");
    both.step(6, first);
    both.step(9, {});
    both.expect_equal("after that");
  }
}

TEST(Apart, SystemsGoToTheLastStepAndAgainWhenTheyArePutBack) {
  HostDevice device;
  BoxesApart both(device);
  both.step(150, first);
  both.step(2 * box_steps, {});
  both.expect_equal("at the end");
  EXPECT_FALSE(both.step_on_device(5)) << "no system has a step left";
  both.restart(first);
  both.step(box_steps - 1, {});
  both.expect_equal("once more");
  EXPECT_TRUE(both.step_on_device(1));
}

// Orders leave out what has no step to make; a mask, or a restart, may give it one.
TEST(Apart, AnOrderServesSeveralShortStepsOfAll) {
  class CountedDevice : public HostDevice {
   public:
    void sort_systems(int queue, const OrderKey& key, const SystemOrder& to) override {
      ++sorts;
      HostDevice::sort_systems(queue, key, to);
    }
    int sorts = 0;
  };
  CountedDevice device;
  Batch batch = boxes_with({slides, falls, slides, falls}), expected = boxes_with({slides, falls, slides, falls});
  DeviceBatch resident(device, boxes().model(), batch.size());
  resident.upload(batch, 0, batch.size());
  const int before = device.sorts;
  for (int step = 0; step < 40; ++step) EXPECT_TRUE(resident.step_each(1, nullptr, box_steps));
  EXPECT_EQ(device.sorts, before + 2);
  resident.download();
  resident.store();
  run_batch(expected, 40);
  EXPECT_EQ(digests(batch), digests(expected));
}

/// Steps and restarts that are captured once and repeated have the bits of the CPU. Placements begin with one contact:
/// systems overflow some of them.
template <class Mock>
void expect_captured_bits(test::CapturingDevice<Mock>&& device) {
  BoxesApart both(device);
  DeviceBatch& resident = both.resident();
  resident.reserve_ahead();
  const std::uint8_t* const mask = both.on_device(first);
  const auto all = device.capture([&] { resident.start_each(3, nullptr, box_steps); });
  const auto some = device.capture([&] { resident.start_each(7, mask, box_steps); });
  const auto again = device.capture([&] { resident.start_restart(mask); });
  for (int i = 0; i < 4; ++i) device.repeat(all), both.step_here(3, {});
  both.expect_equal("all of them");
  device.repeat(some), both.step_here(7, first);
  both.on_device(second);  // the graph has the mask's place, not its values
  device.repeat(some), both.step_here(7, second);
  both.expect_equal("two masks");
  device.repeat(again), both.restart_here(second);
  device.repeat(all), both.step_here(3, {});
  both.expect_equal("put back");
}

TEST(Captured, StepsHaveTheBitsOfTheCpu) {
  expect_captured_bits(test::CapturingDevice<HostDevice>());
  for (const int lanes : {3, 8, 0}) expect_captured_bits(test::CapturingDevice<EmulatedDevice>(lanes));
}

TEST(Captured, StepsGoToTheLastOne) {
  test::CapturingDevice<HostDevice> device;
  BoxesApart both(device);
  both.resident().reserve_ahead();
  const auto many = device.capture([&] { both.resident().start_each(150, nullptr, box_steps); });
  for (int i = 0; i < 4; ++i) device.repeat(many), both.step_here(150, {});
  both.expect_equal("at the end");
}

// Without this, a step that waits would pass the other tests.
TEST(Captured, WhatWaitsIsRefused) {
  test::CapturingDevice<HostDevice> device;
  BoxesApart both(device);
  EXPECT_THROW(device.capture([&] { both.step_on_device(1); }), std::logic_error);
}

}  // namespace
}  // namespace jostle

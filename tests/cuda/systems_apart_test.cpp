// Systems of one batch that are stepped apart, and put back, in the memory of a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/system_order.hpp"
#include "tests/cuda/boxes_apart.hpp"
#include "tests/cuda/capturing_device.hpp"
#include "tests/cuda/devices.hpp"

namespace jostle {
namespace {

using test::BoxesApart, test::first_mask, test::second_mask;

TEST(Apart, SystemsHaveTheBitsOfTheCpuOnEveryDevice) {
  for (const test::NamedDevice& named : test::devices()) {
    SCOPED_TRACE(named.name);
    BoxesApart both(*named.device);
    both.step(7, first_mask);
    both.expect_equal("a mask");
    both.step(3, second_mask);
    both.step(20, {});
    both.expect_equal("another mask, then all");
    both.restart(second_mask);
    both.expect_equal("put back");
    both.step(6, first_mask);
    both.step(9, {});
    both.expect_equal("after that");
  }
}

TEST(Apart, SystemsGoToTheLastStepAndAgainWhenTheyArePutBack) {
  HostDevice device;
  BoxesApart both(device);
  both.step(150, first_mask);
  both.step(2 * box_steps, {});
  both.expect_equal("at the end");
  EXPECT_FALSE(both.step_on_device(5)) << "no system has a step left";
  both.restart(first_mask);
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
  const std::uint8_t* const mask = both.on_device(first_mask);
  const auto all = device.capture([&] { resident.start_each(3, nullptr, box_steps); });
  const auto some = device.capture([&] { resident.start_each(7, mask, box_steps); });
  const auto again = device.capture([&] { resident.start_restart(mask); });
  for (int i = 0; i < 4; ++i) device.repeat(all), both.step_here(3, {});
  both.expect_equal("all of them");
  device.repeat(some), both.step_here(7, first_mask);
  both.on_device(second_mask);  // the graph has the mask's place, not its values
  device.repeat(some), both.step_here(7, second_mask);
  both.expect_equal("two masks");
  device.repeat(again), both.restart_here(second_mask);
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

// A run on a device that is told to stop does so between launches, and what was not done is as it was.
#include <gtest/gtest.h>

#include "cuda/device_runner.hpp"
#include "emulation/host_device.hpp"
#include "tests/cuda/batches.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle {
namespace {

constexpr int systems = 4;

/// Sets a flag with its n-th launch.
class StoppingDevice : public HostDevice {
 public:
  StoppingDevice(std::atomic<bool>& stop, int at) : stop_(stop), at_(at) {}
  void simulate(int queue, const SimulateTask& task) override {
    HostDevice::simulate(queue, task);
    stop_ = launches() == at_;
  }

 private:
  std::atomic<bool>& stop_;
  int at_;
};

Scenario rods_with_every_step() {
  Scenario rods = read_scenario(library_file("rod"), {{"world.step=0.0004"}, {}, {}});
  rods.world.every_step = true;
  return rods;
}

class StoppableRun : public testing::Test {
 protected:
  const Ensemble ensemble_{rods_with_every_step()};
  const int last_ = static_cast<int>(ensemble_.model().total_steps);
  std::atomic<bool> stop_ = false;
};

TEST_F(StoppableRun, HasTheBitsOfTheCpu) {
  Batch whole = loaded(ensemble_, systems), paused = loaded(ensemble_, systems);
  run_batch(whole, last_);
  HostDevice device;
  EXPECT_TRUE(DeviceRunner(device, ensemble_.model()).run(paused, last_, &stop_));
  EXPECT_GE(device.launches(), 1 + last_ / LaunchLength::most_steps) << "none has more steps than that";
  EXPECT_EQ(digests(paused), digests(whole));
}

TEST_F(StoppableRun, StopsBetweenLaunchesAndCanBeRepeated) {
  for (int at = 1; at < 4; ++at) {
    StoppingDevice device(stop_, at);
    Batch batch = loaded(ensemble_, systems), untouched = loaded(ensemble_, systems);
    DeviceRunner runner(device, ensemble_.model());
    EXPECT_FALSE(runner.run(batch, last_, &stop_));
    EXPECT_EQ(device.launches(), at);
    EXPECT_EQ(digests(batch), digests(untouched));
    stop_ = false;
    EXPECT_TRUE(runner.run(batch, last_, &stop_));
    run_batch(untouched, last_);
    EXPECT_EQ(digests(batch), digests(untouched));
  }
}

TEST(LaunchLengths, ComeToSomeHundredthsOfASecond) {
  for (const double seconds_per_step : {1e-7, 1e-5, 3e-4, 5e-3, 0.029, 0.7}) {
    LaunchLength length;
    EXPECT_EQ(length.steps(), LaunchLength::first_steps);
    for (int launch = 0; launch < 4; ++launch) length.took(length.steps(), length.steps() * seconds_per_step);
    const double seconds = length.steps() * seconds_per_step;
    EXPECT_LE(length.steps(), LaunchLength::most_steps);
    EXPECT_TRUE(seconds <= 0.05 || length.steps() == 1) << seconds_per_step;
    EXPECT_TRUE(seconds >= 0.02 || length.steps() == LaunchLength::most_steps) << seconds_per_step;
  }
}

TEST(LaunchLengths, FollowASuddenContact) {
  LaunchLength length;
  for (int launch = 0; launch < 5; ++launch) length.took(length.steps(), 1e-4 * length.steps());
  EXPECT_EQ(length.steps(), LaunchLength::most_steps);
  length.took(length.steps(), 2e-3 * length.steps());
  EXPECT_EQ(length.steps(), 15);
  length.took(length.steps(), 0);
  EXPECT_EQ(length.steps(), 120) << "a clock that has not moved";
}

// Those of an earlier call to the step where it ended take no launch: the first one begins at their step.
TEST(LaunchLengths, BeginWhereTheSystemsAre) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  Batch batch = loaded(ensemble, systems);
  run_batch(batch, 399);
  HostDevice device;
  EXPECT_TRUE(DeviceRunner(device, ensemble.model()).run(batch, 400));
  EXPECT_EQ(device.launches(), 1);
  EXPECT_EQ(batch.state(0).steps(), 400);
}

}  // namespace
}  // namespace jostle

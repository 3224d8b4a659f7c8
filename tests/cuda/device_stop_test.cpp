// A run on a device that is told to stop does so between launches, and what was not done is as it was.
#include <gtest/gtest.h>

#include "cuda/device_runner.hpp"
#include "cuda/host_device.hpp"
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

class StoppableRun : public testing::Test {
 protected:
  const Ensemble ensemble_{read_scenario(library_file("rod"), {{"world.step=0.0004"}, {}, {}})};
  const int last_ = static_cast<int>(ensemble_.model().total_steps);
  const int launches_ = (last_ + DeviceRunner::steps_at_once - 1) / DeviceRunner::steps_at_once;
  std::atomic<bool> stop_ = false;
};

TEST_F(StoppableRun, HasTheBitsOfOneLaunch) {
  ASSERT_GT(launches_, 1);
  Batch whole = loaded(ensemble_, systems), paused = loaded(ensemble_, systems);
  HostDevice device, pausing_device;
  EXPECT_TRUE(DeviceRunner(device, ensemble_.model()).run(whole, last_));
  EXPECT_EQ(device.launches(), 1);
  EXPECT_TRUE(DeviceRunner(pausing_device, ensemble_.model()).run(paused, last_, &stop_));
  EXPECT_EQ(pausing_device.launches(), launches_);
  EXPECT_EQ(digests(paused), digests(whole));
}

TEST_F(StoppableRun, StopsBetweenLaunchesAndCanBeRepeated) {
  for (int at = 1; at < launches_; ++at) {
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

}  // namespace
}  // namespace jostle

// A device without room, one whose calls fail, and one that is told to stop.
#include <gmock/gmock.h>

#include "cuda/device_errors.hpp"
#include "cuda/device_runner.hpp"
#include "tests/cuda/batches.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/support/library_digest.hpp"

namespace jostle {
namespace {

TEST(Device, WithoutRoomASmallerChunkIsTriedFirst) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  constexpr int count = 500, last = 20;
  Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
  run_batch(expected, last);
  HostDevice::Options options;
  options.memory_bytes = 900'000;
  HostDevice device(options);
  DeviceRunner runner(device, ensemble.model(), count);
  EXPECT_TRUE(runner.run(batch, last));
  EXPECT_LT(runner.chunk(), count);
  EXPECT_EQ(digests(batch), digests(expected));
}

// What the driver takes at the first launch is not there for systems.
TEST(Device, TheChunkLeavesRoomForLocalMemory) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  constexpr int count = 6000, last = 2;
  const auto chunk_with = [&](std::size_t launch_bytes) {
    HostDevice::Options options;
    options.memory_bytes = 12'000'000;
    options.launch_bytes = launch_bytes;
    HostDevice device(options);
    Batch batch = loaded(ensemble, count);
    DeviceRunner runner(device, ensemble.model());
    EXPECT_TRUE(runner.run(batch, last));
    return runner.chunk();
  };
  const int without = chunk_with(0), with = chunk_with(8'000'000);
  EXPECT_GT(without, 2000);
  EXPECT_NEAR(with, without / 3.0, 2) << "a third of the memory is left";
}

TEST(Device, ALaunchWithoutRoomIsTriedWithASmallerChunk) {
  class Device : public HostDevice {
   public:
    using HostDevice::HostDevice;
    std::size_t launch_bytes(const TeamPlace&) const override { return 0; }  // it does not say what it will take
  };
  const Ensemble ensemble(read_scenario(library_file("rod")));
  constexpr int count = 2000, last = 2;
  HostDevice::Options options;
  options.memory_bytes = 3'000'000;
  options.launch_bytes = 2'000'000;
  Device device(options);
  Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
  run_batch(expected, last);
  DeviceRunner runner(device, ensemble.model(), count);
  EXPECT_TRUE(runner.run(batch, last));
  EXPECT_LT(runner.chunk(), count);
  EXPECT_EQ(digests(batch), digests(expected));
}

// Trajectories count: those of all systems, or of a few that stand together.
TEST(Device, TheChunkLeavesRoomForTrajectories) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  constexpr int count = 3000, last = 2;
  HostDevice::Options options;
  options.memory_bytes = 60'000'000;
  const auto chunk_with = [&](int recorded) {
    HostDevice device(options);
    Batch batch = loaded(ensemble, count);
    std::vector<double> memory(1'000'000);
    const TrajectoryView trajectory{memory.data(), memory.data() + 500'000, 1};
    for (int i = 0; i < recorded; ++i) batch.record(i, trajectory);
    DeviceRunner runner(device, ensemble.model());
    EXPECT_TRUE(runner.run(batch, last));
    EXPECT_EQ(batch.state(count - 1).steps(), last);
    return runner.chunk();
  };
  const std::size_t each = DeviceBatch::bytes_per_system(ensemble.model());
  const std::size_t record = DeviceBatch::record_bytes(ensemble.model(), 1);
  EXPECT_GT(record, 10 * each);
  const int none = chunk_with(0), some = chunk_with(4), all = chunk_with(count);
  EXPECT_NEAR(none - some, 4.0 * static_cast<double>(record) / static_cast<double>(each), 2);
  EXPECT_LE(static_cast<std::size_t>(all) * (each + record), options.memory_bytes / 4);
  EXPECT_GE(all, 32);
}

TEST(Device, WithoutRoomForAWarpOfSystemsItSaysSo) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  Batch batch = loaded(ensemble, 100);
  HostDevice::Options options;
  options.memory_bytes = 20'000;
  HostDevice device(options);
  DeviceRunner runner(device, ensemble.model(), 100);
  EXPECT_THROW(runner.run(batch, 10), DeviceOutOfMemory);
  EXPECT_EQ(batch.status(0), Status::not_run) << "nothing has happened";
  EXPECT_EQ(device.used_bytes(), 0u);
}

TEST(Device, AFailureIsToldAndLeavesTheBatchAsItWas) {
  const Ensemble ensemble(read_scenario(library_file("sliding_block")));
  DeviceOptions too_small;  // for the four contacts of its first step
  too_small.first_contacts = 1;
  // The first sort and clear are of a new batch, the last ones of a launch; the first download tells whether systems
  // have overflowed their placement, the last brings the states.
  for (const auto& [call, number] : {std::pair{"allocate", 1},
                                     {"upload", 1},
                                     {"clear", 1},
                                     {"clear", 6},
                                     {"simulate", 1},
                                     {"simulate", 2},
                                     {"sort_systems", 1},
                                     {"sort_systems", 3},
                                     {"download", 1},
                                     {"download", 4}}) {
    SCOPED_TRACE(std::string(call) + " " + std::to_string(number));
    HostDevice device;
    Batch batch = loaded(ensemble, 30);
    DeviceRunner runner(device, ensemble.model(), 10, too_small);
    device.fail_at(call, number);
    try {
      runner.run(batch, 10);
      ADD_FAILURE() << call << " did not fail";
    } catch (const DeviceFailure& failure) {
      EXPECT_THAT(failure.what(), testing::HasSubstr(call));
    }
    EXPECT_EQ(batch.status(0), Status::not_run) << call;
    EXPECT_TRUE(runner.run(batch, 10)) << "and the next call goes on";
    EXPECT_EQ(batch.state(29).steps(), 10);
  }
}

TEST(Device, AStoppedRunLeavesWholeChunks) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  for (const test::NamedDevice& named : test::fast_devices()) {
    SCOPED_TRACE(named.name);
    Batch batch = loaded(ensemble, 30);
    DeviceRunner runner(*named.device, ensemble.model(), 10);
    std::atomic<bool> stop = true;
    EXPECT_FALSE(runner.run(batch, 10, &stop));
    for (int i = 0; i < 30; ++i) EXPECT_EQ(batch.status(i), Status::not_run);
    stop = false;
    EXPECT_TRUE(runner.run(batch, 10, &stop));
  }
}

/// Lets a call fail, once.
struct FailingCall : CudaErrors {
  int error_of(const std::string& name, int error) override {
    constexpr int launch_failure = 719;
    if (name != call) return error;
    call.clear();
    return launch_failure;
  }

  std::string call;
};

// The same on a GPU, by the names that its calls go by: what the first placement of the model runs.
TEST(Gpu, AFailureNamesCallKernelAndDevice) {
  FailingCall failing;
  const std::unique_ptr<Device> gpu = test::gpu(&failing);
  if (!gpu) GTEST_SKIP() << "there is no GPU";
  const Ensemble ensemble(read_scenario(library_file("rod")));
  const TeamPlace place = placements_for(ensemble.model(), gpu->limits()).front().place;
  const std::string kernel = std::string("simulate_kernel<") + team_kinds[place.kind].name + ">";
  for (const std::string& call : {"cudaLaunchKernel for " + kernel, std::string("cudaStreamSynchronize")}) {
    Batch expected = loaded(ensemble, 30), batch = loaded(ensemble, 30);
    run_batch(expected, 5);
    DeviceRunner runner(*gpu, ensemble.model(), 10);
    runner.run(batch, 5);
    failing.call = call;
    try {
      runner.run(batch, 10);
      ADD_FAILURE() << call << " did not fail";
    } catch (const DeviceFailure& failure) {
      EXPECT_THAT(failure.what(), testing::StartsWith(gpu->name() + ": " + call + " failed with CUDA error 719: "));
      EXPECT_THAT(failure.what(), testing::EndsWith("; the last kernel was " + kernel));
    }
    EXPECT_EQ(digests(batch), digests(expected)) << call;
    run_batch(expected, 10);
    EXPECT_TRUE(runner.run(batch, 10)) << "and the next call goes on";
    EXPECT_EQ(digests(batch), digests(expected));
  }
}

}  // namespace
}  // namespace jostle

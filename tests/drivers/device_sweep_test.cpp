// Sweeps on a device: the files are those of the CPU, and a device that fails loses nothing that was written.
#include <gmock/gmock.h>

#include "cuda/device_errors.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "emulation/host_device.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

constexpr int shards = 2, swept_samples = 20'000;

const std::string swept_ball = R"yaml(jostle: 1
variables: {speed: {uniform: [0, 3]}}
world: {step: 0.01, duration: 0.1}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.12], velocity: [$speed, 0, 0]}
contacts: [{between: any, friction: 0.5}]
outcomes: {way: {at_end: ball.position.x}}
record: {trajectories: 3}
)yaml";

class DeviceSweep : public testing::Test {
 protected:
  /// Into a folder of the scratch folder.
  void sweep(const std::string& name, const Backend& backend) {
    SimulationProducer producer(ensemble_, description_, backend, swept_samples);
    SweepOptions options;
    options.folder = folder_ / name;
    options.n = swept_samples;
    run_sweep(description_, producer, options);
  }

  std::string shard(const std::string& name, int index) const {
    return read_text_file(folder_ / name / ("shards/shard-0000" + std::to_string(index) + ".h5"));
  }

  const test::ScratchFolder folder_;
  const Ensemble ensemble_{parse_scenario(swept_ball, "ball.yaml")};
  const DatasetDescription description_ = describe(ensemble_);
};

TEST_F(DeviceSweep, WritesTheBytesOfTheCpu) {
  sweep("cpu", threads_backend(2, 0));
  HostDevice device;
  sweep("whole", device_backend(device, ensemble_.model()));
  sweep("chunks", device_backend(device, ensemble_.model(), 1'000));
  for (int i = 0; i < shards; ++i) {
    EXPECT_TRUE(shard("whole", i) == shard("cpu", i)) << i;
    EXPECT_TRUE(shard("chunks", i) == shard("cpu", i)) << i;
  }
}

TEST_F(DeviceSweep, ThatFailsKeepsItsShardsAndGoesOn) {
  HostDevice device;
  const Backend backend = device_backend(device, ensemble_.model());
  device.fail_at("simulate", 2);
  EXPECT_THROW(sweep("device", backend), DeviceFailure);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "device/shards/shard-00000.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "device/shards/shard-00001.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "device/run.h5"));
  const auto written = std::filesystem::last_write_time(folder_ / "device/shards/shard-00000.h5");
  sweep("device", backend);
  EXPECT_EQ(std::filesystem::last_write_time(folder_ / "device/shards/shard-00000.h5"), written)
      << "the first shard is not made again";
  sweep("cpu", threads_backend(2, 0));
  for (int i = 0; i < shards; ++i) EXPECT_TRUE(shard("device", i) == shard("cpu", i)) << i;
}

/// Has room for one shard, and then, as when somebody else takes the memory, for nothing.
class CrowdedDevice : public HostDevice {
 public:
  void simulate(int queue, const SimulateTask& task) override {
    if (launches() > 0) throw DeviceOutOfMemory("no room");
    HostDevice::simulate(queue, task);
  }
};

TEST_F(DeviceSweep, ThatRunsOutOfMemoryKeepsItsShardsAndGoesOn) {
  CrowdedDevice crowded;
  EXPECT_THROW(sweep("device", device_backend(crowded, ensemble_.model())), DeviceOutOfMemory);
  EXPECT_EQ(crowded.launches(), 1);
  const std::string first = shard("device", 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "device/shards/shard-00001.h5"));
  HostDevice device;
  sweep("device", device_backend(device, ensemble_.model()));
  sweep("cpu", threads_backend(2, 0));
  EXPECT_TRUE(shard("device", 0) == first);
  for (int i = 0; i < shards; ++i) EXPECT_TRUE(shard("device", i) == shard("cpu", i)) << i;
}

TEST_F(DeviceSweep, WithoutRoomSaysSo) {
  HostDevice::Options options;
  options.memory_bytes = 10'000;
  HostDevice device(options);
  try {
    sweep("small", device_backend(device, ensemble_.model()));
    FAIL() << "nothing was thrown";
  } catch (const DeviceOutOfMemory& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no room"));
    EXPECT_EQ(exit_status_of(error), ExitStatus::file);
  }
}

}  // namespace
}  // namespace jostle

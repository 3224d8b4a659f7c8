// Contacts and LCPs that a device records are those of the CPU, bit for bit.
#include <gmock/gmock.h>

#include "cuda/device_errors.hpp"
#include "drivers/datasets/shard_digest.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/simulation.hpp"
#include "emulation/emulated_device.hpp"
#include "tests/support/recorded_samples.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using test::RecordCase;
using test::RecordedSamplesOf;

class DeviceRecord : public testing::TestWithParam<RecordCase> {
 protected:
  std::string digest(const Backend& backend, int batch) const {
    return shard_digest(recorded_.description, recorded_.shard(GetParam().samples, backend, batch));
  }
  const RecordedSamplesOf recorded_{GetParam()};
};

TEST_P(DeviceRecord, HasTheBitsOfTheCpu) {
  const std::string expected = digest(threads_backend(1, 0), 3);
  const Model& model = recorded_.ensemble.model();
  HostDevice device;
  EXPECT_EQ(digest(device_backend(device, model), 4), expected);
  EXPECT_EQ(digest(device_backend(device, model, 1), 3), expected) << "in chunks";
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, DeviceRecord,
    testing::Values(
        RecordCase{"CubeToss", "cube_toss", {"record.lcp.every=1", "record.quantities=[cube.position.z]"}, 6},
        RecordCase{"Stack", "box_stack", {"record.lcp.every=3", "world.duration=0.3"}, 2},
        RecordCase{"Stride", "cube_toss", {"record.stride=7", "record.lcp.every=10"}, 3},
        RecordCase{"QuantitiesAlone", "cube_toss", {"record.contacts=false", "record.quantities=[energy]"}},
        RecordCase{"Joint", "elbow_toss", {"record.lcp.every=1", "world.steps=60"}, 2},
        RecordCase{"Impacts", "cube_toss", {"world.method=anitescu_potra", "record.lcp.every=1"}, 2}),
    [](const auto& test_case) { return test_case.param.name; });

TEST(DeviceRecords, OfTeamsOfLanesHaveTheBitsOfTheCpu) {
  const RecordedSamplesOf recorded({"", "cube_toss", {"record.lcp.every=2", "world.steps=45"}});
  const std::string expected = shard_digest(recorded.description, recorded.shard(2));
  for (const int lanes : {3, 8, 0}) {
    EmulatedDevice device(lanes);
    const ShardData shard = recorded.shard(2, device_backend(device, recorded.ensemble.model()), 2);
    EXPECT_GT(shard.contacts.rows(), 0);
    EXPECT_GT(shard.lcps.rows(), 0);
    EXPECT_EQ(shard_digest(recorded.description, shard), expected) << lanes;
  }
}

/// Has no room at one of its allocations.
class CrowdedOnce : public HostDevice {
 public:
  explicit CrowdedOnce(int at) : left_(at) {}
  std::byte* allocate(std::size_t bytes) override {
    if (--left_ == 0) throw DeviceOutOfMemory("no room");
    return HostDevice::allocate(bytes);
  }
  bool was_crowded() const { return left_ <= 0; }

 private:
  int left_;
};

TEST(DeviceRecords, AreTheSameWhereMemoryRunsOut) {
  constexpr int samples = 70;  // more than the least that a device takes at once
  const RecordedSamplesOf recorded({"", "cube_toss", {"record.lcp.every=4", "world.steps=70"}});
  const std::string expected =
      shard_digest(recorded.description, recorded.shard(samples, threads_backend(2, 0), samples));
  int crowded = 0;
  for (int at = 1; at < 80; at += 6) {
    CrowdedOnce device(at);
    const ShardData shard = recorded.shard(samples, device_backend(device, recorded.ensemble.model()), samples);
    EXPECT_EQ(shard_digest(recorded.description, shard), expected) << at;
    crowded += device.was_crowded();
  }
  EXPECT_GT(crowded, 3);
}

TEST(DeviceRecords, OfASweepAreTheFilesOfTheCpu) {
  const RecordedSamplesOf recorded({"", "cube_toss", {"record.lcp.every=10", "record.dtype=f4"}});
  const test::ScratchFolder folder;
  const auto sweep_to = [&](const std::string& name, const Machine& machine) {
    SweepOptions options;
    options.folder = folder / name;
    options.n = 40;
    sweep(recorded.ensemble, machine, options);
    return read_text_file(folder / name / "shards/shard-00000.h5");
  };
  EXPECT_TRUE(sweep_to("cpu", Machine(2)) == sweep_to("gpu", Machine(std::make_unique<HostDevice>(), 2)));
}

}  // namespace
}  // namespace jostle

// Every scenario of the library, swept in shards with all records: a sweep that is stopped and goes on with other
// threads and batches leaves the bytes of one that is not, and so does any backend that `compare` has.
#include <gtest/gtest.h>

#include "drivers/devices/comparison.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "tests/support/folder_content.hpp"
#include "tests/support/recorded_samples.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

constexpr int library_samples = 10, library_steps = 60;

/// Its first steps, with everything that can be recorded.
std::vector<std::string> short_and_recorded(const std::string& name) {
  const Scenario whole = read_scenario(library_file(name), {});
  char duration[64];
  std::snprintf(duration, sizeof duration, "world.duration=%.17g", library_steps * whole.world.step);
  const std::string length = whole.world.rate > 0 ? "world.steps=" + std::to_string(library_steps) : duration;
  return {length, "record.lcp.every=20", "record.quantities=[energy]"};
}

/// Stops the sweep while it makes its second shard.
class StoppingProducer : public ShardProducer {
 public:
  StoppingProducer(ShardProducer& producer, std::atomic<bool>& stop) : producer_(producer), stop_(stop) {}

  std::optional<ShardData> produce(std::int64_t first, std::int64_t count,
                                   const std::function<void(const ProductionProgress&)>& progress,
                                   const std::atomic<bool>& stop) override {
    stop_ = first > 0;
    return producer_.produce(first, count, progress, stop);
  }

 private:
  ShardProducer& producer_;
  std::atomic<bool>& stop_;
};

class LibrarySweep : public testing::TestWithParam<std::string> {
 protected:
  SweepReport sweep(const std::filesystem::path& folder, const Backend& backend, int batch, bool is_stopped) const {
    std::atomic<bool> stop = false;
    SimulationProducer producer(recorded_.ensemble, description_, backend, batch);
    StoppingProducer stopping(producer, stop);
    SweepOptions options;
    options.folder = folder, options.n = library_samples, options.stop = &stop;
    return run_sweep(description_, is_stopped ? static_cast<ShardProducer&>(stopping) : producer, options);
  }

  const test::RecordedSamplesOf recorded_{{"", GetParam(), short_and_recorded(GetParam())}};
  const DatasetDescription description_ = test::of_small_shards(recorded_.description);
};

TEST_P(LibrarySweep, StoppedAndResumedLeavesTheBytesOfOneThatIsNot) {
  ASSERT_LE(samples_per_shard(description_), 4);
  const test::ScratchFolder folder;
  EXPECT_EQ(sweep(folder / "out", threads_backend(1, 0), 3, true).end, SweepReport::End::interrupted);
  EXPECT_TRUE(std::filesystem::exists(folder / "out/shards/shard-00000.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/run.h5"));
  const SweepReport resumed = sweep(folder / "out", threads_backend(2, 0), 1, false);
  EXPECT_EQ(resumed.end, SweepReport::End::complete);
  EXPECT_GT(resumed.kept, 0);
  EXPECT_LT(resumed.simulated, library_samples);
  EXPECT_EQ(sweep(folder / "once", threads_backend(1, 0), 0, false).simulated, library_samples);
  EXPECT_EQ(test::content_of(folder / "out"), test::content_of(folder / "once"));
}

TEST_P(LibrarySweep, ComparesEqualOnThreadsBatchesAndLanes) {
  for (const Comparison& comparison : compare(recorded_.ensemble, threads_backend(1, 0),
                                              {{threads_backend(2, 3), library_samples}, {lanes_backend(4), 2}}))
    EXPECT_TRUE(comparison.equal()) << comparison.other;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, LibrarySweep, testing::ValuesIn(whole_library()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace jostle

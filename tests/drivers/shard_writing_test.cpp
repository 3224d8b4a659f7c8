// A shard is written while the next one is simulated.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "drivers/datasets/folder_lock.hpp"
#include "drivers/errors.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using test::fake_description;
using test::FakeProducer;
using test::ScratchFolder;

constexpr std::int64_t two_shards = 20'000;

/// Before it makes the second shard, it reports progress until `is_seen()`, for ten seconds at the most.
class WaitingProducer : public ShardProducer {
 public:
  std::optional<ShardData> produce(std::int64_t first, std::int64_t count,
                                   const std::function<void(const ProductionProgress&)>& progress,
                                   const std::atomic<bool>& stop) override {
    if (first == 0) before_first();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (first > 0 && !seen && std::chrono::steady_clock::now() < end) {
      progress({});
      seen = is_seen();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    has_second = first > 0;
    return fake_.produce(first, count, progress, stop);
  }

  std::function<void()> before_first = [] {};
  std::function<bool()> is_seen = [] { return false; };
  bool seen = false, has_second = false;

 private:
  FakeProducer fake_{fake_description()};
};

TEST(ShardWriting, IsDoneAndItsLockFreeBeforeTheNextShardIs) {
  const ScratchFolder folder;
  WaitingProducer producer;
  producer.is_seen = [&] {
    return std::filesystem::exists(folder / "out/shards/shard-00000.h5") &&
           FolderLock(folder / "out").try_shard(0).has_value();
  };
  SweepOptions options;
  options.folder = folder / "out";
  options.n = two_shards;
  EXPECT_EQ(run_sweep(fake_description(), producer, options).end, SweepReport::End::complete);
  EXPECT_TRUE(producer.seen);
}

TEST(ShardWriting, ThatFailsEndsTheSweepBeforeTheNextShardIsSimulated) {
  const ScratchFolder folder;
  WaitingProducer producer;
  producer.before_first = [&] { std::filesystem::create_directory(folder / "out/shards/shard-00000.h5.tmp"); };
  SweepOptions options;
  options.folder = folder / "out";
  options.n = two_shards;
  EXPECT_THROW(run_sweep(fake_description(), producer, options), FileError);
  EXPECT_FALSE(producer.has_second);
}

}  // namespace
}  // namespace jostle

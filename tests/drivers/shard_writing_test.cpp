// All threads write a shard, which is synced while the next one is simulated; one shard's file is the view, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/files/folder_lock.hpp"
#include "drivers/parallel.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/folder_content.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using test::fake_description;
using test::FakeProducer;
using test::ScratchFolder;

constexpr std::int64_t two_shards = 20'000;

/// Before it makes the second shard, it reports progress until `is_seen()`, for at most ten seconds.
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
  producer.before_first = [&] { std::filesystem::create_directory(folder / "out/shards/shard-00000.h5"); };
  SweepOptions options;
  options.folder = folder / "out";
  options.n = two_shards;
  EXPECT_THROW(run_sweep(fake_description(), producer, options), FileError);
  EXPECT_FALSE(producer.has_second);
}

TEST(LinkedFile, KeepsItsContentWhenTheFileIsReplaced) {
  const ScratchFolder folder;
  const auto file = folder / "shard", name = folder / "view";
  write_atomically(file, "one", "shard");
  for (int again = 0; again < 2; ++again) link_file(file, name, "view");
  EXPECT_TRUE(std::filesystem::equivalent(file, name));
  EXPECT_EQ(test::content_of(folder.path()).size(), 2u) << "no temporary file is left";
  write_atomically(file, "two", "shard");
  EXPECT_EQ(read_text_file(name), "one");
  link_file(file, name, "view");
  EXPECT_EQ(read_text_file(name), "two");
}

TEST(LinkedFile, IsACopyOnAnotherFileSystem) {
  const ScratchFolder folder;
  const std::filesystem::path elsewhere = "/dev/shm";
  const auto name = elsewhere / folder.path().filename();
  write_atomically(folder / "shard", "content", "shard");
  std::error_code error;
  std::filesystem::create_hard_link(folder / "shard", name, error);
  if (!std::filesystem::is_directory(elsewhere) || error != std::errc::cross_device_link)
    GTEST_SKIP() << "no second file system";
  link_file(folder / "shard", name, "view");
  EXPECT_EQ(read_text_file(name), "content");
  std::filesystem::remove(name);
}

TEST(ParallelInOrder, TakesByNumberWhatItsThreadHasMade) {
  const ThreadCount threads(4);
  static thread_local int own = -1;
  std::vector<int> taken;
  parallel_in_order(
      100, [](int i) { own = i; },
      [&](int i) {
        EXPECT_EQ(own, i);
        taken.push_back(i);
      });
  std::vector<int> all(100);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(taken, all);
}

TEST(ParallelInOrder, TakesNothingAfterAFailure) {
  const ThreadCount threads(4);
  for (const bool in_make : {true, false}) {
    std::vector<int> taken;
    const auto fail_at_40 = [](int i, bool fails) {
      if (fails && i == 40) throw std::runtime_error("40");
    };
    EXPECT_THROW(
        parallel_in_order(
            100, [&](int i) { fail_at_40(i, in_make); }, [&](int i) { fail_at_40(i, !in_make), taken.push_back(i); }),
        std::runtime_error);
    EXPECT_LE(taken.size(), 40u);
    EXPECT_TRUE(std::ranges::is_sorted(taken));
  }
}

}  // namespace
}  // namespace jostle

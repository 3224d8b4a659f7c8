// Whatever kills a sweep, the same command afterwards gives the bytes of an undisturbed one.
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <chrono>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/errors.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/fault_points.hpp"
#include "tests/support/folder_content.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using test::ChildProcess;
using test::content_of;
using test::ScratchFolder;

/// Three shards, of which the second has the last trajectories.
std::vector<std::string> sweep_command(const std::filesystem::path& out) {
  return {JOSTLE_FAKE_SWEEP, out.string(), "40000", "--record", "failures"};
}

/// The exit status of a sweep into `out`.
int run_sweep_program(const std::filesystem::path& out, std::vector<std::string> variables = {},
                      std::vector<std::string> more = {}) {
  std::vector<std::string> command = sweep_command(out);
  command.insert(command.end(), more.begin(), more.end());
  return ChildProcess(command, std::move(variables)).wait();
}

/// The files of a sweep that nothing disturbs; run once in a process.
const std::map<std::string, std::string>& undisturbed() {
  static const std::map<std::string, std::string> content = [] {
    const ScratchFolder folder;
    EXPECT_EQ(run_sweep_program(folder / "out"), 0);
    return content_of(folder / "out");
  }();
  return content;
}

class Fault : public testing::TestWithParam<std::string> {};

TEST_P(Fault, ThenTheSameCommandGivesTheUndisturbedBytes) {
  const ScratchFolder folder;
  ASSERT_EQ(run_sweep_program(folder / "out", {"JOSTLE_FAULT=" + GetParam()}), -SIGKILL) << "the point was not passed";
  ASSERT_EQ(run_sweep_program(folder / "out"), 0);
  EXPECT_EQ(content_of(folder / "out"), undisturbed());
}

/// Every point at its first passage; the shards' and the record's also later.
std::vector<std::string> all_faults() {
  std::vector<std::string> faults(test::fault_points.begin(), test::fault_points.end());
  for (const char* step : {"half", "written", "synced", "renamed"}) {
    faults.push_back(std::string("shard.") + step + ":3");
    faults.push_back(std::string("run.") + step + ":2");
  }
  // HDF5 writes a shard in some fifty pieces, the view in some twenty: late in the first shard, in the third, in the
  // view.
  faults.insert(faults.end(), {"shard.half:40", "shard.half:120", "view.half:15"});
  return faults;
}

INSTANTIATE_TEST_SUITE_P(AtEveryWriteStep, Fault, testing::ValuesIn(all_faults()), [](const auto& parameter) {
  std::string name = parameter.param;
  for (char& letter : name)
    if (letter == '.' || letter == ':') letter = '_';
  return name;
});

TEST(KilledSweep, AtRandomMomentsGivesTheUndisturbedBytesInTheEnd) {
  const ScratchFolder folder;
  std::mt19937 random(20261121);
  int killed = 0;
  for (int round = 0; round < 12; ++round) {
    ChildProcess child(sweep_command(folder / "out"));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    child.signal(SIGKILL);
    killed += child.wait() == -SIGKILL;
  }
  EXPECT_GT(killed, 0);
  ASSERT_EQ(run_sweep_program(folder / "out"), 0);
  EXPECT_EQ(content_of(folder / "out"), undisturbed());
}

TEST(InterruptedSweep, EndsWithItsStatusAndCanBeResumed) {
  const ScratchFolder folder;
  for (const int signal : {SIGINT, SIGTERM}) {
    std::vector<std::string> command = sweep_command(folder / "out");
    command.insert(command.end(), {"--delay", "2000"});
    ChildProcess child(command);
    // Not before the handler is there, which is before the first file is.
    while (!std::filesystem::exists(folder / "out/shards")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    child.signal(signal);
    EXPECT_EQ(child.wait(), static_cast<int>(ExitStatus::interrupted));
    std::filesystem::remove_all(folder / "out/shards");
  }
  ASSERT_EQ(run_sweep_program(folder / "out"), 0);
  EXPECT_EQ(content_of(folder / "out"), undisturbed());
}

TEST(TwoWriters, InOneFolderShareTheWorkAndDoNoHarm) {
  const ScratchFolder folder;
  std::vector<std::string> command = sweep_command(folder / "out");
  command.insert(command.end(), {"--delay", "30"});
  for (int round = 0; round < 3; ++round) {
    std::filesystem::remove_all(folder / "out");
    ChildProcess one(command), two(command), three(command);
    EXPECT_EQ(one.wait(), 0);
    EXPECT_EQ(two.wait(), 0);
    EXPECT_EQ(three.wait(), 0);
    EXPECT_EQ(content_of(folder / "out"), undisturbed());
  }
}

TEST(TwoWriters, OfPartsRunAtOnceAndTheLastOneWritesTheView) {
  const ScratchFolder folder;
  {
    std::vector<std::string> command = sweep_command(folder / "out");
    command.insert(command.end(), {"--shard", "1/2"});
    ChildProcess one(command);
    command.back() = "2/2";
    ChildProcess two(command);
    EXPECT_EQ(one.wait(), 0);
    EXPECT_EQ(two.wait(), 0);
  }
  EXPECT_EQ(content_of(folder / "out"), undisturbed());
}

TEST(TwoWriters, OneKilledTheOtherFinishesForBoth) {
  const ScratchFolder folder;
  std::vector<std::string> command = sweep_command(folder / "out");
  command.insert(command.end(), {"--delay", "100"});
  ChildProcess one(command), two(command);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  one.signal(SIGKILL);
  EXPECT_EQ(one.wait(), -SIGKILL);
  EXPECT_EQ(two.wait(), 0);
  EXPECT_EQ(content_of(folder / "out"), undisturbed());
}

const DatasetDescription recorded_failures = test::fake_description(RecordSettings::Which::failures);

bool has_temporary_files(const std::filesystem::path& folder) {
  for (const auto& [name, bytes] : content_of(folder))
    if (name.ends_with(".tmp")) return true;
  return false;
}

/// A disk of 4 MB: one shard has 2.6 MB.
TEST(FullDisk, OfATmpfsGivesItsStatusAndLeavesClosedShardsValid) {
  const ScratchFolder folder;
  const auto disk = folder / "disk", out = folder / "disk/out";
  std::filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=4000k") != 0) GTEST_SKIP() << "no right to mount a tmpfs";
  const int status_full = run_sweep_program(out);
  const bool first_is_valid = verify_shard(out / "shards/shard-00000.h5", recorded_failures, 0, 16384);
  const bool temporary = has_temporary_files(out);
  const bool enlarged = ::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=100m") == 0;
  const int status_enlarged = run_sweep_program(out);
  const auto content = content_of(out);
  ::umount2(disk.c_str(), MNT_DETACH);
  EXPECT_EQ(status_full, static_cast<int>(ExitStatus::file));
  EXPECT_TRUE(first_is_valid);
  EXPECT_FALSE(temporary) << "half a file would keep the disk full";
  ASSERT_TRUE(enlarged);
  EXPECT_EQ(status_enlarged, 0);
  EXPECT_EQ(content, undisturbed());
}

TEST(Sweep, OfAMillionSamplesNeedsLittleMemory) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers keep freed memory";
#endif
  const ScratchFolder folder;
  ChildProcess small({JOSTLE_FAKE_SWEEP, (folder / "small").string(), "20000"});
  EXPECT_EQ(small.wait(), 0);
  ChildProcess large({JOSTLE_FAKE_SWEEP, (folder / "large").string(), "1000000"});
  EXPECT_EQ(large.wait(), 0);
  // Statistics keep the numbers of two outcomes: 16 bytes per sample.
  EXPECT_LT(large.peak_memory() - small.peak_memory(), 40'000'000);
  EXPECT_LT(large.peak_memory(), 200'000'000);
}

/// A disk that is full for one file: the largest size a file may have, anywhere in the writing of a shard.
TEST(FullDisk, ForOneFileGivesItsStatusAndLeavesClosedShardsValid) {
  const ScratchFolder folder;
  ASSERT_EQ(run_sweep_program(folder / "out", {}, {"--shard", "3/3"}), 0);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const rlim_t shard = undisturbed().at("shards/shard-00000.h5").size();
  std::vector<rlim_t> sizes = {500'000, shard - 10'000, shard - 1};
#ifndef JOSTLE_SANITIZED  // ThreadSanitizer itself writes more than this into a file when it starts
  sizes.insert(sizes.begin(), 20'000);
#endif
  for (const rlim_t size : sizes) {
    const rlimit small = {size, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &small);
    const int status = run_sweep_program(folder / "out");
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(status, static_cast<int>(ExitStatus::file)) << size;
    EXPECT_FALSE(has_temporary_files(folder / "out")) << size;
    EXPECT_FALSE(std::filesystem::exists(folder / "out/shards/shard-00000.h5")) << size;
  }
  EXPECT_TRUE(verify_shard(folder / "out/shards/shard-00002.h5", recorded_failures, 32768, 40000 - 32768));
  ASSERT_EQ(run_sweep_program(folder / "out"), 0);
  EXPECT_EQ(content_of(folder / "out"), undisturbed());
}

}  // namespace
}  // namespace jostle

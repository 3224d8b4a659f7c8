// Whatever stops the real program, the same command afterwards ends with the files of an undisturbed run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>

#include "drivers/datasets/shard_reader.hpp"
#include "drivers/memory.hpp"
#include "tests/program/program.hpp"
#include "tests/support/fault_points.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using test::Answer;
using test::ChildProcess;
using test::content_of;
using test::ScratchFolder;
using test::sleep_ms;
using testing::HasSubstr;

/// Three shards; about half a second.
std::vector<std::string> command(const std::filesystem::path& out) { return test::sweep_of_rod(out, "40000"); }

class StoppedSweep : public testing::Test {
 protected:
  void expect_the_same_command_gives_the_undisturbed_files() {
    ASSERT_EQ(test::run_program(command(out_)).status, 0);
    ASSERT_EQ(test::run_program(command(folder_ / "undisturbed")).status, 0);
    EXPECT_EQ(content_of(out_), content_of(folder_ / "undisturbed"));
  }

  const ScratchFolder folder_;
  const std::filesystem::path out_ = folder_ / "out";
};

TEST_F(StoppedSweep, BySignalSaysHowToGoOnAndGoesOn) {
  std::signal(SIGHUP, SIG_DFL);  // these tests may run under nohup, which the program respects
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
    std::filesystem::remove_all(out_);
    const std::string err = (folder_ / "err").string();
    ChildProcess child(command(out_), {}, {"/dev/null", err, {}});
    while (!std::filesystem::exists(out_ / "shards")) sleep_ms(1);
    child.signal(signal);
    EXPECT_EQ(child.wait(), 75);
    const std::string text = read_text_file(err);
    const std::size_t begin = text.find("interrupted with ");  // a slow machine has told of its progress before
    ASSERT_NE(begin, std::string::npos) << text;
    const std::string line = text.substr(begin);
    EXPECT_TRUE(test::is_one_line(line)) << line;
    EXPECT_THAT(line,
                testing::AllOf(HasSubstr(" of 40,000 samples"), HasSubstr("; resume with: " JOSTLE_PROGRAM " sweep")));
    // The line it prints is the command to go on with.
    const std::string before = "resume with: ";
    const Answer resumed = test::shell(line.substr(line.find(before) + before.size()));
    EXPECT_EQ(resumed.status, 0) << resumed.err;
  }
  expect_the_same_command_gives_the_undisturbed_files();
}

// A sample of ten million steps takes half a minute.
TEST_F(StoppedSweep, BySignalInALongSampleStopsAtOnce) {
  std::vector<std::string> long_samples = command(out_);
  long_samples.insert(long_samples.end(), {"--set", "world.step=1e-9", "--set", "record.trajectories=0"});
  ChildProcess child(long_samples, {}, {"/dev/null", (folder_ / "err").string(), {}});
  while (!std::filesystem::exists(out_ / "shards")) sleep_ms(1);
  sleep_ms(200);
  const auto begin = std::chrono::steady_clock::now();
  child.signal(SIGTERM);
  EXPECT_EQ(child.wait(), 75);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

// `timeout` and batch systems signal the process and then its group.
TEST_F(StoppedSweep, BySignalsAtTheSameMomentIsStillInterrupted) {
  ChildProcess child(command(out_), {}, {"/dev/null", (folder_ / "err").string(), {}});
  while (!std::filesystem::exists(out_ / "shards")) sleep_ms(1);
  child.signal(SIGTERM);
  child.signal(SIGINT);
  child.signal(SIGTERM);
  EXPECT_EQ(child.wait(), 75);
}

TEST_F(StoppedSweep, BySignalInADryRunHasNothingToGoOnWith) {
  std::vector<std::string> dry_run = command(out_);
  dry_run.emplace_back("--dry-run");
  const std::string err = (folder_ / "err").string();
  for (const int milliseconds : {120, 60, 30, 15, 250}) {  // one of them while it measures
    ChildProcess child(dry_run, {}, {"/dev/null", err, {}});
    sleep_ms(milliseconds);
    child.signal(SIGINT);
    const int status = child.wait();
    if (status == -SIGINT || status == 0) continue;
    EXPECT_EQ(status, 75);
    EXPECT_EQ(read_text_file(err), "interrupted; nothing was written\n");
    return;
  }
  GTEST_SKIP() << "the machine was too slow or too fast for this test";
}

TEST_F(StoppedSweep, ByKillAtRandomMomentsGoesOn) {
  std::mt19937 random(20261121);
  int killed = 0;
  for (int round = 0; round < 6; ++round) {
    ChildProcess child(command(out_));
    sleep_ms(static_cast<int>(random() % 250));
    child.signal(SIGKILL);
    killed += child.wait() == -SIGKILL;
  }
  EXPECT_GT(killed, 0);
  expect_the_same_command_gives_the_undisturbed_files();
}

/// Killed at one write step after the other, each time going on from what the kill before left behind.
TEST_F(StoppedSweep, ByKillAtEveryWriteStepGoesOn) {
  for (const std::string_view point : test::fault_points) {
    const std::string fault = "JOSTLE_FAULT=" + std::string(point);
    std::vector<std::string> words = command(out_);
    words.front() = JOSTLE_WITH_FAULTS;
    EXPECT_EQ(test::run_program(words, {}, {fault}).status, -SIGKILL) << fault;
  }
  expect_the_same_command_gives_the_undisturbed_files();
}

TEST_F(StoppedSweep, TwoWritersInOneFolderDoNoHarm) {
  {
    ChildProcess one(command(out_)), two(command(out_));
    EXPECT_EQ(one.wait(), 0);
    EXPECT_EQ(two.wait(), 0);
  }
  expect_the_same_command_gives_the_undisturbed_files();
}

TEST_F(StoppedSweep, TwoWritersOfDifferentLengthDoNoHarm) {
  std::vector<std::string> shorter = command(out_);
  shorter[4] = "20000";
  {
    ChildProcess one(shorter), two(command(out_));
    EXPECT_EQ(one.wait(), 0);
    EXPECT_EQ(two.wait(), 0);
  }
  expect_the_same_command_gives_the_undisturbed_files();
}

/// Whoever comes first has the folder; the other is told so and changes nothing.
TEST_F(StoppedSweep, TwoWritersOfDifferentDatasetsDoNoHarm) {
  std::vector<std::string> other = command(out_);
  other.insert(other.end(), {"--seed", "8"});
  const std::string one_err = (folder_ / "one.err").string(), two_err = (folder_ / "two.err").string();
  ChildProcess one(command(out_), {}, {"/dev/null", one_err, {}}), two(other, {}, {"/dev/null", two_err, {}});
  const int first = one.wait(), second = two.wait();
  EXPECT_EQ(std::min(first, second), 0);
  EXPECT_EQ(std::max(first, second), 2);
  EXPECT_THAT(read_text_file(first == 0 ? two_err : one_err), HasSubstr("holds another dataset"));
  std::vector<std::string> winner = first == 0 ? command(folder_ / "undisturbed") : other;
  winner[8] = (folder_ / "undisturbed").string();
  ASSERT_EQ(test::run_program(winner).status, 0);
  EXPECT_EQ(content_of(out_), content_of(folder_ / "undisturbed"));
}

/// A disk of 3.6 MB: the first shard has 2.4 MB.
TEST_F(StoppedSweep, ByAFullDiskGivesItsStatusAndLeavesClosedShardsValid) {
  const auto disk = folder_ / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=3600k") != 0) GTEST_SKIP() << "no right to mount a tmpfs";
  // A sweep that cannot fit is refused, so it begins small; what the folder has already counts as room that it has.
  std::vector<std::string> begin = command(disk / "out");
  begin[4] = "1";
  EXPECT_EQ(test::run_program(begin).status, 0);
  std::ofstream(disk / "out/hollow").close();
  std::filesystem::resize_file(disk / "out/hollow", 1u << 30);
  const Answer full = test::run_program(command(disk / "out"));
  std::filesystem::remove(disk / "out/hollow");
  int samples = 0;
  try {
    samples = static_cast<int>(ShardReader(disk / "out/shards/shard-00000.h5").count());
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  const bool enlarged = ::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=100m") == 0;
  const Answer resumed = test::run_program(command(disk / "out"));
  const auto content = content_of(disk / "out");
  ::umount2(disk.c_str(), MNT_DETACH);
  EXPECT_EQ(full.status, 6);
  EXPECT_TRUE(test::is_one_line(full.err)) << full.err;
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  EXPECT_EQ(samples, 16384);
  ASSERT_TRUE(enlarged);
  EXPECT_EQ(resumed.status, 0);
  ASSERT_EQ(test::run_program(command(folder_ / "undisturbed")).status, 0);
  EXPECT_EQ(content, content_of(folder_ / "undisturbed"));
}

TEST_F(StoppedSweep, IntoAFolderThatIsReadOnlySaysSo) {
  const auto disk = folder_ / "disk";
  std::filesystem::create_directories(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1g") != 0) GTEST_SKIP() << "no right to mount a tmpfs";
  std::filesystem::create_directory(disk / "out");
  const bool is_read_only = ::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=1g") == 0;
  const Answer answer = test::run_program(command(disk / "out"));
  ::umount2(disk.c_str(), MNT_DETACH);
  ASSERT_TRUE(is_read_only);
  EXPECT_EQ(answer.status, 6);
  EXPECT_EQ(answer.err, (disk / "out").string() + ": the folder cannot be written to: Read-only file system\n");
}

/// Blocks of a disk that a file takes.
std::uintmax_t blocks(const std::filesystem::path& file) { return (std::filesystem::file_size(file) + 4095) / 4096; }

/// Takes all the space of a disk but that of `free_blocks`, and hands it back at the end.
class Filler {
 public:
  Filler(const std::filesystem::path& disk, std::uintmax_t free_blocks) : file_(disk / "filler") {
    const std::uintmax_t space = std::filesystem::space(disk).available / 4096;
    std::ofstream out(file_, std::ios::binary);
    const std::string block(4096, 'x');
    for (std::uintmax_t i = free_blocks; i < space; ++i) out << block;
  }
  Filler(const Filler&) = delete;
  Filler& operator=(const Filler&) = delete;
  ~Filler() { std::filesystem::remove(file_); }

 private:
  std::filesystem::path file_;
};

/// All shards are there, the disk ends within the view, a summary or the page.
TEST_F(StoppedSweep, ByADiskFullOfShardsGivesItsStatusAndGoesOn) {
  ASSERT_EQ(test::run_program(command(folder_ / "undisturbed")).status, 0);
  const auto undisturbed = content_of(folder_ / "undisturbed");
  const auto disk = folder_ / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=40m") != 0) GTEST_SKIP() << "no right to mount a tmpfs";
  const std::vector<const char*> views = {"run.h5", "summary.csv", "summary.json", "report.html"};
  EXPECT_EQ(test::run_program(command(disk / "out")).status, 0);
  std::uintmax_t space = 0;  // of the views before the one that finds the disk full
  for (const char* view : views) {
    for (const char* file : views) std::filesystem::remove(disk / "out" / file);
    {
      // The log of the job takes a block. scenario.yaml is written again before them: one block, free again once it has
      // its name.
      const Filler filler(disk, 1 + std::max<std::uintmax_t>(space, 1));
      const Answer full = test::run_program(command(disk / "out"));
      EXPECT_EQ(full.status, 6) << view;
      EXPECT_TRUE(test::is_one_line(full.err)) << full.err;
      EXPECT_THAT(full.err, testing::AllOf(HasSubstr(view), HasSubstr("No space left on device")));
      EXPECT_FALSE(std::filesystem::exists(disk / "out" / view)) << "no half file has its name";
      EXPECT_EQ(content_of(disk / "out/shards").size(), 3u);
    }
    space += blocks(folder_ / "undisturbed" / view);
    EXPECT_EQ(test::run_program(command(disk / "out")).status, 0) << view;
    EXPECT_EQ(content_of(disk / "out"), undisturbed) << view;
  }
  ::umount2(disk.c_str(), MNT_DETACH);
}

/// 676 contacts in one LCP need 400 MB.
TEST(NotEnoughMemory, ForALargeProblemOnAnyThreadGivesItsStatusInOneLine) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers reserve more than the limit";
#endif
  const ScratchFolder folder;
  std::string spheres;
  for (int i = 0; i < 26 * 26; ++i)
    spheres += "      - {sphere: {radius: 0.1}, position: [" + std::to_string(i % 26) + ", " + std::to_string(i / 26) +
               ", 0]}\n";
  test::write_file(folder / "plate.yaml",
                   "jostle: 1\nvariables: {mu: {uniform: [0.1, 0.2]}}\nworld: {step: 0.01, duration: 0.01}\nbodies:\n"
                   "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                   "  plate:\n    mass: 1\n    inertia: 1\n    position: [0, 0, 0.1]\n    shapes:\n" +
                       spheres + "contacts: [{between: any, friction: $mu}]\n");
  const std::string limited = "ulimit -v 300000; exec $JOSTLE sweep -n 2 --threads 2 -o ";
  const Answer large = test::shell(limited + "out plate.yaml", folder.path());
  EXPECT_EQ(large.status, 6);
  EXPECT_EQ(large.err, "jostle: not enough memory\n");
  EXPECT_EQ(test::shell(limited + "small " + test::library("rod"), folder.path()).status, 0)
      << "the limit is no excuse";
}

// 201 states of 104 bytes in each of 20 million steps; only the results tell which samples are recorded.
TEST(NotEnoughMemory, ForTheRecordsOfASampleSaysHowMuchTheyNeed) {
  if (memory_of_machine() > 400e9) GTEST_SKIP() << "there is enough";
  const ScratchFolder folder;
  test::write_file(
      folder / "long.yaml",
      "jostle: 1\nworld: {rate: 1e6, steps: 20000000}\nbodies: {part: {copies: 201, mass: 1, inertia: 1}}\n"
      "outcomes: {x: {at_end: mean(part.position.x)}}\nrecord: {trajectories: failures}\n");
  const Answer large = test::jostle({"sweep", "long.yaml", "-n", "1"}, folder.path().string());
  EXPECT_EQ(large.status, 6);
  EXPECT_TRUE(test::is_one_line(large.err)) << large.err;
  EXPECT_THAT(large.err, testing::AllOf(HasSubstr("jostle: not enough memory: the records of a sample need about 4"),
                                        HasSubstr("a larger record.stride")));
}

}  // namespace
}  // namespace jostle

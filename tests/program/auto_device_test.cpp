// `jostle sweep --device auto`: a GPU is used after a check that it passed, which is remembered. The GPUs are those of
// tests/support/mock_gpus.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/program/program.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using test::Answer;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

const auto checks = HasSubstr(": checked in ");
const auto remembers = HasSubstr(": checked before (");
const auto on_gpu = HasSubstr("\nemulated device: ");
const auto on_cpu = HasSubstr("\ncpu: ");
const auto warns = HasSubstr(" is not used: ");
const std::string right = "0", wrong = "1", small = "2", hangs = "3", fails = "4", wrong_in_warp8 = "5";

class AutoDevice : public testing::Test {
 protected:
  /// Ten samples where that GPU is the first one, into the folder `out`. By one thread: several that wait for each
  /// other on a busy machine would use up the time of a check.
  Answer sweep(const std::string& gpu, const Words& more = {}, Words variables = {}) {
    std::filesystem::remove_all(folder_ / "out");
    Words words = {JOSTLE_WITH_MOCK_GPUS, "sweep", test::library("sliding_block"), "-n", "10", "-o", "out", "-v",
                   "--threads",           "1"};
    words.insert(words.end(), more.begin(), more.end());
    variables.insert(variables.end(), {"JOSTLE_MOCK_GPU=" + gpu, "XDG_CACHE_HOME=" + (folder_ / "cache").string()});
    Answer answer = test::run_program(words, folder_.path().string(), variables);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return answer;
  }

  /// Expects that it writes what --device cpu writes, with a warning that names the GPU, what was seen and a command.
  void expect_cpu_after(const std::string& gpu, const std::string& seen, const Words& more = {}, Words variables = {}) {
    const Answer answer = sweep(gpu, more, std::move(variables));
    EXPECT_THAT(answer.err, AllOf(HasSubstr("cuda:" + gpu + " ("), warns, HasSubstr(seen), on_cpu));
    EXPECT_THAT(answer.err, HasSubstr("jostle compare " + test::library("sliding_block")));
    EXPECT_THAT(answer.err, HasSubstr("--device cuda:" + gpu));
    const auto written = test::content_of(folder_ / "out");
    sweep(gpu, {"--device", "cpu"});
    EXPECT_GT(written.size(), 4u);
    EXPECT_TRUE(test::content_of(folder_ / "out") == written);
  }

  std::vector<std::filesystem::path> remembered() const {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::exists(folder_ / "cache"))
      for (const auto& file : std::filesystem::directory_iterator(folder_ / "cache/jostle")) files.push_back(file);
    return files;
  }

  const test::ScratchFolder folder_;
};

TEST_F(AutoDevice, ChecksARightGpuOnceAndUsesIt) {
  EXPECT_THAT(sweep(right).err, AllOf(HasSubstr("64 samples are bit-identical to the CPU's after "), checks, on_gpu));
  ASSERT_EQ(remembered().size(), 1u);
  const auto time = std::filesystem::last_write_time(remembered()[0]);
  EXPECT_THAT(sweep(right).err, AllOf(remembers, Not(checks), Not(warns), on_gpu));
  ASSERT_EQ(remembered().size(), 1u);
  EXPECT_EQ(std::filesystem::last_write_time(remembered()[0]), time);
}

TEST_F(AutoDevice, ChecksAgainWhereStructureDriverOrTeamsAreOthers) {
  sweep(right);
  EXPECT_THAT(sweep(right, {"--set", "world.friction_directions=4"}).err, AllOf(checks, on_gpu));
  EXPECT_THAT(sweep(right, {}, {"JOSTLE_MOCK_DRIVER=2.0"}).err, AllOf(checks, on_gpu));
  EXPECT_THAT(sweep(right, {"--teams", "warp4,warp8"}).err, AllOf(checks, on_gpu));
  EXPECT_EQ(remembered().size(), 4u);
  EXPECT_THAT(sweep(right, {"--teams", "warp8,warp4"}).err, remembers);
}

TEST_F(AutoDevice, ChecksNothingAgainWhereNumbersAreOthers) {
  sweep(right);
  EXPECT_THAT(sweep(right, {"--seed", "7"}).err, remembers);
  EXPECT_THAT(sweep(right, {"--set", "world.gravity=[0, 0, -5]"}).err, remembers);
  EXPECT_EQ(remembered().size(), 1u);
}

TEST_F(AutoDevice, ChecksALongerRunThanTheOneThatWasChecked) {
  EXPECT_THAT(sweep(right, {"--set", "world.duration=0.01"}).err, checks);
  EXPECT_THAT(sweep(right).err, checks);
  EXPECT_THAT(sweep(right, {"--set", "world.duration=0.01"}).err, remembers);
}

TEST_F(AutoDevice, UsesNoGpuThatIsWrong) {
  expect_cpu_after(wrong, ", 1 of 64 samples differ from the CPU's, in velocity");
  expect_cpu_after(wrong_in_warp8, "in velocity", {"--teams", "warp8"});
  EXPECT_THAT(sweep(wrong_in_warp8, {"--teams", "warp4"}).err, on_gpu);
}

TEST_F(AutoDevice, RemembersAWrongGpuUntilTheFileThatItNamesIsDeleted) {
  EXPECT_THAT(sweep(wrong).err, AllOf(checks, warns));
  ASSERT_EQ(remembered().size(), 1u);
  const std::string file = remembered()[0].string();
  EXPECT_THAT(sweep(wrong).err,
              AllOf(remembers, Not(checks), warns, HasSubstr("this is remembered; to check again, delete " + file)));
  std::filesystem::remove(file);
  EXPECT_THAT(sweep(wrong).err, checks);
}

TEST_F(AutoDevice, UsesNoGpuThatHangs) {
  const auto start = std::chrono::steady_clock::now();
  expect_cpu_after(hangs, "no answer within 1 s", {"--teams", "warp8"}, {"JOSTLE_MOCK_CHECK_LIMIT=1000"});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15))
      << "the limit without the variable is 20 s";
  EXPECT_THAT(sweep(hangs, {"--teams", "warp8"}).err, AllOf(remembers, warns, on_cpu));
}

TEST_F(AutoDevice, UsesNoGpuWhoseLaunchesFail) {
  expect_cpu_after(fails, "launch of teams of warp8 failed", {"--teams", "warp8"});
  EXPECT_EQ(remembered().size(), 1u);
}

TEST_F(AutoDevice, UsesNoGpuWithoutRoomAndAsksAgainNextTime) {
  expect_cpu_after(small, "could not be checked and is not used: emulated device: no room");
  EXPECT_TRUE(remembered().empty());
}

TEST_F(AutoDevice, ChecksEachTimeWhereNothingCanBeRemembered) {
  test::write_file(folder_ / "file", "");
  const std::string below_a_file = "XDG_CACHE_HOME=" + (folder_ / "file").string();
  for (const Words& variables : {Words{below_a_file}, Words{"XDG_CACHE_HOME=", "HOME="}})
    for (int i = 0; i < 2; ++i)
      EXPECT_THAT(sweep(right, {}, variables).err, AllOf(checks, on_gpu, HasSubstr("not stored"), Not(warns)));
  EXPECT_THAT(sweep(wrong, {}, {below_a_file}).err, AllOf(checks, warns, Not(HasSubstr("to check again, delete"))));
}

TEST_F(AutoDevice, RemembersInTheHomeFolderWhereThereIsNoOther) {
  const Words home = {"XDG_CACHE_HOME=", "HOME=" + folder_.path().string()};
  EXPECT_THAT(sweep(right, {}, home).err, checks);
  EXPECT_THAT(sweep(right, {}, home).err, HasSubstr((folder_ / ".cache/jostle/device-").string()));
}

TEST_F(AutoDevice, ChecksAgainWhereTheFileIsDamaged) {
  sweep(right);
  ASSERT_EQ(remembered().size(), 1u);
  const std::string file = remembered()[0].string(), whole = read_text_file(file);
  for (const std::string& content : {std::string(), std::string("[]"), whole.substr(0, whole.size() / 2)}) {
    test::write_file(file, content);
    EXPECT_THAT(sweep(right).err, AllOf(checks, on_gpu));
    EXPECT_THAT(sweep(right).err, AllOf(remembers, on_gpu));
  }
}

TEST_F(AutoDevice, GivesTheCheckTheScenarioOfTheSweep) {
  EXPECT_THAT(sweep(right, {"--set", "world.step=0.01", "--set", "world.duration=0.07"}).err,
              HasSubstr("after 7 steps"));
}

TEST_F(AutoDevice, UsesNoGpuForAScenarioThatCannotBeReadTwice) {
  const std::string line =
      "cat '" + test::library("rod") + "' | '" JOSTLE_WITH_MOCK_GPUS "' sweep /dev/stdin -n 2 -o out";
  const Answer answer = test::run_program({"/bin/sh", "-c", line}, folder_.path().string());
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.err, AllOf(warns, HasSubstr("not a file that can be read twice")));
}

TEST_F(AutoDevice, ChecksNoGpuThatIsAskedForByName) {
  EXPECT_THAT(sweep(wrong, {"--device", "cuda:1"}).err, AllOf(Not(checks), Not(warns), on_gpu));
  EXPECT_TRUE(remembered().empty());
}

TEST(CheckDevice, IsNoCommandForUsers) {
  EXPECT_THAT(test::jostle({"--help"}).out, Not(HasSubstr("check-device")));
  EXPECT_THAT(test::jostle({"check-devic"}).err, Not(HasSubstr("did you mean")));
}

}  // namespace
}  // namespace jostle

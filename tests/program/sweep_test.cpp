// `jostle sweep`: what it prints, what it writes, and what it answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "drivers/datasets/shard_reader.hpp"
#include "tests/program/program.hpp"
#include "tests/program/scenarios.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::content_of;
using test::library;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

/// A sweep of the rod, short enough for many samples, with the folder `out` in `place`.
Answer sweep_rod(const ScratchFolder& place, std::vector<std::string> options, const std::string& duration = "0.5") {
  options.insert(options.begin(), {"sweep", library("rod"), "--set", "world.duration=" + duration});
  if (std::find(options.begin(), options.end(), "-o") == options.end()) options.insert(options.end(), {"-o", "out"});
  return test::jostle(std::move(options), place.path().string());
}

TEST(Sweep, EndsWithSpeedTableHistogramsAndPaths) {
  const ScratchFolder folder;
  const Answer answer = sweep_rod(folder, {"-n", "64"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.err, "");
  for (const char* part :
       {"64 systems, 12,800 steps in", "systems/s", "steps/s", "outcome", "95 % interval", "worst case", "rest_x", "|#",
        "hit (s, where reached)", "rate reached", "conservative",
        "out/run.h5        all samples (groups summary, trajectory)", "out/summary.csv", "out/summary.json"})
    EXPECT_THAT(answer.out, HasSubstr(part));
  for (const char* file :
       {"run.json", "scenario.yaml", "shards/shard-00000.h5", "run.h5", "summary.csv", "summary.json"})
    EXPECT_TRUE(std::filesystem::exists(folder / "out" / file)) << file;
}

TEST(Sweep, WithoutRecordsNamesNoGroupOfTrajectories) {
  const ScratchFolder folder;
  const Answer answer = test::jostle({"sweep", library("incline"), "-n", "2", "-o", "out"}, folder.path().string());
  EXPECT_THAT(answer.out, HasSubstr("out/run.h5        all samples (group summary)\n"));
}

TEST(Sweep, NamesTheGroupsOfItsRecords) {
  const ScratchFolder folder;
  const Answer answer =
      test::jostle({"sweep", library("incline"), "-n", "2", "-o", "out", "--set", "record.trajectories=1", "--set",
                    "record.contacts=true", "--set", "record.quantities=['box.position.x']"},
                   folder.path().string());
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("all samples (groups summary, trajectory, step, contact, param)\n"));
}

TEST(Sweep, WritesBesideWhereItIsStartedUnlessToldOtherwise) {
  const ScratchFolder folder;
  ASSERT_EQ(test::jostle({"sweep", library("rod"), "-n", "2"}, folder.path().string()).status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "rod.out/run.h5"));
}

TEST(Sweep, AsJsonPrintsTheSummaryFile) {
  const ScratchFolder folder;
  const Answer answer = sweep_rod(folder, {"-n", "64", "--json"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.out, read_text_file(folder / "out/summary.json"));
  const json summary = json::parse(answer.out);
  EXPECT_EQ(summary.at("samples"), 64);
  EXPECT_EQ(summary.at("statuses").at("ok"), 64);
  EXPECT_EQ(summary.at("outcomes").at("hit").at("rate"), 1.0);
}

TEST(Sweep, ResumesExtendsAndReportsLess) {
  const ScratchFolder folder;
  ASSERT_EQ(sweep_rod(folder, {"-n", "60", "-o", "whole"}).status, 0);
  ASSERT_EQ(sweep_rod(folder, {"-n", "40"}).status, 0);
  const Answer again = sweep_rod(folder, {"-n", "40"});
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("all 40 samples were there already"));

  const Answer extended = sweep_rod(folder, {"-n", "60"});
  EXPECT_EQ(extended.status, 0);
  EXPECT_EQ(content_of(folder / "out"), content_of(folder / "whole"));

  const Answer less = sweep_rod(folder, {"-n", "40", "--json"});
  EXPECT_EQ(less.status, 0);
  EXPECT_EQ(json::parse(less.out).at("samples"), 40);
  const std::string shard = "shards/shard-00000.h5";
  EXPECT_EQ(content_of(folder / "out").at(shard), content_of(folder / "whole").at(shard)) << "nothing is deleted";
}

TEST(Sweep, OfAnotherDatasetInTheFolderShowsTheDifferenceAndChangesNothing) {
  const ScratchFolder folder;
  ASSERT_EQ(sweep_rod(folder, {"-n", "8"}).status, 0);
  const auto before = content_of(folder / "out");
  const Answer seed = sweep_rod(folder, {"-n", "8", "--seed", "8"});
  EXPECT_EQ(seed.status, 2);
  EXPECT_THAT(seed.err, HasSubstr("seed: 7 in the folder, 8 now"));
  const Answer step = sweep_rod(folder, {"-n", "8", "--set", "world.step=0.00125"});
  EXPECT_EQ(step.status, 2);
  EXPECT_THAT(step.err, testing::AllOf(HasSubstr("step: 0.0025"), HasSubstr("step: 0.00125")));
  EXPECT_EQ(content_of(folder / "out"), before);
}

TEST(Sweep, IntoAForeignFolderIsRefused) {
  const ScratchFolder folder;
  write_file(folder / "mine.txt", "precious");
  const Answer answer = sweep_rod(folder, {"-n", "8", "-o", "."});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("is not empty and holds no dataset (it has 'mine.txt')"));
  EXPECT_EQ(content_of(folder.path()).size(), 1u);
}

TEST(Sweep, WhoseFolderCannotBeMadeIsAFileError) {
  const ScratchFolder folder;
  write_file(folder / "file", "");
  EXPECT_EQ(sweep_rod(folder, {"-n", "8", "-o", "file/out"}).status, 6);
  EXPECT_EQ(sweep_rod(folder, {"-n", "8", "-o", "/proc/nowhere/out"}).status, 6);
  EXPECT_EQ(sweep_rod(folder, {"-n", "8", "-o", "file"}).status, 2) << "a file is no folder";
}

TEST(DryRun, ChecksDrawsAndMeasuresButWritesNothing) {
  const ScratchFolder folder;
  const Answer answer = sweep_rod(folder, {"-n", "40000", "--dry-run"});
  EXPECT_EQ(answer.status, 0);
  for (const char* part : {"40,000 samples of 200 steps in 3 shards", "sample 0: mu = ", "sample 2: mu = ",
                           "time: about", "memory: about", "disk: about", "nothing was written"})
    EXPECT_THAT(answer.out, HasSubstr(part));
  const json plan = json::parse(sweep_rod(folder, {"-n", "40000", "--dry-run", "--json", "--shard", "3/3"}).out);
  EXPECT_EQ(plan.at("samples"), 40000 - 2 * 16384);
  EXPECT_EQ(plan.at("draws").size(), 3u);
  EXPECT_GT(plan.at("seconds").get<double>(), 0);
  EXPECT_GT(plan.at("memory_bytes").get<double>(), 0);
  EXPECT_GT(plan.at("disk_bytes").get<double>(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  write_file(folder / "mine.txt", "precious");
  EXPECT_EQ(sweep_rod(folder, {"-n", "8", "-o", ".", "--dry-run"}).status, 2) << "the folder is checked, too";
}

constexpr const char* dropped_ball = R"yaml(jostle: 1
world: {step: 0.01, duration: 0.1}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1]}
contacts: [{between: any, friction: 0.5}]
)yaml";

TEST(DryRun, ShowsWhatBecomesOfTheDrawsAndExitsAsTheSweep) {
  const ScratchFolder folder;
  write_file(folder / "ball.yaml", dropped_ball);
  const auto sweep = [&](const std::vector<std::string>& options) {
    std::vector<std::string> words = {"sweep", "ball.yaml", "-n",
                                      "64",    "--set",     "bodies.ball.position=[0, 0, {uniform: [-1, 1]}]"};
    words.insert(words.end(), options.begin(), options.end());
    return test::jostle(words, folder.path().string());
  };
  const Answer answer = sweep({"--dry-run"});
  EXPECT_EQ(answer.status, 3);
  EXPECT_THAT(answer.out, HasSubstr("; overlap: "));
  EXPECT_THAT(answer.out, HasSubstr(" of the first 64 samples\n"));
  EXPECT_THAT(answer.err, HasSubstr("of 64 samples are invalid, more than --max-invalid 0"));
  EXPECT_EQ(sweep({"--dry-run", "--max-invalid", "90%"}).status, 0);
  const json plan = json::parse(sweep({"--dry-run", "--json"}).out);
  EXPECT_THAT(plan.at("draw_statuses").get<std::vector<std::string>>(), testing::Contains("overlap"));
  EXPECT_EQ(plan.at("tried"), 64);
  const Answer swept = sweep({"-o", "out", "--json"});
  EXPECT_EQ(swept.status, 3);
  EXPECT_EQ(plan.at("invalid"), json::parse(swept.out).at("statuses").at("overlap"));
}

TEST(Sweep, ThatTakesMoreThanThereIsEndsBeforeItBegins) {
  const ScratchFolder folder;
  const std::vector<std::string> huge = {"-n", "1e10", "--set", "record={trajectories: all}"};
  const Answer answer = sweep_rod(folder, huge);
  EXPECT_EQ(answer.status, 6);
  EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("out: the sweep needs about "));
  EXPECT_THAT(answer.err, HasSubstr(" are free; try fewer samples"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::vector<std::string> dry = huge;
  dry.emplace_back("--dry-run");
  const Answer plan = sweep_rod(folder, dry);
  EXPECT_EQ(plan.status, 6);
  EXPECT_THAT(plan.out, HasSubstr("disk: about"));
  EXPECT_THAT(plan.err, HasSubstr("are free; try"));
}

// Without `sample` in the file, and with nothing drawn.
TEST(Sweep, OfAFileThatSaysNothingOfSamplesCanBeExtended) {
  const ScratchFolder folder;
  write_file(folder / "ball.yaml", dropped_ball);
  const auto sweep = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"sweep", "ball.yaml", "-o", "out"});
    return test::jostle(words, folder.path().string());
  };
  const Answer one = sweep({});
  EXPECT_EQ(one.status, 0);
  EXPECT_EQ(one.err, "");
  const Answer three = sweep({"-n", "3"});
  EXPECT_EQ(three.status, 0) << three.err;
  EXPECT_EQ(three.err, "ball.yaml: warning: no parameter is random, so all 3 samples are equal\n");
  const std::string summary = read_text_file(folder / "out/summary.csv");
  EXPECT_EQ(std::count(summary.begin(), summary.end(), '\n'), 1 + 3);
}

// Ten million steps take half a minute.
TEST(DryRun, OfVeryLongSamplesIsQuick) {
  const ScratchFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  const Answer answer = sweep_rod(folder, {"-n", "8", "--set", "world.step=1e-7", "--dry-run", "--json"}, "1.0");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  const json plan = json::parse(answer.out);
  EXPECT_EQ(plan.at("steps"), 10'000'000);
  EXPECT_GT(plan.at("seconds").get<double>(), 10);
}

// The plan is about right: within a factor of two of the files of the sweep.
TEST(DryRun, ForeseesTheDisk) {
  const ScratchFolder folder;
  const json plan = json::parse(sweep_rod(folder, {"-n", "4000", "--dry-run", "--json"}, "0.05").out);
  ASSERT_EQ(sweep_rod(folder, {"-n", "4000"}, "0.05").status, 0);
  double bytes = 0;
  for (const auto& [name, content] : content_of(folder / "out")) bytes += static_cast<double>(content.size());
  EXPECT_LT(plan.at("disk_bytes").get<double>(), 2 * bytes);
  EXPECT_GT(plan.at("disk_bytes").get<double>(), bytes / 2);
}

TEST(Verbose, SaysOnStderrWhatIsDone) {
  const ScratchFolder folder;
  const Answer answer = sweep_rod(folder, {"-n", "8", "-v"});
  EXPECT_THAT(answer.err, testing::AllOf(HasSubstr("200 steps; 8 samples by sobol, seed 7, into out"),
                                         HasSubstr("shards/shard-00000.h5: written after")));
  EXPECT_THAT(sweep_rod(folder, {"-n", "8", "-v"}).err, HasSubstr("shards/shard-00000.h5: is there"));
}

TEST(FailIf, GivesItsStatusAfterEverythingIsWritten) {
  const ScratchFolder folder;
  const Answer fails = sweep_rod(folder, {"-n", "32", "--fail-if", "hit.lower < 0.99"});
  EXPECT_EQ(fails.status, 4);
  EXPECT_EQ(fails.err, "--fail-if 'hit.lower < 0.99' holds\n");
  EXPECT_THAT(fails.out, HasSubstr("out/summary.json"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/run.h5"));
  EXPECT_EQ(sweep_rod(folder, {"-n", "32", "--fail-if", "hit < 0.99"}).status, 0);
}

/// A sweep of 40 samples of which about half are invalid, into a folder whose name a shell would take apart.
class InvalidSamples : public testing::Test {
 protected:
  Answer sweep(std::vector<std::string> options = {}) {
    write_file(folder_ / "kicked.yaml", test::kicked_ball);
    options.insert(options.begin(), {"sweep", "kicked.yaml", "-n", "40", "-o", "it's out"});
    return test::jostle(std::move(options), folder_.path().string());
  }
  const ScratchFolder folder_;
};

TEST_F(InvalidSamples, GiveTheirStatusAfterEverythingIsWrittenUnlessAllowed) {
  const Answer answer = sweep();
  EXPECT_EQ(answer.status, 3);
  EXPECT_THAT(answer.err, HasSubstr("of 40 samples are invalid, more than --max-invalid 0"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "it's out/run.h5"));
  EXPECT_EQ(sweep({"--max-invalid", "40"}).status, 0);
  EXPECT_EQ(sweep({"--max-invalid", "75%"}).status, 0);
  EXPECT_EQ(sweep({"--max-invalid", "10%"}).status, 3);
  EXPECT_EQ(sweep({"--max-invalid", "75%", "--fail-if", "high.lower >= 0"}).status, 4);
}

TEST_F(InvalidSamples, AreReplayedByTheCommandThatIsPrinted) {
  const std::string report = sweep().out;
  const std::string before = "(replay: ";
  const std::size_t begin = report.find(before) + before.size();
  ASSERT_NE(report.find("invalid: not_finite " + before), std::string::npos) << report;
  const std::string command = report.substr(begin, report.find(")\n", begin) - begin);
  const Answer replay = test::shell(command, folder_.path().string());
  EXPECT_EQ(replay.status, 3) << command << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("status: not_finite after"));
}

TEST_F(InvalidSamples, HaveTheirTrajectoriesRecordedUpToTheLastGoodStep) {
  sweep();
  const ShardReader shard(folder_ / "it's out/shards/shard-00000.h5");
  const auto status = shard.status();
  std::vector<std::int64_t> failed;
  for (std::size_t i = 0; i < status.size(); ++i)
    if (status[i] != 0) failed.push_back(static_cast<std::int64_t>(i));
  EXPECT_EQ(shard.recorded_samples(), failed);
  EXPECT_GT(failed.size(), 10u);
}

// Shards that a process wrote with one number of threads, or as one of two parts, are the bytes of any other.
TEST(EqualFiles, ForAnyNumberOfThreads) {
  const ScratchFolder folder;
  ASSERT_EQ(sweep_rod(folder, {"-n", "300", "--threads", "1", "-o", "one"}).status, 0);
  ASSERT_EQ(sweep_rod(folder, {"-n", "300", "--threads", "2", "-o", "two"}).status, 0);
  EXPECT_EQ(content_of(folder / "one"), content_of(folder / "two"));
}

TEST(EqualFiles, ForAnySplitIntoParts) {
  const ScratchFolder folder;
  ASSERT_EQ(sweep_rod(folder, {"-n", "40000", "-o", "whole"}, "0.01").status, 0);
  const Answer first = sweep_rod(folder, {"-n", "40000", "--shard", "1/2"}, "0.01");
  EXPECT_EQ(first.status, 0);
  EXPECT_THAT(first.out, HasSubstr("run.h5 and the summaries follow with the last part"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/run.h5"));
  EXPECT_EQ(sweep_rod(folder, {"-n", "40000", "--shard", "2/2"}, "0.01").status, 0);
  EXPECT_EQ(content_of(folder / "out"), content_of(folder / "whole"));
}

TEST(Sweep, OfAPartWithoutShardsSaysSo) {
  const ScratchFolder folder;
  const Answer answer = sweep_rod(folder, {"-n", "8", "--shard", "2/2"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.out, "no shards for this part: the sweep has fewer shards than parts\n");
}

TEST(EqualFiles, WithTrajectoriesOfAllForAnyNumberOfThreads) {
  const ScratchFolder folder;
  const std::vector<std::string> record = {"-n", "50", "--set", "record.trajectories=all"};
  for (const char* threads : {"1", "2"}) {
    auto options = record;
    options.insert(options.end(), {"--threads", threads, "-o", threads});
    ASSERT_EQ(sweep_rod(folder, options).status, 0);
  }
  EXPECT_EQ(content_of(folder / "1"), content_of(folder / "2"));
  EXPECT_EQ(ShardReader(folder / "1/shards/shard-00000.h5").recorded_samples().size(), 50u);
}

// Of one step each, for what memory holds does not depend on the steps.
TEST(Sweep, OfAMillionRodsNeedsLittleMemory) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers keep freed memory";
#endif
  const ScratchFolder folder;
  const Answer answer = sweep_rod(folder, {"-n", "1000000"}, "0.0025");
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.out, HasSubstr("1,000,000 systems, 1,000,000 steps"));
  EXPECT_LT(answer.peak_memory, 200'000'000);
}

// A shard of 87 MB lies in memory once.
TEST(Sweep, WithLongTrajectoriesNeedsTheMemoryOfItsPlan) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers keep freed memory";
#endif
  const ScratchFolder folder;
  std::vector<std::string> options = {"-n", "4096", "--set", "record={trajectories: all, stride: 1}"};
  const Answer answer = sweep_rod(folder, options, "0.25");
  EXPECT_EQ(answer.status, 0);
  options.insert(options.end(), {"--dry-run", "--json"});
  const auto planned = json::parse(sweep_rod(folder, options, "0.25").out).at("memory_bytes").get<double>();
  EXPECT_LT(answer.peak_memory, planned);
  EXPECT_GT(answer.peak_memory, planned / 2);
}

}  // namespace
}  // namespace jostle

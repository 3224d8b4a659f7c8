// What jobs of a queue do with one folder: shares, status, merge, scratch disks, file systems without locks, early
// ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "tests/program/program.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::ChildProcess;
using test::content_of;
using test::ScratchFolder;
using test::sleep_ms;
using testing::HasSubstr;

/// Five shards; less than a second.
std::vector<std::string> rod_in_shares(const std::filesystem::path& out, const std::vector<std::string>& more = {}) {
  return test::sweep_of_rod(out, "70000", more);
}

class Clusters : public testing::Test {
 protected:
  Answer sweep(const std::vector<std::string>& more = {}, std::vector<std::string> variables = {}) {
    return test::run_program(rod_in_shares(out_, more), {}, std::move(variables));
  }
  const std::map<std::string, std::string>& undisturbed() {
    static const std::map<std::string, std::string> content = [] {
      const ScratchFolder folder;
      EXPECT_EQ(test::run_program(rod_in_shares(folder / "out")).status, 0);
      return content_of(folder / "out");
    }();
    return content;
  }
  json status() { return json::parse(test::jostle({"status", out_.string(), "--json"}).out); }
  Answer merge() { return test::jostle({"merge", out_.string()}); }

  const ScratchFolder folder_;
  const std::filesystem::path out_ = folder_ / "out";
};

TEST_F(Clusters, AutomaticSharesMakeTheBytesOfOneProcess) {
  for (const char* id : {"2", "0", "1"}) {
    const Answer answer =
        sweep({"--shard", "auto"}, {std::string("AWS_BATCH_JOB_ARRAY_INDEX=") + id, "AWS_BATCH_JOB_ARRAY_SIZE=3"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(answer.err, std::string("--shard ") + std::to_string(std::stoi(id) + 1) +
                              "/3, from AWS_BATCH_JOB_ARRAY_INDEX=" + id + "\n");
  }
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, AJobWithoutShardsHasNothingToJudge) {
  const Answer idle = sweep({"--shard", "7/8", "--fail-if", "lies < 0.5"});
  EXPECT_EQ(idle.status, 0) << idle.err;
  EXPECT_THAT(idle.out, HasSubstr("no shards for this part"));
  EXPECT_EQ(sweep({"--shard", "5/8", "--fail-if", "lies < 0.5"}).status, 4) << "the rods still fall";
}

TEST_F(Clusters, AutomaticSharesThatNobodyKnowsAreRefusedBeforeAnythingIsWritten) {
  EXPECT_EQ(sweep({"--shard", "auto"}).status, 2);
  EXPECT_EQ(sweep({"--shards", "3"}).status, 2);
  EXPECT_EQ(sweep({"--shard", "auto", "--shards", "many"}, {"PBS_ARRAY_INDEX=1"}).status, 2);
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(Clusters, OneToSevenSharesInAnyOrderMakeTheBytesOfOneProcess) {
  std::mt19937 random(20261126);
  for (int parts = 1; parts <= 7; ++parts) {
    std::filesystem::remove_all(out_);
    std::vector<int> order(static_cast<std::size_t>(parts));
    std::iota(order.begin(), order.end(), 1);
    std::ranges::shuffle(order, random);
    for (const int part : order)
      EXPECT_EQ(sweep({"--shard", std::to_string(part) + "/" + std::to_string(parts)}).status, 0);
    EXPECT_EQ(content_of(out_), undisturbed()) << parts;
    EXPECT_FALSE(std::filesystem::exists(out_ / ".jobs"));
  }
}

TEST_F(Clusters, StatusSaysWhatIsThereMissingAndBroken) {
  ASSERT_EQ(sweep({"--shard", "2/5"}).status, 0);
  ASSERT_EQ(sweep({"--shard", "4/5"}).status, 0);
  json now = status();
  EXPECT_EQ(now.at("samples"), 70000);
  EXPECT_EQ(now.at("samples_done"), 2 * 16384);
  EXPECT_EQ(now.at("shards"), 5);
  EXPECT_EQ(now.at("missing"), json({0, 2, 4}));
  EXPECT_EQ(now.at("array"), "1-5:2");
  EXPECT_EQ(now.at("complete"), false);
  EXPECT_EQ(now.at("hosts").size(), 1u);
  EXPECT_EQ(now.at("hosts")[0].at("jobs"), 2);
  EXPECT_EQ(now.at("hosts")[0].at("at_work"), 0);
  EXPECT_EQ(now.at("hosts")[0].at("shards_made"), 2);
  std::filesystem::resize_file(out_ / "shards/shard-00003.h5", 5000);
  now = status();
  EXPECT_EQ(now.at("broken"), json({3}));
  EXPECT_EQ(now.at("array"), "1,3-5");
  EXPECT_EQ(json::parse(test::jostle({"status", out_.string(), "--json", "--shards", "2"}).out).at("array"), "1-2");
  const Answer text = test::jostle({"status", out_.string()});
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, testing::AllOf(HasSubstr("out: 1 of 5 shards, 16,384 of 70,000 samples (23 %)\n"),
                                       HasSubstr("missing: --array=1,3-5 with --shard auto --shards 5\n")));
  ASSERT_EQ(sweep().status, 0);
  now = status();
  EXPECT_EQ(now.at("complete"), true);
  EXPECT_EQ(now.at("merged"), true);
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, StatusOfWhatIsNoDatasetIsRefused) {
  std::filesystem::create_directory(out_);
  EXPECT_EQ(test::jostle({"status", out_.string()}).status, 2);
  EXPECT_EQ(test::jostle({"merge", out_.string()}).status, 2);
}

TEST_F(Clusters, MergeBeforeTheFirstShardSaysWhatIsMissing) {
  ASSERT_EQ(sweep({"--shard", "2/3"}).status, 0);
  for (const char* name : {"run.h5", "summary.csv", "summary.json", "report.html", "shards"})
    std::filesystem::remove_all(out_ / name);
  const Answer none = merge();
  EXPECT_EQ(none.status, 3) << none.err;
  EXPECT_THAT(none.err, HasSubstr("has no samples yet: 5 of 5 shards missing"));
}

TEST_F(Clusters, MergeOfSomeShardsSaysWhatIsMissingAndOfAllGivesTheBytesOfOneProcess) {
  ASSERT_EQ(sweep({"--shard", "2/3"}).status, 0);
  const Answer part = merge();
  EXPECT_EQ(part.status, 3) << part.err;
  EXPECT_EQ(part.err,
            "3 of 5 shards missing, 0 of them broken; to make them: --array=1,3-4 with --shard auto --shards 5\n");
  EXPECT_THAT(part.out, HasSubstr("run.h5        20,848 samples"));
  const auto once = content_of(out_);
  EXPECT_EQ(json::parse(once.at("summary.json")).at("samples"), 16384 + 70000 - 4 * 16384);
  EXPECT_EQ(merge().status, 3);
  EXPECT_EQ(content_of(out_), once) << "the same twice";
  ASSERT_EQ(sweep({"--shard", "1/3"}).status, 0);
  ASSERT_EQ(sweep({"--shard", "3/3"}).status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
  for (const char* name : {"run.h5", "summary.csv", "summary.json", "report.html"})
    std::filesystem::remove(out_ / name);
  EXPECT_EQ(status().at("merged"), true);
  EXPECT_EQ(merge().status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
}

// What is wrong with an invalid sample does not depend on where the scenario lies, and on which command wrote the page.
TEST_F(Clusters, MergeAndAFolderThatIsFinishedGiveTheSameReasons) {
  const std::vector<std::string> negative = {"--set", "bodies.rod.mass=$mu - 0.4", "--max-invalid", "100%"};
  const auto swept = [&](const std::string& out, std::vector<std::string> more) {
    more.insert(more.end(), negative.begin(), negative.end());
    return test::run_program(rod_in_shares(folder_ / out, more)).status;
  };
  ASSERT_EQ(swept("whole", {}), 0);
  ASSERT_EQ(swept("part", {"--shard", "1/2"}), 0);
  ASSERT_EQ(test::jostle({"sweep", "part", "--max-invalid", "100%"}, folder_.path().string()).status, 0);
  const auto whole = content_of(folder_ / "whole");
  EXPECT_THAT(whole.at("report.html"), HasSubstr("\"bodies.rod.mass must be greater than 0, but $mu - 0.4 is -"));
  EXPECT_EQ(content_of(folder_ / "part"), whole);
  for (const char* name : {"summary.json", "report.html"}) std::filesystem::remove(folder_ / "part" / name);
  ASSERT_EQ(test::jostle({"merge", (folder_ / "part").string()}).status, 0);
  EXPECT_EQ(content_of(folder_ / "part"), whole);
}

TEST_F(Clusters, MergeWhileShardsAreComingHarmsNothing) {
  {
    ChildProcess one(rod_in_shares(out_, {"--shard", "1/2", "--threads", "1"}));
    ChildProcess two(rod_in_shares(out_, {"--shard", "2/2", "--threads", "1"}));
    while (!std::filesystem::exists(out_ / "shards")) sleep_ms(1);
    for (int i = 0; i < 10; ++i) {
      const int status = merge().status;
      EXPECT_TRUE(status == 0 || status == 2 || status == 3) << status;  // 2: no shard yet
    }
    EXPECT_EQ(one.wait(), 0);
    EXPECT_EQ(two.wait(), 0);
  }
  EXPECT_EQ(merge().status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, ExtensionInPartsIsMergedAsOneLongSweep) {
  std::vector<std::string> shorter = rod_in_shares(out_);
  shorter[4] = "20000";
  ASSERT_EQ(test::run_program(shorter).status, 0);
  ASSERT_EQ(sweep({"--shard", "2/2"}).status, 0);
  EXPECT_EQ(status().at("samples"), 70000);
  ASSERT_EQ(sweep({"--shard", "1/2"}).status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, AShorterShardCountsUntilItIsMadeAgain) {
  std::vector<std::string> shorter = rod_in_shares(out_);
  shorter[4] = "20000";
  ASSERT_EQ(test::run_program(shorter).status, 0);
  ASSERT_EQ(sweep({"--shard", "3/5"}).status, 0);
  const json now = status();
  EXPECT_EQ(now.at("samples_done"), 16384 + 3616 + 16384);
  EXPECT_EQ(now.at("shards_done"), 2);
  EXPECT_EQ(now.at("shorter"), json({1}));
  EXPECT_TRUE(now.at("broken").empty());
  EXPECT_EQ(now.at("array"), "2,4-5");
  const std::string line = "shorter: shards/shard-00001.h5: 3,616 of 16,384 samples; is made again\n";
  EXPECT_THAT(test::jostle({"status", out_.string()}).out, HasSubstr(line));
  const Answer part = merge();
  EXPECT_EQ(part.status, 3);
  EXPECT_EQ(part.err, line +
                          "3 of 5 shards missing, 0 of them broken, 1 shorter; to make them: --array=2,4-5 with "
                          "--shard auto --shards 5\n");
  EXPECT_EQ(json::parse(content_of(out_).at("summary.json")).at("samples"), 16384 + 3616 + 16384);
  ASSERT_EQ(sweep().status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, AShardThatCannotBeReadIsNoMissingOne) {
  const auto shard = out_ / "shards/shard-00001.h5";
  const std::string name = shard.string();
  const auto expect_error = [&](const std::string& reason) {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"report"}, {"record", "--sample", "20000"}, {"view", "--where", "lies"}, {"diff", out_.string()}}) {
      std::vector<std::string> command = words;
      command.insert(command.begin() + 1, out_.string());
      const Answer answer = test::jostle(command);
      EXPECT_EQ(answer.status, 6) << words[0] << answer.err;
      EXPECT_THAT(answer.err, HasSubstr(name + ": " + reason));
      EXPECT_THAT(answer.err, HasSubstr("; a sweep makes this shard again\n"));
    }
    EXPECT_EQ(status().at("broken"), json({1}));
    EXPECT_THAT(test::jostle({"status", out_.string()}).out, HasSubstr("broken: shards/shard-00001.h5: " + reason));
    const Answer merged = merge();
    EXPECT_EQ(merged.status, 3);
    EXPECT_THAT(merged.err, HasSubstr("broken: shards/shard-00001.h5: " + reason));
    EXPECT_THAT(merged.err, HasSubstr("1 of 5 shards missing, 1 of them broken; to make them: --array=2 "));
  };
  ASSERT_EQ(sweep().status, 0);
  std::filesystem::resize_file(shard, 5000);
  expect_error("is damaged: H5Fopen: ");
  std::filesystem::remove(shard);
  std::filesystem::create_symlink("shard-00001.h5", shard);
  expect_error("cannot be opened: Too many levels of symbolic links");
  ASSERT_EQ(sweep().status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, ScratchFolderChangesNoByteAndIsLeftEmpty) {
  const std::filesystem::path scratch = folder_ / "scratch";
  EXPECT_EQ(sweep({"--scratch", scratch.string()}).status, 6) << "there is no such folder";
  EXPECT_FALSE(std::filesystem::exists(out_));
  std::filesystem::create_directory(scratch);
  EXPECT_EQ(sweep({"--scratch", scratch.string()}).status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
  EXPECT_TRUE(std::filesystem::is_empty(scratch));
}

TEST_F(Clusters, KilledWithAScratchFolderLeavesNothingThere) {
  const std::filesystem::path scratch = folder_ / "scratch";
  std::filesystem::create_directory(scratch);
  for (const char* fault : {"JOSTLE_FAULT=shard.half:10", "JOSTLE_FAULT=shard.written"}) {
    std::vector<std::string> words = rod_in_shares(out_, {"--scratch", scratch.string()});
    words.front() = JOSTLE_WITH_FAULTS;
    EXPECT_EQ(test::run_program(words, {}, {fault}).status, -SIGKILL);
    EXPECT_TRUE(std::filesystem::is_empty(scratch));
  }
  EXPECT_EQ(sweep({"--scratch", scratch.string()}).status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
}

/// Where JOSTLE_TEST_LOCKS says how locks answer.
std::vector<std::string> without_locks(const std::string& answer) {
  return {"LD_PRELOAD=" JOSTLE_OTHER_HOST, "JOSTLE_TEST_LOCKS=" + answer};
}

TEST_F(Clusters, WithoutLocksSharesWorkAndAWholeSweepIsRefused) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers preload a library of their own";
#endif
  for (const char* answer : {"ENOLCK", "ENOTSUP", "ENOSYS"}) {
    std::filesystem::remove_all(out_);
    const Answer whole = sweep({}, without_locks(answer));
    EXPECT_EQ(whole.status, 6);
    EXPECT_TRUE(test::is_one_line(whole.err)) << whole.err;
    EXPECT_THAT(whole.err, HasSubstr("this file system has no locks; use --shard k/n"));
    std::vector<std::unique_ptr<ChildProcess>> jobs;
    for (const char* share : {"1/3", "2/3", "3/3"})
      jobs.push_back(std::make_unique<ChildProcess>(rod_in_shares(out_, {"--shard", share}), without_locks(answer),
                                                    test::ChildPlace{"/dev/null", (folder_ / "err").string(), {}}));
    for (const auto& job : jobs) EXPECT_EQ(job->wait(), 0) << answer;
    EXPECT_THAT(read_text_file(folder_ / "err"), HasSubstr("this file system has no locks; none is needed"));
    EXPECT_EQ(test::run_program({JOSTLE_PROGRAM, "merge", out_.string()}, {}, without_locks(answer)).status, 0);
    EXPECT_EQ(content_of(out_), undisturbed()) << answer;
    const Answer record =
        test::run_program({JOSTLE_PROGRAM, "record", out_.string(), "--sample", "40000"}, {}, without_locks(answer));
    EXPECT_EQ(record.status, 6);
    EXPECT_THAT(record.err, HasSubstr("to add trajectories, copy the folder to one that has locks"));
  }
}

// A report of what is there warns on stderr, and writes JSON to stdout.
TEST_F(Clusters, ReportsOfAPartWarnOnStderr) {
  ASSERT_EQ(sweep({"--shard", "1/2"}).status, 0);
  const Answer answer = test::jostle({"report", out_.string(), "--json"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_TRUE(json::accept(answer.out)) << answer.out;
  EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("the sweep is not finished"));
}

TEST_F(Clusters, WithoutLocksTwoScenariosInOneFolderAreToldApart) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers preload a library of their own";
#endif
  const auto words = [&](const std::string& seed) { return rod_in_shares(out_, {"--shard", "1/2", "--seed", seed}); };
  for (int round = 0; round < 5; ++round) {
    std::filesystem::remove_all(out_);
    ChildProcess one(words("1"), without_locks("ENOLCK"), {"/dev/null", (folder_ / "one").string(), {}});
    ChildProcess two(words("2"), without_locks("ENOLCK"), {"/dev/null", (folder_ / "two").string(), {}});
    const int first = one.wait(), second = two.wait();
    EXPECT_EQ(std::min(first, second), 0);
    EXPECT_EQ(std::max(first, second), 2);
    EXPECT_THAT(read_text_file(folder_ / (first == 0 ? "two" : "one")), HasSubstr("holds another dataset"));
  }
}

TEST_F(Clusters, WithoutLocksTemporaryFilesOfOthersStay) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers preload a library of their own";
#endif
  const std::filesystem::path file = out_ / "shards/shard-00001.h5.0123abcd.tmp";
  ASSERT_EQ(sweep({"--shard", "1/2"}, without_locks("ENOLCK")).status, 0);
  test::write_file(file, "half a shard");
  ASSERT_EQ(sweep({"--shard", "2/2"}, without_locks("ENOLCK")).status, 0);
  EXPECT_TRUE(std::filesystem::exists(file)) << "somebody may be at work on it";
  ASSERT_EQ(merge().status, 0) << "on a host with locks";
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, ClocksOfHostsMayDiffer) {
#ifdef JOSTLE_SANITIZED
  GTEST_SKIP() << "sanitizers preload a library of their own";
#endif
  const auto clock = [](const std::string& ahead) {
    return std::vector<std::string>{"LD_PRELOAD=" JOSTLE_OTHER_HOST, "JOSTLE_TEST_CLOCK=" + ahead};
  };
  ASSERT_EQ(sweep({"--shard", "1/3"}, clock("-86400")).status, 0);
  ASSERT_EQ(sweep({"--shard", "2/3"}, clock("86400")).status, 0);
  const Answer now = test::run_program({JOSTLE_PROGRAM, "status", out_.string(), "--json"}, {}, clock("3600"));
  EXPECT_EQ(json::parse(now.out).at("missing"), json({2}));
  EXPECT_LT(json::parse(now.out).at("hosts")[0].at("silent_seconds").get<double>(), 60);
  ASSERT_EQ(sweep({"--shard", "3/3"}).status, 0);
  EXPECT_EQ(content_of(out_), undisturbed());
}

TEST_F(Clusters, TwoJobsWithOneShareDoNoHarmAndTheSecondSaysWhoHasIt) {
  const std::string err = (folder_ / "err").string();
  std::vector<std::string> slow =
      rod_in_shares(out_, {"--shard", "1/2", "--threads", "1", "--set", "world.step=0.0001"});
  ChildProcess one(slow, {}, {"/dev/null", (folder_ / "first").string(), {}});
  while (!std::filesystem::exists(out_ / ".jobs")) sleep_ms(1);
  sleep_ms(50);
  ChildProcess two(slow, {}, {"/dev/null", err, {}});
  EXPECT_EQ(one.wait(), 0);
  EXPECT_EQ(two.wait(), 0);
  EXPECT_THAT(read_text_file(err), HasSubstr(" has the share 1/2, too, and is making shard 0;"));
}

TEST_F(Clusters, StoppedEarlyBySignalsOfQueuesIsResumable) {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    std::filesystem::remove_all(out_);
    ChildProcess child(rod_in_shares(out_), {}, {"/dev/null", (folder_ / "err").string(), {}});
    while (!std::filesystem::exists(out_ / "shards")) sleep_ms(1);
    child.signal(signal);
    EXPECT_EQ(child.wait(), 75);
    EXPECT_EQ(sweep().status, 0);
    EXPECT_EQ(content_of(out_), undisturbed());
  }
}

}  // namespace
}  // namespace jostle

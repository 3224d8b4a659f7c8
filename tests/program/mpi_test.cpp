// The real program under a real launcher of MPI, with more ranks than this machine has cores. Skipped where there is no
// MPI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/program/program.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using test::Answer;
using test::ChildProcess;
using test::content_of;
using test::ScratchFolder;
using test::sleep_ms;
using testing::HasSubstr;

/// As root, and with more ranks than cores. Open MPI never frees some of its memory, which the address sanitizer would
/// tell.
std::vector<std::string> launcher_variables() {
  return {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1",
          "OMPI_MCA_btl=self,vader", "ASAN_OPTIONS=detect_leaks=0"};
}

std::vector<std::string> with_ranks(int ranks, std::vector<std::string> words) {
  words.insert(words.begin(), {JOSTLE_MPIEXEC, "-n", std::to_string(ranks)});
  return words;
}

/// Five shards.
std::vector<std::string> sweep_words(const std::filesystem::path& out, const std::vector<std::string>& more = {}) {
  return test::sweep_of_rod(out, "70000", more);
}

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += " " + word;
  return line;
}

int times(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class Mpi : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string(JOSTLE_MPIEXEC).empty()) GTEST_SKIP() << "no MPI: libopenmpi-dev and openmpi-bin are missing";
  }
  Answer run(int ranks, const std::vector<std::string>& words) {
    return test::run_program(with_ranks(ranks, words), {}, launcher_variables());
  }
  /// A line for every rank, which knows its number as $RANK.
  Answer shell(int ranks, const std::string& line) {
    const std::string with_rank = "RANK=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; " + line;
    return run(ranks, {"/bin/sh", "-c", with_rank});
  }
  Answer alone(const std::filesystem::path& out) { return test::run_program(sweep_words(out)); }
  void expect_files_of_one_process() {
    ASSERT_EQ(alone(folder_ / "one").status, 0);
    EXPECT_EQ(content_of(out_), content_of(folder_ / "one"));
  }

  const ScratchFolder folder_;
  const std::filesystem::path out_ = folder_ / "out";
};

TEST_F(Mpi, AnyNumberOfRanksMakesTheFilesAndTheReportOfOneProcess) {
  const Answer one = alone(folder_ / "one");
  const auto expected = content_of(folder_ / "one");
  // After the line with the time, and with the name of the folder left out.
  const auto table = [](std::string text, const std::string& folder) {
    text.erase(0, text.find('\n'));
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
    return text;
  };
  for (const int ranks : {1, 2, 3, 4}) {
    std::filesystem::remove_all(out_);
    const Answer answer = run(ranks, sweep_words(out_));
    ASSERT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(content_of(out_), expected) << ranks;
    EXPECT_EQ(table(answer.out, out_.string()), table(one.out, (folder_ / "one").string()));
    if (ranks > 1) {
      EXPECT_THAT(answer.err, HasSubstr(std::to_string(ranks) + " ranks of MPI on 1 host; threads of each: 1"));
    }
  }
}

TEST_F(Mpi, RanksResumeExtendAndTakeShares) {
  std::vector<std::string> shorter = sweep_words(out_);
  shorter[4] = "20000";
  ASSERT_EQ(run(2, shorter).status, 0);
  ASSERT_EQ(run(3, sweep_words(out_, {"--shard", "2/2"})).status, 0);
  ASSERT_EQ(run(2, sweep_words(out_, {"--shard", "1/2"})).status, 0);
  expect_files_of_one_process();
}

TEST_F(Mpi, RanksMakeTrainingDataAndAddTrajectories) {
  const auto generate = [&](const std::string& out) {
    return std::vector<std::string>{JOSTLE_PROGRAM,   "generate", test::library("cube_toss"), "-n", "60", "--set",
                                    "world.steps=40", "-o",       (folder_ / out).string()};
  };
  ASSERT_EQ(run(3, generate("ranks")).status, 0);
  ASSERT_EQ(test::run_program(generate("one")).status, 0);
  EXPECT_EQ(content_of(folder_ / "ranks"), content_of(folder_ / "one"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "ranks/meta.json"));
  const auto record = [&](const std::filesystem::path& out) {
    return std::vector<std::string>{JOSTLE_PROGRAM, "record", out.string(), "--where", "mu < 0.4", "--max", "10"};
  };
  ASSERT_EQ(alone(out_).status, 0);
  ASSERT_EQ(alone(folder_ / "other").status, 0);
  const Answer answer = run(3, record(out_));
  EXPECT_EQ(answer.status, 0) << answer.err;
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  const Answer other = test::run_program(record(folder_ / "other"));
  ASSERT_EQ(other.status, 0);
  EXPECT_EQ(first_line(answer.out), first_line(other.out));
  EXPECT_EQ(content_of(out_), content_of(folder_ / "other"));
  const Answer report = run(2, {JOSTLE_PROGRAM, "report", out_.string(), "--by", "mu"});
  EXPECT_EQ(report.status, 0);
  EXPECT_EQ(report.out, test::jostle({"report", out_.string(), "--by", "mu"}).out);
}

TEST_F(Mpi, AnErrorIsToldOnceWithItsStatus) {
  const Answer option = run(3, sweep_words(out_, {"--no-such-option"}));
  EXPECT_EQ(option.status, 2);
  EXPECT_EQ(times(option.err, "--no-such-option"), 1) << option.err;
  const Answer one_rank = shell(3, "exec" + line_of(sweep_words(out_)) + " $(test $RANK = 1 && echo --no-such-option)");
  EXPECT_EQ(one_rank.status, 2);
  EXPECT_EQ(times(one_rank.err, "--no-such-option"), 1) << one_rank.err;
  const Answer scenario = run(3, {JOSTLE_PROGRAM, "sweep", "no-such.yaml", "-n", "8"});
  EXPECT_EQ(scenario.status, 2);
  EXPECT_EQ(times(scenario.err, "no-such.yaml"), 1) << scenario.err;
  EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(Mpi, RanksThatWouldMakeOtherDatasetsAreRefused) {
  const Answer seeds = shell(3, "exec" + line_of(sweep_words(out_)) + " --seed $RANK");
  EXPECT_EQ(seeds.status, 2) << seeds.err;
  EXPECT_EQ(times(seeds.err, "would make another dataset than rank 0"), 1) << seeds.err;
  EXPECT_THAT(seeds.err, HasSubstr("seed: 0 in the folder, 1 now"));
  EXPECT_FALSE(std::filesystem::exists(out_));
  ASSERT_EQ(alone(out_).status, 0);
  const Answer other = run(3, sweep_words(out_, {"--seed", "8"}));
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(times(other.err, "holds another dataset"), 1) << other.err;
}

TEST_F(Mpi, ARankThatCannotWriteEndsTheJobWithOneMessage) {
  const std::string line = line_of(sweep_words(out_));
  const Answer answer = shell(3, "[ $RANK = 1 ] && set -- --scratch /proc/self; exec" + line + " \"$@\"");
  EXPECT_EQ(answer.status, 6) << answer.err;
  EXPECT_EQ(times(answer.err, "cannot be created"), 1) << answer.err;
  EXPECT_EQ(run(3, sweep_words(out_)).status, 0);
  expect_files_of_one_process();
}

/// A disk of 1 MB: a shard has 2.6 MB.
TEST_F(Mpi, AFullDiskOfOneRankEndsTheJobWithOneMessageAndTheShardsOfTheOthersStay) {
  const std::filesystem::path disk = folder_ / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1000k") != 0) GTEST_SKIP() << "no right to mount a tmpfs";
  const std::string line = line_of(sweep_words(out_));
  const Answer full = shell(3, "[ $RANK = 1 ] && set -- --scratch " + disk.string() + "; exec" + line + " \"$@\"");
  ::umount2(disk.c_str(), MNT_DETACH);
  EXPECT_EQ(full.status, 6) << full.err;
  EXPECT_EQ(times(full.err, "No space left on device"), 1) << full.err;
  const auto status = nlohmann::json::parse(test::jostle({"status", out_.string(), "--json", "--all"}).out);
  EXPECT_TRUE(status.at("broken").empty()) << status;
  EXPECT_EQ(run(3, sweep_words(out_)).status, 0);
  expect_files_of_one_process();
}

TEST_F(Mpi, AGateIsJudgedOnce) {
  const Answer answer = run(3, sweep_words(out_, {"--fail-if", "lies.lower >= 0"}));
  EXPECT_EQ(answer.status, 4);
  EXPECT_EQ(times(answer.err, "holds\n"), 1);
}

/// Numbers of the processes that work on a folder, by the names of their logs: HOST-PROCESS-xxxxxxxx.
std::vector<pid_t> workers_of(const std::filesystem::path& out) {
  std::vector<pid_t> workers;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(out / ".jobs", none)) {
    const std::string name = entry.path().filename();
    const std::size_t last = name.rfind('-'), before = name.rfind('-', last - 1);
    workers.push_back(std::stoi(name.substr(before + 1, last - before - 1)));
  }
  return workers;
}

std::size_t shards_in(const std::filesystem::path& out) {
  std::size_t shards = 0;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(out / "shards", none))
    shards += entry.path().extension() == ".h5";
  return shards;
}

/// How many ranks are killed: JOSTLE_MPI_KILLS; 100 take some minutes.
int kills() {
  const char* const number = std::getenv("JOSTLE_MPI_KILLS");
  return number ? std::atoi(number) : 3;
}

TEST_F(Mpi, ARankThatIsKilledTakesTheJobDownAndTheSameCommandResumes) {
  ASSERT_EQ(alone(folder_ / "one").status, 0);
  const auto expected = content_of(folder_ / "one");
  std::mt19937 random(20261126);
  int completed = 0;
  for (int killed = 0, jobs = 0; killed < kills(); ++jobs) {
    ASSERT_LT(jobs, 20 * kills()) << "too few jobs are still at work when they are to be killed";
    std::filesystem::remove_all(out_ / ".jobs");  // those of killed ranks
    ChildProcess job(with_ranks(3, sweep_words(out_)), launcher_variables(), {"/dev/null", "/dev/null", {}});
    for (int waited = 0; workers_of(out_).size() < 3 && waited < 5000; ++waited) sleep_ms(1);
    // At work on the first shards, or with one or two more on disk, at any moment of the next.
    const std::size_t shards = std::min(shards_in(out_) + random() % 3, std::size_t{5});
    for (int waited = 0; shards_in(out_) < shards && waited < 10000; ++waited) sleep_ms(1);
    sleep_ms(static_cast<int>(random() % 150));
    const std::vector<pid_t> workers = workers_of(out_);
    if (!workers.empty()) ::kill(workers[random() % workers.size()], SIGKILL);
    if (job.wait() != 0) {
      ++killed;
      continue;
    }
    ++completed;
    EXPECT_EQ(content_of(out_), expected) << "after " << killed << " kills";
    std::filesystem::remove_all(out_);
  }
  EXPECT_EQ(run(4, sweep_words(out_)).status, 0);
  EXPECT_EQ(content_of(out_), expected);
  RecordProperty("datasets", completed + 1);
}

TEST_F(Mpi, AWarningOfTheQueueEndsAllRanksWithOneStatus) {
  std::vector<std::string> words = sweep_words(out_, {"--set", "world.step=0.0001"});
  ChildProcess job(with_ranks(3, words), launcher_variables(), {"/dev/null", (folder_ / "err").string(), {}});
  while (workers_of(out_).size() < 3) sleep_ms(1);
  job.signal(SIGUSR1);  // the launcher passes it on
  EXPECT_EQ(job.wait(), 75);
  const std::string err = read_text_file(folder_ / "err");
  EXPECT_EQ(times(err, "interrupted with "), 1) << err;
}

TEST(WithoutMpi, ProcessesOfALauncherShareTheFolderAndSaySo) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "bin");
  std::filesystem::copy(JOSTLE_PROGRAM, folder / "bin/jostle");  // without the plugin beside it
  std::vector<std::string> words = sweep_words(folder / "out");
  words[0] = (folder / "bin/jostle").string();
  const Answer first = test::run_program(words, {}, {"OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=0"});
  EXPECT_EQ(first.status, 0);
  EXPECT_THAT(first.err, HasSubstr("every process works for itself"));
  const Answer second = test::run_program(words, {}, {"OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=1"});
  EXPECT_EQ(second.err, "");
}

}  // namespace
}  // namespace jostle

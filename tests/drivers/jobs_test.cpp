// What jobs leave in a folder for the next ones, and how a sweep ends early.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "drivers/datasets/job_log.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/datasets/survey.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/folder_content.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::fake_description;
using test::FakeProducer;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::IsEmpty;

/// A job that makes share k/n, and the first samples of the shards that it has made.
std::vector<std::int64_t> make_share(const fs::path& folder, std::int64_t part, std::int64_t parts,
                                     std::int64_t n = 60000) {
  FakeProducer producer(fake_description());
  SweepOptions options;
  options.folder = folder;
  options.n = n;
  options.shard_part = part;
  options.shard_parts = parts;
  run_sweep(fake_description(), producer, options);
  return producer.produced;
}

TEST(JobLog, TellsWhoHasMadeWhat) {
  const ScratchFolder folder;
  make_share(folder / "out", 2, 3);
  make_share(folder / "out", 2, 3);
  const std::vector<Job> jobs = read_jobs(folder / "out");
  ASSERT_EQ(jobs.size(), 2u);
  for (const Job& job : jobs) {
    EXPECT_EQ(job.process, ::getpid());
    EXPECT_EQ(job.share, "2/3");
    EXPECT_EQ(job.samples, 60000);
    EXPECT_TRUE(job.has_ended);
    EXPECT_LE(job.began, job.seen);
    EXPECT_EQ(job.identity, identity_of(fake_description()));
  }
  ASSERT_EQ(jobs[0].shards.size(), 1u);
  EXPECT_EQ(jobs[0].shards[0].first, 16384);
  EXPECT_TRUE(jobs[0].shards[0].is_made);
  EXPECT_THAT(jobs[1].shards, IsEmpty()) << "what the first has made is known";
}

TEST(JobLog, OfAProcessThatWasKilledInALineEndsBeforeIt) {
  const ScratchFolder folder;
  make_share(folder / "out", 1, 2);
  for (const auto& entry : fs::directory_iterator(folder / "out/.jobs"))
    std::ofstream(entry.path(), std::ios::app) << "{\"shard\": 7, \"first\": 1146";
  std::ofstream(folder / "out/.jobs/of-somebody-else") << "no job\n";
  const std::vector<Job> jobs = read_jobs(folder / "out");
  ASSERT_EQ(jobs.size(), 1u);
  EXPECT_EQ(jobs[0].shards.size(), 2u);
}

TEST(JobLog, GoesAwayWithTheLastShard) {
  const ScratchFolder folder;
  make_share(folder / "out", 1, 2);
  EXPECT_TRUE(fs::exists(folder / "out/.jobs"));
  make_share(folder / "out", 2, 2);
  EXPECT_FALSE(fs::exists(folder / "out/.jobs"));
}

/// Replaces the bytes of a file, but not its time.
void replace_secretly(const fs::path& path, const std::string& bytes) {
  struct stat before = {};
  ASSERT_EQ(::stat(path.c_str(), &before), 0);
  std::ofstream(path, std::ios::binary) << bytes;
  const timespec times[2] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

/// A shard in which a bit of a value is another one: rest_x of sample 123.
std::string with_other_value(const fs::path& shard) {
  std::string bytes = read_text_file(shard);
  const double value = 123.0 / 8;
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
  EXPECT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  return bytes;
}

TEST(KnownShards, AreNotReadAgainUnlessTheyHaveChanged) {
  const ScratchFolder folder;
  const fs::path shard = folder / "out" / shard_name(0);
  make_share(folder / "out", 1, 2);
  replace_secretly(shard, with_other_value(shard));
  const auto jobs = read_jobs(folder / "out");
  EXPECT_THAT(survey(folder / "out", fake_description(), 60000, jobs, false).broken, IsEmpty());
  EXPECT_EQ(survey(folder / "out", fake_description(), 60000, jobs, true).broken.size(), 1u);
  fs::last_write_time(shard, fs::last_write_time(shard) + std::chrono::seconds(1));
  EXPECT_EQ(survey(folder / "out", fake_description(), 60000, jobs, false).broken.size(), 1u);
  EXPECT_THAT(make_share(folder / "out", 1, 2), ElementsAre(0));
}

TEST(KnownShards, OfACompleteDatasetAreThoseThatAreOlderThanItsRecord) {
  const ScratchFolder folder;
  const fs::path shard = folder / "out" / shard_name(0), record = folder / "out/run.json";
  make_share(folder / "out", 1, 1);
  fs::last_write_time(record, fs::last_write_time(record) + std::chrono::seconds(1));
  replace_secretly(shard, with_other_value(shard));
  EXPECT_THAT(survey(folder / "out", fake_description(), 60000, {}, false).broken, IsEmpty());
  EXPECT_EQ(survey(folder / "out", fake_description(), 60000, {}, true).broken.size(), 1u);
  EXPECT_EQ(survey(folder / "out", fake_description(), 60001, {}, false).shorter.size(), 1u) << "the last one";
  fs::last_write_time(shard, fs::last_write_time(record));
  EXPECT_EQ(survey(folder / "out", fake_description(), 60000, {}, false).broken.size(), 1u);
  EXPECT_THAT(make_share(folder / "out", 1, 1), ElementsAre(0));
}

/// A shard of the same samples of a dataset with another seed, and one of fewer samples of the same dataset.
std::vector<std::string> misplaced_shards(const fs::path& folder) {
  DatasetDescription other = fake_description();
  other.seed += 1;
  FakeProducer producer(other);
  SweepOptions options;
  options.folder = folder / "other";
  options.n = 20000;
  run_sweep(other, producer, options);
  make_share(folder / "few", 1, 1, 100);
  return {read_text_file(folder / "other" / shard_name(0)), read_text_file(folder / "few" / shard_name(0))};
}

// A copy may keep the time of another file, and the clock may have been set back since run.json was written.
TEST(KnownShards, OfACompleteDatasetAreThoseThatItsRecordLists) {
  const ScratchFolder folder;
  const fs::path out = folder / "out", shard = out / shard_name(0);
  make_share(out, 1, 1);
  const auto before = content_of(out);
  std::vector<std::string> wrong = misplaced_shards(folder.path());
  wrong.push_back(read_text_file(out / shard_name(1)));
  wrong.push_back(read_text_file(shard).substr(0, 1'000'000));
  wrong.emplace_back();
  for (const std::string& bytes : wrong) {
    replace_secretly(shard, bytes);
    fs::last_write_time(out / "run.json", fs::file_time_type::clock::now() + std::chrono::hours(24 * 365));
    EXPECT_EQ(survey(out, fake_description(), 60000, {}, false).to_make().size(), 1u) << bytes.size();
    EXPECT_THAT(make_share(out, 1, 1), ElementsAre(0)) << bytes.size();
    EXPECT_EQ(content_of(out), before) << bytes.size();
  }
}

TEST(KnownShards, OfAnotherDatasetAreNotKnown) {
  const ScratchFolder folder;
  make_share(folder / "out", 1, 2);
  const DatasetDescription description = fake_description();
  const KnownShards same(folder / "out", read_jobs(folder / "out"), description);
  EXPECT_TRUE(same.has(folder / "out" / shard_name(0), {0, 0, 16384}));
  EXPECT_FALSE(same.has(folder / "out" / shard_name(0), {1, 16384, 16384}));
  DatasetDescription other = description;
  other.seed += 1;
  const KnownShards none(folder / "out", read_jobs(folder / "out"), other);
  EXPECT_FALSE(none.has(folder / "out" / shard_name(0), {0, 0, 16384}));
}

// Of the logs of other hosts.
TEST(KnownShards, DoNotDependOnClocks) {
  const ScratchFolder folder;
  make_share(folder / "out", 1, 2);
  for (const auto& entry : fs::directory_iterator(folder / "out/.jobs"))
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() + std::chrono::hours(24 * 365));
  EXPECT_THAT(make_share(folder / "out", 1, 2), IsEmpty());
  make_share(folder / "out", 2, 2);
  make_share(folder / "one", 1, 1);
  EXPECT_EQ(content_of(folder / "out"), content_of(folder / "one"));
}

TEST(Survey, NamesSharesAsQueuesWriteThem) {
  const auto array = [](const std::vector<std::int64_t>& shards, std::int64_t parts) {
    std::vector<ShardRange> ranges;
    for (const std::int64_t shard : shards) ranges.push_back({shard, 0, 1});
    return array_of(ranges, parts);
  };
  EXPECT_EQ(array({}, 10), "");
  EXPECT_EQ(array({2}, 10), "3");
  EXPECT_EQ(array({2, 16, 17, 18, 30}, 100), "3,17-19,31");
  EXPECT_EQ(array({2, 16, 17, 18, 30}, 2), "1-2");
  EXPECT_EQ(array({0, 4, 8}, 4), "1");
  EXPECT_EQ(array({0, 2, 4, 6, 7}, 100), "1-7:2,8");
  EXPECT_EQ(array({0, 2, 3, 4, 10}, 100), "1,3-5,11");
}

TEST(Shards, LieInSubfoldersFromNumberTenThousandOn) {
  EXPECT_EQ(shard_name(9999), "shards/shard-09999.h5");
  EXPECT_EQ(shard_name(10000), "shards/00010/shard-10000.h5");
  EXPECT_EQ(shard_name(123456), "shards/00123/shard-123456.h5");
}

TEST(TemporaryNames, AreThoseOfTheirFiles) {
  EXPECT_EQ(name_of_temporary("run.h5.0123abcd.tmp"), "run.h5");
  EXPECT_EQ(name_of_temporary("run.h5.tmp"), "run.h5");
  EXPECT_EQ(name_of_temporary("run.h5"), std::nullopt);
  EXPECT_EQ(name_of_temporary("shard-00001.h5.01234567.tmp"), "shard-00001.h5");
}

/// Tells that a part of a shard is done after a while, and then that the sweep is to stop.
class StoppedProducer : public FakeProducer {
 public:
  StoppedProducer(std::int64_t done, std::atomic<bool>& stop)
      : FakeProducer(fake_description()), done_(done), stop_(stop) {}
  std::optional<ShardData> produce(std::int64_t first, std::int64_t count,
                                   const std::function<void(const ProductionProgress&)>& progress,
                                   const std::atomic<bool>& is_dropped) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ProductionProgress now;
    now.samples = done_;
    progress(now);
    stop_ = true;
    for (int waited = 0; waited < 100 && !is_dropped; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return FakeProducer::produce(first, count, progress, is_dropped);
  }

 private:
  std::int64_t done_;
  std::atomic<bool>& stop_;
};

/// Whether the shard at work is there afterwards.
bool keeps_a_shard_of_which_is_done(std::int64_t samples) {
  const ScratchFolder folder;
  std::atomic<bool> stop = false;
  StoppedProducer producer(samples, stop);
  SweepOptions options;
  options.folder = folder / "out";
  options.n = 60000;
  options.stop = &stop;
  EXPECT_EQ(run_sweep(fake_description(), producer, options).end, SweepReport::End::interrupted);
  EXPECT_EQ(producer.produced.size(), 1u);
  return fs::exists(folder / "out" / shard_name(0));
}

TEST(StoppedSweep, FinishesAShardThatIsNearlyDoneAndDropsAnother) {
  EXPECT_TRUE(keeps_a_shard_of_which_is_done(16000)) << "some ms are left";
  EXPECT_FALSE(keeps_a_shard_of_which_is_done(16)) << "after 0.1 s; so all take more than a minute";
  EXPECT_FALSE(keeps_a_shard_of_which_is_done(0)) << "nobody knows";
}

}  // namespace
}  // namespace jostle

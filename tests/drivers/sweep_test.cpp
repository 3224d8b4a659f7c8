// What a sweep makes, keeps, extends and refuses.
#include "drivers/sweeps/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "drivers/datasets/run_record.hpp"
#include "drivers/datasets/shard_reader.hpp"
#include "drivers/datasets/shard_writer.hpp"
#include "drivers/datasets/summary_columns.hpp"
#include "drivers/errors.hpp"
#include "drivers/files/atomic_file.hpp"
#include "drivers/statistics/run_statistics.hpp"
#include "drivers/sweeps/added_trajectories.hpp"
#include "drivers/sweeps/dataset_folder.hpp"
#include "drivers/sweeps/summary_files.hpp"
#include "drivers/sweeps/sweep_report.hpp"
#include "tests/support/fake_producer.hpp"
#include "tests/support/folder_content.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

using test::content_of;
using test::fake_description;
using test::fake_shard;
using test::FakeProducer;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SweepOptions options_for(const std::filesystem::path& folder, std::int64_t n) {
  SweepOptions options;
  options.folder = folder;
  options.n = n;
  return options;
}

/// Sweeps and tells which shards were simulated, by their first samples.
std::vector<std::int64_t> sweep(const std::filesystem::path& folder, std::int64_t n,
                                const DatasetDescription& description = fake_description()) {
  FakeProducer producer(description);
  run_sweep(description, producer, options_for(folder, n));
  return producer.produced;
}

std::string usage_error(const std::filesystem::path& folder, const DatasetDescription& description) {
  try {
    sweep(folder, 10, description);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Sweep, WritesShardsViewAndSummaries) {
  const ScratchFolder folder;
  EXPECT_THAT(sweep(folder / "out", 20000), ElementsAre(0, 16384));
  std::vector<std::string> names;
  for (const auto& [name, bytes] : content_of(folder / "out")) names.push_back(name);
  EXPECT_THAT(names, ElementsAre(".lock", "report.html", "run.h5", "run.json", "scenario.yaml", "shards/shard-00000.h5",
                                 "shards/shard-00001.h5", "summary.csv", "summary.json"));
}

TEST(Sweep, ReportsTheStatisticsOfAllSamples) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  FakeProducer producer(description);
  const SweepReport report = run_sweep(description, producer, options_for(folder / "out", 20000));
  EXPECT_EQ(report.end, SweepReport::End::complete);
  EXPECT_EQ(report.simulated, 20000);
  EXPECT_EQ(report.simulated_steps, 2 * 19800 + 200);
  EXPECT_EQ(report.statistics.samples, 20000);
  EXPECT_EQ(report.statistics.invalid, 200);
  EXPECT_EQ(report.statistics.status[1].samples, 200);
  EXPECT_EQ(report.statistics.status[1].first_sample, 50);
  EXPECT_EQ(report.statistics.residual.value, 1e-12);
  EXPECT_EQ(report.statistics.residual.sample, 0) << "the first of equal ones";
  EXPECT_EQ(report.statistics.penetration.sample, 17000) << "in the second shard";
  EXPECT_EQ(report.statistics.energy_gained.sample, -1);
  EXPECT_EQ(report.statistics.energy_gain.sample, -1);
  EXPECT_THAT(
      sweep_report_text(report, true),
      HasSubstr("At worst: residual 1e-12 (sample 0), penetration 3e-06 m (sample 17000), energy gained 0 J.\n"));
  // lies: 15,000 of the 20,000; the failed samples are 50, 150, 250, ..., none of them divisible by 4.
  const OutcomeStatistics& lies = report.statistics.outcomes[0];
  EXPECT_EQ(lies.count, 19800);
  EXPECT_EQ(lies.hits, 15000 - 200);
  EXPECT_NEAR(*report.statistics.outcomes[1].estimate,
              (19999.0 * 20000 / 2 - 100.0 * 199 * 200 / 2 - 50 * 200) / 8 / 19800, 1e-9);
}

TEST(SweepStatistics, AreTheSameWhereTheNumbersOfAllOutcomesHaveNoRoom) {
  const ScratchFolder folder;
  DatasetDescription description = fake_description();
  sweep(folder / "out", 20000);
  const std::vector<OutcomeInfo> once = description.outcomes;
  description.outcomes.insert(description.outcomes.end(), once.begin(), once.end());  // 4 with numbers, 2 at a time
  const auto ranges = shard_ranges(description, 19000);
  const RunStatistics whole = read_statistics(folder / "out", description, ranges);
  const RunStatistics parts = read_statistics(folder / "out", description, ranges, 0);
  EXPECT_EQ(parts.samples, 19000);
  EXPECT_EQ(parts.steps, whole.steps);
  EXPECT_EQ(summary_json(parts), summary_json(whole));
  ASSERT_EQ(parts.outcomes.size(), 6u);
  for (const std::size_t i : {0, 1, 2}) {
    EXPECT_EQ(parts.outcomes[i + 3].name, once[i].name);
    EXPECT_EQ(parts.outcomes[i + 3].quantiles, parts.outcomes[i].quantiles);
    EXPECT_EQ(parts.outcomes[i + 3].hits, whole.outcomes[i].hits);
  }
  EXPECT_EQ(statistics_bytes(description, 1000), 4 * 8 * 1000);
  EXPECT_EQ(statistics_bytes(description, 100'000'000), 16 * std::int64_t{100'000'000});
}

ShardData read_view(const std::filesystem::path& file, const DatasetDescription& description) {
  const hdf5::Handle view = hdf5::open_for_reading(file.string());
  const auto n = static_cast<std::size_t>(hdf5::extents_of(view, "summary/sample").at(0));
  ShardData data = make_shard(description, 0, static_cast<std::int64_t>(n));
  for_each_column(description, data, [&](const SummaryColumn& column, auto& values) {
    hdf5::read_dataset(view, ("summary/" + column.name).c_str(), hdf5::file_type(values.data()), values.data());
  });
  return data;
}

// Whatever it was when the folder was surveyed.
TEST(SweepStatistics, OfAShardThatHasTooFewSamplesAreRefused) {
  const ScratchFolder folder;
  sweep(folder / "out", 100);
  const std::vector<ShardRange> more = {{0, 0, 101}}, others = {{0, 16384, 100}};
  EXPECT_THROW(read_statistics(folder / "out", fake_description(), more), FileError);
  EXPECT_THROW(read_statistics(folder / "out", fake_description(), others), FileError);
}

TEST(Sweep, OfOneShardHasItsDataInTheView) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description(RecordSettings::Which::failures);
  sweep(folder / "out", 2000, description);
  sweep(folder / "out", 1000, description);  // of the same shard
  const ShardData shard = ShardReader(folder / "out/shards/shard-00000.h5").read(description);
  std::filesystem::remove_all(folder / "out/shards");
  const ShardData view = read_view(folder / "out/run.h5", description);
  ASSERT_EQ(view.status.size(), 1000u);
  EXPECT_TRUE(std::equal(view.status.begin(), view.status.end(), shard.status.begin()));
  EXPECT_TRUE(std::equal(view.penetration_max.begin(), view.penetration_max.end(), shard.penetration_max.begin()));
  const hdf5::Handle file = hdf5::open_for_reading((folder / "out/run.h5").string());
  std::vector<std::int32_t> valid_steps(hdf5::extents_of(file, "trajectory/valid_steps").at(0));
  EXPECT_EQ(valid_steps.size(), 10u);
  hdf5::read_dataset(file, "trajectory/valid_steps", H5T_NATIVE_INT32, valid_steps.data());
  EXPECT_TRUE(std::equal(valid_steps.begin(), valid_steps.end(), shard.trajectories.valid_steps.begin()));
}

TEST(Sweep, WhoseShardsAreGoneReadsAsMissing) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  sweep(folder / "out", 20000);
  ASSERT_THAT(read_view(folder / "out/run.h5", description).status, testing::Contains(0));
  std::filesystem::remove_all(folder / "out/shards");
  const ShardData view = read_view(folder / "out/run.h5", description);
  EXPECT_THAT(view.status, testing::Each(255));
  EXPECT_THAT(view.steps, testing::Each(-1));
  EXPECT_THAT(view.end_time, testing::Each(testing::IsNan()));
  EXPECT_THAT(view.outcomes.at(0), testing::Each(testing::IsNan()));
}

TEST(Sweep, AgainSimulatesNothingAndChangesNoByte) {
  const ScratchFolder folder;
  sweep(folder / "out", 20000);
  const auto before = content_of(folder / "out");
  EXPECT_THAT(sweep(folder / "out", 20000), IsEmpty());
  EXPECT_EQ(content_of(folder / "out"), before);
}

TEST(Sweep, ExtendedGivesTheBytesOfTheLongerSweep) {
  const ScratchFolder folder;
  for (const auto which : {RecordSettings::Which::none, RecordSettings::Which::failures}) {
    const DatasetDescription description = fake_description(which);
    const auto extended = folder / ("extended" + std::to_string(static_cast<int>(which)));
    const auto once = folder / ("once" + std::to_string(static_cast<int>(which)));
    sweep(extended, 20000, description);
    EXPECT_THAT(sweep(extended, 40000, description), ElementsAre(16384, 32768)) << "the partial shard and the new one";
    sweep(once, 40000, description);
    EXPECT_EQ(content_of(extended), content_of(once));
  }
}

TEST(Sweep, OfFewerSamplesReportsThemAndDeletesNothing) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  sweep(folder / "out", 20000);
  const std::string shard = read_text_file(folder / "out/shards/shard-00001.h5");
  FakeProducer producer(description);
  const SweepReport report = run_sweep(description, producer, options_for(folder / "out", 100));
  EXPECT_THAT(producer.produced, IsEmpty());
  EXPECT_EQ(report.statistics.samples, 100);
  EXPECT_EQ(read_text_file(folder / "out/shards/shard-00001.h5"), shard);
  EXPECT_EQ(read_run_record(folder / "out")->n, 100);
  EXPECT_THAT(sweep(folder / "out", 20000), IsEmpty()) << "all are still there";
}

TEST(Sweep, MakesDamagedShardsAgain) {
  const ScratchFolder folder;
  sweep(folder / "out", 40000);
  const auto before = content_of(folder / "out");
  std::filesystem::resize_file(folder / "out/shards/shard-00001.h5", 5000);
  std::filesystem::remove(folder / "out/shards/shard-00002.h5");
  EXPECT_THAT(sweep(folder / "out", 40000), ElementsAre(16384, 32768));
  EXPECT_EQ(content_of(folder / "out"), before);
}

TEST(Sweep, RemovesStaleTemporaryFiles) {
  const ScratchFolder folder;
  sweep(folder / "out", 100);
  const auto before = content_of(folder / "out");
  for (const char* name : {"run.h5.tmp", "summary.csv.0123abcd.tmp", "meta.json.4567cdef.tmp",
                           "shards/shard-00000.h5.89abcdef.tmp", "shards/shard-00009.h5.tmp"})
    std::ofstream(folder / "out" / name) << "half a file";
  sweep(folder / "out", 100);
  EXPECT_EQ(content_of(folder / "out"), before);
}

/// While it lives, the process has the rights of nobody if it has those of root, who may open every folder.
struct WithoutRights {
  WithoutRights() { is_root = ::geteuid() == 0 && ::seteuid(65534) == 0; }
  ~WithoutRights() { EXPECT_EQ(is_root ? ::seteuid(0) : 0, 0); }
  bool is_root;
};

TEST(Sweep, PassesOverFoldersThatItMayNotOpen) {
  namespace fs = std::filesystem;
  const ScratchFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  {
    const WithoutRights nobody;
    sweep(folder / "out", 100);
  }
  const auto before = content_of(folder / "out");
  for (const char* name : {"a", "z"}) {
    fs::create_directory(folder / "out/shards" / name);
    fs::permissions(folder / "out/shards" / name, fs::perms::none);
  }
  std::ofstream(folder / "out/shards/shard-00000.h5.89abcdef.tmp") << "half a file";
  {
    const WithoutRights nobody;
    EXPECT_THAT(sweep(folder / "out", 100), IsEmpty());
  }
  for (const char* name : {"a", "z"}) fs::permissions(folder / "out/shards" / name, fs::perms::owner_all);
  EXPECT_EQ(content_of(folder / "out"), before);
}

TEST(Sweep, PartsMakeTheSameBytesAsTheWhole) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description(RecordSettings::Which::first, 20000);
  sweep(folder / "whole", 60000, description);
  for (const std::int64_t part : {3, 1, 2}) {
    FakeProducer producer(description);
    SweepOptions options = options_for(folder / "parts", 60000);
    options.shard_part = part;
    options.shard_parts = 3;
    const SweepReport report = run_sweep(description, producer, options);
    EXPECT_EQ(producer.produced.front(), (part - 1) * 16384) << "shards i with i mod 3 = part - 1";
    EXPECT_EQ(report.end, part == 2 ? SweepReport::End::complete : SweepReport::End::partial);
    EXPECT_EQ(std::filesystem::exists(folder / "parts/run.h5"), part == 2)
        << "a missing source would read as missing samples";
    EXPECT_EQ(report.statistics.samples, part == 2 ? 60000 : report.simulated);
  }
  EXPECT_EQ(content_of(folder / "parts"), content_of(folder / "whole"));
}

TEST(Sweep, StoppedSaysSoAndGoesOnWithTheSameCommand) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  std::atomic<bool> stop = false;
  FakeProducer producer(description);
  producer.before = [&](const std::atomic<bool>& is_dropped) {
    stop = producer.produced.size() == 2;
    while (stop && !is_dropped) std::this_thread::yield();
  };
  SweepOptions options = options_for(folder / "out", 40000);
  options.stop = &stop;
  EXPECT_EQ(run_sweep(description, producer, options).end, SweepReport::End::interrupted);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/run.h5"));
  EXPECT_THAT(sweep(folder / "out", 40000), ElementsAre(16384, 32768));
  sweep(folder / "once", 40000);
  EXPECT_EQ(content_of(folder / "out"), content_of(folder / "once"));
}

TEST(Sweep, TellsItsProgress) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  FakeProducer producer(description);
  SweepOptions options = options_for(folder / "out", 20000);
  SweepProgress last;
  options.on_progress = [&](const SweepProgress& progress) {
    EXPECT_GE(progress.done, last.done);
    EXPECT_EQ(progress.total, 20000);
    last = progress;
  };
  run_sweep(description, producer, options);
  EXPECT_EQ(last.done, 20000);
  EXPECT_EQ(last.simulated, 20000);
  EXPECT_EQ(last.valid, 19800);
  EXPECT_EQ(last.true_count, 14800);
}

TEST(SweepFolder, OfSomethingElseIsRefusedAndLeftAlone) {
  const ScratchFolder folder;
  std::ofstream(folder / "thesis.tex") << "precious";
  const auto before = content_of(folder.path());
  EXPECT_THAT(usage_error(folder.path(), fake_description()), HasSubstr("'thesis.tex'"));
  EXPECT_EQ(content_of(folder.path()), before);
  EXPECT_THAT(usage_error(folder / "thesis.tex", fake_description()), HasSubstr("is a file"));
}

/// The two are started at the same moment, again and again; one finds the other's files half made.
TEST(SweepFolder, ThatAnotherWriterIsBeginningIsNotForeign) {
  const ScratchFolder folder;
  const DatasetDescription description = fake_description();
  for (int repetition = 0; repetition < 300; ++repetition) {
    const auto out = folder / std::to_string(repetition);
    std::atomic<bool> begun = false;
    const std::jthread writer([&] {
      const DatasetFolder dataset(out, description, 10);
      begun = true;
    });
    while (!begun) ASSERT_NO_THROW(check_dataset_folder(out, description, 10)) << "repetition " << repetition;
  }
}

/// While it makes its second shard, the folder gets another place by `move`, and another dataset has its name.
void expect_that_a_replaced_folder_is_left_alone(const std::function<void(const std::filesystem::path& out)>& move) {
  const ScratchFolder folder;
  const auto out = folder / "out";
  DatasetDescription other = fake_description();
  other.seed = 8;
  std::map<std::string, std::string> content;
  FakeProducer producer(fake_description());
  producer.before = [&](const std::atomic<bool>&) {
    if (producer.produced.size() != 2) return;
    while (!std::filesystem::exists(out / shard_name(0))) std::this_thread::yield();
    move(out);
    sweep(out, 20000, other);
    content = content_of(out);
  };
  try {
    run_sweep(fake_description(), producer, options_for(out, 60000));
    ADD_FAILURE() << "no error";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("out: was moved, removed or replaced"));
  }
  EXPECT_EQ(producer.produced.size(), 2u);
  EXPECT_EQ(content_of(out), content);
}

TEST(SweepFolder, ThatIsReplacedMeanwhileIsLeftAlone) {
  namespace fs = std::filesystem;
  expect_that_a_replaced_folder_is_left_alone([](const fs::path& out) { fs::rename(out, out.string() + ".old"); });
  expect_that_a_replaced_folder_is_left_alone([](const fs::path& out) { fs::remove_all(out); });
  expect_that_a_replaced_folder_is_left_alone([](const fs::path& out) {
    for (const auto& entry : fs::directory_iterator(out)) fs::remove_all(entry.path());
  });
}

TEST(SweepFolder, ThatIsReplacedMeanwhileGetsNoTrajectories) {
  const ScratchFolder folder;
  NewTrajectories made;
  made.description = fake_description(RecordSettings::Which::all);
  made.data = fake_shard(made.description, 0, 2).trajectories;
  DatasetDescription other = made.description;
  other.seed = 8;
  sweep(folder / "out", 10, other);
  EXPECT_THROW(write_new_trajectories(folder / "out", made), FileError);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/trajectories.h5"));
  sweep(folder / "own", 10, made.description);
  EXPECT_EQ(write_new_trajectories(folder / "own", made).in_file, 2);
}

TEST(SweepFolder, WithAnUnreadableRecordIsRefused) {
  const ScratchFolder folder;
  std::ofstream(folder / "run.json") << "{\"somebody\": \"else's\"}";
  EXPECT_THAT(usage_error(folder.path(), fake_description()), HasSubstr("run.json"));
}

TEST(SweepFolder, OfAnotherDatasetIsRefusedWithTheDifference) {
  const ScratchFolder folder;
  sweep(folder / "out", 10);
  const auto before = content_of(folder / "out");
  DatasetDescription other = fake_description();
  other.seed = 8;
  EXPECT_THAT(usage_error(folder / "out", other), HasSubstr("seed: 7 in the folder, 8 now"));
  other = fake_description();
  other.scenario = "jostle: 1\ntitle: other\n";
  EXPECT_THAT(usage_error(folder / "out", other),
              testing::AllOf(HasSubstr("line 2"), HasSubstr("in the folder: title: fake"), HasSubstr("title: other")));
  other = fake_description();
  other.sampler = "table";
  other.table_sha256 = "abc";
  EXPECT_THAT(usage_error(folder / "out", other), testing::AllOf(HasSubstr("sampler: sobol in the folder, table now"),
                                                                 HasSubstr("(nothing) in the folder, abc now")));
  other = fake_description();
  other.results_version += 1;
  EXPECT_THAT(usage_error(folder / "out", other),
              HasSubstr("results_version: " + std::to_string(other.results_version - 1) + " in the folder, " +
                        std::to_string(other.results_version) + " now"));
  EXPECT_EQ(content_of(folder / "out"), before);
}

TEST(SweepOptions, RefuseWhatMakesNoSense) {
  const ScratchFolder folder;
  EXPECT_THROW(sweep(folder / "out", 0), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  SweepOptions options;
  for (const char* text : {"", "1", "0/3", "4/3", "1/0", "-1/2", "1/2x", "a/b", "/"})
    EXPECT_THROW(parse_shard_part(text, options), UsageError) << text;
  parse_shard_part("2/3", options);
  EXPECT_EQ(options.shard_part, 2);
  EXPECT_EQ(options.shard_parts, 3);
}

}  // namespace
}  // namespace jostle

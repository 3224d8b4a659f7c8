// Which samples are recorded, and `jostle record`, which adds trajectories to a finished dataset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "drivers/datasets/shard_reader.hpp"
#include "tests/program/program.hpp"
#include "tests/program/scenarios.hpp"
#include "tests/support/fault_points.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::content_of;
using test::ScratchFolder;
using testing::HasSubstr;
using Samples = std::vector<std::int64_t>;

/// Three shards of the rod after 0.1 s: 40,000 samples, the first 16 of which are recorded.
std::vector<std::string> sweep_rod(const std::string& out, const std::string& count = "40000") {
  return {"sweep", test::library("rod"), "-n", count, "--set", "world.duration=0.02", "-o", out};
}

Answer sweep(std::vector<std::string> words, const std::string& samples, const std::string& threads = "2") {
  words.insert(words.end(), {"--set", "record.trajectories=" + samples, "--threads", threads});
  return test::jostle(words);
}

/// Of a shard, or of run.h5 where it holds the data.
Samples recorded(const std::filesystem::path& shard) { return ShardReader(shard).recorded_samples(); }

/// The samples of a shard for which test(row) holds.
Samples matching(const std::filesystem::path& shard, const std::function<bool(std::size_t row)>& test) {
  const ShardReader reader(shard);
  Samples found;
  for (std::int64_t i = 0; i < reader.count(); ++i)
    if (test(static_cast<std::size_t>(i))) found.push_back(reader.first() + i);
  return found;
}

TEST(RecordedSamplesOfASweep, AreThoseOfTheListOrTheCondition) {
  const ScratchFolder folder;
  const std::string list = (folder / "list").string(), where = (folder / "where").string();
  ASSERT_EQ(sweep(sweep_rod(list), "[20000, 3, 39999]").status, 0);
  EXPECT_EQ(recorded(folder / "list/shards/shard-00000.h5"), Samples{3});
  EXPECT_EQ(recorded(folder / "list/shards/shard-00001.h5"), Samples{20000});
  EXPECT_EQ(recorded(folder / "list/shards/shard-00002.h5"), Samples{39999});

  ASSERT_EQ(sweep(sweep_rod(where), "{where: $mu < 0.35 and top_spin > 4.2, first: 5}").status, 0);
  for (const char* name : {"shard-00000.h5", "shard-00001.h5", "shard-00002.h5"}) {
    const auto shard = folder / "where/shards" / name;
    const std::vector<double> mu = ShardReader(shard).numbers("mu"), spin = ShardReader(shard).numbers("top_spin");
    Samples expected = matching(shard, [&](std::size_t row) { return mu[row] < 0.35 && spin[row] > 4.2; });
    ASSERT_GT(expected.size(), 5u);
    expected.resize(5);
    EXPECT_EQ(recorded(shard), expected) << "each shard has its own";
  }
  // The view has the first five of all: those of the second shard are not to be found there.
  const std::string hidden = std::to_string(recorded(folder / "where/shards/shard-00001.h5").front());
  EXPECT_THAT(test::jostle({"record", where, "--sample", hidden}).out, HasSubstr("1 sample: 1 added, 0 had theirs"));
}

TEST(RecordedSamplesOfASweep, GiveTheSameBytesForAnyThreadsAndPartsAndWhenExtended) {
  const ScratchFolder folder;
  const std::string samples = "{where: top_spin > 4.3, first: 7}";
  const auto path = [&](const char* name) { return (folder / name).string(); };
  ASSERT_EQ(sweep(sweep_rod(path("a")), samples, "1").status, 0);
  ASSERT_EQ(sweep(sweep_rod(path("b"), "100"), samples).status, 0);
  ASSERT_EQ(sweep(sweep_rod(path("b")), samples).status, 0);
  EXPECT_EQ(content_of(folder / "a"), content_of(folder / "b"));
  std::vector<std::string> first = sweep_rod(path("c")), second = first;
  first.insert(first.end(), {"--shard", "2/2"}), second.insert(second.end(), {"--shard", "1/2"});
  ASSERT_EQ(sweep(first, samples).status, 0);
  ASSERT_EQ(sweep(second, samples).status, 0);
  EXPECT_EQ(content_of(folder / "a"), content_of(folder / "c"));
}

// 8 steps, every third: 0, 3, 6 and the last one.
TEST(RecordedStates, LeaveTheLastOneOutIfAsked) {
  const ScratchFolder folder;
  for (const char* last : {"true", "false"}) {
    std::vector<std::string> words = sweep_rod((folder / last).string(), "8");
    words.insert(words.end(), {"--set", "record={trajectories: all, every: 0.0075, last: " + std::string(last) + "}"});
    ASSERT_EQ(test::jostle(words).status, 0);
  }
  const auto states = [&](const char* last, std::size_t times) {
    const hdf5::Handle file = hdf5::open_for_reading((folder / last / "shards/shard-00000.h5").string());
    EXPECT_EQ(hdf5::extents_of(file, "trajectory/time"), hdf5::Extents{times});
    EXPECT_EQ(hdf5::extents_of(file, "trajectory/q"), (hdf5::Extents{8, times, 1, 7}));
    std::vector<double> q(8 * times * 7);
    hdf5::read_dataset(file, "trajectory/q", H5T_NATIVE_DOUBLE, q.data());
    return q;
  };
  const std::vector<double> with = states("true", 4), without = states("false", 3);
  for (std::size_t sample = 0; sample < 8; ++sample)
    for (std::size_t i = 0; i < 3 * 7; ++i)
      EXPECT_EQ(with[sample * 4 * 7 + i], without[sample * 3 * 7 + i]) << sample << ' ' << i;
}

class AddedTrajectories : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(test::jostle(sweep_rod(out_)).status, 0); }

  Answer record(std::vector<std::string> words) const {
    words.insert(words.begin(), {"record", out_});
    return test::jostle(words);
  }
  /// All files but the one with what was added.
  std::map<std::string, std::string> dataset() const {
    auto files = content_of(out_);
    files.erase("trajectories.h5");
    return files;
  }
  Samples added() const {
    const hdf5::Handle file = hdf5::open_for_reading(out_ + "/trajectories.h5");
    Samples samples(hdf5::extents_of(file, "trajectory/sample").at(0));
    hdf5::read_dataset(file, "trajectory/sample", H5T_NATIVE_INT64, samples.data());
    return samples;
  }

  const ScratchFolder folder_;
  const std::string out_ = (folder_ / "out").string();
};

TEST_F(AddedTrajectories, AreThoseOfTheSweepThatRecordsThem) {
  const auto before = dataset();
  const Answer answer = record({"--where", "top_spin > 4.3 and mu < 0.5", "--max", "30", "--json"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(dataset(), before) << "the dataset stays as it is";
  const json told = json::parse(answer.out);
  const auto samples = told.at("samples").get<Samples>();
  ASSERT_EQ(samples.size(), 30u);
  EXPECT_EQ(told.at("added").get<int>() + told.at("there").get<int>(), 30);
  Samples expected = samples;  // the first 16 samples have theirs in a shard
  std::erase_if(expected, [](std::int64_t sample) { return sample < 16; });
  EXPECT_EQ(added(), expected);

  ASSERT_EQ(sweep(sweep_rod((folder_ / "all").string(), "16384"), "all").status, 0);
  const ShardReader all(folder_ / "all/shards/shard-00000.h5");
  const hdf5::Handle file = hdf5::open_for_reading(out_ + "/trajectories.h5"),
                     whole = hdf5::open_for_reading((folder_ / "all/shards/shard-00000.h5").string());
  const std::size_t row = hdf5::extents_of(file, "trajectory/q").at(1) * 7;
  ASSERT_LT(expected.back(), 16384);
  std::vector<double> q(expected.size() * row), all_q(16384 * row);
  hdf5::read_dataset(file, "trajectory/q", H5T_NATIVE_DOUBLE, q.data());
  hdf5::read_dataset(whole, "trajectory/q", H5T_NATIVE_DOUBLE, all_q.data());
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::size_t i = 0; i < row; ++i)
      ASSERT_EQ(q[k * row + i], all_q[static_cast<std::size_t>(expected[k]) * row + i]) << expected[k];
}

TEST_F(AddedTrajectories, HaveTheSameBytesHoweverTheyCome) {
  ASSERT_EQ(record({"--sample", "39999", "--sample", "20", "--sample", "17000", "--threads", "1"}).status, 0);
  const auto at_once = content_of(out_);
  std::filesystem::remove(out_ + "/trajectories.h5");
  for (const char* sample : {"17000", "20", "39999", "20", "3"})
    ASSERT_EQ(record({"--sample", sample, "--threads", "2"}).status, 0);
  EXPECT_EQ(content_of(out_), at_once);
  EXPECT_EQ(added(), (Samples{20, 17000, 39999}));
}

TEST_F(AddedTrajectories, AreWholeOrAbsentWhenTheProgramIsKilled) {
  const std::vector<std::string> words = {"record", out_, "--sample", "20", "--sample", "30"};
  ASSERT_EQ(test::jostle(words).status, 0);
  const auto expected = content_of(out_);
  std::filesystem::remove(out_ + "/trajectories.h5");
  std::vector<std::string> killed = words;
  killed.insert(killed.begin(), JOSTLE_WITH_FAULTS);
  for (const char* point : {"trajectories.half", "trajectories.written", "trajectories.synced"}) {
    EXPECT_EQ(test::run_program(killed, {}, {std::string("JOSTLE_FAULT=") + point}).status, -9) << point;
    EXPECT_FALSE(std::filesystem::exists(out_ + "/trajectories.h5")) << point;
  }
  ASSERT_EQ(test::jostle(words).status, 0);
  EXPECT_EQ(content_of(out_), expected);
}

TEST_F(AddedTrajectories, StayWhenTheSweepGoesOn) {
  ASSERT_EQ(record({"--sample", "20"}).status, 0);
  const std::string before = content_of(out_).at("trajectories.h5");
  ASSERT_EQ(test::jostle({"sweep", out_, "-n", "50000"}).status, 0);
  EXPECT_EQ(content_of(out_).at("trajectories.h5"), before);
  ASSERT_EQ(test::jostle(sweep_rod((folder_ / "whole").string(), "50000")).status, 0);
  EXPECT_EQ(dataset(), content_of(folder_ / "whole"));
  ASSERT_EQ(record({"--sample", "49999"}).status, 0);
  EXPECT_EQ(added(), (Samples{20, 49999}));
}

TEST_F(AddedTrajectories, OfWhatIsNotThereAreRefused) {
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{}, "which samples? Give either --where 'CONDITION' or --sample I"},
      {{"--where", "lise"}, "--where 'lise', column 1: there is no outcome or variable 'lise' (did you mean 'lies'?)"},
      {{"--where", "mu"}, "--where 'mu', column 1: a condition needs a truth value such as 'x < 1', not a number"},
      {{"--where", "lies", "--max", "0"}, "--max: expected a whole number, 1 or more, not '0'"},
      {{"--sample", "1", "--max", "3"}, "--max excludes --sample; see 'jostle record --help'"},
      {{"--sample", "40000"}, "sample 40,000 is not in the folder"}};
  for (const auto& [words, message] : wrong) {
    const Answer answer = record(words);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.err, message + "\n");
  }
  EXPECT_FALSE(std::filesystem::exists(out_ + "/trajectories.h5"));
  const Answer none = record({"--where", "mu > 2"});
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.out, "0 samples: 0 added, 0 had theirs already\n") << "there is no such file yet";
  EXPECT_EQ(test::jostle({"record", folder_.path().string(), "--sample", "1"}).status, 2);
}

TEST_F(AddedTrajectories, ViewFindsSamplesByTheSameConditions) {
  const std::string page = (folder_ / "page.html").string();
  const Answer answer = test::jostle({"view", out_, "--where", "mu < 0.4", "-o", page});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_TRUE(std::filesystem::exists(page));
  const Answer none = test::jostle({"view", out_, "--where", "mu > 2", "-o", page});
  EXPECT_EQ(none.status, 2);
  EXPECT_EQ(none.err, "--where 'mu > 2' holds for no sample\n");
}

// Half of the samples have a negative mass, so `far`, a truth value, is undefined.
TEST(ConditionsOnSamples, ComparedWithWhatIsUndefinedAreFalse) {
  const ScratchFolder folder;
  test::write_file(folder / "mass.yaml", R"(jostle: 1
variables: {m: {uniform: [-0.5, 0.5]}}
world: {step: 0.01, duration: 0.1}
bodies:
  x: {mass: $m, inertia: 1, velocity: [$m, 0, 0], spin: [0, 0, {uniform: [0, 1]}]}
outcomes:
  far: {at_end: x.position.x > 0.025}
)");
  const auto sweep = [&](const std::string& out, const std::string& condition) {
    return test::jostle(
        {"sweep", "mass.yaml", "-n", "64", "-o", out, "--set", "record={trajectories: {where: '" + condition + "'}}"},
        folder.path().string());
  };
  ASSERT_EQ(sweep("out", "mu < 0").status, 2) << "there is no mu";
  ASSERT_EQ(sweep("out", "sample < 0").status, 3) << "half of the samples are invalid";
  const ShardReader shard(folder / "out/run.h5");
  const std::vector<double> far = shard.numbers("far"), spin = shard.numbers("bodies.x.spin[2]");
  ASSERT_TRUE(std::isnan(far[0]) || std::isnan(far[1]));
  const auto recorded_where = [&](const std::string& condition) {
    const Answer answer =
        test::jostle({"record", "out", "--where", condition, "--max", "64", "--json"}, folder.path().string());
    EXPECT_EQ(answer.status, 0) << condition << answer.err;
    return json::parse(answer.out).at("samples").get<Samples>();
  };
  const auto where = [&](auto holds) {
    Samples samples;
    for (std::size_t i = 0; i < far.size(); ++i)
      if (holds(i)) samples.push_back(static_cast<std::int64_t>(i));
    return samples;
  };
  const Samples near = where([&](std::size_t i) { return far[i] == 0; });
  ASSERT_GT(near.size(), 8u);
  for (const char* condition :
       {"far == 0", "far != 1", "far < 0.5", "$far == 0", "1 - far > 0.5", "status == 0 and not far"})
    EXPECT_EQ(recorded_where(condition), near) << condition;
  for (const char* condition : {"far", "far == 1", "$far > 0"})
    EXPECT_EQ(recorded_where(condition), where([&](std::size_t i) { return far[i] == 1; })) << condition;
  EXPECT_EQ(recorded_where("bodies.x.spin[2] > 0.5 and sample >= 7"),
            where([&](std::size_t i) { return spin[i] > 0.5 && i >= 7; }));
  ASSERT_EQ(sweep("whole", "far == 0").status, 3);
  EXPECT_EQ(recorded(folder / "whole/run.h5"), near);
}

/// Two spheres in 10,000 steps: 1.1 MiB of poses, 1 MiB of velocities.
constexpr const char* long_scenario = R"(jostle: 1
world: {step: 0.001, duration: 10}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  a: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 1], velocity: [{uniform: [0, 1]}, 0, 0]}
  b: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [1, 1, 1]}
contacts: [{between: any, friction: 0.2}]
outcomes: {x: {at_end: a.position.x}}
record: {trajectories: 1}
)";

// More than a chunk of a file, from one sample.
TEST(RecordedSamplesOfASweep, MayBeOneOfManyStates) {
  const ScratchFolder folder;
  const std::string scenario = (folder / "long.yaml").string(), out = (folder / "out").string();
  std::ofstream(scenario) << long_scenario;
  ASSERT_EQ(test::jostle({"sweep", scenario, "-n", "3", "-o", out}).status, 0);
  ASSERT_EQ(test::jostle({"record", out, "--sample", "2"}).status, 0);
  const std::vector<double> x = ShardReader(folder / "out/run.h5").numbers("x");
  for (const auto& [name, sample] : {std::pair{"/run.h5", 0}, std::pair{"/trajectories.h5", 2}}) {
    const hdf5::Handle file = hdf5::open_for_reading(out + name);
    ASSERT_EQ(hdf5::extents_of(file, "trajectory/q"), (hdf5::Extents{1, 10'001, 2, 7})) << name;
    std::vector<double> q(10'001 * 2 * 7);
    hdf5::read_dataset(file, "trajectory/q", H5T_NATIVE_DOUBLE, q.data());
    EXPECT_EQ(q[7 * 2 * 10'000], x[static_cast<std::size_t>(sample)]) << name;
  }
}

// The scenario does not say which samples are recorded, so its times were left out. A file that this has made is
// damaged.
TEST(RecordedLater, HaveTheirStatesWhereTheScenarioRecordsNone) {
  const ScratchFolder folder;
  const auto out = [&](const char* name) { return (folder / name).string(); };
  for (const auto& [name, trajectories] : {std::pair{"none", "0"}, std::pair{"all", "all"}})
    ASSERT_EQ(sweep({"sweep", test::library("rod"), "-n", "20", "--set", "world.duration=0.02", "--set",
                     "record.stride=3", "-o", out(name)},
                    trajectories)
                  .status,
              0);
  const Answer answer = test::jostle({"record", out("none"), "--sample", "2"});
  EXPECT_THAT(answer.out, HasSubstr("1 sample: 1 added, 0 had theirs")) << answer.err;
  const std::string added = out("none") + "/trajectories.h5";
  const auto states = [](const std::string& path, std::size_t samples) {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    EXPECT_EQ(hdf5::extents_of(file, "trajectory/q"), (hdf5::Extents{samples, 4, 1, 7}));
    std::vector<double> q(samples * 4 * 7);
    hdf5::read_dataset(file, "trajectory/q", H5T_NATIVE_DOUBLE, q.data());
    return q;
  };
  const std::vector<double> q = states(added, 1), all = states(out("all") + "/run.h5", 20);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_EQ(q[i], all[2 * 4 * 7 + i]) << i;
  EXPECT_THAT(test::jostle({"record", out("none"), "--sample", "2"}).out, HasSubstr("0 added, 1 had theirs"));
  {
    const hdf5::Handle file(H5Fopen(added.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "H5Fopen");
    ASSERT_GE(H5Ldelete(file, "trajectory/q", H5P_DEFAULT), 0);
    const hdf5::Handle group(H5Gopen2(file, "trajectory", H5P_DEFAULT), H5Gclose, "H5Gopen2");
    hdf5::write_dataset(group, "q", H5T_NATIVE_DOUBLE, {1, 0, 1, 7}, q.data());
  }
  const Answer damaged = test::jostle({"record", out("none"), "--sample", "2"});
  EXPECT_EQ(damaged.status, 6);
  EXPECT_THAT(damaged.err, HasSubstr("trajectory/q has other extents than the scenario says"));
}

TEST(RecordedLater, AreRefusedWhereTheyDoNotFitIntoTheFile) {
  const ScratchFolder folder;
  const std::string out = (folder / "out").string();
  test::write_file(folder / "still.yaml", R"(jostle: 1
world: {step: 0.01, steps: 2000000000, gravity: [0, 0, 0]}
bodies: {a: {mass: 1, inertia: 1}}
outcomes: {x: {at_end: a.position.x}}
stop_when: time > 0.1
)");
  ASSERT_EQ(test::jostle({"sweep", (folder / "still.yaml").string(), "-n", "2", "-o", out}).status, 0);
  const Answer answer = test::jostle({"record", out, "--sample", "1"});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("more than 8 GB; ask for fewer"));
  EXPECT_LT(answer.peak_memory, 1'000'000'000);
}

// `samples` is the same key.
TEST(TrainingData, MayBeOfListedSamplesByEitherName) {
  const ScratchFolder folder;
  const std::string scenario = (folder / "rod.yaml").string();
  std::string text = read_text_file(test::library("rod"));
  text.replace(text.find("trajectories: 16"), 16, "samples: [1, 2]");
  test::write_file(scenario, text);
  const auto generate = [&](const std::string& out, std::vector<std::string> set) {
    std::vector<std::string> words = {"generate", scenario, "-n", "20", "--set", "world.duration=0.02", "-o", out};
    words.insert(words.end(), set.begin(), set.end());
    const Answer answer = test::jostle(words);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return recorded(out + "/run.h5");
  };
  for (const std::string key : {"record.samples", "record.trajectories"})
    EXPECT_EQ(generate((folder / key).string(), {"--set", key + "=[3, 7]"}), (Samples{3, 7}));
  EXPECT_EQ(generate((folder / "all").string(), {}).size(), 20u);
}

// meta.json says how many samples there are: a sweep of its folder writes it again.
TEST(TrainingMeta, FollowsTheSweepsOfItsFolder) {
  const ScratchFolder folder;
  const std::string out = (folder / "gen").string();
  const auto samples = [&] { return nlohmann::json::parse(read_text_file(folder / "gen/meta.json")).at("samples"); };
  ASSERT_EQ(
      test::jostle({"generate", test::library("rod"), "-n", "20", "--set", "world.duration=0.02", "-o", out}).status,
      0);
  EXPECT_EQ(samples(), 20);
  ASSERT_EQ(test::jostle({"sweep", out, "-n", "10"}).status, 0);
  EXPECT_EQ(samples(), 10);
  ASSERT_EQ(test::jostle({"sweep", out, "-n", "30"}).status, 0);
  EXPECT_EQ(samples(), 30);
}

// A folder that was put together from shards has no logs of jobs.
TEST(TrainingMeta, ComesWithAMergeOfShardsAlone) {
  const ScratchFolder folder;
  const auto made = folder / "gen", copied = folder / "copy";
  const std::vector<std::string> generate = {"generate", test::library("rod"),  "-n", "20",
                                             "--set",    "world.duration=0.02", "-o", made.string()};
  ASSERT_EQ(test::jostle(generate).status, 0);
  std::filesystem::create_directory(copied);
  for (const char* name : {"run.json", "scenario.yaml", "shards"})
    std::filesystem::copy(made / name, copied / name, std::filesystem::copy_options::recursive);
  ASSERT_EQ(test::jostle({"merge", copied.string()}).status, 0);
  EXPECT_EQ(read_text_file(copied / "meta.json"), read_text_file(made / "meta.json"));
}

TEST(TrainingMeta, AFolderWithOtherRecordsGoesOn) {
  const ScratchFolder folder;
  const std::string out = (folder / "gen").string();
  ASSERT_EQ(test::jostle({"generate", test::library("rod"), "-n", "20", "--set", "world.duration=0.02", "--set",
                          "record.dtype=f8", "-o", out})
                .status,
            0);
  const test::Answer more = test::jostle({"generate", out, "-n", "30"});
  EXPECT_EQ(more.status, 0) << more.err;
  EXPECT_EQ(nlohmann::json::parse(read_text_file(folder / "gen/meta.json")).at("samples"), 30);
}

}  // namespace
}  // namespace jostle

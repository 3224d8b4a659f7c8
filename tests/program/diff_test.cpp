// `jostle diff`: two folders sample by sample.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "drivers/reports/difference.hpp"
#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::ScratchFolder;
using testing::AllOf;
using testing::HasSubstr;

// 10 gained and 4 lost of 50 count as 10.5 and 4.5 of 52.
TEST(PairedInterval, IsWaldsWithHalfAPairMoreOfEachSort) {
  const Interval interval = paired_interval(10, 4, 50);
  EXPECT_NEAR(interval.lower, 6.0 / 52 - z95 * std::sqrt((15 - 36.0 / 52) / (52 * 52)), 1e-15);
  EXPECT_NEAR(interval.upper, 6.0 / 52 + z95 * std::sqrt((15 - 36.0 / 52) / (52 * 52)), 1e-15);
  EXPECT_LE(paired_interval(3, 0, 3).upper, 1);
  EXPECT_GT(paired_interval(0, 0, 1000).upper, 1e-3)
      << "a thousand pairs without a change do not show that there is none";
}

// The exact probability of all outcomes of n pairs for which the interval holds the difference.
TEST(PairedInterval, HoldsTheDifferenceInAboutNineteenOfTwentyCases) {
  const auto coverage = [](int n, double gain, double loss) {
    double covered = 0;
    for (int gained = 0; gained <= n; ++gained) {
      for (int lost = 0; gained + lost <= n; ++lost) {
        const int kept = n - gained - lost;
        const double ways =
            std::lgamma(n + 1.0) - std::lgamma(gained + 1.0) - std::lgamma(lost + 1.0) - std::lgamma(kept + 1.0);
        const Interval interval = paired_interval(gained, lost, n);
        if (interval.lower > gain - loss || interval.upper < gain - loss) continue;
        covered += std::exp(ways + gained * std::log(gain) + lost * std::log(loss) + kept * std::log(1 - gain - loss));
      }
    }
    return covered;
  };
  for (const int n : {30, 100, 300}) {
    for (const auto& [gain, loss] : {std::pair{0.02, 0.01}, {0.1, 0.05}, {0.3, 0.2}, {0.05, 0.05}}) {
      EXPECT_GE(coverage(n, gain, loss), 0.93) << n << ' ' << gain << ' ' << loss;
      EXPECT_LE(coverage(n, gain, loss), n * (gain + loss) < 10 ? 1.0 : 0.97) << n << ' ' << gain << ' ' << loss;
    }
  }
}

/// Folders `a` and those that a test makes beside it.
class Diff : public testing::Test {
 protected:
  void SetUp() override { sweep("a", {}); }
  Answer call(std::vector<std::string> words) const { return test::jostle(std::move(words), folder_.path().string()); }
  void sweep(const std::string& out, std::vector<std::string> more, const std::string& samples = "200") const {
    more.insert(more.begin(), {"sweep", "slide.yaml", "-n", samples, "-o", out});
    test::write_file(folder_ / "slide.yaml",
                     "jostle: 1\nvariables: {v: {uniform: [1, 2]}}\n"
                     "world: {gravity: [0, -9.81, 0], step: 0.01, duration: 1, friction_directions: 2}\n"
                     "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n"
                     "  block: {mass: 1, freedom: [x, y], shape: {sphere: {radius: 0.1}}, position: [0, 0.1, 0], "
                     "velocity: [$v, 0, 0]}\n"
                     "contacts: [{between: any, friction: 0.4}]\n"
                     "outcomes: {way: {at_end: block.position.x}, far: {at_end: block.position.x > 0.3}, stops: "
                     "{first_time: block.velocity.x < 1e-9}}\n"
                     "sample: {method: random, seed: 3}\n");
    const Answer answer = call(std::move(more));
    ASSERT_EQ(answer.status, 0) << answer.err;
  }
  /// A column of a summary.
  std::vector<double> column(const std::string& out, const std::string& name) const {
    std::istringstream rows(read_text_file(folder_ / (out + "/summary.csv")));
    std::vector<double> values;
    std::size_t at = 0;
    for (std::string row; std::getline(rows, row);) {
      std::vector<std::string> cells;
      std::istringstream line(row);
      for (std::string cell; std::getline(line, cell, ',');) cells.push_back(cell);
      if (values.empty() && at == 0) {
        while (cells.at(at) != name) ++at;
        continue;
      }
      values.push_back(cells.at(at).empty() ? std::numeric_limits<double>::quiet_NaN() : std::stod(cells.at(at)));
    }
    return values;
  }

  const ScratchFolder folder_;
};

TEST_F(Diff, OfTheSameSamplesFindsNothing) {
  sweep("b", {"--threads", "1"}, "120");
  const Answer answer = call({"diff", "a", "b"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.out, "120 samples in both (of 200 and 120): no bit of their summaries differs\n");
}

// The block slides v^2 / (2 mu g) far; of pairs with the same v, the differences vary less than the ways.
TEST_F(Diff, TellsSettingsAndOutcomesInPairs) {
  sweep("b", {"--set", "contacts[0].friction=0.42"});
  const Answer answer = call({"diff", "a", "b", "--json"});
  ASSERT_EQ(answer.status, 1) << answer.err;
  const json found = json::parse(answer.out);
  EXPECT_EQ(found.at("samples"), 200);
  EXPECT_EQ(found.at("differing"), 200);
  EXPECT_EQ(found.at("first_differing"), 0);
  EXPECT_EQ(found.at("settings"),
            json::parse(R"([{"name": "contacts[0].friction", "first": "0.4", "second": "0.42"}])"));
  EXPECT_EQ(found.at("columns").at("way"), 200);
  EXPECT_FALSE(found.at("columns").contains("v")) << "the draws are the same";

  const std::vector<double> first = column("a", "way"), second = column("b", "way");
  ASSERT_EQ(first.size(), 200u);
  double mean = 0, squares = 0, gained = 0, lost = 0, changed = 0;
  for (std::size_t i = 0; i < first.size(); ++i) mean += (second[i] - first[i]) / 200;
  for (std::size_t i = 0; i < first.size(); ++i) {
    squares += std::pow(second[i] - first[i] - mean, 2);
    gained += first[i] <= 0.3 && second[i] > 0.3, lost += first[i] > 0.3 && second[i] <= 0.3;
    changed += (first[i] > 0.3) != (second[i] > 0.3);
  }
  const json& way = found.at("outcomes").at("way");
  EXPECT_NEAR(way.at("difference").get<double>(), mean, 1e-14);
  EXPECT_NEAR(way.at("second").get<double>() - way.at("first").get<double>(), mean, 1e-14);
  const double half_width = 1.971957 * std::sqrt(squares / 199 / 200);  // t of 199 degrees of freedom
  EXPECT_NEAR(way.at("lower").get<double>(), mean - half_width, 1e-6 * half_width);
  EXPECT_NEAR(way.at("upper").get<double>(), mean + half_width, 1e-6 * half_width);
  EXPECT_LT(way.at("upper").get<double>(), 0) << "200 pairs tell 5 % of friction";
  const json& far = found.at("outcomes").at("far");
  ASSERT_GT(lost, 0);
  EXPECT_EQ(far.at("changed"), changed);
  EXPECT_EQ(far.at("difference"), (gained - lost) / 200);
  EXPECT_EQ(found.at("outcomes").at("stops").at("kind"), "rate");
  EXPECT_EQ(found.at("outcomes").at("stops").at("difference"), 0) << "all stop, if not when they did";
  EXPECT_GT(found.at("outcomes").at("stops").at("changed"), 0);

  const Answer text = call({"diff", "a", "b"});
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out, AllOf(HasSubstr("200 samples in both (of 200 and 200): 200 differ, first sample 0\n"),
                              HasSubstr("contacts[0].friction  0.4    0.42\n"), HasSubstr("95 % interval")));
}

TEST_F(Diff, TellsWhatOnlyOneHas) {
  sweep("b", {"--set", "outcomes.way.at_end=block.position.y", "--set", "world.gravity=[0, -9.8, 0]", "--seed", "4"});
  const json found = json::parse(call({"diff", "a", "b", "--json"}).out);
  std::vector<std::string> names;
  for (const json& setting : found.at("settings")) names.push_back(setting.at("name"));
  EXPECT_EQ(names, (std::vector<std::string>{"sample.seed", "world.gravity", "outcomes.way.at_end"}));
  EXPECT_EQ(found.at("columns").at("v"), 200);
  test::write_file(folder_ / "no.yaml", "jostle: 1\n");
  for (const std::string& path : {std::string("no.yaml"), std::string("nowhere")}) {
    const Answer wrong = call({"diff", "a", path});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, AllOf(HasSubstr(path + ":1:1: is not the folder of a sweep"),
                                 testing::ResultOf(test::is_one_line, true)));
  }
}

TEST_F(Diff, NamesConstantsAsTheFileDoes) {
  const auto settings = [&](const char* first, const char* second) {
    sweep("b", {"--set", std::string("variables.v=") + first}, "20");
    sweep("c", {"--set", std::string("variables.v=") + second}, "20");
    const json found = json::parse(call({"diff", "b", "c", "--json"}).out).at("settings");
    std::filesystem::remove_all(folder_ / "b"), std::filesystem::remove_all(folder_ / "c");
    return found;
  };
  EXPECT_EQ(settings("1.5", "1.6"), json::parse(R"([{"name": "variables.v", "first": "1.5", "second": "1.6"}])"));
  EXPECT_EQ(settings("{uniform: [1, 2]}", "1.6"),
            json::parse(R"([{"name": "variables.v.uniform", "first": "[1, 2]", "second": ""},
                            {"name": "variables.v", "first": "", "second": "1.6"}])"));
  EXPECT_EQ(settings("{choice: {values: [1, 2]}}", "1.6"),
            json::parse(R"([{"name": "variables.v.choice.values", "first": "[1, 2]", "second": "[1.6]"}])"));
}

// The digest of a shard counts what is recorded of motions, too.
TEST_F(Diff, SeesShardsThatRecordAnotherMotion) {
  sweep("b", {});
  const std::string shard = (folder_ / "b/shards/shard-00000.h5").string();
  std::string bytes = read_text_file(shard);
  const std::string run = read_text_file(folder_ / "b/run.json"), key = "\"digest\": \"";
  const std::string digest = run.substr(run.find(key) + key.size(), 16);
  const std::size_t at = bytes.find(digest);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = bytes[at] == '0' ? '1' : '0';
  test::write_file(shard, bytes);
  const Answer answer = call({"diff", "a", "b"});
  EXPECT_EQ(answer.status, 1) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("no bit of their summaries differs\n"),
                                HasSubstr("what is recorded of their motion differs in 1 shard.\n")));
}

// Each page of its file may be the one that was lost.
TEST_F(Diff, OfADamagedShardIsAnErrorOfTheFile) {
  constexpr std::size_t page = 4096;
  const std::string shard = folder_ / "a/shards/shard-00000.h5", whole = read_text_file(shard);
  sweep("b", {}, "200");
  for (std::size_t at = 0; at < whole.size(); at += page) {
    std::string damaged = whole;
    damaged.replace(at, std::min(page, whole.size() - at), std::min(page, whole.size() - at), '\0');
    test::write_file(shard, damaged);
    const Answer answer = call({"diff", "a", "b"});
    EXPECT_TRUE(answer.status == 0 || answer.status == 6) << at << ' ' << answer.status << answer.err;
    const bool is_told = answer.err.find("a/shards/shard-00000.h5: is damaged: ") != std::string::npos;
    EXPECT_EQ(answer.status == 6, is_told) << at << ' ' << answer.err;
  }
}

TEST_F(Diff, LeavesOtherRecordsAlone) {
  sweep("b", {"--set", "record.samples=3"});
  const Answer answer = call({"diff", "a", "b"});
  EXPECT_EQ(answer.status, 0) << "other records are no other bits";
  EXPECT_THAT(answer.out, AllOf(HasSubstr("no bit"), HasSubstr("record.trajectories  0      3\n")));
}

}  // namespace
}  // namespace jostle

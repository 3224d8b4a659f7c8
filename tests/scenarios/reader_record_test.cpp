// `record`: which samples, and which of their states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/format/canonical.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

using Which = RecordedSamples::Which;
using testing::HasSubstr;

constexpr const char* ball = R"yaml(jostle: 1
variables: {mu: {uniform: [0.2, 0.5]}}
world: {step: 0.004, duration: 0.5}
bodies:
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [{uniform: [0, 1]}, 0, 1]}
outcomes:
  jam: {at_end: ball.position.x > 0.5}
  way: {at_end: ball.position.x}
  hit: {first_time: ball.position.z < 0.5}
)yaml";

Scenario read(const std::string& record) { return parse_scenario(ball + ("record: " + record + "\n"), "ball.yaml"); }

std::string canonical_record(const std::string& record) {
  const Scenario scenario = read(record);
  EXPECT_EQ(parse_scenario(scenario.canonical, "again.yaml").canonical, scenario.canonical);
  const std::size_t begin = scenario.canonical.find("record: ");
  return scenario.canonical.substr(begin, scenario.canonical.find('\n', begin) - begin);
}

TEST(Record, ChoosesSamplesByNumberOrByCondition) {
  const RecordedSamples listed = read("{samples: [7, 3, 7]}").record.trajectories;
  EXPECT_EQ(listed.which, Which::listed);
  EXPECT_EQ(listed.list, (std::vector<std::int64_t>{3, 7}));
  const RecordedSamples where = read("{trajectories: {where: jam and $mu < 0.4, first: 20}}").record.trajectories;
  EXPECT_EQ(where.which, Which::where);
  EXPECT_EQ(where.where.condition, "jam and $mu < 0.4");
  EXPECT_EQ(where.where.first, 20);
  for (const char* condition :
       {"jam", "not jam", "jam == 1", "jam == 1 and jam != 0", "mu < 0.4", "way > 0.2 or status != 0", "hit < 0.1",
        "'bodies.ball.position[0] > 0.5'", "'$bodies.ball.position[0] > 0.5'", "sample < 7"})
    EXPECT_EQ(read(std::string("{samples: {where: ") + condition + "}}").record.trajectories.which, Which::where);
  EXPECT_EQ(read("{samples: failures}").record.trajectories.which, Which::failures);
  EXPECT_EQ(read("{samples: []}").record.trajectories.which, Which::none);
}

TEST(Record, ALiveBatchMayHaveQuantitiesWithASlash) {
  ReadOptions options;
  options.set = {"record={quantities: [ball.position.x/2]}"};
  EXPECT_THROW(parse_scenario(ball, "ball.yaml", options), ScenarioError);
  options.live = true;
  const Scenario live = parse_scenario(ball, "ball.yaml", options);
  ASSERT_EQ(live.record.quantities.size(), 1U);
  EXPECT_EQ(live.record.quantities[0].text, "ball.position.x/2");
}

TEST(Record, StrideMayBeATime) {
  EXPECT_EQ(read("{every: 0.02}").record.stride, 5);
  EXPECT_EQ(read("{every: 0.5}").record.stride, 125);
  EXPECT_EQ(read("{stride: 5}").canonical, read("{every: 0.02}").canonical);
}

// What is new appears only where it is used, so that datasets keep their identity.
TEST(Record, CanonicalTextHasOneNameForEach) {
  EXPECT_EQ(canonical_record("{samples: 4, every: 0.02}"), "record: {trajectories: 4, stride: 5}");
  EXPECT_EQ(canonical_record("{samples: [3, 7], last: true}"), "record: {trajectories: [3, 7], stride: 1}");
  EXPECT_EQ(canonical_record("{samples: {where: jam}, last: false}"),
            "record: {trajectories: {where: \"jam\"}, stride: 1, last: false}");
  EXPECT_EQ(canonical_record("{samples: {where: jam, first: 3}}"),
            "record: {trajectories: {where: \"jam\", first: 3}, stride: 1}");
}

// `samples` and `trajectories` are the same key, so what is set by one name replaces what stands under the other.
TEST(Record, IsSetByEitherName) {
  const auto listed = [](const std::string& record, std::vector<std::string> set) {
    ReadOptions options;
    options.set = std::move(set);
    return parse_scenario(ball + ("record: " + record + "\n"), "ball.yaml", options).record.trajectories.list;
  };
  using List = std::vector<std::int64_t>;
  EXPECT_EQ(listed("{samples: [1]}", {"record.trajectories=[2]"}), List{2});
  EXPECT_EQ(listed("{trajectories: [1]}", {"record.samples=[2]"}), List{2});
  EXPECT_EQ(listed("{trajectories: [1]}", {"record.samples[0]=2"}), List{2});
  EXPECT_EQ(listed("{trajectories: [1], stride: 2}", {"record.samples=null"}), List{});
  EXPECT_EQ(listed("{stride: 2}", {"record.samples=[1]", "record.trajectories=[2]"}), List{2});
  EXPECT_THROW(listed("{trajectories: [1], samples: [2]}", {"record.samples=[3]"}), ScenarioError);
}

struct WrongRecord {
  const char* name;
  const char* record;
  const char* message;
};
void PrintTo(const WrongRecord& wrong, std::ostream* out) { *out << wrong.name; }
class WrongRecords : public testing::TestWithParam<WrongRecord> {};

TEST_P(WrongRecords, AreRefusedWithTheirPlace) {
  try {
    read(GetParam().record);
    FAIL() << "was read";
  } catch (const ScenarioError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

constexpr WrongRecord wrong_records[] = {
    {"UnknownOutcome", "{samples: {where: jamm and mu < 1}}",
     "ball.yaml:10:27: record.samples.where: there is no outcome or variable 'jamm' (did you mean 'jam'?)"},
    {"UnknownOutcomeLater", "{samples: {where: jam and muu < 1}}",
     "ball.yaml:10:35: record.samples.where: there is no outcome or variable 'muu' (did you mean 'mu'?)"},
    {"Number", "{samples: {where: way}}",
     "ball.yaml:10:27: record.samples.where: a condition needs a truth value such as 'x < 1', not a number"},
    {"TruthAsBoth", "{samples: {where: jam == 0 and not jam}}",
     "ball.yaml:10:27: record.samples.where: '==' needs a number, but this is a truth value (write 'a and not b', or "
     "compare each of them with 1 or 0)"},
    {"Quantity", "{samples: {where: ball.position.x > 1}}",
     "ball.yaml:10:27: record.samples.where: there is no outcome or variable 'ball.position.x' (known: jam, way, hit, "
     "mu, bodies.ball.position[0], status, sample)"},
    {"UnknownPath", "{samples: {where: 'bodies.ball.position[1] > 1'}}",
     "ball.yaml:10:28: record.samples.where: there is no outcome or variable 'bodies.ball.position[1]' (did you mean "
     "'bodies.ball.position[0]'?)"},
    {"NoPath", "{samples: {where: 'bodies.ball.position[x] > 1'}}",
     "ball.yaml:10:28: record.samples.where: write a path as bodies.rod.spin[2]"},
    {"Gap", "{samples: {where: 'gap(ball, ball) < 1'}}",
     "ball.yaml:10:28: record.samples.where: a condition on samples is about outcomes, not about gaps"},
    {"NoCondition", "{samples: {first: 3}}", "ball.yaml:10:19: record.samples.where is missing"},
    {"FirstIsZero", "{samples: {where: jam, first: 0}}",
     "ball.yaml:10:39: record.samples.first must be 1 or more, not 0"},
    {"NegativeSample", "{samples: [3, -1]}", "ball.yaml:10:23: record.samples[1] must be 0 or more, not -1"},
    {"Misspelt", "{samples: failure}",
     "ball.yaml:10:19: record.samples must be all, failures, a whole number, a list of samples or a condition such as "
     "{where: jam}, not 'failure'"},
    {"TwoNames", "{samples: 3, trajectories: 4}", "ball.yaml:10:19: record has both trajectories and samples"},
    {"TwoStrides", "{stride: 3, every: 0.02}", "ball.yaml:10:28: record has both stride and every"},
    {"EveryNoWholeStep", "{every: 0.01}",
     "ball.yaml:10:17: record.every must be a whole number of steps of 0.004 s, not 0.01 s; record.stride counts "
     "steps"},
    {"EveryTooLong", "{every: 10}",
     "ball.yaml:10:17: record.every is 10 s, more than the simulated 0.5 s; record.stride counts steps"},
    {"EveryZero", "{every: 0}", "ball.yaml:10:17: record.every must be greater than 0"},
    {"LastIsNoFlag", "{last: no}", "ball.yaml:10:16: record.last must be true or false, not 'no'"}};

INSTANTIATE_TEST_SUITE_P(Record, WrongRecords, testing::ValuesIn(wrong_records),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

}  // namespace
}  // namespace jostle

// `jostle run`: a sample with its trace, replayed from a scenario or from the folder of a sweep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/program/program.hpp"
#include "tests/program/scenarios.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

json run_json(std::vector<std::string> words, int status = 0, const std::string& folder = {}) {
  words.insert(words.begin(), "run");
  words.emplace_back("--json");
  const Answer answer = test::jostle(std::move(words), folder);
  EXPECT_EQ(answer.status, status) << answer.err;
  return json::parse(answer.out);
}

/// Row `sample` of a summary.csv by the names of its columns.
std::map<std::string, double> summary_row(const std::filesystem::path& csv, int sample) {
  std::istringstream lines(read_text_file(csv));
  std::string names, values, name, value;
  std::getline(lines, names);
  for (int i = 0; i <= sample; ++i) std::getline(lines, values);
  std::istringstream name_stream(names), value_stream(values);
  std::map<std::string, double> row;
  while (std::getline(name_stream, name, ',') && std::getline(value_stream, value, ',')) row[name] = std::stod(value);
  return row;
}

/// The same doubles, undefined ones included.
void expect_same_bits(const json& run, const std::map<std::string, double>& row) {
  EXPECT_EQ(run.at("sample"), row.at("sample"));
  EXPECT_EQ(run.at("steps"), row.at("steps"));
  EXPECT_EQ(run.at("end_time"), row.at("end_time"));
  for (const char* group : {"variables", "outcomes"})
    for (const auto& [name, value] : run.at(group).items()) {
      if (std::isnan(row.at(name)))
        EXPECT_TRUE(value.is_null()) << name;
      else
        EXPECT_EQ(value.get<double>(), row.at(name)) << name;
    }
}

// A fall at 10 m/s^2 in steps of 0.25 s, all numbers exact; the header quotes what has a comma.
TEST(Run, WithCsvPrintsCurves) {
  const ScratchFolder folder;
  const std::string file = (folder / "fall.yaml").string();
  write_file(
      file,
      "jostle: 1\nworld: {step: 0.25, duration: 0.5, gravity: [0, 0, -10]}\nbodies: {ball: {mass: 1, inertia: 1}}\n"
      "outcomes: {v: {minimum: ball.velocity.z}, w: {maximum: 'max(ball.velocity.z, -4)'}}\n");
  const Answer answer = test::jostle({"run", file, "--csv"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(answer.out, "step,time,ball.velocity.z,\"max(ball.velocity.z, -4)\"\n1,0.25,-2.5,-2.5\n2,0.5,-5,-4\n");
  for (const char* const other : {"--json", "--states", "--contacts"})
    EXPECT_EQ(test::jostle({"run", file, "--csv", other}).status, 2) << other;
  EXPECT_EQ(test::jostle({"run", file, "--csv", "--set", "outcomes.v={at_end: time}"}).out,
            "step,time,(time),\"max(ball.velocity.z, -4)\"\n1,0.25,0.25,-2.5\n2,0.5,0.5,-4\n");
  EXPECT_EQ(test::jostle({"run", file, "--csv", "--set", "outcomes={v: {at_end: \"time\\n+ 1\"}}"}).out,
            "step,time,\"time\n+ 1\"\n1,0.25,1.25\n2,0.5,1.5\n")
      << "an expression of two lines";
}

// The mass of sample 1 is negative; the reason names the file.
TEST(Run, AsJsonReplacesWhatIsNoUtf8InAPath) {
  const ScratchFolder folder;
  write_file(folder / "caf\xe9.yaml",
             "jostle: 1\nvariables: {m: {uniform: [-1, 1]}}\nworld: {step: 0.5, duration: 0.5}\n"
             "bodies: {ball: {mass: $m, inertia: 1}}\noutcomes: {v: {at_end: ball.velocity.z}}\n");
  const Answer answer = test::jostle({"run", "caf\xe9.yaml", "--sample", "1", "--json"}, folder.path().string());
  EXPECT_EQ(answer.status, 3) << answer.err;
  EXPECT_THAT(json::parse(answer.out).at("reason").get<std::string>(), HasSubstr("caf\xef\xbf\xbd.yaml:4:"));
}

// Free flight: x and v of each step follow from the start.
TEST(Run, WithStatesPrintsTheMotion) {
  const ScratchFolder folder;
  write_file(folder / "ball.yaml", R"yaml(jostle: 1
world: {step: 0.1, duration: 0.2}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 5], velocity: [1, 0, 0], spin: [0, 0, 2]}
contacts: [{between: any}]
)yaml");
  const json run = run_json({"ball.yaml", "--states"}, 0, folder.path().string());
  const std::vector<json> states = {run.at("start").at("ball"), run.at("trace").at(0).at("states").at("ball"),
                                    run.at("trace").at(1).at("states").at("ball")};
  EXPECT_FALSE(run.at("start").contains("floor"));
  EXPECT_EQ(states[0].at("position").at(2), 5);
  for (int step = 0; step < 3; ++step) {
    EXPECT_NEAR(states[step].at("position").at(0).get<double>(), 0.1 * step, 1e-15);
    EXPECT_NEAR(states[step].at("velocity").at(2).get<double>(), -0.981 * step, 1e-14);
    EXPECT_EQ(states[step].at("spin"), json({0, 0, 2}));
    EXPECT_NEAR(states[step].at("orientation").at(0).get<double>(), std::cos(0.1 * step), 1e-14);
  }
  const Answer text = test::jostle({"run", "ball.yaml", "--states"}, folder.path().string());
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 10) << text.out;
  EXPECT_THAT(text.out, HasSubstr("ball  at "));
  EXPECT_FALSE(run_json({"ball.yaml"}, 0, folder.path().string()).at("trace").at(0).contains("states"));
}

TEST(Run, PrintsALinePerStep) {
  const Answer answer = test::jostle({"run", library("rod"), "--sample", "3"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_EQ(answer.err, "");
  for (const char* part : {"sample 3, seed 7: mu = ", "time / s", "contacts", "pivots", "residual", "gained / J",
                           "energy / J", "status: ok after 400 steps", "lies: true"})
    EXPECT_THAT(answer.out, HasSubstr(part));
  const auto lines = std::count(answer.out.begin(), answer.out.end(), '\n');
  EXPECT_EQ(lines, 4 + 400 + 1 + 4) << "title, sample, masses, header; steps; status; outcomes";
}

TEST(Run, AsJsonHasEveryStep) {
  const json run = run_json({library("rod"), "--seed", "9"});
  EXPECT_EQ(run.at("status"), "ok");
  EXPECT_EQ(run.at("seed"), 9);
  ASSERT_EQ(run.at("trace").size(), 400u);
  const json& last = run.at("trace").back();
  EXPECT_EQ(last.at("step"), 400);
  EXPECT_EQ(last.at("time"), 1.0);
  for (const char* key : {"contacts", "pivots", "residual", "energy_gained", "energy"})
    EXPECT_TRUE(last.at(key).is_number()) << key;
}

TEST(Run, TakesSettings) {
  const json run = run_json({library("rod"), "--set", "variables.mu=0.6", "--set", "world.duration=0.5"});
  EXPECT_EQ(run.at("variables").at("mu"), 0.6);
  EXPECT_EQ(run.at("steps"), 200);
}

/// The largest value of a column of the trace.
double largest_of(const json& trace, const char* column) {
  double largest = 0;
  for (const json& step : trace) largest = std::max(largest, step.at(column).get<double>());
  return largest;
}

TEST(Run, OfASweepsFolderGivesTheBitsOfTheSummary) {
  for (const char* method : {"sobol", "random"}) {
    const ScratchFolder folder;
    const std::string out = (folder / "out").string();
    const Answer sweep = test::jostle({"sweep", library("rod"), "-n", "20", "--seed", "5", "-o", out, "--set",
                                       "world.duration=0.6", "--set", std::string("sample.method=") + method});
    ASSERT_EQ(sweep.status, 0) << sweep.err;
    for (const int sample : {0, 7, 19}) {
      const json run = run_json({out, "--sample", std::to_string(sample)});
      const auto row = summary_row(folder / "out/summary.csv", sample);
      expect_same_bits(run, row);
      EXPECT_EQ(largest_of(run.at("trace"), "pivots"), row.at("pivots_max"));
      EXPECT_EQ(largest_of(run.at("trace"), "residual"), row.at("residual_max"));
    }
  }
}

// What the folder does not hold is simulated, and said not to be in it.
TEST(Run, OfASweepsFolderWarnsOfWhatIsNotInIt) {
  const ScratchFolder folder;
  ASSERT_EQ(
      test::jostle({"sweep", library("sliding_block"), "-n", "2", "--seed", "5", "-o", "out"}, folder.path()).status,
      0);
  const auto warning = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"run", "out"});
    const Answer answer = test::jostle(arguments, folder.path());
    EXPECT_EQ(answer.status, 0);
    return answer.err;
  };
  EXPECT_EQ(warning({"--sample", "1"}), "");
  EXPECT_EQ(warning({"--seed", "5"}), "") << "its own seed";
  EXPECT_EQ(warning({"--set", "world.duration=2.5"}), "") << "what it was";
  EXPECT_EQ(warning({"--seed", "6"}), "out: its seed is 5, so with --seed 6 this is no longer its sample\n");
  EXPECT_EQ(warning({"--set", "world.duration=0.1"}), "out: with --set this is not a sample of the folder\n");
  EXPECT_EQ(warning({"--sample", "2"}), "out: has 2 samples (numbered from 0); sample 2 is not one of them\n");
}

TEST(Run, OfAnInvalidSampleGivesTheBitsOfTheSummary) {
  const ScratchFolder folder;
  write_file(folder / "kicked.yaml", test::kicked_ball);
  ASSERT_EQ(test::jostle({"sweep", "kicked.yaml", "-n", "12", "-o", "out"}, folder.path()).status, 3);
  int invalid = 0;
  for (int sample = 0; sample < 12; ++sample) {
    const auto row = summary_row(folder / "out/summary.csv", sample);
    const bool failed = row.at("status") != 0;
    invalid += failed;
    const json run = run_json({"out", "--sample", std::to_string(sample)}, failed ? 3 : 0, folder.path());
    expect_same_bits(run, row);
    if (!failed) continue;
    EXPECT_EQ(run.at("status"), "not_finite");
    EXPECT_EQ(run.at("trace").back().at("status"), "not_finite");
    EXPECT_EQ(run.at("reason"), "a number of the next step is not finite");
    EXPECT_EQ(run.at("trace").size(), run.at("steps").get<std::size_t>() + 1) << "the failed step is shown";
    EXPECT_TRUE(run.at("outcomes").at("height").is_null());
  }
  EXPECT_GT(invalid, 0);
  EXPECT_LT(invalid, 12);
}

// The path of the table is relative to the scenario, which need not lie in the folder or where one is.
TEST(Run, OfASweepOverATableFindsTheTableAgain) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "scenario");
  write_file(folder / "scenario/points.csv", "speed,mu\n2.5,0.3\n3.5,0.25\n");
  write_file(folder / "scenario/block.yaml", test::block_over_table);
  const Answer sweep = test::jostle({"sweep", "scenario/block.yaml", "-n", "2", "-o", "out"}, folder.path());
  ASSERT_EQ(sweep.status, 0) << sweep.err;
  const json run = run_json({(folder / "out").string(), "--sample", "1"});
  EXPECT_EQ(run.at("variables").at("speed"), 3.5);
  expect_same_bits(run, summary_row(folder / "out/summary.csv", 1));

  const Answer beyond = test::jostle({"run", (folder / "out").string(), "--sample", "2"});
  EXPECT_EQ(beyond.status, 2);
  EXPECT_THAT(beyond.err, HasSubstr("there is no sample 2, the table has 2 rows"));
  write_file(folder / "scenario/points.csv", "speed,mu\n2.5,0.3\n3.5,0.35\n");
  const Answer changed = test::jostle({"run", (folder / "out").string(), "--sample", "1"});
  EXPECT_EQ(changed.status, 2);
  EXPECT_THAT(changed.err, HasSubstr("the table has changed since"));
}

TEST(Run, BeyondALatinHypercubeSaysHowManySamplesItHas) {
  const std::vector<std::string> hypercube = {"--set", "sample.method=latin_hypercube", "--set", "sample.count=5"};
  for (const char* command : {"run", "view"}) {
    std::vector<std::string> words = {command, JOSTLE_SOURCE_DIR "/scenarios/library/rod.yaml", "--sample", "5"};
    words.insert(words.end(), hypercube.begin(), hypercube.end());
    const Answer answer = test::jostle(words);
    EXPECT_EQ(answer.status, 2);
    EXPECT_EQ(answer.err, "--sample: there is no sample 5, the Latin hypercube has 5 samples\n");
  }
}

// The points are in the folder, so that the file only says where they come from.
TEST(Run, OfASweepOverAMeshSaysIfItsFileHasChanged) {
  const ScratchFolder folder;
  const std::string mesh = "v 0 0 0\nv 20 0 0\nv 0 20 0\nv 0 0 20\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  write_file(folder / "part.obj", mesh);
  write_file(folder / "part.yaml",
             "jostle: 1\nworld: {step: 0.01, duration: 0.05}\nbodies:\n  part: {density: 1000, shape: {mesh: {file: "
             "part.obj, scale: 0.001, as: hull}}}\noutcomes: {z: {at_end: part.position.z}}\n");
  const Answer sweep = test::jostle({"sweep", "part.yaml", "-n", "1", "-o", "out"}, folder.path());
  ASSERT_EQ(sweep.status, 0) << sweep.err;
  const auto replay = [&] { return test::jostle({"run", "out"}, folder.path()); };
  const Answer same = replay();
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.err, testing::Not(HasSubstr("has changed")));
  write_file(folder / "part.obj", "# another\n" + mesh);
  const Answer changed = replay();
  EXPECT_EQ(changed.status, 0) << changed.err;
  EXPECT_THAT(changed.err, HasSubstr("part.obj has changed since the sweep, whose points are used"));
  EXPECT_EQ(changed.out, same.out);
  const Answer extended = test::jostle({"sweep", "out", "-n", "2"}, folder.path());
  EXPECT_EQ(extended.status, 0) << extended.err;
  EXPECT_THAT(replay().err, HasSubstr("part.obj has changed since the sweep, whose points are used"));
  std::filesystem::remove(folder / "part.obj");
  EXPECT_EQ(replay().out, same.out);
}

TEST(Run, OfAnotherFolderIsRefused) {
  const ScratchFolder folder;
  const Answer answer = test::jostle({"run", folder.path().string()});
  EXPECT_EQ(answer.status, 2);
  EXPECT_TRUE(test::is_one_line(answer.err));
  EXPECT_THAT(answer.err, HasSubstr(":1:1: is a directory, neither a scenario file nor the folder of a sweep"));
}

TEST(Run, OfADrawThatIsNotPhysicalEndsWithPlaceAndNumber) {
  const ScratchFolder folder;
  std::string text = test::kicked_ball;
  text.replace(text.find("mass: 1.0"), 9, "mass: $limit - 2");
  write_file(folder / "light.yaml", text);
  const Answer answer = test::jostle({"run", "light.yaml"}, folder.path());
  EXPECT_EQ(answer.status, 3);
  EXPECT_THAT(answer.out, HasSubstr("status: bad_parameters after 0 steps"));
  const std::string last = "light.yaml:7:16: bodies.ball.mass must be greater than 0, but $limit - 2 is -";
  EXPECT_THAT(answer.out.substr(answer.out.rfind('\n', answer.out.size() - 2) + 1), testing::StartsWith(last));
  EXPECT_THAT(run_json({"light.yaml"}, 3, folder.path()).at("reason").get<std::string>(), testing::StartsWith(last));
  EXPECT_FALSE(run_json({library("rod")}).contains("reason"));
}

// Kinetic energy and the work of gravity are both infinite.
TEST(Run, WhoseEnergyOverflowsPrintsTheOneNan) {
  const ScratchFolder folder;
  write_file(folder / "ball.yaml",
             "jostle: 1\nworld: {step: 0.001, duration: 0.002, gravity: [0, 0, 1e308]}\n"
             "bodies:\n  ball: {mass: 1, shape: {sphere: {radius: 0.1}}}\n");
  const Answer answer = test::jostle({"run", "ball.yaml"}, folder.path());
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.out, testing::AllOf(HasSubstr("  nan\n"), testing::Not(HasSubstr("-nan"))));
  EXPECT_TRUE(run_json({"ball.yaml"}, 0, folder.path()).at("trace").at(1).at("energy").is_null());
  ASSERT_EQ(test::jostle({"sweep", "ball.yaml"}, folder.path()).status, 0);
  const std::string row = read_text_file(folder / "ball.out/summary.csv");
  EXPECT_THAT(row, testing::EndsWith(",nan\n")) << "the energy drift";
}

TEST(Run, OfAFolderWithADamagedRecordIsRefusedAsASweepIntoItIs) {
  for (const char* record : {"{\"format\": 1,", "{\"somebody\": \"else's\"}", "[]", ""}) {
    const ScratchFolder folder;
    ASSERT_EQ(test::jostle({"sweep", library("sliding_block"), "-n", "2", "-o", "out"}, folder.path()).status, 0);
    write_file(folder / "out/run.json", record);
    const Answer run = test::jostle({"run", "out"}, folder.path());
    const Answer sweep = test::jostle({"sweep", library("sliding_block"), "-n", "2", "-o", "out"}, folder.path());
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(sweep.status, 2);
    EXPECT_EQ(run.err, "out/run.json:1:1: is damaged, or was not written by jostle\n");
    EXPECT_EQ(sweep.err, run.err);
  }
}

TEST(Run, OfAFolderWhoseScenarioWasEditedIsRefused) {
  const ScratchFolder folder;
  const std::string out = (folder / "out").string();
  ASSERT_EQ(test::jostle({"sweep", library("sliding_block"), "-n", "2", "-o", out}).status, 0);
  std::string scenario = read_text_file(folder / "out/scenario.yaml");
  const std::size_t at = scenario.find("step: 0.01");
  ASSERT_NE(at, std::string::npos);
  write_file(folder / "out/scenario.yaml", scenario.replace(at, 10, "step: 0.02"));
  const Answer answer = test::jostle({"run", out});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("is not the scenario that run.json recorded"));
}

}  // namespace
}  // namespace jostle

// `jostle run --dump-lcp`: the LCP of a step, for `jostle lcp`, which scales it in its own way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

/// What `lcp` says of the last LCP of that step, and how many variables it has.
std::pair<json, std::size_t> solved_dump(const std::string& scenario, const json& step, int status) {
  const ScratchFolder folder;
  const std::string file = (folder / "lcp.json").string();
  const std::string number = std::to_string(step.at("step").get<int>());
  EXPECT_EQ(test::jostle({"run", scenario, "--dump-lcp", number, file}).status, status);
  const Answer answer = test::jostle({"lcp", file, "--json"});
  EXPECT_EQ(answer.status, status);
  return {json::parse(answer.out).back(), json::parse(read_text_file(file)).back().at("q").size()};
}

TEST(DumpLcp, IsReadAndSolvedByLcp) {
  const std::pair<const char*, std::size_t> scenarios[] = {{"rod", 2}, {"sliding_block", 8}, {"tossed_box", 8}};
  for (const auto& [scenario, directions] : scenarios) {
    SCOPED_TRACE(scenario);
    const json trace = json::parse(test::jostle({"run", library(scenario), "--json"}).out).at("trace");
    const json* touching = nullptr;
    for (const json& step : trace)
      if (step.at("contacts") > 0) touching = &step;
    ASSERT_NE(touching, nullptr);
    const auto [solution, size] = solved_dump(library(scenario), *touching, 0);
    EXPECT_EQ(size, touching->at("contacts").get<std::size_t>() * (directions + 2));
    EXPECT_EQ(solution.at("status"), "solved");
    EXPECT_LE(solution.at("residual").get<double>(), 1e-8);
  }
}

// It slides below a shelf that it cannot get away from: up is where it would have to go, and x its only freedom. The
// dump is of the LCP that holds it.
TEST(DumpLcp, OfAStepThatHoldsAJamIsTheOneWithAnAnswer) {
  const ScratchFolder folder;
  const std::string scenario = (folder / "wedge.yaml").string();
  write_file(scenario, R"(
jostle: 1
world: {step: 0.01, duration: 0.2}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [-3, 0, 0.1]}
  shelf: {fixed: true, shape: {box: {size: [1, 1, 0.2]}}, position: [0.55, 0, 0]}
  wedge: {mass: 1, freedom: [x], shape: {sphere: {radius: 0.1}}, position: [-1, 0, 0.199], velocity: [10, 0, 0]}
contacts: [{between: any, friction: 0.3}]
)");
  const json run = json::parse(test::jostle({"run", scenario, "--json"}).out);
  ASSERT_EQ(run.at("status"), "ok");
  const json& last = run.at("trace").back();
  EXPECT_EQ(last.at("held"), true);
  EXPECT_EQ(run.at("trace").front().at("held"), false);
  const auto [solution, size] = solved_dump(scenario, last, 0);
  EXPECT_EQ(solution.at("status"), "solved");
  EXPECT_GT(size, 0u);
}

TEST(DumpLcp, LabelsEveryRow) {
  const ScratchFolder folder;
  const std::string file = (folder / "lcp.json").string();
  ASSERT_EQ(test::jostle({"run", library("sliding_block"), "--dump-lcp", "5", file}).status, 0);
  const json lcp = json::parse(read_text_file(file)).back();
  EXPECT_EQ(lcp.at("name"), "step5_1");
  const json &labels = lcp.at("labels"), &M = lcp.at("M");
  ASSERT_EQ(labels.size(), lcp.at("q").size());
  std::map<std::string, int> kinds;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const json& label = labels[i];
    const auto kind = label.at("kind").get<std::string>();
    ++kinds[kind];
    EXPECT_EQ(label.at("bodies").size(), 2u);
    if (kind == "slip_speed") {
      EXPECT_FALSE(label.contains("direction"));
      EXPECT_EQ(M[i][i], 0.0);
      continue;
    }
    const auto d = label.at("direction").get<std::vector<double>>();
    EXPECT_NEAR(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1, 1e-15);
    EXPECT_NEAR(std::fabs(d[2]), kind == "normal" ? 1 : 0, 1e-15) << "the block lies on a plane";
    for (std::size_t j = 0; j < i && kind == "friction"; ++j) {  // columns come in pairs d, -d
      if (labels[j].at("kind") != kind || labels[j].at("contact") != label.at("contact")) continue;
      const auto e = labels[j].at("direction").get<std::vector<double>>();
      const bool is_opposite = e[0] == -d[0] && e[1] == -d[1] && e[2] == -d[2];
      EXPECT_EQ(M[i][j] == -M[i][i].get<double>(), is_opposite) << i << ' ' << j;
    }
  }
  EXPECT_EQ(kinds["normal"], kinds["slip_speed"]);
  EXPECT_EQ(kinds["friction"], 8 * kinds["normal"]);
}

TEST(DumpLcp, OfAJointNamesIt) {
  const ScratchFolder folder;
  const std::string file = (folder / "lcp.json").string();
  ASSERT_EQ(test::jostle({"run", library("door"), "--dump-lcp", "1", file}).status, 0);
  const json lcp = json::parse(read_text_file(file)).back();
  bool has_joint = false;
  for (const json& label : lcp.at("labels")) has_joint = has_joint || label.value("joint", "") == "hinge";
  EXPECT_TRUE(has_joint) << lcp.at("labels");
}

// Impacts, fixed points and divided steps have several LCPs in a step.
TEST(DumpLcp, OfAllStepsIsSolvedAndChangesNoBit) {
  for (const auto& [scenario, set] :
       std::vector<std::pair<std::string, std::string>>{{"rod", "world.linearisation=fixed_point"},
                                                        {"box_stack", "world.duration=0.2"},
                                                        {"door", "title=t"},
                                                        {"bouncing_ball", "title=t"},
                                                        {"stick_slip_block", "title=t"},
                                                        {"smooth_dome", "title=t"},
                                                        {"pulled_block", "title=t"}}) {
    SCOPED_TRACE(scenario);
    const ScratchFolder folder;
    const std::string file = (folder / "lcps.npz").string();
    std::vector<std::string> words = {"run", library(scenario), "--set", set, "--json", "--states", "--every-step"};
    const Answer plain = test::jostle(words);
    words.insert(words.end(), {"--dump-lcp", "all", file});
    const Answer dumped = test::jostle(words);
    EXPECT_EQ(dumped.status, 0) << dumped.err;
    EXPECT_EQ(dumped.out, plain.out);
    const Answer answer = test::jostle({"lcp", file, "--json"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    const json solutions = json::parse(answer.out);
    std::set<std::string> steps;
    std::size_t touching = 0;
    for (const json& solution : solutions) {
      const auto name = solution.at("name").get<std::string>();
      steps.insert(name.substr(0, name.find('_')));
    }
    const json run = json::parse(plain.out);
    for (const json& step : run.at("trace")) touching += step.at("residual") != 0.0;
    EXPECT_GE(steps.size(), touching);
    if (scenario == "rod" || scenario == "bouncing_ball") {
      EXPECT_GT(solutions.size(), steps.size());
    }
  }
}

TEST(DumpLcp, OfAllStepsWithoutAnySaysSo) {
  const ScratchFolder folder;
  const Answer answer = test::jostle(
      {"run", library("rod"), "--set", "world.duration=0.01", "--dump-lcp", "all", (folder / "lcps.npz").string()});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("no step has a contact"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(DumpLcp, OfAStepWithoutContactSaysSo) {
  const ScratchFolder folder;
  const Answer answer = test::jostle({"run", library("rod"), "--dump-lcp", "3", (folder / "lcp.json").string()});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("step 3 has no contact"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// A file that was there stays until the new one is complete.
TEST(DumpLcp, IsWholeOrAsBeforeWhenTheProgramIsKilled) {
  const ScratchFolder folder;
  for (const char* name : {"lcps.json", "lcps.npz"}) {
    const std::string file = (folder / name).string();
    write_file(file, "before");
    const std::vector<std::string> words = {
        JOSTLE_WITH_FAULTS, "run", library("sliding_block"), "--set", "world.duration=0.1", "--dump-lcp", "all", file};
    for (const char* point : {"lcps.half:9", "lcps.written", "lcps.synced"}) {
      EXPECT_EQ(test::run_program(words, {}, {std::string("JOSTLE_FAULT=") + point}).status, -9) << point;
      EXPECT_EQ(read_text_file(file), "before") << point;
    }
    EXPECT_EQ(test::run_program(words).status, 0);
    EXPECT_EQ(test::jostle({"lcp", file}).status, 0);
  }
}

TEST(DumpLcp, ReplacesNoDevice) {
  const Answer answer = test::jostle({"run", library("sliding_block"), "--dump-lcp", "1", "/dev/full"});
  EXPECT_EQ(answer.status, 6);
  EXPECT_EQ(answer.err, "/dev/full: is a device or a pipe, which a file must not replace\n");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(DumpLcp, ThatCannotBeWrittenIsAFileError) {
  const Answer answer = test::jostle({"run", library("sliding_block"), "--dump-lcp", "1", "/proc/nowhere/lcp.json"});
  EXPECT_EQ(answer.status, 6);
  EXPECT_THAT(answer.err, HasSubstr("/proc/nowhere/lcp.json: cannot be created"));
}

}  // namespace
}  // namespace jostle

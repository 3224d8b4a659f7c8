// `jostle run --dump-lcp`: the LCP of a step, for `jostle lcp`, which scales it in its own way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

/// What `lcp` says of the LCP of that step, and how many variables it has.
std::pair<json, std::size_t> solved_dump(const std::string& scenario, const json& step, int status) {
  const ScratchFolder folder;
  const std::string file = (folder / "lcp.json").string();
  const std::string number = std::to_string(step.at("step").get<int>());
  EXPECT_EQ(test::jostle({"run", scenario, "--dump-lcp", number, file}).status, status);
  const Answer answer = test::jostle({"lcp", file, "--json"});
  EXPECT_EQ(answer.status, status);
  return {json::parse(answer.out).at(0), json::parse(read_text_file(file)).at("q").size()};
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

TEST(DumpLcp, OfAStepWithoutContactSaysSo) {
  const ScratchFolder folder;
  const Answer answer = test::jostle({"run", library("rod"), "--dump-lcp", "3", (folder / "lcp.json").string()});
  EXPECT_EQ(answer.status, 2);
  EXPECT_THAT(answer.err, HasSubstr("step 3 has no contact"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(DumpLcp, ThatCannotBeWrittenIsAFileError) {
  const Answer answer = test::jostle({"run", library("sliding_block"), "--dump-lcp", "1", "/proc/nowhere/lcp.json"});
  EXPECT_EQ(answer.status, 6);
  EXPECT_THAT(answer.err, HasSubstr("/proc/nowhere/lcp.json: cannot be written"));
}

}  // namespace
}  // namespace jostle

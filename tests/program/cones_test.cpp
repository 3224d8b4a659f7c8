// What the program does with friction cones that no kernel knows.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using testing::HasSubstr;

Answer with_gpus(std::vector<std::string> words, const std::string& folder = {}) {
  words.insert(words.begin(), JOSTLE_WITH_MOCK_GPUS);
  return test::run_program(std::move(words), folder);
}

struct Part {
  const char *set, *refusal;
};
const Part parts[] = {
    {"world.friction_cone=circle", "friction_cone: circle runs on the CPU only in this version: write --device cpu"},
    {"outcomes.jams={minimum: pointedness}",
     "pointedness is computed on the CPU only in this version: write --device cpu"}};

TEST(Cones, AreRefusedByAGpuAskedForBeforeAnythingIsWritten) {
  const test::ScratchFolder folder;
  for (const auto& [set, refusal] : parts) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"sweep", library("v_groove"), "-n", "4", "-o", "out", "--device", "cuda"},
          {"run", library("v_groove"), "--device", "cuda:0"},
          {"compare", library("v_groove"), "-n", "4", "--device", "cuda"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--set", set});
      const Answer answer = with_gpus(all, folder.path().string());
      EXPECT_EQ(answer.status, 2) << words[0];
      EXPECT_THAT(answer.err, HasSubstr(refusal));
      EXPECT_TRUE(test::is_one_line(answer.err)) << answer.err;
      EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
  }
}

TEST(Cones, TakeTheCpuIfNobodyAsksForAGpu) {
  for (const auto& [set, refusal] : parts) {
    const test::ScratchFolder folder;
    const Answer answer = with_gpus(
        {"sweep", library("v_groove"), "-n", "4", "-o", "out", "-v", "--set", "world.duration=0.2", "--set", set},
        folder.path().string());
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_THAT(answer.err, HasSubstr("\ncpu: "));
  }
}

TEST(Cones, HaveTheSameBitsForThreadsAndEmulatedLanes) {
  for (const char* const set : {"world.friction_cone=circle", "outcomes.lands={minimum: pointedness}"}) {
    const Answer answer = test::jostle({"compare", library("tossed_box"), "-n", "2", "--lanes-samples", "1", "--set",
                                        "world.duration=0.35", "--set", set, "--json"});
    EXPECT_EQ(answer.status, 0) << answer.err;
    EXPECT_EQ(json::parse(answer.out).size(), 2U);
  }
}

// A jam shows that the cone is not pointed; other steps do not say.
TEST(Cones, ArePointedOrNotInTheTraceOfAJam) {
  const std::vector<std::string> words = {"run", library("v_groove"), "--sample", "1", "--set", "variables.mu=0.5"};
  std::vector<std::string> as_json = words;
  as_json.push_back("--json");
  const json run = json::parse(test::jostle(as_json).out);
  int held = 0;
  for (const json& step : run.at("trace")) {
    if (step.at("held") == true && step.at("solver") != "rest") {
      ++held;
      EXPECT_EQ(step.at("pointedness"), 0) << step;
    } else {
      EXPECT_TRUE(step.at("pointedness").is_null()) << step;
    }
  }
  EXPECT_GT(held, 0);
  EXPECT_THAT(test::jostle(words).out, HasSubstr("  held  pointedness 0\n"));
}

}  // namespace
}  // namespace jostle

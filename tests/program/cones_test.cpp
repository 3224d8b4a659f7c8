// Circular cones and pointedness in the program.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::library;
using testing::HasSubstr;

TEST(Cones, HaveTheSameBitsOnEveryBackend) {
  for (const char* const set : {"world.friction_cone=circle", "outcomes.lands={minimum: pointedness}"}) {
    const std::vector<std::string> words = {"compare", library("tossed_box"), "-n",    "2", "--lanes-samples", "1",
                                            "--set",   "world.duration=0.35", "--set", set, "--json"};
    for (const bool gpus : {true, false}) {
      const Answer answer = gpus ? test::jostle_with_gpus(words) : test::jostle(words);
      EXPECT_EQ(answer.status, 0) << answer.err;
      EXPECT_EQ(json::parse(answer.out).size(), gpus ? 2U : 3U);
    }
  }
}

// A box between walls, for which the Newton method needs many attempts: the same bits from every team.
TEST(Cones, HaveTheSameBitsWhereTheyAreHard) {
  const Answer answer = test::jostle({"compare", library("v_groove"), "-n", "3", "--lanes-samples", "3", "--set",
                                      "world.friction_cone=circle", "--set", "world.method=anitescu_potra", "--set",
                                      "world.duration=0.33", "--json"});
  EXPECT_EQ(answer.status, 0) << answer.err;
  EXPECT_EQ(json::parse(answer.out).size(), 3U);
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

// The report of a sweep says how to see it, and a step without an answer tells it too.
TEST(Cones, ArePointedOrNotWhereASweepIsHeldOrFails) {
  const test::ScratchFolder folder;
  const Answer sweep =
      test::jostle({"sweep", library("v_groove"), "-n", "4", "--set", "variables.mu=0.5"}, folder.path());
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  const std::string hint = "for the pointedness of its friction cones in each of these steps: ";
  const std::size_t at = sweep.out.find(hint);
  ASSERT_NE(at, std::string::npos) << sweep.out;
  const std::string command = sweep.out.substr(at + hint.size(), sweep.out.find('\n', at) - at - hint.size());
  EXPECT_THAT(command, testing::MatchesRegex(".*jostle run v_groove.out --sample [0-3]"));
  const std::string sample = command.substr(command.size() - 1);
  EXPECT_THAT(test::jostle({"run", "v_groove.out", "--sample", sample}, folder.path()).out,
              HasSubstr("  held  pointedness 0\n"));

  test::write_file(folder / "press.yaml",
                   "jostle: 1\nworld: {step: 0.005, duration: 1}\nbodies:\n"
                   "  wall: {fixed: true, shape: {half_space: {normal: [0, 0, -1], offset: -0.5}}}\n"
                   "  piston: {prescribed: {velocity: [0, 0, 1]}, shape: {box: {size: [0.4, 0.4, 0.1]}}}\n"
                   "  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.15]}\n"
                   "contacts: [{between: any, friction: 0.5}]\n");
  const Answer pressed = test::jostle({"run", "press.yaml"}, folder.path());
  EXPECT_EQ(pressed.status, 3);
  EXPECT_THAT(pressed.out, HasSubstr("  ray  pointedness 0\n"));
}

}  // namespace
}  // namespace jostle

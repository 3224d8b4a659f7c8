// When a sample ends: world.rate, world.steps and stop_when.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program/program.hpp"
#include "tests/support/folder_content.hpp"

namespace jostle {
namespace {

using nlohmann::json;
using test::Answer;
using test::ScratchFolder;
using test::write_file;
using testing::HasSubstr;

std::string ball_in_world(const std::string& world, const std::string& end = "") {
  return "jostle: 1\nworld: {" + world + "}\n" + R"yaml(bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 0.1, shape: {sphere: {radius: 0.03}}, position: [0, 0, {uniform: [0.5, 1]}], velocity: [1, 0, 0]}
contacts: [{between: any, friction: 0.5}]
outcomes:
  height: {at_end: ball.position.z}
  far: {maximum: ball.position.x}
  ended: {at_end: time}
record: {trajectories: all}
)yaml" + end;
}

class TimeKeys : public testing::Test {
 protected:
  Answer call(std::vector<std::string> words, const char* program = JOSTLE_PROGRAM) const {
    words.insert(words.begin(), program);
    return test::run_program(std::move(words), folder_.path().string());
  }
  json run(const std::string& scenario, const std::vector<std::string>& more = {}) const {
    write_file(folder_ / "ball.yaml", scenario);
    std::vector<std::string> words = {"run", "ball.yaml", "--json", "--states"};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = call(words);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return json::parse(answer.out);
  }
  std::string error(const std::string& scenario) const {
    write_file(folder_ / "ball.yaml", scenario);
    const Answer answer = call({"run", "ball.yaml"});
    EXPECT_EQ(answer.status, 2);
    return answer.err;
  }

  const ScratchFolder folder_;
};

TEST_F(TimeKeys, RateAndStepsAreStepAndDuration) {
  EXPECT_EQ(run(ball_in_world("rate: 400, steps: 200")), run(ball_in_world("step: 0.0025, duration: 0.5")));
  write_file(folder_ / "rate.yaml", ball_in_world("rate: 400, steps: 200"));
  write_file(folder_ / "step.yaml", ball_in_world("step: 0.0025, duration: 0.5"));
  ASSERT_EQ(call({"sweep", "rate.yaml", "-n", "4", "-o", "out"}).status, 0);
  EXPECT_THAT(call({"sweep", "step.yaml", "-n", "4", "-o", "out"}).out, HasSubstr("4 samples were there already"));
}

TEST_F(TimeKeys, ExcludeEachOther) {
  EXPECT_THAT(error(ball_in_world("rate: 400, step: 0.0025, steps: 200")),
              HasSubstr("ball.yaml:2:15: world has both step and rate"));
  EXPECT_THAT(error(ball_in_world("rate: 400, duration: 1, steps: 200")),
              HasSubstr("ball.yaml:2:40: world has both duration and steps"));
  EXPECT_THAT(error(ball_in_world("steps: 200")), HasSubstr("ball.yaml:2:8: world.step is missing"));
  EXPECT_THAT(error(ball_in_world("rate: 400")), HasSubstr("ball.yaml:2:8: world.duration is missing"));
  EXPECT_THAT(error(ball_in_world("rate: 400, steps: 0")),
              HasSubstr("ball.yaml:2:27: world.steps must be 1 or more, not 0"));
  EXPECT_THAT(error(ball_in_world("rate: 0, steps: 10")),
              HasSubstr("ball.yaml:2:15: world.rate must be greater than 0"));
}

// The trace of the stopped sample is the beginning of the other one, up to the first state below 0.3 m.
TEST_F(TimeKeys, StopWhenEndsASampleAtTheFirstStepWhereItHolds) {
  const std::string world = "rate: 400, steps: 400";
  const json whole = run(ball_in_world(world)),
             stopped = run(ball_in_world(world, "stop_when: ball.position.z < 0.3\n"));
  const json& steps = stopped.at("trace");
  ASSERT_GT(steps.size(), 1u);
  ASSERT_LT(steps.size(), whole.at("trace").size());
  const auto height = [](const json& step) { return step.at("states").at("ball").at("position")[2].get<double>(); };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i], whole.at("trace")[i]);
    EXPECT_EQ(height(steps[i]) < 0.3, i + 1 == steps.size());
  }
  EXPECT_EQ(stopped.at("status"), "ok");
  EXPECT_EQ(stopped.at("outcomes").at("height"), height(steps.back())) << "at_end is where the sample ends";
  EXPECT_EQ(stopped.at("outcomes").at("ended"), steps.back().at("time"));
}

TEST_F(TimeKeys, StopWhenMayHoldAtTheStartOrNever) {
  const std::string world = "rate: 400, steps: 100";
  EXPECT_EQ(run(ball_in_world(world, "stop_when: ball.position.z > 0\n")).at("outcomes").at("ended"), 0);
  EXPECT_EQ(run(ball_in_world(world, "stop_when: ball.position.z > 9\n")), run(ball_in_world(world)));
}

// A ball at rest repeats its steps: it must not be carried past the time of the condition.
TEST_F(TimeKeys, StopWhenEndsASampleAtRestInTime) {
  const std::string end = "stop_when: time >= 0.6\n";
  const std::string scenario = ball_in_world("rate: 100, steps: 10000", end);
  std::string at_rest = scenario;
  at_rest.replace(at_rest.find("{uniform: [0.5, 1]}"), 19, "0.03");
  at_rest.replace(at_rest.find("velocity: [1, 0, 0]"), 19, "velocity: [0, 0, 0]");
  write_file(folder_ / "ball.yaml", at_rest);
  ASSERT_EQ(call({"sweep", "ball.yaml", "-n", "1", "-o", "out", "--set", "record.trajectories=0"}).status, 0);
  const json summary = json::parse(read_text_file(folder_ / "out/summary.json"));
  EXPECT_EQ(summary.at("outcomes").at("ended").at("mean"), 0.6);
}

TEST_F(TimeKeys, StopWhenMustBeATruthValue) {
  EXPECT_THAT(error(ball_in_world("rate: 400, steps: 100", "stop_when: ball.position.z\n")),
              HasSubstr("ball.yaml:12:12: stop_when needs a truth value"));
  EXPECT_THAT(error(ball_in_world("rate: 400, steps: 100", "stop_when: bal.position.z > 1\n")),
              HasSubstr("ball.yaml:12:12: stop_when: there is no body 'bal' (did you mean 'ball'?)"));
}

// The mock GPUs run the kernels' code on the CPU.
TEST_F(TimeKeys, StopWhenHasTheSameBitsOnEveryDevice) {
  write_file(folder_ / "ball.yaml",
             ball_in_world("rate: 400, steps: 400", "stop_when: ball.position.z < 0.3 or time > 0.31\n"));
  const auto sweep = [&](const std::string& device) {
    const Answer answer =
        call({"sweep", "ball.yaml", "-n", "40", "--device", device, "-o", device}, JOSTLE_WITH_MOCK_GPUS);
    EXPECT_EQ(answer.status, 0) << answer.err;
    return test::content_of(folder_ / device / "shards");
  };
  const auto cpu = sweep("cpu");
  EXPECT_EQ(cpu.size(), 1u);
  EXPECT_TRUE(sweep("cuda") == cpu);
  const Answer compared = call({"compare", "ball.yaml", "-n", "20", "--lanes-samples", "2"});
  EXPECT_EQ(compared.status, 0) << compared.out;
}

}  // namespace
}  // namespace jostle

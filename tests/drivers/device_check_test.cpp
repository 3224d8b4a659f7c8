// The check of a GPU before a sweep uses it, on devices that are made to fail; and what makes two scenarios alike to
// it.
#include "drivers/devices/device_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cuda/device_errors.hpp"
#include "drivers/devices/device_findings.hpp"
#include "emulation/host_device.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

using Verdict = DeviceFinding::Verdict;

const std::string ball = R"yaml(jostle: 1
variables: {speed: {uniform: [0, 3]}}
world: {step: 0.01, duration: 0.5}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.12], velocity: [$speed, 0, 0]}
contacts: [{between: any, friction: 0.5}]
outcomes: {way: {at_end: 2*ball.position.x}}
)yaml";

Ensemble ensemble_with(const std::vector<std::string>& set = {}) {
  return Ensemble(parse_scenario(ball, "ball.yaml", {set, {}, {}}));
}

std::string structure_with(const std::vector<std::string>& set) { return structure_digest(ensemble_with(set).model()); }

// Two steps: the second round is the last one, however long the first takes on a busy machine.
TEST(DeviceCheck, ComparesAllStepsOfAShortScenario) {
  HostDevice device;
  const DeviceFinding finding = check_device(device, ensemble_with({"world.duration=0.02"}), 2);
  EXPECT_EQ(finding.verdict, Verdict::right);
  EXPECT_EQ(finding.steps, 2);
  EXPECT_FALSE(finding.out_of_time);
  EXPECT_TRUE(finding.holds_for(2));
  EXPECT_FALSE(finding.holds_for(3));
}

TEST(DeviceCheck, EndsWhenItsTimeIsOver) {
  HostDevice device;
  const DeviceFinding finding = check_device(device, ensemble_with({"world.step=1e-6", "world.duration=1000"}), 2);
  EXPECT_EQ(finding.verdict, Verdict::right);
  EXPECT_TRUE(finding.out_of_time);
  EXPECT_TRUE(finding.holds_for(2'000'000'000));
}

TEST(DeviceCheck, TellsAFailureFromALackOfMemory) {
  EXPECT_EQ(finding_of(DeviceFailure("a launch failed")).verdict, Verdict::wrong);
  EXPECT_EQ(finding_of(DeviceFailure("a launch failed")).seen, "a launch failed");
  EXPECT_EQ(finding_of(DeviceOutOfMemory("no room")).verdict, Verdict::unavailable);
  EXPECT_EQ(finding_of(NoSuchKernels("this build has none for joints")).verdict, Verdict::unavailable);
  EXPECT_EQ(finding_of(std::runtime_error("no scenario")).verdict, Verdict::unavailable);
  HostDevice device;
  device.fail_at("simulate", 3);
  EXPECT_THROW(check_device(device, ensemble_with(), 2), DeviceFailure);
}

TEST(DeviceFinding, GoesThroughJson) {
  const DeviceFinding finding{Verdict::right, "64 samples", 12, true};
  const DeviceFinding back = finding_of(nlohmann::json::parse(json_of(finding).dump()));
  EXPECT_EQ(back.verdict, finding.verdict);
  EXPECT_EQ(back.seen, finding.seen);
  EXPECT_EQ(back.steps, finding.steps);
  EXPECT_EQ(back.out_of_time, finding.out_of_time);
  EXPECT_THROW(finding_of(nlohmann::json::object()), nlohmann::json::exception);
}

TEST(Structure, DoesNotDependOnNumbers) {
  const std::string structure = structure_with({});
  for (const char* number : {"world.step=0.02", "world.duration=2", "world.gravity=[0, 0, -1]", "bodies.ball.mass=3",
                             "bodies.ball.shape.sphere.radius=0.11", "outcomes.way.at_end=3*ball.position.x"})
    EXPECT_EQ(structure_with({number}), structure) << number;
}

TEST(Structure, DependsOnWhatDecidesOnTheCode) {
  const std::string structure = structure_with({});
  for (const char* change : {"world.friction_directions=4", "bodies.ball.shape={capsule: {radius: 0.1, length: 0.01}}",
                             "outcomes.way.at_end=2+ball.position.x", "outcomes.way.at_end=2*ball.position.y",
                             "outcomes.way={maximum: 2*ball.position.x}"})
    EXPECT_NE(structure_with({change}), structure) << change;
}

}  // namespace
}  // namespace jostle

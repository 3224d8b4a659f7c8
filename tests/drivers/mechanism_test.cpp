// What joints leave free: Gruebler's count, and what it does not see.
#include "drivers/program/mechanism.hpp"

#include <gmock/gmock.h>

#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

Mechanism mechanism(const std::string& bodies, const std::string& joints) {
  const Ensemble ensemble(parse_scenario(
      "jostle: 1\nworld: {step: 0.01, duration: 1}\nbodies:\n" + bodies + "joints:\n" + joints, "m.yaml"));
  Batch batch(ensemble.model(), 1);
  ensemble.load(0, batch, 0);
  const ModelView view = ensemble.model().view(0);
  return mechanism_of(ensemble, batch.system(view, 0));
}

constexpr const char* arm_and_hook =
    "  arm: {mass: 1, inertia: 1, position: [0.02, 0, 0.05]}\n  hook: {mass: 1, inertia: 1, position: [0.045, 0, "
    "0.05]}\n";

// 12 freedoms, 5 equations of the hinge and 6 of the weld.
TEST(Mechanism, OfAHingedArmHasOneFreedom) {
  const Mechanism found = mechanism(arm_and_hook,
                                    "  pivot: {revolute: [world, arm], at: [0, 0, 0.05], axis: [0, 1, 0]}\n"
                                    "  weld: {fixed: [arm, hook]}\n");
  EXPECT_EQ(found.equations, 11);
  EXPECT_EQ(found.freedoms, 1);
  EXPECT_EQ(found.redundant, 0);
  EXPECT_EQ(text_of(found), "joints: 11 equations, 1 degree of freedom left\n");
}

// A second hinge beside the first takes the last freedom; its other four equations say what the first one said.
TEST(Mechanism, OfTwoParallelHingesCannotMove) {
  const Mechanism found = mechanism(arm_and_hook,
                                    "  pivot: {revolute: [world, arm], at: [0, 0, 0.05], axis: [0, 1, 0]}\n"
                                    "  pivot2: {revolute: [world, arm], at: [0.04, 0, 0.05], axis: [0, 1, 0]}\n"
                                    "  weld: {fixed: [arm, hook]}\n");
  EXPECT_EQ(found.equations, 16);
  EXPECT_EQ(found.freedoms, 0);
  EXPECT_EQ(found.redundant, 4);
  EXPECT_THAT(found.stuck, testing::ElementsAre("arm", "hook"));
  EXPECT_EQ(text_of(found), "joints: 16 equations, 0 degrees of freedom left, 4 redundant; cannot move: arm, hook\n");
  EXPECT_EQ(json_text_of(found),
            R"({"equations":16,"degrees_of_freedom":0,"redundant":4,"cannot_move":["arm","hook"]})");
}

// Three links in a plane, four hinges: 9 - 8 = 1. In space the same hinges are redundant by 3.
TEST(Mechanism, OfAFourBarLinkage) {
  const auto links = [](const std::string& freedom) {
    return "  crank: {mass: 1, inertia: 1, position: [0, 0.5, 0]" + freedom +
           "}\n  coupler: {mass: 1, inertia: 1, position: [1, 1, 0]" + freedom +
           "}\n  rocker: {mass: 1, inertia: 1, position: [2, 0.5, 0]" + freedom + "}\n";
  };
  const std::string hinges =
      "  a: {revolute: [world, crank], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  b: {revolute: [crank, coupler], at: [0, 1, 0], axis: [0, 0, 1]}\n"
      "  c: {revolute: [coupler, rocker], at: [2, 1, 0], axis: [0, 0, 1]}\n"
      "  d: {revolute: [rocker, world], at: [2, 0, 0], axis: [0, 0, 1]}\n";
  const Mechanism planar = mechanism(links(", freedom: [x, y, rz]"), hinges);
  EXPECT_EQ(planar.equations, 8);
  EXPECT_EQ(planar.freedoms, 1);
  EXPECT_EQ(planar.redundant, 0);
  const Mechanism spatial = mechanism(links(""), hinges);
  EXPECT_EQ(spatial.equations, 20);
  EXPECT_EQ(spatial.freedoms, 1);
  EXPECT_EQ(spatial.redundant, 3);
}

TEST(Mechanism, OfFreeBodiesHasNoLine) {
  const Ensemble ensemble(
      parse_scenario("jostle: 1\nworld: {step: 0.01, duration: 1}\nbodies: {a: {mass: 1, inertia: 1}}\n", "m.yaml"));
  Batch batch(ensemble.model(), 1);
  ensemble.load(0, batch, 0);
  const ModelView view = ensemble.model().view(0);
  const Mechanism found = mechanism_of(ensemble, batch.system(view, 0));
  EXPECT_EQ(found.freedoms, 6);
  EXPECT_EQ(text_of(found), "");
}

}  // namespace
}  // namespace jostle

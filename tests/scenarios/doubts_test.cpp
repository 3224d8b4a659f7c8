// What is allowed and hardly meant.
#include "scenarios/reader/doubts.hpp"

#include <gmock/gmock.h>

#include "scenarios/text/number.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::edited;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> doubts(const std::vector<test::Edit>& edits) {
  const Scenario scenario = parse_scenario(edited(edits), "rod.yaml");
  std::vector<std::string> messages;
  for (const Fault& doubt : doubts_about(scenario))
    messages.push_back(error_at(scenario, doubt.where, doubt.message).what());
  return messages;
}

TEST(Doubts, AreNoneAboutAGoodScenario) {
  EXPECT_THAT(doubts({}), IsEmpty());
  for (const char* name : {"box_stack", "four_balls", "incline", "painleve_rod", "rod", "rolling_sphere", "shapes",
                           "sliding_block", "tossed_box", "two_balls", "v_groove"})
    EXPECT_THAT(doubts_about(read_scenario(std::string(JOSTLE_SOURCE_DIR "/scenarios/library/") + name + ".yaml")),
                IsEmpty())
        << name;
}

TEST(Doubts, AreNotAboutADensityOfAShape) {
  EXPECT_THAT(doubts({{"    mass: 1.0\n", ""},
                      {"shape: {sphere: {radius: 0.1}}", "shape: {sphere: {radius: 0.1}, density: 7800}"}}),
              IsEmpty());
}

TEST(Doubts, AreAboutDegreesInASine) {
  EXPECT_THAT(doubts({{"mu: {uniform: [0.3, 0.9]}", "mu: {uniform: [0.3, 0.9]}\n  tilt: {uniform: [0, 30]}"},
                      {"[0, 0, 1]\n", "[0, 0, 1]\n    velocity: [2*sin($tilt), 0, 0]\n"}}),
              ElementsAre("rod.yaml:14:16: '2*sin($tilt)' takes the sine, cosine or tangent of up to 30; angles in "
                          "expressions are in radians (x * pi / 180 for degrees)"));
  EXPECT_THAT(doubts({{"mu: {uniform: [0.3, 0.9]}", "mu: {uniform: [0.3, 0.9]}\n  tilt: {uniform: [0, 30]}"},
                      {"[0, 0, 1]\n", "[0, 0, 1]\n    velocity: [2*sin($tilt*pi/180), 0, 0]\n"}}),
              IsEmpty());
}

TEST(Doubts, AreNotAboutFunctionsOfDegrees) {
  EXPECT_THAT(doubts({{"mu: {uniform: [0.3, 0.9]}", "mu: {uniform: [0.3, 0.9]}\n  yaw: {uniform: [0, 720]}"},
                      {"[0, 0, 1]\n", "[0, 0, 1]\n    velocity: [2*sind($yaw), cosd(2*$yaw), 0]\n"}}),
              IsEmpty());
}

TEST(Doubts, AreToldOnceOfANumberThatStandsThreeTimes) {
  EXPECT_THAT(doubts({{"mu: {uniform: [0.3, 0.9]}", "mu: {uniform: [0.3, 0.9]}\n  tilt: {uniform: [0, 30]}"},
                      {"mass: 1.0", "mass: 1.0\n    inertia: 2 + sin($tilt)"}}),
              testing::SizeIs(1));
}

TEST(Doubts, AreAboutTheAngleOfARotationToo) {
  EXPECT_THAT(doubts({{"mu: {uniform: [0.3, 0.9]}", "mu: {uniform: [0.3, 0.9]}\n  tilt: {uniform: [0, 30]}"},
                      {"[0, 0, 1]\n", "[0, 0, 1]\n    rotation: {axis: [0, 1, 0], degrees: 10 * sin($tilt)}\n"}}),
              ElementsAre(testing::HasSubstr("'10 * sin($tilt)' takes the sine")));
}

// (1 + h^2 k/m)^(N/2) with h = 0.01, k = 100, m = 1, N = 100: 1.01^50; with k = 5: 1.0005^50 is not worth a word.
TEST(Doubts, AreAboutSpringsThatSwingMoreAndMore) {
  const auto doubts_of = [](const std::string& method, const std::string& spring, const std::string& mass = "1") {
    std::vector<std::string> messages;
    const Scenario scenario = parse_scenario(
        "jostle: 1\nvariables: {k: {uniform: [50, 150]}}\n"
        "world: {step: 0.01, duration: 1, method: " +
            method + "}\nbodies: {a: {mass: " + mass +
            ", inertia: 1, position: [1, 0, 0]}}\nsprings:\n  coil: {between: "
            "[world, a], at: [[0, 0, 0], [1, 0, 0]], " +
            spring + "}\nsample: {count: 1}\n",
        "coil.yaml");
    for (const Fault& doubt : doubts_about(scenario))
      messages.push_back(error_at(scenario, doubt.where, doubt.message).what());
    return messages;
  };
  EXPECT_THAT(
      doubts_of("anitescu_potra", "stiffness: 100"),
      ElementsAre("coil.yaml:6:3: spring 'coil' swings more and more under anitescu_potra, in this run by a "
                  "factor of 1.645, as each step takes its force from the start of the step; with "
                  "trapezoidal, trapezoidal_midpoint or loetstedt it does not, nor with a damping of at least 1 "
                  "N s/m"));
  EXPECT_THAT(doubts_of("anitescu_potra", "stiffness: $k"), testing::SizeIs(1));
  EXPECT_THAT(doubts_of("anitescu_potra", "stiffness: 100, damping: 1"), IsEmpty());
  EXPECT_THAT(doubts_of("anitescu_potra", "stiffness: 5"), IsEmpty());
  EXPECT_THAT(doubts_of("anitescu_potra", "stiffness: 100", "20"), IsEmpty());
  for (const char* method : {"stewart_trinkle", "trapezoidal", "trapezoidal_midpoint", "loetstedt"})
    EXPECT_THAT(doubts_of(method, "stiffness: 100"), IsEmpty()) << method;
}

TEST(Doubts, AreAboutBodiesLargerThanTenMetres) {
  EXPECT_THAT(doubts({{"radius: 0.1", "radius: 100"}, {"[0, 0, 1]\n", "[0, 0, 101]\n"}}),
              ElementsAre("rod.yaml:11:30: body 'ball' has a size of 100 m; lengths are in metres"));
  EXPECT_THAT(doubts({{"half_space: {normal: [0, 0, 1]}", "box: {size: [50, 50, 1]}"}, {"[0, 0, 1]\n", "[0, 0, 3]\n"}}),
              IsEmpty())
      << "a floor";
}

TEST(Doubts, AreAboutImpulsesAfterTheEnd) {
  const auto doubts_of = [](const char* time) {
    const std::string impulses =
        std::string("impulses:\n  - {body: ball, impulse: [1, 0, 0], time: ") + time + "}\ncontacts:";
    return doubts({{"mu: {uniform: [0.3, 0.9]}", "mu: {uniform: [0.3, 0.9]}\n  late: {uniform: [2, 3]}"},
                   {"contacts:", impulses.c_str()}});
  };
  EXPECT_THAT(doubts_of("1.5"),
              ElementsAre("rod.yaml:15:44: this impulse comes at 1.5 s or later, after the end of the "
                          "run (1 s), and does nothing"));
  EXPECT_THAT(doubts_of("$late"), testing::SizeIs(1));
  EXPECT_THAT(doubts_of("$mu"), IsEmpty());
  EXPECT_THAT(doubts_of("1"), IsEmpty());
}

TEST(WholeNumber, MayHaveAnExponent) {
  EXPECT_EQ(whole_number_of("120"), 120);
  EXPECT_EQ(whole_number_of("1e6"), 1'000'000);
  EXPECT_EQ(whole_number_of("2.5E3"), 2500);
  for (const char* text : {"", "1.0", "1.5e0", "1e300", "e6", "1e6 ", "nan", "0x10"})
    EXPECT_EQ(whole_number_of(text), std::nullopt) << text;
}

}  // namespace
}  // namespace jostle

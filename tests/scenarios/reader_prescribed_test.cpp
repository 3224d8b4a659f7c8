// What the reader makes of prescribed motion, and what it says about it, with line and column.
#include <gmock/gmock.h>

#include "scenarios/ensemble.hpp"
#include "scenarios/model/scene.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle::test {
namespace {

struct PrescribedError {
  const char* name;
  const char* belt;  ///< line 9, from column 9 on
  const char* message;
};

std::ostream& operator<<(std::ostream& stream, const PrescribedError& error) { return stream << error.name; }

std::string with_belt(const std::string& belt) {
  const std::string text = "  belt: " + belt + "\n  ball:\n";
  return edited({{"  ball:\n", text.c_str()}});
}

class PrescribedErrors : public testing::TestWithParam<PrescribedError> {};

TEST_P(PrescribedErrors, NameTheirPlace) { EXPECT_EQ(error_of(with_belt(GetParam().belt)), GetParam().message); }

const PrescribedError prescribed_errors[] = {
    {"UnknownKey", "{prescribed: {velocty: [1, 0, 0]}}",
     "rod.yaml:9:23: unknown key 'velocty' in bodies.belt.prescribed (did you mean 'velocity'?)"},
    {"NoMap", "{prescribed: [1, 0, 0]}",
     "rod.yaml:9:22: bodies.belt.prescribed must be a map such as {velocity: ...}, not a list"},
    {"TwoComponents", "{prescribed: {velocity: [1, 0]}}",
     "rod.yaml:9:33: bodies.belt.prescribed.velocity must be a list of 3, not of 2"},
    {"FixedToo", "{fixed: true, prescribed: {}}",
     "rod.yaml:9:35: bodies.belt.prescribed has no meaning, because bodies.belt is fixed"},
    {"Mass", "{prescribed: {}, mass: 1}",
     "rod.yaml:9:32: bodies.belt.mass has no meaning, because bodies.belt.prescribed is given"},
    {"Inertia", "{prescribed: {}, inertia: 1}",
     "rod.yaml:9:35: bodies.belt.inertia has no meaning, because bodies.belt.prescribed is given"},
    {"Freedom", "{prescribed: {}, freedom: [x]}",
     "rod.yaml:9:35: bodies.belt.freedom has no meaning, because bodies.belt.prescribed is given"},
    {"Velocity", "{prescribed: {}, velocity: [1, 0, 0]}",
     "rod.yaml:9:36: bodies.belt.velocity has no meaning, because bodies.belt.prescribed is given"},
    {"Spin", "{prescribed: {}, spin: [1, 0, 0]}",
     "rod.yaml:9:32: bodies.belt.spin has no meaning, because bodies.belt.prescribed is given"},
    {"UnknownVariable", "{prescribed: {spin: [0, 0, $nu]}}",
     "rod.yaml:9:36: bodies.belt.prescribed.spin[2]: unknown variable '$nu' (did you mean '$mu'?)"},
    {"Quantity", "{prescribed: {velocity: [ball.velocity.x, 0, 0]}}",
     "rod.yaml:9:34: bodies.belt.prescribed.velocity[0]: quantities such as 'rod.position.x' may stand in outcomes "
     "and forces only"},
    {"TimeElsewhere", "{prescribed: {}, position: [t, 0, 0]}",
     "rod.yaml:9:37: bodies.belt.position[0]: unknown name 't' (only forces, motors and prescribed motion may depend "
     "on "
     "the time)"},
};

INSTANTIATE_TEST_SUITE_P(Errors, PrescribedErrors, testing::ValuesIn(prescribed_errors),
                         [](const auto& error) { return error.param.name; });

const std::string belt =
    "{prescribed: {velocity: [0.3*cos(8*t), 0, 0]}, shape: {sphere: {radius: 1}}, position: [9, 0, 9]}";

TEST(PrescribedMotion, CannotBeForcedTiedToTheWorldOrAskedForMore) {
  const auto with_more = [](const std::string& from, const std::string& to) {
    std::string text = with_belt(belt);
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(error_of(with_more("outcomes:\n", "forces: [{body: belt, force: [1, 0, 0]}]\noutcomes:\n")),
            "rod.yaml:16:17: forces[0].body: belt has prescribed motion, a force cannot move it");
  EXPECT_EQ(error_of(with_more("outcomes:\n", "joints: {pin: {fixed: [belt, floor]}}\noutcomes:\n")),
            "rod.yaml:16:23: joints.pin.fixed ties two that no impulse moves");
  EXPECT_EQ(error_of(with_more("ball.position.z < 0.2", "ball.impulse.z > 0")),
            "rod.yaml:17:17: outcomes.low.at_end: only a body with prescribed motion has an impulse, ball has "
            "normal_impulse, friction_impulse and force");
  EXPECT_EQ(error_of(with_more("ball.position.z < 0.2", "belt.impulse > 0")),
            "rod.yaml:17:17: outcomes.low.at_end: 'belt.impulse' needs one component: .x, .y or .z");
  EXPECT_EQ(error_of(with_more("ball.position.z < 0.2", "belt.angle > 0")),
            "rod.yaml:17:17: outcomes.low.at_end: only a body with one free rotation has an angle, belt has not");
  EXPECT_EQ(error_of(with_more("ball.position.z < 0.2", "belt.impulse.z > 0")), "");
}

TEST(PrescribedMotion, IsNoBodyThatImpulsesMove) {
  EXPECT_EQ(
      error_of("jostle: 1\nworld: {step: 0.1, duration: 1}\nbodies:\n  a: {prescribed: {}}\n  b: {fixed: true}\n"),
      "rod.yaml:4:3: bodies: at least one body must be neither fixed nor prescribed");
}

/// The bodies of a planar scene and one with prescribed motion.
Scenario planar_with(const std::string& motion) {
  return parse_scenario(
      "jostle: 1\nworld: {step: 0.1, duration: 1}\nbodies:\n  a: {mass: 1, inertia: 1, freedom: [x, y, rz]}\n  p: {" +
          motion + "}\n",
      "plane.yaml");
}

TEST(PrescribedMotion, InThePlaneKeepsTheScenePlanar) {
  const auto is_planar = [](const std::string& motion) { return plane_axis(planar_with(motion)) == 2; };
  EXPECT_TRUE(is_planar("prescribed: {}"));
  EXPECT_TRUE(is_planar("prescribed: {velocity: [t, 1, 0], spin: [0, 0, cos(t)]}"));
  EXPECT_TRUE(is_planar("prescribed: {spin: [0, 0, 1]}, rotation: {axis: [0, 0, 1], degrees: 30}"));
  EXPECT_FALSE(is_planar("prescribed: {velocity: [0, 0, t]}"));
  EXPECT_FALSE(is_planar("prescribed: {spin: [0, 1, 0]}"));
  EXPECT_FALSE(is_planar("prescribed: {spin: [0, 0, 1]}, rotation: {axis: [0, 1, 0], degrees: 30}"));
}

TEST(PrescribedMotion, TurnsABodyAboutAnAxisOfItsOwnOrAboutAny) {
  const auto rotation_of = [](const std::string& motion) {
    return build_model(planar_with(motion)).bodies[1].rotation;
  };
  EXPECT_EQ(rotation_of("prescribed: {velocity: [0, 0, t]}, rotation: uniform"), RotationKind::locked);
  EXPECT_EQ(rotation_of("prescribed: {spin: [0, t, 0]}"), RotationKind::about_y);
  EXPECT_EQ(rotation_of("prescribed: {spin: [1, t, 0]}"), RotationKind::free);
  EXPECT_EQ(rotation_of("prescribed: {spin: [0, t, 0]}, rotation: {quaternion: [1, 1, 0, 0]}"), RotationKind::free);
}

TEST(PrescribedMotion, IsInTheCanonicalTextOnlyIfGiven) {
  const Scenario scenario = parse_scenario(with_belt(belt), "rod.yaml", {});
  EXPECT_THAT(scenario.canonical,
              testing::HasSubstr("    prescribed: {velocity: [\"0.3*cos(8*t)\", 0, 0], spin: [0, 0, 0]}\n"));
  EXPECT_EQ(parse_scenario(scenario.canonical, "again.yaml", {}).canonical, scenario.canonical);
  EXPECT_THAT(parse_scenario(good_scenario, "rod.yaml", {}).canonical, testing::Not(testing::HasSubstr("prescribed")));
}

// A random amplitude or phase is a number like any other.
TEST(PrescribedMotion, MayUseVariablesAndDistributions) {
  const Scenario scenario = parse_scenario(
      "jostle: 1\nvariables: {a: {uniform: [1, 2]}}\nworld: {step: 0.1, duration: 1}\nbodies:\n"
      "  p: {prescribed: {velocity: [\"$a*sin(2*t)\", {uniform: [0, 1]}, 0]}}\n"
      "  b: {mass: 1, inertia: 1}\nsample: {count: 4}\n",
      "drawn.yaml");
  ASSERT_EQ(scenario.variables.size(), 2u);
  EXPECT_EQ(scenario.variables[1].name, "bodies.p.prescribed.velocity[1]");
  const Model model = build_model(scenario);
  EXPECT_TRUE(model.view(0).changes_with_time);
}

}  // namespace
}  // namespace jostle::test

// What rules of contacts and friction of ball joints may not say, with the line that each fault gives.
#include <gmock/gmock.h>

#include "tests/scenarios/error_case.hpp"

namespace jostle::test {
namespace {

const ErrorCase contact_cases[] = {
    {"NegativeSpinFriction",
     {{"friction: $mu", "friction: $mu, spin_friction: -0.01"}},
     "rod.yaml:14:50: contacts[0].spin_friction must not be negative"},
    {"NegativeAdhesion",
     {{"friction: $mu", "friction: $mu, adhesion: -1"}},
     "rod.yaml:14:45: contacts[0].adhesion must not be negative"},
    {"SpinFrictionWithoutFriction",
     {{"friction: $mu", "friction: 0, spin_friction: 0.01"}},
     "rod.yaml:14:48: contacts[0].spin_friction is a radius: its moment is friction r c_n, but contacts[0].friction is "
     "0"},
    {"SpinFrictionUnderLoetstedt",
     {{"duration: 1.0", "duration: 1.0\n  method: loetstedt"}, {"friction: $mu", "spin_friction: 0.01"}},
     "rod.yaml:15:35: contacts[0].spin_friction must be 0 with world.method: loetstedt, whose contacts have no "
     "friction"},
    {"SpinFrictionOfTheCircle",
     {{"duration: 1.0", "duration: 1.0\n  friction_cone: circle"},
      {"friction: $mu", "friction: 1, spin_friction: 0.01"}},
     "rod.yaml:15:48: contacts[0].spin_friction above 0 needs world.friction_cone: polygon"},
    {"SpinFrictionInAPlane",
     {{"position: [0, 0, 1]", "freedom: [x, z, ry]"}, {"friction: $mu", "friction: 1, spin_friction: 0.01"}},
     "rod.yaml:14:48: spin_friction has no meaning, because all moving bodies share a plane"},
    {"SpinFrictionOfNoContact",
     {{"friction: $mu", "contact: false, spin_friction: 0.01"}},
     "rod.yaml:14:51: contacts[0].spin_friction has no meaning where contact is false"},
    {"NegativeRollingFriction",
     {{"friction: $mu", "friction: $mu, rolling_friction: -0.01"}},
     "rod.yaml:14:53: contacts[0].rolling_friction must not be negative"},
    {"RollingFrictionUnderLoetstedt",
     {{"duration: 1.0", "duration: 1.0\n  method: loetstedt"}, {"friction: $mu", "rolling_friction: 0.01"}},
     "rod.yaml:15:38: contacts[0].rolling_friction must be 0 with world.method: loetstedt, whose contacts have no "
     "friction"},
    {"RollingFrictionOfTheCircle",
     {{"duration: 1.0", "duration: 1.0\n  friction_cone: circle"},
      {"friction: $mu", "friction: 1, rolling_friction: 0.01"}},
     "rod.yaml:15:51: contacts[0].rolling_friction above 0 needs world.friction_cone: polygon"},
    {"RollingFrictionOfNoContact",
     {{"friction: $mu", "contact: false, rolling_friction: 0.01"}},
     "rod.yaml:14:54: contacts[0].rolling_friction has no meaning where contact is false"},
    {"RollingFrictionBesidePointedness",
     {{"friction: $mu", "rolling_friction: 0.01"}, {"outcomes:", "outcomes:\n  margin: {at_end: pointedness}"}},
     "rod.yaml:14:38: contacts[0].rolling_friction is not supported with the quantity pointedness"},
    {"AcrossWithoutAxis",
     {{"friction: $mu", "friction: $mu, across: {friction: 1, of: ball}"}},
     "rod.yaml:14:43: contacts[0].across.axis is missing"},
    {"AcrossOfNoBody",
     {{"friction: $mu", "friction: $mu, across: {friction: 1, axis: [1, 0, 0], of: bell}"}},
     "rod.yaml:14:78: contacts[0].across.of: there is no body 'bell' (did you mean 'ball'?)"},
    {"AcrossWithoutDirection",
     {{"friction: $mu", "friction: $mu, across: {friction: 1, axis: [0, 0, 0], of: ball}"}},
     "rod.yaml:14:63: contacts[0].across.axis must have a direction, its length is 0 or infinite"},
    {"NegativeFrictionAcross",
     {{"friction: $mu", "friction: $mu, across: {friction: -1, axis: [1, 0, 0], of: ball}"}},
     "rod.yaml:14:54: contacts[0].across.friction must not be negative"},
    {"AcrossInAPlane",
     {{"position: [0, 0, 1]", "freedom: [x, z, ry]"},
      {"friction: $mu", "friction: $mu, across: {friction: 1, axis: [1, 0, 0], of: ball}"}},
     "rod.yaml:14:43: across has no meaning, because all moving bodies share a plane"},
    {"AcrossUnderLoetstedt",
     {{"duration: 1.0", "duration: 1.0\n  method: loetstedt"},
      {"friction: $mu", "across: {friction: 1, axis: [1, 0, 0], of: ball}"}},
     "rod.yaml:15:28: contacts[0].across has no meaning with world.method: loetstedt, whose contacts have no friction"},
    {"AcrossOfAnotherBody",
     {{"position: [0, 0, 1]",
       "position: [0, 0, 1]\n  cube: {mass: 1, shape: {box: {size: [1, 1, 1]}}, position: [3, 0, 1]}"},
      {"friction: $mu", "friction: $mu, across: {friction: 1, axis: [1, 0, 0], of: ball}"}},
     "rod.yaml:15:43: across.of is 'ball', which is neither 'floor' nor 'cube'; this pair needs a rule of its own"},
    {"FrictionOfABallJointUnderLoetstedt",
     {{"duration: 1.0", "duration: 1.0\n  method: loetstedt"},
      {"friction: $mu", "friction: 0"},
      {"outcomes:", "joints:\n  pin: {ball: [world, ball], at: [0, 0, 1], friction: 1}\noutcomes:"}},
     "rod.yaml:17:55: joints.pin.friction of a ball joint needs another world.method than loetstedt"},
    {"FrictionOfABallJointWithTheCircle",
     {{"duration: 1.0", "duration: 1.0\n  friction_cone: circle"},
      {"outcomes:", "joints:\n  pin: {ball: [world, ball], at: [0, 0, 1], friction: 1}\noutcomes:"}},
     "rod.yaml:17:55: joints.pin.friction of a ball joint needs world.friction_cone: polygon"},
};

INSTANTIATE_TEST_SUITE_P(Contacts, ErrorCases, testing::ValuesIn(contact_cases), name_of);

// What the file says of rules stays in the canonical text, and what it leaves out is not there.
TEST(ContactRules, StayInTheCanonicalText) {
  const std::string rules =
      "  - {between: [floor, ball], friction: 0.1, across: {friction: 0.5, axis: [1, 0, 0], of: \"ball\"}, "
      "spin_friction: 0.01, rolling_friction: 0.002, adhesion: 2, restitution: 0}\n";
  std::string text = good_scenario;
  text.replace(text.find("  - {between"), std::string("  - {between: any, friction: $mu}\n").size(), rules);
  const Scenario scenario = parse_scenario(text, "rod.yaml");
  EXPECT_THAT(scenario.canonical, testing::HasSubstr(rules));
  EXPECT_EQ(parse_scenario(scenario.canonical, "canonical.yaml").canonical, scenario.canonical);
  const std::string plain = parse_scenario(good_scenario, "rod.yaml").canonical;
  for (const char* const key : {"across", "spin_friction", "rolling_friction", "adhesion"})
    EXPECT_EQ(plain.find(key), std::string::npos) << key;
}

}  // namespace
}  // namespace jostle::test

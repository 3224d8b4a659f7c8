// What the reader says about springs, and about forces that depend on motion, with line and column.
#include <gmock/gmock.h>

#include "scenarios/ensemble.hpp"
#include "scenarios/format/keys.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle::test {
namespace {

struct SectionError {
  const char* name;
  const char* text;  ///< from line 15 on
  const char* message;
};

std::ostream& operator<<(std::ostream& stream, const SectionError& error) { return stream << error.name; }

std::string with_section(const std::string& section) {
  const std::string text = section + "outcomes:\n";
  return edited({{"outcomes:\n", text.c_str()}});
}

class SpringErrors : public testing::TestWithParam<SectionError> {};
TEST_P(SpringErrors, NameTheirPlace) { EXPECT_EQ(error_of(with_section(GetParam().text)), GetParam().message); }

const SectionError spring_errors[] = {
    {"UnknownKey", "springs:\n  coil: {between: [floor, ball], stifness: 3}\n",
     "rod.yaml:16:34: unknown key 'stifness' in springs.coil (did you mean 'stiffness'?)"},
    {"NoEnds", "springs:\n  coil: {stiffness: 3}\n", "rod.yaml:16:9: springs.coil.between is missing"},
    {"NoNumbers", "springs:\n  coil: {between: [floor, ball]}\n",
     "rod.yaml:16:9: springs.coil needs stiffness or damping, or both"},
    {"UnknownBody", "springs:\n  coil: {between: [world, bal], stiffness: 3}\n",
     "rod.yaml:16:27: springs.coil.between[1]: there is no body 'bal' (did you mean 'ball'?)"},
    {"OneBodyTwice", "springs:\n  coil: {between: [ball, ball], stiffness: 3}\n",
     "rod.yaml:16:19: springs.coil.between names ball twice"},
    {"NothingMoves", "springs:\n  coil: {between: [world, floor], stiffness: 3}\n",
     "rod.yaml:16:19: springs.coil.between ties two that no impulse moves"},
    {"OnePoint", "springs:\n  coil: {between: [floor, ball], at: [0, 0, 1], stiffness: 3}\n",
     "rod.yaml:16:38: springs.coil.at must be two points [[x, y, z], [x, y, z]]"},
    {"CentreOfTheWorld", "springs:\n  coil: {between: [world, ball], stiffness: 3}\n",
     "rod.yaml:16:9: springs.coil.at is missing, the world has no centre of mass"},
    {"NoLength", "springs:\n  coil: {between: [world, ball], at: [[0, 0, 1], [0, 0, 1]], stiffness: 3}\n",
     "rod.yaml:16:3: springs.coil: the two points are one, which has no direction"},
    {"NegativeStiffness", "springs:\n  coil: {between: [floor, ball], stiffness: -3}\n",
     "rod.yaml:16:45: springs.coil.stiffness must not be negative"},
    {"NegativeDamping", "springs:\n  coil: {between: [floor, ball], damping: {uniform: [-2, -1]}}\n",
     "rod.yaml:16:43: springs.coil.damping must not be negative"},
    {"NegativeRest", "springs:\n  coil: {between: [floor, ball], stiffness: 1, rest: -0.1}\n",
     "rod.yaml:16:54: springs.coil.rest must not be negative"},
    {"RestOfADamper", "springs:\n  coil: {between: [floor, ball], damping: 1, rest: 0.1}\n",
     "rod.yaml:16:52: springs.coil.rest has no meaning without stiffness"},
    {"RestOfNoStiffness", "springs:\n  coil: {between: [floor, ball], stiffness: 0, damping: 1, rest: 0.1}\n",
     "rod.yaml:16:66: springs.coil.rest has no meaning without stiffness"},
    {"TimeInStiffness", "springs:\n  coil: {between: [floor, ball], stiffness: 2*t}\n",
     "rod.yaml:16:47: springs.coil.stiffness: unknown name 't' (only forces, motors and prescribed motion may depend "
     "on the time)"},
    {"QuantityInRest", "springs:\n  coil: {between: [floor, ball], stiffness: 2, rest: ball.position.z}\n",
     "rod.yaml:16:54: springs.coil.rest: quantities such as 'rod.position.x' may stand in outcomes and forces only"},
    {"Unit", "springs:\n  coil: {between: [floor, ball], stiffness: 2 N}\n",
     "rod.yaml:16:47: springs.coil.stiffness: write no unit, this number is in N/m"},
    {"NameOfABody", "springs:\n  ball: {between: [floor, ball], stiffness: 2}\n",
     "rod.yaml:16:3: spring 'ball' has the name of a body; try 'ball_spring'"},
    {"NameOfAJoint",
     "joints: {pin: {ball: [floor, ball], at: [0, 0, 1]}}\n"
     "springs:\n  pin: {between: [floor, ball], stiffness: 2}\n",
     "rod.yaml:17:3: spring 'pin' has the name of a joint; try 'pin_spring'"},
    {"ReservedName", "springs:\n  energy: {between: [floor, ball], stiffness: 2}\n",
     "rod.yaml:16:3: spring 'energy' is a reserved name: expressions or lists of bodies have a word energy"},
    {"AList", "springs:\n  - {between: [floor, ball]}\n", "rod.yaml:16:3: springs must be a map, not a list"},
};
INSTANTIATE_TEST_SUITE_P(Reader, SpringErrors, testing::ValuesIn(spring_errors),
                         [](const auto& error) { return std::string(error.param.name); });

#define ONLY_MOTION                                                                                                \
  ", only position, velocity, spin, axis_x, axis_y, axis_z and angle of bodies, and angle, position and speed of " \
  "joints"

class ForceErrors : public testing::TestWithParam<SectionError> {};
TEST_P(ForceErrors, NameTheirPlace) { EXPECT_EQ(error_of(with_section(GetParam().text)), GetParam().message); }

const SectionError force_errors[] = {
    {"AnImpulse", "forces: [{body: ball, force: [floor.normal_impulse, 0, 0]}]\n",
     "rod.yaml:15:31: forces[0].force[0]: a force on ball cannot use 'floor.normal_impulse'" ONLY_MOTION},
    {"AReaction",
     "joints: {pin: {ball: [floor, ball], at: [0, 0, 1]}}\nforces: [{body: ball, force: [pin.reaction, 0, 0]}]\n",
     "rod.yaml:16:31: forces[0].force[0]: a force on ball cannot use 'pin.reaction'" ONLY_MOTION},
    {"AngleOfABall",
     "joints: {pin: {ball: [floor, ball], at: [0, 0, 1]}}\nforces: [{body: ball, force: [pin.angle, 0, 0]}]\n",
     "rod.yaml:16:31: forces[0].force[0]: a ball joint has no quantity 'angle' (known: reaction, moment)"},
    {"ReactionOnAFixedBody", "forces: [{body: ball, force: [1, 0, 0], reaction: floor}]\n",
     "rod.yaml:15:51: forces[0].reaction: floor is fixed, a force cannot move it"},
    {"ReactionOnItself", "forces: [{body: ball, force: [1, 0, 0], reaction: ball}]\n",
     "rod.yaml:15:51: forces[0].reaction names the body itself"},
    {"ReactionOnNobody", "forces: [{body: ball, force: [1, 0, 0], reaction: bal}]\n",
     "rod.yaml:15:51: forces[0].reaction: there is no body 'bal' (did you mean 'ball'?)"},
    {"ImpulseOnAFixedBody", "impulses: [{body: floor, time: 1, impulse: [1, 0, 0]}]\n",
     "rod.yaml:15:19: impulses[0].body: floor is fixed, an impulse cannot move it"},
    {"ImpulseWithoutTime", "impulses: [{body: ball, impulse: [1, 0, 0]}]\n",
     "rod.yaml:15:12: impulses[0].time is missing"},
    {"ImpulseBeforeTheStart", "impulses: [{body: ball, time: -0.1, impulse: [1, 0, 0]}]\n",
     "rod.yaml:15:31: impulses[0].time must not be negative"},
    {"ImpulseOfNothing", "impulses: [{body: ball, time: 1}]\n",
     "rod.yaml:15:12: impulses[0] needs impulse or angular_impulse, or both"},
    {"PointOfAnAngularImpulse", "impulses: [{body: ball, time: 1, at: [0, 0, 1], angular_impulse: [0, 0, 1]}]\n",
     "rod.yaml:15:38: impulses[0].at has no meaning without impulse"},
    {"ImpulseOfTime", "impulses: [{body: ball, time: 1, impulse: [t, 0, 0]}]\n",
     "rod.yaml:15:44: impulses[0].impulse[0]: unknown name 't' (only forces, motors and prescribed motion may depend "
     "on "
     "the time)"},
    {"AnotherQuantity", "forces: [{body: ball, force: [0, 0, 2 + ball.kinetic_energy]}]\n",
     "rod.yaml:15:41: forces[0].force[2]: a force on ball cannot use 'ball.kinetic_energy'" ONLY_MOTION},
    {"TheSystem", "forces: [{body: ball, torque: [energy, 0, 0]}]\n",
     "rod.yaml:15:32: forces[0].torque[0]: a force on ball cannot use 'energy'" ONLY_MOTION},
    {"AGap", "forces: [{body: ball, force: [\"gap(ball, floor)\", 0, 0]}]\n",
     "rod.yaml:15:32: forces[0].force[0]: a force on ball cannot use 'gap(a, b)'" ONLY_MOTION},
    {"ASpring",
     "springs: {coil: {between: [floor, ball], stiffness: 1}}\nforces: [{body: ball, force: [coil.length, 0, 0]}]\n",
     "rod.yaml:16:31: forces[0].force[0]: a force on ball cannot use 'coil.length'" ONLY_MOTION},
    {"Time", "forces: [{body: ball, force: [2*time, 0, 0]}]\n",
     "rod.yaml:15:33: forces[0].force[0]: unknown name 'time' (write 't')"},
    {"UnknownBody", "forces: [{body: ball, force: [bal.velocity.x, 0, 0]}]\n",
     "rod.yaml:15:31: forces[0].force[0]: there is no body 'bal' (did you mean 'ball'?)"},
    {"UnknownQuantity", "forces: [{body: ball, force: [ball.velocty.x, 0, 0]}]\n",
     "rod.yaml:15:31: forces[0].force[0]: a body has no quantity 'velocty' (did you mean 'velocity'?)"},
    {"NoComponent", "forces: [{body: ball, force: [ball.velocity, 0, 0]}]\n",
     "rod.yaml:15:31: forces[0].force[0]: 'ball.velocity' needs one component: .x, .y or .z"},
    {"NoAngle", "forces: [{body: ball, force: [ball.angle, 0, 0]}]\n",
     "rod.yaml:15:31: forces[0].force[0]: only a body with one free rotation has an angle, ball has not"},
    {"AVariableWithoutDollar", "forces: [{body: ball, force: [mu, 0, 0]}]\n",
     "rod.yaml:15:31: forces[0].force[0]: unknown name 'mu' (did you mean '$mu'?)"},
    {"ATruthValue", "forces: [{body: ball, force: [ball.velocity.x < 1, 0, 0]}]\n",
     "rod.yaml:15:31: forces[0].force[0] must be a number, not a truth value"},
    {"MotionOfAPoint", "forces: [{body: ball, at: [ball.position.x, 0, 0], force: [1, 0, 0]}]\n",
     "rod.yaml:15:28: forces[0].at[0]: quantities such as 'rod.position.x' may stand in outcomes and forces only"},
    {"TimeOfAPoint", "forces: [{body: ball, at: [t, 0, 0], force: [1, 0, 0]}]\n",
     "rod.yaml:15:28: forces[0].at[0]: unknown name 't' (only forces, motors and prescribed motion may depend on the "
     "time)"},
    {"PointOfATorque", "forces: [{body: ball, at: [0, 0, 0], torque: [1, 0, 0]}]\n",
     "rod.yaml:15:27: forces[0].at has no meaning without force"},
};
INSTANTIATE_TEST_SUITE_P(Reader, ForceErrors, testing::ValuesIn(force_errors),
                         [](const auto& error) { return std::string(error.param.name); });

std::string outcome_error(const std::string& quantity) {
  return error_of(with_section("springs: {coil: {between: [floor, ball], stiffness: 1}}\n")
                      .append("  way: {at_end: " + quantity + "}\n"));
}

TEST(SpringQuantities, AreLengthForceAndEnergy) {
  for (const char* name : {"length", "force", "energy"}) EXPECT_EQ(outcome_error(std::string("coil.") + name), "");
  EXPECT_EQ(outcome_error("coil.lenght"),
            "rod.yaml:18:17: outcomes.way.at_end: a spring has no quantity 'lenght' (did you mean 'length'?)");
  EXPECT_EQ(outcome_error("coil.force.x"), "rod.yaml:18:17: outcomes.way.at_end: 'coil.force' has no components");
  EXPECT_EQ(outcome_error("coil"),
            "rod.yaml:18:17: outcomes.way.at_end: which quantity of coil? For example coil.length");
  EXPECT_EQ(outcome_error("coyl.length"),
            "rod.yaml:18:17: outcomes.way.at_end: there is no body 'coyl' (did you mean 'coil'?)");
}

TEST(Springs, AnEmptyListIsReadAsBefore) {
  EXPECT_EQ(error_of(with_section("springs: []\n")), "");
  EXPECT_EQ(error_of(with_section("springs: {}\n")), "");
}

TEST(Springs, HaveACanonicalTextThatReadsBack) {
  const std::string bodies = R"(jostle: 1
variables: {soft: {uniform: [10, 20]}}
world: {step: 0.01, duration: 1}
bodies:
  a: {mass: 1, inertia: 1, position: [1, 0, 0]}
  b: {mass: 1, inertia: 1, position: [2, 0, 0]}
)";
  const std::string sections = R"~(springs:
  coil: {between: [a, b], stiffness: "2*$soft", damping: 0}
  rope: {between: [b, world], at: [[2, 0, 0.1], [3, 0, 0.1]], stiffness: 5, damping: {uniform: [0.1, 0.2]}, rest: 0.5}
forces:
  - {body: a, at: [1, 0, 0.2], force: ["-0.1*a.velocity.x*cos(t)", 0, 0], torque: [0, 0, 0]}
  - {body: b, force: [0, 0, "$soft - b.position.z"], torque: [0, 0, 0]}
)~";
  const Scenario scenario = parse_scenario(bodies + sections, "springs.yaml");
  EXPECT_THAT(scenario.canonical, testing::HasSubstr(sections));
  EXPECT_EQ(parse_scenario(scenario.canonical, "canonical.yaml").canonical, scenario.canonical);
}

/// What load() says of samples whose ball is at z = $d, from -1 to 1.
void expect_faults(const std::string& rest, const std::string& message) {
  const Ensemble ensemble(
      parse_scenario("jostle: 1\nvariables: {d: {uniform: [-1, 1]}}\nworld: {step: 0.01, duration: 1}\n"
                     "bodies:\n  a: {mass: 1, inertia: 1, position: [0, 0, 1]}\n" +
                         rest + "sample: {count: 8}\n",
                     "draw.yaml"));
  Batch batch(ensemble.model(), 1);
  int faults = 0;
  for (int sample = 0; sample < 8; ++sample) {
    const auto fault = ensemble.load(sample, batch, 0);
    EXPECT_EQ(batch.status(0) == Status::bad_parameters, fault.has_value());
    if (!fault) continue;
    ++faults;
    EXPECT_THAT(fault->message, testing::StartsWith(message));
  }
  EXPECT_GE(faults, 3);
  EXPECT_LT(faults, 8);
}

// What a draw makes wrong is a status of that sample, with the fault told.
TEST(Springs, ThatADrawMakesWrongHaveBadParameters) {
  expect_faults("springs: {s: {between: [world, a], at: [[0, 0, \"min($d, 0)\"], [0, 0, 0]], stiffness: 1}}\n",
                "springs.s: the two points are one, which has no direction");
  expect_faults("springs: {s: {between: [world, a], at: [[0, 0, 0], [0, 0, 1]], stiffness: $d}}\n",
                "springs.s.stiffness must not be negative, but $d is -");
  expect_faults("forces: [{body: a, at: [0, 0, log($d)], force: [1, 0, 0]}]\n",
                "forces[0].at[2] must be finite, but log($d) is ");
}

}  // namespace
}  // namespace jostle::test

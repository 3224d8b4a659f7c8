// What the reader says about joints, with line and column.
#include <gmock/gmock.h>

#include "scenarios/ensemble.hpp"
#include "scenarios/format/keys.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle::test {
namespace {

struct JointError {
  const char* name;
  const char* joints;  ///< from line 16 on
  const char* message;
};

std::ostream& operator<<(std::ostream& stream, const JointError& error) { return stream << error.name; }

std::string with_joints(const std::string& joints) {
  const std::string text = "joints:\n" + joints + "outcomes:\n";
  return edited({{"outcomes:\n", text.c_str()}});
}

class JointErrors : public testing::TestWithParam<JointError> {};

TEST_P(JointErrors, NameTheirPlace) { EXPECT_EQ(error_of(with_joints(GetParam().joints)), GetParam().message); }

const JointError joint_errors[] = {
    {"UnknownKey", "  pin: {ball: [world, ball], at: [0, 0, 1], axsi: [0, 0, 1]}\n",
     "rod.yaml:16:45: unknown key 'axsi' in joints.pin (did you mean 'axis'?)"},
    {"SpringOfABall", "  pin: {ball: [world, ball], at: [0, 0, 1], stiffness: 3}\n",
     "rod.yaml:16:56: joints.pin.stiffness has no meaning for a ball joint"},
    {"RotorOfAWeld", "  pin: {fixed: [world, ball], armature: 3}\n",
     "rod.yaml:16:41: joints.pin.armature has no meaning for a fixed joint"},
    {"FreewheelOfADistance", "  pin: {distance: [floor, ball], speed_limits: [0, null]}\n",
     "rod.yaml:16:48: joints.pin.speed_limits has no meaning for a distance joint"},
    {"NegativeStiffness", "  pin: {revolute: [world, ball], at: [0, 0, 1], axis: [0, 0, 1], stiffness: -3}\n",
     "rod.yaml:16:77: joints.pin.stiffness must not be negative"},
    {"NegativeDamping", "  pin: {revolute: [world, ball], at: [0, 0, 1], axis: [0, 0, 1], damping: -3}\n",
     "rod.yaml:16:75: joints.pin.damping must not be negative"},
    {"NegativeArmature", "  pin: {revolute: [world, ball], at: [0, 0, 1], axis: [0, 0, 1], armature: -0.1}\n",
     "rod.yaml:16:76: joints.pin.armature must not be negative"},
    {"RestWithoutSpring", "  pin: {revolute: [world, ball], at: [0, 0, 1], axis: [0, 0, 1], rest: 1, damping: 2}\n",
     "rod.yaml:16:72: joints.pin.rest has no meaning without stiffness"},
    {"SpeedLimitsOfNothing",
     "  pin: {revolute: [world, ball], at: [0, 0, 1], axis: [0, 0, 1], speed_limits: [null, .inf]}\n",
     "rod.yaml:16:80: joints.pin.speed_limits limits nothing: leave it out"},
    {"SpeedLimitsThatCross",
     "  pin: {revolute: [world, ball], at: [0, 0, 1], axis: [0, 0, 1], speed_limits: [1, -1]}\n",
     "rod.yaml:16:81: joints.pin.speed_limits must be [lower, upper] with lower < upper"},
    {"AnInfiniteLowerLimit",
     "  pin: {revolute: [world, ball], at: [0, 0, 1], axis: [0, 0, 1], speed_limits: [.inf, 3]}\n",
     "rod.yaml:16:81: joints.pin.speed_limits[0] must be finite: '.inf'"},
    {"NoType", "  pin: {at: [0, 0, 1]}\n",
     "rod.yaml:16:8: joints.pin needs one of ball, revolute, prismatic, fixed, distance"},
    {"TwoTypes", "  pin: {ball: [world, ball], fixed: [world, ball]}\n",
     "rod.yaml:16:8: joints.pin has both ball and fixed, only one is allowed"},
    {"UnknownBody", "  pin: {ball: [world, bal], at: [0, 0, 1]}\n",
     "rod.yaml:16:23: joints.pin.ball[1]: there is no body 'bal' (did you mean 'ball'?)"},
    {"OneBodyTwice", "  pin: {ball: [ball, ball], at: [0, 0, 1]}\n",
     "rod.yaml:16:15: joints.pin.ball names ball twice"},
    {"OneSide", "  pin: {ball: [ball], at: [0, 0, 1]}\n",
     "rod.yaml:16:15: joints.pin.ball must be a list of 2, not of 1"},
    {"NothingMoves", "  pin: {fixed: [world, floor]}\n",
     "rod.yaml:16:16: joints.pin.fixed ties two that no impulse moves"},
    {"NameOfABody", "  ball: {fixed: [world, ball]}\n",
     "rod.yaml:16:3: joint 'ball' has the name of a body; try 'ball_joint'"},
    {"ReservedName", "  energy: {fixed: [world, ball]}\n",
     "rod.yaml:16:3: joint 'energy' is a reserved name: expressions or lists of bodies have a word energy"},
    {"NoPoint", "  pin: {ball: [world, ball]}\n", "rod.yaml:16:8: joints.pin.at is missing, the point of the joint"},
    {"TwoPoints", "  pin: {ball: [world, ball], at: [[0, 0, 1], [0, 0, 1]]}\n",
     "rod.yaml:16:34: joints.pin.at must be one point [x, y, z]"},
    {"OnePointOfADistance", "  pin: {distance: [world, ball], at: [0, 0, 2]}\n",
     "rod.yaml:16:38: joints.pin.at must be two points [[x, y, z], [x, y, z]]"},
    {"CentreOfTheWorld", "  pin: {distance: [world, ball]}\n",
     "rod.yaml:16:8: joints.pin.at is missing, the world has no centre of mass"},
    {"NoDistance", "  pin: {distance: [world, ball], at: [[0, 0, 1], [0, 0, 1]]}\n",
     "rod.yaml:16:3: joints.pin: the two points are one, which has no direction; use a ball joint"},
    {"OpenDistance", "  pin: {distance: [world, ball], at: [[0, 0, 2], [0, 0, 1]], length: 1.001}\n",
     "rod.yaml:16:70: joints.pin.length is 1.001 m, but the points are 1 m apart at the start"},
    {"PointOfAWeld", "  pin: {fixed: [world, ball], at: [0, 0, 2]}\n",
     "rod.yaml:16:35: joints.pin.at has no meaning for a fixed joint"},
    {"TwoPointsOfASlider", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], at: [[0, 0, 2], [0, 0, 1]]}\n",
     "rod.yaml:16:56: joints.pin.at must be one point [x, y, z]"},
    {"AxisOfABall", "  pin: {ball: [world, ball], at: [0, 0, 2], axis: [1, 0, 0]}\n",
     "rod.yaml:16:51: joints.pin.axis has no meaning for a ball joint"},
    {"NoAxis", "  pin: {revolute: [world, ball], at: [0, 0, 1]}\n",
     "rod.yaml:16:8: joints.pin.axis is missing, the axis of the joint"},
    {"AxisWithoutDirection", "  pin: {prismatic: [world, ball], axis: [0, 0, 0]}\n",
     "rod.yaml:16:41: joints.pin.axis must have a direction, its length is 0 or infinite"},
    {"FrictionOfAWeld", "  pin: {fixed: [world, ball], friction: 1}\n",
     "rod.yaml:16:41: joints.pin.friction has no meaning for a fixed joint"},
    {"NegativeFriction", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], friction: -1}\n",
     "rod.yaml:16:62: joints.pin.friction must not be negative"},
    {"LimitsBesideTheStart", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], limits: [0.1, 0.2]}\n",
     "rod.yaml:16:61: joints.pin.limits must be [lower, upper] with lower <= 0 <= upper: the joint starts at 0"},
    {"LimitsWithoutRoom", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], limits: [0, 0]}\n",
     "rod.yaml:16:61: joints.pin.limits leave no room; use a fixed joint"},
    {"OneLimit", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], limits: [0]}\n",
     "rod.yaml:16:60: joints.pin.limits must be a list of 2, not of 1"},
    {"Restitution", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], limits: [0, 1], restitution: 0.5}\n",
     "rod.yaml:16:81: joints.pin.restitution above 0 needs a world.method with impacts (anitescu_potra, trapezoidal, "
     "trapezoidal_midpoint, loetstedt), stewart_trinkle has none"},
    {"RestitutionOfNothing", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], restitution: 0}\n",
     "rod.yaml:16:65: joints.pin.restitution has no meaning without limits"},
    {"MotorWithoutLimit", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], motor: {speed: 1}}\n",
     "rod.yaml:16:59: joints.pin.motor.limit is missing"},
    {"MotorWithAUnit", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], motor: {speed: 1 m, limit: 3}}\n",
     "rod.yaml:16:69: joints.pin.motor.speed: write no unit, this number is in m/s"},
    {"TimeInFriction", "  pin: {prismatic: [world, ball], axis: [1, 0, 0], friction: 2*t}\n",
     "rod.yaml:16:64: joints.pin.friction: unknown name 't' (only forces, motors and prescribed motion may depend on "
     "the time)"},
    {"AList", "  - {ball: [world, ball]}\n", "rod.yaml:16:3: joints must be a map, not a list"},
};

INSTANTIATE_TEST_SUITE_P(Reader, JointErrors, testing::ValuesIn(joint_errors),
                         [](const auto& error) { return std::string(error.param.name); });

std::string planar(const std::string& joint) {
  return "jostle: 1\nworld: {step: 0.01, duration: 1}\nbodies:\n"
         "  a: {mass: 1, inertia: 1, freedom: [x, z, ry]}\njoints:\n  j: " +
         joint + "\n";
}

TEST(PlanarJoints, HaveAxesThatSuitThePlane) {
  EXPECT_EQ(error_of(planar("{revolute: [world, a], at: [0, 0, 0], axis: [0, 1, 0]}")), "");
  EXPECT_EQ(error_of(planar("{revolute: [world, a], at: [0, 0, 0], axis: [0, -2, 0]}")), "");
  EXPECT_EQ(error_of(planar("{revolute: [world, a], at: [0, 0, 0], axis: [0, 1, 0.1]}")),
            "rod.yaml:6:51: joints.j.axis must be along y, because all bodies move in a plane");
  EXPECT_EQ(error_of(planar("{prismatic: [world, a], axis: [0.6, 0, 0.8]}")), "");
  EXPECT_EQ(error_of(planar("{prismatic: [world, a], axis: [0.6, 0.1, 0.8]}")),
            "rod.yaml:6:37: joints.j.axis must lie in the plane in which all bodies move, with y = 0");
}

std::string outcome_error(const std::string& joint, const std::string& quantity) {
  return error_of(edited(
      {{"outcomes:\n", ("joints:\n  pin: " + joint + "\noutcomes:\n  way: {at_end: " + quantity + "}\n").c_str()}}));
}

TEST(JointQuantities, SuitTheJoint) {
  const std::string hinge = "{revolute: [floor, ball], at: [0, 0, 1], axis: [0, 0, 1]}";
  const std::string slider = "{prismatic: [floor, ball], axis: [0, 0, 1]}";
  const std::string weld = "{fixed: [floor, ball]}";
  for (const char* name : {"angle", "speed", "impulse", "reaction", "reaction.x", "moment.z"})
    EXPECT_EQ(outcome_error(hinge, std::string("pin.") + name), "");
  EXPECT_EQ(outcome_error(slider, "pin.position"), "");
  EXPECT_EQ(outcome_error(weld, "pin.reaction"), "");
  EXPECT_EQ(outcome_error(hinge, "pin.position"),
            "rod.yaml:18:17: outcomes.way.at_end: a revolute joint has no quantity 'position' (known: angle, speed, "
            "impulse, reaction, moment, torque, impact)");
  EXPECT_EQ(outcome_error(weld, "pin.speed"),
            "rod.yaml:18:17: outcomes.way.at_end: a fixed joint has no quantity 'speed' (known: reaction, moment)");
  EXPECT_EQ(outcome_error(hinge, "pin.angle.x"), "rod.yaml:18:17: outcomes.way.at_end: 'pin.angle' has no components");
  for (const char* wrong : {"moment", "moment.w", "moment.x.y"})
    EXPECT_EQ(outcome_error(weld, std::string("pin.") + wrong),
              "rod.yaml:18:17: outcomes.way.at_end: 'pin.moment' needs one component: .x, .y or .z");
  EXPECT_EQ(outcome_error(weld, "pin.reaction.w"),
            "rod.yaml:18:17: outcomes.way.at_end: 'pin.reaction' needs one component: .x, .y or .z");
  EXPECT_EQ(outcome_error(hinge, "pin"),
            "rod.yaml:18:17: outcomes.way.at_end: which quantity of pin? For example pin.reaction");
}

TEST(Joints, AnEmptyListIsReadAsBefore) {
  EXPECT_EQ(error_of(edited({{"outcomes:\n", "joints: []\noutcomes:\n"}})), "");
  EXPECT_EQ(error_of(edited({{"outcomes:\n", "joints: {}\noutcomes:\n"}})), "");
}

TEST(Joints, ABodyCannotBeTheWorld) {
  EXPECT_EQ(error_of(edited({{"  ball:\n", "  world:\n"}})),
            "rod.yaml:9:3: body 'world' is a reserved name: expressions or lists of bodies have a word world");
}

TEST(Joints, HaveACanonicalTextThatReadsBack) {
  const std::string bodies = R"(jostle: 1
variables: {rub: {uniform: [0, 0.2]}}
world: {step: 0.01, duration: 1}
bodies:
  a: {mass: 1, inertia: 1, position: [1, 0, 0]}
  b: {mass: 1, inertia: 1, position: [2, 0, 0]}
  c: {mass: 1, inertia: 1, position: [3, 0, 0]}
)";
  const std::string joints = R"~(joints:
  elbow: {revolute: [a, b], at: [1.5, 0, 0], axis: [0, 2, 0], friction: "2*$rub", limits: [-1, 1.5], restitution: 0, motor: {speed: "2*sin(t)", limit: 0.5}}
  slide: {prismatic: [world, c], at: [0, 0, 1], axis: [1, 0, 0], friction: {uniform: [0.1, 0.2]}}
  rope: {distance: [b, c], at: [[2, 0, 0.1], [3, 0, 0.1]], length: 1}
  line: {distance: [a, c]}
  pin: {ball: [a, world], at: [1, 0, 0]}
  weld: {fixed: [a, c]}
)~";
  const Scenario scenario = parse_scenario(bodies + joints, "joints.yaml");
  EXPECT_THAT(scenario.canonical, testing::HasSubstr(joints));
  EXPECT_EQ(parse_scenario(scenario.canonical, "canonical.yaml").canonical, scenario.canonical);
}

// What a draw makes wrong is a status of that sample, with the fault told.
TEST(Joints, ThatADrawMakesWrongHaveBadParameters) {
  const Ensemble ensemble(parse_scenario(
      "jostle: 1\nvariables: {d: {uniform: [0.9, 1.1]}}\nworld: {step: 0.01, duration: 1}\n"
      "bodies:\n  a: {mass: 1, inertia: 1, position: [0, 0, $d]}\n"
      "joints:\n  rope: {distance: [world, a], at: [[0, 0, 0], [0, 0, $d]], length: 1}\nsample: {count: 8}\n",
      "draw.yaml"));
  Batch batch(ensemble.model(), 1);
  for (int sample = 0; sample < 8; ++sample) {
    const auto fault = ensemble.load(sample, batch, 0);
    EXPECT_EQ(batch.status(0), Status::bad_parameters);
    ASSERT_TRUE(fault);
    EXPECT_THAT(fault->message, testing::StartsWith("joints.rope.length is 1 m, but the points are "));
  }
}

}  // namespace
}  // namespace jostle::test

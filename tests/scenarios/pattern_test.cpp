// Patterns of bodies and shapes, lists of rotations, and shapes that are only drawn.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "scenarios/ensemble.hpp"
#include "scenarios/format/canonical.hpp"
#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/mass.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::ErrorCase;
using test::ErrorCases;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Scenario with_bodies(const std::string& bodies) {
  return parse_scenario(R"(jostle: 1
variables: {r: {uniform: [1, 2]}}
world: {step: 0.01, steps: 1, gravity: [0, 0, 0]}
bodies:
)" + bodies + R"(contacts: [{between: any, friction: 0}]
)",
                        "pattern.yaml");
}

void expect_same_after_canonical(const Scenario& scenario) {
  const Scenario again = parse_scenario(scenario.canonical, "again.yaml");
  EXPECT_EQ(again.canonical, scenario.canonical);
  ASSERT_EQ(again.variables.size(), scenario.variables.size());
  for (std::size_t v = 0; v < again.variables.size(); ++v)
    EXPECT_EQ(again.variables[v].name, scenario.variables[v].name);
}

// Twelve balls on a circle of radius r: ball k at r (cos 30 k, sin 30 k), its velocity along the circle.
TEST(PatternOfBodies, AboutAnAxisTurnsPositionRotationAndMotion) {
  const Scenario scenario = with_bodies(R"(  ball:
    mass: 1
    shape: {sphere: {radius: 0.1 + 0.01*copy}}
    position: [$r, 0, 5]
    velocity: [0, 3, 0]
    pattern: {count: 12, axis: z}
)");
  ASSERT_THAT(scenario.bodies, SizeIs(12));
  EXPECT_EQ(scenario.bodies[7].name, "ball[7]");
  EXPECT_NEAR(scenario.bodies[7].shapes[0].sphere.radius.constant, 0.17, 1e-15);
  const double r = 1.75;
  for (int k = 0; k < 12; ++k) {
    const BodySpec& body = scenario.bodies[static_cast<std::size_t>(k)];
    const double angle = k * std::numbers::pi / 6;
    const Vec3 position = value_of(body.position, &r), velocity = value_of(body.velocity, &r);
    EXPECT_NEAR(position[0], r * std::cos(angle), 4e-15) << k;
    EXPECT_NEAR(position[1], r * std::sin(angle), 4e-15) << k;
    EXPECT_EQ(position[2], 5);
    EXPECT_NEAR(velocity[0], -3 * std::sin(angle), 4e-15);
    EXPECT_NEAR(velocity[1], 3 * std::cos(angle), 4e-15);
    const Quaternion q = rotation_of(body.rotation, &r);
    EXPECT_NEAR(q.w, std::cos(angle / 2), 1e-15);
    EXPECT_NEAR(q.z, std::sin(angle / 2), 1e-15);
  }
  EXPECT_EQ(scenario.bodies[3].position[0].constant, 0) << "quarters of a turn are exact";
  EXPECT_THAT(scenario.canonical, HasSubstr("pattern: {count: 12, axis: z, at: [0, 0, 0]}"));
  EXPECT_THAT(scenario.canonical, Not(HasSubstr("copies")));
  expect_same_after_canonical(scenario);
}

// About another point, and 10 degrees at a time: 2 + cos, 1 + sin.
TEST(PatternOfBodies, HasAPointAndAnAngleOfItsOwn) {
  const Scenario scenario = with_bodies(R"(  peg:
    fixed: true
    shape: {sphere: {radius: 0.01}}
    position: [3, 0, 1]
    pattern: {count: 4, axis: y, at: [2, 0, 1], degrees: 10}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [9, 9, 9]}
)");
  for (int k = 0; k < 4; ++k) {
    const Vec3 position = value_of(scenario.bodies[static_cast<std::size_t>(k)].position, nullptr);
    const double angle = k * std::numbers::pi / 18;  // about y, z turns towards x
    EXPECT_NEAR(position[0], 2 + std::cos(angle), 1e-15);
    EXPECT_NEAR(position[2], 1 - std::sin(angle), 4e-15);
  }
}

TEST(PatternOfBodies, InARowHasEqualDistances) {
  const Scenario scenario = with_bodies(R"(  domino:
    mass: 1
    shape: {box: {size: [0.1, 1, 2]}}
    position: [0, $r, 1]
    rotation: {axis: [0, 0, 1], degrees: 7}
    pattern: {count: 5, step: ["0.5*$r", 0, 0.25]}
)");
  ASSERT_THAT(scenario.bodies, SizeIs(5));
  const double r = 1.5;
  for (int k = 0; k < 5; ++k) {
    const BodySpec& body = scenario.bodies[static_cast<std::size_t>(k)];
    const Vec3 position = value_of(body.position, &r);
    EXPECT_THAT(std::vector<double>({position[0], position[1], position[2]}), ElementsAre(0.75 * k, 1.5, 1 + 0.25 * k));
    EXPECT_EQ(body.rotation.kind, RotationSpec::Kind::axis_angle);
  }
  expect_same_after_canonical(scenario);
}

// A planar wheel with 4 pegs: the angle of a body that turns about one axis stays unwrapped.
TEST(PatternOfBodies, InAPlaneKeepsAngles) {
  const Scenario scenario = with_bodies(R"(  arm:
    mass: 1
    freedom: [x, z, ry]
    shape: {box: {size: [1, 0.1, 0.1]}}
    position: [2, 0, 0]
    rotation: {axis: [0, 1, 0], degrees: 20}
    pattern: {count: 4, axis: y, degrees: 100}
)");
  const Ensemble ensemble(scenario);
  Batch batch(ensemble.model(), 1);
  ASSERT_FALSE(ensemble.load(0, batch, 0));
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(batch.parameters(0).start_angle[k], (20 + 100 * k) * std::numbers::pi / 180, 1e-14);
}

// A disc of 6 pins, each 1 g at 20 mm: J = 6 (2/5 m r^2 + m d^2) about the axis; random radii are drawn for each pin.
TEST(PatternOfShapes, MakesShapesOfOneBody) {
  const Scenario scenario = with_bodies(R"(  wheel:
    density: 1000
    shapes:
      - {sphere: {radius: 0.5}, position: [0, 0, 2]}
      - {sphere: {radius: 0.1 + 0.01*item}, position: [2, 0, 0], pattern: {count: 6, axis: z}}
      - {sphere: {radius: {uniform: [0.1, 0.2]}}, position: [5, 0, 0], pattern: {count: 2, step: [0, 1, 0]}}
)");
  const std::vector<ShapeSpec>& shapes = scenario.bodies[0].shapes;
  ASSERT_THAT(shapes, SizeIs(9));
  for (int k = 0; k < 6; ++k) {
    const ShapeSpec& shape = shapes[static_cast<std::size_t>(1 + k)];
    EXPECT_NEAR(shape.sphere.radius.constant, 0.1 + 0.01 * k, 1e-15);
    const Vec3 position = value_of(shape.position, nullptr);
    EXPECT_NEAR(position[0], 2 * std::cos(k * std::numbers::pi / 3), 4e-15);
    EXPECT_NEAR(position[1], 2 * std::sin(k * std::numbers::pi / 3), 4e-15);
  }
  ASSERT_THAT(scenario.variables, SizeIs(3));
  EXPECT_EQ(scenario.variables[1].name, "bodies.wheel.shapes[7].sphere.radius");
  EXPECT_EQ(scenario.variables[2].name, "bodies.wheel.shapes[8].sphere.radius");
  expect_same_after_canonical(scenario);
}

// About x by 90 degrees takes y to z, then about z by 90 takes x to y and leaves z: y goes to z, z to -y and then to x.
TEST(RotationList, AppliesOneTurnAfterTheOther) {
  const Scenario scenario = with_bodies(R"(  cube:
    mass: 1
    shape: {box: {size: [1, 1, 1]}}
    rotation: [{axis: [1, 0, 0], degrees: 90}, {axis: [0, 0, 1], degrees: 90}]
)");
  const Mat3 axes = rotation_matrix(rotation_of(scenario.bodies[0].rotation, nullptr));
  const double expected[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column)
      EXPECT_NEAR(axes(row, column), expected[row][column], 1e-15) << row << column;
  EXPECT_THAT(scenario.canonical,
              HasSubstr("rotation: [{axis: [1, 0, 0], degrees: 90}, {axis: [0, 0, 1], degrees: 90}]"));
  expect_same_after_canonical(scenario);
}

TEST(RotationList, MayHaveRandomAngles) {
  const Scenario scenario = with_bodies(R"(  cube:
    mass: 1
    shape: {box: {size: [1, 1, 1]}}
    rotation: [{axis: [1, 0, 0], degrees: 90}, {axis: [0, 0, 1], degrees: {uniform: [0, 10]}}]
)");
  EXPECT_EQ(scenario.variables.back().name, "bodies.cube.rotation[1].degrees");
  const double draws[] = {1, 7};
  const Quaternion q = rotation_of(scenario.bodies[0].rotation, draws);
  const double half = 3.5 * std::numbers::pi / 180, root = std::sqrt(0.5);
  EXPECT_NEAR(q.w, root * std::cos(half), 1e-15);
  EXPECT_NEAR(q.x, root * std::cos(half), 1e-15);
  EXPECT_NEAR(q.y, root * std::sin(half), 1e-15);
  EXPECT_NEAR(q.z, root * std::sin(half), 1e-15);
  expect_same_after_canonical(scenario);
}

TEST(DisplayedShapes, HaveNoMassAndTouchNothing) {
  const Scenario scenario = with_bodies(R"(  ball:
    density: 1000
    shapes:
      - {box: {size: [9, 9, {uniform: [8, 9]}]}, display: true}
      - {sphere: {radius: {uniform: [0.1, 0.2]}}}
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1], offset: -1}}}
)");
  const BodySpec& ball = scenario.bodies[0];
  ASSERT_THAT(ball.shapes, SizeIs(1));
  ASSERT_THAT(ball.displayed, SizeIs(1));
  const Model model = build_model(scenario);
  EXPECT_EQ(model.shapes.size(), 2u);
  EXPECT_EQ(model.pairs.size(), 1u);
  const double draws[] = {1, 8.5, 0.2};
  EXPECT_NEAR(mass_of(ball, draws).mass.value(), 1000 * 4.0 / 3 * std::numbers::pi * 0.008, 1e-12);
  EXPECT_EQ(scenario.variables[2].name, "bodies.ball.shapes[1].sphere.radius") << "its place in the file";
  EXPECT_THAT(scenario.canonical, HasSubstr("display: true"));
  expect_same_after_canonical(scenario);
}

TEST(DisplayedShapes, CanBeHulls) {
  const Scenario scenario = with_bodies(R"(  ball:
    density: 1000
    shapes:
      - {sphere: {radius: 0.1}}
      - {hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, display: true}
)");
  ASSERT_THAT(scenario.bodies[0].displayed, SizeIs(1));
  EXPECT_THAT(scenario.bodies[0].displayed[0].hull.structure.corners, SizeIs(4));
}

const ErrorCase cases[] = {
    {"PatternWithoutCount",
     {{"position: [0, 0, 1]", "position: [0, 0, 1]\n    pattern: {axis: z}"}},
     "rod.yaml:13:14: bodies.ball[0].pattern.count is missing"},
    {"PatternWithoutAxis",
     {{"position: [0, 0, 1]", "position: [0, 0, 1]\n    pattern: {count: 3}"}},
     "rod.yaml:13:14: bodies.ball[0].pattern needs axis or step"},
    {"PatternWithBoth",
     {{"position: [0, 0, 1]", "position: [0, 0, 1]\n    pattern: {count: 3, axis: z, step: [1, 0, 0]}"}},
     "rod.yaml:13:14: bodies.ball[0].pattern has both axis and step, only one is allowed"},
    {"PatternInARowWithAngle",
     {{"position: [0, 0, 1]", "position: [0, 0, 1]\n    pattern: {count: 3, step: [1, 0, 0], degrees: 3}"}},
     "rod.yaml:13:51: bodies.ball[0].pattern.degrees has no meaning without an axis"},
    {"PatternOfNone",
     {{"position: [0, 0, 1]", "position: [0, 0, 1]\n    pattern: {count: 0, axis: z}"}},
     "rod.yaml:13:22: bodies.ball.pattern.count must be 1 or more, not 0"},
    {"PatternAndCopies",
     {{"mass: 1.0", "copies: 2\n    mass: 1.0"},
      {"position: [0, 0, 1]", "position: [0, 0, 1]\n    pattern: {count: 3, axis: z}"}},
     "rod.yaml:10:13: bodies.ball.copies has no meaning beside a pattern, which has a count"},
    {"PatternOfTheOnlyShape",
     {{"shape: {sphere: {radius: 0.1}}", "shape: {sphere: {radius: 0.1}, pattern: {count: 2, axis: z}}"}},
     "rod.yaml:11:12: bodies.ball.shape.pattern makes several shapes: write it under `shapes`"},
    {"ItemOutsideOfAPattern",
     {{"radius: 0.1", "radius: 0.1*item"}},
     "rod.yaml:11:34: bodies.ball.shape.sphere.radius: unknown name 'item'"},
    {"RotationListEmpty",
     {{"position: [0, 0, 1]", "rotation: []"}},
     "rod.yaml:12:15: bodies.ball.rotation is an empty list: leave it out, or write a turn"},
    {"RotationListWithUniform",
     {{"position: [0, 0, 1]", "rotation: [uniform, {axis: [0, 0, 1], degrees: 3}]"}},
     "rod.yaml:12:16: bodies.ball.rotation[0]: 'uniform' after or before another turn is uniform; write it alone"},
    {"RotationListWithANumber",
     {{"position: [0, 0, 1]", "rotation: [30]"}},
     "rod.yaml:12:16: bodies.ball.rotation[0] must be {axis, degrees} or {quaternion}, not '30'"},
    {"DisplayedWithDensity",
     {{"mass: 1.0\n    shape: {sphere: {radius: 0.1}}",
       "shapes: [{sphere: {radius: 0.1}, density: 1}, {sphere: {radius: 1}, density: 2, display: true}]"}},
     "rod.yaml:10:82: bodies.ball.shapes[1].density has no meaning, because the shape is only drawn"},
    {"UnitInPlace",
     {{"mass: 1.0", "mass: {uniform: [1, 2], unit: g}"}},
     "rod.yaml:10:35: bodies.ball.mass.unit has no meaning here: this number is in kg"},
    {"UnitOfATruth",
     {{"{at_end: ball.position.z < 0.2}", "{at_end: ball.position.z < 0.2, unit: m}"}},
     "rod.yaml:16:46: outcomes.low.unit has no meaning: only a number has a unit of its own"},
};

INSTANTIATE_TEST_SUITE_P(Patterns, ErrorCases, testing::ValuesIn(cases), test::name_of);

TEST(Labels, AreNoPartOfTheIdentity) {
  const std::string with = R"(jostle: 1
variables: {mu: {uniform: [0.3, 0.9], label: friction of the floor, unit: "1"}}
world: {step: 0.01, steps: 1}
bodies: {ball: {mass: {uniform: [1, 2], label: its mass}, shape: {sphere: {radius: 0.1}}}}
outcomes: {low: {at_end: ball.position.z, label: height, unit: m}}
)";
  std::string without = with;
  for (const char* part :
       {", label: friction of the floor, unit: \"1\"", ", label: its mass", ", label: height, unit: m"})
    without.erase(without.find(part), std::string(part).size());
  const Scenario labelled = parse_scenario(with, "a.yaml"), plain = parse_scenario(without, "b.yaml");
  EXPECT_EQ(canonical_yaml(labelled, false), canonical_yaml(plain, false));
  EXPECT_NE(labelled.canonical, plain.canonical);
  EXPECT_EQ(labelled.variables[0].unit(), "1");
  EXPECT_EQ(labelled.variables[1].unit(), "kg");
  EXPECT_EQ(labelled.variables[1].distribution.label, "its mass");
  expect_same_after_canonical(labelled);
}

// A sum of three expressions waits with two values beside those of the third, for which there is no memory.
TEST(Pattern, OfDeepExpressionsIsRefused) {
  const auto deep = [](int depth) {
    std::string number = "$x";
    for (int i = 1; i < depth; ++i) number = "1+(" + number + ")";
    return "[\"" + number + "\", \"" + number + "\", 0]";
  };
  const auto error = [&](const std::string& key, int depth, int depth_of_point = 1) {
    return test::error_of(
        "jostle: 1\nvariables: {x: {uniform: [0, 1]}}\nworld: {step: 0.1, steps: 1}\nbodies:\n  a:\n"
        "    {mass: 1, inertia: 1, " +
        key + ": " + deep(depth) + ",\n     pattern: {count: 2, axis: z, degrees: 20, at: " + deep(depth_of_point) +
        "}}\n");
  };
  const std::string further =
      ": its pattern needs too many intermediate values, more than 32 (write the deeper part of "
      "each operation first)";
  EXPECT_EQ(error("position", 31), "");
  EXPECT_EQ(error("velocity", 31), "");
  for (const std::string key : {"position", "velocity", "spin"})
    EXPECT_EQ(error(key, 32), "rod.yaml:7:15: bodies.a[1]." + key + "[0]" + further);
  EXPECT_EQ(error("position", 31, 31), "rod.yaml:7:15: bodies.a[1].position[0]" + further);
}

}  // namespace
}  // namespace jostle

// Draws that are not physical: their status, and the place and the number that are to blame.
#include "scenarios/parameters/parameters.hpp"

#include <gmock/gmock.h>

#include <numbers>

#include "scenarios/ensemble.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::Edit;

struct BadDraw {
  const char* name;
  std::vector<Edit> edits;  ///< of test::good_scenario, with $bad drawn as -2 in every sample
  const char* message;
};

void PrintTo(const BadDraw& bad, std::ostream* out) { *out << bad.name; }

Scenario bad_scenario(std::vector<Edit> edits, const ReadOptions& options = {}) {
  edits.push_back({"mu: {uniform: [0.3, 0.9]}", "mu: {uniform: [0.3, 0.9]}\n  bad: -2"});
  return parse_scenario(test::edited(edits), "rod.yaml", options);
}

class ABadDraw : public testing::TestWithParam<BadDraw> {};

TEST_P(ABadDraw, HasItsStatusAndNamesPlaceKeyAndValue) {
  const Ensemble ensemble(bad_scenario(GetParam().edits));
  Batch batch(ensemble.model(), 1);
  const auto fault = ensemble.load(0, batch, 0);
  EXPECT_EQ(batch.status(0), Status::bad_parameters);
  ASSERT_TRUE(fault);
  EXPECT_STREQ(error_at(ensemble.scenario(), fault->where, fault->message).what(), GetParam().message);
}

/// What draws nothing is wrong for every sample: an error of the file with the same words.
TEST_P(ABadDraw, IsAnErrorOfTheFileWhereNothingIsDrawn) {
  std::vector<Edit> edits = GetParam().edits;
  Scenario scenario = bad_scenario(edits, {{"variables.mu=0.5"}, {}, {}});
  try {
    const Ensemble ensemble(std::move(scenario));
    FAIL() << "accepted";
  } catch (const ScenarioError& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

Edit shape(const char* text) { return {"shape: {sphere: {radius: 0.1}}", text}; }
Edit more(const char* text) { return {"    position: [0, 0, 1]\n", text}; }

const BadDraw bad_draws[] = {
    {"Mass",
     {{"mass: 1.0", "mass: $bad + 1"}},
     "rod.yaml:11:11: bodies.ball.mass must be greater than 0, but $bad + 1 is -1"},
    {"InfiniteMass",
     {{"mass: 1.0", "mass: 1/($bad + 2)"}},
     "rod.yaml:11:11: bodies.ball.mass must be finite, but 1/($bad + 2) is inf"},
    {"Friction",
     {{"friction: $mu", "friction: $bad + 1"}},
     "rod.yaml:15:30: contacts[0].friction must not be negative, but $bad + 1 is -1"},
    {"Gravity",
     {{"world:\n", "world:\n  gravity: [0, 0, sqrt($bad)]\n"}},
     "rod.yaml:6:19: world.gravity[2] must be finite, but sqrt($bad) is nan"},
    {"Radius",
     {shape("shape: {sphere: {radius: 1 + $bad}}")},
     "rod.yaml:12:30: bodies.ball.shape.sphere.radius must not be negative, but 1 + $bad is -1"},
    {"SecondShape",
     {shape("inertia: 1\n    shapes: [{sphere: {radius: 1}}, {capsule: {radius: 1 + $bad, length: 1}}]")},
     "rod.yaml:13:56: bodies.ball.shapes[1].capsule.radius must not be negative, but 1 + $bad is -1"},
    {"BoxSize",
     {shape("shape: {box: {size: [1, 2, 2 + $bad]}}")},
     "rod.yaml:12:32: bodies.ball.shape.box.size[2] must be greater than 0, but 2 + $bad is 0"},
    {"HalfSpaceNormal",
     {{"normal: [0, 0, 1]", "normal: [0, 0, 2 + $bad]"}},
     "rod.yaml:9:31: bodies.floor.shape.half_space.normal must have a direction"},
    {"Velocity",
     {more("    position: [0, 0, 1]\n    velocity: [1/(2 + $bad), 0, 0]\n")},
     "rod.yaml:14:16: bodies.ball.velocity[0] must be finite, but 1/(2 + $bad) is inf"},
    {"Rotation",
     {more("    position: [0, 0, 1]\n    rotation: {axis: [0, 2 + $bad, 0], degrees: 20}\n")},
     "rod.yaml:14:23: bodies.ball.rotation must be finite and have a direction"},
    {"Inertia",
     {more("    position: [0, 0, 1]\n    inertia: [1, 1, 5 + $bad]\n")},
     "rod.yaml:14:15: bodies.ball.inertia must be greater than 0, and no moment greater than the sum of the others"},
    {"FreedomOfACentreOfMass",
     {shape("shape: {sphere: {radius: 1}, position: [$bad, 0, 0]}\n    freedom: [x, z, rx, ry, rz]")},
     "rod.yaml:10:3: bodies.ball.freedom locks y, but the body turns about a centre of mass that is not its origin; "
     "free y and hold the body by a joint"},
};

INSTANTIATE_TEST_SUITE_P(Parameters, ABadDraw, testing::ValuesIn(bad_draws),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST(ABadNumber, GivenByAnOptionNamesTheOption) {
  EXPECT_THROW(
      {
        try {
          const Ensemble ensemble(bad_scenario({}, {{"variables.mu=0.5", "bodies.ball.mass=$bad - 1"}, {}, {}}));
        } catch (const ScenarioError& error) {
          EXPECT_STREQ(error.what(),
                       "--set bodies.ball.mass=$bad - 1: bodies.ball.mass must be greater than 0, but $bad - 1 is -3");
          throw;
        }
      },
      ScenarioError);
}

/// Mass and inertia of the only moving body of sample 0.
std::vector<double> mass_and_inertia(const std::vector<Edit>& edits) {
  const Ensemble ensemble(parse_scenario(test::edited(edits), "rod.yaml"));
  Batch batch(ensemble.model(), 1);
  EXPECT_FALSE(ensemble.load(0, batch, 0));
  const ParameterMemory parameters = batch.parameters(0);
  return {parameters.mass[1], parameters.inertia[3], parameters.inertia[4], parameters.inertia[5]};
}

// A box and two caps of it that overlap with it: what overlaps counts twice. Sizes and densities may be random.
TEST(Parameters, MassAndInertiaFollowFromADensity) {
  const char* const sphere = "shape: {sphere: {radius: 0.1}}";
  const double ball = 700 * 4 * std::numbers::pi / 3 * 0.001;
  for (const char* const density : {"density: 700", "density: {choice: {values: [700, 700]}}"}) {
    const std::vector<double> found = mass_and_inertia({{"mass: 1.0", density}});
    EXPECT_NEAR(found[0], ball, 1e-14 * ball);
    EXPECT_NEAR(found[1], 0.4 * ball * 0.01, 1e-14 * ball);
  }
  const std::vector<double> boxes =
      mass_and_inertia({{"mass: 1.0", "density: 1000"},
                        {sphere,
                         "shapes:\n      - {box: {size: [0.4, 0.2, 0.1]}}\n      - {box: {size: [0.1, 0.1, 0.1]}, "
                         "position: [0.2, 0, 0]}\n"
                         "      - {box: {size: [0.1, 0.1, 0.1]}, position: [-0.2, 0, 0]}"}});
  EXPECT_NEAR(boxes[0], 8 + 1 + 1, 1e-13);
  EXPECT_NEAR(boxes[1], 8 * (0.04 + 0.01) / 12 + 2 * 0.02 / 12, 1e-14);
  EXPECT_NEAR(boxes[2], 8 * (0.16 + 0.01) / 12 + 2 * (0.02 / 12 + 0.04), 1e-14);
  EXPECT_NEAR(boxes[3], 8 * (0.16 + 0.04) / 12 + 2 * (0.02 / 12 + 0.04), 1e-14);
}

TEST(Parameters, OfAPairFollowTheRuleOfTheirBodies) {
  const Ensemble ensemble(parse_scenario(
      test::edited({{"contacts:\n",
                     "  other: {mass: 1, shapes: [{sphere: {radius: 1}}, {sphere: {radius: 2}}], position: "
                     "[9, 0, 9]}\ncontacts:\n  - {between: [other, floor], friction: 2}\n"}}),
      "rod.yaml"));
  Batch batch(ensemble.model(), 1);
  EXPECT_FALSE(ensemble.load(5, batch, 0));
  const double mu = ensemble.draw(5)[0];
  ASSERT_EQ(ensemble.model().pairs.size(), 5u) << "floor-ball, floor-other twice, ball-other twice";
  for (std::size_t p = 0; p < 5; ++p) {
    const PairModel& pair = ensemble.model().pairs[p];
    const int one = ensemble.model().shapes[pair.shape_a].body, two = ensemble.model().shapes[pair.shape_b].body;
    EXPECT_EQ(batch.parameters(0).friction[static_cast<int>(p)], one + two == 0 + 2 ? 2 : mu) << p;
  }
}

// What a method or a cone has no equations for is refused where a file asks for it, and where a variable that is 0 in
// the file gets another value later: from a grid, a table or a program.
TEST(Parameters, OfNoUseToAMethodMustStayZero) {
  struct Case {
    const char *world, *contact, *message;
  };
  const Case cases[] = {
      {"friction_cone: circle", "friction: 0.5, rolling_friction: $r",
       "contacts[0].rolling_friction above 0 needs world.friction_cone: polygon, but $r is 0.5"},
      {"friction_cone: circle", "friction: 0.5, spin_friction: $r",
       "contacts[0].spin_friction above 0 needs world.friction_cone: polygon, but $r is 0.5"},
      {"method: stewart_trinkle", "friction: 0.5, restitution: $r",
       "contacts[0].restitution above 0 needs a world.method with impacts"},
      {"method: anitescu_potra\n  impact: {law: newton}", "friction: 0.5, tangential_restitution: $r",
       "contacts[0].tangential_restitution above 0 needs world.impact.law: poisson or simplified, newton has none, but "
       "$r is 0.5"},
      {"method: loetstedt", "friction: $r",
       "contacts[0].friction must be 0 with world.method: loetstedt, whose contacts have no friction, but $r is 0.5"},
      {"method: loetstedt", "friction: 0, rolling_friction: $r", "contacts[0].rolling_friction must be 0 with"},
  };
  for (const Case& one : cases) {
    const std::string world = "duration: 1.0\n  " + std::string(one.world);
    const std::string text =
        test::edited(
            {{"mu: {uniform: [0.3, 0.9]}", "r: 0"}, {"duration: 1.0", world.c_str()}, {"friction: $mu", one.contact}}) +
        "sample: {vary: {r: {values: [0, 0.5]}}}\n";
    const Ensemble ensemble(parse_scenario(text, "rod.yaml"));
    EXPECT_FALSE(ensemble.fault({0})) << one.message;
    const std::optional<Fault> fault = ensemble.fault({0.5});
    ASSERT_TRUE(fault) << one.message;
    EXPECT_THAT(fault->message, testing::StartsWith(one.message));
    Batch batch(ensemble.model(), 2);
    ensemble.draw(0, batch, 0);
    ensemble.draw(1, batch, 1);
    run_batch(batch, 400);
    EXPECT_EQ(batch.status(0), Status::ok) << one.message;
    EXPECT_EQ(batch.status(1), Status::bad_parameters) << one.message;
  }
}

}  // namespace
}  // namespace jostle

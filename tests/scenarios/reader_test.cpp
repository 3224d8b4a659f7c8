// What a good scenario means.
#include "scenarios/reader/reader.hpp"

#include <gmock/gmock.h>

#include "scenarios/ensemble.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::edited;
using test::good_scenario;
using testing::ElementsAre;

Scenario read_text(const std::string& text, const std::vector<std::string>& set = {}) {
  return parse_scenario(text, "rod.yaml", {.set = set, .count = {}, .seed = {}});
}

Scenario rod(const std::vector<std::string>& set = {}) {
  return read_scenario(JOSTLE_SOURCE_DIR "/scenarios/library/rod.yaml", {.set = set, .count = {}, .seed = {}});
}

std::vector<std::string> variable_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const Variable& variable : scenario.variables) names.push_back(variable.name);
  return names;
}

TEST(Reader, TheRodIsThePapersRod) {
  const Scenario scenario = rod();
  EXPECT_EQ(scenario.world.step, 0.0025);
  EXPECT_EQ(scenario.world.duration, 1.0);
  EXPECT_EQ(scenario.world.steps, 400);
  EXPECT_EQ(scenario.world.gravity[1].constant, -9.81);
  EXPECT_EQ(scenario.world.friction_directions, 2);
  EXPECT_THAT(variable_names(scenario), ElementsAre("mu", "omega0"));
  EXPECT_EQ(scenario.variables[1].distribution.kind, Distribution::Kind::normal);
  EXPECT_EQ(scenario.variables[1].distribution.minimum, 0.0);
  ASSERT_EQ(scenario.bodies.size(), 2u);
  EXPECT_TRUE(scenario.bodies[0].fixed);
  const BodySpec& body = scenario.bodies[1];
  EXPECT_THAT(body.freedom, ElementsAre(true, true, false, false, false, true));
  EXPECT_EQ(body.mass.constant, 1.0);
  EXPECT_EQ(body.inertia.moments[2].constant, 0.002);
  EXPECT_EQ(body.shapes.at(0).type, ShapeType::capsule);
  EXPECT_EQ(body.shapes.at(0).capsule.axis, Axis::x);
  EXPECT_EQ(body.rotation.kind, RotationSpec::Kind::axis_angle);
  EXPECT_EQ(body.rotation.degrees.constant, 30.0);
  EXPECT_EQ(body.spin[2].text, "$omega0");
  EXPECT_EQ(body.spin[2].code.at(0).index, 1);
  ASSERT_EQ(scenario.outcomes.size(), 4u);
  EXPECT_EQ(scenario.outcomes[3].expression.kind, ValueKind::truth);
  EXPECT_EQ(scenario.quantities.size(), 4u);
  EXPECT_EQ(scenario.sample.count, 65536);
  EXPECT_EQ(scenario.sample.seed, 7u);
  EXPECT_EQ(scenario.record.trajectories.which, RecordSpec::Which::first);
  EXPECT_EQ(scenario.record.stride, 4);
}

TEST(Reader, WhatIsLeftOutHasItsDefault) {
  const Scenario scenario = read_text(good_scenario);
  EXPECT_EQ(scenario.world.gravity[2].constant, -9.81);
  EXPECT_EQ(scenario.world.friction_directions, 8);
  EXPECT_EQ(scenario.world.linearisation, Linearisation::predicted);
  EXPECT_EQ(scenario.sample.method, SampleMethod::sobol);
  EXPECT_EQ(scenario.sample.count, -1);
  EXPECT_EQ(scenario.sample.seed, 0u);
  EXPECT_EQ(scenario.record.trajectories.which, RecordSpec::Which::none);
  EXPECT_FALSE(scenario.bodies[1].inertia.given);
  EXPECT_THAT(scenario.bodies[1].freedom, testing::Each(true));
  EXPECT_EQ(scenario.contacts[0].restitution.constant, 0.0);
}

TEST(Reader, PlanarScenesHaveTwoFrictionDirections) {
  EXPECT_EQ(read_text(edited({{"position: [0, 0, 1]", "freedom: [x, z, ry]"}})).world.friction_directions, 2);
}

TEST(Reader, VariablesAreInTheOrderOfTheFile) {
  const std::string text =
      edited({{"mass: 1.0", "spin: [{normal: [0, 1]}, 0, {normal: [0, 1]}]\n    mass: {uniform: [1, 2]}"},
              {"position: [0, 0, 1]", "rotation: uniform"},
              {"friction: $mu", "friction: {uniform: [0, 1]}"}});
  EXPECT_THAT(
      variable_names(read_text(text)),
      ElementsAre("mu", "bodies.ball.spin[0]", "bodies.ball.spin[2]", "bodies.ball.mass", "bodies.ball.rotation[0]",
                  "bodies.ball.rotation[1]", "bodies.ball.rotation[2]", "contacts[0].friction"));
}

TEST(Reader, DistributionsStandWhereverANumberMay) {
  const std::string text = edited({{"world:\n", "world:\n  gravity: [0, 0, {uniform: [-10, -9]}]\n"},
                                   {"normal: [0, 0, 1]", "normal: [0, {normal: [0, 0.1]}, 1]"},
                                   {"radius: 0.1", "radius: {log_uniform: [0.1, 0.2]}"}});
  EXPECT_THAT(variable_names(read_text(text)),
              ElementsAre("mu", "world.gravity[2]", "bodies.floor.shape.half_space.normal[1]",
                          "bodies.ball.shape.sphere.radius"));
}

TEST(Reader, DistributionsMayBeUsedByTheirPaths) {
  const std::string text = R"(jostle: 1
world: {step: 0.01, duration: 0.1}
bodies:
  x: {mass: {uniform: [1, 2]}, inertia: 1, spin: [0, 0, {uniform: [0, 1]}]}
  y: {mass: 2*$bodies.x.mass, inertia: 1}
outcomes:
  turned: {at_end: "x.spin.z - $bodies.x.spin[2]"}
  light: {at_end: $bodies.x.mass < 1.5}
)";
  const Scenario scenario = parse_scenario(text, "paths.yaml");
  ASSERT_EQ(scenario.variables.size(), 2u);
  EXPECT_EQ(parse_scenario(scenario.canonical, "again.yaml").canonical, scenario.canonical);
  const Ensemble ensemble(scenario);
  Batch batch(ensemble.model(), 1);
  ASSERT_FALSE(ensemble.load(3, batch, 0));
  EXPECT_EQ(batch.parameters(0).mass[1], 2 * batch.parameters(0).mass[0]);
  const auto error_of = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    try {
      parse_scenario(changed, "paths.yaml");
    } catch (const ScenarioError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of("$bodies.x.spin[2]", "$bodies.x.spin[1]"),
            "paths.yaml:7:32: outcomes.turned.at_end: unknown variable '$bodies.x.spin[1]'");
  EXPECT_EQ(
      error_of("mass: 2*$bodies.x.mass", "mass: '2*$bodies.y.spin[1]', spin: [0, {uniform: [0, 1]}, 0]"),
      "paths.yaml:5:16: bodies.y.mass: '$bodies.y.spin[1]' is read later, whatever the order of the file: put its "
      "distribution under `variables`");
  EXPECT_EQ(
      error_of("world:", "units: {mass: g}\nworld:"),
      "paths.yaml:6:13: bodies.y.mass cannot use $bodies.x.mass, which is in SI units: put its distribution under "
      "`variables`");
}

TEST(Reader, DistributionsStandInForcesBesideTheTime) {
  const Scenario scenario = read_text(std::string(good_scenario) +
                                      "forces:\n  - {body: ball, force: [{uniform: [1, 2]}, 2*t, 0], torque: [0, 0, "
                                      "{normal: [0, 1]}]}\n");
  EXPECT_THAT(variable_names(scenario), ElementsAre("mu", "forces[0].force[0]", "forces[0].torque[2]"));
}

TEST(Reader, ConstantExpressionsBecomeNumbers) {
  const Scenario scenario = read_text(edited({{"mass: 1.0", "mass: 2^3 - 1/4"}, {"step: 0.0025", "step: 1/400"}}));
  EXPECT_EQ(scenario.bodies[1].mass.constant, 7.75);
  EXPECT_TRUE(scenario.bodies[1].mass.code.empty());
  EXPECT_EQ(scenario.world.step, 0.0025);
}

TEST(Reader, OnlyForcesMayUseTheTime) {
  const Scenario scenario =
      read_text(std::string(good_scenario) + "forces:\n  - {body: ball, force: [8*cos(t), $mu, 0]}\n");
  ASSERT_EQ(scenario.forces.size(), 1u);
  EXPECT_EQ(scenario.forces[0].body.index, 1);
  EXPECT_EQ(scenario.forces[0].force[0].text, "8*cos(t)");
  EXPECT_EQ(scenario.forces[0].torque[0].constant, 0.0);
}

TEST(Reader, ByteOrderMarksAndForeignLineEndsAreFine) {
  std::string text = good_scenario;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  EXPECT_EQ(read_text("\xEF\xBB\xBF" + text).canonical, read_text(good_scenario).canonical);
  EXPECT_EQ(test::error_of(edited({{"friction: $mu", "friciton: 1"}})),
            "rod.yaml:14:20: unknown key 'friciton' in contacts[0] (did you mean 'friction'?)");
}

TEST(Reader, AnchorsAndAliasesRepeatAValue) {
  const Scenario scenario = read_text(edited({{"mass: 1.0", "mass: &m 3"}, {"friction: $mu", "friction: *m"}}));
  EXPECT_EQ(scenario.contacts[0].friction.constant, 3.0);
}

TEST(Reader, AVariableThatIsAlwaysZeroIsNoFriction) {
  const std::string text = edited({{"world:\n", "world:\n  method: loetstedt\n"}});
  EXPECT_EQ(read_text(text, {"variables.mu=0"}).contacts[0].friction.text, "$mu");
  EXPECT_EQ(test::error_of(text, {{"variables.mu={choice: {values: [0, 0.1]}}"}, {}, {}}),
            "rod.yaml:15:30: contacts[0].friction must be 0 with world.method: loetstedt, whose contacts have no "
            "friction");
}

TEST(Reader, ATableNeedsNoMethod) {
  const Scenario scenario =
      read_text(std::string(good_scenario) + "sample: {table: points.csv, seed: 18446744073709551615}\n");
  EXPECT_EQ(scenario.sample.method, SampleMethod::table);
  EXPECT_EQ(scenario.sample.table, "points.csv");
  EXPECT_EQ(scenario.sample.seed, 18446744073709551615u);
}

TEST(ReaderSet, ReadsAsIfTheFileSaidSo) {
  EXPECT_EQ(
      read_text(good_scenario, {"world.step=0.005", "bodies.ball.position[2]=2*3"}).canonical,
      read_text(edited({{"step: 0.0025", "step: 0.005"}, {"position: [0, 0, 1]", "position: [0, 0, 6]"}})).canonical);
}

TEST(ReaderSet, AddsKeysThatTheFileLeavesOut) {
  const Scenario scenario = read_text(good_scenario, {"world.linearisation=fixed_point", "bodies.ball.spin=[0, 0, $mu]",
                                                      "sample.count=3", "contacts[0].friction={uniform: [0, 1]}"});
  EXPECT_EQ(scenario.world.linearisation, Linearisation::fixed_point);
  EXPECT_EQ(scenario.sample.count, 3);
  EXPECT_THAT(variable_names(scenario), ElementsAre("mu", "contacts[0].friction"));
}

TEST(ReaderSet, AVariableThatIsANumberIsNotDrawnButKeepsItsPlace) {
  EXPECT_TRUE(draws_anything(rod()));
  const Scenario scenario = rod({"variables.mu=0.6", "variables.omega0=4"});
  EXPECT_FALSE(draws_anything(scenario));
  EXPECT_THAT(variable_names(scenario), ElementsAre("mu", "omega0"));
  for (const double u : {0.001, 0.5, 0.999}) EXPECT_EQ(quantile(scenario.variables[0].distribution, u), 0.6);
}

// The quotient of two decimals is off by its own rounding, which grows with it.
TEST(Reader, ExpressionsKnowTheStepOfARate) {
  const Scenario scenario = parse_scenario(
      "jostle: 1\nworld: {rate: 500, steps: 3, method: anitescu_potra, stabilisation: step/0.01}\nbodies: {a: {mass: "
      "1, "
      "inertia: 1}}\n",
      "rate.yaml");
  EXPECT_DOUBLE_EQ(scenario.world.stabilisation.constant, 0.2);
}

TEST(Reader, AManyStepsLongDurationIsAWholeNumberOfSteps) {
  const std::int64_t steps[] = {11339343, 1999999999, 123456789, 99999999};
  const char* const durations[] = {"113.39343", "19999.99999", "1234.56789", "999.99999"};
  for (int i = 0; i < 4; ++i) {
    const std::string duration = "duration: " + std::string(durations[i]);
    EXPECT_EQ(read_text(edited({{"step: 0.0025", "step: 1e-05"}, {"duration: 1.0", duration.c_str()}})).world.steps,
              steps[i]);
  }
}

TEST(ReaderSet, ATableDrawsWhateverItsVariablesAre) {
  EXPECT_TRUE(draws_anything(rod({"variables.mu=0.6", "variables.omega0=4", "sample={table: points.csv}"})));
}

TEST(ReaderOptions, CountAndSeedOverrideTheFile) {
  const Scenario scenario = parse_scenario(good_scenario, "rod.yaml", {.set = {}, .count = 9, .seed = 5});
  EXPECT_EQ(scenario.sample.count, 9);
  EXPECT_EQ(scenario.sample.seed, 5u);
}

TEST(ReaderErrors, LaterChecksCanNameAPlace) {
  const Scenario scenario = read_text(good_scenario, {"bodies.ball.mass=2"});
  EXPECT_STREQ(error_at(scenario, scenario.bodies[1].where, "overlaps").what(), "rod.yaml:9:3: overlaps");
  EXPECT_STREQ(error_at(scenario, scenario.bodies[1].mass.where, "is odd").what(), "--set bodies.ball.mass=2: is odd");
}

}  // namespace
}  // namespace jostle

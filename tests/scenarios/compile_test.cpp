// Programs have the bits of the formulas that they were traced from.
#include "scenarios/parameters/compile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/expression/evaluate.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/parameters/mass.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/drawn_scenario.hpp"

namespace jostle {
namespace {

std::vector<double> run(const Programs& programs, const std::vector<double>& variables) {
  std::vector<double> shared;
  const auto value = [&](const Program& program) {
    const ProgramView view{program.data(), static_cast<int>(program.size())};
    std::vector<double> operands(static_cast<std::size_t>(operands_of(view)));
    return evaluate(
        view, variables.data(), 0, [&](int i) { return shared.at(static_cast<std::size_t>(i)); }, operands.data());
  };
  for (const Program& program : programs.shared) shared.push_back(value(program));
  std::vector<double> values;
  for (const Program& program : programs.numbers) values.push_back(value(program));
  return values;
}

TEST(Traced, NumbersThatAreKnownAreComputedAtOnce) {
  const Traced number = sqrt(Traced(2)) * 3 - 1;
  ASSERT_TRUE(number.is_known());
  EXPECT_EQ(number.value(), std::sqrt(2.0) * 3 - 1);
  EXPECT_EQ(where(Traced(1) < 2, 5).value(), 5);
  EXPECT_EQ(where(both(Traced(1) < 2, Traced(2) < 1), 5).value(), 0);
}

TEST(Traced, FormulasBecomeProgramsWithTheSameBits) {
  const auto formula = [](const auto& x, const auto& y) {
    using std::fabs, std::sqrt;
    return sqrt(fabs(x * y - 0.1)) / (x + 3) - sinc(y) * cosine(x);
  };
  const Traced traced = formula(Traced::variable(0), Traced::variable(1));
  const Programs programs = compile({&traced, 1});
  for (const double x : {-2.0, -0.3, 0.0, 0.7, 40.0})
    for (const double y : {-1.0, 0.0, 1e-9, 2.5}) EXPECT_EQ(run(programs, {x, y})[0], formula(x, y)) << x << ", " << y;
}

TEST(Traced, WhatIsNeededMoreThanOnceIsComputedOnce) {
  const Traced x = Traced::variable(0), root = sqrt(x), again = sqrt(Traced::variable(0));
  const Traced numbers[] = {root * 2, again + 1, root, x};
  const Programs programs = compile(numbers);
  ASSERT_EQ(programs.shared.size(), 1u) << "the root";
  EXPECT_EQ(programs.shared[0].size(), 2u);
  EXPECT_EQ(run(programs, {9}), (std::vector<double>{6, 4, 3, 9}));
}

TEST(Traced, SharedValuesUseThoseBeforeThem) {
  Traced number = Traced::variable(0);
  for (int i = 0; i < 60; ++i) number = number * number - 1.3;  // 2^60 operations if nothing were shared
  const Traced numbers[] = {number, number};
  const Programs programs = compile(numbers);
  EXPECT_EQ(programs.shared.size(), 60u);
  double expected = 0;
  for (int i = 0; i < 60; ++i) expected = expected * expected - 1.3;
  EXPECT_LT(std::fabs(expected), 2);
  EXPECT_EQ(run(programs, {0}), (std::vector<double>{expected, expected}));
}

void expect_bits(const double* parameters, const std::vector<double>& expected, const char* what) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(bits_of(parameters[i]), bits_of(expected[i])) << what << " " << i << ": " << parameters[i];
}
std::vector<double> numbers(const Vec3& v) { return {v[0], v[1], v[2]}; }
std::vector<double> numbers(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }

/// Shape by shape and body by body, against the formulas with the numbers of the sample.
void expect_formulas(const Scenario& scenario, const ParameterMemory& parameters, const double* drawn) {
  expect_bits(parameters.gravity, numbers(value_of(scenario.world.gravity, drawn)), "gravity");
  int number = 0;
  for (int b = 0; b < static_cast<int>(scenario.bodies.size()); ++b) {
    const BodySpec& body = scenario.bodies[static_cast<std::size_t>(b)];
    for (const ShapeSpec& shape : body.shapes) {
      const PlacedShape placed = shape_in_body(shape, drawn);
      expect_bits(parameters.shape_size + 3 * number, numbers(placed.size), "size");
      expect_bits(parameters.shape_position + 3 * number, numbers(placed.position), "position of shape");
      for (int k = 0; k < 9; ++k)
        EXPECT_EQ(bits_of(parameters.shape_axes[9 * number + k]), bits_of(placed.axes(k / 3, k % 3))) << k;
      ++number;
    }
    expect_bits(parameters.start_position + 3 * b, numbers(value_of(body.position, drawn)), "position");
    expect_bits(parameters.start_velocity + 3 * b, numbers(value_of(body.velocity, drawn)), "velocity");
    expect_bits(parameters.start_spin + 3 * b, numbers(value_of(body.spin, drawn)), "spin");
    if (body.fixed) continue;
    if (body.freedom[3])
      expect_bits(parameters.start_orientation + 4 * b, numbers(rotation_of(body.rotation, drawn)), "orientation");
    expect_bits(parameters.mass + b, {number_of(body.mass, drawn).value()}, "mass");
    expect_bits(parameters.inertia + 3 * b, numbers(value_of(mass_of(body, drawn).moments)), "inertia");
  }
}

TEST(Parameters, HaveTheBitsOfTheFormulasForTheirSample) {
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  Batch batch(ensemble.model(), 1);
  int bad = 0;
  for (std::int64_t sample = 0; sample < 200; ++sample) {
    SCOPED_TRACE(sample);
    bad += ensemble.load(sample, batch, 0).has_value();
    const std::vector<double> drawn = ensemble.draw(sample);
    const ParameterMemory parameters = batch.parameters(0);
    expect_formulas(ensemble.scenario(), parameters, drawn.data());
    const double a = drawn[0], r = drawn[1], angle = -(400 * a * (std::numbers::pi / 180));  // about -y
    constexpr int cross = 4;
    expect_bits(parameters.start_angle + cross, {angle}, "angle");
    expect_bits(parameters.start_orientation + 4 * cross, numbers(planar_quaternion(1, angle)), "planar orientation");
    for (std::size_t p = 0; p < ensemble.model().pairs.size(); ++p) {
      const PairModel& pair = ensemble.model().pairs[p];
      const bool ball_on_floor =
          ensemble.model().shapes[pair.shape_a].body == 1 && ensemble.model().shapes[pair.shape_b].body == 0;
      expect_bits(parameters.friction + p, {ball_on_floor ? 3 * r + std::fabs(a) : r}, "friction");
    }
  }
  EXPECT_GT(bad, 0);
  EXPECT_LT(bad, 200);
}

TEST(Parameters, OfABadDrawInPlaceNameIt) {
  const Ensemble ensemble(parse_scenario(
      "jostle: 1\nworld: {step: 1, duration: 1}\nbodies: {a: {mass: {uniform: [-2, 0.001]}, freedom: [x]}}\n",
      "place.yaml"));
  Batch batch(ensemble.model(), 1);
  const auto fault = ensemble.load(0, batch, 0);
  ASSERT_TRUE(fault);
  EXPECT_TRUE(fault->message.starts_with("bodies.a.mass must be greater than 0, but it is -")) << fault->message;
}

TEST(Parameters, FollowWhenTheSystemBeginsAsIfLoadedBefore) {
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  constexpr int count = 40;
  Batch drawn(ensemble.model(), count), loaded(ensemble.model(), count);
  for (int i = 0; i < count; ++i) {
    ensemble.draw(i, drawn, i);
    ensemble.load(i, loaded, i);
    EXPECT_EQ(drawn.status(i), Status::not_loaded);
  }
  for (Batch* batch : {&drawn, &loaded}) run_batch(*batch, 10);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(state_digest(drawn, i), state_digest(loaded, i)) << i;
    EXPECT_NE(drawn.status(i), Status::not_loaded);
  }
}

}  // namespace
}  // namespace jostle

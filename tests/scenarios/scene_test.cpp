// What follows from a scenario as a whole: rules, planes, inertia, numbers of a draw.
#include "scenarios/model/scene.hpp"

#include <gmock/gmock.h>

#include <Eigen/LU>

#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/inertia.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

constexpr bool all_free[6] = {true, true, true, true, true, true};
constexpr bool planar[6] = {true, true, false, false, false, true};

Scenario three_balls(const std::string& contacts) {
  std::string text = "jostle: 1\nworld: {step: 1, duration: 1}\nbodies:\n";
  for (const char* name : {"a", "b", "c"})
    text += "  " + std::string(name) + ": {mass: 1, shape: {sphere: {radius: 1}}}\n";
  return parse_scenario(text + "contacts: [" + contacts + "]\n", "balls.yaml");
}

double friction(const Scenario& scenario, int a, int b) {
  return scenario.contacts[static_cast<std::size_t>(scenario.pairs.rule(a, b))].friction.constant;
}

TEST(ContactRules, ThePairBeatsTheBodyBeatsAny) {
  const Scenario scenario = three_balls(
      "{between: any, friction: 1}, {between: [a, any], friction: 2}, {between: [b, any], friction: 3}, "
      "{between: [b, a], friction: 4}, {between: [c, a], friction: 5}");
  EXPECT_EQ(friction(scenario, 0, 1), 4);
  EXPECT_EQ(friction(scenario, 1, 0), 4);
  EXPECT_EQ(friction(scenario, 0, 2), 5);
  EXPECT_EQ(friction(scenario, 1, 2), 3);
}

TEST(ContactRules, AnyAndAnyIsAny) { EXPECT_EQ(friction(three_balls("{between: [any, any], friction: 1}"), 1, 2), 1); }

TEST(Planes, AreWhereAllBodiesMove) {
  const auto plane = [](const std::string& first, const std::string& second) {
    const auto body = [](const std::string& freedom) { return "{mass: 1, inertia: 1, freedom: [" + freedom + "]}"; };
    const std::string text = "jostle: 1\nworld: {step: 1, duration: 1}\nbodies:\n  a: " + body(first) +
                             "\n  b: " + body(second) + "\n  c: {fixed: true}\n";
    return plane_axis(parse_scenario(text, "planes.yaml"));
  };
  EXPECT_EQ(plane("x, y, rz", "x, y, rz"), 2);
  EXPECT_EQ(plane("x, y, rz", "x"), 2);
  EXPECT_EQ(plane("x, z, ry", "z"), 1);
  EXPECT_EQ(plane("y, z, rx", "rx"), 0);
  EXPECT_EQ(plane("x", "x"), 2);
  EXPECT_EQ(plane("x, y, rz", "x, z, ry"), std::nullopt);
  EXPECT_EQ(plane("x, y, rx", "x, y"), std::nullopt);
  EXPECT_EQ(plane("x, y, z", "x, y"), std::nullopt);
}

TEST(PhysicalInertia, ObeysTheTriangleInequalityWhereAllTurnsAreFree) {
  const auto is_physical_inertia = [](const Vec3& moments, const bool(&freedom)[6]) {
    return are_physical(moments.cast<Traced>(), freedom).value() != 0;
  };
  EXPECT_TRUE(is_physical_inertia({1, 1, 2}, all_free));
  EXPECT_FALSE(is_physical_inertia({1, 1, 2.001}, all_free));
  EXPECT_FALSE(is_physical_inertia({0, 1, 1}, all_free));
  EXPECT_TRUE(is_physical_inertia({0, 0, 5}, planar));
  EXPECT_FALSE(is_physical_inertia({1, 1, 0}, planar));
  EXPECT_FALSE(is_physical_inertia({1, 1, std::numeric_limits<double>::infinity()}, planar));
}

Scenario one_body(const std::string& body) {
  return parse_scenario(
      "jostle: 1\nvariables: {u: {uniform: [0, 1]}}\nworld: {step: 1, duration: 1}\nbodies:\n  a: {" + body + "}\n",
      "body.yaml");
}

TEST(Binding, ShapesLieAlongTheirAxes) {
  for (const auto& [name, axis] : {std::pair("x", 0), std::pair("y", 1), std::pair("z", 2)}) {
    const Scenario scenario =
        one_body("mass: 1, shape: {capsule: {length: 3, radius: $u, axis: " + std::string(name) + "}}");
    const double drawn = 0.25;
    const PlacedShape placed = shape_in_body(scenario.bodies[0].shapes[0], &drawn);
    EXPECT_EQ(placed.size, Vec3(0.25, 1.5, 0));
    EXPECT_EQ(placed.axes.col(2), Vec3::Unit(axis));
    EXPECT_EQ(placed.axes.determinant(), 1);
  }
}

TEST(Binding, HalfSpacesAreSolidUpToTheirOffset) {
  const Scenario scenario = parse_scenario(
      "jostle: 1\nworld: {step: 1, duration: 1}\nbodies:\n  a: {mass: 1, freedom: [y, z]}\n"
      "  b: {fixed: true, shape: {half_space: {normal: [0, 3, 4], offset: 2}}}\n",
      "half_space.yaml");
  const PlacedShape placed = shape_in_body(scenario.bodies[1].shapes[0], nullptr);
  EXPECT_NEAR((placed.axes.col(2) - Vec3(0, 0.6, 0.8)).norm(), 0, 1e-15);
  EXPECT_NEAR(dot(placed.axes.col(2), placed.position), 2, 1e-15);
  EXPECT_NEAR((placed.axes.transpose() * placed.axes - Mat3::Identity()).norm(), 0, 1e-15);
  EXPECT_NEAR(placed.axes.determinant(), 1, 1e-15);
}

TEST(Binding, RotationsTurnAboutTheirAxis) {
  const Scenario turned = one_body("mass: 1, inertia: 1, rotation: {axis: [0, 0, 2], degrees: 90}");
  const Mat3 R = rotation_matrix(rotation_of(turned.bodies[0].rotation, nullptr));
  EXPECT_NEAR((R * Vec3(1, 0, 0) - Vec3(0, 1, 0)).norm(), 0, 1e-15);
  const Scenario scaled = one_body("mass: 1, inertia: 1, rotation: {quaternion: [2, 0, 0, 2]}");
  EXPECT_NEAR((rotation_matrix(rotation_of(scaled.bodies[0].rotation, nullptr)) - R).norm(), 0, 1e-15);
}

// The mean of R over all rotations is zero, and that of each squared element is 1/3.
TEST(Binding, UniformRotationsHaveTheMomentsOfAllRotations) {
  const Scenario scenario = one_body("mass: 1, inertia: 1, rotation: uniform");
  const int n = 24;
  Mat3 mean = Mat3::Zero(), square = Mat3::Zero();
  for (int i = 0; i < n * n * n; ++i) {
    const double u[4] = {0, (i % n + 0.5) / n, (i / n % n + 0.5) / n, (i / n / n + 0.5) / n};
    const Mat3 R = rotation_matrix(rotation_of(scenario.bodies[0].rotation, u));
    EXPECT_NEAR((R * R.transpose() - Mat3::Identity()).norm(), 0, 1e-14);
    mean += R / (n * n * n);
    square += R.cwiseProduct(R) / (n * n * n);
  }
  EXPECT_NEAR(mean.norm(), 0, 1e-12);
  EXPECT_NEAR((square - Mat3::Constant(1.0 / 3)).cwiseAbs().maxCoeff(), 0, 1e-3);
}

}  // namespace
}  // namespace jostle

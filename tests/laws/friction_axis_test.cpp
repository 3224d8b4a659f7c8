// Friction that depends on the direction: one coefficient along an axis that is fixed in a body, another across it. The
// polygon is inscribed in the ellipse of both, and the force is the point of it that takes the most power from the
// slip, which it does not oppose in general. Against closed forms.
#include <tuple>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace friction_axis_laws {
namespace {

constexpr double along = 0.05, across = 0.6, normal = 9, turned = pi / 6;

/// A skid of 2 kg that does not turn, on the floor, under gravity (x, y) in its own axes, which are turned by 30
/// degrees in the world.
Scenario skid(const std::string& world, double x, double y, const std::string& more = "", bool on_floor = false) {
  const double c = std::cos(turned), s = std::sin(turned);
  char gravity[200];
  std::snprintf(gravity, sizeof gravity, "gravity: [%.17g, %.17g, -9]", c * x - s * y, s * x + c * y);
  const std::string axis = on_floor ? "axis: [0.86602540378443865, 0.5, 0], of: floor" : "axis: [2, 0, 0], of: skid";
  return parse_scenario(
      "jostle: 1\nworld: {" + world + ", step: 0.01, duration: 1, " + gravity +
          "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  skid: {mass: 2, freedom: "
          "[x, "
          "y, z], position: [0, 0, 0.05], rotation: {axis: [0, 0, 1], degrees: 30}, shape: {box: {size: [0.2, 0.1, "
          "0.1]}}}\ncontacts:\n  - {between: any, friction: 0.05, across: {friction: 0.6, " +
          axis + "}}\n" + more,
      "skid.yaml");
}

/// The velocity at the end in the axes of the skid.
struct Velocity {
  double x, y;
};
Velocity end_of(Scenario scenario) {
  Simulation simulation(std::move(scenario));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  const double vx = simulation.velocity("skid", 0), vy = simulation.velocity("skid", 1);
  return {std::cos(turned) * vx + std::sin(turned) * vy, std::cos(turned) * vy - std::sin(turned) * vx};
}

class FrictionAxis : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  static std::string world() {
    return "method: " + (std::get<0>(GetParam()) + (", solver: " + std::string(std::get<1>(GetParam()))));
  }
};
INSTANTIATE_TEST_SUITE_P(
    Methods, FrictionAxis,
    testing::Combine(testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                     testing::Values("guess_first", "lemke")),
    [](const auto& of) { return std::string(std::get<0>(of.param)) + "_" + std::get<1>(of.param); });

// At rest up to either bound.
TEST_P(FrictionAxis, SticksUpToTheBoundOfEachDirection) {
  for (const bool on_floor : {false, true}) {
    EXPECT_NEAR(end_of(skid(world(), 0.99 * along * normal, 0, "", on_floor)).x, 0, 1e-12);
    EXPECT_NEAR(end_of(skid(world(), 0, 0.99 * across * normal, "", on_floor)).y, 0, 1e-12);
  }
}

TEST_P(FrictionAxis, SlidesAlongEachDirectionWithItsOwnFriction) {
  const Velocity forwards = end_of(skid(world(), 2, 0)), sideways = end_of(skid(world(), 0, 7));
  EXPECT_NEAR(forwards.x, 2 - along * normal, 1e-10);
  EXPECT_NEAR(forwards.y, 0, 1e-10);
  EXPECT_NEAR(sideways.x, 0, 1e-10);
  EXPECT_NEAR(sideways.y, 7 - across * normal, 1e-10);
}

// Pulled at an angle it leaves almost along its axis: the force is on the side of the octagon between the corners at
// 180 and 225 degrees, and the slip is at right angles to that side.
TEST_P(FrictionAxis, PulledAtAnAngleLeavesAtRightAnglesToTheSideOfThePolygon) {
  const double pull[2] = {2, 2}, cosine = std::sqrt(0.5);
  const double corner[2] = {-along * normal, 0};
  const double side[2] = {along * normal * (1 - cosine), -across * normal * cosine};
  const double part =
      -(side[0] * (pull[0] + corner[0]) + side[1] * (pull[1] + corner[1])) / (side[0] * side[0] + side[1] * side[1]);
  ASSERT_GT(part, 0);
  ASSERT_LT(part, 1);
  const Velocity end = end_of(skid(world(), pull[0], pull[1]));
  EXPECT_NEAR(end.x, pull[0] + corner[0] + part * side[0], 1e-9);
  EXPECT_NEAR(end.y, pull[1] + corner[1] + part * side[1], 1e-9);
}

// With the circular cone the polygon becomes the ellipse itself: the force is -N (mu_1^2 v_x, mu_2^2 v_y) over the
// length of (mu_1 v_x, mu_2 v_y).
TEST(FrictionEllipse, IsThatOfTheCircularCone) {
  for (const char* const method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
    const Velocity v = end_of(skid("friction_cone: circle, method: " + std::string(method), 2, 2));
    const double length = std::sqrt(along * along * v.x * v.x + across * across * v.y * v.y);
    EXPECT_NEAR(v.x, 2 - normal * along * along * v.x / length, 1e-8) << method;
    EXPECT_NEAR(v.y, 2 - normal * across * across * v.y / length, 1e-8) << method;
  }
}

// No friction along the axis, as of a skate.
TEST(FrictionAxisOfASkate, MayHaveNoFrictionAlongIt) {
  for (const char* const solver : {"guess_first", "lemke"}) {
    Simulation skate(parse_scenario(
        "jostle: 1\nworld: {method: stewart_trinkle, step: 0.01, duration: 1, solver: " + std::string(solver) +
            ", gravity: [2, 5, -9]}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  "
            "skid: "
            "{mass: 2, freedom: [x, y, z], position: [0, 0, 0.05], shape: {box: {size: [0.2, 0.1, 0.1]}}}\ncontacts:\n "
            " "
            "- {between: any, across: {friction: 0.6, axis: [1, 0, 0], of: skid}}\n",
        "skate.yaml"));
    skate.run();
    EXPECT_EQ(skate.status(), Status::ok);
    EXPECT_NEAR(skate.velocity("skid", 0), 2, 1e-12);
    EXPECT_NEAR(skate.velocity("skid", 1), 0, 1e-12);
  }
}

// The axis turns with its body: a skate that turns goes where it points. The one on the floor does not.
TEST(FrictionAxisOfASkate, TurnsWithItsBody) {
  Simulation skate(parse_scenario(
      "jostle: 1\nworld: {method: anitescu_potra, step: 0.001, duration: 1.5, gravity: [0, 0, -9]}\nbodies:\n  floor: "
      "{fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  skid: {mass: 2, inertia: 0.1, freedom: [x, y, z, "
      "rz], "
      "position: [0, 0, 0.1], velocity: [1, 0, 0], spin: [0, 0, 1], shape: {sphere: {radius: 0.1}}}\ncontacts:\n  - "
      "{between: any, across: {friction: 2, axis: [1, 0, 0], of: skid}}\n",
      "skate.yaml"));
  skate.run();
  EXPECT_EQ(skate.status(), Status::ok);
  EXPECT_NEAR(skate.velocity("skid", 0), std::cos(1.5), 3e-3);
  EXPECT_NEAR(skate.velocity("skid", 1), std::sin(1.5), 3e-3);
}

}  // namespace
}  // namespace friction_axis_laws
}  // namespace jostle

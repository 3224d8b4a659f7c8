// Impulses of joints as vectors, `JOINT.reaction.x` and `JOINT.moment.x`, under every method.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class JointReaction : public testing::TestWithParam<const char*> {
 protected:
  static constexpr double h = 0.01, mass = 3, weight = mass * g * h;

  /// The outcomes `x`, `y`, `z` and `mx`, `my`, `mz` are those of joint j in the last step.
  static Simulation simulation(double step, double duration, const std::string& world, const std::string& text) {
    std::string outcomes = "outcomes: {size: {at_end: j.reaction}";
    for (const char* k : {"x", "y", "z"}) {
      outcomes += std::string(", ") + k + ": {at_end: j.reaction." + k + "}, m" + k + ": {at_end: j.moment." + k + "}";
    }
    return Simulation(tied_scenario(step, duration, world + ", method: " + GetParam(), text + outcomes + "}\n"));
  }
  static void expect_wrench(Simulation& simulation, const Vec3& force, const Vec3& moment, double tolerance) {
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(simulation.outcome("size"), force.norm(), tolerance);
    for (int k = 0; k < 3; ++k) {
      const std::string axis(1, "xyz"[k]);
      EXPECT_NEAR(simulation.outcome(axis), force[k], tolerance) << axis;
      EXPECT_NEAR(simulation.outcome("m" + axis), moment[k], tolerance) << axis;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, JointReaction,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// A hinge takes no moment about its axis, and none of the others is needed.
TEST_P(JointReaction, OfAHingeCarriesAHangingRod) {
  Simulation rod = simulation(h, 0.2, "gravity: [0, 0, -9.81]",
                              "bodies: {rod: {mass: 3, inertia: [0.1, 0.1, 0.01], position: [0, 0, -0.4]}}\njoints: "
                              "{j: {revolute: [world, rod], at: [0, 0, 0], axis: [0, 1, 0]}}\n");
  expect_wrench(rod, {0, 0, weight}, {0, 0, 0}, 1e-12);
}

// What the rod gives the hinge's other side.
TEST_P(JointReaction, IsWhatTheSecondBodyGets) {
  Simulation rod = simulation(h, 0.2, "gravity: [0, 0, -9.81]",
                              "bodies:\n  hook: {fixed: true}\n  rod: {mass: 3, inertia: [0.1, 0.1, 0.01], position: "
                              "[0, 0, -0.4]}\njoints: {j: {revolute: [rod, hook], at: [0, 0, 0], axis: [0, 1, 0]}}\n");
  expect_wrench(rod, {0, 0, -weight}, {0, 0, 0}, 1e-12);
}

// A beam of L = .8 m that is welded to a wall: m g, and m g L/2 about the wall.
TEST_P(JointReaction, OfAWeldCarriesACantilever) {
  const std::string bodies =
      "bodies:\n  wall: {fixed: true}\n  beam: {mass: 3, inertia: [0.01, 0.2, 0.2], position: [0.4, 0, 0]}\n";
  Simulation at_wall = simulation(h, 0.2, "gravity: [0, 0, -9.81]", bodies + "joints: {j: {fixed: [beam, wall]}}\n");
  expect_wrench(at_wall, {0, 0, -weight}, {0, weight * 0.4, 0}, 1e-12);
  Simulation at_beam = simulation(h, 0.2, "gravity: [0, 0, -9.81]", bodies + "joints: {j: {fixed: [wall, beam]}}\n");
  expect_wrench(at_beam, {0, 0, weight}, {0, 0, 0}, 1e-12);
}

// A slider under its friction: the way carries what is across it, at the slider, and the weight's moment about the
// point.
TEST_P(JointReaction, OfASliderIsAcrossItsWay) {
  Simulation slider = simulation(h, 0.2, "gravity: [0, 0, -9.81]",
                                 "bodies: {b: {mass: 3, inertia: 0.1, position: [0.3, 0, 0]}}\njoints: {j: {prismatic: "
                                 "[world, b], at: [0, 0, 0], axis: [1, 0, 0], friction: 1}}\n");
  expect_wrench(slider, {0, 0, weight}, {0, -weight * 0.3, 0}, 1e-12);
}

// A mass that circles at v pulls at its rope with m v^2/r, towards the centre.
TEST_P(JointReaction, OfARopeIsTheCentripetalForce) {
  constexpr double step = 0.001, v = 2, r = 0.8;
  Simulation circle = simulation(step, 0.5, floats,
                                 "bodies: {b: {mass: 3, freedom: [x, y], position: [0.8, 0, 0], velocity: [0, 2, 0]}}\n"
                                 "joints: {j: {distance: [world, b], at: [[0, 0, 0], [0.8, 0, 0]]}}\n");
  circle.run();
  ASSERT_EQ(circle.status(), Status::ok);
  const double x = circle.position("b", 0), y = circle.position("b", 1), force = mass * v * v / r * step;
  const double tolerance = 3 * step * v / r * force;
  EXPECT_NEAR(circle.outcome("x"), -force * x / r, tolerance);
  EXPECT_NEAR(circle.outcome("y"), -force * y / r, tolerance);
  EXPECT_EQ(circle.outcome("z"), 0);
  EXPECT_EQ(circle.outcome("mz"), 0);
}

}  // namespace
}  // namespace jostle

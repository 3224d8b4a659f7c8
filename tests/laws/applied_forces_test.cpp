// Laws of forces that act at a point, or depend on the motion of their body.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

// m v' = -c v - m g: v_n = v_t + (v_0 - v_t) (1 - h c/m)^n with v_t = -m g / c.
TEST(Drag, LeadsToTheTerminalVelocity) {
  constexpr double h = 0.01, mass = 2, drag = 1.6, terminal = -mass * 9.81 / drag;
  Simulation simulation(
      tied_scenario(h, 20, "",
                    "bodies:\n  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, velocity: [3, 0, 1]}\n"
                    "forces:\n  - {body: ball, force: [\"-1.6*ball.velocity.x\", "
                    "\"-1.6*ball.velocity.y\", \"-1.6*ball.velocity.z\"]}\n"));
  simulation.watch([&](const StateView& state) {
    const double left = std::pow(1 - h * drag / mass, state.steps());
    EXPECT_NEAR(state.velocity[0], 3 * left, 1e-12) << state.steps();
    EXPECT_EQ(state.velocity[1], 0);
    EXPECT_NEAR(state.velocity[2], terminal + (1 - terminal) * left, 1e-12) << state.steps();
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.velocity("ball", 2), terminal, 2e-6);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

// The first step from rest gives r x F, in the axes of a body that is turned.
TEST(ForceAtAPoint, GivesItsTorque) {
  Simulation simulation(tied_scenario(0.01, 0.01, floats,
                                      "bodies:\n  box: {mass: 2, inertia: [0.1, 0.2, 0.25], position: [1, 2, 3], "
                                      "rotation: {axis: [1, 2, 3], degrees: 50}}\n"
                                      "forces: [{body: box, at: [1.3, 2.1, 2.8], force: [3, -2, 5]}]\n"));
  simulation.run_to(0);
  const Mat3 axes = rotation_matrix(quaternion_at(simulation.state().orientation, 0));
  const Vec3 torque = rotate_back(axes, cross(Vec3(0.3, 0.1, -0.2), Vec3(3, -2, 5)));
  simulation.run();
  const double inertia[] = {0.1, 0.2, 0.25}, force[] = {3, -2, 5};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(simulation.velocity("box", k), 0.01 * force[k] / 2, 1e-16);
    EXPECT_NEAR(simulation.spin("box", k), 0.01 * torque[k] / inertia[k], 1e-15);
  }
}

// A point that turns with its body, and the same torque from the axes of the body.
TEST(ForceAtAPoint, TurnsWithTheBody) {
  const auto scenario = [](const std::string& force) {
    return tied_scenario(0.005, 2, floats,
                         "bodies:\n  box: {mass: 2, inertia: [0.1, 0.2, 0.25], spin: [1, 2, -1], "
                         "rotation: {axis: [0, 0, 1], degrees: 90}}\nforces: [{body: box, force: [0, 0, 4], " +
                             force + "}]\n");
  };
  Simulation at(scenario("at: [-0.2, 0.3, 0]"));  // 0.3 axis_x + 0.2 axis_y
  Simulation torque(
      scenario("torque: [\"4*(0.3*box.axis_x.y + 0.2*box.axis_y.y)\", "
               "\"-4*(0.3*box.axis_x.x + 0.2*box.axis_y.x)\", 0]"));
  at.run(), torque.run();
  ASSERT_EQ(at.status(), Status::ok);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(at.spin("box", k), torque.spin("box", k), 1e-11);
  EXPECT_GE(std::fabs(at.spin("box", 0)), 0.1);
}

// A controller turns a planar body to an angle: v' = v - h/J (p (a + h v/2) + d v), as a spring.
TEST(Control, OfAnAngleFollowsTheScheme) {
  constexpr double h = 0.01, inertia = 0.2;
  Simulation simulation(tied_scenario(h, 3, floats,
                                      "bodies:\n  arm: {mass: 1, inertia: 0.2, freedom: [rz], spin: [0, 0, 1], "
                                      "rotation: {axis: [0, 0, 1], degrees: 0}}\n"
                                      "forces: [{body: arm, torque: [0, 0, \"2*(0.5*t - arm.angle) - "
                                      "0.1*arm.spin.z\"]}]\n"));
  double angle = 0, spin = 1;
  simulation.watch([&](const StateView& state) {
    if (state.steps() > 0) {
      const double t = (state.steps() - 0.5) * h;
      spin += h / inertia * (2 * (0.5 * t - (angle + h / 2 * spin)) - 0.1 * spin);
      angle += h * spin;
    }
    EXPECT_NEAR(state.angle[0], angle, 1e-13) << state.steps();
    EXPECT_NEAR(state.spin[2], spin, 1e-12) << state.steps();
  });
  ASSERT_EQ(simulation.status(), Status::ok);
}

// World components of the spin, of a body that is turned.
TEST(Control, SeesTheSpinOfTheWorld) {
  Simulation simulation(tied_scenario(0.01, 0.01, floats,
                                      "bodies:\n  box: {mass: 1, inertia: 0.5, spin: [1, 2, 3], "
                                      "rotation: {axis: [3, 1, 2], degrees: 100}}\n"
                                      "forces: [{body: box, force: [box.spin.x, box.spin.y, box.spin.z]}]\n"));
  simulation.run();
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.velocity("box", k), 0.01 * (k + 1), 1e-15);
}

TEST(AppliedForces, MayDependOnVariables) {
  const Ensemble ensemble(tied_scenario(
      0.01, 0.01, floats,
      "variables: {c: {uniform: [1, 2]}, x: {uniform: [0.1, 0.2]}}\n"
      "bodies:\n  ball: {mass: 1, inertia: 0.5, velocity: [2, 0, 0]}\n"
      "forces: [{body: ball, at: [0, $x, 0], force: [\"-$c*ball.velocity.x\", 0, 0]}]\nsample: {count: 5}\n"));
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 5);
  for (int i = 0; i < 5; ++i) {
    const std::vector<double> drawn = ensemble.draw(i);
    EXPECT_EQ(batch.status(i), Status::ok);
    EXPECT_NEAR(batch.state(i).velocity[0], 2 - 0.01 * 2 * drawn[0], 1e-15);
    EXPECT_NEAR(batch.state(i).spin[2], 0.01 * 2 * drawn[0] * drawn[1] / 0.5, 1e-16);
  }
}

}  // namespace
}  // namespace jostle

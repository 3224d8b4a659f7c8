// Bodies that nothing touches: gravity, forces and the gyroscopic term.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

Simulation thrown_body(const char* inertia, double step, const char* more = "") {
  char text[1000];
  std::snprintf(text, sizeof text, R"(
jostle: 1
world: {gravity: [0, 0, -9.81], step: %.17g, duration: 1.0}
bodies:
  body:
    mass: 2
    inertia: %s
    shape: {sphere: {radius: 0.1}}
    position: [0, 0, 10]
    velocity: [1, 2, 3]
    spin: [3, 0.5, 7]
%s
)",
                step, inertia, more);
  return Simulation(parse_scenario(text, "thrown.yaml"));
}

Vec3 body_spin(Simulation& simulation) {
  return {simulation.state().spin[0], simulation.state().spin[1], simulation.state().spin[2]};
}

// v_{l+1} = v_l + h g, x_{l+1} = x_l + h v_{l+1}: after N steps x = x0 + N h v0 + h^2 g N (N + 1) / 2.
TEST(FreeFlight, FallsAsTheSchemeSays) {
  Simulation body = thrown_body("[0.02, 0.02, 0.02]", 0.01);
  body.run();
  EXPECT_NEAR(body.velocity("body", 2), 3 - 9.81, 1e-13);
  EXPECT_NEAR(body.position("body", 0), 1, 1e-13);
  EXPECT_NEAR(body.position("body", 2), 10 + 3 - 9.81 * 0.01 * 0.01 * 100 * 101 / 2, 1e-12);
}

// (J - (h/2) ([Jw]x - [w]x J)) (w_1 - w_0) = -h w_0 x J w_0, in body axes.
TEST(FreeFlight, GyroscopicTermIsLinearlyImplicit) {
  const Vec3 J(0.02, 0.03, 0.04), w(3, 0.5, 7);
  const double h = 0.01;
  Simulation body = thrown_body("[0.02, 0.03, 0.04]", h);
  body.run_to(1);
  const Vec3 momentum = J.cwiseProduct(w), change = body_spin(body) - w;
  const Vec3 left = J.cwiseProduct(change) - h / 2 * (cross(momentum, change) - cross(w, Vec3(J.cwiseProduct(change))));
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(left[k], -h * cross(w, momentum)[k], 1e-15) << k;
}

// Of second order: the energy of a tumbling body drifts by O(h^2).
TEST(FreeFlight, TumblingConvergesWithTheStep) {
  const Vec3 J(0.02, 0.03, 0.04), start(3, 0.5, 7);
  const double energy = 0.5 * start.dot(Vec3(J.cwiseProduct(start)));
  double before = 0;
  for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
    Simulation body = thrown_body("[0.02, 0.03, 0.04]", h);
    body.run();
    const Vec3 w = body_spin(body);
    const double gain = 0.5 * w.dot(Vec3(J.cwiseProduct(w))) / energy - 1;
    EXPECT_LT(std::fabs(gain), h * h) << h;
    if (before != 0) {
      EXPECT_NEAR(before / gain, 4, 0.1) << h;
    }
    before = gain;
  }
}

// A symmetric top keeps the component along its axis, bit for bit but for rounding; its axis precesses.
TEST(FreeFlight, SymmetricTopKeepsTheSpinAlongItsAxis) {
  Simulation top = thrown_body("[0.02, 0.02, 0.04]", 0.01);
  top.run();
  EXPECT_NEAR(body_spin(top)[2], 7, 1e-12);
  EXPECT_GT(std::hypot(body_spin(top)[0] - 3, body_spin(top)[1] - 0.5), 0.1);
}

// k at t_l + h/2: the midpoint rule integrates a force that is linear in time exactly, F = 6 t: v = 1.5 t^2 for m = 2.
TEST(FreeFlight, ForcesOfTimeAreTakenAtTheMiddleOfTheStep) {
  Simulation body = thrown_body("[0.02, 0.02, 0.02]", 0.01, "forces: [{body: body, force: [6*t, 0, 0]}]");
  body.run();
  EXPECT_NEAR(body.velocity("body", 0), 1 + 1.5, 1e-13);
}

// The midpoint sum itself, where it is not the integral.
TEST(FreeFlight, AForceIsItsSumOverTheMiddlesOfTheSteps) {
  Simulation body = thrown_body("[0.02, 0.02, 0.02]", 0.01, "forces: [{body: body, force: [0, 8*cos(t), 0]}]");
  body.run();
  double sum = 0;
  for (int step = 0; step < 100; ++step) sum += 0.01 * 8 * std::cos(0.01 * step + 0.005) / 2;
  EXPECT_NEAR(body.velocity("body", 1), 2 + sum, 1e-12);
}

// A torque is given in world axes, inertia and spin in the body's: by R_l it is turned into them. The body's y axis
// stands upright here, its z axis lies in -y.
TEST(FreeFlight, TorqueIsInWorldAxes) {
  Simulation body(parse_scenario(R"(
jostle: 1
world: {gravity: [0, 0, 0], step: 0.001, duration: 0.1}
bodies:
  body: {mass: 1, inertia: [1, 2, 2.5], rotation: {axis: [1, 0, 0], degrees: 90}, position: [0, 0, 1]}
forces: [{body: body, torque: [0, 0, 2*cos(t)]}]
)",
                                 "turned.yaml"));
  body.run();
  double sum = 0;
  for (int step = 0; step < 100; ++step) sum += 0.001 * 2 * std::cos(0.001 * step + 0.0005);
  const Vec3 spin = body_spin(body);
  EXPECT_NEAR(spin[0], 0, 1e-15);
  EXPECT_NEAR(spin[1], sum / 2, 1e-14);
  EXPECT_NEAR(spin[2], 0, 1e-15);
  EXPECT_NEAR(body.position("body", 2), 1, 1e-15);
}

}  // namespace
}  // namespace jostle

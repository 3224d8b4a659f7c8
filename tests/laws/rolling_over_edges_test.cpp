// What slides or rolls over an edge stays on it until it must take off: it is not struck again in every step.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class Edges : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Edges, testing::Values("trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

// A ball of radius R slides without friction from a table, at v0. Its centre goes round the edge with v^2 = v0^2 + 2 g
// R (1
// - cos a), until v^2 = g R cos a, where cos a = 2/3 + v0^2 / (3 g R), and keeps the horizontal speed v cos a.
TEST_P(Edges, LetABallGoWhereItMust) {
  constexpr double R = 0.12, v0 = 0.3, cosine = 2.0 / 3 + v0 * v0 / (3 * 9.81 * R);
  const double horizontal = std::sqrt(9.81 * R * cosine) * cosine;
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const double h = i == 0 ? 0.004 : 0.001;
    Simulation ball(
        tied_scenario(h, 0.8, std::string("gravity: [0, 0, -9.81], method: ") + GetParam(),
                      "bodies:\n  table: {fixed: true, shape: {box: {size: [2, 2, 0.5]}}, position: [-1, 0, "
                      "-0.25]}\n  ball: {mass: 1, freedom: [x, z], shape: {sphere: {radius: 0.12}}, position: "
                      "[-0.05, 0, 0.12], velocity: [0.3, 0, 0]}\ncontacts: [{between: any, friction: 0}]\n"));
    double highest = 0;
    bool is_on = true;
    ball.watch([&](const StateView& state) {
      const double x = state.position[3], z = state.position[5], from_edge = std::hypot(std::max(x, 0.0), z);
      is_on = is_on && (x <= 0 || z > R * (cosine + 0.02));
      if (is_on) highest = std::max(highest, from_edge - R);
    });
    ASSERT_EQ(ball.status(), Status::ok);
    EXPECT_LE(ball.state().events(), 4);
    EXPECT_LE(highest, 10 * h * h) << "a step opens it by v^2 h^2 / (4 R), and it closes by a third";
    error[i] = std::fabs(ball.velocity("ball", 0) - horizontal);
  }
  EXPECT_LE(error[1], 2e-4);
  EXPECT_GE(error[0], 8 * error[1]);
}

// Six wheels, two of them on the edge of a step: a few impacts where they reach it, and few transitions.
TEST_P(Edges, DoNotStrikeARoverByTurns) {
  for (int sample = 0; sample < 2; ++sample) {
    Simulation rover("rover", {std::string("world.method=") + GetParam()}, sample);
    rover.run_to_time(1.2);
    EXPECT_EQ(rover.status(), Status::ok);
    EXPECT_LE(rover.state().events(), std::string(GetParam()) == "trapezoidal" ? 40 : 500) << "not 10,000";
    EXPECT_NEAR(rover.position("chassis", 0), sample == 0 ? 0.527 : 0.458, 3e-3);
  }
}

}  // namespace
}  // namespace jostle

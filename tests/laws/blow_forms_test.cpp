// Impacts with closed forms, under every method that has them.
#include <Eigen/LU>

#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class ImpactForms : public testing::TestWithParam<const char*> {
 protected:
  static Scenario scenario(double h, double duration, const std::string& world, const std::string& text) {
    return tied_scenario(h, duration, world + ", method: " + GetParam(), text);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ImpactForms,
                         testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// A rod on a hinge at its top is struck at the distance d by a ball: p = (1 + e) u/(1/m + d^2/I), the rod turns with
// p d/I, and the hinge gives p (3 d/(2 L) - 1): nothing at the centre of percussion.
TEST_P(ImpactForms, AStruckRodPullsAtItsHinge) {
  constexpr double e = 0.6, L = 1, M = 2, m = 0.5, I = M * L * L / 3, u = 1, h = 1e-6;
  for (const double d : {0.4, 2.0 / 3, 0.9}) {
    char text[700];
    std::snprintf(text, sizeof text,
                  "bodies:\n  rod: {mass: 2, inertia: [%.17g, %.17g, 0.001], shape: {capsule: {length: 0.999, radius: "
                  "0.0005}}, position: [0, 0, -0.5]}\n  ball: {mass: 0.5, shape: {sphere: {radius: 0.05}}, position: "
                  "[-0.0505, 0, %.17g], velocity: [1, 0, 0]}\njoints: {pin: {revolute: [world, rod], at: [0, 0, 0], "
                  "axis: [0, 1, 0]}}\ncontacts: [{between: any, restitution: 0.6}]\noutcomes: {push: {at_end: "
                  "pin.reaction.x}, along: {at_end: pin.reaction.z}}\n",
                  M * L * L / 12, M * L * L / 12, -d);
    Simulation rod(scenario(h, h, floats, text));
    rod.run();
    ASSERT_EQ(rod.status(), Status::ok);
    const double p = (1 + e) * u / (1 / m + d * d / I);
    EXPECT_NEAR(rod.state().joint_speed[0], -p * d / I, 1e-9) << d;
    EXPECT_NEAR(rod.velocity("ball", 0), u - p / m, 1e-9) << d;
    EXPECT_NEAR(rod.outcome("push"), p * (1.5 * d / L - 1), 1e-5) << d;
    EXPECT_NEAR(rod.outcome("along"), 0, 1e-5) << d;
  }
}

// Three planes of a corner at once or one after the other: v turns round, and so does the way.
TEST_P(ImpactForms, ACornerTurnsABallRound) {
  Simulation ball(scenario(0.01, 0.2, floats,
                           "bodies:\n  x: {fixed: true, shape: {half_space: {normal: [1, 0, 0]}}}\n  y: {fixed: true, "
                           "shape: {half_space: {normal: [0, 1, 0]}}}\n  z: {fixed: true, shape: {half_space: "
                           "{normal: [0, 0, 1]}}}\n  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [0.2, "
                           "0.3, 0.25], velocity: [-1, -2, -1.5]}\ncontacts: [{between: any, restitution: 1}]\n"));
  ball.run();
  ASSERT_EQ(ball.status(), Status::ok);
  const double velocity[] = {1, 2, 1.5}, position[] = {0.2, 0.3, 0.25};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(ball.velocity("ball", k), velocity[k], 1e-12) << k;
    EXPECT_NEAR(ball.position("ball", k), position[k], 1e-12) << k;
  }
}

TEST_P(ImpactForms, TheThresholdIsExact) {
  for (const auto& [speed, after] : {std::pair{0.0099, 0.0}, {0.0101, 0.0101}}) {
    Simulation ball(scenario(0.01, 0.2, floats,
                             "bodies:\n  z: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 2, "
                             "shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1005], velocity: [0, 0, " +
                                 std::to_string(-speed) + "]}\ncontacts: [{between: any, restitution: 1}]\n"));
    ball.run();
    ASSERT_EQ(ball.status(), Status::ok);
    EXPECT_NEAR(ball.velocity("ball", 2), after, 1e-12);
  }
}

// A ball that bounces with spin, e = .6 and mu = .2: parabolas, at every bounce friction up to mu times the impulse of
// the compression (AP 3.4). Schemes that are exact for parabolas follow it to rounding errors.
TEST_P(ImpactForms, ASpinningBallBouncesOnParabolas) {
  if (std::string(GetParam()) == "loetstedt") return;  // no friction
  constexpr double e = 0.6, mu = 0.2, r = 0.1, J = 0.004, end = 1;
  double x = 0, z = 0.5, u = 1, v = 0, w = 10;
  for (double t = 0;;) {
    const double fall = (v + std::sqrt(v * v + 2 * g * (z - r))) / g;
    const double rest = std::min(fall, end - t);
    x += u * rest, z += v * rest - g * rest * rest / 2, v -= g * rest, t += rest;
    if (t >= end) break;
    const double stop = -(u - w * r) / (1 + r * r / J), friction = std::clamp(stop, mu * v, -mu * v);
    u += friction, w -= friction * r / J, v = -e * v, z = r;
  }
  double errors[2];
  for (const double h : {0.01, 0.005}) {
    Simulation ball(scenario(h, end, "gravity: [0, 0, -9.81]",
                             "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  ball: "
                             "{mass: 1, freedom: [x, z, ry], inertia: 0.004, shape: {sphere: {radius: 0.1}}, position: "
                             "[0, 0, 0.5], velocity: [1, 0, 0], spin: [0, 10, 0]}\ncontacts: [{between: any, friction: "
                             "0.2, restitution: 0.6}]\n"));
    ball.run();
    ASSERT_EQ(ball.status(), Status::ok);
    const double error = std::hypot(ball.position("ball", 0) - x, ball.position("ball", 2) - z);
    errors[h < 0.01] = error;
    if (std::string(GetParam()) != "anitescu_potra") {
      EXPECT_LE(error, 1e-11) << h;
    }
  }
  if (std::string(GetParam()) == "anitescu_potra") {
    EXPECT_LE(errors[1], 0.7 * errors[0]);
  }
}

/// x >= 0 with w = W x + q >= 0 and x'w = 0, by trying all that may be positive.
Eigen::VectorXd complementary(const Eigen::MatrixXd& W, const Eigen::VectorXd& q) {
  const int n = static_cast<int>(q.size());
  for (int chosen = 0; chosen < 1 << n; ++chosen) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
    for (int i = 0; i < n; ++i)
      if (chosen >> i & 1) A.row(i) = W.row(i), b[i] = -q[i];
    const Eigen::VectorXd x = A.fullPivLu().solve(b), w = W * x + q;
    if (x.minCoeff() > -1e-12 && w.minCoeff() > -1e-12) return x;
  }
  ADD_FAILURE() << "no answer";
  return q;
}

// Balls of different masses in a row that touch, the first with 1 m/s: Poisson's, Newton's and the simplified law.
TEST_P(ImpactForms, ARowOfUnequalBallsSharesABlow) {
  const double mass[] = {1.3, 0.4, 2.1, 0.7, 1.8};
  constexpr int n = 5;
  for (const char* law : {"poisson", "newton", "simplified"}) {
    if (std::string(GetParam()) == "loetstedt" && law[0] != 'n') continue;
    for (const double e : {0.0, 0.5, 1.0}) {
      Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n - 1, n), inverse = Eigen::MatrixXd::Zero(n, n);
      Eigen::VectorXd v = Eigen::VectorXd::Unit(n, 0), after;
      for (int i = 0; i < n; ++i) inverse(i, i) = 1 / mass[i];
      for (int i = 0; i + 1 < n; ++i) J(i, i) = -1, J(i, i + 1) = 1;
      const Eigen::MatrixXd W = J * inverse * J.transpose();
      if (law[0] == 'n') {
        Eigen::VectorXd q = J * v;
        for (double& speed : q) speed += speed < 0 ? e * speed : 0;
        after = v + inverse * J.transpose() * complementary(W, q);
      } else {
        const Eigen::VectorXd p = complementary(W, J * v), middle = v + inverse * J.transpose() * p;
        after = middle + e * (middle - v);
        if (law[0] == 'p' || (J * after).minCoeff() < -1e-9) {
          const Eigen::VectorXd restored = middle + inverse * J.transpose() * (e * p);
          after = restored + inverse * J.transpose() * complementary(W, J * restored);
        }
      }
      std::string text = "bodies:\n";
      for (int i = 0; i < n; ++i) {
        char ball[200];
        std::snprintf(ball, sizeof ball,
                      "  b%d: {mass: %g, freedom: [x, y, z], shape: {sphere: {radius: 0.1}}, position: [%.17g, 0, 0], "
                      "velocity: [%d, 0, 0]}\n",
                      i, mass[i], 0.2 * i, i == 0);
        text += ball;
      }
      Simulation row(scenario(0.001, 0.001, floats + ", impact: {law: " + law + "}",
                              text + "contacts: [{between: any, restitution: " + std::to_string(e) + "}]\n"));
      row.run();
      ASSERT_EQ(row.status(), Status::ok);
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(row.velocity("b" + std::to_string(i), 0), after[i], 1e-12) << law << e << i;
    }
  }
}

// A ball with e = 1/2 on a plate that shakes at 10 Hz jumps once a period, alike, up to a largest acceleration of
// 1.5268 g: from there on every second jump is higher.
TEST(ShakenBall, DoublesItsPeriodWhereTheClosedFormSays) {
  constexpr double w = 2 * pi * 10;
  for (const auto& [G, doubles] : {std::pair{1.50, false}, {1.56, true}}) {
    char text[600];
    std::snprintf(text, sizeof text,
                  "bodies:\n  plate: {prescribed: {velocity: [0, 0, \"%.17g*sin(%.17g*t)\"]}, shape: {half_space: "
                  "{normal: [0, 0, 1]}}}\n  ball: {mass: 1, freedom: [x, y, z], shape: {sphere: {radius: 0.01}}, "
                  "position: [0, 0, %.17g]}\ncontacts: [{between: any, restitution: 0.5}]\n",
                  G * g / w, w, 0.01 + 0.9 * g * 0.01 / 8);
    Simulation ball(tied_scenario(0.001, 60, "method: loetstedt", text));
    std::vector<double> blows;
    ball.watch([&](const StateView& s) {
      const double blow = s.normal_impulse[ball.body("ball")];
      if (blow > 0.05) blows.push_back(blow);
    });
    ASSERT_EQ(ball.status(), Status::ok);
    ASSERT_GT(blows.size(), 500U);
    const auto [least, most] = std::minmax_element(blows.end() - 40, blows.end());
    EXPECT_EQ(*most - *least > 0.02 * *most, doubles) << G << ": " << *least << " to " << *most;
  }
}

// Painleve's rod, mu = 2: stopped by an impulse of .3 N s + O(h), whatever the step.
TEST_P(ImpactForms, PainlevesRodIsStoppedAtOnce) {
  if (std::string(GetParam()) == "loetstedt") return;  // no friction
  for (const double h : {0.01, 0.001, 0.0001}) {
    Simulation rod("painleve_rod", {"variables.mu=2", std::string("world.method=") + GetParam(),
                                    setting("world.step", h), setting("world.duration", 5 * h)});
    rod.run_to(1);
    EXPECT_NEAR(rod.state().normal_impulse[1], 0.3, 12 * h);
    rod.run();
    ASSERT_EQ(rod.status(), Status::ok);
    EXPECT_NEAR(rod.velocity("rod", 0) + rod.spin("rod", 2) * rod.position("rod", 1), 0, 0.3 * h);
  }
}

}  // namespace
}  // namespace jostle

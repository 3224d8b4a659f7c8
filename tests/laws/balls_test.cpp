// Four balls of Stewart & Trinkle (1996), section 4, against an independent program.
#include <array>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

std::string ball(int b) { return "ball_" + std::to_string(b + 1); }

class FourBalls : public testing::TestWithParam<const char*> {};

TEST_P(FourBalls, EndWhereTheReferenceEnds) {
  const nlohmann::json expected = reference()[std::string("balls_pred_g9.82_h") + GetParam()];
  Simulation balls("four_balls", {std::string("world.step=") + GetParam()});
  balls.run();
  ASSERT_EQ(balls.status(), Status::ok);
  for (int b = 0; b < 4; ++b) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(balls.position(ball(b), k), expected["q"][6 * b + k].get<double>(), 1e-8) << ball(b) << " " << k;
      EXPECT_NEAR(balls.velocity(ball(b), k), expected["v"][6 * b + k].get<double>(), 1e-8) << ball(b) << " " << k;
    }
  }
}

/// Per ball x y z and the integral of the angular velocity; velocity and angular velocity; all in world axes.
using Components = std::array<double, 24>;

struct Motion {
  double step;
  std::vector<Components> q, v;  ///< at the nodes 0, h, 2h, ...
};

Components velocities(Simulation& balls) {
  Components v;
  for (int b = 0; b < 4; ++b) {
    const int body = balls.body(ball(b));
    const StateView s = balls.state();
    const Quaternion turn{s.orientation[4 * body], s.orientation[4 * body + 1], s.orientation[4 * body + 2],
                          s.orientation[4 * body + 3]};
    const Vec3 w = rotate(rotation_matrix(turn), {s.spin[3 * body], s.spin[3 * body + 1], s.spin[3 * body + 2]});
    for (int k = 0; k < 3; ++k) v[6 * b + k] = s.velocity[3 * body + k], v[6 * b + 3 + k] = w[k];
  }
  return v;
}

Motion motion_of(const char* step) {
  Simulation balls("four_balls", {std::string("world.step=") + step});
  Motion motion{balls.step(), {}, {}};
  Components turned{};
  balls.watch([&](const StateView&) {
    const Components v = velocities(balls);
    Components q = turned;
    for (int b = 0; b < 4; ++b) {
      for (int k = 0; k < 3; ++k) q[6 * b + k] = balls.position(ball(b), k);
      for (int k = 3; k < 6; ++k)
        q[6 * b + k] = turned[6 * b + k] += motion.q.empty() ? 0 : balls.step() * v[6 * b + k];
    }
    motion.q.push_back(q), motion.v.push_back(v);
  });
  EXPECT_EQ(balls.status(), Status::ok);
  return motion;
}

double distance(const Components& a, const Components& b) {
  double largest = 0;
  for (std::size_t c = 0; c < a.size(); ++c) largest = std::max(largest, std::fabs(a[c] - b[c]));
  return largest;
}

/// Nodes of the finer motion per step of the coarser one.
std::size_t ratio(const Motion& coarse, const Motion& fine) {
  return static_cast<std::size_t>(std::lround(coarse.step / fine.step));
}

/// sum of h |v - v_fine|inf over the fine steps; v_{l+1} holds on (t_l, t_{l+1}].
double velocity_error(const Motion& coarse, const Motion& fine) {
  double sum = 0;
  for (std::size_t i = 1; i < fine.v.size(); ++i) {
    sum += fine.step * distance(coarse.v[(i - 1) / ratio(coarse, fine) + 1], fine.v[i]);
  }
  return sum;
}

/// The largest |q - q_fine|inf at common nodes.
double position_error(const Motion& coarse, const Motion& fine) {
  double largest = 0;
  for (std::size_t l = 0; l < coarse.q.size(); ++l) {
    largest = std::max(largest, distance(coarse.q[l], fine.q[l * ratio(coarse, fine)]));
  }
  return largest;
}

/// The largest total variation of a component of v.
double variation(const Motion& motion) {
  double largest = 0;
  for (std::size_t c = 0; c < Components().size(); ++c) {
    double sum = 0;
    for (std::size_t l = 1; l < motion.v.size(); ++l) sum += std::fabs(motion.v[l][c] - motion.v[l - 1][c]);
    largest = std::max(largest, sum);
  }
  return largest;
}

TEST_P(FourBalls, TurnAsTheReferenceTurns) {
  const nlohmann::json expected = reference()[std::string("balls_pred_g9.82_h") + GetParam()];
  const Motion motion = motion_of(GetParam());
  for (std::size_t c = 0; c < Components().size(); ++c) {
    EXPECT_NEAR(motion.q.back()[c], expected["q"][c].get<double>(), 1e-8) << c;
    EXPECT_NEAR(motion.v.back()[c], expected["v"][c].get<double>(), 1e-8) << c;
  }
}

TEST_P(FourBalls, VaryInVelocityAsTheReferenceDoes) {
  const nlohmann::json expected = reference()[std::string("balls_pred_g9.82_h") + GetParam()];
  EXPECT_NEAR(variation(motion_of(GetParam())), expected["maxcompvar"].get<double>(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Steps, FourBalls, testing::Values("0.02", "0.01", "0.005", "0.0025"), [](const auto& step) {
  return std::to_string(std::lround(1e6 * std::stod(step.param))) + "us";
});

// Errors against h = .00125 in the norms of Table 1, and its variations. Of the independent program only variations and
// states at the end are known, which the tests above meet; the errors stand here as this program finds them.
TEST(FourBallsTable, ErrorsFallWithTheStep) {
  struct Row {
    const char* step;
    double velocity_error, position_error, variation;
  };
  const Row table[] = {{"0.02", 0.505, 0.251, 19.40},
                       {"0.01", 0.352, 0.201, 19.17},
                       {"0.005", 0.166, 0.083, 19.17},
                       {"0.0025", 0.070, 0.030, 19.09}};
  const Motion fine = motion_of("0.00125");
  double velocity_before = 1, position_before = 1;
  for (const Row& row : table) {
    SCOPED_TRACE(row.step);
    const Motion coarse = motion_of(row.step);
    const double in_velocity = velocity_error(coarse, fine), in_position = position_error(coarse, fine);
    EXPECT_NEAR(in_velocity, row.velocity_error, 0.01);
    EXPECT_NEAR(in_position, row.position_error, 0.01);
    EXPECT_NEAR(variation(coarse), row.variation, 0.01);
    EXPECT_LT(in_velocity, velocity_before);
    EXPECT_LT(in_position, position_before);
    velocity_before = in_velocity, position_before = in_position;
  }
}

}  // namespace
}  // namespace jostle

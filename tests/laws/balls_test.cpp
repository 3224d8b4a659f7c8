// Four balls of Stewart & Trinkle (1996), section 4, against an independent program.
#include <array>
#include <tuple>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

std::string ball(int b) { return "ball_" + std::to_string(b + 1); }

/// A time step and a solver.
class FourBalls : public testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  const std::string step_ = std::get<0>(GetParam()), solver_ = std::get<1>(GetParam());
  const nlohmann::json expected_ = reference()["balls_pred_g9.82_h" + step_];
};

TEST_P(FourBalls, EndWhereTheReferenceEnds) {
  Simulation balls("four_balls", {"world.step=" + step_, "world.solver=" + solver_});
  balls.run();
  ASSERT_EQ(balls.status(), Status::ok);
  for (int b = 0; b < 4; ++b) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(balls.position(ball(b), k), expected_["q"][6 * b + k].get<double>(), 1e-8) << ball(b) << " " << k;
      EXPECT_NEAR(balls.velocity(ball(b), k), expected_["v"][6 * b + k].get<double>(), 1e-8) << ball(b) << " " << k;
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

Motion motion_of(const std::string& step, const std::string& solver) {
  Simulation balls("four_balls", {"world.step=" + step, "world.solver=" + solver});
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
  const Motion motion = motion_of(step_, solver_);
  for (std::size_t c = 0; c < Components().size(); ++c) {
    EXPECT_NEAR(motion.q.back()[c], expected_["q"][c].get<double>(), 1e-8) << c;
    EXPECT_NEAR(motion.v.back()[c], expected_["v"][c].get<double>(), 1e-8) << c;
  }
}

TEST_P(FourBalls, VaryInVelocityAsTheReferenceDoes) {
  EXPECT_NEAR(variation(motion_of(step_, solver_)), expected_["maxcompvar"].get<double>(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Steps, FourBalls,
                         testing::Combine(testing::Values("0.02", "0.01", "0.005", "0.0025"), solvers),
                         [](const auto& one) {
                           const double step = std::stod(std::get<0>(one.param));
                           return std::to_string(std::lround(1e6 * step)) + "us_" + std::get<1>(one.param);
                         });

class FourBallsTable : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, FourBallsTable, solvers, name_of_solver);

// Errors against h = .00125 in the norms of Table 1, and its variations. Of the independent program only variations and
// states at the end are known, which the tests above meet; the errors stand here as this program finds them.
TEST_P(FourBallsTable, ErrorsFallWithTheStep) {
  struct Row {
    const char* step;
    double velocity_error, position_error, variation;
  };
  const Row table[] = {{"0.02", 0.505, 0.251, 19.40},
                       {"0.01", 0.352, 0.201, 19.17},
                       {"0.005", 0.166, 0.083, 19.17},
                       {"0.0025", 0.070, 0.030, 19.09}};
  const Motion fine = motion_of("0.00125", GetParam());
  double velocity_before = 1, position_before = 1;
  for (const Row& row : table) {
    SCOPED_TRACE(row.step);
    const Motion coarse = motion_of(row.step, GetParam());
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

// The falling, spinning rod of Stewart & Trinkle (1996), section 4, against an independent program.
#include <sstream>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

const std::vector<std::string> paper = {"variables.mu=0.6", "variables.omega0=4"};

TEST(Rod, FollowsTheReferenceTrajectory) {
  Simulation rod("rod", paper);
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/rod_stewart_trinkle_h0.0025.csv");
  std::string line;
  std::getline(file, line);
  int step = 0;
  for (; std::getline(file, line); ++step) {
    rod.run_to(step);
    ASSERT_EQ(rod.status(), Status::ok);
    std::istringstream row(line);
    double expected[7];
    char comma;
    for (double& value : expected) row >> value >> comma;
    const StateView s = rod.state();
    const double actual[7] = {step * 0.0025, s.position[3], s.position[4], s.angle[1],
                              s.velocity[3], s.velocity[4], s.spin[5]};
    for (int i = 0; i < 7; ++i) ASSERT_NEAR(actual[i], expected[i], 1e-9) << "step " << step << " column " << i;
  }
  EXPECT_EQ(step, 301);
}

void follows_states(const std::string& key, const std::string& linearisation, const std::string& step) {
  for (const auto& [time, expected] : reference()[key].items()) {
    std::vector<std::string> set = paper;
    set.push_back("world.linearisation=" + linearisation);
    set.push_back("world.step=" + step);
    Simulation rod("rod", set);
    rod.run_to_time(std::stod(time));
    ASSERT_EQ(rod.status(), Status::ok) << key << " at " << time;
    const StateView s = rod.state();
    const double q[3] = {s.position[3], s.position[4], s.angle[1]}, v[3] = {s.velocity[3], s.velocity[4], s.spin[5]};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(q[i], expected["q"][i].get<double>(), 1e-9) << key << " t " << time << " q " << i;
      EXPECT_NEAR(v[i], expected["v"][i].get<double>(), 1e-9) << key << " t " << time << " v " << i;
    }
  }
}

TEST(Rod, PredictedStatesAgreeWithTheReference) {
  follows_states("rod_pred_g9.81_h0.0025", "predicted", "0.0025");
  follows_states("rod_pred_g9.81_h0.00125", "predicted", "0.00125");
}

TEST(Rod, FixedPointStatesAgreeWithTheReference) {
  follows_states("rod_fixed_g9.81_h0.0025", "fixed_point", "0.0025");
  follows_states("rod_fixed_g9.81_h0.00125", "fixed_point", "0.00125");
}

// Impacts at .3858177517 and .5473184197, rest at x = -.2273599827: the error is at most 1.5 h.
TEST(Rod, ConvergesToTheExactMotion) {
  for (const double h : {2.5e-3, 6.25e-4, 1.5625e-4}) {
    std::vector<std::string> set = paper;
    set.push_back("world.step=" + std::to_string(h));
    Simulation rod("rod", set);
    std::vector<double> impacts;
    bool touched = false;
    rod.watch([&](const StateView& s) {
      const bool touches = s.normal_impulse[1] > 0;
      if (touches && !touched && (impacts.empty() || s.steps[0] * h > 0.5)) impacts.push_back(s.steps[0] * h);
      touched = touches;
    });
    ASSERT_GE(impacts.size(), 2u);
    EXPECT_NEAR(impacts[0], 0.3858177517, 1.5 * h);
    EXPECT_NEAR(impacts[1], 0.5473184197, 1.5 * h);
    EXPECT_NEAR(rod.position("rod", 0), -0.2273599827, 1.5 * h);
  }
}

}  // namespace
}  // namespace jostle

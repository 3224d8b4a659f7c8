// The falling, spinning rod of Stewart & Trinkle (1996), section 4, against an independent program.
#include <sstream>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

class Rod : public EverySolver {
 protected:
  /// The paper's values, and other settings.
  static std::vector<std::string> paper(std::vector<std::string> set = {}) {
    set.insert(set.end(), {"variables.mu=0.6", "variables.omega0=4", solver()});
    return set;
  }
  static void follows_states(const std::string& key, const std::string& linearisation, const std::string& step);
};
INSTANTIATE_TEST_SUITE_P(Solvers, Rod, solvers, name_of_solver);

TEST_P(Rod, FollowsTheReferenceTrajectory) {
  Simulation rod("rod", paper());
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

void Rod::follows_states(const std::string& key, const std::string& linearisation, const std::string& step) {
  const nlohmann::json states = reference()[key];
  ASSERT_FALSE(states.empty());
  for (const auto& [time, expected] : states.items()) {
    Simulation rod("rod", paper({"world.linearisation=" + linearisation, "world.step=" + step}));
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

TEST_P(Rod, PredictedStatesAgreeWithTheReference) {
  follows_states("rod_pred_g9.81_h0.0025", "predicted", "0.0025");
  follows_states("rod_pred_g9.81_h0.00125", "predicted", "0.00125");
}

TEST_P(Rod, FixedPointStatesAgreeWithTheReference) {
  follows_states("rod_fixed_g9.81_h0.0025", "fixed_point", "0.0025");
  follows_states("rod_fixed_g9.81_h0.00125", "fixed_point", "0.00125");
}

/// When each end of the rod first touches the floor, and when the rod comes to rest for good, s.
struct RodEvents {
  double first_end = -1, second_end = -1, rest = -1;
};

// An end that has landed stays on the floor, sliding, while the other comes down: what tells an impact is which end
// touches, not that one does.
RodEvents events_of(Simulation& rod) {
  RodEvents events;
  FeatureSet landed;
  rod.watch([&](const StateView& s) {
    const double time = s.steps() * rod.step();
    s.active[0].for_each([&](int end) {
      if (landed.contains(end)) return;
      (landed.empty() ? events.first_end : events.second_end) = time;
      landed.insert(end);
    });
    const bool rests = std::hypot(s.velocity[3], s.velocity[4], 0.25 * s.spin[5]) < 1e-9;
    if (!rests) events.rest = -1;
    if (rests && events.rest < 0) events.rest = time;
  });
  return events;
}

// The paper's figures: free until .3825 and .5475 (printed .383, .548), then .020 s of sliding.
TEST_P(Rod, LandsSlidesAndRestsWhenThePaperSays) {
  Simulation rod("rod", paper());
  const RodEvents events = events_of(rod);
  EXPECT_NEAR(events.first_end, 0.3850, 1e-12);
  EXPECT_NEAR(events.second_end, 0.5500, 1e-12);
  EXPECT_NEAR(events.rest - events.second_end, 0.020, 1e-12);
}

TEST_P(Rod, ConvergesToTheExactMotion) {
  const nlohmann::json exact = reference()["rod_exact_g9.81"];
  for (const double h : {2.5e-3, 6.25e-4, 1.5625e-4}) {
    SCOPED_TRACE(h);
    Simulation rod("rod", paper({setting("world.step", h)}));
    const RodEvents events = events_of(rod);
    ASSERT_EQ(rod.status(), Status::ok);
    EXPECT_NEAR(events.first_end, exact["t1"].get<double>(), 1.5 * h);
    EXPECT_NEAR(events.second_end, exact["t2"].get<double>(), 1.5 * h);
    EXPECT_NEAR(events.rest, exact["t_rest"].get<double>(), 1.5 * h);
    EXPECT_NEAR(rod.position("rod", 0), exact["x_rest"].get<double>(), 1.5 * h);
  }
}

}  // namespace
}  // namespace jostle

// The falling, spinning rod of Stewart & Trinkle (1996), section 4, against an independent program.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader.hpp"

namespace jostle {
namespace {

const std::string library = JOSTLE_SOURCE_DIR "/scenarios/library/";

TEST(Rod, FollowsTheReferenceTrajectory) {
  const Ensemble rod(read_scenario(library + "rod.yaml", {{"variables.mu=0.6", "variables.omega0=4"}, {}, {}}));
  Batch batch(rod.model(), 1);
  rod.load(0, batch, 0);
  WorkspaceMemory memory(rod.model(), 0);
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/rod_stewart_trinkle_h0.0025.csv");
  std::string line;
  std::getline(file, line);
  int step = 0;
  for (; std::getline(file, line); ++step) {
    run_system(batch, 0, step, memory);
    ASSERT_EQ(batch.status(0), Status::ok);
    std::istringstream row(line);
    double expected[7];
    char comma;
    for (double& value : expected) row >> value >> comma;
    const StateView s = batch.state(0);
    const double actual[7] = {step * 0.0025, s.position[3], s.position[4], s.angle[1],
                              s.velocity[3], s.velocity[4], s.spin[5]};
    for (int i = 0; i < 7; ++i) ASSERT_NEAR(actual[i], expected[i], 1e-9) << "step " << step << " column " << i;
  }
  EXPECT_EQ(step, 301);
}

TEST(Library, EveryScenarioEndsWell) {
  for (const char* name : {"rod", "four_balls", "two_balls", "sliding_block", "incline", "rolling_sphere",
                           "painleve_rod", "tossed_box", "box_stack"}) {
    const Ensemble ensemble(read_scenario(library + name + ".yaml"));
    Batch batch(ensemble.model(), 4);
    for (int i = 0; i < batch.size(); ++i) ensemble.load(i, batch, i);
    ASSERT_TRUE(run_batch(batch, static_cast<int>(ensemble.model().total_steps)));
    for (int i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(batch.status(i), Status::ok) << name << " sample " << i;
      EXPECT_LE(batch.state(i).residual_max[0], 1e-8) << name;
    }
  }
}

TEST(EqualBits, DoNotDependOnTheFirstWorkspace) {
  const Ensemble ensemble(read_scenario(library + "tossed_box.yaml"));
  std::uint64_t digests[2];
  for (const int contacts : {1, 16}) {
    Batch batch(ensemble.model(), 1);
    ensemble.load(3, batch, 0);
    run_batch(batch, static_cast<int>(ensemble.model().total_steps), {1, contacts, nullptr});
    ASSERT_EQ(batch.status(0), Status::ok);
    digests[contacts == 16] = state_digest(batch, 0);
  }
  EXPECT_EQ(digests[0], digests[1]);
}

}  // namespace
}  // namespace jostle

// Four balls of Stewart & Trinkle (1996), section 4, against an independent program.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

class FourBalls : public testing::TestWithParam<const char*> {};

TEST_P(FourBalls, EndWhereTheReferenceEnds) {
  const nlohmann::json expected = reference()[std::string("balls_pred_g9.82_h") + GetParam()];
  Simulation balls("four_balls", {std::string("world.step=") + GetParam()});
  balls.run();
  ASSERT_EQ(balls.status(), Status::ok);
  for (int ball = 0; ball < 4; ++ball) {
    const std::string name = "ball_" + std::to_string(ball + 1);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(balls.position(name, k), expected["q"][6 * ball + k].get<double>(), 1e-8) << name << " " << k;
      EXPECT_NEAR(balls.velocity(name, k), expected["v"][6 * ball + k].get<double>(), 1e-8) << name << " " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Steps, FourBalls, testing::Values("0.02", "0.01", "0.005", "0.0025"));

}  // namespace
}  // namespace jostle

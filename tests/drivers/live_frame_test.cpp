// Live batches of a body whose frame is neither its centre of mass nor its principal axes: what is shown and written is
// the motion of its origin.
#include <gtest/gtest.h>

#include "drivers/live/live_batch.hpp"
#include "scenarios/reader/reader.hpp"

namespace jostle {
namespace {

Scenario scenario(const std::string& freedom = "") {
  return parse_scenario(
      "jostle: 1\nworld: {step: 0.002, steps: 200}\nbodies:\n  l:\n    density: 800\n    position: [0.1, 0.2, 0]\n" +
          freedom +
          "    spin: [0, 0, 3]\n    velocity: [1, 0, 0]\n    shapes:\n"
          "      - {box: {size: [0.2, 0.04, 0.02]}, position: [0.1, 0, 0]}\n"
          "      - {box: {size: [0.04, 0.16, 0.02]}, position: [0.02, 0.1, 0]}\n"
          "contacts: [{between: any}]\n",
      "l.yaml");
}

class ABodyWithItsOwnFrame : public testing::TestWithParam<const char*> {};

TEST_P(ABodyWithItsOwnFrame, IsShownAndContinuesFromWhatIsWritten) {
  LiveBatch batch(scenario(GetParam()), {0}), other(scenario(GetParam()), {0});
  EXPECT_NEAR(batch.q()[0], 0.1, 1e-15);
  EXPECT_NEAR(batch.v()[0], 1, 1e-15);
  EXPECT_NEAR(batch.v()[1], 0, 1e-15);
  batch.step(40);
  EXPECT_GT(std::abs(batch.v()[1]), 0.01) << "the origin turns about the centre of mass";
  std::copy_n(batch.q(), 7, other.q());
  std::copy_n(batch.v(), 6, other.v());
  batch.step(60);
  other.step(60);
  for (int k = 0; k < 7; ++k) EXPECT_NEAR(other.q()[k], batch.q()[k], 1e-13) << k;
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(other.v()[k], batch.v()[k], 1e-12) << k;
}

TEST_P(ABodyWithItsOwnFrame, KeepsTheVelocityOfItsOriginWhereOnlyTheSpinIsWritten) {
  LiveBatch batch(scenario(GetParam()), {0});
  const double x = batch.v()[0], place = batch.q()[1];
  batch.v()[5] = -2;
  batch.step(1);
  EXPECT_NEAR(batch.v()[5], -2, 1e-12);
  EXPECT_NEAR(batch.v()[0], x, 0.01);
  EXPECT_NEAR(batch.q()[1], place, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Live, ABodyWithItsOwnFrame, testing::Values("", "    freedom: [x, y, rz]\n"),
                         [](const auto& freedom) { return freedom.index == 0 ? "Free" : "Planar"; });

}  // namespace
}  // namespace jostle

// Shapes upon shapes: where they come to rest, what carries them, how far they slide. Contacts of plane and spherical
// surfaces at rest are exact but for rounding, over 500 steps.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

constexpr double g = 9.81, h = 0.002, mu = 0.3, exact = 1e-12;

class Shapes : public testing::Test {
 protected:
  Shapes() : simulation_("shapes", {setting("variables.drop", 0.001), setting("variables.mu", mu)}) {
    simulation_.run();
    EXPECT_EQ(simulation_.status(), Status::ok);
  }

  void expect_at_rest(const std::string& body) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(simulation_.velocity(body, k), 0, exact) << body;
      EXPECT_NEAR(simulation_.spin(body, k), 0, exact) << body;
    }
  }
  double normal_impulse(const std::string& body) { return simulation_.state().normal_impulse[simulation_.body(body)]; }
  /// At `height`, carried by contacts that push straight upwards.
  void expect_rests_at(const std::string& body, double height, double mass) {
    expect_at_rest(body);
    EXPECT_NEAR(simulation_.position(body, 2), height, exact) << body;
    EXPECT_NEAR(normal_impulse(body), mass * g * h, exact) << body;
  }

  Simulation simulation_;
};

TEST_F(Shapes, ADumbbellRestsOnItsBalls) {
  expect_rests_at("dumbbell", 0.1, 2.0);
  EXPECT_EQ(simulation_.state().contacts[simulation_.body("dumbbell")], 2);
}

TEST_F(Shapes, ACapsuleRestsOnABox) { expect_rests_at("bar", 0.58, 1.5); }

TEST_F(Shapes, ACapsuleRestsAcrossTwo) {
  expect_rests_at("beam", 0.66, 0.8);
  EXPECT_EQ(simulation_.state().contacts[simulation_.body("beam")], 2);
}

// Two normals as steep as the line from a centre 0.2 m aside and sqrt(.3^2 - .2^2) below; there is no friction.
TEST_F(Shapes, ASphereRestsBetweenTwoCapsules) {
  expect_at_rest("orange");
  const double above = std::sqrt(0.09 - 0.04);
  EXPECT_NEAR(simulation_.position("orange", 1), 3.2, exact);
  EXPECT_NEAR(simulation_.position("orange", 2), 0.5 + above, exact);
  EXPECT_NEAR(normal_impulse("orange"), 0.6 * g * h / (above / 0.3), exact);
}

// v falls by mu g h a step from 1 m/s, along a side of the polygon: sum of (1 - l mu g h) h while that is positive.
TEST_F(Shapes, AParticleSlidesOnABoxUntilFrictionHasStoppedIt) {
  double way = 0;
  for (int l = 1; 1 - l * mu * g * h > 0; ++l) way += (1 - l * mu * g * h) * h;
  expect_at_rest("particle");
  EXPECT_NEAR(simulation_.outcome("way"), way, exact);
  EXPECT_NEAR(simulation_.position("particle", 2), 0.55, exact);
  const double* const q = &simulation_.state().orientation[4 * simulation_.body("particle")];
  EXPECT_EQ(q[0], 1) << "it does not turn";
}

TEST_F(Shapes, ABallRollsOnABoxAtFiveSeventhsOfItsSpeed) {
  EXPECT_NEAR(simulation_.velocity("ball", 0), 5.0 / 7 * 1.4, exact);
  EXPECT_NEAR(simulation_.velocity("ball", 1), 0, exact);
  EXPECT_NEAR(simulation_.position("ball", 2), 0.6, exact);
}

}  // namespace
}  // namespace jostle

// Five boxes on each other, each a little beside the one below.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

constexpr int boxes = 5;
constexpr double half_edge = 0.1;

/// How far inside the patch between box i and box i + 1 the centre of all that lies above is, at the least, m;
/// negative: the stack falls.
double margin(const StateView& start) {
  double least = half_edge;
  for (int k = 0; k < 2; ++k) {
    double sum = 0;
    for (int above = boxes - 1; above >= 1; --above) {
      sum += start.position[3 * (above + 1) + k];
      const double centre = sum / (boxes - above);
      const double upper = start.position[3 * (above + 1) + k], lower = start.position[3 * above + k];
      least =
          std::min({least, centre - std::max(upper, lower) + half_edge, std::min(upper, lower) + half_edge - centre});
    }
  }
  return least;
}

class BoxStack : public testing::Test {
 protected:
  static constexpr int samples = 48;

  /// Farthest that a box is from its place, and fastest that it is, over all steps.
  struct Motion {
    double way = 0, speed = 0;
  };
  static Motion motion_of(Simulation& stack, const std::vector<double>& start) {
    Motion motion;
    stack.watch([&](const StateView& s) {
      for (int i = 3; i < 3 * (boxes + 1); ++i) {
        motion.way = std::max(motion.way, std::fabs(s.position[i] - start[static_cast<std::size_t>(i)]));
        motion.speed = std::max({motion.speed, std::fabs(s.velocity[i]), half_edge * std::fabs(s.spin[i])});
      }
    });
    return motion;
  }
};

TEST_F(BoxStack, StandsStillIfTheCentreOfWhatLiesAboveIsInsideEveryPatch) {
  int standing = 0, falling = 0;
  for (int sample = 0; sample < samples; ++sample) {
    SCOPED_TRACE(sample);
    Simulation stack("box_stack", {}, sample);
    stack.run_to(0);
    std::vector<double> start(3 * (boxes + 1));
    for (std::size_t i = 0; i < start.size(); ++i) start[i] = stack.state().position[static_cast<int>(i)];
    const double inside = margin(stack.state());
    const Motion motion = motion_of(stack, start);
    ASSERT_EQ(stack.status(), Status::ok);
    if (inside > 0) {
      ++standing;
      EXPECT_LE(motion.way, 1e-13);
      EXPECT_LE(motion.speed, 1e-12);
    } else {
      ++falling;
      EXPECT_GE(motion.way, half_edge);
    }
  }
  EXPECT_GE(standing, samples / 2);
  EXPECT_GE(falling, 4);
}

// Which corner carries how much is not unique; what all of them carry is.
TEST_F(BoxStack, EveryBoxCarriesTheWeightAboveIt) {
  Simulation stack("box_stack");
  stack.run();
  ASSERT_EQ(stack.status(), Status::ok);
  const double weight = 9.81 * stack.step();
  for (int box = 1; box <= boxes; ++box) {
    const int above = boxes - box;
    EXPECT_NEAR(stack.state().normal_impulse[box], (above + (above + 1)) * weight, 1e-12) << "box " << box;
  }
}

}  // namespace
}  // namespace jostle

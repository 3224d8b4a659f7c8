// The library's feeder: what passes its gate, and what cannot.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// Some samples of the feeder, each with its own draws, at one friction and one width of the slot (m).
class FeederCell {
 public:
  FeederCell(double friction, double slot, int samples)
      : ensemble_(
            read_scenario(library_file("feeder"),
                          {{setting("sample.vary.mu", {friction}), setting("sample.vary.slot", {slot})}, {}, {}})),
        batch_(run_samples(ensemble_, ensemble_.model(), 0, samples)),
        samples_(samples) {}

  template <class F>
  void for_each(F visit) {
    for (int i = 0; i < samples_; ++i) {
      SCOPED_TRACE(i);
      EXPECT_EQ(batch_.status(i), Status::ok);
      visit(batch_.state(i));
    }
  }
  int jams() {
    int count = 0;
    for_each([&](const StateView& state) { count += state.outcomes[0] == 1; });
    return count;
  }

 private:
  static std::string setting(const std::string& path, const std::vector<double>& values) {
    std::string text = path + "={values: [";
    for (const double value : values) text += std::to_string(value);
    return text + "]}";
  }

  Ensemble ensemble_;
  Batch batch_;
  int samples_;
};

constexpr double behind_gate = 0.31;  // m

// The bracket is 4 mm thick at the least, the bolt 6 mm.
TEST(Feeder, NothingPassesASlotNarrowerThanItIsThick) {
  FeederCell(0.1, 0.0035, 40).for_each([](const StateView& state) {
    EXPECT_EQ(state.outcomes[0], 1);
    for (const int body : {4, 5}) EXPECT_LT(state.position[3 * body], behind_gate);
  });
}

// With a slot as wide as the chute, nothing but friction is left, and its angle is below that of the chute.
TEST(Feeder, EverythingPassesASlotAsWideAsTheChute) {
  for (const double friction : {0.1, 0.4}) EXPECT_EQ(FeederCell(friction, 0.1, 40).jams(), 0) << friction;
}

TEST(Feeder, JamsLessWithAWiderSlotAndMoreWithFriction) {
  constexpr int samples = 60;
  const int narrow = FeederCell(0.2, 0.024, samples).jams(), middle = FeederCell(0.2, 0.032, samples).jams(),
            wide = FeederCell(0.2, 0.04, samples).jams();
  EXPECT_GT(narrow, middle);
  EXPECT_GT(middle, wide);
  EXPECT_GT(wide, FeederCell(0.1, 0.04, samples).jams());
  EXPECT_LT(wide, FeederCell(0.4, 0.04, samples).jams());
}

// A step moves a body by up to 2 mm. What overlaps is what a turn bends its path by.
TEST(Feeder, BodiesOverlapByAFractionOfAStepsWay) {
  FeederCell(0.3, 0.032, 60).for_each([](const StateView& state) {
    EXPECT_LT(state.penetration_max(), 5e-5);
    EXPECT_LT(state.residual_max(), 1e-8);
  });
}

// The bracket lies flat and slides as a block on an incline: friction turns it nowhere, since its load lies under the
// line of its motion. With implicit speeds x = a h^2 n (n + 1) / 2 after n steps.
TEST(Feeder, BracketSlidesAsABlockOnAnIncline) {
  constexpr int steps = 30;  // before the bolt can reach it
  for (int sample = 0; sample < 10; ++sample) {
    Simulation simulation("feeder", {"variables.mu=0.2", "sample.vary={slot: {values: [0.04]}}"}, sample);
    simulation.run_to(0);
    double start[3];
    for (int k = 0; k < 3; ++k) start[k] = simulation.position("bracket", k);
    simulation.run_to(steps);
    const double a = 4.146 - 0.2 * 8.891, h = simulation.step();
    const double moved[3] = {a * h * h * steps * (steps + 1) / 2, 0, 0};
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.position("bracket", k) - start[k], moved[k], 1e-12);
  }
}

}  // namespace
}  // namespace jostle

// A sample's bits depend on (scenario, seed, sample) alone, also where steps are of the rare kinds: jams that are held,
// steps that are divided, basic solutions that stand.
#include <array>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

struct RareSteps {
  const char* name;
  Scenario (*scenario)();
  ScalarField<int> StateView::*count;  ///< of the rare steps
  int least;                           ///< in so many samples at least
};

Scenario groove() { return read_scenario(library_file("v_groove"), {{"variables.mu=0.55"}, {}, {}}); }

/// A brick that is shot at a wall, falls to the floor and comes to rest there.
Scenario shot() {
  return parse_scenario(R"(
jostle: 1
world: {step: 0.005, duration: 1.5}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  wall: {fixed: true, shape: {box: {size: [0.01, 1, 1]}}, position: [0.5, 0, 0.5]}
  brick:
    mass: 1
    shape: {box: {size: [0.2, 0.1, 0.06]}}
    position: [0, 0, 0.2]
    rotation: uniform
    velocity: [{uniform: [8, 12]}, 0, 1]
contacts: [{between: any, friction: 0.5}]
sample: {method: random, count: 1000, seed: 3}
)",
                        "shot.yaml");
}

class RareStep : public testing::TestWithParam<RareSteps> {
 protected:
  static constexpr int samples = 12;
  using Digests = std::array<std::uint64_t, samples>;

  int steps() const { return static_cast<int>(ensemble_.model().total_steps); }
  int rare_steps(Batch& batch, int system) const { return (batch.state(system).*GetParam().count)(); }

  /// In batches of `size`.
  static Digests digests(const Ensemble& ensemble, int size, const RunOptions& options = {}) {
    Digests all;
    for (int first = 0; first < samples; first += size) {
      const int count = std::min(size, samples - first);
      Batch batch = run_samples(ensemble, ensemble.model(), first, count, options);
      for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(first + i)] = state_digest(batch, i);
    }
    return all;
  }

  const Ensemble ensemble_{GetParam().scenario()};
};

INSTANTIATE_TEST_SUITE_P(Kinds, RareStep,
                         testing::Values(RareSteps{"Held", groove, &StateView::held, 4},
                                         RareSteps{"Divided", shot, &StateView::substeps, 4},
                                         RareSteps{"OfABasicSolution", groove, &StateView::vertex, 1}),
                         [](const auto& one) { return one.param.name; });

TEST_P(RareStep, HasTheSameBitsForAnyBatchThreadsAndWorkspace) {
  Batch batch = run_samples(ensemble_, ensemble_.model(), 0, samples);
  int rare = 0;
  for (int i = 0; i < samples; ++i) {
    EXPECT_EQ(batch.status(i), Status::ok) << i;
    rare += rare_steps(batch, i) > 0;
  }
  EXPECT_GE(rare, GetParam().least);
  const Digests expected = digests(ensemble_, samples, {1, 64, nullptr});
  for (const int size : {1, 5}) EXPECT_EQ(digests(ensemble_, size), expected) << size;
  EXPECT_EQ(digests(ensemble_, samples, {2, 1, nullptr}), expected);
}

TEST_P(RareStep, HasTheSameBitsWhetherStepsAtRestAreComputed) {
  Scenario scenario = GetParam().scenario();
  scenario.world.every_step = true;
  EXPECT_EQ(digests(Ensemble(scenario), samples), digests(ensemble_, samples));
}

// From a little before the first rare step of the first sample that has one.
TEST_P(RareStep, HasTheSameBitsForEveryTeam) {
  constexpr int before = 1, after = 3, enough_contacts = 64;
  int sample = -1, step = 0;
  for (bool is_found = false; !is_found;) {
    ASSERT_LT(++sample, samples);
    Batch batch(ensemble_.model(), 1);
    ensemble_.load(sample, batch, 0);
    for (step = 0; step < steps() && !is_found; ++step) {
      run_batch(batch, step + 1);
      is_found = rare_steps(batch, 0) > 0;
    }
  }
  const int first = std::max(0, step - before), last = std::min(step + after, steps());
  const auto digest = [&](int lanes) {
    Batch batch(ensemble_.model(), 1);
    ensemble_.load(sample, batch, 0);
    WorkspaceMemory memory(ensemble_.model(), enough_contacts);
    run_system(batch, 0, first, memory);
    run_by_lanes(lanes, batch, last, memory);
    EXPECT_GT(rare_steps(batch, 0), 0);
    return state_digest(batch, 0);
  };
  for (const int lanes : {1, 2, 3, 8, 32}) EXPECT_EQ(digest(lanes), digest(0)) << lanes << " lanes";
}

}  // namespace
}  // namespace jostle

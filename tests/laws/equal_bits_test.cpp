// A sample's bits depend on (scenario, seed, sample) alone.
#include <algorithm>
#include <set>

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

class Library : public testing::TestWithParam<std::string> {
 protected:
  int steps() const { return static_cast<int>(ensemble_.model().total_steps); }

  const Ensemble ensemble_{read_scenario(library_file(GetParam()))};
};

TEST_P(Library, EndsWellWithCertificates) {
  Batch batch = run_samples(ensemble_, ensemble_.model(), 0, digest_samples);
  for (int i = 0; i < digest_samples; ++i) {
    EXPECT_EQ(batch.status(i), Status::ok) << "sample " << i;
    EXPECT_LE(batch.state(i).residual_max(), 1e-8) << "sample " << i;
  }
}

TEST_P(Library, HasItsGoldenDigest) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/golden_digests.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  EXPECT_EQ(digest_text(library_digest(ensemble_)), golden.at(GetParam()).get<std::string>());
}

TEST_P(Library, BitsDoNotDependOnThreadsOrTheFirstWorkspace) {
  const std::uint64_t one = library_digest(ensemble_, {1, 0, nullptr});
  EXPECT_EQ(one, library_digest(ensemble_, {2, 0, nullptr}));
  EXPECT_EQ(one, library_digest(ensemble_, {2, 1, nullptr}));
  EXPECT_EQ(one, library_digest(ensemble_, {1, 64, nullptr}));
}

TEST_P(Library, BitsDoNotDependOnTheBatchToTheEnd) {
  Batch whole = run_samples(ensemble_, ensemble_.model(), 0, digest_samples);
  for (const int size : {1, 7}) {
    for (int first = 0; first < digest_samples; first += size) {
      Batch part = run_samples(ensemble_, ensemble_.model(), first, std::min(size, digest_samples - first));
      for (int i = 0; i < part.size(); ++i)
        EXPECT_EQ(state_digest(part, i), state_digest(whole, first + i)) << "sample " << first + i << " of " << size;
    }
  }
}

TEST_P(Library, BitsDoNotDependOnPauses) {
  Batch whole(ensemble_.model(), 1), paused(ensemble_.model(), 1);
  for (Batch* batch : {&whole, &paused}) ensemble_.load(1, *batch, 0);
  run_batch(whole, steps());
  for (int step = 0; step < steps(); step += 7) run_batch(paused, step);
  run_batch(paused, steps());
  EXPECT_EQ(state_digest(whole, 0), state_digest(paused, 0));
}

/// Bits of what the next step needs, and of all outcomes.
std::vector<std::uint64_t> bits_of_state(Batch& batch, int system) {
  const Dimensions d = batch.model().view(0).dimensions;
  const StateView state = batch.state(system);
  std::vector<std::uint64_t> bits;
  const auto append = [&](const double* numbers, int count) {
    for (int i = 0; i < count; ++i) bits.push_back(bits_of(numbers[i]));
  };
  append(state.position, 3 * d.bodies), append(state.orientation, 4 * d.bodies), append(state.angle, d.bodies);
  append(state.velocity, 3 * d.bodies), append(state.spin, 3 * d.bodies), append(state.outcomes, d.outcomes);
  return bits;
}

// What contacts add up to on each body is tallied where an outcome asks for it; nothing else depends on that.
TEST_P(Library, TalliesWhatOutcomesAskForAndNoMore) {
  const bool asks =
      std::set<std::string>{"box_stack", "cube_toss", "four_balls", "painleve_rod", "rod", "tossed_box"}.contains(
          GetParam());
  EXPECT_EQ(ensemble_.model().has_contact_tallies, asks);
  const Model all = with_all_tallies(ensemble_);
  const auto bytes = [](const Model& model) { return model.view(0).state_layout.bytes; };
  const std::size_t of_contacts = ensemble_.model().bodies.size() * (2 * sizeof(double) + sizeof(int));
  if (asks)
    EXPECT_EQ(bytes(ensemble_.model()), bytes(all));
  else
    EXPECT_LE(bytes(ensemble_.model()) + of_contacts, bytes(all));
  Batch fewer = run_samples(ensemble_, ensemble_.model(), 0, 3), more = run_samples(ensemble_, all, 0, 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bits_of_state(fewer, i), bits_of_state(more, i)) << "sample " << i;
}

/// Takes sample 0 from step `first` to step `last` by a team of lanes.
std::uint64_t digest_by_lanes(const Ensemble& ensemble, int first, int last, int lanes) {
  constexpr int enough_contacts = 64;
  Batch batch(ensemble.model(), 1);
  ensemble.load(0, batch, 0);
  WorkspaceMemory memory(ensemble.model(), enough_contacts);
  if (first > 0) run_system(batch, 0, first, memory);
  run_by_lanes(lanes, batch, last, memory);
  EXPECT_EQ(batch.state(0).steps(), last);
  return state_digest(batch, 0);
}

void every_team_gives_the_same_bits(const std::string& name, const std::vector<std::string>& set = {}) {
  const Ensemble ensemble(read_scenario(library_file(name), {set, {}, {}}));
  for (const Window& window : eventful_windows(name, set)) {
    Batch serial(ensemble.model(), 1);
    ensemble.load(0, serial, 0);
    WorkspaceMemory memory(ensemble.model(), 0);
    run_system(serial, 0, window.last, memory);
    for (const int lanes : {1, 2, 3, 8, 32}) {
      EXPECT_EQ(digest_by_lanes(ensemble, window.first, window.last, lanes), state_digest(serial, 0))
          << lanes << " lanes, steps " << window.first << " to " << window.last;
    }
  }
}

TEST_P(Library, EveryTeamGivesTheSameBits) { every_team_gives_the_same_bits(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Scenarios, Library, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });

TEST(FixedPoint, EveryTeamGivesTheSameBits) {
  for (const char* name : {"rod", "four_balls"}) {
    SCOPED_TRACE(name);
    every_team_gives_the_same_bits(name, {"world.linearisation=fixed_point"});
  }
}

/// A scenario with as many steps as a thousand samples can take in a fraction of a second, the first contacts included.
struct FirstSteps {
  std::string name;
  int steps;
};

class ManySamples : public testing::TestWithParam<FirstSteps> {
 protected:
  static constexpr int samples = 1000;
  static constexpr int few = 100;  ///< that are run one by one, each in memory of its own

  /// Digests of the samples before `last`, run range by range: a batch ends where the next begins.
  std::vector<std::uint64_t> digests(const std::vector<int>& begins, int threads, int last = samples) const {
    std::vector<std::uint64_t> all;
    for (std::size_t k = 0; k < begins.size(); ++k) {
      const int end = k + 1 < begins.size() ? begins[k + 1] : last;
      Batch batch(ensemble_.model(), end - begins[k]);
      for (int i = 0; i < batch.size(); ++i) ensemble_.load(begins[k] + i, batch, i);
      run_batch(batch, GetParam().steps, {threads, 0, nullptr});
      for (int i = 0; i < batch.size(); ++i) all.push_back(state_digest(batch, i));
    }
    return all;
  }

  static std::vector<int> batches_of(int size, int last = samples) {
    std::vector<int> begins;
    for (int begin = 0; begin < last; begin += size) begins.push_back(begin);
    return begins;
  }

  const Ensemble ensemble_{read_scenario(library_file(GetParam().name))};
};

TEST_P(ManySamples, BitsDoNotDependOnTheBatch) {
  const std::vector<std::uint64_t> expected = digests({0}, 1);
  ASSERT_EQ(expected.size(), samples);
  const bool drawn = GetParam().name != "four_balls";
  EXPECT_GT(std::set<std::uint64_t>(expected.begin(), expected.end()).size(), drawn ? 100 : 0) << "the samples differ";
  EXPECT_EQ(digests(batches_of(1000), 2), expected);
  EXPECT_EQ(digests(batches_of(7), 1), expected);
  EXPECT_EQ(digests(batches_of(1, few), 1, few), std::vector(expected.begin(), expected.begin() + few));
}

TEST_P(ManySamples, BitsDoNotDependOnTheShards) {
  const std::vector<std::uint64_t> expected = digests({0}, 1);
  for (const std::vector<int>& begins : {std::vector<int>{0, 500}, {0, 17, 18, 512, 999}}) {
    EXPECT_EQ(digests(begins, 2), expected) << begins.size() << " shards";
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, ManySamples,
                         testing::Values(FirstSteps{"rod", 200}, FirstSteps{"four_balls", 3},
                                         FirstSteps{"two_balls", 10}, FirstSteps{"sliding_block", 5},
                                         FirstSteps{"incline", 3}, FirstSteps{"rolling_sphere", 20},
                                         FirstSteps{"painleve_rod", 50}, FirstSteps{"tossed_box", 65},
                                         FirstSteps{"box_stack", 1}, FirstSteps{"v_groove", 60}),
                         [](const auto& scenario) { return scenario.param.name; });

}  // namespace
}  // namespace jostle

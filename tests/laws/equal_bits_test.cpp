// A sample's bits depend on (scenario, seed, sample) alone.
#include <filesystem>
#include <map>

#include "core/simulate.hpp"
#include "tests/laws/simulation.hpp"
#include "tests/support/emulated_team.hpp"

namespace jostle {
namespace {

constexpr int samples = 12;

std::uint64_t combined(Batch& batch) {
  std::uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < batch.size(); ++i) hash = (hash ^ state_digest(batch, i)) * 1099511628211u;
  return hash;
}

std::uint64_t digest(const Ensemble& ensemble, const RunOptions& options) {
  Batch batch(ensemble.model(), samples);
  for (int i = 0; i < samples; ++i) ensemble.load(i, batch, i);
  run_batch(batch, static_cast<int>(ensemble.model().total_steps), options);
  return combined(batch);
}

class Library : public testing::TestWithParam<std::string> {
 protected:
  const Ensemble ensemble_{read_scenario(library_file(GetParam()))};
};

TEST_P(Library, EndsWellWithCertificates) {
  Batch batch(ensemble_.model(), samples);
  for (int i = 0; i < samples; ++i) ensemble_.load(i, batch, i);
  ASSERT_TRUE(run_batch(batch, static_cast<int>(ensemble_.model().total_steps)));
  for (int i = 0; i < samples; ++i) {
    EXPECT_EQ(batch.status(i), Status::ok) << "sample " << i;
    EXPECT_LE(batch.state(i).residual_max[0], 1e-8) << "sample " << i;
  }
}

TEST_P(Library, HasItsGoldenDigest) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/golden_digests.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  std::ostringstream text;
  text << std::hex << digest(ensemble_, {});
  EXPECT_EQ(text.str(), golden.at(GetParam()).get<std::string>());
}

TEST_P(Library, BitsDoNotDependOnThreadsOrTheFirstWorkspace) {
  const std::uint64_t one = digest(ensemble_, {1, 0, nullptr});
  EXPECT_EQ(one, digest(ensemble_, {2, 0, nullptr}));
  EXPECT_EQ(one, digest(ensemble_, {2, 1, nullptr}));
  EXPECT_EQ(one, digest(ensemble_, {1, 64, nullptr}));
}

TEST_P(Library, ASampleAloneIsTheSampleInABatch) {
  Batch batch(ensemble_.model(), samples);
  for (int i = 0; i < samples; ++i) ensemble_.load(i, batch, i);
  run_batch(batch, static_cast<int>(ensemble_.model().total_steps));
  Batch alone(ensemble_.model(), 1);
  ensemble_.load(samples - 1, alone, 0);
  run_batch(alone, static_cast<int>(ensemble_.model().total_steps));
  EXPECT_EQ(state_digest(alone, 0), state_digest(batch, samples - 1));
}

TEST_P(Library, BitsDoNotDependOnPauses) {
  Batch whole(ensemble_.model(), 1), paused(ensemble_.model(), 1);
  for (Batch* batch : {&whole, &paused}) ensemble_.load(1, *batch, 0);
  const int steps = static_cast<int>(ensemble_.model().total_steps);
  run_batch(whole, steps);
  for (int step = 0; step < steps; step += 7) run_batch(paused, step);
  run_batch(paused, steps);
  EXPECT_EQ(state_digest(whole, 0), state_digest(paused, 0));
}

TEST_P(Library, EveryTeamGivesTheSameBits) {
  const int steps = std::min<int>(120, static_cast<int>(ensemble_.model().total_steps));
  Batch serial(ensemble_.model(), 1);
  ensemble_.load(0, serial, 0);
  WorkspaceMemory memory(ensemble_.model(), 64);
  run_system(serial, 0, steps, memory);
  for (const int lanes : {2, 3, 8, 32}) {
    Batch team(ensemble_.model(), 1);
    ensemble_.load(0, team, 0);
    const System system = team.system(memory.view(), 0);
    run_on_emulated_team(lanes, static_cast<unsigned>(lanes), [&](const EmulatedTeam& t) {
      simulate(t, system, memory.workspace(), steps, [](const StepResult&) {});
    });
    EXPECT_EQ(state_digest(team, 0), state_digest(serial, 0)) << lanes << " lanes";
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Library, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });

}  // namespace
}  // namespace jostle

#pragma once
// The bits of the first four samples of a scenario, by threads, teams and workspaces of any size.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {

class SampleBits {
 public:
  explicit SampleBits(Scenario scenario) : ensemble_(std::move(scenario)) {}
  const Model& model() const { return ensemble_.model(); }

  std::vector<std::uint64_t> digests(const RunOptions& options) const {
    Batch batch = run_samples(ensemble_, model(), 0, 4, options);
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(batch.status(i), Status::ok) << "sample " << i;
      all.push_back(state_digest(batch, i));
    }
    return all;
  }

  /// Sample 0 from step `first` to `last` by a team of lanes; 0: by a thread.
  std::uint64_t digest_by_lanes(int first, int last, int lanes) const {
    Batch batch(model(), 1);
    ensemble_.load(0, batch, 0);
    WorkspaceMemory memory(model(), 32);
    if (first > 0) run_system(batch, 0, first, memory);
    run_by_lanes(lanes, batch, last, memory);
    EXPECT_EQ(batch.state(0).steps(), last);
    return state_digest(batch, 0);
  }

  /// Sample 0 after `steps` by a thread.
  std::uint64_t digest_by_thread(int steps) const {
    Batch batch(model(), 1);
    ensemble_.load(0, batch, 0);
    WorkspaceMemory memory(model(), 0);
    run_system(batch, 0, steps, memory);
    return state_digest(batch, 0);
  }

  /// Sample 0 after 300 steps in a workspace, perhaps one in which sample 1 has been simulated.
  std::uint64_t digest_in_workspace(bool with_remains) const {
    Batch batch(model(), 2);
    for (int i = 0; i < 2; ++i) ensemble_.load(i, batch, i);
    WorkspaceMemory memory(model(), 32);
    if (with_remains) run_system(batch, 1, 321, memory);
    run_system(batch, 0, 300, memory);
    return state_digest(batch, 0);
  }

 private:
  Ensemble ensemble_;
};

}  // namespace jostle

// Scenarios with joints or impacts give the same bits by threads, by teams of any size, and in a workspace that grows.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// A scenario of the library, perhaps with another method.
struct Variant {
  std::string name, method;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const std::string& name : joint_and_impact_names()) all.push_back({name, ""});
  for (const char* const method : {"anitescu_potra", "trapezoidal", "trapezoidal_midpoint"})
    all.push_back({"shaker", method});  // prescribed motion
  all.push_back({"gripper", "trapezoidal"});
  return all;
}

ReadOptions with_method(const Variant& variant) {
  ReadOptions options;
  if (!variant.method.empty()) options.set = {"world.method=" + variant.method};
  return options;
}

class JointsAndImpacts : public testing::TestWithParam<Variant> {
 protected:
  const Ensemble ensemble_{read_scenario(library_file(GetParam().name), with_method(GetParam()))};

  std::vector<std::uint64_t> digests(const RunOptions& options) const {
    constexpr int count = 4;
    Batch batch = run_samples(ensemble_, ensemble_.model(), 0, count, options);
    std::vector<std::uint64_t> all;
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(batch.status(i), Status::ok) << "sample " << i;
      all.push_back(state_digest(batch, i));
    }
    return all;
  }

  /// Sample 0 from step `first` to `last` by a team of lanes.
  std::uint64_t digest_by_lanes(int first, int last, int lanes) const {
    Batch batch(ensemble_.model(), 1);
    ensemble_.load(0, batch, 0);
    WorkspaceMemory memory(ensemble_.model(), 16);
    if (first > 0) run_system(batch, 0, first, memory);
    run_by_lanes(lanes, batch, last, memory);
    EXPECT_EQ(batch.state(0).steps(), last);
    return state_digest(batch, 0);
  }
};

TEST_P(JointsAndImpacts, ThreadsAndWorkspacesGiveTheSameBits) {
  const std::vector<std::uint64_t> expected = digests({1, 0, nullptr});
  EXPECT_EQ(digests({2, 0, nullptr}), expected);
  EXPECT_EQ(digests({1, 1, nullptr}), expected) << "capacity grows";
}

TEST_P(JointsAndImpacts, EveryTeamGivesTheSameBits) {
  const int total = static_cast<int>(ensemble_.model().total_steps);
  for (const int first : {0, total / 8, total / 2 - 6}) {
    const int last = first + 12;
    Batch serial(ensemble_.model(), 1);
    ensemble_.load(0, serial, 0);
    WorkspaceMemory memory(ensemble_.model(), 0);
    run_system(serial, 0, last, memory);
    for (const int lanes : {1, 2, 3, 8, 32})
      EXPECT_EQ(digest_by_lanes(first, last, lanes), state_digest(serial, 0))
          << lanes << " lanes, steps " << first << " to " << last;
  }
}

// No step reads what an earlier one has left in its working memory.
TEST_P(JointsAndImpacts, WorkingMemoryDoesNotMatter) {
  const auto digest = [&](bool with_remains) {
    Batch batch(ensemble_.model(), 2);
    for (int i = 0; i < 2; ++i) ensemble_.load(i, batch, i);
    WorkspaceMemory memory(ensemble_.model(), 16);
    const int total = static_cast<int>(ensemble_.model().total_steps), most = total < 300 ? total : 300;
    if (with_remains) run_system(batch, 1, most, memory);
    run_system(batch, 0, most, memory);
    return state_digest(batch, 0);
  };
  EXPECT_EQ(digest(true), digest(false));
}

INSTANTIATE_TEST_SUITE_P(Scenarios, JointsAndImpacts, testing::ValuesIn(variants()), [](const auto& test) {
  const Variant& variant = test.param;
  return variant.method.empty() ? variant.name : variant.name + "_by_" + variant.method;
});

}  // namespace
}  // namespace jostle

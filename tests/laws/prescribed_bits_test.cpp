// Prescribed motion gives the same bits by threads, by teams of any size, and in a workspace that grows; under every
// method, with joints and without, in whole steps and in sub-steps.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

struct Shaken {
  std::string method;
  bool tied;
};

/// A turning, shaking tray with a box on it, and a fast paddle; if `tied`, the box hangs on the tray by a rod.
Scenario shaken(const Shaken& of) {
  return parse_scenario(
      std::string(
          "jostle: 1\nvariables: {a: {uniform: [0.5, 2]}}\nworld: {step: 0.01, duration: 0.4, method: " + of.method +
          "}\nbodies:\n"
          "  tray: {prescribed: {velocity: [0.3*sin(20*t), 0, \"$a*cos(30*t)\"], spin: [0, 0.3, $a]}, shape: "
          "{box: {size: [1, 1, 0.1]}}, position: [0, 0, -0.05]}\n"
          "  box: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.1, 0, 0.05]}\n"
          "  ball: {mass: 0.2, shape: {sphere: {radius: 0.05}}, position: [-0.2, 0.3, 0.6]}\n"
          "  paddle: {prescribed: {velocity: [6*$a, 0, 0]}, shape: {box: {size: [0.02, 0.2, 0.4]}}, position: "
          "[-0.6, 0.3, 0.5]}\ncontacts: [{between: any, friction: " +
          (of.method == "loetstedt" ? "0" : "0.4") + "}]\nsample: {count: 8}\n") +
          (of.tied ? "joints:\n  rod: {distance: [tray, box], at: [[0.1, 0, 0.5], [0.1, 0, 0.1]]}\n" : ""),
      "shaken.yaml");
}

class PrescribedBits : public testing::TestWithParam<Shaken> {
 protected:
  const Ensemble ensemble_{shaken(GetParam())};
};

TEST_P(PrescribedBits, DoNotDependOnThreadsOrTheFirstWorkspace) {
  const std::uint64_t expected = library_digest(ensemble_, {1, 0, nullptr});
  EXPECT_EQ(library_digest(ensemble_, {2, 0, nullptr}), expected);
  EXPECT_EQ(library_digest(ensemble_, {1, 1, nullptr}), expected) << "capacity grows";
}

TEST_P(PrescribedBits, DoNotDependOnTheTeam) {
  const auto digest = [&](int lanes, int first, int last) {
    Batch batch(ensemble_.model(), 1);
    ensemble_.load(1, batch, 0);
    WorkspaceMemory memory(ensemble_.model(), 64);
    if (first > 0) run_system(batch, 0, first, memory);
    run_by_lanes(lanes, batch, last, memory);
    EXPECT_EQ(batch.state(0).steps(), last);
    EXPECT_GT(batch.state(0).substeps(), 0);
    return state_digest(batch, 0);
  };
  for (const int first : {0, 8}) {
    const std::uint64_t serial = digest(0, first, first + 4);
    for (const int lanes : {1, 2, 3, 8, 32})
      EXPECT_EQ(digest(lanes, first, first + 4), serial) << lanes << " lanes from step " << first;
  }
}

// No step reads what an earlier one has left in its working memory.
TEST_P(PrescribedBits, DoNotDependOnWorkingMemory) {
  const auto digest = [&](bool with_remains) {
    Batch batch(ensemble_.model(), 2);
    for (int i = 0; i < 2; ++i) ensemble_.load(i, batch, i);
    WorkspaceMemory memory(ensemble_.model(), 64);
    if (with_remains) run_system(batch, 1, 40, memory);
    run_system(batch, 0, 30, memory);
    return state_digest(batch, 0);
  };
  EXPECT_EQ(digest(true), digest(false));
}

std::vector<Shaken> all_shaken() {
  std::vector<Shaken> all;
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"})
    for (const bool tied : {false, true}) all.push_back({method, tied});
  return all;
}
INSTANTIATE_TEST_SUITE_P(Scenes, PrescribedBits, testing::ValuesIn(all_shaken()),
                         [](const auto& of) { return of.param.method + (of.param.tied ? "Tied" : "Loose"); });

}  // namespace
}  // namespace jostle

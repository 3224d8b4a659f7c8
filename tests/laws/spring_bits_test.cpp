// Scenarios with springs and forces that depend on the state give the same bits by threads, by teams of any size, and
// in a workspace that grows.
#include "tests/laws/sample_bits.hpp"

namespace jostle {
namespace {

struct Sprung {
  const char* name;
  const char* method;
  bool has_joint;
};

/// Boxes in space on springs and on a floor, one of them driven at a corner; with a joint, too.
Scenario sprung_boxes(const Sprung& of) {
  return tied_scenario(
      0.004, 2, std::string("method: ") + of.method,
      "variables: {k: {uniform: [50, 200]}, c: {uniform: [0, 2]}}\n"
      "bodies:\n"
      "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  low: {mass: 1, shape: {box: {size: [0.2, 0.1, 0.1]}}, position: [0, 0, 0.08], spin: [0.5, 0, 1]}\n"
      "  high: {mass: 2, shape: {box: {size: [0.1, 0.2, 0.1]}}, position: [0.1, 0.1, 0.4], spin: [1, -1, 2]}\n"
      "  bob: {mass: 0.5, inertia: [0.001, 0.002, 0.0015], position: [0.5, 0, 0.6]}\n"
      "contacts: [{between: any, friction: 0.4}]\n" +
          std::string(of.has_joint ? "joints: {hook: {ball: [high, bob], at: [0.4, 0, 0.5]}}\n" : "") +
          "springs:\n"
          "  rope: {between: [world, high], at: [[0, 0, 1], [0.15, 0.2, 0.45]], stiffness: $k, damping: $c, rest: "
          "0.4}\n"
          "  link: {between: [high, low], at: [[0.1, 0.1, 0.35], [0.1, 0.05, 0.1]], stiffness: 80, damping: 0.5}\n"
          "  far: {between: [bob, floor], at: [[0.5, 0, 0.62], [0.5, 0, 1]], stiffness: 30, damping: 0.1}\n"
          "forces:\n"
          "  - {body: low, at: [0.1, 0.05, 0.03], force: [\"2*sin(9*t) - low.velocity.x\", \"-low.velocity.y\", 0]}\n"
          "  - {body: bob, torque: [\"-0.001*bob.spin.x\", \"0.01*bob.axis_x.z\", 0]}\n"
          "outcomes: {most: {maximum: rope.force}, total: {minimum: energy}, least: {minimum: link.length}}\n"
          "sample: {count: 4}\n");
}

class SpringBits : public testing::TestWithParam<Sprung> {
 protected:
  const SampleBits bits_{sprung_boxes(GetParam())};
};

TEST_P(SpringBits, ThreadsAndWorkspacesGiveTheSame) {
  const std::vector<std::uint64_t> expected = bits_.digests({1, 0, nullptr});
  EXPECT_EQ(bits_.digests({2, 0, nullptr}), expected);
  EXPECT_EQ(bits_.digests({1, 1, nullptr}), expected) << "capacity grows";
}

TEST_P(SpringBits, EveryTeamGivesTheSame) {
  for (const int first : {0, 40, 200}) {
    const int last = first + 12;
    const std::uint64_t serial = bits_.digest_by_thread(last);
    for (const int lanes : {1, 2, 3, 8, 32})
      EXPECT_EQ(bits_.digest_by_lanes(first, last, lanes), serial)
          << lanes << " lanes, steps " << first << " to " << last;
  }
}

// No step reads what an earlier one has left in its working memory.
TEST_P(SpringBits, WorkingMemoryDoesNotMatter) {
  EXPECT_EQ(bits_.digest_in_workspace(true), bits_.digest_in_workspace(false));
}

INSTANTIATE_TEST_SUITE_P(Scenes, SpringBits,
                         testing::Values(Sprung{"WithoutJoints", "stewart_trinkle", false},
                                         Sprung{"WithAJoint", "stewart_trinkle", true},
                                         Sprung{"Trapezoidal", "trapezoidal", false},
                                         Sprung{"TrapezoidalMidpoint", "trapezoidal_midpoint", true}),
                         [](const auto& scene) { return scene.param.name; });

}  // namespace
}  // namespace jostle

// Scenarios with springs, rotors and speed limits of joints, external impulses and forces that see other bodies give
// the same bits by threads, by teams of any size, and in a workspace that grows.
#include "tests/laws/sample_bits.hpp"

namespace jostle {
namespace {

/// A box with a sprung flap and a slider on it, over a floor; a ball that the slider attracts; blows at four times.
Scenario driven_boxes(const std::string& method) {
  const std::string friction = method == "loetstedt" ? "" : ", friction: 0.4";
  return tied_scenario(
      0.004, 2, "method: " + method,
      "variables: {k: {uniform: [1, 4]}, a: {uniform: [0.001, 0.01]}}\n"
      "bodies:\n"
      "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  box: {mass: 2, shape: {box: {size: [0.4, 0.3, 0.2]}}, position: [0, 0, 0.12]}\n"
      "  flap: {mass: 0.5, inertia: [0.002, 0.003, 0.004], position: [0.3, 0, 0.12]}\n"
      "  slider: {mass: 0.3, inertia: [0.002, 0.001, 0.002], position: [0, 0, 0.3]}\n"
      "  ball: {mass: 0.4, shape: {sphere: {radius: 0.05}}, position: [0.1, 0.5, 0.3]}\n"
      "contacts: [{between: any" +
          friction +
          "}]\n"
          "joints:\n"
          "  hinge: {revolute: [box, flap], at: [0.2, 0, 0.12], axis: [0, 1, 0.2], stiffness: $k, rest: 0.2, damping: "
          "0.02, armature: $a}\n"
          "  slide: {prismatic: [box, slider], axis: [1, 0, 0], armature: 0.2, damping: 0.1, speed_limits: [-0.05, "
          "null], "
          "motor: {speed: \"sin(5*t)\", limit: 0.5}}\n"
          "forces:\n"
          "  - {body: ball, force: [\"slider.position.x-ball.position.x\", \"slider.position.y-ball.position.y\", 0], "
          "reaction: slider}\n"
          "  - {body: flap, torque: [0, \"-0.1*hinge.speed+0.05*slide.position\", 0], reaction: box}\n"
          "impulses:\n"
          "  - {body: box, time: 0.161, at: [0.2, 0.1, 0.12], impulse: [0.3, 0.1, 0.2]}\n"
          "  - {body: flap, time: 0.164, impulse: [0, 0.1, 0.1], angular_impulse: [0, 0.01, 0]}\n"
          "  - {body: ball, time: 0.164, impulse: [0, 0, -0.5]}\n"
          "  - {body: slider, time: {uniform: [0.8, 0.81]}, impulse: [-0.2, 0, 0.1]}\n"
          "outcomes: {most: {maximum: hinge.angle}, total: {minimum: energy}, least: {minimum: slide.speed}}\n"
          "sample: {count: 4}\n");
}

class DriveBits : public testing::TestWithParam<const char*> {
 protected:
  const SampleBits bits_{driven_boxes(GetParam())};
};

TEST_P(DriveBits, ThreadsAndWorkspacesGiveTheSame) {
  const std::vector<std::uint64_t> expected = bits_.digests({1, 0, nullptr});
  EXPECT_EQ(bits_.digests({2, 0, nullptr}), expected);
  EXPECT_EQ(bits_.digests({1, 1, nullptr}), expected) << "capacity grows";
}

TEST_P(DriveBits, EveryTeamGivesTheSame) {
  for (const int first : {0, 38, 199}) {
    const int last = first + 6;
    const std::uint64_t serial = bits_.digest_by_thread(last);
    for (const int lanes : {1, 3, 32})
      EXPECT_EQ(bits_.digest_by_lanes(first, last, lanes), serial)
          << lanes << " lanes, steps " << first << " to " << last;
  }
}

// No step reads what an earlier one has left in its working memory.
TEST_P(DriveBits, WorkingMemoryDoesNotMatter) {
  EXPECT_EQ(bits_.digest_in_workspace(true), bits_.digest_in_workspace(false));
}

INSTANTIATE_TEST_SUITE_P(Methods, DriveBits,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace jostle

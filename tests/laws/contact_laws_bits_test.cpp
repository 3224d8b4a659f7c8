// Spin friction, friction by directions, adhesion and friction of ball joints give the same bits by threads, by teams
// of any size, and in a workspace that grows.
#include "tests/laws/sample_bits.hpp"

namespace jostle {
namespace contact_laws_bits {
namespace {

struct Laws {
  const char* method;
  const char* rule;
  const char* joints;
};

/// Boxes in space that fall on a floor and on each other.
Scenario boxes(const Laws& of) {
  return tied_scenario(0.004, 0.6, std::string("method: ") + of.method,
                       "variables: {mu: {uniform: [0.2, 0.6]}, r: {uniform: [0.005, 0.02]}, a: {uniform: [0, 1]}}\n"
                       "bodies:\n"
                       "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                       "  low: {mass: 1, shape: {box: {size: [0.2, 0.1, 0.1]}}, position: [0, 0, 0.08], spin: [0.5, 0, "
                       "6]}\n"
                       "  high: {mass: 2, shape: {box: {size: [0.1, 0.2, 0.1]}}, position: [0.05, 0, 0.25], spin: [1, "
                       "-1, 2]}\n"
                       "  bob: {mass: 0.5, inertia: [0.001, 0.002, 0.0015], shape: {sphere: {radius: 0.05}}, position: "
                       "[0.5, 0, 0.3], spin: [1, 2, 9]}\n"
                       "contacts:\n  - " +
                           std::string(of.rule) + "\n" + of.joints + "sample: {count: 4}\n");
}

class ContactLawsBits : public testing::TestWithParam<Laws> {
 protected:
  const SampleBits bits_{boxes(GetParam())};
};

TEST_P(ContactLawsBits, DependOnNoThreadAndNoCapacity) {
  const std::vector<std::uint64_t> expected = bits_.digests({});
  EXPECT_EQ(bits_.digests({3, 0, nullptr}), expected);
  EXPECT_EQ(bits_.digests({1, 1, nullptr}), expected);
}

TEST_P(ContactLawsBits, DependOnNoTeam) {
  for (const int first : {0, 60}) {
    const std::uint64_t expected = bits_.digest_by_lanes(first, first + 8, 0);
    for (const int lanes : {1, 5, 32}) EXPECT_EQ(bits_.digest_by_lanes(first, first + 8, lanes), expected) << lanes;
  }
}

constexpr const char* spin = "{between: any, friction: $mu, spin_friction: $r}";
constexpr const char* roll = "{between: any, friction: $mu, rolling_friction: $r}";
constexpr const char* pull = "{between: any, friction: $mu, adhesion: $a}";
constexpr const char* axis =
    "{between: any, friction: $mu}\n  - {between: [low, floor], friction: $mu, across: {friction: 0.1, axis: [1, 0.2, "
    "0], "
    "of: low}}";
constexpr const char* all = "{between: any, friction: $mu, spin_friction: $r, adhesion: $a}";
constexpr const char* moments =
    "{between: any, friction: $mu, spin_friction: $r, rolling_friction: 0.5*$r, adhesion: $a}";
constexpr const char* hook = "joints: {hook: {ball: [high, bob], at: [0.3, 0, 0.3], friction: 0.02}}\n";
INSTANTIATE_TEST_SUITE_P(Laws, ContactLawsBits,
                         testing::Values(Laws{"stewart_trinkle", spin, ""}, Laws{"stewart_trinkle", pull, ""},
                                         Laws{"stewart_trinkle", roll, ""}, Laws{"trapezoidal_midpoint", roll, ""},
                                         Laws{"anitescu_potra", moments, hook}, Laws{"stewart_trinkle", axis, ""},
                                         Laws{"trapezoidal", axis, ""}, Laws{"anitescu_potra", all, ""},
                                         Laws{"anitescu_potra", all, hook}, Laws{"trapezoidal", spin, ""},
                                         Laws{"trapezoidal_midpoint", all, hook}),
                         [](const auto& of) { return of.param.method + std::to_string(of.index); });

}  // namespace
}  // namespace contact_laws_bits
}  // namespace jostle

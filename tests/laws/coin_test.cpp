// Cylinders that land on their ends: a flat disc rests on points of its rim, and does not rock on them for ever.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

constexpr int tosses = 32;

const char* const coin_toss = R"(
jostle: 1
variables: {spin: {uniform: [20, 60]}, wobble: {uniform: [-2, 2]}}
world: {step: 0.002, duration: 1.5, friction_directions: 8}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  coin:
    mass: 0.0056
    shape: {cylinder: {length: 0.002, radius: 0.012}}
    position: [0, 0, 0.5]
    velocity: [0.2, 0, 1]
    spin: [$spin, $wobble, 0]
contacts: [{between: any, friction: 0.4}]
outcomes: {energy: {at_end: coin.kinetic_energy}, height: {at_end: coin.position.z}, contacts: {at_end: coin.contacts}}
)";

TEST(TossedCoin, ComesToRestOnAFaceOrGoesOnOnItsEdge) {
  const Scenario scenario = parse_scenario(coin_toss, "coin.yaml");
  int flat = 0;
  for (int sample = 0; sample < tosses; ++sample) {
    SCOPED_TRACE(sample);
    Simulation toss(scenario, sample);
    toss.run();
    ASSERT_EQ(toss.status(), Status::ok);
    if (toss.outcome("height") > 0.005) continue;
    ++flat;
    EXPECT_NEAR(toss.outcome("height"), 0.001, 1e-12);
    EXPECT_LE(toss.outcome("energy"), 1e-20);
    EXPECT_GE(toss.outcome("contacts"), 2);
    EXPECT_LE(toss.state().penetration_max(), 1e-3) << "r (h w)^2 / 2 for the 200 rad/s that an edge's impact leaves";
  }
  EXPECT_GE(flat, tosses * 9 / 10);
}

/// Under the methods with impacts, too, a coin gains nothing while it whirls down; the second trapezoidal scheme keeps
/// what is left of it as speeds that change their signs.
class WhirlingCoin : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, WhirlingCoin,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(WhirlingCoin, GainsNothingAndLiesFlat) {
  const bool reverses = GetParam() == std::string("trapezoidal_midpoint");
  for (int sample = 0; sample < 8; ++sample) {
    SCOPED_TRACE(sample);
    char text[700];
    std::snprintf(text, sizeof text, R"(
jostle: 1
world: {step: 0.001, duration: 1.3, method: %s}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  coin: {mass: 0.0056, shape: {cylinder: {length: 0.002, radius: 0.012}}, position: [0, 0, 0.0125], rotation: {axis: [1, 0, 0], degrees: %d}, spin: [0, 0, %d]}
contacts: [{between: any, friction: 0.4}]
outcomes: {energy: {at_end: coin.kinetic_energy}, height: {at_end: coin.position.z}}
)",
                  GetParam(), 20 + 8 * sample, 10 + 5 * sample);
    Simulation coin(parse_scenario(text, "whirl.yaml"));
    coin.run();
    ASSERT_EQ(coin.status(), Status::ok);
    EXPECT_LE(coin.state().energy_gained(), reverses ? 5e-5 : 1e-12);
    if (sample > 3) continue;  // these go on whirling
    EXPECT_NEAR(coin.outcome("height"), 0.001, 1e-6);
    EXPECT_LE(coin.outcome("energy"), reverses ? 1e-6 : 1e-12);
  }
}

}  // namespace
}  // namespace jostle

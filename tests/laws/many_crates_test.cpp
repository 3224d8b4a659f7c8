// The largest LCP bounds an island, not the scene: more crates than it has room for stand on one floor.
#include "core/batch/batch.hpp"
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// `count` crates beside each other, dropped by a millimetre.
Scenario crates(int count, const std::string& friction, const std::string& world = "") {
  return parse_scenario(R"(
jostle: 1
world: {step: 0.005, duration: 0.05)" +
                            world + R"(}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  crate: {copies: )" + std::to_string(count) +
                            R"(, mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.2*copy, 0, 0.051]}
contacts: [{between: [crate, crate], contact: false}, {between: any, friction: )" +
                            friction + "}]\n",
                        "crates.yaml");
}

// So many have no modes of contacts, nor have basic solutions; what lies still is found at rest all the same.
TEST(CratesWithoutModes, Rest) {
  for (const auto& [count, multipliers] :
       {std::pair(64, ""), std::pair(65, ""), std::pair(2, ", multipliers: vertex")}) {
    Simulation simulation(crates(count, "0.5", multipliers));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << count;
    EXPECT_EQ(simulation.state().resting(), 1) << count;
  }
}

class ManyCrates : public testing::TestWithParam<const char*> {};

TEST_P(ManyCrates, StandThoughTogetherTheyHaveMoreContactsThanTheLargestLcp) {
  constexpr int count = 200;
  const Ensemble ensemble(crates(count, GetParam()));
  ASSERT_GT(4 * count, WorkspaceMemory::most_island_contacts(ensemble.model()));
  Simulation simulation(crates(count, GetParam()));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  for (int crate = 1; crate <= count; ++crate)
    EXPECT_NEAR(simulation.state().position[3 * crate + 2], 0.05, 1e-9) << crate;
}

INSTANTIATE_TEST_SUITE_P(Frictions, ManyCrates, testing::Values("0.5", "0"),
                         [](const auto& friction) { return std::string(friction.param) == "0" ? "Without" : "With"; });

}  // namespace
}  // namespace jostle

// The table with four legs [Loetstedt 1982] as a scenario: its two free rotations are those of a universal joint.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

/// The table under a load F at (x, y) for one step of h.
struct Table {
  Table(double F, double x, double y, double h)
      : simulation("four_legged_table",
                   {setting("variables.F", F), setting("variables.x", x), setting("variables.y", y),
                    setting("world.step", h), setting("world.duration", h)}) {
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
  }
  Simulation simulation;
};

// 400 N at (.7, .2): it tips about its legs at x = .5, with the accelerations of the paper; those carry 405.6 and 138.9
// N.
TEST(FourLeggedTable, TipsWithTheAccelerationsOfThePaper) {
  constexpr double h = 1e-6;
  Table table(400, 0.7, 0.2, h);
  EXPECT_NEAR(table.simulation.velocity("carriage", 2) / h, 4.6425, 1e-5);
  EXPECT_NEAR(table.simulation.spin("ring", 0) / h, 0, 1e-5);
  EXPECT_NEAR(table.simulation.spin("table", 1) / h, 9.285, 1e-5);
  EXPECT_NEAR(table.simulation.outcome("load"), 405.5958333333 + 138.9291666667, 1e-5);
}

// 50 N at (.2, .1) hold it down: nothing moves, and four legs carry the weight of all three parts.
TEST(FourLeggedTable, StandsUnderALoadBetweenItsLegs) {
  Table table(50, 0.2, 0.1, 1e-3);
  for (const char* body : {"carriage", "ring", "table"}) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(table.simulation.velocity(body, k), 0) << body;
      EXPECT_EQ(table.simulation.spin(body, k), 0) << body;
    }
  }
  EXPECT_NEAR(table.simulation.outcome("load"), 98.1 + 50, 1e-10);
  EXPECT_EQ(table.simulation.outcome("legs"), 4);
}

// It tips where the resultant is beyond the legs, and nowhere else.
TEST(FourLeggedTable, TipsWhereTheResultantIsBeyondItsLegs) {
  int tips = 0;
  for (int sample = 0; sample < 200; ++sample) {
    Simulation table("four_legged_table", {}, sample);
    table.run();
    ASSERT_EQ(table.status(), Status::ok) << sample;
    EXPECT_EQ(table.outcome("as_told"), 1) << sample;
    tips += table.outcome("tips") != 0;
  }
  EXPECT_GE(tips, 30);
  EXPECT_LE(tips, 80);
}

}  // namespace
}  // namespace jostle

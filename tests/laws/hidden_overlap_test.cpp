// Parts with dents under the method that looks for no collisions: pointed ones that go through edges in a step, where
// none of their features faces another one.
#include "tests/laws/shape_laws.hpp"

namespace jostle {
namespace {

// Two parts meet at 2 m/s. Without a look at what contacts do not show, the first two pyramids are in each other by
// 0.28 and 0.22 m after a step, the third ones by 0.19 m, and a cylinder in one by 0.15 m.
TEST(HiddenOverlap, IsInNoStepThatGoesOn) {
  const std::string cylinder = "{cylinder: {radius: 0.3, length: 0.5}}";
  struct Scene {
    const char *turn, *spin, *position, *other_turn, *other_spin;
    std::string other = test::dented_pyramid;
  };
  for (const Scene& of :
       {Scene{"[-1.007397, -0.066305, 1.709922], degrees: 357.33025", "[-2.060325, -0.509955, 1.053668]",
              "[-0.210418, -0.09806, 1.6]", "[-1.71939, -0.379682, -0.530371], degrees: 279.971162",
              "[-2.103254, -2.310367, 2.718547]"},
        {"[1.99879, -0.285501, 0.432462], degrees: 112.64275", "[2.287293, 0.602365, 0.180391]",
         "[0.028644, 0.000377, 1.6]", "[0.590163, -0.487284, 1.372942], degrees: 97.158662",
         "[-0.197516, 3.57604, -0.400547]"},
        {"[2.210637, -0.272902, 2.39898], degrees: 114.982861", "[-0.08963, 0.858327, -0.624392]",
         "[0.235167, 0.110491, 1.6]", "[-0.362864, -0.474006, 0.285768], degrees: 68.792345",
         "[-1.43947, 0.723353, 0.601828]", cylinder},
        {"[-2.389552, 2.083123, 1.630929], degrees: 78.89275", "[2.77002, 0.732115, 2.52915]",
         "[-0.177606, 0.244127, 1.6]", "[-0.147904, 1.870293, 0.513974], degrees: 355.908662",
         "[3.046422, 0.8309, 2.169655]"}}) {
    const std::string inertia = "inertia: [0.05, 0.06, 0.07], shape: ";
    Simulation simulation(test::read(test::scene(
        "gravity: [0, 0, 0], step: 0.005, steps: 150",
        "  first: {mass: 1, " + inertia + test::dented_pyramid + ", rotation: {axis: " + of.turn +
            "}, spin: " + of.spin + "}\n  second: {mass: 2, " + inertia + of.other + ", position: " + of.position +
            ", velocity: [0, 0, -2], rotation: {axis: " + of.other_turn + "}, spin: " + of.other_spin + "}\n",
        "friction: 0", "outcomes: {least: {minimum: 'gap(first, second)'}}\n")));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << of.position;
    EXPECT_GE(simulation.outcome("least"), -1.3e-3) << of.position;
    EXPECT_GT(simulation.state().substeps(), 0) << of.position;
  }
}

}  // namespace
}  // namespace jostle

// Pegs and a pawl in holes that are hardly wider: they go in, or jam, and never through.
#include <gtest/gtest.h>

#include "tests/laws/shape_laws.hpp"

namespace jostle::peg_laws {
namespace {

using test::number, test::point, test::read, test::rectangle, test::scene;

// A pawl of 2.3 mm, cut out of a sheet, is pushed into a hole of 20 um of clearance until its shoulders lie on the
// plate, as in the PAGT paper, section 10. There its surface had about 50 triangles, many of them in one plane, and 100
// to 300 contacts. Merged into faces it has the corners of its shoulders and the edges of the hole, at most 8 contacts.
TEST(Pawl, GoesIntoItsHoleWithFewContacts) {
  Simulation simulation(read(scene(
      "step: 0.0001, duration: 0.06",
      "  plate:\n    fixed: true\n    position: [0, 0, -0.0004]\n    shape: {prism: {height: 0.0008, points: " +
          rectangle(0.008, 0.006) + ", holes: [" + rectangle(0.00124, 0.00054) +
          "]}}\n  pawl:\n    density: 7800\n    position: [5e-5, 0, 0.0001]\n    rotation: {axis: [0, 1, 0], degrees: "
          "2}\n"
          "    shape: {prism: {axis: y, height: 0.0005, points: [[-0.0004, 0], [0.0004, 0], [0.0006, 0.0002], [0.0006, "
          "0.0009], "
          "[0.001, 0.0009], [0.001, 0.0023], [0.0003, 0.0023], [0.0003, 0.0019], [-0.0003, 0.0019], [-0.0003, 0.0023], "
          "[-0.001, 0.0023], [-0.001, 0.0009], [-0.0006, 0.0009], [-0.0006, 0.0002]]}}\n",
      "friction: 0.2", "forces: [{body: pawl, force: [0, 0, -0.05]}]\n")));
  double most = 0;
  simulation.watch([&](const StateView& state) { most = std::max(most, static_cast<double>(state.contacts[1])); });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_LE(most, 8);
  EXPECT_GE(most, 4);
  EXPECT_LT(simulation.state().penetration_max(), 2e-6);
}

// A round peg over the hole of peg_in_plate, an exact cylinder with 20 um of clearance to the middles of the sides: it
// falls in and stands on the ground if it is off the axis by less than that. If it is off by more, it falls over and
// lies on the plate, or stands there, where its middle is over the plate.
TEST(PegInPlate, GoesInRound) {
  struct Case {
    double off;
    const char* degrees;
    double height;
  };
  const double inner = 0.004 * std::sqrt(0.75), clearance = 2e-5;
  std::string hole;
  for (int i = 0; i < 6; ++i)
    hole += (i == 0 ? "" : ", ") + point(0.004 * std::cos(i * pi / 3), 0.004 * std::sin(i * pi / 3));
  const double radius = inner - clearance, stands_below = -0.004, stands_above = 0.01, lies = radius;
  for (const Case& c : {Case{0, "0", stands_below},
                        {1e-5, "0", stands_below},
                        {-1.9e-5, "0", stands_below},
                        {0, "0.02", stands_below},
                        {1e-4, "0", lies},
                        {3e-4, "1", lies},
                        {0.0045, "0", stands_above},
                        {0.0045, "1", stands_above}}) {
    Simulation simulation(read(
        scene("step: 0.0002, duration: 0.3",
              "  plate: {fixed: true, shape: {prism: {height: 0.008, points: " + rectangle(0.04, 0.04) + ", holes: [[" +
                  hole +
                  "]]}}, position: [0, 0, -0.004]}\n  ground: {fixed: true, shape: {half_space: {normal: [0, 0, 1], "
                  "offset: -0.014}}}\n  peg: {density: 7800, shape: {cylinder: {length: 0.02, radius: " +
                  number(radius) + "}}, position: [" + number(c.off) +
                  ", 0, 0.0107], rotation: {axis: [0, 1, 0], degrees: " + c.degrees + "}}\n",
              "friction: 0.2")));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << c.off;
    EXPECT_NEAR(simulation.position("peg", 2), c.height, 1e-6) << c.off << " " << c.degrees;
    EXPECT_LT(simulation.state().penetration_max(), clearance) << c.off;
    EXPECT_LT(simulation.state().energy_gain_max(), 1e-5) << c.off;
    EXPECT_GE(simulation.state().contacts[2], c.height == lies ? 2 : 3) << c.off;
    for (int k = 0; k < 3 && c.height != lies; ++k) EXPECT_NEAR(simulation.state().velocity[6 + k], 0, 1e-9) << c.off;
  }
}

// Every peg ends in the hole, stuck in it, or on the plate. It never goes through the plate: the shapes overlap by less
// than the clearance, and no step gains energy.
TEST(PegInPlate, GoesInOrJamsAndNeverThroughThePlate) {
  int in = 0, others = 0;
  for (int sample = 0; sample < 24; ++sample) {
    Simulation simulation("peg_in_plate", {}, sample);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << sample;
    const StateView state = simulation.state();
    const bool is_in = simulation.position("peg", 2) < -0.0035;
    in += is_in, others += !is_in;
    EXPECT_LT(state.penetration_max(), 2e-5) << sample;
    EXPECT_LT(state.energy_gain_max(), 1e-5) << sample;
  }
  EXPECT_GE(in, 10);
  EXPECT_GE(others, 1);
}

}  // namespace
}  // namespace jostle::peg_laws

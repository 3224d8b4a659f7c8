// Cylinders on boxes, capsules and cylinders: they roll, stand, lie across each other and come to rest.
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

Scenario scene(const std::string& world, const std::string& bodies) {
  return parse_scenario("jostle: 1\n" + world + "bodies:\n" + bodies +
                            "contacts: [{between: any, friction: 0.5}]\n"
                            "outcomes: {mean_energy: {at_end: energy}}\n",
                        "cylinders.yaml");
}

// On the tilted plane of a box, the lowest points of the rims have the same numbers as on a half-space up to the last
// digits: the face's height is taken from the middle of the box.
TEST(RollingCylinder, RollsOnABoxAsOnAHalfSpace) {
  const std::string world = "world: {step: 0.005, duration: 1, gravity: [2, 0.3, -9.5]}\n";
  const std::string body =
      "  wheel: {mass: 2, shape: {cylinder: {radius: 0.1, length: 0.3, axis: y}}, position: [0, 0, 0.1], spin: [0, 3, "
      "0]}\n";
  Simulation on_box(
      scene(world, "  floor: {fixed: true, shape: {box: {size: [20, 20, 2]}}, position: [0, 0, -1]}\n" + body));
  Simulation on_plane(scene(world, "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n" + body));
  on_box.run();
  on_plane.run();
  ASSERT_EQ(on_box.status(), Status::ok);
  ASSERT_EQ(on_plane.status(), Status::ok);
  EXPECT_GT(on_box.position("wheel", 0), 0.5);
  for (int k = 0; k < 3; ++k) {
    // The digits lost in the heights are 1e-16 m, in the speeds 1e-16 / h: over 200 steps 1e-11 at most.
    EXPECT_NEAR(on_box.position("wheel", k), on_plane.position("wheel", k), 1e-11);
    EXPECT_NEAR(on_box.velocity("wheel", k), on_plane.velocity("wheel", k), 1e-11);
    EXPECT_NEAR(on_box.spin("wheel", k), on_plane.spin("wheel", k), 1e-10);
  }
}

struct AtRest {
  const char* name;
  const char* bodies;
  double x, y, z;  ///< of `can`, from the start to the end
};

class CylinderAtRest : public testing::TestWithParam<AtRest> {};
INSTANTIATE_TEST_SUITE_P(
    Scenes, CylinderAtRest,
    testing::Values(
        AtRest{"StandingOnABox",
               "  table: {fixed: true, shape: {box: {size: [1, 1, 0.2]}}, position: [0, 0, -0.1]}\n"
               "  can: {mass: 1, shape: {cylinder: {radius: 0.1, length: 0.4}}, position: [0.1, 0, 0.2]}\n",
               0.1, 0, 0.2},
        AtRest{"StandingOverTheEdgeOfABox",
               "  table: {fixed: true, shape: {box: {size: [1, 1, 0.2]}}, position: [0, 0, -0.1]}\n"
               "  can: {mass: 1, shape: {cylinder: {radius: 0.1, length: 0.4}}, position: [0.46, 0, 0.2]}\n",
               0.46, 0, 0.2},
        AtRest{"LyingOnABox",
               "  table: {fixed: true, shape: {box: {size: [1, 1, 0.2]}}, position: [0, 0, -0.1]}\n"
               "  can: {mass: 1, shape: {cylinder: {radius: 0.1, length: 0.4, axis: x}}, position: [0.4, 0, 0.1]}\n",
               0.4, 0, 0.1},
        AtRest{"StandingOnACylinder",
               "  tin: {fixed: true, shape: {cylinder: {radius: 0.2, length: 0.2}}, position: [0, 0, -0.1]}\n"
               "  can: {mass: 1, shape: {cylinder: {radius: 0.2, length: 0.4}}, position: [0.1, 0, 0.2]}\n",
               0.1, 0, 0.2},
        AtRest{"BoxOnACylinder",
               "  tin: {fixed: true, shape: {cylinder: {radius: 0.2, length: 0.2}}, position: [0, 0, -0.1]}\n"
               "  can: {mass: 1, shape: {box: {size: [1, 0.1, 0.2]}}, position: [0.1, 0, 0.1]}\n",
               0.1, 0, 0.1},
        AtRest{"CapsuleOnACap",
               "  tin: {fixed: true, shape: {cylinder: {radius: 0.2, length: 0.2}}, position: [0, 0, -0.1]}\n"
               "  can: {mass: 1, shape: {capsule: {radius: 0.05, length: 0.4, axis: x}}, position: [0.1, 0, 0.05]}\n",
               0.1, 0, 0.05}),
    [](const auto& scene) { return std::string(scene.param.name); });

TEST_P(CylinderAtRest, Stays) {
  const AtRest& rest = GetParam();
  Simulation can(scene("world: {step: 0.005, duration: 2}\n", rest.bodies));
  can.run();
  ASSERT_EQ(can.status(), Status::ok);
  const double start[3] = {rest.x, rest.y, rest.z};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(can.position("can", k), start[k], 1e-12) << k;
    EXPECT_NEAR(can.velocity("can", k), 0, 1e-12) << k;
    EXPECT_NEAR(can.spin("can", k), 0, 1e-12) << k;
  }
}

/// Two rods fall on a table across each other: the lower lies, the upper comes down on it.
void expect_rods_come_to_rest(const std::string& lower, const std::string& upper) {
  Simulation rods(scene("world: {step: 0.002, duration: 3}\n",
                        "  table: {fixed: true, shape: {box: {size: [4, 4, 0.2]}}, position: [0, 0, -0.1]}\n"
                        "  lower: {mass: 1, shape: " +
                            lower +
                            ", position: [0, 0, 0.12]}\n"
                            "  upper: {mass: 1, shape: " +
                            upper + ", position: [0.02, 0.01, 0.36]}\n"));
  rods.run();
  ASSERT_EQ(rods.status(), Status::ok);
  for (const char* rod : {"lower", "upper"}) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(rods.velocity(rod, k), 0, 1e-6) << rod;
      EXPECT_NEAR(rods.spin(rod, k), 0, 1e-6) << rod;
    }
  }
  EXPECT_GT(rods.position("upper", 2), 0.099);
  EXPECT_LE(rods.state().penetration_max(), 2e-3);
}

TEST(CrossedRods, CapsuleOnACylinderComesToRest) {
  expect_rods_come_to_rest("{cylinder: {radius: 0.1, length: 1, axis: x}}",
                           "{capsule: {radius: 0.1, length: 1, axis: y}}");
}
TEST(CrossedRods, CylinderOnACylinderComesToRest) {
  expect_rods_come_to_rest("{cylinder: {radius: 0.1, length: 1, axis: x}}",
                           "{cylinder: {radius: 0.1, length: 1, axis: y}}");
}

/// `shapes` tossed on a box with any orientation and spin; returns the deepest penetration, m.
double deepest_of_tosses(const std::string& shapes, int samples) {
  const Scenario scenario = scene("world: {step: 0.004, duration: 2}\n",
                                  "  table: {fixed: true, shape: {box: {size: [6, 6, 0.2]}}, position: [0, 0, -0.1]}\n"
                                  "  bolt:\n"
                                  "    mass: 0.1\n" +
                                      shapes +
                                      "    position: [0, 0, 0.3]\n"
                                      "    rotation: uniform\n"
                                      "    velocity: [{normal: [0, 0.3]}, {normal: [0, 0.3]}, 0]\n"
                                      "    spin: [{normal: [0, 8]}, {normal: [0, 8]}, {normal: [0, 8]}]\n");
  double deepest = 0;
  for (int sample = 0; sample < samples; ++sample) {
    Simulation toss(scenario, sample);
    toss.run();
    EXPECT_EQ(toss.status(), Status::ok) << "sample " << sample;
    EXPECT_GT(toss.position("bolt", 2), 0) << "sample " << sample;
    deepest = std::max(deepest, toss.state().penetration_max());
  }
  return deepest;
}

// A shank with a flat head, as wide as the head and as long as the bolt of boxes beside it.
TEST(TossedBolt, GoesNoDeeperThanBoxes) {
  const double bolt = deepest_of_tosses(
      "    shapes: [{capsule: {radius: 0.008, length: 0.05}}, {cylinder: {radius: 0.02, length: 0.012}, position: [0, "
      "0, 0.031]}]\n"
      "    inertia: [4.0e-5, 4.0e-5, 1.2e-5]\n",
      200);
  const double boxes = deepest_of_tosses(
      "    shapes: [{box: {size: [0.016, 0.016, 0.066]}}, {box: {size: [0.04, 0.04, 0.012]}, position: [0, 0, "
      "0.031]}]\n"
      "    inertia: [4.0e-5, 4.0e-5, 1.2e-5]\n",
      50);
  EXPECT_LE(bolt, 1.5 * boxes + 1e-4);
}

}  // namespace
}  // namespace jostle

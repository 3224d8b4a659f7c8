// Polygons in planar scenes: a box written as one moves as a box, lengths scale, parts with notches rest and slide.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/laws/shape_laws.hpp"

namespace jostle::polygon_laws {
namespace {

using test::difference, test::motion_of, test::read, test::scene;

const std::string planar = "freedom: [x, z, ry], ";
const std::string box_shape = "{box: {size: [0.1, 0.2, 0.06]}}";
const std::string polygon_shape = "{polygon: {points: [[-0.05, -0.03], [0.05, -0.03], [0.05, 0.03], [-0.05, 0.03]]}}";
const std::string table_as_box =
    "  table: {fixed: true, shape: {box: {size: [1, 0.4, 0.2]}}, position: [0, 0, -0.1]}\n";
const std::string table_as_polygon =
    "  table: {fixed: true, shape: {polygon: {points: [[-0.5, 0], [-0.5, -0.2], [0.5, -0.2], [0.5, 0]]}}}\n";
const std::string floor = "  table: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";

std::string part(const std::string& name, const std::string& shape, const std::string& rest) {
  return "  " + name + ": {mass: 0.6, inertia: 0.0007, " + planar + "shape: " + shape + ", " + rest + "}\n";
}

class PolygonsUnderEveryMethod : public test::ShapesUnderEveryMethod {};
INSTANTIATE_TEST_SUITE_P(Laws, PolygonsUnderEveryMethod, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(PolygonsUnderEveryMethod, MovesABoxAsItDoesWrittenAsABox) {
  const std::string time = world("step: 0.002, duration: 0.5");
  const std::string start = "position: [0, 0, 0.1], rotation: {axis: [0, 1, 0], degrees: 12}, velocity: [0.3, 0, -0.4]";
  const std::string lower = "position: [0.02, 0, 0.03]", upper = "position: [0.05, 0, 0.09], velocity: [0.2, 0, 0]";
  for (const std::string& ground : {floor, table_as_box, table_as_polygon}) {
    const std::string& same = ground == table_as_polygon ? table_as_box : ground;
    const auto motion = [&](const std::string& below, const std::string& parts) {
      return motion_of(scene(time, below + parts, friction("0.3")), true);
    };
    EXPECT_LT(
        difference(motion(ground, part("part", polygon_shape, start)), motion(same, part("part", box_shape, start))),
        1e-12)
        << ground;
    EXPECT_LT(difference(motion(ground, part("low", polygon_shape, lower) + part("high", polygon_shape, upper)),
                         motion(same, part("low", box_shape, lower) + part("high", box_shape, upper))),
              1e-12)
        << ground;
  }
}

/// A bridge on two feet, whose middle touches nothing.
const std::string bridge =
    "{polygon: {points: [[-0.05, -0.03], [-0.03, -0.03], [-0.03, -0.01], [0.03, -0.01], [0.03, -0.03], [0.05, -0.03], "
    "[0.05, 0.03], [-0.05, 0.03]]}}";

/// On three, all of which touch.
const std::string on_three_feet =
    "{polygon: {points: [[-0.05, -0.03], [-0.03, -0.03], [-0.03, -0.01], [-0.01, -0.01], [0, -0.03], [0.01, -0.01], "
    "[0.03, -0.01], [0.03, -0.03], [0.05, -0.03], [0.05, 0.03], [-0.05, 0.03]]}}";

TEST_P(PolygonsUnderEveryMethod, DoesNotCreepOnASlopeInAMinute) {
  if (!has_friction()) GTEST_SKIP() << "slides without friction";
  for (const char* const ground :
       {"  slope: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}, rotation: {axis: [0, 1, 0], degrees: 20}}\n",
        "  slope: {fixed: true, shape: {polygon: {points: [[-1, 0], [-1, -1], [1, -1], [1, 0]]}}, rotation: {axis: [0, "
        "1, 0], degrees: 20}}\n"}) {
    const double tilt = 20 * pi / 180;
    const std::string start = "position: [" + std::to_string(0.03 * std::sin(tilt)) + ", 0, " +
                              std::to_string(0.03 * std::cos(tilt) + 1e-6) +
                              "], rotation: {axis: [0, 1, 0], degrees: 20}";
    for (const std::string& shape : {bridge, on_three_feet}) {
      test::expect_no_creep(
          read(scene(world("step: 0.005, duration: 60"), ground + part("part", shape, start), "friction: 0.5")),
          0.03 * std::sin(tilt));
    }
  }
}

// Both toes are on the floor and below the sole of the other foot, so neither is in the other solid when they meet.
TEST_P(PolygonsUnderEveryMethod, FeetWithArchedSolesStopEachOtherToeToToe) {
  const std::string foot = "{polygon: {points: [[-0.05, 0], [0, 0.0006], [0.05, 0], [0.045, 0.04], [-0.045, 0.04]]}}";
  for (const char* const h : {"0.004", "0.001"}) {
    Simulation simulation(read(scene(world(std::string("duration: 0.2, step: ") + h),
                                     floor + part("left", foot, "position: [-0.061, 0, 0], velocity: [0.5, 0, 0]") +
                                         part("right", foot, "position: [0.062, 0, 0], velocity: [-0.7, 0, 0]"),
                                     friction("0"))));
    double nearest = 1;
    simulation.watch([&](const StateView&) {
      nearest = std::min(nearest, simulation.position("right", 0) - simulation.position("left", 0));
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    const double left = simulation.velocity("left", 0), right = simulation.velocity("right", 0);
    EXPECT_GT(nearest, 0.0995) << "a toe may be lifted; h = " << h;
    EXPECT_GE(right - left, -1e-9) << h;
    EXPECT_NEAR(left + right, -0.2, 1e-9) << h;
    EXPECT_LT(simulation.state().energy_gain_max(), 1e-9) << h;
  }
}

// A square on its corner in a notch of a right angle: without friction each side carries m g / sqrt 2.
TEST_P(PolygonsUnderEveryMethod, RestsInANotch) {
  const std::string ground =
      "  block: {fixed: true, shape: {polygon: {points: [[-0.2, -0.1], [0.2, -0.1], [0.2, 0], [0.05, 0], [0, -0.05], "
      "[-0.05, 0], [-0.2, 0]]}}}\n";
  const std::string square = "{polygon: {points: [[-0.02, -0.02], [0.02, -0.02], [0.02, 0.02], [-0.02, 0.02]]}}";
  const double z = -0.05 + 0.02 * std::sqrt(2.0);
  Simulation simulation(read(scene(
      world("step: 0.002, duration: 1"),
      ground + part("part", square,
                    "position: [0, 0, " + std::to_string(z + 0.001) + "], rotation: {axis: [0, 1, 0], degrees: 45}"),
      "friction: 0")));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.position("part", 0), 0, 1e-9);
  EXPECT_NEAR(simulation.position("part", 2), z, 1e-5);
  EXPECT_NEAR(simulation.state().angle[simulation.body("part")], pi / 4, 1e-5);
}

// Lengths, masses and times to match: x 2^k in length and 2^(k/2) in time with the same gravity, here k = 8 and -14.
TEST(Polygons, ScaledByPowersOfTwoHaveTheSameBits) {
  const auto run = [](double length, double time) {
    char text[2048];
    std::snprintf(text, sizeof text,
                  "jostle: 1\nworld: {step: %.17g, duration: %.17g}\nbodies:\n"
                  "  ground: {fixed: true, shape: {polygon: {points: [[%.17g, 0], [%.17g, %.17g], [%.17g, %.17g], "
                  "[%.17g, 0], [0, %.17g]]}}}\n"
                  "  part: {density: 1000, freedom: [x, z, ry], shape: {polygon: {points: [[0, 0], [%.17g, 0], [%.17g, "
                  "%.17g]], radius: %.17g}},\n"
                  "    position: [%.17g, 0, %.17g], velocity: [%.17g, 0, 0], spin: [0, %.17g, 0]}\n"
                  "contacts: [{between: any, friction: 0.25}]\n",
                  time / 512, time, -2 * length, -2 * length, -length, 2 * length, -length, 2 * length, -0.25 * length,
                  0.5 * length, 0.125 * length, 0.375 * length, 0.03125 * length, 0.1 * length, 0.2 * length,
                  0.5 * length / time, 1 / time);
    Simulation simulation(read(text));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    return std::vector<double>{simulation.position("part", 0) / length, simulation.position("part", 2) / length,
                               simulation.state().angle[1], simulation.velocity("part", 0) / length * time};
  };
  const std::vector<double> same = run(1, 1);
  EXPECT_EQ(run(256, 16), same);
  EXPECT_EQ(run(std::ldexp(1, -8), std::ldexp(1, -4)), same);
}

// The L of a part passes the corner of a block at a distance: no impulse, whatever the block's other side is.
TEST_P(PolygonsUnderEveryMethod, PassesACornerWithoutAnImpulse) {
  const std::string block =
      "  block: {fixed: true, shape: {polygon: {points: [[0, -0.1], [0.1, -0.1], [0.1, 0], [0, 0]]}}}\n";
  const std::string angle =
      "{polygon: {points: [[-0.08, -0.06], [-0.04, -0.06], [-0.04, 0], [0.04, 0], [0.04, 0.02], [-0.08, 0.02]]}}";
  // Its lower side is 1e-7 m above the block's top, its leg comes down beside the block and stays 1 mm away.
  Simulation simulation(
      read(scene(world("step: 0.004, duration: 0.2, gravity: [0, 0, 0]"),
                 block + part("part", angle, "position: [0.0390, 0, 1e-7], velocity: [-0.1, 0, 0]"), friction("0.4"))));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.velocity("part", 0), -0.1);
  EXPECT_EQ(simulation.velocity("part", 2), 0);
  EXPECT_EQ(simulation.spin("part", 1), 0);
}

// A triangle comes down on the obtuse end of a notch's side, and its corner is predicted 6 mm deep past that end. It
// counts for that side, not for the floor's bottom 0.3 m below, and no step gains energy. (With the bottom, one gained
// half of what there was.)
TEST(Polygons, ACornerInAnObtuseCornerIsUnderTheSideItFaces) {
  const std::string ground =
      "  floor: {fixed: true, shape: {polygon: {points: [[-1, 0.05], [-1, -0.3], [1, -0.3], [1, 0.02], [0.05, 0], "
      "[0.04, -0.05], [-0.05, -0.04], [-0.06, 0]]}}}\n";
  const std::string triangle =
      "  part: {density: 1000, freedom: [x, z, ry], shape: {polygon: {points: [[0.012916, -0.005774], [-0.022919, "
      "0.011328], [-0.003086, -0.02415]]}}, position: [-0.02252, 0, 0.13885], velocity: [-0.1549, 0, -0.6869], spin: "
      "[0, -1.1224, 0]}\n";
  Simulation simulation(read(scene("step: 0.004, duration: 0.2", ground + triangle, "friction: 0.6",
                                   "outcomes:\n  gained: {maximum: energy_gained}\n")));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.outcome("gained"), 0);
}

// What a hand-over between features gives under Stewart and Trinkle's method, docs/theory.md (23b). A square on its
// corner lands near the end of a ledge: the first step leaves it w downwards, with which it just arrives. In the second
// one it passes the end of the ledge, a1 ahead, and there is less deep than that speed would take it. To be outside at
// its end it leaves along its own side n with n_x a1/h, whatever h.
TEST(Polygons, WhatSlidesOffALedgeAsItLandsIsPushed) {
  const double vx = 1, vz = 0.3, w = 0.2, n = std::sqrt(0.5);
  for (const double h : {0.01, 0.0001}) {
    const double a1 = 0.9 * vx * h;
    char text[1024];
    std::snprintf(text, sizeof text,
                  "  ledge: {fixed: true, shape: {polygon: {points: [[-1, 0], [-1, -1], [0, -1], [0, 0]]}}}\n"
                  "  part: {mass: 1, freedom: [x, z], shape: {polygon: {points: [[0, -0.05], [0.05, 0], [0, 0.05], "
                  "[-0.05, 0]]}}, position: [%.17g, 0, %.17g], velocity: [%.17g, 0, %.17g]}\n",
                  -a1 - vx * h, 0.05 + w * h, vx, -vz);
    Simulation simulation(
        read(scene("gravity: [0, 0, 0], step: " + std::to_string(h) + ", duration: " + std::to_string(2 * h), text,
                   "friction: 0")));
    simulation.run_to(1);
    EXPECT_NEAR(simulation.velocity("part", 2), -w, 1e-9);
    EXPECT_EQ(simulation.state().energy_gained(), 0);
    simulation.run_to(2);
    const double before = n * (vx - w), after = n * a1 / h;
    EXPECT_NEAR(n * (simulation.velocity("part", 0) + simulation.velocity("part", 2)), after, 1e-9);
    EXPECT_NEAR(simulation.state().energy_gained(), (after * after - before * before) / 2, 1e-9) << h;
  }
}

TEST(Polygons, OverlapAtTheStartIsSeen) {
  const std::string inside = scene("step: 0.002, duration: 0.1",
                                   table_as_polygon + part("part", bridge, "position: [$x, 0, 0.029]"), "friction: 0");
  const std::string drawn = "jostle: 1\nvariables: {x: {uniform: [0, 0.1]}}\n" + inside.substr(10);
  Simulation simulation(read(drawn));
  simulation.run_to(0);
  EXPECT_EQ(simulation.status(), Status::overlap);
  try {
    Ensemble(read(scene("step: 0.002, duration: 0.1",
                        table_as_polygon + part("part", bridge, "position: [0, 0, 0.029]"), "friction: 0")));
    FAIL();
  } catch (const ScenarioError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("overlap at the start by 0.001 m"));
  }
}

// Polygons of 20 corners: 1200 feature pairs, on five pages.
TEST(Polygons, OfManyCornersRollDownWithEveryTeam) {
  std::string points;
  for (int i = 0; i < 20; ++i)
    points += (i > 0 ? ", [" : "[") + std::to_string(0.05 * std::cos(pi * i / 10)) + ", " +
              std::to_string(0.05 * std::sin(pi * i / 10)) + "]";
  const std::string wheel = "{polygon: {points: [" + points + "]}}";
  const std::string text =
      scene("step: 0.004, duration: 0.8",
            "  low: {fixed: true, shape: " + wheel + "}\n" + part("high", wheel, "position: [0.004, 0, 0.1]"),
            "friction: 0.6");
  std::vector<std::uint64_t> digests;
  for (const int lanes : {0, 1, 4, 32}) {
    const Ensemble ensemble(read(text));
    Batch batch(ensemble.model(), 1);
    ensemble.load(0, batch, 0);
    WorkspaceMemory memory(ensemble.model(), 64);
    run_by_lanes(lanes, batch, 200, memory);
    EXPECT_EQ(batch.status(0), Status::ok);
    EXPECT_GT(std::fabs(batch.state(0).angle[1]), 0.1);
    std::uint64_t bits;
    std::memcpy(&bits, &batch.state(0).angle[1], sizeof bits);
    digests.push_back(bits);
  }
  EXPECT_THAT(digests, testing::Each(digests[0]));
}

}  // namespace
}  // namespace jostle::polygon_laws

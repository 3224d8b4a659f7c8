// Hulls in space: a box written as one moves as a box, lengths scale, parts stand, tumble and rest as they must.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/laws/shape_laws.hpp"

namespace jostle::hull_laws {
namespace {

using test::allowed, test::box_shape, test::difference, test::motion_of, test::number, test::part, test::read,
    test::scene, test::table_as_box;

std::string point(double x, double y, double z) { return "[" + number(x) + ", " + number(y) + ", " + number(z) + "]"; }
std::string vector(const char* key, double x, double y, double z) { return std::string(key) + ": " + point(x, y, z); }

/// The corners of a box, as points of a hull. `off`: how far one of them is moved, as a part of x; with less than
/// rounding the hull is not searched as a box.
std::string hull_of_box(double x, double y, double z, double off = 0) {
  std::string points;
  for (int i = 0; i < 8; ++i)
    points += (i > 0 ? ", " : "") +
              point((i & 1 ? 0.5 : -0.5 + (i == 0 ? off : 0)) * x, (i & 2 ? 0.5 : -0.5) * y, (i & 4 ? 0.5 : -0.5) * z);
  return "{hull: {points: [" + points + "]}}";
}
/// A hexagonal nut without its hole: across its corners 2 r, h high.
std::string nut(double r, double h, double radius = 0) {
  std::string points;
  for (int i = 0; i < 12; ++i)
    points += (i > 0 ? ", " : "") + point(r * std::cos(pi * i / 3), r * std::sin(pi * i / 3), i < 6 ? -h / 2 : h / 2);
  return "{hull: {points: [" + points + "], radius: " + number(radius) + "}}";
}

/// The same as a prism.
std::string prism_of_box(double x, double y, double z) {
  return "{prism: {height: " + number(z) + ", points: [[" + number(-x / 2) + ", " + number(-y / 2) + "], [" +
         number(x / 2) + ", " + number(-y / 2) + "], [" + number(x / 2) + ", " + number(y / 2) + "], [" +
         number(-x / 2) + ", " + number(y / 2) + "]]}}";
}

const std::string& floor = test::floor_in_space;
const std::string table_as_hull =
    "  table: {fixed: true, shape: " + hull_of_box(1, 1, 0.2) + ", position: [0, 0, -0.1]}\n";

class HullsUnderEveryMethod : public test::ShapesUnderEveryMethod {};
INSTANTIATE_TEST_SUITE_P(Laws, HullsUnderEveryMethod, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(HullsUnderEveryMethod, MoveABoxAsItDoesWrittenAsABox) {
  const std::string time = world("step: 0.002, duration: 0.4");
  const auto start = [](const char* z) {
    return std::string("position: [0, 0, ") + z +
           "], rotation: {axis: [0.3, 1, 0.2], degrees: 12}, velocity: [0.3, 0.1, -0.4]";
  };
  const std::string lower = "position: [0.02, 0, 0.03]", upper = "position: [0.05, 0.01, 0.09], velocity: [0.2, 0, 0]";
  for (const auto& [as_hull, ground] : {std::pair{hull_of_box(0.1, 0.2, 0.06), floor},
                                        {hull_of_box(0.1, 0.2, 0.06), table_as_box},
                                        {hull_of_box(0.1, 0.2, 0.06), table_as_hull},
                                        {hull_of_box(0.1, 0.2, 0.06, 1e-15), table_as_box},
                                        {hull_of_box(0.1, 0.2, 0.06, 1e-15), table_as_hull},
                                        {prism_of_box(0.1, 0.2, 0.06), table_as_box}}) {
    const std::string& same = ground == table_as_hull ? table_as_box : ground;
    const auto motion = [&](const std::string& below, const std::string& parts) {
      return motion_of(scene(time, below + parts, friction("0.3")), false);
    };
    const auto as_box = motion(same, part("part", box_shape, start("0.14")));
    EXPECT_LT(difference(motion(ground, part("part", as_hull, start("0.14"))), as_box),
              allowed(as_box, motion(same, part("part", box_shape, start("0.140000000000001")))))
        << ground;
    EXPECT_LT(difference(motion(ground, part("low", as_hull, lower) + part("high", as_hull, upper)),
                         motion(same, part("low", box_shape, lower) + part("high", box_shape, upper))),
              1e-12)
        << ground;
  }
}

TEST_P(HullsUnderEveryMethod, CarryBallsRodsAndCylindersAsABoxDoes) {
  const std::string time = world("step: 0.002, duration: 0.3"), as_hull = hull_of_box(0.1, 0.2, 0.06);
  const std::string start = "position: [0, 0, 0.03]";
  const auto ball = [](const char* z) {
    return std::string("  ball: {mass: 0.2, inertia: 8e-5, shape: {sphere: {radius: 0.03}}, position: [0.02, 0.01, ") +
           z + "], velocity: [0.3, 0.2, 0]}\n";
  };
  const auto rod = [](const char* z) {
    return std::string(
               "  rod: {mass: 0.2, inertia: [8e-4, 8e-4, 2e-5], shape: {capsule: {length: 0.1, radius: 0.01}}, "
               "position: [0.03, 0.02, ") +
           z + "], rotation: {axis: [0.2, 1, 0], degrees: 70}}\n";
  };
  const auto motion = [&](const std::string& shape, const std::string& other) {
    return motion_of(scene(time, floor + part("part", shape, start) + other, friction("0.3")), false);
  };
  const auto cylinder = [](const char* z, const char* degrees) {
    return std::string(
               "  roller: {mass: 0.2, inertia: [8e-5, 8e-5, 4e-5], shape: {cylinder: {length: 0.06, radius: 0.02}}, "
               "position: [0.03, 0.02, ") +
           z + "], rotation: {axis: [0.2, 1, 0], degrees: " + degrees + "}, velocity: [0.2, 0.1, 0]}\n";
  };
  const std::string others[][2] = {{ball("0.091"), ball("0.091000000000001")},
                                   {rod("0.1"), rod("0.100000000000001")},
                                   {cylinder("0.0901", "0"), cylinder("0.090100000000001", "0")},
                                   {cylinder("0.0801", "90"), cylinder("0.080100000000001", "90")},
                                   {cylinder("0.1", "40"), cylinder("0.100000000000001", "40")}};
  for (const auto& [other, moved] : others) {
    const auto as_box = motion(box_shape, other);
    EXPECT_LT(difference(motion(as_hull, other), as_box), allowed(as_box, motion(box_shape, moved))) << other;
  }
}

// A hull that is nearly a point, with a radius, is a ball.
TEST_P(HullsUnderEveryMethod, WithARadiusAndHardlyACoreAreBalls) {
  const std::string ball = "{sphere: {radius: 0.03}}";
  const std::string rounded =
      "{hull: {points: [[1e-9, 0, 0], [-1e-9, 1e-9, 0], [-1e-9, -1e-9, 0], [0, 0, 1e-9]], radius: 0.03}}";
  const auto motion = [&](const std::string& shape, const std::string& ground, const std::string& start) {
    return motion_of(
        scene(world("step: 0.002, duration: 0.3"),
              ground + "  part: {mass: 0.2, inertia: 7.2e-5, shape: " + shape + ", " + start + "}\n", friction("0.4")),
        false);
  };
  const std::string corner = "  block: {fixed: true, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, -0.1]}\n";
  const std::string as_hull =
      "  block: {fixed: true, shape: " + hull_of_box(0.2, 0.2, 0.2) + ", position: [0, 0, -0.1]}\n";
  const std::string rolls = "position: [0, 0.01, 0.03], velocity: [0.3, 0.1, 0], spin: [0, 2, 0]";
  // Over an edge and its corner. Where a step begins with the middle over the edge to within 1e-9 m, a ball, too, may
  // be on the face for a step longer.
  const std::string leaves = "position: [0.08503, 0.08007, 0.031], velocity: [0.3, 0.25, 0], spin: [0, 2, 0]";
  for (const std::string& ground : {floor, corner, as_hull})
    for (const std::string& start : {rolls, leaves}) {
      const auto as_ball = motion(ball, ground, start), found = motion(rounded, ground, start);
      double most = 0;
      for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::fabs(found[i][k] - as_ball[i][k]));
      EXPECT_LT(most, 1e-5) << ground << start;
    }
}

/// A prism that stands on three corners.
std::string three_cornered(double r, double h) {
  std::string points;
  for (int i = 0; i < 3; ++i)
    points += (i > 0 ? ", [" : "[") + number(r * std::cos(2 * pi * i / 3)) + ", " +
              number(r * std::sin(2 * pi * i / 3)) + "]";
  return "{prism: {points: [" + points + "], height: " + number(h) + "}}";
}

TEST_P(HullsUnderEveryMethod, DoNotCreepOnASlopeInAMinute) {
  if (!has_friction()) GTEST_SKIP() << "slides without friction";
  const double tilt = 20 * pi / 180;
  const std::string turned = "rotation: {axis: [0, 1, 0], degrees: 20}";
  for (const std::string& shape : {std::string("{half_space: {normal: [0, 0, 1]}}"), hull_of_box(1, 1, 0.2)}) {
    const bool is_plane = shape[1] != 'h' || shape[2] == 'a';
    const double down = is_plane ? 0 : 0.1;
    const std::string slope = "  slope: {fixed: true, shape: " + shape + ", " + turned + ", " +
                              vector("position", -down * std::sin(tilt), 0, -down * std::cos(tilt)) + "}\n";
    const double high = 0.01 + 1e-6;
    for (const std::string& standing : {nut(0.02, 0.02), three_cornered(0.02, 0.02)}) {
      const std::string start = vector("position", high * std::sin(tilt), 0, high * std::cos(tilt)) + ", " + turned;
      test::expect_no_creep(
          read(scene(world("step: 0.005, duration: 60"), slope + part("part", standing, start), "friction: 0.5")),
          0.01 * std::sin(tilt));
    }
  }
}

TEST_P(HullsUnderEveryMethod, StandOnAtLeastThreeCorners) {
  for (const std::string& ground : {floor, table_as_box, table_as_hull}) {
    Simulation simulation(
        read(scene(world("step: 0.004, duration: 1"),
                   ground + part("part", nut(0.02, 0.02), "position: [0.01, 0.02, 0.01]"), friction("0.5"))));
    int least = 100, step = 0;
    simulation.watch([&](const StateView& state) {
      if (step++ > 0) least = std::min(least, state.contacts[1]);
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_GE(least, 3) << ground;
    EXPECT_NEAR(simulation.position("part", 2), 0.01, 1e-9);
  }
}

// From a tile to the next one, with the same top: no impulse at the seam.
TEST_P(HullsUnderEveryMethod, SlideOverASeam) {
  const std::string tile = hull_of_box(0.3, 0.4, 0.2);
  const std::string tiles = "  one: {fixed: true, shape: " + tile + ", position: [0, 0, -0.1]}\n" +
                            "  two: {fixed: true, shape: " + tile + ", position: [0.3, 0, -0.1]}\n";
  Simulation simulation(read(scene(
      world("step: 0.004, duration: 0.5"),
      tiles + part("part", nut(0.03, 0.02), "position: [0.05, 0.01, 0.01], velocity: [0.4, 0, 0]"), "friction: 0")));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.velocity("part", 0), 0.4, 1e-9);
  EXPECT_NEAR(simulation.velocity("part", 1), 0, 1e-9);
  EXPECT_NEAR(simulation.position("part", 2), 0.01, 1e-9);
}

// Parts thrown on parts end at rest, in no one's inside, and gain no energy.
TEST_P(HullsUnderEveryMethod, ThrownOnEachOtherComeToRest) {
  if (!has_friction()) GTEST_SKIP() << "slides without friction";
  const std::string wedge =
      "{hull: {points: [[-0.03, -0.02, -0.02], [0.03, -0.02, -0.02], [0.03, 0.02, -0.02], [-0.03, 0.02, -0.02], "
      "[-0.03, "
      "-0.02, 0.02], [-0.03, 0.02, 0.02]]}}";
  const std::string bodies = table_as_hull + "  low: {density: 2000, shape: " + wedge +
                             ", position: [0, 0, 0.06], rotation: uniform}\n" +
                             "  high: {density: 2000, shape: " + nut(0.02, 0.02, 0.002) +
                             ", position: [0.005, 0, 0.14], rotation: uniform, velocity: [0, 0, -0.5]}\n";
  const std::string text = scene(world("step: 0.002, duration: 1.5"), bodies, "friction: 0.5",
                                 "outcomes:\n  deep: {minimum: 'gap(low, high)'}\n");
  const Scenario scenario = read(text);
  int resting = 0;
  for (int sample = 0; sample < 12; ++sample) {
    Simulation simulation(scenario, sample);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << sample;
    EXPECT_GT(simulation.outcome("deep"), -1e-4) << sample;
    const double speed = std::hypot(simulation.velocity("high", 0), simulation.velocity("high", 1)) +
                         std::fabs(simulation.velocity("high", 2));
    resting += speed < 1e-3;
  }
  EXPECT_GE(resting, 10);
}

// Lengths times 2^8 or 2^-8, times to match with the same gravity: the same bits.
TEST(Hulls, ScaledByPowersOfTwoHaveTheSameBits) {
  const auto run = [](double length, double time) {
    const auto hull = [&](const std::vector<std::array<double, 3>>& points, double radius) {
      std::string text;
      for (const auto& p : points)
        text += (text.empty() ? "" : ", ") + point(p[0] * length, p[1] * length, p[2] * length);
      return "{hull: {points: [" + text + "], radius: " + number(radius * length) + "}}";
    };
    const std::string ground = hull(
        {{-2, -2, -1}, {2, -2, -1}, {2, 2, -1}, {-2, 2, -1}, {-2, -2, 0}, {2, -2, 0}, {2, 2, 0.125}, {-2, 2, 0.125}},
        0);
    const std::string thrown = hull({{0, 0, 0}, {0.5, 0, 0}, {0, 0.375, 0}, {0, 0, 0.25}}, 0.03125);
    Simulation simulation(read(scene(
        "step: " + number(time / 512) + ", duration: " + number(time),
        "  ground: {fixed: true, shape: " + ground + "}\n  part: {density: 1000, shape: " + thrown + ", " +
            vector("position", 0.125 * length, 0.25 * length, 0.375 * length) + ", " +
            vector("velocity", 0.5 * length / time, 0, 0) + ", " + vector("spin", 0.25 / time, 1 / time, 0) + "}\n",
        "friction: 0.25")));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    std::vector<double> found;
    for (int k = 0; k < 3; ++k) {
      found.push_back(simulation.position("part", k) / length);
      found.push_back(simulation.velocity("part", k) / length * time);
      found.push_back(simulation.spin("part", k) * time);
    }
    return found;
  };
  const std::vector<double> same = run(1, 1);
  EXPECT_EQ(run(256, 16), same);
  EXPECT_EQ(run(std::ldexp(1, -8), std::ldexp(1, -4)), same);
}

TEST(Hulls, OverlapAtTheStartIsSeen) {
  const std::string inside =
      scene("step: 0.002, duration: 0.1", table_as_hull + part("part", nut(0.02, 0.02), "position: [0, 0, 0.009]"),
            "friction: 0");
  try {
    Ensemble(read(inside));
    FAIL();
  } catch (const ScenarioError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("overlap at the start by 0.001 m"));
  }
}

// Two rounded nuts: 1092 feature pairs, on five pages.
TEST(Hulls, FallOnEachOtherWithTheSameBitsInEveryTeam) {
  for (const char* const method : {"stewart_trinkle", "trapezoidal"}) {
    const std::string text = scene(std::string("step: 0.004, duration: 0.4, method: ") + method,
                                   table_as_hull + part("low", nut(0.03, 0.03, 0.002), "position: [0, 0, 0.017]") +
                                       part("high", nut(0.03, 0.03, 0.002),
                                            "position: [0.01, 0.004, 0.08], rotation: {axis: [1, 2, 0], degrees: 40}"),
                                   "friction: 0.4");
    std::vector<std::uint64_t> digests;
    for (const int lanes : {0, 1, 4, 32}) {
      const Ensemble ensemble(read(text));
      Batch batch(ensemble.model(), 1);
      ensemble.load(0, batch, 0);
      WorkspaceMemory memory(ensemble.model(), 64);
      run_by_lanes(lanes, batch, 80, memory);
      EXPECT_EQ(batch.status(0), Status::ok);
      std::uint64_t bits;
      std::memcpy(&bits, &batch.state(0).position[6], sizeof bits);
      digests.push_back(bits);
    }
    EXPECT_THAT(digests, testing::Each(digests[0])) << method;
  }
}

// The size of a part is random, and so is its mass; a sample that is no hull with these faces has a status.
// A corner of the prism comes through a face of the tetrahedron near one of its sharp edges, 2.6 mm in a step, and is
// outside again behind the edge. Without a contact there the bodies get deeper for three steps, and part with 24 times
// their energy.
TEST(Hulls, StopACornerThatComesThroughASharpEdge) {
  const std::string text =
      "jostle: 1\n"
      "world: {step: 0.002, steps: 60, gravity: [0, 0, 0]}\n"
      "bodies:\n"
      "  a:\n"
      "    density: 1000\n"
      "    shape: {hull: {points: [[-0.0217, 0.0111, 0.0737], [0.075, 0.0415, -0.0394],\n"
      "                            [-0.066, -0.0712, -0.0301], [-0.0045, -0.085, -0.0992]]}}\n"
      "    rotation: {quaternion: [0.2836, 0.6209, -0.2633, -0.6817]}\n"
      "    velocity: [-0.1522, -0.206, 0.0189]\n"
      "  b:\n"
      "    density: 1000\n"
      "    shape:\n"
      "      prism: {points: [[0.0295, 0.0013], [-0.0065, 0.0288], [-0.0295, -0.0012], [0.0079, -0.0284]],\n"
      "              height: 0.0127}\n"
      "    position: [-0.005, -0.1812, -0.0378]\n"
      "    rotation: {quaternion: [-0.2656, 0.6253, 0.1, -0.727]}\n"
      "    velocity: [0.2316, 3.3354, 0.7553]\n"
      "contacts: [{between: any, friction: 0.8}]\n"
      "outcomes: {deepest: {minimum: 'gap(a, b)'}, gained: {at_end: energy_gained}}\n";
  Simulation simulation(read(text));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_GT(simulation.outcome("deepest"), -1e-5);
  EXPECT_LT(simulation.outcome("gained"), 1e-5);  // of 0.13 J
}

TEST(Hulls, HaveRandomPoints) {
  const std::string wedge =
      "{hull: {points: [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0], [0, 0, $h], [0.1, 0, $h], [0.1, 0.1, $h], "
      "[0, "
      "0.1, $h]]}}";
  const std::string text = scene("step: 0.002, duration: 0.1",
                                 floor + "  part: {density: 1000, shape: " + wedge + ", position: [0, 0, 0]}\n",
                                 "friction: 0.5", "variables: {h: {uniform: [-0.02, 0.1]}}\n");
  const Scenario scenario = read(text);
  int bad = 0;
  for (int sample = 0; sample < 20; ++sample) {
    Simulation simulation(scenario, sample);
    simulation.run();
    const double h = simulation.ensemble().draw(sample)[0];
    EXPECT_EQ(simulation.status(), h > 2e-7 ? Status::ok : Status::bad_parameters) << h;
    bad += h <= 0;
    if (h > 2e-7) {
      EXPECT_NEAR(simulation.position("part", 2), h / 2, 1e-12);
    }
  }
  EXPECT_GT(bad, 0);
}

TEST(Hulls, TellTheirRestingFace) {
  const std::string text =
      scene("step: 0.002, duration: 1", table_as_hull + part("part", nut(0.02, 0.02), "position: [0, 0, 0.012]"),
            "friction: 0.5", "outcomes:\n  face: {at_end: part.resting_face}\n");
  Simulation simulation(read(text));
  simulation.run();
  EXPECT_EQ(simulation.outcome("face"), 1);  // 0 1 7 6 comes before 0 5 4 3 2 1
}

// Every nut ends at rest on a face, and on a large one about as often as the solid angle of these says.
TEST(RestingFaces, AreThoseOfTheHull) {
  int lying = 0;
  const int samples = 60;
  for (int sample = 0; sample < samples; ++sample) {
    Simulation simulation("resting_faces", {"variables.height=1"}, sample);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok) << sample;
    EXPECT_LT(simulation.outcome("energy"), 1e-12) << sample;
    const double h = 0.005, lies = simulation.outcome("lies");
    EXPECT_NEAR(simulation.position("nut", 2), h, 1e-8) << sample << " " << lies;  // as high as wide
    lying += lies == 1;
  }
  EXPECT_NEAR(lying, 0.31 * samples, 12);
}

}  // namespace
}  // namespace jostle::hull_laws

// Shapes that are not convex: where only a convex part of them touches, they move as that part does; holes let through
// what fits, corners pass by without an impulse, and nothing sinks in.
#include <gmock/gmock.h>

#include "core/geometry/shape_pair.hpp"
#include "scenarios/parameters/bind.hpp"
#include "tests/geometry/placements.hpp"
#include "tests/laws/shape_laws.hpp"
#include "tests/support/close_pairs.hpp"

namespace jostle::surface_laws {
namespace {

using test::all_close, test::allowed, test::box_shape, test::dented_pyramid, test::difference, test::motion_of,
    test::number, test::part, test::point, test::read, test::rectangle, test::scene;

/// A box with a small hole through it, far from its edges.
std::string plate(double x, double y, double z, double hole = 0.01) {
  return "{prism: {height: " + number(z) + ", points: " + rectangle(x, y) + ", holes: [" + rectangle(hole, hole) +
         "]}}";
}
/// A box that is cut by a slot from below.
std::string bridge(double x, double y, double z) {
  const double slot = 0.1 * x, deep = z / 2;
  return "{prism: {axis: y, height: " + number(y) + ", points: [" + point(-x / 2, -z / 2) + ", " +
         point(-slot, -z / 2) + ", " + point(-slot, -z / 2 + deep) + ", " + point(slot, -z / 2 + deep) + ", " +
         point(slot, -z / 2) + ", " + point(x / 2, -z / 2) + ", " + point(x / 2, z / 2) + ", " + point(-x / 2, z / 2) +
         "]}}";
}

const std::string& floor = test::floor_in_space;
const std::string& table = test::table_as_box;
const std::string table_with_hole = "  table: {fixed: true, shape: {prism: {height: 0.2, points: " + rectangle(1, 1) +
                                    ", holes: [" + rectangle(0.01, 0.01, 0.4, 0.4) + "]}}, position: [0, 0, -0.1]}\n";

const std::string bridge_as_table =
    "  table: {fixed: true, shape: " + bridge(1, 1, 0.2) + ", position: [0, 0, -0.1]}\n";

class SurfacesUnderEveryMethod : public test::ShapesUnderEveryMethod {};
INSTANTIATE_TEST_SUITE_P(Laws, SurfacesUnderEveryMethod, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(SurfacesUnderEveryMethod, MoveAsABoxWhereOnlyTheirBoxTouches) {
  const std::string time = world("step: 0.002, duration: 0.4");
  const auto start = [](const char* z) {
    return std::string("position: [0, 0, ") + z +
           "], rotation: {axis: [0.3, 1, 0.2], degrees: 12}, velocity: [0.3, 0.1, -0.4]";
  };
  const std::string lower = "position: [0.02, 0, 0.03]", upper = "position: [0.05, 0.01, 0.09], velocity: [0.2, 0, 0]";
  const std::string with_hole = plate(0.1, 0.2, 0.06);
  struct Case {
    std::string shape, ground, as_box;
  };
  for (const Case& c : {Case{with_hole, floor, floor},
                        {with_hole, table, table},
                        {box_shape, table_with_hole, table},
                        {with_hole, table_with_hole, table},
                        {box_shape, bridge_as_table, table}}) {
    const auto motion = [&](const std::string& below, const std::string& parts) {
      return motion_of(scene(time, below + parts, friction("0.3")), false);
    };
    const auto as_box = motion(c.as_box, part("part", box_shape, start("0.14")));
    EXPECT_LT(difference(motion(c.ground, part("part", c.shape, start("0.14"))), as_box),
              allowed(as_box, motion(c.as_box, part("part", box_shape, start("0.140000000000001")))))
        << c.shape << c.ground;
    EXPECT_LT(difference(motion(c.ground, part("low", c.shape, lower) + part("high", c.shape, upper)),
                         motion(c.as_box, part("low", box_shape, lower) + part("high", box_shape, upper))),
              1e-12)
        << c.shape << c.ground;
  }
}

TEST_P(SurfacesUnderEveryMethod, CarryBallsRodsAndCylindersAsABoxDoes) {
  const std::string time = world("step: 0.002, duration: 0.3"), with_hole = plate(0.1, 0.2, 0.06, 1e-4);
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
  const auto cylinder = [](const char* x_and_y, const char* z, const char* degrees) {
    return std::string(
               "  roller: {mass: 0.2, inertia: [8e-5, 8e-5, 4e-5], shape: {cylinder: {length: 0.06, radius: 0.02}}, "
               "position: [") +
           x_and_y + ", " + z + "], rotation: {axis: [0.2, 1, 0], degrees: " + degrees +
           "}, velocity: [0.2, 0.1, 0]}\n";
  };
  const char *aside = "0.03, 0.02", *above = "0.003, 0.002";  // the hole
  const std::string others[][2] = {{ball("0.091"), ball("0.091000000000001")},
                                   {rod("0.1"), rod("0.100000000000001")},
                                   {cylinder(aside, "0.0901", "0"), cylinder(aside, "0.090100000000001", "0")},
                                   {cylinder(above, "0.0901", "0"), cylinder(above, "0.090100000000001", "0")},
                                   {cylinder(aside, "0.0801", "90"), cylinder(aside, "0.080100000000001", "90")},
                                   {cylinder(aside, "0.1", "40"), cylinder(aside, "0.100000000000001", "40")}};
  for (const auto& [other, moved] : others) {
    const auto as_box = motion(box_shape, other);
    EXPECT_LT(difference(motion(with_hole, other), as_box), allowed(as_box, motion(box_shape, moved))) << other;
  }
}

const std::string an_l =
    "{prism: {points: [[0, 0], [0.1, 0], [0.1, 0.02], [0.02, 0.02], [0.02, 0.1], [0, 0.1]], height: 0.04}}";

/// In the axes of its body.
PlacedShape shape_of(const std::string& text, std::vector<double>& corners, Scenario& scenario) {
  scenario = read(
      scene("step: 0.01, duration: 1", "  part: {mass: 1, inertia: [1, 1, 1], shape: " + text + "}\n", "friction: 0"));
  return shape_in_body(scenario.bodies[0].shapes[0], nullptr, &corners);
}

// Shapes come nearer along a line until they touch, anywhere: then a candidate has a gap of 0, and none is deeper. Of
// shapes that go on by 1 um, none is deeper than that.
TEST(Surfaces, TouchWithACandidate) {
  test::Random random(3);
  std::vector<double> numbers[5];
  Scenario scenarios[5];
  const PlacedShape l = shape_of(an_l, numbers[0], scenarios[0]);
  const PlacedShape with_hole = shape_of(plate(0.2, 0.1, 0.03, 0.05), numbers[1], scenarios[1]);
  const PlacedShape part = shape_of("{hull: {points: [[0, 0, 0], [0.03, 0, 0], [0, 0.04, 0], [0.01, 0.01, 0.05]]}}",
                                    numbers[2], scenarios[2]);
  const PlacedShape rounded =
      shape_of("{hull: {points: [[0, 0, 0], [0.03, 0, 0], [0, 0.04, 0], [0.01, 0.01, 0.05]], radius: 0.004}}",
               numbers[3], scenarios[3]);
  const PlacedShape small_box{ShapeType::box, {0.01, 0.015, 0.02}, Vec3::Zero(), Mat3::Identity()};
  const PlacedShape ball{ShapeType::sphere, {0.012, 0, 0}, Vec3::Zero(), Mat3::Identity()};
  const PlacedShape rod{ShapeType::capsule, {0.004, 0.03, 0}, Vec3::Zero(), Mat3::Identity()};
  const PlacedShape tin{ShapeType::cylinder, {0.012, 0.01, 0}, Vec3::Zero(), Mat3::Identity()};
  const PlacedShape pin{ShapeType::cylinder, {0.004, 0.03, 0}, Vec3::Zero(), Mat3::Identity()};
  int touched = 0, cylinders = 0, overlapping = 0;
  for (const PlacedShape& surface : {l, with_hole}) {
    for (const PlacedShape& other : {ball, rod, tin, pin, small_box, part, rounded, l, with_hole}) {
      for (int i = 0; i < 200; ++i) {
        PlacedShape a = other, b = surface;
        b.axes = random.axes();
        a.axes = i % 4 == 0 ? b.axes : random.axes();
        b.position = Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1));
        const Vec3 towards = random.direction();
        a.position = -0.6 * towards;
        double apart = signed_distance(a, b);
        for (int k = 0; k < 300 && apart > 1e-14 && dot(a.position, towards) < 0.6; ++k) {
          a.position += apart * towards;
          apart = signed_distance(a, b);
        }
        if (!(apart < 1e-12)) continue;  // past it, or along it
        ++touched;
        ASSERT_GT(apart, -1e-13);
        double least = 1;
        for (const int f : all_close(a, b, 1e-9)) least = std::min(least, contact_geometry(a, b, f).gap);
        EXPECT_NEAR(least, 0, 1e-11) << i << " type " << static_cast<int>(other.type) << " of " << other.corners
                                     << " corners, surface of " << surface.corners;
        a.position += 1e-6 * towards;
        for (const int f : all_close(a, b, 0)) EXPECT_GT(contact_geometry(a, b, f).gap, -1.001e-6) << i;
        if (other.type == ShapeType::cylinder) ++cylinders, overlapping += !all_close(a, b, -1e-9).empty();
      }
    }
  }
  EXPECT_GT(touched, 1000);
  EXPECT_GT(cylinders, 300);
  EXPECT_GT(overlapping, 0.95 * cylinders);
}

// A corner of a block reaches into the dent of an L that flies by, nearer to it than it moves in a step.
TEST(Surfaces, PassACornerWithoutAnImpulse) {
  for (const char* gap : {"0.0001", "0.003"}) {
    const std::string at = number(0.02 + std::atof(gap));
    Simulation simulation(
        read(scene("gravity: [0, 0, 0], step: 0.01, duration: 1",
                   "  block: {fixed: true, shape: {box: {size: [0.04, 0.04, 0.1]}}, position: [" +
                       number(0.02 + std::atof(gap)) + ", 0.06, 0]}\n  part: {density: 1000, shape: " + an_l +
                       ", position: [-0.02, 0, 0], velocity: [0, -0.11, 0]}\n",
                   "friction: 0.5")));
    simulation.watch([&](const StateView& state) {
      EXPECT_EQ(state.velocity[4], -0.11);
      EXPECT_EQ(state.velocity[3], 0);
      EXPECT_EQ(state.spin[5], 0);
    });
    EXPECT_EQ(simulation.status(), Status::ok);
  }
}

// What begins inside of the other shape has the status `overlap`: a corner in an arm, a whole part in a thick one, an
// arm through a wall. In a dent or in a hole there is room.
TEST(Surfaces, ThatOverlapAtTheStartAreFound) {
  const auto status = [](const std::string& other, const std::string& at) {
    const std::string at_random = "[" + at.substr(0, at.find(',')) + " + $x" + at.substr(at.find(',')) + "]";
    Simulation simulation(read("jostle: 1\nvariables: {x: {uniform: [0, 1e-30]}}\n" +
                               scene("gravity: [0, 0, 0], step: 0.01, duration: 0.02",
                                     "  ground: {fixed: true, shape: " + an_l + "}\n  part: {density: 1000, shape: " +
                                         other + ", position: " + at_random + "}\n",
                                     "friction: 0.5")
                                   .substr(10)));
    simulation.run();
    return simulation.status();
  };
  const std::string cube = "{box: {size: [0.02, 0.02, 0.02]}}", speck = "{box: {size: [0.002, 0.002, 0.002]}}",
                    beam = "{box: {size: [0.004, 0.2, 0.004]}}";
  EXPECT_EQ(status(cube, "0.04, 0.04, 0"), Status::ok);
  EXPECT_EQ(status(cube, "0.03, 0.03, 0"), Status::ok);  // flush in the dent
  EXPECT_EQ(status(cube, "0.0299, 0.03, 0"), Status::overlap);
  EXPECT_EQ(status(cube, "0.04, 0.0299, 0"), Status::overlap);
  EXPECT_EQ(status(speck, "0.05, 0.01, 0"), Status::overlap);  // all inside
  EXPECT_EQ(status(beam, "0.06, 0, 0"), Status::overlap);      // no corner is inside
  EXPECT_EQ(status(beam, "-0.003, 0, 0"), Status::ok);
  EXPECT_EQ(status("{sphere: {radius: 0.02}}", "0.041, 0.041, 0"), Status::ok);
  EXPECT_EQ(status("{sphere: {radius: 0.02}}", "0.039, 0.041, 0"), Status::overlap);
  EXPECT_EQ(status("{cylinder: {length: 0.04, radius: 0.02}}", "0.041, 0.041, 0"), Status::ok);
  EXPECT_EQ(status("{cylinder: {length: 0.04, radius: 0.02}}", "0.039, 0.041, 0"), Status::overlap);  // flush
  EXPECT_EQ(status("{cylinder: {length: 0.002, radius: 0.001}}", "0.05, 0.01, 0"), Status::overlap);
  EXPECT_EQ(status("{cylinder: {length: 0.04, radius: 0.005}}", "0.06, 0.01, 0"), Status::overlap);  // flush and inside
  EXPECT_EQ(status("{cylinder: {length: 0.2, radius: 0.002, axis: y}}", "0.06, 0, 0"), Status::overlap);
  EXPECT_EQ(status("{cylinder: {length: 0.2, radius: 0.002, axis: y}}", "-0.003, 0, 0"), Status::ok);
  EXPECT_EQ(status("{cylinder: {length: 0.01, radius: 0.3}}", "0.05, 0, 0"), Status::overlap);  // the L goes through
  EXPECT_EQ(status(an_l, "0.02, 0.02, 0"), Status::ok);                                         // nested
  EXPECT_EQ(status(an_l, "0.0199, 0.02, 0"), Status::overlap);                                  // flush above and below
  EXPECT_EQ(status("{box: {size: [0.01, 0.3, 0.04]}}", "0.06, 0, 0"), Status::overlap);         // flush across an arm
  EXPECT_EQ(status("{box: {size: [0.01, 0.01, 0.04]}}", "0.06, 0.01, 0"), Status::overlap);     // flush and inside
}

// A disc that has cut into a plate, or through it, has no end in it, and no edge of the plate in the disc.
TEST(Surfaces, ADiscThatHasCutIntoAPlateOverlapsIt) {
  std::vector<double> numbers;
  Scenario scenario;
  PlacedShape plate = shape_of("{prism: {height: 0.01, points: " + rectangle(0.2, 0.2) + ", holes: [" +
                                   rectangle(0.01, 0.01, 0.08, 0.08) + "]}}",
                               numbers, scenario);
  plate.axes = Mat3::Identity();
  double top = 0;
  const Polyhedron core(plate);
  for (int i = 0; i < core.corners; ++i) top = std::max(top, core.corner(i)[2]);
  for (const double tilt : {0.0, 0.01, 0.3}) {
    Mat3 axes = Mat3::Identity();  // its axis: along y, or nearly so
    axes.col(0) = Vec3::UnitX();
    axes.col(1) = Vec3(0, std::sin(tilt), -std::cos(tilt)), axes.col(2) = Vec3(0, std::cos(tilt), std::sin(tilt));
    for (const double height : {0.048, 0.04, 0.03, 0.02, 0.01, -0.01, -0.03, -0.05}) {
      const PlacedShape disc{ShapeType::cylinder, {0.05, 0.003, 0}, plate.position + Vec3(0, 0, top + height), axes};
      const double lowest = height - 0.05 * std::cos(tilt) - 0.003 * std::sin(tilt);
      const double apart = signed_distance(disc, plate);
      EXPECT_LT(apart, -1e-4) << height << " " << tilt;
      EXPECT_GE(apart, lowest - 1e-15) << height << " " << tilt;
    }
    const PlacedShape over{ShapeType::cylinder, {0.05, 0.003, 0}, plate.position + Vec3(0, 0, top + 0.055), axes};
    EXPECT_NEAR(signed_distance(over, plate), 0.055 - 0.05 * std::cos(tilt) - 0.003 * std::sin(tilt), 1e-15);
  }
}

// A face that is all but flush with another one goes through it at a small angle, far from the borders of both: they
// overlap by what the face is below the other one, not by how far the line where they meet is from a border.
TEST(Surfaces, ThatAreAllButFlushOverlapByLittle) {
  std::vector<double> numbers;
  Scenario scenario;
  PlacedShape part = shape_of(bridge(0.1, 0.08, 0.06), numbers, scenario);
  const Polyhedron core(part);
  double below = 0;  // how far the lower face is below the middle, where the centre of mass is
  for (int i = 0; i < core.corners; ++i) below = std::max(below, -core.corner(i)[2]);
  part.axes = Mat3::Identity();
  const PlacedShape table{ShapeType::box, {0.15, 0.15, 0.1}, Vec3::Zero(), Mat3::Identity()};
  for (const double angle : {1e-7, 1e-5, 1e-3}) {
    for (const double x : {-0.17, -0.12, 0.0, 0.06, 0.09, 0.12}) {  // from -0.1 to 0.1 all of the part is on the table
      part.position = Vec3(x, 0.02, 0.1 + below);
      part.axes(0, 0) = part.axes(2, 2) = std::cos(angle);
      part.axes(0, 2) = std::sin(angle), part.axes(2, 0) = -std::sin(angle);
      const double apart = signed_distance(table, part);
      EXPECT_LT(apart, -0.1 * 0.05 * angle) << x << " " << angle;
      EXPECT_GE(apart, -1.01 * 0.05 * angle) << x << " " << angle;
    }
  }
}

// Edges whose faces meet at less than 90 degrees, of which one leans over, pass each other: the points where they are
// nearest then lie in front of a face, but they are a candidate as before, as deep as they have passed each other.
const std::string leaning_ridge =
    "{prism: {axis: y, height: 0.1, points: [[-0.05, -0.05], [0.05, -0.05], [0.05, -0.02], [0.016, -0.02], [0, 0], "
    "[0.008, -0.02], [-0.05, -0.02]]}}";
/// Its ridge without the block below, which is convex.
const std::string ridge_alone = "{prism: {axis: y, height: 0.1, points: [[0.016, -0.02], [0, 0], [0.008, -0.02]]}}";
const std::string knife =
    "{hull: {points: [[-0.03, 0, 0], [0.03, 0, 0], [-0.03, 0.004, 0.03], [-0.03, -0.004, 0.03], [0.03, 0.004, 0.03], "
    "[0.03, -0.004, 0.03]]}}";
TEST(Surfaces, SharpEdgesThatHavePassedAreACandidate) {
  std::vector<double> numbers[2];
  Scenario scenarios[2];
  const PlacedShape ridge = shape_of(leaning_ridge, numbers[0], scenarios[0]);
  PlacedShape above = shape_of(knife, numbers[1], scenarios[1]);
  const Vec3 touching = above.position;
  EXPECT_NEAR(signed_distance(above, ridge), 0, 1e-15);
  for (const double depth : {3e-10, 1e-9, 1e-8, 1e-6, 1e-5, 1e-4, 5e-4}) {
    above.position = touching - depth * Vec3(0, 0, 1);
    const std::vector<int> close = all_close(above, ridge, 0);
    ASSERT_EQ(close.size(), 1) << depth;
    const ContactGeometry at = contact_geometry(above, ridge, close[0]);
    EXPECT_NEAR(at.gap, -depth, 1e-15);
    EXPECT_NEAR(at.normal[2], -1, 1e-15);
    // The middle of its edge is not in the ridge, under a face, in it.
    for (const double middle : {0.0, 0.41 * depth, 0.6 * depth}) {
      above.position[0] = touching[0] + middle;
      EXPECT_NEAR(signed_distance(above, ridge), -depth, 1e-13) << depth << " " << middle;
    }
  }
}

// The same of a cylinder: its side, or a rim, that has passed the ridge touches it where it touches the ridge alone,
// which is convex.
TEST(Surfaces, ASharpEdgeThatACylinderHasPassedIsACandidate) {
  std::vector<double> numbers[2];
  Scenario scenarios[2];
  const PlacedShape ridge = shape_of(leaning_ridge, numbers[0], scenarios[0]);
  const PlacedShape alone = shape_of(ridge_alone, numbers[1], scenarios[1]);
  PlacedShape tin{ShapeType::cylinder, {0.02, 0.03, 0}, Vec3::Zero(), Mat3::Identity()};
  test::Random random(5);
  const auto least_deep = [&](const PlacedShape& below) {
    double gap = -infinity();
    for (const int f : all_close(tin, below, 0)) gap = std::max(gap, contact_geometry(tin, below, f).gap);
    return gap;
  };
  for (int i = 0; i < 500; ++i) {
    tin.axes = random.axes();
    tin.position = Vec3(random.uniform(-0.01, 0.01), random.uniform(-0.02, 0.02), 0.06);
    double apart = 0.06, overlapping = 0;
    for (int halving = 0; halving < 50; ++halving) {
      tin.position[2] = 0.5 * (apart + overlapping);
      (signed_distance(tin, alone) > 0 ? apart : overlapping) = tin.position[2];
    }
    for (const double depth : {1e-8, 1e-6, 1e-5}) {
      tin.position[2] = apart - depth;
      const double gap = least_deep(alone);
      EXPECT_TRUE(gap < 0 && gap > -1.01 * depth) << i;
      EXPECT_NEAR(least_deep(ridge), gap, 1e-12) << i << " at " << depth;
    }
  }
}

// At 0.5 m/s the knife would go through the ridge by 2.5 mm in 5 ms.
TEST_P(SurfacesUnderEveryMethod, HoldASharpEdge) {
  Simulation simulation(read(scene(world("step: 0.0005, duration: 0.005"),
                                   "  ground: {fixed: true, shape: " + leaning_ridge +
                                       "}\n  knife: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], shape: " + knife +
                                       ", position: [0, 0, 1e-5], velocity: [0, 0, -0.5]}\n",
                                   friction("0.3"))));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.position("knife", 2), 0, 1e-7);
}

// A cylinder on a guide, on its side and on a rim, at 0.5 m/s.
TEST_P(SurfacesUnderEveryMethod, HoldACylinderOnASharpEdge) {
  for (const char* rotation : {"{axis: [1, 0, 0], degrees: 61}",
                               "[{axis: [0, 1, 0], degrees: 61}, "
                               "{axis: [0, 0, 1], degrees: 40}]"}) {
    const auto lowest_under = [&](const std::string& shape) {
      Simulation simulation(read(
          scene(world("step: 0.0005, duration: 0.05"),
                "  ground: {fixed: true, shape: " + shape +
                    "}\n  tin: {mass: 0.1, shape: {cylinder: {radius: 0.02, length: 0.06}}, rotation: " + rotation +
                    ", position: [0.001, 0, 0.05], velocity: [0, 0, -0.5]}\njoints:\n  guide: {prismatic: [world, "
                    "tin], axis: [0, 0, 1]}\n",
                friction("0.3"))));
      simulation.run();
      EXPECT_EQ(simulation.status(), Status::ok) << rotation;
      return simulation.position("tin", 2);
    };
    const double height = lowest_under(ridge_alone);
    EXPECT_GT(height, 0.02);
    EXPECT_NEAR(lowest_under(leaning_ridge), height, 1e-7) << rotation;
  }
}

// Parts that overlap by little in one place and more in another one are moved apart, and so are sharp edges that have
// just passed each other: no step of a method with impacts ends with an overlap of more than 1 nm.
TEST(Surfaces, AreApartAfterEveryStep) {
  const std::string l =
      "{prism: {points: [[-0.4, -0.4], [0.4, -0.4], [0.4, -0.25], [-0.25, -0.25], [-0.25, 0.4], [-0.4, 0.4]], height: "
      "0.4}}";
  const struct {
    const char* method;
    std::string first, turn, spin, second, mass, position, second_turn, second_spin;
  } scenes[] = {{"trapezoidal", dented_pyramid, "[0, -1.7, 0.7], degrees: 68", "[0, -2.3, -0.3]", l, "4.8",
                 "[-0.16, 0.12, 1.6]", "[0.7, -0.4, 0], degrees: 139", "[0.8, -0.7, -1.8]"},
                {"anitescu_potra", dented_pyramid, "[-1.4, 0.7, 0.5], degrees: 113", "[-1.6, -1.7, 0.1]", l, "0.5",
                 "[0.29, -0.02, 1.6]", "[0.8, 0.8, 0.5], degrees: 158", "[0.7, 0.9, 0.4]"},
                {"loetstedt", dented_pyramid, "[1, -0.7, -0.8], degrees: 34", "[-0.2, 0.9, 0.9]", dented_pyramid, "2",
                 "[0.02, -0.26, 1.6]", "[-0.1, -1.8, -0.4], degrees: 140", "[-0.8, 2.1, -3.2]"},
                {"loetstedt", l, "[-0.1, -1, 0.5], degrees: 30", "[-1.5, 0.3, -1.3]", l, "0.7", "[-0.18, -0.15, 1.6]",
                 "[0.5, 0.3, 0.5], degrees: 87", "[3.5, 0.1, 1.3]"},
                {"trapezoidal", l, "[-0.1, 0.6, -2.4], degrees: 75", "[2.8, -3.5, -2.3]", l, "0.2", "[-0.2, 0.11, 1.6]",
                 "[0.8, -1.1, -1], degrees: 143", "[2.1, 2.2, 0.8]"}};
  for (const auto& of : scenes) {
    Simulation simulation(read(scene(
        std::string("method: ") + of.method + ", gravity: [0, 0, 0], step: 0.005, steps: 150",
        "  first: {mass: 1, shape: " + of.first + ", rotation: {axis: " + of.turn + "}, spin: " + of.spin +
            "}\n  second: {mass: " + of.mass + ", shape: " + of.second + ", position: " + of.position +
            ", velocity: [0, 0, -2], rotation: " + "{axis: " + of.second_turn + "}, spin: " + of.second_spin + "}\n",
        "friction: 0", "outcomes: {least: {minimum: 'gap(first, second)'}}\n")));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << of.method << " " << of.position;
    EXPECT_GE(simulation.outcome("least"), -1e-9) << of.method << " " << of.position;
  }
}

// A sharp edge that passes a corner, while the parts touch elsewhere: at the end of the step the overlap of 28 mm has
// no candidate. Without a look at the distance this collision was found two steps later.
TEST(Surfaces, MeetAlsoWhereNoFeaturePairIsACandidateAtTheEnd) {
  const std::string inertia = "inertia: [0.05, 0.06, 0.07], ";
  Simulation simulation(read(
      scene("method: loetstedt, gravity: [0, 0, 0], step: 0.005, steps: 150",
            "  first: {mass: 1, " + inertia + "shape: " + dented_pyramid +
                ", rotation: {axis: [0.71, 0.24, 0.20], degrees: 217.309}, spin: [0.63, -0.13, -3.46]}\n  second: "
                "{mass: 2, " +
                inertia + "shape: " + dented_pyramid +
                ", position: [0.142484, 0.0193387, 1.6], velocity: [0, 0, -2], rotation: {axis: [-1.67, -0.01, 0.01], "
                "degrees: 170.63}, spin: [-1.66894, 1.52878, 2.30336]}\n",
            "friction: 0", "outcomes: {least: {minimum: 'gap(first, second)'}}\n")));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ok);
  EXPECT_GE(simulation.outcome("least"), -1e-9);
}

// Where four projections leave parts in each other, the step is made again in sub-steps. Without that, the first two
// stay in each other, by 9 cm.
TEST(Surfaces, StayInEachOtherInNoStepThatGoesOn) {
  const std::string inertia = "inertia: [0.05, 0.06, 0.07], ";
  const std::string pyramids =
      "  first: {mass: 1, " + inertia + "shape: " + dented_pyramid +
      ", rotation: {axis: [0.71, 0.24, 0.20], degrees: 133}, spin: [0.63, -0.13, -3.46]}\n  second: {mass: 2, " +
      inertia + "shape: " + dented_pyramid +
      ", position: [0.19, -0.08, 1.6], velocity: [0, 0, -2], rotation: {axis: [-1.67, -0.01, 0.01], degrees: 35}, "
      "spin: [-0.25, 1.9, -1.39]}\n";
  const std::string beside_a_box =
      "  first: {mass: 1, " + inertia + "shape: " + dented_pyramid +
      ", rotation: {axis: [0.14, 0.17, -0.2], degrees: 59}, spin: [-1.26, 0.32, -1.26]}\n  second: {mass: 1, " +
      inertia +
      "shape: {box: {size: [0.8, 0.3, 0.5]}}, position: [-0.02, -0.01, 1.6], velocity: [0, 0, -2], rotation: {axis: "
      "[0.64, -1.38, 1.06], degrees: 84}, spin: [-1.13, -0.07, 0.9]}\n";
  const struct {
    const char* method;
    std::string bodies;
  } scenes[] = {{"anitescu_potra", pyramids}, {"loetstedt", pyramids}, {"trapezoidal", beside_a_box}};
  for (const auto& of : scenes) {
    Simulation simulation(
        read(scene(std::string("method: ") + of.method + ", gravity: [0, 0, 0], step: 0.005, steps: 150", of.bodies,
                   "friction: 0", "outcomes: {least: {minimum: 'gap(first, second)'}}\n")));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << of.method;
    EXPECT_GE(simulation.outcome("least"), -1e-9) << of.method;
  }
}

// A wall of 1 mm beside a slot; in a step, what flies at it moves by 50 mm.
TEST(Surfaces, WithAThinWallLetNothingThrough) {
  const std::string box =
      "{prism: {height: 0.2, points: " + rectangle(0.2, 0.2) + ", holes: [" + rectangle(0.198, 0.15) + "]}}";
  for (const char* shape :
       {"{sphere: {radius: 0.01}}", "{box: {size: [0.02, 0.02, 0.02]}}",
        "{prism: {points: [[0, 0], [0.02, 0], [0.02, 0.004], [0.004, 0.004], [0.004, 0.02], [0, 0.02]], "
        "height: 0.02}}"}) {
    Simulation simulation(
        read(scene("gravity: [0, 0, 0], step: 0.001, duration: 0.02",
                   "  wall: {fixed: true, shape: " + box + "}\n  part: {density: 1000, shape: " + std::string(shape) +
                       ", position: [-0.3, 0.002, 0.003], velocity: [50, 0, 0]}\n",
                   "friction: 0.2")));
    simulation.run();
    if (simulation.status() == Status::ok)
      EXPECT_LT(simulation.state().position[3], -0.1) << shape;
    else
      EXPECT_EQ(simulation.status(), Status::too_fast) << shape;
  }
}

}  // namespace
}  // namespace jostle::surface_laws

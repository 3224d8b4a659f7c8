// Numbers that look as if they had another unit, shapes that weigh twice, and springs too stiff for the step.
#include <gmock/gmock.h>

#include <filesystem>

#include "scenarios/parameters/extents.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/reader/doubts.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/round_meshes.hpp"

namespace jostle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> doubts_of(const std::string& bodies, const std::string& more = "",
                                   const std::string& world = "step: 0.001, duration: 1") {
  const Scenario scenario = parse_scenario(
      "jostle: 1\nworld: {" + world + "}\nbodies:\n" + bodies + "contacts: [{between: any}]\n" + more, "scale.yaml");
  std::vector<std::string> messages;
  for (const Fault& doubt : doubts_about(scenario))
    messages.push_back(error_at(scenario, doubt.where, doubt.message).what());
  return messages;
}

TEST(Scales, OfTheLibraryAreGood) {
  for (const auto& entry : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenarios/library")) {
    const Scenario scenario = read_scenario(entry.path().string());
    for (const Fault& doubt : doubts_about_scales(scenario)) ADD_FAILURE() << entry.path() << ": " << doubt.message;
    for (const Fault& doubt : doubts_about_stiffness(scenario)) ADD_FAILURE() << entry.path() << ": " << doubt.message;
  }
}

TEST(Scales, OfDensities) {
  EXPECT_THAT(doubts_of("  nut: {density: 7.85, shape: {sphere: {radius: 0.01}}}\n"),
              ElementsAre("scale.yaml:4:18: body 'nut' has a density of 7.85 kg/m^3; densities are in kg/m^3 (water "
                          "1000, steel 7850)"));
  EXPECT_THAT(doubts_of("  nut: {density: 7850000, shape: {sphere: {radius: 0.01}}}\n"), testing::SizeIs(1));
  EXPECT_THAT(doubts_of("  nut: {density: {uniform: [10, 30]}, shape: {sphere: {radius: 0.01}}}\n"), IsEmpty());
}

// A box of 10 x 20 x 30 mm: 6e-6 m^3.
TEST(Scales, OfMasses) {
  EXPECT_THAT(doubts_of("  part: {mass: 47, shape: {box: {size: [0.01, 0.02, 0.03]}}}\n"),
              ElementsAre("scale.yaml:4:16: body 'part' of 0.03 m has a mass of 47 kg: 7.833e+06 kg/m^3, more than any "
                          "material; masses are in kg, lengths in m"));
  EXPECT_THAT(doubts_of("  part: {mass: 0.047, shape: {box: {size: [0.01, 0.02, 0.03]}}}\n"), IsEmpty());
  EXPECT_THAT(doubts_of("  part: {mass: 47, inertia: 1, shape: {sphere: {radius: 0}}}\n"), IsEmpty());
}

// A cylinder of 4 x 5, meant in mm: 7800 * pi * 16 * 5 kg.
TEST(Scales, OfWeights) {
  EXPECT_THAT(doubts_of("  peg: {density: 7800, shape: {cylinder: {radius: 4, length: 5}}}\n"),
              ElementsAre("scale.yaml:4:3: body 'peg' of 8 m weighs 1960 t; lengths are in metres"));
}

TEST(Scales, OfPointsOfJointsAndSprings) {
  const std::string arm = "  arm: {mass: 0.1, shape: {box: {size: [0.04, 0.01, 0.01]}}}\n";
  EXPECT_THAT(doubts_of(arm, "joints: {pivot: {revolute: [world, arm], at: [0, 0, 50], axis: [0, 1, 0]}}\n"),
              ElementsAre("scale.yaml:6:10: joint 'pivot' has its point 50 m from 'arm', which is 0.04 m large; points "
                          "are in m, world, at the start"));
  EXPECT_THAT(doubts_of(arm, "joints: {pivot: {revolute: [world, arm], at: [0, 0, 0.5], axis: [0, 1, 0]}}\n"),
              IsEmpty());
  EXPECT_THAT(doubts_of(arm, "springs: {coil: {between: [world, arm], at: [[0, 0, 90], [0, 0, 5]], stiffness: 1}}\n"),
              ElementsAre(HasSubstr("spring 'coil' has its point 5 m from 'arm'")));
}

TEST(Scales, OfMetresBesideMicrometres) {
  const std::string hole = "  hole: {fixed: true, shape: {box: {size: [5, 5, 5]}}}\n";
  EXPECT_THAT(doubts_of(hole + "  peg: {density: 1000, shape: {box: {size: [2, 2, 2]}}, position: [3.50002, 0, 0]}\n"),
              ElementsAre("scale.yaml:5:3: 'hole' and 'peg' are 5 m and 2 m large and 2e-05 m apart; lengths are in "
                          "metres"));
  EXPECT_THAT(doubts_of(hole + "  peg: {density: 1000, shape: {box: {size: [2, 2, 2]}}, position: [3.5, 0, 0]}\n"),
              IsEmpty());
}

// Two boxes of 10 x 10 x 20 mm, 10 mm apart: half of each is in the other. 2 x 2 cm^3 weigh 4 g, 3 cm^3 3 g.
TEST(Scales, OfShapesThatWeighTwice) {
  const char* const body =
      "  nut: {density: 1000, shapes: [{box: {size: [0.01, 0.01, 0.02]}}, {box: {size: [0.01, 0.01, 0.02]}, position: "
      "[0, 0, 0.01]}]}\n";
  EXPECT_THAT(doubts_of(body), ElementsAre("scale.yaml:4:3: shapes 0 and 1 of body 'nut' overlap by 0.01 m, and what "
                                           "they share weighs twice: 0.004 kg, about 0.003 kg if it weighed once (give "
                                           "mass and inertia instead)"));
  EXPECT_THAT(doubts_of("  nut: {density: 1000, shapes: [{box: {size: [0.01, 0.01, 0.02]}}, {box: {size: [0.01, 0.01, "
                        "0.02]}, position: [0, 0, 0.02]}]}\n"),
              IsEmpty())
      << "they touch";
}

// A block of 100 x 100 mm with a slot of 10 x 50 mm, to all sides 10 mm more, which fills the slot twice over:
// 120^2 - (4 - pi) 10^2 + the part of the slot's mouth that stays open, about 14,320 mm^2, but 14,771 are counted.
TEST(Scales, OfNotchesThatARadiusFillsFromBothSides) {
  const auto of = [](const std::string& radius, const std::string& mass = "density: 1000") {
    return doubts_of("  part: {freedom: [x, z, ry], " + mass +
                     ", shape: {polygon: {points: [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [0.005, 0.05], [0.005, "
                     "0], [-0.005, 0], [-0.005, 0.05], [-0.05, 0.05]], radius: " +
                     radius + "}}}\n");
  };
  EXPECT_THAT(of("0.01"), ElementsAre(HasSubstr("the radius of a polygon of body 'part' fills notches, and what edges "
                                                "fill from both sides weighs twice, about 3 % of its mass")));
  EXPECT_THAT(of("0.004"), IsEmpty());
  EXPECT_THAT(of("0.01", "mass: 1, inertia: 1"), IsEmpty());
}

// 64,000 distances from a part of 20,000 faces, edges and corners would take a minute.
TEST(Scales, AreNotOfWhatALargePartSharesWithAnother) {
  const auto body_with = [](const TriangleMesh& mesh) {
    BodySpec body;
    body.has_density = true, body.density.constant = 1000;
    body.shapes.resize(2);
    body.shapes[0].type = ShapeType::hull;
    set_surface(closed_surface(mesh, hull_tolerance), {}, body.shapes[0].hull);
    body.shapes[1].sphere.radius.constant = 0.01;
    return body;
  };
  EXPECT_TRUE(shared_mass(body_with(test::bumpy_ball(8, 8)), nullptr));
  EXPECT_FALSE(shared_mass(body_with(test::bumpy_ball(60, 60)), nullptr));
}

TEST(Scales, OfAFileWithOtherUnitsDoNotCallThemSi) {
  const auto of = [](const std::string& ball) {
    std::string all;
    for (const Fault& doubt :
         doubts_about(parse_scenario("jostle: 1\nunits: {length: mm, density: g/cm^3}\nworld: {step: 0.001, duration: "
                                     "1}\nbodies: {ball: {" +
                                         ball + "}}\n",
                                     "scale.yaml")))
      all += doubt.message + "\n";
    return all;
  };
  EXPECT_EQ(of("density: 7850, shape: {sphere: {radius: 1}}"),
            "body 'ball' has a density of 7.85e+06 kg/m^3 (water 1000, steel 7850)\n");
  EXPECT_THAT(of("mass: 1, shape: {sphere: {radius: 11000}}"), testing::EndsWith("has a size of 11 m\n"));
}

// h^2 k/m = 1e-6 * 20000 / 0.005 = 4; the limit 2 is met with h = sqrt(2 m/k) = 7.07e-4.
TEST(Stiffness, NamesTheStepThatWouldDo) {
  const std::string ball = "  ball: {mass: 0.005, inertia: 1, position: [0, 0, 0.1]}\n";
  const auto spring = [](const std::string& numbers) {
    return "springs: {coil: {between: [world, ball], at: [[0, 0, 0], [0, 0, 0.1]], " + numbers + "}}\n";
  };
  EXPECT_THAT(doubts_of(ball, spring("stiffness: 20000")),
              ElementsAre("scale.yaml:6:11: spring 'coil' is too stiff for the step: h^2 k/m is 4, and stewart_trinkle "
                          "is stable below 2; a step of 0.0007 s would do, or trapezoidal or trapezoidal_midpoint with "
                          "any step"));
  EXPECT_THAT(doubts_of(ball, spring("stiffness: 20000"), "step: 0.0007, duration: 0.7"), IsEmpty());
  EXPECT_THAT(
      doubts_of(ball, spring("stiffness: 100, damping: 20")),
      ElementsAre(HasSubstr("h^2 k/m + h c/m is 4.02, and stewart_trinkle is stable below 2; a step of 0.00049")));
  for (const char* const method : {"trapezoidal", "trapezoidal_midpoint"})
    EXPECT_THAT(doubts_of(ball, spring("stiffness: 20000"), std::string("step: 0.001, duration: 1, method: ") + method),
                IsEmpty());
  EXPECT_THAT(doubts_of(ball, spring("stiffness: 60000"), "step: 0.001, duration: 1, method: loetstedt"),
              ElementsAre(HasSubstr("h^2 k/m is 12, and loetstedt is stable below 8; a step of 0.00081 s")));
}

// A rod of 1 kg and J = 0.01 that a spring pulls at 0.3 m from its centre: 1/m = 1 + 0.09/0.01 = 10.
TEST(Stiffness, KnowsThatABodyTurns) {
  const std::string rod = "  rod: {mass: 1, inertia: 0.01}\n";
  EXPECT_THAT(doubts_of(rod,
                        "springs: {coil: {between: [world, rod], at: [[0.3, 0, 1], [0.3, 0, 0]], stiffness: "
                        "300000}}\n"),
              ElementsAre(HasSubstr("h^2 k/m is 3,")));
}

// A rod whose hinge is 0.5 m from its centre: J = 0.01 + 0.25. Pulled across at 1 m from the hinge, 1/m = 1/0.26; along
// the rod it cannot yield, and in a mechanism of two hinges nothing is known.
TEST(Stiffness, KnowsThatABodyHangsOnAHinge) {
  const std::string rod = "  rod: {mass: 1, inertia: 0.01, position: [0.5, 0, 0]}\n",
                    hinge = "joints:\n  pivot: {revolute: [world, rod], at: [0, 0, 0], axis: [0, 2, 0]}\n",
                    across =
                        "springs: {coil: {between: [world, rod], at: [[1, 0, 1], [1, 0, 0]], stiffness: 1040000}}\n",
                    along =
                        "springs: {coil: {between: [world, rod], at: [[2, 0, 0], [1, 0, 0]], stiffness: 9000000}}\n";
  EXPECT_THAT(doubts_of(rod, hinge + across),
              ElementsAre(HasSubstr("spring 'coil' is too stiff for the step: h^2 k/m is 4, and stewart_trinkle")));
  EXPECT_THAT(doubts_of(rod, hinge + along), IsEmpty());
  EXPECT_THAT(doubts_of(rod, hinge + "  other: {revolute: [world, rod], at: [1, 0, 0], axis: [0, 1, 0]}\n" + across),
              IsEmpty());
}

// J = 0.26 and an armature of 0.04: h^2 kappa/0.3 is 5 for kappa = 1.5e6.
TEST(Stiffness, KnowsTheSpringsOfJoints) {
  const std::string rod = "  rod: {mass: 1, inertia: 0.01, position: [0.5, 0, 0]}\n";
  const auto doubts = [&](const std::string& method, const std::string& stiffness) {
    return doubts_of(
        rod,
        "joints: {pivot: {revolute: [world, rod], at: [0, 0, 0], axis: [0, 1, 0], armature: 0.04, stiffness: " +
            stiffness + "}}\n",
        "step: 0.001, duration: 1, method: " + method);
  };
  EXPECT_THAT(doubts("anitescu_potra", "1.5e6"),
              ElementsAre(HasSubstr("the spring of joint 'pivot' is too stiff for the step: h^2 k/m is 5, and "
                                    "anitescu_potra is stable below 4; a step of 0.00089 s")));
  EXPECT_THAT(doubts("anitescu_potra", "1.1e6"), IsEmpty());
  EXPECT_THAT(doubts("loetstedt", "2.7e6"), ElementsAre(HasSubstr("h^2 k/m is 9, and loetstedt is stable below 8")));
  for (const char* const any : {"stewart_trinkle", "trapezoidal", "trapezoidal_midpoint"})
    EXPECT_THAT(doubts(any, "9e9"), IsEmpty()) << any;
}

TEST(Extents, AreThoseOfTheBoxAroundAllShapes) {
  const Scenario scenario = parse_scenario(
      "jostle: 1\nworld: {step: 0.01, duration: 1}\nbodies:\n  part:\n    mass: 1\n    inertia: 1\n    shapes:\n"
      "      - {capsule: {length: 0.4, radius: 0.1, axis: x}, position: [0.1, 0, 0]}\n"
      "      - {cylinder: {length: 0.2, radius: 0.3}}\n"
      "      - {box: {size: [0.2, 0.2, 0.2]}, rotation: {axis: [0, 0, 1], degrees: 45}, position: [0, 0, 1]}\n",
      "extents.yaml");
  const Extents box = *extents_of(scenario.bodies[0], nullptr);
  EXPECT_NEAR(box.lower[0], -0.3, 1e-12);
  EXPECT_NEAR(box.upper[0], 0.4, 1e-12);
  EXPECT_NEAR(box.upper[1], 0.3, 1e-12);
  EXPECT_NEAR(box.lower[2], -0.1, 1e-12);
  EXPECT_NEAR(box.upper[2], 1.1, 1e-12);
}

TEST(Extents, OfAPolygonLieInItsPlane) {
  const Scenario scenario = parse_scenario(
      "jostle: 1\nworld: {step: 0.01, duration: 1}\nbodies:\n  half_disc:\n    density: 1000\n    freedom: [x, z, ry]\n"
      "    shape: {polygon: {points: [[-0.03, 0], [0.03, 0, 1]], radius: 0.001, thickness: 0.01}}\n",
      "extents.yaml");
  const Extents box = *extents_of(scenario.bodies[0], nullptr);
  const Vec3 lower(-0.031, 0, -0.001), upper(0.031, 0, 0.031);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(box.lower[k], lower[k], 1e-12) << k;
    EXPECT_NEAR(box.upper[k], upper[k], 1e-12) << k;
  }
}

}  // namespace
}  // namespace jostle

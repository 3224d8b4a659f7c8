// Planar scenes: what lets a contact normal leave the plane is refused, or is the status of the draw that does so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/ensemble.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle {
namespace {

using test::error_of;
using testing::HasSubstr;

/// A disc that slides in x, y over a floor and may hit the `peg`; the drawn number u is 0 or 1. The floor is on line 5,
/// the peg on line 6.
std::string scene(const std::string& peg, const std::string& floor = "half_space: {normal: [0, 1, 0]}",
                  const std::string& disc = "shape: {sphere: {radius: 0.1}}", const std::string& rules = "") {
  return "jostle: 1\nvariables: {u: {choice: {values: [0, 1]}}}\nworld: {step: 0.01, duration: 0.2, gravity: [0, "
         "-9.81, "
         "0]}\nbodies:\n  floor: {fixed: true, shape: {" +
         floor + "}}\n  peg: {fixed: true, " + peg + "}\n  disc: {mass: 1, inertia: 0.005, freedom: [x, y, rz], " +
         disc + ", position: [0, 0.1, 0], velocity: [3, 0, 0]}\ncontacts: [{between: any, friction: 0.5}" + rules +
         "]\noutcomes:\n  pressed: {maximum: disc.normal_impulse}\n  rubbed: {maximum: disc.friction_impulse}\n";
}

const std::string far_peg = "shape: {sphere: {radius: 0.1}}, position: [9, 0, 0]";

TEST(Plane, HoldsTheShapesOfFixedBodies) {
  EXPECT_EQ(error_of(scene(far_peg)), "");
  EXPECT_EQ(
      error_of(scene("shape: {sphere: {radius: 0.5}}, position: [9, 0, 0.4]")),
      "rod.yaml:6:29: the sphere of 'peg' must have its centre in the plane in which all bodies move, at z = 0, not "
      "0.4");
  EXPECT_EQ(
      error_of(scene("shape: {sphere: {radius: 0.5}, position: [0, 0, -0.25]}, position: [9, 0, 0]")),
      "rod.yaml:6:29: the sphere of 'peg' must have its centre in the plane in which all bodies move, at z = 0, not "
      "-0.25");
  EXPECT_EQ(error_of(scene("shape: {sphere: {radius: 0.5}, position: [0, 0, -0.25]}, position: [9, 0, 0.25]")), "");
}

TEST(Plane, IsThatOfTheMovingBodies) {
  std::string raised = scene("shape: {sphere: {radius: 0.5}}, position: [9, 0, 0.4]");
  raised.replace(raised.find("position: [0, 0.1, 0]"), 21, "position: [0, 0.1, 0.4]");
  EXPECT_EQ(error_of(raised), "");
}

TEST(Plane, HoldsAnAxisOfEachShapeOrIsCrossedByIt) {
  const std::string box = "shape: {box: {size: [1, 2, 3]}}, position: [9, 0, 0], rotation: ";
  const std::string rod = "shape: {capsule: {length: 1, radius: 0.1}}, position: [9, 0, 0], rotation: ";
  EXPECT_EQ(
      error_of(scene(box + "{axis: [1, 0, 0], degrees: 45}")),
      "rod.yaml:6:29: the box of 'peg' must not be turned out of the plane in which all bodies move: its axes must "
      "lie in the plane or along z");
  for (const char* turned : {"{axis: [1, 0, 0], degrees: 90}", "{axis: [0, 0, 1], degrees: 33}",
                             "{axis: [1, 1, 1], degrees: 120}", "{quaternion: [0, 1, 1, 0]}"})
    EXPECT_EQ(error_of(scene(box + turned)), "") << turned;
  EXPECT_THAT(error_of(scene(rod + "{axis: [1, 0, 0], degrees: 45}")), HasSubstr("the capsule of 'peg' must not be"));
  EXPECT_EQ(error_of(scene(rod + "{axis: [1, 0, 0], degrees: 90}")), "");
  EXPECT_EQ(error_of(scene("shape: {sphere: {radius: 0.1}}, position: [9, 0, 0], rotation: uniform")), "");
}

TEST(Plane, HoldsTheShapesOfMovingBodiesThatMeetOthers) {
  const std::string offset = "shape: {sphere: {radius: 0.1}, position: [0, 0, 0.2]}";
  const std::string tilted = "shape: {box: {size: [0.2, 0.2, 0.2]}, rotation: {axis: [0, 1, 0], degrees: 30}}";
  const std::string floor = "half_space: {normal: [0, 1, 0]}";
  EXPECT_THAT(error_of(scene(far_peg, floor, offset)),
              HasSubstr("the sphere of 'disc' must have its centre in the plane"));
  EXPECT_THAT(error_of(scene(far_peg, floor, tilted)),
              HasSubstr("the box of 'disc' must not be turned out of the plane"));
  // The normals of half-spaces are in the plane whatever lies on them.
  const std::string apart = ", {between: [disc, peg], contact: false}";
  EXPECT_EQ(error_of(scene(far_peg, floor, offset, apart)), "");
  EXPECT_EQ(error_of(scene(far_peg, floor, tilted, apart)), "");
}

TEST(Plane, HoldsTheNormalsOfHalfSpacesHoweverTheyAreTurned) {
  const char* const message =
      "rod.yaml:5:31: the half_space of 'floor' must have a normal in the plane in which all bodies move, with z = 0";
  EXPECT_EQ(error_of(scene(far_peg, "half_space: {normal: [0, 1, 0.1]}")), message);
  EXPECT_EQ(error_of(scene(far_peg, "half_space: {normal: [0, 1, 0]}, rotation: {axis: [1, 0, 0], degrees: 5}")),
            message);
  EXPECT_EQ(error_of(scene(far_peg, "half_space: {normal: [0, 1, 0.1], offset: -$u}")), message);
  EXPECT_EQ(error_of(scene(far_peg, "half_space: {normal: [0, 0, 1]}, rotation: {axis: [1, 0, 0], degrees: -90}")), "");
}

/// Both values of u in turn: the one at 0 keeps to the plane and is simulated, the other has the status.
void expect_bad_at_one(const std::string& text, const std::string& message) {
  const Ensemble ensemble(parse_scenario(text, "rod.yaml"));
  bool seen[2] = {false, false};
  for (int sample = 0; sample < 16; ++sample) {
    Batch batch(ensemble.model(), 1);
    const auto fault = ensemble.load(sample, batch, 0);
    const bool out = ensemble.draw(sample)[0] == 1;
    seen[out] = true;
    run_batch(batch, 20);
    EXPECT_EQ(batch.status(0), out ? Status::bad_parameters : Status::ok);
    ASSERT_EQ(fault.has_value(), out);
    if (out) {
      EXPECT_THAT(fault->message, HasSubstr(message));
    } else {
      const double pressed = batch.state(0).outcomes[0], rubbed = batch.state(0).outcomes[1];
      EXPECT_GT(pressed, 0);
      EXPECT_NEAR(rubbed, 0.5 * pressed, 1e-12) << "the disc slides";
    }
  }
  EXPECT_TRUE(seen[0] && seen[1]);
}

TEST(Plane, LeftByADrawIsTheStatusOfThatSample) {
  const std::string at_nine = ", position: [9, 0, 0]";
  expect_bad_at_one(scene(far_peg, "half_space: {normal: [0, 1, $u]}"), "the half_space of 'floor' must have a normal");
  expect_bad_at_one(scene("shape: {sphere: {radius: 0.1}}, position: [9, 0, 0.4*$u]"), "at z = 0, not 0.4");
  expect_bad_at_one(scene("shape: {sphere: {radius: 0.1}, position: [0, 0, $u]}" + at_nine), "at z = 0, not 1");
  expect_bad_at_one(scene("shape: {box: {size: [1, 1, 1]}}, rotation: {axis: [1, 0, 0], degrees: 45*$u}" + at_nine),
                    "the box of 'peg' must not be turned out of the plane");
}

}  // namespace
}  // namespace jostle

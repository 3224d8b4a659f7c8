// Which feature pairs of two boxes are candidates, in configurations that have names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "tests/geometry/placements.hpp"

namespace jostle::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

PlacedShape cube(double height, const Mat3& axes = Mat3::Identity()) {
  return box({0.5, 0.5, 0.5}, {0, 0, height}, axes);
}

int crossings(const FeatureSet& set) {
  int count = 0;
  set.for_each([&](int feature) { count += feature >= BoxBox::edges_cross; });
  return count;
}

/// All normals along `normal`, all gaps `gap`.
void expect_contacts(const PlacedShape& a, const PlacedShape& b, const FeatureSet& set, const Vec3& normal,
                     double gap) {
  set.for_each([&](int feature) {
    const ContactGeometry c = contact_geometry(a, b, feature);
    EXPECT_LE((c.normal - normal).norm(), 1e-9) << feature;
    EXPECT_NEAR(c.gap, gap, 1e-12) << feature;
  });
}

TEST(FallingCube, HasItsFourCornersBeforeItLandsFlat) {
  const PlacedShape a = cube(0.51), b = table();
  const FeatureSet set = close_features(a, b, 0.02);
  // Corners 0..3 are the low ones; face 5 is the top of the table.
  EXPECT_THAT(numbers(set), ElementsAre(5, 11, 17, 23));
  expect_contacts(a, b, set, -z_axis, 0.01);
}

TEST(FallingCube, HasItsFourCornersOnAPlane) {
  EXPECT_THAT(numbers(close_features(cube(0.51), half_space(), 0.02)), ElementsAre(0, 1, 2, 3));
}

TEST(FallingCube, SlightlyTiltedHasItsFourCornersToo) {
  const PlacedShape a = cube(0.51, turned(Vec3(0.6, 0.8, 0), 0.005));
  EXPECT_THAT(numbers(close_features(a, table(), 0.02)), ElementsAre(5, 11, 17, 23));
  EXPECT_THAT(numbers(close_features(a, half_space(), 0.02)), ElementsAre(0, 1, 2, 3));
}

TEST(FallingCube, OnItsEdgeHasTwoCorners) {
  const PlacedShape a = cube(0.71, turned(y_axis, pi / 4));
  EXPECT_EQ(close_features(a, table(), 0.02).size(), 2);
  EXPECT_EQ(close_features(a, half_space(), 0.02).size(), 2);
}

TEST(FallingCube, OnItsCornerHasOne) {
  const PlacedShape a = cube(0.87, turned(Vec3(1, -1, 0).normalized(), std::acos(1 / std::sqrt(3.0))));
  const FeatureSet set = close_features(a, table(), 0.02);
  ASSERT_EQ(set.size(), 1);
  expect_contacts(a, table(), set, -z_axis, 0.87 - std::sqrt(0.75));
  EXPECT_EQ(close_features(a, half_space(), 0.02).size(), 1);
}

TEST(CornerOnAFace, IsOneCandidateFromEitherSide) {
  const PlacedShape corner_down = cube(0.866, turned(Vec3(1, -1, 0).normalized(), std::acos(1 / std::sqrt(3.0))));
  const FeatureSet down = close_features(corner_down, table(), 0.01);
  const FeatureSet up = close_features(table(), corner_down, 0.01);
  ASSERT_EQ(down.size(), 1);
  ASSERT_EQ(up.size(), 1);
  EXPECT_LT(numbers(down)[0], BoxBox::b_on_a);
  EXPECT_EQ(numbers(up)[0], numbers(down)[0] + BoxBox::b_on_a);
}

TEST(CrossedEdges, AreOneCandidate) {
  // Two roofs, ridge across ridge.
  const PlacedShape lower = cube(0, turned(x_axis, pi / 4));
  for (const double gap : {0.01, 0.0, -1e-12, -1e-6, -0.01}) {
    const PlacedShape upper = cube(std::sqrt(2.0) + gap, turned(y_axis, pi / 4));
    const FeatureSet set = close_features(lower, upper, 0.02);
    ASSERT_EQ(set.size(), 1) << gap;
    EXPECT_EQ(crossings(set), 1);
    expect_contacts(lower, upper, set, z_axis, gap);
  }
}

TEST(StackedCubes, HaveExactlyFourContacts) {
  for (const double gap : {1e-3, 0.0, -1e-15, -1e-12, -1e-9, -1e-6, -1e-3}) {
    const PlacedShape lower = cube(0), upper = cube(1 + gap);
    for (const double margin : {1e-3, 0.02}) {
      const FeatureSet set = close_features(lower, upper, margin);
      ASSERT_EQ(set.size(), 4) << gap;
      EXPECT_EQ(crossings(set), 0);
      expect_contacts(lower, upper, set, z_axis, gap);
      EXPECT_EQ(close_features(upper, lower, margin).size(), 4) << gap;
    }
  }
}

TEST(StackedCubes, HaveExactlyFourContactsInAnyFrameAndWithRounding) {
  Random random(5);
  for (int trial = 0; trial < 500; ++trial) {
    const Mat3 turn = random.axes();
    const auto noise = [&] { return random.uniform(-1e-12, 1e-12); };
    const Vec3 up = (1 + random.uniform(-1e-6, 1e-9)) * z_axis + Vec3(noise(), noise(), 0);
    const PlacedShape lower = box({0.5, 0.5, 0.5}, {3, 4, 5}, turn);
    const PlacedShape upper =
        box({0.5, 0.5, 0.5}, lower.position + turn * up, turn * turned(random.direction(), noise()));
    const FeatureSet set = close_features(lower, upper, 1e-3);
    ASSERT_EQ(set.size(), 4) << trial;
    EXPECT_EQ(crossings(set), 0);
  }
}

TEST(StackedBoxes, ASmallerOneStandsOnItsFourCorners) {
  for (const Vec3& half : {Vec3(0.3, 0.3, 0.5), Vec3(0.3, 0.5, 0.5), Vec3(0.5, 0.3, 0.5)}) {
    const PlacedShape upper = box(half, {0, 0, 1 - 1e-9});
    const FeatureSet set = close_features(cube(0), upper, 1e-3);
    EXPECT_EQ(set.size(), 4);
    EXPECT_EQ(crossings(set), 0);
    EXPECT_EQ(close_features(upper, cube(0), 1e-3).size(), 4);
  }
}

TEST(StackedBoxes, PlanksAcrossEachOtherTouchWhereTheirEdgesCross) {
  const PlacedShape lower = box({1, 0.2, 0.1}), upper = box({0.2, 1, 0.1}, {0, 0, 0.2 - 1e-9});
  const FeatureSet set = close_features(lower, upper, 1e-3);
  EXPECT_EQ(set.size(), 4);
  EXPECT_EQ(crossings(set), 4);
  expect_contacts(lower, upper, set, z_axis, -1e-9);
}

TEST(StackedBoxes, TurnedByAnEighthShareAnOctagon) {
  for (const double gap : {1e-4, 0.0, -1e-9, -1e-3}) {
    const PlacedShape lower = cube(0), upper = cube(1 + gap, turned(z_axis, pi / 4));
    const FeatureSet set = close_features(lower, upper, 1e-3);
    EXPECT_EQ(set.size(), 8) << gap;
    EXPECT_EQ(crossings(set), 8);
    expect_contacts(lower, upper, set, z_axis, gap);
  }
}

TEST(StackedBoxes, CornersThatReachTheEdgesOfTheLowerBoxStay) {
  // Diagonal of the upper face = edge of the lower one.
  const double half = 0.5 / std::sqrt(2.0);
  const PlacedShape upper = box({half, half, 0.5}, {0, 0, 1}, turned(z_axis, pi / 4));
  EXPECT_EQ(close_features(upper, cube(0), 1e-3).size(), 4);
  EXPECT_EQ(close_features(cube(0), upper, 1e-3).size(), 4);
}

TEST(BoxesSideBySide, TouchAtFourCornersAndNowhereElse) {
  const PlacedShape left = cube(0);
  PlacedShape right = left;
  right.position[0] = 1 - 1e-10;
  const FeatureSet set = close_features(left, right, 1e-3);
  EXPECT_EQ(set.size(), 4);
  expect_contacts(left, right, set, x_axis, -1e-10);
}

TEST(BoxOnATable, LosesItsContactsAsItSlidesOffTheEdge) {
  PlacedShape a = cube(0.5 - 1e-9);
  const auto candidates_at = [&](double x) {
    a.position[0] = x;
    return close_features(a, table(), 1e-3);
  };
  EXPECT_EQ(crossings(candidates_at(1.2)), 0);
  EXPECT_EQ(candidates_at(1.2).size(), 4);
  // Overhanging: two corners, and the table's edge under two edges of the cube.
  EXPECT_EQ(candidates_at(1.6).size(), 4);
  EXPECT_EQ(crossings(candidates_at(1.6)), 2);
  EXPECT_EQ(candidates_at(2.499).size(), 4);
  // Just past the edge nothing holds it up: beside the table, it can only touch the table's side.
  candidates_at(2.5 + 1e-8).for_each([&](int feature) {
    EXPECT_EQ(contact_geometry(a, table(), feature).normal[2], 0) << feature;
  });
  EXPECT_THAT(numbers(candidates_at(2.502)), IsEmpty());
}

TEST(BoxOnATable, TiltedOverTheEdgeKeepsTheEdgeAlone) {
  // Tilted about the table's edge, centre of mass outside: the cube's bottom face lies on that edge.
  const Mat3 tilt = turned(y_axis, 0.5);
  const Vec3 edge(2, 0, 0);
  const PlacedShape a = box({0.5, 0.5, 0.5}, edge + tilt * Vec3(0.1, 0, 0.5), tilt);
  const FeatureSet set = close_features(a, table(), 1e-3);
  ASSERT_EQ(set.size(), 2);
  EXPECT_EQ(crossings(set), 2);
  expect_contacts(a, table(), set, -tilt * z_axis, 0);
}

TEST(CornerInsideABox, CountsForOneFaceOnly) {
  const PlacedShape b = table();
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const PlacedShape a = cube(random.uniform(0.7, 0.9), random.axes());
    int faces[box_corners] = {};
    close_features(a, b, 1e-3).for_each([&](int feature) {
      if (feature < BoxBox::b_on_a) ++faces[feature / box_faces];
    });
    for (const int count : faces) EXPECT_LE(count, 1);
  }
}

TEST(RestingBoxes, ShallowPenetrationKeepsNormalsUpright) {
  Random random(7);
  for (const double depth : {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3}) {
    for (int trial = 0; trial < 200; ++trial) {
      PlacedShape a = cube(0.5 - depth, turned(z_axis, random.uniform(0, pi)));
      a.position[0] = random.uniform(-2.4, 2.4);
      a.position[1] = random.uniform(-2.4, 2.4);
      // Closer to a side of the table than to its top, the way out is sideways.
      if (signed_distance(a, table()) > -depth * (1 - 1e-3)) continue;
      const FeatureSet set = close_features(a, table(), 1e-3);
      ASSERT_GE(set.size(), 3) << depth;
      ASSERT_LE(set.size(), 8) << depth;
      expect_contacts(a, table(), set, -z_axis, -depth);
    }
  }
}

TEST(FeatureNumbers, StayTheSameAsABoxSlides) {
  PlacedShape a = cube(0.5, turned(z_axis, 0.3));
  const std::vector<int> first = numbers(close_features(a, table(), 1e-3));
  for (int step = 0; step < 100; ++step) {
    a.position[0] += 0.01;
    a.axes = turned(z_axis, 0.002) * a.axes;
    EXPECT_EQ(numbers(close_features(a, table(), 1e-3)), first);
  }
}

}  // namespace
}  // namespace jostle::test

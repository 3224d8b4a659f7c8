// Which feature pairs of spheres, capsules and cylinders are candidates, in configurations that have names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "tests/geometry/placements.hpp"

namespace jostle::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const Mat3 along_x = turned(y_axis, pi / 2);   // a capsule's axis along x
const Mat3 along_y = turned(x_axis, -pi / 2);  // along y

std::vector<int> candidates(const PlacedShape& a, const PlacedShape& b, double margin = 0.01) {
  return numbers(close_features(a, b, margin));
}

TEST(SphereOnABox, TouchesTheOnePartBeneathIt) {
  EXPECT_THAT(candidates(sphere(0.1, {0, 0, 0.1}), table()), ElementsAre(5));
  // Beyond +x, at the top edge along y: axis 1, next axis z high, last axis x high.
  EXPECT_THAT(candidates(sphere(0.1, {2.06, 0, 0.08}), table()), ElementsAre(SphereBox::on_edge + 7));
  const double third = 0.1 / std::sqrt(3.0);
  EXPECT_THAT(candidates(sphere(0.1, {2 + third, 2 + third, third}), table()), ElementsAre(SphereBox::on_corner + 7));
  EXPECT_THAT(candidates(sphere(0.1, {0, 0, 0.2}), table()), IsEmpty());
}

TEST(SphereInABox, LeavesThroughTheNearestFace) {
  const PlacedShape a = sphere(0.1, {1.9, 0, -0.2});
  EXPECT_THAT(candidates(a, table()), ElementsAre(1));
  const ContactGeometry c = contact_geometry(a, table(), 1);
  EXPECT_NEAR(c.gap, -0.2, 1e-15);
  EXPECT_LE((c.normal + x_axis).norm(), 1e-15);
}

TEST(SphereOnACapsule, TouchesSideOrCap) {
  const PlacedShape b = capsule(0.1, 0.5);
  EXPECT_THAT(candidates(sphere(0.1, {0.2, 0, 0.3}), b), ElementsAre(SphereCapsule::on_side));
  EXPECT_THAT(candidates(sphere(0.1, {0.12, 0, 0.66}), b), ElementsAre(1));
  EXPECT_THAT(candidates(sphere(0.1, {0, 0, -0.7}), b), ElementsAre(0));
}

TEST(ParallelCapsules, TouchAtTheTwoEndsOfWhatTheyShare) {
  const PlacedShape a = capsule(0.1, 0.5, Vec3::Zero(), along_x);
  for (const double shift : {0.0, 1e-12, -1e-12, 0.3, -0.3}) {
    const auto list = candidates(a, capsule(0.1, 0.5, {shift, 0, 0.2}, along_x));
    EXPECT_EQ(list.size(), 2U) << shift;
  }
  EXPECT_THAT(candidates(a, capsule(0.1, 0.3, {0, 0, 0.2}, along_x)),
              ElementsAre(CapsuleCapsule::side_on_cap, CapsuleCapsule::side_on_cap + 1));
  EXPECT_THAT(candidates(a, capsule(0.1, 0.7, {0, 0, 0.2}, along_x)),
              ElementsAre(CapsuleCapsule::cap_on_side, CapsuleCapsule::cap_on_side + 1));
}

TEST(CrossedCapsules, TouchWithTheirSides) {
  const PlacedShape a = capsule(0.1, 0.5, Vec3::Zero(), along_x), b = capsule(0.1, 0.5, {0, 0, 0.19}, along_y);
  EXPECT_THAT(candidates(a, b), ElementsAre(CapsuleCapsule::side_on_side));
  EXPECT_NEAR(contact_geometry(a, b, CapsuleCapsule::side_on_side).gap, -0.01, 1e-15);
}

TEST(CapsulesEndToEnd, TouchWithOneCapEach) {
  const PlacedShape a = capsule(0.1, 0.5, Vec3::Zero(), along_x), b = capsule(0.1, 0.5, {1.2, 0, 0}, along_x);
  EXPECT_THAT(candidates(a, b), ElementsAre(2));  // cap 1 of a on cap 0 of b
}

TEST(CapsuleOnABox, LiesOnItsTwoCaps) {
  for (const double radius : {0.1, 0.0})
    for (const double gap : {1e-3, 0.0, -1e-9, -1e-3}) {
      const PlacedShape a = capsule(radius, 0.5, {0, 0, radius + gap}, along_x);
      EXPECT_THAT(candidates(a, table()), ElementsAre(5, 11)) << gap;
    }
}

TEST(CapsuleOnABox, LiesOnTheEdgesThatItReachesOver) {
  const PlacedShape beam = box({0.2, 1, 0.5}, {0, 0, -0.5});
  for (const double radius : {0.1, 0.0})
    for (const double gap : {1e-3, -1e-9, -1e-3}) {
      const PlacedShape a = capsule(radius, 0.5, {0, 0, radius + gap}, along_x);
      // The two top edges of the beam, along y.
      EXPECT_THAT(candidates(a, beam), ElementsAre(CapsuleBox::side_on_edge + 5, CapsuleBox::side_on_edge + 7)) << gap;
      for (const int feature : candidates(a, beam)) {
        const ContactGeometry c = contact_geometry(a, beam, feature);
        EXPECT_LE((c.normal + z_axis).norm(), 1e-12);
        EXPECT_NEAR(c.gap, gap, 1e-15);
      }
    }
}

TEST(CapsuleOnABox, OverhangingHasOneCapAndOneEdge) {
  const PlacedShape a = capsule(0.05, 0.5, {1.9, 0.1, 0.05}, along_x);
  EXPECT_EQ(candidates(a, table()).size(), 2U);
}

TEST(CapsuleOnABox, StandingHasOneCap) {
  EXPECT_THAT(candidates(capsule(0.1, 0.5, {0, 0, 0.6}), table()), ElementsAre(5));
}

TEST(CapsuleOnABox, AcrossTheCornerOrAlongAnEdge) {
  // Along the table's top edge, leaning against it from outside: both caps on that edge.
  const double out = 0.1 / std::sqrt(2.0);
  EXPECT_THAT(candidates(capsule(0.1, 0.5, {2 + out, 0, out}, along_y), table()),
              ElementsAre(CapsuleBox::cap_on_edge + 7, CapsuleBox::cap_on_edge + box_edges + 7));
  // Across the top corner at (2, 2, 0), at right angles to the diagonal.
  const double third = 0.1 / std::sqrt(3.0);
  const Mat3 level = turned(Vec3(1, 1, 0).normalized(), pi / 2);
  EXPECT_THAT(candidates(capsule(0.1, 0.5, {2 + third, 2 + third, third}, level), table()),
              ElementsAre(CapsuleBox::side_on_corner + 7));
}

TEST(CapsuleOnAPlane, HasTheCapsThatAreNear) {
  EXPECT_THAT(candidates(capsule(0.1, 0.5, {0, 0, 0.1}, along_x), half_space()), ElementsAre(0, 1));
  EXPECT_THAT(candidates(capsule(0.1, 0.5, {0, 0, 0.6}), half_space()), ElementsAre(0));
}

TEST(StandingCylinder, HasFourFixedPoints) {
  for (const double noise : {0.0, 1e-16, -1e-12}) {
    const PlacedShape a = cylinder(0.2, 0.5, {0, 0, 0.5}, turned(x_axis, noise));
    EXPECT_THAT(candidates(a, half_space()), ElementsAre(1, 2, 3, 4));
  }
}

// However little the end is tilted, and with rounding errors in its axes, its lowest point is on its rim.
TEST(StandingCylinder, HasItsLowestPointInTheEndsPlane) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double tilt = 1e-17 * std::pow(10.0, random.uniform(0, 8));
    const Mat3 other = random.axes();
    const Mat3 axes = other * (other.transpose() * turned(x_axis, tilt) * turned(z_axis, random.uniform(0, 6)));
    EXPECT_NEAR(contact_geometry(cylinder(0.2, 0.5, {0, 0, 0.5}, axes), half_space(), 0).gap, 0, 1e-9);
  }
}

TEST(RollingCylinder, HasItsTwoLowestPoints) {
  const int lowest[] = {0, CylinderHalfSpace::features_per_end};
  for (int step = 0; step < 50; ++step) {
    const PlacedShape a = cylinder(0.2, 0.5, {0, 0, 0.2}, along_x * turned(z_axis, 0.1 * step + 0.05));
    EXPECT_THAT(candidates(a, half_space(), 1e-9), ElementsAre(lowest[0], lowest[1]));
    for (const int feature : lowest) EXPECT_NEAR(contact_geometry(a, half_space(), feature).gap, 0, 1e-15);
  }
}

TEST(CylinderOnItsRim, HasOnePoint) {
  const Mat3 tilt = turned(x_axis, 0.7) * turned(z_axis, 0.5);
  const double height = 0.5 * std::cos(0.7) + 0.2 * std::sin(0.7);
  EXPECT_THAT(candidates(cylinder(0.2, 0.5, {0, 0, height}, tilt), half_space()), ElementsAre(0));
}

TEST(CylinderAboutToLandFlat, HasItsLowestPointAndTheFixedOnes) {
  EXPECT_THAT(candidates(cylinder(0.2, 0.5, {0, 0, 0.503}, turned(x_axis, 0.01)), half_space()),
              UnorderedElementsAre(0, 1, 2, 3, 4));
}

TEST(RockingCylinder, HasTheFixedPointsThatHaveSunk) {
  // The end's middle is at height 0: half of its rim is below, with local -x and -y, and the lowest point between them.
  const Mat3 tilt = turned(x_axis, 0.01) * turned(z_axis, 0.7);
  const PlacedShape a = cylinder(0.2, 0.5, {0, 0, 0.5 * std::cos(0.01)}, tilt);
  EXPECT_THAT(candidates(a, half_space(), -1e-10), ElementsAre(0, 3, 4));
}

// No pose of healthy shapes makes a number that is none: coincident centres, parallel lines, flush features.
TEST(DegeneratePoses, GiveFiniteContacts) {
  Random random(9);
  for (const PairTypes& pair : all_pairs())
    for (const Mat3& turn : {Mat3(Mat3::Identity()), along_x, along_y, random.axes()})
      for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0.5, 0.5), Vec3(0, 0, 1e-170)}) {
        const PlacedShape a{pair.a, {0.5, 0.5, 0.5}, Vec3::Zero(), turn};
        const PlacedShape b{pair.b, {0.5, 0.5, 0.5}, x, turn};
        for (int feature = 0; feature < feature_count(pair.a, pair.b); ++feature) {
          const ContactGeometry c = contact_geometry(a, b, feature);
          ASSERT_TRUE(std::isfinite(c.gap) && c.point_a.allFinite() && c.point_b.allFinite()) << name(pair) << feature;
          ASSERT_NEAR(c.normal.norm(), 1, 1e-12) << name(pair) << " feature " << feature;
        }
        ASSERT_TRUE(std::isfinite(signed_distance(a, b))) << name(pair);
        close_features(a, b, 0.1).for_each([&](int feature) { ASSERT_LT(feature, feature_count(pair.a, pair.b)); });
      }
}

}  // namespace
}  // namespace jostle::test

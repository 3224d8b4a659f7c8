// Which feature pairs of a cylinder with a box, a capsule or a cylinder are candidates, in configurations that have
// names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "tests/geometry/placements.hpp"

namespace jostle::test {
namespace {

using testing::IsEmpty;

const Mat3 lying_along_x = turned(y_axis, pi / 2), lying_along_y = turned(x_axis, pi / 2);

/// The points of b, all normals along `normal` and all gaps `gap`; sorted.
std::vector<Vec3> points_of(const PlacedShape& a, const PlacedShape& b, const Vec3& normal, double gap,
                            double margin = 1e-3) {
  std::vector<Vec3> points;
  close_features(a, b, margin).for_each([&](int feature) {
    const ContactGeometry c = contact_geometry(a, b, feature);
    EXPECT_LE((c.normal - normal).norm(), 1e-9) << feature;
    EXPECT_NEAR(c.gap, gap, 1e-12) << feature;
    points.push_back(c.point_b);
  });
  std::sort(points.begin(), points.end(), [](const Vec3& p, const Vec3& q) {
    for (int k = 0; k < 3; ++k)
      if (std::abs(p[k] - q[k]) > 1e-9) return p[k] < q[k];
    return false;
  });
  return points;
}

void expect_points(const std::vector<Vec3>& points, const std::vector<Vec3>& expected) {
  ASSERT_EQ(points.size(), expected.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_LE((points[i] - expected[i]).norm(), 1e-8) << i << ": " << points[i].transpose();
}

TEST(CylinderStandingOnABox, HasFourPointsOfItsRim) {
  for (const double gap : {1e-4, 0.0, -1e-12, -1e-9, -1e-5})
    expect_points(points_of(table(), cylinder(0.2, 0.5, {0.3, 0, 0.5 + gap}), z_axis, gap),
                  {{0.1, 0, gap}, {0.3, -0.2, gap}, {0.3, 0.2, gap}, {0.5, 0, gap}});
}

TEST(CylinderStandingOnABox, IsHeldByTheEdgesThatCrossItsRim) {
  // Its axis at 0.1 within the edge of the table: the rim crosses it at y = +-sqrt(0.2^2 - 0.1^2).
  const double y = std::sqrt(0.03);
  const PlacedShape b = cylinder(0.2, 0.5, {1.9, 0, 0.5});
  expect_points(points_of(table(), b, z_axis, 0), {{1.7, 0, 0}, {1.9, -0.2, 0}, {1.9, 0.2, 0}, {2, -y, 0}, {2, y, 0}});
}

TEST(CylinderStandingOnABox, IsTheSameOnAnyFace) {
  const PlacedShape side_up = box({2, 0.5, 2}, {0, 0, -0.5}, turned(x_axis, pi / 2));
  EXPECT_EQ(points_of(side_up, cylinder(0.2, 0.5, {0, 0, 0.5}), z_axis, 0).size(), 4);
}

TEST(CylinderAboutToLandFlatOnABox, HasItsLowestPointAndTheFixedOnes) {
  const PlacedShape b = cylinder(0.2, 0.5, {0, 0, 0.503}, turned(Vec3(0.6, 0.8, 0), 0.01));
  EXPECT_EQ(close_features(table(), b, 0.02).size(), 5);
}

TEST(BoxOnACap, StandsOnItsCorners) {
  const PlacedShape small = box({0.1, 0.1, 0.1}, {0, 0, 0.6});
  expect_points(points_of(small, cylinder(0.2, 0.5), -z_axis, 0),
                {{-0.1, -0.1, 0.5}, {-0.1, 0.1, 0.5}, {0.1, -0.1, 0.5}, {0.1, 0.1, 0.5}});
}

TEST(BoxOnACap, IsHeldWhereItsEdgesCrossTheRim) {
  // A beam across a tin: its two long edges cross the rim twice each.
  const PlacedShape beam = box({1, 0.1, 0.1}, {0, 0, 0.6});
  const double x = std::sqrt(0.03);
  const Mat3 turn = turned(z_axis, 0.3);  // no fixed point of the rim is under the beam
  const PlacedShape tin = cylinder(0.2, 0.5, Vec3::Zero(), turned(z_axis, pi / 4));
  expect_points(points_of(beam, tin, -z_axis, 0), {{-x, -0.1, 0.5}, {-x, 0.1, 0.5}, {x, -0.1, 0.5}, {x, 0.1, 0.5}});
  PlacedShape turned_beam = beam;
  turned_beam.axes = turn;
  EXPECT_GE(points_of(turned_beam, tin, -z_axis, 0).size(), 4);
}

TEST(CylinderLyingOnABox, HasTwoPointsAlongItsSideHoweverItIsTurned) {
  for (int step = 0; step < 20; ++step) {
    const PlacedShape b =
        cylinder(0.2, 0.5, {0, 0, 0.2}, turned(z_axis, 0.05 * step) * lying_along_x * turned(z_axis, 0.1 * step));
    const Vec3 u = 0.5 * b.axes.col(2);
    std::vector<Vec3> expected = {Vec3(u[0], u[1], 0), Vec3(-u[0], -u[1], 0)};
    if (expected[0][0] > expected[1][0]) std::swap(expected[0], expected[1]);
    expect_points(points_of(table(), b, z_axis, 0), expected);
  }
}

TEST(CylinderLyingOnABox, IsHeldByTheEdgeThatItReachesOver) {
  expect_points(points_of(table(), cylinder(0.2, 0.5, {1.8, 0, 0.2}, lying_along_x), z_axis, 0),
                {{1.3, 0, 0}, {2, 0, 0}});
  // Flush with the edge, it has one point there.
  expect_points(points_of(table(), cylinder(0.2, 0.5, {1.5, 0, 0.2}, lying_along_x), z_axis, 0),
                {{1, 0, 0}, {2, 0, 0}});
}

TEST(CylinderLyingOnABox, LosesItsContactsAsItRollsOffTheEdge) {
  const auto at = [&](double y) {
    return close_features(table(), cylinder(0.2, 0.5, {0, y, 0.2}, lying_along_x), 1e-3);
  };
  EXPECT_EQ(at(1.999).size(), 2);
  at(2 + 1e-4).for_each([&](int feature) { EXPECT_GE(feature, BoxCylinder::edge_on_rim) << feature; });
  EXPECT_THAT(numbers(at(2.1)), IsEmpty());
}

TEST(CylinderOnAnEdge, TouchesItWithItsSide) {
  // The ridge of a roof along x, a cylinder across it and one along it.
  const PlacedShape roof = box({1, 0.5, 0.5}, Vec3::Zero(), turned(x_axis, pi / 4));
  const double ridge = std::sqrt(0.5);
  expect_points(points_of(roof, cylinder(0.2, 0.5, {0.1, 0, ridge + 0.2}, lying_along_y), z_axis, 0),
                {{0.1, 0, ridge}});
  expect_points(points_of(roof, cylinder(0.2, 0.5, {0.1, 0, ridge + 0.2}, lying_along_x), z_axis, 0),
                {{-0.4, 0, ridge}, {0.6, 0, ridge}});
  // Longer than the ridge, it lies on the ridge's ends.
  expect_points(points_of(roof, cylinder(0.2, 1.5, {0.1, 0, ridge + 0.2}, lying_along_x), z_axis, 0),
                {{-1, 0, ridge}, {1, 0, ridge}});
}

TEST(CylinderOnAnEdge, TouchesItWithItsRim) {
  // The rim's lowest point, tilted by 45 degrees, is over the ridge across it; the tangent there lies across the ridge.
  const PlacedShape roof = box({1, 0.5, 0.5}, Vec3::Zero(), turned(x_axis, pi / 4));
  const Mat3 tilt = turned(y_axis, pi / 4);
  const Vec3 lowest = tilt * Vec3(0.2, 0, -0.5);
  for (const double gap : {1e-4, 0.0, -1e-9, -1e-4}) {
    const PlacedShape b = cylinder(0.2, 0.5, Vec3(0, 0, std::sqrt(0.5) + gap) - lowest, tilt);
    expect_points(points_of(roof, b, z_axis, gap), {{0, 0, std::sqrt(0.5) + gap}});
  }
}

TEST(CapsuleOnACap, LiesOnItsCapsOrAcrossTheRim) {
  const PlacedShape tin = cylinder(0.5, 0.2, {0, 0, -0.2});
  expect_points(points_of(capsule(0.1, 0.3, {0.1, 0, 0.1}, lying_along_x), tin, -z_axis, 0),
                {{-0.2, 0, 0}, {0.4, 0, 0}});
  const double x = 0.4;  // sqrt(0.5^2 - 0.3^2)
  expect_points(points_of(capsule(0.1, 1, {0.1, 0.3, 0.1}, lying_along_x), tin, -z_axis, 0),
                {{-x, 0.3, 0}, {x, 0.3, 0}});
  expect_points(points_of(capsule(0.1, 0.3, {0.4, 0, 0.1}, lying_along_x), tin, -z_axis, 0),
                {{0.1, 0, 0}, {0.5, 0, 0}});
}

TEST(CapsuleBesideACylinder, HasTwoPointsAlongWhatTheyShare) {
  const PlacedShape b = cylinder(0.2, 0.5);
  expect_points(points_of(capsule(0.1, 0.3, {-0.3, 0, 0.1}), b, x_axis, 0), {{-0.2, 0, -0.2}, {-0.2, 0, 0.4}});
  expect_points(points_of(capsule(0.1, 0.3, {-0.3, 0, 0.4}), b, x_axis, 0), {{-0.2, 0, 0.1}, {-0.2, 0, 0.5}});
  expect_points(points_of(capsule(0.1, 0.5, {-0.3, 0, 0}), b, x_axis, 0), {{-0.2, 0, -0.5}, {-0.2, 0, 0.5}});
  expect_points(points_of(capsule(0.1, 0.5, {-0.3, 0, 0}, lying_along_y), b, x_axis, 0), {{-0.2, 0, 0}});
}

TEST(CylinderOnACylinder, StandsOnTheCap) {
  const PlacedShape lower = cylinder(0.3, 0.2, {0, 0, -0.2});
  EXPECT_EQ(points_of(lower, cylinder(0.1, 0.2, {0.1, 0, 0.2}), z_axis, 0).size(), 4);
  EXPECT_EQ(points_of(lower, cylinder(0.5, 0.2, {0.1, 0, 0.2}), z_axis, 0).size(), 4);
  for (const double noise : {0.0, 1e-15, -1e-12})
    EXPECT_EQ(points_of(lower, cylinder(0.3, 0.2, {noise, 0, 0.2}), z_axis, 0).size(), 4) << noise;
  // Axes 0.3 apart: the rims cross at x = 0.15, y = +-sqrt(0.3^2 - 0.15^2), and either has a point on the other's cap.
  const double y = std::sqrt(0.0675);
  expect_points(points_of(lower, cylinder(0.3, 0.2, {0.3, 0, 0.2}), z_axis, 0),
                {{0, 0, 0}, {0.15, -y, 0}, {0.15, y, 0}, {0.3, 0, 0}});
}

TEST(CylinderOnACylinder, LiesAcrossTheCap) {
  const PlacedShape lower = cylinder(0.5, 0.2, {0, 0, -0.2});
  expect_points(points_of(lower, cylinder(0.1, 0.3, {0.1, 0, 0.1}, lying_along_x), z_axis, 0),
                {{-0.2, 0, 0}, {0.4, 0, 0}});
  expect_points(points_of(lower, cylinder(0.1, 1, {0.1, 0.3, 0.1}, lying_along_x), z_axis, 0),
                {{-0.4, 0.3, 0}, {0.4, 0.3, 0}});
}

TEST(CylinderOnACylinder, TouchesSideBySide) {
  const PlacedShape a = cylinder(0.2, 0.5);
  expect_points(points_of(a, cylinder(0.1, 0.3, {0.3, 0, 0.1}), x_axis, 0), {{0.2, 0, -0.2}, {0.2, 0, 0.4}});
  expect_points(points_of(a, cylinder(0.1, 0.3, {0.3, 0, 0.4}), x_axis, 0), {{0.2, 0, 0.1}, {0.2, 0, 0.5}});
  expect_points(points_of(a, cylinder(0.1, 0.5, {0.3, 0, 0}), x_axis, 0), {{0.2, 0, -0.5}, {0.2, 0, 0.5}});
  expect_points(points_of(a, cylinder(0.1, 0.5, {0.3, 0, 0}, lying_along_y), x_axis, 0), {{0.2, 0, 0}});
}

TEST(CrossedRims, AreOneCandidate) {
  // Two discs on their rims, edge to edge: the lower tilted about x, the upper about y, both by 45 degrees.
  const PlacedShape lower = cylinder(0.2, 0.1, {0, 0, 0}, turned(x_axis, pi / 4));
  const Mat3 tilt = turned(y_axis, pi / 4);
  const Vec3 highest = turned(x_axis, pi / 4) * Vec3(0, 0.2, 0.1), lowest = tilt * Vec3(0.2, 0, -0.1);
  for (const double gap : {1e-4, 0.0, -1e-12, -1e-9, -1e-6, -1e-4}) {
    const PlacedShape upper = cylinder(0.2, 0.1, highest - lowest + gap * z_axis, tilt);
    const FeatureSet set = close_features(lower, upper, 1e-3);
    ASSERT_EQ(set.size(), 1) << gap;
    EXPECT_GE(numbers(set)[0], CylinderCylinder::rim_on_rim);
    expect_points(points_of(lower, upper, z_axis, gap), {highest + gap * z_axis});
  }
}

TEST(FeatureNumbersOfACylinder, StayTheSameAsItSlidesOverAnEdge) {
  PlacedShape b = cylinder(0.2, 0.5, {1.9, 0, 0.5}, turned(z_axis, 0.3));
  const std::vector<int> first = numbers(close_features(table(), b, 1e-3));
  for (int step = 0; step < 100; ++step) {
    b.position[1] += 0.01;
    b.axes = turned(z_axis, 0.002) * b.axes;
    EXPECT_EQ(numbers(close_features(table(), b, 1e-3)), first) << step;
  }
}

// The gap of a feature has no jump as a cylinder tumbles slowly past an edge, into the box and out.
TEST(GapsOfACylinder, AreContinuousInTime) {
  Random random(51);
  int compared = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Vec3 axis = random.direction();
    const Mat3 start = random.axes();
    std::vector<double> before(BoxCylinder::features, std::numeric_limits<double>::quiet_NaN());
    FeatureSet real_before;
    for (int step = 0; step < 1000; ++step) {
      const PlacedShape b =
          cylinder(0.2, 0.5, {1.9 + 2e-4 * step, 0.1, 0.35 - 1e-4 * step}, turned(axis, 1e-3 * step) * start);
      const FeatureSet real = close_features(table(), b, 0.2);
      for (int feature = 0; feature < BoxCylinder::features; ++feature) {
        const double gap = contact_geometry(table(), b, feature).gap;
        if (real.contains(feature) && real_before.contains(feature)) {
          EXPECT_NEAR(gap, before[feature], 1e-3) << feature << " at step " << step;  // at most 2.3e-4 + 0.54e-3
          ++compared;
        }
        before[feature] = gap;
      }
      real_before = real;
    }
  }
  EXPECT_GT(compared, 10'000);
}

}  // namespace
}  // namespace jostle::test

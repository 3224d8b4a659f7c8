// Distances and candidates against brute force over random placements.
#include <gtest/gtest.h>

#include "tests/geometry/brute_force.hpp"
#include "tests/geometry/placements.hpp"

namespace jostle::test {
namespace {

class RandomPlacements : public testing::TestWithParam<PairTypes> {
 protected:
  double tolerance() const {
    return GetParam().a == ShapeType::cylinder || GetParam().b == ShapeType::cylinder ? 2e-8 : 1e-10;
  }
};
INSTANTIATE_TEST_SUITE_P(Shapes, RandomPlacements, testing::ValuesIn(all_pairs()),
                         [](const auto& pair) { return name(pair.param); });

double least_gap(const Placement& p, const FeatureSet& set) {
  double least = std::numeric_limits<double>::infinity();
  set.for_each([&](int feature) { least = std::min(least, contact_geometry(p.a, p.b, feature).gap); });
  return least;
}

TEST_P(RandomPlacements, SignedDistanceIsTheBruteForceDistanceApart) {
  Random random(21);
  for (int trial = 0; trial < 60; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(0.001, 1), random);
    ASSERT_NEAR(signed_distance(p.a, p.b), brute_force_distance(p.a, p.b), tolerance()) << trial;
  }
}

TEST_P(RandomPlacements, SignedDistanceIsMinusTheDepthInOverlap) {
  Random random(22);
  for (int trial = 0; trial < 60; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(-0.1, 0), random);
    ASSERT_NEAR(signed_distance(p.a, p.b), brute_force_distance(p.a, p.b), tolerance()) << trial;
  }
}

/// Is the shortest connection of shapes that are apart one that no contact can have?
bool nearest_at_corners(const Placement& p) {
  if (p.a.type != ShapeType::box) return false;
  if (p.b.type == ShapeType::box) return core_distance(core_of(p.a), core_of(p.b)).freedom < 2;
  if (p.b.type != ShapeType::cylinder) return false;
  const auto [x, y] = closest_points(p.a, p.b);
  const Vec3 in_a = p.a.axes.transpose() * (x - p.a.position), in_b = p.b.axes.transpose() * (y - p.b.position);
  return (in_a.cwiseAbs() - p.a.size).cwiseAbs().maxCoeff() < 1e-9 && std::abs(std::abs(in_b[2]) - p.b.size[1]) < 1e-9;
}

// Where the closest features are a corner and a face or two edges, their pair is a candidate with that gap. Closest
// points may also be corner and corner, or corner and rim: no contact then, but a distance.
TEST_P(RandomPlacements, ClosestCandidateHasTheDistanceApart) {
  Random random(23);
  int corners_apart = 0;
  const int trials = 60;
  for (int trial = 0; trial < trials; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(0.001, 0.3), random);
    const FeatureSet set = close_features(p.a, p.b, 0.5);
    const double distance = brute_force_distance(p.a, p.b);
    if (nearest_at_corners(p)) {
      ++corners_apart;
      EXPECT_GE(least_gap(p, set), distance - tolerance());
    } else {
      ASSERT_NEAR(least_gap(p, set), distance, tolerance()) << trial;
    }
  }
  EXPECT_LT(corners_apart, trials);
}

TEST_P(RandomPlacements, NoOverlapIsMissed) {
  Random random(24);
  for (int trial = 0; trial < 400; ++trial) {
    const double share = trial % 3 == 0 ? 0.1 : (trial % 3 == 1 ? 1e-3 : 1e-9);  // of the size of the smaller shape
    Placement p = placed_at(GetParam(), 0, random);
    const Vec3 inwards = p.b.type == ShapeType::half_space ? Vec3(p.b.axes.col(2)) : Vec3(p.a.position - p.b.position);
    p.b.position += random.uniform(0.1, 1) * share * size_of_pair(p) * inwards / inwards.norm();
    const double distance = signed_distance(p.a, p.b);
    ASSERT_LT(distance, 0);
    const double least = least_gap(p, close_features(p.a, p.b, 0));
    // A candidate may be deeper than the shapes overlap by a hundredth (slightly tilted neighbours), not by more.
    ASSERT_LE(least, distance + 1e-12) << trial << " share " << share;
    ASSERT_GE(least, 1.01 * distance - 1e-8) << trial << " share " << share;
  }
}

TEST_P(RandomPlacements, TheDepthIsTheGapOfACandidate) {
  Random random(25);
  for (int trial = 0; trial < 400; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(-0.01, 0), random);
    const double distance = signed_distance(p.a, p.b);
    double nearest = 1;
    close_features(p.a, p.b, 0.01).for_each([&](int feature) {
      nearest = std::min(nearest, std::abs(contact_geometry(p.a, p.b, feature).gap - distance));
    });
    ASSERT_LE(nearest, 1e-12) << trial;
  }
}

TEST_P(RandomPlacements, FarShapesHaveNoCandidates) {
  Random random(26);
  for (int trial = 0; trial < 100; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(0.11, 2), random);
    EXPECT_TRUE(close_features(p.a, p.b, 0.1).empty()) << trial;
  }
}

TEST_P(RandomPlacements, CandidatesAreTheSameInAnotherFrame) {
  Random random(27);
  for (int trial = 0; trial < 300; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(-0.02, 0.05), random);
    const Mat3 turn = random.axes();
    Placement q = p;
    for (PlacedShape* shape : {&q.a, &q.b}) {
      shape->position = turn * shape->position + Vec3(1, 2, 3);
      shape->axes = turn * shape->axes;
    }
    EXPECT_EQ(numbers(close_features(p.a, p.b, 0.04)), numbers(close_features(q.a, q.b, 0.04))) << trial;
  }
}

class EqualTypes : public RandomPlacements {};
INSTANTIATE_TEST_SUITE_P(Shapes, EqualTypes,
                         testing::Values(PairTypes{ShapeType::sphere, ShapeType::sphere},
                                         PairTypes{ShapeType::capsule, ShapeType::capsule},
                                         PairTypes{ShapeType::box, ShapeType::box},
                                         PairTypes{ShapeType::cylinder, ShapeType::cylinder}),
                         [](const auto& pair) { return name(pair.param); });

TEST_P(EqualTypes, SwappingThemTurnsTheNormalsRound) {
  Random random(28);
  for (int trial = 0; trial < 300; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(-0.02, 0.05), random);
    EXPECT_NEAR(signed_distance(p.a, p.b), signed_distance(p.b, p.a), 1e-14);
    const FeatureSet back = close_features(p.b, p.a, 0.04);
    const FeatureSet there = close_features(p.a, p.b, 0.04);
    ASSERT_EQ(there.size(), back.size()) << trial;
    there.for_each([&](int feature) {
      const ContactGeometry c = contact_geometry(p.a, p.b, feature);
      bool found = false;
      back.for_each([&](int other) {
        const ContactGeometry d = contact_geometry(p.b, p.a, other);
        found = found || ((c.normal + d.normal).norm() < 1e-9 && (c.point_a - d.point_b).norm() < 1e-9 &&
                          std::abs(c.gap - d.gap) < 1e-12);
      });
      EXPECT_TRUE(found) << trial << " feature " << feature;
    });
  }
}

}  // namespace
}  // namespace jostle::test

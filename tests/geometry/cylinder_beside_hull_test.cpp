// Cylinders beside hulls: those of a box written as a hull, the contract of pairs, and that no feature pair that closes
// is missed.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/geometry/hulls.hpp"

namespace jostle::test {
namespace {

// Feature pairs have the same numbers there.
TEST(CylinderBesideAHull, HasTheCandidatesThatItHasBesideABox) {
  Random random(16);  // with an edge that passes a cylinder 2e4 m away
  const Vec3 half(0.5, 0.3, 0.2);
  const Hull hull = hull_of_box(half);
  int differ = 0, all = 0;
  double worst = 0, worst_distance = 0;
  for (int i = 0; i < 6000; ++i) {
    for (const PlacedShape& other : {cylinder(0.3, 0.25), cylinder(0.05, 0.6)}) {
      const Placed placed = placed_near(random, other, half, hull, i);
      for (const double margin : {0.0, 0.01}) {
        std::vector<int> expected = numbers(close_features(placed.as_box, placed.other, margin));
        std::vector<int> found = all_close(placed.other, placed.as_hull, margin);
        const auto is_at_margin = [&](int f) {  // rounding decides
          return std::fabs(contact_geometry(placed.as_box, placed.other, f).gap - margin) < 1e-13;
        };
        std::erase_if(expected, is_at_margin);
        std::erase_if(found, is_at_margin);
        all += static_cast<int>(expected.size());
        if (expected != found && ++differ < 8)
          ADD_FAILURE() << "placement " << i << ", margin " << margin << ": " << testing::PrintToString(expected)
                        << " and " << testing::PrintToString(found);
        for (const int f : expected) {
          const ContactGeometry one = swapped(contact_geometry(placed.as_box, placed.other, f));
          const ContactGeometry same = contact_geometry(placed.other, placed.as_hull, f);
          worst = std::max({worst, std::fabs(one.gap - same.gap), (one.normal - same.normal).norm(),
                            (one.point_a - same.point_a).norm(), (one.point_b - same.point_b).norm()});
        }
      }
      worst_distance = std::max(worst_distance, std::fabs(signed_distance(placed.as_box, placed.other) -
                                                          signed_distance(placed.other, placed.as_hull)));
    }
  }
  EXPECT_EQ(differ, 0) << "of " << all;
  EXPECT_GT(all, 10000);
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(worst_distance, 1e-14);
}

TEST(CylinderBesideAHull, KeepsTheContractOfPairs) {
  Random random(16);
  for (int i = 0; i < 300; ++i) {
    const Hull one = i % 4 < 2 ? nut(i % 2 == 0 ? 0 : 0.1) : tetrahedron(i % 2 == 0 ? 0 : 0.1);
    const PlacedShape b = one.placed(1.6 * random.direction(), random.axes());
    PlacedShape a = cylinder(0.4, 0.3);
    a.axes = random.axes();
    const int features = CylinderOnCore(core_counts(b.type, b.corners, b.structure), i % 2 != 0).features;
    for (int f = 0; f < features; ++f) {
      const ContactGeometry c = contact_geometry(a, b, f);
      ASSERT_NEAR(c.normal.norm(), 1, 1e-12);
      ASSERT_LT((c.point_b - c.point_a - c.gap * c.normal).norm(), 1e-12);
    }
  }
}

TEST(CylinderBesideAHull, HasTheDistanceThatDirectionsShow) {
  Random random(17);
  for (int i = 0; i < 100; ++i) {
    const double radius = i % 2 == 0 ? 0 : 0.1;
    const Hull one = i % 4 < 2 ? nut(radius) : tetrahedron(radius);
    const PlacedShape b = one.placed(random.uniform(0.2, 1.9) * random.direction(), random.axes());
    PlacedShape a = i % 3 == 0 ? cylinder(0.1, 0.6) : cylinder(0.4, 0.2);
    a.axes = random.axes();
    const double found = signed_distance(a, b), sampled = sampled_separation(a, b, random);
    if (found > 0) {
      EXPECT_NEAR(found, sampled, 2e-3) << i;
    }
    EXPECT_GE(found, sampled - 1e-12) << i;
  }
}

TEST(CylinderBesideAHull, WhereItTouchesHasACandidateOfThatGap) {
  Random random(18);
  for (int i = 0; i < 1500; ++i) {
    const double radius = i % 2 == 0 ? 0 : 0.1, gap = i % 3 == 0 ? 0 : random.uniform(-0.005, 0.005);
    const Hull one = i % 4 < 2 ? nut(radius) : tetrahedron(radius);
    PlacedShape a = i % 5 == 0 ? cylinder(0.1, 0.6) : cylinder(0.4, 0.2);
    PlacedShape b = one.placed(random.direction(), random.axes());
    bring_to(a, b, gap);
    double least = infinity();
    const std::vector<int> close = all_close(a, b, 0.01);
    for (const int f : close) least = std::min(least, contact_geometry(a, b, f).gap);
    std::vector<int> of_all_pages;
    visit_close_features(a, b, 0.01, infinity(), [&](int feature) { of_all_pages.push_back(feature); });
    std::sort(of_all_pages.begin(), of_all_pages.end());
    ASSERT_EQ(of_all_pages, close) << i;
    const double apart = signed_distance(a, b);
    EXPECT_NEAR(least, apart, std::fabs(apart) * 0.0101 + 1e-9) << i;
  }
}

}  // namespace
}  // namespace jostle::test

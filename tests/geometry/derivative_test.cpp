// The Jacobian row of a contact is n.(v_b + w_b x r_b - v_a - w_a x r_a). The stepper builds it from the
// normal and the points; here it must be the derivative of the gap.
#include <gtest/gtest.h>

#include "tests/geometry/brute_force.hpp"
#include "tests/geometry/placements.hpp"

namespace jostle::test {
namespace {

class EveryPair : public testing::TestWithParam<PairTypes> {};
INSTANTIATE_TEST_SUITE_P(Shapes, EveryPair, testing::ValuesIn(all_pairs()),
                         [](const auto& pair) { return name(pair.param); });

PlacedShape moved(PlacedShape shape, const Vec3& along, const Vec3& turn, double amount) {
  shape.position += amount * along;
  if (!turn.isZero()) shape.axes = turned(turn, amount) * shape.axes;
  return shape;
}

struct Rates {
  double measured;  ///< central difference of the gap
  bool smooth;      ///< the normal does not flip on the way
};

Rates rate_of_gap(const Placement& p, int feature, const Vec3& v_a, const Vec3& w_a, const Vec3& v_b, const Vec3& w_b) {
  const double step = 1e-6;
  const auto at = [&](double amount) {
    return contact_geometry(moved(p.a, v_a, w_a, amount), moved(p.b, v_b, w_b, amount), feature);
  };
  const ContactGeometry before = at(-step), after = at(step);
  return {(after.gap - before.gap) / (2 * step), dot(before.normal, after.normal) > 0.99};
}

TEST_P(EveryPair, JacobianRowIsTheDerivativeOfTheGap) {
  Random random(11);
  const int features = feature_count(GetParam().a, GetParam().b);
  int kinks = 0, compared = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(-0.02, 0.1), random);
    for (int feature = 0; feature < features; ++feature) {
      const ContactGeometry c = contact_geometry(p.a, p.b, feature);
      for (int motion = 0; motion < 12; ++motion) {
        Vec3 velocity[4] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // v_a, w_a, v_b, w_b
        velocity[motion / 3] = Vec3::Unit(motion % 3);
        const Rates rates = rate_of_gap(p, feature, velocity[0], velocity[1], velocity[2], velocity[3]);
        const Vec3 point_a = velocity[0] + cross(velocity[1], c.point_a - p.a.position);
        const Vec3 point_b = velocity[2] + cross(velocity[3], c.point_b - p.b.position);
        ++compared;
        if (!rates.smooth) {
          ++kinks;
          continue;
        }
        ASSERT_NEAR(rates.measured, dot(c.normal, point_b - point_a), 2e-6)
            << "feature " << feature << " motion " << motion << " trial " << trial;
      }
    }
  }
  EXPECT_LE(kinks, compared / 1000);  // only features far from being candidates have kinks
}

TEST_P(EveryPair, PointsLieAtTheEndsOfTheGap) {
  Random random(12);
  const int features = feature_count(GetParam().a, GetParam().b);
  for (int trial = 0; trial < 200; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(-0.1, 0.2), random);
    for (int feature = 0; feature < features; ++feature) {
      const ContactGeometry c = contact_geometry(p.a, p.b, feature);
      ASSERT_NEAR(c.normal.norm(), 1, 1e-14);
      ASSERT_LE((c.point_b - c.point_a - c.gap * c.normal).norm(), 1e-12) << feature;
    }
  }
}

// A cap that does not lead lies, with its point towards the other shape, within its capsule. No point lies outside.
TEST_P(EveryPair, PointsOfCandidatesBelongToTheShapes) {
  Random random(13);
  int closest = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Placement p = placed_at(GetParam(), random.uniform(-0.03, 0.1), random);
    const double distance = signed_distance(p.a, p.b);
    close_features(p.a, p.b, 0.1).for_each([&](int feature) {
      const ContactGeometry c = contact_geometry(p.a, p.b, feature);
      const double over_a = height_over_surface(c.point_a, p.a), over_b = height_over_surface(c.point_b, p.b);
      EXPECT_LE(over_a, 1e-8) << "feature " << feature << " trial " << trial;
      EXPECT_LE(over_b, 1e-8) << "feature " << feature << " trial " << trial;
      EXPECT_LE(c.gap, 0.1 + 1e-12);
      if (c.gap > distance + 1e-9) return;
      EXPECT_GE(over_a, -1e-8) << "feature " << feature << " trial " << trial;
      EXPECT_GE(over_b, -1e-8) << "feature " << feature << " trial " << trial;
      ++closest;
    });
  }
  EXPECT_GE(closest, 100);
}

TEST_P(EveryPair, NumbersFitTheFeatureSet) {
  EXPECT_TRUE(supported(GetParam().a, GetParam().b));
  EXPECT_LE(feature_count(GetParam().a, GetParam().b), page_features);
}

TEST(HalfSpaces, HaveNoFeaturesTogether) { EXPECT_FALSE(supported(ShapeType::half_space, ShapeType::half_space)); }

}  // namespace
}  // namespace jostle::test

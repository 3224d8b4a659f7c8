// Boxes, capsules and cylinders that are almost aligned, flush, crossed at right angles or parallel: where rounding
// decides which feature pair stands for a contact, some pair must, and the contacts must carry all of the shared patch.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/geometry/placements.hpp"

namespace jostle::test {
namespace {

using Polygon = std::vector<std::array<double, 2>>;

double area(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto& p = polygon[i];
    const auto& q = polygon[(i + 1) % polygon.size()];
    twice += p[0] * q[1] - p[1] * q[0];
  }
  return 0.5 * twice;
}

/// The part of a polygon where n . x <= offset (Sutherland and Hodgman).
Polygon clipped(const Polygon& polygon, const std::array<double, 2>& n, double offset) {
  Polygon inside;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto& p = polygon[i];
    const auto& q = polygon[(i + 1) % polygon.size()];
    const double height_p = n[0] * p[0] + n[1] * p[1] - offset, height_q = n[0] * q[0] + n[1] * q[1] - offset;
    if (height_p <= 0) inside.push_back(p);
    if ((height_p < 0) != (height_q < 0) && height_p != height_q) {
      const double t = height_p / (height_p - height_q);
      inside.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])});
    }
  }
  return inside;
}

/// Convex hull by monotone chains, counter-clockwise.
Polygon hull(Polygon points) {
  std::sort(points.begin(), points.end());
  Polygon chain;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = chain.size();
    for (const auto& p : points) {
      while (chain.size() >= start + 2) {
        const auto& o = chain[chain.size() - 2];
        const auto& q = chain.back();
        if ((q[0] - o[0]) * (p[1] - o[1]) - (q[1] - o[1]) * (p[0] - o[0]) > 0) break;
        chain.pop_back();
      }
      chain.push_back(p);
    }
    if (!chain.empty()) chain.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return chain;
}

/// 0, or a power of ten from 1e-16 to 1e-1 with either sign.
double tiny(Random& random) {
  const int power = static_cast<int>(random.uniform(0, 17));
  double size = power == 0 ? 0 : 1;
  for (int i = 0; i < power; ++i) size /= 10;
  return random.uniform(-1, 1) < 0 ? -size : size;
}

double one_of(std::initializer_list<double> list, Random& random) {
  return *(list.begin() + static_cast<std::ptrdiff_t>(random.uniform(0, static_cast<double>(list.size()))));
}

TEST(NearlyAlignedBoxes, ContactsCarryTheWholeSharedPatch) {
  Random random(41);
  for (int trial = 0; trial < 800; ++trial) {
    const Vec3 half_a(one_of({0.3, 0.5, 0.8}, random), one_of({0.3, 0.5, 0.8}, random), 0.5);
    const Vec3 half_b(one_of({0.3, 0.5, 0.8}, random), one_of({0.3, 0.5, 0.8}, random), 0.5);
    const double angle = one_of({0, 1.5707963267948966, 0.7853981633974483, 0.4}, random) + tiny(random);
    const Vec3 offset{one_of({0, 0.2, 0.3}, random) + tiny(random), one_of({0, 0.2, 0.5}, random) + tiny(random), 0};
    const PlacedShape a = box(half_a, {0, 0, 0});
    const PlacedShape b = box(half_b, offset + Vec3(0, 0, 1 - 1e-9), turned(z_axis, angle));

    const double c = std::cos(angle), s = std::sin(angle);
    Polygon patch = {
        {-half_a[0], -half_a[1]}, {half_a[0], -half_a[1]}, {half_a[0], half_a[1]}, {-half_a[0], half_a[1]}};
    for (const double sign : {-1.0, 1.0}) {
      patch = clipped(patch, {sign * c, sign * s}, half_b[0] + sign * (c * offset[0] + s * offset[1]));
      patch = clipped(patch, {-sign * s, sign * c}, half_b[1] + sign * (-s * offset[0] + c * offset[1]));
    }
    // With less overlap sideways than the margin, the sides too are about to touch.
    PlacedShape sunk = b;
    sunk.position[2] -= 2e-3;
    if (signed_distance(a, sunk) > -1.999e-3) continue;

    const FeatureSet set = close_features(a, b, 1e-3);
    Polygon points;
    set.for_each([&](int feature) {
      const ContactGeometry contact = contact_geometry(a, b, feature);
      EXPECT_NEAR(contact.gap, -1e-9, 1e-12);
      EXPECT_GE(contact.normal[2], 1 - 1e-12);
      points.push_back({contact.point_a[0], contact.point_a[1]});
    });
    // Edges parallel to 1e-6 do not cross: four triangles of half^2 1e-6 / 2 at most are left out.
    ASSERT_NEAR(area(hull(points)), area(patch), 2 * 0.8 * 0.8 * parallel_sine + 1e-8) << trial;
    EXPECT_LE(set.size(), 8) << trial;
  }
}

/// An orientation that maps axes to axes, to halves of right angles now and then, and a little more.
Mat3 nearly_aligned(Random& random) {
  Mat3 axes = Mat3::Identity();
  for (int k = 0; k < 3; ++k)
    axes = turned(Vec3::Unit(k), one_of({0, 1.5707963267948966, 0.7853981633974483, 0}, random)) * axes;
  return turned(random.direction(), tiny(random)) * axes;
}

void expect_no_overlap_missed(ShapeType type, Random& random, int trial) {
  const auto length = [&] { return one_of({0.2, 0.5, 1}, random); };
  const PlacedShape b = box({length(), length(), length()});
  PlacedShape a{type, {length(), length(), length()}, Vec3::Zero(), nearly_aligned(random)};
  if (type == ShapeType::capsule) a.size[0] = one_of({0, 0.01, 0.2}, random);
  // Move a out along z, at a flush or random place, to an overlap of `depth`.
  const double depth = one_of({1e-6, 1e-4, 1e-2}, random);
  a.position =
      Vec3{one_of({0, 0.3, 0.5, 0.7, 1}, random) + tiny(random), one_of({0, 0.3, 0.5}, random) + tiny(random), 0};
  double low = 0, high = 5;
  for (int i = 0; i < 80; ++i) {
    a.position[2] = 0.5 * (low + high);
    (signed_distance(a, b) < -depth ? low : high) = a.position[2];
  }
  const double distance = signed_distance(a, b);
  if (distance > -0.5 * depth) return;  // misses it however low
  double least = 1;
  const FeatureSet set = close_features(a, b, 1e-3);
  set.for_each([&](int feature) { least = std::min(least, contact_geometry(a, b, feature).gap); });
  // Edges parallel to 1e-6 do not cross; corners stand for them, up to that share of the size.
  ASSERT_LE(least, distance + 2e-6) << trial;
  ASSERT_GE(least, 1.01 * distance - 1e-8) << trial;
  ASSERT_LE(set.size(), 16) << trial;
}

TEST(NearlyAlignedBoxes, NoOverlapIsMissed) {
  Random random(42);
  for (int trial = 0; trial < 800; ++trial) expect_no_overlap_missed(ShapeType::box, random, trial);
}

TEST(NearlyAlignedCapsuleAndBox, NoOverlapIsMissed) {
  Random random(43);
  for (int trial = 0; trial < 800; ++trial) expect_no_overlap_missed(ShapeType::capsule, random, trial);
}

TEST(NearlyParallelCapsules, NoOverlapIsMissed) {
  Random random(44);
  for (int trial = 0; trial < 800; ++trial) {
    const auto length = [&] { return one_of({0.2, 0.5, 1}, random); };
    const PlacedShape a = capsule(0.1, length());
    PlacedShape b = capsule(one_of({0, 0.1}, random), length(), Vec3::Zero(), turned(random.direction(), tiny(random)));
    b.position = Vec3{0.1 + b.size[0] - one_of({1e-6, 1e-4, 1e-2}, random), 0,
                      one_of({0, 0.3, 0.5, 0.8, 1.5}, random) + tiny(random)};
    const double distance = signed_distance(a, b);
    if (distance >= 0) continue;
    double least = 1;
    const FeatureSet set = close_features(a, b, 1e-3);
    set.for_each([&](int feature) { least = std::min(least, contact_geometry(a, b, feature).gap); });
    ASSERT_NEAR(least, distance, 1e-10) << trial;
    EXPECT_LE(set.size(), 5) << trial;  // the four caps of a narrow X, and its crossing
  }
}

class NearlyAlignedWithACylinder : public testing::TestWithParam<ShapeType> {};
INSTANTIATE_TEST_SUITE_P(Shapes, NearlyAlignedWithACylinder,
                         testing::Values(ShapeType::sphere, ShapeType::capsule, ShapeType::box, ShapeType::cylinder),
                         [](const auto& type) { return name(type.param); });

TEST_P(NearlyAlignedWithACylinder, NoOverlapIsMissed) {
  Random random(45);
  int compared = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const auto length = [&] { return one_of({0.2, 0.5, 1}, random); };
    const PlacedShape b{
        ShapeType::cylinder, {length(), length(), 0}, Vec3::Zero(), turned(z_axis, one_of({0, 0.3}, random))};
    PlacedShape a{GetParam(), {length(), length(), length()}, Vec3::Zero(), nearly_aligned(random)};
    if (GetParam() == ShapeType::capsule) a.size[0] = one_of({0, 0.01, 0.2}, random);
    // Move a out along z or x, at a flush or random place, to an overlap of `depth`.
    const double depth = one_of({1e-6, 1e-4, 1e-2}, random);
    const int out = one_of({0, 1}, random) == 0 ? 2 : 0;
    a.position =
        Vec3{one_of({0, 0.3, 0.5, 0.7, 1}, random) + tiny(random), one_of({0, 0.3, 0.5}, random) + tiny(random), 0};
    if (out == 0) std::swap(a.position[0], a.position[2]);
    double low = 0, high = 5;
    for (int i = 0; i < 80; ++i) {
      a.position[out] = 0.5 * (low + high);
      (signed_distance(a, b) < -depth ? low : high) = a.position[out];
    }
    const double distance = signed_distance(a, b);
    if (distance > -0.5 * depth) continue;  // misses it however low
    double least = 1;
    const FeatureSet set = close_features(a, b, 1e-3);
    set.for_each([&](int feature) { least = std::min(least, contact_geometry(a, b, feature).gap); });
    // Edges and rims parallel to 1e-6 do not cross; their ends and the faces stand for them, up to that share of the
    // size.
    ASSERT_LE(least, distance + 2e-6) << trial;
    ASSERT_GE(least, 1.01 * distance - 1e-8) << trial;
    ASSERT_LE(set.size(), 16) << trial;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace jostle::test

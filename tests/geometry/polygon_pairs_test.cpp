// Polygons: gaps, normals and rows against exact arithmetic (tests/data/polygon_pairs.py), and which feature pairs are
// candidates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/geometry/plates.hpp"

namespace jostle::test {
namespace {

const std::vector<double> square = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
/// Solid below z = 0, with a notch of a right angle at (0, -.5).
const std::vector<double> notched = {-2, -1, 2, -1, 2, 0, 0.5, 0, 0, -0.5, -0.5, 0, -2, 0};

TEST(PolygonPairs, GapNormalAndRowAreThoseOfExactArithmetic) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/polygon_pairs.json");
  const nlohmann::json cases = nlohmann::json::parse(file).at("cases");
  double worst_gap = 0, worst_normal = 0, worst_moment = 0;
  int compared = 0;
  for (const auto& one : cases) {
    const auto& pose_a = one.at("pose_a");
    const auto& pose_b = one.at("pose_b");
    const Plate of_a{numbers_of(one.at("a")), {pose_a[2], 0, pose_a[3]}, pose_a[0], pose_a[1]};
    const Plate of_b{numbers_of(one.at("b")), {pose_b[2], 0, pose_b[3]}, pose_b[0], pose_b[1]};
    const PlacedShape a = of_a.placed(), b = of_b.placed();
    for (std::size_t f = 0; f < one.at("pairs").size(); ++f) {
      const auto& exact = one.at("pairs")[f];
      const ContactGeometry c = contact_geometry(a, b, static_cast<int>(f));
      const Vec3 normal(exact[1], 0, exact[2]);
      worst_gap = std::max(worst_gap, std::fabs(c.gap - exact[0].get<double>()));
      worst_normal = std::max(worst_normal, (c.normal - normal).norm());
      const double on_a = -cross(Vec3(c.point_a - a.position), c.normal)[1];
      const double on_b = cross(Vec3(c.point_b - b.position), c.normal)[1];
      worst_moment =
          std::max({worst_moment, std::fabs(on_a - exact[3].get<double>()), std::fabs(on_b - exact[4].get<double>())});
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
  EXPECT_LT(worst_gap, 2e-13);  // of shapes of about 2 m, 3 m apart
  EXPECT_LT(worst_moment, 2e-13);
  EXPECT_LT(worst_normal, 1e-13);
  RecordProperty("worst_gap", std::to_string(worst_gap * 1e15) + "e-15");
}

TEST(PolygonPairs, ASquareOnALongOneHasItsTwoLowerCorners) {
  const Plate long_one = plate({-2, -1, 2, -1, 2, 0, -2, 0});
  EXPECT_EQ(all_close(plate(square, 0.3, 0.5), long_one, 0), (std::vector{0 * 4 + 2, 1 * 4 + 2}));
  EXPECT_EQ(all_close(plate(square, 0.3, 0.5 - 1e-5), long_one, 0), (std::vector{2, 6}));
  EXPECT_TRUE(all_close(plate(square, 0.3, 0.501), long_one, 0).empty());
  // Flush squares: of two corners that coincide, a's stands for both.
  EXPECT_EQ(all_close(plate(square, 0, 1), plate(square), 0), (std::vector{2, 6}));
  // Half over: one corner of each.
  EXPECT_EQ(all_close(plate(square, 0.5, 1), plate(square), 0), (std::vector{0 * 4 + 2, 16 + 2 * 4 + 0}));
}

TEST(PolygonPairs, InANotchACornerTouchesBothSides) {
  const double r = std::sqrt(0.5);
  Plate diamond{square, {0, 0, -0.5 + r}, r, r};  // its lowest corner in the notch
  const auto of_corner = [](int edge) { return 0 * 7 + edge; };
  EXPECT_EQ(all_close(diamond, plate(notched), 1e-9),
            (std::vector{of_corner(3), of_corner(4), 28 + 3 * 4 + 0, 28 + 5 * 4 + 3}));
  diamond.position[2] -= 1e-3;
  const std::vector<int> deep = all_close(diamond, plate(notched), 0);
  EXPECT_TRUE(std::count(deep.begin(), deep.end(), of_corner(3)) == 1 &&
              std::count(deep.begin(), deep.end(), of_corner(4)) == 1);
  const PlacedShape a = diamond.placed();
  const Plate b = plate(notched);
  EXPECT_NEAR(signed_distance(a, b.placed()), -1e-3, 1e-12);  // the way out is up
}

// The line of another tooth's face runs through this notch, too: it has nothing to do with it.
TEST(PolygonPairs, NotchesOfAWheelAreTheirOwn) {
  std::vector<double> wheel;
  for (int i = 0; i < 6; ++i) {
    for (const double r : {1.0, 1.5}) {
      const double angle = pi / 3 * (i + (r > 1 ? 0.5 : 0)) + pi / 2;
      wheel.insert(wheel.end(), {r * std::cos(angle), r * std::sin(angle)});
    }
  }
  const Plate tip = plate({0, 0, 0.2, 0.6, -0.2, 0.6}, 0, 1 - 1e-6);
  const std::vector<int> found = all_close(tip, plate(wheel), 1e-9);
  EXPECT_EQ(found, (std::vector{0, 11}));
}

// A wall of 1 mm: what stands behind it is not in it.
TEST(PolygonPairs, AThinWallHasAFarSide) {
  const Plate wall = plate({-0.001, -1, 0, -1, 0, 1, -0.001, 1});
  const std::vector<int> found = all_close(plate(square, 0.5, 0), wall, 1e-3);
  for (const int feature : found) {
    const Plate box = plate(square, 0.5, 0);
    const ContactGeometry c = contact_geometry(box.placed(), wall.placed(), feature);
    EXPECT_GT(-c.normal[0], 0.99) << feature;  // out of the wall's near side
  }
  EXPECT_EQ(found.size(), 2U);
}

TEST(PolygonPairs, RoundedCornersMeetCornerToCorner) {
  const Plate a = plate(square, 1.01, 1.02, 0.02), b = plate(square, 0, 0, 0.03);
  const double gap = std::hypot(0.01, 0.02) - 0.05;
  EXPECT_EQ(all_close(a, b, 0), (std::vector{32 + 0 * 4 + 2}));
  const ContactGeometry c = contact_geometry(a.placed(), b.placed(), 32 + 2);
  EXPECT_NEAR(c.gap, gap, 1e-15);
  EXPECT_NEAR((c.point_b - c.point_a - c.gap * c.normal).norm(), 0, 1e-15);
  EXPECT_NEAR(signed_distance(a.placed(), b.placed()), gap, 1e-15);
}

TEST(PolygonPairs, SpheresCapsulesAndBoxesHaveOutlines) {
  const Plate b = plate(square);
  const PlacedShape above{ShapeType::sphere, {0.1, 0, 0}, {0.2, 0, 0.59}, Mat3::Identity()};
  EXPECT_NEAR(signed_distance(above, b.placed()), -0.01, 1e-15);
  EXPECT_EQ(all_close(above, b.placed(), 0, outline_features(1, 4)), (std::vector{2}));
  const PlacedShape at_corner{ShapeType::sphere, {0.1, 0, 0}, {0.56, 0, 0.56}, Mat3::Identity()};
  EXPECT_EQ(all_close(at_corner, b.placed(), 0, outline_features(1, 4)), (std::vector{8 + 2}));
  Mat3 along_x;
  along_x << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  const PlacedShape rod{ShapeType::capsule, {0.1, 0.3, 0}, {0, 0, 0.6}, along_x};
  EXPECT_EQ(all_close(rod, b.placed(), 1e-12, outline_features(2, 4)).size(), 2U);
  EXPECT_NEAR(signed_distance(rod, b.placed()), 0, 1e-15);
  const PlacedShape box{ShapeType::box, {0.2, 9, 0.1}, {0, 0, 0.6}, Mat3::Identity()};
  EXPECT_EQ(all_close(box, b.placed(), 1e-12, outline_features(4, 4)).size(), 2U);
  EXPECT_NEAR(signed_distance(box, b.placed()), 0, 1e-15);
}

// Flush but for rounding, edges cross somewhere or nowhere: that is no overlap to speak of.
TEST(PolygonPairs, FlushEdgesDoNotOverlap) {
  Random random(7);
  for (int trial = 0; trial < 20000; ++trial) {
    const double angle = random.uniform(0, 2 * pi), tilted = angle + random.uniform(-1e-15, 1e-15);
    const double along = random.uniform(1, 1.5), up = 0.5 + random.uniform(-1e-16, 1e-16);
    const double c = std::cos(angle), s = std::sin(angle);
    const Plate b{notched, {0, 0, 0}, c, s};
    const Plate a{square, {c * along - s * up, 0, s * along + c * up}, std::cos(tilted), std::sin(tilted)};
    ASSERT_LT(std::fabs(signed_distance(a.placed(), b.placed())), 1e-14) << trial;
    ASSERT_LT(std::fabs(signed_distance(b.placed(), a.placed())), 1e-14) << trial;
  }
}

// Every touch of two random simple polygons (stars about their middles) has a candidate with a gap of 0.
TEST(PolygonPairs, ShapesThatTouchHaveACandidateThere) {
  Random random(46);
  int touching = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const auto star = [&](int corners) {
      std::vector<double> points;
      for (int i = 0; i < corners; ++i) {
        const double angle = 2 * pi * (i + random.uniform(-0.3, 0.3)) / corners, r = random.uniform(0.3, 1);
        points.insert(points.end(), {r * std::cos(angle), r * std::sin(angle)});
      }
      return points;
    };
    Plate a = plate(star(3 + trial % 9)), b = plate(star(3 + trial % 7));
    a.radius = trial % 3 == 0 ? 0.05 : 0;
    const double direction = random.uniform(0, 2 * pi), turn = random.uniform(0, 2 * pi);
    a.cosine = std::cos(turn), a.sine = std::sin(turn);
    double near = 0, far = 5;
    for (int i = 0; i < 80; ++i) {
      const double middle = 0.5 * (near + far);
      a.position = middle * Vec3(std::cos(direction), 0, std::sin(direction));
      (signed_distance(a.placed(), b.placed()) < 0 ? near : far) = middle;
    }
    const PlacedShape first = a.placed(), second = b.placed();
    double least = 1;
    for (const int feature : all_close(a, b, 1e-9))
      least = std::min(least, std::fabs(contact_geometry(first, second, feature).gap));
    EXPECT_LT(least, 1e-9) << trial;
    touching += least < 1e-9;
  }
  EXPECT_EQ(touching, 400);
}

}  // namespace
}  // namespace jostle::test

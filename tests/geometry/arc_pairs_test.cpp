// Polygons with arcs: gaps, normals and rows against 60 digits (tests/data/arc_pairs.py), which feature pairs are
// candidates, and the distance against points that lie dense on the outlines.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/geometry/plates.hpp"

namespace jostle::test {
namespace {

Plate round_plate(const std::vector<double>& corners, const std::vector<double>& bulges, double x = 0, double z = 0) {
  return {corners, {x, 0, z}, 1, 0, 0, bulges};
}
Plate disc(double radius, double x, double z) { return round_plate({-radius, 0, radius, 0}, {1, 1}, x, z); }

/// Two half circles of radius 1 about (-1, 0) and (1, 0), and straight sides between.
const std::vector<double> stadium = {-1, -1, 1, -1, 1, 1, -1, 1}, of_stadium = {0, 1, 0, 1};
/// A block under z = 0 with a half round channel of radius 1 about the origin.
const std::vector<double> channel = {-2, -2, 2, -2, 2, 0, 1, 0, -1, 0, -2, 0}, of_channel = {0, 0, 0, -1, 0, 0};
const std::vector<double> floor_corners = {-9, -1, 9, -1, 9, 0, -9, 0};

TEST(ArcPairs, GapNormalAndRowAreThoseOfSixtyDigits) {
  std::ifstream file(JOSTLE_SOURCE_DIR "/tests/data/arc_pairs.json");
  const nlohmann::json cases = nlohmann::json::parse(file).at("cases");
  double worst_gap = 0, worst_normal = 0, worst_moment = 0;
  int compared = 0;
  for (const auto& one : cases) {
    const auto& pose_a = one.at("pose_a");
    const auto& pose_b = one.at("pose_b");
    const auto plate_of = [](const auto& points, const auto& pose) {
      Plate made{numbers_of(points), {pose[2], 0, pose[3]}, pose[0], pose[1]};
      for (const auto& point : points) made.bulges.push_back(point[2].template get<double>());
      return made;
    };
    const Plate of_a = plate_of(one.at("a"), pose_a), of_b = plate_of(one.at("b"), pose_b);
    const PlacedShape a = of_a.placed(), b = of_b.placed();
    const double size = bounding_radius(a) + bounding_radius(b);  // circles included
    for (const auto& exact : one.at("pairs")) {
      const ContactGeometry c = contact_geometry(a, b, exact[0].get<int>());
      worst_gap = std::max(worst_gap, std::fabs(c.gap - exact[1].get<double>()) / size);
      worst_normal = std::max(worst_normal, (c.normal - Vec3(exact[2], 0, exact[3])).norm());
      const double on_a = -cross(Vec3(c.point_a - a.position), c.normal)[1];
      const double on_b = cross(Vec3(c.point_b - b.position), c.normal)[1];
      worst_moment = std::max({worst_moment, std::fabs(on_a - exact[4].get<double>()) / size,
                               std::fabs(on_b - exact[5].get<double>()) / size});
      EXPECT_LT((c.point_b - c.point_a - c.gap * c.normal).norm(), 1e-14 * size);
      ++compared;
    }
  }
  EXPECT_GT(compared, 600);
  EXPECT_LT(worst_gap, 1e-14);
  EXPECT_LT(worst_moment, 1e-14);
  EXPECT_LT(worst_normal, 1e-12);  // of corners near the centre of an arc
  RecordProperty("worst_gap", std::to_string(worst_gap * 1e15) + "e-15");
}

TEST(ArcPairs, ADiscOnAFloorTouchesWithTheArcBelow) {
  const Plate floor = round_plate(floor_corners, {0, 0, 0, 0});
  const int arcs = 3 * 2 * 4;
  EXPECT_EQ(all_close(disc(0.5, 0.3, 0.5), floor, 0), (std::vector{arcs + 0 * 4 + 2}));
  EXPECT_TRUE(all_close(disc(0.5, 0.3, 0.501), floor, 0).empty());
  Plate turned = disc(0.5, 0.3, 0.5);
  turned.cosine = -1;
  EXPECT_EQ(all_close(turned, floor, 0), (std::vector{arcs + 0 * 4 + 2}));  // one circle
  // Past the end of the floor the corner is what it touches.
  const double r = std::sqrt(0.5);
  EXPECT_EQ(all_close(disc(0.5, 9 + 0.5 * r, 0.5 * r - 1e-9), floor, 0), (std::vector{8 + 2 * 2 + 0}));
  EXPECT_NEAR(signed_distance(disc(0.5, 9 + r, r).placed(), floor.placed()), 0.5, 1e-15);
}

// As a capsule: both ends, while it lies within 30 degrees of level.
TEST(ArcPairs, AStadiumLiesOnBothOfItsArcs) {
  const Plate floor = round_plate(floor_corners, {0, 0, 0, 0});
  const int arcs = 3 * 4 * 4;
  for (const double tilt : {0.0, 1e-12, -1e-12, 0.01, -0.4}) {
    Plate lying = round_plate(stadium, of_stadium, 0, 1);
    lying.cosine = std::cos(tilt), lying.sine = std::sin(tilt);
    EXPECT_EQ(all_close(lying, floor, 1), (std::vector{arcs + 1 * 4 + 2, arcs + 3 * 4 + 2})) << tilt;
    const PlacedShape shape = lying.placed();
    const PlacedShape plane{ShapeType::half_space, Vec3::Zero(), Vec3::Zero(), Mat3::Identity()};
    EXPECT_EQ(all_close(shape, plane, 1, 8), (std::vector{4 + 1, 4 + 3})) << tilt;
    EXPECT_NEAR(signed_distance(shape, plane), signed_distance(shape, floor.placed()), 1e-14);
  }
}

// Where rounding alone says whether an arc is in the floor, the depth is that of the arc, not of its ends.
TEST(ArcPairs, AStadiumThatTouchesOverlapsByRoundingErrors) {
  const Plate floor = round_plate(floor_corners, {0, 0, 0, 0}), other = disc(1, 0.3, -1);
  for (int i = 1; i < 400; ++i) {
    const double tilt = 0.003 * i;
    Plate leaning = round_plate(stadium, of_stadium);
    leaning.cosine = std::cos(tilt), leaning.sine = std::sin(tilt);
    for (const double gap : {0.0, -1e-15, -1e-12, 1e-12}) {
      leaning.position[2] = 1 + leaning.sine + gap;
      EXPECT_NEAR(signed_distance(leaning.placed(), floor.placed()), gap, 1e-14) << tilt;
      EXPECT_NEAR(signed_distance(floor.placed(), leaning.placed()), gap, 1e-14) << tilt;
    }
  }
  for (int i = 0; i < 400; ++i) {  // two arcs
    const double angle = 0.5 + 0.005 * i;
    const Plate ball = disc(0.5, 0.3 + 1.5 * std::cos(angle), -1 + 1.5 * std::sin(angle));
    EXPECT_NEAR(signed_distance(ball.placed(), other.placed()), 0, 1e-14) << angle;
  }
  const Plate ground = round_plate(channel, of_channel);
  for (int i = 0; i < 400; ++i) {  // an arc in a wider one
    const double angle = 0.5 + 0.005 * i;
    for (const double gap : {0.0, -1e-15, -1e-12, 1e-12}) {
      const Plate ball = disc(0.3, (0.7 - gap) * std::cos(angle), -(0.7 - gap) * std::sin(angle));
      EXPECT_NEAR(signed_distance(ball.placed(), ground.placed()), gap, 1e-14) << angle;
      EXPECT_NEAR(signed_distance(ground.placed(), ball.placed()), gap, 1e-14) << angle;
    }
  }
}

TEST(ArcPairs, ADiscInAChannelTouchesItWhereItIsNearest) {
  const Plate ground = round_plate(channel, of_channel);
  const int arcs = 3 * 2 * 6;
  const Plate low = disc(0.3, 0.42, -0.56);  // 0.7 from the middle of the channel
  EXPECT_EQ(all_close(low, ground, 1e-12), (std::vector{arcs + 0 * 6 + 3}));
  const ContactGeometry c = contact_geometry(low.placed(), ground.placed(), arcs + 3);
  EXPECT_NEAR(c.gap, 0, 1e-15);
  EXPECT_LT((c.normal - Vec3(0.6, 0, -0.8)).norm(), 1e-15);
  EXPECT_NEAR(signed_distance(disc(0.3, 0.3, -0.4).placed(), ground.placed()), 0.2, 1e-15);
  EXPECT_NEAR(signed_distance(disc(0.3, 0.45, -0.6).placed(), ground.placed()), -0.05, 1e-14);
  // A disc that is wider than the channel lies on its two corners.
  const double height = std::sqrt(1.25 * 1.25 - 1);
  EXPECT_EQ(all_close(disc(1.25, 0, height), ground, 1e-12), (std::vector{12 + 3 * 2 + 0, 12 + 4 * 2 + 0}));
  EXPECT_NEAR(signed_distance(disc(1.25, 0, height + 0.01).placed(), ground.placed()),
              std::hypot(1, height + 0.01) - 1.25, 1e-14);
  // So does a sphere.
  const PlacedShape ball{ShapeType::sphere, {1.25, 0, 0}, {0, 0, height}, Mat3::Identity()};
  EXPECT_EQ(all_close(ball, ground.placed(), 1e-12, outline_features(1, 6, true)), (std::vector{12 + 3, 12 + 4}));
  const PlacedShape small{ShapeType::sphere, {0.3, 0, 0}, {0.42, 0, -0.56}, Mat3::Identity()};
  EXPECT_EQ(all_close(small, ground.placed(), 1e-12, outline_features(1, 6, true)), (std::vector{3}));
}

TEST(ArcPairs, TheCornersOfABoxTouchAChannel) {
  const Plate ground = round_plate(channel, of_channel);
  const PlacedShape box{ShapeType::box, {0.6, 1, 0.2}, {0, 0, -0.6}, Mat3::Identity()};
  const std::vector<int> found = all_close(box, ground.placed(), 1e-12, outline_features(4, 6, true));
  ASSERT_EQ(found.size(), 2U);
  for (const int feature : found) EXPECT_EQ(feature % 6, 3) << feature;
}

/// Points that lie dense on the outline.
std::vector<Vec2> points_on(const Plate& plate, int per_edge) {
  const PlacedShape shape = plate.placed();
  const Outline outline(shape, shape.axes.col(2));
  std::vector<Vec2> points;
  for (int e = 0; e < outline.corners; ++e) {
    const Vec2 p = outline.corner(e), q = outline.corner(outline.after(e));
    for (int k = 0; k < per_edge; ++k) {
      const double share = static_cast<double>(k) / per_edge;
      Vec2 x = p + share * (q - p);
      if (outline.is_arc(e)) {
        const CircularArc arc = outline.arc(e);
        const double angle = 4 * std::atan(outline.bulge(e)) * share, c = std::cos(angle), s = std::sin(angle);
        const Vec2 d = p - arc.centre;
        x = arc.centre + Vec2{c * d.x - s * d.y, s * d.x + c * d.y};
      }
      points.push_back({shape.position[0] + plate.cosine * x.x - plate.sine * x.y,
                        shape.position[2] + plate.sine * x.x + plate.cosine * x.y});
    }
  }
  return points;
}

Plate random_plate(Random& random, int corners) {
  Plate made;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * pi * (i + random.uniform(-0.2, 0.2)) / corners, r = random.uniform(0.6, 1);
    made.corners.insert(made.corners.end(), {r * std::cos(angle), r * std::sin(angle)});
    made.bulges.push_back(random.uniform(0, 1) < 0.3 ? 0 : random.uniform(-0.25, 0.35));
  }
  const double turn = random.uniform(0, 2 * pi);
  made.cosine = std::cos(turn), made.sine = std::sin(turn);
  return made;
}

// Apart, the distance is that of the nearest points; and every touch has a candidate with a gap of 0.
TEST(ArcPairs, ShapesThatTouchHaveACandidateThere) {
  Random random(451);
  double worst = 0, least_overlap_seen = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Plate a = random_plate(random, 3 + trial % 5), b = random_plate(random, 3 + trial % 4);
    a.radius = trial % 3 == 0 ? 0.05 : 0;
    const double direction = random.uniform(0, 2 * pi);
    const auto move_to = [&](double far) { a.position = far * Vec3(std::cos(direction), 0, std::sin(direction)); };
    double near = 0, far = 4;
    for (int i = 0; i < 60; ++i) {
      move_to(0.5 * (near + far));
      (signed_distance(a.placed(), b.placed()) < 0 ? near : far) = 0.5 * (near + far);
    }
    move_to(far);
    const PlacedShape first = a.placed(), second = b.placed();
    double least = 1;
    for (const int feature : all_close(a, b, 1e-9))
      least = std::min(least, std::fabs(contact_geometry(first, second, feature).gap));
    EXPECT_LT(least, 1e-9) << trial;
    for (const double apart : {0.0, 0.02, 0.3}) {
      move_to(far + apart);
      double nearest = infinity();
      for (const Vec2& p : points_on(a, 60))
        for (const Vec2& q : points_on(b, 60)) nearest = std::min(nearest, dot(p - q, p - q));
      worst = std::max(worst, std::fabs(std::sqrt(nearest) - a.radius - signed_distance(a.placed(), second)));
    }
    move_to(far - 1e-4);
    const double overlap = signed_distance(a.placed(), second);
    least_overlap_seen = std::min(least_overlap_seen, overlap);
    EXPECT_LT(overlap, 0) << trial;
    EXPECT_GT(overlap, -1.01e-4) << trial;
  }
  EXPECT_LT(worst, 0.02);  // points are up to 0.03 m apart
  EXPECT_LT(least_overlap_seen, -5e-5);
}

// An arc goes on as a ball past its end, inside of the solid. Near the tip of a blade of 6 degrees the ball comes out
// on the other side, where a small plate lies that is 14 mm away.
TEST(ArcPairs, AnArcDoesNotGoOnThroughAThinTip) {
  const double x = -0.342, z = -std::sqrt(1 - x * x), bulge = std::tan(std::asin(-x) / 4);
  const Plate blade = round_plate({x, z, 0, -1, 0.4, -1, -0.345, -0.92}, {bulge, 0, 0, 0});
  for (const bool is_above : {true, false}) {
    Plate small = plate({-0.04, -0.01, 0.04, -0.01, 0.04, 0.01, -0.04, 0.01}, 0.3, is_above ? -0.95 : -1.05);
    small.cosine = std::cos(0.3), small.sine = std::sin(0.3);
    const double apart = signed_distance(blade.placed(), small.placed());
    EXPECT_NEAR(signed_distance(small.placed(), blade.placed()), apart, 1e-15);
    const double below = 0.05 - 0.04 * small.sine - 0.01 * small.cosine;
    EXPECT_NEAR(apart, is_above ? 0.014020844633406396 : below, 1e-15);  // the former by another program
    EXPECT_TRUE(all_close(blade, small, 0.9 * apart).empty()) << is_above;
    EXPECT_TRUE(all_close(small, blade, 0.9 * apart).empty()) << is_above;
    EXPECT_FALSE(all_close(small, blade, 1.1 * apart).empty()) << is_above;
  }
}

// Edges cross where no corner and no arc's lowest point is inside.
TEST(ArcPairs, ABarThroughADiscOverlaps) {
  const Plate bar = round_plate({-2, -0.1, 2, -0.1, 2, 0.1, -2, 0.1}, {0, 0, 0, 0});
  Plate standing = disc(0.5, 0.1, 0.05);
  standing.cosine = 0, standing.sine = 1;
  EXPECT_LT(signed_distance(standing.placed(), bar.placed()), -0.04);
  const Plate lens = round_plate({-2, 0, 2, 0}, {0.1, 0.1});
  EXPECT_LT(signed_distance(standing.placed(), lens.placed()), -0.1);
  EXPECT_LT(signed_distance(lens.placed(), standing.placed()), -0.1);
}

}  // namespace
}  // namespace jostle::test

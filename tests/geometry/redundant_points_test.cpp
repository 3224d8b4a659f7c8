// Which points over a line or a plane are redundant, against every triangle of those that are kept.
#include "core/geometry/redundant_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace jostle {
namespace {

using Points = std::vector<PointOverPlane>;

constexpr double tolerance = 1e-12;

/// The numbers of the points that are kept, in ascending order.
std::vector<int> kept_of(const Points& points, bool over_plane) {
  std::vector<int> kept;
  const auto each = [&](auto f) {
    for (const PointOverPlane& point : points) f(point);
  };
  const RedundantPoints redundant(
      each, [&](const PointOverPlane& point) { kept.push_back(point.feature); }, tolerance);
  over_plane ? redundant.keep_over_plane() : redundant.keep_over_line();
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

std::vector<int> over_line(const Points& points) { return kept_of(points, false); }
std::vector<int> over_plane(const Points& points) { return kept_of(points, true); }

/// Points at these places in the order of their numbers; `gap`(x, y).
Points points_at(const std::vector<std::pair<double, double>>& places, auto gap) {
  Points points;
  for (const auto& [x, y] : places) points.push_back({static_cast<int>(points.size()), x, y, gap(x, y)});
  return points;
}

double flat(double, double) { return -1e-5; }
double tilted(double x, double y) { return 0.01 * x - 0.003 * y - 1e-5; }

TEST(RedundantPointsOverALine, AreThoseBetweenTheOuterTwoOnALine) {
  const std::vector<std::pair<double, double>> teeth = {{0.02, 0}, {-0.01, 0}, {0, 0}, {0.01, 0}, {-0.02, 0}};
  EXPECT_EQ(over_line(points_at(teeth, flat)), (std::vector{0, 4}));
  EXPECT_EQ(over_line(points_at(teeth, tilted)), (std::vector{0, 4}));
}

TEST(RedundantPointsOverALine, AreAboveTheLowerHull) {
  const Points points = {{0, 0, 0, 0}, {1, 1, 0, -0.1}, {2, 2, 0, -0.1}, {3, 3, 0, 0.2}, {4, 4, 0, 0}, {5, 1.5, 0, 1}};
  EXPECT_EQ(over_line(points), (std::vector{0, 1, 2, 4}));
}

TEST(RedundantPointsOverALine, AreNotThoseThatAreLowerThanRounding) {
  const auto middle = [](double gap) { return Points{{0, 0, 0, 0}, {1, 1, 0, gap}, {2, 2, 0, 0}}; };
  EXPECT_EQ(over_line(middle(-0.5 * tolerance)), (std::vector{0, 2}));
  EXPECT_EQ(over_line(middle(-2 * tolerance)), (std::vector{0, 1, 2}));
}

TEST(RedundantPointsOverALine, OfOnePlaceTheLowestStaysAndOfEqualOnesTheFirst) {
  EXPECT_EQ(over_line({{3, 0, 0, 0}, {5, 0, 0, 0}, {7, 1, 0, 0}, {9, 1, 0, 0}}), (std::vector{3, 7}));
  EXPECT_EQ(over_line({{3, 0, 0, 0}, {5, 0, 0, -1}, {7, 1, 0, 0}, {9, 1, 0, -1}}), (std::vector{5, 9}));
  EXPECT_EQ(over_line({{3, 0, 0, 0}, {5, 0, 0, 0}, {7, 0, 0, 0}}), (std::vector{3}));
}

TEST(RedundantPointsOverAPlane, AreThoseWithinTheOuterOnesAndOnTheirEdges) {
  const std::vector<std::pair<double, double>> patch = {{0, 0},   {1, 0}, {1, 1},   {0, 1},    {0.5, 0},
                                                        {1, 0.3}, {0, 0}, {0.2, 1}, {0.4, 0.7}};
  for (const auto& gap : {flat, tilted}) EXPECT_EQ(over_plane(points_at(patch, gap)), (std::vector{0, 1, 2, 3}));
}

TEST(RedundantPointsOverAPlane, OnOneLineAreThoseBetweenTheOuterTwo) {
  const std::vector<std::pair<double, double>> edge = {{0, 0}, {0.1, 0.2}, {0.2, 0.4}, {0.3, 0.6}};
  EXPECT_EQ(over_plane(points_at(edge, tilted)), (std::vector{0, 3}));
}

TEST(RedundantPointsOverAPlane, BelowItOrOutsideStay) {
  Points points = points_at({{0, 0}, {3, 0}, {0, 3}, {1, 1}, {0.5, 0.5}, {1.4, 1.4}, {1.6, 1.6}}, flat);
  points[3].gap -= 1e-6;  // below
  points[4].gap += 1e-6;  // above and within
  points[5].gap += 1e-6;
  points[6].gap += 1e-6;  // above and outside
  EXPECT_EQ(over_plane(points), (std::vector{0, 1, 2, 3, 6}));
}

double area(const PointOverPlane& a, const PointOverPlane& b, const PointOverPlane& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether a point lies within a triangle, corners included, to within `off` (m).
bool is_within(const PointOverPlane& x, const PointOverPlane& a, const PointOverPlane& b, const PointOverPlane& c,
               double off) {
  const double whole = area(a, b, c);
  if (std::fabs(whole) < 1e-9) {  // on a line: between two of its corners
    const auto between = [&](const PointOverPlane& p, const PointOverPlane& q) {
      const double length = std::hypot(q.x - p.x, q.y - p.y);
      if (length < off) return std::hypot(x.x - p.x, x.y - p.y) < off;
      const double along = ((x.x - p.x) * (q.x - p.x) + (x.y - p.y) * (q.y - p.y)) / length;
      return std::fabs(area(p, q, x)) < off * length && along > -off && along < length + off;
    };
    return between(a, b) || between(b, c) || between(c, a);
  }
  return area(a, b, x) / whole > -off && area(b, c, x) / whole > -off && area(c, a, x) / whole > -off;
}

bool is_within_any(const PointOverPlane& x, const Points& corners, double off) {
  for (std::size_t i = 0; i < corners.size(); ++i)
    for (std::size_t j = i; j < corners.size(); ++j)
      for (std::size_t k = j; k < corners.size(); ++k)
        if (is_within(x, corners[i], corners[j], corners[k], off)) return true;
  return false;
}

// Points of a lattice have many on one line; any rotation of it makes rounding errors. What is left out lies within
// what is kept, and nothing that is kept lies within the rest of it.
TEST(RedundantPointsOverAPlane, AgreesWithEveryTriangle) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> place(-4, 4), count(1, 24);
  std::uniform_real_distribution<double> real(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const double angle = 3 * real(random), c = std::cos(angle), s = std::sin(angle), a = real(random), b = real(random);
    const bool is_lattice = i % 2 == 0;
    std::vector<std::pair<double, double>> places;
    for (int k = count(random); k > 0; --k) {
      const double u = is_lattice ? 0.01 * place(random) : 0.04 * real(random);
      const double v = is_lattice ? 0.01 * place(random) : 0.04 * real(random);
      places.emplace_back(c * u - s * v, s * u + c * v);
    }
    const Points points = points_at(places, [&](double x, double y) { return a * x + b * y; });
    const std::vector<int> numbers = over_plane(points);
    Points kept;
    for (const int k : numbers) kept.push_back(points[static_cast<std::size_t>(k)]);
    for (const PointOverPlane& point : points) ASSERT_TRUE(is_within_any(point, kept, 1e-10)) << "placement " << i;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      Points others = kept;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      ASSERT_FALSE(is_within_any(kept[k], others, 1e-13)) << "placement " << i;
    }
  }
}

}  // namespace
}  // namespace jostle

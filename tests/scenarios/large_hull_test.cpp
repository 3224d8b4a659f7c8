// Convex hulls of many corners.
#include <gtest/gtest.h>

#include <chrono>

#include "scenarios/parts/rest.hpp"
#include "tests/support/round_meshes.hpp"

namespace jostle {
namespace {

// 200 quadrangles in each of 98 rings and 200 triangles at each pole; it took minutes where each plane looked at all
// corners and all faces.
TEST(Hull, OfTwentyThousandCornersTakesSeconds) {
  const auto begin = std::chrono::steady_clock::now();
  const TriangleMesh ball = test::round_ball(200, 100);
  const ConvexHull hull = convex_hull(ball.points);
  EXPECT_EQ(hull.points.size(), ball.points.size());
  EXPECT_EQ(hull.faces.size(), 98u * 200 + 2 * 200);
  double share = 0, landed = 0;
  for (const RestingFace& face : resting_faces(hull, Vec3(0.005, 0, 0)))
    share += face.share, landed += face.solid_angle;
  EXPECT_NEAR(share, landed, 1e-12) << "every way over tipping faces ends";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace jostle

// Hulls: a box written as one has the feature pairs, gaps and distances of the box, candidates and all; hulls of other
// kinds keep the contract of pairs, and no feature pair that closes is missed.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/geometry/hulls.hpp"

namespace jostle::test {
namespace {

TEST(BoxAsAHull, HasTheCandidatesOfABox) {
  Random random(5);
  const Vec3 half(0.5, 0.3, 0.2);
  const Hull hull = hull_of_box(half);
  int differ = 0, all = 0;
  double worst = 0;
  for (int i = 0; i < 12000; ++i) {
    for (const PlacedShape& other : {box({0.4, 0.6, 0.25}), sphere(0.3), capsule(0.1, 0.4), capsule(0, 0.4)}) {
      const Placed placed = placed_near(random, other, half, hull, i);
      for (const double margin : {0.0, 0.01}) {
        std::vector<int> expected = numbers(close_features(placed.other, placed.as_box, margin));
        std::vector<int> found = all_close(placed.other, placed.as_hull, margin);
        if (other.type == ShapeType::capsule) {  // corners come after the side's here
          for (int& f : found) f = f >= 56 ? f - 8 : f >= 48 ? f + 16 : f;
          std::ranges::sort(found);
        }
        const auto own_number = [&](int f) {
          return other.type != ShapeType::capsule || f < 48 ? f : f >= 64 ? f - 16 : f + 8;
        };
        const auto is_at_margin = [&](int f) {  // rounding decides
          return std::fabs(contact_geometry(placed.other, placed.as_hull, own_number(f)).gap - margin) < 1e-14;
        };
        std::erase_if(expected, is_at_margin);
        std::erase_if(found, is_at_margin);
        all += static_cast<int>(expected.size());
        if (expected != found) {
          ++differ;
          if (differ < 8)
            ADD_FAILURE() << "placement " << i << ", type " << static_cast<int>(other.type) << ", margin " << margin
                          << ": " << testing::PrintToString(expected) << " and " << testing::PrintToString(found);
        }
        for (const int f : expected) {
          const int own = own_number(f);
          const ContactGeometry one = contact_geometry(placed.other, placed.as_box, f);
          const ContactGeometry same = contact_geometry(placed.other, placed.as_hull, own);
          worst = std::max({worst, std::fabs(one.gap - same.gap), (one.normal - same.normal).norm(),
                            (one.point_a - same.point_a).norm(), (one.point_b - same.point_b).norm()});
        }
      }
      worst = std::max(worst, std::fabs(signed_distance(placed.other, placed.as_box) -
                                        signed_distance(placed.other, placed.as_hull)));
    }
  }
  EXPECT_EQ(differ, 0) << "of " << all;
  EXPECT_GT(all, 50000);
  EXPECT_LT(worst, 1e-12);
}

TEST(Hulls, KeepTheContractOfPairs) {
  Random random(6);
  for (int i = 0; i < 300; ++i) {
    const double radius = i % 2 == 0 ? 0 : 0.1;
    const Hull one = nut(radius), other = tetrahedron(radius);
    const PlacedShape b = one.placed(1.6 * random.direction(), random.axes());
    for (const PlacedShape& a : {sphere(0.3), capsule(0.2, 0.3), box({0.4, 0.5, 0.6}), other.placed()}) {
      const int features =
          polyhedron_features(core_counts(a.type, a.corners, a.structure), core_counts(b.type, b.corners, b.structure),
                              is_rounded(a.type, a.structure) || is_rounded(b.type, b.structure));
      for (int f = 0; f < features; ++f) {
        const ContactGeometry c = contact_geometry(a, b, f);
        ASSERT_NEAR(c.normal.norm(), 1, 1e-12);
        ASSERT_LT((c.point_b - c.point_a - c.gap * c.normal).norm(), 1e-12);
      }
    }
  }
}

using Wide = Eigen::Matrix<long double, 3, 1>;

/// A corner in the world, with 64 bits.
Wide wide_corner(const Polyhedron& core, int i) {
  return core.shape.position.cast<long double>() +
         core.shape.axes.cast<long double>() * core.corner(i).cast<long double>();
}

/// The greatest errors of gap, normal and points of a on b, relative to sizes near 1.
struct Errors {
  double gap = 0, normal = 0, point = 0;
  int compared = 0;

  void add(const ContactGeometry& c, const Wide& normal_from_a, const Wide& x, const Wide& y, double sine) {
    const long double exact = normal_from_a.dot(y - x);
    gap = std::max(gap, sine * static_cast<double>(std::fabs(static_cast<long double>(c.gap) - exact)));
    normal = std::max(normal, sine * static_cast<double>((c.normal.cast<long double>() - normal_from_a).norm()));
    point = std::max(point, sine * static_cast<double>((c.point_a.cast<long double>() - x).norm()));
    ++compared;
  }
};

void compare_corners_on_faces(const PlacedShape& a, const PlacedShape& b, int block, bool is_swapped, Errors& errors) {
  const Polyhedron of_a(a), of_b(b);
  for (int i = 0; i < of_a.corners; ++i)
    for (int f = 0; f < of_b.faces; ++f) {
      std::vector<int> corners;
      of_b.for_each_edge_of(f,
                            [&](int e) { corners.push_back(of_b.edge(e).from), corners.push_back(of_b.edge(e).to); });
      const Wide p = wide_corner(of_b, corners[0]), q = wide_corner(of_b, corners[1]);
      Wide m = Wide::Zero();
      for (const int corner : corners) {
        const Wide across = (q - p).cross(wide_corner(of_b, corner) - p);
        if (across.norm() > m.norm()) m = across;
      }
      m.normalize();
      if (m.dot(of_b.in_world(of_b.normal(f)).cast<long double>()) < 0) m = -m;
      const int feature = block + i * of_b.faces + f;
      const ContactGeometry c = is_swapped ? swapped(contact_geometry(b, a, feature)) : contact_geometry(a, b, feature);
      const Wide x = wide_corner(of_a, i);
      errors.add(c, -m, x, x - m * m.dot(x - p), 1);
    }
}

TEST(Hulls, HaveTheGapsAndNormalsOfLongerNumbers) {
  Random random(9);
  Errors corners, edges;
  for (int i = 0; i < 200; ++i) {
    const Hull one = nut(), other = tetrahedron();
    const PlacedShape a = other.placed(random_vector(random, 1), random.axes());
    const Mat3 axes =
        i % 2 == 0 ? random.axes() : product(turned(random.direction(), 1e-4), a.axes);  // nearly parallel
    const PlacedShape b = one.placed(random_vector(random, 2), axes);
    const Polyhedron of_a(a), of_b(b);
    const int second = of_a.corners * of_b.faces, third = second + of_b.corners * of_a.faces;
    compare_corners_on_faces(a, b, 0, false, corners);
    compare_corners_on_faces(b, a, second, true, corners);
    for (int d = 0; d < of_a.edges; ++d)
      for (int e = 0; e < of_b.edges; ++e) {
        const Wide p = wide_corner(of_a, of_a.edge(d).from), q = wide_corner(of_b, of_b.edge(e).from);
        const Wide u = (wide_corner(of_a, of_a.edge(d).to) - p).normalized();
        const Wide v = (wide_corner(of_b, of_b.edge(e).to) - q).normalized(), across = u.cross(v);
        const auto sine = static_cast<double>(across.norm());
        if (sine < 1e-3) continue;
        const ContactGeometry c = contact_geometry(a, b, third + d * of_b.edges + e);
        Wide n = across.normalized();
        if (n.dot(c.normal.cast<long double>()) < 0) n = -n;
        const Wide x = p + u * ((q - p).cross(v).dot(across) / across.squaredNorm());
        edges.add(c, n, x, q, sine);
      }
  }
  EXPECT_GT(corners.compared + edges.compared, 30000);
  for (const Errors& errors : {corners, edges}) {
    EXPECT_LT(errors.gap, 1e-13);
    EXPECT_LT(errors.normal, 1e-13);
    EXPECT_LT(errors.point, 1e-13);
  }
}

TEST(Hulls, HaveTheDistanceThatDirectionsShow) {
  Random random(7);
  for (int i = 0; i < 60; ++i) {
    const double radius = i % 2 == 0 ? 0 : 0.1;
    const Hull one = nut(radius), other = tetrahedron(radius);
    const PlacedShape b = one.placed(random.uniform(0.2, 1.9) * random.direction(), random.axes());
    for (const PlacedShape& a : {sphere(0.3), capsule(0.2, 0.3), box({0.4, 0.5, 0.6}), other.placed()}) {
      const double found = signed_distance(a, b), sampled = sampled_separation(a, b, random);
      if (found > 0) {
        EXPECT_NEAR(found, sampled, 2e-3) << i << " type " << static_cast<int>(a.type);
      }
      EXPECT_GE(found, sampled - 1e-12);
    }
  }
}

/// The hull of random points of a sphere: three of them make a face if all others lie below it.
Hull round_hull(Random& random, int points) {
  std::vector<Vec3> all;
  for (int i = 0; i < points; ++i) all.push_back(random.direction());
  std::vector<std::vector<int>> faces;
  const auto at = [&](int i) { return all[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < points; ++i) {
    for (int j = i + 1; j < points; ++j) {
      for (int k = i + 1; k < points; ++k) {
        const Vec3 normal = cross(Vec3(at(j) - at(i)), Vec3(at(k) - at(i)));
        const auto is_below = [&](const Vec3& x) { return dot(normal, Vec3(x - at(i))) <= 1e-14; };
        if (j != k && std::ranges::all_of(all, is_below)) faces.push_back({i, j, k});
      }
    }
  }
  return hull_of(all, faces);
}

/// The greatest separation along the normals of all faces and all edges that cross, m.
double separation_of_all(const Polyhedron& a, const Polyhedron& b) {
  const CoreSeenFrom a_from_b(a, b), b_from_a(b, a);
  double greatest = -infinity();
  const auto look_along_faces = [&](const CoreSeenFrom& seen, const Polyhedron& other) {
    for (int f = 0; f < other.faces; ++f) {
      double least = infinity();
      for (int i = 0; i < seen.own.corners; ++i) least = std::min(least, other.height(f, seen.corner(i)));
      greatest = std::max(greatest, least);
    }
  };
  look_along_faces(a_from_b, b), look_along_faces(b_from_a, a);
  for (int d = 0; d < a.edges; ++d) {
    for (int e = 0; e < b.edges; ++e) {
      const CrossedEdges crossed = cross_edges(SeenEdge(a_from_b, a.edge(d)), SeenEdge(b, b.edge(e)));
      if (!crossed.is_apart() && crossed.arcs_cross()) greatest = std::max(greatest, crossed.gap);
    }
  }
  return greatest;
}

/// The least distance of a corner from a face that it is over, and of two edges, m.
double distance_of_all(const Polyhedron& a, const Polyhedron& b) {
  const CoreSeenFrom a_from_b(a, b), b_from_a(b, a);
  double least = infinity();
  const auto look_at_corners = [&](const CoreSeenFrom& seen, const Polyhedron& other) {
    for (int i = 0; i < seen.own.corners; ++i) {
      for (int f = 0; f < other.faces; ++f) {
        const double height = other.height(f, seen.corner(i));
        if (height >= -1e-14 && other.is_over(f, seen.corner(i), 0)) least = std::min(least, std::fabs(height));
      }
    }
  };
  look_at_corners(a_from_b, b), look_at_corners(b_from_a, a);
  for (int d = 0; d < a.edges; ++d) {
    for (int e = 0; e < b.edges; ++e) {
      const SeenEdge of_a(a_from_b, a.edge(d)), of_b(b, b.edge(e));
      const double half_a = 0.5 * of_a.length, half_b = 0.5 * of_b.length;
      least = std::min(least, std::sqrt(squared_segment_distance(of_a.from + half_a * of_a.along, of_a.along, half_a,
                                                                 of_b.from + half_b * of_b.along, of_b.along, half_b)));
    }
  }
  return least;
}

// Searches leave out what cannot tell: the answer is that of all corners, faces and edges. Pages together have what one
// search of the whole pair finds.
TEST(Hulls, OfManyCornersHaveTheDistanceThatAllTheirFeaturesShow) {
  Random random(12);
  int apart = 0, overlapping = 0;
  for (int i = 0; i < 96; ++i) {
    const Hull one = round_hull(random, 8 + i / 2), other = round_hull(random, 40 - i / 4);
    const PlacedShape table = box({1 + 0.2 * i, 1.5, 0.1});
    const PlacedShape hull = other.placed(Vec3::Zero(), random.axes());
    for (const PlacedShape& a : {i % 3 == 0 ? table : hull, i % 3 == 1 ? capsule(0, 0.7) : hull}) {
      PlacedShape b = one.placed(2 * random.direction(), random.axes());
      constexpr double gaps[] = {0, -1e-3, 0.02, -0.1, 1e-7, -0.6};
      if (a.type == ShapeType::box) b.position[2] = 2;
      bring_to(a, b, gaps[i % 6]);
      const Polyhedron core_a(a), core_b(b);
      const double found = signed_distance(a, b), of_all = separation_of_all(core_a, core_b);
      ++(found > 0 ? apart : overlapping);
      EXPECT_NEAR(found, found > 0 ? distance_of_all(core_a, core_b) : of_all, 1e-14) << i;
      std::vector<int> whole;
      visit_close_features(a, b, 0.01, infinity(), [&](int feature) { whole.push_back(feature); });
      std::ranges::sort(whole);
      EXPECT_EQ(whole, all_close(a, b, 0.01)) << i;
      if (std::fabs(of_all) <= 1e-3) {
        EXPECT_FALSE(whole.empty()) << i;
      }
    }
  }
  EXPECT_GT(apart, 40);
  EXPECT_GT(overlapping, 40);
}

// Wherever two shapes come to touch, a candidate has a gap of 0, and none is deeper than the shapes overlap. Of shapes
// that are millimetres apart a corner may be nearest to an edge or a corner, which are no feature pairs: at most one of
// a thousand such places has none.
TEST(Hulls, ThatTouchHaveACandidateOfThatGap) {
  Random random(8);
  int apart_without = 0;
  for (int i = 0; i < 1500; ++i) {
    const double radius = i % 2 == 0 ? 0 : 0.1, gap = i % 3 == 0 ? 0 : random.uniform(-0.005, 0.005);
    const Hull one = nut(radius), other = tetrahedron(i % 4 < 2 ? radius : 0);
    for (const PlacedShape& a : {sphere(0.3), capsule(0.2, 0.3), box({0.4, 0.5, 0.6}), other.placed()}) {
      const Vec3 position = random.direction();
      PlacedShape b = one.placed(position, random.axes());
      bring_to(a, b, gap);
      double least = infinity();
      for (const int f : all_close(a, b, 0.01)) least = std::min(least, contact_geometry(a, b, f).gap);
      const double apart = signed_distance(a, b);
      if (apart > 1e-3 && least == infinity()) {
        ++apart_without;
        continue;
      }
      EXPECT_NEAR(least, apart, std::fabs(apart) * 0.0101 + 1e-9) << i << " type " << static_cast<int>(a.type);
    }
  }
  EXPECT_LE(apart_without, 6);
}

/// A random tetrahedron: many of its edges are sharper than 90 degrees.
Hull splinter(Random& random) {
  std::vector<Vec3> corners;
  Vec3 middle = Vec3::Zero();
  for (int i = 0; i < 4; ++i) corners.push_back(random.direction()), middle += 0.25 * corners.back();
  for (Vec3& corner : corners) corner -= middle;
  const Vec3 across = cross(Vec3(corners[1] - corners[0]), Vec3(corners[2] - corners[0]));
  if (dot(across, Vec3(corners[3] - corners[0])) < 0) std::swap(corners[0], corners[1]);
  return hull_of(corners, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}

// A corner that has come through a face near a sharp edge has left the solid again behind it. However deep shapes are,
// the pair along which they overlap least is a candidate: without one nothing would hold them, and they would get
// deeper.
TEST(Hulls, ThatOverlapHaveACandidateOfTheirDepth) {
  Random random(10);
  for (int i = 0; i < 1500; ++i) {
    const double share = i % 3 == 0 ? 0.1 : (i % 3 == 1 ? 0.01 : 1e-3);
    const Hull one = splinter(random), other = splinter(random);
    const Vec3 position = random.direction();
    const Mat3 axes = random.axes();
    for (const PlacedShape& a : {capsule(0, 0.4), box({0.4, 0.5, 0.6}), other.placed(Vec3::Zero(), random.axes())}) {
      PlacedShape b = one.placed(position, axes);
      bring_to(a, b, -share * random.uniform(0.5, 1));
      const double apart = signed_distance(a, b);
      if (!(apart < 0)) continue;
      double nearest = infinity(), least = infinity();
      for (const int f : all_close(a, b, 0)) {
        const double gap = contact_geometry(a, b, f).gap;
        nearest = std::min(nearest, std::fabs(gap - apart)), least = std::min(least, gap);
      }
      EXPECT_LE(nearest, 1e-12) << i << " type " << static_cast<int>(a.type);
      EXPECT_GE(least, 1.0101 * apart - 1e-8) << i << " type " << static_cast<int>(a.type);
    }
  }
}

TEST(Nut, StandsOnItsSixCorners) {
  const Hull hull = nut();
  const PlacedShape b = hull.placed({0, 0, 0.41});
  EXPECT_EQ(close_features(b, half_space(), 0.02).size(), 6);
  EXPECT_EQ(all_close(table(), b, 0.02).size(), 6U);
  const PlacedShape on_nut = hull.placed({0, 0, 0.8 + 0.41});
  EXPECT_EQ(all_close(b, on_nut, 0.02).size(), 6U);
  const PlacedShape turned_on_nut = hull.placed({0, 0, 0.8 + 0.41}, turned(z_axis, 0.2));
  EXPECT_EQ(all_close(b, turned_on_nut, 0.02).size(), 12U);
  EXPECT_NEAR(signed_distance(b, turned_on_nut), 0, 1e-15);
}

}  // namespace
}  // namespace jostle::test

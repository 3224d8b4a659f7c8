// Boxes written as hulls are searched as boxes: the candidates and the distance are those of any hull. A search for
// some of the candidates finds these.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/geometry/hulls.hpp"

namespace jostle::test {
namespace {

/// A box whose corners, faces and edges have other numbers than those of a box.
Hull shuffled_box(Random& random, const Vec3& half) {
  const PlacedShape shape = box(half);
  const Polyhedron core(shape);
  std::vector<int> number(box_corners);  // in the hull, of the corners of the box
  std::iota(number.begin(), number.end(), 0);
  for (std::size_t i = number.size(); i-- > 1;)
    std::swap(number[i], number[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i) + 0.999))]);
  std::vector<Vec3> corners(box_corners);
  for (int i = 0; i < box_corners; ++i)
    corners[static_cast<std::size_t>(number[static_cast<std::size_t>(i)])] = core.corner(i);
  std::vector<std::vector<int>> faces;
  for (int f : {3, 0, 5, 1, 4, 2}) {
    const int k = f / 2, next = axis_after(k, 1), last = axis_after(k, 2), base = (f & 1) << k;
    std::vector<int> loop = {base, base + (1 << next), base + (1 << next) + (1 << last), base + (1 << last)};
    if ((f & 1) == 0) std::ranges::reverse(loop);
    for (int& corner : loop) corner = number[static_cast<std::size_t>(corner)];
    faces.push_back(loop);
  }
  return hull_of(corners, faces);
}

/// The same, told to be a box (polyhedron.hpp).
Hull told_to_be_a_box(const Hull& plain, const Vec3& half) {
  const PlacedShape as_box = box(half), as_hull = plain.placed();
  const Polyhedron of_box(as_box), of_hull(as_hull);
  Hull told = plain;
  told.structure[7] = 1;
  const auto append = [&](int count, auto of_one, auto of_other) {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < count; ++k)
        if ((of_one(i) - of_other(k)).norm() < 1e-14) told.structure.push_back(k);
  };
  append(
      box_corners, [&](int i) { return of_box.corner(i); }, [&](int i) { return of_hull.corner(i); });
  append(
      box_faces, [&](int f) { return of_box.normal(f); }, [&](int f) { return of_hull.normal(f); });
  const auto middle = [](const Polyhedron& core, int e) {
    const PolyhedronEdge edge = core.edge(e);
    return Vec3(core.corner(edge.from) + core.corner(edge.to));
  };
  append(
      box_edges, [&](int e) { return middle(of_box, e); }, [&](int e) { return middle(of_hull, e); });
  EXPECT_EQ(told.structure.size(), plain.structure.size() + box_corners + box_faces + box_edges);
  return told;
}

TEST(BoxTold, HasTheCandidatesAndTheDistanceOfAHull) {
  Random random(31);
  const Vec3 half(0.5, 0.3, 0.2), other_half(0.4, 0.6, 0.25);
  int candidates = 0;
  for (int i = 0; i < 6000; ++i) {
    const Hull plain = shuffled_box(random, half), told = told_to_be_a_box(plain, half);
    const Hull other_plain = shuffled_box(random, other_half), other_told = told_to_be_a_box(other_plain, other_half);
    const bool is_hull = i % 2 == 0;
    const Placed placed = placed_near(random, box(other_half), half, told, i);
    const auto at = [](const Hull& hull, const PlacedShape& where) { return hull.placed(where.position, where.axes); };
    const PlacedShape a = is_hull ? at(other_told, placed.other) : placed.other, b = placed.as_hull;
    const PlacedShape plain_a = is_hull ? at(other_plain, placed.other) : placed.other, plain_b = at(plain, b);
    for (const double margin : {0.0, 0.01}) {
      std::vector<int> found = all_close(a, b, margin), expected = all_close(plain_a, plain_b, margin);
      for (std::vector<int>* const list : {&found, &expected})
        std::erase_if(*list, [&](int f) {  // rounding decides
          return std::fabs(contact_geometry(a, b, f).gap - margin) < 1e-14;
        });
      ASSERT_EQ(found, expected) << i;
      candidates += static_cast<int>(found.size());
    }
    ASSERT_NEAR(signed_distance(a, b), signed_distance(plain_a, plain_b), 1e-12) << i;
  }
  EXPECT_GT(candidates, 10000);
}

TEST(WantedFeatures, AreThoseThatTheWholeSearchFinds) {
  Random random(32);
  const Hull one = nut(), other = tetrahedron(), rounded = nut(0.05);
  int found = 0, left_out = 0;
  for (int i = 0; i < 3000; ++i) {
    PlacedShape a = i % 3 == 0 ? box({0.4, 0.6, 0.25}) : (i % 3 == 1 ? other : one).placed();
    a.axes = random.axes();
    PlacedShape b = (i % 2 == 0 ? one : rounded).placed(1.5 * random.direction(), random.axes());
    bring_to(a, b, random.uniform(-0.02, 0.01));
    const PlacedShape plane{ShapeType::half_space, Vec3::Zero(), b.position - 0.4 * random.direction(), random.axes()};
    const int of_pair = polyhedron_features(core_counts(a.type, a.corners, a.structure),
                                            core_counts(b.type, b.corners, b.structure), i % 2 != 0);
    for (const bool is_on_plane : {false, true}) {
      const PlacedShape &x = is_on_plane ? b : a, &y = is_on_plane ? plane : b;
      const int features = is_on_plane ? b.corners : of_pair;
      for (int first = 0; first < features; first += page_features) {
        const FeatureSet all = close_features(x, y, 0.01, first);
        FeatureSet only;
        for (int k = 0; k < page_features && first + k < features; ++k)
          if (random.uniform(0, 1) < 0.5) only.insert(k);
        const FeatureSet expected = only.without(only.without(all));
        ASSERT_TRUE(close_features(x, y, 0.01, first, &only) == expected) << i;
        found += expected.size(), left_out += all.size() - expected.size();
      }
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(left_out, 1000);
}

}  // namespace
}  // namespace jostle::test

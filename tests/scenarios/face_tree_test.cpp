// Trees of boxes of large parts: they skip work, and change nothing. What is found with the tree is compared with what
// is found when the structure says that there is none, to the bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/geometry/near_other.hpp"
#include "core/geometry/passing_edges.hpp"
#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/hull.hpp"
#include "tests/geometry/placements.hpp"
#include "tests/support/round_meshes.hpp"

namespace jostle {
namespace {

/// A part with the numbers of its shape; without_tree: the same without its tree.
struct Part {
  ShapeSpec spec;
  std::vector<double> numbers;
  PlacedShape placed, without_tree;
  std::vector<int> plain_structure;

  explicit Part(const TriangleMesh& mesh) {
    spec.type = ShapeType::hull;
    set_surface(closed_surface(mesh, hull_tolerance), {}, spec.hull);
    placed = without_tree = shape_in_body(spec, nullptr, &numbers);
    plain_structure = spec.hull.structure.packed;
    plain_structure[6] = 0;
    without_tree.structure = plain_structure.data();
    placed.position = without_tree.position = Vec3::Zero();
  }
  PlacedShape at(const Mat3& axes, const Vec3& position, bool with_tree) const {
    PlacedShape shape = with_tree ? placed : without_tree;
    shape.axes = axes, shape.position = position;
    return shape;
  }
};

std::vector<int> found(const PlacedShape& a, const PlacedShape& b, double margin, double deepest) {
  std::vector<int> list;
  visit_close_features(a, b, margin, deepest, [&](int feature) { list.push_back(feature); });
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// Moves a along a line until it touches b, then by `further`.
template <class Shape>
bool bring_to_touch(Shape shape_at, const PlacedShape& b, const Vec3& towards, double further, Vec3& position) {
  position = -0.1 * towards;
  double apart = signed_distance(shape_at(position), b);
  for (int k = 0; k < 200 && apart > 1e-14 && dot(position, towards) < 0.1; ++k) {
    position += apart * towards;
    apart = signed_distance(shape_at(position), b);
  }
  position += further * towards;
  return apart < 1e-12;
}

class FaceTree : public testing::Test {
 protected:
  static const Part& bumpy() {
    static const Part part(test::bumpy_ball(24, 25));
    return part;
  }
  static const Part& ball() {
    static const Part part(test::round_ball(20, 15));
    return part;
  }
};

TEST_F(FaceTree, IsThereForLargePartsAlone) {
  EXPECT_GT(bumpy().spec.hull.structure.packed[6], 0);
  EXPECT_GT(ball().spec.hull.structure.packed[6], 0);
  EXPECT_EQ(Part(test::bumpy_ball(8, 9)).spec.hull.structure.packed[6], 0);
}

TEST_F(FaceTree, LocatesPointsAsWithoutIt) {
  test::Random random(5);
  int inside = 0;
  for (const Part* part : {&bumpy(), &ball()}) {
    const Polyhedron with(part->placed), without(part->without_tree);
    const auto same = [&](const Vec3& x) {
      const PlaceInCore a = locate(with, x), b = locate(without, x);
      EXPECT_EQ(a.is_inside, b.is_inside);
      EXPECT_EQ(a.squared_distance, b.squared_distance);
      inside += a.is_inside ? 1 : 0;
    };
    for (int i = 0; i < 2000; ++i) same(random.uniform(0, 0.03) * random.direction());
    for (int i = 0; i < with.corners; ++i)
      same(with.corner(i)), same(0.999 * with.corner(i)), same(1.01 * with.corner(i));
  }
  EXPECT_GT(inside, 1000);
}

/// Whether a box about a point, in the axes of a core, meets a node at the bottom of its tree.
bool is_near(const Polyhedron& core, const Vec3& x, double reach) {
  bool near = false;
  const NearBox box = NearBox::about(x, reach);
  for (int i = 0; i < core.nodes; ++i) {
    const Polyhedron::Node node = core.node(i);
    near = near || (node.count > 0 && box.meets({node.middle, node.half}));
  }
  return near;
}

// What is near the other tree, and no more, is found, also where so much is near that a node has no room for it.
TEST_F(FaceTree, FindsWhatIsNearAnotherTree) {
  test::Random random(11);
  for (const double reach : {0.0, 1e-4, 2e-3, 8e-3, 5e-2}) {
    std::size_t near = 0, far = 0;
    for (int i = 0; i < 12; ++i) {
      const PlacedShape shape_a = bumpy().at(random.axes(), random.uniform(0, 0.05) * random.direction(), true),
                        shape_b = (i % 2 == 0 ? bumpy() : ball()).at(random.axes(), Vec3::Zero(), true);
      const Polyhedron a(shape_a), b(shape_b);
      const CoreSeenFrom b_from_a(b, a), a_from_b(a, b);
      std::vector<int> times(static_cast<std::size_t>(a.corners));
      for_each_corner_near(a, NearOther(b_from_a, reach), 0, a.corners, [&](int corner) { ++times[corner]; });
      for (int corner = 0; corner < a.corners; ++corner) {
        const Vec3 x = a_from_b.corner(corner);
        if (is_near(b, x, reach - 1e-12)) {
          EXPECT_GT(times[corner], 0) << reach;
          ++near;
        } else if (!is_near(b, x, reach + 1e-12)) {
          EXPECT_EQ(times[corner], 0) << reach;
          ++far;
        }
      }
    }
    if (reach > 0) {
      EXPECT_GT(near, 20u) << reach;
    }
    if (reach < 0.05) {
      EXPECT_GT(far, 20u) << reach;
    }
  }
}

TEST_F(FaceTree, FindsTheCandidatesThatAreThereWithoutIt) {
  test::Random random(7);
  const PlacedShape small_ball{ShapeType::sphere, {0.004, 0, 0}, Vec3::Zero(), Mat3::Identity()};
  const PlacedShape rod{ShapeType::capsule, {0.003, 0.01, 0}, Vec3::Zero(), Mat3::Identity()};
  const PlacedShape box{ShapeType::box, {0.01, 0.015, 0.02}, Vec3::Zero(), Mat3::Identity()};
  const PlacedShape plane{ShapeType::half_space, Vec3::Zero(), Vec3::Zero(), Mat3::Identity()};
  const Part wedge(
      {{{0, 0, 0}, {0.03, 0, 0}, {0, 0.04, 0}, {0.01, 0.01, 0.05}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}});
  std::size_t candidates = 0, deep = 0;
  for (const Part* surface : {&bumpy(), &ball()}) {
    for (int kind = 0; kind < 7; ++kind) {
      for (int i = 0; i < 40; ++i) {
        const Mat3 axes_a = random.axes(), axes_b = random.axes();
        const auto other = [&](const Vec3& position, bool with_tree) {
          if (kind >= 4) return (kind == 4 ? wedge : kind == 5 ? bumpy() : ball()).at(axes_a, position, with_tree);
          PlacedShape shape = kind == 0 ? small_ball : kind == 1 ? rod : kind == 2 ? box : plane;
          shape.axes = axes_a, shape.position = position;
          return shape;
        };
        const double further = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1e-6 : i % 4 == 2 ? 2e-4 : -1e-4;
        const double margin = i % 4 == 3 ? 2e-4 : 0.0, deepest = i % 2 == 0 ? 5e-4 : 2e-3;
        PlacedShape a[2], b[2];
        if (kind == 3) {
          b[0] = b[1] = other(Vec3::Zero(), true);
          const double low = signed_distance(surface->at(axes_b, Vec3::Zero(), false), b[0]);
          for (int k = 0; k < 2; ++k) a[k] = surface->at(axes_b, (further + low) * -b[0].axes.col(2), k == 0);
          EXPECT_EQ(signed_distance(a[0], b[0]), signed_distance(a[1], b[1]));
        } else {
          Vec3 position;
          const PlacedShape whole = surface->at(axes_b, Vec3::Zero(), true);
          if (!bring_to_touch([&](const Vec3& x) { return other(x, true); }, whole, random.direction(), further,
                              position))
            continue;
          for (int k = 0; k < 2; ++k) a[k] = other(position, k == 0), b[k] = surface->at(axes_b, Vec3::Zero(), k == 0);
          if (i < 6) {
            EXPECT_EQ(signed_distance(a[0], b[0]), signed_distance(a[1], b[1])) << kind;
          }
        }
        const std::vector<int> with = found(a[0], b[0], margin, deepest);
        if (kind == 3) {
          std::vector<int> without;
          for (int first = 0; first < a[1].corners; first += page_features)
            close_features(a[1], b[1], margin, first).for_each(first, [&](int f) { without.push_back(f); });
          EXPECT_EQ(with, without);
        } else {
          EXPECT_EQ(with, found(a[1], b[1], margin, deepest)) << kind << " " << i;
        }
        candidates += with.size();
        if (further > 0) deep += with.empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(candidates, 300u);
  EXPECT_GT(deep, 100u);
}

/// Takes what a page wants.
struct InPage {
  const detail::PageOfFeatures* page;
  void operator()(int feature) const { page->insert(feature); }
};

TEST_F(FaceTree, OfOnePageFindsWhatIsFoundOfAll) {
  test::Random random(13);
  const PlacedShape box{ShapeType::box, {0.01, 0.015, 0.02}, Vec3::Zero(), Mat3::Identity()};
  std::size_t in_pages = 0, left_out = 0;
  for (int i = 0; i < 60; ++i) {
    const Mat3 axes = random.axes();
    const auto at = [&](const Vec3& x) {
      PlacedShape shape = i % 2 == 0 ? box : ball().placed;
      shape.axes = axes, shape.position = x;
      return shape;
    };
    const PlacedShape b = bumpy().at(random.axes(), Vec3::Zero(), true);
    Vec3 position;
    if (!bring_to_touch(at, b, random.direction(), 2e-4, position)) continue;
    const double margin = 2e-4, deepest = 2e-3;
    const std::vector<int> all = found(at(position), b, margin, deepest);
    for (const int of_page : all) {
      const int first = of_page - of_page % page_features;
      FeatureSet expected, wanted, whole, part;
      for (const int f : all) {
        if (f < first || f >= first + page_features) continue;
        expected.insert(f - first);
        if (random.uniform(0, 1) < 0.5) wanted.insert(f - first);
      }
      const detail::PageOfFeatures page{first, whole}, some{first, part, &wanted};
      visit_close_features(at(position), b, margin, deepest, InPage{&page});
      visit_close_features(at(position), b, margin, deepest, InPage{&some});
      EXPECT_TRUE(whole == expected);
      EXPECT_TRUE(part == wanted);
      in_pages += static_cast<std::size_t>(wanted.size());
      left_out += static_cast<std::size_t>(expected.size() - wanted.size());
    }
  }
  EXPECT_GT(in_pages, 50u);
  EXPECT_GT(left_out, 50u);
}

TEST_F(FaceTree, FindsTheEdgesThatPassWithoutIt) {
  test::Random random(17);
  const PlacedShape box{ShapeType::box, {0.01, 0.015, 0.02}, Vec3::Zero(), Mat3::Identity()};
  int pass = 0, do_not = 0;
  for (int i = 0; i < 80; ++i) {
    const Mat3 axes_a = random.axes(), axes_b = random.axes();
    const Vec3 position = random.uniform(0.02, 0.045) * random.direction();
    const auto have = [&](bool with_tree) {
      PlacedShape a = i % 2 == 0 ? box : ball().at(axes_a, position, with_tree);
      a.axes = axes_a, a.position = position;
      const PlacedShape b = bumpy().at(axes_b, Vec3::Zero(), with_tree);
      return have_passing_edges(Polyhedron(a), Polyhedron(b), 1e-4);
    };
    EXPECT_EQ(have(true), have(false)) << i;
    (have(true) ? pass : do_not) += 1;
  }
  EXPECT_GT(pass, 10);
  EXPECT_GT(do_not, 10);
}

}  // namespace
}  // namespace jostle

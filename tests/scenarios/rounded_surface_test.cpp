// Closed surfaces whose points are rounded, as every file of a CAD program rounds them: what is closed stays closed,
// and what crosses itself still does.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "scenarios/parameters/hull.hpp"
#include "scenarios/parts/closed_surface.hpp"
#include "scenarios/parts/convex_hull.hpp"
#include "scenarios/parts/mass_properties.hpp"
#include "tests/support/message_of.hpp"

namespace jostle {
namespace {

using ::testing::HasSubstr;
using Random = std::mt19937;
constexpr double pi = std::numbers::pi;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

void add_quad(TriangleMesh& mesh, const std::array<int, 4>& q, Random& random) {
  const std::size_t k = random() % 2;  // where the diagonal begins
  mesh.triangles.push_back({q[k], q[k + 1], q[(k + 2) % 4]});
  mesh.triangles.push_back({q[k], q[(k + 2) % 4], q[(k + 3) % 4]});
}

using Ticks = std::array<std::vector<double>, 3>;
using Cell = std::array<int, 3>;

/// The cells of a grid for which `is_solid` holds, the sides of each in n x n squares.
TriangleMesh solid_of_cells(const Ticks& ticks, const std::function<bool(const Cell&)>& is_solid, int n,
                            Random& random) {
  TriangleMesh mesh;
  std::map<std::array<double, 3>, int> known;
  const auto cells = [&](int axis) { return static_cast<int>(ticks[index(axis)].size()) - 1; };
  const auto has = [&](const Cell& c) {
    for (int axis = 0; axis < 3; ++axis)
      if (c[index(axis)] < 0 || c[index(axis)] >= cells(axis)) return false;
    return is_solid(c);
  };
  const auto side = [&](const Cell& c, int axis, int high) {
    const auto corner = [&](int i, int j) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) {
        const std::vector<double>& tick = ticks[index(k)];
        const int part = k == axis ? high * n : (k == (axis + 1) % 3 ? i : j);
        const double from = tick[index(c[index(k)])], to = tick[index(c[index(k)]) + 1];
        x[k] = from + (to - from) * part / n;
      }
      const auto [place, is_new] = known.try_emplace({x[0], x[1], x[2]}, static_cast<int>(mesh.points.size()));
      if (is_new) mesh.points.push_back(x);
      return place->second;
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const int a = corner(i, j), b = corner(i + 1, j), d = corner(i + 1, j + 1), e = corner(i, j + 1);
        add_quad(mesh, high ? std::array{a, b, d, e} : std::array{a, e, d, b}, random);
      }
    }
  };
  for (int i = 0; i < cells(0); ++i)
    for (int j = 0; j < cells(1); ++j)
      for (int k = 0; k < cells(2); ++k)
        for (int axis = 0; axis < 3; ++axis)
          for (const int high : {0, 1}) {
            Cell beside = {i, j, k};
            beside[index(axis)] += high ? 1 : -1;
            if (has({i, j, k}) && !has(beside)) side({i, j, k}, axis, high);
          }
  return mesh;
}

TriangleMesh box(Random& random, int n) {
  return solid_of_cells(
      {{{0, 30}, {0, 20}, {0, 10}}}, [](const Cell&) { return true; }, n, random);
}

TriangleMesh bracket(Random& random) {
  return solid_of_cells(
      {{{0, 10, 30}, {0, 10, 20}, {0, 8}}}, [](const Cell& c) { return c[0] == 0 || c[1] == 0; }, 4, random);
}

TriangleMesh plate_with_hole(Random& random) {
  return solid_of_cells(
      {{{0, 10, 30, 40}, {0, 10, 20, 30}, {0, 6}}}, [](const Cell& c) { return c[0] != 1 || c[1] != 1; }, 2, random);
}

/// Two teeth and their back.
TriangleMesh c_of(double tooth, Random& random) {
  TriangleMesh mesh = solid_of_cells(
      {{{0, 10, 30}, {0, 10, 20, 30}, {0, 8}}}, [](const Cell& c) { return c[0] == 0 || c[1] != 1; }, 2, random);
  for (Vec3& x : mesh.points)
    if (x[0] == 30 && x[1] == 10) x[1] = tooth;
  return mesh;
}

/// Hexagons of 10 and 6 mm round, in four rows.
TriangleMesh nut(Random& random) {
  constexpr int n = 6, rows = 4;
  TriangleMesh mesh;
  for (const double radius : {10.0, 6.0})
    for (int row = 0; row <= rows; ++row)
      for (int k = 0; k < n; ++k)
        mesh.points.emplace_back(radius * std::cos(2 * pi * k / n), radius * std::sin(2 * pi * k / n),
                                 8.0 * row / rows);
  const auto at = [&](bool is_inner, int k, int row) { return ((is_inner ? rows + 1 : 0) + row) * n + k % n; };
  for (int k = 0; k < n; ++k) {
    for (int row = 0; row < rows; ++row)
      for (const bool in : {false, true})
        add_quad(mesh, {at(in, k + in, row), at(in, k + !in, row), at(in, k + !in, row + 1), at(in, k + in, row + 1)},
                 random);
    add_quad(mesh, {at(false, k, rows), at(false, k + 1, rows), at(true, k + 1, rows), at(true, k, rows)}, random);
    add_quad(mesh, {at(false, k + 1, 0), at(false, k, 0), at(true, k, 0), at(true, k + 1, 0)}, random);
  }
  return mesh;
}

/// 20 mm square, with edges that are rounded in many facets.
TriangleMesh bar(double length, double radius, Random& random) {
  constexpr int facets = 64;
  TriangleMesh mesh;
  for (const double z : {0.0, length})
    for (int quarter = 0; quarter < 4; ++quarter)
      for (int k = 0; k <= facets; ++k) {
        const double middle = pi / 2 * (quarter + 0.5), angle = pi / 2 * (quarter + static_cast<double>(k) / facets);
        const double to_centre = std::numbers::sqrt2 * (10 - radius);
        mesh.points.emplace_back(to_centre * std::cos(middle) + radius * std::cos(angle),
                                 to_centre * std::sin(middle) + radius * std::sin(angle), z);
      }
  const int n = 4 * (facets + 1);
  for (int k = 0; k < n; ++k) add_quad(mesh, {k, (k + 1) % n, n + (k + 1) % n, n + k}, random);
  for (int k = 1; k + 1 < n; ++k)
    mesh.triangles.push_back({0, k + 1, k}), mesh.triangles.push_back({n, n + k, n + k + 1});
  return mesh;
}

TriangleMesh both(TriangleMesh one, const TriangleMesh& other, const Vec3& shift) {
  const int first = static_cast<int>(one.points.size());
  for (const Vec3& x : other.points) one.points.push_back(x + shift);
  for (const auto& [a, b, c] : other.triangles) one.triangles.push_back({first + a, first + b, first + c});
  return one;
}

std::string six_digits(double x) { return fmt::format("{:g}", x); }
std::string tenths_of_um(double x) { return fmt::format("{:.4f}", x); }
std::string single(double x) { return fmt::format("{:.9g}", static_cast<double>(static_cast<float>(x))); }
using Rounding = std::string (*)(double);

/// The part in a random pose, from a file in mm.
TriangleMesh from_file(TriangleMesh mesh, Rounding rounded, Random& random) {
  std::normal_distribution<double> normal;
  double drawn[7];  // one by one: compilers evaluate arguments in different orders
  for (double& x : drawn) x = normal(random);
  const Eigen::Quaterniond turn = Eigen::Quaterniond(drawn[0], drawn[1], drawn[2], drawn[3]).normalized();
  const Vec3 shift = 10 * Vec3(drawn[4], drawn[5], drawn[6]);
  std::string text;
  for (const Vec3& point : mesh.points) {
    const Vec3 x = turn * point + shift;
    text += fmt::format("v {} {} {}\n", rounded(x[0]), rounded(x[1]), rounded(x[2]));
  }
  for (const auto& [a, b, c] : mesh.triangles) text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
  return read_mesh_text(text, "part.obj", 0.001);
}

double volume_within(const std::vector<Vec3>& points, const auto& loops) {
  double six = 0;
  for (const auto& loop : loops)
    for (std::size_t k = 2; k < loop.size(); ++k) {
      const auto at = [&](std::size_t i) { return Vec3(points[index(loop[i])] - points.front()); };
      six += at(0).dot(at(k - 1).cross(at(k)));
    }
  return six / 6;
}

double volume_of(const ClosedSurface& surface) {
  double sum = 0;
  for (const SurfaceFace& face : surface.faces) sum += volume_within(surface.points, face.loops);
  return sum;
}

double volume_of(const ConvexHull& hull) {
  double sum = 0;
  for (const HullFace& face : hull.faces) sum += volume_within(hull.points, std::array{face.corners});
  return sum;
}

/// A scenario has the corners and faces: read again, they are the same.
void expect_same_again(const ClosedSurface& surface) {
  const ClosedSurface again = closed_surface(surface.points, surface.faces, hull_tolerance);
  EXPECT_EQ(again.points, surface.points);
  EXPECT_EQ(again.convex_corners, surface.convex_corners);
  EXPECT_EQ(again.concave_or_flat, surface.concave_or_flat);
  EXPECT_TRUE(std::ranges::equal(again.faces, surface.faces, {}, &SurfaceFace::loops, &SurfaceFace::loops));
}

void expect_surface(const TriangleMesh& mesh, double rounding) {
  const ClosedSurface surface = closed_surface(mesh, hull_tolerance);
  EXPECT_NEAR(volume_of(surface) / volume_of(mesh), 1, rounding);
  expect_same_again(surface);
}

/// Of the corners alone the faces are the same, and no face lies over another. The hull may be without a corner that
/// sticks out by less than 8e-6 of the part's size, which takes up to 5e-5 of the volume of a thin plate.
void expect_hull(const TriangleMesh& mesh, double volume) {
  const ConvexHull hull = convex_hull(mesh.points, hull_tolerance), again = convex_hull(hull.points, hull_tolerance);
  EXPECT_NEAR(1e9 * volume_of(hull), volume, 2e-5 * volume);
  EXPECT_EQ(again.points, hull.points);
  EXPECT_TRUE(std::ranges::equal(again.faces, hull.faces, {}, &HullFace::corners, &HullFace::corners));
}

struct Shape {
  TriangleMesh (*make)(Random&);
  double volume, hull;         ///< mm^3
  std::size_t faces, corners;  ///< of the surface and of the hull, if little is rounded
};

const Shape shapes[] = {
    {bracket, 3200, 3200 + 800, 8, 10},
    {[](Random& random) { return box(random, 4); }, 6000, 6000, 6, 8},
    {plate_with_hole, 6000, 7200, 10, 8},
    {nut, 4 * std::numbers::sqrt3 * 3 * (100 - 36), 4 * std::numbers::sqrt3 * 3 * 100, 14, 12},
};

TEST(RoundedSurfaces, AreClosedAsSurfacesAndHulls) {
  for (const Shape& shape : shapes) {
    for (const Rounding rounded : {six_digits, tenths_of_um, single}) {
      for (unsigned seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(fmt::format("shape {}, seed {}", &shape - shapes, seed));
        Random random(seed);
        const TriangleMesh mesh = from_file(shape.make(random), rounded, random);
        ASSERT_NO_THROW(expect_surface(mesh, 1e-5));
        EXPECT_NEAR(1e9 * volume_of(mesh), shape.volume, 1e-5 * shape.volume);
        expect_hull(mesh, shape.hull);
        if (rounded != single) continue;
        EXPECT_EQ(closed_surface(mesh, hull_tolerance).faces.size(), shape.faces);
        EXPECT_EQ(convex_hull(mesh.points, hull_tolerance).points.size(), shape.corners);
      }
    }
  }
}

// Facets of some um, of which a part of 20 mm or 1 m merges several.
TEST(RoundedSurfaces, MayHaveFilletsThatAreSmallForThePart) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    EXPECT_NO_THROW(expect_surface(from_file(bar(1000, 0.3, random), single, random), 3e-4));
    EXPECT_NO_THROW(expect_surface(from_file(bar(20, 0.02, random), single, random), 3e-5));
  }
}

TEST(RoundedSurfaces, ThatCrossThemselvesAreRefused) {
  for (const Rounding rounded : {six_digits, tenths_of_um, single}) {
    for (unsigned seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      const auto message = [&](const TriangleMesh& mesh) {
        return test::message_of([&] { closed_surface(from_file(mesh, rounded, random), hull_tolerance); });
      };
      EXPECT_EQ(message(c_of(19.99, random)), "");
      EXPECT_THAT(message(c_of(20.01, random)), HasSubstr("the surface goes through itself"));
      EXPECT_THAT(message(c_of(24, random)), HasSubstr("the surface goes through itself"));
      EXPECT_THAT(message(both(box(random, 3), box(random, 2), {29.99, 3.3, 2.2})),
                  HasSubstr("the surface goes through itself"));
      EXPECT_THAT(message(both(box(random, 3), box(random, 2), {30, 3.3, 2.2})),
                  HasSubstr("the surface goes through itself"));
    }
  }
}

TriangleMesh read(const std::string& text) { return read_mesh_text(text, "part.obj", 0.001); }

const std::string corners_of_block =
    "v 0 0 0\nv 30 0 0\nv 30 20 0\nv 0 20 0\nv 0 0 10\nv 30 0 10\nv 30 20 10\nv 0 20 10\n";

// Two points of one edge lie 4e-8 m off it; the faces beside it run along it in different directions.
TEST(RoundedSurfaces, DropTheSameCornersOnBothSidesOfAnEdge) {
  const ClosedSurface block = closed_surface(
      read(corners_of_block + "v 10 -0.00003 -0.00003\nv 20 -0.00003 -0.00003\nf 4 3 2 10 9 1\nf 5 6 7 8\n"
                              "f 1 9 10 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"),
      hull_tolerance);
  EXPECT_EQ(block.faces.size(), 6U);
  EXPECT_NEAR(volume_of(block), 6e-6, 1e-11);
}

TEST(RoundedSurfaces, MergeANeedleWhateverItsNormal) {
  const ClosedSurface block = closed_surface(
      read(corners_of_block +
           "v 15 0.000001 -0.000001\nf 4 3 2 1\nf 1 2 9\nf 5 6 7 8\nf 9 2 6\nf 9 6 5\nf 9 5 1\nf 2 3 7 6\n"
           "f 3 4 8 7\nf 4 1 5 8\n"),
      hull_tolerance);
  EXPECT_EQ(block.faces.size(), 6U);
  EXPECT_EQ(block.points.size(), 8U);
}

// The rim of the hole lies 6e-8 m above the plane of the outline: an edge that ends in the rim does not pass the face.
TEST(RoundedSurfaces, MayHaveAHoleWhoseRimIsNotQuiteInThePlane) {
  const ClosedSurface plate = closed_surface(
      read("v 0 0 0\nv 40 0 0\nv 40 30 0\nv 0 30 0\nv 30 12 0\nv 18 20 0\nv 10 10 0\nv 0 0 5.99997\nv 40 0 6\n"
           "v 40 30 6\nv 0 30 5.99997\nv 30 12 5.99997\nv 18 20 6\nv 10 10 6.00003\nf 6 7 1\nf 7 5 1\nf 5 2 1\n"
           "f 5 3 2\nf 5 6 3\nf 4 6 1\nf 6 4 3\nf 8 14 13\nf 8 12 14\nf 8 9 12\nf 9 10 12\nf 10 13 12\nf 8 13 11\n"
           "f 10 11 13\nf 1 2 9\nf 1 9 8\nf 2 3 10\nf 2 10 9\nf 3 4 11\nf 3 11 10\nf 4 1 8\nf 4 8 11\nf 6 5 12\n"
           "f 6 12 13\nf 7 6 13\nf 7 13 14\nf 5 7 14\nf 5 14 12\n"),
      hull_tolerance);
  EXPECT_EQ(plate.faces.size(), 9U);
  EXPECT_EQ(plate.points.size(), 14U);
}

}  // namespace
}  // namespace jostle

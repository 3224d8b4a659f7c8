// Surfaces that are not convex in a scenario file: prisms with dents and holes, meshes as surfaces, faces written out.
// What is found of them, their mass properties, and errors with their places.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <numbers>

#include "core/geometry/shape_pair.hpp"
#include "scenarios/ensemble.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/scenarios/error_case.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle::surface_scenarios {
namespace {

using ::testing::HasSubstr;
constexpr double pi = std::numbers::pi;

std::string with(const std::string& shape, const std::string& more = "") {
  return "jostle: 1\nvariables:\n  a: {uniform: [0.2, 1]}\nworld: {step: 0.01, duration: 0.1}\nbodies:\n"
         "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
         "  part:\n    {density: 1000, " +
         more + "position: [0, 0, 3],\n     shape: " + shape + "}\ncontacts: [{between: any, friction: 0}]\n";
}

const HullSpec& hull_of(const Scenario& scenario) { return scenario.bodies[1].shapes[0].hull; }
Scenario read(const std::string& text) { return parse_scenario(text, "part.yaml"); }

const std::string an_l = "{prism: {points: [[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]], height: 0.5}}";
const std::string a_plate =
    "{prism: {points: [[-2, -1], [2, -1], [2, 1], [-2, 1]], "
    "holes: [[[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]], height: 0.5}}";

// Boxes with edges along their axes are told so to core, with the numbers of their parts in the order of a box.
TEST(BoxesOfPoints, AreTold) {
  const std::string corners =
      "[[3, 1, 2], [1, 1, 2], [1, 1, 0], [3, -2, 2], [1, -2, 0], [3, 1, 0], [1, -2, 2], [3, -2, 0]]";
  const auto structure = [](const std::string& shape) { return hull_of(read(with(shape))).structure; };
  for (const std::string& shape : {"{hull: {points: " + corners + "}}",
                                   std::string("{prism: {points: [[1, -2], [3, -2], [3, 1], [1, 1]], height: 2}}")}) {
    const HullStructure found = structure(shape);
    const Ensemble ensemble(read(with(shape)));
    const HullSpec& hull = hull_of(ensemble.scenario());
    const std::vector<int>& packed = found.packed;
    ASSERT_EQ(packed[7], 1) << shape;
    const std::size_t own = packed.size() - box_corners - box_faces - box_edges;
    const TracedHull numbers = traced_hull(hull, nullptr);
    const auto corner = [&](int i) {
      const auto at = 3 * static_cast<std::size_t>(packed[own + static_cast<std::size_t>(i)]);
      return Vec3(numbers.numbers[at].value(), numbers.numbers[at + 1].value(), numbers.numbers[at + 2].value());
    };
    const PlacedShape box{ShapeType::box, {1, 1.5, 1}, Vec3::Zero(), Mat3::Identity()};
    const Polyhedron core(box);
    for (int i = 0; i < box_corners; ++i) EXPECT_LT((corner(i) - core.corner(i)).norm(), 1e-14);
    for (int f = 0; f < box_faces; ++f) {
      const auto face = static_cast<std::size_t>(packed[own + box_corners + static_cast<std::size_t>(f)]);
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(numbers.numbers[24 + 4 * face + static_cast<std::size_t>(k)].value(), core.normal(f)[k], 1e-14);
    }
    for (int e = 0; e < box_edges; ++e) {
      const auto edge = static_cast<std::size_t>(packed[own + box_corners + box_faces + static_cast<std::size_t>(e)]);
      const PolyhedronEdge ends = core.edge(e);
      const auto number = [&](int i) { return packed[own + static_cast<std::size_t>(i)]; };
      EXPECT_EQ(std::minmax(packed[structure_header + 4 * edge], packed[structure_header + 4 * edge + 1]),
                std::minmax(number(ends.from), number(ends.to)));
    }
  }
  EXPECT_EQ(structure("{hull: {points: " + corners + ", radius: 0.01}}").packed[7], 0);
  EXPECT_EQ(structure("{hull: {points: " + corners + ", radius: {uniform: [0, 0.1]}}}").packed[7], 0);
  EXPECT_EQ(structure("{prism: {points: [[1, -2], [3, -2], [3, 1], [1, 1]], height: $a}}").packed[7], 0);
  EXPECT_EQ(structure("{prism: {points: [[1, -2], [3, -2], [3, 1], [1.1, 1]], height: 2}}").packed[7], 0);
  EXPECT_EQ(structure("{prism: {points: [[2, 0], [0, 1], [-2, 0], [0, -1]], height: 2}}").packed[7], 0);
}

TEST(SurfaceShapes, HaveTheMassOfWhatTheyEnclose) {
  const TracedHull l = traced_hull(hull_of(read(with(an_l))), nullptr);
  EXPECT_NEAR(l.volume.value(), 4 * 0.5, 1e-14);
  EXPECT_NEAR(l.centroid[0].value(), (3 * 1.5 + 1 * 0.5) / 4, 1e-14);
  EXPECT_NEAR(l.centroid[1].value(), (3 * 0.5 + 1 * 1.5) / 4, 1e-14);
  EXPECT_NEAR(l.centroid[2].value(), 0, 1e-14);
  const TracedHull plate = traced_hull(hull_of(read(with(a_plate))), nullptr);
  const double outer = 4 * 2 * 0.5, inner = 2 * 1 * 0.5;
  EXPECT_NEAR(plate.volume.value(), outer - inner, 1e-14);
  EXPECT_NEAR(plate.moments[0].value(), (outer * (4 + 0.25) - inner * (1 + 0.25)) / 12, 1e-13);
  EXPECT_NEAR(plate.moments[1].value(), (outer * (16 + 0.25) - inner * (4 + 0.25)) / 12, 1e-13);
  EXPECT_NEAR(plate.moments[2].value(), (outer * (16 + 4) - inner * (4 + 1)) / 12, 1e-13);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(plate.products[k].value(), 0, 1e-14);
}

TEST(SurfaceShapes, TouchWithConvexCornersAndEdgesAlone) {
  const HullStructure l = hull_of(read(with(an_l))).structure;
  EXPECT_FALSE(l.is_convex);
  EXPECT_EQ(l.corners.size(), 12U);
  EXPECT_EQ(l.touching_corners, 10);  // the two at the dent lie in flat faces
  EXPECT_EQ(l.concave_or_flat.size(), 1U);
  EXPECT_EQ(l.faces.size(), 8U);
  EXPECT_NEAR(l.thickness, 0.5, 1e-15);
  const HullStructure plate = hull_of(read(with(a_plate))).structure;
  EXPECT_EQ(plate.corners.size(), 16U);
  EXPECT_EQ(plate.touching_corners, 8);         // rims of holes have no corner that sticks out
  EXPECT_EQ(plate.concave_or_flat.size(), 4U);  // in the hole, across the plate
  EXPECT_EQ(plate.holes.size(), 2U);
  EXPECT_NEAR(plate.thickness, 0.5, 1e-15);
  // A wall of 0.01 beside a hole.
  const HullStructure thin =
      hull_of(read(with("{prism: {points: [[-2, -1], [2, -1], [2, 1], [-2, 1]], "
                        "holes: [[[-1, -0.99], [1, -0.99], [1, 0.5], [-1, 0.5]]], height: 0.5}}")))
          .structure;
  EXPECT_NEAR(thin.thickness, 0.01, 1e-12);
}

TEST(SurfaceShapes, OfPrismsAlongEveryAxisFaceOutwards) {
  for (const char* axis : {"x", "y", "z"}) {
    std::string text = with(a_plate);
    text.replace(text.find("height: 0.5"), 11, std::string("height: 0.5, axis: ") + axis);
    EXPECT_NEAR(traced_hull(hull_of(read(text)), nullptr).volume.value(), 3, 1e-13) << axis;
  }
}

// A ring of two circles: n r^2 sin(2 pi / n) / 2 of each, and facets as far from their arc as `tolerance` says.
TEST(SurfaceShapes, HaveArcsAsHolesInFacets) {
  const Scenario ring = read(
      with("{prism: {points: [[-2, 0, 1], [2, 0, 1]], holes: [[[-1, 0, 1], [1, 0, 1]]], height: 1, tolerance: 0.02}}"));
  const HullSpec& hull = hull_of(ring);
  const auto corners = [](double r) {
    int n = 1;
    while (r * (1 - std::cos(pi / (2 * n))) > 0.02) ++n;
    return 2 * n;
  };
  const int outer = corners(2), inner = corners(1);
  EXPECT_EQ(hull.structure.corners.size(), 2U * static_cast<std::size_t>(outer + inner));
  const auto area = [](int n, double r) { return n * r * r * std::sin(2 * pi / n) / 2; };
  EXPECT_NEAR(traced_hull(hull, nullptr).volume.value(), area(outer, 2) - area(inner, 1), 1e-12);
}

/// A box in n x n squares on every side, in mm.
std::string box_of_triangles(int n) {
  std::string points, faces;
  int count = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int high : {0, 1}) {
      const auto vertex = [&](int i, int j) {
        double at[3];
        at[axis] = high * 10 * (axis + 1);
        at[(axis + 1) % 3] = 10.0 * ((axis + 1) % 3 + 1) * i / n,
                        at[(axis + 2) % 3] = 10.0 * ((axis + 2) % 3 + 1) * j / n;
        points += fmt::format("v {} {} {}\n", at[0], at[1], at[2]);
        return ++count;
      };
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const int a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1), d = vertex(i, j + 1);
          faces += high ? fmt::format("f {} {} {}\nf {} {} {}\n", a, b, c, a, c, d)
                        : fmt::format("f {} {} {}\nf {} {} {}\n", a, c, b, a, d, c);
        }
      }
    }
  }
  return points + faces;
}

/// Prisms from z = 0 to 10 over a C, in mm: triangles of an outline that is cut by hand.
const std::string a_c =
    "v 0 0 0\nv 30 0 0\nv 30 10 0\nv 10 10 0\nv 10 20 0\nv 30 20 0\nv 30 30 0\nv 0 30 0\n"
    "v 0 0 10\nv 30 0 10\nv 30 10 10\nv 10 10 10\nv 10 20 10\nv 30 20 10\nv 30 30 10\nv 0 30 10\n"
    "f 1 4 2\nf 2 4 3\nf 1 5 4\nf 1 8 5\nf 5 8 6\nf 6 8 7\n"
    "f 9 10 12\nf 10 11 12\nf 9 12 13\nf 9 13 16\nf 13 14 16\nf 14 15 16\n"
    "f 1 2 10 9\nf 2 3 11 10\nf 3 4 12 11\nf 4 5 13 12\nf 5 6 14 13\nf 6 7 15 14\nf 7 8 16 15\nf 8 1 9 16\n";

class SurfaceMeshes : public testing::Test {
 protected:
  std::string error_of(const std::string& text) const {
    return test::error_of_ensemble(text, (folder / "part.yaml").string());
  }
  Scenario read_mesh(const std::string& content, const std::string& more = "") {
    write("part.obj", content);
    return parse_scenario(with("{mesh: {file: part.obj, scale: 0.001, as: surface" + more + "}}"),
                          (folder / "part.yaml").string());
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  const test::ScratchFolder folder;
};

TEST_F(SurfaceMeshes, OfABoxOf12And1200TrianglesAreTheSameHull) {
  const Scenario coarse = read_mesh(box_of_triangles(1)), fine = read_mesh(box_of_triangles(10));
  EXPECT_TRUE(hull_of(fine).structure.is_convex);
  EXPECT_EQ(hull_of(fine).structure.corners.size(), 8U);
  EXPECT_EQ(hull_of(fine).structure.faces.size(), 6U);
  const TracedHull a = traced_hull(hull_of(coarse), nullptr), b = traced_hull(hull_of(fine), nullptr);
  EXPECT_NEAR(a.volume.value(), 6e-6, 1e-20);
  EXPECT_NEAR(b.volume.value(), 6e-6, 1e-20);
}

TEST_F(SurfaceMeshes, KeepDentsAndNeedNoFileAfterwards) {
  const Scenario scenario = read_mesh(a_c);
  const HullStructure& structure = hull_of(scenario).structure;
  EXPECT_FALSE(structure.is_convex);
  EXPECT_EQ(structure.corners.size(), 16U);
  EXPECT_EQ(structure.faces.size(), 10U);
  EXPECT_EQ(structure.touching_corners, 12);
  EXPECT_EQ(structure.concave_or_flat.size(), 2U);
  EXPECT_NEAR(structure.thickness, 0.01, 1e-15);
  EXPECT_NEAR(traced_hull(hull_of(scenario), nullptr).volume.value(), 7e-6, 1e-18);
  EXPECT_THAT(scenario.canonical, HasSubstr("surface"));
  EXPECT_THAT(scenario.canonical, testing::Not(HasSubstr("part.obj")));
  const Scenario again = parse_scenario(scenario.canonical, "elsewhere/part.yaml");
  EXPECT_EQ(again.canonical, scenario.canonical);
  EXPECT_EQ(hull_of(again).structure.packed, structure.packed);
  const Ensemble first(scenario), second(again);
  Batch a(first.model(), 1), b(second.model(), 1);
  first.load(0, a, 0), second.load(0, b, 0);
  EXPECT_EQ(a.parameters(0).mass[1], b.parameters(0).mass[1]);
  EXPECT_EQ(a.parameters(0).inertia[4], b.parameters(0).inertia[4]);
}

// Copies have the same numbers, made once: those of the file, and those of canonical text. Other shapes have their own.
TEST_F(SurfaceMeshes, AreMadeOnceForAllCopies) {
  write("part.obj", a_c);
  const std::string file = "{mesh: {file: part.obj, scale: 0.001, as: surface}}", text = with(file, "copies: 3, ");
  const std::string other = text.substr(0, text.find("contacts:")) + "  other: {mass: 1, inertia: 1, shape: " + file +
                            "}\n" + text.substr(text.find("contacts:"));
  const Scenario scenario = parse_scenario(other, (folder / "part.yaml").string());
  const auto hull = [](const Scenario& of, std::size_t body) { return of.bodies[body].shapes[0].hull; };
  for (const Scenario& one : {scenario, parse_scenario(scenario.canonical, "elsewhere/part.yaml")}) {
    ASSERT_TRUE(hull(one, 1).structure.known);
    EXPECT_EQ(hull(one, 1).structure.known, hull(one, 2).structure.known);
    EXPECT_EQ(hull(one, 1).structure.known, hull(one, 3).structure.known);
    EXPECT_NE(hull(one, 1).structure.known, hull(one, 4).structure.known);
    EXPECT_EQ(hull(one, 3).structure.packed, hull(one, 4).structure.packed);
    EXPECT_EQ(one.canonical, scenario.canonical);
  }
}

TEST_F(SurfaceMeshes, AreTheSamePrismWrittenOut) {
  const Scenario scenario = read_mesh(a_c);
  const HullStructure& mesh = hull_of(scenario).structure;
  const Scenario prism = read(
      with("{prism: {points: [[0, 0], [0.03, 0], [0.03, 0.01], [0.01, 0.01], [0.01, 0.02], [0.03, 0.02], [0.03, 0.03], "
           "[0, 0.03]], height: 0.01}}"));
  EXPECT_EQ(hull_of(prism).structure.packed, mesh.packed);
}

TEST_F(SurfaceMeshes, AreRefusedWithTheirNumbers) {
  const auto of_mesh = [&](const std::string& content, const std::string& more = "") {
    write("part.obj", content);
    return error_of(with("{mesh: {file: part.obj, scale: 0.001, as: surface" + more + "}}"));
  };
  EXPECT_EQ(of_mesh(a_c), "");
  EXPECT_THAT(of_mesh(a_c.substr(0, a_c.size() - 11)), HasSubstr("the surface is open"));
  EXPECT_THAT(of_mesh(a_c, ", radius: 0.001"),
              HasSubstr("part.yaml:9:20: bodies.part.shape.mesh.radius: the surface is not convex, so that its edges "
                        "cannot be rounded"));
  // A tooth of the C is bent through the other one.
  std::string crossed = a_c;
  for (const char* z : {"0", "10"}) {
    const std::string from = fmt::format("v 30 10 {}\n", z), to = fmt::format("v 30 27 {}\n", z);
    crossed.replace(crossed.find(from), from.size(), to);
  }
  EXPECT_THAT(of_mesh(crossed), testing::AllOf(HasSubstr("the surface goes through itself: the edge from ("),
                                               HasSubstr("; the triangles in lines "), HasSubstr(" meet there")));
  const std::string face_down =
      with("{mesh: {file: part.obj, scale: 0.001, as: surface}}") + "outcomes: {f: {at_end: part.resting_face}}\n";
  write("part.obj", a_c);
  EXPECT_THAT(error_of(face_down), HasSubstr("a body whose shape is not convex has no resting_face"));
  std::string comb = "{prism: {height: 1, points: [[0, 0], [200, 0]";
  for (int i = 199; i >= 0; --i) comb += fmt::format(", [{}, {}]", i, i % 2 + 1);
  EXPECT_THAT(error_of(with(comb + "]}}")), HasSubstr("has more than 128 points"));
}

/// A cube from `from` to `to` in every direction, in mm, shifted, whose vertices begin with number `first`.
std::string cube(double from, double to, int first, bool is_inside_out, Vec3 shift = Vec3::Zero()) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += fmt::format("v {} {} {}\n", ((i & 1) != 0 ? to : from) + shift[0], ((i & 2) != 0 ? to : from) + shift[1],
                        ((i & 4) != 0 ? to : from) + shift[2]);
  for (auto face : {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    if (is_inside_out) std::ranges::reverse(face);
    text += "f";
    for (const int corner : face) text += fmt::format(" {}", first + corner);
    text += "\n";
  }
  return text;
}

TEST_F(SurfaceMeshes, HaveNoPartThatCountsTwice) {
  const auto of = [&](const std::string& mesh) {
    write("part.obj", mesh);
    return error_of(with("{mesh: {file: part.obj, scale: 0.001, as: surface}}"));
  };
  const std::string outer = cube(0, 20, 1, false);
  EXPECT_EQ(of(outer + cube(5, 10, 9, true)), "") << "a cavity";
  EXPECT_EQ(of(outer + cube(5, 15, 9, true) + cube(7, 9, 17, false)), "") << "a solid in a cavity";
  EXPECT_EQ(of(outer + cube(30, 40, 9, false)), "") << "two solids";
  EXPECT_THAT(of(outer + cube(5, 10, 9, false)), HasSubstr("bodies.part.shape.mesh: the closed part of the surface at "
                                                           "(0.005, 0.005, 0.005) m lies in another one"));
  EXPECT_THAT(of(outer + cube(30, 40, 9, true)),
              HasSubstr("(0.03, 0.03, 0.03) m is a cavity, as its faces look inwards, "
                        "but lies in no solid"));
  EXPECT_THAT(
      of(outer + cube(5, 15, 9, false, {15, 1, 0})),
      HasSubstr("the closed part of the surface at (0.02, 0.006, 0.005) m touches another one there: parts that "
                "touch must be one closed surface, or bodies of their own"));
}

TEST_F(SurfaceMeshes, HaveNoPartBelowTheTolerance) {
  write("part.obj", cube(0, 20, 1, false) + cube(30, 30.00001, 9, false));
  EXPECT_THAT(error_of(with("{mesh: {file: part.obj, scale: 0.001, as: surface}}")),
              HasSubstr("the closed part at (0.03, 0.03, 0.03) m is smaller than the tolerance, "));
}

TEST_F(SurfaceMeshes, MayBeWrittenAsFaces) {
  const std::string points = "[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0.3], [0.5, 0.5, 1]";
  // A pyramid with a dent of the same kind in its base.
  const std::string faces = "[0, 1, 5], [1, 2, 5], [2, 3, 5], [3, 0, 5], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]";
  const auto text = [&](const std::string& of_points, const std::string& of_faces) {
    return with("{surface: {points: [" + of_points + "], faces: [" + of_faces + "]}}");
  };
  const Scenario scenario = read(text(points, faces));
  EXPECT_NEAR(traced_hull(hull_of(scenario), nullptr).volume.value(), 0.7 / 3, 1e-15);
  EXPECT_EQ(hull_of(scenario).structure.touching_corners, 5);
  EXPECT_EQ(parse_scenario(scenario.canonical, "part.yaml").canonical, scenario.canonical);
  EXPECT_THAT(error_of(text(points, faces.substr(11))), HasSubstr("bodies.part.shape.surface: the surface is open"));
  EXPECT_THAT(
      error_of(text(points, "[1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]")),
      HasSubstr("the faces enclose no volume; seen from outside they run counter-clockwise"));
  EXPECT_THAT(error_of(text(points, faces + ", [0, 1, 9]")), HasSubstr("faces[8] has point 9, of points 0 to 5"));
  EXPECT_THAT(error_of(text(points, faces + ", [0, 1]")), HasSubstr("faces[8] has fewer than three points"));
  const std::string warped_box = "[0,0,0], [1,0,0], [1,1,0], [0,1,0], [0,0,1], [1,0,1], [1,1,1.2], [0,1,1]";
  EXPECT_THAT(error_of(text(warped_box, "[0,3,2,1], [4,5,6,7], [0,1,5,4], [1,2,6,5], [2,3,7,6], [3,0,4,7]")),
              HasSubstr("faces[1] is not flat: its corner at ("));
  EXPECT_THAT(error_of(text("[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0.3*$a], [0.5, 0.5, 1]", faces)),
              HasSubstr("points[4]: the points of a surface must not be random"));
  EXPECT_THAT(error_of(text("[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [1.5, 0.5, 0.3], [0.5, 0.5, 1]", faces)),
              testing::AllOf(
                  HasSubstr("the surface goes through itself: the edge from (0, 0, 0) m to (1.5, 0.5, 0.3) m passes"),
                  HasSubstr("; faces[4] and faces[1] meet there")));
}

TEST(SurfaceErrors, OfPrismsNameThePlaceAndTheNumbers) {
  const auto of = [](const std::string& points, const std::string& more) {
    try {
      Ensemble{read(with("{prism: {points: [" + points + "], " + more + "}}"))};
      return std::string();
    } catch (const ScenarioError& error) {
      return std::string(error.what());
    }
  };
  const std::string square = "[-1, -1], [1, -1], [1, 1], [-1, 1]", l = "[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]";
  EXPECT_EQ(of(square, "height: 1, holes: [[[0, 0], [0.5, 0], [0, 0.5]]]"), "");
  EXPECT_THAT(of(square, "height: 1, holes: [[[0, 0], [1.5, 0], [0, 0.5]]]"),
              HasSubstr("prism.holes[0][0]: the edge that begins here touches or crosses another one"));
  EXPECT_THAT(of(square, "height: 1, holes: [[[0, 0], [1, 0], [0, 0.5]]]"),
              HasSubstr("touches or crosses another one"));
  EXPECT_THAT(of(square, "height: 1, holes: [[[-0.5, -0.5], [0.5, -0.5], [0, 0.5]], [[0, 0], [0.1, 0], [0, 0.1]]]"),
              HasSubstr("prism.holes[1][0]: the hole lies in another hole"));
  EXPECT_THAT(of(square, "height: 1, holes: [[[0, 0], [0.5, 0]]]"), HasSubstr("prism.holes[0] has 2 points"));
  EXPECT_THAT(of(square, "height: 1, radius: 0.1, holes: [[[0, 0], [0.5, 0], [0, 0.5]]]"),
              HasSubstr("prism.radius: the prism is not convex, so that its edges cannot be rounded"));
  EXPECT_THAT(of(l, "height: $a"),
              HasSubstr("prism.height: the numbers of a prism that is not convex must not be random"));
  EXPECT_THAT(of(square, "height: 1, holes: [[[0, 0], [0.5*$a, 0], [0, 0.5]]]"),
              HasSubstr("prism.holes[0][1]: the numbers of a prism that is not convex must not be random"));
  EXPECT_THAT(of("[0, 0], [3, 0], [3, 1], [1, -1], [0, 2]", "height: 1"), HasSubstr("touches or crosses another one"));
  EXPECT_THAT(of("[0, 0], [3, 0], [3, 1], [3, 1], [1, 0.5], [0, 2]", "height: 1"), HasSubstr("is the point before it"));
}

}  // namespace
}  // namespace jostle::surface_scenarios

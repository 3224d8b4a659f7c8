// Hulls and meshes in a scenario file: mass properties in closed form, structure, and errors with their places.
#include "scenarios/parameters/hull.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <numbers>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/scenarios/error_case.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle::hull_scenarios {
namespace {

using test::error_of_ensemble;

constexpr double pi = std::numbers::pi;

Number number(double value) { return {value, {}, {}, {}}; }

HullSpec hull(const std::vector<std::array<double, 3>>& points, double radius = 0) {
  HullSpec spec;
  for (const auto& [x, y, z] : points) spec.points.list.push_back({{number(x), number(y), number(z)}, {}});
  spec.radius = number(radius);
  spec.structure = structure_of(spec, nullptr);
  return spec;
}

std::vector<std::array<double, 3>> box_points(double a, double b, double c,
                                              const std::array<double, 3>& at = {0, 0, 0}) {
  std::vector<std::array<double, 3>> points;
  for (int i = 0; i < 8; ++i)
    points.push_back({at[0] + (i & 1 ? a : -a) / 2, at[1] + (i & 2 ? b : -b) / 2, at[2] + (i & 4 ? c : -c) / 2});
  return points;
}

TEST(HullMass, IsThatOfTheTextbook) {
  const TracedHull box = traced_hull(hull(box_points(1, 2, 3, {5, 7, -9})), nullptr);
  EXPECT_NEAR(box.volume.value(), 6, 1e-13);
  EXPECT_NEAR(box.moments[0].value(), 6 * (4 + 9) / 12.0, 1e-13);
  EXPECT_NEAR(box.moments[1].value(), 6 * (1 + 9) / 12.0, 1e-13);
  EXPECT_NEAR(box.moments[2].value(), 6 * (1 + 4) / 12.0, 1e-13);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(box.products[k].value(), 0, 1e-14);
  EXPECT_NEAR(box.centroid[2].value(), -9, 1e-14);
  EXPECT_NEAR(box.width.value(), 1, 1e-14);
  EXPECT_NEAR(box.reach.value(), std::sqrt(14.0) / 2, 1e-14);
  // Tetrahedron with three right angles at the origin (Tonon 2004): V = abc/6, J_xx = V (3/80) (b^2 + c^2) and
  // J_xy = V a b/80 about the centroid.
  const double a = 1, b = 2, c = 3, V = a * b * c / 6;
  const TracedHull corner = traced_hull(hull({{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}), nullptr);
  EXPECT_NEAR(corner.volume.value(), V, 1e-15);
  EXPECT_NEAR(corner.centroid[1].value(), b / 4, 1e-15);
  EXPECT_NEAR(corner.moments[0].value(), 3 * V * (b * b + c * c) / 80, 1e-14);
  EXPECT_NEAR(corner.products[0].value(), V * a * b / 80, 1e-14);
  EXPECT_NEAR(corner.products[2].value(), V * b * c / 80, 1e-14);
}

// A rounded box, by the area of its sections at x: bc + 2 (b + c) s + pi s^2 with s = r, or sqrt(r^2 - t^2) in the rim.
TEST(HullMass, OfARoundedBoxIsThatOfItsSections) {
  const double a = 1, b = 2, c = 3, r = 0.5;
  const TracedHull found = traced_hull(hull(box_points(a, b, c, {1, 2, 3}), r), nullptr);
  const double volume = a * b * c + 2 * (a * b + b * c + c * a) * r + pi * (a + b + c) * r * r + 4 * pi / 3 * r * r * r;
  EXPECT_NEAR(found.volume.value(), volume, 1e-12);
  const auto second = [&](double own, double p, double q) {
    const double section = p * q + 2 * (p + q) * r + pi * r * r, half = own / 2;
    double sum = section * own * own * own / 12;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {  // t = r sin w
      const double w = pi / 2 * (i + 0.5) / n, t = r * std::sin(w), s = r * std::cos(w);
      sum += 2 * (half + t) * (half + t) * (p * q + 2 * (p + q) * s + pi * s * s) * s * pi / 2 / n;
    }
    return sum;
  };
  const double xx = second(a, b, c), yy = second(b, c, a), zz = second(c, a, b);
  EXPECT_NEAR(found.moments[0].value(), yy + zz, 1e-8);
  EXPECT_NEAR(found.moments[1].value(), xx + zz, 1e-8);
  EXPECT_NEAR(found.moments[2].value(), xx + yy, 1e-8);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.products[k].value(), 0, 1e-12);
    EXPECT_NEAR(found.centroid[k].value(), k + 1, 1e-13);
  }
}

// Cutting a rounded tetrahedron's corner off and on again is not possible, but a small one is a ball.
TEST(HullMass, OfARoundedSpeckIsThatOfABall) {
  const double r = 0.5, V = 4 * pi / 3 * r * r * r;
  const TracedHull found =
      traced_hull(hull({{1e-7, 0, 0}, {-1e-7, 1e-7, 0}, {-1e-7, -1e-7, 0}, {0, 0, 1e-7}}, r), nullptr);
  EXPECT_NEAR(found.volume.value(), V, 1e-6);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.moments[k].value(), 0.4 * V * r * r, 1e-6);
    EXPECT_NEAR(found.products[k].value(), 0, 1e-7);
  }
}

TEST(HullStructures, HaveFacesOfManyCornersAndLeaveOutWhatIsInside) {
  std::vector<std::array<double, 3>> points = {{0, 0, 0}};  // inside
  for (int i = 0; i < 12; ++i) points.push_back({std::cos(pi * i / 3), std::sin(pi * i / 3), i < 6 ? -0.4 : 0.4});
  points.push_back({0.2, 0.1, 0.4});  // in a face
  const HullSpec nut = hull(points);
  EXPECT_EQ(nut.structure.corners.size(), 12U);
  EXPECT_EQ(nut.structure.corners[0], 1);
  EXPECT_EQ(nut.structure.faces.size(), 8U);
  EXPECT_EQ(nut.structure.packed[1], 18);
}

std::string with(const std::string& shape, const std::string& more = "") {
  return "jostle: 1\nvariables:\n  a: {uniform: [-0.2, 1]}\nworld: {step: 0.01, duration: 0.1}\nbodies:\n"
         "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
         "  part:\n    {mass: 1, " +
         more + "position: [0, 0, 3],\n     shape: " + shape + "}\ncontacts: [{between: any, friction: 0}]\n";
}

TEST(HullErrors, NameThePlaceAndTheNumbers) {
  using testing::HasSubstr;
  const auto of = [](const std::string& points) {
    return error_of_ensemble(with("{hull: {points: [" + points + "]}}"));
  };
  EXPECT_EQ(of("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]"), "");
  EXPECT_THAT(of("[0, 0, 0], [1, 0, 0], [0, 1, 0]"),
              HasSubstr("part.yaml:9:29: bodies.part.shape.hull.points has 3 points, a hull needs at least 4"));
  EXPECT_THAT(of("[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]"),
              HasSubstr("bodies.part.shape.hull.points: the points have no convex hull: they lie in a plane"));
  EXPECT_THAT(of("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1]"), HasSubstr("bodies.part.shape.hull.points[3]"));
  EXPECT_THAT(
      of("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, $a], [0.1, 0.1, 0.1]"),
      HasSubstr("bodies.part.shape.hull.points[4] is no corner of the hull; where numbers are random, all points "
                "must be corners"));
  EXPECT_THAT(error_of_ensemble(with("{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], radius: -1}}")),
              HasSubstr("radius must not be negative"));
  EXPECT_THAT(error_of_ensemble(
                  with("{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}", "freedom: [x, z, ry], ")),
              HasSubstr("the shape of 'part' has corners in space"));
  const std::string faces = with("{box: {size: [1, 1, 1]}}") + "outcomes: {f: {at_end: part.resting_face}}\n";
  EXPECT_THAT(error_of_ensemble(faces),
              HasSubstr("only a body whose one shape is a hull or a mesh has a resting_face"));
}

TEST(HullSamples, ThatBreakTheStructureHaveBadParameters) {
  const Ensemble ensemble(
      parse_scenario(with("{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, $a]]}}"), "part.yaml"));
  Batch batch(ensemble.model(), 1);
  int bad = 0;
  for (int sample = 0; sample < 32; ++sample) {
    const auto fault = ensemble.load(sample, batch, 0);
    const double a = ensemble.draw(sample)[0];
    EXPECT_EQ(batch.status(0) == Status::bad_parameters, a <= 0) << a;
    bad += a <= 0;
    EXPECT_EQ(fault.has_value(), a <= 0);
  }
  EXPECT_GT(bad, 2);
}

class Meshes : public testing::Test {
 protected:
  std::string error_of_mesh(const std::string& text) {
    return error_of_ensemble(with("{mesh: {" + text + "}}"), (folder / "part.yaml").string());
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  const test::ScratchFolder folder;
};

/// A pyramid in mm, with a square base of two triangles.
const std::string pyramid =
    "v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nv 10 10 15\nf 1 3 2\nf 1 4 3\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

TEST_F(Meshes, BecomeHullsThatNeedNoFile) {
  write("part.obj", pyramid);
  const std::string file = (folder / "part.yaml").string();
  std::string text = with("{mesh: {file: part.obj, scale: 0.001, as: hull, radius: 0.001}}");
  text.replace(text.find("mass: 1"), 7, "density: 1000");
  const Scenario scenario = parse_scenario(text, file);
  const HullSpec& spec = scenario.bodies[1].shapes[0].hull;
  EXPECT_EQ(spec.structure.corners.size(), 5U);
  EXPECT_EQ(spec.structure.faces.size(), 5U);
  EXPECT_EQ(spec.radius.constant, 0.001);
  EXPECT_THAT(scenario.canonical, testing::HasSubstr("hull"));
  EXPECT_THAT(scenario.canonical, testing::Not(testing::HasSubstr("part.obj")));
  const Scenario again = parse_scenario(scenario.canonical, "elsewhere/part.yaml");
  EXPECT_EQ(again.canonical, scenario.canonical);
  const Ensemble first(scenario), second(again);
  Batch a(first.model(), 1), b(second.model(), 1);
  first.load(0, a, 0), second.load(0, b, 0);
  EXPECT_EQ(a.parameters(0).mass[1], b.parameters(0).mass[1]);
  EXPECT_EQ(a.parameters(0).inertia[4], b.parameters(0).inertia[4]);
}

TEST_F(Meshes, AreRefusedWithTheirFileAndLine) {
  using testing::HasSubstr;
  write("part.obj", pyramid);
  write("open.obj", pyramid.substr(0, pyramid.size() - 8));
  EXPECT_EQ(error_of_mesh("file: part.obj, scale: 0.001, as: hull"), "");
  EXPECT_THAT(error_of_mesh("file: part.obj, scale: 1, as: hull"),
              HasSubstr("bodies.part.shape.mesh: the part is 20 m long; a file in mm wants scale: 0.001"));
  EXPECT_EQ(error_of_mesh("file: part.obj, scale: 0.1, as: hull"), "");
  EXPECT_EQ(error_of_mesh("file: part.obj, scale: 1, as: hull, any_size: true"), "");
  EXPECT_THAT(error_of_mesh("file: part.obj, as: hull"), HasSubstr("bodies.part.shape.mesh.scale is missing"));
  const std::string points = "points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], ";
  EXPECT_EQ(error_of_mesh(points + "scale: 1, as: hull"), "");
  EXPECT_THAT(error_of_mesh(points + "scale: 0.1, as: hull"), HasSubstr("mesh.scale must be 1, as points are in m"));
  EXPECT_THAT(error_of_mesh(points + "scale: 1, as: surface"),
              HasSubstr("mesh.as must be hull, because points are given"));
  EXPECT_THAT(error_of_mesh(points + "scale: 1, as: hull, any_size: true"), HasSubstr("any_size has no meaning"));
  EXPECT_THAT(error_of_mesh("points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, $a]], scale: 1, as: hull"),
              HasSubstr("mesh.points[3]: the points of a mesh must not be random; those of a hull may"));
  EXPECT_THAT(error_of_mesh("file: part.obj, " + points + "scale: 1, as: hull"), HasSubstr("has both file and points"));
  EXPECT_THAT(error_of_mesh("file: part.obj, scale: 0, as: hull"), HasSubstr("scale must be greater than 0"));
  EXPECT_THAT(error_of_mesh("file: none.obj, scale: 1, as: hull"), HasSubstr("none.obj"));
  const std::string open = error_of_mesh("file: open.obj, scale: 0.001, as: hull");
  EXPECT_THAT(open, HasSubstr("part.yaml:9:20: bodies.part.shape.mesh: "));
  EXPECT_THAT(open, HasSubstr("open.obj:"));
  EXPECT_THAT(open, HasSubstr("the surface is open"));
}

}  // namespace
}  // namespace jostle::hull_scenarios

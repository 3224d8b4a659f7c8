// Polygons in a scenario file: mass properties in closed form, the plane they lie in, and errors with their places.
#include "scenarios/parameters/polygon.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>

#include "scenarios/ensemble.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle::polygon_scenarios {
namespace {

using test::error_of_ensemble;

constexpr double pi = std::numbers::pi;

Number number(double value) { return {value, {}, {}, {}}; }

PolygonSpec polygon(const std::vector<std::array<double, 2>>& points, double radius = 0) {
  PolygonSpec spec;
  for (const auto& [x, z] : points) spec.points.list.push_back({{number(x), number(z)}, {}, false, {}});
  spec.radius = number(radius);
  spec.is_clockwise = is_clockwise(spec);
  return spec;
}

TEST(PolygonMass, IsThatOfTheTextbook) {
  const TracedPolygon triangle = traced_polygon(polygon({{7, 1}, {10, 1}, {7, 3}}), nullptr);
  EXPECT_NEAR(triangle.area.value(), 3, 1e-14);
  EXPECT_NEAR(triangle.centroid[0].value(), 8, 1e-14);
  EXPECT_NEAR(triangle.centroid[1].value(), 5.0 / 3, 1e-14);
  EXPECT_NEAR(triangle.second_moment.value(), (3 * 2 * 2 * 2 + 2 * 3 * 3 * 3) / 36.0, 1e-13);  // b h^3 / 36, both ways
  const TracedPolygon box = traced_polygon(polygon({{-1, -2}, {1, -2}, {1, 2}, {-1, 2}}), nullptr);
  EXPECT_NEAR(box.second_moment.value(), 8 * (4 + 16) / 12.0, 1e-13);
  EXPECT_NEAR(box.reach.value(), std::sqrt(5.0), 1e-14);
  EXPECT_NEAR(box.width.value(), 2, 1e-14);
}

// An L is two boxes; either orientation.
TEST(PolygonMass, OfAnAngleIsThatOfTwoBoxes) {
  const std::vector<std::array<double, 2>> angle = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}};
  const std::vector<std::array<double, 2>> clockwise(angle.rbegin(), angle.rend());
  EXPECT_FALSE(polygon(angle).is_clockwise);
  EXPECT_TRUE(polygon(clockwise).is_clockwise);
  for (const auto& points : {angle, clockwise}) {
    const TracedPolygon found = traced_polygon(polygon(points), nullptr);
    const double x = (3 * 1.5 + 3 * 0.5) / 6, z = (3 * 0.5 + 3 * 2.5) / 6;
    EXPECT_NEAR(found.area.value(), 6, 1e-14);
    EXPECT_NEAR(found.centroid[0].value(), x, 1e-14);
    EXPECT_NEAR(found.centroid[1].value(), z, 1e-14);
    const auto part = [&](double cx, double cz, double w, double h) {
      return w * h * ((w * w + h * h) / 12 + (cx - x) * (cx - x) + (cz - z) * (cz - z));
    };
    EXPECT_NEAR(found.second_moment.value(), part(1.5, 0.5, 3, 1) + part(0.5, 2.5, 1, 3), 1e-13);
    EXPECT_NEAR(found.width.value(), 1, 1e-14);
  }
}

// A rounded square: a cross of boxes and four quarters of a disc. A rounded angle: the strips overlap in the notch.
TEST(PolygonMass, WithARadiusIsExact) {
  const double s = 2, r = 0.5;
  const TracedPolygon square = traced_polygon(polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, r), nullptr);
  EXPECT_NEAR(square.area.value(), s * s + 4 * s * r + pi * r * r, 1e-13);
  const double quarter = pi * r * r / 4, c = 4 * r / (3 * pi), own = pi * r * r * r * r / 8 - 2 * quarter * c * c;
  const double strip = s * r, far = 1 + r / 2;
  const double moment = s * s * (2 * s * s) / 12 + 4 * strip * ((s * s + r * r) / 12 + far * far) +
                        4 * (own + 2 * quarter * (1 + c) * (1 + c));
  EXPECT_NEAR(square.second_moment.value(), moment, 1e-13);
  const TracedPolygon angle = traced_polygon(polygon({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}}, r), nullptr);
  EXPECT_NEAR(angle.area.value(), 6 + 14 * r + 5 * pi * r * r / 4 - r * r, 1e-13);
}

const std::string head =
    "jostle: 1\nvariables:\n  a: {uniform: [-0.2, 0.2]}\nworld: {step: 0.01, duration: 0.1}\nbodies:\n"
    "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";
const std::string tail = "contacts: [{between: any, friction: 0}]\n";

std::string with(const std::string& polygon, const std::string& freedom = "freedom: [x, z, ry], ") {
  return head + "  part:\n    {mass: 1, " + freedom + "position: [0, 0, 1],\n     shape: {polygon: " + polygon +
         "}}\n" + tail;
}

TEST(PolygonErrors, NameThePlaceAndTheNumbers) {
  using testing::HasSubstr;
  EXPECT_EQ(error_of_ensemble(with("{points: [[0, 0], [1, 0], [0, 1]]}")), "");
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0]]}")),
              HasSubstr("part.yaml:9:32: bodies.part.shape.polygon.points has 2 points, a polygon needs at least 3"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0], [2, 0]]}")),
              HasSubstr("turns back on itself at [2, 0]"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0], [1, 1e-10]]}")),
              HasSubstr("bodies.part.shape.polygon"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0], [1, 0], [0, 1]]}")),
              HasSubstr("bodies.part.shape.polygon.points[2] repeats the point before it, [1, 0]"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 1], [1, 0], [0, 1]]}")),
              HasSubstr("bodies.part.shape.polygon crosses itself: the edge from bodies.part.shape.polygon.points[0] = "
                        "[0, 0] meets that from bodies.part.shape.polygon.points[2] = [1, 0]"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [2, 0], [1, 0], [1, 1]]}")),
              HasSubstr("turns back on itself at [2, 0]"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0], [0, 1]], radius: -1}")),
              HasSubstr("radius must not be negative"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0], [0, 1]]}", "")), HasSubstr("needs a planar scene"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0], [0, 1]]}, rotation: {axis: [1, 0, 0], degrees: 90}")),
              HasSubstr("must not be turned out of the plane"));
  const std::string cylinder =
      "  roller: {mass: 1, freedom: [x, z, ry], position: [3, 0, 1], shape: {cylinder: {radius: 0.1, length: 1, axis: "
      "y}}}\n";
  std::string both = with("{points: [[0, 0], [1, 0], [0, 1]]}");
  both.insert(both.find("contacts:"), cylinder);
  EXPECT_THAT(error_of_ensemble(both), HasSubstr("the cylinder of 'roller' cannot be in a scene with polygons yet"));
}

TEST(PolygonSamples, ThatBreakTheStructureHaveBadParameters) {
  const Ensemble ensemble(parse_scenario(with("{points: [[0, 0], [1, 0], [1, $a], [0, 1]]}"), "part.yaml"));
  Batch batch(ensemble.model(), 1);
  int bad = 0;
  for (int sample = 0; sample < 32; ++sample) {
    const auto fault = ensemble.load(sample, batch, 0);
    const double a = ensemble.draw(sample)[0];
    EXPECT_EQ(batch.status(0) == Status::bad_parameters, a <= 0) << a;
    if (a <= 0) {
      ++bad;
      ASSERT_TRUE(fault);
      EXPECT_THAT(fault->message, testing::HasSubstr("bodies.part.shape.polygon"));
      continue;
    }
    const double area = 0.5 * (1 + a), inertia = batch.parameters(0).inertia[3 * 1 + 1];
    EXPECT_GT(inertia, 0);
    EXPECT_NEAR(batch.parameters(0).corners[2] - batch.parameters(0).corners[0], 1, 1e-15);
    EXPECT_GT(area, 0);
  }
  EXPECT_GT(bad, 8);
}

/// How deep the operations are nested that lead to a number.
int depth_of(const Traced& number, std::map<const Traced::Node*, int>& known) {
  if (number.is_known()) return 0;
  const auto [place, is_new] = known.try_emplace(number.node(), 0);
  if (is_new) place->second = 1 + std::max(depth_of(number.node()->a, known), depth_of(number.node()->b, known));
  return place->second;
}

/// A regular polygon whose size is the variable a, and further parts of it, in the scenario above.
std::string random_polygon(int corners) {
  std::string points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * pi * i / corners;
    points += (i > 0 ? ", " : "") + std::string("[") + std::to_string(std::cos(angle)) + "*(2 + $a), " +
              std::to_string(std::sin(angle)) + "*(2 + $a)]";
  }
  return with("{points: [" + points + "]}");
}

// Chains of n^2 operations, one in the other, left no memory for calls at 200 corners.
TEST(PolygonSamples, OfManyRandomCornersNestNoDeeperThanTheirNumber) {
  constexpr int corners = 64;
  const Scenario scenario = parse_scenario(random_polygon(corners), "part.yaml");
  const TracedPolygon part = traced_polygon(scenario.bodies[1].shapes[0].polygon, nullptr);
  std::map<const Traced::Node*, int> known;
  for (const Traced& number : {part.width, part.reach, part.area, part.second_moment})
    EXPECT_LT(depth_of(number, known), 20 * corners);
  EXPECT_LT(depth_of(part.width, known), 3 * corners);
}

TEST(PolygonErrors, OfMoreRandomCornersThanProgramsOfASampleCanHave) {
  EXPECT_THAT(test::error_of(random_polygon(317)),
              testing::HasSubstr("bodies.part.shape.polygon.points: 317 of 317 points depend on variables (an arc "
                                 "counts as 4); their product must be at most 100000"));
}

TEST(PolygonText, IsReadAgainAsItWasWritten) {
  const Scenario scenario =
      parse_scenario(with("{points: [[0, 0], [1, 0], [0, '1 + $a']], radius: 0.01}"), "part.yaml");
  const std::string text = scenario.canonical;
  EXPECT_THAT(text,
              testing::HasSubstr("polygon: {points: [[0, 0], [1, 0], [0, \"1 + $a\"]], radius: 0.01, thickness: 1}"));
  EXPECT_EQ(parse_scenario(text, "again.yaml").canonical, text);
}

}  // namespace
}  // namespace jostle::polygon_scenarios

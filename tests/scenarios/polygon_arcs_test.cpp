// Arcs of polygons in a scenario file: mass properties in closed form, and errors with their places.
#include <gmock/gmock.h>

#include <numbers>

#include "scenarios/ensemble.hpp"
#include "scenarios/parameters/polygon.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle::polygon_arcs {
namespace {

using test::error_of_ensemble;

constexpr double pi = std::numbers::pi;

Number number(double value) { return {value, {}, {}, {}}; }

/// x, z and bulge of each point.
PolygonSpec polygon(const std::vector<std::array<double, 3>>& points, double radius = 0) {
  PolygonSpec spec;
  for (const auto& [x, z, bulge] : points)
    spec.points.list.push_back({{number(x), number(z)}, number(bulge), bulge != 0, {}});
  spec.radius = number(radius);
  spec.is_clockwise = is_clockwise(spec);
  return spec;
}

struct Properties {
  double x, z, area, second_moment, reach;
};
Properties properties_of(const PolygonSpec& spec) {
  const TracedPolygon found = traced_polygon(spec, nullptr);
  return {found.centroid[0].value(), found.centroid[1].value(), found.area.value(), found.second_moment.value(),
          found.reach.value()};
}

void expect_near(const Properties& a, const Properties& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
  EXPECT_NEAR(a.area, b.area, tolerance);
  EXPECT_NEAR(a.second_moment, b.second_moment, tolerance);
}

TEST(ArcMass, OfADiscIsThatOfTheTextbook) {
  for (const double sense : {1.0, -1.0}) {  // the same clockwise
    const PolygonSpec disc = polygon({{3, 1, sense}, {7, 1, sense}});
    EXPECT_EQ(disc.is_clockwise, sense < 0);
    expect_near(properties_of(disc), {5, 1, 4 * pi, pi * 16 / 2, 2}, 1e-13);
    EXPECT_NEAR(properties_of(disc).reach, 2, 1e-14);
  }
  // In arcs of 240 and 120 degrees.
  const double s = std::sqrt(3.0);
  expect_near(properties_of(polygon({{1, s, std::tan(pi / 3)}, {1, -s, std::tan(pi / 6)}})), {0, 0, 4 * pi, 8 * pi, 2},
              1e-13);
}

TEST(ArcMass, OfAHalfDiscAndAStadiumIsThatOfTheTextbook) {
  const double r = 2, x = 4 * r / (3 * pi);
  expect_near(properties_of(polygon({{0, -r, 1}, {0, r, 0}})),
              {x, 0, pi * r * r / 2, pi * r * r * r * r / 4 - pi * r * r / 2 * x * x, 0}, 1e-13);
  // Cap, box and cap.
  const double a = 3, cap = pi * r * r / 2, about = pi * r * r * r * r / 4 - cap * x * x;
  const double box = 4 * a * r;
  expect_near(properties_of(polygon({{-a, -r, 0}, {a, -r, 1}, {a, r, 0}, {-a, r, 1}})),
              {0, 0, box + 2 * cap, box * (4 * a * a + 4 * r * r) / 12 + 2 * (about + cap * (a + x) * (a + x)), 0},
              2e-12);
}

// With a half round bite out of a side: that of the square without the half disc.
TEST(ArcMass, OfABiteCountsAgainst) {
  const double r = 0.5, x = 4 * r / (3 * pi), bite = pi * r * r / 2, area = 4 - bite;
  const double z = -bite * (1 - x) / area;  // from the middle of the square
  const double own = pi * r * r * r * r / 4 - bite * x * x;
  const double moment = 4 * (4 + 4) / 12.0 + 4 * z * z - (own + bite * (1 - x - z) * (1 - x - z));
  expect_near(properties_of(polygon({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {r, 1, -1}, {-r, 1, 0}, {-1, 1, 0}})),
              {0, z, area, moment, 0}, 1e-13);
}

/// The same with n chords for each arc, and the error of chords taken out by Richardson's extrapolation.
Properties by_chords(const PolygonSpec& spec) {
  const auto with = [&](int n) {
    std::vector<std::array<double, 3>> points;
    const auto& list = spec.points.list;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& [from, to] = std::pair(list[i], list[(i + 1) % list.size()]);
      const double x = from.at[0].constant, z = from.at[1].constant, b = from.bulge.constant;
      points.push_back({x, z, 0});
      if (b == 0) continue;
      const double dx = to.at[0].constant - x, dz = to.at[1].constant - z, side = (1 - b * b) / (4 * b);
      const double cx = x + 0.5 * dx - side * dz, cz = z + 0.5 * dz + side * dx;
      for (int k = 1; k < n; ++k) {
        const double angle = 4 * std::atan(b) * k / n, c = std::cos(angle), s = std::sin(angle);
        points.push_back({cx + c * (x - cx) - s * (z - cz), cz + s * (x - cx) + c * (z - cz), 0});
      }
    }
    return properties_of(polygon(points));
  };
  const Properties coarse = with(32), fine = with(64);
  const auto limit = [](double a, double b) { return b + (b - a) / 3; };
  return {limit(coarse.x, fine.x), limit(coarse.z, fine.z), limit(coarse.area, fine.area),
          limit(coarse.second_moment, fine.second_moment), 0};
}

TEST(ArcMass, IsTheLimitOfManyChords) {
  for (const double b : {0.001, 0.02, 0.3, 1.0, 2.5}) {
    const PolygonSpec part = polygon({{0, 0, b}, {2, 0, -0.4 * b}, {3, 2, 0}, {0.5, 2.5, 0.2}});
    expect_near(properties_of(part), by_chords(part), 1e-5 * (1 + b * b * b));
  }
}

// Nearly straight arcs, by their series: a sagitta f = b L / 2 over a chord L has 2/3 L f (1 + ...) beside it.
TEST(ArcMass, OfAnArcThatIsNearlyStraightIsExact) {
  const double b = 1e-3, square = properties_of(polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}})).area;
  const double angle = 4 * std::atan(b), segment = angle * angle * angle / 6 * (1 - angle * angle / 20);
  const double r = (1 + b * b) / (4 * b);
  EXPECT_NEAR(properties_of(polygon({{0, 0, b}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}})).area - square, 0.5 * r * r * segment,
              1e-15);
}

// A radius of 1 around a disc of 2, around a half disc, and inside of a bite.
TEST(ArcMass, WithARadiusIsExact) {
  expect_near(properties_of(polygon({{-2, 0, 1}, {2, 0, 1}}, 1)), {0, 0, 9 * pi, 81 * pi / 2, 0}, 1e-12);
  // A capsule of two arcs with straight sides: the same with a smaller radius in the arcs.
  expect_near(properties_of(polygon({{-3, -1, 0}, {3, -1, 1}, {3, 1, 0}, {-3, 1, 1}}, 1)),
              properties_of(polygon({{-3, -2, 0}, {3, -2, 1}, {3, 2, 0}, {-3, 2, 1}})), 1e-11);
  // A half disc: half of a ring, a strip, two quarter discs.
  EXPECT_NEAR(properties_of(polygon({{0, -2, 1}, {0, 2, 0}}, 0.5)).area,
              pi * 2.5 * 2.5 / 2 + 4 * 0.5 + pi * 0.5 * 0.5 / 2, 1e-13);
  // A groove whose sides go on straight from its bottom: it becomes narrower and less deep.
  const auto groove = [](double width, double grown, double radius) {
    const double w = width - grown, g = grown;
    return polygon({{-3 - g, -3 - g, 0},
                    {3 + g, -3 - g, 0},
                    {3 + g, 2 + g, 0},
                    {w, 2 + g, 0},
                    {w, 0, -1},
                    {-w, 0, 0},
                    {-w, 2 + g, 0},
                    {-3 - g, 2 + g, 0}},
                   radius);
  };
  const double corners = 6 * (0.25 - pi * 0.25 / 4);  // six that are round, not square
  EXPECT_NEAR(properties_of(groove(1, 0, 0.5)).area, properties_of(groove(1, 0.5, 0)).area - corners, 1e-12);
}

const std::string head =
    "jostle: 1\nvariables:\n  a: {uniform: [-0.2, 0.8]}\nworld: {step: 0.01, duration: 0.1}\nbodies:\n"
    "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n";

std::string with(const std::string& polygon) {
  return head +
         "  part:\n    {density: 1, freedom: [x, z, ry], position: [0, 0, 9],\n     shape: {polygon: " + polygon +
         "}}\ncontacts: [{between: any, friction: 0}]\n";
}

TEST(ArcErrors, NameThePlaceAndTheNumbers) {
  using testing::HasSubstr;
  EXPECT_EQ(error_of_ensemble(with("{points: [[0, 0, 1], [1, 0, 1]]}")), "");
  EXPECT_EQ(error_of_ensemble(with("{points: [[0, 0, 0], [1, 0], [0, 1]]}")), "");
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0, 0], [1, 0, 0]]}")),
              HasSubstr("has 2 points, a polygon needs at least 3, or 2 with arcs"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0, 1]]}")),
              HasSubstr("has 1 point, a polygon needs at least 3, or 2 with arcs"));
  EXPECT_THAT(
      error_of_ensemble(with("{points: [[0, 0], [1, 0, 0.0005], [0, 1]]}")),
      HasSubstr("part.yaml:9:41: bodies.part.shape.polygon.points[1]: a bulge must be 0 or have a size from 0.001 "
                "to 10, the tangent of a quarter of the arc's angle, not 5e-04"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0, -11], [0, 1]]}")), HasSubstr("not -11"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0], [1, 1, -2], [0, 1]]}")), HasSubstr("crosses itself"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0, -0.9], [1, 1], [0, 1, -0.9]]}")), testing::IsEmpty());
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0, -0.9], [1, 1], [0.2, 1, -0.9], [0.2, 0.1]]}")),
              HasSubstr("crosses itself: the edge from bodies.part.shape.polygon.points[1] = [1, 0] meets that from "
                        "bodies.part.shape.polygon.points[3] = [0.2, 1]"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0, 1], [1, 0, -1]]}")), HasSubstr("bodies.part.shape.polygon"));
  EXPECT_THAT(
      error_of_ensemble(with("{points: [[0, 0], [2, 0], [2, 1], [1.25, 1, -1], [0.75, 1], [0, 1]], radius: 0.3}")),
      HasSubstr("points[3]: the radius 0.3 leaves nothing of the concave arc, whose own is 0.25"));
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [2, 0], [2, 1], [1, 1, 0.5], [0, 1]], radius: 0.3}")),
              HasSubstr("points[3]: with a radius, an arc cannot end in a concave corner yet"));
  EXPECT_EQ(error_of_ensemble(with("{points: [[0, 0], [2, 0], [2, 1], [1.2, 1, -1], [0.8, 1], [0, 1]], radius: 0.1}")),
            "");
  EXPECT_THAT(error_of_ensemble(with("{points: [[0, 0], [1, 0, 1, 2], [0, 1]]}")),
              HasSubstr("bodies.part.shape.polygon.points[1]"));
}

TEST(ArcSamples, MayHaveRandomBulges) {
  const Ensemble ensemble(parse_scenario(with("{points: [[0, 0], [1, 0, $a], [0, 1]]}"), "part.yaml"));
  Batch batch(ensemble.model(), 1);
  int bad = 0;
  for (int sample = 0; sample < 32; ++sample) {
    const auto fault = ensemble.load(sample, batch, 0);
    const double a = ensemble.draw(sample)[0];
    EXPECT_EQ(batch.status(0) == Status::bad_parameters, std::fabs(a) < 1e-3) << a;
    if (fault) {
      ++bad;
      continue;
    }
    const double mass = properties_of(polygon({{0, 0, 0}, {1, 0, a}, {0, 1, 0}})).area;
    EXPECT_NEAR(batch.parameters(0).mass[1], mass, 1e-14);
    EXPECT_EQ(batch.parameters(0).bulges[1], a);
  }
  EXPECT_LT(bad, 2);
  // A distribution may stand in its place.
  const Scenario scenario =
      parse_scenario(with("{points: [[0, 0], [1, 0, {uniform: [0.1, 0.3]}], [0, 1]]}"), "part.yaml");
  EXPECT_EQ(scenario.variables.back().name, "bodies.part.shape.polygon.points[1][2]");
}

TEST(ArcText, IsReadAgainAsItWasWritten) {
  const Scenario scenario = parse_scenario(with("{points: [[0, 0], [1, 0, 0.25], [0, 1, '$a']]}"), "part.yaml");
  EXPECT_THAT(scenario.canonical,
              testing::HasSubstr("polygon: {points: [[0, 0], [1, 0, 0.25], [0, 1, \"$a\"]], radius: 0, thickness: 1}"));
  EXPECT_EQ(parse_scenario(scenario.canonical, "again.yaml").canonical, scenario.canonical);
}

}  // namespace
}  // namespace jostle::polygon_arcs

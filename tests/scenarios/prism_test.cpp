// Prisms in a scenario file: their corners and facets, mass properties, and errors with their places.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numbers>

#include "scenarios/ensemble.hpp"
#include "scenarios/parameters/hull.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/scenarios/error_case.hpp"

namespace jostle::prism_scenarios {
namespace {

using test::error_of_ensemble;

using ::testing::HasSubstr;
constexpr double pi = std::numbers::pi;

std::string with(const std::string& shape, const std::string& more = "") {
  return "jostle: 1\nvariables:\n  a: {uniform: [-0.2, 1]}\nworld: {step: 0.01, duration: 0.1}\nbodies:\n"
         "  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
         "  part:\n    {density: 1000, " +
         more + "position: [0, 0, 3],\n     shape: " + shape + "}\ncontacts: [{between: any, friction: 0}]\n";
}
std::string prism(const std::string& points, const std::string& more = "height: 0.5") {
  return "{prism: {points: [" + points + "], " + more + "}}";
}

Scenario read(const std::string& text) { return parse_scenario(text, "part.yaml"); }
const HullSpec& hull_of(const Scenario& scenario) { return scenario.bodies[1].shapes[0].hull; }

TEST(Prisms, ExtendByHalfTheirHeightToBothSides) {
  const std::string points = "[0, 0], [0.1, 0], [0, 0.2]";
  const std::pair<const char*, Vec3> thirds[] = {
      {"z", Vec3(0.1, 0.2, 0) / 3}, {"x", Vec3(0, 0.1, 0.2) / 3}, {"y", Vec3(0.1, 0, 0.2) / 3}};
  for (const auto& [axis, centroid] : thirds) {
    const Scenario scenario = read(with(prism(points, std::string("height: 0.5, axis: ") + axis)));
    const TracedHull traced = traced_hull(hull_of(scenario), nullptr);
    EXPECT_EQ(hull_of(scenario).structure.faces.size(), 5u);
    EXPECT_NEAR(traced.volume.value(), 0.005, 1e-17) << axis;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(traced.centroid[k].value(), centroid[k], 1e-16) << axis;
  }
}

TEST(Prisms, MayRunEitherWayAndHaveCornersOnALine) {
  const auto volume = [](const std::string& points) {
    return traced_hull(hull_of(read(with(prism(points)))), nullptr).volume.value();
  };
  EXPECT_NEAR(volume("[0, 0], [0, 0.2], [0.1, 0.2], [0.1, 0]"), 0.01, 1e-16);
  EXPECT_NEAR(volume("[0, 0], [0.05, 0], [0.1, 0], [0.1, 0.2], [0, 0.2]"), 0.01, 1e-16);
}

// A circle of two arcs of bulge 1 in facets of 2 pi/n: the area n r^2 sin(2 pi/n) / 2, and the distance of facets from
// the circle, r (1 - cos(pi/n)), is at most the tolerance, and above it with two facets less.
TEST(Prisms, HaveArcsInFacetsWithinTheTolerance) {
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const Scenario scenario =
        read(with(prism("[-0.1, 0, 1], [0.1, 0, 1]", fmt::format("height: 1, tolerance: {}", tolerance))));
    const auto n = static_cast<double>(hull_of(scenario).structure.corners.size() / 2);
    EXPECT_LE(0.1 * (1 - std::cos(pi / n)), tolerance);
    EXPECT_GT(0.1 * (1 - std::cos(pi / (n - 2))), tolerance);
    EXPECT_NEAR(traced_hull(hull_of(scenario), nullptr).volume.value(), n * 0.01 * std::sin(2 * pi / n) / 2, 1e-15);
  }
  // A quarter of a circle about the origin: all corners are as far from it.
  const Scenario quarter =
      read(with(prism("[0, 0], [1, 0, 0.41421356237309503], [0, 1]", "height: 1, tolerance: 1e-3")));
  for (const PointSpec& point : hull_of(quarter).points.list)
    if (point.item == 1) {
      EXPECT_NEAR(std::hypot(point.at[0].constant, point.at[1].constant), 1, 1e-15);
    }
}

TEST(Prisms, AreWrittenAsPrisms) {
  const Scenario scenario = read(with(prism("[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1, 0.2], [-0.1, 0.1]",
                                            "height: $a + 0.5, radius: 0.01, tolerance: 1e-3")));
  EXPECT_THAT(scenario.canonical, HasSubstr("prism"));
  EXPECT_THAT(scenario.canonical, testing::Not(HasSubstr("hull")));
  const Scenario again = read(scenario.canonical);
  EXPECT_EQ(again.canonical, scenario.canonical);
  const Ensemble first(scenario), second(again);
  Batch a(first.model(), 1), b(second.model(), 1);
  first.load(3, a, 0), second.load(3, b, 0);
  EXPECT_EQ(a.parameters(0).mass[1], b.parameters(0).mass[1]);
  EXPECT_GT(a.parameters(0).mass[1], 0);
}

TEST(Prisms, WithRandomNumbersKeepTheirStructure) {
  const Ensemble ensemble(read(with(prism("[0, 0], [1, 0], [$a, 1], [0, 1]", "height: $a + 0.5"))));
  Batch batch(ensemble.model(), 1);
  for (int sample = 0; sample < 32; ++sample) {
    const auto fault = ensemble.load(sample, batch, 0);
    const double a = ensemble.draw(sample)[0];
    EXPECT_EQ(batch.status(0) == Status::bad_parameters, a <= 0) << a;
    if (fault) {
      EXPECT_THAT(fault->message, HasSubstr("bodies.part.shape.prism.points["));
    } else {
      EXPECT_NEAR(batch.parameters(0).mass[1], 1000 * (a + 0.5) * (1 + a) / 2, 1e-10);
    }
  }
}

TEST(PrismErrors, NameThePlaceAndTheNumbers) {
  const auto of = [](const std::string& points, const std::string& more = "height: 0.5") {
    return error_of_ensemble(with(prism(points, more)));
  };
  EXPECT_EQ(of("[0, 0], [1, 0], [0, 1]"), "");
  EXPECT_THAT(of("[0, 0], [1, 0]"), HasSubstr("part.yaml:9:21: bodies.part.shape.prism.points has 2 points, an outline "
                                              "needs at least 3, or 2 with arcs"));
  EXPECT_THAT(of("[1, 1, 1], [2, 1, 1]", "height: 1, tolerance: 0.9"),
              HasSubstr("prism.points has no area with this tolerance: it makes a chord of each arc"));
  EXPECT_THAT(of("[0, 0], [1, 0], [0, 1, 0, 0]"), HasSubstr("bodies.part.shape.prism.points[2]"));
  EXPECT_EQ(of("[0, 0], [1, 0], [0.2, 0.2], [0, 1]"), "");
  EXPECT_THAT(of("[0, 0], [1, 0], [0.2, 0.2 + 0*$a], [0, 1]"),
              HasSubstr("prism.points[2]: the outline is not convex here, as random numbers need it: write several "
                        "convex prisms in `shapes`"));
  EXPECT_THAT(of("[0, 0], [1, 0], [2, 0]"),
              HasSubstr("prism.points[2]: the outline turns back here, along the edge before"));
  EXPECT_THAT(of("[0, 1], [0.6, -0.8], [-0.95, 0.3], [0.95, 0.3], [-0.6, -0.8]"),
              HasSubstr("prism.points[0]: the outline does not run once around an area"));
  EXPECT_THAT(of("[0, 0], [1, 0], [1, 0], [0, 1]"), HasSubstr("prism.points[2] is the point before it"));
  EXPECT_THAT(of("[0, 0], [1, 0, 0.5], [0, 1]"),
              HasSubstr("prism.points[1] begins an arc: bodies.part.shape.prism.tolerance must say how far"));
  EXPECT_THAT(of("[0, 0], [1, 0, 0.5], [0, 1]", "height: 1, tolerance: 1e-9"),
              HasSubstr("prism.points[1] begins an arc of more than 128 facets at this tolerance"));
  EXPECT_EQ(of("[0, 0], [1, 0, -0.3], [0, 1]", "height: 1, tolerance: 1e-2"), "");
  for (const std::string bulge : {"11", "-1e-09"})
    EXPECT_THAT(of("[0, 0], [1, 0, " + bulge + "], [0, 1]", "height: 1, tolerance: 1"),
                HasSubstr("prism.points[1]: a bulge must be 0 or have a size from 0.001 to 10, the tangent of a "
                          "quarter of the arc's angle, not " +
                          bulge));
  EXPECT_THAT(of("[0, 0], [1, 0, $a], [0, 1]", "height: 1, tolerance: 1e-2"),
              HasSubstr("prism.points[1]: the bulge and the ends of an arc must not be random"));
  EXPECT_THAT(of("[0, 0], [1, 0], [0, 1]", "height: 1, tolerance: 1e-2"),
              HasSubstr("prism.tolerance is that of arcs, and the outline has none"));
  EXPECT_THAT(of("[0, 0], [1, 0], [0, 1]", "height: 0"), HasSubstr("prism.height must be greater than 0"));
  EXPECT_THAT(of("[0, 0], [1, 0], [0, 1]", "radius: 1"), HasSubstr("prism.height is missing"));
  EXPECT_EQ(of("[0, 0], [1, 0], [0, 1]", "height: 1, holes: []"), "");
  EXPECT_THAT(error_of_ensemble(with(prism("[0, 0], [1, 0], [0, 1]"), "freedom: [x, z, ry], ")),
              HasSubstr("the shape of 'part' has corners in space"));
}

// Lengths of a file in mm, a bulge without a unit.
TEST(Prisms, HaveTheUnitOfLengthOfTheFile) {
  std::string text = with(prism("[-100, 0, 1], [100, 0, 1]", "height: 1000, tolerance: 1, radius: 0"));
  text.replace(text.find("variables:"), 10, "units: {length: mm, density: kg/m^3}\nvariables:");
  const Scenario scenario = read(text);
  EXPECT_NEAR(hull_of(scenario).points.list[0].at[0].constant, -0.1, 1e-17);
  EXPECT_EQ(scenario.bodies[1].shapes[0].prism.tolerance, 1e-3);
  const double n = static_cast<double>(hull_of(scenario).structure.corners.size() / 2);
  EXPECT_NEAR(traced_hull(hull_of(scenario), nullptr).volume.value(), n * 0.01 * std::sin(2 * pi / n) / 2, 1e-15);
}

}  // namespace
}  // namespace jostle::prism_scenarios

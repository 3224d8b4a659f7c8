// A load at which a contact yields, as that of a crushable foot: the foot is a light body on a slide whose friction has
// that force as its bound [Loetstedt 1982, (6.4)]. Beyond it the foot gives way, for good.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class CrushZone : public testing::TestWithParam<const char*> {
 protected:
  static constexpr double m = 2, v = 3, F = 150, foot = 1e-3, g_y = 9.81;

  /// A mass falls at v onto its foot, which is as good as on the floor.
  static Simulation falls(double h, double force) {
    char text[900];
    std::snprintf(text, sizeof text,
                  "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n"
                  "  mass: {mass: %.17g, freedom: [y], position: [0, 0.3, 0], velocity: [0, %.17g, 0]}\n"
                  "  foot: {mass: %.17g, freedom: [y], shape: {sphere: {radius: 0.02}}, position: [0, 0.0200001, 0], "
                  "velocity: [0, %.17g, 0]}\n"
                  "joints: {strut: {prismatic: [mass, foot], axis: [0, 1, 0], friction: %.17g}}\n"
                  "contacts: [{between: [foot, floor], friction: 0}]\n"
                  "outcomes: {most: {maximum: foot.normal_force, while: time > 0.01}, crushed: {at_end: "
                  "strut.position}}\n",
                  m, -v, foot, -v, force);
    return Simulation(tied_scenario(h, 0.2, std::string("gravity: [0, -9.81, 0], method: ") + GetParam(), text));
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, CrushZone,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// The mass is stopped by F - m g over m v^2 / (2 (F - m g)), and rests there.
TEST_P(CrushZone, StopsAMassByItsForce) {
  const double way = m * v * v / (2 * (F - m * g_y));
  for (const double h : {1e-3, 2.5e-4}) {
    Simulation falling = falls(h, F);
    falling.run();
    ASSERT_EQ(falling.status(), Status::ok);
    EXPECT_NEAR(falling.outcome("crushed"), way, 2 * v * h);
    EXPECT_LE(falling.outcome("most"), F + 1e-6 * F + foot * g_y);
    EXPECT_NEAR(falling.velocity("mass", 1), 0, 1e-9);
    EXPECT_NEAR(falling.position("foot", 1), 0.02, 1e-6);
  }
}

// A load below the bound leaves the foot as it is, one above crushes it at (m g - F)/m.
TEST_P(CrushZone, YieldsAboveItsForceAlone) {
  for (const double part : {0.99, 1.01}) {
    const double force = m * g_y / part;
    Simulation loaded(tied_scenario(
        1e-3, 0.5, std::string("gravity: [0, -9.81, 0], method: ") + GetParam(),
        "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 1, 0]}}}\n  mass: {mass: 2, freedom: [y], "
        "position: [0, 0.3, 0]}\n  foot: {mass: 0.001, freedom: [y], shape: {sphere: {radius: 0.02}}, position: [0, "
        "0.02, 0]}\njoints: {strut: {prismatic: [mass, foot], axis: [0, 1, 0], friction: " +
            std::to_string(force) + "}}\ncontacts: [{between: [foot, floor], friction: 0}]\n"));
    loaded.run();
    ASSERT_EQ(loaded.status(), Status::ok);
    const double a = part > 1 ? (m * g_y - force) / m : 0;
    EXPECT_NEAR(loaded.position("mass", 1), 0.3 - 0.5 * a * 0.25, a * 0.5 * 2e-3 + 1e-6) << part;
  }
}

}  // namespace
}  // namespace jostle

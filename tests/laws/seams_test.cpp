// Seams: what slides over the tops of boxes that lie side by side keeps its velocity, without friction, as on one box.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

#if defined(JOSTLE_ALL_TESTS)
constexpr int passes = 1000;
#else
constexpr int passes = 12;
#endif

struct Slider {
  const char* name;
  const char* shape;
  double height, reach;  ///< of its centre above the tiles; along x, m
};
constexpr Slider sliders[] = {
    {"box", "{box: {size: [0.05, 0.03, 0.025]}}", 0.0125, 0.025},
    {"turned_box", "{box: {size: [0.05, 0.03, 0.025]}, rotation: {axis: [0, 0, 1], degrees: 20}}", 0.0125, 0.029},
    {"standing_cylinder", "{cylinder: {radius: 0.02, length: 0.02}}", 0.01, 0.02},
    {"cylinder_along", "{cylinder: {radius: 0.012, length: 0.04, axis: x}}", 0.012, 0.02},
    {"cylinder_across", "{cylinder: {radius: 0.012, length: 0.04, axis: y}}", 0.012, 0.012},
    {"capsule_along", "{capsule: {radius: 0.012, length: 0.04, axis: x}}", 0.012, 0.032},
    {"capsule_across", "{capsule: {radius: 0.012, length: 0.04, axis: y}}", 0.012, 0.012},
    {"ball", "{sphere: {radius: 0.012}}", 0.012, 0},
};

/// Eight tiles of 4 cm from x = -0.1 on, whose tops have the same height but for rounding: bodies, or shapes of one.
std::string tiles(bool of_one_body) {
  std::string text = of_one_body ? "  floor:\n    fixed: true\n    shapes:\n" : "";
  for (int i = 0; i < 8; ++i) {
    const std::string shape = "{box: {size: [0.04, 0.2, 0.02]}}";
    const std::string place = "position: ['$x0 + " + std::to_string(0.04 * i - 0.08) + "', 0, '$z0 - 0.01']";
    text += of_one_body ? "      - {box: {size: [0.04, 0.2, 0.02]}, " + place + "}\n"
                        : "  tile" + std::string(1, static_cast<char>('a' + i)) + ": {fixed: true, shape: " + shape +
                              ", " + place + "}\n";
  }
  return text;
}

/// At 1 mm/s to 2 m/s over up to four seams; its front crosses at least one of them.
Scenario passage(const Slider& slider, const std::string& method, bool of_one_body) {
  return parse_scenario(
      "jostle: 1\nvariables:\n  speed_log: {uniform: [-6.9, 0.69]}\n  part: {uniform: [0, 1]}\n"
      "  x0: {uniform: [-0.1, 0.1]}\n  z0: {uniform: [-0.1, 0.1]}\n  y: {uniform: [-0.03, 0.03]}\n"
      "world: {step: 0.004, duration: 2, method: " +
          method + "}\nbodies:\n" + tiles(of_one_body) + "  slider: {mass: 0.7, shape: " + slider.shape +
          ", position: ['$x0 + 0.06 - " + std::to_string(slider.reach) +
          " - $part*min(exp($speed_log)*2, 0.05)', $y, '$z0 + " + std::to_string(slider.height) +
          "'], velocity: ['exp($speed_log)', 0, 0]}\n"
          "contacts: [{between: any, friction: 0}]\n"
          "outcomes:\n"
          "  change: {maximum: 'max(abs(slider.velocity.x - exp($speed_log)), max(abs(slider.velocity.y), "
          "abs(slider.velocity.z)))'}\n"
          "  spin: {maximum: 'max(abs(slider.spin.x), max(abs(slider.spin.y), abs(slider.spin.z)))'}\n"
          "stop_when: slider.position.x - $x0 > 0.15\n",
      "seams.yaml");
}

class Seams : public testing::TestWithParam<const char*> {
 protected:
  static void expect_no_change(bool of_one_body) {
    for (const Slider& slider : sliders) {
      SCOPED_TRACE(slider.name);
      const Scenario scenario = passage(slider, GetParam(), of_one_body);
      for (int sample = 0; sample < passes; ++sample) {
        SCOPED_TRACE(sample);
        Simulation simulation(scenario, sample);
        simulation.run();
        ASSERT_EQ(simulation.status(), Status::ok);
        ASSERT_LE(simulation.outcome("change"), 1e-12);
        ASSERT_LE(simulation.outcome("spin"), 1e-11);
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, Seams,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(Seams, OfBodiesChangeNoVelocity) { expect_no_change(false); }
TEST_P(Seams, OfShapesOfOneBodyChangeNoVelocity) { expect_no_change(true); }

// The front of the box is at the seam at the end of a step, to within rounding: x = 0.38 + 0.05 t.
TEST_P(Seams, LetASlowBoxPass) {
  Simulation box(
      tied_scenario(0.004, 2, std::string("method: ") + GetParam(),
                    "bodies:\n"
                    "  tile0: {fixed: true, shape: {box: {size: [0.5, 1, 0.2]}}, position: [0.25, 0, -0.1]}\n"
                    "  tile1: {fixed: true, shape: {box: {size: [0.5, 1, 0.2]}}, position: [0.75, 0, -0.1]}\n"
                    "  s: {mass: 0.7, shape: {box: {size: [0.2, 0.12, 0.1]}}, position: [0.38, 0.03, 0.05], "
                    "velocity: [0.05, 0, 0]}\n"
                    "contacts: [{between: any, friction: 0}]\n"));
  box.run();
  ASSERT_EQ(box.status(), Status::ok);
  EXPECT_NEAR(box.position("s", 0), 0.48, 1e-12);
}

// A tile that is a micrometre lower is no obstacle either.
TEST_P(Seams, OfALowerTileStopNothing) {
  Simulation box(
      tied_scenario(0.004, 2, std::string("method: ") + GetParam(),
                    "bodies:\n"
                    "  tile0: {fixed: true, shape: {box: {size: [0.5, 1, 0.2]}}, position: [0.25, 0, -0.1]}\n"
                    "  tile1: {fixed: true, shape: {box: {size: [0.5, 1, 0.2]}}, position: [0.75, 0, -0.100001]}\n"
                    "  s: {mass: 0.7, shape: {box: {size: [0.2, 0.12, 0.1]}}, position: [0.37731, 0.03, 0.05], "
                    "velocity: [0.05, 0, 0]}\n"
                    "contacts: [{between: any, friction: 0}]\n"));
  box.run();
  ASSERT_EQ(box.status(), Status::ok);
  EXPECT_NEAR(box.position("s", 0), 0.47731, 1e-6);
}

// A tilted box slides on its front edge past the end of a table. There the end of the table takes over, and it goes on
// tipping: its rear corners are millimetres above the table, and not struck.
TEST_P(Seams, LetATiltedBoxTipOverTheEnd) {
  const auto spin_after = [](double h, double duration, const std::string& contacts) {
    Simulation box(
        tied_scenario(h, duration, std::string("method: ") + GetParam(),
                      "bodies:\n"
                      "  table: {fixed: true, shape: {box: {size: [1, 1, 0.2]}}, position: [-0.5, 0, -0.1]}\n"
                      "  s: {mass: 1, shape: {box: {size: [0.2, 0.1, 0.1]}}, position: [-0.1103459, 0, 0.0551651], "
                      "rotation: {axis: [0, 1, 0], degrees: 3}, velocity: [1, 0, 0]}\n"
                      "contacts: [{between: any" +
                          contacts + "}]\n"));
    box.run();
    EXPECT_EQ(box.status(), Status::ok);
    return box.spin("s", 1);
  };
  for (const double h : {0.004, 0.002, 0.001}) EXPECT_NEAR(spin_after(h, 0.032, ""), -2.34, 0.08) << h;
  if (std::string(GetParam()) == "stewart_trinkle") return;
  EXPECT_LT(spin_after(0.004, 0.024, ", restitution: 0.8"), -1.1);
}

}  // namespace
}  // namespace jostle

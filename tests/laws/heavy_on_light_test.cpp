// Mass ratios: what a heavy body does to a light one below it.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

// A box on one that is so much lighter that the rounding errors of its impulses move that by more than an exact
// residual.
class HeavyOnLight : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Ratios, HeavyOnLight, testing::Values(1e3, 5e3, 1e4, 5e4, 1e6),
                         [](const auto& ratio) { return std::to_string(static_cast<int>(ratio.param)); });

TEST_P(HeavyOnLight, ComesToRest) {
  for (const std::string method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"})
    for (int sample = 0; sample < 8; ++sample) {
      // Impacts of four corners at once: two of a hundred LCPs have no answer that pivoting finds.
      if (GetParam() > 1e4 && method.starts_with("trapezoidal")) continue;
      SCOPED_TRACE(method + ", sample " + std::to_string(sample));
      Simulation boxes(
          tied_scenario(0.005, 1, "method: " + method,
                        "variables: {gap: {uniform: [0, 0.01]}, ratio: " + std::to_string(GetParam()) +
                            "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                            "  light: {mass: 0.2, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05]}\n"
                            "  heavy: {mass: '0.2*$ratio', shape: {box: {size: [0.1, 0.1, 0.1]}}, "
                            "position: [0, 0, '0.15 + $gap']}\ncontacts: [{between: any, friction: 0.5}]\n"),
          sample);
      boxes.run();
      ASSERT_EQ(boxes.status(), Status::ok);
      EXPECT_NEAR(boxes.position("heavy", 2), 0.15, 1e-6);
      EXPECT_NEAR(boxes.velocity("heavy", 2), 0, 1e-8);
      EXPECT_NEAR(boxes.velocity("light", 0), 0, 1e-8);
    }
}

// However heavy the upper one is, no answer counts whose residual is above that of every certificate.
TEST(HeavyBox, HasCertifiedAnswersOnly) {
  for (const char* const ratio : {"1e7", "1e8", "1e10"}) {
    Simulation boxes(tied_scenario(
        0.005, 0.5, "",
        std::string("variables: {ratio: ") + ratio +
            "}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
            "  light: {mass: 0.2, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05]}\n"
            "  heavy: {mass: '0.2*$ratio', shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.01, 0, 0.152]}\n"
            "contacts: [{between: any, friction: 0.5}]\n"));
    boxes.observe([&](const System&, const Workspace&, const StepResult& result) {
      if (result.status == Status::ok) {
        EXPECT_LE(result.residual, 1e-8) << ratio;
      }
    });
    EXPECT_TRUE(boxes.status() == Status::ok || is_without_answer(boxes.status())) << ratio;
  }
}

// A body that only turns has no mass that counts: if all masses are 2^-40 of what they were, all motions are the same.
TEST(LightRotor, CarriesALightBoxAsAHeavyOneCarriesAHeavyOne) {
  const auto positions = [](double scale) {
    char text[900];
    std::snprintf(
        text, sizeof text,
        "bodies:\n  rotor: {mass: %.17g, inertia: %.17g, freedom: [ry], shape: {box: {size: [1, 0.4, 0.1]}}}\n"
        "  box: {mass: %.17g, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.2, 0, 0.11]}\n"
        "contacts: [{between: any, friction: 0.5}]\n",
        scale, 0.1 * scale, 0.5 * scale);
    Simulation simulation(tied_scenario(0.005, 0.5, "", text));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    return Vec3(simulation.position("box", 0), simulation.position("box", 2), simulation.velocity("box", 2));
  };
  const Vec3 heavy = positions(1), light = positions(0x1p-40);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(light[k], heavy[k], 1e-10);
  EXPECT_LT(heavy[2], -0.1);
}

// Ten welded blocks stick out of a wall, with a load of a million kilograms at the tip.
TEST(HeavyLoad, IsHeldByWeldedBlocks) {
  for (const std::string method :
       {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}) {
    std::string bodies = "bodies:\n  wall: {fixed: true}\n", joints = "joints:\n", before = "wall";
    for (int i = 0; i < 10; ++i) {
      const std::string name = "block" + std::to_string(i);
      bodies += "  " + name + ": {mass: " + (i < 9 ? "0.2" : "1e6") +
                ", shape: {box: {size: [0.1, 0.1, 0.1]}}, position: ['0.05 + 0.1*" + std::to_string(i) + "', 0, 0]}\n";
      joints += "  weld" + std::to_string(i) + ": {fixed: [" + before + ", " + name + "]}\n";
      before = name;
    }
    Simulation beam(tied_scenario(0.005, 0.25, "method: " + method,
                                  bodies + joints + "contacts: [{between: any, contact: false}]\n"));
    beam.run();
    EXPECT_EQ(beam.status(), Status::ok) << method;
    EXPECT_NEAR(beam.position("block9", 2), 0, 1e-6) << method;
  }
}

}  // namespace
}  // namespace jostle

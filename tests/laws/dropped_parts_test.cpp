// Parts and mechanisms as users have described them, in tests/data: a nut of 48 points that is dropped, a ball detent.
#include "scenarios/reader/reader.hpp"
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

#ifdef JOSTLE_ALL_TESTS
constexpr int samples = 200;
#else
constexpr int samples = 4;
#endif

Scenario from_data(const std::string& file, const std::string& method) {
  return read_scenario(JOSTLE_SOURCE_DIR "/tests/data/" + file, {{"world.method=" + method}, {}, {}});
}

class DroppedNut : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, DroppedNut, testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(DroppedNut, LiesOnOneOfItsFaces) {
  for (int sample = 0; sample < samples; ++sample) {
    SCOPED_TRACE(sample);
    Simulation nut(from_data("nut_bounce.yaml", GetParam()), sample);
    nut.run();
    ASSERT_EQ(nut.status(), Status::ok);
    // It ends when its energy is below 1e-12 J; under the second scheme speeds may change their sign in every step.
    EXPECT_TRUE(nut.outcome("rests") != 0 || std::string(GetParam()) == "trapezoidal_midpoint");
    const double height = nut.position("part", 2);
    EXPECT_TRUE(std::fabs(height - 0.0034) < 1e-7 || std::fabs(height - 0.0065) < 1e-7) << height;
    EXPECT_LE(nut.state().energy_gained(), 1e-9);
  }
}

class BallDetent : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, BallDetent,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(BallDetent, IsReleasedByTheForceOfTheClosedForm) {
  for (int sample = 1; sample <= 5 * samples; ++sample) {
    Simulation detent(from_data("detent.yaml", GetParam()), sample);
    detent.run();
    ASSERT_EQ(detent.status(), Status::ok) << sample;
    EXPECT_NEAR(detent.outcome("ratio"), 1, 0.01) << sample;
    EXPECT_NE(detent.outcome("released"), 0) << sample;
  }
}

}  // namespace
}  // namespace jostle

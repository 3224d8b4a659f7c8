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

Scenario from_data(const std::string& file, const std::string& method, std::vector<std::string> set = {}) {
  set.push_back("world.method=" + method);
  return read_scenario(JOSTLE_SOURCE_DIR "/tests/data/" + file, {set, {}, {}});
}

class DroppedNut : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, DroppedNut, testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint"),
                         [](const auto& method) { return std::string(method.param); });

bool lies_on_a_face(Simulation& nut) {
  const double height = nut.position("part", 2);
  return std::fabs(height - 0.0034) < 1e-7 || std::fabs(height - 0.0065) < 1e-7;
}

TEST_P(DroppedNut, LiesOnOneOfItsFaces) {
  for (int sample = 0; sample < samples; ++sample) {
    SCOPED_TRACE(sample);
    Simulation nut(from_data("nut_bounce.yaml", GetParam()), sample);
    nut.run();
    ASSERT_EQ(nut.status(), Status::ok);
    // It ends when its energy is below 1e-12 J; under the second scheme speeds may change their sign in every step.
    EXPECT_TRUE(nut.outcome("rests") != 0 || std::string(GetParam()) == "trapezoidal_midpoint");
    EXPECT_LE(nut.state().energy_gained(), 1e-9);
    if (lies_on_a_face(nut)) continue;
    // It rocked, and turned round at the very end of a step. Where nothing stops it, it goes on.
    Simulation on(from_data("nut_bounce.yaml", GetParam(), {"stop_when=null"}), sample);
    on.run();
    EXPECT_TRUE(lies_on_a_face(on)) << on.position("part", 2);
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

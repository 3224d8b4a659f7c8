// Cylinders on cylinders, on capsules and in piles: a contact of two rounds is one contact.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

class Logs : public testing::TestWithParam<const char*> {
 protected:
  static bool is_smooth() { return std::string(GetParam()) == "loetstedt"; }
  static std::string world() { return std::string("method: ") + GetParam(); }
  /// Of rounds of 1 dm.
  static std::string friction() { return is_smooth() ? "0" : "0.4"; }
};
INSTANTIATE_TEST_SUITE_P(Methods, Logs,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

constexpr const char* rounds[] = {"{cylinder: {radius: 0.1, length: 0.4, axis: y}}",
                                  "{capsule: {radius: 0.1, length: 0.4, axis: y}}"};

/// x and z at times after what lies on a round of 3 dm at x (m) was let go half a millimetre above it.
std::vector<double> way_over(const std::string& method, const std::string& friction, const std::string& ground,
                             const std::string& shape, double x) {
  Simulation log(tied_scenario(0.002, 0.5, "method: " + method,
                               "bodies:\n  ground: {fixed: true, shape: {" + ground +
                                   "}, position: [0, 0, -0.3]}\n  body: {mass: 1, inertia: 0.005, shape: " + shape +
                                   ", position: [" + std::to_string(x) +
                                   ", 0, 0.1005]}\ncontacts: [{between: any, friction: " + friction +
                                   "}]\noutcomes: {gap: {minimum: 'gap(ground, body)'}}\n"));
  std::vector<double> way;
  for (int step = 25; step <= 250; step += 25) {
    log.run_to(step);
    way.push_back(log.position("body", 0)), way.push_back(log.position("body", 2));
  }
  EXPECT_EQ(log.status(), Status::ok);
  EXPECT_GE(log.outcome("gap"), -1e-9);
  return way;
}

TEST_P(Logs, RollOnLogsAsABallDoes) {
  for (const double x : {0.02, 0.0007, -0.013}) {
    const auto ball = way_over(GetParam(), friction(), "sphere: {radius: 0.3}", "{sphere: {radius: 0.1}}", x);
    for (const std::string ground :
         {"cylinder: {radius: 0.3, length: 1, axis: y}", "capsule: {radius: 0.3, length: 1, axis: y}"})
      for (const char* shape : rounds) {
        SCOPED_TRACE(ground + " under " + shape);
        const auto way = way_over(GetParam(), friction(), ground, shape, x);
        for (std::size_t i = 0; i < ball.size(); ++i) ASSERT_NEAR(way[i], ball[i], 1e-8) << x << ", " << i;
      }
  }
}

// The rims of the upper log on the lower one have the numbers 44 and 46 in every step, never those of their twins.
TEST_P(Logs, HaveOneLabelForAContact) {
  Simulation log(
      tied_scenario(0.002, 0.5, world(),
                    "bodies:\n  ground: {fixed: true, shape: {cylinder: {radius: 0.3, length: 1, axis: y}}, "
                    "position: [0, 0, -0.3]}\n  body: {mass: 1, shape: {cylinder: {radius: 0.1, length: 0.4, "
                    "axis: y}}, position: [0.02, 0, 0.1005]}\ncontacts: [{between: any, friction: " +
                        friction() + "}]\n"));
  int touched = 0;
  log.observe([&](const System&, const Workspace& work, const StepResult& result) {
    for (int c = 0; c < result.contacts; ++c) {
      ++touched;
      EXPECT_TRUE(work.contact(c).feature == 44 || work.contact(c).feature == 46) << work.contact(c).feature;
    }
  });
  EXPECT_EQ(log.status(), Status::ok);
  EXPECT_GT(touched, 100);
}

// One log falls by 3 mm onto two that lie between walls.
TEST_P(Logs, RestInAPile) {
  for (const char* shape : rounds) {
    const std::string log = std::string("{mass: 1, shape: ") + shape + ", position: ";
    Simulation pile(tied_scenario(0.005, 3, world(),
                                  "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                                  "  left: {fixed: true, shape: {half_space: {normal: [1, 0, 0], offset: -0.2}}}\n"
                                  "  right: {fixed: true, shape: {half_space: {normal: [-1, 0, 0], offset: -0.2}}}\n"
                                  "  a: " +
                                      log + "[-0.1, 0, 0.1]}\n  b: " + log + "[0.1, 0, 0.1]}\n  c: " + log +
                                      "[0.003, 0, 0.276205]}\n"
                                      "contacts: [{between: any, friction: " +
                                      friction() + "}]\n"));
    pile.run();
    SCOPED_TRACE(shape);
    ASSERT_EQ(pile.status(), Status::ok);
    EXPECT_NEAR(pile.position("c", 2), 0.1 + 0.1 * std::sqrt(3.0), 1e-6);
    EXPECT_NEAR(pile.position("c", 0), 0, 1e-6);
    if (std::string(GetParam()) == "trapezoidal_midpoint") continue;  // speeds change their sign, bodies stay
    EXPECT_LE(std::fabs(pile.velocity("c", 2)), 1e-6);
  }
}

}  // namespace
}  // namespace jostle

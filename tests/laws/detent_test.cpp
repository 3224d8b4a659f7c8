// From a face to its edge: what is pulled out of a groove against a spring needs most force at the upper end of its
// wall.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

struct Follower {
  const char* name;
  const char* shape;
  const char* radius;  ///< of the round that meets the wall, m
  const char* height;  ///< of the middle above the groove at the start, m
  double steepest;     ///< wall, degrees
};
// The box meets the wall with its lowest edge.
constexpr Follower followers[] = {
    {"ball", "{sphere: {radius: 0.002}}", "0.002", "0.002/cos($theta*pi/180)", 90},
    {"capsule", "{capsule: {radius: 0.002, length: 0.002, axis: y}}", "0.002", "0.002/cos($theta*pi/180)", 90},
    {"cylinder", "{cylinder: {radius: 0.002, length: 0.002, axis: y}}", "0.002", "0.002/cos($theta*pi/180)", 90},
    {"box", "{box: {size: [0.002, 0.004, 0.002]}, rotation: {axis: [0, 1, 0], degrees: 45}}", "0", "0.001*sqrt(2)",
     44}};

/// A wall of 4 mm with the slope theta (degrees) in the origin, with a plateau behind it; the slide goes at 20 mm/s
/// under a follower of half a gram on a spring of 2 kN/m that is compressed by 2 mm. The jerk of its start does not
/// count.
Scenario detent(const Follower& follower, const std::string& method, double theta, double mu) {
  char variables[160];
  std::snprintf(variables, sizeof variables, "variables: {theta: %.17g, mu: %.17g, k: 2000, preload: 0.002}\n", theta,
                mu);
  const std::string angle = "$theta*pi/180", c = "cos(" + angle + ")", s = "sin(" + angle + ")";
  const std::string force = "$k*($preload + 0.004*" + s + " + " + follower.radius + "*(" + c + " - 1/" + c + "))";
  const auto wall = [&](const std::string& side, const std::string& turn) {
    return "      - {box: {size: [0.004, 0.006, 0.002]}, position: ['" + side + "(0.002*" + c + " + 0.001*" + s +
           ")', 0, '0.002*" + s + " - 0.001*" + c + "'], rotation: {axis: [0, 1, 0], degrees: '" + turn +
           "$theta'}}\n" + "      - {box: {size: [0.01, 0.006, 0.004]}, position: ['" + side + "(0.004*" + c +
           " + 0.005)', 0, '0.004*" + s + " - 0.002']}\n";
  };
  return parse_scenario(
      "jostle: 1\n" + std::string(variables) + "world: {step: 0.0001, duration: 0.25, method: " + method +
          "}\nbodies:\n  slide:\n" + "    prescribed: {velocity: [0.02, 0, 0]}\n    shapes:\n" + wall("", "-") +
          wall("-", "") + "  pin: {mass: 0.0005, freedom: [z], shape: " + follower.shape + ", position: [0, 0, '" +
          follower.height + "']}\n" + "springs:\n  coil: {between: [pin, world], at: [[0, 0, '" + follower.height +
          "'], [0, 0, 0.03]], stiffness: $k, damping: 0.5, rest: '0.03 - " + follower.height + " + $preload'}\n" +
          "contacts: [{between: [slide, pin], friction: " + (mu > 0 ? "$mu" : "0") + "}]\n" +
          "outcomes:\n  ratio: {maximum: 'min(1, slide.position.x/0.0005)*slide.impulse.x/0.0001/(" + force + "*(tan(" +
          angle + ") + $mu)/(1 - $mu*tan(" + angle + ")))'}\n" + "stop_when: abs(slide.position.x) > 0.004\n",
      "detent.yaml");
}

class Detent : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Detent,
                         testing::Values("stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                         "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

// F_x = F_z (tan theta + mu) / (1 - mu tan theta), with the force F_z of the spring where the follower leaves the wall.
TEST_P(Detent, NeedsTheForceOfTheEndOfTheWall) {
  const bool is_smooth = std::string(GetParam()) == "loetstedt";
  for (const Follower& follower : followers) {
    SCOPED_TRACE(follower.name);
    for (const double theta : {30.7, 33.7, 38.2, 41.0, 45.0, 47.3, 50.6, 54.9}) {
      SCOPED_TRACE(theta);
      if (theta > follower.steepest) continue;
      Simulation slide(detent(follower, GetParam(), theta, is_smooth ? 0 : 0.05 + 0.2 * (theta - 30) / 25));
      slide.run();
      ASSERT_EQ(slide.status(), Status::ok);
      EXPECT_NEAR(slide.outcome("ratio"), 1, 0.01);
    }
  }
}

}  // namespace
}  // namespace jostle

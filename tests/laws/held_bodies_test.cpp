// Bodies that joints hold at one place: a blow leaves them a speed that is a rounding error, and every step a rounding
// error of that, down to numbers without digits.
#include "tests/laws/shape_laws.hpp"

namespace jostle {
namespace {

class HeldBodies : public test::ShapesUnderEveryMethod {};
INSTANTIATE_TEST_SUITE_P(Methods, HeldBodies, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

struct Hold {
  const char* joints;
  double way;  ///< m, that it may move: a motor has a limit
};
constexpr Hold holds[] = {
    {"weld: {fixed: [world, post]}", 1e-6},
    {"weld: {fixed: [floor, post]}", 1e-6},
    {"slide: {prismatic: [world, post], axis: [0, 0, 1], motor: {speed: 0, limit: 50}}", 2e-3},
    {"a: {revolute: [world, post], at: [0.3, -0.1, 0.35], axis: [1, 0, 0]}, "
     "b: {revolute: [world, post], at: [0.3, -0.1, 0.25], axis: [0, 1, 0]}",
     1e-6},
    {"a: {ball: [world, post], at: [0.3, -0.1, 0.35]}, b: {ball: [world, post], at: [0.3, -0.15, 0.25]}, "
     "c: {ball: [world, post], at: [0.35, -0.1, 0.25]}",
     1e-6}};

// A ball falls on a post and rolls off or bounces; another body far away is struck meanwhile.
TEST_P(HeldBodies, StayWhereTheyAreWhenTheyAreStruck) {
  for (const Hold& hold : holds) {
    const Scenario scenario = parse_scenario(R"(jostle: 1
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  post: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.2]}}, position: [0.3, -0.1, 0.3], rotation: uniform}
  ball: {mass: 0.1, shape: {sphere: {radius: 0.03}}, position: [0.31, -0.12, 0.6]}
  far: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [3, 0, 0.1]}
impulses: [{body: far, time: 0.5, impulse: [1, 0, 0]}]
contacts: [{between: any, )" + friction("0.3") + "}]\njoints: {" +
                                                 hold.joints + "}\nworld: {" + world("step: 0.002, duration: 0.6}\n"),
                                             "post.yaml");
    for (int sample = 0; sample < 24; ++sample) {
      Simulation simulation(scenario, sample);
      simulation.run();
      const Vec3 end(simulation.position("post", 0), simulation.position("post", 1), simulation.position("post", 2));
      EXPECT_EQ(simulation.status(), Status::ok) << hold.joints << ", sample " << sample;
      EXPECT_LT((end - Vec3(0.3, -0.1, 0.3)).norm(), hold.way) << hold.joints << ", sample " << sample;
    }
  }
}

}  // namespace
}  // namespace jostle

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

/// Six rods hold a box that touches the floor, and a ball rolls on it.
Scenario box_on_rods(const std::string& friction, const std::string& world) {
  return parse_scenario(R"(jostle: 1
variables:
  p1: {uniform: [0.1, 0.6]}
  p2: {uniform: [0.1, 0.6]}
  p3: {uniform: [0.1, 0.6]}
  p4: {uniform: [-0.6, 0.6]}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05]}
  ball: {mass: 0.5, shape: {sphere: {radius: 0.04}}, position: [0.01, 0.01, 0.15], velocity: [0.1, 0.05, 0]}
joints:
  r1: {distance: [world, box], at: [[$p1, 0, 0.3], [0.05, 0.05, 0.1]]}
  r2: {distance: [world, box], at: [[-$p2, 0.1, 0.3], [-0.05, 0.05, 0.1]]}
  r3: {distance: [world, box], at: [[$p4, -$p3, 0.3], [-0.05, -0.05, 0.1]]}
  r4: {distance: [world, box], at: [[0.4, $p4, 0.05], [0.05, 0.05, 0]]}
  r5: {distance: [world, box], at: [[-0.3, 0.3, $p1], [-0.05, 0.05, 0]]}
  r6: {distance: [world, box], at: [[0.3, -0.3, $p2], [0.05, -0.05, 0.1]]}
contacts: [{between: any, )" +
                            friction + "}]\nworld: {" + world,
                        "rods.yaml");
}

// All that rows of the box have is rounding errors: 211 to 256 of 300 such samples ended as ray.
TEST_P(HeldBodies, OfRodsMayTouchOthers) {
  const Scenario scenario = box_on_rods(friction("0.5"), world("step: 0.005, duration: 0.5}\n"));
  for (int sample = 0; sample < 60; ++sample) {
    Simulation simulation(scenario, sample);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << sample;
    EXPECT_LE(simulation.state().residual_max(), 1e-8) << sample;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.position("box", k), k == 2 ? 0.05 : 0, 1e-9) << sample;
  }
}

TEST(HeldBody, OfRodsHasTheSameBitsForEveryTeam) {
  const Ensemble ensemble(box_on_rods("friction: 0.5", "method: anitescu_potra, step: 0.005, duration: 0.5}"));
  int last_resorts = 0;
  for (const int sample : {0, 1, 2}) {
    const auto digest = [&](int lanes) {
      Batch batch(ensemble.model(), 1);
      ensemble.load(sample, batch, 0);
      WorkspaceMemory memory(ensemble.model(), 8);
      run_by_lanes(lanes, batch, 20, memory);
      last_resorts += batch.state(0).vertex() > 0;
      return state_digest(batch, 0);
    };
    for (const int lanes : {1, 2, 8, 32}) EXPECT_EQ(digest(lanes), digest(0)) << lanes << ' ' << sample;
  }
  EXPECT_GT(last_resorts, 0);
}

}  // namespace
}  // namespace jostle

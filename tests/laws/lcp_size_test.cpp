// What a residual is relative to: not to numbers that nothing in the step reaches, nor to rounding errors of large
// speeds.
#include "tests/laws/shape_laws.hpp"

namespace jostle {
namespace {

class LcpSizes : public test::ShapesUnderEveryMethod {};
INSTANTIATE_TEST_SUITE_P(Methods, LcpSizes, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

/// The ways of a pendulum and of a ball that rolls, beside a wheel whose joint has `what`.
std::string beside_a_wheel(const std::string& world, const std::string& friction, const std::string& what) {
  return R"(jostle: 1
bodies:
  wheel: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [2, 0, 1]}
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  arm: {mass: 0.001, shape: {sphere: {radius: 0.002}}, position: [0.0001, 0, 0.98]}
  ball: {mass: 0.001, shape: {sphere: {radius: 0.005}}, position: [-1, 0, 0.005], velocity: [0.001, 0, 0]}
contacts: [{between: any, )" +
         friction + "}]\njoints:\n  drive: {revolute: [world, wheel], at: [2, 0, 1], axis: [0, 1, 0], " + what +
         "}\n  hinge: {revolute: [world, arm], at: [0, 0, 1], axis: [0, 1, 0]}\nworld: {" + world + "}\n";
}

// All joints are one island: a number that nothing reaches must not hide what the others do.
TEST_P(LcpSizes, AreNotThoseOfNumbersThatNothingReaches) {
  const auto run = [&](const std::string& what) {
    Simulation simulation(
        parse_scenario(beside_a_wheel(world("step: 0.001, duration: 0.2"), friction("0.4"), what), "wheel.yaml"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok) << what;
    return std::array{simulation.position("arm", 0), simulation.position("ball", 0)};
  };
  const auto plain = run("friction: 1");
  EXPECT_GT(std::fabs(plain[0] - 1e-4), 1e-5);  // it swings
  EXPECT_GT(plain[1] + 1, 1e-4);                // it rolls
  for (const char* what : {"friction: 1e12", "motor: {speed: 0, limit: 1e12}", "speed_limits: [-1e12, 1e12]",
                           "motor: {speed: 1e12, limit: 1e-6}"}) {
    const auto other = run(what);
    EXPECT_NEAR(other[0], plain[0], 1e-12) << what;
    EXPECT_NEAR(other[1], plain[1], 1e-12) << what;
  }
}

struct Sliding {
  const char* what;
  std::string text;
};

// Along all contacts, speeds are rounding errors of the motion.
TEST_P(LcpSizes, AreNotThoseOfRoundingErrors) {
  const std::string start = "jostle: 1\nworld: {" + world("step: 0.005, duration: 0.5}\n");
  const Sliding scenes[] = {{"two boxes that touch fall", start + R"yaml(variables: {a: {uniform: [0, 360]}}
derived: {s: "sind($a)", c: "cosd($a)"}
bodies:
  lower: {mass: 1.3, shape: {box: {size: [0.2, 0.2, 0.1]}}, rotation: {axis: [0, 1, 0], degrees: $a}}
  upper: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: ["0.1 * $s", 0, "0.1 * $c"], rotation: {axis: [0, 1, 0], degrees: $a}}
contacts: [{between: any, )yaml" + friction("0.4") + "}]\n"},
                            {"a ball falls along a wall",
                             start + R"(variables: {v: {uniform: [0.1, 1]}, s: {uniform: [-1, 1]}}
bodies:
  wall: {fixed: true, shape: {half_space: {normal: [0.6, 0.8, 0]}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [0.06, 0.08, 0], velocity: ["-0.6 * $v - 0.8 * $s", "-0.8 * $v + 0.6 * $s", 0]}
contacts: [{between: any, friction: 0}]
)"},
                            {"a door touches the floor", start + R"(variables: {w: {uniform: [-2, 2]}}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0.48, 0.6, 0.64]}}}
  door: {mass: 1, inertia: [0.02, 0.03, 0.01], shape: {sphere: {radius: 0.1}}, position: [0.048, 0.06, 0.064], spin: ["0.48 * $w", "0.6 * $w", "0.64 * $w"]}
joints: {hinge: {revolute: [world, door], at: [0.048, 0.06, 0.064], axis: [0.48, 0.6, 0.64]}}
contacts: [{between: any, friction: 0}]
outcomes: {force: {maximum: door.normal_force}}
)"},
                            {"a slider touches its guide", start + R"(variables: {w: {uniform: [1, 5]}}
bodies:
  guide: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}, position: [0, 0, -0.05]}
  crank: {mass: 1, inertia: 0.01, position: [0.1, 0, 0], freedom: [x, z, ry], spin: [0, $w, 0], velocity: [0, 0, "-0.1 * $w"]}
  rod: {mass: 1, inertia: 0.02, position: [0.45, 0, 0], freedom: [x, z, ry]}
  slider: {mass: 2, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.7, 0, 0], freedom: [x, z, ry]}
joints:
  a: {revolute: [world, crank], at: [0, 0, 0], axis: [0, 1, 0]}
  b: {revolute: [crank, rod], at: [0.2, 0, 0], axis: [0, 1, 0]}
  c: {revolute: [rod, slider], at: [0.7, 0, 0], axis: [0, 1, 0]}
  d: {prismatic: [world, slider], axis: [1, 0, 0]}
contacts: [{between: [slider, guide], friction: 0}]
)"}};
  for (const Sliding& scene : scenes) {
    const Ensemble ensemble(parse_scenario(scene.text, "sliding.yaml"));
    Batch batch = run_samples(ensemble, ensemble.model(), 0, 300);
    for (int i = 0; i < batch.size(); ++i) {
      EXPECT_EQ(batch.status(i), Status::ok) << scene.what << ", sample " << i;
      if (ensemble.scenario().outcomes.size() == 1) {
        EXPECT_LT(batch.state(i).outcomes[0], 1e-6) << scene.what << ", sample " << i;
      }
    }
  }
}

// "Never slips" is often written so; the matrix then has entries of a million beside those of speeds.
TEST(LargeFriction, IsSolved) {
  for (const char* friction : {"1e3", "1e6"}) {
    Simulation boxes(parse_scenario(std::string(R"(jostle: 1
world: {gravity: [1, 0.3, -9.81], step: 0.005, duration: 0.5}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  a: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05], velocity: [0.5, 0.1, 0], spin: [0, 1, 2]}
  b: {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0.02, 0.01, 0.16], spin: [1, 0, 1]}
contacts: [{between: any, friction: )") +
                                        friction + "}]\n",
                                    "boxes.yaml"));
    boxes.run();
    EXPECT_EQ(boxes.status(), Status::ok) << friction;
    EXPECT_NEAR(boxes.position("b", 2), 0.15, 1e-6) << friction;
  }
}

}  // namespace
}  // namespace jostle

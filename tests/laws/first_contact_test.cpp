// The first contact of two shapes is found on the whole way within a step, whichever features meet; overlaps go away.
#include "tests/laws/tosses.hpp"

namespace jostle {
namespace {

const std::vector<std::string> methods_with_impacts = {"anitescu_potra", "trapezoidal", "trapezoidal_midpoint",
                                                       "loetstedt"};

class FirstContact : public testing::TestWithParam<std::string> {
 protected:
  static Simulation scene(const std::string& text) {
    return Simulation(parse_scenario(text, "scene.yaml", {{"world.method=" + GetParam()}, {}, {}}));
  }
};

// The ball meets the edge at s with |(0.04 - 5 s, 0.04 - 0.5 s)| = 0.05 and would be over the face at the end of the
// step.
TEST_P(FirstContact, OfABallAndAnEdgeThatItPasses) {
  for (const double h : {0.009, 0.0045}) {
    Simulation sim = scene(R"yaml(
jostle: 1
world: {gravity: [0, 0, 0], step: )yaml" +
                           std::to_string(h) + R"yaml(, duration: 0.036}
bodies:
  block: {fixed: true, shape: {box: {size: [1, 1, 1]}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [0.54, 0, 0.54], velocity: [-5, 0, -0.5]}
contacts: [{between: any, restitution: 1}]
outcomes: {gap: {minimum: "gap(ball, block)"}}
)yaml");
    sim.run();
    EXPECT_EQ(sim.status(), Status::ok);
    // Where |c + s v| = r, v is reversed along n = c + s v.
    const Eigen::Vector2d c(0.04, 0.04), v(-5, -0.5);
    const double vv = v.squaredNorm(), cv = c.dot(v);
    const double s = (-cv - std::sqrt(cv * cv - vv * (c.squaredNorm() - 0.0025))) / vv;
    const Eigen::Vector2d n = (c + s * v) / 0.05, after = v - 2 * n.dot(v) * n;
    EXPECT_NEAR(sim.velocity("ball", 0), after[0], 1e-9) << h;
    EXPECT_NEAR(sim.velocity("ball", 2), after[1], 1e-9) << h;
    EXPECT_NEAR(sim.position("ball", 0), 0.54 + s * v[0] + (0.036 - s) * after[0], 1e-10) << h;
    EXPECT_GE(sim.outcome("gap"), -1e-9) << h;
  }
}

// The gap is 0 at one of the points of the way that are looked at.
TEST_P(FirstContact, AtAPointThatIsLookedAt) {
  Simulation sim = scene(R"yaml(
jostle: 1
world: {gravity: [0, 0, 0], step: 0.0078125, duration: 0.078125}
bodies:
  wall: {fixed: true, shape: {half_space: {normal: [-1, 0, 0], offset: -0.3125}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.125}}, position: [0.15234375, 0, 0], velocity: [1, 0, 0]}
contacts: [{between: any, restitution: 0.5}]
outcomes: {furthest: {maximum: ball.position.x}}
)yaml");
  sim.run();
  EXPECT_LE(sim.outcome("furthest"), 0.1875 + 1e-12);
  EXPECT_NEAR(sim.position("ball", 0), 0.1875 - 0.5 * (0.078125 - 0.03515625), 1e-12);
}

// A press pushes a part and stops, within the next step, just where the part meets a wall.
TEST(Press, StopsWhereThePartMeetsTheWall) {
  for (const std::string method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"})
    for (const char* stop : {"1.005", "1.000000001"}) {
      Simulation sim(parse_scenario(std::string(R"yaml(
jostle: 1
world: {gravity: [0, 0, 0], step: 0.01, duration: 1.5}
bodies:
  wall: {fixed: true, shape: {half_space: {normal: [-1, 0, 0], offset: -0.55}}}
  press:
    prescribed: {velocity: ["0.35*min(1, max(0, ()yaml") +
                                        stop + R"yaml( - t)*1e12))", 0, 0]}
    shape: {box: {size: [0.2, 0.2, 0.2]}}
    position: [-0.1, 0, 0]
  part: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0.1, 0, 0]}
contacts: [{between: [press, part], friction: 0.3}, {between: [part, wall], friction: 0.3}]
)yaml",
                                    "press.yaml", {{"world.method=" + method}, {}, {}}));
      sim.run();
      EXPECT_EQ(sim.status(), Status::ok) << method << ", " << stop;
      EXPECT_NEAR(sim.position("part", 0), 0.45, 1e-12) << method << ", " << stop;
      EXPECT_EQ(sim.velocity("part", 0), 0) << method << ", " << stop;
    }
}

// A limit that is reached at the end of a step, at a point that is looked at, or at the start.
TEST_P(FirstContact, WithALimitOfAJoint) {
  const struct {
    const char* joint;
    double speed, limit, e;
  } cases[] = {{"revolute", -20, 0, 0},   {"revolute", 5, 1, 0},         {"revolute", 5, 1, 0.5},
               {"revolute", -20, 0, 0.5}, {"prismatic", 5, 1, 0},        {"prismatic", 5, 1, 0.5},
               {"prismatic", -20, 0, 0},  {"prismatic", 5, 1.0078125, 0}};
  for (const auto& of : cases) {
    const bool turns = std::string(of.joint) == "revolute";
    const double upper = of.limit > 0 ? of.limit : 20.0;
    const std::string coordinate = turns ? "j.angle" : "j.position", speed_key = turns ? "spin" : "velocity";
    const std::string text = R"yaml(
jostle: 1
world: {gravity: [0, 0, 0], step: 0.01, duration: 0.3}
bodies: {w: {mass: 1, inertia: 0.1, )yaml" +
                             speed_key + ": [0, 0, " + std::to_string(of.speed) + "]}}\njoints: {j: {" + of.joint +
                             ": [world, w], " + (turns ? "at: [0, 0, 0], " : "") + "axis: [0, 0, 1], limits: [0, " +
                             std::to_string(upper) + "], restitution: " + std::to_string(of.e) +
                             "}}\noutcomes: {least: {minimum: " + coordinate + "}, most: {maximum: " + coordinate +
                             "}}\n";
    Simulation sim = scene(text);
    sim.run();
    EXPECT_EQ(sim.status(), Status::ok);
    EXPECT_GE(sim.outcome("least"), -1e-9) << of.joint << of.speed << " " << of.e;
    EXPECT_LE(sim.outcome("most"), upper + 1e-9) << of.joint << of.speed << " " << of.e;
    const double speed = turns ? sim.spin("w", 2) : sim.velocity("w", 2);
    EXPECT_NEAR(speed, -of.e * of.speed, 1e-9) << of.joint << of.speed << " " << of.e;
  }
}

// Nothing is met, so nothing is divided: a body that leaves, a flywheel far away, specks that part.
TEST(TooFast, IsOnlyWhatCanMeet) {
  const std::string head = "jostle: 1\nworld: {gravity: [0, 0, 0], step: 0.005, duration: 0.1}\nbodies:\n";
  const char* const scenes[] = {
      "  plate: {fixed: true, shape: {box: {size: [1, 1, 0.002]}}, position: [0, 0, -5]}\n"
      "  b: {mass: 0.01, shape: {sphere: {radius: 0.004}}, velocity: [0, 0, 900]}\n",
      "  plate: {fixed: true, shape: {box: {size: [1, 1, 0.002]}}, position: [0, 0, -5]}\n"
      "  b: {mass: 1, shape: {cylinder: {radius: 0.1, length: 0.02}}, spin: [0, 0, 20000]}\n",
      "  a: {mass: 1e-6, shape: {sphere: {radius: 0.00005}}, velocity: [-30, 0, 0]}\n"
      "  b: {mass: 1e-6, shape: {sphere: {radius: 0.00005}}, position: [0.00011, 0, 0], velocity: [30, 0, 0]}\n",
      "  a: {mass: 1e-6, shape: {sphere: {radius: 0.00005}}, velocity: [-30, 0, 0]}\n"
      "  b: {mass: 1e-6, shape: {sphere: {radius: 0.00005}}, position: [0.0001, 0, 0], velocity: [30, 0, 0]}\n",
      "  a: {mass: 1e-9, shape: {box: {size: [1e-4, 1e-4, 1e-4]}}, velocity: [-30, 0, 0], spin: [0, 0, 1000]}\n"
      "  b: {mass: 1e-9, shape: {capsule: {length: 1e-4, radius: 5e-5}}, position: [0.00015, 0, 0], velocity: [30, 0, "
      "0]}\n",
      "  plate: {fixed: true, shape: {box: {size: [1, 1, 0.002]}}, position: [0, 0, -0.1]}\n"
      "  b: {mass: 0.01, shape: {cylinder: {radius: 0.004, length: 0.004}}, velocity: [0, 0, 900]}\n",
      "  a: {mass: 0.01, shape: {sphere: {radius: 0.0625}}, velocity: [0, 0, 90000]}\n"
      "  b: {mass: 0.01, shape: {sphere: {radius: 0.0625}}, position: [0.125, 0, 0], velocity: [0, 0, 90000]}\n"};
  for (const char* const bodies : scenes)
    for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "loetstedt"}) {
      const std::string text = head + bodies + "contacts: [{between: any}]\n";
      Simulation sim(parse_scenario(text, "fast.yaml", {{std::string("world.method=") + method}, {}, {}}));
      sim.observe([](const System&, const Workspace&, const StepResult& result) { EXPECT_EQ(result.substeps, 0); });
      EXPECT_EQ(sim.status(), Status::ok) << bodies;
    }
}

// What can meet within the step is still divided.
TEST(TooFast, DividesWhatMeets) {
  Simulation sim(parse_scenario(R"yaml(
jostle: 1
world: {gravity: [0, 0, 0], step: 0.005, duration: 0.1}
bodies:
  plate: {fixed: true, shape: {box: {size: [1, 1, 0.002]}}, position: [0, 0, -5]}
  b: {mass: 0.01, shape: {sphere: {radius: 0.004}}, velocity: [0, 0, -100]}
contacts: [{between: any}]
)yaml",
                                "fast.yaml", {{"world.method=stewart_trinkle"}, {}, {}}));
  sim.run();
  EXPECT_EQ(sim.status(), Status::ok);
  EXPECT_GE(sim.position("b", 2), -4.999);
}

// Features of thin rods that turn fast pass each other; the rods overlap far less.
TEST_P(FirstContact, OfThinRodsInABin) {
  if (GetParam() == "loetstedt") return;  // no friction
#ifdef JOSTLE_ALL_TESTS
  constexpr int samples = 20;
#else
  constexpr int samples = 1;
#endif
  int contacts = 0;
  for (int sample = 0; sample < samples; ++sample) {
    Simulation sim(parse_scenario(R"yaml(
jostle: 1
world: {step: 0.004, duration: 0.6}
bodies:
  bin:
    fixed: true
    shapes:
      - {box: {size: [0.2, 0.2, 0.02]}, position: [0, 0, -0.01]}
      - {box: {size: [0.02, 0.2, 0.2]}, position: [0.09, 0, 0.1]}
      - {box: {size: [0.02, 0.2, 0.2]}, position: [-0.09, 0, 0.1]}
      - {box: {size: [0.2, 0.02, 0.2]}, position: [0, 0.09, 0.1]}
      - {box: {size: [0.2, 0.02, 0.2]}, position: [0, -0.09, 0.1]}
  needle: {mass: 0.002, shape: {cylinder: {radius: 0.001, length: 0.08}}, position: [0, 0, 0.15], rotation: uniform}
  pin: {mass: 0.002, shape: {cylinder: {radius: 0.001, length: 0.08}}, position: [0, 0, 0.25], rotation: uniform}
  rod: {mass: 0.01, shape: {capsule: {radius: 0.004, length: 0.06}}, position: [0, 0, 0.35], rotation: uniform}
  bar: {mass: 0.01, shape: {box: {size: [0.004, 0.004, 0.08]}}, position: [0, 0, 0.45], rotation: uniform}
contacts: [{between: any, friction: 0.3, restitution: 0.6}]
)yaml",
                                  "rods.yaml", {{"world.method=" + GetParam()}, {}, {}}),
                   sample);
    double deepest = 0;
    sim.observe([&](const System&, const Workspace& work, const StepResult& result) {
      deepest = std::max(deepest, result.penetration);
      if (result.projections > 0) return;  // the workspace has the contacts of the last one
      for (int c = 0; c < result.contacts; ++c, ++contacts) EXPECT_GE(work.contact(c).gap, -1e-6);
    });
    EXPECT_EQ(sim.status(), Status::ok) << sample;
    EXPECT_LE(deepest, 5e-4) << sample;
  }
  EXPECT_GT(contacts, 20 * samples);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, FirstContact, testing::ValuesIn(methods_with_impacts),
                         [](const auto& method) { return method.param; });

}  // namespace
}  // namespace jostle

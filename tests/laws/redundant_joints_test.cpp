// Equations of joints that follow from others where joints are closed: errors of joints do not make them independent,
// however the bodies tumble and whatever they strike.
#include <algorithm>
#include <vector>

#include "tests/laws/shape_laws.hpp"

namespace jostle {
namespace {

/// m: the speeds of loops are made consistent once more in each step, which the same joints without a loop need not be.
constexpr double same_motion = 2e-4;

class RedundantJoints : public test::ShapesUnderEveryMethod {
 protected:
  /// Three boxes on each other's joints tumble onto a floor.
  Scenario tumble(const std::string& joints) const {
    return parse_scenario(R"(jostle: 1
variables:
  a: {uniform: [-3, 3]}
  b: {uniform: [-3, 3]}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  frame:
    {mass: 1, shape: {box: {size: [0.1, 0.2, 0.15]}}, position: [0, 0, 0.5], spin: [$a, $b, 5],
     rotation: {axis: [1, 2, 3], degrees: 40}}
  door:
    {mass: 2, shape: {box: {size: [0.3, 0.1, 0.2]}}, position: [0.3, 0.1, 0.55], spin: [$a, $b, 5],
     velocity: [0.05*$b - 0.5, 1.5 - 0.05*$a, 0.1*$a - 0.3*$b]}
  wheel:
    {mass: 0.5, shape: {box: {size: [0.2, 0.1, 0.1]}}, position: [-0.3, 0, 0.45], spin: [$a, $b, 5],
     velocity: [-0.05*$b, -1.5 + 0.05*$a, 0.3*$b]}
contacts:
  - {between: [frame, floor], )" +
                              friction("0.3") + "}\n  - {between: [door, floor], " + friction("0.3") +
                              "}\n  - {between: [wheel, floor], " + friction("0.3") +
                              "}\n  - {between: [frame, door], contact: false}\n"
                              "  - {between: [frame, wheel], contact: false}\n"
                              "  - {between: [door, wheel], contact: false}\n"
                              "joints: {axle: {revolute: [frame, wheel], at: [-0.15, 0, 0.5], axis: [1, 1, 0]}, " +
                              joints + "}\nworld: {" + world("step: 0.002, duration: 0.4}\n"),
                          "tumble.yaml");
  }

  /// m: by how much the bodies end elsewhere with more joints.
  double difference(const std::string& joints, const std::string& more) const {
    const Scenario few = tumble(joints), many = tumble(more);
    double largest = 0;
    for (int sample = 0; sample < 8; ++sample) {
      Simulation one(few, sample), other(many, sample);
      one.run(), other.run();
      EXPECT_EQ(one.status(), Status::ok) << joints << ", sample " << sample;
      EXPECT_EQ(other.status(), Status::ok) << more << ", sample " << sample;
      for (const char* body : {"frame", "door", "wheel"})
        for (int k = 0; k < 3; ++k)
          largest = std::max(largest, std::fabs(one.position(body, k) - other.position(body, k)));
    }
    return largest;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, RedundantJoints, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(RedundantJoints, OfADoorOnTwoHinges) {
  const std::string lower = "lower: {revolute: [frame, door], at: [0.15, 0.05, 0.5], axis: [0.3, 0.1, 1]}";
  EXPECT_LE(difference(lower, lower + ", upper: {revolute: [frame, door], at: [0.18, 0.06, 0.6], axis: [0.3, 0.1, 1]}"),
            same_motion);
  EXPECT_LE(difference(lower, lower + ", upper: {revolute: [door, frame], at: [0.18, 0.06, 0.6], axis: [0.3, 0.1, 1]}"),
            same_motion)
      << "in the other order";
  EXPECT_LE(difference(lower, lower + ", upper: {ball: [door, frame], at: [0.18, 0.06, 0.6]}"), same_motion);
}

TEST_P(RedundantJoints, OfAWeldWithStruts) {
  const std::string weld = "weld: {fixed: [frame, door]}";
  EXPECT_LE(difference(weld, weld + R"(, one: {distance: [frame, door], at: [[0.1, 0.1, 0.4], [0.3, 0, 0.7]]},
  two: {distance: [door, frame], at: [[0.2, 0.1, 0.6], [-0.1, 0.1, 0.4]]}, ball: {ball: [frame, door], at: [0.3, 0, 0.5]})"),
            same_motion);
}

TEST_P(RedundantJoints, OfASlide) {
  const std::string slide = "slide: {prismatic: [frame, door], axis: [1, 0.5, 0.2]}";
  EXPECT_LE(difference(slide, slide + ", other: {prismatic: [frame, door], axis: [1, 0.5, 0.2], at: [0.1, 0.2, 0.3]}"),
            same_motion);
}

std::string list(const Vec3& v, const char* factor = "") {
  char text[96];
  std::snprintf(text, sizeof text, "[%s%.17g, %s%.17g, %s%.17g]", factor, v[0], factor, v[1], factor, v[2]);
  return text;
}

/// Four links between the corners of a closed polygon, with hinges across both links: they tumble freely.
Scenario four_links(const Vec3 (&corner)[4], const std::string& world) {
  const Vec3 spin(3, -2, 4);
  std::string bodies, joints;
  for (int i = 0; i < 4; ++i) {
    const Vec3 before = corner[(i + 3) % 4], after = corner[(i + 1) % 4], middle = 0.5 * (corner[i] + after);
    const Vec3 axis = cross(corner[i] - before, after - corner[i]), velocity = cross(spin, middle);
    const std::string number = std::to_string(i), last = std::to_string((i + 3) % 4);
    bodies += "  link" + number + ": {mass: " + std::to_string(1 + 0.3 * i) +
              ", inertia: [0.01, 0.012, 0.009], position: " + list(middle) + ", velocity: " + list(velocity) +
              ", spin: " + list(spin) + "}\n";
    joints += "  hinge" + number + ": {revolute: [link" + last + ", link" + number + "], at: " + list(corner[i]) +
              ", axis: " + list(axis) + "}\n";
  }
  return parse_scenario("jostle: 1\nbodies:\n" + bodies + "joints:\n" + joints +
                            "forces: [{body: link0, force: [3, 0, 2], at: [0.2, 0.1, 0]}]\n"
                            "outcomes: {angle: {at_end: hinge1.angle}}\nworld: {" +
                            world + "}\n",
                        "links.yaml");
}

class TumblingLinkages : public test::ShapesUnderEveryMethod {
 protected:
  /// rad: by how much the hinge's angle differs from that of the most exact method.
  double error(const Vec3 (&corner)[4]) const {
    const auto angle = [&](const std::string& world) {
      Simulation simulation(four_links(corner, world));
      simulation.run();
      EXPECT_EQ(simulation.status(), Status::ok);
      return simulation.outcome("angle");
    };
    const double exact = angle("step: 0.001, duration: 0.4, method: loetstedt");
    EXPECT_GT(std::fabs(exact), 0.1) << "it moves";
    return std::fabs(angle(world("step: 0.001, duration: 0.4")) - exact);
  }
  double tolerance() const {
    const std::string method = GetParam();
    return method == "stewart_trinkle" ? 0.03 : method == "anitescu_potra" ? 0.01 : 1e-3;
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, TumblingLinkages, test::every_method(),
                         [](const auto& method) { return std::string(method.param); });

// Opposite sides are equal: Bennett's linkage, which moves though three of its equations more than for a chain hold it.
TEST_P(TumblingLinkages, OfBennettMove) {
  EXPECT_LE(error({{0.3, 0, 0.175}, {0, 0.2, -0.175}, {-0.3, 0, 0.175}, {0, -0.2, -0.175}}), tolerance());
}

TEST_P(TumblingLinkages, InAPlaneMove) {
  EXPECT_LE(error({{-0.275, -0.15, 0}, {0.025, -0.05, 0}, {0.225, 0.15, 0}, {-0.075, 0.05, 0}}), tolerance());
}

/// Two cranks of 1 kg and a coupler of 1.5 kg between them, an oblique parallelogram whose cranks turn at $w, with two
/// hinges that rub; or the arm that moves like a crank.
Scenario rubbing_parallelogram(bool is_arm, const std::string& world) {
  const double length = 0.3, mass = 3.5, centre = 2.5 * length / mass;  // of the arm
  const double inertia = 2.5 * length * length - mass * centre * centre;
  const Vec3 axis(1.0 / 3, 2.0 / 3, 2.0 / 3), along(2.0 / 3, 1.0 / 3, -2.0 / 3), up = cross(axis, along);
  const Vec3 crank = length * (0.6 * along + 0.8 * up), other = 0.4 * along;
  const auto body = [&](const std::string& name, const std::string& inertia_and_mass, const Vec3& at, double lever) {
    return "  " + name + ": {" + inertia_and_mass + ", position: " + list(at) +
           ", velocity: " + list(lever / length * cross(axis, crank), "$w*") +
           ", spin: " + (name == "coupler" ? "[0, 0, 0]" : list(axis, "$w*")) + "}\n";
  };
  const auto hinge = [&](const std::string& name, const std::string& bodies, const Vec3& at, const std::string& more) {
    return "  " + name + ": {revolute: " + bodies + ", at: " + list(at) + ", axis: " + list(axis) + more + "}\n";
  };
  const std::string arm =
      body("arm", "mass: 3.5, inertia: " + list(Vec3(inertia, inertia, inertia)), centre / length * crank, centre);
  return parse_scenario(
      "jostle: 1\nvariables: {w: {uniform: [1, 4]}}\noutcomes: {angle: {at_end: hinge.angle}}\nbodies:\n" +
          (is_arm ? arm + "joints:\n" + hinge("hinge", "[world, arm]", Vec3(0, 0, 0), ", friction: 0.8")
                  : body("one", "mass: 1, inertia: 0.0225", 0.5 * crank, 0.5 * length) +
                        body("two", "mass: 1, inertia: 0.0225", other + 0.5 * crank, 0.5 * length) +
                        body("coupler", "mass: 1.5, inertia: 0.02", crank + 0.5 * other, length) + "joints:\n" +
                        hinge("hinge", "[world, one]", Vec3(0, 0, 0), ", friction: 0.3") +
                        hinge("second", "[world, two]", other, "") +
                        hinge("third", "[one, coupler]", crank, ", friction: 0.5") +
                        hinge("fourth", "[two, coupler]", crank + other, "")) +
          "world: {gravity: " + list(-9.81 * up) + ", " + world + "}\n",
      "parallelogram.yaml");
}

// They stop, and turn back: what is left of the velocities then is as small as the rounding errors of positions make
// that of equations that were left out, the more the shorter the step.
TEST_P(TumblingLinkages, ThatRubMoveAsTheirCranksDo) {
  const std::string of_world = world("step: 0.001, duration: 0.3");
  const Scenario linkage = rubbing_parallelogram(false, of_world), arm = rubbing_parallelogram(true, of_world);
  for (int sample = 0; sample < 12; ++sample) {
    Simulation one(linkage, sample), other(arm, sample);
    one.run(), other.run();
    ASSERT_EQ(one.status(), Status::ok) << "sample " << sample;
    ASSERT_EQ(other.status(), Status::ok) << "sample " << sample;
    EXPECT_NEAR(one.outcome("angle"), other.outcome("angle"), tolerance() / 100) << "sample " << sample;
  }
}

// A light rod swings on two stays from a slide and an arm that is welded to it. No equation follows from others, but
// fast swings leave the stays open by a millimetre, and errors of that size could have made the pivot of an equation of
// the weld, of the arm's centre, which is a hundredth as its lever is long: left out, it let the arm fall by 4 cm.
TEST_P(TumblingLinkages, WithoutRedundantEquationsKeepThemAll) {
  const Scenario swing = parse_scenario(R"(jostle: 1
variables: {m: {uniform: [0.2, 0.5]}, v: {uniform: [-1, 0]}}
bodies:
  slide: {mass: 1.667, shape: {capsule: {length: 0.0414, radius: 0.0138, axis: x}}}
  arm: {mass: 1.394, shape: {cylinder: {length: 0.0916, radius: 0.0458}}, position: [0.2, 0, 0]}
  rod: {mass: $m, shape: {capsule: {length: 0.0492, radius: 0.0164, axis: x}}, position: [0.4, 0, 0], velocity: [0, 0, $v]}
joints:
  way: {prismatic: [world, slide], axis: [1, 0, 0]}
  weld: {fixed: [slide, arm]}
  one: {distance: [arm, rod]}
  two: {distance: [slide, rod], at: [[0.01, 0, 0.08], [0.39, 0, -0.05]]}
contacts: [{between: any, contact: false}]
world: {)" + world("step: 0.004, duration: 0.5") +
                                            "}\n",
                                        "swing.yaml");
  for (int sample = 0; sample < 12; ++sample) {
    Simulation simulation(swing, sample);
    simulation.watch([&](const StateView& state) {
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(state.position[3 + k] - state.position[k], k == 0 ? 0.2 : 0.0, 1e-9) << state.steps();
    });
    EXPECT_EQ(simulation.status(), Status::ok) << "sample " << sample;
  }
}

/// A box and a stay that `joints` hold to an arm hang on a ball joint and swing onto a floor, often into a jam.
Scenario hanging_box(const std::string& joints, const std::string& method) {
  return parse_scenario(R"(jostle: 1
variables: {mu: {uniform: [0.5, 1]}}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  arm: {mass: 2, inertia: 0.02, position: [0, 0, 0.4]}
  stay: {mass: 2, inertia: 0.02, position: [0.1, {uniform: [-0.1, 0.1]}, 0.25]}
  box: {density: 1000, shape: {box: {size: [0.2, 0.15, 0.3]}}, position: [0.3, 0, 0.3], rotation: uniform}
joints:
  hang: {ball: [world, arm], at: [{uniform: [-0.2, 0]}, {uniform: [-0.2, 0.2]}, {uniform: [0.3, 0.6]}]}
)" + joints + R"(
contacts: [{between: [box, floor], friction: $mu}]
world: {step: 0.002, duration: 1, method: )" +
                            method + "}\n",
                        "hanging_box.yaml");
}

// A jam holds equations that bear in it and corrects the others: those that follow from both are asked for neither.
TEST(RedundantJointsInAJam, ChangeLittle) {
  // m: where a body moves in a jam, joints with a third one keep errors of half a millimetre, (17b), and these decide
  // when the jam ends. Most samples differ by less than same_motion.
  constexpr double same_end = 5e-3;
  for (const char* const method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
    const std::string two = "  one: {fixed: [stay, arm]}\n  two: {fixed: [box, arm]}\n";
    const Scenario tree = hanging_box(two, method), weld = hanging_box(two + "  three: {fixed: [box, stay]}", method),
                   ball = hanging_box(two + "  three: {ball: [box, stay], at: [0.2, 0, 0.3]}", method);
    for (int sample = 1; sample < 16; ++sample) {
      Simulation simple(tree, sample);
      simple.run();
      ASSERT_EQ(simple.status(), Status::ok) << method << ", sample " << sample;
      for (const Scenario* const redundant : {&weld, &ball}) {
        Simulation other(*redundant, sample);
        other.run();
        ASSERT_EQ(other.status(), Status::ok) << method << ", sample " << sample;
        for (int k = 0; k < 3; ++k)
          EXPECT_NEAR(other.position("box", k), simple.position("box", k), same_end) << method << ", " << sample;
      }
    }
  }
}

// A loop that is locked: errors of joints of 1e-8 let its bodies move by so much, so that a jam is one but for them,
// and impulses without bound were pushed out with what they let move. It ends as welds do. The box has 50 J.
TEST(RedundantJointsInAJam, OfALockedLoopThatErrorsLetMove) {
  constexpr int samples = 20;
  const std::string locked = "  one: {ball: [stay, arm], at: [0.05, 0, 0.35]}\n" +
                             ("  two: {prismatic: [box, arm], axis: [{uniform: [-1, 1]}, {uniform: [-1, 1]}, 1]}\n" +
                              std::string("  three: {fixed: [box, stay]}"));
  for (const char* const method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
    const Scenario loop = hanging_box(locked, method),
                   tree = hanging_box("  one: {fixed: [stay, arm]}\n  two: {fixed: [box, arm]}", method);
    std::vector<double> differences;
    for (int sample = 0; sample < samples; ++sample) {
      Simulation simulation(loop, sample), simple(tree, sample);
      simulation.run(), simple.run();
      EXPECT_EQ(simulation.status(), Status::ok) << method << ", sample " << sample;
      EXPECT_LT(simulation.state().energy_gained(), 1) << method << ", sample " << sample;
      double most = 0;
      for (int k = 0; k < 3; ++k)
        most = std::max(most, std::fabs(simulation.position("box", k) - simple.position("box", k)));
      differences.push_back(most);
    }
    std::sort(differences.begin(), differences.end());
    EXPECT_LE(differences[samples / 2], 1e-4) << method;
    EXPECT_LE(differences[samples * 8 / 10], 5e-3) << method;
  }
}

}  // namespace
}  // namespace jostle

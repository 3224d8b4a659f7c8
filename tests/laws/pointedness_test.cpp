// When friction cones are pointed, against closed formulas.

#include "tests/laws/simulation.hpp"

namespace jostle {
namespace {

constexpr const char* cones[] = {"polygon", "circle"};

/// The pointedness of a ball of radius 0.1 m after one step; `walls`: the shapes of what it touches.
double pointedness_of_ball(const std::string& walls, double friction, const std::string& cone,
                           const std::string& body = "", const std::string& rest = "") {
  char text[1500];
  std::snprintf(text, sizeof text, R"(
jostle: 1
world: {step: 0.01, duration: 0.01, friction_cone: %s}
bodies:
  walls: {fixed: true, shapes: [%s]}
  ball: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0]%s}
%scontacts: [{between: any, friction: %.17g}]
outcomes: {margin: {at_end: pointedness}, least: {minimum: pointedness}}
)",
                cone.c_str(), walls.c_str(), body.c_str(), rest.c_str(), friction);
  Simulation ball(parse_scenario(text, "ball.yaml"));
  ball.run();
  EXPECT_EQ(ball.status(), Status::ok);
  EXPECT_EQ(ball.outcome("least"), ball.outcome("margin")) << "it is 1, the most, at the start";
  return ball.outcome("margin");
}

/// Two half-spaces whose surfaces lean by a from the vertical and touch the ball.
std::string groove(double a) {
  char text[300];
  std::snprintf(text, sizeof text,
                "{half_space: {normal: [%.17g, 0, %.17g], offset: -0.1}}, {half_space: {normal: [%.17g, 0, %.17g], "
                "offset: -0.1}}",
                std::cos(a), std::sin(a), -std::cos(a), std::sin(a));
  return text;
}
const std::string particle = ", inertia: 1, freedom: [x, y, z]";

// The margin vanishes from mu = tan a on, where a force along the line between the contacts is in both cones.
TEST(PointednessInAGroove, VanishesFromTheFrictionAngleOn) {
  for (const char* cone : cones) {
    SCOPED_TRACE(cone);
    double pointed = 0.25, other = 0.35;
    EXPECT_EQ(pointedness_of_ball(groove(0.3), other, cone), 0);
    EXPECT_EQ(pointedness_of_ball(groove(0.3), 2, cone), 0);
    while (other - pointed > 1e-7) {
      const double mu = (pointed + other) / 2;
      (pointedness_of_ball(groove(0.3), mu, cone) > 0 ? pointed : other) = mu;
    }
    EXPECT_NEAR(pointed, std::tan(0.3), 1e-6);
    EXPECT_NEAR(std::tan(0.3), 0.3093362, 1e-7);
  }
}

// Of a body that does not turn: the nearest generators make angles of a - atan mu with the line between the contacts.
TEST(PointednessInAGroove, IsTheSineOfWhatIsLeft) {
  for (const char* cone : cones) {
    for (const double mu : {0.05, 0.2, 0.3, 0.309}) {
      SCOPED_TRACE(mu);
      EXPECT_NEAR(pointedness_of_ball(groove(0.3), mu, cone, particle), std::sin(0.3 - std::atan(mu)), 1e-12);
    }
  }
}

TEST(PointednessBetweenParallelWalls, IsZero) {
  for (const char* cone : cones) {
    for (const double mu : {0.0, 0.3}) EXPECT_EQ(pointedness_of_ball(groove(0), mu, cone), 0) << mu;
  }
}

TEST(PointednessOnAPlane, IsPositive) {
  const std::string floor = "{half_space: {normal: [0, 0, 1], offset: -0.1}}";
  for (const char* cone : cones) {
    for (const double mu : {0.1, 0.5, 2.0}) {
      SCOPED_TRACE(mu);
      EXPECT_NEAR(pointedness_of_ball(floor, mu, cone, particle), 1 / std::sqrt(1 + mu * mu), 1e-12);
      EXPECT_GT(pointedness_of_ball(floor, mu, cone), 0.1);
    }
    EXPECT_DOUBLE_EQ(pointedness_of_ball(floor, 0, cone), 1);
  }
  EXPECT_EQ(pointedness_of_ball("{half_space: {normal: [0, 0, 1], offset: -0.5}}", 0.5, "polygon"), 1) << "no contact";
}

/// The same with spin friction of the radius 0.02 m.
double pointedness_with_spin(const std::string& walls, double friction) {
  char text[900];
  std::snprintf(
      text, sizeof text,
      "jostle: 1\nworld: {step: 0.01, duration: 0.01}\nbodies:\n  walls: {fixed: true, shapes: [%s]}\n  ball: "
      "{mass: 2, inertia: 0.008, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0]}\ncontacts: [{between: "
      "any, friction: %.17g, spin_friction: 0.02}]\noutcomes: {margin: {at_end: pointedness}}\n",
      walls.c_str(), friction);
  Simulation ball(parse_scenario(text, "spin.yaml"));
  ball.run();
  EXPECT_EQ(ball.status(), Status::ok);
  return ball.outcome("margin");
}

// On a plane the generators n + mu d +- mu r n (a moment) lie evenly about n, and are longer by the moment: their mean
// has 1/m of 1/m + mu^2 (1/m + R^2/J) + (mu r)^2/J.
TEST(PointednessWithSpinFriction, IsLessByTheMoment) {
  for (const double mu : {0.1, 0.5, 2.0}) {
    const double spin = 0.02 * mu;
    EXPECT_NEAR(pointedness_with_spin("{half_space: {normal: [0, 0, 1], offset: -0.1}}", mu),
                1 / std::sqrt(1 + mu * mu * (1 + 2 * 0.01 / 0.008) + 2 * spin * spin / 0.008), 1e-12)
        << mu;
  }
}

// Two moments about leaning normals do not balance a force that is no friction: a groove jams where it did.
TEST(PointednessWithSpinFriction, VanishesInAGrooveFromTheFrictionAngleOn) {
  EXPECT_EQ(pointedness_with_spin(groove(0.3), std::tan(0.3) + 1e-6), 0);
  EXPECT_GT(pointedness_with_spin(groove(0.3), std::tan(0.3) - 1e-6), 0);
}

// What the floor pushes up hangs on nothing else; what a joint holds, no velocity answers to.
TEST(PointednessWithJoints, IsZeroWhereAJointTakesTheWholeImpulse) {
  const std::string floor = "{half_space: {normal: [0, 0, 1], offset: -0.1}}";
  const auto margin = [&](const std::string& joint) {
    return pointedness_of_ball(floor, 0.3, "polygon", "", "joints:\n  j: {" + joint + "}\n");
  };
  EXPECT_GT(margin("prismatic: [world, ball], axis: [0, 0, 1]"), 0.1);
  EXPECT_EQ(margin("prismatic: [world, ball], axis: [1, 0, 0]"), 0);
  EXPECT_EQ(margin("fixed: [world, ball]"), 0);
}

// A box in the groove jams only where its cone is not pointed.
TEST(PointednessInAGroove, IsZeroInEveryStepThatIsHeld) {
  int held = 0;
  for (int sample = 0; sample < 12; ++sample) {
    Simulation box("v_groove", {"outcomes.jams={at_end: pointedness}"}, sample);
    box.observe([&](const System& system, const Workspace& work, const StepResult& result) {
      if (result.rests || !result.held) return;
      ++held;
      EXPECT_EQ(pointedness(system, work), 0);
      EXPECT_EQ(system.state().pointedness(), 0);
    });
  }
  EXPECT_GT(held, 10);
}

// A far body changes nothing: the least margin of the islands counts.
TEST(Pointedness, IsThatOfTheWorstIsland) {
  const std::string walls = groove(0.3) + ", {half_space: {normal: [0, 0, 1], offset: -5}}";
  const double alone = pointedness_of_ball(walls, 0.2, "polygon");
  char text[1500];
  std::snprintf(text, sizeof text, R"(
jostle: 1
world: {step: 0.01, duration: 0.01}
bodies:
  groove: {fixed: true, shapes: [%s]}
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1], offset: -5}}}
  ball: {mass: 2, shape: {sphere: {radius: 0.1}}}
  far: {mass: 2, shape: {sphere: {radius: 0.1}}, position: [50, 0, -4.9]}
contacts: [{between: any, friction: 0.2}, {between: [far, groove], contact: false}]
outcomes: {margin: {at_end: pointedness}}
)",
                groove(0.3).c_str());
  Simulation both(parse_scenario(text, "both.yaml"));
  both.run();
  EXPECT_EQ(both.outcome("margin"), alone);
}

}  // namespace
}  // namespace jostle

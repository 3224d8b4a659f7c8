// Bodies that move as told, under Loetstedt's method: their accelerations act in the stages, their velocities in
// impacts and in the projection.
#include "tests/laws/convergence.hpp"

namespace jostle {
namespace {

std::string other_body() { return "  other: {mass: 1, inertia: 1, position: [9, 9, 9]}\n"; }

// Its position is the integral of its velocity, to order 4; turns about one axis are exact for polynomials of t^3.
TEST(PrescribedAcceleration, BodiesAreWhereTheirVelocityLeads) {
  double before = 0;
  for (int i = 0; i < 4; ++i) {
    Simulation simulation(tied_scenario(
        0.05 / (1 << i), 1, loetstedt(floats),
        "bodies:\n  pusher: {prescribed: {velocity: [2*t, sin(3*t), exp(-t)], spin: [0, 0, t^3]}}\n" + other_body()));
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(simulation.position("pusher", 0), 1, 1e-14);
    EXPECT_NEAR(simulation.state().angle[simulation.body("pusher")], 0.25, 1e-14);
    EXPECT_EQ(simulation.velocity("pusher", 0), 2);
    EXPECT_NEAR(simulation.spin("pusher", 2), 1, 1e-15);
    const double error = std::hypot(simulation.position("pusher", 1) - (1 - std::cos(3.0)) / 3,
                                    simulation.position("pusher", 2) - (1 - std::exp(-1.0)));
    if (i > 0) {
      EXPECT_NEAR(before / error, 16, 1) << i;
    }
    before = error;
  }
}

TEST(PrescribedAcceleration, TurnsInSpaceConvergeWithOrderFour) {
  expect_order_four(ratios(0.04, 3,
                           [](double h) {
                             return tied_scenario(h, 1, loetstedt(floats),
                                                  "bodies:\n  rotor: {prescribed: {velocity: [sin(2*t), 0, 0], spin: "
                                                  "[2*cos(3*t), 1 + t, \"-2*sin(2*t)\"]}}\n" +
                                                      other_body() + "joints:\n  weld: {fixed: [rotor, other]}\n");
                           }),
                    1);
}

// A velocity, or its derivative, that is not finite ends the sample.
TEST(PrescribedAcceleration, ThatIsNotFiniteEndsTheSample) {
  const auto run = [](const std::string& velocity) {
    Simulation simulation(
        tied_scenario(0.01, 1, loetstedt(floats),
                      "bodies:\n  a: {prescribed: {velocity: [" + velocity + ", 0, 0]}}\n" + other_body()));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::not_finite) << velocity;
    EXPECT_TRUE(std::isfinite(simulation.position("a", 0))) << velocity;
    return simulation.state().steps();
  };
  EXPECT_EQ(run("sqrt(0.505 - t)"), 50);
  EXPECT_EQ(run("sqrt(t)"), 0) << "its derivative at 0";
  EXPECT_EQ(run("1 / t"), 0);
}

// --- a platform that shakes: z = A sin(w t)

constexpr double w = 10;

Simulation on_platform(double h, double duration, double amplitude, const std::string& shape,
                       const std::string& contact) {
  char text[640];
  std::snprintf(
      text, sizeof text,
      "bodies:\n  platform: {prescribed: {velocity: [0, 0, \"%.17g*cos(10*t)\"]}, shape: %s, position: [0, 0, "
      "-0.1]}\n  ball: {mass: 2, inertia: 0.01, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], "
      "velocity: [0, 0, %.17g]}\ncontacts: [{between: any, friction: 0%s}]\noutcomes: {push: {at_end: "
      "ball.normal_impulse}}\n",
      amplitude * w, shape.c_str(), amplitude * w, contact.c_str());
  return Simulation(tied_scenario(h, duration, loetstedt(), text));
}
const std::string platforms[] = {"{half_space: {normal: [0, 0, 1], offset: 0.1}}", "{box: {size: [1, 1, 0.2]}}"};

// Below A w^2 = g the ball stays on it, and the platform gives the impulse that moves it.
TEST(ShakingPlatform, CarriesABallBelowG) {
  constexpr double h = 0.005;
  for (const std::string& shape : platforms)
    for (const double part : {0.5, 0.99}) {
      const double amplitude = part * g / (w * w);
      Simulation simulation = on_platform(h, 2, amplitude, shape, "");
      double before = amplitude * w;
      simulation.watch([&](const StateView& s) {
        const double time = h * s.steps(), speed = amplitude * w * std::cos(w * time);
        EXPECT_NEAR(simulation.position("ball", 2) - simulation.position("platform", 2), 0.2, 1e-12) << time;
        EXPECT_NEAR(simulation.position("platform", 2), -0.1 + amplitude * std::sin(w * time), 1e-8) << time;
        EXPECT_NEAR(simulation.velocity("ball", 2), speed, 1e-12) << time;
        if (s.steps() > 0) {
          const double given = given_impulse(simulation, "platform")[2];
          EXPECT_NEAR(given, 2 * (speed - before + g * h), 1e-12) << time;
          EXPECT_NEAR(s.normal_impulse[simulation.body("ball")], given, 1e-12) << time;
          EXPECT_GT(given, 0);
        }
        before = speed;
      });
      EXPECT_EQ(simulation.status(), Status::ok);
      EXPECT_EQ(simulation.state().events(), 0);
      EXPECT_LE(simulation.state().energy_gained(), 1e-6) << "the work of the platform is no gain";
    }
}

/// The first root of f after `from`.
double root_after(double from, const std::function<double(double)>& f) {
  double low = from;
  while (f(low) * f(low + 1e-4) > 0) low += 1e-4;
  double high = low + 1e-4;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (f(low) * f(middle) > 0 ? low : high) = middle;
  }
  return low;
}

// Above, it takes off where A w^2 sin(w t) = g, flies, and lands; with e it is thrown up again. How far the time of
// taking off is missed decides the error: it falls with h^2.
TEST(ShakingPlatform, ThrowsABallAboveG) {
  const double amplitude = 1.6 * g / (w * w);
  const double off = std::asin(g / (amplitude * w * w)) / w;
  const double height = amplitude * std::sin(w * off), speed = amplitude * w * std::cos(w * off);
  const auto flight = [&](double t) { return height + speed * (t - off) - 0.5 * g * (t - off) * (t - off); };
  const double lands = root_after(off + 0.01, [&](double t) { return flight(t) - amplitude * std::sin(w * t); });
  const double told = amplitude * w * std::cos(w * lands), v = speed - g * (lands - off);
  const double e = 0.5, restored = told - e * (v - told), later = lands + 0.03;
  const double thrown = flight(lands) + restored * (later - lands) - 0.5 * g * (later - lands) * (later - lands);
  ASSERT_GT(thrown, amplitude * std::sin(w * later) + 0.001) << "it still flies then";
  for (const std::string& shape : platforms) {
    double before = 0;
    for (const double steps : {100.0, 200.0, 400.0}) {
      Simulation simulation = on_platform(later / steps, later, amplitude, shape, ", restitution: 0.5");
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok);
      EXPECT_EQ(simulation.state().events(), 1);
      const double error = std::fabs(simulation.position("ball", 2) - 0.1 - thrown);
      EXPECT_LE(error, 2 * g * (later / steps) * (later / steps)) << steps;
      EXPECT_NEAR(simulation.velocity("ball", 2), restored - g * 0.03, 20 * later / steps);
      before = error;
    }
    EXPECT_LE(before, 1e-5);
  }
}

// --- frames that accelerate

// In a frame with the acceleration a, gravity is g - a: an accelerating dome throws a ball off as one at rest does with
// that gravity, and so do the impact on the floor below and what follows.
TEST(Equivalence, OfAnAcceleratedFrameAndGravity) {
  const auto scene = [](const std::string& gravity, const std::string& still, double vx) {
    char text[900];
    std::snprintf(text, sizeof text,
                  "bodies:\n  dome: {%s, shape: {sphere: {radius: 0.9}}}\n  floor: {%s, shape: {box: {size: [9, 9, "
                  "0.2]}}, position: [0, 0, -1.1]}\n  ball: {mass: 1, inertia: 0.01, shape: {sphere: {radius: 0.1}}, "
                  "position: [0.28, 0, 0.96], velocity: [%.17g, 0, 0]}\n  hook: {%s, position: [2, 0, 1]}\n  bob: "
                  "{mass: 1, inertia: [0.1, 0.2, 0.25], position: [2.3, 0.4, 1], velocity: [%.17g, 0, 0]}\n"
                  "joints:\n  pin: {ball: [hook, bob], at: [2, 0, 1]}\n"
                  "contacts: [{between: any, friction: 0, restitution: 0.5}]\n",
                  still.c_str(), still.c_str(), vx, still.c_str(), vx);
    return tied_scenario(0.005, 1.5, loetstedt("gravity: [" + gravity + "]"), text);
  };
  Simulation still(scene("1, 0.5, -7", "fixed: true", 0));
  Simulation moving(scene("0, 0, -9.5", "prescribed: {velocity: [\"0.3 - t\", \"-0.5*t\", \"-2.5*t\"]}", 0.3));
  still.run(), moving.run();
  ASSERT_EQ(still.status(), Status::ok);
  ASSERT_EQ(moving.status(), Status::ok);
  EXPECT_GT(still.state().events(), 0);
  EXPECT_EQ(moving.state().events(), still.state().events());
  const double t = 1.5, way[] = {0.3 * t - 0.5 * t * t, -0.25 * t * t, -1.25 * t * t};
  for (const char* body : {"ball", "bob"})
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(moving.position(body, k), still.position(body, k) + way[k], 1e-10) << body;
}

// Contacts with bodies that shake and turn, along curved and along flat surfaces: order 4.
TEST(MovingContact, ConvergesWithOrderFour) {
  const std::string dome =
      "bodies:\n  dome: {prescribed: {velocity: [\"0.3*sin(4*t)\", 0, \"0.2*cos(5*t)\"], spin: [0, \"2*t\", 0]}, "
      "shapes: "
      "[{sphere: {radius: 0.9}, position: [0.05, 0, 0]}]}\n  ball: {mass: 1, inertia: 0.01, shape: {sphere: {radius: "
      "0.1}}, position: [0.33, 0.28, \"sqrt(1 - 2*0.28^2)\"], velocity: [0, 0, 0.2]}\n";
  const std::string tray =
      "bodies:\n  tray: {prescribed: {velocity: [\"0.3*sin(4*t)\", 0, \"0.2*sin(5*t)\"], spin: [\"0.6*sin(3*t)\", "
      "\"-0.8*sin(2*t)\", 0.3*t]}, shape: {box: {size: [2, 2, 0.2]}}}\n  ball: {mass: 1, inertia: [0.01, 0.02, 0.025], "
      "shapes: [{sphere: {radius: 0.1}}], position: [0.3, 0.1, 0.2], velocity: [0.4, 0, 0], spin: [1, 2, 3]}\n";
  for (const std::string& bodies : {dome, tray})
    expect_order_four(ratios(0.02, 2,
                             [&](double h) {
                               return tied_scenario(h, 0.4, loetstedt(),
                                                    bodies + "contacts: [{between: any, friction: 0}]\n");
                             }),
                      2);
}

// A slider on an arm that turns with w moves out as r0 cosh(w t). Only the arm acts on it, with m (2 r' w) across its
// way.
TEST(TurningArm, ThrowsASliderOut) {
  constexpr double spin = 3, h = 0.01, r0 = 0.2;
  Simulation simulation(tied_scenario(
      h, 0.6, loetstedt(floats),
      "bodies:\n  arm: {prescribed: {spin: [0, 0, 3]}}\n  bead: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.2, 0, "
      "0], velocity: [0, 0.6, 0], spin: [0, 0, 3]}\njoints:\n  way: {prismatic: [arm, bead], axis: [1, 0, 0]}\n"
      "outcomes: {reaction: {at_end: way.reaction}}\n"));
  simulation.watch([&](const StateView& s) {
    const double time = h * s.steps(), r = r0 * std::cosh(spin * time), rate = r0 * spin * std::sinh(spin * time);
    EXPECT_NEAR(s.joint_position[0], r - r0, 1e-7) << time;
    EXPECT_NEAR(s.joint_speed[0], rate, 1e-6) << time;
    const auto velocity = [&](double t) {
      const double out = r0 * spin * std::sinh(spin * t), across = r0 * spin * std::cosh(spin * t);
      const double c = std::cos(spin * t), sine = std::sin(spin * t);
      return Vec3(c * out - sine * across, sine * out + c * across, 0);
    };
    if (s.steps() > 0) {
      const Vec3 given = 2 * (velocity(time) - velocity(time - h));
      EXPECT_NEAR((vector_at(s.joint_wrench, 0) - given).norm(), 0, 1e-6) << time;
    }
  });
  EXPECT_EQ(simulation.status(), Status::ok);
}

// --- joints

// Every joint to a body that shakes and turns: order 4.
class DrivenJoint : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(DrivenJoint, ConvergesWithOrderFour) {
  const std::string joint = GetParam().second;
  const auto make = [&](double h) {
    return tied_scenario(
        h, 0.4, loetstedt(),
        "bodies:\n  driver: {prescribed: {velocity: [\"0.6*sin(7*t)\", 0.2*t, \"0.5*cos(5*t)\"], spin: "
        "[0.3, \"2*sin(4*t)\", 1 + t]}}\n  bob: {mass: 1.5, inertia: [0.02, 0.03, 0.04], position: "
        "[0.3, 0.1, 0], velocity: [-0.1, 0.3, 0.53], spin: [0.3, 0, 1]}\njoints:\n  tie: " +
            joint + "\n");
  };
  expect_order_four(ratios(0.01, 2, make), 2.5);
}

INSTANTIATE_TEST_SUITE_P(
    Joints, DrivenJoint,
    testing::Values(std::pair{"Ball", "{ball: [driver, bob], at: [0, 0, 0]}"},
                    std::pair{"Revolute", "{revolute: [bob, driver], at: [0, 0.1, 0], axis: [0, 1, 2]}"},
                    std::pair{"Prismatic", "{prismatic: [driver, bob], axis: [1, 1, 0]}"},
                    std::pair{"Fixed", "{fixed: [bob, driver]}"},
                    std::pair{"Distance", "{distance: [driver, bob], at: [[0.1, 0, 0.2], [0.3, 0.2, 0]]}"},
                    std::pair{"Motor",
                              "{revolute: [driver, bob], at: [0, 0.1, 0], axis: [0, 1, 2], motor: {speed: "
                              "\"sin(3*t)\", limit: 1000}}"}),
    [](const auto& of) { return of.param.first; });

// What the driver gives is the change of momentum, less that by gravity: in every step, to rounding errors.
TEST_P(DrivenJoint, GivesTheChangeOfMomentum) {
  constexpr double h = 0.004;
  Simulation simulation(
      tied_scenario(h, 0.4, loetstedt(),
                    "bodies:\n  driver: {prescribed: {velocity: [\"0.6*sin(7*t)\", 0.2*t, \"0.5*cos(5*t)\"], spin: "
                    "[0.3, \"2*sin(4*t)\", 1 + t]}}\n  bob: {mass: 1.5, inertia: [0.02, 0.03, 0.04], position: [0.3, "
                    "0.1, 0], velocity: [-0.1, 0.3, 0.53], spin: [0.3, 0, 1]}\njoints:\n  tie: " +
                        std::string(GetParam().second) + "\n"));
  Vec3 before = Vec3::Zero();
  simulation.watch([&](const StateView& s) {
    const Vec3 v = vector_at(s.velocity, simulation.body("bob"));
    if (s.steps() > 0) {
      const Vec3 change = 1.5 * Vec3(v - before + Vec3(0, 0, g * h)), given = given_impulse(simulation, "driver");
      EXPECT_LE(std::sqrt(dot(Vec3(change - given), Vec3(change - given))), 1e-12) << s.steps();
    }
    before = v;
  });
  EXPECT_EQ(simulation.status(), Status::ok);
}

// Friction, motors and limits act on the speed relative to the driver.
TEST(DrivenHinge, ActsRelativeToTheMotionOfItsDriver) {
  const auto run = [](const std::string& keys, double duration) {
    Simulation simulation(
        tied_scenario(0.005, duration, loetstedt(floats),
                      "bodies:\n  drum: {prescribed: {velocity: [0.3*t, 0, 0], spin: [0, 0, 2 + t^2]}}\n"
                      "  arm: {mass: 1, inertia: [0.1, 0.1, 0.2], spin: [0, 0, 2]}\njoints:\n"
                      "  hinge: {revolute: [drum, arm], at: [0, 0, 0], axis: [0, 0, 1]" +
                          keys + "}\n"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(simulation.position("arm", 0), 0.15 * duration * duration, 1e-12);
    EXPECT_NEAR(simulation.state().joint_speed[0], simulation.spin("arm", 2) - 2 - duration * duration, 1e-12);
    return simulation.state().joint_speed[0];
  };
  EXPECT_NEAR(run("", 1), -1, 1e-12) << "nothing turns the arm";
  EXPECT_NEAR(run(", friction: 1", 1), 0, 1e-11) << "2 t 0.2 kg m^2 is below 1 N m";
  EXPECT_NEAR(run(", motor: {speed: 1.5, limit: 10}", 1), 1.5, 1e-11);
  EXPECT_NEAR(run(", motor: {speed: \"sin(t)\", limit: 10}", 1), std::sin(1.0), 1e-11);
  // 0.2 N m on 0.2 kg m^2: the arm is left behind once 2 t > 1, and lags by t^2 - (1/4 + (t - 1/2)).
  EXPECT_NEAR(run(", friction: 0.2", 1), -0.25, 1e-3);
  EXPECT_NEAR(run(", limits: [-0.1, 0.4]", 1), 0, 1e-9) << "t^3/3 = 0.1 at t = 0.67: its stop drives it";
}

// A box between a wall and a piston that comes nearer has no way to go.
TEST(PrescribedAcceleration, ThatJamsHasNoAnswer) {
  Simulation simulation(tied_scenario(
      0.005, 1, loetstedt(),
      "bodies:\n  wall: {fixed: true, shape: {half_space: {normal: [0, 0, -1], offset: -0.5}}}\n"
      "  piston: {prescribed: {velocity: [0, 0, 1]}, shape: {box: {size: [0.4, 0.4, 0.1]}}, position: [0, 0, 0]}\n"
      "  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.15]}\n"
      "contacts: [{between: any, friction: 0}]\n"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ray);
  EXPECT_NEAR(simulation.state().steps(), 50, 1) << "where the room is 0.25 m - 1 m/s t = 0";
}

}  // namespace
}  // namespace jostle

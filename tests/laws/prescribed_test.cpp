// Laws of bodies that move as told.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// The velocity of a step is the one at its end, as that of a motor is.
TEST(PrescribedMotion, FollowsTheVelocityAtTheEndOfEachStep) {
  constexpr double h = 0.01, duration = 1;
  Simulation simulation(tied_scenario(h, duration, floats,
                                      "bodies:\n"
                                      "  pusher: {prescribed: {velocity: [2*t, sin(3*t), 0.5], spin: [0, 0, t]}}\n"
                                      "  roll: {prescribed: {spin: [3, -1, 2]}, position: [1, 0, 0]}\n"
                                      "  other: {mass: 1, inertia: 1, position: [9, 9, 9]}\n"));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  double x = 0, y = 0, angle = 0;
  for (int i = 1; i <= 100; ++i) {
    const double time = h * i;
    x += h * 2 * time, y += h * std::sin(3 * time), angle += h * time;
  }
  EXPECT_NEAR(simulation.position("pusher", 0), x, 1e-14);
  EXPECT_NEAR(simulation.position("pusher", 1), y, 1e-14);
  EXPECT_NEAR(simulation.position("pusher", 2), 0.5, 1e-14);
  EXPECT_NEAR(simulation.state().angle[simulation.body("pusher")], angle, 1e-14);
  EXPECT_NEAR(simulation.velocity("pusher", 0), 2, 1e-15);
  EXPECT_NEAR(simulation.spin("pusher", 2), 1, 1e-15);
  // A constant spin turns exactly: by |w| t about w.
  const int roll = simulation.body("roll");
  const Quaternion q = quaternion_at(simulation.state().orientation, roll);
  const double speed = std::sqrt(14.0), half = speed * duration / 2;
  EXPECT_NEAR(q.w, std::cos(half), 1e-13);
  EXPECT_NEAR(q.x, std::sin(half) * 3 / speed, 1e-13);
  EXPECT_NEAR(q.y, -std::sin(half) / speed, 1e-13);
  const Vec3 spin = rotate(rotation_matrix(q), vector_at(simulation.state().spin, roll));
  EXPECT_NEAR(spin[0], 3, 1e-13);
  EXPECT_NEAR(spin[1], -1, 1e-13);
  EXPECT_NEAR(spin[2], 2, 1e-13);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

TEST(PrescribedMotion, ThatIsNotFiniteEndsTheSample) {
  const auto run = [](const std::string& velocity) {
    Simulation simulation(tied_scenario(0.01, 1, floats,
                                        "bodies:\n  a: {prescribed: {velocity: [" + velocity +
                                            ", 0, 0]}, shape: {sphere: {radius: 0.1}}}\n"
                                            "  b: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 5]}\n"
                                            "contacts: [{between: any}]\n"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::not_finite) << velocity;
    EXPECT_TRUE(std::isfinite(simulation.position("a", 0))) << velocity;
    return simulation.state().steps();
  };
  EXPECT_EQ(run("sqrt(0.505 - t)"), 50);
  EXPECT_EQ(run("1 / t"), 0);
}

/// A box on a belt along x, in a plane and without a turn; the belt is a plane, or a box of 40 m.
std::string conveyor(const std::string& shape, const std::string& velocity, double friction) {
  return "bodies:\n  belt: {prescribed: {velocity: [" + velocity + ", 0, 0]}, shape: " + shape +
         ", position: [0, 0, -0.05]}\n"
         "  box: {mass: 2, freedom: [x, z], shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05]}\n"
         "contacts: [{between: any, friction: " +
         number(friction) + "}]\n";
}
const std::string belt_shapes[] = {"{half_space: {normal: [0, 0, 1], offset: 0.05}}", "{box: {size: [40, 1, 0.1]}}"};

// Seen from the belt, a box is put on at -v and comes to rest after v / (mu g) and v^2 / (2 mu g), up to the step.
TEST(Conveyor, BringsABoxToItsSpeed) {
  constexpr double h = 0.01, v = 1.3, mu = 0.3;
  const int steps = static_cast<int>(std::ceil(v / (mu * g * h)));
  const double slip = h * ((steps - 1) * v - mu * g * h * steps * (steps - 1) / 2);
  EXPECT_NEAR(slip, v * v / (2 * mu * g), h * v);
  for (const std::string& shape : belt_shapes) {
    Simulation simulation(tied_scenario(h, 1, "", conveyor(shape, number(v), mu)));
    double given = 0;
    simulation.watch([&](const StateView& state) {
      const int step = state.steps();
      EXPECT_NEAR(simulation.velocity("box", 0), std::min(step * mu * g * h, v), 1e-13) << "step " << step;
      if (step == 0) return;
      given += given_impulse(simulation, "belt")[0];
      EXPECT_NEAR(given_impulse(simulation, "belt")[2], 2 * g * h, 1e-13);
    });
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(v * 1 - simulation.position("box", 0), slip, 1e-12);
    EXPECT_NEAR(simulation.position("belt", 0), v, 1e-12);
    EXPECT_NEAR(given, 2 * v, 1e-12);
    EXPECT_EQ(simulation.state().energy_gained(), 0);
  }
}

TEST(Conveyor, CarriesABoxBelowMuGAndSlipsAbove) {
  constexpr double h = 0.005, mu = 0.4, acceleration = mu * g;
  for (const std::string& shape : belt_shapes) {
    for (const double factor : {0.5, 0.999, 1.001, 2.0}) {
      const double a = factor * acceleration;
      Simulation simulation(tied_scenario(h, 1, "", conveyor(shape, number(a) + "*t", mu)));
      simulation.watch([&](const StateView& state) {
        const double time = state.steps() * h;
        EXPECT_NEAR(simulation.velocity("box", 0), std::min(a, acceleration) * time, 1e-12)
            << "factor " << factor << ", t = " << time;
      });
      EXPECT_EQ(simulation.status(), Status::ok);
      EXPECT_EQ(simulation.state().energy_gained(), 0);
    }
  }
}

// What rests on a belt that stands still rests, and goes on as soon as the belt does.
TEST(Conveyor, LetsABoxRestOnlyWhileItStandsForEver) {
  const auto run = [](const std::string& variables, const std::string& velocity) {
    const Scenario scenario = parse_scenario("jostle: 1\n" + variables + "world: {step: 0.01, duration: 2}\n" +
                                                 conveyor(belt_shapes[0], velocity, 0.5) + "sample: {count: 1}\n",
                                             "belt.yaml");
    Simulation simulation(scenario);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    return std::pair(simulation.state().rest(), simulation.position("box", 0));
  };
  const auto [rest, x] = run("", "0");
  EXPECT_GT(rest, 190);
  EXPECT_EQ(x, 0);
  EXPECT_EQ(run("variables: {v: {choice: {values: [0]}}}\n", "$v").first, rest) << "a drawn 0";
  EXPECT_EQ(run("variables: {v: {choice: {values: [0.1]}}}\n", "$v").first, 0);
  const auto [later_rest, later_x] = run("", "'0.4*max(0, t - 1)'");
  EXPECT_EQ(later_rest, 0);
  EXPECT_NEAR(later_x, 0.2, 0.01);
}

// A body that is told how to move takes no impulse, does all the work and gains nothing.
class Piston : public testing::TestWithParam<const char*> {
 protected:
  static Scenario scenario(double start) {
    return tied_scenario(
        0.004, 2, std::string("linearisation: ") + GetParam(),
        "bodies:\n  piston: {prescribed: {velocity: [0, 0, 0.5]}, shape: {box: {size: [0.4, 0.4, 0.1]}}, "
        "position: [0, 0, -0.05]}\n"
        "  box: {mass: 2, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05], velocity: "
        "[0, 0, " +
            number(start) + "]}\ncontacts: [{between: any, friction: 0.5}]\n");
  }
};

TEST_P(Piston, LiftsABoxByItsWeightAlone) {
  Simulation simulation(scenario(0.5));
  simulation.watch([&](const StateView& state) {
    if (state.steps() == 0) return;
    const Vec3 given = given_impulse(simulation, "piston");
    EXPECT_NEAR(given[2], 2 * g * 0.004, 1e-12) << "step " << state.steps();
    EXPECT_NEAR(given[0], 0, 1e-12);
    EXPECT_NEAR(given[1], 0, 1e-12);
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.position("box", 2), 1.05, 1e-12);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

TEST_P(Piston, ThatHitsABoxGainsNoEnergyFromNowhere) {
  Simulation simulation(scenario(-1));
  simulation.run_to(1);
  EXPECT_NEAR(given_impulse(simulation, "piston")[2], 2 * (1.5 + g * 0.004), 1e-12);
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_NEAR(simulation.velocity("box", 2), 0.5, 1e-12);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

INSTANTIATE_TEST_SUITE_P(Linearisations, Piston, testing::Values("predicted", "fixed_point"),
                         [](const auto& way) { return way.param; });

// No motion lets a box stay between a wall and a piston that comes nearer: the overlap may be held, the piston may not.
TEST(Jam, BetweenAWallAndAPistonHasNoAnswer) {
  Simulation simulation(tied_scenario(
      0.005, 1, "",
      "bodies:\n  wall: {fixed: true, shape: {half_space: {normal: [0, 0, -1], offset: -0.5}}}\n"
      "  piston: {prescribed: {velocity: [0, 0, 1]}, shape: {box: {size: [0.4, 0.4, 0.1]}}, position: [0, 0, 0]}\n"
      "  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [0, 0, 0.15]}\n"
      "contacts: [{between: any, friction: 0.5}]\n"));
  simulation.run();
  EXPECT_EQ(simulation.status(), Status::ray);
  EXPECT_NEAR(simulation.state().steps(), 50, 1) << "where the room is 0.25 m - 1 m/s t = 0";
  EXPECT_GT(simulation.position("box", 2), 0.39);
}

// A jam that is held is held in a groove that moves, too: the laws are the same in every frame that moves steadily.
TEST(Galileo, AJamIsTheSameInAMovingGroove) {
  const auto groove = [](const std::string& motion, const std::string& velocity) {
    return parse_scenario("jostle: 1\nworld: {step: 0.005, duration: 1}\nbodies:\n  groove:\n    " + motion +
                              "\n    shapes:\n"
                              "      - {half_space: {normal: [cos(0.3), 0, sin(0.3)]}}\n"
                              "      - {half_space: {normal: [-cos(0.3), 0, sin(0.3)]}}\n"
                              "  box:\n    mass: 1.0\n    shape: {box: {size: [0.2, 0.1, 0.06]}}\n"
                              "    position: [0, 0, 0.5]\n    rotation: {axis: [0, 1, 0], degrees: 30}\n"
                              "    velocity: [" +
                              velocity + "]\ncontacts: [{between: any, friction: 0.55}]\n",
                          "groove.yaml");
  };
  Simulation still(groove("fixed: true", "0, 0, 0"));
  Simulation moving(groove("prescribed: {velocity: [0.3, -0.2, 0.25]}", "0.3, -0.2, 0.25"));
  still.run(), moving.run();
  ASSERT_EQ(still.status(), Status::ok);
  ASSERT_EQ(moving.status(), Status::ok);
  EXPECT_GT(still.state().held(), 0);
  EXPECT_EQ(moving.state().held(), still.state().held());
  EXPECT_NEAR(moving.position("box", 0), still.position("box", 0) + 0.3, 1e-12);
  EXPECT_NEAR(moving.position("box", 1), still.position("box", 1) - 0.2, 1e-12);
  EXPECT_NEAR(moving.position("box", 2), still.position("box", 2) + 0.25, 1e-12);
}

// A box on a turntable is carried, or slides outwards if mu g < w^2 r.
TEST(Turntable, CarriesABoxUpToMuG) {
  constexpr double h = 0.002, w = 3, r = 0.5, duration = 2;
  const auto radius_ratio = [&](double friction) {
    Simulation simulation(tied_scenario(
        h, duration, "",
        "bodies:\n  table: {prescribed: {spin: [0, 0, 3]}, shape: {half_space: {normal: [0, 0, 1]}}}\n"
        "  box: {mass: 1, shape: {box: {size: [0.06, 0.06, 0.02]}}, position: [0.5, 0, 0.01], velocity: [0, 1.5, 0], "
        "spin: [0, 0, 3]}\ncontacts: [{between: any, friction: " +
            number(friction) + "}]\n"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(simulation.state().angle[simulation.body("table")], w * duration, 1e-12);
    return std::hypot(simulation.position("box", 0), simulation.position("box", 1)) / r;
  };
  const double limit = w * w * r / g;
  // The polygon of 8 sides has between cos(pi/8) = 0.924 and 1 of mu; a box that is carried creeps inwards at h w^2
  // / 2.
  EXPECT_NEAR(radius_ratio(1.1 * limit), 1, h * w * w * duration);
  EXPECT_GT(radius_ratio(0.98 * limit), 1.2);
}

// In the frame of a pivot with the acceleration a, gravity is (-a, 0, -g): a pendulum that leans so stays there.
TEST(Pivot, ThatAcceleratesCarriesALeaningPendulum) {
  constexpr double h = 0.001, a = 4;
  const double length = std::hypot(a, g);
  for (const std::string& joint :
       {std::string("{distance: [cart, bob]}"), std::string("{ball: [cart, bob], at: [0, 0, 0]}"),
        std::string("{revolute: [bob, cart], at: [0, 0, 0], axis: [0, 1, 0]}")}) {
    Simulation simulation(
        tied_scenario(h, 1, "",
                      "bodies:\n  cart: {prescribed: {velocity: [4*t, 0, 0]}}\n  bob: {mass: 3, inertia: "
                      "0.1, position: [" +
                          number(-a / length) + ", 0, " + number(-g / length) + "]}\njoints:\n  rod: " + joint +
                          "\noutcomes: {reaction: {at_end: rod.reaction}}\n"));
    Vec3 before = Vec3::Zero();
    simulation.watch([&](const StateView& state) {
      const Vec3 v = vector_at(state.velocity, simulation.body("bob"));
      if (state.steps() > 0) {
        const Vec3 given = given_impulse(simulation, "cart");
        EXPECT_NEAR(3 * (v[0] - before[0]), given[0], 1e-12);
        EXPECT_NEAR(3 * (v[1] - before[1]), given[1], 1e-12);
        EXPECT_NEAR(3 * (v[2] - before[2]) + 3 * g * h, given[2], 1e-12);
        EXPECT_NEAR(given.norm(), vector_at(state.joint_wrench, 0).norm(), 1e-12);
      }
      before = v;
      EXPECT_NEAR(simulation.position("bob", 0) - simulation.position("cart", 0), -a / length, 1e-4) << joint;
      EXPECT_NEAR(simulation.position("bob", 2), -g / length, 1e-4) << joint;
    });
    EXPECT_EQ(simulation.status(), Status::ok) << joint;
  }
}

// Motors, friction and limits act on the speed relative to a body that is told how to move.
TEST(Pivot, DrivesRelativeToItsOwnMotion) {
  const auto run = [](const std::string& keys) {
    Simulation simulation(
        tied_scenario(0.005, 1, floats,
                      "bodies:\n  drum: {prescribed: {velocity: [0.3, 0, 0], spin: [0, 0, 2]}}\n"
                      "  arm: {mass: 1, inertia: [0.1, 0.1, 0.2], velocity: [0.3, 0, 0], spin: [0, 0, 2]}\njoints:\n"
                      "  hinge: {revolute: [drum, arm], at: [0, 0, 0], axis: [0, 0, 1]" +
                          keys + "}\n"));
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_NEAR(simulation.position("arm", 0), 0.3, 1e-12);
    EXPECT_EQ(simulation.state().energy_gained(), 0);
    EXPECT_NEAR(simulation.state().joint_speed[0], simulation.spin("arm", 2) - 2, 1e-12);
    return simulation.spin("arm", 2);
  };
  EXPECT_NEAR(run(", motor: {speed: 1.5, limit: 100}"), 3.5, 1e-12);
  EXPECT_NEAR(run(", motor: {speed: 0, limit: 100}, friction: 0.1"), 2, 1e-12);
  EXPECT_NEAR(run(", motor: {speed: 5, limit: 0.02}"), 2.1, 1e-12) << "0.02 N m for 1 s on 0.2 kg m^2";
  EXPECT_NEAR(run(", motor: {speed: 5, limit: 0.5}, limits: [-0.1, 0.4]"), 2, 1e-9) << "at its limit";
}

// A damper between a body that moves as told and another acts on the speed between them: it takes the other along.
TEST(Damper, ToAPrescribedBodyTakesTheOtherAlong) {
  constexpr double h = 0.01, c = 3, m = 2, speed = 0.5;
  for (const char* method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}) {
    Simulation simulation(tied_scenario(h, 1, std::string("method: ") + method + ", " + floats,
                                        "bodies:\n  cart: {prescribed: {velocity: [0.5, 0, 0]}}\n  block: {mass: 2, "
                                        "freedom: [x], position: [1, 0, 0]}\nsprings:\n  damper: {between: [cart, "
                                        "block], at: [[0, 0, 0], [1, 0, 0]], stiffness: 0, damping: 3}\n"));
    double explicit_speed = 0, trapezoidal = 0;
    simulation.watch([&](const StateView& s) {
      const std::string name = method;
      const double v = simulation.velocity("block", 0), exact = speed * (1 - std::exp(-c / m * h * s.steps()));
      if (name == "stewart_trinkle" || name == "anitescu_potra") {
        EXPECT_NEAR(v, explicit_speed, 1e-13) << name;
      } else if (name == "loetstedt") {
        EXPECT_NEAR(v, exact, 1e-10);
      } else {
        EXPECT_NEAR(v, trapezoidal, 1e-13) << name;
      }
      EXPECT_NEAR(v, exact, 2e-3) << name;
      explicit_speed += h * c / m * (speed - explicit_speed);
      trapezoidal += h * c / m * (speed - trapezoidal) / (1 + h * c / (2 * m));
    });
    EXPECT_EQ(simulation.status(), Status::ok) << method;
    EXPECT_LE(simulation.state().energy_gained(), method == std::string("loetstedt") ? 1e-9 : 0) << method;
  }
}

// A thin paddle that crosses a ball in one step divides it by its own speed.
TEST(Paddle, ThatIsFastDividesTheStep) {
  constexpr double h = 0.01;
  Simulation simulation(tied_scenario(
      h, 0.1, floats,
      "bodies:\n  paddle: {prescribed: {velocity: [\"20 + 100*t\", 0, 0]}, shape: {box: {size: [0.02, 0.5, 0.5]}}, "
      "position: [-0.5, 0, 0]}\n  ball: {mass: 1, shape: {sphere: {radius: 0.02}}}\ncontacts: [{between: any}]\n"));
  simulation.run();
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_GT(simulation.state().substeps(), 100);
  EXPECT_NEAR(simulation.velocity("ball", 0), 30, 1e-9);
  EXPECT_NEAR(simulation.position("ball", 0) - simulation.position("paddle", 0), 0.03, 1e-9);
  // All sub-steps have the velocity of the end of the step.
  EXPECT_NEAR(simulation.position("paddle", 0), -0.5 + 20 * 0.1 + 50 * 0.1 * (0.1 + h), 1e-12);
  EXPECT_EQ(simulation.state().energy_gained(), 0);
}

}  // namespace
}  // namespace jostle

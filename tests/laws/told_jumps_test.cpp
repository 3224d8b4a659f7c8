// A velocity that jumps strikes contacts and limits that carry a load, also where joints hand the jump on.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

/// Under the methods with impacts.
class ToldJumps : public testing::TestWithParam<const char*> {
 protected:
  static bool is_loetstedt() { return std::string(GetParam()) == "loetstedt"; }
  static std::string method() { return std::string("gravity: [0, 0, -10], method: ") + GetParam(); }

  /// What is carried upwards from rest to 1 m/s at t = .05 s leaves what carries it with the restitution e.
  static void expect_carried(const std::string& bodies, double e, const char* carried) {
    Simulation simulation(tied_scenario(0.01, 0.1, method(), bodies));
    bool has_jumped = false;
    simulation.watch([&](const StateView& s) {
      const double t = 0.01 * s.steps();
      if (t < 0.055) return;
      has_jumped = true;
      const double v = e == 0 ? 1 : 1 + e - 10 * (t - 0.05);
      EXPECT_NEAR(simulation.velocity(carried, 2), v, 1e-12) << t;
    });
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_TRUE(has_jumped);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ToldJumps,
                         testing::Values("anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"),
                         [](const auto& method) { return std::string(method.param); });

std::string told(const std::string& x, const std::string& z = "if(t < 0.05, 0, 1)") {
  return "{prescribed: {velocity: [\"" + x + "\", 0, \"" + z + "\"]}";
}

TEST_P(ToldJumps, StrikeASliderOnItsLimit) {
  for (const double e : {0.0, 0.5})
    expect_carried("bodies:\n  car: " + told("0") +
                       "}\n  load: {mass: 1, inertia: 0.1}\njoints:\n  slide: {prismatic: [car, load], axis: [0, 0, "
                       "1], limits: [0, 1], restitution: " +
                       std::to_string(e) + "}\n",
                   e, "load");
}

TEST_P(ToldJumps, StrikeWhatRestsOnABodyThatIsTiedToTheToldOne) {
  for (const double e : {0.0, 0.5})
    expect_carried("bodies:\n  car: " + told("0") +
                       "}\n  tray: {mass: 1, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, -0.5]}\n  load: {mass: "
                       "1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1]}\njoints:\n  weld: {fixed: [car, "
                       "tray]}\ncontacts: [{between: any, restitution: " +
                       std::to_string(e) + "}]\n",
                   e, "load");
}

// The sideways velocity changes by almost as much in the step.
TEST_P(ToldJumps, AreSeenBesideASmoothChangeOfAnotherComponent) {
  for (const double e : {0.0, 0.5})
    expect_carried("bodies:\n  plate: " + told("5*sin(40*t)") +
                       ", shape: {half_space: {normal: [0, 0, 1]}}}\n  load: {mass: 1, shape: {sphere: {radius: "
                       "0.1}}, position: [0, 0, 0.1]}\ncontacts: [{between: any, restitution: " +
                       std::to_string(e) + "}]\n",
                   e, "load");
}

// Without a search for collisions what rests stays at rest, as there is no restitution.
TEST_P(ToldJumps, OfABlowIntoASupportLeaveABodyThere) {
  for (const char* support :
       {"bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  load: {mass: 1, shape: {sphere: "
        "{radius: 0.1}}, position: [0, 0, 0.1]}\ncontacts: [{between: any}]\n",
        "bodies:\n  load: {mass: 1, inertia: 0.1, position: [0, 0, 0.1]}\njoints:\n  slide: {prismatic: [world, load], "
        "axis: [0, 0, 1], limits: [0, 1]}\n"}) {
    Simulation simulation(tied_scenario(0.01, 0.1, method() + ", events: {collisions: false}",
                                        support + std::string("impulses: [{body: load, time: 0.0523, impulse: [0, 0, "
                                                              "-2]}]\n")));
    simulation.watch([&](const StateView& s) { EXPECT_NEAR(simulation.position("load", 2), 0.1, 1e-13) << s.steps(); });
    EXPECT_EQ(simulation.status(), Status::ok);
  }
}

// By equivalence a plate with the acceleration a is one at rest with gravity g - a; the tin tips at 2 R / H = 1/2.
TEST_P(ToldJumps, AndSteadyAccelerationsLetTinsStandAsOnASlope) {
  if (is_loetstedt()) return;  // without friction nothing is carried along
  for (int i = 0; i < 12; ++i) {
    for (const double part : {0.8, 0.97, 1.02}) {
      const double psi = 0.1 + pi * i / 6, a = 0.5 * 10 * part;
      char plate[300];
      std::snprintf(plate, sizeof plate,
                    "bodies:\n  plate: {prescribed: {velocity: [\"%.17g*t\", \"%.17g*t\", 0]}, shape: {box: {size: "
                    "[40, 40, 1]}}, position: [0, 0, -0.5]}\n",
                    a * std::cos(psi), a * std::sin(psi));
      Simulation simulation(
          tied_scenario(0.005, part < 1 ? 0.5 : 2, method(),
                        plate + std::string("  tin: {mass: 1, shape: {cylinder: {radius: 0.05, length: 0.2}}, "
                                            "position: [0, 0, 0.1]}\ncontacts: [{between: any, friction: 5}]\n"
                                            "outcomes: {upright: {minimum: tin.axis_z.z}}\n")));
      simulation.run();
      ASSERT_EQ(simulation.status(), Status::ok) << i << ' ' << part;
      if (part > 1)
        EXPECT_LT(simulation.outcome("upright"), 0.5) << i;
      else
        EXPECT_GE(simulation.outcome("upright"), 1 - 1e-12) << i << ' ' << part;
    }
  }
}

}  // namespace
}  // namespace jostle

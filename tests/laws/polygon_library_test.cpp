// The scenarios of the library with polygons: a ratchet yields at the torque of statics, gears keep their ratio.
#include "tests/laws/simulation.hpp"

namespace jostle::polygon_laws {
namespace {

/// Times what statics allows at the root of a tooth.
double most_load_of_a_face(double mu) {
  const double r = 0.02, outer = 0.024, L = 0.03, d = 0.015, b = pi / 3;
  const auto torque = [&](double s) {  // over M, with the tip at s along the face; the pawl's tip is on two circles
    const double x = -s * std::sin(b), z = r + s * std::cos(b), R = std::hypot(x, z), D = std::hypot(L, r + d);
    const double angle = std::atan2(r + d, L) + std::acos((R * R + D * D - L * L - d * d) / (2 * R * D));
    const double turn = std::atan2(z, x) - angle, c = std::cos(turn), sine = std::sin(turn);
    const double fx = std::cos(b) + mu * std::sin(b), fz = std::sin(b) - mu * std::cos(b);
    const double Fx = c * fx + sine * fz, Fz = c * fz - sine * fx, px = R * std::cos(angle), pz = R * std::sin(angle);
    return (pz * Fx - px * Fz) / ((pz - r - d) * Fx - (px - L) * Fz);
  };
  const double half = r * std::cos(b), tip = -half + std::sqrt(half * half + outer * outer - r * r);
  return torque(tip) / torque(0);
}

TEST(Ratchet, YieldsAtTheTorqueOfStatics) {
  for (const double mu : {0.05, 0.15, 0.3}) {
    const auto with_load = [&](double load) {
      Simulation simulation("ratchet", {setting("variables.mu", mu), setting("variables.load", load)});
      simulation.run();
      EXPECT_EQ(simulation.status(), Status::ok) << mu << " " << load;
      return std::pair(simulation.outcome("holds") == 1, !std::isnan(simulation.outcome("slips")));
    };
    const double most = most_load_of_a_face(mu);
    EXPECT_EQ(with_load(0.99), std::pair(true, false)) << mu;
    EXPECT_EQ(with_load(1.01), std::pair(false, false)) << mu;
    EXPECT_EQ(with_load(0.97 * most), std::pair(false, false)) << mu;
    EXPECT_EQ(with_load(1.03 * most), std::pair(false, true)) << mu;
  }
}

// 12 teeth drive 24. Teeth of chords do not keep a ratio exactly while one passes, so the wheel lags, at the pitch
// circles, by up to the backlash and what chords cut off. But teeth are counted: each turn is like the first one,
// nothing drifts.
TEST(Gears, KeepTheirRatioOverTurns) {
  constexpr int turns = 10, steps_of_turn = 500;
  Simulation simulation(
      "gears", {"variables.mu=0.1", "variables.speed=12.566370614359172", "variables.brake=0.05", "world.duration=5"});
  const auto lag = [&] {
    const double* const angle = simulation.state().angle;
    return 0.012 * angle[simulation.body("pinion")] + 0.024 * angle[simulation.body("wheel")];
  };
  std::vector<double> at_turn, least, most;
  for (int turn = 0; turn < turns; ++turn) {
    double low = 1, high = -1;
    for (int step = 1; step <= steps_of_turn; ++step) {
      simulation.run_to(turn * steps_of_turn + step);
      low = std::min(low, lag()), high = std::max(high, lag());
    }
    at_turn.push_back(lag()), least.push_back(low), most.push_back(high);
  }
  EXPECT_EQ(simulation.status(), Status::ok);
  for (int turn = 1; turn < turns; ++turn) {
    EXPECT_NEAR(at_turn[turn], at_turn[0], 1e-12) << "the ratio of whole turns to 1e-11, turn " << turn;
    EXPECT_NEAR(least[turn], least[0], 1e-12) << turn;
    EXPECT_NEAR(most[turn], most[0], 1e-12) << turn;
  }
  EXPECT_GT(least[0], 0) << "the pinion drives";
  EXPECT_NEAR(simulation.outcome("turns"), turns, 1e-9);
  EXPECT_LT(simulation.outcome("most_lag"), 3e-4);  // m: the backlash of .1 mm, and what chords cut off
}

TEST(SnapHook, GoesInWithTheForceOfTheClosedForm) {
  for (const double mu : {0.0, 0.2, 0.4}) {
    for (const double ramp : {20.0, 35.0}) {
      Simulation simulation("snap_hook",
                            {setting("variables.mu", mu), setting("variables.ramp", ramp), "variables.k=2000"});
      simulation.run();
      EXPECT_EQ(simulation.status(), Status::ok);
      const double slope = std::tan(ramp * pi / 180), push = 2000 * 0.0018 * (slope + mu) / (1 - mu * slope);
      EXPECT_NEAR(simulation.outcome("push") / push, 1, 0.01) << mu << " " << ramp;
      EXPECT_NEAR(simulation.outcome("back"), 0.0018, 1e-7);
      EXPECT_EQ(simulation.outcome("snapped"), 1);
    }
  }
}

}  // namespace
}  // namespace jostle::polygon_laws

// Two balls of the library: a runner of 1 kg and 2 m/s meets a target of 3 kg at rest, off its line by an offset.
#include "tests/laws/balance.hpp"

namespace jostle {
namespace {

Simulation balls(double offset, double mu, double h = 0.0025) {
  return Simulation("two_balls",
                    {setting("variables.offset", offset), setting("variables.mu", mu), setting("world.step", h)});
}

Vec3 momentum(const StateView& s) {
  const Vec3 runner = vector_at(s.velocity, 1), target = vector_at(s.velocity, 2);
  return 1.0 * runner + 3.0 * target;
}

// The table pushes upwards only, and weighs what it carries.
TEST(TwoBalls, KeepTheirMomentumOnASmoothTable) {
  for (const double offset : {-0.15, -0.08, 0.0, 0.03, 0.12}) {
    SCOPED_TRACE(offset);
    Simulation simulation = balls(offset, 0);
    simulation.watch([](const StateView& s) {
      EXPECT_NEAR(momentum(s)[0], 2, 1e-14);
      EXPECT_NEAR(momentum(s)[1], 0, 1e-14);
      EXPECT_NEAR(momentum(s)[2], 0, 5e-14);  // the table takes 5 N s
    });
    EXPECT_EQ(simulation.status(), Status::ok);
    EXPECT_GT(simulation.velocity("target", 0), 0.01) << "they meet";
  }
}

// Where the impulse acts the two balls have their points at q^; about these positions what is given is what is taken.
// About those of the state the moment is that of the way that the balls go past each other within the step.
TEST(TwoBalls, KeepTheirAngularMomentumUpToTheWayOfOneStep) {
  const double h = 0.0025;
  for (const double offset : {-0.15, -0.08, 0.03, 0.12}) {
    SCOPED_TRACE(offset);
    Simulation simulation = balls(offset, 0, h);
    simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
      const StepBalance step(system, work, result);
      double about_predicted = 0, about_old = 0, largest = 0;
      for (const BodyStep& b : {step.bodies[1], step.bodies[2]}) {
        const Vec3 turn = b.angular_change(h);
        about_predicted += (cross(b.predicted, b.linear_change()) + turn)[2];
        about_old += (cross(b.pose.position, b.linear_change()) + turn)[2];
        largest = std::max(largest, b.linear_change().norm());
      }
      EXPECT_NEAR(about_predicted, 0, 1e-14);
      EXPECT_LE(std::fabs(about_old), h * 2 * largest + 1e-15);
    });
  }
}

// Without restitution the relative velocity along the line of centres is gone: 2 * 1 / (1 + 3) for both. What is left
// is the rounding of the gap, 1e-16 m, by the step.
TEST(TwoBalls, GoOnTogetherAfterAHeadOnCollision) {
  Simulation simulation = balls(0, 0);
  simulation.run();
  for (const char* ball : {"runner", "target"}) {
    EXPECT_NEAR(simulation.velocity(ball, 0), 0.5, 1e-13) << ball;
    EXPECT_NEAR(simulation.velocity(ball, 1), 0, 1e-13) << ball;
  }
  EXPECT_NEAR(simulation.position("target", 0) - simulation.position("runner", 0), 0.16, 1e-13);
}

// Off the line of centres the smooth runner keeps what it has across it and loses what it has along it: with a for the
// angle, 2 cos a along n become .5 cos a for both.
TEST(TwoBalls, ExchangeMomentumAlongTheLineOfCentresOnly) {
  for (const double offset : {-0.12, 0.05, 0.1}) {
    SCOPED_TRACE(offset);
    const double h = 1e-4, sine = -offset / 0.16, cosine = std::sqrt(1 - sine * sine);
    Simulation simulation = balls(offset, 0, h);
    simulation.run();
    EXPECT_NEAR(simulation.velocity("target", 0), 0.5 * cosine * cosine, 50 * h);
    EXPECT_NEAR(simulation.velocity("target", 1), 0.5 * cosine * sine, 50 * h);
  }
}

// c_n > 0 belongs to a gap of zero at the end of the step: the tangent plane at q^ leaves what the balls' curvature
// makes of it, the one at q_l+1 nothing.
TEST(TwoBalls, TouchWithoutAGapWhereTheLinearisationIsAtTheEndOfTheStep) {
  const double h = 0.01;
  for (const bool fixed_point : {false, true}) {
    Simulation simulation("two_balls",
                          {setting("variables.offset", 0.05), setting("variables.mu", 0.3), setting("world.step", h),
                           std::string("world.linearisation=") + (fixed_point ? "fixed_point" : "predicted")});
    const double before = 0.17, meeting = 0.18;
    const auto gap = [&] {
      Vec3 apart = vector_at(simulation.state().position, 1);
      apart -= vector_at(simulation.state().position, 2);
      return apart.norm() - 0.16;
    };
    simulation.run_to_time(before);
    EXPECT_GT(gap(), 1e-3);
    EXPECT_EQ(simulation.velocity("target", 0), 0);
    simulation.run_to_time(meeting);
    EXPECT_GT(simulation.velocity("target", 0), 0.1);
    if (fixed_point)
      EXPECT_NEAR(gap(), 0, 1e-15);
    else
      EXPECT_GT(gap(), 1e-6);
    simulation.run();
    EXPECT_EQ(simulation.status(), Status::ok);
  }
}

TEST(TwoBalls, PassEachOtherBesideTheSumOfTheirRadii) {
  for (const double offset : {-0.17, -0.1601, 0.1601, 0.2}) {
    SCOPED_TRACE(offset);
    Simulation simulation = balls(offset, 0.3);
    simulation.run();
    ASSERT_EQ(simulation.status(), Status::ok);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(simulation.velocity("target", k), 0, 1e-14);
    EXPECT_NEAR(simulation.velocity("runner", 0), 2, 1e-12) << "rolls on";
    EXPECT_NEAR(simulation.outcome("nearest"), std::fabs(offset) - 0.16, 1e-5);
  }
}

// With friction the energy falls in every step; in the collision by at least what the normal impulse takes.
TEST(TwoBalls, NeverGainEnergy) {
  for (const double offset : {-0.1, 0.0, 0.08}) {
    SCOPED_TRACE(offset);
    Simulation simulation = balls(offset, 0.3);
    double before = 1e9;
    simulation.observe([&](const System& system, const Workspace&, const StepResult&) {
      const double energy = system_energy(system);
      EXPECT_LE(energy, before + 1e-13);
      before = energy;
    });
    EXPECT_LT(before, simulation.state().start_energy() - 0.5);
  }
}

}  // namespace
}  // namespace jostle

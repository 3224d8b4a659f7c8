// Momentum, energy and Coulomb's law in every step of every scenario of the library.
#include "tests/laws/balance.hpp"

#include <span>

namespace jostle {
namespace {

class EveryScenario : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int samples = 3;

  /// Calls see(balance, system) after every step of the first samples.
  template <class See>
  static void every_step(See see) {
    for (int sample = 0; sample < samples; ++sample) {
      Simulation simulation(GetParam(), {}, sample);
      simulation.observe([&](const System& system, const Workspace& work, const StepResult& result) {
        SCOPED_TRACE("sample " + std::to_string(sample) + ", step " + std::to_string(system.state().steps()));
        see(StepBalance(system, work, result), system);
      });
      EXPECT_EQ(simulation.status(), Status::ok);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Library, EveryScenario, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });

// m (v_{l+1} - v_l) = h m g + sum of P, and R(q_l) [J (w_{l+1} - w_l) - gyroscopic impulse] = sum of r x P, with what
// a contact gives to b taken from a.
TEST_P(EveryScenario, EveryBodyTakesTheImpulsesOfItsContacts) {
  every_step([](const StepBalance& step, const System& system) {
    const double rounding = step.rounding();
    for (int i = 0; i < system.model.dimensions.velocities(); ++i) {
      const int body = system.model.movers[i / 6], component = i % 6;
      if (!system.model.bodies[body].is_free(component)) continue;
      const BodyStep& b = step.bodies[body];
      if (component < 3) {
        const Vec3 taken = step.step * b.mass * step.gravity + step.impulse_on(body);
        EXPECT_NEAR(b.linear_change()[component], taken[component], rounding) << "body " << body;
      } else {
        const Vec3 taken = rotate_back(b.pose.axes, step.turning_impulse_on(body));
        const Vec3 change = rotate_back(b.pose.axes, b.angular_change(step.step));
        EXPECT_NEAR(change[component - 3], taken[component - 3], rounding) << "body " << body;
      }
    }
  });
}

// 0 <= c_n _|_ Phi(q^) + h n'(v - u) >= 0; where an overlap is held, 0 <= c_n _|_ n'v >= 0.
TEST_P(EveryScenario, ContactsPushWhereTheGapCloses) {
  every_step([](const StepBalance& step, const System&) {
    for (const ContactStep& c : step.contacts) {
      const double opening = step.is_held && c.gap_at_start < 0 ? step.step * c.normal_speed : c.gap_after;
      EXPECT_GE(c.normal, 0);
      EXPECT_GE(opening, -1e-13);
      EXPECT_LE(std::min(c.normal, opening), 1e-13);
    }
  });
}

TEST_P(EveryScenario, FrictionStaysInItsConeAndTakesEnergy) {
  every_step([](const StepBalance& step, const System&) {
    for (const ContactStep& c : step.contacts) {
      EXPECT_LE(c.tangential.norm(), c.friction * c.normal + step.rounding());
      EXPECT_LE(c.friction_work, step.rounding());
    }
  });
}

// With v_{l+1} taken on to q_{l+1}, gravity gives and takes exactly; so the energy changes by the work of the contacts,
// by that of the gyroscopic impulses at w_{l+1}, by -|v_{l+1} - v_l|^2 / 2 in the norm of M, and by the work of bodies
// that move as told.
TEST_P(EveryScenario, EnergyChangesByTheWorkOfContactsAndOfTheGyroscopicTerm) {
  double before = 0;
  every_step([&](const StepBalance& step, const System& system) {
    if (system.state().steps() == 1) before = system.state().start_energy();
    const double after = system_energy(system);
    double expected = 0;
    for (const ContactStep& c : step.contacts) expected += c.normal_work + c.friction_work;
    for (const PrescribedModel& motion : std::span(system.model.prescribed, system.model.dimensions.prescribed))
      expected += step.work_of(motion.body);
    for (const BodyStep& b : step.bodies) {
      Vec6 change;
      for (int k = 0; k < 6; ++k) change[k] = b.next[k] - b.old[k];
      expected += dot(b.gyroscopic(step.step), b.next.angular()) - b.kinetic_energy(change);
    }
    EXPECT_NEAR(after - before, expected, 1e-13 * (1 + std::fabs(before)));
    before = after;
  });
}

}  // namespace
}  // namespace jostle

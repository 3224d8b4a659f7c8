// What records and outcomes say of contacts in a step that impacts or sub-steps divide.
#include "tests/laws/tied_bodies.hpp"

namespace jostle {
namespace {

// A ball strikes the top of a box beside its middle while the box stands on the floor, and a second box stands beside
// it untouched: impulses of 1e-18 N s are rounding errors, whatever their sign, and their contacts are open.
TEST(ImpactRecords, CallAContactOpenThatNothingLoads) {
  int impacts = 0, open = 0;
  for (const char* method : {"anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}) {
    for (int i = 0; i < 8; ++i) {
      char text[800];
      std::snprintf(
          text, sizeof text,
          "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n  box: {mass: 2, shape: {box: "
          "{size: [0.3, 0.2, 0.1]}}, position: [0, 0, 0.05]}\n  side: {mass: 0.7, shape: {box: {size: [0.1, 0.2, "
          "0.1]}}, position: [0.2, 0, 0.05]}\n  ball: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [%g, %g, "
          "0.3]}\ncontacts: [{between: any, friction: %g, restitution: 0.5}]\nrecord: {trajectories: all, contacts: "
          "true}\n",
          -0.14 + 0.03 * i, 0.02 * i - 0.06, std::string(method) == "loetstedt" ? 0 : 0.3);
      const Ensemble ensemble(tied_scenario(0.002, 0.3, std::string("method: ") + method, text));
      const Model model = with_all_tallies(ensemble);
      Batch batch(model, 1);
      RecordMemory record(model, 1);
      WorkspaceMemory memory(model, 0);
      ensemble.load(0, batch, 0);
      batch.record(0, record);
      run_system(batch, 0, static_cast<int>(model.total_steps), memory);
      ASSERT_EQ(batch.status(0), Status::ok);
      std::size_t first = 0;
      for (const int rows : record.entry_rows()) {
        const std::size_t end = first + static_cast<std::size_t>(rows);
        for (std::size_t row = first; row < end; ++row) {
          if (record.rows()[end - 1].piece == 0) break;  // an undivided step
          double largest = 0;
          for (std::size_t other = first; other < end; ++other)
            if (record.rows()[other].piece == record.rows()[row].piece)
              largest = std::max(largest, record.rows()[other].impulse_n);
          const double n = record.rows()[row].impulse_n;
          if (largest < 0.1) continue;  // no impact of the ball
          ++impacts;
          const bool is_open = (record.rows()[row].mode & 3) == contact_is_open;
          EXPECT_EQ(is_open, n <= 1e-12 * largest) << method << " " << n << " of " << largest;
          open += is_open;
        }
        first = end;
      }
    }
  }
  EXPECT_GT(impacts, 100);
  EXPECT_GT(open, 10);
}

// `contacts` > 0 where normal_impulse > 0: a ball that bounces touches in the step of the impact, after which it flies,
// and the four corners of a box that lands flat are four contacts.
TEST(ContactsOfABody, AreThereInEveryStepInWhichItGetsANormalImpulse) {
  for (const std::string method : {"anitescu_potra", "trapezoidal", "trapezoidal_midpoint", "loetstedt"}) {
    Simulation simulation(
        tied_scenario(0.01, 1.2, "method: " + method,
                      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
                      "  ball: {mass: 1, freedom: [z], shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.6]}\n"
                      "  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.2]}}, position: [1, 0, 0.3]}\n"
                      "contacts: [{between: any, friction: 0, restitution: 0.5}]\n"
                      "outcomes: {first: {first_time: ball.contacts > 0}, corners: {maximum: box.contacts}}\n"));
    int touching = 0;
    simulation.watch([&](const StateView& s) {
      for (const int body : {0, 1, 2})
        EXPECT_EQ(s.contacts[body] > 0, s.normal_impulse[body] > 0) << method << " step " << s.steps();
      if (s.contacts[1] > 0) ++touching;
    });
    ASSERT_EQ(simulation.status(), Status::ok);
    EXPECT_GE(touching, 2) << method << ": at 0.319 s and 0.639 s";
    const double lag = method == "anitescu_potra" ? 0.005 : 0;  // its positions follow the velocities before
    EXPECT_NEAR(simulation.outcome("first"), std::sqrt(1 / g) + lag, 0.01) << method;
    EXPECT_EQ(simulation.outcome("corners"), 4) << method;
  }
}

// A ball that a plate stops in the second and third of four sub-steps floats there in the fourth.
TEST(ContactsOfABody, AreThoseOfAnySubStep) {
  Simulation simulation(tied_scenario(0.005, 0.2, floats,
                                      "bodies:\n  plate: {fixed: true, shape: {box: {size: [0.01, 1, 1]}}}\n"
                                      "  shot: {mass: 0.1, shape: {sphere: {radius: 0.005}}, position: [-0.33, 0, 0], "
                                      "velocity: [3, 0, 0]}\ncontacts: [{between: any}]\n"));
  int touching = 0;
  simulation.watch([&](const StateView& s) {
    EXPECT_EQ(s.contacts[1], s.normal_impulse[1] > 0) << s.steps();
    touching += s.contacts[1];
  });
  ASSERT_EQ(simulation.status(), Status::ok);
  EXPECT_EQ(simulation.state().substeps() % 4, 0);
  EXPECT_GE(touching, 1);
}

}  // namespace
}  // namespace jostle

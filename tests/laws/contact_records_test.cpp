// What records have of spin friction, friction by directions and adhesion: impulses that change the momentum, and unit
// tangents.
#include "core/records/record_memory.hpp"
#include "tests/laws/simulation.hpp"

namespace jostle {
namespace contact_records {
namespace {

struct Recorded {
  explicit Recorded(Scenario scenario, std::int64_t sample = 0)
      : ensemble(std::move(scenario)),
        batch(ensemble.model(), 1),
        memory(ensemble.model(), 0),
        record(ensemble.model(), 1) {
    ensemble.load(sample, batch, 0);
    batch.record(0, record);
    run_system(batch, 0, static_cast<int>(ensemble.model().total_steps), memory);
    EXPECT_EQ(batch.status(0), Status::ok);
  }
  /// The rows of the last step.
  std::span<const ContactRow> last() const {
    const auto count = static_cast<std::size_t>(record.entry_rows().back());
    return record.rows().subspan(record.rows().size() - count);
  }
  Ensemble ensemble;
  Batch batch;
  WorkspaceMemory memory;
  RecordMemory record;
};

Scenario ball(const std::string& rule, const std::string& method, const std::string& more) {
  return parse_scenario(
      "jostle: 1\nworld: {method: " + method +
          ", step: 0.01, duration: 0.1, gravity: [2, 2, -9]}\nbodies:\n  floor: {fixed: true, shape: "
          "{half_space: {normal: [0, 0, 1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, 0.1], "
          "shape: {sphere: {radius: 0.1}}" +
          more + "}\ncontacts:\n  - {between: any, " + rule + "}\nrecord: {trajectories: 1, contacts: true}\n",
      "ball.yaml");
}

constexpr const char* methods[] = {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"};
constexpr const char* methods_of_contacts[] = {"stewart_trinkle", "anitescu_potra", "trapezoidal",
                                               "trapezoidal_midpoint", "loetstedt"};

// Contacts push, and what moves loses no momentum to nothing, also where a piece of a step is 2e-17 s long.
TEST(ContactRecords, HaveNoPullInTheShortestPieces) {
  const Scenario scenario = read_scenario(JOSTLE_SOURCE_DIR "/tests/data/short_pieces.yaml",
                                          {{"record={trajectories: 60, contacts: true}"}, {}, {}});
  for (const std::int64_t sample : {27, 40, 48, 52, 53}) {
    const Recorded run(scenario, sample);
    EXPECT_GT(run.record.rows().size(), 1000u);
    for (const ContactRow& row : run.record.rows()) ASSERT_GE(row.impulse_n, -1e-15) << "sample " << sample;
  }
}

// -mu r c_n about the normal, in the row and in the impulse on the body.
TEST(ContactRecords, HaveTheMomentOfSpinFriction) {
  for (const char* const method : methods) {
    const Recorded run(ball("friction: 0.9, spin_friction: 0.02", method, ", spin: [0, 0, 10]"));
    ASSERT_EQ(run.last().size(), 1u) << method;
    const ContactRow& row = run.last()[0];
    EXPECT_NEAR(row.impulse_n, 2 * 9 * 0.01, 1e-12);
    EXPECT_NEAR(row.impulse_spin, -0.9 * 0.02 * 2 * 9 * 0.01, 1e-12) << method;
    const std::size_t at = 12 * static_cast<std::size_t>(run.record.entries() - 1) + 6;
    EXPECT_NEAR(run.record.impulse[at + 5], row.impulse_spin, 1e-12);
    EXPECT_NEAR(run.record.impulse[at + 2], row.impulse_n, 1e-12);
  }
}

// r c_n against the rolling along x, on the floor about t1 and t2 in the row; the ball's impulse has its negative.
TEST(ContactRecords, HaveTheMomentOfRollingFriction) {
  for (const char* const method : methods) {
    for (const char* const more : {", spin: [0, 40, 0]", ", spin: [0, 40, 0], freedom: [x, z, ry]"}) {
      const Recorded run(ball("friction: 0.9, rolling_friction: 0.002", method, more));
      ASSERT_EQ(run.last().size(), 1u) << method;
      const ContactRow& row = run.last()[0];
      const Vec3 n(row.normal[0], row.normal[1], row.normal[2]), t1(row.tangent[0], row.tangent[1], row.tangent[2]);
      const Vec3 t2 = cross(n, t1), moment = row.impulse_roll[0] * t1 + row.impulse_roll[1] * t2;
      const Vec3 force = row.impulse_n * n + row.impulse_t[0] * t1 + row.impulse_t[1] * t2;
      EXPECT_NEAR(moment[0], 0, 1e-14) << method;
      EXPECT_NEAR(moment[1], 0.002 * 2 * 9 * 0.01, 1e-12) << method;
      const std::size_t at = 12 * static_cast<std::size_t>(run.record.entries() - 1) + 6;
      for (int k = 0; k < 3; ++k) {
        const std::size_t of_moment = at + 3 + static_cast<std::size_t>(k);
        EXPECT_NEAR(run.record.impulse[of_moment], -cross(Vec3(0, 0, -0.1), force)[k] - moment[k], 1e-12) << method;
      }
    }
  }
}

// A ball on a rough floor that leans against a smooth wall: the wall holds it, or the moment with friction does, or
// both.
TEST(ContactRecords, TellWhetherMomentsShareALoad) {
  for (const double radius : {0.0, 0.05}) {
    const Recorded run(parse_scenario(
        "jostle: 1\nworld: {step: 0.01, duration: 0.1, gravity: [1, 0, -9]}\nbodies:\n  floor: {fixed: true, shape: "
        "{half_space: {normal: [0, 0, 1]}}}\n  wall: {fixed: true, shape: {half_space: {normal: [-1, 0, 0], offset: "
        "-0.1}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, 0.1], shape: {sphere: {radius: 0.1}}, freedom: "
        "[x, "
        "z, ry]}\ncontacts:\n  - {between: [ball, floor], friction: 0.5, rolling_friction: " +
            std::to_string(radius) + "}\n  - {between: any}\nrecord: {trajectories: 1, contacts: true}\n",
        "ball.yaml"));
    ASSERT_EQ(run.last().size(), 2u);
    int shared = 0;
    for (const ContactRow& row : run.last()) shared += (row.mode & contact_not_unique) != 0;
    EXPECT_EQ(shared, radius > 0 ? 2 : 0);
  }
}

// Along t1, the axis, and t2; slip too, also where there is no friction along the axis.
TEST(ContactRecords, HaveUnitTangentsOfFrictionByDirections) {
  for (const char* const method : methods) {
    for (const double along : {0.0, 0.05}) {
      const Recorded run(
          ball("friction: " + std::to_string(along) + ", across: {friction: 0.6, axis: [0, 3, 0], of: floor}", method,
               ", freedom: [x, y, z]"));
      ASSERT_EQ(run.last().size(), 1u);
      const ContactRow& row = run.last()[0];
      EXPECT_NEAR(row.tangent[1], 1, 1e-12) << method;
      const std::size_t at = 12 * static_cast<std::size_t>(run.record.entries() - 1) + 6;
      EXPECT_EQ(row.normal[2], -1) << "from the ball to the floor; so t2 = n x t1 = x";
      EXPECT_NEAR(run.record.impulse[at + 1], -row.impulse_t[0], 1e-12);
      EXPECT_NEAR(run.record.impulse[at], -row.impulse_t[1], 1e-12);
      EXPECT_LE(std::fabs(row.impulse_t[0]), along * row.impulse_n + 1e-12);
      EXPECT_LT(row.slip[0], -0.1);
      EXPECT_EQ(row.mode & 3, contact_slips);
    }
  }
}

// Four feet of a table on a floor: what three of them carry, any of them may have more of. Three feet, or one, share
// the load in one way. Under every method, in every row of every step.
TEST(ContactRecords, SayWhichImpulsesAreNotUnique) {
  const auto table = [](int feet, const std::string& method) {
    std::string shapes;
    for (int i = 0; i < feet; ++i) {
      char foot[120];
      std::snprintf(foot, sizeof foot, "%s{sphere: {radius: 0.05}, position: [%.17g, %.17g, 0]}", i == 0 ? "" : ", ",
                    feet == 1 ? 0 : 0.3 * std::cos(2 * pi * i / feet),
                    feet == 1 ? 0 : 0.3 * std::sin(2 * pi * i / feet));
      shapes += foot;
    }
    return parse_scenario(
        "jostle: 1\nworld: {method: " + method +
            ", step: 0.01, duration: 0.1}\nbodies:\n  floor: {fixed: true, shape: {half_space: "
            "{normal: [0, 0, 1]}}}\n  table: {mass: 2, inertia: [0.1, 0.1, 0.1], centre_of_mass: [0, 0, "
            "0], shapes: [" +
            shapes +
            "], position: [0, 0, 0.05], velocity: [0.1, 0, 0]}\ncontacts: [{between: any, "
            "friction: 0}]\nrecord: {trajectories: 1, contacts: true}\n",
        "table.yaml");
  };
  for (const char* const method : methods_of_contacts) {
    for (const int feet : {1, 3, 4, 5}) {
      const Recorded run(table(feet, method));
      ASSERT_EQ(run.last().size(), static_cast<std::size_t>(feet)) << method;
      double sum = 0;
      for (const ContactRow& row : run.record.rows())
        EXPECT_EQ((row.mode & 4) != 0, feet > 3) << method << ' ' << feet << " feet";
      for (const ContactRow& row : run.last()) sum += row.impulse_n;
      EXPECT_NEAR(sum, 2 * g * 0.01, 1e-12) << method;
    }
  }
}

// A pull is a negative impulse.
TEST(ContactRecords, HaveThePullOfAdhesion) {
  for (const char* const method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "loetstedt"}) {
    Scenario scenario = parse_scenario(
        "jostle: 1\nworld: {method: " + std::string(method) +
            ", step: 0.01, duration: 0.05}\nbodies:\n  ceiling: {fixed: true, shape: {half_space: {normal: [0, 0, "
            "-1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, -0.1], shape: {sphere: {radius: "
            "0.1}}}\ncontacts:\n  - {between: any, adhesion: 30}\nrecord: {trajectories: 1, contacts: true}\n",
        "ceiling.yaml");
    const Recorded run(std::move(scenario));
    ASSERT_EQ(run.last().size(), 1u) << method;
    EXPECT_NEAR(run.last()[0].impulse_n, -2 * g * 0.01, 1e-12) << method;
    EXPECT_EQ(run.last()[0].mode & 3, contact_sticks);
    const std::size_t at = 12 * static_cast<std::size_t>(run.record.entries() - 1) + 6;
    EXPECT_NEAR(run.record.impulse[at + 2], 2 * g * 0.01, 1e-12) << method;
  }
}

// A box is propped by a rod whose error stays in some steps. No overlap is held at the level of velocities, though
// contacts overlap by rounding errors, or by O(h^2), and have no gap in b_n.
TEST(ContactRecords, DoNotCallAnOverlapHeldWhereAJointIs) {
  Recorded run(parse_scenario(R"(
jostle: 1
world: {duration: 0.2, method: trapezoidal_midpoint, step: 0.01}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, freedom: [x, z, ry], shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.05], velocity: [-0.463242323, 0, 0]}
joints:
  rod: {distance: [world, box], at: [[0.145592151, 0, 0.35], [0, 0, 0.002982567]]}
contacts: [{between: any, friction: 1.151292954}]
record: {trajectories: 1, contacts: true}
)",
                              "propped.yaml"));
  EXPECT_GT(run.batch.state(0).held(), 0);
  bool overlaps = false;
  for (const ContactRow& row : run.record.rows()) {
    overlaps = overlaps || row.gap < 0;
    EXPECT_EQ(row.mode & contact_held, 0);
  }
  EXPECT_TRUE(overlaps);
}

// The load of a contact is its impulse and the largest pull. In the step in which it is torn off, it pulls as hard as
// it can, has no load, and does not count in BODY.contacts.
TEST(ContactRecords, CallOpenWhatPullsAsHardAsItCan) {
  for (const char* const method : methods) {
    Recorded run(parse_scenario(
        "jostle: 1\nworld: {method: " + std::string(method) +
            ", step: 0.01, duration: 0.01, gravity: [0, 0, -9]}\nbodies:\n  floor: {fixed: true, shape: {half_space: "
            "{normal: [0, 0, 1]}}}\n  ball: {mass: 2, inertia: 0.008, position: [0, 0, 0.1], shape: {sphere: {radius: "
            "0.1}}}\nforces: [{body: ball, force: [0, 0, 30]}]\ncontacts:\n  - {between: any, adhesion: 5}\nrecord: "
            "{trajectories: 1, contacts: true}\noutcomes: {most: {maximum: ball.contacts}}\n",
        "torn.yaml"));
    ASSERT_EQ(run.last().size(), 1u) << method;
    EXPECT_NEAR(run.last()[0].impulse_n, -5 * 0.01, 1e-15) << method;
    EXPECT_EQ(run.last()[0].mode, contact_is_open) << method;
    EXPECT_EQ(run.batch.state(0).outcomes[0], 0) << method;
  }
}

}  // namespace
}  // namespace contact_records
}  // namespace jostle

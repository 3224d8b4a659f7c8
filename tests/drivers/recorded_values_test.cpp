// What samples leave in a dataset, against numbers that are computed otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/sweeps/sweep_report.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/recorded_samples.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

class Recorded {
 public:
  explicit Recorded(const std::string& text) : ensemble(parse_scenario(text, "recorded.yaml")) {}

  /// Samples 0 .. count-1, from batches of three.
  ShardData shard(int count) const {
    return SimulationProducer(ensemble, description, threads_backend(1, 0), 3)
        .produce(0, count, {}, test::never)
        .value();
  }

  const Ensemble ensemble;
  const DatasetDescription description = describe(ensemble);
};

// 50 steps; every seventh, and the last.
constexpr const char* spinning_brick = R"yaml(jostle: 1
variables: {turn: {uniform: [1, 9]}}
world: {step: 0.01, duration: 0.5, friction_directions: 8}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  brick:
    mass: 0.5
    shape: {box: {size: [0.2, 0.1, 0.06]}}
    position: [0.1, 0.2, 0.3]
    rotation: {axis: [1, 2, 2], degrees: 50}
    velocity: [0.4, -0.5, 0.6]
    spin: [$turn, -3, 2]
contacts: [{between: any, friction: 0.4}]
outcomes: {nearest: {minimum: "gap(brick, floor)"}}
record: {trajectories: all, stride: 7}
)yaml";
constexpr int brick = 1;  // the only body that is recorded: the floor is fixed

TEST(RecordedTrajectory, HasTheTimesOfEveryStrideAndTheLastStep) {
  EXPECT_THAT(Recorded(spinning_brick).description.record.time,
              testing::Pointwise(testing::DoubleEq(), {0.0, 0.07, 0.14, 0.21, 0.28, 0.35, 0.42, 0.49, 0.5}));
}

TEST(RecordedTrajectory, BeginsWithWhatTheScenarioSays) {
  const ShardData shard = Recorded(spinning_brick).shard(2);
  const Eigen::Quaterniond turned(Eigen::AngleAxisd(50 * std::numbers::pi / 180, Eigen::Vector3d(1, 2, 2) / 3));
  const std::size_t entries = shard.trajectories.q.size() / 2 / 7;
  for (std::size_t i = 0; i < 2; ++i) {
    const double* const q = shard.trajectories.q.doubles().data() + i * entries * 7;
    const double* const v = shard.trajectories.v.doubles().data() + i * entries * 6;
    const double turn = shard.variables[0][i];
    EXPECT_THAT(std::vector<double>(q, q + 7),
                testing::Pointwise(testing::DoubleNear(1e-15),
                                   {0.1, 0.2, 0.3, turned.w(), turned.x(), turned.y(), turned.z()}));
    EXPECT_THAT(std::vector<double>(v, v + 6),
                testing::Pointwise(testing::DoubleNear(1e-14), {0.4, -0.5, 0.6, turn, -3.0, 2.0}));
  }
}

// The states of the same samples, stepped from entry to entry; their spins are in the axes of the body.
TEST(RecordedTrajectory, HasTheStatesWithSpinsInTheAxesOfTheWorld) {
  constexpr int samples = 5, stride = 7, steps = 50;
  const Recorded recorded(spinning_brick);
  const Trajectories kept = recorded.shard(samples).trajectories;
  EXPECT_THAT(kept.sample, testing::ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(kept.valid_steps, testing::Each(steps));
  Batch batch(recorded.ensemble.model(), samples);
  for (int i = 0; i < samples; ++i) recorded.ensemble.load(i, batch, i);
  const std::size_t times = recorded.description.record.time.size();
  ASSERT_EQ(kept.q.size(), samples * times * 7);
  ASSERT_EQ(kept.v.size(), samples * times * 6);
  for (std::size_t entry = 0; entry < times; ++entry) {
    run_batch(batch, std::min(steps, static_cast<int>(entry) * stride));
    for (int i = 0; i < samples; ++i) {
      SCOPED_TRACE("sample " + std::to_string(i) + ", entry " + std::to_string(entry));
      const StateView state = batch.state(i);
      const std::size_t at = static_cast<std::size_t>(i) * times + entry;
      const double *const q = kept.q.doubles().data() + 7 * at, *const v = kept.v.doubles().data() + 6 * at;
      const Vec3 spin = vector_at(state.spin, brick);
      const Eigen::Vector3d world =
          Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * Eigen::Vector3d(spin[0], spin[1], spin[2]);
      for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(q[k], state.position[3 * brick + k]);
        EXPECT_EQ(v[k], state.velocity[3 * brick + k]);
        EXPECT_NEAR(v[3 + k], world[k], 1e-13);
      }
      for (int k = 0; k < 4; ++k) EXPECT_EQ(q[3 + k], state.orientation[4 * brick + k]);
    }
  }
}

// Of three bodies, the one in the middle is fixed.
TEST(RecordedTrajectory, LeavesOutFixedBodiesWhereverTheyAre) {
  for (const char* dtype : {"f8", "f4"}) {
    const Recorded recorded(R"yaml(jostle: 1
variables: {x: {uniform: [1, 2]}}
world: {step: 0.25, duration: 0.5, gravity: [0, 0, 0]}
bodies:
  first: {mass: 1, shape: {sphere: {radius: 0.1}}, velocity: [0, 4, 0]}
  post: {fixed: true, shape: {sphere: {radius: 0.1}}, position: [0, 0, 8]}
  last: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 2], velocity: [0, 0, -2]}
contacts: [{between: any, friction: 0}]
record: {trajectories: all, dtype: )yaml" +
                            std::string(dtype) + "}\n");
    EXPECT_THAT(recorded.description.bodies, testing::ElementsAre("first", "last"));
    const Trajectories kept = recorded.shard(3).trajectories;
    ASSERT_EQ(kept.q.size(), 3u * 3 * 2 * 7);
    ASSERT_EQ(kept.v.size(), 3u * 3 * 2 * 6);
    for (std::size_t entry = 0; entry < 9; ++entry) {
      const double time = 0.25 * static_cast<double>(entry % 3);
      EXPECT_EQ(kept.q[14 * entry + 1], 4 * time) << dtype << " " << entry;
      EXPECT_EQ(kept.q[14 * entry + 7 + 2], 2 - 2 * time) << dtype << " " << entry;
      EXPECT_EQ(kept.v[12 * entry + 1], 4) << dtype << " " << entry;
      EXPECT_EQ(kept.v[12 * entry + 6 + 2], -2) << dtype << " " << entry;
    }
  }
}

TEST(RecordedTrajectory, OfASystemThatFailsIsUndefinedAfterItsLastGoodStep) {
  constexpr int samples = 12, stride = 100;
  const Recorded recorded(R"yaml(jostle: 1
variables: {limit: {uniform: [0.5, 2.0]}}
world: {step: 0.001, duration: 1.5, gravity: [0, 0, 0]}
bodies: {ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}}}
forces: [{body: ball, force: ["sqrt($limit - t)", 0, 0]}]
record: {trajectories: all, stride: 100}
)yaml");
  const ShardData shard = recorded.shard(samples);
  const std::size_t times = recorded.description.record.time.size();
  int failed = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    const std::int64_t steps = shard.trajectories.valid_steps[i];
    EXPECT_EQ(steps, shard.steps[i]);
    failed += steps < 1500;
    for (std::size_t entry = 0; entry < times; ++entry) {
      const double* const q = shard.trajectories.q.doubles().data() + (i * times + entry) * 7;
      const bool there = static_cast<std::int64_t>(entry) * stride <= steps;
      for (int k = 0; k < 7; ++k) EXPECT_NE(std::isnan(q[k]), there) << "sample " << i << ", entry " << entry;
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_LT(failed, samples);
}

// v_l = -l g h and z_l = -l (l + 1) / 2 g h^2: of the energy m g^2 h^2 l / 2 is lost.
TEST(RecordedEnergyDrift, OfAFreeFallIsThatOfTheScheme) {
  const ShardData shard = Recorded(R"yaml(jostle: 1
variables: {mass: {uniform: [1, 5]}}
world: {step: 0.01, duration: 0.4, gravity: [0, 0, -10]}
bodies: {ball: {mass: $mass, shape: {sphere: {radius: 0.1}}, position: [0, 0, 3], velocity: [2, 0, 0]}}
)yaml")
                              .shard(4);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(shard.energy_drift[i], -shard.variables[0][i] * 100 * 1e-4 * 40 / 2, 1e-13);
}

// From rest F t / m; the energy is gained.
TEST(RecordedEnergyDrift, HasTheWorkOfForces) {
  const ShardData shard = Recorded(R"yaml(jostle: 1
variables: {force: {uniform: [1, 5]}}
world: {step: 0.01, duration: 0.5, gravity: [0, 0, 0]}
bodies: {ball: {mass: 2, shape: {sphere: {radius: 0.1}}}}
forces: [{body: ball, force: [0, $force, 0]}]
)yaml")
                              .shard(4);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(shard.energy_drift[i], std::pow(shard.variables[0][i] * 0.5, 2) / 4, 1e-13);
}

// At 5 m/s the ball would be behind the middle of the wall after step 4; in four sub-steps a step it stops before it.
TEST(RecordedSubsteps, KeepABodyFromPassingThroughAThinWall) {
  const Recorded recorded(R"yaml(jostle: 1
variables: {speed: {choice: {values: [1, 5], weights: [0.75, 0.25]}}}
world: {step: 0.01, duration: 0.5, gravity: [0, 0, 0]}
bodies:
  wall: {fixed: true, shape: {box: {size: [0.04, 1, 1]}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.02}}, position: [-0.195, 0, 0], velocity: [$speed, 0, 0]}
contacts: [{between: any, friction: 0}]
)yaml");
  const ShardData shard = recorded.shard(8);
  ASSERT_THAT(shard.variables[0], testing::Contains(5.0));
  for (std::size_t i = 0; i < 8; ++i) {
    const double speed = shard.variables[0][i];
    EXPECT_NEAR(shard.energy_drift[i], -speed * speed / 2, 1e-12) << i;
    EXPECT_LT(shard.energy_gained[i], 1e-25) << i;
    EXPECT_EQ(shard.substeps[i] > 0, speed == 5) << i;
  }

  const test::ScratchFolder folder;
  SimulationProducer producer(recorded.ensemble, recorded.description, threads_backend(1, 0), 3);
  SweepOptions options;
  options.folder = folder / "out";
  options.n = 8;
  const SweepReport report = run_sweep(recorded.description, producer, options);
  EXPECT_LT(report.statistics.energy_gained.value, 1e-25);
  EXPECT_THAT(sweep_report_text(report, true), testing::HasSubstr("energy gained "));
}

// A corner that turns by h w ends below its tangent plane; the distance comes from other code than contacts do.
TEST(RecordedPenetration, IsTheDepthOfTheDeepestCorner) {
  const ShardData shard = Recorded(spinning_brick).shard(6);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(shard.penetration_max[i], std::max(0.0, -shard.outcomes[0][i]), 1e-15);
  EXPECT_THAT(shard.penetration_max, testing::Contains(testing::Gt(1e-6)));
}

}  // namespace
}  // namespace jostle

// Simulated shards: the same bytes however the samples are batched, paused and stopped.
#include "drivers/sweeps/simulation_producer.hpp"

#include <gtest/gtest.h>

#include "drivers/files/atomic_file.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/support/recorded_samples.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/write_shard.hpp"

namespace jostle {
namespace {

constexpr int produced_samples = 30;

/// A ball on a floor, pushed by a force that is no number from a drawn time on: for two thirds of the samples before
/// their 1,500 steps are over.
constexpr const char* pushed_ball = R"yaml(jostle: 1
variables: {limit: {uniform: [0.5, 2.0]}}
world: {step: 0.001, duration: 1.5}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1.0, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.12]}
contacts: [{between: any, friction: 0.5}]
forces: [{body: ball, force: ["sqrt($limit - t)", 0, 0]}]
outcomes: {way: {at_end: ball.position.x}}
)yaml";

std::string shard_bytes(const std::string& record, int threads, int batch_size) {
  const Ensemble ensemble(
      parse_scenario(pushed_ball + ("record: {trajectories: " + record + ", stride: 100}\n"), "ball.yaml"));
  const DatasetDescription description = describe(ensemble);
  SimulationProducer producer(ensemble, description, threads_backend(threads, 0), batch_size);
  auto shard = producer.produce(0, produced_samples, {}, test::never);
  EXPECT_TRUE(shard);
  const test::ScratchFolder folder;
  write_shard(folder / "shard.h5", description, *shard);
  return read_text_file(folder / "shard.h5");
}

TEST(SimulatedShard, HasTheSameBytesForAnyBatchSizeAndNumberOfThreads) {
  for (const char* record : {"failures", "all"}) {
    const std::string expected = shard_bytes(record, 1, 0);
    for (const int batch_size : {1, 7, 1000}) EXPECT_TRUE(shard_bytes(record, 2, batch_size) == expected) << batch_size;
  }
}

TEST(SimulatedShard, EndsSystemsThatFailAndCountsThem) {
  const Ensemble ensemble(parse_scenario(pushed_ball, "ball.yaml"));
  const DatasetDescription description = describe(ensemble);
  SimulationProducer producer(ensemble, description, threads_backend(1, 0), 7);
  ProductionProgress last;
  int calls = 0;
  const auto shard = producer.produce(
      0, produced_samples, [&](const ProductionProgress& progress) { last = progress, ++calls; }, test::never);
  ASSERT_TRUE(shard);
  std::int64_t failed = 0;
  for (std::size_t i = 0; i < produced_samples; ++i) {
    const bool fails = shard->variables[0][i] < 1.5;
    failed += fails;
    EXPECT_EQ(shard->status[i], static_cast<std::uint8_t>(fails ? Status::not_finite : Status::ok)) << i;
    EXPECT_NEAR(shard->end_time[i], std::min(1.5, shard->variables[0][i]), 0.0015) << i;
  }
  EXPECT_EQ(last.invalid, failed);
  EXPECT_EQ(last.samples, produced_samples);
  EXPECT_EQ(calls, (produced_samples + 6) / 7);
}

TEST(SimulatedShard, KnowsNoInstantsWhereNothingIsRecorded) {
  const auto instants = [](const std::string& record) {
    return describe(Ensemble(parse_scenario(pushed_ball + record, "ball.yaml"))).record.time;
  };
  EXPECT_EQ(instants("").size(), 0u);
  EXPECT_EQ(instants("record: {trajectories: 0, stride: 500}\n").size(), 0u);
  EXPECT_EQ(instants("record: {trajectories: 1, stride: 500}\n"), (std::vector<double>{0, 0.5, 1, 1.5}));
}

TEST(SimulatedShard, IsGivenUpWhenStopped) {
  const Ensemble ensemble(parse_scenario(pushed_ball, "ball.yaml"));
  const DatasetDescription description = describe(ensemble);
  SimulationProducer producer(ensemble, description, threads_backend(1, 0), 10);
  std::atomic<bool> stop = false;
  std::int64_t done = 0;
  const auto shard = producer.produce(
      0, produced_samples,
      [&](const ProductionProgress& progress) {
        done = progress.samples;
        stop = true;
      },
      stop);
  EXPECT_FALSE(shard);
  EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace jostle

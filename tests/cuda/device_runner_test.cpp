// Batches through a device are those of the OpenMP backend, bit for bit, however they are cut, placed and interrupted.
#include "cuda/device_runner.hpp"

#include <gmock/gmock.h>

#include "core/simulate.hpp"
#include "cuda/device_errors.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/laws/simulation.hpp"
#include "tests/support/status_cases.hpp"

namespace jostle {
namespace {

Batch loaded(const Ensemble& ensemble, int count, int first = 0) {
  Batch batch(ensemble.model(), count);
  for (int i = 0; i < count; ++i) ensemble.load(first + i, batch, i);
  return batch;
}

std::vector<std::uint64_t> digests(Batch& batch) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < batch.size(); ++i) all.push_back(state_digest(batch, i));
  return all;
}

class OnADevice : public testing::TestWithParam<std::string> {
 protected:
  const Ensemble ensemble_{read_scenario(library_file(GetParam()))};
};

TEST_P(OnADevice, TheLibraryHasTheBitsOfTheCpu) {
  const Window whole{0, static_cast<int>(ensemble_.model().total_steps)};
  for (const test::NamedDevice& named : test::devices()) {
    SCOPED_TRACE(named.name);
    const int count = named.emulates_lanes ? 1 : 8;
    for (const Window& window : named.emulates_lanes ? eventful_windows(GetParam()) : std::vector{whole}) {
      Batch expected = loaded(ensemble_, count), batch = loaded(ensemble_, count);
      for (Batch* early : {&expected, &batch}) run_batch(*early, window.first);
      run_batch(expected, window.last);
      DeviceRunner runner(*named.device, ensemble_.model());
      EXPECT_TRUE(runner.run(batch, window.last));
      EXPECT_EQ(digests(batch), digests(expected)) << "steps " << window.first << " to " << window.last;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, OnADevice, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });

TEST(Device, ChunksGiveTheBitsOfTheWhole) {
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  constexpr int last = 120;
  for (const int count : {1, 31, 32, 33, 100}) {
    Batch expected = loaded(ensemble, count);
    run_batch(expected, last);
    for (const int chunk : {1, 7, 32, 1000}) {
      HostDevice device;
      Batch batch = loaded(ensemble, count);
      DeviceRunner runner(device, ensemble.model(), chunk);
      EXPECT_TRUE(runner.run(batch, 50));
      EXPECT_TRUE(runner.run(batch, last));
      EXPECT_EQ(digests(batch), digests(expected)) << count << " systems in chunks of " << chunk;
    }
  }
}

// More systems than fit one chunk, and no multiple of anything; they touch from the first step on.
TEST(Device, AHundredThousandSystemsHaveTheBitsOfTheCpu) {
  const Ensemble ensemble(read_scenario(library_file("sliding_block")));
  constexpr int count = 100'003, last = 2;
  Batch expected(ensemble.model(), count), batch(ensemble.model(), count);
  for (Batch* each : {&expected, &batch})
    for (int i = 0; i < count; ++i) ensemble.load(i % ensemble.count(), *each, i);
  run_batch(expected, last);
  HostDevice device;
  DeviceRunner runner(device, ensemble.model(), 40'000);
  EXPECT_TRUE(runner.run(batch, last));
  EXPECT_EQ(digests(batch), digests(expected));
  EXPECT_GT(batch.state(count - 1).pivots_max[0], 0);
}

TEST(Device, ARunnerServesBatchesOfAnySizeOneAfterTheOther) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  HostDevice device;
  DeviceRunner runner(device, ensemble.model(), 10);
  for (const int count : {3, 10, 11, 40, 2}) {
    Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
    run_batch(expected, 30);
    EXPECT_TRUE(runner.run(batch, 30));
    EXPECT_EQ(digests(batch), digests(expected)) << count;
  }
}

// Boxes of a stack outgrow a workspace of one contact, then of two, then of four.
TEST(Device, SystemsThatOutgrowTheirPlacementGoOnInTheNext) {
  const Ensemble ensemble(read_scenario(library_file("box_stack")));
  constexpr int count = 5, last = 40;
  Batch expected = loaded(ensemble, count);
  run_batch(expected, last);
  for (const std::size_t shared_bytes : {std::size_t{0}, std::size_t{5'000}, std::size_t{200'000}}) {
    HostDevice::Options options;
    options.shared_bytes = shared_bytes;
    HostDevice device(options);
    Batch batch = loaded(ensemble, count);
    DeviceRunner runner(device, ensemble.model(), 0, {1, all_team_kinds, false});
    EXPECT_TRUE(runner.run(batch, last));
    EXPECT_GT(device.launches(), 4);
    EXPECT_EQ(digests(batch), digests(expected)) << shared_bytes;
  }
}

TEST(Device, TrajectoriesAreThoseOfTheCpu) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  constexpr int count = 9, last = 400, stride = 7;
  constexpr double untouched = -1;
  const std::size_t entries =
      static_cast<std::size_t>(TrajectoryView{nullptr, nullptr, stride}.entries(ensemble.model().total_steps));
  const std::size_t bodies = ensemble.model().bodies.size();
  struct Records {
    std::vector<Real> q, v;
  };
  const auto simulated = [&](const auto& run) {
    std::vector<Records> records;
    Batch batch = loaded(ensemble, count);
    for (int i = 0; i < count; i += 4) {
      Records& record = records.emplace_back();
      record.q.assign(entries * bodies * 7, untouched), record.v.assign(entries * bodies * 6, untouched);
    }
    for (int i = 0; i < count; i += 4) batch.record(i, {records[i / 4].q.data(), records[i / 4].v.data(), stride});
    run(batch);
    return records;
  };
  const auto expected = simulated([&](Batch& batch) { run_batch(batch, last); });
  HostDevice device;
  for (const int chunk : {0, 2}) {
    DeviceRunner runner(device, ensemble.model(), chunk);
    const auto records = simulated([&](Batch& batch) { runner.run(batch, last); });
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(records[i].q, expected[i].q);
      EXPECT_EQ(records[i].v, expected[i].v);
    }
  }
}

class AFailingSystemOnADevice : public testing::TestWithParam<StatusCase> {};

TEST_P(AFailingSystemOnADevice, EndsAsOnTheCpuAndSoDoTheHealthy) {
  constexpr int samples = 12;
  const Ensemble ensemble(parse_scenario(scenario_text(GetParam()), "case.yaml", {{}, samples, {}}));
  Model model = ensemble.model();
  GetParam().change(model);
  const int last = static_cast<int>(model.total_steps);
  const auto run = [&](const auto& take_steps) {
    Batch batch(model, samples);
    for (int i = 0; i < samples; ++i) ensemble.load(i, batch, i);
    take_steps(batch);
    int bad = 0;
    for (int i = 0; i < samples; ++i) bad += batch.status(i) == GetParam().status;
    EXPECT_GT(bad, 0);
    EXPECT_LT(bad, samples);
    return digests(batch);
  };
  const auto expected = run([&](Batch& batch) { run_batch(batch, last); });
  HostDevice device;
  for (const int chunk : {0, 5})
    EXPECT_EQ(run([&](Batch& batch) { DeviceRunner(device, model, chunk).run(batch, last); }), expected);
}

INSTANTIATE_TEST_SUITE_P(Statuses, AFailingSystemOnADevice, testing::ValuesIn(status_cases),
                         [](const auto& test) { return test.param.name; });

TEST(Device, WithoutRoomASmallerChunkIsTriedFirst) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  constexpr int count = 500, last = 20;
  Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
  run_batch(expected, last);
  HostDevice::Options options;
  options.memory_bytes = 900'000;
  HostDevice device(options);
  DeviceRunner runner(device, ensemble.model(), count);
  EXPECT_TRUE(runner.run(batch, last));
  EXPECT_LT(runner.chunk(), count);
  EXPECT_EQ(digests(batch), digests(expected));
}

TEST(Device, WithoutRoomForAWarpOfSystemsItSaysSo) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  Batch batch = loaded(ensemble, 100);
  HostDevice::Options options;
  options.memory_bytes = 20'000;
  HostDevice device(options);
  DeviceRunner runner(device, ensemble.model(), 100);
  EXPECT_THROW(runner.run(batch, 10), DeviceOutOfMemory);
  EXPECT_EQ(batch.status(0), Status::not_run) << "nothing has happened";
  EXPECT_EQ(device.used_bytes(), 0u);
}

TEST(Device, AFailureIsToldAndLeavesTheBatchAsItWas) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  for (const char* call : {"allocate", "upload", "clear", "simulate", "collect_outgrown", "download"}) {
    HostDevice device;
    Batch batch = loaded(ensemble, 30);
    DeviceRunner runner(device, ensemble.model(), 10);
    device.fail_at(call, 1);
    try {
      runner.run(batch, 10);
      ADD_FAILURE() << call << " did not fail";
    } catch (const DeviceFailure& failure) {
      EXPECT_THAT(failure.what(), testing::HasSubstr(call));
    }
    EXPECT_EQ(batch.status(0), Status::not_run) << call;
    EXPECT_TRUE(runner.run(batch, 10)) << "and the next call goes on";
    EXPECT_EQ(batch.state(29).steps[0], 10);
  }
}

TEST(Device, AStoppedRunLeavesWholeChunks) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  HostDevice device;
  Batch batch = loaded(ensemble, 30);
  DeviceRunner runner(device, ensemble.model(), 10);
  std::atomic<bool> stop = true;
  EXPECT_FALSE(runner.run(batch, 10, &stop));
  for (int i = 0; i < 30; ++i) EXPECT_EQ(batch.status(i), Status::not_run);
  stop = false;
  EXPECT_TRUE(runner.run(batch, 10, &stop));
}

/// What an observer is told of every step.
struct Told {
  int step, contacts, pivots;
  std::vector<Real> q;
  bool operator==(const Told&) const = default;
};

TEST(Device, AnObserverIsToldWhatItIsToldOnTheCpu) {
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  constexpr int last = 150;
  const auto told_by = [&](const auto& run) {
    std::vector<Told> told;
    Batch batch = loaded(ensemble, 1);
    run(batch, [&](const System& system, const Workspace& work, const StepResult& result) {
      told.push_back({system.state.steps[0],
                      result.contacts,
                      result.pivots,
                      {work.lcp_vector, work.lcp_vector + result.lcp_size}});
    });
    return told;
  };
  const auto expected = told_by([&](Batch& batch, const auto& observe) {
    WorkspaceMemory memory(ensemble.model(), 0);
    run_system(batch, 0, last, memory, observe);
  });
  ASSERT_EQ(expected.size(), last);
  ASSERT_GT(expected.back().contacts, 0);
  HostDevice device;
  EXPECT_EQ(told_by([&](Batch& batch, const auto& observe) { run_observed(device, batch, last, observe); }), expected);
}

}  // namespace
}  // namespace jostle

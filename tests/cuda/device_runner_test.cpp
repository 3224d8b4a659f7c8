// Batches through a device are those of the OpenMP backend, bit for bit, however they are cut, placed and interrupted.
#include "cuda/device_runner.hpp"

#include <gmock/gmock.h>

#include <map>

#include "core/lcp/dense.hpp"
#include "tests/cuda/batches.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/laws/simulation.hpp"
#include "tests/support/status_cases.hpp"

namespace jostle {
namespace {

class OnADevice : public testing::TestWithParam<std::string> {
 protected:
  const Ensemble ensemble_{read_scenario(library_file(GetParam()))};
};

TEST_P(OnADevice, TheLibraryHasTheBitsOfTheCpu) {
  const Window whole{0, static_cast<int>(ensemble_.model().total_steps)};
  for (const test::NamedDevice& named : test::devices()) {
    SCOPED_TRACE(named.name);
    const int count = named.emulates_lanes ? 1 : named.is_gpu ? 100 : 8;
    for (const Window& window : named.emulates_lanes ? eventful_windows(GetParam()) : std::vector{whole}) {
      Batch early = loaded(ensemble_, count);
      run_batch(early, window.first);
      Batch expected = early;
      run_batch(expected, window.last);
      for (const unsigned kinds : test::sets_of_kinds(named)) {
        Batch batch = early;
        DeviceRunner runner(*named.device, ensemble_.model(), 0, {0, kinds, false});
        EXPECT_TRUE(runner.run(batch, window.last));
        EXPECT_EQ(digests(batch), digests(expected))
            << "steps " << window.first << " to " << window.last << ", kinds of teams " << std::hex << kinds;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, OnADevice, testing::ValuesIn(library_names),
                         [](const auto& scenario) { return scenario.param; });
INSTANTIATE_TEST_SUITE_P(JointsAndImpacts, OnADevice, testing::ValuesIn(joint_and_impact_names()),
                         [](const auto& scenario) { return scenario.param; });
INSTANTIATE_TEST_SUITE_P(Springs, OnADevice, testing::ValuesIn(spring_library_names),
                         [](const auto& scenario) { return scenario.param; });

TEST(Device, ChunksGiveTheBitsOfTheWhole) {
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  constexpr int last = 120;
  for (const int count : {1, 31, 32, 33, 100}) {
    Batch expected = loaded(ensemble, count);
    run_batch(expected, last);
    for (const test::NamedDevice& named : test::fast_devices())
      for (const int chunk : {1, 7, 32, 1000}) {
        Batch batch = loaded(ensemble, count);
        DeviceRunner runner(*named.device, ensemble.model(), chunk);
        EXPECT_TRUE(runner.run(batch, 50));
        EXPECT_TRUE(runner.run(batch, last));
        EXPECT_EQ(digests(batch), digests(expected)) << named.name << ": " << count << " in chunks of " << chunk;
      }
  }
}

// More systems than fit one chunk, and no multiple of anything; they touch from the first step on.
TEST(Device, AHundredThousandSystemsHaveTheBitsOfTheCpu) {
  const Ensemble ensemble(read_scenario(library_file("sliding_block")));
  constexpr int count = 100'003, last = 2;
  Batch start(ensemble.model(), count);
  for (int i = 0; i < count; ++i) ensemble.load(i % ensemble.count(), start, i);
  Batch expected = start;
  run_batch(expected, last);
  for (const test::NamedDevice& named : test::fast_devices())
    for (const int chunk : {40'000, count}) {
      SCOPED_TRACE(named.name);
      if (chunk == count && !named.is_gpu) continue;
      Batch batch = start;
      DeviceRunner runner(*named.device, ensemble.model(), chunk);
      EXPECT_TRUE(runner.run(batch, last));
      EXPECT_EQ(digests(batch), digests(expected)) << "in chunks of " << chunk;
      EXPECT_GT(batch.state(count - 1).guessed(), 0);
    }
}

TEST(Device, ARunnerServesBatchesOfAnySizeOneAfterTheOther) {
  const Ensemble ensemble(read_scenario(library_file("rod")));
  for (const test::NamedDevice& named : test::fast_devices()) {
    DeviceRunner runner(*named.device, ensemble.model(), 10);
    for (const int count : {3, 10, 11, 40, 2}) {
      Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
      run_batch(expected, 30);
      EXPECT_TRUE(runner.run(batch, 30));
      EXPECT_EQ(digests(batch), digests(expected)) << named.name << ": " << count;
    }
  }
}

// What no scenario of the library has: friction of ball joints in a plane, beside a rotor; a blow after the first
// motion of a step with a body that moves as told; adhesion beside a sprung joint; a joint beside a body that moves as
// told. New memory of a device is not zero.
TEST(Device, RareSystemsReadNothingThatIsNotWritten) {
  const std::string scenes[] = {
      "bodies:\n  rod: {mass: 1, inertia: 0.1, freedom: [x, z, ry], position: [0.5, 0, 0]}\n"
      "  bob: {mass: 0.5, inertia: 0.02, freedom: [x, z, ry], position: [1, 0, 0], spin: [0, 2, 0]}\n"
      "joints:\n  pin: {ball: [world, rod], at: [0, 0, 0], friction: 0.3}\n"
      "  hinge: {revolute: [rod, bob], at: [1, 0, 0], axis: [0, 1, 0], armature: 0.05}\n",
      "bodies:\n  hand: {prescribed: {velocity: [\"1 + 0.05*t\", 0, 0]}}\n"
      "  box: {mass: 2, inertia: 0.1, velocity: [1, 0, 0]}\n  ball: {mass: 1, inertia: 0.1, position: [0, 3, 0]}\n"
      "joints: {weld: {fixed: [hand, box]}}\n"
      "impulses: [{body: ball, time: 0.034, impulse: [0, 1, 0]}]\n",
      "bodies:\n  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}\n"
      "  ball: {mass: 2, position: [0, 3, 0.1], velocity: [0.5, 0, 0], shape: {sphere: {radius: 0.1}}}\n"
      "  block: {mass: 0.5, inertia: 0.01, position: [0, 0, 1], velocity: [1, 0, 0]}\n"
      "joints:\n  slide: {prismatic: [world, block], axis: [1, 0, 0], stiffness: 20, damping: 0.1, armature: 0.3}\n"
      "contacts: [{between: any, adhesion: 5}]\n",
      "bodies:\n  hand: {prescribed: {velocity: [\"1 + 0.05*t\", 0, 0]}}\n"
      "  block: {mass: 1, inertia: [0.01, 0.02, 0.01, 0, 0, 0]}\n"
      "joints: {hinge: {revolute: [world, block], at: [0, 0, 0], axis: [0, 0, 1]}}\n"};
  for (const std::string& scene : scenes)
    for (const std::string method : {"stewart_trinkle", "anitescu_potra", "trapezoidal", "trapezoidal_midpoint"}) {
      SCOPED_TRACE(method + "\n" + scene);
      const Ensemble ensemble(parse_scenario(
          "jostle: 1\nworld: {step: 0.01, duration: 0.2, method: " + method + "}\n" + scene, "rare.yaml"));
      Batch expected = loaded(ensemble, 2);
      run_batch(expected, 20);
      for (const test::NamedDevice& named : test::fast_devices()) {
        Batch batch = loaded(ensemble, 2);
        EXPECT_TRUE(DeviceRunner(*named.device, ensemble.model()).run(batch, 20));
        EXPECT_EQ(digests(batch), digests(expected)) << named.name;
      }
    }
}

// Their elements alternate with those of others, also in a group of teams that is not whole.
TEST(Device, TeamsOfOneAndTwoLanesHaveTheBitsOfTheCpu) {
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  constexpr int count = 50, first = 100, last = 130;
  Batch expected = loaded(ensemble, count);
  run_batch(expected, first);
  const Batch start = expected;
  run_batch(expected, last);
  for (const char* kind : {"warp1", "warp2"}) {
    for (const std::size_t shared_bytes : {std::size_t{0}, std::size_t{200'000}}) {
      SCOPED_TRACE(kind);
      HostDevice::Options options;
      options.teams = 40, options.shared_bytes = shared_bytes;
      EmulatedDevice device(0, options);
      device.allow_team_kinds(team_kinds_named(kind));
      Batch batch = start;
      EXPECT_TRUE(DeviceRunner(device, ensemble.model()).run(batch, last));
      EXPECT_EQ(digests(batch), digests(expected)) << shared_bytes;
    }
  }
}

// Boxes of a stack outgrow a workspace of five contacts, one for each box, then of ten.
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
    EXPECT_GT(device.launches(), 3);
    EXPECT_EQ(digests(batch), digests(expected)) << shared_bytes;
  }
  if (const std::unique_ptr<Device> gpu = test::gpu()) {
    Batch batch = loaded(ensemble, count);
    DeviceRunner runner(*gpu, ensemble.model(), 0, {1, all_team_kinds, false});
    EXPECT_TRUE(runner.run(batch, last));
    EXPECT_EQ(digests(batch), digests(expected)) << gpu->name();
  }
}

// Balls that lie apart are islands of one contact, for which Lemke's method has room in the first placement; two that
// hit each other are one of three or more, which needs the next one, whatever the number of all contacts.
TEST(Device, IslandsThatOutgrowLemkesMemoryGoOnInTheNextPlacement) {
  for (const char* solver : {"lemke", "guess_first"}) {
    const Ensemble ensemble(
        read_scenario(library_file("four_balls"), {{std::string("world.solver=") + solver}, {}, {}}));
    constexpr int count = 2, before = 20, last = 60;
    Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
    HostDevice device;
    DeviceOptions options;
    options.first_contacts = 1;
    DeviceBatch resident(device, ensemble.model(), count, 0, options);
    resident.upload(batch, 0, count);
    resident.step(before);
    EXPECT_EQ(device.launches(), 1) << solver;
    resident.step(last);
    EXPECT_GT(device.launches(), 2) << solver;
    resident.download();
    resident.store();
    run_batch(expected, last);
    ASSERT_GT(expected.state(0).last_contacts(), 1);
    EXPECT_EQ(digests(batch), digests(expected)) << solver;
  }
}

// A stack has gone through its placements in its first steps: from then on a call is a launch, and no more.
TEST(Device, SystemsStayInThePlacementThatTheyHaveComeTo) {
  const Ensemble ensemble(read_scenario(library_file("box_stack")));
  constexpr int count = 5;
  Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
  HostDevice device;
  DeviceBatch resident(device, ensemble.model(), count, 0, {.first_contacts = 1});
  resident.upload(batch, 0, count);
  resident.step(20);
  const int before = device.launches();
  EXPECT_GT(before, 1);
  resident.step(30);
  resident.step(40);
  EXPECT_EQ(device.launches(), before + 2);
  resident.download();
  resident.store();
  run_batch(expected, 40);
  EXPECT_EQ(digests(batch), digests(expected));
}

// Boxes in the air, on a corner and on a face: every call is a launch for each placement that has some of them.
TEST(Device, SystemsOfOneBatchStayInTheirPlacements) {
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  constexpr int count = 40;
  DeviceOptions options;
  options.first_contacts = 1;
  Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
  HostDevice device;
  DeviceBatch resident(device, ensemble.model(), count, 0, options);
  resident.upload(batch, 0, count);
  std::vector<int> launches;
  for (const int step : {60, 100, 101}) {
    const int before = device.launches();
    resident.step(step);
    launches.push_back(device.launches() - before);
  }
  EXPECT_GT(launches[2], 1) << "some of them stand on a corner, some on a face";
  EXPECT_LE(launches[2], 4);
  resident.download();
  resident.store();
  run_batch(expected, 101);
  EXPECT_EQ(digests(batch), digests(expected));
  resident.upload(batch, 0, 1);
  EXPECT_EQ(resident.size(), 1) << "and other systems begin anew";
}

// In one batch: boxes in the air, on a corner, an edge and a face, so that the LCPs of a step have many sizes.
TEST(Device, SystemsOfOneBatchOutgrowTheirPlacementOrNotAndHaveTheBitsOfTheCpu) {
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  constexpr int count = 40, last = 60;
  Batch expected = loaded(ensemble, count);
  std::map<int, int> systems_by_contacts;  // the most of any step
  WorkspaceMemory memory(ensemble.model(), 0);
  for (int i = 0; i < count; ++i) {
    int most = 0;
    run_system(expected, i, last, memory, [&](const System&, const Workspace&, const StepResult& result) {
      most = std::max(most, result.all_contacts());
    });
    ++systems_by_contacts[most];
  }
  ASSERT_GT(systems_by_contacts[0], 0);
  ASSERT_GT(systems_by_contacts[1], 0) << "fits the first placement";
  ASSERT_GT(systems_by_contacts[2], 0) << "outgrows it";
  ASSERT_GT(systems_by_contacts.rbegin()->first, 2) << "outgrows the second";
  for (const test::NamedDevice& named : test::devices())
    for (const int chunk : {0, 7}) {
      Batch batch = loaded(ensemble, count);
      DeviceRunner runner(*named.device, ensemble.model(), chunk, {1, all_team_kinds, false});
      EXPECT_TRUE(runner.run(batch, last));
      EXPECT_EQ(digests(batch), digests(expected)) << named.name << " in chunks of " << chunk;
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
    std::vector<double> q, v;
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
  for (const test::NamedDevice& named : test::fast_devices())
    for (const int chunk : {0, 2}) {
      SCOPED_TRACE(named.name);
      DeviceRunner runner(*named.device, ensemble.model(), chunk);
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
  const bool is_large = GetParam().status == Status::capacity;  // thousands of variables, too many for emulated lanes
  for (const test::NamedDevice& named : is_large ? test::fast_devices() : test::devices())
    for (const int chunk : {0, 5}) {
      SCOPED_TRACE(named.name);
      EXPECT_EQ(run([&](Batch& batch) { DeviceRunner(*named.device, model, chunk).run(batch, last); }), expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Statuses, AFailingSystemOnADevice, testing::ValuesIn(status_cases),
                         [](const auto& test) { return test.param.name; });

/// What an observer is told of every step.
struct Told {
  int step, contacts, pivots;
  std::vector<double> q;
  bool operator==(const Told&) const = default;
};

TEST(Device, AnObserverIsToldWhatItIsToldOnTheCpu) {
  const Ensemble ensemble(read_scenario(library_file("tossed_box")));
  constexpr int last = 150;
  const auto told_by = [&](const auto& run) {
    std::vector<Told> told;
    Batch batch = loaded(ensemble, 1);
    run(batch, [&](const System& system, const Workspace& work, const StepResult& result) {
      told.push_back({system.state().steps(), result.contacts, result.pivots,
                      dense_lcp(system.model.dimensions, work, result.lcp_size).q});
    });
    return told;
  };
  const auto expected = told_by([&](Batch& batch, const auto& observe) {
    WorkspaceMemory memory(ensemble.model(), 0);
    run_system(batch, 0, last, memory, observe);
  });
  ASSERT_EQ(expected.size(), last);
  ASSERT_GT(expected.back().contacts, 0);
  std::vector<test::NamedDevice> devices = test::fast_devices();
  devices.push_back({"teams of a lane", std::make_unique<EmulatedDevice>(1), false});
  devices.back().device->allow_team_kinds(team_kinds_named("warp1"));
  for (const test::NamedDevice& named : devices)
    EXPECT_EQ(told_by([&](Batch& batch, const auto& observe) { run_observed(*named.device, batch, last, observe); }),
              expected)
        << named.name;
}

}  // namespace
}  // namespace jostle

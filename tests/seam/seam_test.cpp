// What a method is needs nothing but its header and a line in the list: a second one is taken through the CPU, teams of
// lanes, devices, `compare`, growing capacity and a dataset.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/methods/methods.hpp"
#include "cuda/device_runner.hpp"
#include "drivers/devices/comparison.hpp"
#include "drivers/devices/model_structure.hpp"
#include "drivers/errors.hpp"
#include "drivers/sweeps/simulation_producer.hpp"
#include "drivers/sweeps/sweep.hpp"
#include "emulation/host_device.hpp"
#include "scenarios/canonical.hpp"
#include "tests/cuda/batches.hpp"
#include "tests/support/library_digest.hpp"
#include "tests/support/scratch_folder.hpp"

namespace jostle {
namespace {

Ensemble ensemble_of(const std::string& name, Method method, const std::vector<std::string>& set = {}) {
  Scenario scenario = read_scenario(library_file(name), {set, {}, {}});
  scenario.world.method = method;
  scenario.canonical = canonical_yaml(scenario);
  return Ensemble(std::move(scenario));
}

std::vector<std::uint64_t> digests_by(const Ensemble& ensemble, int count, int last, const Backend& backend) {
  Batch batch = loaded(ensemble, count);
  EXPECT_TRUE(backend.run(batch, last, nullptr));
  return digests(batch);
}

TEST(Methods, HaveTheNamesOfTheList) {
  EXPECT_STREQ(name_of(Method::stewart_trinkle), "stewart_trinkle");
  EXPECT_STREQ(name_of(Method::velocity_step), "velocity_step");
  EXPECT_EQ(method_named("velocity_step"), Method::velocity_step);
  EXPECT_THROW(method_named("velocity"), std::invalid_argument);
}

// v_{l+1} = v_l - mu g h, and the block has moved by h v_l: so it stops after N = ceil(v0 / (mu g h)) steps at
// h [N v0 - mu g h N (N - 1) / 2], one h v0 further than Stewart & Trinkle's method takes it.
TEST(VelocityStepMethod, StopsASlidingBlockAfterTheDistanceOfTheScheme) {
  const Ensemble ensemble = ensemble_of("sliding_block", Method::velocity_step);
  Batch batch = run_samples(ensemble, ensemble.model(), 0, 20);
  for (int i = 0; i < batch.size(); ++i) {
    ASSERT_EQ(batch.status(i), Status::ok);
    const double mu = batch.parameters(i).variables[0], v0 = batch.parameters(i).variables[1];
    const double h = ensemble.model().step, slower = mu * 9.81 * h, n = std::ceil(v0 / slower);
    EXPECT_NEAR(batch.state(i).position[3], h * (n * v0 - slower * n * (n - 1) / 2), 1e-12) << i;
    EXPECT_NEAR(batch.state(i).position[5], 0.05, 5e-15);
  }
}

// In flight positions are h v_l, not h v_{l+1}: after l steps a ball is l (l - 1) / 2 g h^2 lower.
TEST(VelocityStepMethod, FallsByTheOldVelocity) {
  const Ensemble ensemble = ensemble_of("tossed_box", Method::velocity_step);
  Batch batch = loaded(ensemble, 1);
  const double start = batch.parameters(0).start_position[5], v = batch.parameters(0).start_velocity[5];
  const double h = ensemble.model().step;
  constexpr int steps = 10;
  run_batch(batch, steps);
  EXPECT_NEAR(batch.state(0).position[5], start + steps * h * v - steps * (steps - 1) / 2.0 * 9.81 * h * h, 1e-13);
}

/// Knows the largest placement that it has worked in.
class PlacedDevice : public HostDevice {
 public:
  using HostDevice::HostDevice;
  void simulate(int queue, const SimulateTask& task) override {
    largest_placement = std::max<int>(largest_placement, task.number_of_placement);
    HostDevice::simulate(queue, task);
  }

  int largest_placement = 0;
};

class EveryWay : public testing::TestWithParam<const char*> {
 protected:
  static constexpr int count = 6, last = 70;
  const Ensemble ensemble_ = ensemble_of(GetParam(), Method::velocity_step);
  const std::vector<std::uint64_t> expected_ = digests_by(ensemble_, count, last, threads_backend(1, 0));
};

TEST_P(EveryWay, ItIsAnotherMethod) {
  const Ensemble other = ensemble_of(GetParam(), Method::stewart_trinkle);
  EXPECT_NE(digests_by(other, count, last, threads_backend(1, 0)), expected_);
}

TEST_P(EveryWay, ThreadsAndEmulatedTeamsGiveTheSameBits) {
  EXPECT_EQ(digests_by(ensemble_, count, last, threads_backend(2, 3)), expected_);
  for (const int lanes : {2, 4, 8, 16, 32}) {
    const std::vector<std::uint64_t> found = digests_by(ensemble_, 1, last, lanes_backend(lanes));
    EXPECT_EQ(found.front(), expected_.front()) << lanes << " lanes";
  }
}

// From a placement for one contact on, by the serial team and by the teams that the placements ask for.
TEST_P(EveryWay, DevicesGiveTheSameBitsWhereCapacityGrows) {
  for (const int lanes : {1, 0}) {
    HostDevice::Options options;
    options.lanes = lanes;
    PlacedDevice device(options);
    DeviceOptions small;
    small.first_contacts = 1;
    const int systems = lanes == 1 ? count : 1;
    const auto found = digests_by(ensemble_, systems, last, device_backend(device, ensemble_.model(), 0, small));
    EXPECT_EQ(found, std::vector(expected_.begin(), expected_.begin() + systems));
    EXPECT_GT(device.largest_placement, 0) << "some overflowed the first";
  }
}

TEST_P(EveryWay, ACpuWorkspaceGrowsToTheSameBits) {
  Batch batch = loaded(ensemble_, count);
  RunOptions options;
  options.first_contacts = 1;
  EXPECT_TRUE(run_batch(batch, last, options));
  EXPECT_EQ(digests(batch), expected_);
}

TEST_P(EveryWay, CompareObservesItsSteps) {
  HostDevice device;
  const Backend reference = threads_backend(1, 0);
  const Comparison equal = compare(ensemble_, reference, {{device_backend(device, ensemble_.model()), count}}).front();
  EXPECT_TRUE(equal.equal());
  std::vector<int> contacts;
  Batch batch = loaded(ensemble_, 1);
  reference.run_observed(batch, last, [&](const System&, const Workspace&, const StepResult& result) {
    contacts.push_back(result.contacts);
  });
  EXPECT_EQ(contacts.size(), last);
  EXPECT_THAT(contacts, testing::Contains(testing::Gt(0)));
}

INSTANTIATE_TEST_SUITE_P(Scenarios, EveryWay, testing::Values("sliding_block", "tossed_box"),
                         [](const auto& scenario) { return std::string(scenario.param); });

TEST(Methods, AreAPartOfTheStructureThatAGpuIsCheckedFor) {
  EXPECT_NE(structure_digest(ensemble_of("rod", Method::velocity_step).model()),
            structure_digest(ensemble_of("rod", Method::stewart_trinkle).model()));
}

class TwoMethods : public testing::Test {
 protected:
  static constexpr int samples = 8;

  /// Into the one folder.
  SweepReport sweep(Method method) {
    const Ensemble ensemble = ensemble_of("sliding_block", method);
    const DatasetDescription description = describe(ensemble);
    EXPECT_EQ(description.method, name_of(method));
    SimulationProducer producer(ensemble, description, threads_backend(1, 0), samples);
    SweepOptions options;
    options.folder = folder_ / "out";
    options.n = samples;
    return run_sweep(description, producer, options);
  }

  const test::ScratchFolder folder_;
};

TEST_F(TwoMethods, NeverResumeIntoOneFolder) {
  for (const auto& [first, second] :
       {std::pair{Method::stewart_trinkle, Method::velocity_step}, {Method::velocity_step, Method::stewart_trinkle}}) {
    EXPECT_EQ(sweep(first).simulated, samples);
    EXPECT_EQ(sweep(first).simulated, 0) << "the same one resumes";
    try {
      sweep(second);
      ADD_FAILURE() << name_of(second) << " resumed what " << name_of(first) << " had begun";
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("method"));
    }
    std::filesystem::remove_all(folder_ / "out");
  }
}

}  // namespace
}  // namespace jostle

// Systems that stay in the memory of a device, and their contacts, have the bits of a batch on the CPU. tests/python
// has more of it.
#include "drivers/live/resident_systems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "drivers/errors.hpp"
#include "drivers/live/live_batch.hpp"
#include "emulation/emulated_device.hpp"
#include "scenarios/reader/reader.hpp"
#include "tests/cuda/capturing_device.hpp"
#include "tests/support/message_of.hpp"

namespace jostle {
namespace {

const std::vector<std::int64_t> samples = {0, 1, 2};

Scenario with_contacts(const std::string& name) {
  Scenario scenario = read_scenario(JOSTLE_SOURCE_DIR "/scenarios/library/" + name + ".yaml");
  scenario.record.contacts = true;
  return scenario;
}

/// Calls of `step`, the second of which leaves out the first sample, on the device and on the CPU.
void expect_contacts_of_cpu(const std::string& name, std::unique_ptr<Device> device) {
  LiveBatch batch(with_contacts(name), samples, Machine(std::move(device), 1)), expected(with_contacts(name), samples);
  const bool some[] = {false, true, true};
  const std::uint8_t mask[] = {0, 1, 1};
  const std::shared_ptr<ResidentSystems> resident = batch.upload();
  std::int64_t seen = 0;
  for (const int count : {30, 3, 4}) {
    const bool is_second = count == 3;
    resident->step(count, false, {is_second ? mask : nullptr, false, {}});
    expected.step(count, is_second ? some : nullptr);
    const ContactRecords contacts = expected.contacts();
    for (const ContactArray& array : resident->contacts()->arrays()) {
      if (array.name != "count" && array.name != "impulse_n") continue;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::int64_t first = contacts.splits[i], rows = contacts.splits[i + 1] - first;
        seen += rows;
        if (array.name == "count") {
          EXPECT_EQ(reinterpret_cast<const std::int32_t*>(array.first)[i], rows) << name << i;
        } else {
          const double* const own = reinterpret_cast<const double*>(array.first) + i * array.shape[1];
          for (std::int64_t row = 0; row < rows; ++row)
            EXPECT_EQ(own[row], contacts.impulse_n[static_cast<std::size_t>(first + row)]) << name << i;
        }
      }
    }
  }
  EXPECT_GT(seen, 0);
  batch.download();
  for (int i = 0; i < batch.size(); ++i) EXPECT_EQ(batch.digest(i), expected.digest(i));
  EXPECT_EQ(batch.contacts().splits, expected.contacts().splits);
}

TEST(ResidentContacts, OfATeamOfOneLaneHaveTheBitsOfTheCpu) {
  expect_contacts_of_cpu("cube_toss", std::make_unique<HostDevice>());
}

TEST(ResidentContacts, OfTeamsOfLanesHaveTheBitsOfTheCpu) {
  for (const int lanes : {3, 8, 0}) {
    expect_contacts_of_cpu("cube_toss", std::make_unique<EmulatedDevice>(lanes));
    expect_contacts_of_cpu("elbow_toss", std::make_unique<EmulatedDevice>(lanes));
  }
}

TEST(ResidentContacts, NeedKernelsForAllSystems) {
  class DeviceOfPlainKernels : public HostDevice {
   private:
    DeviceLimits own_limits() const override {
      DeviceLimits limits{1, 100'000, 100'000, all_team_kinds, all_team_kinds, std::size_t{1} << 34};
      limits.team_kinds_for_all = 0;
      return limits;
    }
  };
  const Machine machine(std::make_unique<DeviceOfPlainKernels>(), 1);
  Scenario scenario = with_contacts("cube_toss");
  EXPECT_THAT(test::message_of([&] { LiveBatch(scenario, samples, machine).upload(); }),
              testing::AllOf(testing::HasSubstr("records of steps"), testing::Not(testing::HasSubstr("\n"))));
  scenario.record.contacts = false;
  EXPECT_NO_THROW(LiveBatch(scenario, samples, machine).upload());
}

// What a CUDA graph would repeat: a reset, and steps of a mask that more launches than one make.
TEST(ResidentSystems, CanBeCapturedByAGraph) {
  const Scenario scenario = read_scenario(JOSTLE_SOURCE_DIR "/scenarios/library/tossed_box.yaml");
  auto owned = std::make_unique<test::CapturingDevice<HostDevice>>();
  auto& device = *owned;
  LiveBatch batch(scenario, samples, Machine(std::move(owned), 1)), expected(scenario, samples);
  const std::shared_ptr<ResidentSystems> resident = batch.upload(true);
  const bool some[] = {true, false, true};
  const std::uint8_t mask[] = {1, 0, 1};
  const ResidentSystems::Turn all{nullptr, true, 7}, masked{mask, true, 7};
  const auto graph = device.capture([&] {
    resident->step(3, true, all);
    resident->step(20, false, masked);
  });
  const auto put_back = device.capture([&] { resident->reset(masked); });
  const auto repeat = [&](int times) {
    for (int i = 0; i < times; ++i) {
      device.repeat(graph);
      expected.step(3);
      expected.step(20, some);
    }
  };
  repeat(4);
  device.repeat(put_back);
  expected.reset(std::vector<int>{0, 2});
  repeat(2);
  batch.download();
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(batch.steps()[i], expected.steps()[i]);
  const std::size_t rows = samples.size() * batch.bodies().size();
  EXPECT_TRUE(std::equal(batch.q(), batch.q() + 7 * rows, expected.q()));
  EXPECT_TRUE(std::equal(batch.v(), batch.v() + 6 * rows, expected.v()));
}

}  // namespace
}  // namespace jostle

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

/// Whether the arrays of the device have the rows of the CPU; how many these are.
std::int64_t compare(const ResidentContacts& on_device, const ContactRecords& contacts) {
  std::int64_t seen = 0;
  for (const ContactArray& array : on_device.arrays()) {
    if (array.name != "count" && array.name != "impulse_n") continue;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::int64_t first = contacts.splits[i], rows = contacts.splits[i + 1] - first;
      seen += rows;
      if (array.name == "count") {
        EXPECT_EQ(reinterpret_cast<const std::int32_t*>(array.first)[i], rows) << i;
      } else {
        const double* const own = reinterpret_cast<const double*>(array.first) + i * array.shape[1];
        for (std::int64_t row = 0; row < rows; ++row)
          EXPECT_EQ(own[row], contacts.impulse_n[static_cast<std::size_t>(first + row)]) << i;
      }
    }
  }
  return seen;
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
    SCOPED_TRACE(name);
    seen += compare(*resident->contacts(), expected.contacts());
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

// The address sanitizer would see work that waits for arrays which nobody has any more.
TEST(ResidentContacts, GrowWhereNobodyLooksAtThem) {
  std::string text =
      "jostle: 1\nworld: {step: 0.005, duration: 2}\nbodies:\n  floor: {fixed: true, shape: {half_space: {normal: "
      "[0, 0, 1]}}}\n";
  for (int i = 0; i < 12; ++i)
    text += "  b" + std::to_string(i) + ": {mass: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [" +
            std::to_string(0.3 * i) + ", 0, " + std::to_string(0.06 + 0.02 * i) + "]}\n";
  Scenario scenario = parse_scenario(text + "contacts: [{between: any, friction: 0.5}]\n", "boxes.yaml");
  scenario.record.contacts = true;
  LiveBatch batch(scenario, samples, Machine(std::make_unique<HostDevice>(), 1));
  const std::shared_ptr<ResidentSystems> resident = batch.upload();
  const int before = resident->contacts()->rows();
  for (int call = 0; call < 20; ++call) resident->step(5, false, {});
  EXPECT_GT(resident->contacts()->rows(), before);
  batch.download();
  for (int i = 0; i < batch.size(); ++i) EXPECT_EQ(batch.status()[i], 0);
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
  const std::shared_ptr<ResidentSystems> resident = batch.upload({.is_capturable = true});
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

/// Steps of a mask, and a reset, that are captured once and repeated, with their contacts.
template <class Mock>
void expect_captured_contacts(std::unique_ptr<test::CapturingDevice<Mock>> owned) {
  auto& device = *owned;
  LiveBatch batch(with_contacts("cube_toss"), samples, Machine(std::move(owned), 1)),
      expected(with_contacts("cube_toss"), samples);
  const std::shared_ptr<ResidentSystems> resident = batch.upload({.is_capturable = true});
  const std::shared_ptr<ResidentContacts> contacts = resident->contacts();
  const bool some[] = {true, false, true};
  const std::uint8_t mask[] = {1, 0, 1};
  const ResidentSystems::Turn masked{mask, true, 7};
  const auto steps = device.capture([&] { resident->step(20, false, masked); });
  const auto put_back = device.capture([&] { resident->reset(masked); });
  std::int64_t seen = 0;
  const auto repeat_steps = [&](int times) {
    for (int i = 0; i < times; ++i) {
      device.repeat(steps);
      expected.step(20, some);
      seen += compare(*contacts, expected.contacts());
    }
  };
  repeat_steps(4);
  EXPECT_GT(seen, 0);
  device.repeat(put_back);
  expected.reset(std::vector<int>{0, 2});
  EXPECT_EQ(compare(*contacts, expected.contacts()), 0);
  repeat_steps(2);
  EXPECT_EQ(contacts, resident->contacts());
  batch.download();
  for (int i = 0; i < batch.size(); ++i) EXPECT_EQ(batch.digest(i), expected.digest(i));
  EXPECT_EQ(batch.contacts().splits, expected.contacts().splits);
}

TEST(ResidentContacts, CanBeCapturedByAGraph) {
  expect_captured_contacts(std::make_unique<test::CapturingDevice<HostDevice>>());
  expect_captured_contacts(std::make_unique<test::CapturingDevice<EmulatedDevice>>(8));
}

// Without a graph arrays become larger. In one they cannot, and no contact is left out in silence: a system whose step
// has rows of two pieces ends before it.
TEST(ResidentContacts, WithoutRoomInAGraphEndTheSystem) {
  auto owned = std::make_unique<test::CapturingDevice<HostDevice>>();
  auto& device = *owned;
  const Scenario scenario = with_contacts("bouncing_ball");
  LiveBatch batch(scenario, samples, Machine(std::move(owned), 1)), expected(scenario, samples);
  const std::shared_ptr<ResidentSystems> resident = batch.upload({.is_capturable = true, .contact_rows = 1});
  const int room = resident->contacts()->rows();
  const auto step = device.capture([&] { resident->step(1, false, {nullptr, true, 7}); });
  std::vector<int> ends(samples.size(), -1);  // the first step that has more contacts than there is room for
  for (int made = 0; made < 200; ++made) {
    device.repeat(step);
    expected.step(1);
    const ContactRecords contacts = expected.contacts();
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (ends[i] < 0 && contacts.splits[i + 1] - contacts.splits[i] > room) ends[i] = made;
  }
  batch.download();
  int ended = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(batch.status()[i], static_cast<std::uint8_t>(ends[i] < 0 ? Status::ok : Status::capacity)) << i;
    EXPECT_EQ(batch.steps()[i], ends[i] < 0 ? 200 : ends[i]) << i;
    ended += ends[i] >= 0 ? 1 : 0;
  }
  EXPECT_GT(ended, 0);
}

TEST(ResidentContacts, HaveRoomThatIsAskedForOnlyIfTheyAreCapturable) {
  LiveBatch batch(with_contacts("cube_toss"), samples, Machine(std::make_unique<HostDevice>(), 1));
  EXPECT_THROW(batch.upload({.contact_rows = 4}), UsageError);
}

}  // namespace
}  // namespace jostle

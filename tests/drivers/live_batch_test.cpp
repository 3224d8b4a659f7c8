// Systems that are stepped, read and written from outside. tests/python has more of it.
#include "drivers/live/live_batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <limits>
#include <memory>
#include <numeric>

#include "drivers/errors.hpp"
#include "drivers/simulation.hpp"
#include "drivers/watch.hpp"
#include "emulation/host_device.hpp"
#include "tests/support/message_of.hpp"

namespace jostle {
namespace {

using testing::HasSubstr;

constexpr int systems = 6;

Scenario rod() { return read_scenario(JOSTLE_SOURCE_DIR "/scenarios/library/rod.yaml"); }

class ALiveBatch : public testing::Test {
 protected:
  /// Digests of samples 3, 4, ... after 200 steps.
  std::vector<std::uint64_t> expected() const {
    const Ensemble ensemble(rod());
    Batch batch(ensemble.model(), systems);
    for (int i = 0; i < systems; ++i) ensemble.draw(3 + i, batch, i);
    run_batch(batch, 200);
    std::vector<std::uint64_t> digests;
    for (int i = 0; i < systems; ++i) digests.push_back(state_digest(batch, i));
    return digests;
  }
  static std::vector<std::uint64_t> digests_of(LiveBatch& batch) {
    std::vector<std::uint64_t> digests;
    for (int i = 0; i < batch.size(); ++i) digests.push_back(batch.digest(i));
    return digests;
  }

  const std::vector<std::int64_t> samples_ = {3, 4, 5, 6, 7, 8};
};

TEST_F(ALiveBatch, HasTheBitsOfItsSamplesForAnyPatternOfStepsOnEveryMachine) {
  for (const Machine& machine : {Machine(1), Machine(2), Machine(std::make_unique<HostDevice>())}) {
    SCOPED_TRACE(machine.name());
    LiveBatch batch(rod(), samples_, machine);
    const bool some[systems] = {true, false, true, true, false, false};
    EXPECT_TRUE(batch.step(50, some));
    EXPECT_EQ(batch.steps()[0], 50);
    EXPECT_EQ(batch.steps()[1], 0);
    const bool others[systems] = {false, true, false, false, true, true};
    EXPECT_TRUE(batch.step(50, others));
    EXPECT_TRUE(batch.step(150));
    EXPECT_EQ(digests_of(batch), expected());
  }
}

TEST_F(ALiveBatch, KeepsItsBitsWhenMoreNumbersBecomeVariables) {
  LiveBatch batch(rod(), samples_);
  batch.step(100);
  const double* const q = batch.q();
  EXPECT_EQ(batch.mass(1)[0], 1);
  EXPECT_EQ(batch.wrenches()[0], 0);
  batch.step(100);
  EXPECT_EQ(digests_of(batch), expected());
  EXPECT_EQ(batch.q(), q) << "arrays stay where they are";
  EXPECT_THAT(test::message_of([&] { batch.mass(0); }), HasSubstr("no force moves it"));
  EXPECT_THAT(test::message_of([&] { batch.variable("omega"); }), HasSubstr("did you mean 'omega0'?"));
}

TEST_F(ALiveBatch, TakesOverWhatIsWrittenAtTheNextStep) {
  for (const Machine& machine : {Machine(1), Machine(std::make_unique<HostDevice>())}) {
    LiveBatch batch(rod(), samples_, machine);
    batch.v()[6 * 2 + 0] = 3;         // m/s along x, in flight
    batch.wrenches()[6 * 4 + 0] = 2;  // N on 1 kg
    batch.v()[6 * 5 + 2] = 1;         // the rod has no freedom along z
    batch.step(10);
    EXPECT_EQ(batch.v()[6 * 1 + 0], 0);
    EXPECT_EQ(batch.v()[6 * 2 + 0], 3);
    EXPECT_NEAR(batch.v()[6 * 4 + 0], 2 * 10 * 0.0025, 1e-15);
    EXPECT_EQ(batch.status()[5], static_cast<int>(Status::bad_parameters));
    EXPECT_THAT(batch.reason(5), HasSubstr("cannot change its velocity along z"));
    EXPECT_EQ(batch.v()[6 * 5 + 2], 0) << "the last good state is shown";
  }
}

// v' = v and w' = w in flight: what is not written by hand is that of the present variables.
TEST_F(ALiveBatch, KeepsWhatIsWrittenBeforeTheFirstStepWhenAVariableChanges) {
  const double speed = 3, spin = -2;  // m/s, rad/s
  const auto expect_both = [&](LiveBatch& batch, const std::string& order) {
    EXPECT_EQ(batch.status()[2], static_cast<int>(Status::ok)) << order << batch.reason(2);
    EXPECT_EQ(batch.v()[6 * 2 + 0], speed) << order;
    EXPECT_EQ(batch.v()[6 * 2 + 5], spin) << order;
    EXPECT_EQ(batch.v()[6 * 1 + 0], 0) << order << "nobody wrote to this system";
  };
  for (const bool is_device : {false, true}) {
    LiveBatch batch(rod(), samples_, is_device ? Machine(std::make_unique<HostDevice>()) : Machine(2));
    for (const bool is_first : {true, false}) {
      double *const mu = batch.variable("mu"), *const omega = batch.variable("omega0");
      if (is_first) batch.v()[6 * 2 + 0] = speed;
      mu[2] = 0.3, omega[2] = spin;
      if (!is_first) batch.v()[6 * 2 + 0] = speed;
      batch.step(3);
      expect_both(batch, is_first ? "written first " : "variables first ");
      batch.reset(std::vector<int>{0, 1, 2, 3, 4, 5});
      EXPECT_EQ(batch.v()[6 * 2 + 0], 0) << "a reset forgets what was written";
      mu[2] = 0.2, omega[2] = 7;
      batch.apply(mu);
      batch.apply(omega);
    }
    batch.v()[6 * 2 + 0] = speed;
    if (is_device) batch.upload(), batch.download();  // has taken it over
    batch.variable("omega0")[2] = spin;
    batch.apply(batch.variable("omega0"));
    batch.step(3);
    expect_both(batch, "applied ");
  }
}

TEST_F(ALiveBatch, RefusesForcesThatAreNotFinite) {
  for (const Machine& machine : {Machine(1), Machine(std::make_unique<HostDevice>())}) {
    LiveBatch batch(rod(), samples_, machine);
    batch.wrenches()[6 * 1 + 1] = std::numeric_limits<double>::quiet_NaN();
    batch.wrenches()[6 * 4 + 5] = std::numeric_limits<double>::infinity();
    batch.step(2);
    for (int i = 0; i < systems; ++i) {
      const bool is_refused = i == 1 || i == 4;
      EXPECT_EQ(batch.status()[i], static_cast<int>(is_refused ? Status::bad_parameters : Status::ok)) << i;
      EXPECT_EQ(batch.steps()[i], is_refused ? 0 : 2) << i;
      EXPECT_EQ(batch.reason(i) == "body 'rod' has been given a force or torque that is not finite", is_refused);
    }
  }
}

TEST_F(ALiveBatch, RefusesForcesThatMoveNothing) {
  const Scenario shaker = read_scenario(JOSTLE_SOURCE_DIR "/scenarios/library/shaker.yaml");
  for (const Machine& machine : {Machine(1), Machine(std::make_unique<HostDevice>())}) {
    SCOPED_TRACE(machine.name());
    LiveBatch batch(shaker, {0, 1}, machine);
    std::size_t slot = 0;
    while (shaker.bodies[static_cast<std::size_t>(batch.bodies().at(slot))].is_mover()) ++slot;
    const std::string name = shaker.bodies[static_cast<std::size_t>(batch.bodies()[slot])].name;
    batch.wrenches()[6 * (batch.bodies().size() + slot) + 2] = 1;  // of the second system
    batch.step(1);
    EXPECT_EQ(batch.steps()[0], 1);
    EXPECT_EQ(batch.steps()[1], 0);
    EXPECT_EQ(static_cast<Status>(batch.status()[1]), Status::bad_parameters);
    EXPECT_EQ(batch.reason(1), "body '" + name + "' has no mass: no force moves it");
    EXPECT_THAT(test::message_of([&] { batch.mass(batch.bodies()[slot]); }), HasSubstr("no force moves it"));
  }
}

TEST_F(ALiveBatch, RefusesWhatThereIsNot) {
  LiveBatch batch(rod(), {0, 1, 2});
  batch.step(1);
  EXPECT_EQ(test::message_of([&] { batch.reset(std::vector<int>{0, 7}); }), "there is no system 7, only 3 from 0 on");
  EXPECT_EQ(batch.steps()[0], 1) << "no other was reset";
  EXPECT_EQ(test::message_of([&] { batch.joint(0); }), "there is no joint 0, there are none");
  EXPECT_THROW(batch.reason(99), UsageError);
  EXPECT_THROW(batch.has_stopped(-1), UsageError);
  EXPECT_THROW(batch.outcome(3, 0), UsageError);
  EXPECT_THROW(batch.outcome(0, 5), UsageError);
  EXPECT_THROW(batch.quantity(99), UsageError);
  EXPECT_THROW(batch.digest(3), UsageError);
  EXPECT_THROW(batch.parameters(3), UsageError);
  EXPECT_THROW(batch.mass(99), UsageError);
  EXPECT_THROW(batch.masses(-1), UsageError);
  EXPECT_THROW(batch.sets_mass(99), UsageError);
  EXPECT_THROW(batch.motor_speed(0), UsageError);
  EXPECT_THROW(batch.wrench_variable(1), UsageError);
}

TEST_F(ALiveBatch, DoesNotDependOnTheRoundingOfItsCaller) {
  std::fenv_t before;
  std::fegetenv(&before);
  std::fesetround(FE_DOWNWARD);
  std::vector<std::uint64_t> digests;
  for (const Machine& machine : {Machine(2), Machine(std::make_unique<HostDevice>())}) {
    LiveBatch batch(rod(), samples_, machine);
    batch.step(100);
    batch.reset(std::vector<int>{1});
    const bool second[systems] = {false, true};
    batch.step(100, second);
    batch.step(100);
    for (const std::uint64_t digest : digests_of(batch)) digests.push_back(digest);
  }
  std::fesetenv(&before);
  std::vector<std::uint64_t> twice = expected();
  for (const std::uint64_t digest : expected()) twice.push_back(digest);
  EXPECT_EQ(digests, twice);
}

TEST_F(ALiveBatch, ContinuesFromASnapshotAndStartsAgain) {
  LiveBatch batch(rod(), samples_);
  batch.step(120);
  const auto saved = batch.save();
  batch.variable("mu")[0] = 0.8;
  batch.apply(batch.variable("mu"));
  batch.step(80);
  batch.restore(*saved);
  batch.step(80);
  EXPECT_EQ(digests_of(batch), expected());
  const int second[] = {1};
  batch.reset(second);
  EXPECT_EQ(batch.steps()[1], 0);
  batch.step(200, nullptr);
  EXPECT_EQ(batch.digest(1), expected()[1]);
}

TEST_F(ALiveBatch, KeepsTheContactsOfTheLastStepIfTheScenarioAsksForThem) {
  LiveBatch plain(rod(), samples_);
  EXPECT_THAT(test::message_of([&] { plain.contacts(); }), HasSubstr("record.contacts"));
  ReadOptions options;
  options.set = {"record={trajectories: all, contacts: true}"};
  RealArray impulses;  // on the CPU
  for (const Machine& machine : {Machine(2), Machine(std::make_unique<HostDevice>())}) {
    SCOPED_TRACE(machine.name());
    LiveBatch batch(read_scenario(JOSTLE_SOURCE_DIR "/scenarios/library/rod.yaml", options), samples_, machine);
    EXPECT_EQ(batch.contacts().rows(), 0);
    batch.step(100);
    batch.mass(1);  // goes on in a wider model
    batch.step(100);
    const ContactRecords contacts = batch.contacts();
    ASSERT_EQ(contacts.splits.size(), samples_.size() + 1);
    EXPECT_GT(contacts.rows(), 0);
    EXPECT_EQ(contacts.splits.back(), contacts.rows());
    EXPECT_EQ(contacts.impulse_t.size(), 2 * contacts.impulse_n.size());
    if (impulses.empty()) impulses = contacts.impulse_n;
    EXPECT_EQ(contacts.impulse_n, impulses);
    EXPECT_EQ(digests_of(batch), expected());
    batch.reset(std::vector<int>{0, 1, 2, 3, 4, 5});
    EXPECT_EQ(batch.contacts().rows(), 0);
  }
}

TEST_F(ALiveBatch, StopsWhenItsCallerWants) {
  std::vector<std::int64_t> many(2000);  // take a second
  std::iota(many.begin(), many.end(), 0);
  LiveBatch batch(rod(), many, Machine(1));
  EXPECT_FALSE(batch.step(400, nullptr, [] { return true; }));
  EXPECT_EQ(batch.steps()[0], 400);
  EXPECT_EQ(batch.steps()[1999], 0);
  EXPECT_TRUE(batch.step(1));
  EXPECT_EQ(batch.steps()[1999], 1);
}

TEST_F(ALiveBatch, StopsWhileItIsMade) {
  std::vector<std::int64_t> many(200000);  // take much longer than the 20 ms after which the caller is asked
  std::iota(many.begin(), many.end(), 0);
  int asked = 0;
  EXPECT_THROW(LiveBatch(rod(), many, Machine(2), [&] { return ++asked == 1; }), Stopped);
  EXPECT_EQ(asked, 1);
  const LiveBatch batch(rod(), samples_, Machine(2), [] { return false; });
  EXPECT_EQ(batch.size(), systems);
}

TEST_F(ALiveBatch, RefusesSamplesThatAreNotThere) {
  EXPECT_THAT(test::message_of([] { LiveBatch(rod(), {}); }), HasSubstr("at least one sample"));
  EXPECT_THAT(test::message_of([] { LiveBatch(rod(), {-1}); }), HasSubstr("there is no sample -1"));
}

}  // namespace
}  // namespace jostle

// The interface that other programs build on.
#include "drivers/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <fstream>
#include <limits>

#include "drivers/devices/step_channels.hpp"
#include "drivers/lcps.hpp"
#include "emulation/host_device.hpp"
#include "tests/support/drawn_scenario.hpp"
#include "tests/support/folder_content.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/scratch_folder.hpp"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace jostle {
namespace {

using testing::HasSubstr;

const char* const rod_of_library = JOSTLE_SOURCE_DIR "/scenarios/library/rod.yaml";

class ASimulation : public testing::Test {
 protected:
  const Ensemble ensemble_{read_scenario(rod_of_library)};
};

TEST_F(ASimulation, HasTheBitsOfItsSamplesOnEveryMachine) {
  constexpr int count = 20, first = 5, steps = 200;
  Batch expected(ensemble_.model(), count);
  for (int i = 0; i < count; ++i) ensemble_.load(first + i, expected, i);
  run_batch(expected, steps);
  for (const Machine& machine : {Machine(1), Machine(2), Machine(std::make_unique<HostDevice>())}) {
    SCOPED_TRACE(machine.name());
    Simulation simulation(ensemble_, count, machine, first);
    simulation.step(50);
    simulation.step(steps - 50);
    EXPECT_EQ(simulation.steps(), steps);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(simulation.status(i), Status::ok);
      EXPECT_EQ(simulation.state(i).position[3], expected.state(i).position[3]);
      EXPECT_EQ(simulation.state(i).spin[5], expected.state(i).spin[5]);
      EXPECT_EQ(simulation.parameters(i).start_spin[5], expected.parameters(i).start_spin[5]);
    }
  }
}

TEST_F(ASimulation, TakesParametersThatAreChangedBeforeItsFirstStep) {
  Simulation changed(ensemble_, 2), as_drawn(ensemble_, 2);
  EXPECT_EQ(changed.parameters(1).start_spin[5], ensemble_.draw(1)[1]) << "what is drawn can be read";
  changed.parameters(1).start_spin[5] = 0;
  for (Simulation* simulation : {&changed, &as_drawn}) simulation->step(10);
  EXPECT_EQ(changed.state(0).spin[5], as_drawn.state(0).spin[5]);
  EXPECT_EQ(changed.state(1).spin[5], 0) << "in flight";
  EXPECT_NE(as_drawn.state(1).spin[5], 0);
}

TEST_F(ASimulation, LoadsAgainWhatFollowsFromAVariable) {
  Simulation simulation(ensemble_, 2);
  simulation.set_variable(1, "omega0", 2.5);
  simulation.set_variable(1, "mu", 0.25);
  EXPECT_EQ(simulation.parameters(1).start_spin[5], 2.5);
  EXPECT_EQ(simulation.parameters(1).friction[0], 0.25);
  simulation.set_variable(1, "mu", -1);
  EXPECT_EQ(simulation.status(1), Status::bad_parameters);
  EXPECT_EQ(simulation.fault(1)->message, "contacts[0].friction must not be negative, but $mu is -1");
  simulation.set_variable(1, "mu", 0.5);
  EXPECT_FALSE(simulation.fault(1));
  EXPECT_EQ(test::message_of([&] { simulation.set_variable(1, "omega", 1); }),
            "there is no variable 'omega' (did you mean 'omega0'?)");
  simulation.step();
  EXPECT_EQ(simulation.state(1).spin[5], 2.5);
  EXPECT_THAT(test::message_of([&] { simulation.set_variable(1, "mu", 1); }), HasSubstr("has begun"));
}

TEST_F(ASimulation, EndsWithTheLastStepOfTheScenario) {
  Simulation simulation(ensemble_, 1);
  simulation.finish();
  EXPECT_EQ(simulation.steps(), 400);
  simulation.step(7);
  EXPECT_EQ(simulation.steps(), 400);
  EXPECT_EQ(simulation.state(0).steps(), 400);
}

TEST_F(ASimulation, OfOneSampleShowsEveryStep) {
  Simulation watched(ensemble_, 1), alone(ensemble_, 1);
  int steps = 0;
  watched.finish([&](const System& system, const Workspace&, const StepResult& result) {
    EXPECT_EQ(result.status, Status::ok);
    EXPECT_EQ(system.state().steps(), ++steps);
  });
  alone.finish();
  EXPECT_EQ(steps, 400);
  EXPECT_EQ(watched.state(0).position[3], alone.state(0).position[3]);
  Simulation two(ensemble_, 2);
  EXPECT_THAT(test::message_of([&] { two.finish([](const auto&...) {}); }),
              HasSubstr("only a simulation of one sample"));
}

TEST_F(ASimulation, NeedsNoObserver) {
  Simulation expected(ensemble_, 1);
  expected.finish();
  for (const Machine& machine : {Machine(1), Machine(std::make_unique<HostDevice>())}) {
    Simulation unwatched(ensemble_, 1, machine), recorded(ensemble_, 1, machine);
    unwatched.finish(StepObserver());
    recorded.finish({}, ChannelObservers());
    EXPECT_EQ(state_digest(unwatched.batch(), 0), state_digest(expected.batch(), 0));
    EXPECT_EQ(state_digest(recorded.batch(), 0), state_digest(expected.batch(), 0));
  }
}

// In flight nobody notices a friction; no step would say that it is none.
TEST_F(ASimulation, RefusesAWrittenFrictionThatIsNone) {
  for (const Machine& machine : {Machine(1), Machine(std::make_unique<HostDevice>())}) {
    for (const double friction : {-1.0, std::nan(""), HUGE_VAL}) {
      Simulation simulation(ensemble_, 3, machine);
      simulation.parameters(1).friction[0] = friction;
      simulation.parameters(2).friction[0] = 0;
      simulation.step(10);
      EXPECT_EQ(simulation.status(0), Status::ok);
      EXPECT_EQ(simulation.status(1), Status::bad_parameters);
      EXPECT_THAT(simulation.fault(1)->message, HasSubstr("friction[0] must be finite and not negative, but it is "));
      EXPECT_EQ(simulation.status(2), Status::ok);
      simulation.parameters(2).friction[0] = friction;
      simulation.step(10);
      EXPECT_EQ(simulation.status(2), Status::bad_parameters);
      EXPECT_EQ(simulation.state(2).steps(), 10) << "the last good state";
      EXPECT_THAT(test::message_of([&] { simulation.set_variable(2, "mu", 1); }), HasSubstr("has begun"));
    }
  }
}

TEST(WrittenParameters, AreThoseOfEveryScenarioOfTheLibrary) {
  for (const auto& file : std::filesystem::directory_iterator(JOSTLE_SOURCE_DIR "/scenarios/library")) {
    if (file.path().extension() != ".yaml") continue;
    SCOPED_TRACE(file.path());
    const Ensemble ensemble(read_scenario(file.path().string()));
    const int count = static_cast<int>(std::min<std::int64_t>(ensemble.count(), 20));
    Simulation read(ensemble, count), untouched(ensemble, count);
    for (int i = 0; i < count; ++i) read.parameters(i);
    for (Simulation* const simulation : {&read, &untouched}) simulation->step(1);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(read.status(i), untouched.status(i));
      EXPECT_EQ(state_digest(read.batch(), i), state_digest(untouched.batch(), i));
    }
  }
}

/// Digests of 20 samples after 200 steps by two threads, one batch and one that is observed.
std::vector<std::uint64_t> digests_after_a_run(const Ensemble& ensemble) {
  std::vector<std::uint64_t> digests;
  Simulation simulation(ensemble, 20, Machine(2)), observed(ensemble, 1, Machine(1), 3);
  simulation.step(200);
  observed.finish([](const auto&...) {});
  for (int i = 0; i < simulation.size(); ++i) digests.push_back(state_digest(simulation.batch(), i));
  digests.push_back(state_digest(observed.batch(), 0));
  return digests;
}

TEST_F(ASimulation, DoesNotDependOnTheRoundingOfItsCaller) {
  const std::vector<std::uint64_t> expected = digests_after_a_run(ensemble_);
  std::fenv_t before;
  std::fegetenv(&before);
  for (const int rounding : {FE_UPWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
    const std::vector<std::uint64_t> digests = digests_after_a_run(Ensemble(read_scenario(rod_of_library)));
    EXPECT_EQ(std::fegetround(), rounding) << "which stays as it was";
    std::fesetenv(&before);
    EXPECT_EQ(digests, expected);
  }
}

TEST_F(ASimulation, RefusesSamplesThatThereAreNot) {
  EXPECT_THROW(Simulation(ensemble_, 0), UsageError);
  EXPECT_THROW(Simulation(ensemble_, 1, Machine(), -1), UsageError);
  EXPECT_THAT(test::message_of([&] { Simulation(ensemble_, 2, Machine(), std::numeric_limits<std::int64_t>::max()); }),
              HasSubstr("there are no samples 9223372036854775807 to 9223372036854775808, only"));
}

TEST_F(ASimulation, RefusesSystemsThatThereAreNot) {
  Simulation simulation(ensemble_, 3);
  EXPECT_EQ(test::message_of([&] { simulation.parameters(3); }), "there is no system 3, only 3 from 0 on");
  EXPECT_THROW(simulation.state(-1), UsageError);
  EXPECT_THROW(simulation.status(3), UsageError);
  EXPECT_THROW(simulation.system(3), UsageError);
  EXPECT_THROW(simulation.fault(3), UsageError);
  EXPECT_THROW(simulation.set_variable(3, "mu", 1), UsageError);
}

/// A box on a floor, and a ball on it that rolls towards the box when gravity leans.
const char* const floor_with_box_and_ball = R"(
jostle: 1
world: {step: 0.005, duration: 4}
bodies:
  floor: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  box: {mass: 1, shape: {box: {size: [0.2, 0.2, 0.1]}}, position: [0, 0, 0.05]}
  ball: {mass: 10, shape: {sphere: {radius: 0.05}}, position: [-0.5, 0, 0.05]}
contacts: [{between: any, friction: 0.3}]
)";

// At rest nothing is computed. Another gravity wakes the system; the box, which friction holds, goes when the ball
// arrives.
TEST_F(ASimulation, RefusesWhatCannotBeInMemory) {
  EXPECT_NO_THROW(check_room(ensemble_, 1000));
  EXPECT_THROW(check_room(ensemble_, std::int64_t{1} << 31), UsageError);
  if (memory_of_machine() > 1e12) GTEST_SKIP() << "this machine has room for all of them";
  EXPECT_THROW(check_room(ensemble_, (std::int64_t{1} << 31) - 1), NotEnoughMemory);
}

TEST(ASimulationAtRest, WakesWhenItsGravityChanges) {
  constexpr int ball = 2, box = 1;
  Scenario scenario = parse_scenario(floor_with_box_and_ball, "wake.yaml");
  const Ensemble ensemble(scenario);
  scenario.world.every_step = true;
  const Ensemble every(scenario);
  Simulation simulation(ensemble, 2), computed(every, 2);
  for (Simulation* each : {&simulation, &computed}) {
    each->step(200);
    EXPECT_GE(each->state(1).rest(), 190);
    each->parameters(1).gravity[0] = 9.81 * 0.1;
    each->step();
    EXPECT_NEAR(each->state(1).velocity[3 * ball], 5.0 / 7 * 0.005 * 0.981, 1e-12) << "it rolls";
    EXPECT_NEAR(each->state(1).velocity[3 * box], 0, 1e-15);
    EXPECT_EQ(each->state(0).velocity[3 * ball], 0) << "the other system";
    each->finish();
    EXPECT_EQ(each->status(1), Status::ok);
    EXPECT_GT(each->state(1).position[3 * box], 0.01);
    EXPECT_EQ(each->state(0).position[3 * ball], -0.5);
    EXPECT_GE(each->state(0).rest(), 790);
  }
  for (int i = 0; i < 9; ++i) {
    EXPECT_EQ(simulation.state(1).position[i], computed.state(1).position[i]);
    EXPECT_EQ(simulation.state(1).velocity[i], computed.state(1).velocity[i]);
  }
}

TEST(AFault, IsThatOfTheSample) {
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  Simulation simulation(ensemble, 30);
  simulation.step(0);
  int bad = 0;
  for (int i = 0; i < simulation.size(); ++i) {
    const Status status = simulation.status(i);
    ASSERT_EQ(simulation.fault(i).has_value(), status == Status::bad_parameters || status == Status::overlap);
    if (status == Status::overlap) {
      EXPECT_THAT(simulation.fault(i)->message, HasSubstr("overlap at the start by"));
    }
    if (status != Status::bad_parameters) continue;
    ++bad;
    EXPECT_THAT(simulation.fault(i)->message, HasSubstr("bodies.ball.mass must be greater than 0, but 10*$bad is -"));
  }
  EXPECT_GT(bad, 0);
}

// [1] with q = -the smallest subnormal: z is that, unless it is taken for 0 or rounded to another one.
TEST(LcpsFromCpp, DoNotDependOnTheArithmeticOfTheirCaller) {
  const double one = 1, third = 3, subnormal = -std::numeric_limits<double>::denorm_min(), minus_one = -1;
  const std::vector<LcpView> problems = {{1, 1, &one, &subnormal}, {1, 1, &third, &minus_one}};
  const auto answers = [&] {
    std::vector<double> z;
    for (const DenseLcpSolution& answer : solve_lcps(problems, {.threads = 2})) z.push_back(answer.z.at(0));
    return z;
  };
  const std::vector<double> expected = answers();
  EXPECT_EQ(expected[0], -subnormal);
  std::fenv_t before;
  std::fegetenv(&before);
  std::fesetround(FE_UPWARD);
  const std::vector<double> rounded_up = answers();
  std::fesetenv(&before);
  EXPECT_EQ(rounded_up, expected);
#if defined(__x86_64__)
  const unsigned control = _mm_getcsr(), flush = 0x8040;  // both ways
  _mm_setcsr(control | flush);
  const std::vector<double> flushed = answers();
  EXPECT_EQ(_mm_getcsr() & flush, flush) << "which stays as it was";
  _mm_setcsr(control);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(flushed[i]), std::bit_cast<std::uint64_t>(expected[i]));
#endif
}

TEST(LcpsFromCpp, ThatAreLeftOutHaveNoAnswer) {
  const double one = 1, minus_one = -1;
  const std::vector<LcpView> problems(3, {1, 1, &one, &minus_one});
  const auto answers = solve_lcps(problems, {.threads = 1, .is_stopped = [] { return true; }});
  EXPECT_EQ(answers[0].status, LcpStatus::solved);
  for (std::size_t i : {1, 2}) {
    EXPECT_EQ(answers[i].status, LcpStatus::not_finite);
    EXPECT_EQ(answers[i].z, std::vector<double>{0});
    EXPECT_EQ(answers[i].basis, std::vector<std::uint8_t>{0});
    EXPECT_TRUE(answers[i].w.empty());
    EXPECT_EQ(answers[i].residual, HUGE_VAL);
    EXPECT_EQ(answers[i].attempts, 0);
  }
}

TEST(LcpsFromCpp, HaveAtMost1024Threads) {
  EXPECT_THROW(solve_lcps({}, {.threads = 100000}), UsageError);
  EXPECT_THROW(solve_lcps({}, {.threads = -1}), UsageError);
}

TEST(AMachine, IsOpenedByItsName) {
  EXPECT_EQ(Machine::named("cpu").gpu(), nullptr);
  EXPECT_EQ(Machine::named("cpu", 3).threads(), 3);
  EXPECT_EQ(Machine::named("cpu", 3).name(), "3 threads");
  EXPECT_EQ(Machine::named("auto").gpu() != nullptr, first_gpu().has_value());
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1e0", "cuda:1 "})
    EXPECT_EQ(test::message_of([&] { Machine::named(name); }),
              "expected auto, cpu, cuda or cuda:i with i = 0, 1, ..., not '" + std::string(name) + "'");
  EXPECT_THROW(Machine::named("cuda:999"), DeviceAbsent);
  for (const int threads : {-3, 1025, 100000})
    EXPECT_EQ(test::message_of([&] { Machine{threads}; }), test::message_of([&] { Machine::named("cpu", threads); }));
  EXPECT_EQ(test::message_of([] { Machine(100000); }),
            "threads must be from 1 to 1,024, or 0 for one per processor, not 100000");
}

TEST(ASweepFromCpp, RefusesSamplesThatThereAreNot) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "mu.csv") << "mu\n0.3\n0.4\n0.5\n";
  std::ofstream(folder / "table.yaml") << "jostle: 1\nvariables: {mu: 1}\nworld: {step: 1, duration: 1}\nbodies: {a: "
                                          "{mass: $mu, freedom: [x]}}\nsample: {method: table, table: mu.csv}\n";
  const Ensemble ensemble(read_scenario((folder / "table.yaml").string()));
  SweepOptions options;
  options.folder = folder / "out";
  options.n = 4;
  EXPECT_EQ(test::message_of([&] { sweep(ensemble, Machine(), options); }),
            "there are no samples 0 to 3, only 3 samples");
  EXPECT_FALSE(std::filesystem::exists(options.folder));
}

TEST(ASweepFromCpp, RefusesAPartOfTheShardsThatThereIsNot) {
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  const test::ScratchFolder folder;
  SweepOptions options;
  options.folder = folder / "out";
  options.n = 4;
  for (const auto& [part, parts] : {std::pair(3, 2), {0, 0}, {0, 2}, {-1, -1}}) {
    options.shard_part = part, options.shard_parts = parts;
    EXPECT_THAT(test::message_of([&] { sweep(ensemble, Machine(1), options); }),
                HasSubstr("k of n with 1 <= k <= n, not " + std::to_string(part) + " of " + std::to_string(parts)));
    EXPECT_FALSE(std::filesystem::exists(options.folder));
  }
}

TEST(ASweepFromCpp, HasTheSameBytesOnEveryMachine) {
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  const test::ScratchFolder folder;
  SweepOptions options;
  options.n = 300;
  for (const char* name : {"cpu", "gpu"}) {
    const Machine machine = name == std::string("cpu") ? Machine(2) : Machine(std::make_unique<HostDevice>());
    options.folder = folder / name;
    const SweepReport report = sweep(ensemble, machine, options);
    EXPECT_EQ(report.end, SweepReport::End::complete);
    EXPECT_EQ(report.statistics.samples, 300);
    EXPECT_GT(report.statistics.invalid, 0) << "samples with a negative mass";
  }
  EXPECT_EQ(test::content_of(folder / "cpu"), test::content_of(folder / "gpu"));
}

}  // namespace
}  // namespace jostle

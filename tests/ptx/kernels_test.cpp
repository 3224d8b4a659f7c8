// What nvcc made of the kernels gives the bits of the CPU: its intermediate code, carried out lane by lane. This is not
// a GPU: it knows neither its assembler nor what its memory does out of order.
#include <gtest/gtest.h>

#include "benchmarks/lcp_problems.hpp"
#include "cuda/device_runner.hpp"
#include "cuda/lcp_batch.hpp"
#include "tests/cuda/boxes.hpp"
#include "tests/cuda/lcp_layouts.hpp"
#include "tests/laws/simulation.hpp"
#include "tests/ptx/device.hpp"
#include "tests/support/drawn_scenario.hpp"
#include "tests/support/lcp_solve.hpp"
#include "tests/support/status_cases.hpp"

namespace jostle {
namespace {

void expect_same_bits(Batch& batch, Batch& expected) {
  for (int i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(batch.status(i), expected.status(i)) << "system " << i;
    EXPECT_EQ(state_digest(batch, i), state_digest(expected, i)) << "system " << i;
  }
}

class Kernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  }
};

// Five systems and four teams: one takes two, and those that share a warp wait for it.
void compare_with_cpu(const std::string& name, const std::vector<std::string>& set) {
  constexpr int count = 5, teams = 4;
  ReadOptions options;
  options.set = set;
  const Ensemble ensemble(read_scenario(library_file(name), options));
  const bool for_all = !ensemble.model().is_plain();
  if (test::kinds_of_build(for_all).empty()) GTEST_SKIP() << "this build has no kernels for all systems";
  for (const int kind : test::kinds_of_build(for_all)) {
    SCOPED_TRACE(team_kinds[kind].name);
    for (const Window& window : eventful_windows(name, set, 9)) {
      Batch expected = loaded(ensemble, count), batch = loaded(ensemble, count);
      for (Batch* early : {&expected, &batch}) run_batch(*early, window.first);
      run_batch(expected, window.last);
      test::PtxDevice device(test::set_of_build(for_all), teams);
      DeviceRunner runner(device, ensemble.model(), 0, {.team_kinds = 1u << kind});
      EXPECT_TRUE(runner.run(batch, window.last));
      expect_same_bits(batch, expected);
    }
  }
}

TEST_P(Kernels, HaveTheBitsOfTheCpu) { compare_with_cpu(GetParam(), {}); }

INSTANTIATE_TEST_SUITE_P(Scenarios, Kernels, testing::ValuesIn(whole_library()),
                         [](const auto& scenario) { return scenario.param; });

TEST(KernelsForAllSystems, HaveTheBitsOfTheCpu) {
  if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  compare_with_cpu("tossed_box", {"world.friction_cone=circle"});
  compare_with_cpu("v_groove", {"outcomes.jams={minimum: pointedness}"});
  compare_with_cpu("shaker", {"world.method=trapezoidal"});
  compare_with_cpu("pulled_block", {"world.method=trapezoidal_midpoint"});
  compare_with_cpu("box_stack", {"world.method=anitescu_potra"});
}

// Those that lie go to the end at once; the others are sorted for the second launch.
TEST(SortedKernels, HaveTheBitsOfTheCpu) {
  if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  Batch expected = boxes_with(mixed);
  run_batch(expected, 40);
  for (const int kind : test::kinds_of_build()) {
    SCOPED_TRACE(team_kinds[kind].name);
    Batch batch = boxes_with(mixed);
    test::PtxDevice device(test::set_of_build(), 4);
    DeviceBatch resident(device, boxes().model(), batch.size(), 0, {.team_kinds = 1u << kind});
    resident.upload(batch, 0, batch.size());
    for (const int step : {20, 40}) resident.launch(step, 40), resident.complete();
    resident.download();
    resident.store();
    expect_same_bits(batch, expected);
  }
}

// The kernel finds on the device where its systems begin and end, and those that overflowed the placement before.
TEST(KernelsWithoutTheHost, HaveTheBitsOfTheCpu) {
  if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  Batch expected = boxes_with(mixed);
  run_batch(expected, 6);
  for (const int kind : test::kinds_of_build()) {
    SCOPED_TRACE(team_kinds[kind].name);
    Batch batch = boxes_with(mixed);
    test::PtxDevice device(test::set_of_build(), 4);
    DeviceBatch resident(device, boxes().model(), batch.size(), 0, {.first_contacts = 1, .team_kinds = 1u << kind});
    resident.upload(batch, 0, batch.size());
    resident.reserve_ahead();
    for (int i = 0; i < 3; ++i) resident.start_each(2, nullptr, box_steps);
    resident.download();
    resident.store();
    expect_same_bits(batch, expected);
  }
}

// Blocks of several warps, whose teams wait for each other; the last one has too few systems for all of them.
TEST(KernelsOfBlocks, HaveTheBitsOfTheCpu) {
  if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  constexpr int count = 20, last = 12, warps = 2;
  const Ensemble ensemble(read_scenario(library_file("tossed_box"), {{"world.step=0.02"}, {}, {}}));
  Batch expected = loaded(ensemble, count);
  run_batch(expected, last);
  for (const int kind : test::kinds_of_build()) {
    SCOPED_TRACE(team_kinds[kind].name);
    Batch batch = loaded(ensemble, count);
    test::PtxDevice device(test::set_of_build(), 2 * warps * std::max(1, 32 / team_kinds[kind].lanes));
    DeviceOptions options;
    options.team_kinds = 1u << kind, options.warps = warps;
    EXPECT_TRUE(DeviceRunner(device, ensemble.model(), 0, options).run(batch, last));
    expect_same_bits(batch, expected);
  }
}

TEST(LoadingKernels, HaveTheBitsOfTheCpu) {
  if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  constexpr int count = 12, last = 2;
  const Ensemble ensemble(parse_scenario(test::drawn_scenario, "drawn.yaml"));
  const std::size_t bytes = ensemble.model().view(0).parameter_layout.bytes;
  Batch expected = loaded(ensemble, count);
  run_batch(expected, last);
  for (const int kind : test::kinds_of_build()) {
    SCOPED_TRACE(team_kinds[kind].name);
    Batch batch = drawn(ensemble, count);
    test::PtxDevice device(test::set_of_build(), 4);
    EXPECT_TRUE(DeviceRunner(device, ensemble.model(), 0, {.team_kinds = 1u << kind}).run(batch, last));
    expect_same_bits(batch, expected);
    for (int i = 0; i < count; ++i)
      EXPECT_TRUE(
          std::equal(batch.parameter_memory(i), batch.parameter_memory(i) + bytes, expected.parameter_memory(i)))
          << "parameters of system " << i;
  }
}

class KernelsWithStatus : public testing::TestWithParam<StatusCase> {
 protected:
  void SetUp() override {
    if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  }
};

TEST_P(KernelsWithStatus, EndAsOnTheCpu) {
  constexpr int samples = 6;
  const Ensemble ensemble(parse_scenario(scenario_text(GetParam()), "case.yaml", {{}, samples, {}}));
  Model model = ensemble.model();
  GetParam().change(model);
  const int last = static_cast<int>(model.total_steps);
  const auto drawn_again = [&] {
    Batch batch(model, samples);
    for (int i = 0; i < samples; ++i) ensemble.draw(i, batch, i);
    return batch;
  };
  Batch expected = drawn_again();
  run_batch(expected, last);
  int bad = 0;
  for (int i = 0; i < samples; ++i) bad += expected.status(i) == GetParam().status;
  EXPECT_GT(bad, 0);
  EXPECT_LT(bad, samples);
  for (const int kind : test::kinds_of_build()) {
    if (GetParam().status == Status::capacity && kind != test::kinds_of_build().front())
      continue;  // thousands of variables
    SCOPED_TRACE(team_kinds[kind].name);
    Batch batch = drawn_again();
    test::PtxDevice device(test::set_of_build(), 4);
    EXPECT_TRUE(DeviceRunner(device, model, 0, {.team_kinds = 1u << kind}).run(batch, last));
    expect_same_bits(batch, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Statuses, KernelsWithStatus, testing::ValuesIn(status_cases),
                         [](const auto& test) { return test.param.name; });

// Of all sizes of the benchmark, in one batch.
TEST(LcpKernels, HaveTheBitsOfTheCpu) {
  if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  for (const int kind : test::kinds_of_build()) {
    SCOPED_TRACE(team_kinds[kind].name);
    ContactLcpGenerator generator(17);
    std::vector<DenseLcp> problems = {{{}, {}}, {{-1}, {-1}}, {{canonical_nan()}, {-1}}};
    for (const LcpSize size : contact_lcp_sizes)
      for (const ContactScene scene : contact_scenes)
        if (scene == ContactScene::rest || size.n() <= 60) {
          const ContactLcp lcp = generator.make(size, scene);
          problems.push_back({lcp.M, lcp.q});
        }
    std::mt19937 random(5);
    for (int i = 0; i < 8; ++i) {
      const LcpProblem problem = overflowing_problem(random, 8 + i % 5);
      problems.push_back({problem.M, problem.q});
    }
    test::PtxDevice device(1u << kind, 6);
    const std::vector<DenseLcpSolution> found = solve_lcps(device, problems);
    ASSERT_EQ(found.size(), problems.size());
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const DenseLcpSolution expected = solve_dense_lcp(problems[i].M, problems[i].q);
      EXPECT_EQ(found[i].status, expected.status) << i;
      EXPECT_EQ(found[i].pivots, expected.pivots) << i;
      EXPECT_EQ(bits_of(found[i].residual), bits_of(expected.residual)) << i;
      EXPECT_TRUE(same_bits(found[i].z, expected.z)) << i;
      EXPECT_TRUE(same_bits(found[i].w, expected.w)) << i;
      EXPECT_TRUE(same_bits(found[i].ray, expected.ray)) << i;
      EXPECT_EQ(found[i].basis, expected.basis) << i;
      EXPECT_EQ(found[i].attempts, expected.attempts) << i;
    }
    EXPECT_EQ(found[1].ray, std::vector<double>{1}) << "one without a solution";
    EXPECT_EQ(found[1].attempts, 7);
  }
}

// Problems of wrong sizes, too, among those that a team takes one after the other.
TEST(LcpKernels, HaveTheBitsOfTheCpuInEveryLayout) {
  if (test::kinds_of_build().empty()) GTEST_SKIP() << "this build has no CUDA";
  for (const int kind : test::kinds_of_build()) {
    SCOPED_TRACE(team_kinds[kind].name);
    for (const test::LaidOutLcps& given : test::all_layouts()) {
      test::PtxDevice device(1u << kind, 4);
      test::expect_solved(device, given, [&](const LcpBatch& batch) {
        LcpWork work(device, batch, {});
        const DeviceMemory memory = work.allocate([&](std::size_t bytes) { return DeviceMemory(device, bytes); });
        work.start(device, 0, memory.data());
        device.wait(0);
      });
    }
  }
}

// Every team takes a number beyond the last: a counter that has passed 2^31 must not look like a small number.
TEST(LcpKernels, FindNothingToDoBehindTheLargestNumber) {
  for (const int kind : test::kinds_of_build()) {
    SCOPED_TRACE(team_kinds[kind].name);
    const std::vector<double> M = {1}, q = {-1};
    std::vector<double> z = {7};
    LcpStatus status = LcpStatus::ray;
    unsigned taken = 0x80000000u;
    LcpTask task;
    task.batch.count = 1, task.batch.size = 1;
    task.batch.M = M.data(), task.batch.q = q.data(), task.batch.z = z.data(), task.batch.status = &status;
    test::PtxDevice device(1u << kind, 4);
    place_lcps(task, device.limits());
    task.teams = 4;
    std::vector<std::byte> memory(task.teams * task.bytes_per_team() + 1);
    task.taken = &taken, task.memory = memory.data();
    device.solve_lcps(0, task);
    device.wait(0);
    EXPECT_EQ(status, LcpStatus::ray) << "nobody has touched it";
    EXPECT_EQ(z, std::vector<double>{7});
    EXPECT_GT(taken, 0x80000000u);
  }
}

}  // namespace
}  // namespace jostle

// LCPs on devices are those of the serial team, bit for bit.
#include "cuda/lcp_batch.hpp"

#include <gmock/gmock.h>

#include "benchmarks/lcp_problems.hpp"
#include "core/math/bits.hpp"
#include "tests/cuda/devices.hpp"
#include "tests/cuda/lcp_layouts.hpp"

namespace jostle {
namespace {

/// Without a solution: the last row of w is negative for every z >= 0. Rays after any number of pivots.
std::vector<DenseLcp> rays() {
  std::vector<DenseLcp> all;
  for (std::size_t n = 2; n <= 9; ++n) {
    DenseLcp one{std::vector<double>(n * n), std::vector<double>(n, -1)};
    for (std::size_t i = 0; i + 1 < n; ++i) {
      one.M[i * n + i] = 2, one.M[i * n + n - 1] = 1, one.M[(n - 1) * n + i] = -1;
      one.q[i] = -2.0 - static_cast<double>(i);
    }
    all.push_back(one);
  }
  return all;
}

/// Contact LCPs of all sizes up to `largest`, one without a solution, one with a NaN, an empty one.
std::vector<DenseLcp> problems(int largest) {
  std::vector<DenseLcp> all{{{-1}, {-1}}, {{1, 0, 0, 1}, {std::nan(""), -1}}, {{}, {}}};
  for (DenseLcp& one : rays()) all.push_back(std::move(one));
  ContactLcpGenerator generator(5);
  for (const LcpSize size : contact_lcp_sizes)
    for (const ContactScene scene : contact_scenes) {
      if (size.n() > largest) continue;
      const ContactLcp lcp = generator.make(size, scene);
      all.push_back({lcp.M, lcp.q});
    }
  return all;
}

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (bits_of(a[i]) != bits_of(b[i])) return false;
  return true;
}

TEST(LcpBatch, OfMixedSizesHasTheBitsOfTheSerialTeam) {
  for (const test::NamedDevice& named : test::devices()) {
    SCOPED_TRACE(named.name);
    const std::vector<DenseLcp> mixed = problems(named.emulates_lanes ? 50 : 1000);
    ASSERT_GT(mixed.size(), 10u);
    const std::vector<DenseLcpSolution> solutions = solve_lcps(*named.device, mixed);
    ASSERT_EQ(solutions.size(), mixed.size());
    for (std::size_t i = 0; i < mixed.size(); ++i) {
      const DenseLcpSolution expected = solve_dense_lcp(mixed[i].M, mixed[i].q);
      EXPECT_EQ(solutions[i].status, expected.status) << i;
      EXPECT_EQ(solutions[i].pivots, expected.pivots) << i;
      EXPECT_EQ(bits_of(solutions[i].residual), bits_of(expected.residual)) << i;
      EXPECT_TRUE(same(solutions[i].z, expected.z)) << i;
      EXPECT_TRUE(same(solutions[i].w, expected.w)) << i;
      EXPECT_TRUE(same(solutions[i].ray, expected.ray)) << i;
      EXPECT_EQ(solutions[i].basis, expected.basis) << i;
      EXPECT_EQ(solutions[i].attempts, expected.attempts) << i;
    }
    EXPECT_EQ(solutions[0].status, LcpStatus::ray);
    EXPECT_EQ(solutions[0].ray, std::vector<double>{1});
    EXPECT_EQ(solutions[0].attempts, 7);
    EXPECT_EQ(solutions[1].status, LcpStatus::not_finite);
    EXPECT_EQ(solutions[2].status, LcpStatus::solved);
  }
}

TEST(LcpBatch, OfNothingIsNothing) {
  HostDevice device;
  EXPECT_TRUE(solve_lcps(device, {}).empty());
}

TEST(LcpBatch, WhoseMatrixIsNotSquareIsRefused) {
  HostDevice device;
  EXPECT_THROW(solve_lcps(device, {{{1}, {-1}}, {{1, 0, 0}, {-1, -1}}}), std::invalid_argument);
}

TEST(LcpBatch, WhoseLayoutContradictsItselfIsRefused) {
  const int sizes[] = {1, 2};
  const std::int64_t starts[] = {0, 2};
  double reals[8] = {};
  LcpStatus status[2];
  LcpBatch good;
  EXPECT_NO_THROW(check_layout(good)) << "of nothing";
  good.count = 2, good.size = 2;
  good.M = reals, good.q = reals, good.z = reals, good.status = status;
  EXPECT_NO_THROW(check_layout(good));
  LcpBatch packed = good;
  packed.sizes = sizes, packed.packed = true;
  EXPECT_NO_THROW(check_layout(packed));

  const auto expect_refused = [](LcpBatch batch, const auto& change, const std::string& why) {
    change(batch);
    try {
      check_layout(batch);
      ADD_FAILURE() << why;
    } catch (const std::invalid_argument& refusal) {
      EXPECT_THAT(refusal.what(), testing::HasSubstr(why));
    }
  };
  expect_refused(
      good, [](LcpBatch& batch) { batch.count = -1; }, "`count`");
  expect_refused(
      good, [](LcpBatch& batch) { batch.size = -1; }, "`size`");
  expect_refused(
      packed, [](LcpBatch& batch) { batch.size = 0; }, "largest");
  expect_refused(
      good, [](LcpBatch& batch) { batch.vector_step = -1; }, "a step");
  expect_refused(
      good, [](LcpBatch& batch) { batch.matrix_step = -1; }, "a step");
  expect_refused(
      good, [](LcpBatch& batch) { batch.row_step = -1; }, "a step");
  expect_refused(
      good, [](LcpBatch& batch) { batch.row_step = 1; }, "`row_step`");
  expect_refused(
      good, [](LcpBatch& batch) { batch.vector_step = 1; }, "`vector_step`");
  expect_refused(
      good, [](LcpBatch& batch) { batch.packed = true; }, "need sizes");
  expect_refused(
      packed, [](LcpBatch& batch) { batch.row_step = 2; }, "packed");
  expect_refused(
      packed, [&](LcpBatch& batch) { batch.starts = starts; }, "packed");
  expect_refused(
      good, [](LcpBatch& batch) { batch.status = nullptr; }, "`status`");
  expect_refused(
      good, [](LcpBatch& batch) { batch.M = nullptr; }, "missing");
  expect_refused(
      good, [](LcpBatch& batch) { batch.q = nullptr; }, "missing");
  expect_refused(
      good, [](LcpBatch& batch) { batch.z = nullptr; }, "missing");
}

TEST(LcpBatch, OfMixedSizesTakesTheLargestFirst) {
  HostDevice device;
  const int sizes[] = {2, 0, 5, 2, 7};
  LcpBatch batch;
  batch.count = 5;
  batch.sizes = sizes;
  batch.packed = true;
  std::vector<std::int64_t> memory(LcpArrangement::bytes(batch.count) / sizeof(std::int64_t) + 1);
  const LcpArrangement to(reinterpret_cast<std::byte*>(memory.data()), batch.count);
  device.arrange_lcps(0, batch, to);
  device.wait(0);
  EXPECT_THAT(std::vector<int>(to.order, to.order + 5), testing::ElementsAre(4, 2, 0, 3, 1));
  EXPECT_THAT(std::vector<std::int64_t>(to.starts, to.starts + 5), testing::ElementsAre(0, 2, 2, 7, 9));
  EXPECT_THAT(std::vector<std::int64_t>(to.matrix_starts, to.matrix_starts + 5), testing::ElementsAre(0, 4, 4, 29, 33));
}

TEST(LcpBatch, InEveryLayoutHasTheBitsOfTheSerialTeamAndNothingWhereASizeIsWrong) {
  for (const test::NamedDevice& named : test::devices()) {
    SCOPED_TRACE(named.name);
    for (const test::LaidOutLcps& given : test::all_layouts())
      test::expect_solved(*named.device, given, [&](const LcpBatch& batch) {
        EXPECT_NO_THROW(check_layout(batch));
        LcpWork work(*named.device, batch, {});
        const DeviceMemory memory =
            work.allocate([&](std::size_t bytes) { return DeviceMemory(*named.device, bytes); });
        work.start(*named.device, 0, memory.data());
        named.device->wait(0);
      });
  }
}

// As in a stream of the caller's: the call returns at once, and its working memory goes back behind the work.
TEST(LcpBatch, OnADeviceGivesItsWorkingMemoryBackAlsoWhereItFails) {
  HostDevice device;
  const DeviceMemory memory(device, 4 * sizeof(double));
  auto* const reals = memory.as<double>();
  reals[0] = 2, reals[1] = -4;
  LcpBatch batch;
  batch.count = batch.size = 1;
  batch.M = reals, batch.q = reals + 1, batch.z = reals + 2;
  batch.status = reinterpret_cast<LcpStatus*>(reals + 3);
  const std::size_t held = device.used_bytes();
  solve_lcp_batch(device, batch);
  EXPECT_NE(reals[2], 2.0) << "nobody has waited yet";
  EXPECT_GT(device.used_bytes(), held);
  device.precede(0, 1);
  EXPECT_EQ(reals[2], 2.0);
  EXPECT_EQ(device.used_bytes(), held);
  for (const char* const call : {"clear", "solve_lcps"}) {
    device.fail_at(call, 1);
    EXPECT_THROW(solve_lcp_batch(device, batch), DeviceFailure) << call;
    device.wait(0);
    EXPECT_EQ(device.used_bytes(), held) << call;
  }
}

// As on a GPU whose memory another process has filled: fewer teams do the work.
TEST(LcpBatch, WithoutRoomForAllTeamsFewerSolveIt) {
  std::vector<DenseLcp> problems;
  for (int i = 0; i < 20; ++i) {
    DenseLcp problem{std::vector<double>(90 * 90), std::vector<double>(90, -1.0 - i)};
    for (int k = 0; k < 90; ++k) problem.M[static_cast<std::size_t>(91 * k)] = 2;
    problems.push_back(problem);
  }
  HostDevice::Options options;
  options.shared_bytes = 0;
  options.teams = 16;
  std::size_t held = 0;
  {
    HostDevice plenty(options);
    solve_lcps(plenty, problems);
    held = 20 * (90 * 90 + 3 * 90) * sizeof(double);
  }
  options.memory_bytes = held + 400'000;  // a team takes 70 kB
  HostDevice device(options);
  const std::vector<DenseLcpSolution> found = solve_lcps(device, problems);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    ASSERT_EQ(found[i].status, LcpStatus::solved);
    EXPECT_EQ(found[i].z, std::vector<double>(90, (1.0 + static_cast<double>(i)) / 2));
  }
  options.memory_bytes = held + 50'000;
  HostDevice too_small(options);
  EXPECT_THROW(solve_lcps(too_small, problems), DeviceOutOfMemory);
}

}  // namespace
}  // namespace jostle

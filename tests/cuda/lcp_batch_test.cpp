// LCPs on devices are those of the serial team, bit for bit.
#include "cuda/lcp_batch.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>

#include "benchmarks/lcp_problems.hpp"
#include "core/math/bits.hpp"
#include "tests/cuda/devices.hpp"

namespace jostle {
namespace {

/// Contact LCPs of all sizes up to `largest`, one without a solution, one with a NaN, an empty one.
std::vector<DenseLcp> problems(int largest) {
  std::vector<DenseLcp> all{{{-1}, {-1}}, {{1, 0, 0, 1}, {std::nan(""), -1}}, {{}, {}}};
  ContactLcpGenerator generator(5);
  for (const LcpSize size : contact_lcp_sizes)
    for (const ContactScene scene : contact_scenes) {
      if (size.n() > largest) continue;
      const ContactLcp lcp = generator.make(size, scene);
      all.push_back({lcp.M, lcp.q});
    }
  return all;
}

bool same(const std::vector<Real>& a, const std::vector<Real>& b) {
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
    }
    EXPECT_EQ(solutions[0].status, LcpStatus::ray);
    EXPECT_EQ(solutions[1].status, LcpStatus::not_finite);
    EXPECT_EQ(solutions[2].status, LcpStatus::solved);
  }
}

TEST(LcpBatch, OfNothingIsNothing) {
  HostDevice device;
  EXPECT_TRUE(solve_lcps(device, {}).empty());
}

TEST(LcpBatch, WhoseLayoutContradictsItselfIsRefused) {
  const int sizes[] = {1, 2};
  LcpBatch batch;
  EXPECT_NO_THROW(check_layout(batch));
  batch.packed = true;
  EXPECT_THROW(check_layout(batch), std::invalid_argument);
  batch.sizes = sizes;
  EXPECT_NO_THROW(check_layout(batch));
  batch.row_step = 2;
  EXPECT_THROW(check_layout(batch), std::invalid_argument);
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

// Three problems of 2 x 2 whose rows are 3 Reals apart, whose matrices 8 and whose vectors 5; w and pivots not wanted.
TEST(LcpBatch, MayHaveStridesOfItsOwn) {
  std::vector<Real> M(3 * 8, 99), q(3 * 5, 99), z(3 * 5, 99);
  for (int i = 0; i < 3; ++i) {
    const Real diagonal = 2 + i;
    M[8 * i] = M[8 * i + 4] = diagonal;
    M[8 * i + 1] = M[8 * i + 3] = 0;
    q[5 * i] = -diagonal, q[5 * i + 1] = 1;
  }
  std::vector<LcpStatus> status(3);
  LcpTask task;
  task.batch.count = 3;
  task.batch.size = 2;
  task.batch.vector_step = 5;
  task.batch.matrix_step = 8;
  task.batch.row_step = 3;
  task.batch.M = M.data();
  task.batch.q = q.data();
  task.batch.z = z.data();
  task.batch.status = status.data();
  std::vector<std::byte> memory(task.bytes_per_team() + 64);
  void* start = memory.data();
  std::size_t space = memory.size();
  task.memory = static_cast<std::byte*>(std::align(64, task.bytes_per_team(), start, space));
  for (int i = 0; i < 3; ++i) solve_problem(SerialTeam{}, task, i, 0, nullptr);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(status[i], LcpStatus::solved);
    EXPECT_EQ(z[5 * i], 1);
    EXPECT_EQ(z[5 * i + 1], 0);
    EXPECT_EQ(z[5 * i + 2], 99) << "what lies between is left alone";
  }
}

}  // namespace
}  // namespace jostle

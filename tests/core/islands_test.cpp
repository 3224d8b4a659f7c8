// Parts of a mixed LCP that no row ties together are LCPs of their own.
#include "core/assembly/islands.hpp"

#include <gtest/gtest.h>

#include "core/batch/batch.hpp"
#include "core/lcp/dense.hpp"
#include "tests/core/solved_problem.hpp"

namespace jostle {
namespace {

constexpr int four_directions = 4;

/// Problems with one body and the same number of blocks each in one, without rows that no block uses. Their blocks
/// alternate; between two bodies is one without a block.
MixedProblem together(const std::vector<MixedProblem>& parts) {
  const int size = 12 * static_cast<int>(parts.size()) - 6;
  MixedProblem all;
  all.A = Dense::Identity(size, size), all.N = Dense(size, 0), all.s = Column(0), all.r = Column::LinSpaced(size, 1, 2);
  std::vector<double> bias;
  for (std::size_t c = 0; c < parts[0].blocks.size(); ++c) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      Block block = parts[p].blocks[c];
      const int start = static_cast<int>(all.rows.size());
      for_each_row(block, [&](int row) {
        all.rows.push_back(parts[p].rows[static_cast<std::size_t>(row)]);
        all.rows.back().body[0] = 2 * static_cast<int>(p);
        bias.push_back(parts[p].bias[row]);
      });
      block.normal = start, block.tangent = start + 1;
      all.blocks.push_back(block);
    }
  }
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const int first = 12 * static_cast<int>(p);
    all.A.block(first, first, 6, 6) = parts[p].A, all.r.segment(first, 6) = parts[p].r;
  }
  all.bias = Eigen::Map<const Column>(bias.data(), static_cast<int>(bias.size()));
  all.J = Dense::Zero(all.bias.size(), size);
  for (int r = 0; r < all.J.rows(); ++r) {
    const ConstraintRow& row = all.rows[static_cast<std::size_t>(r)];
    for (int k = 0; k < 6; ++k) all.J(r, 6 * row.body[0] + k) = row.entry[0][k];
  }
  return all;
}

MixedProblem one_body(unsigned seed) {
  return together(
      {ProblemGenerator(seed).make({.bodies = 1, .contacts = 3, .frictionless = 1, .tangents = four_directions / 2})});
}

TEST(Islands, HaveTheBitsOfEachAlone) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const MixedProblem first = one_body(2 * seed), second = one_body(2 * seed + 1);
    const MixedProblem both = together({first, second});
    for (const Solver solver : {Solver::guess_first, Solver::lemke}) {
      const Solved alone[2] = {solved(first, four_directions, solver), solved(second, four_directions, solver)};
      const Solved found = solved(both, four_directions, solver);
      ASSERT_EQ(found.result.status, Status::ok) << seed;
      EXPECT_EQ(found.result.solves, 2);
      EXPECT_EQ(found.result.lcp_size, alone[0].result.lcp_size + alone[1].result.lcp_size);
      EXPECT_EQ(found.result.pivots, alone[0].result.pivots + alone[1].result.pivots);
      EXPECT_EQ(found.result.residual, std::max(alone[0].result.residual, alone[1].result.residual));
      for (int k = 0; k < 6; ++k) {
        EXPECT_EQ(found.velocity[k], alone[0].velocity[k]) << seed;
        EXPECT_EQ(found.velocity[6 + k], both.r[6 + k]) << seed;  // a mass of 1
        EXPECT_EQ(found.velocity[12 + k], alone[1].velocity[k]) << seed;
      }
    }
  }
}

TEST(Islands, OfAChainAreOneAndOfItsPartsAreTwo) {
  MixedProblem problem = ProblemGenerator(1).make({.bodies = 4, .contacts = 3, .tangents = four_directions / 2});
  const auto connect = [&](std::size_t c, int first, int second) {
    for_each_row(problem.blocks[c], [&](int r) {
      problem.rows[static_cast<std::size_t>(r)].body[0] = first;
      problem.rows[static_cast<std::size_t>(r)].body[1] = second;
    });
  };
  connect(0, 2, 3), connect(1, 0, 1), connect(2, 1, 2);
  const AssemblyMemory chain(problem);
  EXPECT_EQ(find_islands(SerialTeam{}, chain.dimensions, chain.lcp, false, chain.work), 1);
  EXPECT_EQ(chain.island().movers, 4);
  EXPECT_EQ(chain.island().blocks, 3);
  connect(2, 1, no_body);
  const AssemblyMemory parts(problem);
  ASSERT_EQ(find_islands(SerialTeam{}, parts.dimensions, parts.lcp, false, parts.work), 2);
  const Island low = parts.work.island(0), high = parts.work.island(1);
  EXPECT_EQ(low.movers, 2);
  EXPECT_EQ(low.blocks, 2);
  EXPECT_EQ(parts.work.island_block(low.first_block), 1);
  EXPECT_EQ(parts.work.island_block(low.first_block + 1), 2);
  EXPECT_EQ(high.blocks, 1);
  EXPECT_EQ(parts.work.island_block(high.first_block), 0);
  EXPECT_EQ(parts.work.island_mover(high.first_mover), 2);
  EXPECT_EQ(high.first_variable, low.variables);
}

/// A body that must move at 1 m/s along x; `back`: and against x.
MixedProblem pushed(bool back) {
  MixedProblem problem;
  problem.A = Dense::Identity(6, 6);
  problem.N = Dense(6, 0), problem.s = Column(0), problem.r = Column::Zero(6);
  for (const double sign : {1.0, back ? -1.0 : 0.5}) {
    problem.blocks.push_back({static_cast<int>(problem.rows.size()), 0, 0, true, 0, 0});
    problem.rows.push_back({{0, no_body}, {{{sign, 0, 0, 0, 0, 0}}, {}}});
  }
  problem.bias = Column::Constant(2, -1);
  problem.bias[1] = back ? -1 : 0;
  return problem;
}

TEST(Islands, OnlyTheOneWithoutAnAnswerIsHeld) {
  const MixedProblem both = together({pushed(true), pushed(false)});
  Model model;
  const bool all_free[6] = {true, true, true, true, true, true};
  for (int body = 0; body < 3; ++body) model.add_body(false, all_free);
  const AssemblyMemory memory(both);
  const ModelView view = model.view(memory.dimensions.contacts);
  for (int i = 0; i < 18; ++i) memory.work.root_inv_mass(i / 6)[i % 6] = 1;
  for (int c = 0; c < memory.lcp.blocks; ++c) memory.work.mode(c) = {Mode::Kind::stick, 0};
  MixedLcp lcp = memory.lcp;
  lcp.may_hold = true;
  StepResult result;
  solve(SerialTeam{}, lcp, view, memory.work.template as<PlainSystems>(), NoClock{}, result);
  EXPECT_EQ(result.status, Status::ok);
  EXPECT_TRUE(result.held);
  EXPECT_NEAR(memory.velocity()[0], 0, 1e-12);
  EXPECT_NEAR(memory.velocity()[12], 1, 1e-12);
}

TEST(Islands, AreBlocksOfTheDenseLcp) {
  const MixedProblem first = one_body(7), second = one_body(8);
  const AssemblyMemory memory(together({first, second}));
  write_free_motion(SerialTeam{}, memory.dimensions, memory.lcp, memory.work);
  ASSERT_EQ(find_islands(SerialTeam{}, memory.dimensions, memory.lcp, false, memory.work), 2);
  const int n = first.lcp_size() + second.lcp_size(), half = first.lcp_size();
  const DenseLcp lcp = dense_lcp(memory.dimensions, memory.work, n);
  const DenseSchur dense[2] = {DenseSchur(first), DenseSchur(second)};
  for (int i = 0; i < n; ++i) {
    const int part = i < half ? 0 : 1;
    EXPECT_NEAR(lcp.q[static_cast<std::size_t>(i)], dense[part].q[i - part * half], 1e-12);
    for (int j = 0; j < n; ++j) {
      const double expected = (j < half ? 0 : 1) == part ? dense[part].M(i - part * half, j - part * half) : 0.0;
      EXPECT_NEAR(lcp.M[static_cast<std::size_t>(i * n + j)], expected, 1e-12);
    }
  }
}

}  // namespace
}  // namespace jostle

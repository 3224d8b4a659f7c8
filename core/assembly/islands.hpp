#pragma once
// Bodies that rows of J tie together are an island: a mixed LCP of its own. Fixed bodies tie nothing together.
#include "core/lcp/selection.hpp"
#include "core/model/workspace.hpp"

namespace jostle {

namespace detail {

/// The lowest of the movers that are tied to m, so far.
JOSTLE_HD inline int lowest_tied(AnyWorkspace auto work, int m) {
  while (work.tied_to(m) != m) m = work.tied_to(m);
  return m;
}

/// Ties two movers, and all that are tied to them.
JOSTLE_HD inline void tie(AnyWorkspace auto work, int a, int b) {
  const int first = lowest_tied(work, a), second = lowest_tied(work, b);
  work.tied_to(first < second ? second : first) = first < second ? first : second;
}

/// Finds which movers are tied, and counts the blocks of each.
JOSTLE_HD inline void tie_movers(const Dimensions& d, int blocks, bool all_tied, AnyWorkspace auto work) {
  for (int m = 0; m < d.movers; ++m) {
    work.tied_to(m) = all_tied ? 0 : m;
    work.mover_blocks(m) = {0, 0};
  }
  for (int c = 0; c < blocks; ++c) {
    const ConstraintRow& row = work.row(scaling_row(work.block(c)));
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side) ++work.mover_blocks(row.body[side]).count;
    if (!all_tied && row.body[1] != no_body) tie(work, row.body[0], row.body[1]);
  }
}

/// Numbers the islands in the order of their first movers and lists their movers; returns how many there are. Movers
/// without a block are in none.
JOSTLE_HD inline int number_islands(const Dimensions& d, bool all_tied, AnyWorkspace auto work) {
  int islands = 0;
  for (int m = 0; m < d.movers; ++m) {
    if (work.mover_blocks(m).count == 0 && !all_tied) continue;
    const int lowest = lowest_tied(work, m);
    if (lowest == m) work.island(islands) = {}, work.island_of(m) = islands++;
    work.island_of(m) = work.island_of(lowest);
    work.local_mover(m) = work.island(work.island_of(m)).movers++;
  }
  for (int i = 1; i < islands; ++i)
    work.island(i).first_mover = work.island(i - 1).first_mover + work.island(i - 1).movers;
  for (int m = 0; m < d.movers; ++m) {
    if (work.mover_blocks(m).count == 0 && !all_tied) continue;
    work.island_mover(work.island(work.island_of(m)).first_mover + work.local_mover(m)) = m;
  }
  return islands;
}

/// Lists the blocks of every island and of every mover, both in their order, and says where the variables of each block
/// are: island after island, in each beta (block after block), c_n, lambda.
JOSTLE_HD inline void list_blocks(const Dimensions& d, int blocks, int islands, AnyWorkspace auto work) {
  for (int c = 0; c < blocks; ++c) {
    const Block block = work.block(c);
    Island& island = work.island(work.island_of(work.row(scaling_row(block)).body[0]));
    ++island.blocks;
    island.variables += block.variables();
    island.next_variables.normal += block.betas();
    island.next_variables.lambda += block.betas() + block.normals();
  }
  int block = 0, variable = 0;
  for (int i = 0; i < islands; ++i) {
    Island& island = work.island(i);
    island.first_block = block, island.first_variable = variable;
    block += island.blocks, variable += island.variables;
    island.next_variables = {variable - island.variables, variable - island.variables + island.next_variables.normal,
                             variable - island.variables + island.next_variables.lambda};
    island.blocks = 0;
  }
  for (int m = 0, first = 0; m < d.movers; ++m) {
    work.mover_blocks(m).first = first;
    first += work.mover_blocks(m).count;
    work.mover_blocks(m).count = 0;
  }
  for (int c = 0; c < blocks; ++c) {
    const Block own = work.block(c);
    const ConstraintRow& row = work.row(scaling_row(own));
    Island& island = work.island(work.island_of(row.body[0]));
    work.island_block(island.first_block + island.blocks++) = c;
    work.block_variables(c) = island.next_variables;
    island.next_variables.beta += own.betas(), island.next_variables.normal += own.normals(),
        island.next_variables.lambda += own.lambdas();
    for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
      MoverBlocks& list = work.mover_blocks(row.body[side]);
      work.mover_block(list.first + list.count++) = c;
    }
  }
}

/// The same of the blocks of a single mover.
JOSTLE_HD inline int list_only_island(int blocks, AnyWorkspace auto work) {
  Island island;
  island.movers = 1, island.blocks = blocks;
  for (int c = 0; c < blocks; ++c) {
    const Block& block = work.block(c);
    island.variables += block.variables();
    island.next_variables.normal += block.betas();
    island.next_variables.lambda += block.betas() + block.normals();
  }
  for (int c = 0; c < blocks; ++c) {
    const Block& own = work.block(c);
    work.island_block(c) = work.mover_block(c) = c;
    work.block_variables(c) = island.next_variables;
    island.next_variables.beta += own.betas(), island.next_variables.normal += own.normals(),
        island.next_variables.lambda += own.lambdas();
  }
  work.tied_to(0) = work.island_of(0) = work.local_mover(0) = work.island_mover(0) = 0;
  work.mover_blocks(0) = {0, blocks};
  work.island(0) = island;
  return 1;
}

}  // namespace detail

/// Splits a mixed LCP into islands, work.island(); returns how many there are. `all_tied`: joints or springs may tie
/// any bodies, so that all are one island. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE int find_islands(const Team& team, const Dimensions& d, const MixedLcp& problem, bool all_tied,
                                          AnyWorkspace auto work) {
  const bool is_one_body = d.movers == 1 && problem.blocks > 0;
  team.once([&] {
    if (is_one_body) {
      work.islands() = detail::list_only_island(problem.blocks, work);
      return;
    }
    detail::tie_movers(d, problem.blocks, all_tied, work);
    work.islands() = detail::number_islands(d, all_tied, work);
    detail::list_blocks(d, problem.blocks, work.islands(), work);
  });
  team.sync();
  return work.islands();
}

/// f(c) for every block c of an island.
template <class Team>
JOSTLE_HD void for_each_block(const Team& team, const Island& island, AnyWorkspace auto work, auto f) {
  team.for_each(island.blocks, [&](int i) { f(work.island_block(island.first_block + i)); });
}

/// The largest of magnitude(c), >= 0 or NaN, for the blocks of an island, which has some: NaN if one is. Begins with a
/// sync().
template <class Team>
JOSTLE_HD double largest_of_blocks(const Team& team, const Island& island, AnyWorkspace auto work, auto magnitude) {
  return largest_by_number(team, island.blocks,
                           [&](int i) { return magnitude(work.island_block(island.first_block + i)); });
}

}  // namespace jostle

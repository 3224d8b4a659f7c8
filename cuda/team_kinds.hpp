#pragma once
// The kinds of teams that may have kernels. A build has some of them (JOSTLE_CUDA_TEAMS); results do not depend on
// which.
#include <string>

#include "core/lcp/tile_dictionary.hpp"

namespace jostle {

/// Teams that hold Lemke's dictionary in registers: a warp for LCPs up to n = 31, eight warps for n = 128.
using WarpTiles = TileShape<32, 8, 8, 4>;
using BlockTiles = TileShape<256, 16, 8, 9>;

struct TeamKind {
  const char* name;
  int lanes;
  int largest_lcp;  ///< n of a dictionary in registers; 0: it is in memory
};

inline constexpr TeamKind team_kinds[] = {{"warp1", 1, 0},
                                          {"warp2", 2, 0},
                                          {"warp4", 4, 0},
                                          {"warp8", 8, 0},
                                          {"warp16", 16, 0},
                                          {"warp32", 32, 0},
                                          {"tile32", WarpTiles::lanes, WarpTiles::capacity},
                                          {"tile256", BlockTiles::lanes, BlockTiles::capacity}};
inline constexpr int team_kind_count = sizeof team_kinds / sizeof team_kinds[0];

/// A set of kinds: bit i for team_kinds[i].
inline constexpr unsigned all_team_kinds = (1u << team_kind_count) - 1;

/// "warp4, warp8"
std::string names_of_team_kinds(unsigned kinds);
/// The set named by a list such as "warp4,warp8"; throws std::invalid_argument with the unknown name and the known
/// ones.
unsigned team_kinds_named(const std::string& list);

}  // namespace jostle

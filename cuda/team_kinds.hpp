#pragma once
// The kinds of teams that may have kernels. A build has some of them (JOSTLE_CUDA_TEAMS); results do not depend on
// which.
#include <string>

namespace jostle {

struct TeamKind {
  const char* name;
  int lanes;  ///< of a warp
};

inline constexpr TeamKind team_kinds[] = {{"warp1", 1}, {"warp2", 2},   {"warp4", 4},
                                          {"warp8", 8}, {"warp16", 16}, {"warp32", 32}};
inline constexpr int team_kind_count = sizeof team_kinds / sizeof team_kinds[0];

/// A set of kinds: bit i for team_kinds[i].
inline constexpr unsigned all_team_kinds = (1u << team_kind_count) - 1;

/// "warp4, warp8"
std::string names_of_team_kinds(unsigned kinds);
/// The set named by a list such as "warp4,warp8"; throws std::invalid_argument with the unknown name and the known
/// ones.
unsigned team_kinds_named(const std::string& list);

}  // namespace jostle

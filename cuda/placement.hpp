#pragma once
// Which team simulates a system on a device, and where its working memory is.
#include <vector>

#include "core/model/model.hpp"
#include "cuda/team_kinds.hpp"

namespace jostle {

struct DeviceLimits;
struct LcpTask;

/// A team and its memory.
struct TeamPlace {
  int kind = 0;                  ///< of team_kinds
  int lanes = 1;                 ///< of that kind
  bool shared = false;           ///< the memory of Lemke's method is
  int teams_per_block = 1;       ///< whole warps
  int registers = 0;             ///< bound of a lane's registers, if several are built; 0: the usual one
  int most_blocks = 0;           ///< on a multiprocessor; 0: as many as fit
  bool for_all_systems = false;  ///< its kernel is the larger one, which also records steps; else that of plain ones
};

/// Shared memory of a block that teams have for their own exchange, at most (WarpTeam): a kernel has it beside the
/// memory that it is launched with.
inline constexpr std::size_t shared_bytes_of_teams = 512;

/// `bytes` of a team's shared memory, padded so that the teams of a warp use different banks when they read the same
/// number of their own: sixteen lanes are served at a time, each with 8 of the 128 bytes.
JOSTLE_HD constexpr std::size_t spread_over_banks(std::size_t bytes, int lanes) {
  constexpr std::size_t all_banks = 128;
  const std::size_t own_banks = 8 * static_cast<std::size_t>(lanes);
  return own_banks >= all_banks ? bytes : bytes + (own_banks + all_banks - bytes % all_banks) % all_banks;
}

/// How many teams have elements that alternate in memory. If a team has one or two lanes, its neighbours in the warp
/// read the same fields of other systems at the same time: then they read from one place.
inline constexpr int many_alternating = 32;
JOSTLE_HD constexpr int alternating_teams(int lanes) { return lanes <= 2 ? many_alternating : 1; }

struct Placement {
  int contacts = 0;         ///< capacity of the workspace
  int island_contacts = 0;  ///< of Lemke's memory (Dimensions::island_contacts)
  TeamPlace place;
};

/// The kind of team for a batch of LCPs up to n: from the set `preferred` if it has any of `all`, else from these.
/// Throws NoSuchKernels if there are none.
int team_kind_for(int lcp_size, unsigned preferred, unsigned all);

/// A place for a launch of few systems: with fewer warps in a block, so that all multiprocessors get some.
TeamPlace spread_out(TeamPlace place, int systems, int multiprocessors);

/// The placements that a system tries in turn, each with room for larger islands. `first_contacts`: of an island in the
/// first; 0: what the model usually has, at most 4. `preferred`: kinds of teams that are used if the device has any of
/// them. `warps` of a block, which take their steps together; 0: as usual. Throws NoSuchKernels if no kind has code for
/// such a model.
std::vector<Placement> placements_for(const Model& model, const DeviceLimits& of_device, int first_contacts = 0,
                                      unsigned preferred = all_team_kinds, int warps = 0);

/// Chooses team and memory for the LCPs of a task; `preferred` as for placements_for.
void place_lcps(LcpTask& task, const DeviceLimits& limits, unsigned preferred = all_team_kinds);

}  // namespace jostle

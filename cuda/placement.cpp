#include "cuda/placement.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>
#include <stdexcept>

#include "core/batch/batch.hpp"
#include "cuda/device.hpp"
#include "cuda/device_errors.hpp"
#include "cuda/lcp_task.hpp"

namespace jostle {
namespace {

constexpr int warp = 32, threads_per_block = 128;

/// Shared memory that CUDA reserves in every block, beside what the block may have.
constexpr std::size_t shared_bytes_of_the_system = 1024;

/// A multiprocessor with fewer warps than this idles, and caches serve them better.
constexpr int least_warps_in_shared_memory = 3;

/// Kinds by preference for LCPs up to a size, as measured (docs/gpu-development.md).
struct Preference {
  int largest;
  int kinds[team_kind_count];
};
enum Kind { warp1, warp2, warp4, warp8, warp16, warp32 };
using Preferences = std::span<const Preference>;

/// For one LCP after the other: few lanes need fewer instructions, more lanes leave each team more shared memory.
constexpr Preference for_lcps[] = {{8, {warp1, warp2, warp4, warp8, warp16, warp32}},
                                   {16, {warp4, warp8, warp2, warp16, warp32, warp1}},
                                   {31, {warp8, warp16, warp32, warp4, warp2, warp1}},
                                   {1 << 30, {warp32, warp16, warp8, warp4, warp2, warp1}}};

/// For systems, by the LCP of their usual contacts: contact modes answer most steps, and need no dictionary. Where many
/// contacts can be coupled, a step that needs Lemke's method is so dear that a whole warp should make it.
constexpr Preference for_systems[] = {{16, {warp1, warp2, warp4, warp8, warp16, warp32}},
                                      {128, {warp4, warp8, warp2, warp16, warp32, warp1}},
                                      {1 << 30, {warp32, warp16, warp8, warp4, warp2, warp1}}};

/// Warps of a block whose teams make the steps of such systems together, 0: they are apart. Together they are at the
/// same place of the code, which is larger than a multiprocessor's cache of instructions; but all wait for the slowest.
int warps_together(int usual_lcp) { return usual_lcp <= 16 ? 8 : usual_lcp <= 128 ? 4 : 0; }

/// The first kind of a set, or if that has none of those that are there, of these, by preference for LCPs of `size`.
int kind_for(Preferences preferences, int size, unsigned preferred, unsigned all) {
  const unsigned kinds = (preferred & all) != 0 ? preferred & all : all;
  for (const Preference& preference : preferences)
    if (size <= preference.largest)
      for (const int kind : preference.kinds)
        if ((kinds >> kind & 1) != 0) return kind;
  throw NoSuchKernels("no kind of team is allowed that has kernels");
}

/// Memory of a team of some kind, with so many `bytes` for Lemke's method. `warps` of a block; 0: with shared memory a
/// single one, so that as many of them as possible fit on a multiprocessor.
TeamPlace place_for(int kind, std::size_t bytes, const DeviceLimits& limits, int warps) {
  TeamPlace place;
  place.kind = kind;
  place.lanes = team_kinds[kind].lanes;
  const int together = warp / place.lanes * std::max(1, warps);
  const std::size_t block =
      spread_over_banks(bytes, place.lanes) * static_cast<std::size_t>(together) + shared_bytes_of_teams;
  const auto least_blocks =
      static_cast<std::size_t>(std::max(1, least_warps_in_shared_memory * warp / place.lanes / together));
  place.shared = block <= limits.shared_bytes_per_block &&
                 (block + shared_bytes_of_the_system) * least_blocks <= limits.shared_bytes_per_multiprocessor;
  place.teams_per_block = place.shared || warps > 0 ? together : threads_per_block / place.lanes;
  return place;
}

}  // namespace

int team_kind_for(int lcp_size, unsigned preferred, unsigned all) {
  return kind_for(for_lcps, lcp_size, preferred, all);
}

TeamPlace spread_out(TeamPlace place, int systems, int multiprocessors) {
  while (place.teams_per_block * place.lanes % (2 * warp) == 0 &&
         systems <= place.teams_per_block / 2 * multiprocessors)
    place.teams_per_block /= 2;
  return place;
}

std::string names_of_team_kinds(unsigned kinds) {
  std::string names;
  for (int kind = 0; kind < team_kind_count; ++kind)
    if ((kinds >> kind & 1) != 0) names += (names.empty() ? "" : ", ") + std::string(team_kinds[kind].name);
  return names;
}

unsigned team_kinds_named(const std::string& list) {
  unsigned kinds = 0;
  std::stringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const auto* const found = std::find_if(std::begin(team_kinds), std::end(team_kinds),
                                           [&](const TeamKind& kind) { return kind.name == name; });
    if (found == std::end(team_kinds))
      throw std::invalid_argument("there is no kind of team '" + name + "', only " +
                                  names_of_team_kinds(all_team_kinds));
    kinds |= 1u << (found - std::begin(team_kinds));
  }
  return kinds;
}

namespace {

/// How many islands with so many contacts make up what the model usually has.
int usual_islands(const Model& model, int island_contacts) {
  const Dimensions d = model.view(0).dimensions;
  if (!d.has_islands()) return 1;
  return std::clamp((model.usual_contacts() + island_contacts - 1) / island_contacts, 1, d.movers);
}

}  // namespace

std::vector<Placement> placements_for(const Model& model, const DeviceLimits& of_device, int first_contacts,
                                      unsigned preferred, int warps) {
  DeviceLimits limits = of_device;
  const bool for_all_systems = !model.is_plain() || model.records_steps();
  if (for_all_systems) limits.team_kinds = limits.team_kinds_for_all;
  if (limits.team_kinds == 0 && of_device.team_kinds != 0)
    throw NoSuchKernels(
        "no allowed kind of team has kernels for joints, methods with impacts, circular cones, and records of steps; "
        "-DJOSTLE_CUDA_TEAMS_FOR_ALL=warp8 builds them");
  const int most = WorkspaceMemory::most_contacts(model), most_island = WorkspaceMemory::most_island_contacts(model);
  int island = std::min(first_contacts > 0 ? first_contacts : std::min(model.usual_contacts(), 4), most_island);
  const int islands = usual_islands(model, island);
  const int usual_lcp = model.view(model.usual_contacts()).dimensions.lcp_size();
  if (warps == 0) warps = warps_together(usual_lcp);
  const int kind = kind_for(for_systems, usual_lcp, preferred, limits.team_kinds);
  std::vector<Placement> placements;
  for (;; island = std::min(2 * island, most_island)) {
    const int contacts = island >= most_island ? most : std::min(islands * island, most);
    Dimensions d = model.view(contacts).dimensions;
    d.island_contacts = island;
    const WorkspaceLayout layout(d);
    placements.push_back({contacts, island, place_for(kind, layout.near + layout.cells, limits, warps)});
    placements.back().place.for_all_systems = for_all_systems;
    if (island >= most_island) return placements;
  }
}

void place_lcps(LcpTask& task, const DeviceLimits& limits, unsigned preferred) {
  const LcpBytes bytes = lcp_bytes(task.batch.size);
  const int kind = team_kind_for(task.batch.size, preferred, limits.team_kinds);
  task.place = place_for(kind, bytes.vectors + bytes.cells, limits, 0);
}

}  // namespace jostle

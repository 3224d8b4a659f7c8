// The kernels for teams of the kind JOSTLE_TEAM with at most JOSTLE_REGISTERS registers a lane. They take minutes to
// compile, so each combination is its own object; those for all systems (JOSTLE_SYSTEMS) as well.
#include "cuda/kernels.cuh"
#include "cuda/team_kernels.hpp"

#define JOSTLE_JOIN(name, systems, team, registers) name##systems##_##team##_##registers
#define JOSTLE_NAME(name, systems, team, registers) JOSTLE_JOIN(name, systems, team, registers)
#define JOSTLE_QUOTE(team) #team
#define JOSTLE_TEXT(team) JOSTLE_QUOTE(team)

namespace jostle {
namespace {

template <class Systems>
TeamKernels kernels() {
  using Team = teams::JOSTLE_TEAM;
  constexpr bool for_all_systems = std::is_same_v<Systems, AllSystems>;
  const void* solve_lcps = nullptr;
  if constexpr (!for_all_systems)
    solve_lcps = reinterpret_cast<const void*>(&solve_lcps_kernel<Team, JOSTLE_REGISTERS>);
  return {JOSTLE_TEXT(JOSTLE_TEAM), JOSTLE_REGISTERS, for_all_systems,
          reinterpret_cast<const void*>(&simulate_kernel<Systems, Team, JOSTLE_REGISTERS>), solve_lcps};
}

}  // namespace

TeamKernels JOSTLE_NAME(kernels_of_, JOSTLE_SYSTEMS, JOSTLE_TEAM, JOSTLE_REGISTERS)() {
  return kernels<JOSTLE_SYSTEMS>();
}

}  // namespace jostle

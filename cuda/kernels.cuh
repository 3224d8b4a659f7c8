#pragma once
// The kernels: persistent teams that take one system, or problem, after the other.
#include "cuda/advance.hpp"
#include "cuda/solve_problem.hpp"
#include "cuda/warp_team.cuh"

namespace jostle {

/// The teams of team_kinds, by name.
namespace teams {
using warp1 = WarpTeam<1>;
using warp2 = WarpTeam<2>;
using warp4 = WarpTeam<4>;
using warp8 = WarpTeam<8>;
using warp16 = WarpTeam<16>;
using warp32 = WarpTeam<32>;
}  // namespace teams

/// The next number for the team, `count` if there is none. All lanes of the team get it. Begins synced. Every team
/// takes one number beyond the last, so the counter passes 2^31 if `count` is close to it.
template <class Team>
__device__ int take_next(const Team& team, unsigned* taken, int count) {
  unsigned index = 0;
  team.sync();
  team.once([&] { index = atomicAdd(taken, 1u); });
  const auto end = static_cast<unsigned>(count);
  return team.broadcast(static_cast<int>(index < end ? index : end));
}

/// Which team of the grid this lane belongs to, and the team's own part of the shared memory.
struct OwnPlace {
  int slot;
  std::byte* shared;
};

__device__ inline OwnPlace own_place(const TeamPlace& place, std::size_t shared_bytes_per_team) {
  extern __shared__ __align__(64) std::byte shared_memory[];
  const int in_block = static_cast<int>(threadIdx.x) / place.lanes;
  return {static_cast<int>(blockIdx.x) * place.teams_per_block + in_block,
          place.shared ? shared_memory + static_cast<std::size_t>(in_block) * shared_bytes_per_team : nullptr};
}

/// Where the teams of a block wait for each other.
template <class Team>
struct MeetInBlock {
  __device__ void operator()() const { Team::meet(); }
  __device__ bool any(bool goes_on) const { return Team::any_beside(goes_on); }
};

/// The teams of a block take their steps together, part by part: the loop is over steps, and a team fetches its next
/// system at the end of a step. Views keep references to the task: if it were not a grid constant, every lane would
/// copy it to its local memory. `Registers` bounds those of a lane, also in stages that are separate functions.
/// `Systems`: what it has code for.
template <class Systems, class Team, int Registers>
__global__ void __maxnreg__(Registers) simulate_kernel(const __grid_constant__ SimulateTask task) {
  const Team team;
  const OwnPlace own = own_place(task.placement.place, task.shared_bytes_per_team());
  const bool has_memory = own.slot < task.teams;
  int index = has_memory ? take_next(team, task.taken, task.size())
                         : task.size();  // the other way round a warp spills a register
  const auto work = task.workspace<alternating_teams(Team::lanes), Systems>(has_memory ? own.slot : 0, own.shared);
  while (Team::any_beside(index < task.size())) {
    const bool has_system = index < task.size();
    const bool goes_on = advance(team, task, has_system ? task.number(index) : -1, work, MeetInBlock<Team>{});
    if (has_system && !goes_on) index = take_next(team, task.taken, task.size());
  }
}

template <class Team, int Registers>
__global__ void __maxnreg__(Registers) solve_lcps_kernel(const __grid_constant__ LcpTask task) {
  const Team team;
  const OwnPlace own = own_place(task.place, task.shared_bytes_per_team());
  if (own.slot >= task.teams) return;
  const int count = task.batch.count;
  for (int index = take_next(team, task.taken, count); index < count; index = take_next(team, task.taken, count))
    solve_problem(team, task, task.problem(index), own.slot, own.shared);
}

}  // namespace jostle

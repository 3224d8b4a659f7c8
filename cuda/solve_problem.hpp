#pragma once
// What a kernel does with the LCPs of a task.
#include "core/lcp/dense_solve.hpp"
#include "cuda/lcp_task.hpp"

namespace jostle {

/// Solves one problem as team number `slot`; `shared` is the team's own shared memory, null if it has none.
template <class Team>
JOSTLE_HD void solve_problem(const Team& team, const LcpTask& task, int problem, int slot, std::byte* shared) {
  const LcpBatch& batch = task.batch;
  const LcpView lcp = batch.problem(problem);
  LcpResult result{LcpStatus::not_finite, 0, infinity()};
  int attempts = 0;
  if (lcp.n >= 0 && lcp.n <= batch.size) {  // else the team's memory has no room
    const std::size_t vectors_bytes = lcp_bytes(batch.size).vectors;
    std::byte* const own = task.memory + static_cast<std::size_t>(slot) * task.bytes_per_team();
    std::byte* const vectors = shared ? shared : own;
    std::byte* const cells = vectors + vectors_bytes;

    double* const reals = reinterpret_cast<double*>(vectors);
    double* const scale = reals + LemkeWorkspace::sizes(lcp.n).vectors;
    double* const w = batch.w ? batch.w + batch.start(problem) : scale + lcp.n;
    int* const ints = reinterpret_cast<int*>(scale + 2 * lcp.n);
    result = solve_dense(
        team, lcp, task.options, scale, LemkeWorkspace::carve(lcp.n, reinterpret_cast<double*>(cells), reals, ints),
        batch.z + batch.start(problem), w, [&](const auto& lemke, const LcpResult& found) {
          attempts = lemke.attempts();
          const std::int64_t start = batch.start(problem);
          write_details(team, batch.size_of(problem), lemke, found,
                        {batch.basis ? batch.basis + start : nullptr, batch.ray ? batch.ray + start : nullptr});
        });
  }
  team.once([&] {
    batch.status[problem] = result.status;
    if (batch.attempts) batch.attempts[problem] = attempts;
    if (batch.pivots) batch.pivots[problem] = result.pivots;
    if (batch.residual) batch.residual[problem] = result.residual;
  });
}

/// Solves the problems of a task one after the other, with the memory of one team after the other, where there is no
/// GPU.
template <class Team>
void solve_problems(const Team& team, const LcpTask& task, std::byte* shared) {
  for (int index = 0; index < task.batch.count; ++index) {
    solve_problem(team, task, task.problem(index), index % task.teams, shared);
    team.sync();
  }
}

}  // namespace jostle

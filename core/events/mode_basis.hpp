#pragma once
// The answer that the modes of the step before give a mixed LCP, also where some of its variables are negative:
// docs/theory.md (60). It is the basis of these modes in the LCP: every variable of theirs has a value, and the others
// are 0. The system is that of a guess (guess/mode_system.hpp), with other modes.
#include "core/guess/mode_answer.hpp"

namespace jostle {

/// Solves for the modes in work.mode_before() of contacts 0 .. `contacts` - 1, which are all blocks of the problem. Its
/// islands are those of the last solve; v0, scales and factors are those of the problem. Writes the equations of
/// contacts (unknowns_of), and nothing of an answer. `q_size`: |q'|inf. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void solve_mode_basis(const Team& team, const ModelView& model, AnyWorkspace auto work,
                                               int contacts, double q_size) {
  const auto swap_modes = [&] {
    team.for_each(contacts, [&](int c) {
      const Mode own = work.mode(c);
      work.mode(c) = work.mode_before(c), work.mode_before(c) = own;
    });
    team.sync();
  };
  swap_modes();
  with_coupling(model.dimensions, work, [&](auto own) {
    for (int i = 0; i < own.islands(); ++i) {
      const Island island = own.island(i);
      if (island.blocks == 0) continue;
      if constexpr (decltype(own)::is_coupled) write_mode_row_responses(team, model.dimensions, island, own);
      solve_regularised(team, island, model, own, weight_for(model, mass_ratio(team, island, own)));
      solve_modes(team, island, own, q_size);
      write_all_defects(team, island, own);
    }
  });
  swap_modes();
}

}  // namespace jostle

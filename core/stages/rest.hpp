#pragma once
// The answers of islands at rest: how the state keeps them, and how a step takes them (core/contacts/rest.hpp).
#include "core/stages/contact_sums.hpp"
#include "core/step_result.hpp"

namespace jostle {

namespace detail {

/// Whether mover m has the same velocity 0 before and after the step, with the same signs.
JOSTLE_HD inline bool stays(AnyWorkspace auto work, int m) {
  for (int k = 0; k < 6; ++k) {
    const double before = work.velocity(m)[k], after = work.next_velocity(m)[k];
    if (before != 0 || bits_of(before) != bits_of(after)) return false;
  }
  return true;
}

/// Whether the state keeps the modes of all contacts of pair p.
JOSTLE_HD inline bool keeps_all_modes(const System& system, AnyWorkspace auto work, int p) {
  return work.first_contact(p + 1) - work.first_contact(p) <= system.model.pairs[p].modes;
}

/// The island of a pair with contacts in the last problem.
JOSTLE_HD inline Island& island_of_pair(const ModelView& model, AnyWorkspace auto work, int p) {
  const PairMovers of = movers_of(model, p);
  return work.island(work.island_of(of.a == no_body ? of.b : of.a));
}

/// Finds the islands of the last problem that begin to rest: Island::rests.
[[gnu::cold]] JOSTLE_HD inline void find_islands_at_rest(const System& system, AnyWorkspace auto work, int contacts) {
  const ModelView& model = system.model;
  for (int i = 0; i < work.islands(); ++i) work.island(i).rests = true;
  for (int m = 0; m < model.dimensions.movers; ++m) {
    if (work.mover_blocks(m).count > 0 && !stays(work, m)) work.island(work.island_of(m)).rests = false;
  }
  for (int p = 0; p < model.dimensions.pairs; ++p) {
    if (work.first_contact(p) == work.first_contact(p + 1)) continue;
    if (!keeps_all_modes(system, work, p) || changes_contacts(system, work, contacts, p))
      island_of_pair(model, work, p).rests = false;
  }
}

/// Puts these islands and their answers into the state.
template <class Team>
[[gnu::cold]] JOSTLE_HD void keep_answers(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  for (int i = 0; i < work.islands(); ++i) {
    const Island island = work.island(i);
    if (!island.rests) continue;
    const int first = work.island_mover(island.first_mover);
    team.for_each(island.movers, [&](int own) {
      const int m = work.island_mover(island.first_mover + own);
      system.state().rest_island[m] = 1 + first;
      system.state().rest_residual[m] = island.residual;
    });
  }
  if (model.dimensions.resting_impulses() == 0) return;
  team.for_each(model.dimensions.pairs, [&](int p) {
    if (work.first_contact(p) == work.first_contact(p + 1) || !island_of_pair(model, work, p).rests) return;
    double* to = system.state().rest_impulse + 2 * model.pairs[p].first_mode;
    for (int c = work.first_contact(p); c < work.first_contact(p + 1); ++c) {
      *to++ = normal_impulse(work, c);
      *to++ = friction_impulse(system, work, c);
    }
  });
}

}  // namespace detail

/// The answers of the islands at rest, in which nothing is computed: they count as LCPs that the modes of the step
/// before answer. Begins and ends synced.
template <class Team>
JOSTLE_HD void take_islands_at_rest(const Team& team, const System& system, AnyWorkspace auto work,
                                    StepResult& result) {
  if (result.resting == 0) return;
  const int movers = system.model.dimensions.movers;
  team.for_each(movers, [&](int m) {
    if (work.rest_island(m) != 0) work.next_velocity(m) = work.velocity(m);
  });
  for (int m = 0; m < movers; ++m) {
    if (work.rest_island(m) != m + 1) continue;
    result.solves += 1, result.guessed += 1;
    const double residual = system.state().rest_residual[m];
    if (residual > result.residual) result.residual = residual;
  }
  team.sync();
}

/// Keeps for the next step which islands are at rest. They begin to rest in a step with one list of contacts, all of
/// whose LCPs the modes of the step before have answered: all of their data are then those of the next step. Before the
/// state changes; begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void keep_rest(const Team& team, const System& system, AnyWorkspace auto work,
                                        const StepProgress& progress) {
  const int movers = system.model.dimensions.resting_movers();
  if (movers == 0) return;
  const StepResult& result = progress.result;
  const bool may_begin = progress.lists == 1 && progress.halvings == 0 && !system.model.changes_with_time &&
                         !result.held && result.corrected == 0 && result.pivoted == 0 && result.contacts > 0;
  const auto begins = [&](int m) {
    return work.rest_island(m) == 0 && work.mover_blocks(m).count > 0 && detail::stays(work, m);
  };
  team.for_each(movers,
                [&](int m) { system.state().rest_island[m] = progress.halvings > 0 ? 0 : work.rest_island(m); });
  if (!may_begin || !any_of(team, movers, begins)) return team.sync();
  team.sync();
  team.once([&] { detail::find_islands_at_rest(system, work, result.contacts); });
  team.sync();
  detail::keep_answers(team, system, work);
  team.sync();
}

}  // namespace jostle

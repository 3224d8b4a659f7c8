#pragma once
// Islands at rest beside bodies that move, docs/theory.md, "Rest". If an island begins and ends a step at rest, with
// the same contacts in the same modes, then the next step has the same LCP for it, bit for bit, unless another body
// touches it. So its answer stands: its contacts are neither listed nor numbered, and have no rows.
//
// Which contacts are listed depends on the poses of the two bodies and on those that carried an impulse (23). Between
// bodies of an island at rest, or one of them and a fixed body, they are those of the step before, whose modes the
// state keeps. Contacts with other bodies are looked for in every step.
#include "core/geometry/contact_geometry.hpp"
#include "core/model/system.hpp"
#include "core/problem/mode.hpp"

namespace jostle {

/// The movers of the bodies of a pair; no_body: fixed.
struct PairMovers {
  int a, b;
};
JOSTLE_HD inline PairMovers movers_of(const ModelView& model, int p) {
  const PairModel& pair = model.pairs[p];
  return {model.bodies[model.shapes[pair.shape_a].body].mover, model.bodies[model.shapes[pair.shape_b].body].mover};
}

/// Whether nothing is computed of pair p: its bodies are fixed or belong to islands at rest, so that it has the
/// contacts of the step before.
JOSTLE_HD inline bool is_left_out(const System& system, AnyWorkspace auto work, int p) {
  if (work.leaves_out() == 0) return false;
  const PairMovers of = movers_of(system.model, p);
  const bool a_rests = of.a == no_body || work.rest_island(of.a) != 0;
  return a_rests && (of.b == no_body || work.rest_island(of.b) != 0);
}

/// visit(i, mode) for the modes of pair p that the state keeps, in their order; i: its place in the state.
JOSTLE_HD void for_each_mode_in_state(const System& system, int p, auto visit) {
  const PairModel& pair = system.model.pairs[p];
  for (int i = pair.first_mode; i < pair.first_mode + pair.modes && !system.state().modes[i].is_none(); ++i)
    visit(i, system.state().modes[i]);
}

/// That of a feature pair; unknown if the state keeps none.
JOSTLE_HD inline Mode mode_in_state(const System& system, int p, int feature) {
  const PairModel& pair = system.model.pairs[p];
  const KeptMode* const kept = system.state().modes + pair.first_mode;
  for (int i = 0; i < pair.modes && !kept[i].is_none(); ++i)
    if (kept[i].feature() == feature) return kept[i].mode;
  return {};
}

/// The contacts of a page of pair p in the step before, all of whose modes are kept; `first`: its first feature pair.
JOSTLE_HD inline FeatureSet kept_features(const System& system, int p, int first) {
  FeatureSet kept;
  if (first < 0) return kept;
  for_each_mode_in_state(system, p, [&](int, KeptMode kept_mode) {
    const int feature = kept_mode.feature() - first;
    if (feature >= 0 && feature < page_features) kept.insert(feature);
  });
  return kept;
}

/// The islands that are at rest when a sub-step begins: none in a divided step, which has another length. A record has
/// their contacts, so that all are computed. Ends synced.
template <class Team>
JOSTLE_HD void begin_rest(const Team& team, const System& system, AnyWorkspace auto work, bool is_divided) {
  team.once([&] {
    bool any = false;
    for (int m = 0; m < system.model.dimensions.resting_movers(); ++m) {
      work.rest_island(m) = is_divided ? 0 : system.state().rest_island[m];
      any = any || work.rest_island(m) != 0;
    }
    work.leaves_out() = any && !system.model.every_step && !system.record ? 1 : 0;
  });
  team.sync();
}

namespace detail {

JOSTLE_HD inline void wake_island(int movers, int island, AnyWorkspace auto work) {
  for (int m = 0; m < movers && island != 0; ++m) {
    if (work.rest_island(m) == island) work.rest_island(m) = 0;
  }
}

}  // namespace detail

/// Wakes the islands that a listed contact ties to another body. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void wake_touched(const Team& team, const System& system, AnyWorkspace auto work) {
  const int movers = system.model.dimensions.resting_movers();
  if (movers == 0) return;
  if (!any_of(team, movers, [&](int m) { return work.rest_island(m) != 0; })) return;
  team.sync();
  team.once([&] {
    for (int i = 0; i < system.model.dimensions.pages; ++i) {
      if (work.listed(i).empty()) continue;
      const PairMovers of = movers_of(system.model, system.model.pages[i].pair);
      if (of.a == no_body || of.b == no_body) continue;
      const int first = work.rest_island(of.a), second = work.rest_island(of.b);
      if (first == second) continue;
      detail::wake_island(movers, first, work);
      detail::wake_island(movers, second, work);
    }
  });
  team.sync();
}

}  // namespace jostle

#pragma once
// Contacts of the trapezoidal methods that carried an impulse and are open at q_l.
#include "core/events/impact.hpp"

namespace jostle::trapezoidal {

/// Whether an open contact opens or closes no faster than its normal turns in a step: it is no flight, whose speed
/// the second scheme would reverse.
JOSTLE_HD inline bool rolls(const System& system, AnyWorkspace auto work, int p, int feature) {
  const PairModel& pair = system.model.pairs[p];
  const double opening = detail::turning_of_pair(system, work, pair, feature, 0, 0);
  const double turning = detail::turning_of_pair(system, work, pair, feature, opening, system.model.step);
  return std::fabs(opening) <= std::fabs(turning);
}

/// Marks the listed contacts that are open, in work.missed(), where bodies are at q_l. Ends synced.
template <bool Rolling, class Team>
JOSTLE_HD void mark_open(const Team& team, const System& system, AnyWorkspace auto work) {
  const double touching = active_gap_of(system.model);
  team.for_each(system.model.dimensions.pages, [&](int i) {
    FeatureSet open;
    const PageModel page = system.model.pages[i];
    const FeatureSet active = system.state().active[i];
    const int first = first_of_page(system, work, i);
    work.listed(i).for_each([&](int own) {
      if (active.contains(own) && gap_at_start(system, work, page.pair, first + own) > touching) open.insert(own);
    });
    work.missed(i) = open;
    if constexpr (Rolling) {
      open.for_each([&](int own) {
        if (!rolls(system, work, page.pair, first + own)) work.listed(i).erase(own);
      });
    }
  });
  team.sync();
}

/// b_n of contacts that carried an impulse and are open, as rolling on what is curved opens them by O(h^2) or O(h^3):
/// they may close by a third of it in a step, as fast as it can be without passing the surface later.
template <AnyWorkspace Work>
struct Closing {
  const System& system;
  const Work& work;
  JOSTLE_HD double operator()(double) const { return 0; }  // limits
  JOSTLE_HD double operator()(const Contact& contact) const {
    const int page = page_of(system, work, contact.pair, contact.feature);
    if (!work.missed(page).contains(contact.feature % page_features)) return 0;
    return gap_at_start(system, work, contact.pair, contact.feature) / (3 * system.model.step);
  }
};

}  // namespace jostle::trapezoidal

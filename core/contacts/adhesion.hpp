#pragma once
// Adhesion: a contact that touches carries a pull of at most a (N), docs/theory.md (7d). With the lower bound -h a of
// its impulse [Loetstedt 1982, (6.4)]
//
//     0 <= n'v + b_n  _|_  c_n + h a >= 0          |D beta| <= mu (c_n + h a)
//
// the mixed LCP is that without adhesion for c_n + h a, if the pull -h a n acts like a force.
#include "core/model/system.hpp"

namespace jostle {

/// N s, or N in a stage of accelerations: h a of the contact whose normal is row r of the last problem. Its c_n is
/// work.row_impulse() less this.
JOSTLE_HD inline double pull_of(const Dimensions& d, AnyWorkspace auto work, int r) {
  return d.has_adhesion ? work.row_pull(r) : 0.0;
}

JOSTLE_HD inline bool has_adhesion(const System& system, int pair) {
  return system.model.dimensions.has_adhesion && system.parameters().adhesion[pair] > 0;
}

/// For add_adhesion().
struct AllPull {
  JOSTLE_HD bool operator()(const Contact&) const { return true; }
};

/// Adds the pulls of the contacts of a problem with so many rows to the momentum, where pulls(contact); h (s): for how
/// long, 0 in an impact. Begins and ends synced.
template <class Team>
JOSTLE_HD void add_adhesion(const Team& team, const System& system, AnyWorkspace auto work, int contacts, int rows,
                            double h, auto pulls) {
  const Dimensions& d = system.model.dimensions;
  if (!d.has_adhesion) return;
  team.for_each(rows, [&](int r) { work.row_pull(r) = 0; });
  team.sync();
  team.for_each(contacts, [&](int c) {
    const Contact& contact = work.contact(c);
    const double most = system.parameters().adhesion[contact.pair];
    if (most > 0 && pulls(contact)) work.row_pull(d.contact_rows(c).normal) = h * most;
  });
  team.sync();
  team.for_each(d.movers, [&](int m) {
    for (int c = 0; c < contacts; ++c) {
      const int normal = d.contact_rows(c).normal;
      const ConstraintRow& row = work.row(normal);
      const double pull = work.row_pull(normal);
      const int side = row.body[0] == m ? 0 : row.body[1] == m ? 1 : -1;
      for (int k = 0; side >= 0 && pull != 0 && k < 6; ++k) work.momentum(m)[k] -= pull * row.entry[side][k];
    }
  });
  team.sync();
}

}  // namespace jostle

#pragma once
// A team is the set of lanes that work on ONE system: a CPU thread, or 2^k lanes of a warp.
//
//   for_each(n, f)           f(i) once for every i in [0, n), by any lane; the calls are independent of each other
//   select(n, make, better)  the best of make(0) .. make(n-1), known to every lane; n >= 1; `better`
//                            is a strict total order; begins with a sync()
//   once(f)                  f() by exactly one lane
//   sync()                   after it, every lane sees what any lane wrote before it
//
// Two rules make results bit-identical for teams of every size:
//   1. every output element is written by one lane, with one fixed expression;
//   2. lanes are combined by selection only, never by a sum: a + (b + c) is not (a + b) + c.
//
// A stage is a free function over (team, view, options). It never asks which team it runs on.
#include <type_traits>

#include "core/config.hpp"

namespace jostle {

/// One CPU thread. The loops are ordinary loops, which the compiler may vectorise.
struct SerialTeam {
  static constexpr bool is_thread = true;

  template <class F>
  JOSTLE_HD void for_each(int n, F f) const {
    for (int i = 0; i < n; ++i) f(i);
  }

  template <class Make, class Better>
  JOSTLE_HD auto select(int n, Make make, Better better) const {
    static_assert(std::is_class_v<Better>, "a function would be called by its address on devices");
    auto best = make(0);
    for (int i = 1; i < n; ++i) {
      const auto next = make(i);
      if (better(next, best)) best = next;
    }
    return best;
  }

  template <class F>
  JOSTLE_HD void once(F f) const {
    f();
  }

  JOSTLE_HD void sync() const {}
};

/// Whether f(i) for any i in [0, n), n >= 1; begins with a sync().
template <class Team>
JOSTLE_HD bool any_of(const Team& team, int n, auto f) {
  return team.select(n, f, [](bool a, bool b) { return a && !b; });
}

/// A team for which code of its own is worth while, and memory in rows.
template <class Team>
concept Thread = requires {
  requires Team::is_thread;
};

/// f(i)(k) for every i in [0, n) and k in [0, parts), each by any lane; a thread calls f(i) once for all parts.
template <class Team, class F>
JOSTLE_HD void for_each_part(const Team& team, int n, int parts, F f) {
  if constexpr (Thread<Team>) {
    for (int i = 0; i < n; ++i) {
      const auto make = f(i);
      for (int k = 0; k < parts; ++k) make(k);
    }
  } else {
    team.for_each(n * parts, [&](int both) { f(both / parts)(both % parts); });
  }
}

}  // namespace jostle

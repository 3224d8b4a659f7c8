#pragma once
// The size of an LCP, known at compile time or at run time. A size known at compile time lets the compiler unroll every
// loop of the solver, which halves the time of the smallest problems and changes no bit.
#include "core/config.hpp"
#include "core/team.hpp"

namespace jostle {

template <int Static>
struct LcpExtent {
  static constexpr int n = Static;
  JOSTLE_HD explicit constexpr LcpExtent(int) {}
};

template <>
struct LcpExtent<0> {
  int n;
  JOSTLE_HD explicit constexpr LcpExtent(int size) : n(size) {}
};

/// f(LcpExtent) with the size of one or two contacts of 2, 4 or 8 directions, or of four with 4, as a constant. A GPU
/// needs no separate code for these: its placements have their own.
template <class Team, class F>
JOSTLE_HD auto with_extent(int n, F f) {
  if constexpr (Thread<Team>) {
    switch (n) {
      case 4: return f(LcpExtent<4>(n));
      case 6: return f(LcpExtent<6>(n));
      case 8: return f(LcpExtent<8>(n));
      case 10: return f(LcpExtent<10>(n));
      case 12: return f(LcpExtent<12>(n));
      case 24: return f(LcpExtent<24>(n));
      default: break;
    }
  }
  return f(LcpExtent<0>(n));
}

}  // namespace jostle

#pragma once
// How the attempts of Lemke's method at one LCP differ. The first is number 0.
#include "core/math/bits.hpp"

namespace jostle {

/// The covering vector d. d = 1 suits equilibrated problems; the others are small fractions, each with a different
/// pattern.
struct Covering {
  int attempt;
  JOSTLE_HD JOSTLE_INLINE bool is_one() const { return attempt == 0; }
  JOSTLE_HD JOSTLE_INLINE double operator()(int i) const {
    return is_one() ? 1.0 : double(8 + (5 * i + 3 * attempt * (i + 1)) % 11) / 8;
  }
};

/// 1, 32, 1/32, 32^2, 1/32^2, ...: an attempt may have taken noise for pivots, or pivots for noise.
JOSTLE_HD inline double slope_factor(int attempt) {
  const int step = 5 * ((attempt + 1) / 2);
  return power_of_two(attempt % 2 == 1 ? step : -step);
}

/// A heavy body on a light one gives constants of size ratio |q'|, with rounding errors larger by the same ratio.
JOSTLE_HD inline double snap_factor(int attempt) {
  if (attempt == 0) return 1;
  return attempt % 2 == 1 ? 1e3 : 1e6;
}

}  // namespace jostle

#pragma once
// Derivatives along a motion by differences.
#include "core/math/root.hpp"

namespace jostle {

/// df/ds at s = 0 of a smooth function that changes as sin(rate s) does, rate in 1/s: by five points, to about 1e-12 of
/// rate max|f|. 0 where the rate is 0.
JOSTLE_HD double derivative_at_zero(double rate, auto f) {
  if (rate == 0) return 0;
  constexpr double turn = 2e-3;
  const double s = turn / rate;
  const auto at = [&](double points) { return outlined(f, points * s); };
  return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * s);
}

}  // namespace jostle

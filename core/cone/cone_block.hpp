#pragma once
// The equations of one block, docs/theory.md (46), (47). Slot 0 is its normal, slots 1 and 2 are its tangents; what a
// block does not have is zero.
#include <cmath>

#include "core/math/bits.hpp"
#include "core/problem/cone.hpp"

namespace jostle {

/// Impulses x and speeds w of a block, equilibrated.
struct ConePoint {
  double impulse[most_cone_equations] = {};
  double speed[most_cone_equations] = {};
};

/// The slot of a block's first equation.
JOSTLE_HD inline int first_slot(const Block& block) { return block.normal >= 0 ? 0 : 1; }

namespace detail {

/// What the tangential impulse is projected from, p - u, and the radius of the disc that it is projected onto.
struct ConeTarget {
  double x, y, size, radius;
  JOSTLE_HD bool is_inside() const { return size <= radius; }
};

JOSTLE_HD inline ConeTarget target_of(const Block& block, double bound, const ConePoint& at) {
  const double x = at.impulse[1] - at.speed[1], y = at.impulse[2] - at.speed[2];
  const double normal = at.impulse[0] > 0 ? at.impulse[0] : 0.0;
  const double radius = bound + block.friction * normal;
  return {x, y, std::sqrt(x * x + y * y), block.opposites || x > 0 ? radius : 0.0};
}

}  // namespace detail

/// F = x - proj(x - w), zero at the solutions. `bound`: b_c / s.
JOSTLE_HD inline void cone_defect(const Block& block, double bound, const ConePoint& at,
                                  double (&defect)[most_cone_equations]) {
  defect[0] = at.impulse[0] > at.speed[0] ? at.speed[0] : at.impulse[0];
  if (is_nan(at.impulse[0])) defect[0] = canonical_nan();
  defect[1] = defect[2] = 0;
  if (block.tangents == 0) return;
  const detail::ConeTarget to = detail::target_of(block, bound, at);
  if (to.is_inside()) {
    defect[1] = at.speed[1], defect[2] = at.speed[2];
  } else {
    const double part = to.radius / to.size;
    defect[1] = at.impulse[1] - part * to.x, defect[2] = at.impulse[2] - part * to.y;
  }
}

/// An element of the generalised derivative of F.
JOSTLE_HD inline ConeSlopes cone_slopes(const Block& block, double bound, const ConePoint& at) {
  ConeSlopes slopes = {};
  const bool is_closed = at.impulse[0] > at.speed[0];
  (is_closed ? slopes.of_speed : slopes.of_impulse)[0][0] = 1;
  const detail::ConeTarget to = detail::target_of(block, bound, at);
  if (to.is_inside()) {
    slopes.of_speed[1][1] = slopes.of_speed[2][2] = 1;
    return slopes;
  }
  const double x = to.x / to.size, y = to.y / to.size, part = to.radius / to.size;
  slopes.of_speed[1][1] = part * (1 - x * x);
  slopes.of_speed[2][2] = part * (1 - y * y);
  slopes.of_speed[1][2] = slopes.of_speed[2][1] = -part * x * y;
  for (int i = 1; i < most_cone_equations; ++i) {
    for (int j = 1; j < most_cone_equations; ++j)
      slopes.of_impulse[i][j] = (i == j ? 1.0 : 0.0) - slopes.of_speed[i][j];
  }
  if (at.impulse[0] > 0) slopes.of_impulse[1][0] = -block.friction * x, slopes.of_impulse[2][0] = -block.friction * y;
  return slopes;
}

}  // namespace jostle

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

/// The larger of two numbers, smoothed: ((a + b) + sqrt((a - b)^2 + 4 t^2)) / 2 [Chen, Harker 1993], and its slopes.
struct SmoothMaximum {
  double value, of_a, of_b;

  JOSTLE_HD SmoothMaximum(double a, double b, double width) {
    const double apart = a - b, root = std::sqrt(apart * apart + 4 * width * width);
    value = 0.5 * (a + b + root);
    of_a = 0.5 * (1 + apart / root), of_b = 0.5 * (1 - apart / root);
  }
};

/// The projection of p - u onto the disc, smoothed: part (p - u), part = r / max(r, |p - u|).
struct SmoothProjection {
  double x, y, size;          ///< p - u
  double part;                ///< it keeps
  double of_normal, of_size;  ///< slopes of part, by c_n and |p - u|

  JOSTLE_HD SmoothProjection(const Block& block, double bound, const ConePoint& at, double width)
      : x(at.impulse[1] - at.speed[1]), y(at.impulse[2] - at.speed[2]), size(std::sqrt(x * x + y * y + width * width)) {
    const SmoothMaximum normal(at.impulse[0], 0, width);
    const bool is_cut = !block.opposites && !(x > 0);
    const double radius = is_cut ? 0.0 : bound + block.friction * normal.value;
    const SmoothMaximum larger(radius, size, width);
    part = radius / larger.value;
    of_normal = is_cut ? 0.0 : (1 - part * larger.of_a) / larger.value * block.friction * normal.of_a;
    of_size = -part * larger.of_b / larger.value;
  }
};

/// The same of the smoothed problem.
JOSTLE_HD inline void smooth_cone_defect(const Block& block, double bound, const ConePoint& at, double width,
                                         double (&defect)[most_cone_equations]) {
  defect[0] = defect[1] = defect[2] = 0;
  if (block.normal >= 0) defect[0] = at.impulse[0] - SmoothMaximum(at.impulse[0] - at.speed[0], 0, width).value;
  if (block.tangents == 0) return;
  const SmoothProjection to(block, bound, at, width);
  defect[1] = at.impulse[1] - to.part * to.x, defect[2] = at.impulse[2] - to.part * to.y;
}

JOSTLE_HD inline ConeSlopes smooth_cone_slopes(const Block& block, double bound, const ConePoint& at, double width) {
  ConeSlopes slopes = {};
  const SmoothMaximum normal(at.impulse[0] - at.speed[0], 0, width);
  slopes.of_speed[0][0] = normal.of_a, slopes.of_impulse[0][0] = normal.of_b;
  const SmoothProjection to(block, bound, at, width);
  const double along[most_cone_equations] = {0, to.x, to.y};
  for (int i = 1; i < most_cone_equations; ++i) {
    slopes.of_impulse[i][0] = -to.of_normal * along[i];
    for (int j = 1; j < most_cone_equations; ++j) {
      const double same = i == j ? 1.0 : 0.0;
      slopes.of_speed[i][j] = to.part * same + to.of_size / to.size * (along[i] * along[j]);
      slopes.of_impulse[i][j] = same - slopes.of_speed[i][j];
    }
  }
  return slopes;
}

}  // namespace detail

/// F = x - proj(x - w), zero at the solutions; with a `width` above 0 that of the smoothed problem. `bound`: b_c / s.
JOSTLE_HD inline void cone_defect(const Block& block, double bound, const ConePoint& at, double width,
                                  double (&defect)[most_cone_equations]) {
  if (width > 0) return detail::smooth_cone_defect(block, bound, at, width, defect);
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
JOSTLE_HD inline ConeSlopes cone_slopes(const Block& block, double bound, const ConePoint& at, double width) {
  if (width > 0) return detail::smooth_cone_slopes(block, bound, at, width);
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

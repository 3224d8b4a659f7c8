#pragma once
// What is nothing but the rounding errors of what it was computed from.
#include <cmath>

#include "core/config.hpp"

namespace jostle {

/// Rounding errors of a gap, relative to the largest coordinate that it is a difference of.
inline constexpr double relative_gap_rounding = 16 * 0x1p-52;

/// ... of an equation or a limit of a joint, in which no features are looked for.
inline constexpr double relative_joint_rounding = 2 * 0x1p-52;

/// 0 in place of a value that is not above its rounding errors. Divided by the length of a step they would move a body
/// at rest to and fro, the more the shorter the step.
JOSTLE_HD inline double without_rounding(double value, double rounding) {
  return std::fabs(value) <= rounding ? 0.0 : value;
}

}  // namespace jostle

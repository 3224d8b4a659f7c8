#pragma once
// What the workspace holds of friction cones that are not polygons (newton.hpp, pointedness.hpp).
#include "core/config.hpp"
#include "core/problem/mixed_lcp.hpp"

namespace jostle {

/// Equations of a block: its normal and two tangents at right angles, or less.
inline constexpr int most_cone_equations = 3;

/// The directions with which pointedness describes a circular cone.
inline constexpr int circle_generators = 16;

/// One equation of the problem with a circular cone, in equilibrated units: impulses x = p / s, speeds w = s (J v + b).
struct ConeEquation {
  int row;            ///< of J
  double scale;       ///< s, sqrt(kg)
  double start;       ///< x of the polygon
  double best;        ///< x of the best attempt
  double centre;      ///< of the proximal problem
  double weight;      ///< rho, the same for all equations of a block
  double impulse;     ///< x
  double speed;       ///< rho (w + eps (x - centre))
  double defect;      ///< F
  double step;        ///< of x
  double speed_step;  ///< of `speed`, if all x change by `step`
};

/// dF = of_speed dw + of_impulse dx, of the equations of a block.
struct ConeSlopes {
  double of_speed[most_cone_equations][most_cone_equations];
  double of_impulse[most_cone_equations][most_cone_equations];
};

/// A generator of the friction cone, n + mu d or n alone: weights of rows of J, and 1 / its length in the norm of P.
struct ConeGenerator {
  int rows, row[3];
  double weight[3];
  double inv_length;
};

/// How many equations a block has.
JOSTLE_HD inline int cone_equations(const Block& block) {
  return block.normals() + (block.tangents < 2 ? block.tangents : 2);
}

}  // namespace jostle

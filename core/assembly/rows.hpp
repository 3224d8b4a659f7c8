#pragma once
// Sparse rows times vectors over the bodies, from the lower body to the higher; other bodies would add zero.
#include "core/assembly/mixed_lcp.hpp"
#include "core/math/six.hpp"

namespace jostle {

/// start + row . v; v[body] holds the six components of a body.
template <class Velocities>
JOSTLE_HD double add_product(double start, const ConstraintRow& row, const Velocities& v) {
  double sum = start;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    sum += dot(six(row.entry[side]), six(v[row.body[side]]));
  return sum;
}

/// Which half of a row belongs to a body; -1 if none does.
JOSTLE_HD inline int side_of(const ConstraintRow& row, int body) {
  return row.body[0] == body ? 0 : row.body[1] == body ? 1 : -1;
}

}  // namespace jostle

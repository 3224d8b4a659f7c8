#pragma once
// Sparse rows times vectors over the bodies, from the lower body to the higher; other bodies would add zero.
#include "core/math/six.hpp"
#include "core/problem/mixed_lcp.hpp"

namespace jostle {

/// start + row . v; v[body] holds the six components of a body.
template <class Velocities>
JOSTLE_HD double add_product(double start, const ConstraintRow& row, const Velocities& v) {
  double sum = start;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side)
    sum += dot(six(row.entry[side]), six(v[row.body[side]]));
  return sum;
}

/// Which half of a row, or of the rows of a joint, belongs to a body; -1 if none does.
JOSTLE_HD int side_of(const auto& row, int body) { return row.body[0] == body ? 0 : row.body[1] == body ? 1 : -1; }

namespace detail {

/// J_r A^-1 J_s' for a diagonal A^-1, `response` being the halves of A^-1 J_s'.
JOSTLE_HD inline double shared_product(const ConstraintRow& row, const ConstraintRow& other,
                                       const Vec6 (&response)[2]) {
  double sum = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    const int shared = side_of(other, row.body[side]);
    if (shared < 0) continue;
    for (int k = 0; k < 6; ++k) sum += row.entry[side][k] * response[shared][k];
  }
  return sum;
}

}  // namespace detail

}  // namespace jostle

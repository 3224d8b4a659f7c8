#pragma once
// Sparse rows times vectors over the bodies. Every sum takes the entries in the order of the rows, from the lower body
// to the higher; other bodies would add zero.
#include "core/assembly/mixed_lcp.hpp"

namespace jostle {

/// start + row . v; v[body][k] is a component.
template <class Velocities>
JOSTLE_HD double add_product(double start, const ConstraintRow& row, const Velocities& v) {
  double sum = start;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    const auto& own = v[row.body[side]];
    for (int k = 0; k < 6; ++k) sum += row.entry[side][k] * own[k];
  }
  return sum;
}

/// Which half of a row belongs to a body; -1 if none does.
JOSTLE_HD inline int side_of(const ConstraintRow& row, int body) {
  return row.body[0] == body ? 0 : row.body[1] == body ? 1 : -1;
}

}  // namespace jostle

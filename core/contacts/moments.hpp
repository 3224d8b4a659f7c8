#pragma once
// Spin and rolling friction of contacts, docs/theory.md (7b), (7c): moments bounded by the normal impulse.
//
// Rolling along d_i is a turning about the axis n x d_i, in the plane of a planar scene about its normal. The rows of
// rolling friction are these axes of the first half of the directions, so that all that is known of polygons of
// friction holds for it.
#include "core/assembly/tangents.hpp"
#include "core/contacts/numbered_contacts.hpp"

namespace jostle {

/// n x d_i, a unit vector in the world. Directions are those of theory.md (6), also where friction has an axis.
JOSTLE_HD inline Vec3 rolling_axis(const ModelView& model, const Contact& contact, int i) {
  Contact unit = contact;
  set_tangents(model, unit);
  return cross(unit.normal, world_direction(model, unit, i));
}

/// The moment of the spin friction of contact c about n on b, N m s.
JOSTLE_HD inline double spin_impulse(AnyWorkspace auto work, int c) {
  const int spin = work.block(c).partner;
  return spin < 0 ? 0.0 : work.row_impulse(work.block(spin).tangent);
}

/// The moment of the rolling friction of contact c on b, N m s, world.
JOSTLE_HD inline Vec3 rolling_impulse(const ModelView& model, AnyWorkspace auto work, int c) {
  Vec3 sum = Vec3::Zero();
  const int rolls = work.block(c).roller;
  if (rolls < 0) return sum;
  const Block& block = work.block(rolls);
  for (int i = 0; i < block.tangents; ++i)
    sum += work.row_impulse(block.tangent + i) * rolling_axis(model, work.contact(c), i);
  return sum;
}

}  // namespace jostle

#pragma once
// How the rows of contacts, joints and springs act on bodies.
#include "core/model/system.hpp"

namespace jostle {

/// (d; R' moment) for the freedoms of a body, or the negative. `d` and `moment` are in world axes; R is `axes`, in
/// which the new spin will be.
JOSTLE_HD inline void write_half(const BodyModel& model, const Mat3& axes, double sign, const Vec3& d,
                                 const Vec3& moment, Vec6& half) {
  const Vec3 turn = rotate_back(axes, moment);
  if (model.freedoms == all_freedoms) {
    for (int k = 0; k < 3; ++k) half[k] = 0.0 + sign * d[k], half[3 + k] = 0.0 + sign * turn[k];
    return;
  }
  for (int k = 0; k < 6; ++k) {
    const double value = k < 3 ? d[k] : turn[k - 3];
    half[k] = model.is_free(k) ? 0.0 + sign * value : 0.0;  // never -0
  }
}

/// The half of a row that belongs to a body, if it is not fixed, with R of poses[body].
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline void write_half_row(const System& system, const auto& poses, int body,
                                                            double sign, const Vec3& d, const Vec3& moment,
                                                            Vec6& half) {
  const BodyModel& model = system.model.bodies[body];
  if (model.fixed) return;
  write_half(model, poses[body].axes, sign, d, moment, half);
}

/// The number of a body among the movers; no_body of one that is none, and of the world.
JOSTLE_HD inline int mover_of(const ModelView& model, int body) {
  return body == world_body ? no_body : model.bodies[body].mover;
}

/// The movers of a row between a and b, the lower first; returns which half is a's.
JOSTLE_HD inline int write_bodies(int mover_a, int mover_b, ConstraintRow& row) {
  const auto rank = [](int mover) { return static_cast<unsigned>(mover); };  // no_body comes last
  const int at_a = rank(mover_a) < rank(mover_b) ? 0 : 1;
  row.body[at_a] = mover_a;
  row.body[1 - at_a] = mover_b;
  return at_a;
}

}  // namespace jostle

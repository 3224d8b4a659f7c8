#pragma once
// Positions: q (+) h v adds positions and turns every body exactly about its new angular velocity, docs/theory.md (3).
#include "core/model/system.hpp"

namespace jostle {

/// The velocity component of a body, 0..2 linear, 3..5 angular, out of the generalised velocity.
struct BodyVelocity {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();  ///< body axes
};

JOSTLE_HD inline BodyVelocity body_velocity(const ModelView& model, const double* velocity, int body) {
  BodyVelocity result;
  for (int k = 0; k < model.dimensions.freedoms; ++k) {
    const FreedomModel& freedom = model.freedoms[k];
    if (freedom.body != body) continue;
    (freedom.component < 3 ? result.linear : result.angular)[freedom.component % 3] = velocity[k];
  }
  return result;
}

/// pose (+) h v. A planar angle advances by exactly h w and is not wrapped.
JOSTLE_HD inline Pose moved(const ModelView& model, int body, const Pose& pose, double h, const double* velocity) {
  const BodyModel& b = model.bodies[body];
  if (b.fixed) return pose;
  const BodyVelocity v = body_velocity(model, velocity, body);
  Pose next = pose;
  next.position = pose.position + h * v.linear;
  if (b.rotation == RotationKind::locked) return next;
  if (b.rotation == RotationKind::free) {
    next.orientation = normalised(pose.orientation * exponential_map(h * v.angular));
    next.axes = rotation_matrix(next.orientation);
    return next;
  }
  const int axis = static_cast<int>(b.rotation);
  next.angle = pose.angle + h * v.angular[axis];
  next.orientation = planar_quaternion(axis, next.angle);
  next.axes = planar_rotation_matrix(axis, next.angle);
  return next;
}

/// Moves all bodies from work.pose for h and places all shapes there. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void move_bodies(const Team& team, const System& system, const Workspace& work, double h,
                                          const double* velocity, Pose* poses, PlacedShape* placed) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.bodies, [&](int b) { poses[b] = moved(model, b, work.pose[b], h, velocity); });
  team.sync();
  team.for_each(model.dimensions.shapes,
                [&](int s) { placed[s] = place_shape(system, s, poses[model.shapes[s].body]); });
  team.sync();
}

}  // namespace jostle

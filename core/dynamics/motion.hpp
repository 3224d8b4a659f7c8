#pragma once
// Positions: q (+) h v adds positions and turns every body exactly about its new angular velocity, docs/theory.md (3).
#include "core/model/system.hpp"

namespace jostle {

/// The poses at q_l. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load_poses(const Team& team, const System& system, AnyWorkspace auto work) {
  team.for_each(system.model.dimensions.bodies, [&](int b) { work.pose(b) = pose_of(system, b); });
  team.sync();
}

/// The poses in whose axes the new spins of a piece are.
JOSTLE_HD inline auto turned_poses(const ModelView& model, AnyWorkspace auto work) {
  return facts_of(model.method).turns_at_start ? work.pose() : work.predicted_pose();
}

/// pose (+) h v of a body that can move; for h = 0 with all bits of `pose`. A planar angle advances by exactly h w and
/// is not wrapped.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline Pose moved(const ModelView& model, int body, const Pose& pose, double h,
                                                   const Vec6& velocity) {
  const BodyModel& b = model.bodies[body];
  const Vec3 spin = velocity.angular();
  const bool turns = spin[0] != 0 || spin[1] != 0 || spin[2] != 0;
  const Vec3 speed = velocity.linear();
  if (h == 0 || (!turns && speed[0] == 0 && speed[1] == 0 && speed[2] == 0)) return pose;  // all bits stay
  Pose next = pose;
  next.position = pose.position + h * velocity.linear();
  if (b.rotation == RotationKind::locked || !turns) return next;
  if (b.rotation == RotationKind::free) {
    next.orientation = normalised(pose.orientation * exponential_map(h * velocity.angular()));
    next.axes = rotation_matrix(next.orientation);
    return next;
  }
  const int axis = static_cast<int>(b.rotation);
  next.angle = pose.angle + h * velocity[3 + axis];
  next.orientation = planar_quaternion(axis, next.angle);
  next.axes = planar_rotation_matrix(axis, next.angle);
  return next;
}

/// Places all shapes on bodies with these poses. Ends synced.
template <class Team>
JOSTLE_HD void place_shapes(const Team& team, const System& system, const auto& poses, const auto& placed) {
  team.for_each(system.model.dimensions.shapes, [&](int s) { placed[s] = place_at(system, s, poses); });
  team.sync();
}

/// The same, of shapes on fixed bodies as they are in `before`. Ends synced.
template <class Team>
JOSTLE_HD void place_moved_shapes(const Team& team, const System& system, const auto& poses, const auto& before,
                                  const auto& placed) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.shapes, [&](int s) {
    const int body = model.shapes[s].body;
    placed[s] = model.bodies[body].fixed ? before[s] : place_shape(system, s, poses[body]);
  });
  team.sync();
}

/// The velocity of a body of this step that can move: `of_movers`[mover], or the prescribed one.
JOSTLE_HD Vec6 velocity_of(const BodyModel& body, AnyWorkspace auto work, const auto& of_movers) {
  if (body.mover != no_body) return of_movers[body.mover];
  return work.prescribed_velocity(body.prescribed);
}

/// Moves all bodies from work.pose for h. Ends synced.
template <class Team>
JOSTLE_HD void move_poses(const Team& team, const System& system, AnyWorkspace auto work, double h,
                          const auto& velocity, const auto& poses) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.bodies, [&](int b) {
    const BodyModel& body = model.bodies[b];
    poses[b] = body.fixed ? work.pose(b) : moved(model, b, work.pose(b), h, velocity_of(body, work, velocity));
  });
  team.sync();
}

/// The same, and places all shapes there. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void move_bodies(const Team& team, const System& system, AnyWorkspace auto work, double h,
                                          const auto& velocity, const auto& poses, const auto& placed) {
  move_poses(team, system, work, h, velocity, poses);
  place_shapes(team, system, poses, placed);
}

/// q^ = q_l (+) h u and the shapes there.
template <class Team>
JOSTLE_HD void predict(const Team& team, const System& system, AnyWorkspace auto work, double h, const auto& velocity) {
  team.for_each(system.model.dimensions.movers, [&](int m) { work.predicted_velocity(m) = velocity[m]; });
  team.sync();
  move_bodies(team, system, work, h, work.predicted_velocity(), work.predicted_pose(), work.placed());
}

}  // namespace jostle

#pragma once
// The velocities of bodies in the world.
#include "core/dynamics/motion.hpp"
#include "core/model/frame.hpp"

namespace jostle {

/// The velocity of a body at q^, in the world.
struct RigidMotion {
  Vec3 velocity = Vec3::Zero();  ///< of the centre of mass, m/s
  Vec3 spin = Vec3::Zero();      ///< rad/s

  JOSTLE_HD Vec3 velocity_at(const Vec3& arm) const { return velocity + cross(spin, arm); }
  /// Of a point of the body, m/s^2.
  JOSTLE_HD Vec3 centripetal(const Vec3& arm) const { return cross(spin, cross(spin, arm)); }
};

JOSTLE_HD inline RigidMotion motion_of_body(const System& system, AnyWorkspace auto work, int body) {
  if (body == world_body || system.model.bodies[body].fixed) return {};
  const Vec6 own = velocity_of(system.model.bodies[body], work, work.velocity());
  return {own.linear(), rotate(work.predicted_pose(body).axes, own.angular())};
}

}  // namespace jostle

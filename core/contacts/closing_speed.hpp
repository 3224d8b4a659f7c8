#pragma once
// How fast a feature pair opens, and slips.
#include "core/dynamics/motion.hpp"
#include "core/geometry/shape_pair.hpp"

namespace jostle {

/// A contact whose speed of approach is at most this is maintained, m/s.
inline constexpr double rounding_speed = 1e-9;

/// n'v of a feature pair with these velocities of the movers, m/s.
JOSTLE_HD inline double closing_speed(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                      const ContactGeometry& at, const auto& poses, const auto& velocity) {
  const ModelView& model = system.model;
  const auto speed = [&](int shape, const Vec3& point) {
    const int body = model.shapes[shape].body;
    if (model.bodies[body].fixed) return 0.0;
    const Vec6 own = velocity_of(model.bodies[body], work, velocity);
    const Pose& pose = poses[body];
    return dot(at.normal, Vec3(own.linear() + cross(rotate(pose.axes, own.angular()), Vec3(point - pose.position))));
  };
  return speed(pair.shape_b, at.point_b) - speed(pair.shape_a, at.point_a);
}

/// The velocity of b relative to a where a feature pair touches, without its part along the normal, m/s, world.
JOSTLE_HD inline Vec3 slip_velocity(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                    const ContactGeometry& at, const auto& poses, const auto& velocity) {
  const ModelView& model = system.model;
  const auto velocity_at = [&](int shape, const Vec3& point) {
    const int body = model.shapes[shape].body;
    if (model.bodies[body].fixed) return Vec3(0, 0, 0);
    const Vec6 own = velocity_of(model.bodies[body], work, velocity);
    const Pose& pose = poses[body];
    return Vec3(own.linear() + cross(rotate(pose.axes, own.angular()), Vec3(point - pose.position)));
  };
  const Vec3 relative = velocity_at(pair.shape_b, at.point_b) - velocity_at(pair.shape_a, at.point_a);
  return relative - dot(at.normal, relative) * at.normal;
}

}  // namespace jostle

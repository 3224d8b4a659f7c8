#pragma once
// How fast a feature pair opens, and slips.
#include "core/dynamics/motion.hpp"
#include "core/geometry/shape_pair.hpp"

namespace jostle {

/// A contact whose speed of approach is at most this is maintained, m/s.
inline constexpr double rounding_speed = 1e-9;

/// A feature pair with its bodies at poses[body].
JOSTLE_HD inline ContactGeometry geometry_at(const System& system, const PairModel& pair, int feature,
                                             const auto& poses) {
  return contact_geometry(place_at(system, pair.shape_a, poses), place_at(system, pair.shape_b, poses), feature);
}

/// Of the point of a shape that is at `point` (m, world), with these velocities of the movers, m/s, world.
JOSTLE_HD inline Vec3 velocity_at_point(const System& system, AnyWorkspace auto work, int shape, const Vec3& point,
                                        const auto& poses, const auto& velocity) {
  const int body = system.model.shapes[shape].body;
  if (system.model.bodies[body].fixed) return Vec3(0, 0, 0);
  const Vec6 own = velocity_of(system.model.bodies[body], work, velocity);
  const Pose& pose = poses[body];
  return own.linear() + cross(rotate(pose.axes, own.angular()), Vec3(point - pose.position));
}

/// n'v of a feature pair, m/s.
JOSTLE_HD inline double closing_speed(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                      const ContactGeometry& at, const auto& poses, const auto& velocity) {
  const Vec3 a = velocity_at_point(system, work, pair.shape_a, at.point_a, poses, velocity);
  const Vec3 b = velocity_at_point(system, work, pair.shape_b, at.point_b, poses, velocity);
  return dot(at.normal, b) - dot(at.normal, a);
}

/// The velocity of b relative to a where a feature pair touches, without its part along the normal, m/s, world.
JOSTLE_HD inline Vec3 slip_velocity(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                    const ContactGeometry& at, const auto& poses, const auto& velocity) {
  const Vec3 relative = velocity_at_point(system, work, pair.shape_b, at.point_b, poses, velocity) -
                        velocity_at_point(system, work, pair.shape_a, at.point_a, poses, velocity);
  return relative - dot(at.normal, relative) * at.normal;
}

/// The poses s after q^, with the velocities of the start.
template <AnyWorkspace Work>
struct PosesAhead {
  const System& system;
  Work work;
  double s;
  JOSTLE_HD JOSTLE_OUTLINE Pose operator[](int body) const {
    const BodyModel& own = system.model.bodies[body];
    const Pose pose = work.predicted_pose(body);
    return own.fixed ? pose : moved(system.model, body, pose, s, velocity_of(own, work, work.velocity()));
  }
};

namespace detail {

/// m/s: how much faster a feature pair opens after the time s, with the same velocities: its normal and its arms turn.
JOSTLE_HD JOSTLE_OUTLINE inline double turning_of_pair(const System& system, AnyWorkspace auto work,
                                                       const PairModel& pair, int feature, double opening, double s) {
  const PosesAhead<decltype(work)> poses{system, work, s};
  const ContactGeometry at = geometry_at(system, pair, feature, poses);
  return closing_speed(system, work, pair, at, poses, work.velocity()) - opening;
}
/// ... in a step.
JOSTLE_HD inline double turning_in_step(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                        int feature) {
  const double opening = turning_of_pair(system, work, pair, feature, 0, 0);
  return turning_of_pair(system, work, pair, feature, opening, system.model.step);
}

}  // namespace detail

}  // namespace jostle

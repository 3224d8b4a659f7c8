#pragma once
// Limits of joints: which are approached where a piece begins, which are reached on the way, which are left.
#include "core/contacts/at_start.hpp"
#include "core/dynamics/rigid_motion.hpp"
#include "core/events/first_contact.hpp"
#include "core/joints/joint_rows.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// How fast a function of the poses changes.
JOSTLE_HD inline double rate_of(const JointFunction& f, const RigidMotion& a, const RigidMotion& b) {
  return dot(f.direction, Vec3(b.velocity - a.velocity)) + dot(f.moment_b, b.spin) - dot(f.moment_a, a.spin);
}

/// The speed of the coordinate of joint j at q^, rad/s or m/s.
JOSTLE_HD inline double coordinate_speed(const System& system, AnyWorkspace auto work, int j) {
  const JointModel& joint = system.model.joints[j];
  return rate_of(joint_coordinate(joint, place_joint(system, j, work.predicted_pose())),
                 motion_of_body(system, work, joint.body_a), motion_of_body(system, work, joint.body_b));
}

/// The sign of the coordinate in the gap of a limit.
JOSTLE_HD inline double sign_of(int limit) { return limit == upper_limit ? -1 : 1; }

/// How far the speed of a joint is from one of its limits; negative beyond it.
JOSTLE_HD inline double speed_margin(const System& system, int j, int limit, double speed) {
  return sign_of(limit) * (speed - speed_at_limit(system, j, limit));
}

/// The collision of joint j with a limit.
JOSTLE_HD inline Collision collision_with_limit(double time, int j, int limit) {
  return {time, -1, 2 * j + (limit == upper_limit ? 1 : 0)};
}

namespace detail {

/// The poses of a way at one time, as an array.
template <class Way>
struct PosesAt {
  const Way& way;
  double s;
  JOSTLE_HD Pose operator[](int body) const { return way(body, s); }
};

/// The first collision of a joint with one of its limits.
JOSTLE_HD JOSTLE_OUTLINE Collision first_collision_of_joint(const System& system, AnyWorkspace auto work, int j,
                                                            const auto& way, double end) {
  Collision first;
  const int reached = exceeded_limits(system, j, work.next_pose(), 0) & ~work.listed_limits(j);
  for (const int limit : {lower_limit, upper_limit}) {
    if ((reached & limit) == 0) continue;
    const auto gap = [&](double s) {
      return limit_gap(system, j, limit, joint_position_at(system, j, PosesAt<decltype(way)>{way, s}));
    };
    const double time = first_closing(end, gap, [](double) { return true; });
    if (time < first.time) first = collision_with_limit(time, j, limit);
  }
  return first;
}

/// A limit of joint j that is reached, carried no impulse unless velocities have `jumped`, and is approached faster
/// than `speed`, where the bodies are; or one of its speed that is exceeded by so much.
JOSTLE_HD inline Collision approach_of_joint(const System& system, AnyWorkspace auto work, int j, double speed,
                                             bool jumped) {
  Collision found;
  const int reached = work.listed_limits(j) & ~(jumped ? 0 : system.state().active_limits[j]);
  for (const int limit : {lower_limit, upper_limit}) {
    if ((reached & limit) != 0 && sign_of(limit) * coordinate_speed(system, work, j) < -speed)
      found = collision_with_limit(0, j, limit);
    if ((work.listed_limits(j) & speed_limit * limit) != 0 &&
        speed_margin(system, j, limit, coordinate_speed(system, work, j)) < -speed)
      found = {0, no_pair, 0};
  }
  return found;
}

}  // namespace detail

/// The gap of a limit where the bodies are, rad or m.
JOSTLE_HD inline double gap_of_limit(const System& system, AnyWorkspace auto work, int j, int limit) {
  return limit_gap(system, j, limit, joint_position_at(system, j, work.predicted_pose()));
}

/// Adds the limits to the list that are reached within `time` (s), as the joints move where the bodies are. Begins and
/// ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void list_limits_within(const Team& team, const System& system, AnyWorkspace auto work,
                                                 double time) {
  if (system.model.dimensions.joint_limits == 0) return;
  team.for_each(system.model.dimensions.joints, [&](int j) {
    if (!system.model.joints[j].has_limits) return;
    const double speed = coordinate_speed(system, work, j);
    for (const int limit : {lower_limit, upper_limit}) {
      const double way = -sign_of(limit) * speed * time;
      if (way > 0 && gap_of_limit(system, work, j, limit) <= way + active_gap_of(system.model))
        work.listed_limits(j) |= limit;
    }
  });
  team.sync();
}

/// Takes limits off the list that separate faster than `speed` (rad/s or m/s), if they are left within h. Ends synced.
template <class Team>
JOSTLE_HD void drop_separating_limits(const Team& team, const System& system, AnyWorkspace auto work, double speed,
                                      double h) {
  team.for_each(system.model.dimensions.joints, [&](int j) {
    for (const int limit : {lower_limit, upper_limit}) {
      if ((work.listed_limits(j) & limit) == 0) continue;
      const double opening = sign_of(limit) * coordinate_speed(system, work, j);
      const double gap = gap_of_limit(system, work, j, limit);
      if (opening > speed && gap + h * opening > 0) work.listed_limits(j) &= ~limit;
    }
  });
  team.sync();
}

}  // namespace jostle

#pragma once
// Collisions: feature pairs and limits of joints that are not in the step and close on the path of the bodies,
// docs/theory.md, "Impacts".
#include "core/dynamics/springs.hpp"
#include "core/events/limits.hpp"
#include "core/events/pair_collision.hpp"

namespace jostle {

namespace detail {

/// m/s: what a jump of told velocities since the end of the last step, or piece, adds to the speed of a feature pair.
JOSTLE_HD inline double speed_of_jump(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                      const ContactGeometry& at) {
  const auto speed = [&](int shape, const Vec3& point) {
    const int body = system.model.shapes[shape].body, number = system.model.bodies[body].prescribed;
    if (number < 0) return 0.0;
    const Vec6 before = StatePrescribed{system}[number], now = work.prescribed_velocity(number);
    const Vec3 linear = now.linear() - before.linear(), angular = now.angular() - before.angular();
    const Pose& pose = work.predicted_pose(body);
    return dot(at.normal, Vec3(linear + cross(rotate(pose.axes, angular), Vec3(point - pose.position))));
  };
  return speed(pair.shape_b, at.point_b) - speed(pair.shape_a, at.point_a);
}

/// A contact of pair p that is listed and closes faster than `speed`, where the bodies are; if it carried an impulse,
/// only after a jump of a told velocity, or where velocities have `jumped`.
JOSTLE_HD inline Collision approach_of_pair(const System& system, AnyWorkspace auto work, int p, double speed,
                                            bool jumped) {
  const PairModel& pair = system.model.pairs[p];
  const bool may_jump = jumped || system.model.dimensions.prescribed > 0;
  Collision found;
  for_each_listed(system, work, p, [&](int feature) {
    const bool is_active = contains(system, work, system.state().active, p, feature);
    if (found.pair >= 0 || (is_active && !may_jump) || is_filtered_out(system, work, p, feature)) return;
    const ContactGeometry at = contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), feature);
    if (is_active && !jumped && !(speed_of_jump(system, work, pair, at) < -speed)) return;
    if (closing_speed(system, work, pair, at, work.predicted_pose(), work.velocity()) < -speed) found = {0, p, feature};
  });
  return found;
}

/// The earlier one; of simultaneous ones that of the lower number.
struct IsEarlier {
  JOSTLE_HD bool operator()(const Collision& a, const Collision& b) const {
    if (a.time != b.time) return a.time < b.time;
    return a.pair != b.pair ? a.pair < b.pair : a.feature < b.feature;
  }
};

}  // namespace detail

/// A contact or a limit that is reached at the start of a step and closes faster than `speed` (m/s or rad/s), at time
/// 0. `jumped`: velocities have, so also those that carried an impulse. Begins with a sync().
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE Collision first_approach(const Team& team, const System& system, AnyWorkspace auto work,
                                                  double speed, bool jumped) {
  const int pairs = system.model.dimensions.pairs,
            joints = decltype(work)::is_coupled ? system.model.dimensions.joints : 0;
  if (pairs + joints == 0) return {};
  return team.select(
      pairs + joints,
      [&](int i) {
        if constexpr (decltype(work)::is_coupled) {
          if (i >= pairs) return detail::approach_of_joint(system, work, i - pairs, speed, jumped);
        }
        return detail::approach_of_pair(system, work, i, speed, jumped);
      },
      detail::IsEarlier{});
}

/// m/s or rad/s: how fast a contact, or a limit of a joint, separates where it collides. Above 0 it has not come back:
/// the gap is so small that its sign is a rounding error.
JOSTLE_HD inline double speed_of_hop(const System& system, AnyWorkspace auto work, const Collision& collision) {
  if constexpr (decltype(work)::is_coupled) {
    const int limit = collision.feature % 2 != 0 ? upper_limit : lower_limit;
    if (collision.pair == -1) return sign_of(limit) * coordinate_speed(system, work, collision.feature / 2);
  }
  if (collision.pair < 0) return 0;
  const PairModel& pair = system.model.pairs[collision.pair];
  const ContactGeometry at = contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), collision.feature);
  return closing_speed(system, work, pair, at, work.predicted_pose(), work.velocity());
}

/// Takes contacts that separate faster than `speed` (m/s) off the list, if their overlap opens within h: they fly, and
/// may come back within the step. Those that carried an impulse stay if they separate no faster than their normal turns
/// within `turning` (s), as all that rolls on a curved surface, or on an edge, is held along the normal of a time
/// before. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void drop_separating(const Team& team, const System& system, AnyWorkspace auto work,
                                              double speed, double h, double turning = 0) {
  team.for_each(system.model.dimensions.pages, [&](int i) {
    const PageModel& page = system.model.pages[i];
    const PairModel& pair = system.model.pairs[page.pair];
    const FeatureSet listed = work.listed(i);
    FeatureSet stay;
    listed.for_each([&](int own) {
      const int feature = first_of_page(system, work, i) + own;
      const ContactGeometry at = contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), feature);
      const double opening = closing_speed(system, work, pair, at, work.predicted_pose(), work.velocity());
      const bool opens = opening > speed && at.gap + h * opening > 0;
      const bool is_open = is_open_but_held(system, page.pair, at.gap);
      const bool may_stay = opens && turning > 0 && (is_open || system.state().active[i].contains(own));
      const auto is_slow = [&] {
        if (is_open) return true;
        const bool restores = system.parameters().restitution[page.pair] > 0 && !has_adhesion(system, page.pair);
        if (!restores && opening < system.parameters().impact_threshold()) return true;
        return !(opening > speed + detail::turning_of_pair(system, work, pair, feature, opening, turning));
      };
      if (!opens || (may_stay && is_slow())) stay.insert(own);
    });
    work.listed(i) = stay;
  });
  team.sync();
}

/// The first collision on a way of length `end` (s) whose end is work.next_pose() and work.next_placed().
/// Listed contacts that separate faster than `opening` (m/s) may leave each other and come back. A pair that has just
/// met without features that approach does not meet again at once. Begins with a sync().
template <class Team, AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE Collision first_collision(const Team& team, const System& system, Work work,
                                                   const Way<Work>& way, double end, double opening = infinity()) {
  const int pairs = system.model.dimensions.pairs, joints = Work::is_coupled ? system.model.dimensions.joints : 0;
  if (pairs + joints == 0) return {};
  return team.select(
      pairs + joints,
      [&](int i) {
        if constexpr (Work::is_coupled) {
          if (i >= pairs) return detail::first_collision_of_joint(system, work, i - pairs, way, end);
        }
        const Collision found = detail::first_collision_of_pair(system, work, i, way, end, opening);
        return i == way.progress.idle_pair && found.time < end / path_points ? Collision{} : found;
      },
      detail::IsEarlier{});
}

}  // namespace jostle

#pragma once
// Collisions: feature pairs and limits of joints that are not in the step and close on the path of the bodies,
// docs/theory.md, "Impacts". A path is a function object: path(body, s) is the pose of a body s after the start.
#include "core/contacts/candidate_contacts.hpp"
#include "core/joints/joint_rows.hpp"
#include "core/math/root.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// Contacts nearer than this are in the step, m; limits of joints too, rad or m.
JOSTLE_HD inline double active_gap_of(const ModelView& model) {
  const double by_step = model.active_gap_h3 * (model.step * model.step * model.step);
  return model.active_gap > by_step ? model.active_gap : by_step;
}

/// A path is searched for sign changes of a gap at so many points.
inline constexpr int path_points = 64;

namespace detail {

/// Hops that are shorter than 2^-most_hop_halvings of the distance of two points are not seen.
inline constexpr int most_hop_halvings = 30;

/// The first time in (0, end] at which gap(s) goes from positive to negative, and is_real(s); infinity if there is
/// none.
JOSTLE_HD double first_closing(double end, auto gap_of, auto is_real) {
  const auto gap = [&](double s) { return outlined(gap_of, s); };
  double before = 0, gap_before = gap(0.0);
  if (gap_before <= 0) {  // it may open at once, and close again soon
    before = end / path_points, gap_before = gap(before);
    for (int i = 0; i < most_hop_halvings && !(gap_before > 0); ++i) before *= 0.5, gap_before = gap(before);
  }
  for (int i = 1; i <= path_points; ++i) {
    const double s = i == path_points ? end : end * i / path_points, value = gap(s);
    if (s <= before) continue;
    if (gap_before > 0 && value < 0) {
      const double root = root_between(gap, before, gap_before, s, value);
      if (is_real(root)) return root;
    }
    before = s, gap_before = value;
  }
  return infinity();
}

/// n'v of a feature pair with these velocities of the movers.
JOSTLE_HD inline double closing_speed(const System& system, const AnyWorkspace auto& work, const PairModel& pair,
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

/// What a gap is measured from if it starts at `start`: contacts that separate too slowly to open would never close
/// again if that were 0.
JOSTLE_HD inline double closed_at(double start) { return start < 0 ? start : 0.0; }

/// The first collision of pair p on a path that ends at work.next_pose().
JOSTLE_HD Collision first_collision_of_pair(const System& system, const AnyWorkspace auto& work, int p,
                                            const auto& path, double end, bool from_start) {
  const PairModel& pair = system.model.pairs[p];
  const auto placed = [&](int shape, double s) {
    return place_shape(system, shape, path(system.model.shapes[shape].body, s));
  };
  FeatureSet closing = close_features(work.next_placed(pair.shape_a), work.next_placed(pair.shape_b), 0);
  for (int w = 0; w < max_features / 64; ++w) closing.words[w] &= ~work.listed(p).words[w];
  Collision first;
  closing.for_each([&](int feature) {
    double closed = 0;
    const auto gap = [&](double s) {
      return contact_geometry(placed(pair.shape_a, s), placed(pair.shape_b, s), feature).gap - closed;
    };
    if (from_start) closed = closed_at(gap(0.0));
    const auto is_real = [&](double s) {
      // With another margin it might not be in the next piece.
      const double margin = active_gap_of(system.model);
      return close_features(placed(pair.shape_a, s), placed(pair.shape_b, s), margin).contains(feature);
    };
    const double time = first_closing(end, gap, is_real);
    if (time < first.time) first = {time, p, feature};
  });
  return first;
}

/// A contact of pair p that is listed, carried no impulse and closes faster than `speed`, where the bodies are.
JOSTLE_HD inline Collision approach_of_pair(const System& system, const AnyWorkspace auto& work, int p, double speed) {
  const PairModel& pair = system.model.pairs[p];
  Collision found;
  work.listed(p).for_each([&](int feature) {
    if (found.pair >= 0 || system.state().active[p].contains(feature)) return;
    const ContactGeometry at = contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), feature);
    if (closing_speed(system, work, pair, at, work.predicted_pose(), work.velocity()) < -speed) found = {0, p, feature};
  });
  return found;
}

/// The poses of a path at one time, as an array.
template <class Path>
struct PosesAt {
  const Path& path;
  double s;
  JOSTLE_HD Pose operator[](int body) const { return path(body, s); }
};

/// The first collision of a joint with one of its limits.
JOSTLE_HD Collision first_collision_of_joint(const System& system, const AnyWorkspace auto& work, int j,
                                             const auto& path, double end, bool from_start) {
  Collision first;
  const int reached = exceeded_limits(system, j, work.next_pose(), 0) & ~work.listed_limits(j);
  for (const int limit : {lower_limit, upper_limit}) {
    if ((reached & limit) == 0) continue;
    double closed = 0;
    const auto gap = [&](double s) {
      return limit_gap(system, j, limit, joint_position_at(system, j, PosesAt<decltype(path)>{path, s})) - closed;
    };
    if (from_start) closed = closed_at(gap(0.0));
    const double time = first_closing(end, gap, [](double) { return true; });
    if (time < first.time) first = {time, -1, 2 * j + (limit == upper_limit ? 1 : 0)};
  }
  return first;
}

/// The earlier one; of simultaneous ones that of the lower number.
struct IsEarlier {
  JOSTLE_HD bool operator()(const Collision& a, const Collision& b) const {
    if (a.time != b.time) return a.time < b.time;
    return a.pair != b.pair ? a.pair < b.pair : a.feature < b.feature;
  }
};

}  // namespace detail

/// A contact that touches at the start of a step and closes faster than `speed` (m/s), at time 0. Begins with a sync().
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE Collision first_approach(const Team& team, const System& system, const AnyWorkspace auto& work,
                                                  double speed) {
  if (system.model.dimensions.pairs == 0) return {};
  return team.select(
      system.model.dimensions.pairs, [&](int p) { return detail::approach_of_pair(system, work, p, speed); },
      detail::IsEarlier{});
}

/// m/s: how fast a contact separates where it collides. Above 0 it has not come back: the gap is so small that its sign
/// is a rounding error. 0 for a limit of a joint.
JOSTLE_HD inline double speed_of_hop(const System& system, const AnyWorkspace auto& work, const Collision& collision) {
  if (collision.pair < 0) return 0;
  const PairModel& pair = system.model.pairs[collision.pair];
  const ContactGeometry at = contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), collision.feature);
  return detail::closing_speed(system, work, pair, at, work.predicted_pose(), work.velocity());
}

/// Takes contacts that separate faster than `speed` (m/s) off the list: they fly, and may come back within the step.
/// Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void drop_separating(const Team& team, const System& system, const AnyWorkspace auto& work,
                                              double speed) {
  team.for_each(system.model.dimensions.pairs, [&](int p) {
    const PairModel& pair = system.model.pairs[p];
    const FeatureSet listed = work.listed(p);
    FeatureSet stay;
    listed.for_each([&](int feature) {
      const ContactGeometry at = contact_geometry(work.placed(pair.shape_a), work.placed(pair.shape_b), feature);
      if (!(detail::closing_speed(system, work, pair, at, work.predicted_pose(), work.velocity()) > speed))
        stay.insert(feature);
    });
    work.listed(p) = stay;
  });
  team.sync();
}

/// The first collision on a path of length `end` (s) whose end is work.next_pose() and work.next_placed();
/// `from_start`: closed_at(). Begins with a sync().
template <bool IsCoupled, class Team>
JOSTLE_HD JOSTLE_OUTLINE Collision first_collision(const Team& team, const System& system,
                                                   const AnyWorkspace auto& work, const auto& path, double end,
                                                   bool from_start = false) {
  const int pairs = system.model.dimensions.pairs, joints = IsCoupled ? system.model.dimensions.joints : 0;
  if (pairs + joints == 0) return {};
  return team.select(
      pairs + joints,
      [&](int i) {
        if constexpr (IsCoupled) {
          if (i >= pairs) return detail::first_collision_of_joint(system, work, i - pairs, path, end, from_start);
        }
        return detail::first_collision_of_pair(system, work, i, path, end, from_start);
      },
      detail::IsEarlier{});
}

}  // namespace jostle

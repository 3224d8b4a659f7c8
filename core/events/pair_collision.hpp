#pragma once
// The first collision of a pair of shapes on the way of their bodies. Shapes that do not touch are followed by their
// distance (first_contact.hpp), whichever features meet. Where they touch already, features close that are not in the
// step; they are followed by their gaps or, if they were not the nearest all the time, by the distance again.
#include "core/contacts/candidate_contacts.hpp"
#include "core/contacts/closing_speed.hpp"
#include "core/events/first_contact.hpp"
#include "core/events/way.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// Contacts nearer than this are in the step, m; limits of joints too, rad or m.
JOSTLE_HD inline double active_gap_of(const ModelView& model) {
  const double by_step = model.active_gap_h3 * (model.step * model.step * model.step);
  return model.active_gap > by_step ? model.active_gap : by_step;
}

/// A contact whose speed of approach is at most this is maintained, m/s.
inline constexpr double rounding_speed = 1e-9;

/// Where shapes touch but no feature pair is that near, the margin is widened so often.
inline constexpr int most_widenings = 8;

namespace detail {

/// The feature pair of a collision: of those that touch, are not `held` and are no deeper than the shapes, the one with
/// the least gap; -1 if there is none.
JOSTLE_HD inline int touching_feature(const PlacedShape& a, const PlacedShape& b, const FeatureSet& held,
                                      double margin) {
  const FeatureSet touching = close_features(a, b, margin).without(held);
  if (touching.empty()) return -1;
  const double apart = signed_distance(a, b), deepest = (apart < 0 ? apart : 0.0) - margin;
  int nearest = -1;
  double least = infinity();
  touching.for_each([&](int feature) {
    const double gap = contact_geometry(a, b, feature).gap;
    if (gap >= deepest && gap < least) least = gap, nearest = feature;
  });
  return nearest;
}

/// The shapes of a pair on the way.
template <class Way>
struct PairOnWay {
  const System& system;
  const Way& way;
  int p;
  JOSTLE_HD PlacedShape placed(int shape, double s) const {
    return place_shape(system, shape, way(system.model.shapes[shape].body, s));
  }
  JOSTLE_HD PlacedShape a(double s) const { return placed(system.model.pairs[p].shape_a, s); }
  JOSTLE_HD PlacedShape b(double s) const { return placed(system.model.pairs[p].shape_b, s); }
};

/// Where a pair touches first on its way, and a feature pair that touches there and is not `held`; `rate`:
/// most_closing_speed(). `level`(a, b): what distances count from, m. `touching`: the gap up to which features touch,
/// m.
JOSTLE_HD Collision first_touch(const System& system, double touching, int p, const FeatureSet& held, const auto& way,
                                double end, double rate, auto level) {
  const PairOnWay<std::remove_cvref_t<decltype(way)>> on{system, way, p};
  const auto distance = [&](double s) {
    const PlacedShape a = on.a(s), b = on.b(s);
    return signed_distance(a, b) - level(a, b);
  };
  const auto apart = [&](double s, double far) {
    const PlacedShape a = on.a(s), b = on.b(s);
    return distance_or_more(a, b, far) - level(a, b);
  };
  const double time = first_zero(end, rate, distance, apart);
  if (!(time <= end)) return {};
  const PlacedShape a = on.a(time), b = on.b(time);
  for (int i = 0; i < most_widenings; ++i, touching *= 8) {
    const int feature = touching_feature(a, b, held, touching);
    if (feature >= 0) return {time, p, feature};
  }
  return {};
}

/// The first of these feature pairs of pair p that closes; `are_seen`: whether all of them do.
JOSTLE_HD Collision first_closing_of(const System& system, int p, const FeatureSet& closing, const auto& way,
                                     double end, bool& are_seen) {
  const PairOnWay<std::remove_cvref_t<decltype(way)>> on{system, way, p};
  Collision first;
  are_seen = true;
  closing.for_each([&](int feature) {
    const auto gap = [&](double s) { return contact_geometry(on.a(s), on.b(s), feature).gap; };
    const auto is_real = [&](double s) {
      // With another margin it might not be in the next piece.
      if (!close_features(on.a(s), on.b(s), active_gap_of(system.model)).contains(feature)) return false;
      // The gap of a rim that comes over an edge falls to 0 and stays there.
      return gap(s + end / path_points) < gap(s) - gap_rounding;
    };
    const double time = first_closing(end, gap, is_real);
    are_seen = are_seen && time <= end;
    if (time < first.time) first = {time, p, feature};
  });
  return first;
}

/// The listed contacts of pair p that hold at the start of a way: they touch, and separate no faster than `slowest`
/// (m/s), or not so fast that they open on it.
JOSTLE_HD inline FeatureSet held_contacts(const System& system, AnyWorkspace auto work, int p, double end,
                                          double slowest) {
  const PairModel& pair = system.model.pairs[p];
  const double touching = active_gap_of(system.model);
  const double least = touching / end > rounding_speed ? touching / end : rounding_speed;
  const double opening = slowest > least ? slowest : least;
  const PlacedShape a = place_shape(system, pair.shape_a, work.pose(system.model.shapes[pair.shape_a].body));
  const PlacedShape b = place_shape(system, pair.shape_b, work.pose(system.model.shapes[pair.shape_b].body));
  FeatureSet held;
  work.listed(p).for_each([&](int feature) {
    const ContactGeometry at = contact_geometry(a, b, feature);
    if (at.gap > touching) return;
    const double speed = closing_speed(system, work, pair, at, work.pose(), work.velocity());
    if (!(speed > opening) || at.gap + speed * end <= 0) held.insert(feature);
  });
  return held;
}

/// Where shapes that touch come nearer than their contacts let them, as other features close: by their distance, less
/// the overlap of the contacts that hold.
JOSTLE_HD Collision first_deepening(const System& system, int p, const FeatureSet& held, const auto& way, double end,
                                    double rate) {
  return first_touch(system, active_gap_of(system.model), p, held, way, end, rate,
                     [&](const PlacedShape& a, const PlacedShape& b) {
                       double least = 0;
                       held.for_each([&](int feature) {
                         const double gap = contact_geometry(a, b, feature).gap;
                         if (gap < least) least = gap;
                       });
                       return least - closing_rounding;
                     });
}

/// The first collision of pair p on a way that ends at work.next_pose(). Listed contacts that separate faster than
/// `opening` (m/s) may leave each other and come back.
JOSTLE_HD Collision first_collision_of_pair(const System& system, AnyWorkspace auto work, int p, const auto& way,
                                            double end, double opening) {
  const PairModel& pair = system.model.pairs[p];
  const PlacedShape &next_a = work.next_placed(pair.shape_a), &next_b = work.next_placed(pair.shape_b);
  const bool is_finite_pair = next_b.type != ShapeType::half_space;
  const FeatureSet listed = work.listed(p);
  const FeatureSet held =
      opening < infinity() && !listed.empty() ? held_contacts(system, work, p, end, opening) : listed;
  if (held.empty()) {
    const double rate = most_closing_speed(system, work, pair, way, end);
    if (!(rate > 0) || (is_finite_pair && far_apart(next_a, next_b, rate * end))) return {};
    double level = 0;
    if (!listed.empty()) {  // an open contact that is in the step may just close
      const PairOnWay<std::remove_cvref_t<decltype(way)>> on{system, way, p};
      if (signed_distance(on.a(0), on.b(0)) > active_gap_of(system.model)) level = -closing_rounding;
    }
    return first_touch(system, active_gap_of(system.model), p, held, way, end, rate,
                       [=](const auto&...) { return level; });
  }
  const FeatureSet closing = close_features(next_a, next_b, 0).without(listed);
  if (closing.empty()) return {};
  bool are_seen = true;
  const Collision first = first_closing_of(system, p, closing, way, end, are_seen);
  if (are_seen || !is_finite_pair) return first;
  const double until = first.time < end ? first.time : end, rate = most_closing_speed(system, work, pair, way, end);
  const Collision other = first_deepening(system, p, held, way, until, rate);
  return other.time < first.time ? other : first;
}

}  // namespace detail

}  // namespace jostle

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

/// Where shapes touch but no feature pair is that near, the margin is widened so often.
inline constexpr int most_widenings = 8;

namespace detail {

/// visit(page, first) for the pages of pair p, with the number of a page's first feature pair.
JOSTLE_HD void for_each_page(const System& system, AnyWorkspace auto work, int p, auto visit) {
  const PairModel& pair = system.model.pairs[p];
  for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i) visit(i, first_of_page(system, work, i));
}

/// visit(feature) for the listed contacts of pair p.
JOSTLE_HD void for_each_listed(const System& system, AnyWorkspace auto work, int p, auto visit) {
  for_each_page(system, work, p, [&](int page, int first) { FeatureSet{work.listed(page)}.for_each(first, visit); });
}

/// Whether sets of pages contain a feature pair of pair p.
JOSTLE_HD inline bool contains(const System& system, AnyWorkspace auto work, const FeatureSet* sets, int p,
                               int feature) {
  const int page = page_of(system, work, p, feature);
  return page >= 0 && sets[page].contains(feature % page_features);
}

/// The feature pair of a collision: of those that touch, are not held and are no deeper than the shapes, the one with
/// the least gap; -1 if there is none.
JOSTLE_HD JOSTLE_OUTLINE inline int touching_feature(const System& system, AnyWorkspace auto work, int p,
                                                     const PlacedShape& a, const PlacedShape& b, double margin) {
  int nearest = -1;
  double least = infinity(), deepest = infinity();
  if (system.model.pairs[p].is_searched_whole) find_close_of_pair(system, work, p, a, b, margin);
  for_each_page(system, work, p, [&](int page, int first) {
    const FeatureSet touching = close_on_page(system, work, page, a, b, margin).without(work.held(page));
    if (touching.empty()) return;
    if (deepest == infinity()) {
      const double apart = signed_distance(a, b);
      deepest = (apart < 0 ? apart : 0.0) - margin;
    }
    touching.for_each(first, [&](int feature) {
      const double gap = contact_geometry(a, b, feature).gap;
      if (gap >= deepest && gap < least) least = gap, nearest = feature;
    });
  });
  return nearest;
}

/// The shapes of a pair on the way.
template <AnyWorkspace Work>
struct PairOnWay {
  const System& system;
  const Way<Work>& way;
  int p;
  JOSTLE_HD JOSTLE_OUTLINE PlacedShape placed(int shape, double s) const {
    return place_shape(system, shape, way(system.model.shapes[shape].body, s));
  }
  JOSTLE_HD PlacedShape a(double s) const { return placed(system.model.pairs[p].shape_a, s); }
  JOSTLE_HD PlacedShape b(double s) const { return placed(system.model.pairs[p].shape_b, s); }
};

/// The gap of the deepest contact that is held, m; 0 if none overlaps.
JOSTLE_HD JOSTLE_OUTLINE inline double least_held_gap(const System& system, AnyWorkspace auto work, int p,
                                                      const PlacedShape& a, const PlacedShape& b) {
  double least = 0;
  for_each_page(system, work, p, [&](int page, int first) {
    FeatureSet{work.held(page)}.for_each(first, [&](int feature) {
      const double gap = contact_geometry(a, b, feature).gap;
      if (gap < least) least = gap;
    });
  });
  return least;
}

/// What the distance of two shapes counts from: `level` (m), and the overlap of the contacts that are held or not.
struct DistanceFrom {
  double level;
  bool is_held;
};

/// Where a pair touches first on its way, and a feature pair that touches there and is not held; `rate`:
/// most_closing_speed().
template <AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE Collision first_touch(const System& system, Work work, int p, const Way<Work>& way, double end,
                                               double rate, DistanceFrom from) {
  const PairOnWay<Work> on{system, way, p};
  const auto level = [&](const PlacedShape& a, const PlacedShape& b) {
    return (from.is_held ? least_held_gap(system, work, p, a, b) : 0) + from.level;
  };
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
  double touching = active_gap_of(system.model);
  for (int i = 0; i < most_widenings; ++i, touching *= 8) {
    const int feature = touching_feature(system, work, p, a, b, touching);
    if (feature >= 0) return {time, p, feature};
  }
  return {};
}

/// The first of these feature pairs of pair p that closes; `first_feature`: of `page`, theirs; `are_seen`: whether all
/// of them do.
template <AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE Collision first_closing_of(const System& system, Work work, int p, int page, int first_feature,
                                                    const FeatureSet& closing, const Way<Work>& way, double end,
                                                    bool& are_seen) {
  const PairOnWay<Work> on{system, way, p};
  Collision first;
  closing.for_each(first_feature, [&](int feature) {
    const auto gap = [&](double s) { return contact_geometry(on.a(s), on.b(s), feature).gap; };
    const auto is_real = [&](double s) {
      // With another margin it might not be in the next piece.
      const FeatureSet close = look_for_close(system, work, page, on.a(s), on.b(s), active_gap_of(system.model));
      if (!close.contains(feature - first_feature)) return false;
      // The gap of a rim that comes over an edge falls to 0 and stays there.
      return gap(s + end / path_points) < gap(s) - gap_rounding;
    };
    const double time = first_closing(end, gap, is_real);
    are_seen = are_seen && time <= end;
    if (time < first.time) first = {time, p, feature};
  });
  return first;
}

/// The listed contacts of a page that hold at the start of a way: they touch, and separate no faster than `slowest`
/// (m/s), or not so fast that they open on it.
JOSTLE_HD inline FeatureSet held_contacts(const System& system, AnyWorkspace auto work, int page, double end,
                                          double slowest) {
  const PairModel& pair = system.model.pairs[system.model.pages[page].pair];
  const double touching = active_gap_of(system.model);
  const double least = touching / end > rounding_speed ? touching / end : rounding_speed;
  const double opening = slowest > least ? slowest : least;
  const PlacedShape a = at_start(system, work, pair.shape_a), b = at_start(system, work, pair.shape_b);
  FeatureSet held;
  work.listed(page).for_each([&](int own) {
    const ContactGeometry at = contact_geometry(a, b, first_of_page(system, work, page) + own);
    if (at.gap > touching) return;
    const double speed = closing_speed(system, work, pair, at, work.pose(), work.velocity());
    if (!(speed > opening) || at.gap + speed * end <= 0) held.insert(own);
  });
  return held;
}

/// The first collision of pair p on a way that ends at work.next_pose(). Listed contacts that separate faster than
/// `opening` (m/s) may leave each other and come back.
template <AnyWorkspace Work>
JOSTLE_HD JOSTLE_OUTLINE Collision first_collision_of_pair(const System& system, Work work, int p, const Way<Work>& way,
                                                           double end, double opening) {
  const PairModel& pair = system.model.pairs[p];
  const PlacedShape &next_a = work.next_placed(pair.shape_a), &next_b = work.next_placed(pair.shape_b);
  const bool is_finite_pair = next_b.type != ShapeType::half_space;
  bool is_listed = false, is_held = false;
  for_each_page(system, work, p, [&](int page, int) {
    const FeatureSet listed = work.listed(page);
    work.held(page) =
        opening < infinity() && !listed.empty() ? held_contacts(system, work, page, end, opening) : listed;
    is_listed = is_listed || !listed.empty();
    is_held = is_held || !work.held(page).empty();
  });
  if (!is_held) {
    const double rate = most_closing_speed(system, work, pair, way, end);
    if (!(rate > 0) || (is_finite_pair && far_apart(next_a, next_b, rate * end))) return {};
    double level = 0;
    if (is_listed) {  // an open contact that is in the step may just close
      const PairOnWay<Work> on{system, way, p};
      if (signed_distance(on.a(0), on.b(0)) > active_gap_of(system.model)) level = -closing_rounding;
    }
    return first_touch(system, work, p, way, end, rate, DistanceFrom{level, false});
  }
  Collision first;
  // Whether other pairs lack pages must not decide: their lanes are still looking.
  const bool has_pages = !pair.is_searched_whole || find_close_of_pair(system, work, p, next_a, next_b, 0);
  bool are_seen = has_pages;
  for_each_page(system, work, p, [&](int page, int first_feature) {
    const FeatureSet closing = close_on_page(system, work, page, next_a, next_b, 0).without(work.listed(page));
    const Collision found = first_closing_of(system, work, p, page, first_feature, closing, way, end, are_seen);
    if (found.time < first.time) first = found;
  });
  // Where a surface has dents, features may have closed of which none is a candidate at the end.
  const auto is_dented = [](const PlacedShape& shape) {
    return shape.type == ShapeType::hull && may_be_concave(shape);
  };
  if (are_seen && is_finite_pair && !(first.time <= end) && (is_dented(next_a) || is_dented(next_b))) {
    double least = 0;  // of the contacts in the step
    for_each_listed(system, work, p, [&](int feature) {
      const double gap = contact_geometry(next_a, next_b, feature).gap;
      if (gap < least) least = gap;
    });
    are_seen = signed_distance(next_a, next_b) - least > -least_overlap;
  }
  if (are_seen || (has_pages && !is_finite_pair)) return first;
  const double until = first.time < end ? first.time : end, rate = most_closing_speed(system, work, pair, way, end);
  // Where they come nearer than their contacts let them, as other features close: by their distance, less the overlap
  // of the contacts that hold.
  const Collision other = first_touch(system, work, p, way, until, rate, DistanceFrom{-closing_rounding, true});
  return other.time < first.time ? other : first;
}

}  // namespace detail

}  // namespace jostle

#pragma once
// Which feature pairs are in the LCP of this step.
//
// The list (Stewart & Trinkle 1996, section 4): contacts that carried an impulse in the last step, and those with
// Phi(q^) <= 0. After a solve under stewart_trinkle, feature pairs that were left out and penetrate at the new
// positions are added; none is removed then, so this ends. The other methods take off what has ended (drop_ended).
#include "core/contacts/filter.hpp"
#include "core/contacts/ghosts.hpp"
#include "core/contacts/pages.hpp"

namespace jostle {

/// How far apart two shapes may be for a contact of the last step to be still real, m: what they can close in two
/// steps, plus a thousandth of the smaller one's size.
JOSTLE_HD inline double candidate_margin(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                         double h) {
  const ModelView& model = system.model;
  double speed = 0, size = 0;
  for (const int s : {pair.shape_a, pair.shape_b}) {
    const int number = model.shapes[s].body;
    const BodyModel& body = model.bodies[number];
    const bool is_plane = work.placed(s).type == ShapeType::half_space;
    if (is_plane && body.fixed) continue;
    // The other shape is where a plane is turned against it.
    const PlacedShape& shape = work.placed(is_plane ? pair.shape_a : s);
    const Vec3 arm = shape.position - work.predicted_pose(number).position;
    const double extent = bounding_radius(shape);  // the same however a shape is written
    const double reach = std::sqrt(dot(arm, arm)) + extent;
    if (!body.fixed) {
      const Vec6 velocity = velocity_of(body, work, work.velocity());
      const Vec3 linear = velocity.linear(), angular = velocity.angular();
      speed += std::sqrt(dot(linear, linear)) + reach * std::sqrt(dot(angular, angular));
    }
    size = size == 0 || extent < size ? extent : size;
  }
  return 2 * h * speed + 1e-3 * size;
}

namespace detail {

/// Takes from the pairs of two outlines that are listed at the predicted positions, and did not act in the last step,
/// those that were past each other where the step begins, although the shapes are apart there: a corner that was behind
/// the line of an edge, past its end, and comes down into the solid there has not come through that edge. Only if
/// others stay. `first`: of the page.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline void drop_closed_before(const System& system, AnyWorkspace auto work,
                                                                      const PairModel& pair, int first,
                                                                      const FeatureSet& fresh, FeatureSet& list) {
  constexpr bool has_polytopes = decltype(work)::has_polytopes;
  const PlacedShape a = at_start(system, work, pair.shape_a), b = at_start(system, work, pair.shape_b);
  const double border_width = border * (bounding_radius(a) + bounding_radius(b));
  FeatureSet past;
  list.without(list.without(fresh)).for_each([&](int feature) {
    if (contact_geometry<has_polytopes>(a, b, first + feature).gap < -border_width) past.insert(feature);
  });
  const FeatureSet others = list.without(past);
  if (!past.empty() && !others.empty() && signed_distance<has_polytopes>(a, b) >= -border_width) list = others;
}

/// What a contact of the list that has ended at the predicted positions leaves to its neighbours: those of the pairs
/// `near` there, no further than `margin` (m), whose points are as near to where it was at the start of the step, and
/// whose normals are close to its own there. `first`: of the page.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline FeatureSet neighbours_of(const System& system, AnyWorkspace auto work,
                                                                       const PairModel& pair, int first,
                                                                       const FeatureSet& ended, const FeatureSet& near,
                                                                       double margin) {
  constexpr bool has_polytopes = decltype(work)::has_polytopes;
  const PlacedShape a = at_start(system, work, pair.shape_a), b = at_start(system, work, pair.shape_b);
  FeatureSet found;
  ended.for_each([&](int feature) {
    const ContactGeometry was = contact_geometry<has_polytopes>(a, b, first + feature);
    near.for_each([&](int other) {
      const ContactGeometry on =
          contact_geometry<has_polytopes>(work.placed(pair.shape_a), work.placed(pair.shape_b), first + other);
      const Vec3 way = on.point_b - was.point_b;
      if (dot(was.normal, on.normal) > same_side && dot(way, way) <= margin * margin) found.insert(other);
    });
  });
  return found;
}

/// m: nearer feature pairs of pair p may be contacts. One with adhesion pulls as long as it is closed, whether or not
/// it carries: a gap that is a rounding error must not let go of it, nor one that opens because normals turn or bodies
/// speed up (closed_with_adhesion).
JOSTLE_HD inline double margin_of_pair(const System& system, AnyWorkspace auto work, int p, double margin, double h) {
  if (!has_adhesion(system, p) || margin >= missed_penetration) return margin;
  return missed_penetration + candidate_margin(system, work, system.model.pairs[p], h);
}

/// Of these feature pairs with adhesion those that are closed at the predicted positions or where the step begins.
/// `first`: of the page.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline FeatureSet closed_with_adhesion(const System& system,
                                                                              AnyWorkspace auto work,
                                                                              const PairModel& pair, int first,
                                                                              const FeatureSet& near) {
  constexpr bool has_polytopes = decltype(work)::has_polytopes;
  const PlacedShape a = at_start(system, work, pair.shape_a), b = at_start(system, work, pair.shape_b);
  FeatureSet closed;
  near.for_each([&](int feature) {
    const auto gap = [&](const PlacedShape& on_a, const PlacedShape& on_b) {
      return contact_geometry<has_polytopes>(on_a, on_b, first + feature).gap;
    };
    if (gap(work.placed(pair.shape_a), work.placed(pair.shape_b)) <= missed_penetration ||
        gap(a, b) <= missed_penetration)
      closed.insert(feature);
  });
  return closed;
}

/// Lists, with the neighbours of contacts that have ended (work.missed), what touches to within rounding. Ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE void list_neighbours_of_ended(const Team& team, const System& system,
                                                                     AnyWorkspace auto work, double h) {
  find_close(
      team, system, work, [](int) { return missed_penetration; },
      [&](int shape) -> decltype(auto) { return work.placed(shape); },
      [&](int p) { return !is_left_out(system, work, p); });
  team.for_each(system.model.dimensions.pages, [&](int i) {
    const PageModel& page = system.model.pages[i];
    if (is_left_out(system, work, page.pair)) return;
    const PairModel& pair = system.model.pairs[page.pair];
    FeatureSet list =
        close_on_page(system, work, i, work.placed(pair.shape_a), work.placed(pair.shape_b), missed_penetration);
    const FeatureSet fresh = list.without(work.listed(i));
    if (!fresh.empty() && work.placed(pair.shape_b).type != ShapeType::half_space)
      drop_ghosts(system, work, pair, first_of_page(system, work, i), fresh, h, missed_penetration, list);
    work.listed(i).insert(list);
    work.listed(i).insert(work.missed(i));
  });
  team.sync();
}

}  // namespace detail

/// Makes the list of a step of length h: feature pairs nearer than `margin` at the predicted positions (with adhesion
/// what counts as closed there or at the start), and, if `with_active`, those that carried an impulse. Where one of
/// these has ended, its neighbours are listed, and what touches there to within rounding. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void list_contacts(const Team& team, const System& system, AnyWorkspace auto work, double h,
                                            double margin, bool with_active = true) {
  const int pages = system.model.dimensions.pages;
  const auto is_looked_at = [&](int p) { return !is_left_out(system, work, p); };
  const auto placed = [&](int shape) -> decltype(auto) { return work.placed(shape); };
  const auto margin_of = [&](int p) { return detail::margin_of_pair(system, work, p, margin, h); };
  begin_pages(team, system, work);
  find_close(team, system, work, margin_of, placed, is_looked_at);
  team.for_each(pages, [&](int i) {
    work.missed(i) = {};
    unfilter(system, work, i);
    const PageModel& page = system.model.pages[i];
    const int first = first_of_page(system, work, i);
    if (is_left_out(system, work, page.pair)) {
      work.listed(i) = kept_features(system, page.pair, first);
      return;
    }
    const PairModel& pair = system.model.pairs[page.pair];
    if (first < 0) {
      work.listed(i) = {};
      return;
    }
    const PlacedShape &a = work.placed(pair.shape_a), &b = work.placed(pair.shape_b);
    const double reach = margin_of(page.pair);
    FeatureSet list = detail::close_on_page(system, work, i, a, b, reach);
    if (reach > margin) list = detail::closed_with_adhesion(system, work, pair, first, list);
    const FeatureSet active = system.state().active[i];
    if (b.type != ShapeType::half_space) {
      const FeatureSet fresh = list.without(active);
      if (!fresh.empty()) detail::drop_ghosts(system, work, pair, first, fresh, h, reach, list);
      if (margin == 0 && b.type == ShapeType::polygon && !fresh.empty())
        detail::drop_closed_before(system, work, pair, first, fresh, list);
    }
    if (with_active && !list.contains(active)) {
      const double margin_of_last = candidate_margin(system, work, pair, h);
      const auto near = [&](const FeatureSet* only) {
        return detail::look_for_close(system, work, i, a, b, margin_of_last, only);
      };
      const FeatureSet ended = active.without(near(&active));
      list.insert(active.without(ended));
      if (!ended.empty() && b.type != ShapeType::half_space)
        work.missed(i) = detail::neighbours_of(system, work, pair, first, ended, near(nullptr), margin_of_last);
    }
    work.listed(i) = list;
  });
  team.sync();
  if (!with_active || pages == 0) return;
  if (any_of(team, pages, [&](int i) { return !work.missed(i).empty(); }))
    detail::list_neighbours_of_ended(team, system, work, h);
}

namespace detail {

/// Whether a feature pair with this gap (m) has passed: it is deeper than the shapes overlap by more than that again
/// and `tolerance` (m).
JOSTLE_HD inline bool has_passed(const PlacedShape& a, const PlacedShape& b, double gap, double tolerance) {
  if (!(gap < -tolerance)) return false;
  const double apart = signed_distance(a, b);
  return gap < (apart < 0 ? 2 * apart : 0.0) - tolerance;
}

/// Whether the normal of a feature pair turns to another side from one position to the next: where a rim or an edge
/// leaves the edge that it crosses, the lines pass each other far outside of the shapes.
JOSTLE_HD inline bool turns_away(const ContactGeometry& before, const ContactGeometry& after) {
  return dot(before.normal, after.normal) < same_side;
}

/// Whether the point of a feature pair lies outside of a ball round one of the shapes: where an edge comes to lie along
/// the side of a cylinder, their lines cross ever further off.
JOSTLE_HD inline bool is_outside(const PlacedShape& a, const PlacedShape& b, const ContactGeometry& at) {
  const auto is_beyond = [](const PlacedShape& shape, const Vec3& point) {
    const double reach = (1 + 1e-6) * bounding_radius(shape);
    const Vec3 arm = point - shape.position;
    return dot(arm, arm) > reach * reach;
  };
  return is_beyond(a, at.point_a) || is_beyond(b, at.point_b);
}

/// Whether the features of a pair can leave each other so.
JOSTLE_HD inline bool may_turn_away(AnyWorkspace auto work, const PairModel& pair) {
  return work.placed(pair.shape_b).type != ShapeType::half_space && work.placed(pair.shape_a).type != ShapeType::sphere;
}

}  // namespace detail

/// Whether some contact of the list that carried an impulse turns away or runs out before the predicted positions.
/// Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool any_active_ends(const Team& team, const System& system, AnyWorkspace auto work) {
  const int pages = system.model.dimensions.pages;
  const auto ends = [&](int i) {
    const PageModel& page = system.model.pages[i];
    const PairModel& pair = system.model.pairs[page.pair];
    const FeatureSet listed = work.listed(i), active = system.state().active[i];
    if (listed.empty() || active.empty() || !detail::may_turn_away(work, pair)) return false;
    const PlacedShape a = at_start(system, work, pair.shape_a), b = at_start(system, work, pair.shape_b);
    const PlacedShape &next_a = work.placed(pair.shape_a), &next_b = work.placed(pair.shape_b);
    bool any = false;
    listed.without(listed.without(active)).for_each(first_of_page(system, work, i), [&](int feature) {
      const ContactGeometry before = contact_geometry<decltype(work)::has_polytopes>(a, b, feature);
      const ContactGeometry after = contact_geometry<decltype(work)::has_polytopes>(next_a, next_b, feature);
      any = any || detail::turns_away(before, after) || detail::is_outside(next_a, next_b, after);
    });
    return any;
  };
  const bool any = pages > 0 && any_of(team, pages, ends);
  team.sync();
  return any;
}

/// Takes contacts off the list that are none: they turn away before the predicted positions, or have passed each other
/// at the start, by more than `touching` (m). Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void drop_ended(const Team& team, const System& system, AnyWorkspace auto work,
                                         double touching) {
  team.for_each(system.model.dimensions.pages, [&](int i) {
    const PageModel& page = system.model.pages[i];
    const PairModel& pair = system.model.pairs[page.pair];
    const FeatureSet listed = work.listed(i);
    if (listed.empty() || !detail::may_turn_away(work, pair)) return;
    if (is_left_out(system, work, page.pair)) return;
    const PlacedShape start_a = at_start(system, work, pair.shape_a);
    const PlacedShape start_b = at_start(system, work, pair.shape_b);
    const PlacedShape &a = work.placed(pair.shape_a), &b = work.placed(pair.shape_b);
    listed.for_each([&](int own) {
      const int feature = first_of_page(system, work, i) + own;
      const ContactGeometry before = contact_geometry<decltype(work)::has_polytopes>(start_a, start_b, feature);
      const ContactGeometry after = contact_geometry<decltype(work)::has_polytopes>(a, b, feature);
      if (detail::turns_away(before, after) || detail::has_passed(start_a, start_b, before.gap, touching))
        work.listed(i).erase(own);
    });
  });
  team.sync();
}

namespace detail {

/// Of these feature pairs of a page, which penetrate at the next positions, the filtered ones that are deeper there
/// than all contacts in the LCP that have their normal: what has left them out does not hold.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline FeatureSet deeper_than_kept(const System& system, AnyWorkspace auto work,
                                                                          int page, const FeatureSet& deep) {
  FeatureSet found;
  if (!system.model.dimensions.has_filter) return found;
  const PageModel& own = system.model.pages[page];
  const PairModel& pair = system.model.pairs[own.pair];
  const auto next = [&](int feature) {
    return contact_geometry(work.next_placed(pair.shape_a), work.next_placed(pair.shape_b), feature);
  };
  const FeatureSet filtered = work.filtered(page);
  if (filtered.empty()) return found;
  filtered.without(filtered.without(deep)).for_each([&](int feature) {
    const ContactGeometry at = next(first_of_page(system, work, page) + feature);
    double deepest = 0;
    for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i) {
      solved_features(system, work, i).for_each(first_of_page(system, work, i), [&](int other) {
        const ContactGeometry kept = next(other);
        if (dot(kept.normal, at.normal) > same_side && kept.gap < deepest) deepest = kept.gap;
      });
    }
    if (at.gap < deepest - missed_penetration) found.insert(feature);
  });
  return found;
}

}  // namespace detail

/// Adds the feature pairs that penetrate at the next positions, also filtered ones (deeper_than_kept); returns whether
/// there were any.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool add_missed_contacts(const Team& team, const System& system, AnyWorkspace auto work) {
  const int pages = system.model.dimensions.pages;
  if (pages == 0) return false;
  const auto next_placed = [&](int shape) -> decltype(auto) { return work.next_placed(shape); };
  const auto is_looked_at = [&](int p) { return !is_left_out(system, work, p); };
  find_close(
      team, system, work, [](int) { return -missed_penetration; }, next_placed, is_looked_at);
  team.for_each(pages, [&](int i) {
    const PageModel& page = system.model.pages[i];
    const PairModel& pair = system.model.pairs[page.pair];
    FeatureSet missed;
    if (!is_left_out(system, work, page.pair)) {
      const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
      const FeatureSet deep = detail::close_on_page(system, work, i, a, b, -missed_penetration);
      missed = deep.without(work.listed(i));
      if (!missed.empty() && b.type != ShapeType::half_space) {
        const auto near_now = [&](const PlacedShape& now_a, const PlacedShape& now_b, double margin) {
          // What has closed by then is no further apart now than that.
          const double closed = pair.is_sparse ? deepest_since_start(system, work, pair, now_a, now_b) +
                                                     deepest_since_start(system, work, pair, a, b)
                                               : margin;
          return detail::look_for_close(system, work, i, now_a, now_b, closed < margin ? closed : margin);
        };
        detail::replace_ghosts(work, pair, first_of_page(system, work, i), near_now, missed);
        missed = missed.without(work.listed(i));
      }
      if constexpr (decltype(work)::has_polytopes) {
        if (!deep.empty()) missed.insert(detail::deeper_than_kept(system, work, i, deep));
      }
    }
    work.missed(i) = missed;
  });
  const bool any = any_of(team, pages, [&](int i) { return !work.missed(i).empty(); });
  if (!any && !lacks_pages(system, work)) return false;
  team.for_each(pages, [&](int i) {
    work.listed(i).insert(work.missed(i));
    unfilter(system, work, i, work.missed(i));
  });
  team.sync();
  return true;
}

}  // namespace jostle

#pragma once
// The pages of the feature pairs of a pair of shapes (PageModel).
//
// Large parts have up to 2^31 feature pairs, of which a step needs a few. Pairs with a part that has a tree of boxes
// are sparse: of their pages some are kept, those in which something has been found. Which these are follows from the
// state, which has those of the contacts that carried an impulse, and from what is found in a step, in the order of the
// tree. A step that needs more than there are ends as one that has too many contacts.
#include <type_traits>

#include "core/contacts/at_start.hpp"
#include "core/geometry/shape_pair.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// The first feature pair of a page; of a free one of a sparse pair -1.
JOSTLE_HD inline int first_of_page(const System& system, [[maybe_unused]] AnyWorkspace auto work, int page) {
  const PageModel& own = system.model.pages[page];
  if constexpr (decltype(work)::has_polytopes) {
    if (own.slot >= 0) return work.page_first(own.slot);
  }
  return own.first;
}

/// The page of a feature pair of pair p; -1 if that is kept on none.
JOSTLE_HD inline int page_of(const System& system, [[maybe_unused]] AnyWorkspace auto work, int p, int feature) {
  const PairModel& pair = system.model.pairs[p];
  if constexpr (decltype(work)::has_polytopes) {
    if (pair.is_sparse) {
      const int first = feature - feature % page_features;
      for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i)
        if (first_of_page(system, work, i) == first) return i;
      return -1;
    }
  }
  return pair.first_page + feature / page_features;
}

/// The same; of a sparse pair a free page becomes that of the feature pair if there is none. Without a free one it is
/// -1, and the step ends. One lane for a pair.
JOSTLE_HD inline int claim_page(const System& system, AnyWorkspace auto work, int p, int feature) {
  const int page = page_of(system, work, p, feature);
  if constexpr (decltype(work)::has_polytopes) {
    if (page >= 0) return page;
    const PairModel& pair = system.model.pairs[p];
    for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i) {
      if (first_of_page(system, work, i) >= 0) continue;
      work.page_first(system.model.pages[i].slot) = feature - feature % page_features;
      return i;
    }
    work.lacks_pages() = 1;
  }
  return page;
}

/// Whether a sparse pair has found more than its pages hold. After a sync(): not where other lanes may still search.
JOSTLE_HD inline bool lacks_pages([[maybe_unused]] const System& system, [[maybe_unused]] AnyWorkspace auto work) {
  if constexpr (decltype(work)::has_polytopes) return system.model.dimensions.page_slots > 0 && work.lacks_pages() != 0;
  return false;
}

/// m: how deep feature pairs may be whatever shapes have moved: a share of the smaller one.
JOSTLE_HD inline double shallow_depth(const PlacedShape& a, const PlacedShape& b) {
  constexpr double share = 0.002;
  const double size_a = bounding_radius(a), size_b = b.type == ShapeType::half_space ? size_a : bounding_radius(b);
  return share * (size_a < size_b ? size_a : size_b);
}

/// m: how deep feature pairs are at most that have closed since the step began, where the shapes of their pair are `a`
/// and `b` now: what points of these have moved, and a share of the smaller one for what they overlapped before.
JOSTLE_HD inline double deepest_since_start(const System& system, AnyWorkspace auto work, const PairModel& pair,
                                            const PlacedShape& a, const PlacedShape& b) {
  const auto moved = [&](int shape, const PlacedShape& now) {
    const int body = system.model.shapes[shape].body;
    if (system.model.bodies[body].fixed) return 0.0;
    const PlacedShape start = at_start(system, work, shape);
    const Vec3 way = now.position - start.position;
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      const Vec3 turn = now.axes.col(k) - start.axes.col(k);
      squared += dot(turn, turn);
    }
    return std::sqrt(dot(way, way)) + bounding_radius(now) * std::sqrt(squared);
  };
  return moved(pair.shape_a, a) + moved(pair.shape_b, b) + shallow_depth(a, b);
}

namespace detail {

/// Takes from what is close on a page that is kept for good, where the shapes are `a` and `b` now, what cannot have
/// closed since the step began, if one of them is a surface: feature pairs that are deeper than the shapes overlapped
/// then and have moved since. `first`: of the page.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline void drop_too_deep(const System& system, AnyWorkspace auto work,
                                                                 const PairModel& pair, int first, const PlacedShape& a,
                                                                 const PlacedShape& b, FeatureSet& close) {
  if (b.type != ShapeType::hull || !(may_be_concave(a) || may_be_concave(b))) return;
  const auto deeper_than = [&](double depth) {
    FeatureSet deeper;
    close.for_each([&](int own) {
      if (contact_geometry(a, b, first + own).gap < -depth) deeper.insert(own);
    });
    return deeper;
  };
  if (deeper_than(shallow_depth(a, b)).empty()) return;
  const double moved = deepest_since_start(system, work, pair, a, b);
  if (deeper_than(moved).empty()) return;
  const double apart = signed_distance(at_start(system, work, pair.shape_a), at_start(system, work, pair.shape_b));
  close = close.without(deeper_than(moved + (apart < 0 ? -apart : 0.0)));
}

/// close_features(a, b, margin) of a page that is kept for good; of surfaces what can have closed in the step.
JOSTLE_HD inline FeatureSet close_on_kept_page(const System& system, AnyWorkspace auto work, const PageModel& page,
                                               const PlacedShape& a, const PlacedShape& b, double margin,
                                               const FeatureSet* only = nullptr) {
  constexpr bool has_polytopes = decltype(work)::has_polytopes;
  FeatureSet close = close_features<has_polytopes>(a, b, margin, page.first, only);
  if constexpr (has_polytopes) {
    if (!close.empty()) drop_too_deep(system, work, system.model.pairs[page.pair], page.first, a, b, close);
  }
  return close;
}

/// Takes what is found of a pair that is searched whole: a page claims each feature pair, or, if `page` is given, its
/// set takes those of it. One type for both, so that the search exists once in kernels.
template <AnyWorkspace Work>
struct FoundFeatures {
  const System& system;
  const Work& work;
  int p;
  const PageOfFeatures* page = nullptr;
  bool* lacks = nullptr;  ///< becomes true if something found has no page

  JOSTLE_HD void operator()(int feature) const {
    if (page != nullptr) return page->insert(feature);
    const int claimed = claim_page(system, work, p, feature);
    if (claimed >= 0)
      work.found(claimed).insert(feature % page_features);
    else
      *lacks = true;
  }
};

/// What is close of pair p, where its shapes are `a` and `b` now.
template <AnyWorkspace Work>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE void find_features(const PlacedShape& a, const PlacedShape& b, double margin,
                                                          const FoundFeatures<Work>& found) {
  const PairModel& pair = found.system.model.pairs[found.p];
  double deepest = infinity();
  if (pair.is_sparse) deepest = deepest_since_start(found.system, found.work, pair, a, b) + std::fabs(margin);
  visit_close_features(a, b, margin, deepest, found);
}

/// What is close of pair p, in work.found(). False if its pages do not hold all of it.
template <AnyWorkspace Work>
JOSTLE_HD bool find_close_of_pair(const System& system, const Work& work, int p, const PlacedShape& a,
                                  const PlacedShape& b, double margin) {
  const PairModel& pair = system.model.pairs[p];
  for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i) work.found(i) = {};
  bool lacks = false;
  find_features(a, b, margin, FoundFeatures<Work>{system, work, p, nullptr, &lacks});
  return !lacks;
}

/// close_features(a, b, margin) of a page; of a pair that is searched whole those that have been found.
JOSTLE_HD inline FeatureSet close_on_page(const System& system, AnyWorkspace auto work, int page, const PlacedShape& a,
                                          const PlacedShape& b, double margin) {
  const PageModel& own = system.model.pages[page];
  if constexpr (decltype(work)::has_polytopes) {
    const PairModel& pair = system.model.pairs[own.pair];
    if (pair.is_searched_whole) {
      FeatureSet close = work.found(page);
      if (!pair.is_sparse && !close.empty()) drop_too_deep(system, work, pair, own.first, a, b, close);
      return close;
    }
  }
  return close_on_kept_page(system, work, own, a, b, margin);
}

/// The same, looked for in this page alone; `only`: if others need not be found.
JOSTLE_HD inline FeatureSet look_for_close(const System& system, AnyWorkspace auto work, int page, const PlacedShape& a,
                                           const PlacedShape& b, double margin, const FeatureSet* only = nullptr) {
  const PageModel& own = system.model.pages[page];
  if constexpr (decltype(work)::has_polytopes) {
    if (own.slot >= 0) {
      FeatureSet found;
      const int first = first_of_page(system, work, page);
      if (only != nullptr && first >= 0 && b.type == ShapeType::half_space)
        return close_features(a, b, margin, first, only);
      using Work = std::remove_cvref_t<decltype(work)>;
      const PageOfFeatures wanted{first, found, only};
      if (first >= 0) find_features(a, b, margin, FoundFeatures<Work>{system, work, own.pair, &wanted});
      return found;
    }
  }
  return close_on_kept_page(system, work, own, a, b, margin, only);
}

}  // namespace detail

/// Begins a list of contacts: of sparse pairs the pages are kept that the state has contacts on, and all of those that
/// are left out. Ends synced.
template <class Team>
JOSTLE_HD void begin_pages(const Team& team, const System& system, AnyWorkspace auto work) {
  if constexpr (decltype(work)::has_polytopes) {
    if (system.model.dimensions.page_slots == 0) return;
    team.for_each(system.model.dimensions.pages, [&](int i) {
      const PageModel& page = system.model.pages[i];
      if (page.slot < 0) return;
      const bool stays = !system.state().active[i].empty() || is_left_out(system, work, page.pair);
      work.page_first(page.slot) = stays ? system.state().page_first[page.slot] : -1;
    });
    team.once([&] { work.lacks_pages() = 0; });
    team.sync();
  }
}

/// Finds what is close of pairs that are searched whole to within margin(p), where wanted(p), and keeps the pages of
/// sparse ones; shape(i): where a shape is. Ends synced.
template <class Team>
JOSTLE_HD void find_close(const Team& team, const System& system, AnyWorkspace auto work, auto margin, auto shape,
                          auto wanted) {
  if constexpr (decltype(work)::has_polytopes) {
    if (!system.model.dimensions.searches_whole_pairs) return;
    team.for_each(system.model.dimensions.pairs, [&](int p) {
      const PairModel& pair = system.model.pairs[p];
      if (pair.is_searched_whole && wanted(p))
        detail::find_close_of_pair(system, work, p, shape(pair.shape_a), shape(pair.shape_b), margin(p));
    });
    team.sync();
  }
}

}  // namespace jostle

#pragma once
// Overlaps that no feature pair tells of. Shapes that are not convex have no direction that need part them, so a
// feature pair is judged by what is near it (geometry/surface_pairs.hpp). Where pointed parts reach past each other
// within a step, none may be left that faces another one, although the shapes overlap.
#include "core/contacts/pages.hpp"

namespace jostle {

namespace detail {

/// Whether the shapes of pair p overlap at the next positions, and no listed contact touches there.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline bool overlaps_unseen(const System& system, AnyWorkspace auto work,
                                                                   const PairModel& pair) {
  const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
  if (far_apart(a, b, 0)) return false;
  if (!may_be_concave(a) && !may_be_concave(b)) return false;
  bool touches = false;
  for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i) {
    const FeatureSet listed = work.listed(i);
    if (listed.empty()) continue;
    listed.for_each(first_of_page(system, work, i),
                    [&](int feature) { touches = touches || contact_geometry(a, b, feature).gap <= least_overlap; });
  }
  return !touches && signed_distance(a, b) < -least_overlap;
}

}  // namespace detail

/// Whether a pair of shapes, of which one is not convex, overlaps at the next positions and has no contact there. The
/// same on all lanes.
template <class Team>
JOSTLE_HD bool overlaps_unseen(const Team& team, const System& system, [[maybe_unused]] AnyWorkspace auto work) {
  if constexpr (decltype(work)::has_polytopes) {
    const Dimensions& d = system.model.dimensions;
    if (d.has_impacts || d.pairs == 0 || (d.hull_numbers == 0 && !d.has_shared_hulls)) return false;
    return any_of(team, d.pairs, [&](int p) {
      const PairModel& pair = system.model.pairs[p];
      return system.model.shapes[pair.shape_b].type == ShapeType::hull && !is_left_out(system, work, p) &&
             detail::overlaps_unseen(system, work, pair);
    });
  }
  return false;
}

}  // namespace jostle

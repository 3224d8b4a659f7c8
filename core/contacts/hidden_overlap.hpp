#pragma once
// Whether parts with dents are in each other by more than the contacts of the step show. A pointed corner may go
// through a thin edge in a step, and then none of its features faces another one: such a step is made again in
// sub-steps.
#include "core/contacts/pages.hpp"
#include "core/geometry/passing_edges.hpp"

namespace jostle {

namespace detail {

/// At the next positions.
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE inline bool overlaps_beyond_contacts(const System& system,
                                                                            AnyWorkspace auto work, int p,
                                                                            double depth) {
  const PairModel& pair = system.model.pairs[p];
  const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
  double shown = 0;  // of the deepest contact
  for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i) {
    FeatureSet{work.listed(i)}.for_each(first_of_page(system, work, i), [&](int feature) {
      const double gap = contact_geometry(a, b, feature).gap;
      if (gap < shown) shown = gap;
    });
  }
  return signed_distance(a, b) < 2 * shown - depth;
}

}  // namespace detail

/// Whether some pair of which a part has dents overlaps at the next positions by 0.2 % of the smaller one's reach more
/// than twice what the deepest contact does. Of parts with edges or rims, and in a step that is not `divided` only if
/// they have moved further than that in it: slower ones do not pass features that are as near. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool has_hidden_overlap(const Team& team, const System& system, AnyWorkspace auto work,
                                                 [[maybe_unused]] bool divided) {
  if constexpr (decltype(work)::has_polytopes) {
    const auto is_hidden = [&](int p) {
      const PairModel& pair = system.model.pairs[p];
      const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
      const bool is_cylinder = a.type == ShapeType::cylinder;
      const bool have_edges =
          b.type == ShapeType::hull && (is_cylinder || a.type == ShapeType::box || a.type == b.type);
      if (!have_edges || !(may_be_concave(a) || may_be_concave(b))) return false;
      if (is_left_out(system, work, p) || far_apart(a, b, 0)) return false;
      const double depth = shallow_depth(a, b);
      if (!divided && deepest_since_start(system, work, pair, a, b) <= 2 * depth) return false;
      const Polyhedron core(b);
      if (is_cylinder ? !has_edge_in_cylinder(core, a, depth) : !have_passing_edges(Polyhedron(a), core, depth))
        return false;
      return detail::overlaps_beyond_contacts(system, work, p, depth);
    };
    const int pairs = system.model.dimensions.pairs;
    const bool any = pairs > 0 && any_of(team, pairs, is_hidden);
    team.sync();
    return any;
  }
  return false;
}

}  // namespace jostle

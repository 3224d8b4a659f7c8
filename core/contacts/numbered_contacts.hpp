#pragma once
// The contacts of the LCP, numbered from the lists of feature pairs (candidate_contacts.hpp), and their frames at the
// predicted positions q^.
#include "core/contacts/filter.hpp"
#include "core/contacts/pages.hpp"

namespace jostle {

/// Numbers the listed contacts, pair after pair, but not those that are filtered (work.filtered_contacts) or of islands
/// at rest (work.resting_contacts). Returns how many have a number. None has if there are more than work.contacts(),
/// with those at rest. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE int number_contacts(const Team& team, const System& system, AnyWorkspace auto work) {
  const int pairs = system.model.dimensions.pairs;
  team.once([&] {
    work.first_contact(0) = work.resting_contacts() = 0;
    for (int p = 0; p < pairs; ++p) {
      const int first = system.model.pairs[p].first_page;
      int count = solved_features(system, work, first).size();
      for (int i = 1; i < system.model.pairs[p].pages; ++i)
        if (!work.listed(first + i).empty()) count += solved_features(system, work, first + i).size();
      const int left_out = count > 0 && is_left_out(system, work, p) ? count : 0;
      work.first_contact(p + 1) = work.first_contact(p) + count - left_out;
      work.resting_contacts() += left_out;
    }
    count_filtered(system, work);
  });
  team.sync();
  const int count = work.first_contact(pairs);
  if (lacks_pages(system, work)) return work.contacts() + 1;
  if (count + work.resting_contacts() > work.contacts()) return count;
  team.for_each(pairs, [&](int p) {
    if (work.first_contact(p) == work.first_contact(p + 1)) return;
    int c = work.first_contact(p);
    const PairModel& pair = system.model.pairs[p];
    for (int i = pair.first_page; i < pair.first_page + pair.pages; ++i) {
      if (work.listed(i).empty()) continue;
      solved_features(system, work, i).for_each(first_of_page(system, work, i), [&](int feature) {
        work.contact(c).pair = p, work.contact(c++).feature = feature;
      });
    }
  });
  team.sync();
  return count;
}

/// Tangents, docs/theory.md (6): in the plane of a planar scene, else t1 = n x z, or x where
/// n is nearly vertical.
JOSTLE_HD inline void set_tangents(const ModelView& model, Contact& contact) {
  const Vec3& n = contact.normal;
  if (model.planar) {
    contact.tangent_1 = cross(n, model.plane_normal);
    contact.tangent_2 = Vec3::Zero();
    return;
  }
  const Vec3 across{n[1], -n[0], 0};  // n x z
  const double length = std::sqrt(dot(across, across));
  contact.tangent_1 = length < 1e-6 ? Vec3(1, 0, 0) : Vec3(across / length);
  contact.tangent_2 = cross(n, contact.tangent_1);
}

/// Gap, normal, tangents and arms of contact c at the predicted positions.
JOSTLE_HD inline void set_frame(const System& system, AnyWorkspace auto work, Contact& contact) {
  const PairModel& pair = system.model.pairs[contact.pair];
  const ContactGeometry g = contact_geometry<decltype(work)::has_polytopes>(work.placed(pair.shape_a),
                                                                            work.placed(pair.shape_b), contact.feature);
  contact.gap = g.gap;
  contact.normal = g.normal;
  contact.arm_a = g.point_a - work.predicted_pose(system.model.shapes[pair.shape_a].body).position;
  contact.arm_b = g.point_b - work.predicted_pose(system.model.shapes[pair.shape_b].body).position;
  set_tangents(system.model, contact);
}

}  // namespace jostle

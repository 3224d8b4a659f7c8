#pragma once
// The rows of contacts: normal and tangents at the predicted positions.
#include "core/contacts/candidate_contacts.hpp"

namespace jostle {

/// The row of direction d at a contact: +(d; R(q_l)'(r x d)) on b and its negative on a, docs/theory.md (5).
JOSTLE_HD inline void write_row(const System& system, const Workspace& work, const Contact& contact, const Vec3& d,
                                double* row) {
  const ModelView& model = system.model;
  const PairModel& pair = model.pairs[contact.pair];
  const int body_a = model.shapes[pair.shape_a].body, body_b = model.shapes[pair.shape_b].body;
  const Vec3 turn_a = rotate_back(work.pose[body_a].axes, cross(contact.arm_a, d));
  const Vec3 turn_b = rotate_back(work.pose[body_b].axes, cross(contact.arm_b, d));
  for (int k = 0; k < model.dimensions.freedoms; ++k) {
    const auto [body, component] = model.freedoms[k];
    double value = 0;
    if (body == body_b) value += component < 3 ? d[component] : turn_b[component - 3];
    if (body == body_a) value -= component < 3 ? d[component] : turn_a[component - 3];
    row[k] = value;
  }
}

/// Rows of n and of the first half of D at the predicted positions, the biases b_n = normal_bias(contact, row of n) and
/// b_t = 0, and the blocks. Ends synced.
template <class Team, class NormalBias>
JOSTLE_HD JOSTLE_OUTLINE void write_contact_rows(const Team& team, const System& system, const Workspace& work,
                                                 int contacts, NormalBias normal_bias) {
  const ModelView& model = system.model;
  const int nv = model.dimensions.freedoms, per_contact = model.dimensions.rows_per_contact();
  team.for_each(contacts, [&](int c) {
    Contact& contact = work.contact[c];
    set_frame(system, work, contact);
    const double friction = system.parameters.friction[contact.pair];
    const int first = c * per_contact;
    work.block[c] = {first, first + 1, friction > 0 ? per_contact - 1 : 0, true, friction, 0};
    for (int i = 0; i < per_contact; ++i) {
      const Vec3 d = i == 0 ? contact.normal
                            : Vec3(model.direction_cosine[i - 1] * contact.tangent_1 +
                                   model.direction_sine[i - 1] * contact.tangent_2);
      write_row(system, work, contact, d, work.contact_rows + (first + i) * nv);
      work.row_bias[first + i] = 0;
    }
    work.row_bias[first] = normal_bias(contact, work.contact_rows + first * nv);
  });
  team.sync();
}

}  // namespace jostle

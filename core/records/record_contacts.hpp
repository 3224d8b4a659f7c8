#pragma once
// The rows of the channel `contact` of a record (record_fields.hpp), as a piece of a step that is accepted leaves them.
#include "core/assembly/rows.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/contacts/ghosts.hpp"
#include "core/model/record_fields.hpp"

namespace jostle {

/// Whether the piece is one of a method with stages that lasts: their impulses have rows of their own, and the
/// workspace their sums.
JOSTLE_HD inline bool has_stages_in(const ModelView& model, const StepProgress& progress) {
  return model.dimensions.has_stages && progress.step.h > 0;
}

namespace detail {

/// Whether friction of the piece opposes the mean of the slip.
JOSTLE_HD inline bool opposes_mean_slip(const ModelView& model, const StepProgress& progress) {
  return facts_of(model.method).solves_for_sum && progress.step.h > 0 && !model.dimensions.has_rolling_friction;
}
/// ... of contact c: where its slip ends or turns round, friction opposes that at the end.
JOSTLE_HD inline bool opposes_mean_slip(const ModelView& model, AnyWorkspace auto work, const StepProgress& progress,
                                        int c) {
  return opposes_mean_slip(model, progress) && !(progress.ends_slips && work.ends_slip(c) != 0);
}

/// Slip in (t1, t2), m/s: at the end of the piece, or its mean if the method's friction opposes that.
JOSTLE_HD inline Direction slip_of(const System& system, AnyWorkspace auto work, int c, bool mean) {
  const ModelView& model = system.model;
  const auto speed = [&](int row) {
    const double told = prescribed_speed(model.dimensions, work, row);
    const double after = add_product(told, work.row(row), work.next_velocity());
    return mean ? 0.5 * (add_product(told, work.row(row), work.velocity()) + after) : after;
  };
  return slip_of_rows(model, model.dimensions.contact_rows(c).tangent, speed);
}

/// The moment of rolling friction about t1 and t2 = n x t1.
JOSTLE_HD inline void write_rolling_moment(const ModelView& model, AnyWorkspace auto work, int c, const Vec3& tangent,
                                           ContactRow& row) {
  const Vec3 moment = rolling_impulse(model, work, c);
  row.impulse_roll[0] = dot(moment, tangent);
  row.impulse_roll[1] = dot(moment, cross(work.contact(c).normal, tangent));
}

/// What a row has of a contact's place.
JOSTLE_HD inline void write_place(const System& system, AnyWorkspace auto work, const StepProgress& progress,
                                  const Contact& contact, ContactRow& row) {
  const ModelView& model = system.model;
  row.pair = contact.pair, row.feature = contact.feature, row.piece = progress.pieces;
  const int a = model.shapes[model.pairs[contact.pair].shape_a].body;
  const Vec3 point = work.predicted_pose(a).position + contact.arm_a;
  for (int k = 0; k < 3; ++k) {
    row.point[k] = point[k], row.normal[k] = contact.normal[k], row.tangent[k] = contact.tangent_1[k];
  }
  row.gap = contact.gap;
}

/// Row of contact c, all but whether its impulse is unique.
JOSTLE_HD inline void write_contact_row(const System& system, AnyWorkspace auto work, const StepProgress& progress,
                                        int c, ContactRow& row) {
  const ModelView& model = system.model;
  const Contact contact = work.contact(c);
  const Block block = work.block(c);
  const bool mean = opposes_mean_slip(model, work, progress, c);
  write_place(system, work, progress, contact, row);
  row.impulse_n = work.row_impulse(block.normal);
  Direction friction = tangential_impulse(model, work, block);
  if (has_stages_in(model, progress)) {  // the normal may have turned
    const Vec3 P = work.stage_push(c);
    row.impulse_n = dot(P, contact.normal) + pull_of(model.dimensions, work, block.normal);
    friction = {dot(P, contact.tangent_1), dot(P, contact.tangent_2)};
  }
  const Direction slip = slip_of(system, work, c, mean);
  row.impulse_t[0] = friction.x, row.impulse_t[1] = friction.y;
  row.impulse_spin = spin_impulse(work, c);
  write_rolling_moment(model, work, c, contact.tangent_1, row);
  row.slip[0] = slip.x, row.slip[1] = slip.y;
  const bool slips = slip.x * slip.x + slip.y * slip.y > sticking_speed * sticking_speed;
  const int mode = !(row.impulse_n > 0) ? contact_is_open : slips ? contact_slips : contact_sticks;
  row.mode = static_cast<std::uint8_t>(mode);
}

/// m/s: slip along d as slip_of() has it, whether or not there is a row of J for it.
JOSTLE_HD inline double slip_along(const System& system, AnyWorkspace auto work, const StepProgress& progress,
                                   const Contact& contact, const Vec3& d) {
  const ModelView& model = system.model;
  const PairModel& pair = model.pairs[contact.pair];
  const auto& turned = turned_poses(model, work);
  const auto speed = [&](int body, const Vec3& arm, const auto& velocities) {
    const BodyModel& own = model.bodies[body];
    if (own.fixed) return 0.0;
    const Vec6 v = velocity_of(own, work, velocities);
    const Vec3 moment = rotate_back(turned[body].axes, cross(arm, d));
    return dot(d, v.linear()) + dot(moment, v.angular());
  };
  const auto slip = [&](const auto& velocities) {
    return speed(model.shapes[pair.shape_b].body, contact.arm_b, velocities) -
           speed(model.shapes[pair.shape_a].body, contact.arm_a, velocities);
  };
  const double after = slip(work.next_velocity());
  return opposes_mean_slip(model, progress) ? 0.5 * (slip(work.velocity()) + after) : after;
}

/// Where friction depends on the direction, tangents have the lengths of its parts (turn_tangents): makes t1 of a row a
/// unit vector, and slip and impulse those along it and t2. Slip without friction along it is in no row of J.
JOSTLE_HD inline void take_unit_tangents(const System& system, AnyWorkspace auto work, const StepProgress& progress,
                                         int c, ContactRow& row) {
  const ModelView& model = system.model;
  const Contact& contact = work.contact(c);
  const PairModel& pair = model.pairs[contact.pair];
  if (pair.axis_body < 0) return;
  Contact unit = contact;
  set_tangents(model, unit);
  const double lengths[2] = {std::sqrt(dot(contact.tangent_1, contact.tangent_1)),
                             std::sqrt(dot(contact.tangent_2, contact.tangent_2))};
  if (lengths[1] > 0) unit.tangent_1 = cross(Vec3(contact.tangent_2 / lengths[1]), contact.normal);
  if (lengths[0] > 0) unit.tangent_1 = contact.tangent_1 / lengths[0];
  const Vec3 tangents[2] = {unit.tangent_1, cross(contact.normal, unit.tangent_1)};
  for (int i = 0; i < 2; ++i) {
    row.slip[i] = slip_along(system, work, progress, contact, tangents[i]);
    row.impulse_t[i] *= lengths[i];
  }
  for (int k = 0; k < 3; ++k) row.tangent[k] = unit.tangent_1[k];
  write_rolling_moment(model, work, c, unit.tangent_1, row);
  const bool slips = row.slip[0] * row.slip[0] + row.slip[1] * row.slip[1] > sticking_speed * sticking_speed;
  if (row.mode != contact_is_open) row.mode = static_cast<std::uint8_t>(slips ? contact_slips : contact_sticks);
}

/// Contacts that a piece does not load may have impulses like 1e-18 N s, in an impact of either sign: these are open.
/// Begins and ends synced.
template <class Team>
JOSTLE_HD void open_unloaded(const Team& team, int contacts, ContactRow* rows) {
  constexpr double least = 1e-12;  // of the largest impulse
  const double largest = team.select(
      contacts, [&](int c) { return rows[c].impulse_n; }, [](double a, double b) { return a > b; });
  team.sync();
  team.for_each(contacts, [&](int c) {
    if (!(rows[c].impulse_n > least * largest)) rows[c].mode = contact_is_open;
  });
  team.sync();
}

/// Rows of the contacts that were left out, which carry no impulse but could take a part of those of contacts with the
/// same normal; `rows` are those of the other contacts. By one lane.
JOSTLE_HD inline void write_filtered_rows(const System& system, AnyWorkspace auto work, const StepProgress& progress,
                                          ContactRow* rows) {
  const ModelView& model = system.model;
  ContactRow* row = rows + progress.result.contacts;
  for (int i = 0; i < model.dimensions.pages; ++i) {
    const PageModel page = model.pages[i];
    FeatureSet{work.filtered(i)}.for_each(first_of_page(system, work, i), [&](int feature) {
      Contact contact;
      contact.pair = page.pair, contact.feature = feature;
      set_frame(system, work, contact);
      *row = {};
      write_place(system, work, progress, contact, *row);
      row->slip[0] = slip_along(system, work, progress, contact, contact.tangent_1);
      if (!model.planar) row->slip[1] = slip_along(system, work, progress, contact, contact.tangent_2);
      row->mode = contact_is_open | contact_filtered;
      for (int c = work.first_contact(page.pair); c < work.first_contact(page.pair + 1); ++c) {
        if (!(rows[c].impulse_n > 0) || !(dot(work.contact(c).normal, contact.normal) > same_side)) continue;
        rows[c].mode |= contact_not_unique, row->mode |= contact_not_unique;
      }
      ++row;
    });
  }
}

/// Whether the overlap of contact c was held: its b_n is that of a contact without a gap. Methods at the level of
/// velocities, where b_n never has the gap, hold the errors of joints alone.
JOSTLE_HD inline bool is_held(const System& system, AnyWorkspace auto work, const StepProgress& progress, int c) {
  if (!progress.result.held || system.model.dimensions.has_impacts || !(work.contact(c).gap < 0)) return false;
  const int normal = work.block(c).normal;
  return work.row_bias(normal) == prescribed_speed(system.model.dimensions, work, normal);
}

}  // namespace detail

}  // namespace jostle

#pragma once
// Writes the channels of a record (record_fields.hpp): LCPs as they are solved (record_lcps.hpp), contacts and impulses
// piece by piece, the rest at the end of a step. Systems that record nothing have System::record null.
#include "core/assembly/rows.hpp"
#include "core/contacts/contact_rows.hpp"
#include "core/contacts/ghosts.hpp"
#include "core/records/record_lcps.hpp"
#include "core/records/redundancy.hpp"
#include "core/stages/record.hpp"

namespace jostle {

/// The entry of a step, -1 if it has none.
JOSTLE_HD inline int record_entry(const System& system, int step) {
  return system.record ? entry_of(system, step, system.record->stride) : -1;
}

/// Begins an attempt at a step, whatever another one has written. Does not sync.
template <class Team>
[[gnu::cold]] JOSTLE_HD void record_attempt(const Team& team, const System& system) {
  if (!system.record) return;
  team.once([&] { system.record->progress->step = {}, system.record->progress->problems = 0; });
}

/// Rows of contacts that are left out, in a piece with so many others.
JOSTLE_HD inline int filtered_rows(AnyWorkspace auto work, int contacts) {
  if constexpr (decltype(work)::has_polytopes) return contacts > 0 ? work.filtered_contacts() : 0;
  return 0;
}

/// Whether the rows of the piece that would be accepted next do not fit; `rows`: how many. Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD bool lacks_rows(const Team& team, const System& system, int rows) {
  if (record_entry(system, system.state().steps() + 1) < 0 || !system.record->rows) return false;
  RecordUse more;
  more.rows = rows;
  return lacks_room(team, *system.record, more);
}

/// A step that begins at rest is computed all the same if what it repeats is not in the record.
JOSTLE_HD inline bool is_needed_by_record(const System& system) {
  const int next = system.state().steps() + 1;
  return (record_entry(system, next) >= 0 && system.record->progress->last_entry < 0) ||
         (lcp_entry(system, next) >= 0 && system.record->progress->last_lcp_entry < 0);
}

/// Whether what a step that repeats the one before writes does not fit. Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD bool lacks_repeated_rows(const Team& team, const System& system) {
  if (!system.record) return false;
  const RecordView& record = *system.record;
  const int next = system.state().steps() + 1;
  RecordUse more;
  if (record_entry(system, next) >= 0) more.rows = record.entry_rows[record.progress->last_entry];
  if (lcp_entry(system, next) >= 0) {
    more.lcp_rows = record.lcp_entry_rows[record.progress->last_lcp_entry];
    more.lcp_numbers = record.lcp_entry_numbers[record.progress->last_lcp_entry];
  }
  return lacks_room(team, record, more);
}

namespace detail {

/// Whether the impulses of a piece are those of stages, with rows of their own: then the workspace has their sums.
JOSTLE_HD inline bool has_stage_sums(const ModelView& model, const StepProgress& progress) {
  return model.dimensions.has_stages && progress.step.h > 0;
}

/// Whether friction of the piece opposes the mean of the slip.
JOSTLE_HD inline bool opposes_mean_slip(const ModelView& model, const StepProgress& progress) {
  return facts_of(model.method).solves_for_sum && progress.step.h > 0 && !model.dimensions.has_rolling_friction;
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
  const bool mean = opposes_mean_slip(model, progress);
  write_place(system, work, progress, contact, row);
  row.impulse_n = work.row_impulse(block.normal);
  Direction friction = tangential_impulse(model, work, block);
  if (has_stage_sums(model, progress)) {  // the normal may have turned
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

/// Whether the overlap of contact c was held: its b_n is that of a contact without a gap.
JOSTLE_HD inline bool is_held(const System& system, AnyWorkspace auto work, const StepProgress& progress, int c) {
  if (!progress.result.held || !(work.contact(c).gap < 0)) return false;
  const int normal = work.block(c).normal;
  return work.row_bias(normal) == prescribed_speed(system.model.dimensions, work, normal);
}

/// Adds to the entry what acted on body b in the piece.
JOSTLE_HD inline void add_wrenches(const System& system, AnyWorkspace auto work, const StepProgress& progress,
                                   int entry, int b) {
  const ModelView& model = system.model;
  const std::ptrdiff_t at = 6 * (static_cast<std::ptrdiff_t>(entry) * model.dimensions.bodies + b);
  double *const impulse = system.record->impulse + at, *const applied = system.record->applied + at;
  for (int k = 0; progress.pieces == 0 && k < 6; ++k) applied[k] = 0;
  add_contact_wrench(system, work, progress.result.contacts, b, progress.pieces == 0, has_stage_sums(model, progress),
                     impulse);
  const int m = model.bodies[b].mover;
  if (m == no_body) return;
  const Vec3 torque = rotate(turned_poses(model, work)[b].axes, work.applied(m).angular() + work.gyroscopic(m));
  for (int k = 0; k < 3; ++k) applied[k] += work.applied(m)[k], applied[3 + k] += torque[k];
}

/// Energy and the quantities that the scenario asks for, in the current state. By one lane.
JOSTLE_HD inline void write_quantities(const System& system, AnyWorkspace auto work, int entry) {
  const ModelView& model = system.model;
  const RecordView& record = *system.record;
  const double time = system.state().steps() * model.step;
  record.energy[entry] = total_energy(system);
  const auto quantity = [&](int q) { return quantity_value(system, work, model.quantities[q]); };
  const int count = model.dimensions.recorded_quantities;
  for (int i = 0; i < count; ++i)
    record.quantities[static_cast<std::ptrdiff_t>(entry) * count + i] = canonical(evaluate(
        model.program(model.recorded[i]), system.parameters().variables, time, quantity, work.operands().from(0)));
}

}  // namespace detail

/// Entry 0: the initial state. Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE void record_start(const Team& team, const System& system,
                                                         AnyWorkspace auto work) {
  if (!system.record) return;
  team.once([&] {
    const RecordView& record = *system.record;
    record.contacts[0] = record.pivots[0] = record.entry_rows[0] = 0;
    if (record.lcp_every > 0) record.lcp_entry_rows[0] = 0, record.lcp_entry_numbers[0] = 0;
    record.residual[0] = 0;
    for (int i = 0; i < 6 * system.model.dimensions.bodies; ++i) record.impulse[i] = record.applied[i] = 0;
    detail::write_quantities(system, work, 0);
  });
  team.sync();
}

/// Contacts and impulses of a piece that is accepted; there is room for them (lacks_rows). Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE void record_piece(const Team& team, const System& system, AnyWorkspace auto work,
                                                         const StepProgress& progress) {
  const int entry = record_entry(system, system.state().steps() + 1), contacts = progress.result.contacts;
  if (entry < 0) return;
  RecordProgress& own = *system.record->progress;
  ContactRow* const rows =
      system.record->rows && contacts > 0 ? system.record->rows + own.done.rows + own.step.rows : nullptr;
  if (rows) {
    team.for_each(contacts, [&](int c) { detail::write_contact_row(system, work, progress, c, rows[c]); });
    team.sync();
    detail::open_unloaded(team, contacts, rows);
  }
  team.for_each(system.model.dimensions.bodies, [&](int b) { detail::add_wrenches(system, work, progress, entry, b); });
  if (rows) {
    team.once([&] { find_shared_impulses(system.model, work, contacts, rows); });
    team.sync();
    team.for_each(contacts, [&](int c) {
      detail::take_unit_tangents(system, work, progress, c, rows[c]);
      rows[c].impulse_n -= pull_of(system.model.dimensions, work, work.block(c).normal);
      if (work.is_shared(c) != 0) rows[c].mode |= contact_not_unique;
      if (detail::is_held(system, work, progress, c)) rows[c].mode |= contact_held;
    });
    team.sync();
    const int filtered = filtered_rows(work, contacts);
    team.once([&] {
      if (filtered > 0) detail::write_filtered_rows(system, work, progress, rows);
      own.step.rows += contacts + filtered;
    });
  }
  team.sync();
}

/// The rest of a step that is computed, once the state has it. Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE void record_end(const Team& team, const System& system, AnyWorkspace auto work,
                                                       const StepProgress& progress) {
  if (!system.record) return;
  const int entry = record_entry(system, system.state().steps());
  const int of_lcps = lcp_entry(system, system.state().steps());
  team.once([&] {
    const RecordView& record = *system.record;
    RecordProgress& own = *record.progress;
    const StepResult& result = progress.result;
    if (entry >= 0) {
      record.contacts[entry] = result.all_contacts();
      record.pivots[entry] = result.rests ? 0 : result.pivots;
      record.residual[entry] = result.rests ? 0.0 : result.residual;
      record.entry_rows[entry] = own.step.rows;
      own.done.rows += own.step.rows;
      detail::write_quantities(system, work, entry);
    }
    if (entry >= 0 || !result.rests) own.last_entry = entry;
    if (of_lcps >= 0) {
      record.lcp_entry_rows[of_lcps] = own.step.lcp_rows;
      record.lcp_entry_numbers[of_lcps] = own.step.lcp_numbers;
      own.done.lcp_rows += own.step.lcp_rows, own.done.lcp_numbers += own.step.lcp_numbers;
    }
    if (of_lcps >= 0 || !result.rests) own.last_lcp_entry = of_lcps;
    own.step = {};
  });
  team.sync();
}

/// A step that repeats the one before, from the entry that has it; there is room for its rows (lacks_repeated_rows).
/// Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE void record_repeated(const Team& team, const System& system,
                                                            AnyWorkspace auto work) {
  const int entry = record_entry(system, system.state().steps());
  repeat_lcps(team, system);
  if (entry < 0) return;
  const RecordView& record = *system.record;
  const int from = record.progress->last_entry, wrench = 6 * system.model.dimensions.bodies;
  const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(from) * wrench;
  const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(entry - from) * wrench;
  double* const impulse = record.impulse + begin;
  double* const applied = record.applied + begin;
  const int count = record.entry_rows[from], used = record.progress->done.rows, first = used - count;
  team.for_each(wrench, [&](int i) {
    impulse[to + i] = impulse[i];
    applied[to + i] = applied[i];
  });
  team.for_each(count, [&](int i) { record.rows[used + i] = record.rows[first + i]; });
  team.sync();
  team.once([&] {
    record.contacts[entry] = system.state().last_contacts();
    record.pivots[entry] = 0;
    record.residual[entry] = 0;
    record.entry_rows[entry] = count;
    record.progress->done.rows = used + count, record.progress->last_entry = entry;
    detail::write_quantities(system, work, entry);
  });
  team.sync();
}

}  // namespace jostle

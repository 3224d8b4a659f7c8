#pragma once
// Writes the channels of a record (record_fields.hpp): LCPs as they are solved (record_lcps.hpp), contacts
// (record_contacts.hpp) and impulses piece by piece, the rest at the end of a step. Systems that record nothing have
// System::record null.
#include "core/records/record_contacts.hpp"
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

/// Adds to the entry what acted on body b in the piece.
JOSTLE_HD inline void add_wrenches(const System& system, AnyWorkspace auto work, const StepProgress& progress,
                                   int entry, int b) {
  const ModelView& model = system.model;
  const std::ptrdiff_t at = 6 * (static_cast<std::ptrdiff_t>(entry) * model.dimensions.bodies + b);
  double *const impulse = system.record->impulse + at, *const applied = system.record->applied + at;
  for (int k = 0; progress.pieces == 0 && k < 6; ++k) applied[k] = 0;
  add_contact_wrench(system, work, progress.result.contacts, b, progress.pieces == 0, has_stages_in(model, progress),
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

#pragma once
// Writes the channel `lcp` of a record (record_fields.hpp): every LCP of a recorded step once it is solved.
#include "core/assembly/assembled_lcp.hpp"
#include "core/assembly/schur.hpp"
#include "core/assembly/tangents.hpp"
#include "core/contacts/moments.hpp"
#include "core/model/record_fields.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// The LCP entry of a step, -1 if it has none.
JOSTLE_HD inline int lcp_entry(const System& system, int step) {
  if (!system.record || system.record->lcp_every == 0 || step % system.record->lcp_every != 0) return -1;
  return step / system.record->lcp_every;
}

/// Whether there is no room for so much more in the step in progress; then RecordProgress::needed says for how much.
/// Begins and ends synced.
template <class Team>
JOSTLE_HD bool lacks_room(const Team& team, const RecordView& record, const RecordUse& more) {
  const RecordUse &done = record.progress->done, &step = record.progress->step;
  const RecordUse needed{done.rows + step.rows + more.rows, done.lcp_rows + step.lcp_rows + more.lcp_rows,
                         done.lcp_numbers + step.lcp_numbers + more.lcp_numbers};
  const bool lacks = needed.rows > record.capacity.rows || needed.lcp_rows > record.capacity.lcp_rows ||
                     needed.lcp_numbers > record.capacity.lcp_numbers;
  if (lacks) {
    team.sync();
    team.once([&] { record.progress->needed = needed; });
    team.sync();
  }
  return lacks;
}

namespace detail {

JOSTLE_HD inline void label_contact_row(const ModelView& model, AnyWorkspace auto work, const LcpVariable& variable,
                                        LcpRow& row) {
  const Block& block = work.block(variable.block);
  const int c = block.is_moment() ? block.partner : variable.block;
  const Contact contact = work.contact(c);
  row.contact = c, row.pair = contact.pair, row.feature = contact.feature;
  LcpKind kind = LcpKind::slip_speed;
  Vec3 along = Vec3::Zero();
  if (variable.kind == LcpVariable::Kind::normal) {
    kind = LcpKind::normal, along = contact.normal;
  } else if (variable.kind == LcpVariable::Kind::beta) {
    const int i = variable.row - block.tangent;
    const bool spins = block.is_moment() && work.block(c).partner == variable.block;
    kind = spins ? LcpKind::spin_friction : block.is_moment() ? LcpKind::rolling_friction : LcpKind::friction;
    along = spins               ? contact.normal
            : block.is_moment() ? rolling_axis(model, contact, i)
                                : world_direction(model, contact, i);
    if (variable.sign < 0) along = -along;
  }
  row.kind = static_cast<std::uint8_t>(kind);
  for (int k = 0; k < 3; ++k) row.direction[k] = along[k];
}

JOSTLE_HD inline void label_joint_row(const ModelView& model, AnyWorkspace auto work, const LcpVariable& variable,
                                      LcpRow& row) {
  const Block block = work.block(variable.block);
  const int own = block.normal >= 0 ? block.normal : block.tangent;
  LcpKind kind = LcpKind::slip_speed;
  for (int j = 0; j < model.dimensions.joints; ++j) {
    const JointBlockRows rows = work.joint_block(j);
    const bool is_lower = own == rows.lower || own == rows.slowest,
               is_friction = own == rows.friction || own == rows.ball;
    if (!is_friction && own != rows.motor && !is_lower && own != rows.upper && own != rows.fastest) continue;
    row.joint = j;
    if (variable.kind == LcpVariable::Kind::lambda) continue;
    kind = is_friction         ? LcpKind::joint_friction
           : own == rows.motor ? LcpKind::motor
           : is_lower          ? LcpKind::lower_limit
                               : LcpKind::upper_limit;
  }
  row.kind = static_cast<std::uint8_t>(kind);
}

}  // namespace detail

/// What unknown i of the last problem stands for, read from the workspace: the labels of a row.
JOSTLE_HD inline void write_lcp_label(const ModelView& model, AnyWorkspace auto work, int i, LcpRow& row) {
  const LcpVariable variable = work.variable(i);
  row.contact = row.pair = row.feature = row.joint = -1;
  for (double& along : row.direction) along = 0;
  if (variable.block < model.dimensions.contact_blocks_end(work.first_contact(model.dimensions.pairs)))
    detail::label_contact_row(model, work, variable, row);
  else
    detail::label_joint_row(model, work, variable, row);
}

/// The LCPs of the problem that was solved last, with blocks, one for each island; piece and stage are labels. False:
/// there is no room. Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD JOSTLE_OUTLINE bool record_lcps(const Team& team, const System& system, AnyWorkspace auto work,
                                                        int piece, int stage) {
  if (lcp_entry(system, system.state().steps() + 1) < 0) return true;
  const RecordView& record = *system.record;
  const Dimensions& d = system.model.dimensions;
  const int islands = work.islands();
  RecordUse more;
  for (int i = 0; i < islands; ++i) {
    const int n = work.island(i).variables;
    more.lcp_rows += n, more.lcp_numbers += std::int64_t{n} * n;
  }
  if (lacks_room(team, record, more)) return false;
  const RecordProgress before = *record.progress;
  LcpRow* rows = record.lcp_rows + before.done.lcp_rows + before.step.lcp_rows;
  double* matrix = record.lcp_matrix + before.done.lcp_numbers + before.step.lcp_numbers;
  int problems = before.problems;
  for (int i = 0; i < islands; ++i) {
    const Island island = work.island(i);
    const int n = island.variables, first = island.first_variable;
    if (n == 0) continue;
    if (d.is_coupled())
      form_coupled_delassus(team, d, work);
    else
      form_delassus(team, island, work);
    number_lcp(team, island, work);
    const AssembledLcp lcp(work, island);
    team.for_each(n, [&](int r) {
      LcpRow& row = rows[r];
      write_lcp_label(system.model, work, first + r, row);
      row.problem = problems, row.piece = piece, row.stage = stage, row.size = n;
      row.q = lcp.constant(r);
      row.z = work.z(first + r);
      row.basis = row.z > 0 ? 1 : 0;
    });
    team.for_each(n * n, [&](int k) { matrix[k] = lcp.entry(k / n, k % n); });
    rows += n, matrix += std::int64_t{n} * n, ++problems;
  }
  team.sync();
  team.once([&] {
    record.progress->step.lcp_rows += more.lcp_rows, record.progress->step.lcp_numbers += more.lcp_numbers;
    record.progress->problems = problems;
  });
  team.sync();
  return true;
}

/// Those of a step that repeats the one before; there is room for them. Begins and ends synced.
template <class Team>
[[gnu::cold]] JOSTLE_HD void repeat_lcps(const Team& team, const System& system) {
  const int entry = lcp_entry(system, system.state().steps());
  if (entry < 0) return;
  const RecordView& record = *system.record;
  const int from = record.progress->last_lcp_entry, count = record.lcp_entry_rows[from];
  const std::int64_t numbers = record.lcp_entry_numbers[from];
  const RecordUse used = record.progress->done;
  LcpRow* const rows = record.lcp_rows + used.lcp_rows;
  double* matrix = record.lcp_matrix + used.lcp_numbers;
  team.for_each(count, [&](int i) { rows[i] = rows[i - count]; });
  for (int i = 0; i < count;) {  // LCP by LCP, as teams count with an int
    const int n = rows[i - count].size;
    team.for_each(n * n, [&](int k) { matrix[k] = matrix[k - numbers]; });
    i += n, matrix += std::int64_t{n} * n;
  }
  team.sync();
  team.once([&] {
    record.lcp_entry_rows[entry] = count, record.lcp_entry_numbers[entry] = numbers;
    record.progress->done.lcp_rows = used.lcp_rows + count;
    record.progress->done.lcp_numbers = used.lcp_numbers + numbers;
    record.progress->last_lcp_entry = entry;
  });
  team.sync();
}

}  // namespace jostle

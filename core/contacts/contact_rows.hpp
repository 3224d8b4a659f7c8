#pragma once
// The rows and blocks of contacts: normal and tangents at the predicted positions.
#include "core/assembly/rows.hpp"
#include "core/assembly/tangents.hpp"
#include "core/contacts/moments.hpp"
#include "core/prescribed/prescribed_motion.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// Row r, +(d; R' moment) on b and its negative on a, R from `turned`. Returns prescribed_speed().
JOSTLE_HD inline double write_row(const System& system, AnyWorkspace auto work, const auto& turned, const RowEnds& ends,
                                  int r) {
  const ModelView& model = system.model;
  ConstraintRow& row = work.row(r);
  const int at_a = write_bodies(model.bodies[ends.body_a].mover, model.bodies[ends.body_b].mover, row);
  write_half_row(system, turned, ends.body_a, -1, ends.d, ends.moment_a, row.entry[at_a]);
  write_half_row(system, turned, ends.body_b, 1, ends.d, ends.moment_b, row.entry[1 - at_a]);
  return write_prescribed_half(system, work, turned, ends, 1, r);
}

/// Which bodies the rows of a contact move, and which half of a row is a's.
struct ContactBodies {
  int body_a, body_b, mover_a, mover_b;
  bool moves_a, moves_b;
};
JOSTLE_HD inline ContactBodies bodies_of(const ModelView& model, const Contact& contact) {
  const PairModel& pair = model.pairs[contact.pair];
  const int a = model.shapes[pair.shape_a].body, b = model.shapes[pair.shape_b].body;
  return {a, b, model.bodies[a].mover, model.bodies[b].mover, !model.bodies[a].fixed, !model.bodies[b].fixed};
}

/// The same of direction d at a contact, whose moments are r x d: docs/theory.md (5).
JOSTLE_HD inline double write_row(const System& system, AnyWorkspace auto work, const auto& turned,
                                  const Contact& contact, const ContactBodies& of, const Vec3& d, int r) {
  const ModelView& model = system.model;
  if (model.dimensions.prescribed > 0) {
    const Vec3 moment_a = cross(contact.arm_a, d), moment_b = cross(contact.arm_b, d);
    return write_row(system, work, turned, {of.body_a, of.body_b, d, moment_a, moment_b}, r);
  }
  ConstraintRow& row = work.row(r);
  const int at_a = write_bodies(of.mover_a, of.mover_b, row);
  const auto write = [&](int body, double sign, const Vec3& arm, int side) {
    write_half(model.bodies[body], turned[body].axes, sign, d, cross(arm, d), row.entry[side]);
  };
  if (of.moves_a) write(of.body_a, -1, contact.arm_a, at_a);
  if (of.moves_b) write(of.body_b, 1, contact.arm_b, 1 - at_a);
  return 0;
}

/// work.mode() of every contact: that of the step before, unknown for a new contact; one that slipped when it was still
/// rough sticks. Ends synced.
template <class Team>
JOSTLE_HD void load_modes(const Team& team, const System& system, AnyWorkspace auto work, int contacts) {
  team.for_each(contacts, [&](int c) {
    const Mode mode = mode_in_state(system, work.contact(c).pair, work.contact(c).feature);
    const bool was_rough = mode.slips() && !(system.parameters().friction[work.contact(c).pair] > 0);
    work.mode(c) = was_rough ? Mode{Mode::Kind::stick, 0, mode.held} : mode;
  });
  team.sync();
}

/// Numbers the listed contacts and loads their modes. False, with status `capacity`, if the workspace is too small.
/// Ends synced.
template <class Team>
JOSTLE_HD bool number_and_load(const Team& team, const System& system, AnyWorkspace auto work, StepResult& result) {
  result.contacts = number_contacts(team, system, work);
  result.resting = work.resting_contacts();
  if constexpr (decltype(work)::has_polytopes) {
    if (work.filtered_contacts() > result.filtered) result.filtered = work.filtered_contacts();
  }
  if (result.all_contacts() > work.contacts()) {
    result.status = Status::capacity;
    return false;
  }
  load_modes(team, system, work, result.contacts);
  return true;
}

/// visit(i, kept) for the modes of pair p that are kept for the next step: of the first contacts, in the order of
/// features, and none in place of further ones in the state. Nothing follows the first none there.
JOSTLE_HD void for_each_kept_mode(const System& system, AnyWorkspace auto work, int contacts, int p, auto visit) {
  const PairModel& pair = system.model.pairs[p];
  int count = 0;
  for (int c = work.first_contact(p); c < contacts && count < pair.modes && work.contact(c).pair == p; ++c)
    visit(pair.first_mode + count++, KeptMode::of(work.contact(c).feature, work.mode(c)));
  for (; count < pair.modes && !system.state().modes[pair.first_mode + count].is_none(); ++count)
    visit(pair.first_mode + count, KeptMode{});
}

/// Whether these are the modes of the step before.
JOSTLE_HD bool has_kept_modes(const System& system, AnyWorkspace auto work, int contacts, int p) {
  bool same = true;
  for_each_kept_mode(system, work, contacts, p,
                     [&](int i, KeptMode kept) { same = same && system.state().modes[i] == kept; });
  return same;
}

/// Writes them to the state.
template <class Team>
JOSTLE_HD void keep_modes(const Team& team, const System& system, AnyWorkspace auto work, int contacts) {
  team.for_each(system.model.dimensions.pairs, [&](int p) {
    if (is_left_out(system, work, p)) return;
    for_each_kept_mode(system, work, contacts, p, [&](int i, KeptMode kept) { system.state().modes[i] = kept; });
  });
}

namespace detail {

/// Where friction depends on the direction, the tangents of contact c lie along the axis of its friction and across it,
/// and have the lengths of the parts of mu there: with them the regular polygon is one in the ellipse of friction,
/// docs/theory.md (7a). An axis that stands on the surface has every direction across it.
JOSTLE_HD inline void turn_tangents(const System& system, AnyWorkspace auto work, Contact& contact) {
  const int body = system.model.pairs[contact.pair].axis_body;
  if (body < 0) return;
  const double* const parts = system.parameters().friction_parts + 2 * contact.pair;
  const Vec3 axis = rotate(work.predicted_pose(body).axes, vector_at(system.parameters().friction_axis, contact.pair));
  const Vec3 along = axis - dot(axis, contact.normal) * contact.normal;
  const double length = std::sqrt(dot(along, along));
  const bool stands = length < 1e-6;
  if (!stands) contact.tangent_1 = along / length, contact.tangent_2 = cross(contact.normal, contact.tangent_1);
  contact.tangent_1 = parts[stands ? 1 : 0] * contact.tangent_1;
  contact.tangent_2 = parts[1] * contact.tangent_2;
}

/// Row r, the relative turning about an axis of the world at contact c. Returns prescribed_speed().
JOSTLE_HD inline double write_turning_row(const System& system, AnyWorkspace auto work, const auto& turned, int c,
                                          const Vec3& axis, int r) {
  const ModelView& model = system.model;
  const PairModel& pair = model.pairs[work.contact(c).pair];
  const RowEnds ends{model.shapes[pair.shape_a].body, model.shapes[pair.shape_b].body, Vec3::Zero(), axis, axis};
  const double told = write_row(system, work, turned, ends, r);
  work.row_bias(r) = with_told(0, told);
  return told;
}

/// Speeds of turning below this count as none where a first mode is chosen, rad/s.
inline constexpr double turning_speed = 1e-9;

/// The row of the spin about the normal of contact c, and the block of its friction, whose mode is that of the
/// predicted velocities. Its bound is mu c_n times a length.
JOSTLE_HD inline void write_spin_row(const System& system, AnyWorkspace auto work, const auto& turned, int c,
                                     int contacts, int r) {
  const Contact& contact = work.contact(c);
  const double told = write_turning_row(system, work, turned, c, contact.normal, r);
  const int own = contacts + c;
  work.block(c).partner = own;
  work.block(own) = {-1, r, 1, true, work.block(c).friction * system.parameters().spin_friction[contact.pair], 0, c};
  const double speed = add_product(told, work.row(r), work.predicted_velocity());
  const bool spins = std::fabs(speed) > turning_speed;
  work.mode(own) = {spins ? Mode::Kind::slip : Mode::Kind::stick, static_cast<std::uint8_t>(speed > 0 && spins)};
}

/// Row i of rolling at contact c.
JOSTLE_HD inline void write_rolling_row(const System& system, AnyWorkspace auto work, const auto& turned, int c, int i,
                                        int r) {
  write_turning_row(system, work, turned, c, rolling_axis(system.model, work.contact(c), i), r);
}

/// The block of the rolling friction of contact c, whose mode is that of the predicted velocities.
JOSTLE_HD inline void write_rolling_block(const System& system, AnyWorkspace auto work, int c, int contacts) {
  const ModelView& model = system.model;
  const Dimensions& d = model.dimensions;
  const int own = contacts * (1 + d.spins()) + c, first = d.contact_rows(c).roll, half = d.directions / 2;
  const double radius = system.parameters().rolling_friction[work.contact(c).pair];
  work.block(c).roller = own;
  work.block(own) = {-1, first, half, true, radius, 0, c};
  const auto speed = [&](int i) {
    return add_product(work.row_bias(first + i), work.row(first + i), work.predicted_velocity());
  };
  const auto speed_along = [&](int i) { return i < half ? speed(i) : -speed(i - half); };
  const int slowest = slowest_of(half, speed), k = 2 * half;
  const double least = speed_along(slowest);
  work.mode(own) = {Mode::Kind::stick, 0};
  if (!(least < -turning_speed)) return;
  work.mode(own) = Mode::slip(slowest);
  for (const int i : {slowest, (slowest + k - 1) % k}) {
    const int other = i == slowest ? (i + 1) % k : i;
    if (k > 2 && speed_along(other) <= least + turning_speed) work.mode(own) = Mode::between(i);
  }
}

}  // namespace detail

/// Rows of n and of the first half of D at the predicted positions, and the blocks; returns their problem. The biases
/// are b_n = normal_bias(contact, row of n, prescribed_speed) and b_t = 0, both of the velocity relative to a body with
/// prescribed motion. The new spins will be in the axes of the poses `turned`. Ends synced.
template <class Team, class NormalBias>
JOSTLE_HD JOSTLE_OUTLINE MixedLcp write_contact_rows(const Team& team, const System& system, AnyWorkspace auto work,
                                                     int contacts, const auto& turned, NormalBias normal_bias) {
  const ModelView& model = system.model;
  const int per_contact = model.dimensions.rows_per_contact(), tangents = model.dimensions.directions / 2;
  team.for_each(contacts, [&](int c) {
    Contact& contact = work.contact(c);
    set_frame(system, work, contact);
    if constexpr (decltype(work)::is_coupled) {
      if (model.dimensions.has_friction_axes) detail::turn_tangents(system, work, contact);
    }
    const double friction = system.parameters().friction[contact.pair];
    const RowsOfContact rows = model.dimensions.contact_rows(c);
    work.block(c) = {rows.normal, rows.tangent, friction > 0 ? tangents : 0, true, friction, 0};
  });
  team.sync();
  for_each_part(team, contacts, per_contact, [&](int c) {
    return [&, c, &contact = work.contact(c), of = bodies_of(model, work.contact(c))](int own) {
      const int i = own - 1, r = per_contact * c + own;
      if constexpr (decltype(work)::is_coupled) {
        const Dimensions& d = model.dimensions;
        const int rolling = i - tangents - d.spins();
        if (rolling >= 0) return detail::write_rolling_row(system, work, turned, c, rolling, r);
        if (i == tangents) return detail::write_spin_row(system, work, turned, c, contacts, r);
      }
      const Vec3 d = i < 0 ? contact.normal : world_direction(model, contact, i);
      const double told = write_row(system, work, turned, contact, of, d, r);
      work.row_bias(r) = with_told(i < 0 ? normal_bias(contact, work.row(r), told) : 0.0, told);
    };
  });
  team.sync();
  if constexpr (decltype(work)::is_coupled) {
    if (model.dimensions.has_rolling_friction) {
      team.for_each(contacts, [&](int c) { detail::write_rolling_block(system, work, c, contacts); });
      team.sync();
    }
  }
  MixedLcp problem{contacts * per_contact, model.dimensions.contact_blocks_end(contacts), 0};
  problem.relative_to_speeds = model.dimensions.prescribed > 0;
  return problem;
}

}  // namespace jostle

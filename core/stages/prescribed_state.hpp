#pragma once
// What the state and the tallies know of bodies with prescribed motion, and the work that these do.
#include "core/contacts/adhesion.hpp"
#include "core/joints/stiff_impulses.hpp"
#include "core/math/bits.hpp"
#include "core/prescribed/told_line.hpp"
#include "core/step_result.hpp"

namespace jostle {

/// Velocity and spin of body number p in the state.
JOSTLE_HD inline void set_prescribed_velocity(const System& system, int p, const Vec6& velocity) {
  const int body = system.model.prescribed[p].body;
  set_vector(system.state().velocity, body, velocity.linear());
  set_vector(system.state().spin, body, velocity.angular());
}

/// The velocities at t = 0, at work.next_pose(); returns whether they are finite. Ends synced.
template <class Team>
JOSTLE_HD bool start_prescribed(const Team& team, const System& system, AnyWorkspace auto work) {
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    const Vec6 velocity = work.prescribed_rate(p) = work.prescribed_velocity(p) =
        prescribed_velocity_at(system, work, p, 0, work.next_pose(system.model.prescribed[p].body));
    set_prescribed_velocity(system, p, velocity);
    set_vector(system.state().given_impulse, p, Vec3::Zero());
    if (system.model.dimensions.has_impact_shares) set_vector(system.state().given_impact, p, Vec3::Zero());
  });
  return !any_prescribed_infinite(team, system, work);
}

/// What a row with a prescribed half is.
enum class RowKind { contact, friction, motor, limit, equation };

/// visit(prescribed half, number, kind) for every row of J that a body with prescribed motion has, then of N', and of
/// the directions in which joints are stiff.
JOSTLE_HD void for_each_prescribed_half(const System& system, AnyWorkspace auto work, int contacts, auto visit) {
  const ModelView& model = system.model;
  const auto visit_row = [&](int r, RowKind kind) {
    if (r >= 0 && work.prescribed_half(r).number >= 0) visit(work.prescribed_half(r), r, kind);
  };
  for (int r = 0; r < model.dimensions.contact_rows_end(contacts); ++r) visit_row(r, RowKind::contact);
  if constexpr (decltype(work)::is_coupled) {
    for (int j = 0; j < model.dimensions.joints; ++j) {
      const JointBlockRows rows = work.joint_block(j);
      visit_row(rows.friction, RowKind::friction), visit_row(rows.motor, RowKind::motor);
      visit_row(rows.lower, RowKind::limit), visit_row(rows.upper, RowKind::limit);
      visit_row(rows.slowest, RowKind::limit), visit_row(rows.fastest, RowKind::limit);
      for (int i = 0; i < rows.ball_rows; ++i) visit_row(rows.ball + i, RowKind::friction);
    }
    const auto visit_equation = [&](int i) {
      const PrescribedHalf& half = work.prescribed_half(work.rows() + i);
      if (half.number >= 0) visit(half, i, RowKind::equation);
    };
    for (int i = 0; i < model.dimensions.joint_rows; ++i) visit_equation(i);
    for_each_stiff_row(model.dimensions, work, [&](int, int i) { visit_equation(i); });
  }
}

/// The impulse of the last problem in such a row.
JOSTLE_HD inline double impulse_of(const Dimensions& d, AnyWorkspace auto work, int number, RowKind kind) {
  return kind == RowKind::equation ? work.joint_impulse(number) : work.row_impulse(number) - pull_of(d, work, number);
}

/// Writes the impulses given to other bodies in the piece; those of later ones are added. If it has
/// stages, work.stage_given() has them. Ends synced.
template <class Team>
JOSTLE_HD void accept_given(const Team& team, const System& system, AnyWorkspace auto work, int contacts,
                            const PieceFacts& piece) {
  const bool first = piece.first_of_joints;
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    const Vec3 before = first ? Vec3::Zero() : vector_at(system.state().given_impulse, p);
    Vec3 given = before;
    if (piece.has_stages)
      given += work.stage_given(p);
    else
      for_each_prescribed_half(system, work, contacts, [&](const PrescribedHalf& half, int number, RowKind kind) {
        if (half.number == p) given -= impulse_of(system.model.dimensions, work, number, kind) * half.entry.linear();
      });
    set_vector(system.state().given_impulse, p, given);
    for (int k = 0; system.model.dimensions.has_impact_shares && k < 3; ++k)
      add_share(first, piece, given[k] - before[k], system.state().given_impact[3 * p + k]);
  });
  team.sync();
}

/// The same, and their velocities.
template <class Team>
JOSTLE_HD void accept_prescribed(const Team& team, const System& system, AnyWorkspace auto work, int contacts,
                                 const PieceFacts& piece) {
  team.for_each(system.model.dimensions.prescribed,
                [&](int p) { set_prescribed_velocity(system, p, work.prescribed_velocity(p)); });
  accept_given(team, system, work, contacts, piece);
}

/// The negative of the work that bodies with prescribed motion do in a sub-step, which is no gain, and what of it is in
/// play. That of a motor between such a body and another is in motor_work() already. The same on all lanes.
JOSTLE_HD StepEnergy prescribed_energy(const System& system, AnyWorkspace auto work, const StepProgress& progress) {
  const ModelView& model = system.model;
  const bool has_line = model.dimensions.has_impacts && !model.dimensions.has_stages;
  const ToldParts parts = told_parts(model, progress);
  StepEnergy energy;
  for_each_prescribed_half(
      system, work, progress.result.contacts, [&](const PrescribedHalf& half, int number, RowKind kind) {
        if (kind == RowKind::motor) return;
        const auto speed_at = [&](double part) { return has_line ? told_speed(system, work, half, part) : half.speed; };
        const double impulse = impulse_of(model.dimensions, work, number, kind);
        const double by_mean = impulse * speed_at(0.5 * (parts.start + parts.end));
        energy.by_mean += by_mean, energy.by_end += impulse * speed_at(parts.end);
        energy.in_play += std::fabs(by_mean);
      });
  return energy;
}

}  // namespace jostle

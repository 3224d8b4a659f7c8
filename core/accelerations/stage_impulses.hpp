#pragma once
// What the forces of the stages give in a step: impulses and work, those of bodies with prescribed motion, and what
// records have of contacts; docs/theory.md (65), (67).
#include "core/accelerations/runge_kutta.hpp"
#include "core/assembly/rows.hpp"
#include "core/assembly/tangents.hpp"
#include "core/contacts/adhesion.hpp"
#include "core/joints/joint_state.hpp"
#include "core/stages/prescribed_state.hpp"

namespace jostle {

namespace detail {

/// Adds the impulses and the work that bodies with prescribed motion give, impulse(number, kind) being those of their
/// rows. What friction and motors of joints do is in the work of forces already. Does not sync.
template <class Team>
JOSTLE_HD void add_given(const Team& team, const System& system, AnyWorkspace auto work, StepProgress& progress,
                         auto impulse) {
  if (system.model.dimensions.prescribed == 0) return;
  const auto for_each_half = [&](auto visit) {
    for_each_prescribed_half(system, work, progress.result.contacts, visit);
  };
  for_each_half([&](const PrescribedHalf& half, int number, RowKind kind) {
    if (kind == RowKind::friction || kind == RowKind::motor) return;
    progress.work -= impulse(number, kind) * dot(six(half.entry), six(work.prescribed_velocity(half.number)));
  });
  team.for_each(system.model.dimensions.prescribed, [&](int p) {
    for_each_half([&](const PrescribedHalf& half, int number, RowKind kind) {
      if (half.number == p) work.stage_given(p) -= impulse(number, kind) * half.entry.linear();
    });
  });
}

/// Adds the impulse(row) of contacts to what records and forces as quantities have of a motion: of each contact, in the
/// world, and of each body, with its moment in the axes of the body, in which the spin changes by it. Does not sync.
template <class Team>
[[gnu::cold]] JOSTLE_HD void add_recorded(const Team& team, const System& system, AnyWorkspace auto work, int contacts,
                                          bool is_first, auto impulse) {
  if (!system.record && !system.model.dimensions.has_contact_wrenches) return;
  const ModelView& model = system.model;
  const auto push_of = [&](int c) { return Vec3(impulse(work.block(c).normal) * work.contact(c).normal); };
  team.for_each(contacts, [&](int c) {
    work.stage_push(c) = (is_first ? Vec3(Vec3::Zero()) : Vec3(work.stage_push(c))) + push_of(c);
  });
  team.for_each(model.dimensions.bodies, [&](int b) {
    Vec3 push = Vec3::Zero(), moment = Vec3::Zero();
    for_each_contact_of(model, work, contacts, b, [&](int c, double sign, const Vec3& arm) {
      const Vec3 P = sign * push_of(c);
      push += P, moment += cross(arm, P);
    });
    const Vec3 turned = rotate_back(work.predicted_pose(b).axes, moment);
    Vec6& sum = work.stage_wrench(b);
    for (int k = 0; k < 3; ++k) {
      sum[k] = (is_first ? 0.0 : sum[k]) + push[k];
      sum[3 + k] = (is_first ? 0.0 : sum[3 + k]) + turned[k];
    }
  });
}

/// The same of joints on their second bodies. Does not sync.
template <class Team>
JOSTLE_HD void add_joint_wrenches(const Team& team, const System& system, AnyWorkspace auto work, bool is_first,
                                  auto impulse) {
  if (!system.model.dimensions.has_joint_wrenches) return;
  team.for_each(system.model.dimensions.joints, [&](int j) {
    if (!system.model.joints[j].has_wrench) return;
    const auto wrench = work.stage_joint_wrench().from(6 * j);
    for (int k = 0; is_first && k < 6; ++k) wrench[k] = 0;
    add_joint_impulses(system, j, place_joint(system, j, work.predicted_pose()), impulse, wrench);
  });
}

}  // namespace detail

/// Adds the impulses and the work of forces of a stage that is solved. Begins and ends synced.
template <class Team>
JOSTLE_HD void add_stage_impulses(const Team& team, const System& system, AnyWorkspace auto work,
                                  StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const double weight = progress.step.h * Stages::weight(progress.phase);
  const bool is_first = progress.phase == 0, is_last = progress.phase + 1 == Stages::count;
  const int first_bound = d.contact_rows_end(progress.result.contacts),
            bounds = decltype(work)::is_coupled ? d.joint_bounds : 0;
  double power = 0;
  for (int i = 0; i < d.velocities(); ++i) power += work.momentum(i / 6)[i % 6] * work.velocity(i / 6)[i % 6];
  double by_drives = 0;  // with the friction of joints that slide, which is among the forces
  for (int b = 0; b < bounds; ++b) {
    const double speed = add_product(0, work.row(first_bound + b), work.velocity());
    power += work.row_impulse(first_bound + b) * speed;
    by_drives += (work.row_impulse(first_bound + b) + work.sliding_force(b)) * speed;
  }
  for (int j = 0; decltype(work)::is_coupled && j < d.joints; ++j) {
    const JointBlockRows rows = work.joint_block(j);
    for (const int row : {rows.slowest, rows.fastest}) {
      if (row < 0) continue;
      const double by_limit = work.row_impulse(row) * add_product(0, work.row(row), work.velocity());
      power += by_limit, by_drives += by_limit;
    }
  }
  progress.work_of_drives += weight * by_drives;
  for (int c = 0; d.has_adhesion && c < progress.result.contacts; ++c) {  // pulls are no forces, but a part of c_n
    const int normal = d.contact_rows(c).normal;
    power += pull_of(d, work, normal) * add_product(0, work.row(normal), work.velocity());
  }
  if (d.has_armature) power += power_of_armatures(system, work);
  progress.work += weight * power;
  const auto is_bound = [&](int r) { return r >= first_bound && r < first_bound + bounds; };
  const auto force_of = [&](int r) {
    return work.row_impulse(r) + (is_bound(r) ? work.sliding_force(r - first_bound) : 0.0);
  };
  const auto whole_force_of = [&](int r) { return force_of(r) - pull_of(d, work, r); };
  detail::add_given(team, system, work, progress, [&](int number, RowKind kind) {
    return weight * (kind == RowKind::equation ? work.joint_impulse(number) : whole_force_of(number));
  });
  detail::add_recorded(team, system, work, progress.result.contacts, is_first,
                       [&](int r) { return weight * whole_force_of(r); });
  team.for_each(progress.rows, [&](int r) {
    const double force = force_of(r);
    work.stage_impulse(r) = (is_first ? 0.0 : work.stage_impulse(r)) + weight * force;
    if (is_last) work.held_impulse(r) = is_bound(r) || force > 0 ? work.stage_impulse(r) : 0.0;
  });
  if constexpr (decltype(work)::is_coupled) {
    team.for_each(d.joint_rows, [&](int j) {
      work.stage_reaction(j) = (is_first ? 0.0 : work.stage_reaction(j)) + weight * work.joint_impulse(j);
    });
    detail::add_joint_wrenches(team, system, work, is_first, [&](int j) { return weight * work.joint_impulse(j); });
  }
  team.sync();
}

/// r = M v - J'p - N c of the rows that still hold at the end of the last stage and of joints, p and c being their
/// impulses. Ends synced.
template <class Team>
JOSTLE_HD void write_free_momentum(const Team& team, const System& system, AnyWorkspace auto work, int rows,
                                   int joints) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.movers, [&](int m) {
    Vec6 start;
    for (int k = 0; k < 6; ++k) {
      const int body = model.movers[m];
      const double velocity = work.velocity(m)[k] + work.velocity_change(m)[k];
      start[k] = model.bodies[body].is_free(k) ? inertia_of(system, body, k) * velocity : 0.0;
    }
    Six sum = six(start);
    const auto subtract = [&](const ConstraintRow& row, double impulse) {
      if (const int side = side_of(row, m); side >= 0) sum = sum - impulse * six(row.entry[side]);
    };
    for (int r = 0; r < rows; ++r)
      if (work.held_impulse(r) != 0) subtract(work.row(r), work.held_impulse(r));
    for (int j = 0; j < joints; ++j) subtract(work.joint_row(j), work.stage_reaction(j));
    store(sum, work.momentum(m));
  });
  team.sync();
  if (model.dimensions.has_armature) add_armature_momentum(team, system, work, velocities_at_end(work));
}

/// Adds what the projection changes, with the work of motors and friction of joints, and leaves the impulses of
/// the whole motion in work.row_impulse(). Begins and ends synced.
template <class Team>
JOSTLE_HD void add_impulses_of_projection(const Team& team, const System& system, AnyWorkspace auto work,
                                          StepProgress& progress) {
  const Dimensions& d = system.model.dimensions;
  const auto change = [&](int r) { return work.row_impulse(r) - work.held_impulse(r); };
  // Where the speed of a motor jumps, or it shares a load with friction in another way than in the stages.
  for (int b = 0; decltype(work)::is_coupled && b < d.joint_bounds; ++b) {
    const int r = d.contact_rows_end(progress.result.contacts) + b;
    const double before = add_product(0, work.row(r), work.velocity()),
                 after = add_product(0, work.row(r), work.next_velocity()), done = change(r) * (0.5 * (before + after));
    progress.work += done, progress.work_of_drives += done;
  }
  detail::add_given(team, system, work, progress, [&](int number, RowKind kind) {
    return kind == RowKind::equation ? work.joint_impulse(number) - work.stage_reaction(number) : change(number);
  });
  detail::add_recorded(team, system, work, progress.result.contacts, false, change);
  if constexpr (decltype(work)::is_coupled)
    detail::add_joint_wrenches(team, system, work, false,
                               [&](int j) { return work.joint_impulse(j) - work.stage_reaction(j); });
  team.sync();
  team.for_each(progress.rows, [&](int r) { work.row_impulse(r) += work.stage_impulse(r) - work.held_impulse(r); });
  team.sync();
}

}  // namespace jostle

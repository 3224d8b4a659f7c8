#pragma once
// Accepts a step: updates positions, velocities and contact data of the state.
#include "core/contacts/rims.hpp"
#include "core/joints/joint_state.hpp"
#include "core/lcp/selection.hpp"
#include "core/stages/energy.hpp"
#include "core/stages/prescribed_state.hpp"
#include "core/stages/rest.hpp"

namespace jostle {

/// Are all next positions, orientations and velocities finite?
template <class Team>
JOSTLE_HD bool next_is_finite(const Team& team, const System& system, AnyWorkspace auto work) {
  const Dimensions& d = system.model.dimensions;
  if (d.movers == 0) return true;
  const auto has_bad_velocity = [&](int m) { return !is_zero(0 * six(work.next_velocity(m))); };
  const auto has_bad_pose = [&](int b) {
    const Pose& pose = work.next_pose(b);
    // A turn that overflows makes all four components NaN.
    return !(is_finite(pose.position[0]) && is_finite(pose.position[1]) && is_finite(pose.position[2]) &&
             is_finite(pose.orientation.w) && is_finite(pose.angle));
  };
  return !any_of(team, d.movers, has_bad_velocity) && !any_of(team, d.bodies, has_bad_pose);
}

/// Whether the step ends in the bits of the state in which it began: all bodies were and are at rest, those with
/// prescribed motion too, with the same contacts in the same modes and the same limits of joints. Then, if nothing else
/// changes, every later step is the same.
template <class Team>
JOSTLE_HD bool ends_as_it_began(const Team& team, const System& system, AnyWorkspace auto work, int contacts,
                                double h) {
  const Dimensions& d = system.model.dimensions;
  const auto moves = [&](int m) { return !is_zero(six(work.velocity(m))) || !is_zero(six(work.next_velocity(m))); };
  if (d.movers > 0 && any_of(team, d.movers, moves)) return false;
  if (d.prescribed > 0 && moves_prescribed(team, system, work)) return false;
  if constexpr (decltype(work)::is_coupled) {
    if (!keeps_joint_modes(team, system, work) || !keeps_forces(team, system, work, h)) return false;
  }
  const auto changes = [&](int p) {
    return !is_left_out(system, work, p) && changes_contacts(system, work, contacts, p);
  };
  return d.pairs == 0 || !any_of(team, d.pairs, changes);
}

/// Makes the new velocities part of the state, and how much of a body's rotation is of gyroscopic impulses. Does not
/// sync.
template <class Team>
JOSTLE_HD void accept_velocities(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  const StateView state = system.state();
  team.for_each(model.dimensions.movers, [&](int m) {
    const int body = model.movers[m];
    const Vec6 velocity = work.next_velocity(m);
    for (int k = 0; k < 3; ++k) {
      if (model.bodies[body].is_free(k)) state.velocity[3 * body + k] = velocity[k];
      if (model.bodies[body].is_free(3 + k)) state.spin[3 * body + k] = velocity[3 + k];
    }
    if (model.bodies[body].rotation == RotationKind::free)
      state.gyroscopic_work[body] = gyroscopic_work(system, work, m).made;
  });
}

/// `h`: the length of the piece, s.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void accept_step(const Team& team, const System& system, AnyWorkspace auto work, int contacts,
                                          PieceFacts piece, double h) {
  const bool first = piece.first, has_stages = piece.has_stages;
  const ModelView& model = system.model;
  const StateView state = system.state();
  const bool rests = !model.changes_with_time && ends_as_it_began(team, system, work, contacts, h);
  team.sync();
  team.once([&] { state.resting() = rests ? 1 : 0; });
  accept_velocities(team, system, work);
  team.for_each(model.dimensions.bodies, [&](int b) {
    set_vector(state.position, b, work.next_pose(b).position);
    set_quaternion(state.orientation, b, work.next_pose(b).orientation);
    state.angle[b] = work.next_pose(b).angle;
    if (model.dimensions.has_contact_tallies) sum_impulses(system, work, b, piece);
    if constexpr (decltype(work)::has_wrenches) {
      if (model.dimensions.has_contact_wrenches)
        add_contact_wrench(system, work, contacts, b, first, has_stages, state.contact_wrench + 6 * b);
      if (model.dimensions.has_contact_wrenches && model.dimensions.has_impact_shares)
        add_contact_impact(system, work, contacts, b, piece);
    }
  });
  team.for_each(model.dimensions.pages, [&](int i) {
    const PageModel& page = model.pages[i];
    if (is_left_out(system, work, page.pair)) return;
    state.active[i] = active_features(system, work, contacts, i, h);
    if constexpr (decltype(work)::has_polytopes) {
      if (page.slot >= 0) state.page_first[page.slot] = work.page_first(page.slot);
    }
  });
  keep_modes(team, system, work, contacts);
  team.sync();
  if (model.dimensions.rims > 0 && !rests) aim_rims(team, system, work, contacts, h);
  if (model.dimensions.prescribed > 0) accept_prescribed(team, system, work, contacts, piece);
  if constexpr (decltype(work)::is_coupled) accept_joints(team, system, work, piece, rests, h);
}

}  // namespace jostle

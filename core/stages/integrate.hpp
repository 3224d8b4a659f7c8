#pragma once
// Accepts a step: updates positions, velocities and contact data of the state.
#include "core/joints/joint_state.hpp"
#include "core/lcp/selection.hpp"
#include "core/prescribed/prescribed_state.hpp"
#include "core/stages/energy.hpp"
#include "core/stages/rest.hpp"

namespace jostle {

/// Are all next positions, orientations and velocities finite?
template <class Team>
JOSTLE_HD bool next_is_finite(const Team& team, const System& system, AnyWorkspace auto work) {
  const auto larger = [](std::int64_t a, std::int64_t b) { return a > b; };
  const Dimensions& d = system.model.dimensions;
  if (d.movers == 0) return true;
  const auto velocity = [&](int k) { return magnitude_bits(work.next_velocity(k / 6)[k % 6]); };
  const auto position = [&](int i) { return magnitude_bits(work.next_pose(i / 3).position[i % 3]); };
  const auto angle = [&](int b) { return magnitude_bits(work.next_pose(b).angle); };
  // A turn that overflows makes all four components NaN.
  const auto orientation = [&](int b) { return magnitude_bits(work.next_pose(b).orientation.w); };
  return is_finite(from_magnitude_bits(team.select(d.velocities(), velocity, larger))) &&
         is_finite(from_magnitude_bits(team.select(3 * d.bodies, position, larger))) &&
         is_finite(from_magnitude_bits(team.select(d.bodies, orientation, larger))) &&
         is_finite(from_magnitude_bits(team.select(d.bodies, angle, larger)));
}

/// Whether the step ends in the bits of the state in which it began: all bodies were and are at rest, those with
/// prescribed motion too, with the same contacts in the same modes and the same limits of joints. Then, if nothing else
/// changes, every later step is the same.
template <bool IsCoupled, class Team>
JOSTLE_HD bool ends_as_it_began(const Team& team, const System& system, const AnyWorkspace auto& work, int contacts) {
  const Dimensions& d = system.model.dimensions;
  const auto any = [](bool a, bool b) { return a && !b; };
  const auto moves = [&](int i) { return work.velocity(i / 6)[i % 6] != 0 || work.next_velocity(i / 6)[i % 6] != 0; };
  if (d.movers > 0 && team.select(d.velocities(), moves, any)) return false;
  if (d.prescribed > 0 && moves_as_told(team, system, work)) return false;
  if constexpr (IsCoupled) {
    if (!keeps_joint_modes(team, system, work)) return false;
  }
  const auto changes = [&](int p) {
    return !is_left_out(system, work, p) && changes_contacts(system, work, contacts, p);
  };
  return d.pairs == 0 || !team.select(d.pairs, changes, any);
}

/// `first`: whether it is the first sub-step of a step; `has_stages`: whether the piece has stages.
template <bool IsCoupled, class Team>
JOSTLE_HD JOSTLE_OUTLINE void accept_step(const Team& team, const System& system, AnyWorkspace auto work, int contacts,
                                          bool first, bool has_stages) {
  const ModelView& model = system.model;
  const StateView state = system.state();
  const bool rests = !model.changes_with_time && ends_as_it_began<IsCoupled>(team, system, work, contacts);
  team.sync();
  team.once([&] { state.resting[0] = rests ? 1 : 0; });
  team.for_each(model.dimensions.velocities(), [&](int i) {
    const int mover = i / 6, body = model.movers[mover], k = i % 6;
    double* const target = k < 3 ? state.velocity : state.spin;
    if (model.bodies[body].is_free(k)) target[3 * body + k % 3] = work.next_velocity(mover)[k];
  });
  team.for_each(model.dimensions.movers, [&](int m) {
    if (model.bodies[model.movers[m]].rotation == RotationKind::free)
      state.gyroscopic_work[model.movers[m]] = gyroscopic_work(system, work, m).made;
  });
  team.for_each(model.dimensions.bodies, [&](int b) {
    set_vector(state.position, b, work.next_pose(b).position);
    set_quaternion(state.orientation, b, work.next_pose(b).orientation);
    state.angle[b] = work.next_pose(b).angle;
    if (model.dimensions.has_contact_tallies) sum_impulses(system, work, b, first);
  });
  team.for_each(model.dimensions.pairs, [&](int p) {
    if (!is_left_out(system, work, p)) state.active[p] = active_features(work, contacts, p);
  });
  keep_modes(team, system, work, contacts);
  team.sync();
  if (model.dimensions.prescribed > 0) accept_prescribed<IsCoupled>(team, system, work, contacts, first, has_stages);
  if constexpr (IsCoupled) accept_joints(team, system, work, first);
}

}  // namespace jostle

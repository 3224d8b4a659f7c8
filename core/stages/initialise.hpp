#pragma once
// The initial state of a system.
#include "core/contacts/rims.hpp"
#include "core/joints/joint_state.hpp"
#include "core/stages/prescribed_state.hpp"
#include "core/stages/record.hpp"

namespace jostle {

/// Computes the state from the parameters; status not_run becomes ok, overlap, bad_parameters if a joint is open, or
/// not_finite if a prescribed velocity is not.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void initialise(const Team& team, const System& system, AnyWorkspace auto work) {
  const ModelView& model = system.model;
  const StateView s = system.state();
  team.for_each(model.dimensions.bodies, [&](int b) {
    set_vector(s.position, b, vector_at(system.parameters().start_position, b));
    set_quaternion(s.orientation, b, quaternion_at(system.parameters().start_orientation, b));
    s.angle[b] = system.parameters().start_angle[b];
    set_vector(s.velocity, b, vector_at(system.parameters().start_velocity, b));
    const Pose pose = work.next_pose(b) = pose_of(system, b);
    set_vector(s.spin, b, rotate_back(pose.axes, vector_at(system.parameters().start_spin, b)));
    const RotationKind rotation = model.bodies[b].rotation;
    for (int k = 0; k < 3; ++k) {
      if (rotation != RotationKind::free && static_cast<int>(rotation) != k) s.spin[3 * b + k] = 0;
    }
  });
  team.for_each(model.dimensions.outcomes, [&](int o) {
    s.outcomes[o] = canonical_nan();
    if (model.dimensions.has_counts) s.outcome_counts[o] = 0;
  });
  team.for_each(model.dimensions.rims, [&](int rim) { s.rim_turn[2 * rim] = 1, s.rim_turn[2 * rim + 1] = 0; });
  team.sync();
  place_shapes(team, system, work.next_pose(), work.next_placed());
  const int pairs = model.dimensions.pairs;
  const auto overlaps = [&](int p) {
    const PairModel& pair = model.pairs[p];
    const PlacedShape &a = work.next_placed(pair.shape_a), &b = work.next_placed(pair.shape_b);
    return signed_distance<decltype(work)::has_polytopes>(a, b) < -start_overlap;
  };
  const bool overlap = pairs > 0 && any_of(team, pairs, overlaps);
  team.sync();
  const bool finite = model.dimensions.prescribed == 0 || start_prescribed(team, system, work);
  bool closed = true;
  if constexpr (decltype(work)::is_coupled) closed = start_joints(team, system, work);
  start_rims(team, system, work);
  const Status status = overlap   ? Status::overlap
                        : !closed ? Status::bad_parameters
                        : finite  ? Status::ok
                                  : Status::not_finite;
  team.once([&] {
    s.start_energy() = total_energy(system);
    forget_energy(s);
    if (model.dimensions.has_joint_loops) s.redundant() = any_number;
    s.status() = static_cast<int>(status);
  });
  team.sync();
  if (status == Status::ok) record_outcomes(team, system, work);
  record_trajectory(team, system, work);
  team.sync();
}

}  // namespace jostle

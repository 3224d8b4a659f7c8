#pragma once
// Jams that the correction of a joint makes, docs/theory.md (17b): the correction waits.
#include "core/assembly/joint_certificate.hpp"
#include "core/prescribed/prescribed_motion.hpp"

namespace jostle::detail {

/// A joint bears in a jam if its impulse is larger than this part of the largest one.
inline constexpr double bearing_part = 1e-9;

/// Writes to work.joint_stress() the impulses of joints that balance those along the ray in work.z, if it has one: with
/// them nothing moves, so that no motion can take away what the equations of these joints and contacts ask for
/// together. Takes the ray away. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void write_joint_stress(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                                 const Island& island, AnyWorkspace auto work) {
  for_each_block(team, island, work, [&](int c) { write_row_impulses(work, c); });
  team.sync();
  solve_for_joint_impulses(
      team, d, problem, work, [](int) { return Six{}; }, [](int) { return 0.0; }, work.velocity_without_joints(),
      work.joint_stress());
  team.for_each(island.variables, [&](int i) { work.z(island.first_variable + i) = 0; });
  team.sync();
}

/// Lets the equations of joints that bear in a jam keep their errors, (17b), and those that are left out as redundant,
/// which may follow from them; or those of all joints, if none that bears has one. Whether any had one. Begins and ends
/// synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool hold_joints(const Team& team, const ModelView& model, const MixedLcp& problem,
                                          AnyWorkspace auto work) {
  const Dimensions& d = model.dimensions;
  const int equations = problem.joints < d.joint_rows ? problem.joints : d.joint_rows;  // then those of stiffness
  // Where contacts ask the sum of both velocities, joints do, too, else what they ask would have no answer again.
  const auto held = [&](int j) {
    const ConstraintRow& row = work.joint_row(j);
    const double told = prescribed_speed(d, work, work.rows() + j);
    if (!facts_of(model.method).solves_for_sum) return -told;
    return work.stands(row.body[0]) != 0 ? add_product(0, row, work.velocity()) - told : -2 * told;
  };
  const double largest = largest_by_number(team, equations, [&](int j) { return std::fabs(work.joint_stress(j)); });
  const auto may_hold = [&](int j, double least) {
    const ConstraintRow& row = work.joint_row(j);
    return row.body[0] != no_body && std::fabs(work.joint_stress(j)) >= least && work.joint_bias(j) != held(j);
  };
  const Elimination elimination(d, work);
  for (const double least : {bearing_part * largest, 0.0}) {
    const bool any = any_of(team, equations, [&](int j) { return may_hold(j, least); });
    team.sync();
    team.for_each(equations, [&](int j) {
      if (any && may_hold(j, elimination.is_left_out(j) ? 0.0 : least)) work.joint_bias(j) = held(j);
    });
    team.sync();
    if (any) return true;
  }
  return false;
}

}  // namespace jostle::detail

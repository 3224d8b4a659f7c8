#pragma once
// Jams that the correction of a joint makes, docs/theory.md (17b): the correction waits.
#include "core/assembly/islands.hpp"
#include "core/prescribed/prescribed_motion.hpp"

namespace jostle::detail {

/// Lets the equations of joints of bodies that touch something keep their error: N'v_{l+1} = -N_w'w. Whether any had
/// one. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool hold_joints(const Team& team, const Dimensions& d, const MixedLcp& problem,
                                          AnyWorkspace auto work) {
  const int equations = problem.joints < d.joint_rows ? problem.joints : d.joint_rows;  // then those of stiffness
  if (!problem.may_hold_joints || equations == 0) return false;
  team.once([&] { tie_by_rows(d, problem, work); });
  team.sync();
  const auto touches = [&](int j) {
    const int lowest = lowest_tied(work, work.joint_row(j).body[0]);
    for (int c = 0; c < problem.blocks; ++c) {
      const Block& block = work.block(c);
      if (block.normal >= 0 && lowest_tied(work, work.row(block.normal).body[0]) == lowest) return true;
    }
    return false;
  };
  const auto held = [&](int j) {
    const double at_start = problem.is_of_sums ? add_product(0, work.joint_row(j), work.velocity()) : 0.0;
    return at_start - prescribed_speed(d, work, work.rows() + j);
  };
  const auto has_error = [&](int j) {
    return work.joint_row(j).body[0] != no_body && work.joint_bias(j) != held(j) && touches(j);
  };
  const bool any = any_of(team, equations, has_error);
  team.sync();
  team.for_each(equations, [&](int j) {
    if (any && has_error(j)) work.joint_bias(j) = held(j);
  });
  team.sync();
  return any;
}

}  // namespace jostle::detail

#pragma once
// Jams that the correction of a joint makes, docs/theory.md (17b): the correction waits.
#include "core/assembly/islands.hpp"
#include "core/prescribed/prescribed_motion.hpp"

namespace jostle::detail {

/// In place of its lowest one in work.tied_to(): a mover that hangs on others, so that nothing presses against its
/// joints.
inline constexpr int hanging = -1;

/// Whether a mover has no contact, limit or joint but with one other mover, not counting those that hang.
JOSTLE_HD inline bool hangs(const MixedLcp& problem, AnyWorkspace auto work, int m) {
  const auto acts_on = [&](const ConstraintRow& row) { return row.body[0] == m || row.body[1] == m; };
  for (int c = 0; c < problem.blocks; ++c) {
    const Block& block = work.block(c);
    if (block.normal >= 0 && acts_on(work.row(block.normal))) return false;
  }
  int only = no_body;
  for (int j = 0; j < problem.joints; ++j) {
    const ConstraintRow& row = work.joint_row(j);
    if (row.body[0] == no_body || !acts_on(row)) continue;
    const int other = row.body[0] == m ? row.body[1] : row.body[0];
    if (other == no_body) return false;
    if (work.tied_to(other) == hanging) continue;
    if (only != no_body && other != only) return false;
    only = other;
  }
  return true;
}

/// Writes to work.tied_to() the lowest mover that each one is tied to, or that it hangs. By one lane.
JOSTLE_HD inline void tie_what_bears(const Dimensions& d, const MixedLcp& problem, AnyWorkspace auto work) {
  tie_by_rows(d, problem, work);
  for (int m = 0; m < d.movers; ++m) work.tied_to(m) = lowest_tied(work, m);
  for (bool any = true; any;) {
    any = false;
    for (int m = 0; m < d.movers; ++m) {
      if (work.tied_to(m) == hanging || !hangs(problem, work, m)) continue;
      work.tied_to(m) = hanging;
      any = true;
    }
  }
}

/// m/s or rad/s: the most that a row may give, whatever the directions of A^-1 r of its bodies.
JOSTLE_HD inline double most_of_row(AnyWorkspace auto work, const ConstraintRow& row) {
  double most = 0;
  for (int side = 0; side < 2 && row.body[side] != no_body; ++side) {
    const Vec6 n = row.entry[side], r = work.momentum(row.body[side]), inv_mass = work.inv_mass(row.body[side]);
    for (int first = 0; first < 6; first += 3) {
      double length = 0, speed = 0;
      for (int k = first; k < first + 3; ++k)
        length += n[k] * n[k], speed += (inv_mass[k] * r[k]) * (inv_mass[k] * r[k]);
      most += std::sqrt(length * speed);
    }
  }
  return most;
}

/// Lets the equations of joints between bodies that touch something and what bears them keep their errors, (17b), if
/// these are no larger than the motion of the step. Whether any had one. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE bool hold_joints(const Team& team, const ModelView& model, const MixedLcp& problem,
                                          AnyWorkspace auto work) {
  const Dimensions& d = model.dimensions;
  const int equations = problem.joints < d.joint_rows ? problem.joints : d.joint_rows;  // then those of stiffness
  if (!problem.may_hold_joints || equations == 0) return false;
  team.once([&] { tie_what_bears(d, problem, work); });
  team.sync();
  const auto touches = [&](int j) {
    const ConstraintRow& row = work.joint_row(j);
    const int lowest = work.tied_to(row.body[0]);
    if (lowest == hanging || (row.body[1] != no_body && work.tied_to(row.body[1]) == hanging)) return false;
    for (int c = 0; c < problem.blocks; ++c) {
      const Block& block = work.block(c);
      if (block.normal >= 0 && work.tied_to(work.row(block.normal).body[0]) == lowest) return true;
    }
    return false;
  };
  const auto held = [&](int j) {
    const double at_start =
        facts_of(model.method).solves_for_sum ? add_product(0, work.joint_row(j), work.velocity()) : 0.0;
    return at_start - prescribed_speed(d, work, work.rows() + j);
  };
  const auto has_error = [&](int j) {
    const ConstraintRow& row = work.joint_row(j);
    if (row.body[0] == no_body) return false;
    const double error = std::fabs(work.joint_bias(j) - held(j));
    return error > 0 && error <= most_of_row(work, row) && touches(j);
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

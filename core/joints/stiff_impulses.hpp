#pragma once
// What directions in which joints are stiff (geometric_stiffness.hpp) have given to bodies in the last problem.
#include "core/joints/joint_rows.hpp"

namespace jostle {

/// visit(joint, row of N') for the directions in which joints are stiff, of the last problem.
JOSTLE_HD void for_each_stiff_row(const Dimensions& d, AnyWorkspace auto work, auto visit) {
  if (d.stiff_rows == 0) return;
  for (int group = 0; group < work.used_groups() - d.joints; ++group) {
    const JointRows rows = work.rows_of_joint(d.joints + group);
    for (int i = rows.first; i < rows.first + rows.count; ++i) visit(work.stiff_joint(group), i);
  }
}

/// Adds to `wrench` what the directions in which joint j is stiff have given b in the last problem: the impulse, and
/// its moment about the point, world. `turned`: in whose axes the new spins are.
JOSTLE_HD inline void add_stiff_wrench(const System& system, AnyWorkspace auto work, int j, const PlacedJoint& placed,
                                       const auto& turned, double* wrench) {
  const JointModel& joint = system.model.joints[j];
  ConstraintRow bodies;
  const int at_a = write_movers(system, joint, bodies), at_b = 1 - at_a;
  for_each_stiff_row(system.model.dimensions, work, [&](int stiff, int i) {
    if (stiff != j) return;
    const ConstraintRow& row = work.joint_row(i);
    const double c = work.joint_impulse(i);
    if (row.body[at_b] == no_body) {  // it feels the opposite of what a does, at the point
      for (int k = 0; k < 3; ++k) wrench[k] -= c * row.entry[at_a][k];
      return;
    }
    const Vec3 impulse = c * row.entry[at_b].linear();
    const Vec3 moment = rotate(turned[joint.body_b].axes, Vec3(c * row.entry[at_b].angular())) -
                        cross(Vec3(placed.point_b - placed.centre_b), impulse);
    for (int k = 0; k < 3; ++k) wrench[k] += impulse[k], wrench[3 + k] += moment[k];
  });
}

}  // namespace jostle

#pragma once
// What coordinates of revolute and prismatic joints have of their own, docs/theory.md (41a) to (41d): springs and
// dampers, and armatures, the inertia of a drive's rotor along the coordinate q_j:
//
//     a_j q_j''     is a force -a_j g q_j'' on the bodies, with q_j' = g'v and q_j'' = g'v' + g'dot v
//
// so that A has a_j g g' more. In a step the difference of the speeds of its ends takes the place of q_j'', each with
// the g of its own pose: then what g turns by needs no term. The methods of Stewart & Trinkle and of Anitescu & Potra
// also have their dampers, and the former its springs, in A: all at the end of the step. The trapezoidal methods have
// springs and dampers with those between bodies (implicit_mass.hpp), Loetstedt's in its stages.
#include "core/dynamics/forces.hpp"
#include "core/dynamics/rigid_motion.hpp"

namespace jostle {

/// Whether coordinates of joints have springs, dampers or armatures.
JOSTLE_HD inline bool has_coordinate_terms(const ModelView& model) {
  return model.dimensions.has_armature || model.has_joint_springs;
}

/// Where the rows of coordinates are in a step of length h, in whose axes, and where their springs; and how much of
/// stiffness and damping is in A: s^2 and s.
template <class Poses>
struct CoordinateRule {
  Poses rows, axes, springs;
  double h, by_stiffness, by_damping;
};
template <class Poses>
CoordinateRule(Poses, Poses, Poses, double, double, double) -> CoordinateRule<Poses>;

/// visit(joint, armature, row, its half of mover m).
JOSTLE_HD void for_each_armature_on(const System& system, const auto& poses, const auto& axes, const auto& prescribed,
                                    int m, auto visit) {
  if (!system.model.dimensions.has_armature) return;
  const int body = system.model.movers[m];
  for (int j = 0; j < system.model.dimensions.joints; ++j) {
    const JointModel& joint = system.model.joints[j];
    if (!joint.has_armature || (joint.body_a != body && joint.body_b != body)) continue;
    const CoordinateRow row = coordinate_row(system, j, poses, axes, prescribed);
    visit(j, system.parameters().joint_armature[j], row, row.g.entry[side_of(row.g, m)]);
  }
}

/// visit(spring, row, its half of mover m) for the springs of joints.
JOSTLE_HD void for_each_joint_spring_on(const System& system, const auto& poses, const auto& axes,
                                        const auto& prescribed, int m, auto visit) {
  const int body = system.model.movers[m];
  for (int s = 0; s < system.model.dimensions.springs; ++s) {
    const SpringModel& spring = system.model.springs[s];
    if (spring.joint < 0 || (spring.body_a != body && spring.body_b != body)) continue;
    const CoordinateRow row = coordinate_row(system, spring.joint, poses, axes, prescribed);
    visit(s, row, row.g.entry[side_of(row.g, m)]);
  }
}

/// Adds weight own g' to a row of A, `own` being the entry of g there.
JOSTLE_HD void add_outer_product(AnyWorkspace auto work, int first, double weight, double own, const ConstraintRow& g) {
  for (int side = 0; side < 2 && g.body[side] != no_body; ++side)
    for (int k = 0; k < 6; ++k) work.mass_matrix(first + 6 * g.body[side] + k) += weight * own * g.entry[side][k];
}
/// The same in all rows of mover m, whose half of g is `own`.
JOSTLE_HD void add_outer_product(const System& system, AnyWorkspace auto work, int m, double weight, const Vec6& own,
                                 const ConstraintRow& g) {
  const int nv = system.model.dimensions.velocities();
  for (int k = 0; k < 6; ++k) add_outer_product(work, (6 * m + k) * nv, weight, own[k], g);
}

/// The rows of mover m in A = M, with 1 for a freedom that is locked.
JOSTLE_HD inline void write_mass_rows(const System& system, AnyWorkspace auto work, int m) {
  const int body = system.model.movers[m], nv = system.model.dimensions.velocities();
  for (int i = 6 * m; i < 6 * m + 6; ++i) {
    for (int other = 0; other < nv; ++other) work.mass_matrix(i * nv + other) = 0;
    work.mass_matrix(i * nv + i) = system.model.bodies[body].is_free(i % 6) ? inertia_of(system, body, i % 6) : 1.0;
  }
}

/// A = M and what coordinates add to it. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void write_coordinate_mass(const Team& team, const System& system, AnyWorkspace auto work,
                                                    const auto& rule) {
  if (!system.model.dimensions.has_mass_matrix) return;
  team.for_each(system.model.dimensions.movers, [&](int m) {
    write_mass_rows(system, work, m);
    const auto add = [&](double weight, const CoordinateRow& row, const Vec6& own) {
      add_outer_product(system, work, m, weight, own, row.g);
    };
    for_each_armature_on(
        system, rule.rows, rule.axes, work.prescribed_rate(), m,
        [&](int, double armature, const CoordinateRow& row, const Vec6& own) { add(armature, row, own); });
    if (!(rule.by_damping > 0)) return;
    for_each_joint_spring_on(system, rule.rows, rule.axes, work.prescribed_rate(), m,
                             [&](int s, const CoordinateRow& row, const Vec6& own) {
                               const double stiffness = system.parameters().spring_stiffness[s];
                               const double damping = system.parameters().spring_damping[s];
                               add(rule.by_stiffness * stiffness + rule.by_damping * damping, row, own);
                             });
  });
  team.sync();
}

/// N s or N m s: that of a spring and damper of a joint in a step in which its speed has this part.
JOSTLE_HD inline double joint_spring_impulse(const System& system, int s, const auto& rule, double speed) {
  const ParameterView parameters = system.parameters();
  const double stiffness = parameters.spring_stiffness[s], damping = parameters.spring_damping[s];
  const double stretch = coordinate_at(system, system.model.springs[s].joint, rule.springs) - parameters.spring_rest[s];
  return -rule.h * stiffness * stretch - (rule.by_stiffness * stiffness + rule.by_damping * damping) * speed;
}

/// A and r = M v_l + work.applied() + the gyroscopic impulses, and what coordinates add to both. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load_coordinates(const Team& team, const System& system, AnyWorkspace auto work,
                                               const auto& rule) {
  const ModelView& model = system.model;
  write_coordinate_mass(team, system, work, rule);
  team.for_each(model.dimensions.movers, [&](int m) {
    const int body = model.movers[m];
    Vec6 r;
    for (int k = 0; k < 6; ++k) {
      const double impulse = work.applied(m)[k] + (k < 3 ? 0.0 : work.gyroscopic(m)[k - 3]);
      r[k] = model.bodies[body].is_free(k) ? inertia_of(system, body, k) * work.velocity(m)[k] + impulse : 0.0;
    }
    const auto add = [&](double impulse, const Vec6& own) {
      for (int k = 0; k < 6; ++k) r[k] += impulse * own[k];
    };
    for_each_armature_on(system, rule.rows, rule.axes, work.prescribed_rate(), m,
                         [&](int j, double armature, const CoordinateRow& row, const Vec6& own) {
                           const CoordinateRow start =
                               coordinate_row(system, j, work.pose(), work.pose(), StatePrescribed{system});
                           const double speed = add_product(start.told, start.g, work.velocity());
                           add(armature * (speed - row.told), own);
                         });
    for_each_joint_spring_on(system, rule.rows, rule.axes, work.prescribed_rate(), m,
                             [&](int s, const CoordinateRow& row, const Vec6& own) {
                               add(joint_spring_impulse(system, s, rule, row.told), own);
                             });
    work.momentum(m) = r;
  });
  team.sync();
}

/// Adds the impulses of springs and dampers of joints to those applied, once the step is solved. Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void add_coordinate_impulses(const Team& team, const System& system, AnyWorkspace auto work,
                                                      const auto& rule) {
  team.for_each(system.model.dimensions.movers, [&](int m) {
    for_each_joint_spring_on(system, rule.rows, rule.axes, work.prescribed_rate(), m,
                             [&](int s, const CoordinateRow& row, const Vec6& own) {
                               const double speed = add_product(row.told, row.g, work.next_velocity());
                               const double impulse = joint_spring_impulse(system, s, rule, speed);
                               for (int k = 0; k < 6; ++k) work.applied(m)[k] += impulse * own[k];
                             });
  });
  team.sync();
}

/// Adds what armatures have to the momentum of the bodies with these velocities, where A is that of work.predicted_pose
/// and its axes. Ends synced.
template <class Team>
JOSTLE_HD void add_armature_momentum(const Team& team, const System& system, AnyWorkspace auto work,
                                     const auto& velocity) {
  if (!system.model.dimensions.has_armature) return;
  team.for_each(system.model.dimensions.movers, [&](int m) {
    for_each_armature_on(system, work.predicted_pose(), work.predicted_pose(), work.prescribed_velocity(), m,
                         [&](int, double armature, const CoordinateRow& row, const Vec6& own) {
                           const double momentum = armature * add_product(0, row.g, velocity);
                           for (int k = 0; k < 6; ++k) work.momentum(m)[k] += momentum * own[k];
                         });
  });
  team.sync();
}

/// g'dot v of the coordinate of joint j at these poses and velocities of movers, m/s^2: that of a slide whose axis
/// turns. 0 of a hinge, whose bodies turn against each other about the axis alone.
JOSTLE_HD JOSTLE_OUTLINE inline double turning_of_coordinate(const System& system, AnyWorkspace auto work, int j,
                                                             const auto& poses, const auto& velocities) {
  const JointModel& joint = system.model.joints[j];
  if (joint.type != JointType::prismatic) return 0;
  const auto motion = [&](int body) -> RigidMotion {
    if (body == world_body || system.model.bodies[body].fixed) return {};
    const Vec6 own = velocity_of(system.model.bodies[body], work, velocities);
    return {own.linear(), rotate(poses[body].axes, own.angular())};
  };
  const RigidMotion a = motion(joint.body_a), b = motion(joint.body_b);
  const PlacedJoint p = place_joint(system, j, poses);
  const Vec3 arm_a = p.point_a - p.centre_a, arm_b = p.point_b - p.centre_b;
  const Vec3 axis = p.axes_a.col(0), turning = cross(a.spin, axis);
  return dot(cross(a.spin, turning), p.gap()) + 2 * dot(turning, Vec3(b.velocity_at(arm_b) - a.velocity_at(arm_a))) +
         dot(axis, Vec3(b.centripetal(arm_b) - a.centripetal(arm_a)));
}

/// Takes h a (g'dot v + the acceleration of bodies that move as told) g from r, at work.predicted_pose() and its axes
/// and with these velocities of movers: `told`[number] is what those of the others change by. Ends synced.
template <class Team>
JOSTLE_HD void subtract_turning(const Team& team, const System& system, AnyWorkspace auto work, const auto& velocities,
                                const auto& told, double h) {
  if (!system.model.dimensions.has_armature) return;
  const auto poses = work.predicted_pose();
  team.for_each(system.model.dimensions.movers, [&](int m) {
    for_each_armature_on(system, poses, poses, told, m,
                         [&](int j, double armature, const CoordinateRow& row, const Vec6& own) {
                           const double turning = turning_of_coordinate(system, work, j, poses, velocities);
                           const double impulse = -armature * (h * turning + row.told);
                           for (int k = 0; k < 6; ++k) work.momentum(m)[k] += impulse * own[k];
                         });
  });
  team.sync();
}

/// W, in a stage that is solved: what the power of r is less than that of forces and of bodies that move as told,
/// because of the turning of coordinates in it.
JOSTLE_HD JOSTLE_OUTLINE inline double power_of_armatures(const System& system, AnyWorkspace auto work) {
  const auto poses = work.predicted_pose();
  double sum = 0;
  for (int j = 0; j < system.model.dimensions.joints; ++j) {
    if (!system.model.joints[j].has_armature) continue;
    const CoordinateRow row = coordinate_row(system, j, poses, poses, work.prescribed_rate());
    const double told = coordinate_row(system, j, poses, poses, work.prescribed_velocity()).told;
    const double turning = turning_of_coordinate(system, work, j, poses, work.velocity()) + row.told;
    const double acceleration = add_product(turning, row.g, work.next_velocity());
    sum += system.parameters().joint_armature[j] *
           (turning * add_product(0, row.g, work.velocity()) + acceleration * told);
  }
  return sum;
}

/// J, of all armatures: their kinetic energy at both ends of a piece, and what bodies that move as told give to it and
/// to the other bodies in a piece without stages.
struct ArmatureEnergy {
  double before = 0, after = 0, told = 0;
};
JOSTLE_HD JOSTLE_OUTLINE inline ArmatureEnergy armature_energy(const System& system, AnyWorkspace auto work) {
  ArmatureEnergy energy;
  for (int j = 0; j < system.model.dimensions.joints; ++j) {
    if (!system.model.joints[j].has_armature) continue;
    const double armature = system.parameters().joint_armature[j];
    const CoordinateRow start = coordinate_row(system, j, work.pose(), work.pose(), StatePrescribed{system});
    const CoordinateRow end = coordinate_row(system, j, work.next_pose(), work.next_pose(), work.prescribed_velocity());
    const double before = add_product(start.told, start.g, work.velocity());
    const double after = add_product(end.told, end.g, work.next_velocity());
    energy.before += 0.5 * armature * (before * before), energy.after += 0.5 * armature * (after * after);
    energy.told += armature * (after - before) * (0.5 * (start.told + end.told));
  }
  return energy;
}

/// J: the same in the current state.
JOSTLE_HD JOSTLE_OUTLINE inline double energy_of_armatures(const System& system) {
  double sum = 0;
  for (int j = 0; j < system.model.dimensions.joints; ++j) {
    if (!system.model.joints[j].has_armature) continue;
    const double speed = system.state().joint_speed[j];
    sum += 0.5 * system.parameters().joint_armature[j] * (speed * speed);
  }
  return sum;
}

}  // namespace jostle

#pragma once
// The geometric stiffness of joints: the force F that a joint has turns with its bodies, so it resists motion across
// it, docs/theory.md (42a) to (42d). Where a light body carries a large force, h^2 K is larger than its mass, and a
// step that knows F only at its start explodes. A then has the part of h^2 K that such a step cannot carry,
//
//     A = M + G' D G,      G: directions that are stiff,  D = h^2 k - 1/2 / (G_i M^-1 G_i'), where that is positive
//
// as equations beside those of joints: G v + D^-1 c = G v_l, which is c = -D G (v - v_l). Motion that is smooth has
// c = O(h^3).
#include "core/geometry/shape_points.hpp"
#include "core/joints/joint_rows.hpp"

namespace jostle {

/// (h w)^2 of motion across a joint that a step carries by itself; it is stable up to 4/3 or more.
inline constexpr double carried_stiffness = 0.5;
/// The same, of a step with four stages, which is stable up to 8.
inline constexpr double carried_by_stages = 4;

namespace detail {

/// visit(axis, k) for the turns that a force on a point at `arm` resists: the positive part of the symmetric
/// K = (F . r) 1 - (F r' + r F')/2, whose eigenvalues are F . r and (F . r +- |F| |r|)/2.
JOSTLE_HD void for_each_stiff_turn(const ModelView& model, const Vec3& force, const Vec3& arm, auto visit) {
  constexpr double parallel = 1e-8;
  const double along = dot(force, arm);
  if (model.planar) {
    if (along > 0) visit(model.plane_normal, along);
    return;
  }
  const double size_of_force = std::sqrt(dot(force, force)), reach = std::sqrt(dot(arm, arm));
  const double size = size_of_force * reach;
  if (!(size > 0)) return;
  const Vec3 r = arm / reach, f = force / size_of_force, normal = cross(r, f), sum = r + f;
  const double sine = std::sqrt(dot(normal, normal)), length = std::sqrt(dot(sum, sum));
  if (!(length > parallel)) return;
  const Vec3 n = sine > parallel ? Vec3(normal / sine) : perpendicular(r);
  if (along > 0) visit(n, along);
  visit(cross(n, Vec3(sum / length)), 0.5 * (along + size));
}

/// The force on the point of b, which is kept.
JOSTLE_HD inline Vec3 kept_force(const System& system, int j) { return vector_at(system.state().joint_force, j); }

/// 1/kg and 1/(kg m^2): the largest inverse mass of a body along its freedoms, and about them; 0 of one that is no
/// mover.
JOSTLE_HD inline double most_inv_mass(const System& system, int body) {
  constexpr int linear = 7;  // its freedoms
  if (mover_of(system.model, body) == no_body) return 0;
  return (system.model.bodies[body].freedoms & linear) != 0 ? 1 / system.parameters().mass[body] : 0.0;
}
JOSTLE_HD inline double most_inv_inertia(const System& system, int body) {
  if (mover_of(system.model, body) == no_body) return 0;
  const double* const J = system.parameters().inertia + 3 * body;
  double least = infinity();
  for (int k = 0; k < 3; ++k)
    if (system.model.bodies[body].is_free(3 + k) && J[k] < least) least = J[k];
  return 1 / least;
}

/// Whether h^2 K of a joint may be larger than what a step carries: an upper bound without its place.
JOSTLE_HD inline bool may_be_stiff(const System& system, int j, const Vec3& force, double h, double carried) {
  const JointModel& joint = system.model.joints[j];
  const double size = std::sqrt(dot(force, force));
  if (!(size > 0) || joint.type == JointType::prismatic) return false;
  const ParameterView parameters = system.parameters();
  const double length = parameters.joint_length[j];
  double most = 0;
  const auto add = [&](int body, int joints, const Vec3& point) {
    const double inverse = most_inv_inertia(system, body);
    const double squared = body == world_body ? 0.0 : dot(point, point);
    if (joint.type == JointType::distance) most += joints * (most_inv_mass(system, body) + squared * inverse) / length;
    most += joints * inverse * std::sqrt(squared);
  };
  add(joint.body_a, joint.joints_of_a, vector_at(parameters.joint_point_a, j));
  add(joint.body_b, joint.joints_of_b, vector_at(parameters.joint_point_b, j));
  return h * h * size * most > carried;
}

/// The same with the place of the joint, but for distance joints: whether a turn of a body is that stiff. Less by a
/// small part is stiff, too, for rounding errors, and so is what a force along the arm does, whose axes are any.
JOSTLE_HD inline bool may_be_stiff_at(const System& system, int j, const Vec3& force, const auto& poses, double h,
                                      double carried) {
  constexpr double rounding = 1e-9, parallel = 1e-14;
  const ModelView& model = system.model;
  const JointModel& joint = model.joints[j];
  if (joint.type == JointType::distance) return true;
  const double most = (1 - rounding) * carried / (h * h);
  const auto is_stiff = [&](int body, int joints, const Vec3& arm, double sign) {
    const double inverse = most_inv_inertia(system, body);
    if (!(inverse > 0)) return false;
    const Vec3 f = sign * rotate_back(poses[body].axes, force), normal = cross(f, arm);
    const double along = dot(f, arm), squared = dot(f, f) * dot(arm, arm);
    const double k = model.planar ? along : 0.5 * (along + std::sqrt(squared));
    if (joints * inverse * k < most) return false;
    if (model.planar || !(dot(normal, normal) > parallel * squared)) return true;
    bool any = false;
    for_each_stiff_turn(model, f, arm, [&](const Vec3& axis, double stiffness) {
      double response = 0;
      for (int i = 0; i < 3; ++i)
        if (model.bodies[body].is_free(3 + i)) response += axis[i] * axis[i] / inertia_of(system, body, 3 + i);
      any = any || !(joints * response * stiffness < most);
    });
    return any;
  };
  const ParameterView parameters = system.parameters();
  return is_stiff(joint.body_a, joint.joints_of_a, vector_at(parameters.joint_point_a, j), -1) ||
         is_stiff(joint.body_b, joint.joints_of_b, vector_at(parameters.joint_point_b, j), 1);
}

/// visit(function, k) for the directions in which a joint with the kept force is stiff: across a distance joint in
/// tension, and turns of the bodies about their centres. k: N/m or N m.
JOSTLE_HD void for_each_stiff_direction(const System& system, int j, const PlacedJoint& placed, auto visit) {
  const ModelView& model = system.model;
  const JointModel& joint = model.joints[j];
  const Vec3 force = kept_force(system, j), arm_a = placed.point_a - placed.centre_a,
             arm_b = placed.point_b - placed.centre_b;
  if (joint.type == JointType::distance) {
    const Vec3 gap = placed.gap();
    const double length = std::sqrt(dot(gap, gap));
    const Vec3 d = gap / length;
    const double tension = -dot(force, d);
    const auto across = [&](const Vec3& t) {
      visit(JointFunction{0, t, cross(arm_a, t), cross(arm_b, t)}, tension / length);
    };
    if (tension > 0) {
      const Vec3 first = model.planar ? Vec3(cross(model.plane_normal, d)) : perpendicular(d);
      across(first);
      if (!model.planar) across(cross(d, first));
    }
  }
  const auto turns = [&](int body) {
    return mover_of(model, body) != no_body && model.bodies[body].rotation != RotationKind::locked;
  };
  const Vec3 none = Vec3::Zero();
  if (turns(joint.body_a))
    for_each_stiff_turn(model, -force, arm_a, [&](const Vec3& axis, double k) {
      visit(JointFunction{0, none, axis, none}, k);
    });
  if (turns(joint.body_b))
    for_each_stiff_turn(model, force, arm_b, [&](const Vec3& axis, double k) {
      visit(JointFunction{0, none, none, axis}, k);
    });
}

/// A function of a joint as a row of its movers, and what it has of A^-1: 1/kg, or 1/(kg m^2), where each body shares
/// its mass among its joints. Of bodies that move as told only the work counts, by their halves.
JOSTLE_HD JOSTLE_OUTLINE inline double write_stiff_row(const System& system, const auto& turned,
                                                       const JointModel& joint, const JointFunction& f,
                                                       ConstraintRow& row) {
  const int at_a = write_movers(system, joint, row);
  row.entry[0] = row.entry[1] = {};
  double response = 0;
  const auto write = [&](int body, double sign, const Vec3& moment, int joints, Vec6& half) {
    if (mover_of(system.model, body) == no_body) return;
    write_half_row(system, turned, body, sign, f.direction, moment, half);
    for (int k = 0; k < 6; ++k)
      if (half[k] != 0) response += joints * (half[k] * half[k] / inertia_of(system, body, k));
  };
  write(joint.body_a, -1, f.moment_a, joint.joints_of_a, row.entry[at_a]);
  write(joint.body_b, 1, f.moment_b, joint.joints_of_b, row.entry[1 - at_a]);
  return response;
}

/// The largest h^2 k G_i M^-1 G_i' of a joint with the kept force; 0 if it is less than `carried`, or no number.
JOSTLE_HD inline double stiffness_of(const System& system, int j, const auto& poses, double h, double carried) {
  const Vec3 force = kept_force(system, j);
  if (!may_be_stiff(system, j, force, h, carried) || !may_be_stiff_at(system, j, force, poses, h, carried)) return 0;
  double most = carried;
  for_each_stiff_direction(system, j, place_joint(system, j, poses), [&](const JointFunction& f, double k) {
    ConstraintRow row;
    const double stiffness = h * h * k * write_stiff_row(system, poses, system.model.joints[j], f, row);
    if (stiffness > most) most = stiffness;
  });
  return most > carried ? most : 0.0;
}

}  // namespace detail

/// The largest stiffness_of() of all joints.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE double largest_stiffness(const Team& team, const System& system, const auto& poses, double h,
                                                  double carried) {
  const Dimensions& d = system.model.dimensions;
  if (!d.has_geometric_stiffness) return 0;
  return team.select(
      d.joints, [&](int j) { return detail::stiffness_of(system, j, poses, h, carried); },
      [](double a, double b) { return a > b; });
}

/// Adds the equations of directions that are stiff to those of joints, at the predicted positions and for a piece of
/// length h: G v + D^-1 c = G u, u = velocity[mover]. Begins and ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void add_geometric_stiffness(const Team& team, const System& system, AnyWorkspace auto work,
                                                      const auto& turned, double h, const auto& velocity,
                                                      MixedLcp& problem) {
  const Dimensions& d = system.model.dimensions;
  if (d.stiff_rows == 0 || !(largest_stiffness(team, system, work.predicted_pose(), h, carried_stiffness) > 0)) return;
  team.sync();
  team.once([&] {
    int rows = 0, groups = 0;
    for (int j = 0; j < d.joints; ++j) {
      if (!detail::may_be_stiff(system, j, detail::kept_force(system, j), h, carried_stiffness)) continue;
      const int first = d.joint_rows + rows;
      const PlacedJoint placed = place_joint(system, j, work.predicted_pose());
      detail::for_each_stiff_direction(system, j, placed, [&](const JointFunction& f, double k) {
        ConstraintRow& row = work.joint_row(d.joint_rows + rows);
        const double response = detail::write_stiff_row(system, turned, system.model.joints[j], f, row);
        const double implicit = h * h * k - carried_stiffness / response;
        if (!(implicit > 0)) return;
        const JointModel& joint = system.model.joints[j];
        write_prescribed_half(system, work, turned, {joint.body_a, joint.body_b, f.direction, f.moment_a, f.moment_b},
                              1, work.rows() + d.joint_rows + rows);
        work.softness(rows) = 1 / implicit;
        work.joint_bias(d.joint_rows + rows) = add_product(0, row, velocity);
        ++rows;
      });
      const int count = d.joint_rows + rows - first;
      const ConstraintRow& row = work.joint_row(first);
      if (count == 0) continue;
      work.stiff_joint(groups) = j;
      work.rows_of_joint(d.joints + groups++) = {first, count, {row.body[0], row.body[1]}};
    }
    work.used_stiff_rows() = rows, work.used_stiff_groups() = groups;
  });
  team.sync();
  problem.joints += work.used_stiff_rows(), problem.stiff_groups = work.used_stiff_groups();
}

/// N s, world: what the equations of points of a joint have given b in a piece; 0 of a prismatic one.
JOSTLE_HD inline Vec3 point_impulse(const System& system, AnyWorkspace auto work, int j) {
  const JointModel& joint = system.model.joints[j];
  if (joint.type == JointType::prismatic) return Vec3::Zero();
  if (joint.type == JointType::distance) {
    const Vec3 gap = place_joint(system, j, work.next_pose()).gap();
    return work.joint_impulse(joint.first_row) / std::sqrt(dot(gap, gap)) * gap;
  }
  Vec3 impulse = Vec3::Zero();
  for (int i = 0; i < equations_of_points(system.model, joint); ++i)
    impulse[axis_of_point(system.model, i)] = work.joint_impulse(joint.first_row + i);
  return impulse;
}

/// Keeps the mean of the forces of a piece of length h and of those kept, each by its part of a step: the second
/// trapezoidal scheme lets forces alternate, and what follows them would too. `at_once`: those of the piece alone. Ends
/// synced.
template <class Team>
JOSTLE_HD void keep_forces(const Team& team, const System& system, AnyWorkspace auto work, double h, bool at_once) {
  const double step = system.model.step, kept = at_once ? 0.0 : 1 - 0.5 * (h / step);
  team.for_each(system.model.dimensions.joints, [&](int j) {
    const Vec3 impulse = point_impulse(system, work, j);
    const Vec3 force = kept * detail::kept_force(system, j) + impulse / (at_once ? h : 2 * step);
    set_vector(system.state().joint_force, j, force);
  });
  team.sync();
}

/// As where a system begins: of a first step that was to be made again, and is not made. Ends synced.
template <class Team>
JOSTLE_HD void forget_forces(const Team& team, const System& system) {
  team.for_each(system.model.dimensions.joints,
                [&](int j) { set_vector(system.state().joint_force, j, Vec3::Zero()); });
  team.sync();
}

/// Whether a piece at rest leaves the kept forces as they were, or they change no step. Begins synced.
template <class Team>
JOSTLE_HD bool keeps_forces(const Team& team, const System& system, AnyWorkspace auto work, double h) {
  const Dimensions& d = system.model.dimensions;
  if (!d.has_geometric_stiffness || !(h > 0)) return true;
  const auto changes = [&](int j) {
    const Vec3 force = point_impulse(system, work, j) / h, before = detail::kept_force(system, j);
    return !(force[0] == before[0] && force[1] == before[1] && force[2] == before[2]);
  };
  if (!any_of(team, d.joints, changes)) return true;
  const double carried = d.has_stages ? carried_by_stages : carried_stiffness;
  const auto is_stiff = [&](int j) {
    return detail::may_be_stiff(system, j, detail::kept_force(system, j), system.model.step, carried) ||
           detail::may_be_stiff(system, j, point_impulse(system, work, j) / h, system.model.step, carried);
  };
  return !any_of(team, d.joints, is_stiff);
}

}  // namespace jostle

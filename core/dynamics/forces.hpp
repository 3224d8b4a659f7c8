#pragma once
// Forces and torques on the bodies, and the momentum that they give them in a step.
#include "core/dynamics/masses.hpp"
#include "core/dynamics/springs.hpp"
#include "core/expression/rate.hpp"
#include "core/model/frame.hpp"

namespace jostle {

/// For programs without quantities.
struct NoQuantity {
  JOSTLE_HD double operator()(int) const { return 0; }
};

template <class Load = NoQuantity>
JOSTLE_HD JOSTLE_OUTLINE double evaluate_at(const System& system, const ProgramModel& program, double time,
                                            auto operands, Load load_quantity = {}) {
  if (program.length == 0) return 0;
  return evaluate(system.model.program(program), system.parameters().variables, time, load_quantity, operands);
}

/// The same with its rate, of a program without quantities.
JOSTLE_HD inline ValueAndRate evaluate_with_rate_at(const System& system, const ProgramModel& program, double time,
                                                    auto operands) {
  if (program.length == 0) return {};
  return evaluate_with_rate(system.model.program(program), system.parameters().variables, time, operands);
}

/// What a force may ask of the motion of a body, at `pose` and with the velocity v.
JOSTLE_HD inline double motion_of(const System& system, const Vec6& v, const Pose& pose, const Quantity& quantity) {
  const int k = quantity.component, body = quantity.body;
  switch (quantity.kind) {
    case Quantity::Kind::position: return written_position(system, body, pose.position, pose.axes)[k];
    case Quantity::Kind::velocity: {
      if (!has_own_frame(system.model, body)) return v[k];
      return written_velocity(system, body, v.linear(), rotate(pose.axes, v.angular()), pose.axes)[k];
    }
    case Quantity::Kind::spin: return rotate(pose.axes, v.angular())[k];
    case Quantity::Kind::axis_x: return written_axes(system, body, pose.axes)(k, 0);
    case Quantity::Kind::axis_y: return written_axes(system, body, pose.axes)(k, 1);
    case Quantity::Kind::axis_z: return written_axes(system, body, pose.axes)(k, 2);
    case Quantity::Kind::angle: return pose.angle;
    default: return canonical_nan();
  }
}

/// What a force may ask of any body or joint, at poses[body] and with velocities[mover].
JOSTLE_HD JOSTLE_OUTLINE inline double any_motion_of(const System& system, AnyWorkspace auto work,
                                                     const auto& velocities, const auto& poses,
                                                     const Quantity& quantity) {
  if (quantity.kind == Quantity::Kind::joint_position) return joint_position_at(system, quantity.body, poses);
  if (quantity.kind == Quantity::Kind::joint_speed) {
    const CoordinateRow row = coordinate_row(system, quantity.body, poses, poses, work.prescribed_velocity());
    return add_product(row.told, row.g, velocities);
  }
  const BodyModel& body = system.model.bodies[quantity.body];
  const Vec6 none{}, v = body.mover != no_body  ? Vec6(velocities[body.mover])
                         : body.is_prescribed() ? Vec6(work.prescribed_velocity(body.prescribed))
                                                : none;
  return motion_of(system, v, poses[quantity.body], quantity);
}

/// Force and torque on a body.
struct Wrench {
  Vec3 force = Vec3::Zero();   ///< N, world
  Vec3 torque = Vec3::Zero();  ///< N m, in the axes of a pose of the body
  /// Along freedom k of a body.
  JOSTLE_HD double operator[](int k) const { return (k < 3 ? force : torque)[k % 3]; }
};

/// Of springs on mover m, with the arguments of spring_row: those of joints, too, only `with_joints`.
JOSTLE_HD JOSTLE_OUTLINE inline Wrench spring_force_on(const System& system, AnyWorkspace auto work, const auto& poses,
                                                       const auto& axes, int m, bool with_joints) {
  const ModelView& model = system.model;
  const int body = model.movers[m];
  Wrench total;
  for (int s = 0; s < model.dimensions.springs; ++s) {
    if (model.springs[s].body_a != body && model.springs[s].body_b != body) continue;
    const bool of_joint = decltype(work)::is_coupled && model.springs[s].joint >= 0;
    if (of_joint && !with_joints) continue;
    SpringRow spring;
    if constexpr (decltype(work)::is_coupled)
      spring = any_spring_row(system, s, poses, axes, work.velocity(), work.prescribed_velocity());
    else
      spring = spring_row(system, s, poses, axes, work.velocity(), work.prescribed_velocity());
    const Vec6& g = spring.g.entry[spring.g.body[0] == m ? 0 : 1];
    total.force -= spring.tension * g.linear();
    total.torque -= spring.tension * g.angular();
  }
  return total;
}

/// Which forces count: all; all but springs of joints; applied ones that follow the motion of bodies; gravity and other
/// applied ones.
enum class ForceKind { all, but_joint_springs, following, given };

namespace detail {

/// The opposite of a force and torque on `force.body`, as it acts on another body: at the same point.
JOSTLE_HD JOSTLE_OUTLINE inline Wrench reaction_of_force(const System& system, const ForceModel& force,
                                                         const auto& poses, const Vec3& push, const Vec3& torque) {
  const Pose acting = poses[force.body], on = poses[force.reaction];
  Vec3 arm = acting.position - on.position;
  if (force.point >= 0) arm += rotate(acting.axes, vector_at(system.parameters().force_point, force.point));
  return {-push, -torque - cross(arm, push)};
}

}  // namespace detail

/// Force and torque on mover m at time t and poses[body]: gravity, applied forces with velocities[mover], and springs
/// with v_l. The torque is in the axes of axes[body]. `poses` are used only if ModelView::has_state_forces.
JOSTLE_HD inline Wrench external_force_on(const System& system, AnyWorkspace auto work, const auto& poses,
                                          const auto& axes, int m, double time, const auto& velocities,
                                          ForceKind kind = ForceKind::all) {
  const ModelView& model = system.model;
  const int body = model.movers[m];
  const auto operands = work.operands().from(m * model.dimensions.operands);
  const Vec6& own = velocities[m];
  Wrench total;
  if (kind != ForceKind::following)
    total.force = system.parameters().mass[body] * vector_at(system.parameters().gravity, 0);
  for (int f = 0; f < model.forces_count; ++f) {
    const ForceModel& force = model.forces[f];
    const bool reacts = decltype(work)::is_coupled && force.reaction == body;
    if (force.body != body && !reacts) continue;
    if (kind >= ForceKind::following && force.follows_motion != (kind == ForceKind::following)) continue;
    const auto quantity = [&](int q) {
      if constexpr (decltype(work)::is_coupled) {
        if (system.model.dimensions.has_far_forces)
          return any_motion_of(system, work, velocities, poses, model.quantities[q]);
      }
      return motion_of(system, own, poses[body], model.quantities[q]);
    };
    Vec3 push, torque;
    for (int k = 0; k < 3; ++k) {
      push[k] = evaluate_at(system, force.force[k], time, operands, quantity);
      torque[k] = evaluate_at(system, force.torque[k], time, operands, quantity);
    }
    if constexpr (decltype(work)::is_coupled) {
      if (reacts) {
        const Wrench reaction = detail::reaction_of_force(system, force, poses, push, torque);
        total.force += reaction.force;
        total.torque += rotate_back(axes[body].axes, reaction.torque);
        continue;
      }
    }
    if (force.point >= 0)
      torque += cross(rotate(poses[body].axes, vector_at(system.parameters().force_point, force.point)), push);
    total.force += push;
    total.torque += rotate_back(axes[body].axes, torque);
  }
  if (kind < ForceKind::following && model.dimensions.springs > 0) {
    const Wrench springs = spring_force_on(system, work, poses, axes, m, kind == ForceKind::all);
    total.force += springs.force;
    total.torque += springs.torque;
  }
  return total;
}

/// N m, body axes: -w x J w of a body that turns freely, else 0.
JOSTLE_HD inline Vec3 gyroscopic_torque(const BodyModel& body, const Vec3& J, const Vec3& w) {
  if (body.rotation != RotationKind::free) return Vec3::Zero();
  return -cross(w, angular_momentum(J, w));
}

/// N m s, body axes: J dw of the gyroscopic torque in a step, docs/theory.md (2a).
JOSTLE_HD inline Vec3 gyroscopic_impulse(const ModelView& model, const BodyModel& body, const Vec3& J, const Vec3& w,
                                         double h) {
  if (body.rotation != RotationKind::free) return Vec3::Zero();
  Vec3 explicit_impulse = h * gyroscopic_torque(body, J, w);
  if (model.gyroscopic == Gyroscopic::explicitly) return explicit_impulse;
  Mat3 A = Mat3::Identity();  // I - (h/2) ([Jw]x - [w]x J) J^-1
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double half = 0.5 * h * (J[j] - J[k]);
    A(i, j) = -(half * w[k]) / J[j];
    A(i, k) = -(half * w[j]) / J[k];
  }
  return solved(A, explicit_impulse);
}

/// r = M v_l + h k and the gyroscopic impulse, with k at (`time`, `poses`, v_l) in the axes of `turned`; without the
/// springs of joints (coordinate_mass.hpp). Ends synced.
template <class Team>
JOSTLE_HD JOSTLE_OUTLINE void load_momentum(const Team& team, const System& system, AnyWorkspace auto work,
                                            const auto& poses, const auto& turned, double time, double h) {
  const ModelView& model = system.model;
  team.for_each(model.dimensions.movers, [&](int m) {
    const int b = model.movers[m];
    const Wrench acting =
        external_force_on(system, work, poses, turned, m, time, work.velocity(), ForceKind::but_joint_springs);
    const Vec3 gyroscopic = work.gyroscopic(m) = gyroscopic_impulse(
        model, model.bodies[b], vector_at(system.parameters().inertia, b), work.velocity(m).angular(), h);
    for (int k = 0; k < 6; ++k) {
      const bool is_free = model.bodies[b].is_free(k);
      const double applied = work.applied(m)[k] = is_free ? h * acting[k] : 0.0;
      const double impulse = k < 3 ? applied : applied + gyroscopic[k - 3];
      work.momentum(m)[k] = is_free ? inertia_of(system, b, k) * work.velocity(m)[k] + impulse : 0.0;
    }
  });
  team.sync();
}

}  // namespace jostle

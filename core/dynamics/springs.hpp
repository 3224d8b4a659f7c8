#pragma once
// Springs with dampers: how long they are at given poses, how fast that changes, and how they pull; docs/theory.md
// (19b). Their points are fixed in the bodies a and b; `world_body` has the pose of the world. Those of a joint act on
// its coordinate instead (41a).
#include "core/assembly/rows.hpp"
#include "core/dynamics/body_rows.hpp"
#include "core/dynamics/joint_geometry.hpp"

namespace jostle {

/// The line from the point of a to that of b, in the world.
struct SpringLine {
  Vec3 arm_a, arm_b;  ///< from the centres of mass to the points, m
  double length;      ///< m
  Vec3 direction;     ///< unit; not finite if the length is 0
};

/// poses[body]: where the bodies are.
JOSTLE_HD inline SpringLine spring_line(const System& system, int spring, const auto& poses) {
  const SpringModel& model = system.model.springs[spring];
  const ParameterView parameters = system.parameters();
  const auto centre = [&](int body) { return body == world_body ? Vec3(0, 0, 0) : Vec3(poses[body].position); };
  const auto arm = [&](int body, const Vec3& point) {
    return body == world_body ? point : rotate(poses[body].axes, point);
  };
  SpringLine line;
  line.arm_a = arm(model.body_a, vector_at(parameters.spring_point_a, spring));
  line.arm_b = arm(model.body_b, vector_at(parameters.spring_point_b, spring));
  const Vec3 gap = (centre(model.body_b) + line.arm_b) - (centre(model.body_a) + line.arm_a);
  line.length = std::sqrt(dot(gap, gap));
  line.direction = gap / line.length;
  return line;
}

/// A spring and the velocities: its generalised force is -tension g, with the derivatives -stiffness g g' in the
/// coordinates (without the turn of g) and -damping g g' in the velocities. Of a joint: rad and N m, or m and N.
struct SpringRow {
  ConstraintRow g;   ///< derivative of the length; zero for locked freedoms
  double length;     ///< m
  double rate;       ///< g'v, m/s, with bodies that move as told
  double stiffness;  ///< N/m
  double damping;    ///< N s/m
  double tension;    ///< stiffness (length - rest) + damping rate, N
};

/// The coordinate of a joint and its derivative.
struct CoordinateRow {
  ConstraintRow g;  ///< zero for locked freedoms
  double position;  ///< since the start, rad or m
  double told;      ///< what bodies that move as told add to its speed g'v
};

namespace detail {

/// What a body that is not fixed has of a row whose derivative is `d` along it and `moment` about it, world: its half,
/// or, if it moves as told, what it adds to the rate. With the arguments of spring_row.
JOSTLE_HD inline void add_body(const System& system, int body, const auto& axes, const auto& prescribed, double sign,
                               const Vec3& d, const Vec3& moment, Vec6& half, double& told) {
  const BodyModel& model = system.model.bodies[body];
  if (model.prescribed < 0) return write_half(model, axes[body].axes, sign, d, moment, half);
  const Vec6 own = prescribed[model.prescribed];
  told += sign * (dot(d, own.linear()) + dot(moment, rotate(axes[body].axes, own.angular())));
}

/// Of a row whose length and rate are known.
JOSTLE_HD inline void write_tension(const System& system, int spring, SpringRow& row) {
  const ParameterView parameters = system.parameters();
  row.stiffness = parameters.spring_stiffness[spring];
  row.damping = parameters.spring_damping[spring];
  row.tension = row.stiffness * (row.length - parameters.spring_rest[spring]) + row.damping * row.rate;
}

}  // namespace detail

/// With the arguments of spring_row.
JOSTLE_HD JOSTLE_OUTLINE inline CoordinateRow coordinate_row(const System& system, int j, const auto& poses,
                                                             const auto& axes, const auto& prescribed) {
  const ModelView& model = system.model;
  const JointModel& joint = model.joints[j];
  const JointFunction f = joint_coordinate_at(system, j, poses);
  CoordinateRow row{};
  const int at_a = write_bodies(mover_of(model, joint.body_a), mover_of(model, joint.body_b), row.g);
  const auto write = [&](int body, double sign, const Vec3& moment, Vec6& entry) {
    if (body == world_body || model.bodies[body].fixed) return;
    detail::add_body(system, body, axes, prescribed, sign, f.direction, moment, entry, row.told);
  };
  write(joint.body_a, -1, f.moment_a, row.g.entry[at_a]);
  write(joint.body_b, 1, f.moment_b, row.g.entry[1 - at_a]);
  row.position = joint_position(system, j, f.value);
  return row;
}

/// At poses[body], velocities[mover] and, of bodies with prescribed motion, prescribed[number], whose angular
/// components, and those of g, are in the axes of axes[body].
JOSTLE_HD inline SpringRow spring_row(const System& system, int spring, const auto& poses, const auto& axes,
                                      const auto& velocities, const auto& prescribed) {
  const ModelView& model = system.model;
  const int body_a = model.springs[spring].body_a, body_b = model.springs[spring].body_b;
  const SpringLine line = spring_line(system, spring, poses);
  SpringRow row{};
  const int at_a = write_bodies(mover_of(model, body_a), mover_of(model, body_b), row.g);
  double told = 0;  // of the rate
  const auto write = [&](int body, double sign, const Vec3& arm, Vec6& entry) {
    if (body == world_body || model.bodies[body].fixed) return;
    const Vec3 moment = cross(arm, line.direction);
    detail::add_body(system, body, axes, prescribed, sign, line.direction, moment, entry, told);
  };
  write(body_a, -1, line.arm_a, row.g.entry[at_a]);
  write(body_b, 1, line.arm_b, row.g.entry[1 - at_a]);
  row.length = line.length;
  row.rate = add_product(told, row.g, velocities);
  detail::write_tension(system, spring, row);
  return row;
}

/// Of any spring, those of joints too.
JOSTLE_HD inline SpringRow any_spring_row(const System& system, int spring, const auto& poses, const auto& axes,
                                          const auto& velocities, const auto& prescribed) {
  const int joint = system.model.springs[spring].joint;
  if (joint < 0) return spring_row(system, spring, poses, axes, velocities, prescribed);
  const CoordinateRow coordinate = coordinate_row(system, joint, poses, axes, prescribed);
  SpringRow row{coordinate.g, coordinate.position, add_product(coordinate.told, coordinate.g, velocities), 0, 0, 0};
  detail::write_tension(system, spring, row);
  return row;
}

/// The position of a joint at some poses; a function of its own, as few springs need it.
JOSTLE_HD JOSTLE_OUTLINE inline double coordinate_at(const System& system, int joint, const auto& poses) {
  return joint_position_at(system, joint, poses);
}

/// m or rad: how far a spring is from its length at rest.
JOSTLE_HD inline double spring_stretch(const System& system, int spring, const auto& poses) {
  const int joint = system.model.springs[spring].joint;
  const double length = joint < 0 ? spring_line(system, spring, poses).length : coordinate_at(system, joint, poses);
  return length - system.parameters().spring_rest[spring];
}

/// Poses and velocities of the state, as the functions above take them.
struct StatePoses {
  const System& system;
  JOSTLE_HD Pose operator[](int body) const { return pose_of(system, body); }
};
struct StateVelocities {
  const System& system;
  JOSTLE_HD Vec6 operator[](int mover) const { return velocity_in_state(system, system.model.movers[mover]); }
};

struct StatePrescribed {
  const System& system;
  JOSTLE_HD Vec6 operator[](int number) const {
    return velocity_in_state(system, system.model.prescribed[number].body);
  }
};

/// J, stored in a spring in the current state.
JOSTLE_HD inline double spring_energy(const System& system, int spring) {
  const double stretch = spring_stretch(system, spring, StatePoses{system});
  return 0.5 * system.parameters().spring_stiffness[spring] * (stretch * stretch);
}

/// J, of all springs.
JOSTLE_HD JOSTLE_OUTLINE inline double energy_of_springs(const System& system) {
  double sum = 0;
  for (int s = 0; s < system.model.dimensions.springs; ++s) sum += spring_energy(system, s);
  return sum;
}

/// The length, force (positive if it pulls) or energy of a spring in the current state.
JOSTLE_HD JOSTLE_OUTLINE inline double spring_value(const System& system, const Quantity& quantity) {
  const int spring = quantity.body;
  const StatePoses poses{system};
  if (quantity.kind == Quantity::Kind::spring_energy) return spring_energy(system, spring);
  if (quantity.kind == Quantity::Kind::spring_length) return spring_line(system, spring, poses).length;
  return spring_row(system, spring, poses, poses, StateVelocities{system}, StatePrescribed{system}).tension;
}

}  // namespace jostle

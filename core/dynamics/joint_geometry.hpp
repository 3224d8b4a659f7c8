#pragma once
// Joints at given poses: their equations Theta = 0, with the derivatives, and the coordinate of those that have one;
// docs/theory.md (35) to (38). Points and axes are fixed in the bodies a and b; `world_body` has the pose of the world.
#include <cstdint>

#include "core/math/arc_tangent.hpp"
#include "core/math/rounding.hpp"
#include "core/model/system.hpp"

namespace jostle {

/// Axes of a joint, fixed in a body or in the world.
struct JointAxes {
  const double* own;  ///< in the axes of the body, row-major
  bool in_world;
  Mat3 turn;  ///< of the body

  JOSTLE_HD Vec3 col(int i) const {
    const Vec3 axis(own[i], own[3 + i], own[6 + i]);
    return in_world ? axis : rotate(turn, axis);
  }
};

/// A joint's points, axes and centres of mass in the world. The axes are right-handed, equal at the start, and e_3 is
/// the axis of a revolute joint, e_1 that of a prismatic one.
struct PlacedJoint {
  Vec3 centre_a, centre_b;   ///< m
  Vec3 point_a, point_b;     ///< m
  JointAxes axes_a, axes_b;  ///< columns e_i and f_i

  JOSTLE_HD Vec3 gap() const { return point_b - point_a; }
};

/// Axes in `body`, which has its pose in `poses`; own[9 * joint]: the first of them.
JOSTLE_HD inline JointAxes place_axes(int body, const double* own, int joint, const auto& poses) {
  JointAxes axes{own + 9 * joint, body == world_body, {}};
  if (!axes.in_world) axes.turn = poses[body].axes;
  return axes;
}

/// poses[body]: where the bodies are.
JOSTLE_HD JOSTLE_OUTLINE inline PlacedJoint place_joint(const System& system, int joint, const auto& poses) {
  const JointModel& model = system.model.joints[joint];
  const ParameterView parameters = system.parameters();
  const auto place = [&](int body, const Vec3& point, const double* own, Vec3& centre, Vec3& placed, JointAxes& axes) {
    axes = place_axes(body, own, joint, poses);
    centre = axes.in_world ? Vec3(0, 0, 0) : Vec3(poses[body].position);
    placed = axes.in_world ? point : Vec3(centre + rotate(axes.turn, point));
  };
  PlacedJoint p;
  place(model.body_a, vector_at(parameters.joint_point_a, joint), parameters.joint_axes_a, p.centre_a, p.point_a,
        p.axes_a);
  place(model.body_b, vector_at(parameters.joint_point_b, joint), parameters.joint_axes_b, p.centre_b, p.point_b,
        p.axes_b);
  return p;
}

/// A scalar function of the poses and its derivative: direction . v_b + moment_b . w_b - direction . v_a - moment_a .
/// w_a, all in world axes.
struct JointFunction {
  double value;    ///< m; of a rotation 1
  Vec3 direction;  ///< zero for a rotation
  Vec3 moment_a, moment_b;
};

namespace detail {

/// d . (P_b - P_a), d being fixed in body a, or in the world if it is `at_point_a`.
JOSTLE_HD inline JointFunction along(const PlacedJoint& p, const Vec3& d, bool at_point_a) {
  const Vec3 foot = at_point_a ? p.point_a : p.point_b;
  return {dot(d, p.gap()), d, cross(foot - p.centre_a, d), cross(p.point_b - p.centre_b, d)};
}

/// e_i . f_j.
JOSTLE_HD inline JointFunction turn(const PlacedJoint& p, int i, int j) {
  const Vec3 e = p.axes_a.col(i), f = p.axes_b.col(j), moment = cross(f, e);
  return {dot(e, f), Vec3(0, 0, 0), moment, moment};
}

}  // namespace detail

/// How many equations of a joint are those of points; they come first.
JOSTLE_HD inline int equations_of_points(const ModelView& model, const JointModel& joint) {
  if (joint.type == JointType::distance) return 1;
  return (joint.type == JointType::prismatic ? 2 : 3) - (model.planar ? 1 : 0);
}

/// The axis of the world along which equation i of the points of a ball, revolute or fixed joint is.
JOSTLE_HD inline int axis_of_point(const ModelView& model, int i) {
  const int normal = model.plane_normal[0] != 0 ? 0 : model.plane_normal[1] != 0 ? 1 : 2;
  return model.planar && i >= normal ? i + 1 : i;
}

/// The axes e_i and f_j of the equation e_i . f_j = 0; -1: it is one of points.
struct EquationOfAxes {
  int of_a = -1, of_b = -1;
};
JOSTLE_HD inline EquationOfAxes equation_of_axes(const ModelView& model, const JointModel& joint, int i) {
  const int points = equations_of_points(model, joint);
  if (i < points) return {};
  const int axis = model.planar ? 2 : i - points;
  return {axis == 2 ? 0 : 2, axis == 0 ? 0 : 1};
}

/// Equation number i of a joint, 0 <= i < JointModel::rows: first those of points, then those of axes. In a planar
/// scene those that always hold are left out.
JOSTLE_HD JOSTLE_OUTLINE inline JointFunction joint_equation(const ModelView& model, const JointModel& joint,
                                                             const PlacedJoint& p, double length, int i) {
  if (joint.type == JointType::distance) {
    const Vec3 gap = p.gap();
    const double distance = std::sqrt(dot(gap, gap));
    JointFunction f = detail::along(p, Vec3(gap / distance), true);
    f.value = distance - length;
    return f;
  }
  const EquationOfAxes axes = equation_of_axes(model, joint, i);
  if (axes.of_a >= 0) return detail::turn(p, axes.of_a, axes.of_b);
  if (joint.type == JointType::prismatic) return detail::along(p, p.axes_a.col(1 + i), false);
  const int k = axis_of_point(model, i);
  return detail::along(p, Vec3(k == 0, k == 1, k == 2), true);
}

/// The rounding errors of a difference of the points of a joint, m; those of axes are relative_joint_rounding.
JOSTLE_HD inline double rounding_of_points(const PlacedJoint& p) {
  double size = 0;
  for (int k = 0; k < 3; ++k)
    for (const double x : {p.centre_a[k], p.centre_b[k], p.point_a[k], p.point_b[k]})
      size = std::fabs(x) > size ? std::fabs(x) : size;
  return relative_joint_rounding * size;
}

/// ... of the coordinate of a revolute or prismatic joint.
JOSTLE_HD inline double rounding_of_position(const JointModel& joint, const PlacedJoint& p, double position) {
  return joint.type == JointType::revolute ? relative_joint_rounding * (1 + std::fabs(position))
                                           : rounding_of_points(p);
}

/// The derivative of the coordinate of a revolute or prismatic joint, and its value if that is a length.
JOSTLE_HD inline JointFunction joint_axis(const JointModel& joint, const PlacedJoint& p) {
  if (joint.type == JointType::prismatic) return detail::along(p, p.axes_a.col(0), false);
  const Vec3 axis = p.axes_a.col(2);
  return {0, Vec3(0, 0, 0), axis, axis};
}

/// Direction number i of the friction of a ball joint: the axes of a cube, those through the middles of its edges, and
/// its diagonals. With the opposite ones they are the corners of a polyhedron that holds a ball of .886 of its radius.
JOSTLE_HD inline Vec3 ball_direction(int i) {
  if (i < 3) return Vec3(i == 0, i == 1, i == 2);
  if (i < 9) {
    const double own = std::sqrt(0.5), other = i % 2 == 1 ? own : -own;
    const int left_out = (i - 3) / 2;
    return left_out == 0 ? Vec3(0, own, other) : left_out == 1 ? Vec3(own, 0, other) : Vec3(own, other, 0);
  }
  const double own = std::sqrt(1.0 / 3);
  return {own, i % 2 == 1 ? own : -own, i < 11 ? own : -own};
}

/// The turn about direction number i, which is fixed in body a; in a planar scene the one that there is.
JOSTLE_HD inline JointFunction ball_turn(const ModelView& model, const PlacedJoint& p, int i) {
  const Vec3 own = ball_direction(i);
  const Vec3 axis = model.planar ? model.plane_normal
                                 : Vec3(own[0] * p.axes_a.col(0) + own[1] * p.axes_a.col(1) + own[2] * p.axes_a.col(2));
  return {0, Vec3(0, 0, 0), axis, axis};
}

namespace detail {

/// The angle of a revolute joint, in (-pi, pi].
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline double joint_angle(const JointAxes& a, const JointAxes& b) {
  const Vec3 turned = b.col(0);
  return arc_tangent(dot(a.col(1), turned), dot(a.col(0), turned));
}

}  // namespace detail

/// The coordinate of a revolute or prismatic joint and its derivative. The angle is in (-pi, pi].
JOSTLE_HD JOSTLE_OUTLINE inline JointFunction joint_coordinate(const JointModel& joint, const PlacedJoint& p) {
  JointFunction f = joint_axis(joint, p);
  if (joint.type == JointType::revolute) f.value = detail::joint_angle(p.axes_a, p.axes_b);
  return f;
}

/// The angle that is nearest to `near` of those that differ by whole turns.
JOSTLE_HD inline double unwrapped(double angle, double near) {
  constexpr double turn = 0x1.921fb54442d18p+2;
  const double turns = (near - angle) / turn;
  if (!(std::fabs(turns) < 0x1p50)) return angle;
  return angle + turn * static_cast<double>(static_cast<std::int64_t>(turns < 0 ? turns - 0.5 : turns + 0.5));
}

/// The coordinate at some poses. The angle of a revolute joint needs no points.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline JointFunction joint_coordinate_at(const System& system, int joint,
                                                                          const auto& poses) {
  const JointModel& model = system.model.joints[joint];
  if (model.type != JointType::revolute) return joint_coordinate(model, place_joint(system, joint, poses));
  const JointAxes a = place_axes(model.body_a, system.parameters().joint_axes_a, joint, poses),
                  b = place_axes(model.body_b, system.parameters().joint_axes_b, joint, poses);
  const Vec3 axis = a.col(2);
  return {detail::joint_angle(a, b), Vec3(0, 0, 0), axis, axis};
}

/// The position of a joint with this value of its coordinate, less than half a turn from the state.
JOSTLE_HD inline double joint_position(const System& system, int joint, double value) {
  if (system.model.joints[joint].type != JointType::revolute) return value;
  return unwrapped(value, system.state().joint_position[joint]);
}

/// The position at some poses that are less than half a turn from the state.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline double joint_position_at(const System& system, int joint, const auto& poses) {
  return joint_position(system, joint, joint_coordinate_at(system, joint, poses).value);
}

/// f(how far joint j is open at these poses, m or as a sine), equation by equation.
JOSTLE_HD void for_each_opening(const System& system, int j, const auto& poses, auto f) {
  const JointModel& joint = system.model.joints[j];
  const PlacedJoint placed = place_joint(system, j, poses);
  for (int i = 0; i < joint.rows; ++i)
    f(joint_equation(system.model, joint, placed, system.parameters().joint_length[j], i).value);
}

}  // namespace jostle

#pragma once
// N'dot v of joints, and the same of their coordinates, at q^, docs/theory.md (66), in closed form.
#include "core/accelerations/contact_acceleration.hpp"
#include "core/dynamics/coordinate_mass.hpp"

namespace jostle {

namespace detail {

/// A vector on the way q^ (+) s v, and its derivatives at s = 0.
struct VectorOnWay {
  Vec3 value, rate, turning;
};

/// One that is fixed in a body.
JOSTLE_HD inline VectorOnWay turned_with(const RigidMotion& body, const Vec3& own) {
  return {own, cross(body.spin, own), body.centripetal(own)};
}

/// P_b - P_a.
JOSTLE_HD inline VectorOnWay gap_on_way(const PlacedJoint& p, const RigidMotion& a, const RigidMotion& b) {
  const Vec3 arm_a = p.point_a - p.centre_a, arm_b = p.point_b - p.centre_b;
  return {p.gap(), b.velocity_at(arm_b) - a.velocity_at(arm_a), b.centripetal(arm_b) - a.centripetal(arm_a)};
}

/// The second derivative of x . y.
JOSTLE_HD inline double turning_of_product(const VectorOnWay& x, const VectorOnWay& y) {
  return dot(x.turning, y.value) + 2 * dot(x.rate, y.rate) + dot(x.value, y.turning);
}

/// ... of |x|.
JOSTLE_HD inline double turning_of_length(const VectorOnWay& x) {
  const double length = std::sqrt(dot(x.value, x.value)), rate = dot(x.value, x.rate) / length;
  return (dot(x.value, x.turning) + dot(x.rate, x.rate) - rate * rate) / length;
}

}  // namespace detail

/// The second derivative of equation i of joint j on the way q^ (+) s v: m/s^2 or 1/s^2.
JOSTLE_HD JOSTLE_OUTLINE inline double equation_turning(const System& system, AnyWorkspace auto work, int j, int i) {
  const ModelView& model = system.model;
  const JointModel& joint = model.joints[j];
  const RigidMotion a = motion_of_body(system, work, joint.body_a), b = motion_of_body(system, work, joint.body_b);
  const PlacedJoint p = place_joint(system, j, work.predicted_pose());
  const EquationOfAxes axes = equation_of_axes(model, joint, i);
  if (axes.of_a >= 0) {
    return detail::turning_of_product(detail::turned_with(a, p.axes_a.col(axes.of_a)),
                                      detail::turned_with(b, p.axes_b.col(axes.of_b)));
  }
  const detail::VectorOnWay gap = detail::gap_on_way(p, a, b);
  if (joint.type == JointType::distance) return detail::turning_of_length(gap);
  if (joint.type == JointType::prismatic)
    return detail::turning_of_product(detail::turned_with(a, p.axes_a.col(1 + i)), gap);
  return gap.turning[axis_of_point(model, i)];
}

}  // namespace jostle

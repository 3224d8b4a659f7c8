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

/// The second derivative of equation i of joint j, placed at q^, on the way q^ (+) s v: m/s^2 or 1/s^2.
class EquationTurning {
 public:
  JOSTLE_HD EquationTurning(const System& system, AnyWorkspace auto work, int j, const PlacedJoint& placed)
      : model_(system.model),
        joint_(model_.joints[j]),
        placed_(placed),
        a_(motion_of_body(system, work, joint_.body_a)),
        b_(motion_of_body(system, work, joint_.body_b)),
        gap_(detail::gap_on_way(placed, a_, b_)) {}

  JOSTLE_HD double operator()(int i) const {
    const EquationOfAxes axes = equation_of_axes(model_, joint_, i);
    if (axes.of_a >= 0)
      return detail::turning_of_product(turned_with(a_, placed_.axes_a, axes.of_a),
                                        turned_with(b_, placed_.axes_b, axes.of_b));
    if (joint_.type == JointType::distance) return detail::turning_of_length(gap_);
    if (joint_.type == JointType::prismatic)
      return detail::turning_of_product(turned_with(a_, placed_.axes_a, 1 + i), gap_);
    return gap_.turning[axis_of_point(model_, i)];
  }

 private:
  JOSTLE_HD static detail::VectorOnWay turned_with(const RigidMotion& body, const JointAxes& axes, int k) {
    return detail::turned_with(body, axes.col(k));
  }

  const ModelView& model_;
  const JointModel& joint_;
  const PlacedJoint& placed_;
  RigidMotion a_, b_;
  detail::VectorOnWay gap_;
};

}  // namespace jostle

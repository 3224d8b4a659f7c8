#pragma once
// N'dot v of joints, and the same of their coordinates, at q^: docs/theory.md (66).
#include "core/accelerations/contact_acceleration.hpp"
#include "core/dynamics/joint_geometry.hpp"

namespace jostle {

/// The poses of the bodies of a joint, each computed once.
struct PosesOfJoint {
  int body_a;
  Pose pose_a, pose_b;
  JOSTLE_HD const Pose& operator[](int body) const { return body == body_a ? pose_a : pose_b; }
};

/// The second derivative of a function of joint j, function(placed), on the way q^ (+) s v: m/s^2 or 1/s^2. `length`:
/// m, over which it is curved if the points of the joint move past each other; 0: it is not.
JOSTLE_HD double joint_turning(const System& system, AnyWorkspace auto work, int j, double length, auto function) {
  const JointModel& joint = system.model.joints[j];
  const RigidMotion a = motion_of_body(system, work, joint.body_a), b = motion_of_body(system, work, joint.body_b);
  double rate = length_of(a.spin) + length_of(b.spin);
  if (length > 0) {
    const PlacedJoint p = place_joint(system, j, work.predicted_pose());
    const Vec3 passing = b.velocity_at(p.point_b - p.centre_b) - a.velocity_at(p.point_a - p.centre_a);
    rate += length_of(passing) / length;
  }
  return derivative_at_zero(rate, [&](double s) {
    const PosesAfter<decltype(work)> all{system, work, s};
    const auto pose_of = [&](int body) { return body == world_body ? Pose{} : all[body]; };
    const PosesOfJoint poses{joint.body_a, pose_of(joint.body_a), pose_of(joint.body_b)};
    return rate_of(function(place_joint(system, j, poses)), a, b);
  });
}

/// Of equation i of joint j.
JOSTLE_HD JOSTLE_OUTLINE inline double equation_turning(const System& system, AnyWorkspace auto work, int j, int i) {
  const JointModel& joint = system.model.joints[j];
  const double length = system.parameters().joint_length[j];
  return joint_turning(system, work, j, joint.type == JointType::distance ? length : 0.0,
                       [&](const PlacedJoint& p) { return joint_equation(system.model, joint, p, length, i); });
}

/// Of the coordinate of joint j.
JOSTLE_HD JOSTLE_OUTLINE inline double coordinate_turning(const System& system, AnyWorkspace auto work, int j) {
  return joint_turning(system, work, j, 0,
                       [&](const PlacedJoint& p) { return joint_coordinate(system.model.joints[j], p); });
}

}  // namespace jostle

#include "scenarios/parameters/joints.hpp"

#include "scenarios/format/canonical_tree.hpp"
#include "scenarios/format/words.hpp"
#include "scenarios/parameters/plane.hpp"

namespace jostle {
namespace {

/// The axes of a joint in the world: the third is that of a revolute joint, the first that of a prismatic one. In a
/// planar scene the third is normal to the plane.
TracedMat3 axes_of(const JointSpec& spec, const TracedVec3& axis, std::optional<int> plane_axis) {
  if (spec.type == JointType::revolute) return axes_of_plane(axis);
  TracedMat3 axes = axis_to_z(plane_axis.value_or(2));
  if (spec.type != JointType::prismatic) return axes;
  const TracedMat3 across = axes_of_plane(axis);
  const TracedVec3 third = plane_axis ? TracedVec3(axes.col(2)) : TracedVec3(across.col(1));
  axes.col(0) = axis;
  axes.col(1) = cross<Traced>(third, axis);
  axes.col(2) = third;
  return axes;
}

}  // namespace

TracedJoint traced_joint(const Scenario& scenario, const JointSpec& spec, std::optional<int> plane_axis, Draw draw) {
  const TracedPose a = start_pose(scenario, spec.sides.bodies[0], draw);
  const TracedPose b = start_pose(scenario, spec.sides.bodies[1], draw);
  const TracedVec3 centre = spec.sides.bodies[1] == world_body ? a.position : b.position;
  const bool distance = spec.type == JointType::distance;
  TracedVec3 at_a = distance ? a.position : centre, at_b = distance ? b.position : centre;
  if (spec.at.count > 0) at_a = vector_of(spec.at.points[0], draw);
  if (spec.at.count > 0) at_b = spec.at.count == 2 ? vector_of(spec.at.points[1], draw) : at_a;

  TracedJoint joint;
  joint.axis = spec.has_coordinate() ? unit(vector_of(spec.axis, draw)) : TracedVec3(0, 0, 1);
  const TracedMat3 axes = axes_of(spec, joint.axis, plane_axis);
  joint.point_a = a.point_in(at_a), joint.point_b = b.point_in(at_b);
  joint.axes_a = a.axes_in(axes), joint.axes_b = b.axes_in(axes);
  const TracedVec3 gap = at_b - at_a;
  joint.distance = sqrt(dot<Traced>(gap, gap));
  if (distance) joint.length = spec.has_length ? number_of(spec.length, draw) : joint.distance;
  joint.friction = number_of(spec.friction, draw);
  if (spec.has_limits) joint.lower = number_of(spec.limits[0], draw), joint.upper = number_of(spec.limits[1], draw);
  if (spec.motor.given) joint.limit = number_of(spec.motor.limit, draw);
  joint.armature = number_of(spec.armature, draw);
  for (int i = 0; i < 2; ++i) joint.speeds[i] = number_of(spec.speed_limits.bounds[i], draw);
  return joint;
}

void require_joint(const JointSpec& spec, const TracedJoint& joint, std::optional<int> plane_axis,
                   Requirements& require) {
  const std::string path = "joints." + spec.name;
  if (spec.has_coordinate()) {
    require(is_finite(joint.axis[0] + joint.axis[1] + joint.axis[2]), spec.axis[0].where,
            [&] { return path + ".axis must be finite and have a direction"; });
  }
  if (spec.has_coordinate() && plane_axis) {
    const Traced out = fabs(joint.axis[*plane_axis]);
    const std::string normal = word_for(static_cast<Axis>(*plane_axis));
    if (spec.type == JointType::revolute)
      require(1 - out <= plane_rounding, spec.axis[0].where,
              [&] { return path + ".axis must be along " + normal + ", because all bodies move in a plane"; });
    else
      require(out <= plane_rounding, spec.axis[0].where,
              [&] { return path + ".axis must lie in the plane in which all bodies move, with " + normal + " = 0"; });
  }
  if (spec.type == JointType::distance) {
    require(joint.distance > start_rounding, spec.where,
            [&] { return path + ": the two points are one, which has no direction; use a ball joint"; });
    const Location& where = spec.has_length ? spec.length.where : spec.where;
    require(fabs(joint.length - joint.distance) <= start_rounding, where, [&] {
      return path + ".length is " + shortest(joint.length.value()) + " m, but the points are " +
             shortest(joint.distance.value()) + " m apart at the start";
    });
  }
  if (spec.has_limits) {
    require(both(joint.lower <= 0, joint.upper >= 0), spec.limits[0].where,
            [&] { return path + ".limits must be [lower, upper] with lower <= 0 <= upper: the joint starts at 0"; });
    require(joint.lower < joint.upper, spec.limits[0].where,
            [&] { return path + ".limits leave no room; use a fixed joint"; });
  }
  if (spec.speed_limits.has[0] && spec.speed_limits.has[1]) {
    require(joint.speeds[0] < joint.speeds[1], spec.speed_limits.bounds[0].where,
            [&] { return path + ".speed_limits must be [lower, upper] with lower < upper"; });
  }
}

TracedSpring traced_spring(const Scenario& scenario, const SpringSpec& spec, Draw draw) {
  const TracedPose a = start_pose(scenario, spec.sides.bodies[0], draw);
  const TracedPose b = start_pose(scenario, spec.sides.bodies[1], draw);
  const bool has_points = spec.at.count > 0;
  const TracedVec3 at_a = has_points ? vector_of(spec.at.points[0], draw) : a.position;
  const TracedVec3 at_b = has_points ? vector_of(spec.at.points[1], draw) : b.position;
  const TracedVec3 gap = at_b - at_a;

  TracedSpring spring;
  spring.point_a = a.point_in(at_a), spring.point_b = b.point_in(at_b);
  spring.length = sqrt(dot<Traced>(gap, gap));
  spring.stiffness = number_of(spec.stiffness, draw);
  spring.damping = number_of(spec.damping, draw);
  spring.rest = spec.has_rest ? number_of(spec.rest, draw) : spring.length;
  return spring;
}

void require_spring(const SpringSpec& spec, const TracedSpring& spring, Requirements& require) {
  require(spring.length > start_rounding, spec.where,
          [&] { return "springs." + spec.name + ": the two points are one, which has no direction"; });
}

}  // namespace jostle

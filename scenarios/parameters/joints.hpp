#pragma once
// What the numbers of a joint or spring say, in terms of the variables: points and axes in its bodies, and what must
// hold.
#include "scenarios/parameters/bind.hpp"
#include "scenarios/parameters/requirements.hpp"

namespace jostle {

/// As the parameters of a system have it (core/model/fields.hpp), as that of a spring.
struct TracedJoint {
  TracedVec3 axis;                  ///< unit, world
  TracedVec3 point_a, point_b;      ///< in the body, or in the world
  TracedMat3 axes_a, axes_b;        ///< the same
  Traced distance = 0, length = 0;  ///< of the points of a distance joint at the start; m
  Traced lower = 0, upper = 0;      ///< limits
  Traced friction = 0, limit = 0;
  Traced armature = 0;
  Traced speeds[2] = {0, 0};  ///< limits of the speed
};

/// `plane_axis`: normal of the plane of a planar scene, or none.
TracedJoint traced_joint(const Scenario& scenario, const JointSpec& spec, std::optional<int> plane_axis, Draw draw);

/// What a joint must meet at the start: an axis that suits a planar scene, limits around 0, and the length of a
/// distance.
void require_joint(const JointSpec& spec, const TracedJoint& joint, std::optional<int> plane_axis,
                   Requirements& require);

struct TracedSpring {
  TracedVec3 point_a, point_b;  ///< in the body, or in the world
  Traced length = 0;            ///< at the start, m
  Traced stiffness = 0, damping = 0, rest = 0;
};

TracedSpring traced_spring(const Scenario& scenario, const SpringSpec& spec, Draw draw);

/// At the start the points of a spring are apart.
void require_spring(const SpringSpec& spec, const TracedSpring& spring, Requirements& require);

}  // namespace jostle

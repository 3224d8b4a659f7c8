#include "scenarios/parameters/springs.hpp"

namespace jostle {

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

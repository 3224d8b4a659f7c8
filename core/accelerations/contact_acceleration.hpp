#pragma once
// n'dot v of contacts, docs/theory.md (66): how fast n'v changes at q^ if the bodies go on with their velocities, which
// are constant in the world: q (+) s v. It is the second derivative of the gap on that way.
#include "core/accelerations/derivative.hpp"
#include "core/events/collision.hpp"

namespace jostle {

JOSTLE_HD inline double length_of(const Vec3& x) { return std::sqrt(dot(x, x)); }

/// n'dot v of any feature pair of two shapes at q^, m/s^2, by differences. The normal turns with the bodies, and where
/// their surfaces are round it also turns as they pass each other.
JOSTLE_HD JOSTLE_OUTLINE inline double normal_turning_by_differences(const System& system, AnyWorkspace auto work,
                                                                     const Contact& contact) {
  const PairModel& pair = system.model.pairs[contact.pair];
  const RigidMotion a = motion_of_body(system, work, system.model.shapes[pair.shape_a].body);
  const RigidMotion b = motion_of_body(system, work, system.model.shapes[pair.shape_b].body);
  const bool on_plane = work.placed(pair.shape_b).type == ShapeType::half_space;
  const auto radius_of = [&](int shape) {
    const PlacedShape& placed = work.placed(shape);
    const bool round = placed.type == ShapeType::sphere || placed.type == ShapeType::capsule ||
                       placed.type == ShapeType::polygon || placed.type == ShapeType::hull ||
                       (placed.type == ShapeType::cylinder && !on_plane);  // a rim is a point on a plane
    return round ? placed.size[0] : 0.0;
  };
  double radius = radius_of(pair.shape_a) + radius_of(pair.shape_b);
  if (work.placed(pair.shape_b).type == ShapeType::polygon)
    radius = PolygonPair::centre_distance(work.placed(pair.shape_a), work.placed(pair.shape_b), contact.feature);
  const double speed = length_of(b.velocity_at(contact.arm_b) - a.velocity_at(contact.arm_a));
  const double rate = length_of(a.spin) + length_of(b.spin) + (radius > 0 ? speed / radius : 0.0);
  bool turned = false;  // where the lines of two edges begin or cease to cross, the normal jumps
  const double change = derivative_at_zero(rate, [&](double s) {
    const PosesAhead<decltype(work)> poses{system, work, s};
    const ContactGeometry at = geometry_at(system, pair, contact.feature, poses);
    turned = turned || dot(at.normal, contact.normal) < same_side;
    return closing_speed(system, work, pair, at, poses, work.velocity());
  });
  return turned ? 0 : change;
}

/// n'dot v of a contact at q^, m/s^2: in closed form for a sphere on a fixed half-space or on a sphere.
JOSTLE_HD inline double normal_turning(const System& system, AnyWorkspace auto work, const Contact& contact) {
  const PairModel& pair = system.model.pairs[contact.pair];
  const PlacedShape &a = work.placed(pair.shape_a), &b = work.placed(pair.shape_b);
  const int body_a = system.model.shapes[pair.shape_a].body, body_b = system.model.shapes[pair.shape_b].body;
  const bool on_plane = b.type == ShapeType::half_space && system.model.bodies[body_b].fixed;
  if (a.type != ShapeType::sphere || !(on_plane || b.type == ShapeType::sphere))
    return normal_turning_by_differences(system, work, contact);
  const RigidMotion of_a = motion_of_body(system, work, body_a), of_b = motion_of_body(system, work, body_b);
  const Vec3 arm_a = a.position - work.predicted_pose(body_a).position;  // of the centres of the spheres
  if (on_plane) return -dot(contact.normal, of_a.centripetal(arm_a));
  const Vec3 arm_b = b.position - work.predicted_pose(body_b).position, between = b.position - a.position;
  const Vec3 speed = of_b.velocity_at(arm_b) - of_a.velocity_at(arm_a);
  const double along = dot(contact.normal, speed);
  return (dot(speed, speed) - along * along) / length_of(between) +
         dot(contact.normal, Vec3(of_b.centripetal(arm_b) - of_a.centripetal(arm_a)));
}

}  // namespace jostle

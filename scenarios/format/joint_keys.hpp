#pragma once
// The keys of `joints`.
#include "scenarios/format/map_format.hpp"
#include "scenarios/model/joint_spec.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<JointSpec>{"joint", "joints.NAME"};
template <Is<JointSpec> Spec>
void visit_keys(Spec& joint, auto&& visit) {
  using enum JointType;
  visit(Alternative{joint.type, ball, joint.sides}, Key("ball", "keeps two points together").one_of());
  visit(Alternative{joint.type, revolute, joint.sides}, Key("revolute", "turns about an axis").one_of());
  visit(Alternative{joint.type, prismatic, joint.sides}, Key("prismatic", "slides along an axis").one_of());
  visit(Alternative{joint.type, fixed, joint.sides}, Key("fixed", "welds the two").one_of());
  visit(Alternative{joint.type, distance, joint.sides}, Key("distance", "keeps two points at a distance").one_of());
  visit(joint.at, Key("at", "point of a ball, revolute or prismatic joint, or both of a distance; world, at the start")
                      .in("m")
                      .only_if(joint.at.count > 0)
                      .default_is("centres of mass; ball, revolute: none"));
  visit(joint.axis, Key("axis", "of a revolute or prismatic joint; world, at the start; need not have unit length")
                        .judged_whole()
                        .only_if(joint.has_axis)
                        .no_default());
  visit(joint.length, Key("length", "of a distance joint; must be that of the start up to 1e-9 m")
                          .in("m")
                          .positive()
                          .only_if(joint.has_length)
                          .default_is("that of the start"));
  visit(
      joint.friction,
      Key("friction", "largest torque or force of friction along the free axis (of a ball: about any axis); 0 or more")
          .in("N m or N")
          .not_negative()
          .only_if(joint.has_coordinate() || joint.has_ball_friction()));
  visit(joint.limits, Key("limits", "of the angle or position, which is 0 at the start")
                          .in("rad or m")
                          .only_if(joint.has_limits)
                          .no_default());
  visit(joint.restitution, Key("restitution", "of the limits, 0 to 1; above 0 needs a method with impacts")
                               .fraction()
                               .only_if(joint.has_limits)
                               .no_default());
  visit(joint.motor, Key("motor", "drives the free axis").only_if(joint.motor.given).no_default());
  visit(joint.stiffness, Key("stiffness", "of a spring on the angle or position, 0 or more")
                             .in("N m/rad or N/m")
                             .not_negative()
                             .only_if(!is_zero(joint.stiffness)));
  visit(joint.rest, Key("rest", "angle or position at which the spring is relaxed")
                        .in("rad or m")
                        .only_if(joint.has_rest && !is_zero(joint.stiffness)));
  visit(joint.damping, Key("damping", "torque or force per speed, 0 or more")
                           .in("N m s/rad or N s/m")
                           .not_negative()
                           .only_if(!is_zero(joint.damping)));
  visit(joint.armature, Key("armature", "inertia of the drive's rotor along the free axis, 0 or more")
                            .in("kg m^2 or kg")
                            .not_negative()
                            .only_if(!is_zero(joint.armature)));
  visit(joint.speed_limits, Key("speed_limits", "of the speed along the free axis, as of a freewheel")
                                .in("rad/s or m/s")
                                .only_if(joint.speed_limits.given())
                                .no_default());
}

template <>
inline constexpr MapFormat format_of<MotorSpec>{"motor", "joints.NAME.motor"};
template <Is<MotorSpec> Spec>
void visit_keys(Spec& motor, auto&& visit) {
  visit(motor.speed, Key("speed", "target speed of b relative to a; may use the time `t` (s)")
                         .in("rad/s or m/s")
                         .required()
                         .with_time());
  visit(motor.limit, Key("limit", "its largest torque or force, 0 or more").in("N m or N").required().not_negative());
}

}  // namespace jostle

#pragma once
// The keys of what else acts on bodies: `springs`, `forces` and `impulses`.
#include "scenarios/format/map_format.hpp"
#include "scenarios/model/force_spec.hpp"
#include "scenarios/model/joint_spec.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<SpringSpec>{"spring", "springs.NAME"};
template <Is<SpringSpec> Spec>
void visit_keys(Spec& spring, auto&& visit) {
  visit(spring.sides, Key("between", "what it ties").required());
  visit(spring.at, Key("at", "both points, fixed to the bodies; world, at the start")
                       .in("m")
                       .only_if(spring.at.count > 0)
                       .default_is("centres of mass; none with world"));
  visit(spring.stiffness, Key("stiffness", "force per stretch, 0 or more").in("N/m").not_negative());
  visit(spring.damping, Key("damping", "force per speed of the stretch, 0 or more").in("N s/m").not_negative());
  visit(spring.rest, Key("rest", "length of the relaxed spring, 0 or more")
                         .in("m")
                         .not_negative()
                         .only_if(spring.has_rest)
                         .default_is("that of the start"));
}

template <>
inline constexpr MapFormat format_of<ForceSpec>{"force", "forces[i]"};
template <Is<ForceSpec> Spec>
void visit_keys(Spec& force, auto&& visit) {
  visit(force.body, Key("body", "the moving body").required());
  visit(force.at, Key("at", "point of the body where `force` acts; world, at the start")
                      .in("m")
                      .only_if(force.has_point)
                      .default_is("centre of mass"));
  visit(force.force, Key("force", "applied force, world").in("N").with_motion());
  visit(force.torque, Key("torque", "applied torque, world").in("N m").with_motion());
  visit(force.reaction, Key("reaction", "another moving body on which the opposite acts, at the same point")
                            .only_if(force.has_reaction)
                            .no_default());
}

template <>
inline constexpr MapFormat format_of<ImpulseSpec>{"impulse", "impulses[i]"};
template <Is<ImpulseSpec> Spec>
void visit_keys(Spec& impulse, auto&& visit) {
  visit(impulse.body, Key("body", "the moving body").required());
  visit(impulse.time, Key("time", "when it acts; 0 is the start").in("s").required().not_negative());
  visit(impulse.at, Key("at", "point of the body where `impulse` acts; world, at the start")
                        .in("m")
                        .only_if(impulse.has_point)
                        .default_is("centre of mass"));
  visit(impulse.impulse, Key("impulse", "change of momentum, world").in("N s"));
  visit(impulse.angular_impulse, Key("angular_impulse", "change of angular momentum beside that, world").in("N m s"));
}

}  // namespace jostle

#pragma once
// The keys of `bodies`; those of their shapes are in shape_keys.hpp.
#include "scenarios/format/map_format.hpp"
#include "scenarios/model/body_spec.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<BodySpec>{"body", "bodies.NAME", true};
template <Is<BodySpec> Spec>
void visit_keys(Spec& body, auto&& visit) {
  visit(body.copies, Key("copies", "how many there are: NAME[0], NAME[1] ..., each with its own random numbers")
                         .to(max_bodies)
                         .only_if(body.copies > 0 && body.pattern.count == 0)
                         .no_default());
  visit(body.pattern,
        Key("pattern", "several of it about an axis or in a row: NAME[0], NAME[1] ..., in place of `copies`")
            .only_if(body.pattern.count > 0)
            .no_default());
  visit(body.fixed, Key("fixed", "never moves; has neither mass nor velocity"));
  visit(body.prescribed,
        Key("prescribed", "its motion as functions of time; it has no mass, and impulses do not change its motion")
            .only_if(body.prescribed.given)
            .no_default());
  visit(body.mass, Key("mass", "above 0; every moving body needs one, or a density")
                       .in("kg")
                       .positive()
                       .only_if(body.is_mover() && body.has_mass)
                       .no_default());
  visit(body.density, Key("density", "of its shapes, in place of `mass`; parts where they overlap count twice")
                          .in("kg/m^3")
                          .positive()
                          .only_if(body.has_density)
                          .no_default());
  visit(body.centre, Key("centre_of_mass", "in the body, if an inertia is given")
                         .in("m")
                         .only_if(body.has_centre)
                         .default_is("that of the shapes; with inertia: [0, 0, 0]"));
  visit(body.inertia, Key("inertia", "about the centre of mass, along the body's axes")
                          .in("kg m^2")
                          .judged_whole()
                          .only_if(body.inertia.given)
                          .default_is("that of the shapes"));
  visit(body.freedom, Key("freedom", "the motions that are free").only_if(body.is_mover()));
  visit(OnlyItem{body.displayed.empty() ? body.shapes : body.displayed},
        Key("shape", "the body's only shape").only_if(body.all_shapes() == 1 && !body.lists_shapes));
  visit(WithDisplayed{body.shapes, body.displayed},
        Key("shapes", "its shapes if there are several").only_if(body.lists_shapes).no_default());
  visit(body.position, Key("position", "of the body's origin at the start, world").in("m"));
  visit(body.rotation, Key("rotation", "orientation at the start"));
  visit(body.velocity, Key("velocity", "of the origin at the start, world").in("m/s").only_if(body.is_mover()));
  visit(body.spin, Key("spin", "angular velocity at the start, world").in("rad/s").only_if(body.is_mover()));
}

template <>
inline constexpr MapFormat format_of<PrescribedSpec>{"prescribed", "bodies.NAME.prescribed"};
template <Is<PrescribedSpec> Spec>
void visit_keys(Spec& prescribed, auto&& visit) {
  visit(prescribed.velocity,
        Key("velocity", "of the body's `position`, world; may use the time `t` (s)").in("m/s").with_time());
  visit(prescribed.spin, Key("spin", "angular velocity, world; may use the time `t` (s)").in("rad/s").with_time());
}

template <>
inline constexpr MapFormat format_of<RotationSpec>{"rotation", "rotation"};
template <Is<RotationSpec> Spec>
void visit_keys(Spec& rotation, auto&& visit) {
  const bool by_axis = rotation.kind == RotationSpec::Kind::axis_angle;
  visit(rotation.axis,
        Key("axis", "of a turn by `degrees`; need not have unit length").judged_whole().only_if(by_axis).no_default());
  visit(rotation.degrees,
        Key("degrees", "the turn about `axis`").in("deg").judged_whole().only_if(by_axis).no_default());
  visit(rotation.quaternion, Key("quaternion", "[w, x, y, z], normalised when read")
                                 .judged_whole()
                                 .only_if(rotation.kind == RotationSpec::Kind::quaternion)
                                 .no_default());
}

template <>
inline constexpr MapFormat format_of<PatternSpec>{"pattern", "bodies.NAME.pattern and shapes[i].pattern"};
template <Is<PatternSpec> Spec>
void visit_keys(Spec& pattern, auto&& visit) {
  visit(pattern.count, Key("count", "how many there are, including the first").required().to(1000));
  visit(pattern.axis, Key("axis", "they are turned about it").only_if(pattern.has_axis).no_default());
  visit(pattern.degrees, Key("degrees", "from one to the next")
                             .in("deg")
                             .only_if(pattern.has_axis && pattern.has_degrees)
                             .default_is("360/count"));
  visit(pattern.at, Key("at", "a point of the axis").in("m").only_if(pattern.has_axis));
  visit(pattern.step,
        Key("step", "from one to the next, in place of `axis`").in("m").only_if(pattern.has_step).no_default());
}

}  // namespace jostle

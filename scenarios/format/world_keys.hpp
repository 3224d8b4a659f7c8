#pragma once
// The keys of `units` and `world`.

#include "scenarios/format/map_format.hpp"
#include "scenarios/model/scenario.hpp"

namespace jostle {

template <>
inline constexpr MapFormat format_of<UnitsSpec>{"units", "units"};
template <Is<UnitsSpec> Spec>
void visit_keys(Spec& units, auto&& visit) {
  visit(units.length, Key("length", "also in speeds, inertias, stiffnesses and torques"));
  visit(units.mass, Key("mass", "also in inertias"));
  visit(units.time, Key("time", "also in speeds; `t` in expressions is in s"));
  visit(units.force, Key("force", "also in stiffnesses, torques and impulses"));
  visit(units.angle, Key("angle", "of limits and spins; `degrees` stay degrees"));
  visit(units.density, Key("density", "of `density`"));
}

template <>
inline constexpr MapFormat format_of<WorldSpec>{"world", "world", true};
template <Is<WorldSpec> Spec>
void visit_keys(Spec& world, auto&& visit) {
  visit(world.gravity, Key("gravity", "acceleration of gravity").in("m/s^2"));
  visit(world.step, Key("step", "time step, above 0; required, or `rate`").in("s").positive().no_default());
  visit(world.rate,
        Key("rate", "steps per second, in place of `step`").in("1/s").positive().only_if(false).no_default());
  visit(
      world.duration,
      Key("duration", "simulated time, a whole number of steps; required, or `steps`").in("s").positive().no_default());
  visit(world.steps,
        Key("steps", "their number, in place of `duration`").from(1).to(most_steps).only_if(false).no_default());
  visit(world.method, Key("method", "time-stepping method"));
  const bool accelerates = facts_of(world.method).has_stages;
  visit(world.linearisation,
        Key("linearisation", "where contacts are linearised; fixed_point, under stewart_trinkle, need not converge")
            .only_if(!accelerates));
  visit(world.gyroscopic,
        Key("gyroscopic",
            "how the gyroscopic torque enters a step; explicit gains energy; trapezoidal: the same as implicit")
            .only_if(!accelerates));
  visit(world.solver, Key("solver", "whether LCPs are first tried with the contact modes of the step before"));
  visit(world.multipliers, Key("multipliers", "which answer is taken where redundant contacts allow several"));
  visit(world.filter, Key("filter", "whether contacts that others of their pair of shapes make redundant are left out")
                          .only_if(!world.filter));
  visit(world.friction_cone, Key("friction_cone", "what bounds friction in space; the same in a planar scene")
                                 .only_if(world.friction_cone != FrictionCone::polygon));
  visit(world.friction_directions,
        Key("friction_directions", "sides of the friction polygon: 2 in a planar scene, else even, 4 to 64")
            .from(2)
            .to(64)
            .default_is("8; planar: 2")
            .only_if(!accelerates));
  visit(world.geometric_stiffness,
        Key("geometric_stiffness",
            "whether the force of a joint that is too stiff across for the step is implicit there; scenes with joints")
            .only_if(!world.geometric_stiffness));
  const bool collides = facts_of(world.method).has_impacts;
  visit(world.stabilisation,
        Key("stabilisation", "fraction of a joint's error that a step corrects, 0 to 1; methods with impacts")
            .fraction()
            .only_if(collides));
  visit(world.impact, Key("impact", "restitution where bodies collide; methods with impacts").only_if(collides));
  visit(world.events, Key("events", "when a step is divided; methods with impacts").only_if(collides));
}

template <>
inline constexpr MapFormat format_of<ImpactSpec>{"impact", "world.impact"};
template <Is<ImpactSpec> Spec>
void visit_keys(Spec& impact, auto&& visit) {
  visit(impact.law,
        Key("law", "how velocities are restored; loetstedt has newton only").default_is("poisson; loetstedt: newton"));
  visit(impact.threshold,
        Key("threshold", "approach speed up to which there is no restitution").in("m/s").not_negative());
}

template <>
inline constexpr MapFormat format_of<EventOptions>{"events", "world.events"};
template <Is<EventOptions> Spec>
void visit_keys(Spec& events, auto&& visit) {
  visit(events.collisions, Key("collisions", "whether a step is divided when contacts close, with an impact"));
  visit(events.transitions,
        Key("transitions",
            "whether the time ends a part of a step at which a contact begins to slip, sticks or opens; "
            "trapezoidal methods")
            .only_if(!events.transitions));
  visit(events.active_gap, Key("active_gap", "contacts nearer than this are in the step").in("m").positive());
  visit(events.active_gap_h3, Key("active_gap_h3", "or nearer than this times h^3").in("m/s^3").not_negative());
  visit(events.limit, Key("limit", "impacts and transitions in a step; with more a sample fails"));
}

}  // namespace jostle

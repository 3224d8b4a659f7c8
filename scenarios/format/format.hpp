#pragma once
// The format of scenario files: the only list of the keys of each struct, one line per key. A visitor is called with
// the member and the key. Readers, canonical text and identity, JSON schema, manual, suggestions, --set, and all code
// that needs every number of a scenario are visitors. check_read() (reader_members.hpp) has the rules that involve more
// than one key.
#include <cmath>
#include <concepts>
#include <type_traits>

#include "scenarios/format/key.hpp"
#include "scenarios/format/words.hpp"

namespace jostle {

/// The name of a struct's maps, and how they are written.
struct MapFormat {
  std::string_view name;
  std::string_view where;  ///< where such a map occurs, e.g. "bodies.NAME"
  bool is_block = false;   ///< canonical text: every entry on its own line
};
/// Specialised for every struct that visit_keys() knows.
template <class Spec>
inline constexpr MapFormat format_of{};

template <class T, class Spec>
concept Is = std::same_as<std::remove_const_t<T>, Spec>;
template <class T>
concept IsEnum = std::is_enum_v<T>;
/// Its maps have names that the user chooses; others are items of a list.
template <class T>
concept IsNamed = requires(T spec) {
  spec.name;
};

/// A key that makes a choice: if it is present, `tag` is `value`, and its map or number is `member`.
template <class Tag, class Member>
struct Alternative {
  Tag& tag;
  std::remove_const_t<Tag> value;
  Member& member;
  bool is_chosen() const { return tag == value; }
};
template <class Tag, class Value, class Member>
Alternative(Tag&, Value, Member&) -> Alternative<Tag, Member>;

/// The only item of a list, written without the list.
template <class List>
struct OnlyItem {
  List& list;
};
template <class List>
OnlyItem(List&) -> OnlyItem<List>;

/// A list in the file that is two in the model: shapes, and those that are only displayed.
template <class List>
struct WithDisplayed {
  List& solid;
  List& displayed;
};
template <class List>
WithDisplayed(List&, List&) -> WithDisplayed<List>;

/// Keys without a member.
struct FormatVersion {};
struct LaterValue {};  ///< Presence::later

template <>
inline constexpr MapFormat format_of<Scenario>{"scenario", "the file", true};
template <Is<Scenario> Spec>
void visit_keys(Spec& file, auto&& visit) {
  visit(FormatVersion{},
        Key("jostle", "format version").required().or_else("; write 'jostle: 1', the version of the format"));
  visit(file.title, Key("title", "one line for reports"));
  visit(file.units,
        Key("units", "units of the numbers of this file, which results do not have").only_if(false).default_is("SI"));
  visit(file.variables, Key("variables", "drawn once per sample; `$name` in any expression"));
  visit(file.derived, Key("derived", "named expressions of variables; `$name`, too"));
  visit(file.world, Key("world", "gravity, time and method").required());
  visit(file.bodies, Key("bodies", "what there is, in the order of all results").required());
  visit(file.contacts, Key("contacts", "a rule for every pair of bodies that may touch"));
  visit(file.joints, Key("joints", "what ties bodies to each other or to the world"));
  visit(file.springs, Key("springs", "springs and dampers between bodies, or to the world"));
  visit(file.forces, Key("forces", "applied forces, functions of time and of the motion of bodies and joints"));
  visit(file.impulses, Key("impulses", "external impulses, each at its time"));
  visit(file.sample, Key("sample", "how variables are drawn"));
  visit(file.outcomes, Key("outcomes", "what is evaluated while simulating"));
  visit(file.stop_when, Key("stop_when", "ends a sample at the first step where it holds")
                            .only_if(!file.stop_when.code.empty())
                            .no_default());
  visit(file.record, Key("record", "which trajectories are stored"));
}

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
  visit(world.steps, Key("steps", "their number, in place of `duration`")
                         .from(1)
                         .to(std::numeric_limits<std::int32_t>::max())
                         .only_if(false)
                         .no_default());
  visit(world.method, Key("method", "time-stepping method"));
  const bool accelerates = facts_of(world.method).has_stages;
  visit(world.linearisation,
        Key("linearisation", "where contacts are linearised; fixed_point need not converge").only_if(!accelerates));
  visit(world.gyroscopic,
        Key("gyroscopic", "how the gyroscopic torque enters a step; explicit gains energy").only_if(!accelerates));
  visit(world.solver, Key("solver", "whether LCPs are first tried with the contact modes of the step before"));
  visit(world.multipliers, Key("multipliers", "which answer is taken where redundant contacts allow several"));
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
        Key("stabilisation", "how much of an opening of joints a step closes, 0 to 1; methods with impacts")
            .fraction()
            .only_if(collides));
  visit(world.impact, Key("impact", "restitution where bodies collide; methods with impacts").only_if(collides));
  visit(world.events, Key("events", "what divides a step; methods with impacts").only_if(collides));
}

template <>
inline constexpr MapFormat format_of<ImpactSpec>{"impact", "world.impact"};
template <Is<ImpactSpec> Spec>
void visit_keys(Spec& impact, auto&& visit) {
  visit(impact.law,
        Key("law", "how velocities are restored; loetstedt has newton only").default_is("poisson; loetstedt: newton"));
  visit(impact.threshold,
        Key("threshold", "where nothing approaches faster, nothing is restored").in("m/s").not_negative());
}

template <>
inline constexpr MapFormat format_of<EventOptions>{"events", "world.events"};
template <Is<EventOptions> Spec>
void visit_keys(Spec& events, auto&& visit) {
  visit(events.collisions, Key("collisions", "whether contacts that close end a part of a step, with an impact"));
  visit(events.transitions,
        Key("transitions",
            "whether the time ends a part of a step at which a contact begins to slip, sticks or opens; "
            "trapezoidal methods")
            .only_if(!events.transitions));
  visit(events.active_gap, Key("active_gap", "contacts nearer than this are in the step").in("m").positive());
  visit(events.active_gap_h3, Key("active_gap_h3", "or nearer than this times h^3").in("m/s^3").not_negative());
  visit(events.limit, Key("limit", "impacts and transitions in a step; with more a sample fails"));
}

template <>
inline constexpr MapFormat format_of<BodySpec>{"body", "bodies.NAME", true};
template <Is<BodySpec> Spec>
void visit_keys(Spec& body, auto&& visit) {
  visit(body.copies, Key("copies", "how many there are: NAME[0], NAME[1] ..., each with draws of its own")
                         .only_if(body.copies > 0 && body.pattern.count == 0)
                         .no_default());
  visit(body.pattern,
        Key("pattern", "several of it about an axis or in a row: NAME[0], NAME[1] ..., in place of `copies`")
            .only_if(body.pattern.count > 0)
            .no_default());
  visit(body.fixed, Key("fixed", "never moves; has neither mass nor velocity"));
  visit(body.prescribed, Key("prescribed", "its motion as functions of time; has no mass and takes no impulse")
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
  visit(OnlyItem{body.shapes},
        Key("shape", "the body's only shape").only_if(body.shapes.size() == 1 && body.displayed.empty()));
  visit(WithDisplayed{body.shapes, body.displayed}, Key("shapes", "its shapes if there are several")
                                                        .only_if(body.shapes.size() > 1 || !body.displayed.empty())
                                                        .no_default());
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
inline constexpr MapFormat format_of<ShapeSpec>{"shape", "bodies.NAME.shape"};
template <Is<ShapeSpec> Spec>
void visit_keys(Spec& shape, auto&& visit) {
  using enum ShapeType;
  visit(Alternative{shape.type, sphere, shape.sphere}, Key("sphere", "ball about its centre").one_of());
  visit(Alternative{shape.type, capsule, shape.capsule},
        Key("capsule", "points within a radius of a segment").one_of());
  visit(Alternative{shape.type, box, shape.box}, Key("box", "box about its centre").one_of());
  visit(Alternative{shape.type, cylinder, shape.cylinder},
        Key("cylinder", "points within a radius of an axis, between two flat caps").one_of());
  visit(Alternative{shape.type, polygon, shape.polygon},
        Key("polygon", "polygon in the plane of a planar scene, convex or not, edges rounded or not").one_of());
  visit(Alternative{shape.type, hull, shape.hull},
        Key("hull", "convex hull of points in space, edges rounded or not").one_of().only_if(!shape.is_prism));
  visit(Alternative{shape.is_prism, true, shape.prism},
        Key("prism", "a convex outline with a height, edges rounded or not").one_of());
  visit(Alternative{shape.type, half_space, shape.half_space},
        Key("half_space", "solid where normal . x <= offset; fixed or prescribed bodies only").one_of());
  visit(Alternative{shape.is_mesh, true, shape.mesh},
        Key("mesh", "convex hull of a closed surface of triangles in an STL or OBJ file").one_of());
  visit(shape.density, Key("density", "of this shape, if not that of the body")
                           .in("kg/m^3")
                           .positive()
                           .only_if(shape.has_density)
                           .no_default());
  visit(shape.position, Key("position", "of the shape's centre in the body").in("m"));
  visit(shape.rotation, Key("rotation", "of the shape in the body"));
  visit(shape.pattern, Key("pattern", "several of it about an axis of the body or in a row; in `shapes`")
                           .only_if(shape.pattern.count > 0)
                           .no_default());
  visit(shape.display, Key("display", "true: it is drawn, but touches nothing and has no mass").only_if(shape.display));
}

template <>
inline constexpr MapFormat format_of<PatternSpec>{"pattern", "bodies.NAME.pattern and shapes[i].pattern"};
template <Is<PatternSpec> Spec>
void visit_keys(Spec& pattern, auto&& visit) {
  visit(pattern.count, Key("count", "how many there are, the one as written included").required().to(1000));
  visit(pattern.axis, Key("axis", "they are turned about it").only_if(pattern.has_axis).no_default());
  visit(pattern.degrees, Key("degrees", "from one to the next")
                             .in("deg")
                             .only_if(pattern.has_axis && pattern.has_degrees)
                             .default_is("360/count"));
  visit(pattern.at, Key("at", "a point of the axis").in("m").only_if(pattern.has_axis));
  visit(pattern.step,
        Key("step", "from one to the next, in place of `axis`").in("m").only_if(pattern.has_step).no_default());
}

template <>
inline constexpr MapFormat format_of<SphereSpec>{"sphere", "sphere"};
template <Is<SphereSpec> Spec>
void visit_keys(Spec& sphere, auto&& visit) {
  visit(sphere.radius, Key("radius", "0 or more; 0: a particle").in("m").required().not_negative());
}

template <>
inline constexpr MapFormat format_of<CapsuleSpec>{"capsule", "capsule"};
template <Is<CapsuleSpec> Spec>
void visit_keys(Spec& capsule, auto&& visit) {
  visit(capsule.length, Key("length", "between the centres of the caps, above 0").in("m").required().positive());
  visit(capsule.radius, Key("radius", "0 or more").in("m").required().not_negative());
  visit(capsule.axis, Key("axis", "direction in the body"));
}

template <>
inline constexpr MapFormat format_of<BoxSpec>{"box", "box"};
template <Is<BoxSpec> Spec>
void visit_keys(Spec& box, auto&& visit) {
  visit(box.size, Key("size", "full edges, above 0").in("m").required().positive());
}

template <>
inline constexpr MapFormat format_of<CylinderSpec>{"cylinder", "cylinder"};
template <Is<CylinderSpec> Spec>
void visit_keys(Spec& cylinder, auto&& visit) {
  visit(cylinder.length, Key("length", "above 0").in("m").required().positive());
  visit(cylinder.radius, Key("radius", "above 0").in("m").required().positive());
  visit(cylinder.axis, Key("axis", "direction in the body"));
}

template <>
inline constexpr MapFormat format_of<PolygonSpec>{"polygon", "polygon"};
template <Is<PolygonSpec> Spec>
void visit_keys(Spec& polygon, auto&& visit) {
  visit(polygon.points, Key("points", "the corners in order, [x, z] in the plane of x and z").in("m").required());
  visit(polygon.radius, Key("radius", "rounds the edges: all points that are at most this far belong to the shape")
                            .in("m")
                            .not_negative());
  visit(polygon.thickness, Key("thickness", "across the plane; a density counts on it").in("m").positive());
}

template <>
inline constexpr MapFormat format_of<HullSpec>{"hull", "hull"};
template <Is<HullSpec> Spec>
void visit_keys(Spec& hull, auto&& visit) {
  visit(hull.points, Key("points", "in any order; those inside do not count").in("m").required());
  visit(hull.radius, Key("radius", "rounds the edges: all points that are at most this far belong to the shape")
                         .in("m")
                         .not_negative());
}

template <>
inline constexpr MapFormat format_of<PrismSpec>{"prism", "prism"};
template <Is<PrismSpec> Spec>
void visit_keys(Spec& prism, auto&& visit) {
  visit(prism.points,
        Key("points", "the corners in order: [x, y], for the axis x [y, z], for the axis y [x, z]").in("m").required());
  visit(prism.height, Key("height", "along the axis, half to each side of the outline").in("m").required().positive());
  visit(prism.axis, Key("axis", "across the outline"));
  visit(prism.tolerance, Key("tolerance", "how far a facet may be from the arc that it stands for, with arcs")
                             .in("m")
                             .positive()
                             .only_if(prism.tolerance > 0)
                             .no_default());
  visit(prism.radius, Key("radius", "rounds the edges: all points that are at most this far belong to the shape")
                          .in("m")
                          .not_negative());
  visit(LaterValue{}, Key("holes", "outlines of holes").is_later());
}

template <>
inline constexpr MapFormat format_of<MeshSpec>{"mesh", "mesh"};
template <Is<MeshSpec> Spec>
void visit_keys(Spec& mesh, auto&& visit) {
  visit(mesh.file, Key("file", "STL (binary or ASCII) or OBJ, relative to the scenario").required());
  visit(mesh.scale, Key("scale", "m per unit of the file: 0.001 for mm, 1 for m").required());
  visit(mesh.form, Key("as", "what the surface stands for").required().later_words("surface"));
  visit(mesh.radius, Key("radius", "rounds the edges: all points that are at most this far belong to the shape")
                         .in("m")
                         .not_negative());
  visit(mesh.any_size, Key("any_size", "takes parts below 0.1 mm or above 10 m as they are"));
}

template <>
inline constexpr MapFormat format_of<HalfSpaceSpec>{"half_space", "half_space"};
template <Is<HalfSpaceSpec> Spec>
void visit_keys(Spec& half_space, auto&& visit) {
  visit(half_space.normal, Key("normal", "out of the solid; need not have unit length").required());
  visit(half_space.offset, Key("offset", "along the unit normal").in("m"));
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
inline constexpr MapFormat format_of<ContactRule>{"contact", "contacts[i]"};
template <Is<ContactRule> Spec>
void visit_keys(Spec& rule, auto&& visit) {
  visit(rule.between, Key("between", "[a, b] beats [a, any] beats any").required());
  visit(rule.contact, Key("contact", "false: the two never touch").only_if(!rule.contact));
  visit(rule.friction, Key("friction", "Coulomb's coefficient, 0 or more").not_negative().only_if(rule.contact));
  visit(rule.across, Key("across", "another coefficient across an axis; `friction` is that along it")
                         .only_if(rule.across.given)
                         .no_default());
  visit(rule.spin_friction,
        Key("spin_friction", "radius r: a moment of at most friction r c_n resists to a spin about the normal")
            .in("m")
            .not_negative()
            .only_if(rule.contact && !is_zero(rule.spin_friction)));
  visit(rule.adhesion, Key("adhesion", "the most pull of a contact that touches")
                           .in("N")
                           .not_negative()
                           .only_if(rule.contact && !is_zero(rule.adhesion)));
  visit(rule.restitution,
        Key("restitution", "0 to 1; above 0 needs a method with impacts").fraction().only_if(rule.contact));
  visit(rule.tangential_restitution,
        Key("tangential_restitution", "of friction, 0 to 1; above 0 needs a method with impacts")
            .fraction()
            .only_if(rule.contact && !is_zero(rule.tangential_restitution)));
}

template <>
inline constexpr MapFormat format_of<AcrossSpec>{"across", "contacts[i].across"};
template <Is<AcrossSpec> Spec>
void visit_keys(Spec& across, auto&& visit) {
  visit(across.friction, Key("friction", "Coulomb's coefficient across the axis, 0 or more").required().not_negative());
  visit(across.axis, Key("axis", "in the axes of the body; need not have unit length").required().judged_whole());
  visit(across.of,
        Key("of", "the body that the axis turns with, one of the two; or the name of its copies").required());
}

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
  visit(joint.friction,
        Key("friction", "the most torque or force of friction along the free axis, of a ball about any; 0 or more")
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
  visit(joint.rest, Key("rest", "angle or position without a force of the spring")
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
  visit(motor.speed, Key("speed", "of b relative to a that it aims at; may use the time `t` (s)")
                         .in("rad/s or m/s")
                         .required()
                         .with_time());
  visit(motor.limit, Key("limit", "its most torque or force, 0 or more").in("N m or N").required().not_negative());
}

template <>
inline constexpr MapFormat format_of<SpringSpec>{"spring", "springs.NAME"};
template <Is<SpringSpec> Spec>
void visit_keys(Spec& spring, auto&& visit) {
  visit(spring.sides, Key("between", "what it ties").required());
  visit(spring.at, Key("at", "both points, fixed to the bodies; world, at the start")
                       .in("m")
                       .only_if(spring.at.count > 0)
                       .default_is("centres of mass"));
  visit(spring.stiffness, Key("stiffness", "force per stretch, 0 or more").in("N/m").not_negative());
  visit(spring.damping, Key("damping", "force per speed of the stretch, 0 or more").in("N s/m").not_negative());
  visit(spring.rest, Key("rest", "length without a force, 0 or more")
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

template <>
inline constexpr MapFormat format_of<SampleSpec>{"sample", "sample"};
template <Is<SampleSpec> Spec>
void visit_keys(Spec& sample, auto&& visit) {
  visit(sample.method, Key("method", "how variables are drawn"));
  const Key count = Key("count", "number of samples; -n overrides it").only_if(sample.count > 0).no_default();
  visit(sample.count, sample.method == SampleMethod::latin_hypercube ? count : count.outside_identity());
  visit(sample.seed, Key("seed", "the same seed draws the same samples; --seed overrides it").outside_identity());
  visit(sample.table, Key("table", "CSV file whose columns name variables; the others are drawn by random"));
  visit(sample.vary, Key("vary", "variables on a grid; the others are drawn by random"));
  visit(sample.repetitions, Key("repetitions", "samples in each cell of a grid, in place of `count`").only_if(false));
}

template <>
inline constexpr MapFormat format_of<VariedSpec>{"varied", "sample.vary.NAME"};
template <Is<VariedSpec> Spec>
void visit_keys(Spec& varied, auto&& visit) {
  using enum VariedSpec::Kind;
  visit(Alternative{varied.kind, grid, varied.grid},
        Key("grid", "[first, last, number]: values at equal distances, both ends included").one_of());
  visit(Alternative{varied.kind, values, varied.values}, Key("values", "a list of values").one_of());
}

template <>
inline constexpr MapFormat format_of<OutcomeSpec>{"outcome", "outcomes.NAME"};
template <Is<OutcomeSpec> Spec>
void visit_keys(Spec& outcome, auto&& visit) {
  using enum Reducer;
  visit(Alternative{outcome.reducer, at_end, outcome.expression}, Key("at_end", "value after the last step").one_of());
  visit(Alternative{outcome.reducer, minimum, outcome.expression},
        Key("minimum", "least value, initial state included").one_of());
  visit(Alternative{outcome.reducer, maximum, outcome.expression},
        Key("maximum", "largest value, initial state included").one_of());
  visit(Alternative{outcome.reducer, first_time, outcome.expression},
        Key("first_time", "end of the first step in which it holds, s").one_of());
  visit(Alternative{outcome.reducer, mean, outcome.expression},
        Key("mean", "mean over all states, initial state included").one_of());
  visit(Alternative{outcome.reducer, at_first, outcome.at_first},
        Key("at_first", "a value after the first step in which something holds, or at the start").one_of());
  visit(outcome.category, Key("category", "conditions after the last step of which exactly one holds, by their names")
                              .one_of()
                              .only_if(false));
  visit(outcome.shares, Key("shares", "of the categories, to test against; a sum of 1").only_if(false).no_default());
  visit(outcome.during, Key("while", "only states in which it holds count; not for `at_end` and `at_first`")
                            .only_if(!outcome.during.code.empty())
                            .no_default());
  visit(outcome.label, Key("label", "what pages call it; not of a category").outside_identity().default_is("its name"));
  visit(outcome.unit, Key("unit", "that pages show; of numbers").outside_identity());
}

template <>
inline constexpr MapFormat format_of<AtFirstSpec>{"at_first", "outcomes.NAME.at_first"};
template <Is<AtFirstSpec> Spec>
void visit_keys(Spec& first, auto&& visit) {
  visit(first.when, Key("when", "a condition").required());
  visit(first.value, Key("value", "what it has the value of then").required());
}

template <>
inline constexpr MapFormat format_of<RecordSpec>{"record", "record"};
template <Is<RecordSpec> Spec>
void visit_keys(Spec& record, auto&& visit) {
  visit(record.trajectories,
        Key("trajectories", "which samples: 0 .. N-1, all, those that failed, or your own choice"));
  visit(record.samples, Key("samples", "the same as `trajectories`").only_if(false).no_default());
  visit(record.stride,
        Key("stride", "steps from one recorded state to the next").to(std::numeric_limits<std::int32_t>::max()));
  visit(record.every, Key("every", "time from one recorded state to the next, in place of `stride`")
                          .in("s")
                          .positive()
                          .only_if(false)
                          .no_default());
  visit(record.last, Key("last", "whether the last state is recorded if `stride` leaves it out").only_if(!record.last));
  visit(record.contacts,
        Key("contacts", "contacts, impulses and parameters of these samples").only_if(record.contacts));
  visit(record.quantities, Key("quantities", "also stored for these samples, under their text"));
  visit(record.dtype, Key("dtype", "of the numbers in records").only_if(record.dtype != RecordType::f8));
  visit(record.lcp, Key("lcp", "complementarity problems, with their answers").only_if(record.lcp.every > 0));
}

template <>
inline constexpr MapFormat format_of<RecordedLcps>{"recorded_lcps", "record.lcp"};
template <Is<RecordedLcps> Spec>
void visit_keys(Spec& lcp, auto&& visit) {
  visit(lcp.every, Key("every", "steps from one recorded to the next: those whose number it divides")
                       .to(std::numeric_limits<std::int32_t>::max())
                       .required());
}

template <>
inline constexpr MapFormat format_of<RecordedWhere>{"record_where", "record.trajectories"};
template <Is<RecordedWhere> Spec>
void visit_keys(Spec& where, auto&& visit) {
  visit(where.condition,
        Key("where", "condition on outcomes, variables and `status`, such as `jam and $mu < 0.4`").required());
  visit(where.first,
        Key("first", "so many of the samples for which it holds").only_if(where.first > 0).default_is("all"));
}

/// An entry of `variables`: a distribution, or one number, which is a choice of one value.
template <>
inline constexpr MapFormat format_of<Variable>{"variable", "variables.NAME", true};

/// An entry of `derived`: one number.
template <>
inline constexpr MapFormat format_of<DerivedSpec>{"derived", "derived.NAME", true};
template <Is<DerivedSpec> Spec>
void visit_keys(Spec& derived, auto&& visit) {
  visit(derived.value, Key("value", "an expression of variables and of names before it"));
}

template <>
inline constexpr MapFormat format_of<Distribution>{"distribution", "instead of a number, and variables.NAME"};
template <Is<Distribution> Spec>
void visit_keys(Spec& drawn, auto&& visit) {
  using enum Distribution::Kind;
  visit(Alternative{drawn.kind, uniform, drawn.bounds}, Key("uniform", "[a, b] with a < b").one_of());
  visit(Alternative{drawn.kind, log_uniform, drawn.bounds}, Key("log_uniform", "[a, b] with 0 < a < b").one_of());
  visit(Alternative{drawn.kind, normal, drawn.bounds}, Key("normal", "[mean, deviation], deviation above 0").one_of());
  visit(Alternative{drawn.kind, integer, drawn.bounds},
        Key("integer", "[a, b], whole numbers, both included").one_of());
  visit(Alternative{drawn.kind, choice, drawn.choice}, Key("choice", "one of a list").one_of());
  visit(drawn.minimum, Key("min", "truncates `normal` from below").only_if(std::isfinite(drawn.minimum)).no_default());
  visit(drawn.maximum, Key("max", "truncates `normal` from above").only_if(std::isfinite(drawn.maximum)).no_default());
  visit(drawn.label, Key("label", "what pages call it").outside_identity().default_is("its name"));
  visit(drawn.unit, Key("unit", "that pages show; under `variables` only").outside_identity());
}

template <>
inline constexpr MapFormat format_of<Choice>{"choice", "choice"};
template <Is<Choice> Spec>
void visit_keys(Spec& choice, auto&& visit) {
  visit(choice.values, Key("values", "at least one number").required());
  visit(choice.weights, Key("weights", "0 or more, with a sum above 0")
                            .not_negative()
                            .only_if(!choice.weights.empty())
                            .default_is("all equal"));
}

}  // namespace jostle

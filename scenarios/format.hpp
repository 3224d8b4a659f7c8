#pragma once
// The format of scenario files: each struct says its keys here, once, one line each. A visitor is called with the
// member and the key; readers, canonical text and identity, JSON schema, manual, suggestions, --set, and what needs all
// numbers of a scenario are visitors. What follows from more than one key is said in check_read()
// (reader_sections.hpp).
#include <cmath>
#include <concepts>
#include <type_traits>

#include "scenarios/key.hpp"
#include "scenarios/words.hpp"

namespace jostle {

/// How maps of a struct are called and written.
struct MapFormat {
  std::string_view name;
  std::string_view where;     ///< where such a map stands, e.g. "bodies.NAME"
  bool is_block = false;      ///< canonical text: every entry on its own line
  bool has_own_table = true;  ///< false: a value type (keys.cpp) says what it is
};
/// Specialised for every struct that visit_keys() knows.
template <class Spec>
struct FormatOf;

template <class T, class Spec>
concept Is = std::same_as<std::remove_const_t<T>, Spec>;

/// A key that chooses: where it stands, `tag` is `value`, and the map or number behind it is `member`.
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

/// Keys without a member.
struct FormatVersion {};
struct EmptyList {};   ///< reserved
struct LaterValue {};  ///< Presence::later

template <>
struct FormatOf<Scenario> {
  static constexpr MapFormat value{"scenario", "the file", true};
};
template <Is<Scenario> Spec>
void visit_keys(Spec& file, auto&& visit) {
  visit(FormatVersion{}, {.name = "jostle",
                          .meaning = "format version",
                          .presence = Presence::required,
                          .if_missing = "; write 'jostle: 1', the version of the format"});
  visit(file.title, {.name = "title", .meaning = "one line for reports"});
  visit(file.variables, {.name = "variables", .meaning = "drawn once per sample; `$name` in any expression"});
  visit(file.world, {.name = "world", .meaning = "gravity, time and method", .presence = Presence::required});
  visit(file.bodies,
        {.name = "bodies", .meaning = "what there is, in the order of all results", .presence = Presence::required});
  visit(file.contacts, {.name = "contacts", .meaning = "a rule for every pair of bodies that may touch"});
  visit(EmptyList{}, {.name = "joints", .meaning = "reserved; only an empty list in this version"});
  visit(EmptyList{}, {.name = "springs", .meaning = "reserved; only an empty list in this version"});
  visit(file.forces, {.name = "forces", .meaning = "applied forces, functions of time"});
  visit(file.sample, {.name = "sample", .meaning = "how variables are drawn"});
  visit(file.outcomes, {.name = "outcomes", .meaning = "what is evaluated while simulating"});
  visit(file.record, {.name = "record", .meaning = "which trajectories are stored"});
}

template <>
struct FormatOf<WorldSpec> {
  static constexpr MapFormat value{"world", "world", true};
};
template <Is<WorldSpec> Spec>
void visit_keys(Spec& world, auto&& visit) {
  visit(world.gravity, {.name = "gravity", .unit = "m/s^2", .meaning = "acceleration of gravity"});
  visit(world.step, {.name = "step",
                     .unit = "s",
                     .meaning = "time step, above 0",
                     .presence = Presence::required,
                     .sign = Sign::positive});
  visit(world.duration, {.name = "duration",
                         .unit = "s",
                         .meaning = "simulated time, a whole number of steps",
                         .presence = Presence::required,
                         .sign = Sign::positive});
  visit(world.method, {.name = "method",
                       .meaning = "time-stepping method",
                       .later = "anitescu_potra, trapezoidal, trapezoidal_midpoint, loetstedt"});
  visit(world.linearisation,
        {.name = "linearisation", .meaning = "where contacts are linearised; fixed_point need not converge"});
  visit(world.friction_directions, {.name = "friction_directions",
                                    .meaning = "sides of the friction polygon: 2 in a planar scene, else even, 4 to 64",
                                    .least = 2,
                                    .most = 64,
                                    .default_text = "4; planar: 2"});
}

template <>
struct FormatOf<BodySpec> {
  static constexpr MapFormat value{"body", "bodies.NAME", true};
};
template <Is<BodySpec> Spec>
void visit_keys(Spec& body, auto&& visit) {
  visit(body.fixed, {.name = "fixed", .meaning = "never moves; has neither mass nor velocity"});
  visit(body.mass, {.name = "mass",
                    .unit = "kg",
                    .meaning = "above 0; every moving body needs one",
                    .sign = Sign::positive,
                    .applies = !body.fixed,
                    .default_text = ""});
  visit(body.inertia, {.name = "inertia",
                       .unit = "kg m^2",
                       .meaning = "about the centre of mass; may be left out if the shapes' centroid is the origin",
                       .is_judged_whole = true,
                       .applies = body.inertia.given,
                       .default_text = "uniform density"});
  visit(body.freedom, {.name = "freedom", .meaning = "the motions that are free", .applies = !body.fixed});
  visit(OnlyItem{body.shapes},
        {.name = "shape", .meaning = "the body's only shape", .applies = body.shapes.size() == 1});
  visit(body.shapes, {.name = "shapes",
                      .meaning = "its shapes if there are several",
                      .applies = body.shapes.size() > 1,
                      .default_text = ""});
  visit(body.position, {.name = "position", .unit = "m", .meaning = "centre of mass at the start, world"});
  visit(body.rotation, {.name = "rotation", .meaning = "orientation at the start"});
  visit(body.velocity,
        {.name = "velocity", .unit = "m/s", .meaning = "velocity at the start, world", .applies = !body.fixed});
  visit(body.spin,
        {.name = "spin", .unit = "rad/s", .meaning = "angular velocity at the start, world", .applies = !body.fixed});
}

template <>
struct FormatOf<ShapeSpec> {
  static constexpr MapFormat value{"shape", "bodies.NAME.shape"};
};
template <Is<ShapeSpec> Spec>
void visit_keys(Spec& shape, auto&& visit) {
  using enum ShapeType;
  using enum Presence;
  visit(Alternative{shape.type, sphere, shape.sphere},
        {.name = "sphere", .meaning = "ball about its centre", .presence = one_of});
  visit(Alternative{shape.type, capsule, shape.capsule},
        {.name = "capsule", .meaning = "points within a radius of a segment", .presence = one_of});
  visit(Alternative{shape.type, box, shape.box},
        {.name = "box", .meaning = "box about its centre", .presence = one_of});
  visit(Alternative{shape.type, cylinder, shape.cylinder},
        {.name = "cylinder", .meaning = "only against half spaces in this version", .presence = one_of});
  visit(Alternative{shape.type, half_space, shape.half_space},
        {.name = "half_space", .meaning = "solid where normal . x <= offset; fixed bodies only", .presence = one_of});
  visit(LaterValue{}, {.name = "convex", .meaning = "convex hull of points", .presence = later});
  visit(LaterValue{}, {.name = "polygon", .meaning = "convex polygon", .presence = later});
  visit(LaterValue{}, {.name = "polyhedron", .meaning = "convex polyhedron", .presence = later});
  visit(LaterValue{}, {.name = "stl", .meaning = "surface mesh", .presence = later});
  visit(LaterValue{}, {.name = "obj", .meaning = "surface mesh", .presence = later});
  visit(shape.position, {.name = "position", .unit = "m", .meaning = "of the shape's centre in the body"});
  visit(shape.rotation, {.name = "rotation", .meaning = "of the shape in the body"});
}

template <>
struct FormatOf<SphereSpec> {
  static constexpr MapFormat value{"sphere", "sphere"};
};
template <Is<SphereSpec> Spec>
void visit_keys(Spec& sphere, auto&& visit) {
  visit(sphere.radius,
        {.name = "radius", .unit = "m", .meaning = "above 0", .presence = Presence::required, .sign = Sign::positive});
}

template <>
struct FormatOf<CapsuleSpec> {
  static constexpr MapFormat value{"capsule", "capsule"};
};
template <Is<CapsuleSpec> Spec>
void visit_keys(Spec& capsule, auto&& visit) {
  visit(capsule.length, {.name = "length",
                         .unit = "m",
                         .meaning = "between the centres of the caps, above 0",
                         .presence = Presence::required,
                         .sign = Sign::positive});
  visit(capsule.radius, {.name = "radius",
                         .unit = "m",
                         .meaning = "0 or more",
                         .presence = Presence::required,
                         .sign = Sign::not_negative});
  visit(capsule.axis, {.name = "axis", .meaning = "direction in the body"});
}

template <>
struct FormatOf<BoxSpec> {
  static constexpr MapFormat value{"box", "box"};
};
template <Is<BoxSpec> Spec>
void visit_keys(Spec& box, auto&& visit) {
  visit(box.size, {.name = "size",
                   .unit = "m",
                   .meaning = "full edges, above 0",
                   .presence = Presence::required,
                   .sign = Sign::positive});
}

template <>
struct FormatOf<CylinderSpec> {
  static constexpr MapFormat value{"cylinder", "cylinder"};
};
template <Is<CylinderSpec> Spec>
void visit_keys(Spec& cylinder, auto&& visit) {
  visit(cylinder.length,
        {.name = "length", .unit = "m", .meaning = "above 0", .presence = Presence::required, .sign = Sign::positive});
  visit(cylinder.radius,
        {.name = "radius", .unit = "m", .meaning = "above 0", .presence = Presence::required, .sign = Sign::positive});
  visit(cylinder.axis, {.name = "axis", .meaning = "direction in the body"});
}

template <>
struct FormatOf<HalfSpaceSpec> {
  static constexpr MapFormat value{"half_space", "half_space"};
};
template <Is<HalfSpaceSpec> Spec>
void visit_keys(Spec& half_space, auto&& visit) {
  visit(half_space.normal,
        {.name = "normal", .meaning = "out of the solid; need not have unit length", .presence = Presence::required});
  visit(half_space.offset, {.name = "offset", .unit = "m", .meaning = "along the unit normal"});
}

template <>
struct FormatOf<RotationSpec> {
  static constexpr MapFormat value{"rotation", "rotation"};
};
template <Is<RotationSpec> Spec>
void visit_keys(Spec& rotation, auto&& visit) {
  const bool by_axis = rotation.kind == RotationSpec::Kind::axis_angle;
  visit(rotation.axis, {.name = "axis",
                        .meaning = "of a turn by `degrees`; need not have unit length",
                        .is_judged_whole = true,
                        .applies = by_axis,
                        .default_text = ""});
  visit(rotation.degrees, {.name = "degrees",
                           .unit = "deg",
                           .meaning = "the turn about `axis`",
                           .is_judged_whole = true,
                           .applies = by_axis,
                           .default_text = ""});
  visit(rotation.quaternion, {.name = "quaternion",
                              .meaning = "[w, x, y, z], normalised when read",
                              .is_judged_whole = true,
                              .applies = rotation.kind == RotationSpec::Kind::quaternion,
                              .default_text = ""});
}

template <>
struct FormatOf<ContactRule> {
  static constexpr MapFormat value{"contact", "contacts[i]"};
};
template <Is<ContactRule> Spec>
void visit_keys(Spec& rule, auto&& visit) {
  visit(rule.between,
        {.name = "between", .meaning = "[a, b] beats [a, any] beats any", .presence = Presence::required});
  visit(rule.contact, {.name = "contact", .meaning = "false: the two never touch", .applies = !rule.contact});
  visit(rule.friction, {.name = "friction",
                        .meaning = "Coulomb's coefficient, 0 or more",
                        .sign = Sign::not_negative,
                        .applies = rule.contact});
  visit(rule.restitution, {.name = "restitution",
                           .meaning = "only 0 in this version",
                           .sign = Sign::not_negative,
                           .applies = rule.contact});
}

template <>
struct FormatOf<ForceSpec> {
  static constexpr MapFormat value{"force", "forces[i]"};
};
template <Is<ForceSpec> Spec>
void visit_keys(Spec& force, auto&& visit) {
  visit(force.body, {.name = "body", .meaning = "the moving body", .presence = Presence::required});
  visit(force.force, {.name = "force",
                      .unit = "N",
                      .meaning = "at the centre of mass, world; may use the time `t` (s)",
                      .of_time = true});
  visit(force.torque, {.name = "torque", .unit = "N m", .meaning = "world; may use the time `t` (s)", .of_time = true});
}

template <>
struct FormatOf<SampleSpec> {
  static constexpr MapFormat value{"sample", "sample"};
};
template <Is<SampleSpec> Spec>
void visit_keys(Spec& sample, auto&& visit) {
  visit(sample.method, {.name = "method", .meaning = "how variables are drawn", .later = "latin_hypercube, grid"});
  visit(sample.count, {.name = "count",
                       .meaning = "number of samples; -n overrides it",
                       .applies = sample.count > 0,
                       .is_identity = false,
                       .default_text = ""});
  visit(sample.seed,
        {.name = "seed", .meaning = "the same seed draws the same samples; --seed overrides it", .is_identity = false});
  visit(sample.table,
        {.name = "table", .meaning = "CSV file whose columns name variables; the others are drawn by random"});
}

template <>
struct FormatOf<OutcomeSpec> {
  static constexpr MapFormat value{"outcome", "outcomes.NAME"};
};
template <Is<OutcomeSpec> Spec>
void visit_keys(Spec& outcome, auto&& visit) {
  using enum Reducer;
  using enum Presence;
  visit(Alternative{outcome.reducer, at_end, outcome.expression},
        {.name = "at_end", .meaning = "value after the last step", .presence = one_of});
  visit(Alternative{outcome.reducer, minimum, outcome.expression},
        {.name = "minimum", .meaning = "least value, initial state included", .presence = one_of});
  visit(Alternative{outcome.reducer, maximum, outcome.expression},
        {.name = "maximum", .meaning = "largest value, initial state included", .presence = one_of});
  visit(Alternative{outcome.reducer, first_time, outcome.expression},
        {.name = "first_time", .meaning = "end of the first step in which it holds, s", .presence = one_of});
}

template <>
struct FormatOf<RecordSpec> {
  static constexpr MapFormat value{"record", "record"};
};
template <Is<RecordSpec> Spec>
void visit_keys(Spec& record, auto&& visit) {
  visit(record.trajectories, {.name = "trajectories", .meaning = "samples 0 .. N-1, all, or those that failed"});
  visit(record.stride, {.name = "stride",
                        .meaning = "steps from one recorded state to the next",
                        .most = std::numeric_limits<std::int32_t>::max()});
  visit(LaterValue{}, {.name = "contacts", .meaning = "contacts of every step", .presence = Presence::later});
  visit(LaterValue{}, {.name = "lcp", .meaning = "complementarity problem of every step", .presence = Presence::later});
}

/// Under `variables` a distribution, or one number: a choice of one value.
template <>
struct FormatOf<Variable> {
  static constexpr MapFormat value{"variable", "variables.NAME", true, false};
};

template <>
struct FormatOf<Distribution> {
  static constexpr MapFormat value{"distribution", "instead of a number, and variables.NAME"};
};
template <Is<Distribution> Spec>
void visit_keys(Spec& drawn, auto&& visit) {
  using enum Distribution::Kind;
  using enum Presence;
  visit(Alternative{drawn.kind, uniform, drawn.bounds},
        {.name = "uniform", .meaning = "[a, b] with a < b", .presence = one_of});
  visit(Alternative{drawn.kind, log_uniform, drawn.bounds},
        {.name = "log_uniform", .meaning = "[a, b] with 0 < a < b", .presence = one_of});
  visit(Alternative{drawn.kind, normal, drawn.bounds},
        {.name = "normal", .meaning = "[mean, deviation], deviation above 0", .presence = one_of});
  visit(Alternative{drawn.kind, integer, drawn.bounds},
        {.name = "integer", .meaning = "[a, b], whole numbers, both included", .presence = one_of});
  visit(Alternative{drawn.kind, choice, drawn.choice},
        {.name = "choice", .meaning = "one of a list", .presence = one_of});
  visit(drawn.minimum, {.name = "min",
                        .meaning = "truncates `normal` from below",
                        .applies = std::isfinite(drawn.minimum),
                        .default_text = ""});
  visit(drawn.maximum, {.name = "max",
                        .meaning = "truncates `normal` from above",
                        .applies = std::isfinite(drawn.maximum),
                        .default_text = ""});
}

template <>
struct FormatOf<Choice> {
  static constexpr MapFormat value{"choice", "choice"};
};
template <Is<Choice> Spec>
void visit_keys(Spec& choice, auto&& visit) {
  visit(choice.values, {.name = "values", .meaning = "at least one number", .presence = Presence::required});
  visit(choice.weights, {.name = "weights",
                         .meaning = "0 or more, with a sum above 0",
                         .sign = Sign::not_negative,
                         .applies = !choice.weights.empty(),
                         .default_text = "all equal"});
}

}  // namespace jostle

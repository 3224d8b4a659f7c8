#pragma once
// The only list of fields. Layout, views, digest, comparison and names are generated from it; a new field is one line
// here.
//
//   X(type, name, extent, unit, readers)                    of a parameter, which stages/load.hpp writes
//   X(type, name, extent, unit, stage, writers, readers)    of the state
//
// `stage`: of a step, in which the field gets its value; `jostle compare` names it.
// Writers and readers are rooms of core/, as in workspace_fields.hpp; who only writes a field or also reads it is a
// writer. What nobody else reads, outcomes, columns and callers do (quantities of stages/record.hpp,
// records/summary.hpp). Tests find who is not listed.
//
// `extent` is an expression of the Dimensions `d`. Vectors of bodies are stored body after body. A field whose extent
// is written as 1, or as 1 times whether it exists, is a scalar: state.steps(), not state.steps[0].
#include <cstddef>
#include <type_traits>

#include "core/geometry/contact_geometry.hpp"
#include "core/model/dimensions.hpp"
#include "core/problem/mode.hpp"
#include "core/status.hpp"

namespace jostle {

/// Whether a field is a scalar, from the text of its extent.
JOSTLE_HD constexpr bool is_scalar(const char* extent) {
  return extent[0] == '1' && (extent[1] == 0 || extent[1] == ' ');
}

/// Where a scalar of a system is.
template <class T>
struct ScalarField {
  T* at = nullptr;
  JOSTLE_HD T& operator()() const { return *at; }
};
/// The elements of a field, for code that visits all fields.
template <class T>
JOSTLE_HD T* elements(T* field) {
  return field;
}
template <class T>
JOSTLE_HD T* elements(const ScalarField<T>& field) {
  return field.at;
}

// Parameters: what a scenario and its sample define for one system. Derived quantities are never stored. "body" is the
// centre of mass and the principal axes; frame_... is the frame that the file has for the body (model/frame.hpp).
// friction is the greatest of all directions, friction_parts what of it there is along the axis and across it.
#define JOSTLE_PARAMETERS(X)                                                                  \
  X(double, variables, d.variables, "", "dynamics stages records batch")                      \
  X(double, gravity, 3, "m/s^2", "dynamics stages")                                           \
  X(double, mass, d.bodies, "kg", "dynamics contacts joints stages")                          \
  X(double, inertia, 3 * d.bodies, "kg m^2", "dynamics contacts joints stages accelerations") \
  X(double, start_position, 3 * d.bodies, "m", "stages")                                      \
  X(double, start_orientation, 4 * d.bodies, "1", "stages")                                   \
  X(double, start_angle, d.bodies, "rad", "stages")                                           \
  X(double, start_velocity, 3 * d.bodies, "m/s", "stages")                                    \
  X(double, start_spin, 3 * d.bodies, "rad/s, world", "stages")                               \
  X(double, shape_size, 3 * d.shapes, "m", "model stages events")                             \
  X(double, shape_position, 3 * d.shapes, "m, body", "model stages events")                   \
  X(double, shape_axes, 9 * d.shapes, "1, body, row-major", "model")                          \
  X(double, corners, 2 * d.corners, "m, shape", "model")                                      \
  X(double, bulges, d.bulges, "1", "model")                                                   \
  X(double, hull_numbers, d.hull_numbers, "m, shape", "model")                                \
  X(double, friction, d.pairs, "1", "contacts")                                               \
  X(double, friction_parts, 2 * d.pairs * d.has_friction_axes, "1", "contacts")               \
  X(double, friction_axis, 3 * d.pairs * d.has_friction_axes, "1, body", "contacts")          \
  X(double, spin_friction, d.pairs* d.has_spin_friction, "m", "contacts")                     \
  X(double, rolling_friction, d.pairs* d.has_rolling_friction, "m", "contacts")               \
  X(double, adhesion, d.pairs* d.has_adhesion, "N", "contacts")                               \
  X(double, restitution, d.pairs* d.has_impacts, "1", "stages events")                        \
  X(double, tangential_restitution, d.pairs* d.has_impacts, "1", "events")                    \
  X(double, impact_threshold, 1 * d.has_impacts, "m/s", "stages events methods")              \
  X(double, stabilisation, 1 * d.has_impacts, "1", "methods")                                 \
  X(double, joint_restitution, d.joints* d.has_impacts, "1", "events")                        \
  X(double, joint_point_a, 3 * d.joints, "m, body a or world", "dynamics joints")             \
  X(double, joint_point_b, 3 * d.joints, "m, body b or world", "dynamics joints")             \
  X(double, joint_axes_a, 9 * d.joints, "1, body a or world, row-major", "dynamics")          \
  X(double, joint_axes_b, 9 * d.joints, "1, body b or world, row-major", "dynamics")          \
  X(double, joint_length, d.joints, "m", "dynamics joints methods")                           \
  X(double, joint_friction, d.joints, "N m or N", "joints accelerations")                     \
  X(double, joint_limits, 2 * d.joints, "rad or m", "joints")                                 \
  X(double, motor_limit, d.joints, "N m or N", "joints accelerations")                        \
  X(double, joint_armature, d.joints* d.has_armature, "kg m^2 or kg", "dynamics")             \
  X(double, joint_speed_limits, d.speed_bounds(), "rad/s or m/s", "joints")                   \
  X(double, spring_point_a, 3 * d.springs, "m, body a or world", "dynamics")                  \
  X(double, spring_point_b, 3 * d.springs, "m, body b or world", "dynamics")                  \
  X(double, spring_stiffness, d.springs, "N/m or N m/rad", "dynamics stages")                 \
  X(double, spring_damping, d.springs, "N s/m or N m s/rad", "dynamics stages")               \
  X(double, spring_rest, d.springs, "m or rad", "dynamics stages")                            \
  X(double, force_point, 3 * d.force_points, "m, body", "dynamics")                           \
  X(double, blow_time, d.blows, "s", "events")                                                \
  X(double, blow_point, 3 * d.blows, "m, body", "events")                                     \
  X(double, blow_impulse, 3 * d.blows, "N s, world", "events")                                \
  X(double, blow_moment, 3 * d.blows, "N m s, world", "events")                               \
  X(double, frame_position, 3 * d.frames, "m, body", "model")                                 \
  X(double, frame_orientation, 4 * d.frames, "1, to body", "model")

// State: what the next step needs. Orientation quaternions are (w, x, y, z), spins are in body axes, a planar body's
// angle is kept unwrapped, and so is the angle of a revolute joint. gyroscopic_work is the part of a body's rotational
// energy that gyroscopic impulses have made. rim_turn is the cosine and sine of the turn of a cylinder's rim points
// (contacts/rims.hpp), joint_force a mean of what the point of b has felt (joints/geometric_stiffness.hpp).
#define JOSTLE_STATE(X)                                                                                 \
  X(double, position, 3 * d.bodies, "m", "integrate", "stages events", "model methods")                 \
  X(double, orientation, 4 * d.bodies, "1", "integrate", "stages events", "model")                      \
  X(double, angle, d.bodies, "rad", "integrate", "stages events", "model")                              \
  X(double, velocity, 3 * d.bodies, "m/s", "integrate", "stages", "model dynamics contacts joints")     \
  X(double, spin, 3 * d.bodies, "rad/s, body", "integrate", "stages", "model dynamics contacts joints") \
  X(double, gyroscopic_work, d.bodies, "J", "integrate", "stages", "")                                  \
  X(FeatureSet, active, d.pages, "1", "integrate", "stages", "contacts events methods")                 \
  X(KeptMode, modes, d.modes, "1", "integrate", "contacts", "")                                         \
  X(int, page_first, d.page_slots, "1", "integrate", "stages", "contacts")                              \
  X(int, resting, 1, "1", "integrate", "stages events step batch", "")                                  \
  X(double, rim_turn, 2 * d.rims, "1", "integrate", "contacts stages", "model")                         \
  X(double, joint_position, d.joints, "rad or m", "integrate", "joints", "dynamics stages")             \
  X(int, active_limits, d.joints, "1", "integrate", "joints", "events")                                 \
  X(Mode, bound_modes, d.joint_bounds, "1", "integrate", "joints", "")                                  \
  X(double, joint_force, 3 * d.joints * d.has_geometric_stiffness, "N, world", "integrate", "joints", "")

// Tallies: values for outcomes and columns that no step needs. Those of a body's contacts, and pointedness, exist only
// if an outcome needs them; the others are columns of every summary.
#define JOSTLE_TALLIES(X)                                                                    \
  X(double, normal_impulse, d.tallied_bodies(), "N s", "integrate", "stages events", "")     \
  X(double, friction_impulse, d.tallied_bodies(), "N s", "integrate", "stages events", "")   \
  X(int, contacts, d.tallied_bodies(), "1", "integrate", "stages events", "")                \
  X(double, start_energy, 1, "J", "initialise", "stages", "")                                \
  X(double, residual_max, 1, "1", "record", "stages", "")                                    \
  X(double, penetration_max, 1, "m", "record", "stages", "")                                 \
  X(double, energy_gained, 1, "J", "record", "stages", "")                                   \
  X(double, energy_gain_max, 1, "J", "record", "stages", "")                                 \
  X(int, held, 1, "1", "record", "stages", "")                                               \
  X(int, substeps, 1, "1", "record", "stages", "")                                           \
  X(int, events, 1 * d.has_impacts, "1", "record", "stages", "")                             \
  X(int, poisson, 1 * d.has_impacts, "1", "record", "stages", "")                            \
  X(int, first_order, 1 * d.has_mass_matrix, "1", "record", "stages", "")                    \
  X(int, pivots_max, 1, "1", "record", "stages", "")                                         \
  X(int, guessed, 1, "1", "record", "stages", "")                                            \
  X(int, corrected, 1, "1", "record", "stages", "")                                          \
  X(int, pivoted, 1, "1", "record", "stages", "")                                            \
  X(int, vertex, 1, "1", "record", "stages", "")                                             \
  X(int, rest, 1, "1", "record", "stages", "")                                               \
  X(int, last_contacts, 1, "1", "record", "stages", "records")                               \
  X(int, last_held, 1, "1", "record", "stages", "")                                          \
  X(double, pointedness, 1 * d.has_pointedness, "1", "end_step", "cone", "stages")           \
  X(double, joint_speed, d.joints, "rad/s or m/s", "integrate", "joints", "dynamics stages") \
  X(double, joint_impulse, d.joints, "N m s or N s", "integrate", "joints", "stages")        \
  X(double, joint_wrench, d.wrenches(), "N s, N m s", "integrate", "joints", "stages")       \
  X(double, contact_wrench, d.pushes(), "N s, N m s", "integrate", "stages events", "")      \
  X(double, given_impulse, 3 * d.prescribed, "N s, world", "integrate", "stages", "")

// The progress of the system, and its outcomes so far.
#define JOSTLE_PROGRESS(X)                                                                        \
  X(int, steps, 1, "1", "record", "stages", "model prescribed events methods records step batch") \
  X(int, status, 1, "1", "record", "stages step batch", "model")                                  \
  X(double, outcomes, d.outcomes, "", "record", "stages", "model")

// What is known of the energy (stages/energy_watch.hpp): what forces have put in, the most that this ever was, and what
// there was a step before. No result depends on it but a status.
#define JOSTLE_WATCH(X) X(double, energy_watch, 3, "J", "end_step", "model stages", "")

// How many equations of joints depend on others at the start: no more are left out because of errors of joints
// (assembly/coupled.hpp).
#define JOSTLE_LOOPS(X) X(int, redundant, 1 * d.has_joint_loops, "1", "collide", "stages events", "step")

// How many values outcomes have that count them (OutcomeModel::counts).
#define JOSTLE_COUNTS(X) X(int, outcome_counts, d.has_counts ? d.outcomes : 0, "1", "record", "stages", "")

// The most contacts that a step has left out as redundant (contacts/filter.hpp). No result depends on it.
#define JOSTLE_FILTERED(X) X(int, filtered_max, 1 * d.has_filter, "1", "record", "stages", "")

// What is known of islands at rest (contacts/rest.hpp), so that they need not be computed again. No result depends on
// it. rest_island is the lowest mover of the island plus 1, or 0; rest_impulse holds c_n and |D beta| of every contact
// whose mode is kept.
#define JOSTLE_REST(X)                                                                         \
  X(int, rest_island, d.resting_movers(), "1", "integrate", "stages events", "contacts batch") \
  X(double, rest_residual, d.resting_movers(), "1", "integrate", "stages", "")                 \
  X(double, rest_impulse, 2 * d.resting_impulses(), "N s", "integrate", "stages", "")

// What impacts, and external impulses, have given in the last step: shares of the impulses above, with which forces are
// told apart from them. Only outcomes and records depend on them.
#define JOSTLE_IMPACTS(X)                                                                                   \
  X(double, normal_impact, d.tallied_bodies() * d.impact_shares(), "N s", "integrate", "stages events", "") \
  X(double, contact_impact, d.pushes() * d.impact_shares(), "N s, N m s", "integrate", "stages events", "") \
  X(double, given_impact, 3 * d.prescribed * d.impact_shares(), "N s, world", "integrate", "stages", "")    \
  X(double, joint_impact, d.joints* d.impact_shares(), "N m s or N s", "integrate", "joints", "stages")     \
  X(double, reaction_impact, d.wrenches() / 2 * d.impact_shares(), "N s, world", "integrate", "joints", "stages")

// What digests hold, in their order, and all that a step changes, in the order of memory.
#define JOSTLE_RESULTS(X) JOSTLE_STATE(X) JOSTLE_TALLIES(X) JOSTLE_PROGRESS(X)
#define JOSTLE_ALL_STATE(X) \
  JOSTLE_RESULTS(X) JOSTLE_WATCH(X) JOSTLE_LOOPS(X) JOSTLE_COUNTS(X) JOSTLE_FILTERED(X) JOSTLE_REST(X) JOSTLE_IMPACTS(X)

#define JOSTLE_MEMBER(type, name, extent, unit, ...) \
  std::conditional_t<is_scalar(#extent), ScalarField<const type>, const type*> name{};
struct ParameterView {
  JOSTLE_PARAMETERS(JOSTLE_MEMBER)
};
#undef JOSTLE_MEMBER

#define JOSTLE_MEMBER(type, name, extent, unit, ...) \
  std::conditional_t<is_scalar(#extent), ScalarField<type>, type*> name{};
/// Parameters that can be written.
struct ParameterMemory {
  JOSTLE_PARAMETERS(JOSTLE_MEMBER)
};
struct StateView {
  JOSTLE_ALL_STATE(JOSTLE_MEMBER)
};
#undef JOSTLE_MEMBER

// Every field begins on an 8-byte boundary.
#define JOSTLE_MEMBER(type, name, extent, unit, ...) std::size_t name = 0;
#define JOSTLE_PLACE(type, name, extent, unit, ...) \
  name = bytes;                                     \
  bytes += (sizeof(type) * static_cast<std::size_t>(extent) + 7) / 8 * 8;
#define JOSTLE_POINT(type, name, extent, unit, ...) \
  view.name = {reinterpret_cast<decltype(elements(view.name))>(memory + layout.name)};

/// Where the fields of a system's parameters lie.
struct ParameterLayout {
  JOSTLE_PARAMETERS(JOSTLE_MEMBER)
  std::size_t bytes = 0;
  ParameterLayout() = default;
  JOSTLE_HD explicit ParameterLayout(const Dimensions& d) { JOSTLE_PARAMETERS(JOSTLE_PLACE) }
};
/// ... and of its state.
struct StateLayout {
  JOSTLE_ALL_STATE(JOSTLE_MEMBER)
  std::size_t bytes = 0;
  StateLayout() = default;
  JOSTLE_HD explicit StateLayout(const Dimensions& d) { JOSTLE_ALL_STATE(JOSTLE_PLACE) }
};

/// The memory of a system's state in words of 8 bytes.
JOSTLE_HD inline int state_words(const Dimensions& d) { return static_cast<int>(StateLayout(d).bytes / 8); }

// Always inlined, so that unused members of a view cost nothing.
JOSTLE_HD [[gnu::always_inline]] inline StateView state_view(const StateLayout& layout, std::byte* memory) {
  StateView view;
  JOSTLE_ALL_STATE(JOSTLE_POINT)
  return view;
}
JOSTLE_HD inline ParameterMemory parameter_memory(const ParameterLayout& layout, std::byte* memory) {
  ParameterMemory view;
  JOSTLE_PARAMETERS(JOSTLE_POINT)
  return view;
}
JOSTLE_HD [[gnu::always_inline]] inline ParameterView parameter_view(const ParameterLayout& layout,
                                                                     const std::byte* memory) {
  ParameterView view;
  JOSTLE_PARAMETERS(JOSTLE_POINT)
  return view;
}
#undef JOSTLE_POINT
#undef JOSTLE_PLACE
#undef JOSTLE_MEMBER

}  // namespace jostle

#pragma once
// The channels of a record besides the states: what is written of a step, of each of its contacts, and of its LCPs. The
// only lists of these fields; memory, datasets, digests and documentation come from them.
//
//   X(type, name, extent, unit, meaning)
//
// A step may consist of pieces (core/step.hpp): sub-steps, impacts, and what lies between events. Every contact of
// every piece has a row of its own, piece after piece, so that a row belongs to one problem and its frame; of an impact
// it has the sum of compression and decompression. Contacts that are left out as redundant follow those of their piece.
// A method with stages has one row for the contact's stages: its impulse is the integral of the force, in the frame at
// the end of the piece. Where the normal turns on the way, that has a tangential part, without friction.
//
// Of every `lcp_every`-th step, each LCP that was solved has n rows, and n x n numbers of M in another array. An island
// has an LCP of its own. It is that of theory.md (16): w = M z + q, written after it is solved, whether modes or pivots
// gave its answer.
#include <cstdint>
#include <type_traits>

#include "core/model/dimensions.hpp"

namespace jostle {

/// What a contact does, ContactRow::mode, and bits that may be added.
enum ContactMode : std::uint8_t {
  contact_is_open = 0,     ///< no impulse
  contact_sticks = 1,      ///< an impulse, and no slip faster than sticking_speed
  contact_slips = 2,       ///< an impulse, and slip
  contact_not_unique = 4,  ///< other impulses explain the same motion (core/records/redundancy.hpp)
  contact_held = 8,        ///< its overlap was held: no motion opens it
  contact_filtered = 16,   ///< left out of the LCP as redundant (core/contacts/filter.hpp)
};

/// What an unknown of an LCP is, LcpRow::kind.
#define JOSTLE_LCP_KINDS(X) \
  X(friction)               \
  X(normal)                 \
  X(slip_speed)             \
  X(joint_friction)         \
  X(motor)                  \
  X(lower_limit)            \
  X(upper_limit)            \
  X(spin_friction)          \
  X(rolling_friction)
#define JOSTLE_ENUMERATOR(name) name,
enum class LcpKind : std::uint8_t { JOSTLE_LCP_KINDS(JOSTLE_ENUMERATOR) };
#undef JOSTLE_ENUMERATOR

/// m/s: a contact that slips no faster sticks, up to rounding errors.
inline constexpr double sticking_speed = 1e-9;

// Of one contact; vectors are in world axes, from shape a of the pair to shape b, and t2 = n x t1.
#define JOSTLE_CONTACT_FIELDS(X)                                                                             \
  X(std::int32_t, pair, 1, "1", "number of the pair of shapes a, b, as in the attribute `pairs`")            \
  X(std::int32_t, feature, 1, "1", "number of the pair of features, the same in every step")                 \
  X(std::int32_t, piece, 1, "1", "number of the piece of the step: 0, unless events or sub-steps divide it") \
  X(std::uint8_t, mode, 1, "1",                                                                              \
    "0 open, 1 stick, 2 slip; + 4: impulse not unique; + 8: overlap held; "                                  \
    "+ 16: left out as redundant")                                                                           \
  X(double, point, 3, "m", "point of a, where the problem was formed")                                       \
  X(double, normal, 3, "1", "from a to b")                                                                   \
  X(double, tangent, 3, "1", "t1; t2 = normal x t1")                                                         \
  X(double, gap, 1, "m", "signed distance where the problem was formed")                                     \
  X(double, impulse_n, 1, "N s", "c_n, along the normal on b")                                               \
  X(double, impulse_t, 2, "N s", "D beta, along (t1, t2) on b; loetstedt: what a turning normal leaves")     \
  X(double, slip, 2, "m/s", "velocity of b relative to a along (t1, t2) at the end of the piece")            \
  X(double, impulse_spin, 1, "N m s", "moment of spin friction about the normal on b")                       \
  X(double, impulse_roll, 2, "N m s", "moment of rolling friction about (t1, t2) on b")

// Of one unknown z_i of an LCP, and of row i of M. The numbers of contacts are those of the piece, in the order of the
// rows of the channel `contact`.
#define JOSTLE_LCP_FIELDS(X)                                                                                           \
  X(std::int32_t, problem, 1, "1", "number of its LCP in the step")                                                    \
  X(std::int32_t, piece, 1, "1", "number of the piece of the step: 0, unless events or sub-steps divide it")           \
  X(std::int32_t, stage, 1, "1", "1 to 4: of accelerations, in this stage (loetstedt): q is in m/s^2, z in N; else 0") \
  X(std::int32_t, size, 1, "1", "n of its LCP")                                                                        \
  X(std::uint8_t, kind, 1, "1", "what z is")                                                                           \
  X(std::int32_t, contact, 1, "1", "number of the contact in the piece; -1: of a joint")                               \
  X(std::int32_t, pair, 1, "1", "number of the pair of shapes a, b, as in the attribute `pairs`; -1: of a joint")      \
  X(std::int32_t, feature, 1, "1", "number of the pair of features, the same in every step; -1: of a joint")           \
  X(std::int32_t, joint, 1, "1", "number of the joint, as in the attribute `joints`; -1: of a contact")                \
  X(double, direction, 3, "1", "of the impulse on b, world; zeros of slip speeds and joints")                          \
  X(double, q, 1, "m/s, N s", "constant of w = M z + q")                                                               \
  X(double, z, 1, "N s, m/s", "answer: impulse, or slip speed")                                                        \
  X(std::uint8_t, basis, 1, "1", "1: z > 0, so that w = 0; else 0, and z = 0")

// Of one recorded step: the one that ends at the entry's time. Of the initial state: zeros, its energy and quantities.
#define JOSTLE_STEP_FIELDS(X)                                                                                     \
  X(std::int32_t, contacts, 1, "1", "contacts in the last problem of the step")                                   \
  X(std::int32_t, pivots, 1, "1", "pivots of all its problems; 0 of a step that repeats the one before")          \
  X(double, residual, 1, "1", "largest natural residual; 0 of a step that repeats the one before")                \
  X(double, energy, 1, "J", "kinetic and potential, at its end")                                                  \
  X(double, impulse, 6 * d.bodies, "N s, N m s", "of all contacts on each body, world, about its centre of mass") \
  X(double, applied, 6 * d.bodies, "N s, N m s", "of forces, gravity and gyroscopic torque on each body, world")

#define JOSTLE_MEMBER(type, name, extent, unit, meaning) std::conditional_t<extent == 1, type, type[extent]> name;
/// A row of the channel `contact`.
struct ContactRow {
  JOSTLE_CONTACT_FIELDS(JOSTLE_MEMBER)
};
/// A row of the channel `lcp`.
struct LcpRow {
  JOSTLE_LCP_FIELDS(JOSTLE_MEMBER)
};
#undef JOSTLE_MEMBER

/// The numbers of a field of a row, for code that visits all fields.
template <class Field>
const std::remove_all_extents_t<Field>* row_numbers(const Field& field) {
  if constexpr (std::is_array_v<Field>)
    return field;
  else
    return &field;
}

/// How much of a record's memory is used.
struct RecordUse {
  int rows = 0;                  ///< of contacts
  int lcp_rows = 0;              ///< of LCPs
  std::int64_t lcp_numbers = 0;  ///< of their matrices
};

/// How far a record is.
struct RecordProgress {
  RecordUse done;           ///< by the steps so far
  RecordUse step;           ///< by the step in progress, further
  RecordUse needed;         ///< in all, by a step that had no room
  int problems = 0;         ///< LCPs of the step in progress
  int last_entry = -1;      ///< the step of this entry is that of every step since; -1: of none
  int last_lcp_entry = -1;  ///< the same of LCPs
};

/// Where a system writes its steps; entries are those of TrajectoryView, those of LCPs every lcp_every-th step. The
/// memory of rows may be replaced by a larger one between calls of `simulate`.
struct RecordView {
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) type* name = nullptr;
  JOSTLE_STEP_FIELDS(JOSTLE_MEMBER)  // [entry, extent]
#undef JOSTLE_MEMBER
  double* quantities = nullptr;   ///< [entry, Dimensions::recorded_quantities] those that the scenario asks for
  int* entry_rows = nullptr;      ///< [entry] how many rows of contacts it has
  int* lcp_entry_rows = nullptr;  ///< [LCP entry] how many rows of LCPs it has
  std::int64_t* lcp_entry_numbers = nullptr;  ///< [LCP entry] how many numbers of matrices
  RecordProgress* progress = nullptr;
  ContactRow* rows = nullptr;    ///< null: no contacts are recorded
  LcpRow* lcp_rows = nullptr;    ///< null: no LCPs are recorded
  double* lcp_matrix = nullptr;  ///< M of each LCP, row by row
  RecordUse capacity;            ///< what there is memory for
  int stride = 1;
  int lcp_every = 0;  ///< steps from one recorded LCP to the next; 0: none is
};

}  // namespace jostle

#pragma once
// The channels of a record besides the states: what is written of a step, and of each of its contacts. The only lists
// of these fields; memory, datasets, digests and documentation come from them.
//
//   X(type, name, extent, unit, meaning)
//
// A step may consist of pieces (core/step.hpp): sub-steps, impacts, and what lies between events. Every contact of
// every piece has a row of its own, piece after piece, so that a row belongs to one problem and its frame; of an impact
// it has the sum of compression and decompression.
#include <cstdint>

#include "core/model/dimensions.hpp"

namespace jostle {

/// What a contact does, ContactRow::mode, and bits that may be added.
enum ContactMode : std::uint8_t {
  contact_is_open = 0,     ///< no impulse
  contact_sticks = 1,      ///< an impulse, and no slip faster than sticking_speed
  contact_slips = 2,       ///< an impulse, and slip
  contact_not_unique = 4,  ///< other impulses explain the same motion (core/records/redundancy.hpp)
  contact_held = 8,        ///< its overlap was held: no motion opens it
};

/// m/s: a contact that slips no faster sticks, up to rounding errors.
inline constexpr double sticking_speed = 1e-9;

// Of one contact; vectors are in world axes, from shape a of the pair to shape b, and t2 = n x t1.
#define JOSTLE_CONTACT_FIELDS(X)                                                                             \
  X(std::int32_t, pair, 1, "1", "number of the pair of shapes a, b, as in the attribute `pairs`")            \
  X(std::int32_t, feature, 1, "1", "number of the pair of features, the same in every step")                 \
  X(std::int32_t, piece, 1, "1", "number of the piece of the step: 0, unless events or sub-steps divide it") \
  X(std::uint8_t, mode, 1, "1", "0 open, 1 stick, 2 slip; + 4: impulse not unique; + 8: overlap held")       \
  X(double, point, 3, "m", "point of a, where the problem was formed")                                       \
  X(double, normal, 3, "1", "from a to b")                                                                   \
  X(double, tangent, 3, "1", "t1; t2 = normal x t1")                                                         \
  X(double, gap, 1, "m", "signed distance where the problem was formed")                                     \
  X(double, impulse_n, 1, "N s", "c_n, along the normal on b")                                               \
  X(double, impulse_t, 2, "N s", "D beta, along (t1, t2) on b")                                              \
  X(double, slip, 2, "m/s", "velocity of b relative to a along (t1, t2) at the end of the piece")

// Of one recorded step: the one that ends at the entry's time. Of the initial state: zeros, its energy and quantities.
#define JOSTLE_STEP_FIELDS(X)                                                                                     \
  X(std::int32_t, contacts, 1, "1", "contacts in the last problem of the step")                                   \
  X(std::int32_t, pivots, 1, "1", "pivots of all its problems; 0 of a step that repeats the one before")          \
  X(double, residual, 1, "1", "largest natural residual; 0 of a step that repeats the one before")                \
  X(double, energy, 1, "J", "kinetic and potential, at its end")                                                  \
  X(double, impulse, 6 * d.bodies, "N s, N m s", "of all contacts on each body, world, about its centre of mass") \
  X(double, applied, 6 * d.bodies, "N s, N m s", "of forces, gravity and gyroscopic torque on each body, world")

#define JOSTLE_MEMBER(type, name, extent, unit, meaning) type name[extent];
/// A row of the channel `contact`.
struct ContactRow {
  JOSTLE_CONTACT_FIELDS(JOSTLE_MEMBER)
};
#undef JOSTLE_MEMBER

/// How far a record is.
struct RecordProgress {
  int rows = 0;         ///< of contacts, so far
  int last_entry = -1;  ///< the step of this entry is that of every step since; -1: of none
};

/// Where a system writes its steps; entries are those of TrajectoryView. The memory of rows may be replaced by a larger
/// one between calls of `simulate`.
struct RecordView {
#define JOSTLE_MEMBER(type, name, extent, unit, meaning) type* name = nullptr;
  JOSTLE_STEP_FIELDS(JOSTLE_MEMBER)  // [entry, extent]
#undef JOSTLE_MEMBER
  double* quantities = nullptr;  ///< [entry, Dimensions::recorded_quantities] those that the scenario asks for
  int* entry_rows = nullptr;     ///< [entry] how many rows of contacts it has
  RecordProgress* progress = nullptr;
  ContactRow* rows = nullptr;  ///< null: no contacts are recorded
  int capacity = 0;            ///< rows that there is memory for
  int stride = 1;
};

}  // namespace jostle

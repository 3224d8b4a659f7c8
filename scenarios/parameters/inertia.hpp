#pragma once
// Solids of density 1, and which moments of inertia a body can have.

#include "core/geometry/shape.hpp"
#include "scenarios/parameters/bind.hpp"

namespace jostle {

/// One shape of density 1 about its own centre and axes.
struct Solid {
  Traced mass;                               ///< m^3; of a segment m
  TracedVec3 moments;                        ///< m^5; of a segment m^3
  TracedVec3 products = TracedVec3::Zero();  ///< xy, xz, yz, m^5
};
/// A half-space has none. `is_segment`: a capsule of radius 0 weighs by its length.
Solid solid_of(const TracedShape& shape, const Traced& is_segment);

/// Text of the message about shapes without a volume: "bodies.rod.density " + this.
inline constexpr const char* no_volume = "needs shapes that have a volume";

/// Text of the message about moments that are not physical: "bodies.rod.inertia " + this.
inline constexpr const char* physical_inertia =
    "must be greater than 0, and no moment greater than the sum of the others";

/// The moments about the free axes are finite and positive and, if all are free, none is larger than the sum of the
/// other two, as for every mass distribution.
Traced are_physical(const TracedVec3& moments, const bool (&freedom)[6]);

}  // namespace jostle

#pragma once
// Inertia of a body made of shapes of one uniform density, for bodies whose file gives none.
#include <span>

#include "core/geometry/shape.hpp"
#include "scenarios/bind.hpp"

namespace jostle {

enum class InertiaProblem {
  none,
  no_shape,    ///< nothing to compute it from
  half_space,  ///< infinite
  centroid,    ///< the shapes' centroid is not the body's origin
  products     ///< the body's axes are not principal axes
};

struct DefaultInertia {
  Vec3 moments = Vec3::Zero();  ///< kg m^2, about the body's axes
  InertiaProblem problem = InertiaProblem::none;
};

/// The same for shapes that may depend on variables.
struct TracedInertia {
  TracedVec3 moments = TracedVec3::Zero();        ///< 0 where there is a problem
  InertiaProblem problem = InertiaProblem::none;  ///< in all samples: no_shape or half_space
  Traced has_centroid = 1, has_axes = 1;          ///< whether there is no such problem
};

/// m^3; overlapping parts of shapes count twice.
Traced volume_of(std::span<const TracedShape> shapes);
double volume_of(std::span<const PlacedShape> shapes);

/// `shapes` in the body's axes. Overlapping parts of shapes count twice. If no shape has a volume, capsules of radius 0
/// weigh by their length; otherwise they weigh nothing. Products of inertia do not matter for a body that turns about
/// one axis only.
TracedInertia default_inertia(std::span<const TracedShape> shapes, const Traced& mass, const bool (&freedom)[6]);
DefaultInertia default_inertia(std::span<const PlacedShape> shapes, double mass, const bool (&freedom)[6]);

/// Text of the message about the problem: "bodies.rod.inertia is missing: " + this.
const char* describe(InertiaProblem problem);

/// Text of the message about shapes without a volume: "bodies.rod.density " + this.
inline constexpr const char* no_volume = "needs shapes that have a volume";

/// Text of the message about moments that are not physical: "bodies.rod.inertia " + this.
inline constexpr const char* physical_inertia =
    "must be greater than 0, and no moment greater than the sum of the others";

/// The moments about the free axes are finite and positive and, if all are free, none is larger than the sum of the
/// other two, as for every mass distribution.
Traced are_physical(const TracedVec3& moments, const bool (&freedom)[6]);
bool is_physical_inertia(const Vec3& moments, const bool (&freedom)[6]);

}  // namespace jostle

#pragma once
// Masses and moments of links: which a body can have, and what several that are one body have together.
#include <vector>

#include "core/math/vector.hpp"

namespace jostle::urdf {

struct Inertia {
  double mass = 0;              ///< kg
  Vec3 centre = Vec3::Zero();   ///< m
  Mat3 moments = Mat3::Zero();  ///< kg m^2, about the centre
};

/// Whether a body that turns freely can have these moments.
bool is_physical(const Mat3& moments);

/// Of parts in one frame. A part alone stays as it is, to the last bit.
Inertia sum_of(const std::vector<Inertia>& parts);

/// The nearest moments that a body can have: what mass would have a negative extent along an axis gets a small one.
Mat3 nearest_physical(const Mat3& moments, double mass);

}  // namespace jostle::urdf

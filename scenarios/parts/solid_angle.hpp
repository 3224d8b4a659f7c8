#pragma once
#include <Eigen/Geometry>
#include <cmath>

#include "core/math/vector.hpp"

namespace jostle {

/// Of a triangle seen from the origin (Van Oosterom and Strackee 1983, equation 8), > 0 if it runs counter-clockwise
/// seen from outside.
inline double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double A = a.norm(), B = b.norm(), C = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), A * B * C + a.dot(b) * C + b.dot(c) * A + c.dot(a) * B);
}

}  // namespace jostle

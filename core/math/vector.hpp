#pragma once
// Small fixed-size algebra. Eigen's scalar code for fixed sizes is one fixed expression per element;
// EIGEN_DONT_VECTORIZE (set by the build) keeps it the same on every machine.
#include <Eigen/Core>
#include <type_traits>

#include "core/config.hpp"

#if !defined(EIGEN_DONT_VECTORIZE)
#error "core needs EIGEN_DONT_VECTORIZE: Eigen's packets add in another order"
#endif

namespace jostle {

template <class Real>
using Vec3Of = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using Mat3Of = Eigen::Matrix<Real, 3, 3>;
using Vec3 = Vec3Of<double>;
using Mat3 = Mat3Of<double>;

// `Real` is not deduced, so that Eigen expressions convert to vectors: dot(a - b, c), and dot<Real>(a, b) for others.
template <class Real = double>
JOSTLE_HD Real dot(const std::type_identity_t<Vec3Of<Real>>& a, const std::type_identity_t<Vec3Of<Real>>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class Real = double>
JOSTLE_HD Vec3Of<Real> cross(const std::type_identity_t<Vec3Of<Real>>& a, const std::type_identity_t<Vec3Of<Real>>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// x with A x = b, by Cramer's rule; not finite if A is singular.
JOSTLE_HD inline Vec3 solved(const Mat3& A, const Vec3& b) {
  const Vec3 first = A.col(0), second = A.col(1), third = A.col(2), normal = cross(second, third);
  const double determinant = dot(first, normal);
  return {dot(b, normal) / determinant, dot(first, cross(b, third)) / determinant,
          dot(first, cross(second, b)) / determinant};
}

/// v[k], 0 <= k < 3, of a v in registers on a device: an address would force it out of them.
JOSTLE_HD constexpr auto component(const auto& v, int k) { return k == 0 ? v[0] : k == 1 ? v[1] : v[2]; }

/// The components from the second on, in cyclic order.
JOSTLE_HD inline Vec3 turned(const Vec3& v) { return {v[1], v[2], v[0]}; }

/// One number for each of a body's six freedoms: a velocity, a momentum or the half of a row. Linear components are in
/// world axes, angular ones in body axes.
struct Vec6 {
  double value[6];
  JOSTLE_HD double& operator[](int k) { return value[k]; }
  JOSTLE_HD double operator[](int k) const { return value[k]; }
  JOSTLE_HD Vec3 linear() const { return {value[0], value[1], value[2]}; }
  JOSTLE_HD Vec3 angular() const { return {value[3], value[4], value[5]}; }
};

}  // namespace jostle

#pragma once
// Unit quaternions (w, x, y, z) that map body to world, their exponential and their matrix.
#include <cmath>

#include "core/math/trigonometry.hpp"
#include "core/math/vector.hpp"

namespace jostle {

template <class Real>
struct QuaternionOf {
  Real w = 1, x = 0, y = 0, z = 0;
};
using Quaternion = QuaternionOf<double>;

/// Hamilton product: rotates by b in the axes of a.
template <class Real>
JOSTLE_HD QuaternionOf<Real> operator*(const QuaternionOf<Real>& a, const QuaternionOf<Real>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

template <class Real = double>
JOSTLE_HD QuaternionOf<Real> normalised(const std::type_identity_t<QuaternionOf<Real>>& q) {
  using std::sqrt;
  const Real length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

/// exp of a rotation vector (rad): the rotation by |turn| about turn / |turn|.
template <class Real = double>
JOSTLE_HD QuaternionOf<Real> exponential_map(const std::type_identity_t<Vec3Of<Real>>& turn) {
  using std::sqrt;
  const Vec3Of<Real> half = Real(0.5) * turn;
  const Real angle = sqrt(dot<Real>(half, half));
  const Real s = sinc(angle);
  return {cosine(angle), s * half[0], s * half[1], s * half[2]};
}

template <class Real>
JOSTLE_HD Mat3Of<Real> rotation_matrix(const QuaternionOf<Real>& q) {
  const Real xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const Real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const Real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  Mat3Of<Real> R;
  R << 1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy),  //
      2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx),   //
      2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy);
  return R;
}

/// Rotation by `angle` about coordinate axis 0, 1 or 2.
JOSTLE_HD inline Mat3 planar_rotation_matrix(int axis, double angle) {
  double s, c;
  sine_cosine(angle, s, c);
  Mat3 R;  // indices are constants, so that it can stay in registers
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    R(i, i) = i == axis ? 1 : c;
    R(i, j) = k == axis ? -s : 0;
    R(j, i) = k == axis ? s : 0;
  }
  return R;
}

template <class Real>
JOSTLE_HD QuaternionOf<Real> planar_quaternion(int axis, const Real& angle) {
  Real s, c;
  sine_cosine(0.5 * angle, s, c);
  return {c, axis == 0 ? s : Real(0), axis == 1 ? s : Real(0), axis == 2 ? s : Real(0)};
}

/// R v and R'v, each element one fixed expression.
template <class Real = double>
JOSTLE_HD Vec3Of<Real> rotate(const std::type_identity_t<Mat3Of<Real>>& R,
                              const std::type_identity_t<Vec3Of<Real>>& v) {
  return {R(0, 0) * v[0] + R(0, 1) * v[1] + R(0, 2) * v[2], R(1, 0) * v[0] + R(1, 1) * v[1] + R(1, 2) * v[2],
          R(2, 0) * v[0] + R(2, 1) * v[1] + R(2, 2) * v[2]};
}
JOSTLE_HD inline Vec3 rotate_back(const Mat3& R, const Vec3& v) {
  return {R(0, 0) * v[0] + R(1, 0) * v[1] + R(2, 0) * v[2], R(0, 1) * v[0] + R(1, 1) * v[1] + R(2, 1) * v[2],
          R(0, 2) * v[0] + R(1, 2) * v[1] + R(2, 2) * v[2]};
}
template <class Real = double>
JOSTLE_HD Mat3Of<Real> product(const std::type_identity_t<Mat3Of<Real>>& A,
                               const std::type_identity_t<Mat3Of<Real>>& B) {
  Mat3Of<Real> C;
  for (int j = 0; j < 3; ++j) C.col(j) = rotate<Real>(A, B.col(j));
  return C;
}

}  // namespace jostle

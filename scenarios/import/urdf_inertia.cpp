#include "scenarios/import/urdf_inertia.hpp"

#include <Eigen/Eigenvalues>

#include "scenarios/parameters/inertia.hpp"
#include "scenarios/parameters/principal_axes.hpp"

namespace jostle::urdf {

bool is_physical(const Mat3& moments) {
  if (!(moments.trace() > 0)) return false;
  const bool all_free[6] = {true, true, true, true, true, true};
  return are_physical(principal_axes(moments.cast<Traced>()).moments, all_free).value() == 1;
}

Inertia sum_of(const std::vector<Inertia>& parts) {
  if (parts.size() == 1) return parts.front();
  Inertia sum;
  for (const Inertia& part : parts) sum.mass += part.mass, sum.centre += part.mass * part.centre;
  if (!(sum.mass > 0)) return sum;
  sum.centre /= sum.mass;
  for (const Inertia& part : parts) {
    const Vec3 arm = part.centre - sum.centre;
    sum.moments += part.moments + part.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  return sum;
}

// The integrals of x x' dm, which a body has all above 0: the moments about two axes exceed the third by twice one.
Mat3 nearest_physical(const Mat3& moments, double mass) {
  const Mat3 extents = 0.5 * moments.trace() * Mat3::Identity() - moments;
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(extents);
  constexpr double thin = 1e-3, dot = 1e-3;  // of the largest extent; m, if there is none
  const double largest = axes.eigenvalues().maxCoeff(), least = largest > 0 ? thin * largest : dot * dot * mass;
  const Vec3 clamped = axes.eigenvalues().cwiseMax(least);
  const Mat3& turn = axes.eigenvectors();
  return clamped.sum() * Mat3::Identity() - turn * clamped.asDiagonal() * turn.transpose();
}

}  // namespace jostle::urdf

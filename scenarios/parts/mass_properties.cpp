#include "scenarios/parts/mass_properties.hpp"

#include <Eigen/LU>

namespace jostle {
namespace {

/// Sums over tetrahedra with one corner at `apex`; moments are about it.
struct Sums {
  double six_volumes = 0;
  Vec3 first = Vec3::Zero();   ///< 24 times the integral of x
  Mat3 second = Mat3::Zero();  ///< 120 times the integral of x x'
};

Sums sums_about(const TriangleMesh& mesh, const Vec3& apex) {
  Sums sums;
  for (const auto& triangle : mesh.triangles) {
    Mat3 corners;
    for (int k = 0; k < 3; ++k)
      corners.col(k) = mesh.points[static_cast<std::size_t>(triangle[static_cast<std::size_t>(k)])] - apex;
    const double six = corners.determinant();
    const Vec3 sum = corners.rowwise().sum();
    sums.six_volumes += six;
    sums.first += six * sum;
    sums.second += six * (corners * corners.transpose() + sum * sum.transpose());
  }
  return sums;
}

}  // namespace

MassProperties mass_properties_of(const TriangleMesh& mesh) {
  const Vec3 near = mesh.points.front();
  const Sums rough = sums_about(mesh, near);
  const Vec3 apex = near + rough.first / (4 * rough.six_volumes);
  const Sums sums = sums_about(mesh, apex);
  MassProperties solid;
  solid.volume = sums.six_volumes / 6;
  const Vec3 offset = sums.first / (4 * sums.six_volumes);  // rounding errors of the first pass
  solid.centroid = apex + offset;
  const Mat3 second = sums.second / 120 - solid.volume * offset * offset.transpose();
  solid.inertia = second.trace() * Mat3::Identity() - second;
  return solid;
}

}  // namespace jostle

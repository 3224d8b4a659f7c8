#include "scenarios/parts/surface_parts.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "scenarios/parts/face_merger.hpp"

namespace jostle {
namespace {

/// The solid angle of a triangle seen from the origin (van Oosterom and Strackee 1983, equation 8), with its sign.
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double x = a.norm(), y = b.norm(), z = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + a.dot(c) * y + b.dot(c) * x);
}

/// How often faces that pass `counts` go round a point.
double winding(const SurfacePlanes& surface, const Vec3& x, const auto& counts) {
  double angle = 0;
  for (const SurfaceFace& face : surface.faces()) {
    if (!counts(face.loops.front().front())) continue;
    for (const auto& loop : face.loops)
      for (std::size_t k = 1; k + 1 < loop.size(); ++k)
        angle += solid_angle(surface.at(loop[0]) - x, surface.at(loop[k]) - x, surface.at(loop[k + 1]) - x);
  }
  return angle / (4 * std::numbers::pi);
}

}  // namespace

std::vector<int> part_of_corners(const SurfacePlanes& surface) {
  std::vector<int> root(surface.points().size());
  std::iota(root.begin(), root.end(), 0);
  const auto of = [&](int corner) -> int& { return root[static_cast<std::size_t>(corner)]; };
  const auto root_of = [&](int corner) {
    while (of(corner) != corner) corner = of(corner) = of(of(corner));
    return corner;
  };
  for (const auto& [ends, edge] : surface.edges()) of(root_of(ends.first)) = root_of(ends.second);
  for (int corner = 0; corner < static_cast<int>(root.size()); ++corner) of(corner) = root_of(corner);
  return root;
}

void check_parts(const SurfacePlanes& surface) {
  const std::vector<int> part = part_of_corners(surface);
  const auto part_of = [&](int corner) { return part[static_cast<std::size_t>(corner)]; };
  std::vector<double> volumes(part.size(), 0);
  for (const SurfaceFace& face : surface.faces())
    for (const auto& loop : face.loops)
      volumes[static_cast<std::size_t>(part_of(loop.front()))] +=
          double_area(surface.points(), loop).dot(surface.at(loop.front()) - surface.points().front());
  for (int corner = 0; corner < static_cast<int>(part.size()); ++corner) {
    if (part_of(corner) != corner) continue;  // one corner of each part
    const bool is_cavity = volumes[static_cast<std::size_t>(corner)] < 0;
    const double around =
        winding(surface, surface.at(corner), [&](int other) { return part_of(other) != part_of(corner); });
    // Parts that touch may go round half a corner.
    if (std::fabs(around - (is_cavity ? 1 : 0)) < 0.75) continue;
    throw std::invalid_argument("the closed part of the surface at " + place_text(surface.at(corner)) +
                                (is_cavity
                                     ? " is a cavity, as its faces look inwards, but lies in no solid"
                                     : " lies in another one, and its faces look outwards: those of a cavity look "
                                       "inwards"));
  }
}

}  // namespace jostle

#include "scenarios/parts/rest.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "scenarios/parts/solid_angle.hpp"

namespace jostle {
namespace {

struct Tipping {
  double margin = 0;
  int over[2] = {0, 0};  ///< the edge that is nearest, or passed by most
};

Tipping tipping_of(const ConvexHull& hull, const HullFace& face, const Vec3& centre) {
  Tipping least{INFINITY, {0, 0}};
  for (std::size_t k = 0; k < face.corners.size(); ++k) {
    const int from = face.corners[k], to = face.corners[(k + 1) % face.corners.size()];
    const Vec3 a = hull.points[static_cast<std::size_t>(from)], b = hull.points[static_cast<std::size_t>(to)];
    const double inside = face.normal.cross((b - a).normalized()).dot(centre - a);
    if (inside < least.margin) least = {inside, {from, to}};
  }
  return least;
}

}  // namespace

std::vector<RestingFace> resting_faces(const ConvexHull& hull, const Vec3& centre) {
  std::vector<RestingFace> all;
  std::vector<Tipping> tippings;
  std::map<std::pair<int, int>, std::size_t> face_along;  // the face whose outline runs from one corner to the other
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const HullFace& face = hull.faces[f];
    const auto at = [&](std::size_t k) {
      return Vec3(hull.points[static_cast<std::size_t>(face.corners[k])] - centre);
    };
    RestingFace rest;
    rest.face = static_cast<int>(f);
    rest.height = face.normal.dot(at(0));
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
      face_along[{face.corners[k], face.corners[(k + 1) % face.corners.size()]}] = f;
      if (k < 2) continue;
      rest.area += (at(k - 1) - at(0)).cross(at(k) - at(0)).norm() / 2;
      rest.solid_angle += std::fabs(solid_angle(at(0), at(k - 1), at(k))) / (4 * std::numbers::pi);
    }
    tippings.push_back(tipping_of(hull, face, centre));
    rest.margin = tippings.back().margin;
    all.push_back(rest);
  }
  for (std::size_t f = 0; f < all.size(); ++f) {
    std::size_t at = f;
    // The centre of mass sinks with every edge, so that no face comes twice.
    for (std::size_t turns = 0; !all[at].is_stable() && turns < all.size(); ++turns) {
      const auto next = face_along.find({tippings[at].over[1], tippings[at].over[0]});
      if (next == face_along.end()) break;
      at = next->second;
    }
    all[at].share += all[f].solid_angle;
  }
  std::ranges::stable_sort(all, std::greater<>{}, &RestingFace::share);
  return all;
}

}  // namespace jostle

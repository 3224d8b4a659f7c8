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

/// The face whose outline runs from one corner to the other.
using FaceAlong = std::map<std::pair<int, int>, std::size_t>;

/// [face] on which a part comes to rest that lands on this one.
std::vector<std::size_t> ends_of_tipping(const std::vector<RestingFace>& faces, const std::vector<Tipping>& tippings,
                                         const FaceAlong& face_along) {
  constexpr std::size_t unknown = SIZE_MAX;
  std::vector<std::size_t> ends(faces.size(), unknown), way;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    way.clear();
    std::size_t at = f;
    // The centre of mass sinks with every edge, so that no face comes twice.
    while (ends[at] == unknown && !faces[at].is_stable() && way.size() < faces.size()) {
      const auto next = face_along.find({tippings[at].over[1], tippings[at].over[0]});
      if (next == face_along.end()) break;
      way.push_back(at);
      at = next->second;
    }
    const std::size_t end = ends[at] == unknown ? at : ends[at];
    ends[at] = end;
    for (const std::size_t passed : way) ends[passed] = end;  // from a ball of n faces n^(3/2) steps would lead down
  }
  return ends;
}

}  // namespace

std::vector<RestingFace> resting_faces(const ConvexHull& hull, const Vec3& centre) {
  std::vector<RestingFace> all;
  std::vector<Tipping> tippings;
  FaceAlong face_along;
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
  const std::vector<std::size_t> ends = ends_of_tipping(all, tippings, face_along);
  for (std::size_t f = 0; f < all.size(); ++f) all[ends[f]].share += all[f].solid_angle;
  std::ranges::stable_sort(all, std::greater<>{}, &RestingFace::share);
  return all;
}

}  // namespace jostle

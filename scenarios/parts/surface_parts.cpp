#include "scenarios/parts/surface_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "scenarios/parts/face_merger.hpp"
#include "scenarios/parts/solid_angle.hpp"

namespace jostle {
namespace {

struct Part {
  std::vector<int> faces;
  Box box;
  double six_volumes = 0;
  int corner = std::numeric_limits<int>::max();  ///< the first one
};

/// How often the faces of a part go round a point.
double winding(const SurfacePlanes& surface, const Part& part, const Vec3& x) {
  double angle = 0;
  for (const int face : part.faces)
    for (const auto& loop : surface.faces()[static_cast<std::size_t>(face)].loops)
      for (std::size_t k = 1; k + 1 < loop.size(); ++k)
        angle += solid_angle(surface.at(loop[0]) - x, surface.at(loop[k]) - x, surface.at(loop[k + 1]) - x);
  return angle / (4 * std::numbers::pi);
}

/// Whether a corner of another part lies on a face of this one.
bool touches(const SurfacePlanes& surface, const Part& part, const Vec3& x, double near) {
  return std::ranges::any_of(part.faces, [&](int face) {
    if (!(std::fabs(surface.height(face, x)) <= near)) return false;
    const auto [is_inside, nearest] = surface.over(face, x);
    return is_inside || nearest <= near;
  });
}

std::vector<Part> parts_of(const SurfacePlanes& surface) {
  const std::vector<int> part_of = part_of_corners(surface);
  std::map<int, Part> parts;
  for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
    const auto& loops = surface.faces()[static_cast<std::size_t>(f)].loops;
    Part& part = parts[part_of[static_cast<std::size_t>(loops.front().front())]];
    part.faces.push_back(f);
    for (const auto& loop : loops) {
      part.six_volumes += double_area(surface.points(), loop).dot(surface.at(loop.front()) - surface.points().front());
      for (const int corner : loop) part.box.include(surface.at(corner)), part.corner = std::min(part.corner, corner);
    }
  }
  std::vector<Part> list;
  for (auto& [number, part] : parts) list.push_back(std::move(part));
  return list;
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
  for (const SurfaceFace& face : surface.faces())  // an outline and its holes
    for (const auto& loop : face.loops) of(root_of(loop.front())) = root_of(face.loops.front().front());
  for (int corner = 0; corner < static_cast<int>(root.size()); ++corner) of(corner) = root_of(corner);
  return root;
}

void check_parts(const SurfacePlanes& surface, double near) {
  const std::vector<Part> parts = parts_of(surface);
  for (const Part& part : parts) {
    const Vec3& x = surface.at(part.corner);
    double around = 0;
    bool is_on_another = false;
    for (const Part& other : parts) {
      if (&other == &part || !other.box.widened(near).meets({x, x})) continue;
      is_on_another = is_on_another || touches(surface, other, x, near);
      if (other.box.meets({x, x})) around += winding(surface, other, x);
    }
    const bool is_cavity = part.six_volumes < 0;
    // Parts that touch may go round half a corner.
    if (std::fabs(around - (is_cavity ? 1 : 0)) < 0.75) continue;
    throw std::invalid_argument(
        "the closed part of the surface at " + place_text(x) +
        (is_on_another ? " touches another one there: parts that touch must be one closed surface, or "
                         "bodies of their own"
         : is_cavity   ? " is a cavity, as its faces look inwards, but lies in no solid"
                       : " lies in another one, and its faces look outwards: those of a cavity look "
                         "inwards"));
  }
}

}  // namespace jostle

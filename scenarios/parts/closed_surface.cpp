#include "scenarios/parts/closed_surface.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "scenarios/parts/face_merger.hpp"
#include "scenarios/parts/surface_crossings.hpp"
#include "scenarios/parts/surface_parts.hpp"
#include "scenarios/parts/surface_planes.hpp"

namespace jostle {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool is_in_one_part(const SurfacePlanes& planes) {
  const std::vector<int> parts = part_of_corners(planes);
  return std::ranges::all_of(parts, [&](int part) { return part == parts.front(); });
}

/// As ClosedSurface has it; distances up to `near`, m, are none.
double thickness_of(const SurfacePlanes& planes, double near) {
  double least = size_of_points(planes.points());
  std::vector<Box> boxes;
  for (const Vec3& point : planes.points()) boxes.push_back({point, point});
  const BoxTree tree(boxes, items_of_leaf);
  for (int f = 0; f < static_cast<int>(planes.faces().size()); ++f) {
    const Box face = planes.box_of_face(f);
    const Vec3 middle = 0.5 * (face.least + face.largest), &normal = planes.normal(f);
    const double radius = 0.5 * (face.largest - face.least).norm();
    const auto is_beside = [&](const Vec3& x, double size) {  // of what is behind the face, m
      const double along = -normal.dot(x - middle);
      const Vec3 nearest = middle - std::clamp(along, 0.0, least) * normal;
      return (x - nearest).norm() > radius + size;
    };
    const auto skip = [&](const Box& box) {
      return is_beside(0.5 * (box.least + box.largest), 0.5 * (box.largest - box.least).norm());
    };
    tree.walk(skip, [&](int corner) {
      const double depth = -planes.height(f, planes.at(corner));
      if (!(depth > near && depth < least) || is_beside(planes.at(corner), 0)) return;
      const auto [is_inside, nearest] = planes.over(f, planes.at(corner));
      if (is_inside || nearest <= near) least = depth;
    });
  }
  return least;
}

ClosedSurface made_of(const SurfacePlanes& planes, double near) {
  ClosedSurface surface;
  const std::vector<bool> touches = touching_corners(planes);
  std::vector<int> order(planes.points().size()), number(planes.points().size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int i, int j) { return touches[index(i)] && !touches[index(j)]; });
  for (std::size_t k = 0; k < order.size(); ++k) {
    number[index(order[k])] = static_cast<int>(k);
    surface.points.push_back(planes.at(order[k]));
    surface.convex_corners += touches[index(order[k])] ? 1 : 0;
  }
  surface.thickness = thickness_of(planes, near);
  bool any_concave = false;
  for (const auto& [ends, edge] : planes.edges()) {
    const double bend = planes.bend_of(ends, edge);
    any_concave = any_concave || bend < -flat_edge;
    if (bend <= flat_edge)
      surface.concave_or_flat.insert(std::minmax(number[index(ends.first)], number[index(ends.second)]));
  }
  for (SurfaceFace face : planes.faces()) {
    for (auto& loop : face.loops) {
      for (int& corner : loop) corner = number[index(corner)];
      std::rotate(loop.begin(), std::ranges::min_element(loop), loop.end());
    }
    std::sort(face.loops.begin() + 1, face.loops.end());
    surface.faces.push_back(std::move(face));
  }
  std::ranges::sort(surface.faces, {}, &SurfaceFace::loops);
  surface.is_convex = !any_concave && is_in_one_part(planes);
  return surface;
}

/// Of faces that somebody wrote, and of those that triangles were merged into, which may be written again. These lie
/// within `near`, m, of the plane of a triangle, which may lie as far from the plane of the face.
void check_flatness(const SurfacePlanes& planes, double near) {
  for (std::size_t f = 0; f < planes.faces().size(); ++f) {
    for (const auto& loop : planes.faces()[f].loops) {
      for (const int corner : loop) {
        const double height = std::fabs(planes.height(static_cast<int>(f), planes.at(corner)));
        if (height > 2 * near)
          throw std::invalid_argument(
              fmt::format("faces[{}] is not flat: its corner at {} lies {:.3g} m from its plane; "
                          "cut it into triangles",
                          f, place_text(planes.at(corner)), height));
      }
    }
  }
}

/// What `planes_within` gives for `near`, m, if it can be a surface. Features smaller than that may fold or cross where
/// triangles are merged and corners left out: then the same for smaller distances, as long as they are not rounding.
template <class PlanesWithin>
SurfacePlanes checked_planes(double near, const PlanesWithin& planes_within) {
  std::exception_ptr first;
  double within = near;
  for (int attempt = 0; attempt < 5; ++attempt, within *= 0.1) {
    try {
      SurfacePlanes planes = planes_within(within);
      check_flatness(planes, near);
      check_crossings(planes, near);
      check_parts(planes, near);
      return planes;
    } catch (const PartBelowTolerance&) {
      throw;
    } catch (const std::invalid_argument&) {
      if (!first) first = std::current_exception();
    }
  }
  std::rethrow_exception(first);
}

/// Of a point from a triangle, m.
double distance_from_triangle(const TriangleMesh& mesh, const std::array<int, 3>& triangle, const Vec3& x) {
  const auto at = [&](std::size_t k) { return mesh.points[index(triangle[k % 3])]; };
  const Vec3 normal = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
  bool is_over = true;
  double nearest = HUGE_VAL;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 along = at(k + 1) - at(k), from = x - at(k);
    is_over = is_over && normal.dot(along.cross(from)) >= 0;
    nearest = std::min(nearest, (from - std::clamp(from.dot(along) / along.squaredNorm(), 0.0, 1.0) * along).norm());
  }
  return is_over ? std::fabs(normal.dot(x - at(0))) : nearest;
}

/// "; triangles 3 and 8 meet there": of those at the place two that share the fewest corners. Empty if they are of no
/// file.
std::string triangles_at(const TriangleMesh& mesh, const Vec3& place, double near) {
  std::vector<std::size_t> there;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (distance_from_triangle(mesh, mesh.triangles[t], place) <= 4 * near) there.push_back(t);
  std::size_t fewest = 3, one = 0, other = 0;
  for (const std::size_t t : there)
    for (const std::size_t u : there) {
      const auto shared = static_cast<std::size_t>(std::ranges::count_if(mesh.triangles[t], [&](int corner) {
        return std::ranges::find(mesh.triangles[u], corner) != mesh.triangles[u].end();
      }));
      if (shared < fewest) fewest = shared, one = t, other = u;
    }
  const bool is_text = mesh.numbers.empty();
  const std::vector<int>& names = is_text ? mesh.lines : mesh.numbers;
  if (fewest == 3 || names.empty()) return {};
  return fmt::format("; {} {} and {} meet there", is_text ? "the triangles in lines" : "triangles", names[one],
                     names[other]);
}

SurfacePlanes checked_planes(const TriangleMesh& mesh, double near) {
  try {
    return checked_planes(
        near, [&](double within) { return SurfacePlanes(mesh.points, merged_faces(mesh, within), within); });
  } catch (const SurfaceCrossing& crossing) {
    throw std::invalid_argument(crossing.what() + triangles_at(mesh, crossing.place, near));
  }
}

}  // namespace

ClosedSurface closed_surface(const TriangleMesh& mesh, double tolerance) {
  const double near = tolerance * size_of_points(mesh.points);
  const SurfacePlanes planes = checked_planes(mesh, near);
  // What is written is read again without triangles, and may need no smaller distance then.
  if (planes.near() < near) return closed_surface(planes.points(), planes.faces(), tolerance);
  return made_of(planes, near);
}

ClosedSurface closed_surface(const std::vector<Vec3>& points, const std::vector<SurfaceFace>& faces, double tolerance) {
  const double near = tolerance * size_of_points(points);
  try {
    return made_of(checked_planes(near, [&](double within) { return SurfacePlanes(points, faces, within); }), near);
  } catch (const SurfaceCrossing& crossing) {
    throw std::invalid_argument(fmt::format("{}; faces[{}] and faces[{}] meet there", crossing.what(),
                                            crossing.faces.first, crossing.faces.second));
  }
}

void check_closed_surface(const TriangleMesh& mesh, double tolerance) {
  checked_planes(mesh, tolerance * size_of_points(mesh.points));
}

}  // namespace jostle

#include "scenarios/parts/face_merger.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "scenarios/parts/surface_planes.hpp"

namespace jostle {

Vec3 double_area(const std::vector<Vec3>& points, const std::vector<int>& loop) {
  const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(loop[k % loop.size()])]; };
  Vec3 area = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) area += (at(k) - at(0)).cross(at(k + 1) - at(0));
  return area;
}

namespace {

/// Merges triangles into faces.
class FaceMerger {
 public:
  FaceMerger(const TriangleMesh& mesh, double near) : mesh_(mesh), near_(near) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) triangle_of_[{corner(t, k), corner(t, k + 1)}] = t;
    grow_faces();
    trace_loops();
  }

  std::vector<SurfaceFace> faces() const { return faces_; }

 private:
  int corner(std::size_t t, int k) const { return mesh_.triangles[t][static_cast<std::size_t>(k % 3)]; }
  const Vec3& at(int point) const { return mesh_.points[static_cast<std::size_t>(point)]; }
  Vec3 area(std::size_t t) const {
    return (at(corner(t, 1)) - at(corner(t, 0))).cross(at(corner(t, 2)) - at(corner(t, 0)));
  }

  /// From the largest triangle on, so that it decides the plane of a face.
  void grow_faces() {
    std::vector<std::size_t> order(mesh_.triangles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> areas;
    areas.reserve(order.size());
    for (const std::size_t t : order) areas.push_back(area(t).norm());
    std::ranges::stable_sort(order, [&](std::size_t t, std::size_t u) { return areas[t] > areas[u]; });
    face_of_.assign(mesh_.triangles.size(), -1);
    for (const std::size_t seed : order) {
      if (face_of_[seed] >= 0) continue;
      const Vec3 normal = area(seed).normalized();
      std::vector<std::size_t> waiting = {seed};
      face_of_[seed] = count_;
      while (!waiting.empty()) {
        const std::size_t t = waiting.back();
        waiting.pop_back();
        for (int k = 0; k < 3; ++k) {
          const std::size_t other = triangle_of_.at({corner(t, k + 1), corner(t, k)});
          if (face_of_[other] >= 0 || !lies_in_plane(other, normal, at(corner(seed, 0)))) continue;
          face_of_[other] = count_;
          waiting.push_back(other);
        }
      }
      ++count_;
    }
  }

  bool lies_in_plane(std::size_t t, const Vec3& normal, const Vec3& origin) const {
    for (int k = 0; k < 3; ++k)
      if (std::fabs(normal.dot(at(corner(t, k)) - origin)) > near_) return false;
    return area(t).dot(normal) >= 0 || is_needle(t);
  }

  /// So thin that rounding turns its normal anywhere.
  bool is_needle(std::size_t t) const {
    double longest = 0;
    for (int k = 0; k < 3; ++k) longest = std::max(longest, (at(corner(t, k + 1)) - at(corner(t, k))).norm());
    return area(t).norm() <= near_ * longest;
  }

  /// Along the edges between faces; at a corner the next one is found by turning through the triangles of the face.
  void trace_loops() {
    faces_.resize(static_cast<std::size_t>(count_));
    std::set<std::array<int, 2>> done;
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
      for (int k = 0; k < 3; ++k) {
        std::array<int, 2> edge = {corner(t, k), corner(t, k + 1)};
        if (!is_border(edge) || done.contains(edge)) continue;
        std::vector<int> loop;
        while (done.insert(edge).second) {
          loop.push_back(edge[0]);
          edge = following(edge);
        }
        faces_[static_cast<std::size_t>(face_of_[t])].loops.push_back(std::move(loop));
      }
    }
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      if (faces_[static_cast<std::size_t>(face_of_[t])].loops.empty())
        throw PartBelowTolerance(fmt::format("the closed part at {} is smaller than the tolerance, {:.3g} m",
                                             place_text(at(corner(t, 0))), near_));
    for (SurfaceFace& face : faces_) {
      Vec3 normal = Vec3::Zero();
      for (const auto& loop : face.loops) normal += double_area(mesh_.points, loop);
      std::ranges::stable_sort(face.loops, std::greater<>{},
                               [&](const auto& loop) { return double_area(mesh_.points, loop).dot(normal); });
    }
  }

  bool is_border(const std::array<int, 2>& edge) const {
    return face_of_[triangle_of_.at(edge)] != face_of_[triangle_of_.at({edge[1], edge[0]})];
  }

  std::array<int, 2> following(std::array<int, 2> edge) const {
    while (true) {
      const std::size_t t = triangle_of_.at(edge);
      int k = 0;
      while (corner(t, k) != edge[0] || corner(t, k + 1) != edge[1]) ++k;
      const std::array<int, 2> next = {edge[1], corner(t, k + 2)};
      if (is_border(next)) return next;
      edge = {next[1], next[0]};
    }
  }

  const TriangleMesh& mesh_;
  double near_;
  std::map<std::array<int, 2>, std::size_t> triangle_of_;  ///< by the edges that run round it
  std::vector<int> face_of_;
  int count_ = 0;
  std::vector<SurfaceFace> faces_;
};

}  // namespace

std::vector<SurfaceFace> merged_faces(const TriangleMesh& mesh, double near) { return FaceMerger(mesh, near).faces(); }

}  // namespace jostle

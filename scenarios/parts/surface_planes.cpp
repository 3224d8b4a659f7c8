#include "scenarios/parts/surface_planes.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "scenarios/parts/face_merger.hpp"

namespace jostle {

double size_of_points(const std::vector<Vec3>& points) {
  Vec3 least = points.front(), largest = least;
  for (const Vec3& point : points) least = least.cwiseMin(point), largest = largest.cwiseMax(point);
  return (largest - least).norm();
}

std::string place_text(const Vec3& point) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", point[0], point[1], point[2]);
}

namespace {

double distance_from_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a, from = x - a;
  const double squared = along.squaredNorm();
  const double t = squared > 0 ? std::clamp(from.dot(along) / squared, 0.0, 1.0) : 0.0;
  return (from - t * along).norm();
}

}  // namespace

SurfacePlanes::SurfacePlanes(std::vector<Vec3> points, std::vector<SurfaceFace> faces, double near)
    : points_(std::move(points)), faces_(std::move(faces)), near_(near) {
  number_corners();  // so that what is left out does not depend on the order in which they came
  drop_straight_corners();
  number_corners();
  find_planes();
  find_edges();
  check_volume();
}

/// Where only two faces meet, the corner lies on the line between its neighbours. Both keep the same corners of the
/// chain in which they meet.
void SurfacePlanes::drop_straight_corners() {
  std::map<int, std::set<int>> neighbours;
  for_each_loop([&](int, const std::vector<int>& loop) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int from = loop[k], to = loop[(k + 1) % loop.size()];
      neighbours[from].insert(to), neighbours[to].insert(from);
    }
  });
  const auto is_end = [&](int corner) { return neighbours[corner].size() != 2; };
  for_each_loop([&](int, std::vector<int>& loop) {
    const auto first = std::ranges::find_if(loop, is_end);
    if (first == loop.end()) return;
    std::rotate(loop.begin(), first, loop.end());
    loop.push_back(loop.front());
    std::vector<int> kept;
    for (auto from = loop.begin(); from + 1 != loop.end();) {
      const auto to = std::find_if(from + 1, loop.end(), is_end);
      const std::vector<int> chain = without_straight({from, to + 1});
      kept.insert(kept.end(), chain.begin(), chain.end() - 1);
      from = to;
    }
    loop = kept;
  });
  for_each_loop([&](int, const std::vector<int>& loop) {
    if (loop.size() < 3)
      throw std::invalid_argument("two faces fold onto each other at " + place_text(at(loop.front())));
  });
}

/// The same in both directions: begun at the end of the lower number, the corner that is farthest from the line is kept
/// until all others are near it (Ramer, Douglas and Peucker).
std::vector<int> SurfacePlanes::without_straight(std::vector<int> chain) const {
  const bool is_turned = std::lexicographical_compare(chain.rbegin(), chain.rend(), chain.begin(), chain.end());
  if (is_turned) std::ranges::reverse(chain);
  std::vector<int> kept = {chain.front()};
  std::vector<std::size_t> ends = {chain.size() - 1};  // of the part that is next, and of those behind it
  for (std::size_t begin = 0; !ends.empty();) {
    std::size_t farthest = begin;
    double largest = near_;
    for (std::size_t k = begin + 1; k < ends.back(); ++k) {
      const double distance = distance_from_segment(at(chain[k]), at(chain[begin]), at(chain[ends.back()]));
      if (distance > largest) largest = distance, farthest = k;
    }
    if (farthest > begin) {
      ends.push_back(farthest);
    } else {
      begin = ends.back();
      ends.pop_back();
      kept.push_back(chain[begin]);
    }
  }
  if (is_turned) std::ranges::reverse(kept);
  return kept;
}

/// By their coordinates, without those that no face has.
void SurfacePlanes::number_corners() {
  std::set<int> used;
  for_each_loop([&](int, const std::vector<int>& loop) { used.insert(loop.begin(), loop.end()); });
  std::vector<int> order(used.begin(), used.end());
  std::ranges::sort(order, [&](int i, int j) {
    const Vec3 &p = at(i), &q = at(j);
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  });
  std::map<int, int> number;
  std::vector<Vec3> points;
  for (const int corner : order) number[corner] = static_cast<int>(points.size()), points.push_back(at(corner));
  for_each_loop([&](int, std::vector<int>& loop) {
    for (int& corner : loop) corner = number[corner];
  });
  points_ = std::move(points);
}

void SurfacePlanes::find_planes() {
  for (const SurfaceFace& face : faces_) {
    Vec3 area = Vec3::Zero();
    for (const auto& loop : face.loops) area += double_area(points_, loop);
    normals_.push_back(area.normalized());
    double sum = 0;
    for (const int corner : face.loops.front()) sum += normals_.back().dot(at(corner));
    offsets_.push_back(sum / static_cast<double>(face.loops.front().size()));
  }
}

void SurfacePlanes::find_edges() {
  for_each_loop([&](int face, const std::vector<int>& loop) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int from = loop[k], to = loop[(k + 1) % loop.size()];
      Edge& edge = edges_[std::minmax(from, to)];
      int& side = from < to ? edge.left : edge.right;
      if (side >= 0) throw std::invalid_argument("two faces have the same edge at " + place_text(at(from)));
      side = face;
    }
  });
  for (const auto& [ends, edge] : edges_)
    if (edge.left < 0 || edge.right < 0)
      throw std::invalid_argument("the surface is open at the edge from " + place_text(at(ends.first)) + " to " +
                                  place_text(at(ends.second)));
}

void SurfacePlanes::check_volume() const {
  double six = 0;
  for (const auto& face : faces_)
    for (const auto& loop : face.loops) six += double_area(points_, loop).dot(at(loop.front()) - points_.front());
  if (!(six > 0))
    throw std::invalid_argument("the faces enclose no volume; seen from outside they run counter-clockwise");
}

double SurfacePlanes::bend_of(const Ends& ends, const Edge& edge) const {
  const Vec3 along = (at(ends.second) - at(ends.first)).normalized();
  return normal(edge.left).cross(normal(edge.right)).dot(along);
}

std::pair<bool, double> SurfacePlanes::over(int face, const Vec3& x) const {
  const Vec3 m = normal(face), foot = x - height(face, x) * m;
  int axis = 0;
  m.cwiseAbs().maxCoeff(&axis);
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  int winding = 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& loop : faces_[static_cast<std::size_t>(face)].loops) {
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3 p = at(loop[k]) - foot, q = at(loop[(k + 1) % loop.size()]) - foot, along = q - p;
      const double t = std::clamp(-p.dot(along) / along.squaredNorm(), 0.0, 1.0);
      nearest = std::min(nearest, (p + t * along).norm());
      if ((p[v] <= 0) == (q[v] <= 0)) continue;
      const double side = p[u] * q[v] - p[v] * q[u];
      if (p[v] <= 0 && side > 0) ++winding;
      if (q[v] <= 0 && side < 0) --winding;
    }
  }
  return {winding != 0, nearest};
}

Box SurfacePlanes::box_of_face(int face) const {
  Box box;
  for (const int corner : faces_[static_cast<std::size_t>(face)].loops.front()) box.include(at(corner));
  return box.widened(near_);
}

}  // namespace jostle

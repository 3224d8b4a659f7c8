#include "scenarios/parts/convex_hull.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

#include "scenarios/parts/box_tree.hpp"

namespace jostle {
namespace {

struct FacePlane {
  Vec3 normal;
  double offset = 0;  ///< normal . x
  double area = 0;    ///< of the triangle that it is of
};

/// One call of qhull: the corners and planes of its triangles.
class Qhull {
 public:
  explicit Qhull(std::vector<double> coordinates) : coordinates_(std::move(coordinates)) {
    qh_zero(&qh_, nullptr);
    // What it prints about points that have no hull is not shown.
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> silence(std::fopen("/dev/null", "w"), std::fclose);
    char options[] = "qhull Qt";
    const int failed = qh_new_qhull(&qh_, 3, static_cast<int>(coordinates_.size() / 3), coordinates_.data(), False,
                                    options, silence.get(), silence.get());
    if (failed) {
      close();
      throw std::invalid_argument("the points have no convex hull: they lie in a plane");
    }
  }
  ~Qhull() { close(); }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  /// visit(the numbers of three points) for every triangle, in any direction.
  template <class Visit>
  void for_each_triangle(Visit visit) {
    for (const facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
      std::vector<int> corners;
      for (int k = 0; k < qh_setsize(&qh_, facet->vertices); ++k) {
        auto* vertex = static_cast<vertexT*>(facet->vertices->e[k].p);
        corners.push_back(qh_pointid(&qh_, vertex->point));
      }
      if (corners.size() == 3) visit(corners);
    }
  }

 private:
  void close() {
    int memory = 0, total = 0;
    qh_freeqhull(&qh_, !qh_ALL);
    qh_memfreeshort(&qh_, &memory, &total);
  }

  std::vector<double> coordinates_;
  qhT qh_;
};

std::vector<FacePlane> planes_of(const std::vector<Vec3>& points, std::set<int>& corners, const Vec3& inside) {
  std::vector<double> coordinates;
  for (const Vec3& point : points) coordinates.insert(coordinates.end(), point.data(), point.data() + 3);
  std::vector<FacePlane> planes;
  Qhull hull(std::move(coordinates));
  hull.for_each_triangle([&](const std::vector<int>& triangle) {
    const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(triangle[k])]; };
    corners.insert(triangle.begin(), triangle.end());
    const Vec3 across = (at(1) - at(0)).cross(at(2) - at(0));
    const double area = across.norm();
    if (!(area > 0)) return;
    Vec3 normal = across / area;
    if (normal.dot(at(0) - inside) < 0) normal = -normal;
    planes.push_back({normal, normal.dot(at(0)), area});
  });
  return planes;
}

/// The corners near a plane, without a look at all others: a ball of 20,000 corners has 40,000 planes.
class NearPlane {
 public:
  NearPlane(const std::vector<Vec3>& points, std::vector<int> corners, double near)
      : points_(points), corners_(std::move(corners)), near_(near) {
    std::vector<Box> boxes;
    for (const int corner : corners_) boxes.push_back({at(corner), at(corner)});
    constexpr int corners_of_leaf = 8;
    tree_ = BoxTree(boxes, corners_of_leaf);
    for (const Box& box : boxes) size_ = std::max({size_, box.largest.maxCoeff(), -box.least.minCoeff()});
  }

  /// In any order.
  std::vector<int> of(const FacePlane& plane) const {
    const double enough = near_ + 1e-12 * size_;  // whatever the rounding, no corner is lost with its box
    const auto is_below = [&](const Box& box) {
      const Vec3 highest = (plane.normal.array() > 0).select(box.largest, box.least);
      return plane.offset - plane.normal.dot(highest) > enough;
    };
    std::vector<int> corners;
    tree_.walk(is_below, [&](int item) {
      const int corner = corners_[static_cast<std::size_t>(item)];
      if (plane.offset - plane.normal.dot(at(corner)) <= near_) corners.push_back(corner);
    });
    return corners;
  }

 private:
  const Vec3& at(int corner) const { return points_[static_cast<std::size_t>(corner)]; }

  const std::vector<Vec3>& points_;
  std::vector<int> corners_;
  double near_, size_ = 0;
  BoxTree tree_;
};

/// Faces by their sorted corners, none of which has all its corners in one that came before.
class Faces {
 public:
  explicit Faces(std::size_t points) : at_corner_(points), marks_(points) {}

  void add(std::vector<int> corners, const Vec3& normal) {
    if (corners.size() < 3) return;
    ++mark_;
    for (const int corner : corners) marks_[static_cast<std::size_t>(corner)] = mark_;
    const auto faces_at = [&](int corner) -> auto& { return at_corner_[static_cast<std::size_t>(corner)]; };
    // One that has them all is at each of them; the tip of a cone is in all its faces.
    const int rarest = *std::ranges::min_element(corners, {}, [&](int corner) { return faces_at(corner).size(); });
    const auto is_marked = [&](int corner) { return marks_[static_cast<std::size_t>(corner)] == mark_; };
    const auto contains = [&](const auto* face) {
      return static_cast<std::size_t>(std::ranges::count_if(*face, is_marked)) == corners.size();
    };
    if (std::ranges::any_of(faces_at(rarest), contains)) return;
    std::ranges::sort(corners);
    const auto face = all_.try_emplace(corners, normal).first;
    for (const int corner : corners) faces_at(corner).push_back(&face->first);
  }
  const std::map<std::vector<int>, Vec3>& all() const { return all_; }

 private:
  std::map<std::vector<int>, Vec3> all_;                         ///< its normal
  std::vector<std::vector<const std::vector<int>*>> at_corner_;  ///< [point]
  std::vector<std::size_t> marks_;                               ///< [point] mark_: a corner of the face that is added
  std::size_t mark_ = 0;
};

/// Sorts corners counter-clockwise about the normal and leaves out those on a straight line.
std::vector<int> outline(std::vector<int> corners, const Vec3& normal, const std::vector<Vec3>& points,
                         double tolerance) {
  const auto at = [&](int corner) { return points[static_cast<std::size_t>(corner)]; };
  Vec3 middle = Vec3::Zero();
  for (const int corner : corners) middle += at(corner) / static_cast<double>(corners.size());
  const Vec3 first = (at(corners[0]) - middle).normalized(), second = normal.cross(first);
  const auto angle = [&](int corner) {
    const Vec3 arm = at(corner) - middle;
    return std::atan2(arm.dot(second), arm.dot(first));
  };
  std::ranges::sort(corners, {}, angle);
  while (true) {  // until all that is left sticks out from the line between its neighbours, which may be left out, too
    std::vector<int> kept;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 before = at(kept.empty() ? corners.back() : kept.back());
      const Vec3 along = at(corners[(k + 1) % corners.size()]) - before;
      const double height = (at(corners[k]) - before).cross(along).dot(normal) / along.norm();
      if (height > tolerance) kept.push_back(corners[k]);
    }
    if (kept.size() == corners.size() || kept.size() < 3) return kept;
    corners = std::move(kept);
  }
}

ConvexHull hull_within(double near, const std::vector<Vec3>& points, const std::set<int>& found,
                       const std::vector<FacePlane>& planes) {
  const NearPlane corners_near(points, {found.begin(), found.end()}, near);
  Faces faces(points.size());
  for (const FacePlane& plane : planes) faces.add(corners_near.of(plane), plane.normal);
  std::set<int> used;
  ConvexHull hull;
  for (const auto& [corners, normal] : faces.all()) {
    std::vector<int> polygon = outline(corners, normal, points, near);
    if (polygon.size() < 3) continue;
    std::rotate(polygon.begin(), std::ranges::min_element(polygon), polygon.end());
    used.insert(polygon.begin(), polygon.end());
    hull.faces.push_back({polygon, normal});
  }
  std::map<int, int> number;
  for (const int corner : used) {
    number[corner] = static_cast<int>(hull.points.size());
    hull.points.push_back(points[static_cast<std::size_t>(corner)]);
  }
  for (HullFace& face : hull.faces)
    for (int& corner : face.corners) corner = number[corner];
  std::ranges::sort(hull.faces, {}, &HullFace::corners);
  return hull;
}

/// Whether every edge has two faces, which run along it in different directions: none lies over another.
bool is_closed(const ConvexHull& hull) {
  std::set<std::pair<int, int>> edges;
  std::size_t count = 0;
  for (const HullFace& face : hull.faces)
    for (std::size_t k = 0; k < face.corners.size(); ++k, ++count)
      edges.emplace(face.corners[k], face.corners[(k + 1) % face.corners.size()]);
  return edges.size() == count && std::ranges::all_of(edges, [&](const std::pair<int, int>& edge) {
           return edges.contains({edge.second, edge.first});
         });
}

}  // namespace

ConvexHull convex_hull(const std::vector<Vec3>& points, double tolerance) {
  if (points.size() < 4) throw std::invalid_argument("a convex hull needs four points");
  Vec3 least = points.front(), largest = least, middle = Vec3::Zero();
  for (const Vec3& point : points) {
    least = least.cwiseMin(point), largest = largest.cwiseMax(point);
    middle += point / static_cast<double>(points.size());
  }
  const double near = tolerance * (largest - least).norm();
  std::set<int> found;
  std::vector<FacePlane> planes = planes_of(points, found, middle);
  std::ranges::stable_sort(planes, std::greater<>{},
                           &FacePlane::area);  // the largest triangle decides the plane of a face
  ConvexHull hull = hull_within(near, points, found, planes);
  if (is_closed(hull)) return hull;
  // Corners are rounded as much as `near`, or edges as fine as that: the first want more, the others less.
  for (const double factor : {2.0, 4.0, 8.0, 0.1, 0.01, 1e-3, 1e-4}) {
    ConvexHull other = hull_within(factor * near, points, found, planes);
    if (!is_closed(other)) continue;
    // A scenario has the corners alone, of which the faces are found again: these are the same.
    return other.points.size() < points.size() ? convex_hull(other.points, tolerance) : other;
  }
  return hull;
}

}  // namespace jostle

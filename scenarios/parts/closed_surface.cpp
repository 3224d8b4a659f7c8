#include "scenarios/parts/closed_surface.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/geometry/lines.hpp"
#include "scenarios/parts/box_tree.hpp"
#include "scenarios/parts/face_merger.hpp"

namespace jostle {
namespace {

/// Edges that bend by less (sine) are flat, and touch nothing.
constexpr double flat_edge = 1e-9;

/// Most items of a leaf of a tree of boxes.
constexpr int items_of_leaf = 8;

double size_of_points(const std::vector<Vec3>& points) {
  Vec3 least = points.front(), largest = least;
  for (const Vec3& point : points) least = least.cwiseMin(point), largest = largest.cwiseMax(point);
  return (largest - least).norm();
}

struct Edge {
  int left = -1, right = -1;  ///< faces beside the way from the lower corner to the higher one
};

/// What is found out about faces in their planes.
class SurfaceMaker {
 public:
  SurfaceMaker(std::vector<Vec3> points, std::vector<SurfaceFace> faces, double near)
      : points_(std::move(points)), faces_(std::move(faces)), near_(near) {
    drop_straight_corners();
    number_corners();
    find_planes();
    find_edges();
    check_volume();
    check_crossings();
  }

  ClosedSurface made() {
    ClosedSurface surface;
    const std::vector<bool> touches = touching_corners();
    std::vector<int> order(points_.size()), number(points_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int i, int j) { return touches[index(i)] && !touches[index(j)]; });
    for (std::size_t k = 0; k < order.size(); ++k) {
      number[index(order[k])] = static_cast<int>(k);
      surface.points.push_back(at(order[k]));
      surface.convex_corners += touches[index(order[k])] ? 1 : 0;
    }
    surface.thickness = thickness();
    bool any_concave = false;
    for (const auto& [ends, edge] : edges_) {
      const double bend = bend_of(ends, edge);
      any_concave = any_concave || bend < -flat_edge;
      if (bend <= flat_edge)
        surface.concave_or_flat.insert(std::minmax(number[index(ends.first)], number[index(ends.second)]));
    }
    for (SurfaceFace& face : faces_) {
      for (auto& loop : face.loops) {
        for (int& corner : loop) corner = number[index(corner)];
        std::rotate(loop.begin(), std::ranges::min_element(loop), loop.end());
      }
      std::sort(face.loops.begin() + 1, face.loops.end());
      surface.faces.push_back(face);
    }
    std::ranges::sort(surface.faces, {}, &SurfaceFace::loops);
    surface.is_convex = !any_concave && is_connected();
    return surface;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const Vec3& at(int corner) const { return points_[index(corner)]; }

  void for_each_loop(auto visit) {
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (auto& loop : faces_[f].loops) visit(static_cast<int>(f), loop);
  }

  /// Where only two faces meet, the corner lies on the line between its neighbours.
  void drop_straight_corners() {
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
      std::vector<int> kept;
      for (std::size_t k = 0; k < loop.size(); ++k) {
        if (is_end(loop[k])) {
          kept.push_back(loop[k]);
          continue;
        }
        std::size_t end = k;
        while (end < loop.size() && !is_end(loop[end])) ++end;
        const Vec3 from = at(kept.back()), to = at(loop[end % loop.size()]), along = (to - from).normalized();
        if (((at(loop[k]) - from).cross(along)).norm() > near_) kept.push_back(loop[k]);
      }
      loop = kept;
    });
    for_each_loop([&](int, const std::vector<int>& loop) {
      if (loop.size() < 3) throw std::invalid_argument("two faces fold onto each other at " + text(at(loop.front())));
    });
  }

  /// By their coordinates, without those that no face has.
  void number_corners() {
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

  void find_planes() {
    for (const SurfaceFace& face : faces_) {
      Vec3 area = Vec3::Zero();
      for (const auto& loop : face.loops) area += double_area(points_, loop);
      normals_.push_back(area.normalized());
      double sum = 0;
      for (const int corner : face.loops.front()) sum += normals_.back().dot(at(corner));
      offsets_.push_back(sum / static_cast<double>(face.loops.front().size()));
    }
  }

  void find_edges() {
    for_each_loop([&](int face, const std::vector<int>& loop) {
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int from = loop[k], to = loop[(k + 1) % loop.size()];
        Edge& edge = edges_[std::minmax(from, to)];
        int& side = from < to ? edge.left : edge.right;
        if (side >= 0) throw std::invalid_argument("two faces have the same edge at " + text(at(from)));
        side = face;
      }
    });
    for (const auto& [ends, edge] : edges_)
      if (edge.left < 0 || edge.right < 0)
        throw std::invalid_argument("the surface is open at the edge from " + text(at(ends.first)) + " to " +
                                    text(at(ends.second)));
  }

  void check_volume() const {
    double six = 0;
    for (const auto& face : faces_)
      for (const auto& loop : face.loops) six += double_area(points_, loop).dot(at(loop.front()) - points_.front());
    if (!(six > 0))
      throw std::invalid_argument("the faces enclose no volume; seen from outside they run counter-clockwise");
  }

  double height(int face, const Vec3& x) const { return normals_[index(face)].dot(x) - offsets_[index(face)]; }

  /// > 0 convex, the sine of the angle between the normals.
  double bend_of(const std::pair<int, int>& ends, const Edge& edge) const {
    const Vec3 along = (at(ends.second) - at(ends.first)).normalized();
    return normals_[index(edge.left)].cross(normals_[index(edge.right)]).dot(along);
  }

  /// Whether the foot of a point on a face lies in it, and how far from its edges.
  std::pair<bool, double> over(int face, const Vec3& x) const {
    const Vec3 m = normals_[index(face)], foot = x - height(face, x) * m;
    int axis = 0;
    m.cwiseAbs().maxCoeff(&axis);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int winding = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (const auto& loop : faces_[index(face)].loops) {
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

  static std::string text(const Vec3& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p[0], p[1], p[2]); }

  Box box_of_edge(const std::pair<int, int>& ends) const {
    Box box;
    box.include(at(ends.first)), box.include(at(ends.second));
    return box.widened(near_);
  }
  Box box_of_face(std::size_t f) const {
    Box box;
    for (const int corner : faces_[f].loops.front()) box.include(at(corner));
    return box.widened(near_);
  }

  /// No edge goes through the inside of a face, or meets an edge with which it shares no corner.
  void check_crossings() const {
    std::vector<std::pair<int, int>> edges;
    std::vector<Box> of_edges, of_faces;
    for (const auto& [ends, edge] : edges_) edges.push_back(ends), of_edges.push_back(box_of_edge(ends));
    for (std::size_t f = 0; f < faces_.size(); ++f) of_faces.push_back(box_of_face(f));
    const BoxTree edge_tree(of_edges, items_of_leaf), face_tree(of_faces, items_of_leaf);
    for (std::size_t e = 0; e < edges.size(); ++e)
      edge_tree.visit(of_edges[e], [&](int other) {
        if (index(other) > e) check_edges(edges[e], edges[index(other)]);
      });
    for (std::size_t e = 0; e < edges.size(); ++e)
      face_tree.visit(of_edges[e], [&](int f) { check_edge_and_face(edges[e], f); });
  }

  void check_edges(const std::pair<int, int>& one, const std::pair<int, int>& other) const {
    const auto [a, b] = one;
    const auto [c, d] = other;
    if (a == c || a == d || b == c || b == d || apart(at(a), at(b), at(c), at(d)) > near_) return;
    throw std::invalid_argument(
        fmt::format("the surface goes through itself: the edge from {} to {} meets the edge from {} to {}", text(at(a)),
                    text(at(b)), text(at(c)), text(at(d))));
  }

  void check_edge_and_face(const std::pair<int, int>& ends, int f) const {
    const Vec3 &p = at(ends.first), &q = at(ends.second);
    const double at_p = height(f, p), at_q = height(f, q);
    if (!(std::min(at_p, at_q) < -near_ && std::max(at_p, at_q) > near_)) return;
    const auto [is_inside, nearest] = over(f, p + at_p / (at_p - at_q) * (q - p));
    if (is_inside && nearest > near_)
      throw std::invalid_argument(
          fmt::format("the surface goes through itself: the edge from {} to {} passes through the face at {}", text(p),
                      text(q), text(at(faces_[index(f)].loops.front().front()))));
  }

  /// Of two segments, m.
  static double apart(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = d - c;
    return std::sqrt(squared_segment_distance(0.5 * (a + b), u.normalized(), 0.5 * u.norm(), 0.5 * (c + d),
                                              v.normalized(), 0.5 * v.norm()));
  }

  bool is_connected() const {
    std::vector<int> root(points_.size());
    std::iota(root.begin(), root.end(), 0);
    const auto root_of = [&](int i) {
      while (root[index(i)] != i) i = root[index(i)];
      return i;
    };
    for (const auto& [ends, edge] : edges_) root[index(root_of(ends.first))] = root_of(ends.second);
    for (int i = 1; i < static_cast<int>(root.size()); ++i)
      if (root_of(i) != root_of(0)) return false;
    return true;
  }

  /// A corner touches if the solid about it lies in a cone that is less than a half-space: no face bends inwards there,
  /// its edges have a direction from which all lead away, and that which leads away least is convex.
  std::vector<bool> touching_corners() const {
    std::vector<std::vector<Vec3>> leaving(points_.size());
    std::vector<std::vector<bool>> is_convex(points_.size());
    for (const auto& [ends, edge] : edges_) {
      const Vec3 along = (at(ends.second) - at(ends.first)).normalized();
      leaving[index(ends.first)].push_back(along), leaving[index(ends.second)].push_back(-along);
      for (const int end : {ends.first, ends.second}) is_convex[index(end)].push_back(bend_of(ends, edge) > flat_edge);
    }
    std::vector<bool> touches;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 outwards = direction_before(leaving[i]);
      double most = -1;
      bool convex = false;
      for (std::size_t e = 0; e < leaving[i].size(); ++e)
        if (leaving[i][e].dot(outwards) > most) most = leaving[i][e].dot(outwards), convex = is_convex[i][e];
      touches.push_back(outwards.norm() > 0.5 && convex);
    }
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      for (const auto& loop : faces_[f].loops) {
        for (std::size_t k = 0, n = loop.size(); k < n; ++k) {
          const Vec3 before = (at(loop[k]) - at(loop[(k + n - 1) % n])).normalized(),
                     after = (at(loop[(k + 1) % n]) - at(loop[k])).normalized();
          if (before.cross(after).dot(normals_[f]) <= flat_edge) touches[index(loop[k])] = false;
        }
      }
    }
    return touches;
  }

  /// A unit vector from which all directions lead away; 0 if there is none. Normals of two of them that have all others
  /// behind them bound the cone of such vectors; their mean lies in it.
  static Vec3 direction_before(const std::vector<Vec3>& directions) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < directions.size(); ++i) {
      for (std::size_t j = 0; j < directions.size(); ++j) {
        const Vec3 normal = directions[i].cross(directions[j]);
        if (!(normal.norm() > flat_edge)) continue;
        const Vec3 unit = normal.normalized();
        if (std::ranges::all_of(directions, [&](const Vec3& d) { return d.dot(unit) <= flat_edge; })) sum += unit;
      }
    }
    if (!(sum.norm() > flat_edge)) return Vec3::Zero();
    sum.normalize();
    const bool all = std::ranges::all_of(directions, [&](const Vec3& d) { return d.dot(sum) < -flat_edge; });
    return all ? sum : Vec3(Vec3::Zero());
  }

  double thickness() const {
    double least = size_of_points(points_);
    std::vector<Box> boxes;
    for (const Vec3& point : points_) boxes.push_back({point, point});
    const BoxTree tree(boxes, items_of_leaf);
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      const Box face = box_of_face(index(f));
      const Vec3 middle = 0.5 * (face.least + face.largest), &normal = normals_[index(f)];
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
        const double depth = -height(f, at(corner));
        if (!(depth > near_ && depth < least) || is_beside(at(corner), 0)) return;
        const auto [is_inside, nearest] = over(f, at(corner));
        if (is_inside || nearest <= near_) least = depth;
      });
    }
    return least;
  }

  std::vector<Vec3> points_;
  std::vector<SurfaceFace> faces_;
  double near_;
  std::vector<Vec3> normals_;
  std::vector<double> offsets_;
  std::map<std::pair<int, int>, Edge> edges_;
};

}  // namespace

ClosedSurface closed_surface(const TriangleMesh& mesh, double tolerance) {
  const double near = tolerance * size_of_points(mesh.points);
  return SurfaceMaker(mesh.points, merged_faces(mesh, near), near).made();
}

ClosedSurface closed_surface(const std::vector<Vec3>& points, const std::vector<SurfaceFace>& faces, double tolerance) {
  return SurfaceMaker(points, faces, tolerance * size_of_points(points)).made();
}

}  // namespace jostle

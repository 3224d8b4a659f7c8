#pragma once
// Signed distance of two shapes by brute force; shares no code with core/geometry.
//
// Every shape but the cylinder is {x : |x - core| <= radius} with the core p + U s, s in [-1, 1]^d. The
// distance of two cores is a least-squares problem in s with bounds, solved by trying every combination
// of free, lower and upper (3^6 at most). Where the cores overlap, the depth is the least distance of
// the origin from a plane through three vertices of the Minkowski difference that supports it.
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tests/geometry/placements.hpp"

namespace jostle::test {

struct Core {
  Vec3 centre;
  Eigen::MatrixXd spans;  ///< 3 x d
  double radius;
};

inline Core core_of(const PlacedShape& shape) {
  Core core{shape.position, Eigen::MatrixXd(3, 0), 0};
  if (shape.type == ShapeType::sphere) core.radius = shape.size[0];
  if (shape.type == ShapeType::capsule) {
    core.radius = shape.size[0];
    core.spans = shape.axes.col(2) * shape.size[1];
  }
  if (shape.type == ShapeType::box) core.spans = shape.axes * shape.size.asDiagonal();
  return core;
}

struct CoreDistance {
  double distance = std::numeric_limits<double>::infinity();
  int freedom = 6;  ///< dimensions of the two features that are closest: 2 for corner-face and edge-edge
};

/// min |centre + spans s| over s in [-1, 1]^d.
inline CoreDistance least_norm(const Vec3& centre, const Eigen::MatrixXd& spans) {
  const int d = static_cast<int>(spans.cols());
  int combinations = 1;
  for (int i = 0; i < d; ++i) combinations *= 3;
  CoreDistance best;
  for (int code = 0; code < combinations; ++code) {
    Vec3 fixed = centre;
    std::vector<int> free;
    for (int i = 0, rest = code; i < d; ++i, rest /= 3) {
      if (rest % 3 == 0)
        free.push_back(i);
      else
        fixed += (rest % 3 == 1 ? -1.0 : 1.0) * spans.col(i);
    }
    if (free.size() > 3) continue;  // redundant: three directions fill space
    Vec3 point = fixed;
    if (!free.empty()) {
      const Eigen::MatrixXd part = spans(Eigen::all, free);
      const Eigen::VectorXd s = part.colPivHouseholderQr().solve(-fixed);
      if (!s.allFinite() || s.cwiseAbs().maxCoeff() > 1) continue;
      point += part * s;
    }
    const int freedom = static_cast<int>(free.size());
    const double norm = point.norm();
    if (norm < best.distance - 1e-12 || (norm < best.distance + 1e-12 && freedom < best.freedom))
      best = {norm, freedom};
  }
  return best;
}

inline std::vector<Vec3> vertices(const Vec3& centre, const Eigen::MatrixXd& spans) {
  std::vector<Vec3> list;
  for (int code = 0; code < (1 << spans.cols()); ++code) {
    Vec3 x = centre;
    for (int i = 0; i < spans.cols(); ++i) x += ((code >> i) & 1 ? 1.0 : -1.0) * spans.col(i);
    list.push_back(x);
  }
  return list;
}

/// Distance of the origin, inside, from the surface of the convex hull of the points.
inline double depth_in_hull(const std::vector<Vec3>& points) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j)
      for (std::size_t k = j + 1; k < points.size(); ++k) {
        Vec3 n = (points[j] - points[i]).cross(points[k] - points[i]);
        if (n.norm() < 1e-9) continue;
        n.normalize();
        const double offset = n.dot(points[i]);
        if (std::abs(offset) >= least) continue;
        const auto outside = [&](double sign) {
          return std::any_of(points.begin(), points.end(),
                             [&](const Vec3& p) { return sign * (n.dot(p) - offset) > 1e-9; });
        };
        if (!outside(1) || !outside(-1)) least = std::abs(offset);
      }
  return least;
}

inline CoreDistance core_distance(const Core& a, const Core& b) {
  Eigen::MatrixXd spans(3, a.spans.cols() + b.spans.cols());
  spans << a.spans, b.spans;
  return least_norm(b.centre - a.centre, spans);
}

/// Least height of a shape above the plane; a cylinder by 20,000 points of each rim (1e-8 of the radius).
inline double brute_force_height(const PlacedShape& a, const PlacedShape& plane) {
  std::vector<Vec3> points;
  double radius = 0;
  if (a.type == ShapeType::cylinder) {
    for (int i = 0; i < 20000; ++i) {
      const double angle = 6.283185307179586 * i / 20000;
      const Vec3 arm = a.size[0] * (std::cos(angle) * a.axes.col(0) + std::sin(angle) * a.axes.col(1));
      points.push_back(a.position + a.size[1] * a.axes.col(2) + arm);
      points.push_back(a.position - a.size[1] * a.axes.col(2) + arm);
    }
  } else {
    const Core core = core_of(a);
    points = vertices(core.centre, core.spans);
    radius = core.radius;
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& x : points) least = std::min(least, plane.axes.col(2).dot(x - plane.position));
  return least - radius;
}

// With a cylinder: the distance of convex sets from projections on them (closed forms). In overlap, the depth is the
// least translation that separates them: from a direction n, b is moved out by L n; the direction of the shortest
// connection then is a better n, L (1 - n . n') shorter at least. Begun from the best of many directions.

inline Vec3 projected_on(const PlacedShape& shape, const Vec3& x) {
  Vec3 y = shape.axes.transpose() * (x - shape.position);
  if (shape.type == ShapeType::box) {
    y = y.cwiseMax(-shape.size).cwiseMin(shape.size);
  } else if (shape.type == ShapeType::cylinder) {
    y[2] = std::clamp(y[2], -shape.size[1], shape.size[1]);
    const double radial = std::hypot(y[0], y[1]);
    if (radial > shape.size[0]) y.head<2>() *= shape.size[0] / radial;
  } else {  // the core
    const double half_length = shape.type == ShapeType::capsule ? shape.size[1] : 0;
    y = Vec3(0, 0, std::clamp(y[2], -half_length, half_length));
  }
  return shape.position + shape.axes * y;
}

inline double radius_of_core(const PlacedShape& shape) {
  return shape.type == ShapeType::sphere || shape.type == ShapeType::capsule ? shape.size[0] : 0;
}

/// The points of the cores that are closest, by accelerated projections.
inline std::pair<Vec3, Vec3> closest_points(const PlacedShape& a, const PlacedShape& b) {
  Vec3 x = projected_on(a, b.position), before = x, ahead = x;
  double momentum = 1;
  for (int i = 0; i < 4000; ++i) {
    x = projected_on(a, projected_on(b, ahead));
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    if ((ahead - x).dot(x - before) > 0) momentum = 1;  // restart (O'Donoghue and Candes 2015)
    ahead = x + (momentum - 1) / next * (x - before);
    momentum = next;
    if (i > 50 && (x - before).norm() < 1e-16 && (ahead - x).norm() < 1e-16) break;
    before = x;
  }
  return {x, projected_on(b, x)};
}

inline Vec3 shortest_connection(const PlacedShape& a, const PlacedShape& b) {
  const auto [x, y] = closest_points(a, b);
  return y - x;
}

/// How far the cores are apart along n.
inline double gap_along(const PlacedShape& a, const PlacedShape& b, const Vec3& n) {
  const auto reach = [](const PlacedShape& shape, const Vec3& m) -> double {
    const Vec3 local = shape.axes.transpose() * m;
    if (shape.type == ShapeType::box) return local.cwiseAbs().dot(shape.size);
    if (shape.type == ShapeType::cylinder)
      return shape.size[0] * std::hypot(local[0], local[1]) + shape.size[1] * std::abs(local[2]);
    return shape.type == ShapeType::capsule ? shape.size[1] * std::abs(local[2]) : 0;
  };
  return n.dot(b.position - a.position) - reach(a, n) - reach(b, n);
}

inline double brute_force_with_cylinder(const PlacedShape& a, const PlacedShape& b) {
  const double radii = radius_of_core(a) + radius_of_core(b);
  const double apart = shortest_connection(a, b).norm();
  if (apart > 1e-6) return apart - radii;
  Random random(1);
  std::vector<std::pair<double, Vec3>> starts;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 n = random.direction();
    starts.push_back({gap_along(a, b, n), n});
  }
  std::partial_sort(starts.begin(), starts.begin() + 8, starts.end(),
                    [](const auto& p, const auto& q) { return p.first > q.first; });
  double greatest = starts[0].first;
  for (int start = 0; start < 8; ++start) {
    Vec3 n = starts[start].second;
    for (int i = 0; i < 200; ++i) {
      const double length = 0.1 - gap_along(a, b, n);
      PlacedShape moved = b;
      moved.position += length * n;
      const Vec3 next = shortest_connection(a, moved).normalized();
      greatest = std::max(greatest, gap_along(a, b, next));
      const double turn = (next - n).norm();
      n = next;
      if (turn < 1e-12) break;
    }
  }
  return greatest - radii;
}

inline double brute_force_distance(const PlacedShape& a, const PlacedShape& b) {
  if (b.type == ShapeType::half_space) return brute_force_height(a, b);
  if (b.type == ShapeType::cylinder) return brute_force_with_cylinder(a, b);
  const Core core_a = core_of(a), core_b = core_of(b);
  const double apart = core_distance(core_a, core_b).distance;
  if (apart > 1e-11) return apart - core_a.radius - core_b.radius;
  Eigen::MatrixXd spans(3, core_a.spans.cols() + core_b.spans.cols());
  spans << core_a.spans, core_b.spans;
  return -depth_in_hull(vertices(core_b.centre - core_a.centre, spans)) - core_a.radius - core_b.radius;
}

/// Signed distance of a world point from the surface of a shape, by the same means: 0 on it, negative inside. Outside a
/// box or cylinder it is less than the distance where an edge is nearest, but still positive.
inline double height_over_surface(const Vec3& x, const PlacedShape& shape) {
  if (shape.type == ShapeType::half_space) return shape.axes.col(2).dot(x - shape.position);
  const Vec3 local = shape.axes.transpose() * (x - shape.position);
  if (shape.type == ShapeType::cylinder)
    return std::max(std::hypot(local[0], local[1]) - shape.size[0], std::abs(local[2]) - shape.size[1]);
  if (shape.type == ShapeType::box) return (local.cwiseAbs() - shape.size).maxCoeff();
  const Core core = core_of(shape);
  return least_norm(x - core.centre, core.spans).distance - core.radius;
}

}  // namespace jostle::test

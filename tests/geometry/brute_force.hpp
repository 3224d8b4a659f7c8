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
#include <limits>
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

inline double brute_force_distance(const PlacedShape& a, const PlacedShape& b) {
  if (b.type == ShapeType::half_space) return brute_force_height(a, b);
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

#include "scenarios/parts/prism_surface.hpp"

#include <algorithm>
#include <cmath>

namespace jostle {
namespace {

using PlanePoint = std::array<double, 2>;

double turn(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double distance(const PlanePoint& x, const PlanePoint& p, const PlanePoint& q) {
  const double u = q[0] - p[0], v = q[1] - p[1];
  const double t = std::clamp(((x[0] - p[0]) * u + (x[1] - p[1]) * v) / (u * u + v * v), 0.0, 1.0);
  return std::hypot(x[0] - p[0] - t * u, x[1] - p[1] - t * v);
}

bool cross(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d) {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

double distance(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& d) {
  if (cross(a, b, c, d)) return 0;
  return std::min({distance(a, c, d), distance(b, c, d), distance(c, a, b), distance(d, a, b)});
}

bool is_inside(const PlanePoint& x, const PlaneLoop& loop) {
  bool inside = false;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const PlanePoint &p = loop[k], &q = loop[(k + 1) % loop.size()];
    if ((p[1] <= x[1]) != (q[1] <= x[1]) && (turn(p, q, x) > 0) == (q[1] > p[1])) inside = !inside;
  }
  return inside;
}

double twice_the_area(const PlaneLoop& loop) {
  double sum = 0;
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) sum += turn(loop[0], loop[k], loop[k + 1]);
  return sum;
}

/// Without corners on the line between their neighbours.
PlaneLoop without_straight(const PlaneLoop& loop, double near) {
  PlaneLoop kept = loop;
  for (std::size_t k = 0; k < kept.size() && kept.size() > 3;) {
    const PlanePoint &before = kept[(k + kept.size() - 1) % kept.size()], &after = kept[(k + 1) % kept.size()];
    if (distance(kept[k], before, after) <= near)
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
    else
      ++k;
  }
  return kept;
}

}  // namespace

std::optional<LoopFault> fault_of(const std::vector<PlaneLoop>& loops, double near) {
  const auto edge = [&](std::size_t l, std::size_t k) {
    return std::pair(loops[l][k], loops[l][(k + 1) % loops[l].size()]);
  };
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (std::size_t k = 0; k < loops[l].size(); ++k) {
      const auto [a, b] = edge(l, k);
      if (std::hypot(b[0] - a[0], b[1] - a[1]) <= near)
        return LoopFault{l, (k + 1) % loops[l].size(), " is the point before it"};
    }
  }
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const std::size_t n = loops[l].size();
    for (std::size_t k = 0; k < n; ++k) {
      const auto [a, b] = edge(l, k);
      const PlanePoint& next = loops[l][(k + 2) % n];
      if (distance(next, a, b) <= near || distance(a, b, next) <= near)
        return LoopFault{l, (k + 1) % n, ": the edges at it fold onto each other"};
    }
  }
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (std::size_t k = 0; k < loops[l].size(); ++k) {
      const auto [a, b] = edge(l, k);
      for (std::size_t m = l; m < loops.size(); ++m) {
        for (std::size_t i = m == l ? k + 2 : 0; i < loops[m].size(); ++i) {
          if (m == l && (i + 1) % loops[m].size() == k) continue;
          const auto [c, d] = edge(m, i);
          if (distance(a, b, c, d) > near) continue;
          return LoopFault{m, i, ": the edge that begins here touches or crosses another one"};
        }
      }
    }
  }
  for (std::size_t l = 1; l < loops.size(); ++l) {
    if (!is_inside(loops[l][0], loops[0])) return LoopFault{l, 0, ": the hole lies outside of the outline"};
    for (std::size_t m = 1; m < loops.size(); ++m)
      if (m != l && is_inside(loops[l][0], loops[m])) return LoopFault{l, 0, ": the hole lies in another hole"};
  }
  return {};
}

ClosedSurface prism_surface(const std::vector<PlaneLoop>& loops, double height, int axis, double tolerance) {
  const int first = axis == 0 ? 1 : 0, second = 3 - axis - first;
  std::vector<Vec3> points;
  std::vector<SurfaceFace> faces(2);
  PlanePoint least = loops[0][0], most = least;
  for (const PlanePoint& x : loops[0])
    for (std::size_t k = 0; k < 2; ++k) least[k] = std::min(least[k], x[k]), most[k] = std::max(most[k], x[k]);
  const double near = tolerance * std::hypot(most[0] - least[0], most[1] - least[1], height);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    PlaneLoop loop = without_straight(loops[l], near);
    // [x, z] is turned the other way round: seen along y, x is on the left of z.
    if ((twice_the_area(loop) > 0) != ((l == 0) != (axis == 1))) std::ranges::reverse(loop);
    const int begin = static_cast<int>(points.size()), count = static_cast<int>(loop.size());
    std::vector<int> upper, lower;
    for (int k = 0; k < count; ++k) {
      for (const double side : {-0.5, 0.5}) {
        Vec3& point = points.emplace_back(Vec3::Zero());
        point[first] = loop[static_cast<std::size_t>(k)][0], point[second] = loop[static_cast<std::size_t>(k)][1];
        point[axis] = side * height;
      }
      const int next = (k + 1) % count;
      upper.push_back(begin + 2 * k + 1);
      lower.insert(lower.begin(), begin + 2 * k);
      faces.push_back({{{begin + 2 * k, begin + 2 * next, begin + 2 * next + 1, begin + 2 * k + 1}}});
    }
    faces[0].loops.push_back(lower), faces[1].loops.push_back(upper);
  }
  return closed_surface(points, faces, tolerance);
}

}  // namespace jostle

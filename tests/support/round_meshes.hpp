#pragma once
// Closed meshes of any number of triangles with the same shape.
#include <cmath>
#include <functional>
#include <numbers>

#include "scenarios/parts/triangle_mesh.hpp"

namespace jostle::test {

/// 2 n (m - 1) triangles; `radius`: in m, of a unit vector.
inline TriangleMesh round_mesh(int n, int m, const std::function<double(const Vec3&)>& radius) {
  TriangleMesh mesh;
  const auto add = [&](const Vec3& x) { mesh.points.push_back(radius(x) * x); };
  add({0, 0, -1});
  for (int j = 1; j < m; ++j) {
    for (int i = 0; i < n; ++i) {
      const double t = std::numbers::pi * j / m, p = 2 * std::numbers::pi * i / n;
      add({std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), -std::cos(t)});
    }
  }
  add({0, 0, 1});
  const auto at = [&](int j, int i) { return 1 + (j - 1) * n + i % n; };
  const int last = static_cast<int>(mesh.points.size()) - 1;
  for (int i = 0; i < n; ++i) {
    mesh.triangles.push_back({0, at(1, i + 1), at(1, i)});
    mesh.triangles.push_back({at(m - 1, i), at(m - 1, i + 1), last});
    for (int j = 1; j < m - 1; ++j) {
      mesh.triangles.push_back({at(j, i), at(j, i + 1), at(j + 1, i + 1)});
      mesh.triangles.push_back({at(j, i), at(j + 1, i + 1), at(j + 1, i)});
    }
  }
  return mesh;
}

/// Convex but for rounding.
inline TriangleMesh round_ball(int n, int m) {
  return round_mesh(n, m, [](const Vec3&) { return 0.02; });
}

/// With dents.
inline TriangleMesh bumpy_ball(int n, int m) {
  return round_mesh(n, m, [](const Vec3& x) {
    const double along = std::atan2(x[1], x[0]), from_pole = std::acos(std::fmax(-1.0, std::fmin(1.0, x[2])));
    const double sine = std::sin(from_pole);
    return 0.02 * (1 + 0.02 * std::cos(6 * along) * sine * sine * sine + 0.02 * std::cos(6 * from_pole));
  });
}

}  // namespace jostle::test

// Corners of a closed surface that can touch another solid.
#include <Eigen/Geometry>
#include <algorithm>

#include "scenarios/parts/surface_parts.hpp"

namespace jostle {
namespace {

/// A unit vector from which all directions lead away; 0 if there is none. Normals of two of them that have all others
/// behind them bound the cone of such vectors; their mean lies in it.
Vec3 direction_before(const std::vector<Vec3>& directions) {
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

}  // namespace

std::vector<bool> touching_corners(const SurfacePlanes& surface) {
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  const std::size_t corners = surface.points().size();
  std::vector<std::vector<Vec3>> leaving(corners);
  std::vector<std::vector<bool>> is_convex(corners);
  for (const auto& [ends, edge] : surface.edges()) {
    const Vec3 along = (surface.at(ends.second) - surface.at(ends.first)).normalized();
    leaving[index(ends.first)].push_back(along), leaving[index(ends.second)].push_back(-along);
    for (const int end : {ends.first, ends.second})
      is_convex[index(end)].push_back(surface.bend_of(ends, edge) > flat_edge);
  }
  std::vector<bool> touches;
  for (std::size_t i = 0; i < corners; ++i) {
    const Vec3 outwards = direction_before(leaving[i]);
    double most = -1;
    bool convex = false;
    for (std::size_t e = 0; e < leaving[i].size(); ++e)
      if (leaving[i][e].dot(outwards) > most) most = leaving[i][e].dot(outwards), convex = is_convex[i][e];
    touches.push_back(outwards.norm() > 0.5 && convex);
  }
  for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
    for (const auto& loop : surface.faces()[index(f)].loops) {
      for (std::size_t k = 0, n = loop.size(); k < n; ++k) {
        const Vec3 before = (surface.at(loop[k]) - surface.at(loop[(k + n - 1) % n])).normalized(),
                   after = (surface.at(loop[(k + 1) % n]) - surface.at(loop[k])).normalized();
        if (before.cross(after).dot(surface.normal(f)) <= flat_edge) touches[index(loop[k])] = false;
      }
    }
  }
  return touches;
}

}  // namespace jostle

#include "scenarios/parts/surface_crossings.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/geometry/lines.hpp"
#include "scenarios/parts/surface_parts.hpp"

namespace jostle {
namespace {

using Ends = SurfacePlanes::Ends;

Box box_of_edge(const SurfacePlanes& surface, const Ends& ends, double near) {
  Box box;
  box.include(surface.at(ends.first)), box.include(surface.at(ends.second));
  return box.widened(near);
}

/// Of two segments, m.
double apart(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c;
  return std::sqrt(squared_segment_distance(0.5 * (a + b), u.normalized(), 0.5 * u.norm(), 0.5 * (c + d),
                                            v.normalized(), 0.5 * v.norm()));
}

/// The point of the first of two segments that is nearest to the second one.
Vec3 nearest_place(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c;
  const auto nearest = [](const Vec3& x, const Vec3& from, const Vec3& along) -> Vec3 {
    return from + std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
  };
  const double product = u.dot(v), det = u.squaredNorm() * v.squaredNorm() - product * product;
  const double way = product * v.dot(a - c) - v.squaredNorm() * u.dot(a - c);
  const Vec3 first = a + (det > 0 ? std::clamp(way / det, 0.0, 1.0) : 0.0) * u;
  return nearest(nearest(first, c, v), a, u);
}

/// Of two edges, which may have a face in common.
std::pair<int, int> different_faces(const SurfacePlanes::Edge& one, const SurfacePlanes::Edge& other) {
  return one.left != other.left ? std::pair(one.left, other.left) : std::pair(one.left, other.right);
}

void check_edges(const SurfacePlanes& surface, const Ends& one, const Ends& other, double near) {
  if (one.first == other.first || one.first == other.second || one.second == other.first || one.second == other.second)
    return;
  const Vec3 &a = surface.at(one.first), &b = surface.at(one.second);
  const Vec3 &c = surface.at(other.first), &d = surface.at(other.second);
  if (apart(a, b, c, d) > near) return;
  throw SurfaceCrossing(
      fmt::format("the surface goes through itself: the edge from {} to {} meets the edge from {} to {}", place_text(a),
                  place_text(b), place_text(c), place_text(d)),
      nearest_place(a, b, c, d), different_faces(surface.edges().at(one), surface.edges().at(other)));
}

bool is_corner_of(const SurfacePlanes& surface, int corner, int face) {
  return std::ranges::any_of(surface.faces()[static_cast<std::size_t>(face)].loops, [&](const std::vector<int>& loop) {
    return std::ranges::find(loop, corner) != loop.end();
  });
}

/// An edge that begins or ends in a corner of the face leaves its plane there, and does not pass it anywhere else.
void check_edge_and_face(const SurfacePlanes& surface, const Ends& ends, int face) {
  const Vec3 &p = surface.at(ends.first), &q = surface.at(ends.second);
  const double at_p = surface.height(face, p), at_q = surface.height(face, q);
  if (!(std::min(at_p, at_q) < -surface.near() && std::max(at_p, at_q) > surface.near())) return;
  const Vec3 place = p + at_p / (at_p - at_q) * (q - p);
  const auto [is_inside, nearest] = surface.over(face, place);
  if (!is_inside || nearest <= surface.near()) return;
  if (is_corner_of(surface, ends.first, face) || is_corner_of(surface, ends.second, face)) return;
  const int corner = surface.faces()[static_cast<std::size_t>(face)].loops.front().front();
  throw SurfaceCrossing(
      fmt::format("the surface goes through itself: the edge from {} to {} passes through the face at {}",
                  place_text(p), place_text(q), place_text(surface.at(corner))),
      place, {surface.edges().at(ends).left, face});
}

}  // namespace

void check_crossings(const SurfacePlanes& surface, double near_parts) {
  const std::vector<int> parts = part_of_corners(surface);
  const auto part_of = [&](const Ends& ends) { return parts[static_cast<std::size_t>(ends.first)]; };
  std::vector<Ends> edges;
  std::vector<Box> of_edges, of_faces;
  for (const auto& [ends, edge] : surface.edges())
    edges.push_back(ends), of_edges.push_back(box_of_edge(surface, ends, near_parts));
  for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) of_faces.push_back(surface.box_of_face(f));
  const BoxTree edge_tree(of_edges, items_of_leaf), face_tree(of_faces, items_of_leaf);
  for (std::size_t e = 0; e < edges.size(); ++e)
    edge_tree.visit(of_edges[e], [&](int other) {
      const auto number = static_cast<std::size_t>(other);
      if (number <= e) return;
      const bool is_one_part = part_of(edges[e]) == part_of(edges[number]);
      check_edges(surface, edges[e], edges[number], is_one_part ? surface.near() : near_parts);
    });
  for (std::size_t e = 0; e < edges.size(); ++e)
    face_tree.visit(of_edges[e], [&](int face) { check_edge_and_face(surface, edges[e], face); });
}

}  // namespace jostle

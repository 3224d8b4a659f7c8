#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/parts/box_tree.hpp"
#include "scenarios/parts/closed_surface.hpp"

namespace jostle {

/// Edges that bend by less (sine) are flat, and touch nothing.
inline constexpr double flat_edge = 1e-9;

/// Most items of a leaf of a tree of boxes.
inline constexpr int items_of_leaf = 8;

/// Distance of opposite corners of the box about the points, m.
double size_of_points(const std::vector<Vec3>& points);

/// For messages.
std::string place_text(const Vec3& point);

/// The faces of a closed surface, with what follows from them: their planes and edges.
class SurfacePlanes {
 public:
  using Ends = std::pair<int, int>;  ///< the lower corner first
  struct Edge {
    int left = -1, right = -1;  ///< faces beside the way from the lower corner to the higher one
  };

  /// Corners are sorted by x, y and z; those that no face has, or that lie on a line between two faces, are left out.
  /// `near`: distances that count as 0, m. Throws std::invalid_argument where faces fold onto each other or leave the
  /// surface open, and if it encloses no volume.
  SurfacePlanes(std::vector<Vec3> points, std::vector<SurfaceFace> faces, double near);

  const std::vector<Vec3>& points() const { return points_; }
  const std::vector<SurfaceFace>& faces() const { return faces_; }
  const std::map<Ends, Edge>& edges() const { return edges_; }
  double near() const { return near_; }
  const Vec3& at(int corner) const { return points_[static_cast<std::size_t>(corner)]; }
  const Vec3& normal(int face) const { return normals_[static_cast<std::size_t>(face)]; }  ///< outwards, unit

  /// Of a point above the plane of a face, m.
  double height(int face, const Vec3& x) const {
    return normal(face).dot(x) - offsets_[static_cast<std::size_t>(face)];
  }

  /// The sine of the angle between the normals, > 0 where the edge is convex.
  double bend_of(const Ends& ends, const Edge& edge) const;

  /// Whether the foot of a point on a face lies in it, and how far from its edges, m.
  std::pair<bool, double> over(int face, const Vec3& x) const;

  Box box_of_face(int face) const;

 private:
  void for_each_loop(auto visit) {
    for (std::size_t f = 0; f < faces_.size(); ++f)
      for (auto& loop : faces_[f].loops) visit(static_cast<int>(f), loop);
  }

  void drop_straight_corners();
  std::vector<int> without_straight(std::vector<int> chain) const;
  void number_corners();
  void find_planes();
  void find_edges();
  void check_volume() const;

  std::vector<Vec3> points_;
  std::vector<SurfaceFace> faces_;
  double near_;
  std::vector<Vec3> normals_;
  std::vector<double> offsets_;
  std::map<Ends, Edge> edges_;
};

}  // namespace jostle

#pragma once
// A hull against a half-space, by its core (polyhedron.hpp): the corners that may touch.
#include "core/geometry/candidates.hpp"
#include "core/geometry/face_tree.hpp"
#include "core/geometry/half_space_pairs.hpp"

namespace jostle {

/// Feature pair i: corner i on the plane.
struct PolyhedronHalfSpace {
  static constexpr int features = 1;  ///< or more: as many as there are corners that touch

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    return ball_on_plane(Polyhedron(a).corner_in_world(feature), a.size[0], b);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin, int first) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    const Polyhedron core(a);
    for (int i = first; i < core.touching_corners && i < first + page_features; ++i)
      if (height_above(b, core.corner_in_world(i)) - a.size[0] <= margin) set.insert(i - first);
    return set;
  }

  /// As of PolyhedronPair. All corners below the plane are candidates.
  JOSTLE_HD static void visit_close(const PlacedShape& a, const PlacedShape& b, double margin, double, auto insert) {
    if (height_above(b, a.position) - bounding_radius(a) > margin) return;
    const double most = margin + a.size[0];
    const int touching = Polyhedron(a).touching_corners;
    for_each_corner_below(a, b, most, [&](int i, double height) {
      if (i < touching && height - a.size[0] <= margin) insert(i);
    });
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    const Polyhedron core(a);
    double lowest = infinity();
    if (core.nodes > 0) {
      for_each_corner_below(a, b, lowest, [&](int, double height) { lowest = height < lowest ? height : lowest; });
      return lowest - a.size[0];
    }
    for (int i = 0; i < core.corners; ++i) {
      const double height = height_above(b, core.corner_in_world(i));
      if (height < lowest) lowest = height;
    }
    return lowest - a.size[0];
  }

 private:
  /// visit(corner, height above the plane) for those of a tree that may be below `most` (m), which may fall.
  JOSTLE_HD static void for_each_corner_below(const PlacedShape& a, const PlacedShape& b, const double& most,
                                              auto visit) {
    const Polyhedron core(a);
    const Vec3 up = rotate_back(a.axes, Vec3(b.axes.col(2)));
    const double height = height_above(b, a.position) - border * bounding_radius(a);
    const auto is_above = [&](const NearBox& box, int, int) {
      double least = height + dot(up, box.middle);
      for (int k = 0; k < 3; ++k) least -= std::fabs(up[k]) * box.half[k];
      return least > most;
    };
    for_each_corner_in_tree(core, is_above, [&](int i) {
      if (height + dot(up, core.corner(i)) <= most) visit(i, height_above(b, core.corner_in_world(i)));
    });
  }
};

}  // namespace jostle

#pragma once
// A hull against a half-space, by its core (polyhedron.hpp): the corners that may touch.
#include "core/geometry/candidates.hpp"
#include "core/geometry/face_tree.hpp"
#include "core/geometry/half_space_pairs.hpp"

namespace jostle {

namespace detail {

/// The corners of a hull above a plane. Their heights in the axes of the hull take few operations, but differ by
/// rounding from those of contacts.
class HullAbovePlane {
 public:
  JOSTLE_HD HullAbovePlane(const PlacedShape& hull, const PlacedShape& plane)
      : hull_(hull),
        plane_(plane),
        up_(rotate_back(hull.axes, Vec3(plane.axes.col(2)))),
        least_(height_above(plane, hull.position) - border * bounding_radius(hull)) {}

  /// No higher than a contact of the corner, m.
  JOSTLE_HD double least_height(int corner) const { return least_ + dot(up_, hull_corner(hull_, corner)); }
  /// The same of all corners in a box along the axes of the hull.
  JOSTLE_HD double least_height(const NearBox& box) const {
    double least = least_ + dot(up_, box.middle);
    for (int k = 0; k < 3; ++k) least -= std::fabs(up_[k]) * box.half[k];
    return least;
  }
  /// That of contacts, without the radius of the hull, m.
  JOSTLE_HD double height(int corner) const {
    return height_above(plane_, to_world(hull_, hull_corner(hull_, corner)));
  }

 private:
  const PlacedShape &hull_, &plane_;
  Vec3 up_;
  double least_;
};

}  // namespace detail

/// Feature pair i: corner i on the plane.
struct PolyhedronHalfSpace {
  static constexpr int features = 1;  ///< or more: as many as there are corners that touch

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    return ball_on_plane(to_world(a, hull_corner(a, feature)), a.size[0], b);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin, int first,
                                    const FeatureSet* only) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    const detail::HullAbovePlane above(a, b);
    const double most = margin + a.size[0];
    const auto look_at = [&](int own) {
      const int i = first + own;
      if (above.least_height(i) <= most && above.height(i) - a.size[0] <= margin) set.insert(own);
    };
    if (only != nullptr) {
      only->for_each(look_at);
      return set;
    }
    const int touching = core_counts(a.type, a.corners, a.structure).touching_corners;
    for (int own = 0; own < page_features && first + own < touching; ++own) look_at(own);
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
    double lowest = infinity();
    for_each_corner_below(a, b, lowest, [&](int, double height) { lowest = height < lowest ? height : lowest; });
    return lowest - a.size[0];
  }

 private:
  /// visit(corner, height) for those that may be below `most` (m), which may fall.
  JOSTLE_HD static void for_each_corner_below(const PlacedShape& a, const PlacedShape& b, const double& most,
                                              auto visit) {
    const Polyhedron core(a);
    const detail::HullAbovePlane above(a, b);
    const auto look_at = [&](int i) {
      if (above.least_height(i) <= most) visit(i, above.height(i));
    };
    if (core.nodes == 0) {
      for (int i = 0; i < core.corners; ++i) look_at(i);
      return;
    }
    const auto is_above = [&](const NearBox& box, int, int) { return above.least_height(box) > most; };
    for_each_corner_in_tree(core, is_above, look_at);
  }
};

}  // namespace jostle

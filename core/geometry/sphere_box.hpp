#pragma once
// A sphere against a box. The box is convex, so one feature pair counts at a time: the part of the box
// whose Voronoi region holds the sphere's centre, or the nearest face if the centre is in the box.
//
//     0..5     the sphere on a face
//     6..17    on an edge
//     18..25   on a corner
#include "core/geometry/box_features.hpp"

namespace jostle {

struct SphereBox : NearestFeature<SphereBox> {
  static constexpr int on_edge = box_faces, on_corner = on_edge + box_edges, features = on_corner + box_corners;

  /// If the centre is exactly on an edge's line or on a corner, the normal there is world x.
  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    if (feature < on_edge) return ball_on_face(a.position, a.size[0], b, feature);
    const Vec3 y =
        feature < on_corner ? across(box_edge(b, feature - on_edge), a.position) : box_corner(b, feature - on_corner);
    return ball_contact(a.position, a.size[0], y, 0);
  }

  JOSTLE_HD static int nearest(const PlacedShape& a, const PlacedShape& b) {
    const Vec3 x = to_local(b, a.position);
    const BoxRegion region(x, b.size, 0);
    if (region.dimensions_beyond() == 3) return on_corner + region.corner();
    if (region.dimensions_beyond() == 2) return on_edge + region.edge();
    return touched_face(
        region, [](int) { return true; }, [&](int face) { return local_face_height(x, b.size, face); });
  }
};

}  // namespace jostle

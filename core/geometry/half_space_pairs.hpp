#pragma once
// Everything against a half-space. The plane has the outward normal m and goes through p; the normal
// from the body to the half-space is -m. A body point x under a ball of radius r has the gap
//
//     Phi(x) = m . (x - p) - r
//
// which is linear in x: no pose makes one of these feature pairs a ghost.
#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/shape_points.hpp"

namespace jostle {

/// Distance of x from the plane, positive outside, m.
JOSTLE_HD inline double height_above(const PlacedShape& half_space, const Vec3& x) {
  return dot(half_space.axes.col(2), x - half_space.position);
}

JOSTLE_HD inline ContactGeometry ball_on_plane(const Vec3& centre, double radius, const PlacedShape& half_space) {
  const Vec3 m = half_space.axes.col(2);
  const double height = height_above(half_space, centre);
  return {height - radius, -m, centre - radius * m, centre - height * m};
}

/// A shape that is the convex hull of a few equal balls touches a plane only with these balls. Hull defines them:
/// `balls`, centre(shape, i), radius(shape), and visit_centres(shape, visit(i, centre)).
template <class Hull>
struct HullHalfSpace {
  static constexpr int features = Hull::balls;

  JOSTLE_HD static ContactGeometry contact(const PlacedShape& a, const PlacedShape& b, int feature) {
    return ball_on_plane(Hull::centre(a, feature), Hull::radius(a), b);
  }

  JOSTLE_HD static double gap(const PlacedShape& a, const PlacedShape& b, int feature) {
    return height_above(b, Hull::centre(a, feature)) - Hull::radius(a);
  }

  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet set;
    if (height_above(b, a.position) - bounding_radius(a) > margin) return set;
    Hull::visit_centres(a, [&](int i, const Vec3& centre) {
      if (height_above(b, centre) - Hull::radius(a) <= margin) set.insert(i);
    });
    return set;
  }

  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    double lowest = height_above(b, Hull::centre(a, 0));
    for (int i = 1; i < features; ++i) {
      const double height = height_above(b, Hull::centre(a, i));
      if (height < lowest) lowest = height;
    }
    return lowest - Hull::radius(a);
  }
};

struct SphereHull {
  static constexpr int balls = 1;
  JOSTLE_HD static Vec3 centre(const PlacedShape& sphere, int) { return sphere.position; }
  JOSTLE_HD static double radius(const PlacedShape& sphere) { return sphere.size[0]; }
  JOSTLE_HD static void visit_centres(const PlacedShape& sphere, auto visit) { visit(0, sphere.position); }
};

struct CapsuleHull {
  static constexpr int balls = 2;
  JOSTLE_HD static Vec3 centre(const PlacedShape& capsule, int i) { return end_point(capsule, i); }
  JOSTLE_HD static double radius(const PlacedShape& capsule) { return capsule.size[0]; }
  JOSTLE_HD static void visit_centres(const PlacedShape& capsule, auto visit) {
    for (int i = 0; i < balls; ++i) visit(i, centre(capsule, i));
  }
};

struct BoxHull {
  static constexpr int balls = 8;
  JOSTLE_HD static Vec3 centre(const PlacedShape& box, int i) { return box_corner(box, i); }
  JOSTLE_HD static double radius(const PlacedShape&) { return 0; }
  JOSTLE_HD static void visit_centres(const PlacedShape& box, auto visit) { visit_box_corners(box, visit); }
};

using SphereHalfSpace = HullHalfSpace<SphereHull>;
using CapsuleHalfSpace = HullHalfSpace<CapsuleHull>;
using BoxHalfSpace = HullHalfSpace<BoxHull>;

}  // namespace jostle

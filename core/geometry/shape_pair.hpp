#pragma once
// The only table of shape pairs. To add a pair, write a struct with
//
//     static constexpr int features;                                    how many feature pairs there are
//     static FeatureSet close(a, b, margin);                            those that are real and near; of polygons and
//                                                                       hulls a page of them, close(a, b, margin,
//                                                                       first) or close(a, b, margin, first, only)
//     static ContactGeometry contact(a, b, feature);                    any of them, at any poses
//     static double distance(a, b);                                       signed distance
//
// and name it here. In all of them type(a) <= type(b). One lane works on one pair.
#include "core/geometry/box_box.hpp"
#include "core/geometry/box_cylinder.hpp"
#include "core/geometry/capsule_box.hpp"
#include "core/geometry/capsule_capsule.hpp"
#include "core/geometry/capsule_cylinder.hpp"
#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/cylinder_cylinder.hpp"
#include "core/geometry/cylinder_half_space.hpp"
#include "core/geometry/cylinder_polyhedron.hpp"
#include "core/geometry/half_space_pairs.hpp"
#include "core/geometry/polygon_pairs.hpp"
#include "core/geometry/polyhedron_half_space.hpp"
#include "core/geometry/polyhedron_pairs.hpp"
#include "core/geometry/round_pairs.hpp"
#include "core/geometry/sphere_box.hpp"
#include "core/geometry/sphere_cylinder.hpp"

namespace jostle {

/// The row of a shape pair without a struct.
struct UnsupportedPair {
  static constexpr int features = 0;
};

/// f(Pair{}) with the struct of the pair (a, b). `HasPolytopes`: whether code for polygons and hulls is wanted.
template <bool HasPolytopes = true, class F>
JOSTLE_HD constexpr auto with_shape_pair(ShapeType a, ShapeType b, F f) {
  using enum ShapeType;
  const auto is = [&](ShapeType first, ShapeType second) { return a == first && b == second; };
  if (is(sphere, half_space)) return f(SphereHalfSpace{});
  if (is(capsule, half_space)) return f(CapsuleHalfSpace{});
  if (is(box, half_space)) return f(BoxHalfSpace{});
  if (is(cylinder, half_space)) return f(CylinderHalfSpace{});
  if (is(sphere, sphere)) return f(SphereSphere{});
  if (is(sphere, capsule)) return f(SphereCapsule{});
  if (is(sphere, box)) return f(SphereBox{});
  if (is(capsule, capsule)) return f(CapsuleCapsule{});
  if (is(capsule, box)) return f(CapsuleBox{});
  if (is(box, box)) return f(BoxBox{});
  if (is(sphere, cylinder)) return f(SphereCylinder{});
  if (is(capsule, cylinder)) return f(CapsuleCylinder{});
  if (is(box, cylinder)) return f(BoxCylinder{});
  if (is(cylinder, cylinder)) return f(CylinderCylinder{});
  if constexpr (HasPolytopes) {
    if (is(polygon, half_space)) return f(PolygonHalfSpace{});
    if (b == polygon && a != cylinder) return f(PolygonPair{});
    if (is(hull, half_space)) return f(PolyhedronHalfSpace{});
    if (is(cylinder, hull)) return f(CylinderPolyhedron{});
    if (b == hull && a != polygon) return f(PolyhedronPair{});
  }
  return f(UnsupportedPair{});
}

/// How many feature pairs a pair of shapes has; 0 if the pair is not supported. Those of polygons and
/// hulls: Model::features_of.
JOSTLE_HD constexpr int feature_count(ShapeType a, ShapeType b) {
  return with_shape_pair(a, b, [](auto pair) { return decltype(pair)::features; });
}

static_assert(BoxBox::features <= page_features && BoxCylinder::features <= page_features);

/// Whether this version supports collisions of this pair. a <= b.
JOSTLE_HD constexpr bool supported(ShapeType a, ShapeType b) { return feature_count(a, b) > 0; }

/// The feature pairs that can become contacts: gap <= margin (m), the projections overlap and the features face each
/// other. At least one of them has a gap <= 0 whenever the shapes touch or overlap a little. `first`: of the page that
/// is wanted; `only`: feature pairs of that page, if others need not be found.
template <bool HasPolytopes = true>
JOSTLE_HD JOSTLE_OUTLINE FeatureSet close_features(const PlacedShape& a, const PlacedShape& b, double margin,
                                                   [[maybe_unused]] int first = 0,
                                                   [[maybe_unused]] const FeatureSet* only = nullptr) {
  return with_shape_pair<HasPolytopes>(a.type, b.type, [&](auto pair) {
    using Pair = decltype(pair);
    if constexpr (requires { Pair::close(a, b, margin, first, only); }) {
      return Pair::close(a, b, margin, first, only);
    } else if constexpr (requires { Pair::close(a, b, margin, first); }) {
      return Pair::close(a, b, margin, first);
    } else if constexpr (Pair::features > 0) {
      return Pair::close(a, b, margin);
    } else {
      return FeatureSet{};
    }
  });
}

/// The same of two cores, or of a cylinder and a convex hull, of all pages: insert(feature) in no order. Of surfaces
/// deeper than `deepest` (m) there are none.
JOSTLE_HD void visit_close_features(const PlacedShape& a, const PlacedShape& b, double margin, double deepest,
                                    auto insert) {
  with_shape_pair(a.type, b.type, [&](auto pair) {
    if constexpr (requires { decltype(pair)::visit_close(a, b, margin, deepest, insert); })
      decltype(pair)::visit_close(a, b, margin, deepest, insert);
  });
}

/// One feature pair, whether or not it is close. Never NaN for finite poses and sizes.
template <bool HasPolytopes = true>
JOSTLE_HD JOSTLE_OUTLINE ContactGeometry contact_geometry(const PlacedShape& a, const PlacedShape& b, int feature) {
  return with_shape_pair<HasPolytopes>(a.type, b.type, [&](auto pair) {
    if constexpr (decltype(pair)::features > 0) return decltype(pair)::contact(a, b, feature);
    return ContactGeometry{};
  });
}

/// Its gap alone, with the same bits.
template <bool HasPolytopes = true>
JOSTLE_HD JOSTLE_OUTLINE double contact_gap(const PlacedShape& a, const PlacedShape& b, int feature) {
  return with_shape_pair<HasPolytopes>(a.type, b.type, [&](auto pair) {
    using Pair = decltype(pair);
    if constexpr (requires { Pair::gap(a, b, feature); }) {
      return Pair::gap(a, b, feature);
    } else if constexpr (Pair::features > 0) {
      return Pair::contact(a, b, feature).gap;
    } else {
      return ContactGeometry{}.gap;
    }
  });
}

/// Distance of the shapes, m: exact when they are apart; minus the depth of penetration (the shortest way out) when
/// they overlap.
template <bool HasPolytopes = true>
JOSTLE_HD JOSTLE_OUTLINE double signed_distance(const PlacedShape& a, const PlacedShape& b) {
  return with_shape_pair<HasPolytopes>(a.type, b.type, [&](auto pair) {
    if constexpr (decltype(pair)::features > 0) return decltype(pair)::distance(a, b);
    return 0.0;
  });
}

}  // namespace jostle

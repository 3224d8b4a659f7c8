#pragma once
// Candidates and distance of two convex shapes of which one is a cylinder, from their feature pairs alone.
//
// The reach of a shape along n is h(n) = max n . x over its points, from its position. With D from a's position to b's,
//
//     s(n) = n . D - h_a(n) - h_b(-n)                                                              (1)
//
// is how far the shapes are apart along n. Their signed distance is the greatest s(n), apart (duality) and in overlap
// (the shortest way out). The greatest s(n) in overlap is stationary, so n is the normal of a feature pair, and both
// features are the ends of their shapes along it: Phi = s(n).
//
// A feature pair is a candidate if
//
//   * projections overlap: the points at the two ends of its gap belong to the shapes, to within the border;
//   * they face each other: neither shape reaches much further along n (CandidateBounds::leads);
//   * it is no ghost: not deeper than the shapes overlap.
//
// Pair supplies contact() and
//
//     static bool may_touch(a, b, feature, margin);        cheap: false where the gap is above the margin for certain
//     static bool is_real(a, b, feature, contact, border); what the rules above do not tell
#include "core/geometry/candidates.hpp"
#include "core/geometry/contact_geometry.hpp"
#include "core/geometry/face_tree.hpp"
#include "core/geometry/lines.hpp"
#include "core/geometry/outline.hpp"
#include "core/math/bits.hpp"
#include "core/math/rotation.hpp"

namespace jostle {

/// h(n), m. Not for a half-space.
JOSTLE_HD JOSTLE_OUTLINE_FOR_ALL inline double reach_towards(const PlacedShape& shape, const Vec3& n) {
  const double along = std::fabs(dot(n, shape.axes.col(2)));
  const Vec3& size = shape.size;
  switch (shape.type) {
    case ShapeType::capsule: return size[1] * along + size[0];
    case ShapeType::box:
      return size[0] * std::fabs(dot(n, shape.axes.col(0))) + size[1] * std::fabs(dot(n, shape.axes.col(1))) +
             size[2] * along;
    case ShapeType::cylinder: {
      const Vec3 across = cross(n, shape.axes.col(2));
      return size[1] * along + size[0] * std::sqrt(dot(across, across));
    }
    case ShapeType::polygon: {
      const double x = dot(n, shape.axes.col(0)), y = dot(n, shape.axes.col(1));
      double furthest = -infinity();
      for (int i = 0; i < shape.corners; ++i) {
        const double at = x * shape.corner[2 * i] + y * shape.corner[2 * i + 1];
        if (at > furthest) furthest = at;
      }
      const Outline outline(shape, shape.axes.col(2));
      for (int i = 0; i < shape.corners && outline.has_arcs(); ++i) {
        if (!outline.is_convex_arc(i)) continue;
        const CircularArc arc = outline.arc(i);
        const double at = x * arc.centre.x + y * arc.centre.y + arc.radius;
        if (at > furthest && arc.past_end({x, y}) <= 0) furthest = at;
      }
      return furthest + size[0];
    }
    case ShapeType::hull: {
      const Vec3 local = rotate_back(shape.axes, n);
      if (shape.structure[6] > 0) return furthest_corner(Polyhedron(shape), local) + size[0];
      double furthest = -infinity();
      for (int i = 0; i < shape.corners; ++i) {
        const double* const x = shape.corner + 3 * i;
        const double at = local[0] * x[0] + local[1] * x[1] + local[2] * x[2];
        if (at > furthest) furthest = at;
      }
      return furthest + size[0];
    }
    default: return size[0];
  }
}

/// s(n), m.
JOSTLE_HD inline double apart_along(const PlacedShape& a, const PlacedShape& b, const Vec3& n) {
  return dot(b.position - a.position, n) - reach_towards(a, n) - reach_towards(b, -n);
}

/// The point of a capsule, box or cylinder closest to x; x itself if it is inside.
JOSTLE_HD inline Vec3 closest_point(const PlacedShape& shape, const Vec3& x) {
  const Vec3 local = to_local(shape, x);
  Vec3 y;
  if (shape.type == ShapeType::box) {
    for (int k = 0; k < 3; ++k) y[k] = clamp_to(local[k], shape.size[k]);
  } else {
    const double radius = shape.size[0], z = clamp_to(local[2], shape.size[1]);
    const bool round_ends = shape.type == ShapeType::capsule;
    Vec3 away(local[0], local[1], round_ends ? local[2] - z : 0);
    const double length = std::sqrt(dot(away, away));
    if (length > radius) away *= radius / length;
    y = Vec3(away[0], away[1], away[2] + z);
  }
  return shape.position + y[0] * shape.axes.col(0) + y[1] * shape.axes.col(1) + y[2] * shape.axes.col(2);
}

/// Of the same shapes, with a border around them.
JOSTLE_HD inline bool is_in_or_near(const PlacedShape& shape, const Vec3& x, double border_width) {
  const Vec3 beyond = x - closest_point(shape, x);
  return dot(beyond, beyond) <= border_width * border_width;
}

/// Is the point x of a shape its end along n, or nearly so? It reaches further along one of its directions by `lag`,
/// with a slope: nothing, or at most 30 degrees and `most` (m).
JOSTLE_HD inline bool leads(const PlacedShape& shape, const Vec3& x, const Vec3& n, double border_width, double most) {
  const auto leads_along = [&](double lag, double slope) {
    return lag <= border_width || (slope <= nearing_limit && lag <= most);
  };
  const Vec3 d = x - shape.position;
  if (shape.type == ShapeType::box) {
    bool all = true;
    for (int k = 0; k < 3; ++k) {
      const double along = dot(n, shape.axes.col(k));
      all = all && leads_along(shape.size[k] * std::fabs(along) - along * dot(d, shape.axes.col(k)), std::fabs(along));
    }
    return all;
  }
  const Vec3 u = shape.axes.col(2);
  const double along = dot(n, u), slope = std::fabs(along);
  double z = dot(d, u);
  if (shape.type == ShapeType::capsule) z -= shape.size[0] * along;  // of the point of the core
  if (!leads_along(shape.size[1] * slope - z * along, slope)) return false;
  if (shape.type == ShapeType::capsule) return true;
  const Vec3 across = cross(n, u);
  const double sine = std::sqrt(dot(across, across));
  return leads_along(shape.size[0] * sine - (dot(d, n) - z * along), sine);
}

template <class Pair>
struct ConvexPair {
  JOSTLE_HD static FeatureSet close(const PlacedShape& a, const PlacedShape& b, double margin) {
    FeatureSet near, set;
    if (far_apart(a, b, margin)) return set;
    double overlap = apart_along_an_axis(a, b);
    if (overlap > margin) return set;
    const double edge = border * (bounding_radius(a) + bounding_radius(b));
    for (int feature = 0; feature < Pair::features; ++feature) {
      if (!Pair::may_touch(a, b, feature, margin)) continue;
      const ContactGeometry c = Pair::contact(a, b, feature);
      if (c.gap > margin || c.gap < CandidateBounds(overlap, margin, edge).lowest) continue;
      const double apart = apart_along(a, b, c.normal);
      if (apart > margin) return set;
      if (apart > overlap) overlap = apart;
      if (is_in_or_near(a, c.point_a, edge) && is_in_or_near(b, c.point_b, edge) && lead(a, b, c, edge, infinity()) &&
          Pair::is_real(a, b, feature, c, edge))
        near.insert(feature);
    }
    const CandidateBounds bounds(overlap, margin, edge);
    near.for_each([&](int feature) {
      const ContactGeometry c = Pair::contact(a, b, feature);
      if (c.gap >= bounds.lowest && lead(a, b, c, edge, bounds.highest - bounds.lowest)) set.insert(feature);
    });
    return set;
  }

  /// Apart, the shapes are nearest at a point of one of the features, or at the ends of edges and rims that it is
  /// clamped to.
  JOSTLE_HD static double distance(const PlacedShape& a, const PlacedShape& b) {
    double greatest = -infinity(), squared = infinity();
    Vec3 shortest = Vec3::Zero();
    const auto keep_shorter = [&](const Vec3& connection) {
      if (!(dot(connection, connection) < squared)) return;
      squared = dot(connection, connection);
      shortest = connection;
    };
    for (int feature = 0; feature < Pair::features; ++feature) {
      const ContactGeometry c = Pair::contact(a, b, feature);
      const double apart = apart_along(a, b, c.normal);
      if (apart > greatest) greatest = apart;
      const Vec3 x = closest_point(a, c.point_a), y = closest_point(b, c.point_b);
      keep_shorter(closest_point(b, x) - x);
      keep_shorter(y - closest_point(a, y));
    }
    const double apart = squared > 0 ? apart_along(a, b, unit_or(shortest, b.axes.col(2))) : greatest;
    return greatest > 0 || apart > 0 ? std::sqrt(squared) : (apart > greatest ? apart : greatest);
  }

 private:
  JOSTLE_HD static bool lead(const PlacedShape& a, const PlacedShape& b, const ContactGeometry& c, double border_width,
                             double most) {
    return leads(a, c.point_a, c.normal, border_width, most) && leads(b, c.point_b, -c.normal, border_width, most);
  }

  /// s(n), m: the greatest along the axes of a and the third of b.
  JOSTLE_HD static double apart_along_an_axis(const PlacedShape& a, const PlacedShape& b) {
    const Vec3 d = b.position - a.position;
    double greatest = -infinity();
    for (int k = 0; k < 4; ++k) {
      const Vec3 n = k < 3 ? a.axes.col(k) : b.axes.col(2);
      const double apart = std::fabs(dot(d, n)) - reach_towards(a, n) - reach_towards(b, n);
      if (apart > greatest) greatest = apart;
    }
    return greatest;
  }
};

}  // namespace jostle
